"""Krippendorff's α of any number of raters, with gaps and with items of several units.

Notation follows Krippendorff (2011): D_o observed, D_e expected disagreement.
"""

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats.agreement.leaving import Metric, Parts, ends, parts_of_interval, ratios
from judgebench.stats.agreement.levels_left import parts_of_levels
from judgebench.stats.agreement.patterns import alpha_of_patterns, patterns
from judgebench.stats.agreement.rows import Given, given, rows
from judgebench.stats.agreement.shared import no_variation, without_interval
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray
from judgebench.stats.levels import LEAST_ITEMS, too_few_items

ORDINAL_SPAN = 20
"""Points from the lowest mark to the highest up to which a scale is one of ten, not 0–100."""


def metric_of(span: float) -> Metric:
    """Metric of α on a scale from its lowest mark to its highest: one rule for all that print it.

    >>> metric_of(9), metric_of(100)
    ('ordinal', 'interval')
    """
    return "ordinal" if span <= ORDINAL_SPAN else "interval"


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
    if items is not None and items.shape != (marks.shape[0],):
        raise ValueError("items must name one item for each unit")
    found = None if items is not None else patterns(marks)
    if found is not None:
        return alpha_of_patterns(found, metric)
    usable = given(marks)
    refused = too_few_items("alpha", 0 if usable is None else usable.m.size)
    if refused is not None or usable is None:
        return refused or no_variation("alpha")
    # Compare the marks themselves: rounding can leave a variance of 1e-34 behind.
    if usable.low == usable.high:
        return no_variation("alpha")
    n, item = int(usable.m.size), _items(items, usable.paired)
    # Without the only item nothing is left: its units stand alone, and give no interval.
    single = item is not None and int(item.max()) == 0
    parts = _parts(usable, None if single else item, metric)
    value, leaving = (
        1 - parts.observed / parts.expected,
        1 if single else parts.left_observed.size,
    )
    left = None if leaving < LEAST_ITEMS["alpha_interval"] or value >= 1 else ratios(parts)
    found_ends = None if left is None else ends(left, None, value)
    if found_ends is None:
        return Estimate(value=value, n=n, no_interval=without_interval(leaving))
    low, high = found_ends
    return Estimate(value=value, n=n, low=low, high=high, kind="jackknife")


def _items(items: IntArray | None, paired: BoolArray | None) -> IntArray | None:
    """The item of each unit that is kept, counted from 0; None where each is its own."""
    if items is None:
        return None
    names, found = np.unique(items if paired is None else items[paired], return_inverse=True)
    # Items in whatever order leave the same figures behind.
    return None if names.size == found.size else found.reshape(-1).astype(np.int64, copy=False)


def _parts(marks: Given, item: IntArray | None, metric: Metric) -> Parts:
    """D_o and D_e, also without each item in turn: the whole less the item's own part."""
    if metric == "interval":
        return parts_of_interval(marks, item)
    return parts_of_levels(rows(marks), item, metric)
