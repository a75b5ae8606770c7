"""Krippendorff's α of any number of raters, with gaps and with items of several units.

Notation follows Krippendorff (2011): D_o observed, D_e expected disagreement.
"""

import numpy as np

from judgebench.model import Estimate, Refusal
from judgebench.stats.agreement.leaving import (
    Metric,
    Parts,
    deltas,
    ends,
    parts_of_interval,
    parts_of_ranks,
    parts_of_table,
    ratios,
)
from judgebench.stats.agreement.patterns import alpha_of_patterns, patterns
from judgebench.stats.agreement.shared import no_variation, pairable
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray
from judgebench.stats.levels import LEAST_ITEMS, too_few_items


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
    found = None if items is not None else patterns(marks)
    if found is not None:
        return alpha_of_patterns(found, metric)
    usable = pairable(marks)
    refused = too_few_items("alpha", usable.shape[0])
    if refused is not None:
        return refused
    value = _alpha(usable, metric)
    if value is None:
        return no_variation("alpha")
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
    names, found = np.unique(codes, return_inverse=True)
    if names.size < LEAST_ITEMS["alpha_interval"] or value >= 1:
        return None
    # Items in whatever order leave the same figures behind.
    item = None if names.size == codes.size else found.reshape(-1)
    left = ratios(_parts(marks, item, metric))
    if left is None:
        return None
    return ends(left, np.ones(names.size), value)


def _parts(marks: FloatArray, item: IntArray | None, metric: Metric) -> Parts:
    """D_o and D_e, also without each item in turn.

    In closed form: what is left is the whole less the item's own part. Only the
    ordinal metric needs more, for each item that leaves moves all ranks.
    """
    there = np.isfinite(marks)
    if metric == "interval":
        return parts_of_interval(marks, there, item)
    values, flat = np.unique(marks[there], return_inverse=True)
    held = _held(there, flat.reshape(-1), values.size)
    each = np.ones(held.shape[0])
    if metric == "ordinal":
        return parts_of_ranks(held, item, each)
    return parts_of_table(held, item, deltas(values, metric), each)


def _alpha(marks: FloatArray, metric: Metric) -> float | None:
    """α of pairable units; None where nothing varies."""
    there = np.isfinite(marks)
    values, flat = np.unique(marks[there], return_inverse=True)
    # Compare the marks themselves: rounding can leave a variance of 1e-34 behind.
    if values.size < 2:  # noqa: PLR2004 - one value does not vary
        return None
    if metric in ("nominal", "ratio"):
        return _alpha_from(_coincidences(there, flat, values.size), deltas(values, metric))
    if metric == "ordinal":
        # δ of the ordinal metric is the gap of mid-ranks, so α is that of an interval scale.
        repeats = np.bincount(flat)
        values = np.cumsum(repeats) - (repeats - 1) / 2
    placed = np.zeros(marks.shape)
    placed[there] = values[flat]
    return _alpha_interval(placed, there)


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
