"""Intervals of one mean and of one share.

Input is one vector of item values in scale points, or a count. Nothing here
compares arms: see `judgebench.stats.pairs`.
"""

from dataclasses import replace
from functools import lru_cache
from math import isfinite, sqrt

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.stats.arrays import TIE, FloatArray, IntArray
from judgebench.stats.cr2 import cr2_variance, groups, satterthwaite
from judgebench.stats.levels import LEAST_ITEMS, too_few_items
from judgebench.stats.special import bdtr, betaincinv, stdtrit

MAX_SKEW = 1.0
"""Student's t is used up to this absolute skewness only."""
MAX_BOUNDED = 300
"""Items up to which a skewed mean gets the bounded interval."""
DRAWS = 10_000
_SHARE_ITEMS = 5
_SEED = 2005
_DECIMALS = 12


@lru_cache(maxsize=64)
def t_quantile(p: float, df: float) -> float:
    """Quantile of Student's t.

    Args:
        p: Probability, in (0, 1).
        df: Degrees of freedom, > 0.

    Returns:
        The value that a t variable stays below with probability `p`.

    Raises:
        ValueError: `p` or `df` is out of range.

    >>> round(t_quantile(0.975, 2), 4)
    4.3027
    """
    if not (0 < p < 1 and df > 0):
        raise ValueError(f"no t quantile at p = {p}, df = {df}")
    return float(stdtrit(df, p))


def skewness(x: FloatArray) -> float:
    """Moment skewness m₃ / m₂^1.5.

    Args:
        x: Shape (n,), finite, not empty.

    Returns:
        Skewness, above 0 for a tail upward; 0.0 where the values do not spread.
    """
    gaps = x - x.mean()
    if float(np.ptp(x)) <= TIE:
        return 0.0
    m2 = float(np.mean(gaps**2))
    return float(np.mean(gaps**3) / m2**1.5)


def mean_interval(
    x: FloatArray,
    *,
    low: float,
    high: float,
    rng: np.random.Generator | None = None,
    level: float = 0.95,
    clusters: IntArray | None = None,
) -> Estimate | Refusal:
    """Mean of one arm's cells over items, with an interval for other items.

    Student's t at 30 items or more with |skewness| ≤ 1 and some spread; else the
    bounded-mean interval of Gaffke up to 300 items, which needs nothing but the
    ends of the scale. Its validity is strongly supported and not proven. Above
    300 items t again, except without any spread.

    Args:
        x: Shape (I,), scale points, NaN for items without a scored cell.
        low: Lower end of the scale.
        high: Upper end.
        rng: Generator for the bounded interval. Without one the draws are the same each
            time, so that equal marks have one interval, be they an arm's or a criterion's.
        level: Confidence.
        clusters: Shape (I,), the cluster of each item, integer codes; None where items are
            independent. Clusters are the units then: CR2 instead of t by the skewness of their
            means, and the bounded interval over these means, which only clusters of equal
            size allow, for only then their mean is that of the items.

    Returns:
        Mean within [low, high], ``kind`` "t", "bounded" or "CR2", ``n`` the scored items or
        their clusters. `Refusal` with ``nothing_scored`` at none, ``too_few_items`` or
        ``too_few_clusters`` below three, ``items_not_independent`` where neither holds.

    Raises:
        ValueError: `x` is not one-dimensional, the scale is empty, a value lies
            off the scale, or `level` is not within (0, 1).

    Source:
        Miller (2024), arXiv 2411.00640; Gaffke (2005); Phan, Thomas,
        Learned-Miller (2021); of clusters as `pairs.all_pairs`.
    """
    _check(x, low=low, high=high, level=level)
    there = np.isfinite(x)
    x = x[there]
    if not x.size:
        return Refusal(
            statistic="total",
            code=RefusalCode.NOTHING_SCORED.value,
            have=0,
            need=LEAST_ITEMS["total"],
        )
    draws = np.random.default_rng(_SEED) if rng is None else rng
    if clusters is not None:
        return _clustered(np.clip(x, low, high), clusters[there], low, high, draws, level)
    refused = too_few_items("total", x.size)
    if refused is not None:
        return refused
    x = np.clip(x, low, high)
    spreads = float(np.ptp(x)) > TIE
    enough = x.size >= LEAST_ITEMS["mean_t_interval"] and abs(skewness(x)) <= MAX_SKEW
    if spreads and (enough or x.size > MAX_BOUNDED):
        ends, kind = _student(x, level), "t"
    else:
        ends, kind = _gaffke((x - low) / (high - low), draws, level), "bounded"
        ends = low + ends * (high - low)
    return _within(x, ends, low, high, n=x.size, level=level, kind=kind)


