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
    if any(part.min() <= _REST * part.max() for part in (expected, observed)):
        return None
    return 1 - observed / expected


def rows(a: FloatArray, b: FloatArray) -> FloatArray:
    """Sum of products of each row."""
    return np.asarray(np.einsum("uv,uv->u", a, b), dtype=np.float64)


def parts_of_interval(
    marks: FloatArray, there: BoolArray, item: IntArray | None
) -> tuple[FloatArray, FloatArray]:
    """D_o and D_e without each item, on an interval scale.

    Args:
        marks: Shape (U, J).
        there: Where there is a mark.
        item: Shape (U,), the item of each unit, counted from 0; None where each is its own.
    """
    x = np.where(there, marks - marks[there].mean(), 0.0)
    m, sums, squares = there.sum(axis=1), x.sum(axis=1), (x**2).sum(axis=1)
    own = _by_item((m * squares - sums**2) / (m - 1), item)
    left = m.sum() - _by_item(m, item)
    rest = sums.sum() - _by_item(sums, item)
    spread = squares.sum() - _by_item(squares, item) - rest**2 / left
    return (own.sum() - own) / left, spread / (left - 1)


def parts_of_table(
    held: FloatArray, item: IntArray | None, delta: FloatArray, times: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """D_o and D_e without each item, where δ of two values does not depend on the others.

    Args:
        held: Shape (U, V), how often each unit holds each value; two marks or more.
        item: As `parts_of_interval`.
        delta: Shape (V, V).
        times: Shape (U,), how many such units there are, of which one is left out.
    """
    m = held.sum(axis=1)
    alone = rows(held @ delta, held) / (m - 1)
    totals = times @ held
    toward = delta @ totals
    own, counts = _by_item(alone, item), _counts(held, item)
    left = totals.sum() - counts.sum(axis=1)
    inside = own * (m - 1) if item is None else rows(counts @ delta, counts)
    expected = totals @ toward - 2 * (counts @ toward) + inside
    return (alone @ times - own) / left, expected / (left * (left - 1))


def parts_of_ranks(
    held: FloatArray, item: IntArray | None, times: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """D_o and D_e without each item, on the mid-ranks of what is left.

    What leaves takes from the rank of a value all marks below it and half of those on
    it. The mean of mid-ranks is known whatever the ties, and so is their spread.

    Args:
        held: As `parts_of_table`.
        item: As `parts_of_interval`.
        times: As `parts_of_table`.

    Source:
        Kendall (1945), for the sum of squares of mid-ranks.
    """
    m = held.sum(axis=1)
    shares = held * (times / (m - 1))[:, None]
    pairs = np.diag(m @ shares) - shares.T @ held
    counts, totals = _counts(held, item), times @ held
    middle = np.cumsum(totals) - totals / 2
    middle -= totals.sum() / 2
    n = counts.shape[0]
    observed, expected = np.empty(n), np.empty(n)
    size = max(1, _MOST_HELD // totals.size)
    for start in range(0, n, size):
        part = slice(start, min(start + size, n))
        gone = totals - counts[part]
        left = gone.sum(axis=1)
        ranks = middle - (np.cumsum(counts[part], axis=1) - counts[part] / 2)
        own = _own(held, m, ranks, item, part)
        observed[part] = (rows(ranks @ pairs, ranks) - own) / left
        expected[part] = (left**3 - rows(gone * gone, gone)) / (12 * (left - 1))
    return observed, expected


def _own(
    held: FloatArray, m: FloatArray, ranks: FloatArray, item: IntArray | None, part: slice
) -> FloatArray:
    """What each item of a part has of D_o itself, on ranks without it."""
    if item is None:
        mine, sums = held[part] * ranks, m[part]
        own = (sums * rows(mine, ranks) - mine.sum(axis=1) ** 2) / (sums - 1)
        return np.asarray(own, dtype=np.float64)
    inside = (item >= part.start) & (item < part.stop)
    of = item[inside] - part.start
    mine, sums = held[inside] * ranks[of], m[inside]
    own = (sums * rows(mine, ranks[of]) - mine.sum(axis=1) ** 2) / (sums - 1)
    return np.asarray(np.bincount(of, own, ranks.shape[0]), dtype=np.float64)


def _by_item(values: FloatArray | IntArray, item: IntArray | None) -> FloatArray:
    """Sums over the units of each item."""
    summed = values if item is None else np.bincount(item, values)
    return np.asarray(summed, dtype=np.float64)


def _counts(held: FloatArray, item: IntArray | None) -> FloatArray:
    """Counts of values (units, V) → (items, V)."""
    if item is None:
        return held
    columns = [np.bincount(item, column) for column in held.T]
    return np.asarray(np.stack(columns, axis=1), dtype=np.float64)
