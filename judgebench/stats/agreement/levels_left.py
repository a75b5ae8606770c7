"""α without each item in turn, of any number of levels: nominal, ordinal and ratio.

No step goes through all pairs of levels, but for the ratio metric, whose differences
have no closed form; the others take n·log n.
"""

from math import isqrt

import numpy as np

from judgebench.records import dataclass
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


@dataclass(frozen=True, kw_only=True, slots=True)
class _ByLevel:
    """What a mark on a level counts for; shape (V + 1,), the last for none."""

    ranks: FloatArray
    toward: FloatArray
    """Of the change of D_o for a step at the level, what goes with the ranks of all."""
    twice: FloatArray
    """The same that goes with the step itself."""
    counts: FloatArray


def _ordinal(
    rows: Rows, item: IntArray | None, within: Within | None, families: Families | None
) -> Parts:
    """On the mid-ranks of what is left: an item takes from a level what it has below it.

    So D_o is a square: of the ranks of all, of what the item takes from them (a step at
    each of its marks), and of both together. The mean of mid-ranks is known whatever the
    ties, and so is their spread (Kendall, 1945).
    """
    m, n, counts = rows.m, rows.n, rows.counts
    ranks = counts.cumsum()
    ranks -= counts / 2 + n / 2
    ranks[-1] = 0
    total, toward = 0.0, np.zeros(counts.size)
    blocks = _blocks(rows)
    for block in blocks:
        levels, of = rows.levels[:, block], m[block]
        g = ranks.take(levels)
        sums = over_raters(g)
        total += float(((of * over_raters(g * g) - sums * sums) / (of - 1)).sum())
        g *= of
        g -= sums
        g /= of - 1
        toward += np.bincount(levels.ravel(), g.ravel(), minlength=counts.size)
    toward[-1] = 0
    toward = 2 * toward.cumsum() - toward
    found = spans(rows)
    table = _ByLevel(ranks=ranks, toward=toward, twice=found.twice, counts=counts)
    changed, cubes = np.empty(m.size), np.empty(m.size)
    for block in blocks:
        mine = within and within.part(block)
        changed[block], cubes[block] = _of_units(rows, block, mine, table)
        if families is None:
            changed[block] += _between(rows, block, found)
    moved = by_item(changed, item)
    if families is not None:
        moved += _among(rows, families, found)
    left = n - by_item(m, item)
    every = float((counts * counts).dot(counts))
    return Parts(
        observed=total / n,
        expected=(n**3 - every) / (12 * (n - 1)),
        left_observed=(total + moved) / left,
        left_expected=(left * left * left - every + by_item(cubes, item)) / (12 * (left - 1)),
    )


def _of_units(
    rows: Rows, block: slice, within: Within | None, table: _ByLevel
) -> tuple[FloatArray, FloatArray]:
    """What leaves with some units, or stays otherwise: of D_o, and of the sum of cubes."""
    levels, m, there = rows.levels[:, block], rows.m[block], _part(rows.there, block)
    within = within or within_units(levels, there)
    times, g = within.times, within.below
    np.subtract(table.ranks.take(levels), g, out=g)
    sums = over_raters(g)
    own = (m * over_raters(g * g) - sums * sums) / (m - 1)
    steps = table.twice.take(levels)
    steps *= times
    steps += table.toward.take(levels)
    # Of c³ − (c − h)³ each of h marks takes its share.
    counts = table.counts.take(levels)
    cubes = counts - times
    cubes *= 3 * counts
    cubes += times * times
    if there is not None:
        steps *= there
        cubes *= there
    return over_raters(steps) - own, over_raters(cubes)


def _between(rows: Rows, block: slice, found: Table | Order) -> FloatArray:
    """Weight of the spans over each two levels of a unit, both ways."""
    levels = rows.levels[:, block]
    both = sum(over_raters(found.both(low, high)) for low, high in pairs(levels))
    return np.asarray(2 * both, dtype=np.float64)


def _among(rows: Rows, families: Families, found: Table | Order) -> FloatArray:
    """Weight of the spans over each two different levels of an item, both ways."""
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
