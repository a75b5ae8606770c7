"""One pass on its way from cells to a plan: items, repeats and judges for a difference."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from judgebench.errors import JudgebenchError
from judgebench.model.agreement import Noise
from judgebench.model.nouns import Mode, Refusal
from judgebench.model.power import DesignRow, PairSpread, Power
from judgebench.model.reasons import RefusalCode
from judgebench.pipeline.figures.analysis import Analysis
from judgebench.pipeline.figures.by_raters import gaps_by_item, read_persons, told_of_raters
from judgebench.pipeline.figures.gather import plain, read_marks
from judgebench.pipeline.figures.possible import seen
from judgebench.pipeline.figures.resolving import Figure, Resolving
from judgebench.pipeline.jury.raters import one_each
from judgebench.pipeline.pages.power_cost import cost_each, requests_for
from judgebench.pipeline.setting.units import counted
from judgebench.records import dataclass
from judgebench.stats import planning, spreads
from judgebench.stats.arrays import TIE, FloatArray, IntArray
from judgebench.stats.repeatability import rescoring_sd
from judgebench.stats.share_spreads import share_spreads
from judgebench.stats.spreads import Spread
from judgebench.store.passes import PassRow
from judgebench.store.store import Store

REPEATS = (1, 2, 3, 5, 10)
JUDGES = (1, 2, 3, 5)


@dataclass(frozen=True, kw_only=True, slots=True)
class PowerChoices:
    """What the user asks for."""

    pass_id: str | None = None
    delta: float | None = None
    arms: tuple[str, ...] = ()
    judges: int | None = None
    repeats: int | None = None


class Plan:
    """One pass on its way from cells to a plan."""

    def __init__(self, store: Store, analysis: Analysis, choices: PowerChoices) -> None:
        self.store, self.analysis, self.choices = store, analysis, choices
        wanted = choices.arms or tuple(analysis.ids)
        self.at = [analysis.ids.index(arm) for arm in dict.fromkeys(wanted)]
        self.k = len(self.at)
        # What is planned is a run of all these arms, whatever this pass has marks of.
        self.comparisons = max(1, self.k * (self.k - 1) // 2)
        self.cells, self.reps = analysis.cells[self.at], analysis.repeats[self.at]
        self.pairs = analysis.marks.compared is not None
        self.judges, self.each = 1, self.cells[None]
        self.judges_refused: Refusal | None = None
        if choices.judges is not None:
            self._read_judges()
        compared = analysis.marks.compared
        lean = None if compared is None else compared.lean(analysis.cells.shape)
        met = None if compared is None else compared.opponents(len(analysis.ids))
        cells, reps, clusters, of = self.cells, self.reps, analysis.clusters, None
        if analysis.within is not None:
            # People who marked different arms: what one gives more is no spread of the arms.
            columns, counts = analysis.within.columns(analysis.marks.verdicts[0])
            cells, reps = columns[self.at], counts[self.at]
            clusters, of = analysis.within.clusters(clusters), analysis.within.item
        self.resolving = Resolving(
            cells=cells,
            repeats=reps,
            step=analysis.step,
            total_step=analysis.marks.finest(analysis.step),
            lean=None if lean is None else lean[self.at],
            clusters=clusters,
            opponents=None if met is None else met.among(self.at),
            of=of,
        )
        self.spread = self._told(self.resolving.worst)
        self.step = self._step()
        self.people = self._people()
        self.persons = self._persons_of_pair()
        between = self._between_people()
        noise = self._noise() if between is None else between
        self.noise = noise if isinstance(noise, Refusal) else noise.sd
        self.noise_floored = isinstance(noise, Noise) and noise.floored
        self.noise_of_gap = between is not None

    def _step(self) -> float:
        """Lattice of one scoring: where arms are compared it is many comparisons together."""
        step, spread = self.analysis.step, self.spread
        if not self.pairs or isinstance(spread, Refusal):
            return step
        return float(step * (spread.once * self.judges * self.analysis.scorings) ** 0.5)

    def _noise(self) -> Noise | Refusal:
        """Noise of one scoring, from repeats or from the cells that were judged twice."""
        totals = self.analysis.marks.verdicts[0]
        if self.pairs or totals.shape[2] < 2:  # noqa: PLR2004 - a second scoring
            judging = self.analysis.shown.judging
            twice = self.store.columns("noise", pass_id=judging.id, run=judging.run)
            pair = (plain(twice["first_total"]), plain(twice["second_total"]))
            totals = np.stack(pair, axis=-1)
        return rescoring_sd(totals, step=self.analysis.marks.total_step(self.analysis.step))

    def _people(self) -> tuple[FloatArray, IntArray] | None:
        """Totals of each person, as `read_persons`; None where nobody knows who marked what."""
        analysis = self.analysis
        if self.pairs or not analysis.shown.facts().by_people:
            return None
        return read_persons(self.store, analysis.shown.judging, analysis.marks)

    def _persons_of_pair(self) -> FloatArray | None:
        """Each person's difference of the worst pair, as `gaps_by_item`."""
        if self.people is None or isinstance(self.spread, Refusal):
            return None
        first, second = (self.at[at] for at in (self.spread.first, self.spread.second))
        return gaps_by_item(*self.people, first, second)

    def _between_people(self) -> Noise | Refusal | None:
        """Spread of the worst pair's difference between people; None where they are no people."""
        if self.persons is None:
            return None
        step = self.analysis.marks.total_step(self.analysis.step) * 2**0.5
        return rescoring_sd(self.persons, step=step)

    def _read_judges(self) -> None:
        """Cells of every judge who was asked the same; their mean is what is planned."""
        shown = self.analysis.shown
        others = [row for row in self.analysis.passes if _same_asked(row, shown)]
        # A judge that judged twice has one voice, by the pass that is planned from.
        same = one_each([row for row in (shown, *others) if _same_asked(row, shown)])
        if len(same) < 2:  # noqa: PLR2004 - a spread of judges needs two
            if self.choices.judges != 1:
                self.judges_refused = Refusal(
                    statistic="judges",
                    code=RefusalCode.TOO_FEW_JUDGES.value,
                    have=len(same),
                    need=2,
                    how="marks of another judge in the file, then again"
                    if shown.facts().marks_only
                    else "judge score --judge ANOTHER, then again",
                )
            return
        each = np.stack([self._cells_of(row) for row in same])
        self.judges = len(same)
        # A cell counts where every judge has it, so that all are averaged alike.
        self.cells = each.mean(axis=0)
        self.reps = self.reps * self.judges
        self.each = each

    def _cells_of(self, row: PassRow) -> FloatArray:
        analysis = self.analysis
        marks = read_marks(
            self.store, judging=row.judging, rubric=analysis.rubric,
            arms=len(analysis.ids), reading=analysis.reading,
        )  # fmt: skip
        return marks.cells[self.at]

    def power(self) -> Power:
        """All of it.

        Raises:
            JudgebenchError: The wished-for difference is wider than the scale.
        """
        shown, scale = self.analysis.shown.judging, self.analysis.rubric.scale
        span = scale.high - scale.low
        if self.choices.delta is not None and self.choices.delta > span:
            raise JudgebenchError(
                f"--delta {self.choices.delta:g}: {'shares' if self.pairs else 'marks'} of this "
                f"pass lie {span:g}{'' if self.pairs else ' points'} apart at most; ask for at "
                f"most {span:g}"
            )
        facts = self.analysis.shown.facts()
        spread = self.spread
        named: PairSpread | Refusal = (
            spread
            if isinstance(spread, Refusal)
            else PairSpread(
                sd=spread.sd, n=spread.n, first=self._name(spread.first),
                second=self._name(spread.second), most=self._most(),
                scorings=self._had(spread), measured=spread.measured,
            )
        )  # fmt: skip
        gaps: tuple[float, ...] = planning.wished_gaps(scale.low, scale.high, shares=self.pairs)
        if self.choices.delta:
            gaps = (self.choices.delta,)
        return Power(
            run_name=shown.run,
            pass_id=shown.id,
            judge_name=shown.judge_name,
            marks_only=facts.marks_only,
            by_people=facts.by_people,
            shares=self.pairs,
            arms=tuple(self.analysis.ids[at] for at in self.at),
            comparisons=self.comparisons,
            unmarked=tuple(self._name(at) for at in range(self.k) if not self._marked(at)),
            scale_low=scale.low,
            scale_high=scale.high,
            judges=self.judges,
            repeats=self._repeats(),
            repeats_asked=self.choices.repeats,
            spread=named,
            detectable=self._told(
                seen(self.resolving.detectable(), span, taken=self.analysis.facts.scale_taken)
            ),
            noise=self.noise,
            noise_of_gap=self.noise_of_gap,
            noise_floored=self.noise_floored,
            judge_rows=self._judge_rows(gaps[0]),
            rows=self._rows(gaps),
            repeat_rows=self._repeat_rows(gaps[0]),
            judges_refused=self.judges_refused,
            clusters=counted(self.analysis.clusters),
            scale_taken=self.analysis.facts.scale_taken or None,
        )

    def _told(self, found: Figure) -> Figure | Refusal:
        """The same; what is refused in the code that the table has for it."""
        if self.analysis.within is None or not isinstance(found, Refusal):
            return found
        return told_of_raters(found, self.cells, clustered=self.analysis.clusters is not None)

    def _marked(self, at: int) -> bool:
        return bool(np.isfinite(self.cells[at]).any())

    def _most(self) -> int:
        """The most items that any two of these arms share: of people, within one of them."""
        there = np.isfinite(self.resolving.cells)
        if (of := self.resolving.of) is not None:
            at = [np.unique(of[a & b]).size for a, b in combinations(there, 2)]
            return max(at, default=0)
        there = there.astype(np.int64)
        shared = there @ there.T
        np.fill_diagonal(shared, 0)
        return int(shared.max(initial=0))

    def _name(self, at: int) -> str:
        return self.analysis.ids[self.at[at]]

    def _repeats(self) -> int:
        if self.pairs:
            return self.analysis.scorings
        if self.people is not None:
            # Whoever marks an answer again is one person.
            columns, item = self.people
            each = [np.unique(item[row], return_counts=True)[1] for row in np.isfinite(columns)]
            return max(1, *(int(one.max(initial=0)) for one in each))
        return max(1, int(self.analysis.repeats.max(initial=1)))

    def _planned_repeats(self) -> int:
        """Those that were asked for; without known noise only those that there are."""
        if isinstance(self.noise, Refusal) and not isinstance(self.spread, Refusal):
            return self._repeats()
        return self.choices.repeats or self._repeats()

    def _rows(self, gaps: Sequence[float]) -> tuple[DesignRow, ...]:
        repeats = self._planned_repeats()
        judges = self.judges if self.judges_refused else self.choices.judges or self.judges
        if isinstance(self.spread, Refusal):
            return tuple(
                self._row(gap, one, judges=judges, repeats=repeats)
                for gap in gaps
                for one in self._assumed()
            )
        spread = self._projected(self.spread, judges=judges, repeats=repeats)
        return tuple(self._row(gap, spread, judges=judges, repeats=repeats) for gap in gaps)

    def _assumed(self) -> tuple[float, ...]:
        """Spreads of a difference where the run cannot estimate its own."""
        if self.pairs:
            return share_spreads(max(2, self.k))
        scale = self.analysis.rubric.scale
        point = planning.point_of_ten(scale.low, scale.high)
        return tuple(one * point for one in planning.SPREADS)

    def _repeat_rows(self, gap: float) -> tuple[DesignRow, ...]:
        if isinstance(self.spread, Refusal) or isinstance(self.noise, Refusal):
            return ()
        judges = self.judges if self.judges_refused else self.choices.judges or self.judges
        return tuple(
            self._row(
                gap, self._projected(self.spread, judges=judges, repeats=r),
                judges=judges, repeats=r,
            )
            for r in sorted({*REPEATS, self._repeats(), self.choices.repeats or 1})
        )  # fmt: skip

    def _judge_rows(self, gap: float) -> tuple[DesignRow, ...]:
        """The first gap with other numbers of the judges who were asked the same."""
        plan = self
        if self.choices.judges is None and not self.analysis.shown.facts().by_people:
            plan = Plan(self.store, self.analysis, replace(self.choices, judges=JUDGES[0]))
        if plan.judges == 1 or isinstance(plan.spread, Refusal):
            return ()
        repeats = self._planned_repeats()
        return tuple(
            plan._row(
                gap, plan._projected(plan.spread, judges=judges, repeats=repeats),
                judges=judges, repeats=repeats,
            )
            for judges in sorted({*JUDGES, plan.judges, self.choices.judges or plan.judges})
        )  # fmt: skip

    def _projected(self, spread: Spread, *, judges: int, repeats: int) -> float:
        """Spread under another design; without known noise repeats change nothing."""
        step, now = self.step, self._had(spread)
        # Both arms of a difference are scored anew; a person's difference is one.
        each = 1 if self.noise_of_gap else 2
        noise = 0.0 if isinstance(self.noise, Refusal) else each * self.noise.value**2
        if self.judges == 1:
            return spreads.averaged_spread(spread.sd, noise, have=now, want=repeats, step=step)
        # Between judges the difference of one item varies by their leanings and by noise.
        gaps = self.each[:, spread.first] - self.each[:, spread.second]
        there = np.isfinite(gaps).all(axis=0)
        between = float(gaps[:, there].var(axis=0, ddof=1).mean())
        then = spreads.averaged_spread(
            between**0.5, noise, have=now, want=repeats, step=step
        )  # fmt: skip
        alone = max(0.0, spread.sd**2 - between / self.judges)
        least = 2 * step**2 / 12 / (judges * repeats)
        return float(max(alone + then**2 / judges, least) ** 0.5)

    def _had(self, spread: Spread) -> float:
        """Scorings behind a cell of the pair, as a harmonic mean over its shared items."""
        if self.pairs:
            # A scoring of a cell is all its comparisons together.
            return float(self.analysis.scorings)
        a, b = spread.first, spread.second
        if self.persons is not None:
            # An item has as many scorings as people who marked both arms.
            people = np.isfinite(self.persons).sum(axis=1)
            people = people[people > 0]
            return float(people.size / (1 / people).sum())
        shared = np.isfinite(self.cells[a]) & np.isfinite(self.cells[b])
        inverse = 1 / self.reps[[a, b]][:, shared]
        return float(1 / inverse.mean()) / self.judges

    def _row(self, gap: float, spread: float, *, judges: int, repeats: int) -> DesignRow:
        lattice, units = self._lattice(judges * repeats), self._units()
        one, every = (
            planning.items_needed(
                spread, gap, comparisons=comparisons, lattice=lattice, units=units,
                shares=self.pairs,
            )
            for comparisons in (1, self.comparisons)
        )  # fmt: skip
        every = self._as_found(every, gap, judges=judges, repeats=repeats)
        one = min(one, every) if isinstance(one, int) and isinstance(every, int) else one
        judged = None if isinstance(every, Refusal) else every * judges * repeats
        requests = None if judged is None else requests_for(self.analysis, self.k, judged)
        each = cost_each(self.store, self.analysis.shown.judging.id)
        floor = (2 * self.step**2 / 12 / (judges * repeats)) ** 0.5
        return DesignRow(
            gap=gap,
            judges=judges,
            repeats=repeats,
            spread=spread,
            floored=not isinstance(self.spread, Refusal) and spread <= floor + TIE,
            items_one=None if isinstance(one, Refusal) else one,
            items_all=None if isinstance(every, Refusal) else every,
            requests=requests,
            cost_usd=None if requests is None or each is None else requests * each,
        )

    def _as_found(
        self, items: int | Refusal, gap: float, *, judges: int, repeats: int
    ) -> int | Refusal:
        """Of the design that there is, what this run's own items find they need not exceed."""
        now = judges == self.judges and repeats == self._repeats()
        if isinstance(self.spread, Refusal) or not now or self._had(self.spread) < repeats - TIE:
            return items
        return self.resolving.as_found(items, gap)

    def _lattice(self, scorings: int) -> float:
        """Step of an item's difference where so many scorings are averaged; 0 is unknown."""
        if isinstance(self.spread, Refusal):
            return 0.0 if self.pairs else self.resolving.total_step / scorings
        had = self._had(self.spread) * self.judges
        return self.resolving.total_step * self.spread.once * had / scorings

    def _units(self) -> spreads.Units:
        """What is planned in: items, or clusters like those of the worst pair."""
        if not isinstance(self.spread, Refusal):
            return self.spread.units
        found = counted(self.analysis.clusters)
        return spreads.ITEMS if found is None else spreads.Units(size=found.items / found.count)


def _same_asked(row: PassRow, shown: PassRow) -> bool:
    """Whether another pass asked the same, by a judge and not by people, to the end."""
    pairs = Mode.PAIRWISE
    return (
        (row.judging.mode is pairs) == (shown.judging.mode is pairs)
        and row.judging.ask_sha256 == shown.judging.ask_sha256
        and row.state == "complete"
        and row.facts().by_people == shown.facts().by_people
    )
