"""α without each item in turn, of any number of levels: nominal, ordinal and ratio.

No step goes through all pairs of levels, but for the ratio metric, whose differences
have no closed form; the others take n·log n.
"""

from math import isqrt

import numpy as np

from judgebench.stats.agreement.families import Families, Within, within_items, within_units
from judgebench.stats.agreement.leaving import Metric, Parts, by_item, ratio_delta
from judgebench.stats.agreement.rows import UNITS, Rows
from judgebench.stats.agreement.shared import over_raters
from judgebench.stats.agreement.spans import Order, Table, pairs, spans
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray

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
    within, families = (None, None) if item is None else within_items(rows, item)
    if metric == "nominal":
        return _nominal(rows, item, within)
    if metric == "ratio":
        return _ratio(rows, item, families)
    return _ordinal(rows, item, within, families)


def _nominal(rows: Rows, item: IntArray | None, within: Within | None) -> Parts:
    """Two marks differ or they do not: what is equal is counted."""
    m, n, counts = rows.m, rows.n, rows.counts
    equal = float(counts.dot(counts))
    alike, gone = np.empty(m.size), np.empty(m.size)
    for block in _blocks(rows):
        levels, there = rows.levels[:, block], _part(rows.there, block)
        units = within_units(levels, there)
        alike[block] = over_raters(units.times)
        # Of c² − (c − h)² each of h marks takes its share.
        shares = 2 * counts.take(levels) - (within.part(block) if within else units).times
        if there is not None:
            shares *= there
        gone[block] = over_raters(shares)
    own = by_item((m * m - alike) / (m - 1), item)
    left = n - by_item(m, item)
    total = float(own.sum())
    return Parts(
        observed=total / n,
        expected=(n * n - equal) / (n * (n - 1)),
        left_observed=(total - own) / left,
        left_expected=(left * left - equal + by_item(gone, item)) / (left * (left - 1)),
    )


def _ordinal(
    rows: Rows, item: IntArray | None, within: Within | None, families: Families | None
) -> Parts:
    """On the mid-ranks of what is left: an item takes from a level what it has below it.

    So D_o is a square: of the ranks of all, of what the item takes from them (a step at
    each of its marks), and of both together. The mean of mid-ranks is known whatever the
    ties, and so is their spread (Kendall, 1945).
    """
    n, counts = rows.n, rows.counts
    ranks = counts.cumsum()
    ranks -= counts / 2 + n / 2
    ranks[-1] = 0
    found = spans(rows, ranks)
    total = float(ranks.dot(found.pull))
    own, cubes = _of_units(rows, within, ranks)
    moved = _between(rows, found) if families is None else _among(rows, families, found)
    moved -= by_item(own, item)
    left = n - by_item(rows.m, item)
    every = float((counts * counts).dot(counts))
    return Parts(
        observed=total / n,
        expected=(n**3 - every) / (12 * (n - 1)),
        left_observed=(total + moved) / left,
        left_expected=(left * left * left - every + by_item(cubes, item)) / (12 * (left - 1)),
    )


def _of_units(
    rows: Rows, within: Within | None, ranks: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """What leaves with each unit: of D_o, on the ranks that are left, and of the sum of cubes."""
    own, gone = np.empty(rows.m.size), np.empty(rows.m.size)
    for block in _blocks(rows):
        levels, m, there = rows.levels[:, block], rows.m[block], _part(rows.there, block)
        mine = within.part(block) if within else within_units(levels, there)
        g = ranks.take(levels)
        g -= mine.below
        sums = over_raters(g)
        g *= g
        own[block] = (m * over_raters(g) - sums * sums) / (m - 1)
        # Of c³ − (c − h)³ each of h marks takes its share.
        counts = rows.counts.take(levels)
        cubes = counts - mine.times
        cubes *= 3 * counts
        cubes += mine.times * mine.times
        if there is not None:
            cubes *= there
        gone[block] = over_raters(cubes)
    return own, gone


def _between(rows: Rows, found: Table | Order) -> FloatArray:
    """What D_o changes by where the steps of a unit are taken from the ranks."""
    changed = np.empty(rows.m.size)
    for block in _blocks(rows):
        levels = rows.levels[:, block]
        both = sum(over_raters(found.both(low, high)) for low, high in pairs(levels))
        changed[block] = over_raters(found.once.take(levels)) + 2 * both
    return changed


def _among(rows: Rows, families: Families, found: Table | Order) -> FloatArray:
    """The same of the steps of each item."""
    most = max(_LEAST_HEAVY, isqrt(rows.levels.size))
    sums = 2 * families.sums(found.both, most)
    # Of many levels there are too many pairs: the steps of such an item are taken as they are.
    for of, places in families.heavy(most):
        level, times = families.level[places], families.times[places]
        taken = np.bincount(level, times, minlength=rows.counts.size)
        below = taken.cumsum() - taken / 2
        below[-1] = 0
        b = below[rows.levels]
        once = over_raters(b)
        square = float(((rows.m * over_raters(b * b) - once * once) / (rows.m - 1)).sum())
        sums[of] = square - float((times * times).dot(found.twice[level]))
    level, times = families.level, families.times
    each = found.twice.take(level) * (times - 1) + found.once.take(level)
    sums += np.bincount(families.item, times * each, minlength=sums.size)
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
        sum(over_raters(delta(low, high)) for low, high in pairs(rows.levels)), dtype=np.float64
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
    rest = expected - 2 * by_item(over_raters(toward[rows.levels]), item) + inside
    return Parts(
        observed=total / n,
        expected=expected / (n * (n - 1)),
        left_observed=(total - own) / left,
        left_expected=rest / (left * (left - 1)),
    )


def _blocks(rows: Rows) -> list[slice]:
    return [slice(at, at + UNITS) for at in range(0, rows.m.size, UNITS)]


def _part(there: BoolArray | None, block: slice) -> BoolArray | None:
    return None if there is None else there[:, block]
