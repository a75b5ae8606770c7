"""Arms and their differences by people's marks, alone and with the judge's on all other items.

Values in, values out: it reads no store.
"""

from collections.abc import Sequence

import numpy as np

from judgebench.model.nouns import Refusal
from judgebench.model.people import Corrected, CorrectedArm, PeoplePair
from judgebench.model.reasons import RefusalCode
from judgebench.pipeline.people.drawn import PACKETS, Drawn
from judgebench.records import dataclass
from judgebench.stats import human, pairs, ranks
from judgebench.stats.arrays import FloatArray, IntArray, lattice_step
from judgebench.stats.corrected import corrected_difference, corrected_mean
from judgebench.stats.strata import stratified_mean, weighted_mean
from judgebench.text import digest


@dataclass(frozen=True, kw_only=True, slots=True)
class ArmsByPeople:
    """Arms and pairs on one axis."""

    arms: tuple[CorrectedArm, ...]
    pairs: tuple[PeoplePair, ...]
    best: tuple[str, ...] | Refusal


@dataclass(frozen=True, kw_only=True)
class ByPeople:
    """What makes the figures of arms the same on every axis.

    Args:
        run: Name of the run; resampling is seeded by it.
        ids: Arms by their index.
        scale_step: Step of the scale.
        drawn: The labels that were drawn at random, and how.
        refused: Why no figure may be corrected by them; None where it may.
        clusters: Shape (I,), the cluster of each item; None where items are independent.
    """

    run: str
    ids: Sequence[str]
    scale_step: float
    drawn: Drawn
    refused: Refusal | None
    clusters: IntArray | None = None

    def arms(self, people: FloatArray, judge: FloatArray) -> ArmsByPeople:
        """Arms and pairs on one axis.

        Args:
            people: Shape (A, I, P), scale points, NaN where a person gave none.
            judge: Shape (A, I), the judge's.
        """
        cells, n = human.people_cells(people)
        ids = self.ids
        step = lattice_step(people, scale_step=self.scale_step)
        rng = np.random.default_rng(int(digest([self.run, "people"])[:8], 16))
        table = pairs.all_pairs(cells, n, step=step, rng=rng, clusters=self.clusters)
        best = ranks.possible_best(cells, n, step=step, clusters=self.clusters)
        floor = step**2 / 12
        uneven = _uneven() if self.drawn.how == PACKETS else None
        known = np.isfinite(cells)
        arms = tuple(
            CorrectedArm(
                arm=arm,
                people=self._people_mean(at, cells[at], judge[at]),
                items=int(known[at].sum()),
                figure=self.refused or self._mean(at, cells[at], judge[at], floor),
            )
            for at, arm in enumerate(ids)
            if known[at].any()
        )
        made = tuple(
            PeoplePair(
                first=ids[pair.first],
                second=ids[pair.second],
                shared=pair.shared,
                alone=uneven or pairs.jointly(pair.difference, table.comparisons),
                separated=pair.separated and uneven is None,
                corrected=self.refused or uneven or corrected_difference(
                    cells[[pair.first, pair.second]], judge[[pair.first, pair.second]],
                    self.drawn.items, floor=2 * floor,
                    level=1 - 0.05 / max(1, len(table.pairs)),
                ),
            )
            for pair in table.pairs
        )  # fmt: skip
        if uneven is not None:
            return ArmsByPeople(arms=arms, pairs=made, best=uneven)
        names = best if isinstance(best, Refusal) else tuple(ids[at] for at in best)
        return ArmsByPeople(arms=arms, pairs=made, best=names)

    def _people_mean(self, arm: int, people: FloatArray, judge: FloatArray) -> float | None:
        """With the weights of the draw, where answers were drawn by strata."""
        if self.drawn.how == PACKETS:
            return weighted_mean(self.drawn.strata_of(arm, people, judge))
        known = np.isfinite(people)
        return float(people[known].mean()) if known.any() else None

    def _mean(
        self, arm: int, people: FloatArray, judge: FloatArray, floor: float
    ) -> Corrected | Refusal:
        if self.drawn.how == PACKETS:
            return stratified_mean(self.drawn.strata_of(arm, people, judge), floor=floor)
        judged = np.isfinite(judge)
        used = np.isfinite(people) & judged & self.drawn.items
        return corrected_mean(people[used], judge[used], judge[judged & ~used], floor=floor)


def _uneven() -> Refusal:
    """Differences need items on which all arms are marked; single answers were drawn."""
    return Refusal(
        statistic="paired_difference", code=RefusalCode.UNEQUAL_ITEMS.value, have=0, need=3,
        how="judge sample without --for means draws items, all arms on each",
    )  # fmt: skip
