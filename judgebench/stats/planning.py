"""What a run could have seen, and how many items a wished-for gap needs.

Spread is the standard deviation of the paired difference of one item, in scale
points; it already holds judge noise and rounding. Power is of the two-sided
paired t test.
"""

from functools import lru_cache
from math import ceil, isfinite, sqrt

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray
from judgebench.stats.intervals import t_quantile
from judgebench.stats.levels import LEAST_ITEMS, too_few_items
from judgebench.stats.rule_power import few_patterns, flips_needed, many_enough, wide_enough
from judgebench.stats.special import gammaincinv, nctdtr, ndtr
from judgebench.stats.spreads import ITEMS, Shape, Units, worst_spread

POWER = 0.8
ALPHA = 0.05
MAX_ITEMS = 10_000_000
SPREADS = (0.7, 1.0, 1.3, 1.8)
"""Assumed spreads of marks, in points of a scale of ten, where a run cannot estimate its own;
shares of comparisons have `share_spreads`."""
LEAST_STEPS = 3
"""Steps of a mean's lattice that its standard error must hold before its power is foretold."""
LEAST_SHAPED, MOST_SHAPED = 5, 29
"""Items that show a shape of their differences, and those up to which it counts."""
TOLERANCE = 0.02
"""So far below the power that is told a gap may lie before it is widened."""
DRAWS = 10_000
FLIPPED = 2_000
"""Of the draws, those whose signs are flipped as well."""
_NODES = 512
_HALVINGS = 80
_CLOSE = 1e-9


def t_power(shift: float, n: int, *, alpha: float = ALPHA, units: Units = ITEMS) -> float:
    """Power of the two-sided paired t test.

    Args:
        shift: True difference over its spread, ≥ 0.
        n: Shared items, ≥ 2.
        alpha: Error rate of this one test.
        units: Whether items come in clusters, and in what clusters.

    Returns:
        Probability in [0, 1].

    Raises:
        ValueError: An argument is out of range.

    Source:
        Non-central t; where scipy's evaluation is not finite (its tails at two or
        three items) by quadrature over the distribution of the sample variance.
    """
    if not (shift >= 0 and units.df(n) > 0 and n >= 2 and 0 < alpha < 1):  # noqa: PLR2004
        raise ValueError(f"no power at shift {shift}, n {n}, alpha {alpha}")
    df, away = units.df(n), shift * sqrt(n)
    bar = t_quantile(1 - alpha / 2, df)
    found = 1 - float(nctdtr(df, away, bar)) + float(nctdtr(df, away, -bar))
    if not (isfinite(found) and 0 <= found <= 1) or away > 30:  # noqa: PLR2004 - tail
        found = _quadrature(away, df, bar)
    return min(1.0, max(0.0, found))


def _quadrature(away: float, df: float, bar: float) -> float:
    """P(|T| > bar) as a mean over equally likely sample variances."""
    u = (np.arange(_NODES) + 0.5) / _NODES
    ratio = np.sqrt(2 * gammaincinv(df / 2, u) / df)
    return float(np.mean(ndtr(away - bar * ratio) + ndtr(-away - bar * ratio)))


def detectable_difference(  # noqa: PLR0913 - what a plan is made of
    s_d: float,
    n: int,
    *,
    alpha: float = ALPHA,
    power: float = POWER,
    comparisons: int = 1,
    lattice: float = 0.0,
    shape: Shape | None = None,
    units: Units = ITEMS,
) -> Estimate | Refusal:
    """Smallest true difference that a run of this size would usually have found.

    Args:
        s_d: Spread of an item's paired difference, scale points.
        n: Shared items.
        alpha: Family-wise error rate.
        power: Probability with which it would be found.
        comparisons: Pairs that share `alpha` by Bonferroni; 1 for one planned pair.
        lattice: Step of the differences, scale points; 0 where they have none.
        shape: The differences themselves. Where, at 5 to 29 items, draws from them find the
            gap in under 78 %, it is widened to the one that they find in 80 %, by sign flips
            too at six and seven. It is widened likewise where `rule_power.found_share`, which
            takes differences as normal, is under 78 %.
        units: Whether items come in clusters: `s_d` is then what independent items would
            spread by whose mean is as uncertain, and all that counts items counts clusters.

    Returns:
        Difference in scale points, > 0, ``kind`` "power", ``n`` units. `Refusal` with
        ``too_few_items`` or ``too_few_clusters`` below three, ``zero_spread`` where `s_d`
        is 0, ``too_many_ties`` where the mean of so few differences takes so few values that
        its power rises in leaps: its standard error spans less than three of its steps,
        ``lattice``/n.

    Raises:
        ValueError: `s_d` is not a number ≥ 0, or a setting is out of range.

    Source:
        Bloom (1995); Miller (2024), arXiv 2411.00640. The non-central t takes differences
        as near normal; three steps are our own bound, measured: docs/statistics.md. Draws
        with either sign: a gap may lie in either direction.

    >>> round(detectable_difference(1.0, 8).value, 2)
    1.2
    """
    _check(s_d, alpha=alpha, power=power, comparisons=comparisons, lattice=lattice)
    count = round(units.count(n))
    refused = too_few_items("detectable", count, clustered=units != ITEMS)
    if refused is not None:
        return refused
    if s_d == 0:
        return Refusal(statistic="detectable", code=RefusalCode.ZERO_SPREAD.value, have=0, need=1)
    # Items of a cluster may move in steps together.
    least = _least_items(s_d, lattice * units.size)
    if n < least:
        return Refusal(
            statistic="detectable", code=RefusalCode.TOO_MANY_TIES.value, have=n, need=least
        )
    gap = s_d * _shift(n, alpha=alpha / comparisons, power=power, units=units)
    each = s_d / sqrt(units.size)
    if shape is not None and LEAST_SHAPED <= count <= MOST_SHAPED:
        needed = _needed(shape, each, count, df=units.df(n), alpha=alpha / comparisons)
        if np.searchsorted(needed, gap, side="right") < (power - TOLERANCE) * needed.size:
            gap = float(np.quantile(needed, power))
    gap = each * wide_enough(gap / each, count, alpha=alpha / comparisons, power=power)
    return Estimate(value=gap, n=count, kind="power")


