"""First looks at a judge from its own marks: how often the same one, and does length explain it.

Input is marks of any shape or cells of shape (A, I), in scale points, NaN for none.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from judgebench.model import Estimate, Refusal, RefusalCode
from judgebench.stats.intervals import FloatArray

MIN_ARMS = 3
MIN_LENGTH_ITEMS = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Modal:
    """The most frequent mark and its share of all marks."""

    mark: float
    share: float
    n: int


def modal_share(marks: FloatArray) -> Modal | None:
    """Most frequent mark, the lowest of several; None where there is no mark."""
    known = marks[~np.isnan(marks)]
    if not known.size:
        return None
    values, counts = np.unique(known, return_counts=True)
    at = int(np.argmax(counts))
    return Modal(mark=float(values[at]), share=float(counts[at] / known.size), n=int(known.size))


def mid_ranks(x: FloatArray) -> FloatArray:
    """Ranks from 1 with ties at their mean, shape (N,)."""
    order = np.argsort(x, kind="stable")
    _, inverse, counts = np.unique(x[order], return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks = np.empty(x.size)
    ranks[order] = (ends - (counts - 1) / 2)[inverse]
    return ranks


def spearman(x: FloatArray, y: FloatArray) -> float | None:
    """Spearman's rank correlation; None where one side has no spread."""
    rx, ry = mid_ranks(x), mid_ranks(y)
    rx, ry = rx - rx.mean(), ry - ry.mean()
    scale = float(np.sqrt(np.sum(rx**2) * np.sum(ry**2)))
    return float(np.sum(rx * ry)) / scale if scale > 0 else None


def length_baseline(totals: FloatArray, lengths: FloatArray) -> Estimate | Refusal:
    """Mean within-item rank correlation of totals with answer lengths.

    Args:
        totals: Shape (A, I), scale points, NaN for no cell.
        lengths: Shape (A, I), characters.

    Returns:
        Mean Spearman in [-1, 1] over the items with three or more scored arms and
        spread on both sides (`n` counts them), with a jackknife interval over
        items; `Refusal` ``too_few_items`` below 5 such items.
    """
    found: list[float] = []
    for item in range(totals.shape[1]):
        known = ~np.isnan(totals[:, item]) & ~np.isnan(lengths[:, item])
        if int(known.sum()) < MIN_ARMS:
            continue
        rho = spearman(totals[known, item], lengths[known, item])
        if rho is not None:
            found.append(rho)
    n = len(found)
    if n < MIN_LENGTH_ITEMS:
        return Refusal(
            statistic="length_baseline", code=RefusalCode.TOO_FEW_ITEMS, have=n,
            need=MIN_LENGTH_ITEMS, how="add items with three scored arms",
        )  # fmt: skip
    values = np.asarray(found)
    mean = float(values.mean())
    # The jackknife of a mean is its standard error.
    half = float(stdtrit(n - 1, 0.975)) * float(values.std(ddof=1)) / n**0.5
    if half == 0:
        return Estimate(value=mean, n=n)
    return Estimate(
        value=mean, n=n, low=max(-1.0, mean - half), high=min(1.0, mean + half), kind="jackknife"
    )


def borderline(estimate: Estimate, bars: tuple[float, ...]) -> bool:
    """Whether the interval of an estimate crosses one of the bars of a tier."""
    if estimate.low is None or estimate.high is None:
        return False
    return any(estimate.low < bar <= estimate.high for bar in bars)
