"""People alone, and a judge beside people, on one criterion or on the total.

Input is people as (A, I, P), arms, items, persons, and a judge as cells (A, I);
scale points, NaN where there is no mark. The unit is the item: cells of one item
are averaged before any interval is made.
"""

from dataclasses import replace
from itertools import combinations
from math import sqrt

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.people import Beside, Counted
from judgebench.model.reasons import RefusalCode
from judgebench.stats import agreement, ordering
from judgebench.stats.agreement import Limits
from judgebench.stats.arrays import TIE, FloatArray, IntArray, nan_mean
from judgebench.stats.intervals import t_quantile

LEAST_BESIDE = 10
"""Items from which a judge is held against people."""


def counted(people: FloatArray) -> Counted:
    """Count what people marked.

    Args:
        people: Shape (A, I, P).

    Returns:
        Counts over all arms.
    """
    known = np.isfinite(people)
    cells = known.sum(axis=2)
    return Counted(
        people=int(known.any(axis=(0, 1)).sum()),
        items=int((cells > 0).any(axis=0).sum()),
        cells=int((cells > 0).sum()),
        marks=int(known.sum()),
        twice=int((cells > 1).sum()),
        items_twice=int((cells > 1).any(axis=0).sum()),
    )


def same_marks(people: FloatArray) -> tuple[float | None, int]:
    """Share of pairs of marks on one cell that are equal, and how many pairs there are.

    Args:
        people: Shape (A, I, P).

    Returns:
        A share in [0, 1], None where no cell has two marks; and the count.
    """
    alike = pairs = 0
    for a, b in combinations(range(people.shape[2]), 2):
        gap = np.abs(people[:, :, a] - people[:, :, b])
        known = np.isfinite(gap)
        pairs += int(known.sum())
        alike += int((gap[known] <= TIE).sum())
    return (alike / pairs if pairs else None), pairs


def people_cells(people: FloatArray) -> tuple[FloatArray, IntArray]:
    """Mean over the people who marked a cell, and how many they are (at least 1).

    Args:
        people: Shape (A, I, P).

    Returns:
        Two arrays of shape (A, I); NaN where nobody did.
    """
    n = np.isfinite(people).sum(axis=2)
    return nan_mean(people, axis=2), np.maximum(n, 1)


def beside(people: FloatArray, judge: FloatArray, *, span: float) -> Beside | Refusal:
    """Hold a judge against people's mean.

    Args:
        people: Shape (A, I, P).
        judge: Shape (A, I).
        span: Points from the lowest mark of the scale to the highest.

    Returns:
        All figures over cells that both marked. `Refusal` with
        ``no_human_labels`` where there are none, ``too_few_items`` below ten items.

    Raises:
        ValueError: Shapes do not fit.

    Source:
        Bland & Altman (1999, 2007) for the limits, Krippendorff (2011) for α, Deutsch,
        Foster & Freitag (2023) for the order; mean gaps with Student's t over items.
    """
    fits(people, judge)
    means, _ = people_cells(people)
    gap = judge - means
    known = np.isfinite(gap)
    used = known.any(axis=0)
    items = int(used.sum())
    if items < LEAST_BESIDE:
        code = RefusalCode.TOO_FEW_ITEMS if items else RefusalCode.NO_HUMAN_LABELS
        return Refusal(
            statistic="judge_against_people", code=code.value, have=items, need=LEAST_BESIDE,
            how="items that people and judge marked",
        )  # fmt: skip
    both = np.stack([np.where(known, judge, np.nan), np.where(known, means, np.nan)], axis=-1)
    codes = np.broadcast_to(np.arange(judge.shape[1]), judge.shape)
    spread = limits(judge, means)
    near = agreement.closeness(both[known])
    return Beside(
        bias=over_items(nan_mean(gap, axis=0)[used]),
        mae=over_items(nan_mean(np.abs(gap), axis=0)[used], low=0.0),
        limits_low=None if isinstance(spread, Refusal) else spread.low,
        limits_high=None if isinstance(spread, Refusal) else spread.high,
        slope=None if isinstance(spread, Refusal) else spread.slope,
        alpha=agreement.alpha(both[known], metric=agreement.metric_of(span), items=codes[known]),
        exact=None if isinstance(near, Refusal) else near.exact,
        exact_chance=None if isinstance(near, Refusal) else near.chance_exact,
        ordering=ordering.ordering_accuracy(judge, means),
        items=items,
        cells=int(known.sum()),
    )


