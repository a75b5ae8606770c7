"""Agreement between raters who marked the same units.

Input is one array of shape (U, J): a row a unit (a cell, or a cell and
criterion), a column a rater, marks in scale points, NaN where a rater gave none.
α answers "can the raters tell these answers apart", the exact share answers "do
they give the same mark"; neither stands alone, so both are here.

Notation follows Krippendorff (2011): D_o observed, D_e expected disagreement.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import exp, log, sqrt
from typing import Literal

import numpy as np
from scipy.special import ndtri

from judgebench.model import Estimate, Refusal, RefusalCode
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray, settled
from judgebench.stats.intervals import t_quantile
from judgebench.stats.levels import LEAST_ITEMS, too_few_items

Metric = Literal["nominal", "ordinal", "interval", "ratio"]
Weights = Literal["none", "linear", "quadratic"]

_TIE = 1e-9
_Z = float(ndtri(0.975))
_REST = 1e-12
_FEW = 64
_EXACT = 2**53
_HALF = 2**13
_AT_ONCE = 2**15
_MOST_HELD = 500_000
"""Ranks held at once."""
_MIN_LABELS = 30


@dataclass(frozen=True, kw_only=True, slots=True)
class Closeness:
    """How close two marks of one unit are, each figure with its chance baseline.

    The baseline is the same figure with one rater's marks in every other order
    over the units: what raters with these habits reach without looking.
    """

    exact: float
    within: float
    gap: float
    """Mean absolute difference, scale points."""
    chance_exact: float
    chance_within: float
    chance_gap: float
    units: int
    """Units with two or more marks, equally weighted."""


def _no_variation(statistic: str) -> Refusal:
    return Refusal(statistic=statistic, code=RefusalCode.NO_VARIATION.value, have=1, need=2)


def _pairable(marks: FloatArray) -> FloatArray:
    if marks.ndim != 2:  # noqa: PLR2004 - two axes
        raise ValueError(f"marks must have shape (U, J), got {marks.shape}")
    clean = settled(np.where(np.isfinite(marks), marks, np.nan))
    return np.asarray(clean[np.isfinite(clean).sum(axis=1) > 1], dtype=np.float64)


def alpha(
    marks: FloatArray, *, metric: Metric, items: IntArray | None = None
) -> Estimate | Refusal:
    """Krippendorff's α, with the item jackknife interval from 20 items on.

    Args:
        marks: Shape (U, J), scale points; NaN where a rater gave no mark.
        metric: ``ordinal`` for a scale of ten, ``interval`` for 0–100, ``nominal``
            for pass and fail, ``ratio`` for marks from 0 whose ratios mean something.
        items: Shape (U,), the item of each unit, any integer codes; each unit is
            its own item where it is None. Units of one item leave together.

    Returns:
        α ≤ 1 over the units with two or more marks (``n`` counts them); 0 is
        chance. ``kind`` "jackknife" where there is an interval: on −ln(1−α) with
        t on the items. `Refusal` with ``too_few_items`` below five such units,
        ``no_variation`` where all their marks are equal: that is no agreement, it
        is no evidence.

    Raises:
        ValueError: `marks` is not two-dimensional, `items` does not fit, or a
            ratio metric with negative marks.

    Source:
        Krippendorff (2011), Computing Krippendorff's Alpha-Reliability; Hayes &
        Krippendorff (2007). The interval is our own choice, docs/statistics.md.
    """
    if marks.ndim != 2:  # noqa: PLR2004 - two axes
        raise ValueError(f"marks must have shape (U, J), got {marks.shape}")
    found = None if items is not None else _patterns(marks)
    if found is not None:
        return _alpha_of_patterns(found, metric)
    usable = _pairable(marks)
    refused = too_few_items("alpha", usable.shape[0])
    if refused is not None:
        return refused
    value = _alpha(usable, metric)
    if value is None:
        return _no_variation("alpha")
    n = int(usable.shape[0])
    codes = _codes(marks, items)
    interval = _jackknife(usable, codes, metric, value)
    if interval is None:
        return Estimate(value=value, n=n)
    return Estimate(value=value, n=n, low=interval[0], high=interval[1], kind="jackknife")


def _codes(marks: FloatArray, items: IntArray | None) -> IntArray:
    codes = np.arange(marks.shape[0]) if items is None else items
    if codes.shape != (marks.shape[0],):
        raise ValueError("items must name one item for each unit")
    return np.asarray(codes[np.isfinite(marks).sum(axis=1) > 1], dtype=np.int64)


def _jackknife(
    marks: FloatArray, codes: IntArray, metric: Metric, value: float
) -> tuple[float, float] | None:
    """Ends of the interval; None below 20 items or where leaving one out decides it."""
    names, item = np.unique(codes, return_inverse=True)
    n = names.size
    if n < LEAST_ITEMS["alpha_interval"] or value >= 1:
        return None
    left = _left_out(marks, item.reshape(-1), n, metric)
    if left is None:
        return None
    return _ends(left, np.ones(n), value)


def _ends(left: FloatArray, times: FloatArray, value: float) -> tuple[float, float]:
    """Interval from α without each item, `times` of them with the same α."""
    n = float(times.sum())
    z = -np.log(1 - left)
    gaps = z - z @ times / n
    se = sqrt((n - 1) / n * float(times @ gaps**2))
    half = t_quantile(0.975, n - 1) * se
    centre = -log(1 - value)
    return 1 - exp(-(centre - half)), 1 - exp(-(centre + half))


def _left_out(marks: FloatArray, item: IntArray, n: int, metric: Metric) -> FloatArray | None:
    """α without each of `n` items in turn; None where one of them leaves no α below 1.

    In closed form: what is left is the whole less the item's own part. Only the
    ordinal metric needs more, for each item that leaves moves all ranks.
    """
    there = np.isfinite(marks)
    values, flat = np.unique(marks[there], return_inverse=True)
    if metric == "interval":
        parts = _parts_of_interval(marks, there, item, n)
    else:
        held = _held(there, flat.reshape(-1), values.size)
        if metric == "ordinal":
            parts = _parts_of_ranks(held, item, n, np.ones(held.shape[0]))
        else:
            parts = _parts_of_table(held, item, n, _gaps(values, metric))
    return _ratios(*parts)


def _ratios(observed: FloatArray, expected: FloatArray) -> FloatArray | None:
    """α of each; None where one is undefined, or 1."""
    # Differences of large sums: what should be nothing is a rest of rounding.
    if np.any(expected <= _REST * expected.max()) or np.any(observed <= _REST * observed.max()):
        return None
    return 1 - observed / expected


def _parts_of_interval(
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


def _parts_of_table(
    held: FloatArray, item: IntArray, n: int, delta: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """D_o and D_e without each item, where δ of two values does not depend on the others."""
    own = np.bincount(item, ((held @ delta) * held).sum(axis=1) / (held.sum(axis=1) - 1), n)
    counts = _by_item(held, item, n)
    totals = counts.sum(axis=0)
    left = totals.sum() - counts.sum(axis=1)
    gone = totals - counts
    return (own.sum() - own) / left, ((gone @ delta) * gone).sum(axis=1) / (left * (left - 1))


def _parts_of_ranks(
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


@dataclass(frozen=True, kw_only=True, slots=True)
class _Patterns:
    """Units that hold the same marks, whoever gave them: α knows no more of them."""

    values: FloatArray
    """Shape (V,), the different marks, ascending."""
    held: FloatArray
    """Shape (P, V), how often a pattern holds each; two marks or more."""
    times: FloatArray
    """Shape (P,), units of each pattern."""


def _patterns(marks: FloatArray) -> _Patterns | None:
    """Patterns of the units with two or more marks; None where values are too many."""
    raters = marks.shape[1]
    if not marks.size:
        return None
    base = raters + 1
    values = _values(marks)
    if values is None or base ** (values.size + 1) > _EXACT:
        return None
    # Marks of a unit become one number, of which digit v says how often it holds value v.
    powers = np.append(float(base) ** np.arange(values.size), 0.0)
    coded = np.empty(marks.shape[0])
    # Some rows at a time: what fits the cache costs no new memory. Clipping spares a
    # look at every code, all of which are in range.
    size = max(1, _AT_ONCE // raters)
    for start in range(0, coded.size, size):
        codes = _codes_of(marks[start : start + size], values)
        if codes is None:
            return None
        np.matmul(powers.take(codes, mode="clip"), np.ones(raters), out=coded[start : start + size])
    keys, times = _counted(coded, float(base) ** values.size)
    held = keys[:, None] // powers[:-1].astype(np.int64) % base
    usable = held.sum(axis=1) > 1
    held = held[usable].astype(np.float64)
    there = held.any(axis=0)
    return _Patterns(
        values=np.asarray(values[there], dtype=np.float64),
        held=held[:, there],
        times=times[usable].astype(np.float64),
    )


def _counted(keys: FloatArray, below: float) -> tuple[IntArray, IntArray]:
    """Different keys, which are whole and below `below`, and how often each is there."""
    if below > _HALF**2 or keys.size < _HALF:
        found, times = np.unique(keys, return_counts=True)
        return found.astype(np.int64), times
    # Of each half there are few; a table over their pairs takes no sorting.
    upper = np.floor(keys / _HALF)
    halves = upper.astype(np.int64), (keys - upper * _HALF).astype(np.int64)
    known = [np.flatnonzero(np.bincount(half, minlength=1)) for half in halves]
    if known[0].size * known[1].size > _HALF**2 // 64:
        found, times = np.unique(keys, return_counts=True)
        return found.astype(np.int64), times
    place = np.zeros(_HALF, dtype=np.int64)
    place[known[0]] = np.arange(known[0].size) * known[1].size
    pairs = place.take(halves[0], mode="clip")
    place[known[1]] = np.arange(known[1].size)
    pairs += place.take(halves[1], mode="clip")
    times = np.bincount(pairs)
    there = np.flatnonzero(times)
    first, second = np.divmod(there, known[1].size)
    return known[0][first] * _HALF + known[1][second], times[there]


def _values(marks: FloatArray) -> FloatArray | None:
    """Different marks, or all whole numbers from the lowest to the highest, if few."""
    low, high = float(marks.min()), float(marks.max())
    if high - low < _FEW:
        whole = low + np.arange(high - low + 1)
        if _codes_of(marks[:_FEW], whole) is not None:
            return np.asarray(whole, dtype=np.float64)
    there = np.isfinite(marks)
    return np.unique(settled(marks[there])) if there.any() else None


def _codes_of(marks: FloatArray, values: FloatArray) -> IntArray | None:
    """Place of each mark among `values`, V where there is none; None where one is no value."""
    apart = marks - values[0]
    if values[-1] - values[0] == values.size - 1 and (np.rint(apart) == apart).all():
        return np.asarray(apart.astype(np.int64), dtype=np.int64)
    there = np.isfinite(marks)
    given = settled(marks[there])
    found = np.minimum(np.searchsorted(values, given), values.size - 1)
    if (values[found] != given).any():
        return None
    codes = np.full(marks.shape, values.size, dtype=np.int64)
    codes[there] = found
    return codes


def _alpha_of_patterns(found: _Patterns, metric: Metric) -> Estimate | Refusal:
    """As `alpha` of units that are each an item."""
    held, times, values = found.held, found.times, found.values
    n = int(times.sum())
    refused = too_few_items("alpha", n)
    if refused is not None:
        return refused
    if values.size < 2:  # noqa: PLR2004 - one value does not vary
        return _no_variation("alpha")
    totals = times @ held
    if metric == "ordinal":
        delta = _gaps(np.cumsum(totals) - (totals - 1) / 2, "interval")
    else:
        delta = _gaps(values, metric)
    m = held.sum(axis=1)
    own = ((held @ delta) * held).sum(axis=1) / (m - 1)
    every, size = float(own @ times), float(totals.sum())
    expected = float(totals @ delta @ totals) / (size * (size - 1))
    if expected <= 0:
        return _no_variation("alpha")
    value = 1 - every / size / expected
    if n < LEAST_ITEMS["alpha_interval"] or value >= 1:
        return Estimate(value=value, n=n)
    if metric == "ordinal":
        parts = _parts_of_ranks(held, np.arange(m.size), m.size, times)
    else:
        gone, rest = totals - held, size - m
        parts = (every - own) / rest, ((gone @ delta) * gone).sum(axis=1) / (rest * (rest - 1))
    left = _ratios(*parts)
    if left is None:
        return Estimate(value=value, n=n)
    low, high = _ends(left, times, value)
    return Estimate(value=value, n=n, low=low, high=high, kind="jackknife")


def _by_item(held: FloatArray, item: IntArray, n: int) -> FloatArray:
    """Counts of values (units, V) → (items, V)."""
    columns = [np.bincount(item, column, n) for column in held.T]
    return np.asarray(np.stack(columns, axis=1), dtype=np.float64)


def _alpha(marks: FloatArray, metric: Metric) -> float | None:
    """α of pairable units; None where nothing varies."""
    there = np.isfinite(marks)
    values, flat = np.unique(marks[there], return_inverse=True)
    # Compare the marks themselves: rounding can leave a variance of 1e-34 behind.
    if values.size < 2:  # noqa: PLR2004 - one value does not vary
        return None
    if metric in ("nominal", "ratio"):
        return _alpha_from(_coincidences(there, flat, values.size), _gaps(values, metric))
    if metric == "ordinal":
        # δ of the ordinal metric is the gap of mid-ranks, so α is that of an interval scale.
        repeats = np.bincount(flat)
        values = np.cumsum(repeats) - (repeats - 1) / 2
    placed = np.zeros(marks.shape)
    placed[there] = values[flat]
    return _alpha_interval(placed, there)


def _gaps(values: FloatArray, metric: Metric) -> FloatArray:
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


def _alpha_interval(x: FloatArray, there: BoolArray) -> float:
    """On an interval scale D_o and D_e are variances, so no value table is needed."""
    m = there.sum(axis=1)
    n = int(m.sum())
    x = np.where(there, x - x[there].mean(), 0.0)
    within = (x**2).sum(axis=1) - x.sum(axis=1) ** 2 / m
    d_o = float((within * m / (m - 1)).sum()) / n
    d_e = float((x**2).sum()) / (n - 1)
    return 1 - d_o / d_e


def _coincidences(there: BoolArray, flat: IntArray, v: int) -> FloatArray:
    """Coincidence table (V, V): pairs of values in a unit, each unit by 1/(m − 1)."""
    held = _held(there, flat, v)
    weights = 1 / (there.sum(axis=1) - 1)
    return np.asarray(
        (held * weights[:, None]).T @ held - np.diag(weights @ held), dtype=np.float64
    )


def _held(there: BoolArray, flat: IntArray, v: int) -> FloatArray:
    """How often each unit (rows) holds each of V values (columns)."""
    units = there.shape[0]
    places = np.nonzero(there)[0] * v + flat
    counts = np.bincount(places, minlength=units * v).reshape(units, v)
    return np.asarray(counts, dtype=np.float64)


def _alpha_from(table: FloatArray, delta: FloatArray) -> float | None:
    totals = table.sum(axis=1)
    n = float(totals.sum())
    expected = float(totals @ delta @ totals) / (n * (n - 1))
    return 1 - float((table * delta).sum()) / n / expected if expected > 0 else None


def closeness(marks: FloatArray, *, within: float = 1.0) -> Closeness | Refusal:
    """Exact share, share within a distance and mean gap over pairs of marks of a unit.

    Args:
        marks: Shape (U, J), scale points; NaN where a rater gave no mark.
        within: Distance in scale points that counts as near: 1 on a scale of
            ten, 5 or 10 on 0–100.

    Returns:
        The three figures and their chance baselines. `Refusal` with
        ``too_few_items`` below five units with two marks.

    Raises:
        ValueError: `marks` is not two-dimensional or `within` is negative.
    """
    if not within >= 0:
        raise ValueError(f"a distance is not negative, got {within}")
    usable = _pairable(marks)
    refused = too_few_items("exact_agreement", usable.shape[0])
    if refused is not None:
        return refused
    pairs = tuple(combinations(range(usable.shape[1]), 2))
    gaps = np.stack([np.abs(usable[:, j] - usable[:, k]) for j, k in pairs], axis=1)
    known = np.isfinite(gaps)
    weights = known / known.sum(axis=1, keepdims=True) / usable.shape[0]
    # Of rounded weights the sum is not quite 1, and all cells are then "over 99 %".
    whole = weights.sum()
    filled = np.where(known, gaps, 0.0)
    chance = np.array([_chance(usable[:, j], usable[:, k], within) for j, k in pairs])
    each = weights.sum(axis=0)
    expected = each @ np.where(np.isfinite(chance), chance, 0.0)
    return Closeness(
        exact=float((weights * (filled <= _TIE)).sum() / whole),
        within=float((weights * (filled <= within + _TIE)).sum() / whole),
        gap=float((weights * filled).sum()),
        chance_exact=float(expected[0]),
        chance_within=float(expected[1]),
        chance_gap=float(expected[2]),
        units=int(usable.shape[0]),
    )


def _chance(x: FloatArray, y: FloatArray, within: float) -> FloatArray:
    """Expected figures over all orders of one rater's marks: every mark met by every other."""
    both = np.isfinite(x) & np.isfinite(y)
    if not both.any():
        return np.full(3, np.nan)
    a, p = np.unique(x[both], return_counts=True)
    b, q = np.unique(y[both], return_counts=True)
    share = np.outer(p, q) / both.sum() ** 2
    gap = np.abs(a[:, None] - b[None, :])
    return np.array(
        [share[gap <= _TIE].sum(), share[gap <= within + _TIE].sum(), (share * gap).sum()]
    )


