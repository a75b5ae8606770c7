"""Tests by flipping signs where items come in clusters: a cluster turns as a whole.

Under the null all differences of a cluster together are as likely to be their negatives;
what hangs together within it stays as it is.
"""

from collections.abc import Callable, Iterator

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.stats.arrays import FloatArray, IntArray
from judgebench.stats.cr2 import Summed, groups
from judgebench.stats.flips import p_of, sign_blocks, step_down
from judgebench.stats.levels import too_few_items

_CLOSE = 1e-9


def clustered_sign_flip(
    d: FloatArray, clusters: IntArray, rng: np.random.Generator
) -> Estimate | Refusal:
    """Mean difference with the p-value of the sign-flip test over whole clusters.

    Args:
        d: Shape (N,), differences of items in scale points; NaN is left out.
        clusters: Shape (N,), the cluster of each item, integer codes.
        rng: Generator for more than 16 clusters.

    Returns:
        Mean of `d` over items, ``n`` clusters, two-sided ``p``, ``kind`` "sign-flip".
        `Refusal` with ``too_few_clusters`` below six.

    Source:
        Fisher (1935); Winkler et al. (2014), exchangeability blocks flipped as wholes.
    """
    there = np.isfinite(d)
    d, clusters = d[there], clusters[there]
    have = int(np.unique(clusters).size)
    refused = too_few_items("sign_flip", have, clustered=True)
    if refused is not None:
        return refused
    sums = groups(clusters).summed(d[None], np.ones((1, d.size), dtype=np.bool_)).sums[0]
    bar = abs(float(sums.sum())) - _CLOSE * float(np.abs(sums).sum())
    hits = np.zeros(1)
    for signs in sign_blocks(have, rng):
        hits += np.count_nonzero(np.abs(signs @ sums) >= bar)
    return Estimate(value=float(d.mean()), n=have, kind="sign-flip", p=float(p_of(hits, have)[0]))


def clustered_max_t(
    d: FloatArray, floors: FloatArray, clusters: IntArray, rng: np.random.Generator
) -> FloatArray | Refusal:
    """Step-down max-T p-values of several mean differences, clusters flipped as wholes.

    Args:
        d: Shape (P, I), differences in scale points, NaN where a pair lacks the item.
        floors: Shape (P,), rounding floors as variances of an item, as `gaps.every_gap`.
        clusters: Shape (I,), the cluster of each item, integer codes.
        rng: Generator where there are more than 16 clusters.

    Returns:
        As `flips.max_t`, each flip studentised by CR2; ``too_few_clusters`` below six.

    Source:
        Westfall & Young (1993); Romano & Wolf (2005); Bell & McCaffrey (2002).
    """
    there = np.isfinite(d)
    if not d.shape[0]:
        return Refusal(statistic="difference", code=RefusalCode.TOO_FEW_ARMS.value, have=1, need=2)
    found = groups(clusters).summed(np.where(there, d, 0.0), there)
    refused = too_few_items("sign_flip", int(found.units.min()), clustered=True)
    if refused is not None:
        return refused
    used = found.sizes.any(axis=0)
    found = Summed(sums=found.sums[:, used], sizes=found.sizes[:, used])
    units = int(used.sum())

    def in_order(order: IntArray, blocks: Iterator[FloatArray]) -> Iterator[FloatArray]:
        part = Summed(sums=found.sums[order], sizes=found.sizes[order])
        return map(_studentised(part, floors[order]), blocks)

    (observed,) = next(in_order(np.arange(d.shape[0]), iter([np.ones((1, units))])))
    if not np.all(np.isfinite(observed)):
        return Refusal(statistic="difference", code=RefusalCode.ZERO_SPREAD.value, have=0, need=1)
    return step_down(observed, in_order, units, rng)


def _studentised(found: Summed, floors: FloatArray) -> Callable[[FloatArray], FloatArray]:
    """From signs (B, G) to |t| of each flip and pair.

    Of the squares Σ w (s D − m x̄)² only Σ s D and Σ s w m D move with the signs.
    """
    n, w, m, sums = found.n, found.weights, found.sizes, found.sums
    whole, base = (w * sums**2).sum(axis=1), (w * m**2).sum(axis=1)
    columns = np.ascontiguousarray(sums.T)
    crossed = np.ascontiguousarray((w * m * sums).T)

    def t_of(signs: FloatArray) -> FloatArray:
        mean = signs @ columns / n
        squares = whole - 2 * mean * (signs @ crossed) + mean**2 * base
        # Rounding leaves about 1e-16 of the squares where there is no spread.
        squares = np.where(squares > _CLOSE**1.5 * whole, squares, 0.0)
        se = np.sqrt(np.maximum(squares / n**2, floors / n))
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.abs(mean) / se
        return np.asarray(np.where((se == 0) & (mean == 0), 0.0, t), dtype=np.float64)

    return t_of
