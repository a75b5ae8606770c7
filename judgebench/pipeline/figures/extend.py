"""What an extended report adds: further tests, criteria one by one, the judge against itself.

Reads the marks of a pass once more, with those that were judged for the noise only.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from judgebench.model.extended import (
    ArmExtra,
    CriterionExtra,
    CriterionRow,
    Extended,
    PairExtra,
    RepeatExtra,
)
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.model.rubric import Rubric
from judgebench.pipeline.figures.again import repeat_row, swaps, total_again
from judgebench.pipeline.figures.all_criteria import ALPHA, holm_over
from judgebench.pipeline.figures.by_raters import Within, of_raters, said_of_raters
from judgebench.pipeline.figures.marked import Marks
from judgebench.pipeline.figures.outshone import outshone
from judgebench.records import dataclass
from judgebench.stats import (
    cluster_flips,
    flips,
    intervals,
    pairs,
    ranks,
    sensitivity,
)
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray
from judgebench.stats.levels import too_few_items
from judgebench.stats.pairs import Pair, PairTable
from judgebench.stats.ranks import RankInterval

_NONE_MISSING = Refusal(
    statistic="least_squares_mean", code=RefusalCode.NOTHING_MISSING.value, have=0, need=1
)


@dataclass(frozen=True, kw_only=True)
class Extending:
    """One pass on its way to the extended figures.

    Args:
        marks: Marks that count.
        again: The same with those judged for the noise only.
        table: All pairs of totals, with the claims that may be made.
        told: Those that tell arms apart: of strengths, where shares won are not compared.
        firm: Shape (A, A), pairs that no blocked answer could turn.
        deciding: Shape (A, I'), totals of the items that decide of it.
        order: Indices of arms in the order of the table.
        ids: Arms by index.
        step: Lattice of the marks.
        seed: Of this pass and figure.
        ends: What a total can be at least and at most, scale points.
        placed: By arm, whether blocked answers leave it its place.
        by_people: Each repeat of a cell is another person.
        beside_people: There are marks of people, by which `judge calibrate` checks the judge.
        clusters: Shape (I,), the cluster of each item; None where items are independent.
    """

    marks: Marks
    again: Marks
    table: PairTable
    told: PairTable
    firm: BoolArray
    deciding: FloatArray
    order: Sequence[int]
    ids: Sequence[str]
    step: float
    seed: int
    ends: tuple[float, float]
    placed: Sequence[bool]
    by_people: bool
    beside_people: bool = False
    clusters: IntArray | None = None
    within: Within | None = None
    """Who of several people marked what, where they marked different arms."""

    @property
    def rubric(self) -> Rubric:
        """The rubric whose sums apply."""
        return self.marks.rubric

    def extended(self) -> Extended:
        """All of it."""
        scored = [at for at in self.order if np.isfinite(self.marks.cells[at]).any()]
        groups = ranks.relative_tiers(self.told, scored)
        return Extended(
            rule=self.told.rule,
            max_t=self._no_flips(),
            arms=self._arms(),
            pairs=self._pairs(scored),
            tiers=tuple(tuple(self.ids[at] for at in group) for group in groups),
            criteria=self._criteria(),
            repeats=self._repeats(),
            swap_share=swaps(self.again, by_people=self.by_people),
            refusals=self._refusals(),
        )

    def of_pairs(self) -> Extended:
        """The tests of every pair, where arms were compared: there are no marks of criteria."""
        scored = [at for at in self.order if np.isfinite(self.marks.cells[at]).any()]
        groups = ranks.relative_tiers(self.told, scored)
        return Extended(
            rule=self.told.rule,
            max_t=self._no_flips(),
            arms=(),
            pairs=self._pairs(scored),
            tiers=tuple(tuple(self.ids[at] for at in group) for group in groups),
            criteria=(),
            repeats=(),
            swap_share=Refusal(
                statistic="swap_share", code=RefusalCode.NOT_IDENTIFIED.value, have=0, need=1
            ),
            refusals=(),
        )

    def _rng(self, place: int) -> np.random.Generator:
        return np.random.default_rng([self.seed, place])

    def _no_flips(self) -> Refusal | None:
        if unmatched := next(filter(None, map(_unmatched, self.table.pairs)), None):
            return unmatched
        without = [pair.units for pair in self.table.pairs if pair.p_max_t is None]
        if not without and self.table.pairs:
            return None
        if (pairs_there := len(self.table.pairs)) > flips.MOST_FLIPPED:
            return _too_many(pairs_there)
        least = min(without, default=0)
        by = self.clusters is not None
        found = too_few_items("sign_flip", least, clustered=by) or Refusal(
            statistic="sign_flip", code=RefusalCode.ZERO_SPREAD.value, have=0, need=1
        )
        return found if self.within is None else of_raters(found)

    def _arms(self) -> tuple[ArmExtra, ...]:
        cells = self.marks.cells
        # Where nothing is missing the model gives the plain means once more.
        missing = not np.isfinite(cells).all()
        squares = (
            sensitivity.least_squares_means(cells) if missing else (_NONE_MISSING,) * len(cells)
        )
        return tuple(
            ArmExtra(
                arm=self.ids[at],
                median=intervals.median_interval(cells[at], clusters=self.clusters),
                least_squares=squares[at],
            )
            for at in self.order
        )

    def _pairs(self, scored: Sequence[int]) -> tuple[PairExtra, ...]:
        scale = self.rubric.scale
        many = len(self.table.pairs) if len(self.table.pairs) > flips.MOST_FLIPPED else 0
        out: list[PairExtra] = []
        for place, a in enumerate(scored):
            for b in scored[place + 1 :]:
                pair = self.table.between(a, b)
                if pair is None:
                    continue
                refused = _unmatched(pair)
                told = self.told.between(a, b)
                # Of people who marked different arms the difference is another than that of totals.
                unsaid = refused is not None or self.within is not None
                worst = ranks.worst_case_difference(
                    self.deciding[a], self.deciding[b], low=scale.low, high=scale.high
                )
                out.append(
                    PairExtra(
                        first=self.ids[a],
                        second=self.ids[b],
                        p_holm=told.p_holm if told else None,
                        p_max_t=told.p_max_t if told else None,
                        sign_flip=refused
                        or (_too_many(many) if many else self._sign_flip(self._gaps(a, b))),
                        worst_low=None if unsaid else worst.low,
                        worst_high=None if unsaid else worst.high,
                    )
                )
        return tuple(out)

    def _gaps(self, a: int, b: int) -> FloatArray:
        """Shape (I,), differences of two arms; within a person where people differ."""
        if self.within is None:
            return np.asarray(self.marks.cells[a] - self.marks.cells[b], dtype=np.float64)
        columns, _ = self.within.columns(self.marks.verdicts[0])
        return self.within.by_item(columns[a] - columns[b], self.marks.cells.shape[1])

    def _compared(self, at: int, cells: FloatArray) -> tuple[FloatArray, IntArray, IntArray | None]:
        """Means of a criterion that are held against each other, judgments, and clusters."""
        if self.within is None:
            return cells, self._reps(at), self.clusters
        columns, counts = self.within.columns(self.marks.marks[:, :, at])
        return columns, counts, self.within.clusters(self.clusters)

    def _sign_flip(self, d: FloatArray) -> Estimate | Refusal:
        if self.clusters is None:
            return flips.sign_flip(d, self._rng(1))
        return cluster_flips.clustered_sign_flip(d, self.clusters, self._rng(1))

    def _criteria(self) -> tuple[CriterionExtra, ...]:
        """Every criterion by itself; errors are held over all of them together."""
        means = self.marks.criteria
        k = means.shape[2]
        # One criterion that is the total is told apart as the total is.
        alone = k == 1 and np.array_equal(means[:, :, 0], self.marks.cells, equal_nan=True)
        tables = [self.table] if alone else [self._table(at, means[:, :, at], k) for at in range(k)]
        jointly = holm_over(tables)
        return tuple(
            self._criterion(at, means[:, :, at], table, k=k) for at, table in enumerate(jointly)
        )

    def _reps(self, at: int) -> IntArray:
        given = np.isfinite(self.marks.marks[:, :, at]).sum(axis=2)
        return np.asarray(np.maximum(given, 1), dtype=np.int64)

    def _table(self, at: int, cells: FloatArray, k: int) -> PairTable:
        cells, reps, clusters = self._compared(at, cells)
        made = pairs.all_pairs(
            cells, reps, step=self.step, rng=self._rng(0), alpha=ALPHA / k,
            clusters=clusters,
        )  # fmt: skip
        return made if self.within is None else said_of_raters(made)

    def _criterion(self, at: int, cells: FloatArray, table: PairTable, *, k: int) -> CriterionExtra:
        there, (low, high) = cells[:, np.isfinite(cells).any(axis=0)], self.ends
        firm = ranks.firm_pairs(there, low=low, high=high)
        firm = np.asarray(firm & self.firm, dtype=np.bool_)
        columns, reps, clusters = self._compared(at, cells)
        best = ranks.possible_best(
            columns, reps, step=self.step, alpha=ALPHA / k, firm=firm, clusters=clusters
        )
        if self.within is not None and isinstance(best, Refusal):
            best = of_raters(best)
        below = outshone(table, self.placed, taken=not np.isfinite(low))
        table = table.only(firm)
        found = ranks.rank_intervals(table, n_arms=len(self.ids), best=best)
        order = ranks.table_order(cells)
        rows = tuple(
            self._row(arm, cells[arm], table, reference=order.reference, best=best, rank=found[arm])
            for arm in order.order
        )
        return CriterionExtra(
            criterion=self.rubric.criteria[at].id,
            reference=None if order.reference is None else self.ids[order.reference],
            best=best
            if isinstance(best, Refusal)
            else tuple(
                self.ids[arm]
                for arm in order.order
                if arm in best and self.placed[arm] and arm not in below
            ),
            rows=rows,
            open_arms=self._open(cells, best, order.order),
        )

    def _open(
        self, cells: FloatArray, best: tuple[int, ...] | Refusal, order: Sequence[int]
    ) -> tuple[str, ...] | None:
        """Arms without a place that nothing shows below another; None where there are none."""
        if isinstance(best, Refusal):
            return None
        unknown = set(np.flatnonzero(~np.isfinite(cells).any(axis=1)).tolist())
        held = (arm for arm in order if not self.placed[arm] and arm in {*best, *unknown})
        return tuple(self.ids[arm] for arm in held) or None

    def _row(
        self,
        arm: int,
        cells: FloatArray,
        table: PairTable,
        *,
        reference: int | None,
        best: tuple[int, ...] | Refusal,
        rank: RankInterval | Refusal,
    ) -> CriterionRow:
        scale = self.rubric.scale
        pair = None if reference in {None, arm} else table.between(arm, int(reference or 0))
        gap: Estimate | Refusal = (
            Estimate(value=0.0, n=int(np.isfinite(cells).sum()), kind="reference")
            if arm == reference
            else Refusal(
                statistic="difference", code=RefusalCode.NOTHING_SCORED.value, have=0, need=1
            )
        )
        placed = self.placed[arm] and bool(np.isfinite(cells).any())
        ranked = rank if placed and isinstance(rank, RankInterval) else None
        return CriterionRow(
            arm=self.ids[arm],
            mean=intervals.mean_interval(
                cells, low=scale.low, high=scale.high, clusters=self.clusters
            ),
            difference=gap if pair is None else pair.difference,
            p=None if pair is None else pair.p,
            separated=None if pair is None else pair.separated,
            may_be_best=None if isinstance(best, Refusal) or not placed else arm in best,
            rank_low=ranked.low if ranked else None,
            rank_high=ranked.high if ranked else None,
        )

    def _repeats(self) -> tuple[RepeatExtra, ...]:
        out = [total_again(self.again, self.step, by_people=self.by_people)]
        for at, criterion in enumerate(self.rubric.criteria):
            out.append(
                repeat_row(
                    criterion.id, self.again.marks[:, :, at], self.step, by_people=self.by_people
                )
            )
        return tuple(out)

    def _refusals(self) -> tuple[Refusal, ...]:
        """What one pass by one judge can never carry."""
        judge = RefusalCode.TOO_FEW_JUDGES.value
        needs = [("agreement", 2), ("judges_as_sample", 3), ("components", 2)]
        have = 0 if self.by_people else 1
        found = [Refusal(statistic=name, code=judge, have=have, need=n) for name, n in needs]
        if not self.by_people and not self.beside_people:
            found.append(
                Refusal(statistic="people", code=RefusalCode.NO_HUMAN_LABELS.value, have=0, need=10)
            )
        return tuple(found)


def _unmatched(pair: Pair) -> Refusal | None:
    """Why no test is made of arms that did not meet the same opponents."""
    found = pair.difference
    codes = {RefusalCode.DISCONNECTED.value, RefusalCode.UNEQUAL_OPPONENTS.value}
    if isinstance(found, Refusal) and found.code in codes:
        return replace(found, statistic="sign_flip")
    return None


def _too_many(have: int) -> Refusal:
    """Each flip of signs is held against every pair: of very many pairs there are none."""
    return Refusal(
        statistic="sign_flip", code=RefusalCode.TOO_MANY_PAIRS.value,
        have=have, need=flips.MOST_FLIPPED,
    )  # fmt: skip