def quadratic_kappa(a: FloatArray, b: FloatArray) -> Estimate | Refusal:
    """Quadratic-weighted κ of two raters, which is Lin's concordance coefficient.

    Fractional marks need no bins, and the full scale is used by construction.

    Args:
        a: Shape (U,), scale points; NaN where the rater gave none.
        b: Shape (U,).

    Returns:
        κ in [−1, 1] over shared units. `Refusal` with ``too_few_items`` below
        five, ``no_variation`` where neither rater varies.

    Raises:
        ValueError: Shapes differ.

    Source:
        Cohen (1968); Lin (1989).
    """
    x, y = _both(a, b)
    refused = too_few_items("quadratic_kappa", x.size)
    if refused is not None:
        return refused
    if np.ptp(x) <= _TIE and np.ptp(y) <= _TIE:
        return _no_variation("quadratic_kappa")
    spread = x.var() + y.var() + (x.mean() - y.mean()) ** 2
    return Estimate(value=float(1 - np.mean((x - y) ** 2) / spread), n=int(x.size))


def _both(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    if a.ndim != 1 or a.shape != b.shape:
        raise ValueError("both raters must have one shape (U,)")
    known = np.isfinite(a) & np.isfinite(b)
    return (a, b) if known.all() else (a[known], b[known])


def cohen_kappa(
    a: FloatArray, b: FloatArray, *, categories: FloatArray, weights: Weights = "none"
) -> Estimate | Refusal:
    """Cohen's κ of two raters over the full scale, with its large-sample interval.

    Args:
        a: Shape (U,), NaN where the rater gave none.
        b: Shape (U,).
        categories: All C marks that the scale allows, ascending; a level that
            nobody used still counts in the weights.
        weights: ``none``, ``linear`` or ``quadratic`` in the places of the categories.

    Returns:
        κ in [−1, 1], ``kind`` "normal". `Refusal` with ``too_few_items`` below
        five shared units, ``no_variation`` where both use one and the same category.

    Raises:
        ValueError: Shapes differ, or a mark is no category.

    Source:
        Cohen (1960, 1968); Fleiss, Cohen, Everitt (1969).
    """
    x, y = _both(a, b)
    refused = too_few_items("cohen_kappa", x.size)
    if refused is not None:
        return refused
    c = categories.size
    places = [_places(categories, v) for v in (x, y)]
    table = np.bincount(places[0] * c + places[1], minlength=c * c).reshape(c, c)
    return _kappa(table / x.size, weights, int(x.size))


def _places(categories: FloatArray, v: FloatArray) -> IntArray:
    """Which category each mark is.

    Raises:
        ValueError: A mark is none.
    """
    c = categories.size
    step = (categories[-1] - categories[0]) / max(c - 1, 1)
    if step > 0 and (np.abs(categories[0] + step * np.arange(c) - categories) <= _TIE).all():
        # Categories of even steps need no search.
        place = np.rint((v - categories[0]) / step).astype(np.int64)
        apart = np.abs(place * step + categories[0] - v).max() > _TIE
        if apart or place.min() < 0 or place.max() >= c:
            raise ValueError("a mark is no category")
        return np.asarray(place, dtype=np.int64)
    place = np.searchsorted(categories, v)
    if np.any(place >= c) or np.any(np.abs(categories[np.minimum(place, c - 1)] - v) > _TIE):
        raise ValueError("a mark is no category")
    return np.asarray(place, dtype=np.int64)


def _kappa(p: FloatArray, weights: Weights, n: int) -> Estimate | Refusal:
    w = _weights(p.shape[0], weights)
    rows, columns = p.sum(axis=1), p.sum(axis=0)
    observed, expected = float((w * p).sum()), float(rows @ w @ columns)
    if expected >= 1 - _TIE:
        return _no_variation("cohen_kappa")
    kappa = (observed - expected) / (1 - expected)
    means = (w @ columns)[:, None] + (rows @ w)[None, :]
    variance = float((p * (w - means * (1 - kappa)) ** 2).sum())
    variance -= (kappa - expected * (1 - kappa)) ** 2
    se = sqrt(max(variance, 0.0) / n) / (1 - expected)
    if se <= _TIE:
        return Estimate(value=kappa, n=n)
    half = _Z * se
    low, high = max(-1.0, kappa - half), min(1.0, kappa + half)
    return Estimate(value=kappa, n=n, low=low, high=high, kind="normal")


@cache
def _weights(c: int, weights: Weights) -> FloatArray:
    """Agreement of each two of `c` categories, from 0 to 1."""
    if weights == "none":
        return np.eye(c)
    apart = np.abs(np.arange(c)[:, None] - np.arange(c)[None, :]) / max(c - 1, 1)
    return np.asarray(1 - (apart if weights == "linear" else apart**2), dtype=np.float64)


def fleiss_kappa(counts: FloatArray) -> Estimate | Refusal:
    """Fleiss' κ of several raters who need not be the same persons in each unit.

    Args:
        counts: Shape (U, C), raters who chose each of C categories; every unit
            has the same number of raters, at least two.

    Returns:
        κ ≤ 1. `Refusal` with ``too_few_items`` below five units, ``no_variation``
        where one category was chosen throughout.

    Raises:
        ValueError: Units with other numbers of raters.

    Source:
        Fleiss (1971).
    """
    m = counts.sum(axis=1)
    if counts.ndim != 2 or not m.size or m.min() < 2 or m.min() != m.max():  # noqa: PLR2004
        raise ValueError("every unit must have the same number of raters, at least two")
    refused = too_few_items("fleiss_kappa", m.size)
    if refused is not None:
        return refused
    shares = counts.sum(axis=0) / counts.sum()
    expected = float((shares**2).sum())
    if expected >= 1 - _TIE:
        return _no_variation("fleiss_kappa")
    r = float(m[0])
    observed = float(np.mean(((counts**2).sum(axis=1) - r) / (r * (r - 1))))
    return Estimate(value=(observed - expected) / (1 - expected), n=int(m.size))


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """Bland–Altman: how far one rater lies from another."""

    bias: Estimate
    """First minus second, mean over units, scale points."""
    low: float | None
    """Lower limit of agreement; None below ten units."""
    high: float | None
    slope: float | None
    """Slope of the gap on the mean of both: a trend means a stretched scale."""


def limits_of_agreement(a: FloatArray, b: FloatArray) -> Limits | Refusal:
    """Bias of one rater against another and the limits that hold 95 % of the gaps.

    Where a rater marked a unit more than once, the gap of two *single* marks is
    described: limits from means of repeats alone would be too narrow.

    Args:
        a: Shape (U,) or, with repeats, (U, R); scale points, NaN where the rater gave none.
        b: Shape (U,) or (U, S); the repeats need be neither paired nor as many.

    Returns:
        Bias with a t interval over units; limits and trend from ten units on.
        `Refusal` with ``too_few_items`` below three shared units.

    Raises:
        ValueError: Units differ.

    Source:
        Bland & Altman (1986, 1999, 2007: repeats of a value that stays the same).
    """
    if a.ndim not in {1, 2} or b.ndim not in {1, 2} or a.shape[0] != b.shape[0]:
        raise ValueError(f"marks of the same units, got shapes {a.shape} and {b.shape}")
    x, y = a.reshape(a.shape[0], -1), b.reshape(b.shape[0], -1)
    shared = np.isfinite(x).any(axis=1) & np.isfinite(y).any(axis=1)
    n = int(shared.sum())
    refused = too_few_items("bias", n)
    if refused is not None:
        return refused
    (first, within_first), (second, within_second) = (_repeated(v[shared]) for v in (x, y))
    d = first - second
    between = float(d.var(ddof=1)) if np.ptp(d) > _TIE else 0.0
    bias = float(d.mean())
    found = Estimate(value=bias, n=n)
    if between > 0:
        half = t_quantile(0.975, n - 1) * sqrt(between / n)
        found = Estimate(value=bias, n=n, low=bias - half, high=bias + half, kind="t")
    sd = sqrt(between + within_first + within_second)
    if n < LEAST_ITEMS["limits_of_agreement"] or sd <= _TIE:
        return Limits(bias=found, low=None, high=None, slope=None)
    mean = (first + second) / 2
    varies = float(np.ptp(mean)) > _TIE
    slope = float(np.cov(mean, d)[0, 1] / mean.var(ddof=1)) if varies else None
    return Limits(bias=found, low=bias - 1.96 * sd, high=bias + 1.96 * sd, slope=slope)


def _repeated(marks: FloatArray) -> tuple[FloatArray, float]:
    """Mean of each unit, and what the variance of a single mark adds to that of the means."""
    m = np.isfinite(marks).sum(axis=1)
    values = np.where(np.isfinite(marks), marks, 0.0)
    means = values.sum(axis=1) / m
    df = int((m - 1).sum())
    if not df:
        return means, 0.0
    squares = np.where(np.isfinite(marks), (values - means[:, None]) ** 2, 0.0).sum()
    return means, float(squares) / df * float(1 - (1 / m).mean())


def effective_judges(errors: FloatArray) -> Estimate | Refusal:
    """How many independent judges a panel is worth: J / (1 + (J − 1) ρ̄).

    Args:
        errors: Shape (U, J), each judge's mark minus the human mark of the unit, NaN
            where either lacks. Correlated *marks* say nothing: all judges see the same
            answers; only correlated errors make them one voice.

    Returns:
        Between 1 and J (``n`` counts the units that all judges marked). `Refusal` with
        ``no_human_labels`` below 30 such units, ``too_few_judges`` below two judges,
        ``no_variation`` where a judge's errors are all equal.

    Raises:
        ValueError: `errors` is not two-dimensional.

    Source:
        Kish (1965), the design effect, on errors of judges.
    """
    if errors.ndim != 2:  # noqa: PLR2004 - two axes
        raise ValueError(f"errors must have shape (U, J), got {errors.shape}")
    whole = errors[np.isfinite(errors).all(axis=1)]
    n, j = whole.shape
    for have, need, code in (
        (j, 2, RefusalCode.TOO_FEW_JUDGES),
        (n, _MIN_LABELS, RefusalCode.NO_HUMAN_LABELS),
    ):
        if have < need:
            return Refusal(statistic="effective_judges", code=code.value, have=have, need=need)
    if float(np.ptp(whole, axis=0).min()) <= _TIE:
        return _no_variation("effective_judges")
    rho = np.asarray(np.corrcoef(whole, rowvar=False))[np.triu_indices(j, 1)].mean()
    return Estimate(value=float(j / (1 + (j - 1) * max(0.0, float(rho)))), n=n)
