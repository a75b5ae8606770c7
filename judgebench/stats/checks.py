"""What is known of a judge from one pass alone, and tiers against absolute bars."""

from collections.abc import Sequence
from math import sqrt

import numpy as np

from judgebench.model.deductions import Tier
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.records import dataclass
from judgebench.stats.arrays import TIE, FloatArray, settled
from judgebench.stats.intervals import t_quantile
from judgebench.stats.levels import too_few_items

MIN_ARMS = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Modal:
    """The most frequent mark and its share of all marks."""

    mark: float
    share: float
    n: int
    """Marks counted."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TierReading:
    """Tier of a value; `name` is None below the lowest bar."""

    name: str | None
    borderline: bool
    """The interval crosses a bar, so that another tier is possible."""


def modal_share(marks: FloatArray) -> Modal | Refusal:
    """Most frequent mark of a judge: a judge that says 8 to everything tells nothing.

    Args:
        marks: Any shape, scale points, NaN where there is no mark.

    Returns:
        The mark, its share in (0, 1] and the number of marks; of equally frequent
        marks the lowest. `Refusal` with ``nothing_scored`` where there is none.

    Source:
        Own arithmetic.

    >>> modal_share(np.array([8.0, 8.0, 9.0, np.nan]))
    Modal(mark=8.0, share=0.6666666666666666, n=3)
    """
    used = settled(marks[np.isfinite(marks)])
    if not used.size:
        return Refusal(
            statistic="modal_share", code=RefusalCode.NOTHING_SCORED.value, have=0, need=1
        )
    values, repeats = np.unique(used, return_counts=True)
    at = int(np.argmax(repeats))
    return Modal(mark=float(values[at]), share=float(repeats[at] / used.size), n=int(used.size))


def mid_ranks(x: FloatArray) -> FloatArray:
    """Ranks from 1, ties at the mean of their places.

    Args:
        x: Shape (n,), finite.

    Returns:
        Shape (n,), whole or half ranks from 1 to n.

    >>> mid_ranks(np.array([5.0, 7.0, 5.0])).tolist()
    [1.5, 3.0, 1.5]
    """
    _, places, repeats = np.unique(settled(x), return_inverse=True, return_counts=True)
    last = np.cumsum(repeats)
    return np.asarray((last - (repeats - 1) / 2)[places], dtype=np.float64)


def spearman(x: FloatArray, y: FloatArray) -> float | None:
    """Rank correlation of two vectors.

    Args:
        x: Shape (n,), finite.
        y: Shape (n,), finite.

    Returns:
        ρ in [−1, 1]; None where one of them is all ties.

    Source:
        Spearman (1904): Pearson's correlation of mid-ranks.
    """
    rx, ry = mid_ranks(x), mid_ranks(y)
    sx, sy = rx.std(), ry.std()
    if sx == 0 or sy == 0:
        return None
    return float(np.clip(np.mean((rx - rx.mean()) * (ry - ry.mean())) / (sx * sy), -1.0, 1.0))


def item_mean(values: FloatArray, *, statistic: str, low: float, high: float) -> Estimate | Refusal:
    """Mean of one figure an item, with the jackknife interval over items.

    For a mean the jackknife is Student's t on the item figures.

    Args:
        values: Shape (n,), finite.
        statistic: Key of `levels.LEAST_ITEMS`; decides how many items are needed.
        low: Lowest value possible.
        high: Highest value possible.

    Returns:
        Mean, interval clipped to [low, high], ``kind`` "jackknife"; without an
        interval where all values are equal, for that is no certainty. `Refusal`
        with ``too_few_items``.
    """
    refused = too_few_items(statistic, values.size)
    if refused is not None:
        return refused
    mean, n = float(values.mean()), int(values.size)
    if float(np.ptp(values)) <= TIE:
        return Estimate(value=float(values[0]), n=n, no_interval=RefusalCode.ZERO_SPREAD.value)
    half = t_quantile(0.975, n - 1) * float(values.std(ddof=1)) / sqrt(n)
    return Estimate(
        value=mean, n=n, low=max(low, mean - half), high=min(high, mean + half), kind="jackknife"
    )


def length_baseline(totals: FloatArray, lengths: FloatArray) -> Estimate | Refusal:
    """How far the order by length alone reproduces the judge's order, within items.

    Args:
        totals: Shape (A, I), cells in scale points, NaN where nothing was scored.
        lengths: Shape (A, I), characters; NaN where unknown.

    Returns:
        Mean within-item Spearman correlation in [−1, 1] over items with at least
        three scored arms that differ in total and in length. `Refusal` with
        ``too_few_items`` below five such items. It is no proof of a length bias:
        better answers may be longer.

    Raises:
        ValueError: Shapes differ.

    Source:
        Spearman (1904), within items and then averaged; own choice, docs/statistics.md.
    """
    if totals.ndim != 2 or totals.shape != lengths.shape:  # noqa: PLR2004 - two axes
        raise ValueError("totals and lengths must share one shape (A, I)")
    found = []
    for x, y in zip(totals.T, lengths.T, strict=True):
        both = np.isfinite(x) & np.isfinite(y)
        if both.sum() >= MIN_ARMS:
            rho = spearman(x[both], y[both])
            if rho is not None:
                found.append(rho)
    return item_mean(np.array(found), statistic="length_baseline", low=-1.0, high=1.0)


def tier(
    value: float, tiers: Sequence[Tier], *, interval: Estimate | Refusal | None = None
) -> TierReading:
    """Tier of a total against absolute bars.

    Args:
        value: Total in scale points.
        tiers: Names with their lowest total, in any order.
        interval: Interval of the arm's mean; None for one total, which is arithmetic.

    Returns:
        The highest tier whose bar is reached; borderline where the interval ends
        in another one.

    Source:
        Own arithmetic on the bars of the rubric.
    """
    bars = sorted(tiers, key=lambda one: one.at_least)
    reached = _bars_reached(value, bars)
    borderline = False
    if isinstance(interval, Estimate) and interval.low is not None and interval.high is not None:
        ends = {_bars_reached(interval.low, bars), _bars_reached(interval.high, bars)}
        borderline = ends != {reached}
    return TierReading(name=bars[reached - 1].name if reached else None, borderline=borderline)


def _bars_reached(value: float, bars: Sequence[Tier]) -> int:
    return sum(1 for one in bars if value >= one.at_least - TIE)