def _needed(shape: Shape, s_d: float, n: int, *, df: float, alpha: float) -> FloatArray:
    """The gap above which the rule finds it in each of many runs of n such differences."""
    apart = shape.d - shape.d.mean()
    width = float(apart.std())
    if width <= _CLOSE * s_d:
        return np.empty(0)
    items, signs = _draws(shape.d.size, n)
    drawn = apart[items] * (signs * (s_d / width))
    spread = np.sqrt(np.maximum(drawn.var(axis=1, ddof=1), shape.floor) / n)
    bar = t_quantile(1 - alpha / 2, df)
    found = bar * spread - drawn.mean(axis=1)
    if few_patterns(n):
        found = np.maximum(found[:FLIPPED], flips_needed(drawn[:FLIPPED]))
    return np.asarray(np.sort(found), dtype=np.float64)


@lru_cache(maxsize=4)
def _draws(size: int, n: int) -> tuple[IntArray, FloatArray]:
    """Which of `size` differences each run draws, and with which sign; the same each time."""
    rng = np.random.default_rng(n)
    return rng.integers(0, size, (DRAWS, n)), rng.choice((-1.0, 1.0), (DRAWS, n))


def _least_items(s_d: float, lattice: float) -> int:
    """Items from which on the mean of differences takes enough values."""
    # A lattice that leaves no error of rounding in the quotient is met exactly.
    return ceil((LEAST_STEPS * lattice / s_d) ** 2 - _CLOSE)


def _check(
    s_d: float, *, alpha: float, power: float, comparisons: int, lattice: float = 0.0
) -> None:
    if not (isfinite(s_d) and s_d >= 0):
        raise ValueError(f"a spread is a number from 0 upward, got {s_d}")
    if not (isfinite(lattice) and lattice >= 0):
        raise ValueError(f"a lattice has a step from 0 upward, got {lattice}")
    if not (0 < alpha < power < 1 and comparisons >= 1):
        raise ValueError(f"alpha {alpha}, power {power}, comparisons {comparisons}")


def _shift(n: int, *, alpha: float, power: float, units: Units = ITEMS) -> float:
    low, high = 0.0, 1.0
    while t_power(high, n, alpha=alpha, units=units) < power:
        low, high = high, 2 * high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if t_power(middle, n, alpha=alpha, units=units) < power:
            low = middle
        else:
            high = middle
    return high


def power_range(
    n: int, *, alpha: float = ALPHA, comparisons: int = 1, units: Units = ITEMS
) -> tuple[float, float]:
    """How far from 80 % the power at a detectable difference may be, for its spread was estimated.

    Args:
        n: Items that the spread was taken from, ≥ 3.
        alpha: Family-wise error rate.
        comparisons: Pairs that share `alpha` by Bonferroni.
        units: As `detectable_difference`.

    Returns:
        The power where the spread was estimated so low, and so high, as it is in one
        run in twenty each.

    Source:
        χ² of a sample variance of normal differences.

    >>> tuple(round(100 * one) for one in power_range(5))
    (23, 99)
    """
    df, each = units.df(n), alpha / comparisons
    shift = _shift(n, alpha=each, power=POWER, units=units)
    low, high = (sqrt(2 * float(gammaincinv(df / 2, q)) / df) for q in (0.05, 0.95))
    return (
        t_power(shift * low, n, alpha=each, units=units),
        t_power(shift * high, n, alpha=each, units=units),
    )


