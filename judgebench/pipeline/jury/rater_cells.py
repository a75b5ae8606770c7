"""Cells of several raters held beside each other: the figures of one criterion, or of the totals.

Axes: raters J, arms A, items I, repeats R; scale points, NaN where a rater gave no mark.
Calls statistics, and refuses where there are too few items for them.
"""

from collections.abc import Sequence

import numpy as np

from judgebench.model.agreement import Gaps, IccForms, Noise
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.stats import agreement, icc, repeatability
from judgebench.stats.agreement import Metric
from judgebench.stats.arrays import FloatArray, IntArray, item_codes
from judgebench.stats.clusters import clustered_mean
from judgebench.stats.levels import too_few_items


def units_of(cells: FloatArray, clusters: IntArray | None = None) -> tuple[FloatArray, IntArray]:
    """(J, A, I) as units × raters, with the item of every unit, or the item's cluster."""
    j, a, i = cells.shape
    return cells.reshape(j, a * i).T, np.tile(np.arange(i) if clusters is None else clusters, a)


def alpha(cells: FloatArray, clusters: IntArray | None, *, metric: Metric) -> Estimate | Refusal:
    """Krippendorff's α of cells (J, A, I); `Refusal` too where too few items have two marks.

    Where items come in clusters, these are counted.
    """
    units, items = units_of(cells, clusters)
    several = np.isfinite(units).sum(axis=1) > 1
    refused = too_few_items(
        "alpha", int(np.unique(items[several]).size), clustered=clusters is not None
    )
    return refused or agreement.alpha(units, metric=metric, items=items)


def kappa(units: FloatArray, items: IntArray) -> Estimate | Refusal:
    """Quadratic-weighted κ of two raters; `Refusal` too where too few items have both marks."""
    both = np.isfinite(units).all(axis=1)
    refused = too_few_items("quadratic_kappa", int(np.unique(items[both]).size))
    return refused or agreement.quadratic_kappa(*units.T)


def icc_forms(units: FloatArray, items: IntArray, *, identified: bool = True) -> IccForms | Refusal:
    """Intraclass correlations of the units that all raters marked, one rater and the mean."""
    whole = np.isfinite(units).all(axis=1)
    refused = too_few_items("icc", int(np.unique(items[whole]).size))
    if refused is not None:
        return refused
    found = icc.icc(units, identified=identified)
    if isinstance(found, Refusal):
        return found
    return IccForms(
        absolute=found.absolute,
        absolute_mean=found.absolute_mean,
        consistency=found.consistency,
        consistency_mean=found.consistency_mean,
        one=found.one,
        one_mean=found.one_mean,
    )


def gaps(first: FloatArray, second: FloatArray, clusters: IntArray | None = None) -> Gaps | Refusal:
    """Second minus first, with an interval over items: arms of one item hang together.

    Where items come in clusters it is over these. Limits of agreement need ten of them.
    """
    d = (second - first).ravel()
    items = np.tile(np.arange(first.shape[1]) if clusters is None else clusters, first.shape[0])
    there = np.isfinite(d)
    if not there.any():
        return Refusal(
            statistic="shift", code=RefusalCode.NOTHING_SCORED.value, have=0, need=1,
            how="no cell has marks of both",
        )  # fmt: skip
    found = clustered_mean(d, items)
    bias = (
        Estimate(value=float(d[there].mean()), n=int(there.sum()))
        if isinstance(found, Refusal)
        else found
    )
    have = int(np.unique(items[there]).size)
    # Cells of one item hang together: it is items that carry the limits, as they do alpha.
    few = too_few_items("limits_of_agreement", have, clustered=clusters is not None)
    limits = few or agreement.limits_of_agreement(second.ravel(), first.ravel())
    if isinstance(limits, Refusal):
        return Gaps(bias=bias, low=None, high=None, slope=None, limits_refused=limits)
    flat = Refusal(
        statistic="limits_of_agreement", code=RefusalCode.ZERO_SPREAD.value, have=0, need=1
    )
    return Gaps(
        bias=bias, low=limits.low, high=limits.high, slope=limits.slope,
        limits_refused=flat if limits.low is None else None,
    )  # fmt: skip


def noise(scores: FloatArray, *, step: float) -> Noise | Refusal:
    """How far one rater moves on the same answer: scores of shape (A, I, R)."""
    return repeatability.rescoring_sd(scores, step=step, items=item_codes(scores))


def side_by_side(arrays: Sequence[FloatArray]) -> FloatArray:
    """Arrays (A, I, R) with different R as one, cells of all raters below each other."""
    most = max(one.shape[2] for one in arrays)
    return np.concatenate(
        [
            np.pad(one, ((0, 0), (0, 0), (0, most - one.shape[2])), constant_values=np.nan)
            for one in arrays
        ]
    )


def swaps(again: Sequence[FloatArray]) -> Estimate | Refusal:
    """Share of same-item arm pairs that turn when a rater, held beside itself alone, marks again.

    Args:
        again: (A, I, R) a rater, with different R; the first two scorings count.
    """
    twice = [
        np.pad(one, ((0, 0), (0, 0), (0, max(0, 2 - one.shape[2]))), constant_values=np.nan)
        for one in again
    ]
    return repeatability.swap_share(np.stack([one[:, :, :2] for one in twice], axis=2))


def widest(values: FloatArray) -> FloatArray:
    """Widest gap between raters (first axis); 0 where fewer than two have a mark."""
    there = np.isfinite(values)
    high = np.where(there, values, -np.inf).max(axis=0)
    low = np.where(there, values, np.inf).min(axis=0)
    return np.where(there.sum(axis=0) > 1, high - low, 0.0)
