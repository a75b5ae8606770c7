"""α without each item in turn: the parts of its jackknife, in closed form.

Notation follows Krippendorff (2011): D_o observed, D_e expected disagreement.
"""

from math import exp, log, sqrt
from typing import Literal

import numpy as np

from judgebench.stats.arrays import BoolArray, FloatArray, IntArray
from judgebench.stats.intervals import t_quantile

Metric = Literal["nominal", "ordinal", "interval", "ratio"]

_REST = 1e-12
_MOST_HELD = 500_000
"""Ranks held at once."""


def deltas(values: FloatArray, metric: Metric) -> FloatArray:
    """δ² of each two values; not of ranks, which depend on how often each is there."""
    if metric == "nominal":
        return np.asarray(1 - np.eye(values.size), dtype=np.float64)
    if metric == "interval":
        return np.asarray((values[:, None] - values[None, :]) ** 2, dtype=np.float64)
    if values[0] < 0:
        raise ValueError("a ratio metric needs marks from 0 upward")
    sums = values[:, None] + values[None, :]
    gaps = (values[:, None] - values[None, :]) / np.where(sums > 0, sums, 1)
    return np.asarray(gaps**2, dtype=np.float64)


def ends(left: FloatArray, times: FloatArray, value: float) -> tuple[float, float]:
    """Interval from α without each item, `times` of them with the same α."""
    n = float(times.sum())
    z = -np.log(1 - left)
    gaps = z - z @ times / n
    se = sqrt((n - 1) / n * float(times @ gaps**2))
    half = t_quantile(0.975, n - 1) * se
    centre = -log(1 - value)
    return 1 - exp(-(centre - half)), 1 - exp(-(centre + half))


def ratios(observed: FloatArray, expected: FloatArray) -> FloatArray | None:
    """α of each; None where one is undefined, or 1."""
    # Differences of large sums: what should be nothing is a rest of rounding.
    if np.any(expected <= _REST * expected.max()) or np.any(observed <= _REST * observed.max()):
        return None
    return 1 - observed / expected


def parts_of_interval(
    marks: FloatArray, there: BoolArray, item: IntArray, n: int
) -> tuple[FloatArray, FloatArray]:
    """D_o and D_e without each item, on an interval scale."""
    x = np.where(there, marks - marks[there].mean(), 0.0)
    m, sums, squares = there.sum(axis=1), x.sum(axis=1), (x**2).sum(axis=1)
    own = np.bincount(item, (m * squares - sums**2) / (m - 1), n)
    left = m.sum() - np.bincount(item, m, n)
    rest = sums.sum() - np.bincount(item, sums, n)
    spread = squares.sum() - np.bincount(item, squares, n) - rest**2 / left
    return (own.sum() - own) / left, spread / (left - 1)


def parts_of_table(
    held: FloatArray, item: IntArray, n: int, delta: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """D_o and D_e without each item, where δ of two values does not depend on the others."""
    own = np.bincount(item, ((held @ delta) * held).sum(axis=1) / (held.sum(axis=1) - 1), n)
    counts = _by_item(held, item, n)
    totals = counts.sum(axis=0)
    left = totals.sum() - counts.sum(axis=1)
    gone = totals - counts
    return (own.sum() - own) / left, ((gone @ delta) * gone).sum(axis=1) / (left * (left - 1))


def parts_of_ranks(
    held: FloatArray, item: IntArray, n: int, times: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """D_o and D_e without each item, on the mid-ranks of what is left.

    Where units are there several `times`, one of them is left out, and each is an item.
    """
    m = held.sum(axis=1)
    shares = held * (times / (m - 1))[:, None]
    alone, together = m @ shares, shares.T @ held
    counts = _by_item(held, item, n) if n < held.shape[0] else held
    totals = times @ held
    observed, expected = np.empty(n), np.empty(n)
    size = max(1, _MOST_HELD // totals.size)
    for start in range(0, n, size):
        part = slice(start, min(start + size, n))
        gone = totals - counts[part]
        left = gone.sum(axis=1)
        ranks = np.cumsum(gone, axis=1) - (gone - 1) / 2
        ranks -= ((gone * ranks).sum(axis=1) / left)[:, None]
        inside = (item >= start) & (item < part.stop)
        of = item[inside] - start
        mine, sums = held[inside] * ranks[of], m[inside]
        own = (sums * (mine * ranks[of]).sum(axis=1) - mine.sum(axis=1) ** 2) / (sums - 1)
        every = ranks**2 @ alone - ((ranks @ together) * ranks).sum(axis=1)
        observed[part] = (every - np.bincount(of, own, part.stop - start)) / left
        expected[part] = (gone * ranks**2).sum(axis=1) / (left - 1)
    return observed, expected


def _by_item(held: FloatArray, item: IntArray, n: int) -> FloatArray:
    """Counts of values (units, V) → (items, V)."""
    columns = [np.bincount(item, column, n) for column in held.T]
    return np.asarray(np.stack(columns, axis=1), dtype=np.float64)
