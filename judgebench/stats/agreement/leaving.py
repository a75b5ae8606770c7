"""α without each item in turn: the parts of its jackknife, in closed form.

Notation follows Krippendorff (2011): D_o observed, D_e expected disagreement.
"""

from functools import cache
from math import exp, log, sqrt
from typing import Literal

import numpy as np

from judgebench.records import dataclass
from judgebench.stats.agreement.rows import Given
from judgebench.stats.agreement.shared import ones, over_raters
from judgebench.stats.arrays import TIE, FloatArray, IntArray
from judgebench.stats.intervals import t_quantile

Metric = Literal["nominal", "ordinal", "interval", "ratio"]

_REST = 1e-12
_MOST_HELD = 500_000
"""Ranks held at once."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Parts:
    """D_o and D_e of all units, and without each item in turn."""

    observed: float
    expected: float
    left_observed: FloatArray
    left_expected: FloatArray


def deltas(values: FloatArray, metric: Metric) -> FloatArray:
    """δ² of each two values; not of ranks, which depend on how often each is there.

    Args:
        values: Shape (V,), different marks, ascending.
        metric: Any but ``ordinal``.

    Returns:
        Shape (V, V), 0 on the diagonal: points² on an interval scale, else in [0, 1].

    Raises:
        ValueError: A ratio metric, and a mark below 0.
    """
    if metric == "nominal":
        return np.asarray(1 - np.eye(values.size), dtype=np.float64)
    if metric == "interval":
        return np.asarray((values[:, None] - values[None, :]) ** 2, dtype=np.float64)
    if values[0] < 0:
        raise ValueError("a ratio metric needs marks from 0 upward")
    return ratio_delta(values[:, None], values)


def ratio_delta(low: FloatArray, high: FloatArray) -> FloatArray:
    """δ² of marks from 0 upward on a ratio scale; 0 and 0 are equal."""
    sums = low + high
    gaps = (low - high) / np.where(sums > 0, sums, 1)
    return np.asarray(gaps * gaps, dtype=np.float64)


def ends(left: FloatArray, times: FloatArray | None, value: float) -> tuple[float, float] | None:
    """Jackknife interval of α, made on −log(1 − α).

    Args:
        left: Shape (P,), α without an item, each below 1.
        times: Shape (P,), how many items leave the same α; None where each is one.
        value: α of all items, below 1.

    Returns:
        The 95 % interval, lower and upper end, each below 1; None where α is the same
        without each of the items: no error is no certainty.
    """
    z = -np.log(1 - left)
    n = float(z.size if times is None else times.sum())
    z -= float((z if times is None else times * z).sum()) / n
    z *= z
    se = sqrt((n - 1) / n * float((z if times is None else times * z).sum()))
    if se <= TIE:
        return None
    half = t_quantile(0.975, n - 1) * se
    centre = -log(1 - value)
    return 1 - exp(-(centre - half)), 1 - exp(-(centre + half))


def ratios(parts: Parts) -> FloatArray | None:
    """α without each item.

    Args:
        parts: Of all units, and without each item.

    Returns:
        Shape (P,), each below 1; None where one of them is undefined, or 1.
    """
    observed, expected = parts.left_observed, parts.left_expected
    # Differences of large sums: what should be nothing is a rest of rounding.
    least = _REST * parts.expected
    if observed.min() <= least or expected.min() <= least:
        return None
    return 1 - observed / expected


def parts_of_interval(found: Given, item: IntArray | None) -> Parts:
    """D_o and D_e without each item, on an interval scale, where both are variances.

    Args:
        found: Marks of the units.
        item: Shape (U,), the item of each unit, counted from 0; None where each is its own.

    Returns:
        Its arrays have one place for each item, or for each unit without `item`.
    """
    m = found.m
    middle = (found.low + found.high) / 2
    if found.whole:
        # From whole marks a whole number, so that what is nothing stays nothing.
        middle = round(middle)
    sums, squares, at = np.empty(m.size), np.empty(m.size), 0
    for marks, there in found.blocks:
        x = marks - middle
        if there is not None:
            x *= there
        part = slice(at, at + x.shape[1])
        sums[part], squares[part] = over_raters(x), over_raters(x * x)
        at += x.shape[1]
    own = by_item((m * squares - sums * sums) / (m - 1), item)
    n, every, total, shift = (
        float(m.sum()),
        float(squares.sum()),
        float(own.sum()),
        float(sums.sum()),
    )
    left = n - by_item(m, item)
    rest = shift - by_item(sums, item)
    spread = every - by_item(squares, item) - rest * rest / left
    return Parts(
        observed=total / n,
        expected=(every - shift * shift / n) / (n - 1),
        left_observed=(total - own) / left,
        left_expected=spread / (left - 1),
    )


def by_item(values: FloatArray | IntArray, item: IntArray | None) -> FloatArray:
    """Sums over the units of each item; the values themselves where each is its own."""
    summed = values if item is None else np.bincount(item, values)
    return np.asarray(summed, dtype=np.float64)


def parts_of_table(held: FloatArray, delta: FloatArray, times: FloatArray) -> Parts:
    """D_o and D_e without each unit, where δ of two values does not depend on the others.

    Args:
        held: Shape (U, V), how often each unit holds each value; two marks or more.
        delta: Shape (V, V), from `deltas`.
        times: Shape (U,), how many such units there are, of which one is left out.

    Returns:
        As `parts_of_interval`.
    """
    m = held.sum(axis=1)
    alone = np.vecdot(held @ delta, held) / (m - 1)
    totals = times @ held
    toward = delta @ totals
    n, observed, expected = float(totals.sum()), float(alone @ times), float(totals @ toward)
    left, inside = n - m, alone * (m - 1)
    return Parts(
        observed=observed / n,
        expected=expected / (n * (n - 1)),
        left_observed=(observed - alone) / left,
        left_expected=(expected - 2 * (held @ toward) + inside) / (left * (left - 1)),
    )


def parts_of_ranks(held: FloatArray, times: FloatArray) -> Parts:
    """D_o and D_e without each unit, on the mid-ranks of what is left.

    What leaves takes from the rank of a value all marks below it and half of those on
    it. The mean of mid-ranks is known whatever the ties, and so is their spread.

    Args:
        held: Shape (U, V), as `parts_of_table`.
        times: Shape (U,), as `parts_of_table`.

    Returns:
        As `parts_of_interval`.

    Source:
        Kendall (1945), for the sum of squares of mid-ranks.
    """
    # On tables as small as these `dot` takes half of the time of `@`.
    m = held.dot(ones(held.shape[1]))
    shares = held * (times / (m - 1))[:, None]
    pairs = shares.T.dot(-held)
    pairs.flat[:: pairs.shape[0] + 1] += m.dot(shares)
    totals = times.dot(held)
    n, below = float(times.dot(m)), _below(totals.size)
    observed, expected = np.empty(m.size), np.empty(m.size)
    size = max(1, _MOST_HELD // totals.size)
    for start in range(0, m.size, size):
        part = slice(start, start + size)
        mine, gone, left = held[part], totals - held[part], n - m[part]
        ranks = gone.dot(below) - n / 2
        own = _own(mine, m[part], ranks)
        observed[part] = (np.vecdot(ranks.dot(pairs), ranks) - own) / left
        expected[part] = _spread_of_ranks(gone, left)
    middle = totals.dot(below) - n / 2
    return Parts(
        observed=float(middle.dot(pairs).dot(middle)) / n,
        expected=(n**3 - float((totals * totals).dot(totals))) / (12 * (n - 1)),
        left_observed=observed,
        left_expected=expected,
    )


@cache
def _below(values: int) -> FloatArray:
    """How much of each value (rows) lies below each (columns): half of itself does."""
    return np.asarray(np.triu(np.ones((values, values))) - np.eye(values) / 2, dtype=np.float64)


def _spread_of_ranks(counts: FloatArray, n: FloatArray) -> FloatArray:
    """Variance of n mid-ranks of values that are there so often, along the last axis."""
    cubes = n * n * n - np.vecdot(counts * counts, counts)
    return np.asarray(cubes / (12 * n - 12), dtype=np.float64)


def _own(held: FloatArray, m: FloatArray, ranks: FloatArray) -> FloatArray:
    """What each unit has of D_o itself, on ranks without it."""
    mine = held * ranks
    every = mine.dot(ones(mine.shape[1]))
    own = m * np.vecdot(mine, ranks) - every * every
    return np.asarray(own / (m - 1), dtype=np.float64)