def _within(
    x: FloatArray, ends: FloatArray, low: float, high: float, *, n: int, level: float, kind: str
) -> Estimate:
    mean = float(np.clip(x.mean(), x.min(), x.max()))
    return Estimate(
        value=mean,
        n=n,
        low=float(min(max(ends[0], low), mean)),
        high=float(max(min(ends[1], high), mean)),
        level=level,
        kind=kind,
    )


def _clustered(
    x: FloatArray, clusters: IntArray, low: float, high: float,
    rng: np.random.Generator, level: float,
) -> Estimate | Refusal:  # fmt: skip
    """The interval of a mean whose items come in clusters."""
    found = groups(clusters).summed(x[None], np.ones((1, x.size), dtype=np.bool_))
    have = int(found.units[0])
    refused = too_few_items("total", have, clustered=True)
    if refused is not None:
        return refused
    means, sizes = found.sums[0] / found.sizes[0], found.sizes[0]
    variance = float(cr2_variance(found)[0])
    enough = have >= LEAST_ITEMS["mean_t_interval"] and abs(skewness(means)) <= MAX_SKEW
    if variance > TIE**2 and (enough or have > MAX_BOUNDED):
        half = t_quantile((1 + level) / 2, float(satterthwaite(found)[0])) * sqrt(variance)
        ends, kind = np.array([x.mean() - half, x.mean() + half]), "CR2"
    elif float(np.ptp(sizes)) == 0:
        ends, kind = _gaffke((means - low) / (high - low), rng, level), "bounded"
        ends = low + ends * (high - low)
    else:
        need = LEAST_ITEMS["mean_t_interval"]
        return Refusal(
            statistic="total", code=RefusalCode.ITEMS_NOT_INDEPENDENT.value, have=have, need=need,
        )  # fmt: skip
    return _within(x, ends, low, high, n=have, level=level, kind=kind)


def _check(x: FloatArray, *, low: float, high: float, level: float) -> None:
    if x.ndim != 1:
        raise ValueError(f"x must have shape (I,), got {x.shape}")
    if not (isfinite(low) and isfinite(high) and low < high):
        raise ValueError(f"the scale {low} to {high} is empty")
    if not 0 < level < 1:
        raise ValueError(f"level must be within (0, 1), got {level}")
    slack = 1e-9 * (high - low)
    off = np.isfinite(x) & ((x < low - slack) | (x > high + slack))
    if off.any():
        raise ValueError(f"{x[off][0]} lies off the scale {low} to {high}")


def _student(x: FloatArray, level: float) -> FloatArray:
    half = t_quantile((1 + level) / 2, x.size - 1) * float(x.std(ddof=1)) / sqrt(x.size)
    return np.array([x.mean() - half, x.mean() + half])


def _gaffke(x: FloatArray, rng: np.random.Generator, level: float) -> FloatArray:
    """Ends of Gaffke's interval for values in [0, 1].

    The spacings of sorted uniforms are Dirichlet weights, so the upper bound is a
    quantile of the weighted mean of the sample and one extra value at 1, the
    lower bound of the sample and one at 0. Equal values share one gamma draw.
    """
    values, repeats = np.unique(np.round(x, _DECIMALS), return_counts=True)
    weights = rng.standard_gamma(np.append(repeats, 1.0), size=(DRAWS, values.size + 1))
    weights /= weights.sum(axis=1, keepdims=True)
    inner = weights[:, :-1] @ values
    tail = (1 - level) / 2
    return np.array([np.quantile(inner, tail), np.quantile(inner + weights[:, -1], 1 - tail)])


