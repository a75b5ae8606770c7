"""Intervals of one mean and of one share.

Input is one array of shape (N,), a row an item, in scale points; NaN is no
mark. Output is an `Estimate` or a `Refusal`. Nothing here compares arms.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, stdtr, stdtrit

from judgebench.model import Estimate, Refusal, RefusalCode

FloatArray = NDArray[np.float64]

MIN_ITEMS = 3
T_FROM = 30
GAFFKE_TO = 300
MOST_SKEW = 1.0
GAFFKE_DRAWS = 10_000
GAFFKE_SEED = 20_250_905


def t_quantile(p: float, df: float) -> float:
    """Quantile of Student's t: the value that a share `p` lies below."""
    return float(stdtrit(df, p))


def t_two_sided(statistic: float, df: float) -> float:
    """Two-sided p-value of a t statistic."""
    return float(2 * stdtr(df, -abs(statistic)))


def clopper_pearson(k: int, n: int, *, level: float = 0.95) -> Estimate | Refusal:
    """A share with its exact binomial interval.

    Args:
        k: Successes, 0 to `n`.
        n: Trials.
        level: Nominal interval coverage.

    Returns:
        Share in [0, 1] with `kind` ``exact``. `Refusal` ``nothing_scored`` at n = 0.

    Source:
        Clopper & Pearson (1934), Biometrika 26, 404.
    """
    if n <= 0:
        return Refusal(
            statistic="answered_rate", code=RefusalCode.NOTHING_SCORED, have=0, need=1,
            how="plan at least one item",
        )  # fmt: skip
    tail = (1 - level) / 2
    low = 0.0 if k == 0 else float(betaincinv(k, n - k + 1, tail))
    high = 1.0 if k == n else float(betaincinv(k + 1, n - k, 1 - tail))
    return Estimate(value=k / n, n=n, low=low, high=high, level=level, kind="exact")


def skewness(x: FloatArray) -> float:
    """Skewness m3 / m2^1.5 of a sample, 0 where it has no spread."""
    centred = x - x.mean()
    m2 = float(np.mean(centred**2))
    # Compare the marks themselves: rounding can leave a variance of 1e-34 behind.
    if float(x.min()) == float(x.max()):
        return 0.0
    return float(np.mean(centred**3)) / float(m2**1.5)


def mean_interval(
    x: FloatArray, *, low: float, high: float, level: float = 0.95, statistic: str = "total"
) -> Estimate | Refusal:
    """Mean of one arm over items with an interval for items like these.

    Student's t from 30 items where |skewness| ≤ 1, and above 300 items always;
    else the bounded-mean interval of Gaffke, which needs no shape but the ends
    of the scale (its validity is strongly supported, not proven).

    Args:
        x: Shape (N,), totals in scale points, NaN where an item has none.
        low: Lower end of the scale.
        high: Upper end of the scale.
        level: Nominal interval coverage.
        statistic: Name in a refusal.

    Returns:
        `Estimate` with `kind` ``t`` or ``bounded``, clipped to the scale; `Refusal`
        ``too_few_items`` below 3 items.

    Source:
        Miller (2024), arXiv 2411.00640; Gaffke (2005); Phan, Thomas &
        Learned-Miller (2021), arXiv 2106.03163.
    """
    x = x[~np.isnan(x)]
    n = int(x.size)
    if n < MIN_ITEMS:
        return Refusal(
            statistic=statistic, code=RefusalCode.TOO_FEW_ITEMS, have=n, need=MIN_ITEMS,
            how="add items, not repeats",
        )  # fmt: skip
    mean = float(x.mean())
    flat = float(x.min()) == float(x.max())
    if n > GAFFKE_TO or (n >= T_FROM and abs(skewness(x)) <= MOST_SKEW and not flat):
        half = t_quantile((1 + level) / 2, n - 1) * float(x.std(ddof=1)) / n**0.5
        if half > 0:
            return Estimate(
                value=mean, n=n, low=max(low, mean - half), high=min(high, mean + half),
                level=level, kind="t",
            )  # fmt: skip
    bottom, top = _gaffke(np.clip((x - low) / (high - low), 0, 1), level)
    return Estimate(
        value=mean, n=n, low=low + (high - low) * bottom, high=low + (high - low) * top,
        level=level, kind="bounded",
    )  # fmt: skip


def _gaffke(x: FloatArray, level: float) -> tuple[float, float]:
    """Both ends for values in [0, 1], from one fixed draw: equal data, equal digits."""
    rng = np.random.Generator(np.random.PCG64(GAFFKE_SEED))
    uniforms = np.sort(rng.random((GAFFKE_DRAWS, x.size)), axis=1)
    tail = (1 - level) / 2
    gaps = np.diff(uniforms, axis=1, prepend=0.0)
    ordered = np.sort(x)
    upper = gaps @ ordered + (1 - uniforms[:, -1])
    lower = 1 - (gaps @ np.sort(1 - x) + (1 - uniforms[:, -1]))
    return float(np.quantile(lower, tail)), float(np.quantile(upper, 1 - tail))
