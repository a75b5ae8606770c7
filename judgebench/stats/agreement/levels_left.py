"""α without each item in turn, of any number of levels: nominal, ordinal and ratio.

No step goes through all pairs of levels, but for the ratio metric, whose differences
have no closed form; the others take n·log n.
"""

from math import isqrt

import numpy as np

from judgebench.stats.agreement.families import Families, Within, within_items, within_units
from judgebench.stats.agreement.leaving import Metric, Parts, by_item, ratio_delta
from judgebench.stats.agreement.rows import Rows
from judgebench.stats.agreement.shared import ones
from judgebench.stats.agreement.spans import Order, Table, pairs, spans
from judgebench.stats.arrays import FloatArray, IntArray

_LEAST_HEAVY = 16
_AT_ONCE = 2**20
"""Differences of levels held at once."""


def parts_of_levels(rows: Rows, item: IntArray | None, metric: Metric) -> Parts:
    """D_o and D_e without each item.

    Args:
        rows: The units.
        item: Shape (U,), the item of each unit, counted from 0; None where each is its own.
        metric: Any but ``interval``.

    Returns:
        Its arrays have one place for each item.

    Raises:
        ValueError: A ratio metric, and a mark below 0.
    """
    if item is None:
        within, families = within_units(rows), None
    else:
        within, families = within_items(rows, item)
    if metric == "nominal":
        return _nominal(rows, item, within)
    if metric == "ratio":
        return _ratio(rows, item, families)
    return _ordinal(rows, item, within, families)


def _nominal(rows: Rows, item: IntArray | None, within: Within) -> Parts:
    """Two marks differ or they do not: what is equal is counted."""
    m, n, counts = rows.m, rows.n, rows.counts
    units = within if item is None else within_units(rows)
    own = by_item((m * m - _sum(units.times)) / (m - 1), item)
    equal = float(counts.dot(counts))
    gone = 2 * counts[rows.levels] - within.times
    if rows.there is not None:
        gone *= rows.there
    left = n - by_item(m, item)
    total = float(own.sum())
    return Parts(
        observed=total / n,
        expected=(n * n - equal) / (n * (n - 1)),
        left_observed=(total - own) / left,
        left_expected=(left * left - equal + by_item(_sum(gone), item)) / (left * (left - 1)),
    )


def _ordinal(
    rows: Rows, item: IntArray | None, within: Within, families: Families | None
) -> Parts:
    """On the mid-ranks of what is left: an item takes from a level what it has below it.

    So D_o is a square: of the ranks of all, of what the item takes from them (a step at
    each of its marks), and of both together. The mean of mid-ranks is known whatever the
    ties, and so is their spread (Kendall, 1945).
    """
    levels, m, n, counts = rows.levels, rows.m, rows.n, rows.counts
    ranks = counts.cumsum()
    ranks -= counts / 2 + n / 2
    ranks[-1] = 0
    g = ranks[levels]
    sums = _sum(g)
    total = float(((m * _sum(g * g) - sums * sums) / (m - 1)).sum())
    pull = np.bincount(
        levels.ravel(), ((m * g - sums) / (m - 1)).ravel(), minlength=counts.size
    )
    pull[-1] = 0
    toward = 2 * pull.cumsum() - pull
    found = spans(rows)
    steps = toward[levels] + found.twice[levels] * within.times
    cubes = _cubes(counts[levels], within.times)
    if rows.there is not None:
        steps *= rows.there
    g -= within.below
    sums = _sum(g)
    own = (m * _sum(g * g) - sums * sums) / (m - 1)
    changed = by_item(_sum(steps) - own, item) + 2 * _covered(rows, families, found)
    left = n - by_item(m, item)
    every = float((counts * counts).dot(counts))
    return Parts(
        observed=total / n,
        expected=(n**3 - every) / (12 * (n - 1)),
        left_observed=(total + changed) / left,
        left_expected=(left * left * left - every + by_item(_sum(cubes), item))
        / (12 * (left - 1)),
    )


def _cubes(counts: FloatArray, times: FloatArray) -> FloatArray:
    """What each mark takes from a sum of cubes: c³ − (c − h)³ by each of h."""
    return (3 * counts * (counts - times) + times * times) * (times > 0)


def _covered(rows: Rows, families: Families | None, found: Table | Order) -> FloatArray:
    """Weight of the spans over each two different levels of an item."""
    if families is None:
        return np.asarray(
            sum(_sum(found.both(low, high)) for low, high in pairs(rows)), dtype=np.float64
        )
    most = max(_LEAST_HEAVY, isqrt(rows.levels.size))
    sums = families.sums(found.both, most)
    # Of many levels there are too many pairs: the steps of such an item are taken as they are.
    for of, places in families.heavy(most):
        level, times = families.level[places], families.times[places]
        taken = np.bincount(level, times, minlength=rows.counts.size)
        below = taken.cumsum() - taken / 2
        below[-1] = 0
        b = below[rows.levels]
        once = _sum(b)
        square = float(((rows.m * _sum(b * b) - once * once) / (rows.m - 1)).sum())
        sums[of] = (square - float((times * times).dot(found.twice[level]))) / 2
    return sums


def _ratio(rows: Rows, item: IntArray | None, families: Families | None) -> Parts:
    """Of each two levels: their differences depend on both."""
    values, m, n = rows.values, rows.m, rows.n
    if values[0] < 0:
        raise ValueError("a ratio metric needs marks from 0 upward")
    # What is not there differs from nothing.
    marks, counts = np.append(values, 0.0), rows.counts

    def delta(low: IntArray, high: IntArray) -> FloatArray:
        return ratio_delta(marks[low], marks[high]) * (high < values.size)

    units = np.asarray(
        sum(_sum(delta(low, high)) for low, high in pairs(rows)), dtype=np.float64
    )
    toward = np.zeros(counts.size)
    size = max(1, _AT_ONCE // counts.size)
    for start in range(0, values.size, size):
        part = marks[start : start + size]
        toward[start : start + part.size] = ratio_delta(part[:, None], marks).dot(counts)
    toward[-1] = 0
    own = by_item(2 * units / (m - 1), item)
    inside = 2 * (units if families is None else families.sums(delta, None))
    total, expected = float(own.sum()), float(counts.dot(toward))
    left = n - by_item(m, item)
    rest = expected - 2 * by_item(_sum(toward[rows.levels]), item) + inside
    return Parts(
        observed=total / n,
        expected=expected / (n * (n - 1)),
        left_observed=(total - own) / left,
        left_expected=rest / (left * (left - 1)),
    )


def _sum(values: FloatArray) -> FloatArray:
    """Over the marks of each unit."""
    return np.asarray(ones(values.shape[0]).dot(values), dtype=np.float64)