def clopper_pearson(k: int, n: int, *, level: float = 0.95) -> Estimate | Refusal:
    """Share k of n with its exact interval, such as outputs answered of planned.

    Args:
        k: Successes.
        n: Trials.
        level: Confidence.

    Returns:
        Share in [0, 1], ``kind`` "exact". `Refusal` with ``nothing_scored`` at n = 0.

    Raises:
        ValueError: Not 0 ≤ k ≤ n, or `level` not within (0, 1).

    Source:
        Clopper & Pearson (1934).

    >>> found = clopper_pearson(1, 10)
    >>> round(found.low, 6), round(found.high, 6)
    (0.002529, 0.445016)
    """
    if not 0 <= k <= n or not 0 < level < 1:
        raise ValueError(f"no share {k} of {n} at level {level}")
    if n == 0:
        return Refusal(
            statistic="answered_rate", code=RefusalCode.NOTHING_SCORED.value, have=0, need=1
        )
    tail = (1 - level) / 2
    low = float(betaincinv(k, n - k + 1, tail)) if k else 0.0
    high = float(betaincinv(k + 1, n - k, 1 - tail)) if k < n else 1.0
    return Estimate(value=k / n, n=n, low=low, high=high, level=level, kind="exact")


def item_share(hits: FloatArray, counts: FloatArray, *, level: float = 0.95) -> Estimate:
    """Share of things counted item by item, such as pairs of arms ordered alike.

    What is counted on one item hangs together, so that the item is the unit: the exact
    interval is taken at the number of things that would be as uncertain if they did not.

    Args:
        hits: Shape (I,), of the things of each item.
        counts: Shape (I,), things of each item, at least one in all.
        level: Confidence.

    Returns:
        Share in [0, 1], ``n`` the things counted, ``kind`` "exact-items"; without an
        interval below five items, or where all of them have the same share.

    Source:
        Korn & Graubard (1998).
    """
    used = counts > 0
    n, k = float(counts.sum()), int(used.sum())
    share = float(hits.sum() / n)
    spread = hits[used] - share * counts[used]
    variance = float((spread**2).sum()) * k / max(k - 1, 1) / n**2
    plain = Estimate(value=share, n=int(n))
    if k < _SHARE_ITEMS or variance <= TIE**2:
        why = RefusalCode.TOO_FEW_ITEMS if k < _SHARE_ITEMS else RefusalCode.ZERO_SPREAD
        return replace(plain, no_interval=why.value)
    fewer = (stdtrit(n - 1, (1 + level) / 2) / stdtrit(k - 1, (1 + level) / 2)) ** 2
    alike = min(n, share * (1 - share) / variance * float(fewer))
    tail, x = (1 - level) / 2, share * alike
    return replace(
        plain,
        low=float(betaincinv(x, alike - x + 1, tail)),
        high=float(betaincinv(x + 1, alike - x, 1 - tail)),
        level=level,
        kind="exact-items",
    )


def median_interval(
    x: FloatArray, *, level: float = 0.95, clusters: IntArray | None = None
) -> Estimate | Refusal:
    """Median over items with its distribution-free interval from order statistics.

    Args:
        x: Shape (I,), scale points, NaN for items without a scored cell.
        level: Confidence, reached or exceeded.
        clusters: Shape (I,), the cluster of each item; None where items are independent.

    Returns:
        The median, ``kind`` "order"; without an interval where both ends fall on
        one mark, for that is no certainty. `Refusal` with ``too_few_items`` below
        six items, or more where `level` asks for them: no such interval exists;
        ``items_not_independent`` where two items are of one cluster.

    Raises:
        ValueError: `x` is not one-dimensional or `level` not within (0, 1).

    Source:
        Hettmansperger & Sheather (1986), the interval without interpolation.
    """
    if x.ndim != 1 or not 0 < level < 1:
        raise ValueError(f"x of shape {x.shape} at level {level}")
    there = np.isfinite(x)
    if clusters is not None and np.unique(clusters[there]).size < there.sum():
        return Refusal(
            statistic="median", code=RefusalCode.ITEMS_NOT_INDEPENDENT.value,
            have=int(np.unique(clusters[there]).size), need=int(there.sum()),
        )  # fmt: skip
    x = np.sort(x[there])
    refused = too_few_items("median", x.size)
    if refused is not None:
        return refused
    depth = 0
    while 2 * float(bdtr(depth, x.size, 0.5)) <= 1 - level:
        depth += 1
    if not depth:
        return Refusal(
            statistic="median", code=RefusalCode.TOO_FEW_ITEMS.value, have=x.size, need=x.size + 1
        )
    value, low, high = float(np.median(x)), float(x[depth - 1]), float(x[x.size - depth])
    if high - low <= TIE:
        return Estimate(value=value, n=int(x.size), no_interval=RefusalCode.ZERO_SPREAD.value)
    return Estimate(value=value, n=int(x.size), low=low, high=high, level=level, kind="order")
