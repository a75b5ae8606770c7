"""Rankings of several arms at once: strengths from lists.

Input is places, one row a list, one column an arm: 1 the best, equal places are ties,
NaN where the arm was not in the list. Items are the unit: errors are clustered by item.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.stats.arrays import TIE, FloatArray, IntArray
from judgebench.stats.carried import sandwich
from judgebench.stats.levels import too_few_items
from judgebench.stats.pairwise import linked_groups

_STEPS = 100
_CELLS = 2_000_000


@dataclass(frozen=True, slots=True)
class _Fit:
    theta: FloatArray
    scores: FloatArray
    """Shape (L, A): score of each list."""
    information: FloatArray


def plackett_luce(
    places: FloatArray,
    items: IntArray,
    *,
    reference: int = 0,
    level: float = 0.95,
    clusters: IntArray | None = None,
) -> tuple[Estimate, ...] | Refusal:
    """Plackett–Luce strengths on the log scale, relative to an arm, with item-clustered errors.

    Arms on one place are chosen together, each from all that are not placed above them:
    ties stay blocks and are never broken by a draw.

    Args:
        places: Shape (L, A); smaller is better, NaN where an arm was not in the list.
        items: Shape (L,), integer codes.
        reference: Arm with strength 0 and no interval.
        level: Confidence.
        clusters: Shape (I,), the cluster of each item; errors are clustered by it, and what
            is said of items holds of clusters. None where items are independent.

    Returns:
        One estimate an arm, sandwich intervals with t, both on the items that carry it
        (`carried.Sandwich`); none where fewer than three do. `Refusal` with
        ``too_few_arms``, ``too_few_items`` or ``too_few_clusters`` below six,
        ``disconnected`` where some group of arms is never placed above, or beside, the
        others, ``zero_spread`` where all items tell the same, ``not_finite`` where the fit
        diverges.

    Raises:
        ValueError: Shapes do not fit, or `reference` lies off the axis.

    Source:
        Plackett (1975); Hunter (2004); blocks as Breslow (1974) takes ties.
    """
    if places.ndim != 2 or items.shape != (places.shape[0],):  # noqa: PLR2004 - two axes
        raise ValueError(f"places of shape {places.shape}, items of shape {items.shape}")
    if not 0 <= reference < places.shape[1]:
        raise ValueError(f"no arm {reference} among {places.shape[1]}")
    used = np.isfinite(places).sum(axis=1) > 1
    places, items = places[used], items[used]
    units = items if clusters is None else clusters[items]
    refused = _refuse(places, units, clustered=clusters is not None)
    if refused is not None:
        return refused
    fit = _newton(places, reference)
    if fit is None:
        return _refusal(RefusalCode.NOT_FINITE, 0, 1)
    _, codes = np.unique(units, return_inverse=True)
    n = int(codes.max()) + 1
    keep = np.arange(places.shape[1]) != reference
    sums = np.zeros((n, int(keep.sum())))
    np.add.at(sums, codes, fit.scores[:, keep])
    inner = np.ix_(keep, keep)
    parts = (part[:, keep][:, :, keep] for part in _by_unit(places, fit.theta, codes))
    errors = sandwich(sums, fit.information[inner], parts)
    theta = fit.theta[keep].tolist()
    found = [errors.estimate(value, at, level=level) for at, value in enumerate(theta)]
    arms = [one for one in found if one is not None]
    if len(arms) < len(found):
        return _refusal(RefusalCode.ZERO_SPREAD, 0, 1)
    return (*arms[:reference], Estimate(value=0.0, n=n), *arms[reference:])


def _by_unit(places: FloatArray, theta: FloatArray, codes: IntArray) -> Iterator[FloatArray]:
    """Information of some units at a time, shapes (·, A, A).

    Args:
        places: As `plackett_luce`.
        theta: Strengths of the arms.
        codes: Shape (L,), the unit of each list, from 0 without gaps.
    """
    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes))
    begun = np.concatenate([[0], ends[:-1]])
    lists, unit, n = _block(theta.size), 0, ends.size
    while unit < n:
        last = max(unit + 1, int(np.searchsorted(ends, begun[unit] + lists, side="right")))
        at = order[begun[unit] : ends[last - 1]]
        p = _chosen(places[at], np.exp(theta - theta.max()))
        each = -(p.transpose(0, 2, 1) @ p)
        each[:, np.arange(theta.size), np.arange(theta.size)] += p.sum(axis=1)
        yield np.add.reduceat(each, begun[unit:last] - begun[unit], axis=0)
        unit = last


def unlinked_arms(places: FloatArray) -> tuple[tuple[int, ...], ...]:
    """Groups of arms between which no strength is determined.

    Args:
        places: Shape (L, A), as `plackett_luce`.

    Returns:
        The strongly connected groups of the graph "stood above, or beside"; a single group
        means that all strengths are finite.
    """
    a = places.shape[1]
    above = np.zeros((a, a), dtype=np.bool_)
    for start in range(0, len(places), block := _block(a)):
        some = places[start : start + block]
        above |= (some[:, :, None] <= some[:, None, :]).any(axis=0)
    return linked_groups(above)


def _block(arms: int) -> int:
    """Lists that are looked at together, so that many lists of many arms need no more memory."""
    return max(1, _CELLS // max(1, arms * arms))


def _refusal(code: RefusalCode, have: float, need: float) -> Refusal:
    return Refusal(statistic="plackett_luce", code=code.value, have=have, need=need)


def _refuse(places: FloatArray, units: IntArray, *, clustered: bool) -> Refusal | None:
    a = places.shape[1]
    if a < 2:  # noqa: PLR2004 - a ranking needs two
        return _refusal(RefusalCode.TOO_FEW_ARMS, a, 2)
    refused = too_few_items("plackett_luce", int(np.unique(units).size), clustered=clustered)
    if refused is not None:
        return refused
    groups = unlinked_arms(places)
    return _refusal(RefusalCode.DISCONNECTED, len(groups), 1) if len(groups) > 1 else None


def _newton(places: FloatArray, reference: int) -> _Fit | None:
    theta = np.zeros(places.shape[1])
    keep = np.arange(theta.size) != reference
    for _ in range(_STEPS):
        scores, information = _slopes(places, theta)
        inner = information[np.ix_(keep, keep)]
        if np.linalg.cond(inner) > 1 / TIE**1.3:
            return None
        step = np.linalg.solve(inner, scores.sum(axis=0)[keep])
        size = float(np.abs(step).max())
        if size < TIE:
            return _Fit(theta, scores, information)
        theta[keep] += step * min(1.0, 2.0 / size)
    return None


def _slopes(places: FloatArray, theta: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Score of each list, shape (L, A), and the information of all of them."""
    weight = np.exp(theta - theta.max())
    scores = np.empty(places.shape)
    information = np.zeros((theta.size, theta.size))
    for start in range(0, len(places), block := _block(theta.size)):
        some = places[start : start + block]
        p = _chosen(some, weight)
        scores[start : start + block] = np.isfinite(some) - p.sum(axis=1)
        rows = p.reshape(-1, theta.size)
        information += np.diag(rows.sum(axis=0)) - rows.T @ rows
    return scores, information


def _chosen(places: FloatArray, weight: FloatArray) -> FloatArray:
    """Probability of each arm (last axis) when that of the middle axis was chosen."""
    # Who can still be chosen then: all that stand no higher.
    left = (places[:, None, :] >= places[:, :, None]) & np.isfinite(places)[:, :, None]
    p = left * weight
    p /= np.maximum(p.sum(axis=2, keepdims=True), 1e-300)
    return np.asarray(p, dtype=np.float64)