def limits(judge: FloatArray, means: FloatArray) -> Limits | Refusal:
    """Bland–Altman limits with several cells an item.

    Args:
        judge: Shape (A, I).
        means: Shape (A, I), people's.

    Returns:
        As `agreement.limits_of_agreement`; the spread is that of one cell, from
        the variance between items and within them, and the bias has its t on items.

    Source:
        Bland & Altman (1999, 2007), §5 on unequal numbers of replicates.
    """
    gap = judge - means
    known = np.isfinite(gap)
    each = known.sum(axis=0)
    if each.max(initial=0) <= 1:
        flat = known.any(axis=0)
        return agreement.limits_of_agreement(
            nan_mean(np.where(known, judge, np.nan), axis=0)[flat],
            nan_mean(np.where(known, means, np.nan), axis=0)[flat],
        )
    plain = agreement.limits_of_agreement(judge[known], means[known])
    if isinstance(plain, Refusal):
        return plain
    used = each > 0
    k, m = int(used.sum()), each[used]
    per = nan_mean(gap, axis=0)[used]
    bias = over_items(per)
    within = float((np.where(known, gap - nan_mean(gap, axis=0), 0.0) ** 2).sum())
    df = int(m.sum()) - k
    if k < LEAST_BESIDE or df < 1 or plain.low is None:
        return Limits(bias=bias, low=None, high=None, slope=None)
    ms_w = within / df
    grand = float((m * per).sum() / m.sum())
    ms_b = float((m * (per - grand) ** 2).sum()) / (k - 1)
    m0 = float((m.sum() ** 2 - (m**2).sum()) / ((k - 1) * m.sum()))
    sd = sqrt(max(0.0, (ms_b - ms_w) / m0) + ms_w)
    return Limits(
        bias=bias, low=bias.value - 1.96 * sd, high=bias.value + 1.96 * sd, slope=plain.slope
    )


def vote_agreement(alike: FloatArray, items: IntArray) -> Estimate | Refusal:
    """Share of votes that agree, with an interval over items.

    Args:
        alike: Shape (V,), 1 where both say the same, else 0.
        items: Shape (V,), the item of each vote.

    Returns:
        Alike ÷ votes; ``n`` counts the votes; t over items from five items on.
        `Refusal` with ``too_few_items`` below 20 votes.

    Raises:
        ValueError: Shapes differ.

    Source:
        Own arithmetic as of Zheng et al. (2023), arXiv 2306.05685; Student's t over items.
    """
    if alike.ndim != 1 or alike.shape != items.shape:
        raise ValueError("alike and items must share one shape (V,)")
    if alike.size < ordering.MIN_PAIRS:
        return Refusal(
            statistic="vote_agreement", code=RefusalCode.TOO_FEW_ITEMS.value, have=alike.size,
            need=ordering.MIN_PAIRS, how="counted in comparisons that both decided",
        )  # fmt: skip
    _, place = np.unique(items, return_inverse=True)
    votes = np.bincount(place)
    share, k = float(alike.mean()), votes.size
    spread = np.bincount(place, weights=alike) - share * votes
    variance = float((spread**2).sum()) * k / max(k - 1, 1) / alike.size**2
    if k < 5 or variance <= TIE**2:  # noqa: PLR2004 - as ordering accuracy
        why = RefusalCode.TOO_FEW_ITEMS if k < 5 else RefusalCode.ZERO_SPREAD  # noqa: PLR2004
        return Estimate(value=share, n=int(alike.size), no_interval=why.value)
    half = t_quantile(0.975, k - 1) * sqrt(variance)
    return Estimate(
        value=share, n=int(alike.size), low=max(0.0, share - half), high=min(1.0, share + half),
        kind="t",
    )  # fmt: skip


def item_share(values: FloatArray, statistic: str) -> Estimate | Refusal:
    """Mean of a share over items with t, clipped to [0, 1]; refused below three items.

    Args:
        values: Shape (N,), one share an item, NaN left out.
        statistic: Name in a refusal.

    Returns:
        The mean.
    """
    used = values[np.isfinite(values)]
    if used.size < 3:  # noqa: PLR2004 - data level E3
        return Refusal(
            statistic=statistic, code=RefusalCode.TOO_FEW_ITEMS.value, have=int(used.size), need=3
        )  # fmt: skip
    found = over_items(used)
    if found.low is None or found.high is None:
        return found
    return replace(found, low=max(0.0, found.low), high=min(1.0, found.high))


def over_items(values: FloatArray, *, low: float | None = None, family: int = 1) -> Estimate:
    """Mean of one figure an item with t, of several such figures all together.

    Args:
        values: Shape (N,), one figure an item.
        low: What the figure cannot be below.
        family: How many figures the interval holds for at once (Bonferroni).

    Returns:
        No interval where it does not spread.
    """
    n, mean = int(values.size), float(values.mean())
    if n < 3 or float(np.ptp(values)) <= TIE:  # noqa: PLR2004 - data level E3
        why = RefusalCode.TOO_FEW_ITEMS if n < 3 else RefusalCode.ZERO_SPREAD  # noqa: PLR2004
        return Estimate(value=mean, n=n, no_interval=why.value)
    half = t_quantile(1 - 0.025 / family, n - 1) * float(values.std(ddof=1)) / sqrt(n)
    bottom = mean - half if low is None else max(low, mean - half)
    return Estimate(value=mean, n=n, low=bottom, high=mean + half, kind="t")


def fits(people: FloatArray, judge: FloatArray) -> None:
    """Check that a judge's cells are those of the people.

    Raises:
        ValueError: They are not.
    """
    if people.ndim != 3 or people.shape[:2] != judge.shape:  # noqa: PLR2004 - three axes
        raise ValueError("people must have shape (A, I, P), the judge (A, I)")
