"""What a run of this size can see, and how many items a wished-for difference needs.

Knows spreads and counts, no marks.
"""

import math

from scipy.special import nctdtr, stdtrit

from judgebench.model import Estimate, Refusal, RefusalCode
from judgebench.stats.intervals import MIN_ITEMS

POWER = 0.8
MOST_ITEMS = 100_000
_STEPS = 200


def power_of(delta: float, *, sd: float, n: int, alpha: float) -> float:
    """Power of a two-sided paired t test.

    Args:
        delta: True difference in scale points.
        sd: Standard deviation of item differences in scale points, above 0.
        n: Items, at least 2.
        alpha: Two-sided level of one comparison.

    Source:
        Non-central t; Bloom (1995), Evaluation Review 19, 547.
    """
    df = n - 1
    limit = float(stdtrit(df, 1 - alpha / 2))
    shift = abs(delta) / sd * math.sqrt(n)
    upper = float(nctdtr(df, shift, limit))
    if math.isnan(upper):
        # The far tail of the non-central t is not computed at 1 or 2 degrees of freedom.
        return 1.0 if shift > limit else 0.0
    lower = float(nctdtr(df, shift, -limit))
    return 1 - upper + (0.0 if math.isnan(lower) else lower)


def detectable_difference(
    *, sd: float | None, n: int, comparisons: int, power: float = POWER, alpha: float = 0.05
) -> Estimate | Refusal:
    """Smallest true difference that such a run finds with the given power.

    Args:
        sd: Standard deviation of item differences; None where it is unknown.
        n: Shared items.
        comparisons: Comparisons that share the level (Bonferroni).
        power: Wished-for power, between 0 and 1.
        alpha: Family-wise level.

    Returns:
        Difference in scale points; `Refusal` ``too_few_items`` below 3 items,
        ``zero_spread`` where the spread is unknown.
    """
    if n < MIN_ITEMS:
        return Refusal(
            statistic="detectable", code=RefusalCode.TOO_FEW_ITEMS, have=n, need=MIN_ITEMS,
            how="add items, not repeats",
        )  # fmt: skip
    if not sd:
        return Refusal(
            statistic="detectable", code=RefusalCode.ZERO_SPREAD, have=0, need=1,
            how="add arms that share items",
        )  # fmt: skip
    level = alpha / max(1, comparisons)
    low, high = 0.0, sd
    while power_of(high, sd=sd, n=n, alpha=level) < power:
        low, high = high, 2 * high
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if middle in {low, high}:
            break
        if power_of(middle, sd=sd, n=n, alpha=level) < power:
            low = middle
        else:
            high = middle
    return Estimate(value=high, n=n, kind="power")


def items_needed(
    delta: float, *, sd: float, comparisons: int, power: float = POWER, alpha: float = 0.05
) -> int:
    """Fewest items with which a true difference is found with the given power.

    Args:
        delta: True difference in scale points, above 0.
        sd: Standard deviation of item differences in scale points, above 0.
        comparisons: Comparisons that share the level (Bonferroni).
        power: Wished-for power.
        alpha: Family-wise level.

    Returns:
        At least 3, at most 100,000.
    """
    level = alpha / max(1, comparisons)
    low, high = MIN_ITEMS - 1, MIN_ITEMS
    while high < MOST_ITEMS and power_of(delta, sd=sd, n=high, alpha=level) < power:
        low, high = high, min(MOST_ITEMS, 2 * high)
    while high - low > 1:
        middle = (low + high) // 2
        if power_of(delta, sd=sd, n=middle, alpha=level) < power:
            low = middle
        else:
            high = middle
    return high
