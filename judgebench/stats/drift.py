"""Whether a judge still marks as it did: old cells judged again, beside their first totals."""

from dataclasses import replace

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats.arrays import FloatArray, IntArray, nan_mean
from judgebench.stats.pairs import paired_difference


def shift(
    first: FloatArray, again: FloatArray, reps: tuple[IntArray, IntArray], *, step: float
) -> Estimate | Refusal:
    """Mean of later minus first totals, items as units, with Student's t on N−1.

    Args:
        first: Shape (A, I), first totals in scale points, NaN where not judged again.
        again: Shape (A, I), later totals of the same cells.
        reps: Judgings averaged in each of the two, shapes (A, I).
        step: Lattice of the marks; its rounding floor bounds the spread from below.

    Returns:
        In scale points, above 0 where the judge has become kinder; ``n`` items. `Refusal`
        with ``too_few_items`` below three items, as for any paired difference.

    Source:
        A paired difference, docs/statistics.md; the cells of one item are averaged first.
    """
    there = ~np.isnan(first) & ~np.isnan(again)
    old = nan_mean(np.where(there, first, np.nan), axis=0)
    new = nan_mean(np.where(there, again, np.nan), axis=0)
    counts = [np.maximum(1, np.where(there, found, 0).sum(axis=0)) for found in reps]
    found = paired_difference(new, old, counts[1], counts[0], step=step)
    return replace(found, statistic="drift") if isinstance(found, Refusal) else found


def points(first: FloatArray, again: FloatArray) -> float | None:
    """Mean of later minus first totals over items.

    Args:
        first: Shape (A, I), NaN where not judged again.
        again: Shape (A, I), later totals of the same cells.

    Returns:
        Scale points; None where nothing was judged again.
    """
    gaps = nan_mean(again - first, axis=0)
    known = gaps[~np.isnan(gaps)]
    return float(known.mean()) if known.size else None
