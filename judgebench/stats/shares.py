"""Arms compared by the shares of comparisons that they won.

A share is no rounded mark. All comparisons of an item may fall one way by chance, and those
in both orders fall together, so items that agree are coins that fell alike: no test of n
of them is below 2^(1−n), and the floor of rounding, which `pairs` has, knows nothing of it.
"""

from dataclasses import replace

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray
from judgebench.stats.cluster_flips import clustered_sign_flip
from judgebench.stats.flips import sign_flip
from judgebench.stats.levels import too_few_items
from judgebench.stats.pairs import Pair, PairTable, holm

_SEED = 1935


def by_shares(table: PairTable) -> PairTable:
    """The table where cells are shares won, in [0, 1].

    Args:
        table: From `pairs.all_pairs`.

    Returns:
        A difference is refused with ``too_few_items`` (``too_few_clusters``) below six items
        (clusters); its p is 2^(1−n) at least. Where differences spread no more than rounding
        would have them, its interval is the bounded one at the level of the table, of values
        that are all the mean, in place of Student's t; ``kind`` "bounded". Holm's p and
        `separated` are decided anew.

    Source:
        Fisher (1935) for the least p of a sign flip; Gaffke (2005), whose lower end for n equal
        values y in [0, 1] is y·tail^(1/n).
    """
    tail = table.alpha / table.comparisons / 2
    told = [_told(pair, tail) for pair in table.pairs]
    p = [1.0 if isinstance(one.difference, Refusal) else one.difference.p for one in told]
    adjusted = holm(np.array(p, dtype=np.float64)).tolist()
    made = (_decided(one, own, table.alpha) for one, own in zip(told, adjusted, strict=True))
    return replace(table, pairs=tuple(made))


def _decided(pair: Pair, p_holm: float, alpha: float) -> Pair:
    if isinstance(pair.difference, Refusal):
        return replace(pair, p_holm=None, p_max_t=None, separated=None)
    made = replace(pair, p_holm=p_holm)
    return replace(made, separated=made.p is not None and made.p <= alpha)


def least_p(units: int) -> float:
    """Two-sided p of `units` items that all fall alike, a power of ½.

    >>> least_p(6)
    0.03125
    """
    return float(min(1.0, 2.0 ** (1 - units)))


def told_by_flips(
    cells: FloatArray,
    first: IntArray,
    second: IntArray,
    asked: BoolArray,
    level: float,
    clusters: IntArray | None,
) -> BoolArray:
    """Which pairs one-sided sign flips over items tell apart, each by itself.

    Args:
        cells: Shape (A, I), shares in [0, 1], NaN where an arm has none.
        first: Shape (P,), one arm of each pair.
        second: Shape (P,), the other.
        asked: Shape (P,), pairs that are tested at all.
        level: Confidence of each test.
        clusters: Shape (I,), whole clusters are flipped; None where items are independent.

    Returns:
        Shape (P,); False for a pair that is not asked, or shares fewer than six items.

    Source:
        Fisher (1935). A two-sided p of symmetric flips is twice the one-sided.
    """
    told = np.zeros(first.size, dtype=np.bool_)
    for at in np.flatnonzero(asked).tolist():
        d, rng = cells[first[at]] - cells[second[at]], np.random.default_rng(_SEED)
        found = sign_flip(d, rng) if clusters is None else clustered_sign_flip(d, clusters, rng)
        p = None if isinstance(found, Refusal) else found.p
        told[at] = p is not None and p / 2 <= 1 - level
    return told


def _told(pair: Pair, tail: float) -> Pair:
    found = pair.difference
    if isinstance(found, Refusal):
        return pair
    refused = too_few_items("share_difference", pair.units, clustered=pair.clusters is not None)
    if refused is not None:
        return replace(pair, difference=replace(refused, statistic="difference"), floored=False)
    found = replace(found, p=max(found.p or 0.0, least_p(pair.units)))
    return replace(
        pair,
        difference=_bounded(found, pair.units, tail) if pair.floored else found,
        floored=False,
    )


def _bounded(found: Estimate, units: int, tail: float) -> Estimate:
    """Gaffke's ends for equal values on [−1, 1]."""
    low, high = (2 * end - 1 for end in equal_ends((found.value + 1) / 2, units, tail))
    return replace(found, low=min(low, found.value), high=max(high, found.value), kind="bounded")


def equal_ends(share: float, units: int, tail: float) -> tuple[float, float]:
    """Ends of the interval of a mean of equal values.

    Args:
        share: Each value, in [0, 1].
        units: How many there are.
        tail: Chance of error at each end.

    Returns:
        Lower and upper end, in [0, 1].

    Source:
        Gaffke (2005).

    >>> tuple(round(end, 3) for end in equal_ends(1.0, 10, 0.025))
    (0.692, 1.0)
    """
    share, root = float(np.clip(share, 0.0, 1.0)), tail ** (1 / units)
    return share * root, 1 - (1 - share) * root
