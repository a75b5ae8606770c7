"""Items that come in families: the mean of item differences with clusters above items."""

from math import sqrt

import numpy as np

from judgebench.model import Estimate, Refusal, RefusalCode
from judgebench.stats.arrays import FloatArray, IntArray
from judgebench.stats.intervals import t_quantile
from judgebench.stats.levels import LEAST_ITEMS
from judgebench.stats.special import stdtr

_TIE = 1e-12


def clustered_mean(d: FloatArray, clusters: IntArray, *, level: float = 0.95) -> Estimate | Refusal:
    """Mean of item differences whose items hang together in clusters: CR2.

    Args:
        d: Shape (N,), item differences in scale points; NaN is left out.
        clusters: Shape (N,), the family or document of each item, integer codes.
        level: Confidence.

    Returns:
        Mean over items, ``n`` clusters, ``kind`` "CR2" with Satterthwaite degrees
        of freedom, two-sided ``p``. Equal-sized clusters give Student's t on the
        cluster means. At three to five clusters few say much: the caller flags it.
        `Refusal` with ``too_few_items`` below three clusters, ``zero_spread``
        where cluster sums do not spread.

    Raises:
        ValueError: Shapes differ or `level` not within (0, 1).

    Source:
        Bell & McCaffrey (2002); Pustejovsky & Tipton (2018), working independence.
    """
    if d.ndim != 1 or d.shape != clusters.shape or not 0 < level < 1:
        raise ValueError("d and clusters must share one shape (N,), level lie within (0, 1)")
    there = np.isfinite(d)
    d, clusters = d[there], clusters[there]
    names, places = np.unique(clusters, return_inverse=True)
    need = LEAST_ITEMS["clustered_mean"]
    if names.size < need:
        return Refusal(
            statistic="clustered_mean",
            code=RefusalCode.TOO_FEW_ITEMS.value,
            have=int(names.size),
            need=need,
            how="counted in clusters",
        )
    sizes = np.bincount(places).astype(np.float64)
    mean, n = float(d.mean()), float(d.size)
    sums = np.bincount(places, weights=d - mean)
    # For a mean the adjustment of a cluster of m items is (1 − m/N)^(−1/2) on its sum.
    adjusted = sums / np.sqrt(1 - sizes / n)
    variance = float((adjusted**2).sum()) / n**2
    if variance <= _TIE * (1 + float(np.abs(d).max()) ** 2):
        return Refusal(
            statistic="clustered_mean", code=RefusalCode.ZERO_SPREAD.value, have=0, need=1
        )
    df, se = _satterthwaite(sizes), sqrt(variance)
    half = t_quantile((1 + level) / 2, df) * se
    return Estimate(
        value=mean,
        n=int(names.size),
        low=mean - half,
        high=mean + half,
        level=level,
        kind="CR2",
        p=float(min(1.0, 2 * stdtr(df, -abs(mean) / se))),
    )


def _satterthwaite(sizes: FloatArray) -> float:
    """Degrees of freedom of the CR2 variance where items are equally noisy.

    The variance is Σ g_i² with g_i linear in the data; their covariance is
    B_ij = c_i c_j (m_i δ_ij − m_i m_j / N), c_i = (1 − m_i/N)^(−1/2).
    """
    n = float(sizes.sum())
    c = 1 / np.sqrt(1 - sizes / n)
    b = np.outer(c, c) * (np.diag(sizes) - np.outer(sizes, sizes) / n)
    return float(np.trace(b)) ** 2 / float((b**2).sum())