def items_needed(  # noqa: PLR0913 - what a plan is made of
    s_d: float,
    delta: float,
    *,
    alpha: float = ALPHA,
    power: float = POWER,
    comparisons: int = 1,
    lattice: float = 0.0,
    units: Units = ITEMS,
    shares: bool = False,
) -> int | Refusal:
    """Items after which a true difference of `delta` would usually be found.

    Args:
        s_d: Spread of an item's paired difference, scale points.
        delta: The difference wished for, scale points, > 0.
        alpha: Family-wise error rate.
        power: Probability with which it is to be found.
        comparisons: Pairs that share `alpha` by Bonferroni.
        lattice: Step of the differences, scale points; 0 where they have none.
        units: As `detectable_difference`: items in further clusters of such sizes.
        shares: Differences are of shares of comparisons won, which take six items to tell.

    Returns:
        Items, at least three, or as many as make three clusters (of shares six); more than the
        t test needs where the rule by which arms are separated, sign flips with it, would find
        the gap in under 78 % of runs. `Refusal` with ``zero_spread`` where `s_d` is 0,
        ``not_finite`` above ten million.

    Raises:
        ValueError: `delta` is not above 0, or as `detectable_difference`.

    Source:
        As `detectable_difference`, solved for the number of items.

    >>> items_needed(1.3, 1.0), items_needed(1.3, 1.0, comparisons=10)
    (16, 27)
    """
    _check(s_d, alpha=alpha, power=power, comparisons=comparisons, lattice=lattice)
    if not (isfinite(delta) and delta > 0):
        raise ValueError(f"a difference to find is above 0, got {delta}")
    if s_d == 0:
        return Refusal(statistic="items_needed", code=RefusalCode.ZERO_SPREAD.value, have=0, need=1)
    shift, each = delta / s_d, alpha / comparisons
    high = units.least(LEAST_ITEMS["share_difference" if shares else "items_needed"])
    low = high - 1
    while t_power(shift, high, alpha=each, units=units) < power:
        low, high = high, 2 * high
        if high > MAX_ITEMS:
            return Refusal(
                statistic="items_needed",
                code=RefusalCode.NOT_FINITE.value,
                have=high,
                need=MAX_ITEMS,
            )
    while high - low > 1:
        middle = (low + high) // 2
        if t_power(shift, middle, alpha=each, units=units) < power:
            low = middle
        else:
            high = middle
    # The rule flips the signs of whole units, whose means may move in steps together.
    width = s_d / sqrt(units.size)
    least = many_enough(
        round(units.count(high)), delta / width, alpha=each, power=power, grain=lattice / width
    )
    return max(high, units.least(least))


def wished_gaps(low: float, high: float, *, shares: bool = False) -> tuple[float, float]:
    """The differences that a plan is made for where nobody names one.

    Args:
        low: Lower end of the scale.
        high: Upper end.
        shares: Totals are shares of comparisons won.

    Returns:
        A point and half a point of a scale of ten, in points of this scale; of shares
        a fifth and a tenth.

    >>> wished_gaps(1, 10), wished_gaps(1, 5), wished_gaps(0, 100)
    ((1.0, 0.5), (0.4, 0.2), (10.0, 5.0))
    """
    if shares:
        return 0.2, 0.1
    return point_of_ten(low, high), point_of_ten(low, high) / 2


def point_of_ten(low: float, high: float) -> float:
    """Points of a scale to a point of a scale of ten, which may begin at 0 or at 1.

    >>> point_of_ten(1, 10), point_of_ten(1, 5)
    (1.0, 0.4)
    """
    span = high - low
    return 1.0 if 9 <= span <= 10 else span / 10  # noqa: PLR2004 - 1 to 10 and 0 to 10


def detectable(  # noqa: PLR0913 - the cells, and each choice by its name
    cells: FloatArray,
    reps: IntArray,
    *,
    step: float,
    alpha: float = ALPHA,
    power: float = POWER,
    total_step: float = 0.0,
    clusters: IntArray | None = None,
    apart: BoolArray | None = None,
    of: IntArray | None = None,
    shares: bool = False,
) -> Estimate | Refusal:
    """Smallest difference that this run would have found in its worst pair.

    Args:
        cells: Shape (A, I), scale points.
        reps: Shape (A, I), judgments behind each cell.
        step: Lattice of the marks.
        alpha: Family-wise error rate over all pairs of scored arms, Bonferroni.
        power: Probability with which it would be found.
        total_step: Lattice of one total, scale points; 0 where it has none.
        clusters: Shape (I,), the cluster of each item; None where items are independent.
        apart: As in `worst_spread`.
        of: As in `worst_spread`.
        shares: As in `worst_spread`.

    Returns:
        As `detectable_difference`; refusals as `worst_spread` too.

    Source:
        As `detectable_difference`, at Bonferroni's share of `alpha` a pair.
    """
    spread = worst_spread(
        cells, reps, step=step, clusters=clusters, apart=apart, of=of, shares=shares
    )
    if isinstance(spread, Refusal):
        return spread
    k = int(np.isfinite(cells).any(axis=1).sum())
    return detectable_difference(
        spread.sd,
        spread.n,
        alpha=alpha,
        power=power,
        comparisons=k * (k - 1) // 2,
        lattice=total_step * spread.once,
        shape=spread.shape,
        units=spread.units,
    )
