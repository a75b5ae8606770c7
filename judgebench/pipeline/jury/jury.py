"""Judges as a jury of equal weight: the panel, judges as a sample, and other designs.

One pass a judge: a judge that judged twice has one voice. A cell counts for the
panel where every judge scored it, so that all are averaged alike.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from judgebench.model.agreement import Designs, JudgeDesign, LeftOut, SampledGap, VarianceParts
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.pipeline.jury.raters import Seat, another
from judgebench.pipeline.jury.voices import effective
from judgebench.stats import components, planning, ranks
from judgebench.stats.arrays import FloatArray, IntArray
from judgebench.stats.components import Block, Design
from judgebench.store.store import Store

ITEMS = (5, 10, 20, 40, 80)
JUDGES = (1, 2, 3, 5)
REPEATS = (1, 2, 3)
MOST_ITEMS = 1000
MIN_SAMPLED = 3


class Jury:
    """Passes of several judges. Axes: judges J, arms A, items I, repeats R."""

    def __init__(
        self, store: Store, seats: Sequence[Seat], *, step: float, delta: float | None
    ) -> None:
        first: dict[int, Seat] = {}
        for seat in seats:
            first.setdefault(seat.judge, seat)
        self.store, self.step = store, step
        self.seats = tuple(first.values())
        self.analysis = self.seats[0].analysis
        self.cells = np.stack([seat.analysis.cells for seat in self.seats])
        self.reps = np.stack([seat.reps for seat in self.seats])
        scale = self.analysis.rubric.scale
        span = scale.high - scale.low
        self.wished = delta or (1.0 if 9 <= span <= 10 else span / 10)  # noqa: PLR2004 - of ten
        self._block: Block | None = None

    def _few(self, statistic: str, *, need: int = MIN_SAMPLED) -> Refusal:
        return Refusal(
            statistic=statistic,
            code=RefusalCode.TOO_FEW_JUDGES.value,
            have=len(self.seats),
            need=need,
            how=another(self.seats[0]),
        )

    def _clustered(self, statistic: str) -> Refusal | None:
        """That a mean square over items has no form for items in clusters."""
        codes = self.analysis.clusters
        if codes is None:
            return None
        return Refusal(
            statistic=statistic, code=RefusalCode.ITEMS_NOT_INDEPENDENT.value,
            have=int(np.unique(codes).size), need=int(codes.size),
        )  # fmt: skip

    # the panel -----------------------------------------------------------

    def best(self) -> tuple[str, ...] | Refusal:
        """Arms that may be best by the panel of all judges."""
        return self._best(range(len(self.seats)))

    def _best(self, who: Sequence[int]) -> tuple[str, ...] | Refusal:
        cells, reps = self._panel(who)
        scored = int(np.isfinite(cells).any(axis=1).sum())
        there = int(np.isfinite(self.cells).any(axis=(0, 2)).sum())
        if 0 < scored < there:
            # Of an arm that one of them never marked the panel says nothing, for or against.
            code = RefusalCode.UNEQUAL_ITEMS.value
            return Refusal(statistic="panel_best", code=code, have=scored, need=there)
        found = ranks.possible_best(
            cells, reps, step=self.step, clusters=self.analysis.clusters,
            shares=self.analysis.marks.compared is not None,
        )  # fmt: skip
        if isinstance(found, Refusal):
            return found
        order = ranks.table_order(cells).order
        return tuple(self.analysis.ids[at] for at in order if at in found)

    def _panel(self, who: Sequence[int]) -> tuple[FloatArray, IntArray]:
        """Cells and judgings of a panel; NaN where one of its judges has no mark."""
        at = list(who)
        return self.cells[at].mean(axis=0), self.reps[at].sum(axis=0)

    def left_out(self) -> tuple[LeftOut, ...] | Refusal:
        """The panel without each judge in turn."""
        j = len(self.seats)
        if j < MIN_SAMPLED:
            return self._few("leave_one_judge_out")
        whole, out = self.best(), []
        for left in range(j):
            who = [at for at in range(j) if at != left]
            best = self._best(who)
            order = ranks.table_order(self._panel(who)[0]).order
            out.append(
                LeftOut(
                    judge=self.seats[left].name,
                    best=best,
                    order=tuple(self.analysis.ids[at] for at in order),
                    same=_same(best, whole),
                )
            )
        return tuple(out)

    def effective(self) -> Estimate | Refusal | None:
        """How many independent judges they are worth, by their errors against people."""
        if len(self.seats) < 2 or self.analysis.shown.facts().by_people:  # noqa: PLR2004 - a jury
            return None
        return effective(self.store, self.seats)

    # judges as a sample --------------------------------------------------

    def sampled(self) -> tuple[SampledGap, ...] | Refusal:
        """Every pair of arms with an interval for other items and other judges."""
        j = len(self.seats)
        if j < MIN_SAMPLED:
            return self._few("judges_as_sample")
        if (refused := self._clustered("judges_as_sample")) is not None:
            return refused
        scored = [int(a) for a in np.flatnonzero(np.isfinite(self.cells).any(axis=(0, 2)))]
        order = [at for at in self.analysis.ratings.order.order if at in scored]
        pairs = list(combinations(order, 2))
        level = 1 - 0.05 / max(len(pairs), 1)
        return tuple(self._sampled(a, b, level) for a, b in pairs)

    def _sampled(self, a: int, b: int, level: float) -> SampledGap:
        gaps = (self.cells[:, a] - self.cells[:, b]).T
        found = components.difference_over_judges(gaps, level=level)
        if isinstance(found, Refusal) and found.code == RefusalCode.TOO_FEW_ITEMS:
            # Of items there may be enough, and too few on which all of them marked both.
            found = replace(found, statistic="judges_as_sample")
        apart: bool | None = None
        if isinstance(found, Estimate) and found.low is not None and found.high is not None:
            apart = found.low > 0 or found.high < 0
        first, second = self.analysis.ids[a], self.analysis.ids[b]
        return SampledGap(first=first, second=second, difference=found, separated=apart)

    # variance components -------------------------------------------------

    @property
    def block(self) -> Block:
        """The largest complete block of totals."""
        if self._block is None:
            every = [seat.every.verdicts[0] for seat in self.seats]
            repeats = max(one.shape[2] for one in every)
            # A judge that scored once may leave, so that the others' repeats count.
            totals = [
                np.pad(one, ((0, 0), (0, 0), (0, repeats - one.shape[2])), constant_values=np.nan)
                for one in every
            ]
            self._block = components.largest_block(np.stack(totals, axis=2))
        return self._block

    def parts(self) -> VarianceParts | Refusal:
        """Where the spread comes from."""
        j = len(self.seats)
        if j < 2:  # noqa: PLR2004 - a spread of judges needs two
            return self._few("components", need=2)
        if (refused := self._clustered("components")) is not None:
            return refused
        found = components.variance_components(self.block.totals)
        if isinstance(found, Refusal):
            return found
        kept = self.block.judges
        without = tuple(seat.name for at, seat in enumerate(self.seats) if at not in kept)
        return replace(found, dropped=self.block.dropped, without=without)

    def designs(self) -> Designs | Refusal:
        """Other numbers of judges, repeats and items, and the cheapest that would do."""
        found = self.parts()
        if isinstance(found, Refusal):
            return found
        sizes = {"items": sorted({found.n_items, *ITEMS}), "judges": JUDGES, "repeats": REPEATS}
        return Designs(
            wished=self.wished,
            grid=tuple(self._design(found, one) for one in self._ranged(found, **sizes)),
            cheapest=self._cheapest(found),
        )

    def _ranged(
        self,
        found: VarianceParts,
        *,
        items: Sequence[int],
        judges: Sequence[int],
        repeats: Sequence[int],
    ) -> tuple[Design, ...]:
        """Designs with their ranges where the pilot is large enough for them."""
        ranged = components.d_study_ranges(
            self.block.totals, items=items, judges=judges, repeats=repeats
        )
        if isinstance(ranged, Refusal):
            return components.d_study(found, items=items, judges=judges, repeats=repeats)
        return ranged

    def _design(self, found: VarianceParts, one: Design) -> JudgeDesign:
        judgments = one.judgments * found.n_arms
        each = self.cost_each()
        return JudgeDesign(
            items=one.items,
            judges=one.judges,
            repeats=one.repeats,
            sd=one.sd,
            low=one.low,
            high=one.high,
            detectable=_detectable(one.sd, one.items),
            judgments=judgments,
            cost_usd=None if each is None else judgments * each,
        )

    def _cheapest(self, found: VarianceParts) -> JudgeDesign | None:
        """Fewest judgments that find the wished-for difference; among equals, most items."""
        enough = []
        for judges in range(1, max(JUDGES) + 1):
            for repeats in range(1, max(REPEATS) + 1):
                items = _least_items(found, self.wished, judges=judges, repeats=repeats)
                if items is not None:
                    enough.append((items * judges * repeats, -items, judges, repeats))
        if not enough:
            return None
        _, items, judges, repeats = min(enough)
        (one,) = self._ranged(found, items=(-items,), judges=(judges,), repeats=(repeats,))
        return self._design(found, one)

    def cost_each(self) -> float | None:
        """US dollars a judgment, mean over judges; None where one of them is unknown."""
        costs = []
        for seat in self.seats:
            rows = self.store.records("costs", pass_id=seat.analysis.shown.judging.id)
            judged = int(np.isfinite(seat.every.verdicts[0]).sum())
            unknown = not rows or rows[0]["cost_usd"] is None or rows[0]["cost_unknown"]
            if unknown or not judged:
                return None
            costs.append(float(rows[0]["cost_usd"]) / judged)
        return float(np.mean(costs))


def _same(
    best: tuple[str, ...] | Refusal, whole: tuple[str, ...] | Refusal
) -> bool | Refusal:  # fmt: skip
    """Whether two panels name the same arms; sets that are not known are not compared."""
    if isinstance(best, Refusal):
        return best
    return whole if isinstance(whole, Refusal) else set(best) == set(whole)


def _detectable(sd: float, items: int) -> float | None:
    """Smallest difference of two arms that a design usually finds."""
    # An item's paired difference spreads by √(2 N) times an arm's mean.
    found = planning.detectable_difference((2 * items) ** 0.5 * sd, items)
    return None if isinstance(found, Refusal) else found.value


def _least_items(found: VarianceParts, wished: float, *, judges: int, repeats: int) -> int | None:
    """Fewest items with which so many judges and repeats find a difference."""

    def finds(items: int) -> bool:
        (one,) = components.d_study(found, items=(items,), judges=(judges,), repeats=(repeats,))
        gap = _detectable(one.sd, items)
        return gap is not None and gap <= wished

    low, high = 3, MOST_ITEMS
    if not finds(high):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if finds(middle) else (middle + 1, high)
    return low
