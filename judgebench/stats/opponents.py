"""Whether the shares that arms won are of the same thing: against whom each was compared.

The share of a cell is won against the opponents that its arm met on the item. Of two arms
with other opponents the difference of shares is of the opponents too; of arms that no chain
of comparisons joins it is of nothing else. Input is `pairwise.Comparisons`.
"""

from collections.abc import Sequence
from dataclasses import field

import numpy as np

from judgebench.model.nouns import Refusal
from judgebench.model.reasons import NEVER_MET, RefusalCode
from judgebench.records import dataclass
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray
from judgebench.stats.pairwise import Comparisons, linked_groups

UNLIKE_LIMIT = 0.1
"""Share of other opponents above which two arms are not held against each other."""
_CLOSE = 1e-9


@dataclass(frozen=True, kw_only=True)
class Opponents:
    """Who met whom, as far as shares won depend on it.

    Args:
        unlike: Shape (A, A), share of the comparisons of two arms on their shared items that
            were with other opponents, in [0, 1]: the most that these add to the difference.
        groups: Arms that a chain of comparisons joins; each arm that met another is in one.
    """

    unlike: FloatArray = field(repr=False)
    groups: tuple[tuple[int, ...], ...]

    @property
    def apart(self) -> BoolArray:
        """Shape (A, A), symmetric: pairs whose shares are not held against each other."""
        return np.asarray(self.unlike > UNLIKE_LIMIT, dtype=np.bool_)

    def among(self, arms: Sequence[int]) -> "Opponents":
        """Of some arms alone, numbered anew; whom they met stays."""
        at = {arm: place for place, arm in enumerate(arms)}
        left = (tuple(at[arm] for arm in group if arm in at) for group in self.groups)
        return Opponents(
            unlike=self.unlike[np.ix_(arms, arms)], groups=tuple(group for group in left if group)
        )

    def split(self, statistic: str) -> Refusal | None:
        """Why nothing is said over all arms; None where one chain joins them."""
        if len(self.groups) < 2:  # noqa: PLR2004 - one group is all
            return None
        return Refusal(
            statistic=statistic, code=RefusalCode.DISCONNECTED.value, have=len(self.groups),
            need=1, how=NEVER_MET,
        )  # fmt: skip

    def over_all(self, statistic: str) -> Refusal | None:
        """Why nothing is said that takes every pair of arms; None where each pair is compared."""
        if (refused := self.split(statistic)) is not None:
            return refused
        return _unequal(statistic, float(self.unlike.max())) if self.apart.any() else None

    def between(self, first: int, second: int, statistic: str) -> Refusal | None:
        """Why nothing is said of two arms; None where they met the same opponents."""
        if not self.apart[first, second]:
            return None
        joined = any(first in group and second in group for group in self.groups)
        if not joined and (refused := self.split(statistic)) is not None:
            return refused
        return _unequal(statistic, float(self.unlike[first, second]))


def _unequal(statistic: str, unlike: float) -> Refusal:
    return Refusal(
        statistic=statistic, code=RefusalCode.UNEQUAL_OPPONENTS.value, have=round(1 - unlike, 4),
        need=1 - UNLIKE_LIMIT,
    )  # fmt: skip


def unshared(cells: FloatArray, statistic: str) -> Refusal | None:
    """Why nothing is said over all arms that were marked; None where shared items join them.

    Args:
        cells: Shape (A, I), NaN where an arm has no total; arms without any are left out.
        statistic: What is refused.

    Returns:
        ``disconnected`` with the number of groups that share no item, or None.

    Source:
        Connectedness of an incomplete design, Searle (1971).
    """
    there = np.isfinite(cells)
    there = there[there.any(axis=1)].astype(np.float64)
    links = there @ there.T > 0
    if links.all():
        return None
    groups = linked_groups(links)
    if len(groups) < 2:  # noqa: PLR2004 - one group is all
        return None
    return Refusal(
        statistic=statistic, code=RefusalCode.DISCONNECTED.value, have=len(groups), need=1,
        how="marks of all arms on the same items",
    )  # fmt: skip


def opponents(data: Comparisons) -> Opponents:
    """Whom the arms met, item by item.

    Two arms met the same opponents on an item where each of the others took the same share
    of the comparisons of both; each other they meet alike. Half the sum of what differs,
    averaged over the items that both have, bounds what opponents add to the difference.

    Args:
        data: Comparisons that count.

    Returns:
        Zero between all arms where every item compares all its arms equally often.

    Source:
        Total variation distance; Manski (2003) for bounds without a model; own rule,
        docs/statistics.md.
    """
    n = data.n_arms
    sums, items = np.zeros((n, n)), np.zeros((n, n))
    order = np.argsort(data.item, kind="stable")
    starts = np.unique(data.item[order], return_index=True)[1]
    for rows in np.split(order, starts[1:]) if order.size else ():
        arms, met = _met(data, rows)
        at = np.ix_(arms, arms)
        items[at] += 1
        apart = ~np.eye(arms.size, dtype=np.bool_)
        # Where all met each other equally often nothing differs.
        if np.ptp(met[apart]) > 0:
            sums[at] += _distance(met)
    unlike = np.where(items > 0, sums / np.maximum(items, 1), 0.0)
    unlike[unlike < _CLOSE] = 0.0
    links = np.zeros((n, n), dtype=np.bool_)
    links[data.first, data.second] = links[data.second, data.first] = True
    there = np.flatnonzero(links.any(axis=1))
    groups = tuple(
        tuple(int(there[at]) for at in group)
        for group in linked_groups(links[np.ix_(there, there)])
    )
    if len(groups) > 1:
        group_of = np.full(n, -1)
        for place, group in enumerate(groups):
            group_of[list(group)] = place
        known = group_of >= 0
        unlike[(group_of[:, None] != group_of) & known[:, None] & known] = 1.0
    return Opponents(unlike=unlike, groups=groups)


def _met(data: Comparisons, rows: IntArray) -> tuple[IntArray, FloatArray]:
    """Arms of an item, and how often each two of them were compared on it."""
    first, second = data.first[rows], data.second[rows]
    arms = np.unique(np.concatenate([first, second]))
    met = np.zeros((arms.size, arms.size))
    a, b = np.searchsorted(arms, first), np.searchsorted(arms, second)
    np.add.at(met, (a, b), 1.0)
    np.add.at(met, (b, a), 1.0)
    return arms, met


def _distance(met: FloatArray) -> FloatArray:
    """Total variation distance of every two arms' opponents, each other taken as one."""
    shares = met / met.sum(axis=1, keepdims=True)
    halves = np.array([np.abs(shares - row).sum(axis=1) / 2 for row in shares])
    out = halves - np.minimum(shares, shares.T)
    np.fill_diagonal(out, 0.0)
    return np.asarray(np.maximum(out, 0.0), dtype=np.float64)
