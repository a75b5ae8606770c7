"""Items that come in families: the mean of item differences with clusters above items."""

from math import sqrt

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.stats.arrays import FloatArray, IntArray
from judgebench.stats.cr2 import Summed, cr2_variance, groups, satterthwaite
from judgebench.stats.intervals import t_quantile
from judgebench.stats.levels import too_few_items
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
        `Refusal` with ``too_few_clusters`` below three, ``zero_spread``
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
    found = _summed(d, clusters)
    have = int(found.units[0])
    if (few := too_few_items("clustered_mean", have, clustered=True)) is not None:
        return few
    mean, variance = float(d.mean()), float(cr2_variance(found)[0])
    if variance <= _TIE * (1 + float(np.abs(d).max()) ** 2):
        return Refusal(
            statistic="clustered_mean", code=RefusalCode.ZERO_SPREAD.value, have=0, need=1
        )
    df, se = float(satterthwaite(found)[0]), sqrt(variance)
    half = t_quantile((1 + level) / 2, df) * se
    return Estimate(
        value=mean,
        n=have,
        low=mean - half,
        high=mean + half,
        level=level,
        kind="CR2",
        p=float(min(1.0, 2 * stdtr(df, -abs(mean) / se))),
    )


def _summed(d: FloatArray, clusters: IntArray) -> Summed:
    """One row of items, all of them there; no item makes no cluster."""
    if not d.size:
        return Summed(sums=np.zeros((1, 0)), sizes=np.zeros((1, 0)))
    return groups(clusters).summed(d[None], np.ones((1, d.size), dtype=np.bool_))
