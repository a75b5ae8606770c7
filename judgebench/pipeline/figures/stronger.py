"""How arms stand by strengths, where they met other opponents and shares are not compared."""

from collections.abc import Sequence
from dataclasses import field

import numpy as np

from judgebench.pipeline.figures.compared import Compared
from judgebench.pipeline.figures.comparing import among, arms_met, fitted
from judgebench.records import dataclass
from judgebench.stats.arrays import BoolArray, IntArray
from judgebench.stats.pairs import PairTable
from judgebench.stats.pairwise import Strengths
from judgebench.stats.ranks import TableOrder
from judgebench.stats.strength_pairs import renumbered, strength_pairs, strongest


@dataclass(frozen=True, kw_only=True)
class ByStrengths:
    """The strengths of all arms that were compared.

    Args:
        found: As fitted; arm k there is arm `met[k]` of the run.
        met: Codes of the arms, ascending.
        n_arms: Arms of the run.
    """

    found: Strengths = field(repr=False)
    met: tuple[int, ...]
    n_arms: int

    @property
    def table(self) -> PairTable:
        """Their differences, which separate pairs by Holm."""
        return renumbered(strength_pairs(self.found), self.met)

    def best(self, firm: BoolArray) -> tuple[int, ...]:
        """Arms that may be best; none leaves by a pair that blocked answers could turn."""
        among_ = firm[np.ix_(self.met, self.met)]
        return tuple(self.met[at] for at in strongest(self.found, firm=among_))

    def order(self, placed: Sequence[bool]) -> TableOrder:
        """The strongest first, arms without a comparison last; the reference is placed if any is.

        Args:
            placed: Whether each arm of the run stands in a place.
        """
        worth = {arm: one.value for arm, one in zip(self.met, self.found.arms, strict=True)}
        order = sorted(
            range(self.n_arms), key=lambda arm: (arm not in worth, -worth.get(arm, 0.0), arm)
        )
        stands = [arm for arm in order if arm in worth and placed[arm]]
        return TableOrder(order=tuple(order), reference=(stands or order)[0], differs=False)


def by_strengths(compared: Compared, n_arms: int, clusters: IntArray | None) -> ByStrengths | None:
    """Strengths of the comparisons; None where they are not determined."""
    data = compared.decided(n_arms)
    met = arms_met(data)
    order = bool(compared.ordered.all())
    found = fitted(among(data, met), reference=0, order=order, clusters=clusters)
    if not isinstance(found, Strengths):
        return None
    return ByStrengths(found=found, met=tuple(met.tolist()), n_arms=n_arms)
