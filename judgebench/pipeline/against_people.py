"""The judge of a stored pass against people: people alone first, then the judge beside them.

Calls statistics in turn and puts their answers together; notes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np

from judgebench.model import (
    AltTest,
    ArmGate,
    Axis,
    Calibration,
    Corrected,
    CorrectedArm,
    Estimate,
    LabelPlan,
    Labels,
    Mode,
    PeoplePair,
    Preferences,
    Refusal,
    RefusalCode,
)
from judgebench.model.people import TOTAL
from judgebench.pipeline import possible_people
from judgebench.pipeline.analyse import Analysis
from judgebench.pipeline.analysing import people_pass
from judgebench.pipeline.drawn import PACKETS, UNKNOWN, drawn_labels
from judgebench.pipeline.people import PeopleMarks, people_totals, read_people
from judgebench.pipeline.preferences import VoteTest, preferences_of
from judgebench.pipeline.reach import reached_by
from judgebench.pipeline.splitting import (
    fitting_share,
    looks_at,
    tune_items,
    tuned_refusal,
)
from judgebench.runs.importers.human_sheet import OVERALL, Blind
from judgebench.stats import agreement, alt_test, gates, human, icc, pairs, ranks
from judgebench.stats.arrays import BoolArray, FloatArray, lattice_step
from judgebench.stats.corrected import corrected_difference, corrected_mean
from judgebench.stats.strata import stratified_mean, weighted_mean
from judgebench.store.store import Store
from judgebench.text import digest

MINUTES = 3.0
"""That a person takes for one answer; what a labelling plan is priced with."""
_PANEL = (alt_test.LEAST_ITEMS, alt_test.LEAST_PEOPLE)


@dataclass(frozen=True, kw_only=True, slots=True)
class AgainstChoices:
    """How a judge is held against people."""

    epsilon: float = 0.15
    random: bool = False
    """The user says that the labelled items are a random sample."""
    people: tuple[str, ...] = ()
    """Only these people, by name or pattern."""
    items: tuple[str, ...] = ()
    """Only these items, by name or pattern."""
    independent: bool = False
    """Take marks on one item as independent, as the alternative annotator test's authors do."""
    slots: bool = False
    """Raters are places in a file, not persons, whatever is on record."""


def against_people(store: Store, found: Analysis, choices: AgainstChoices) -> Calibration:
    """Hold the judge of a pass whose arrays are read against people.

    Args:
        store: The open store.
        found: The pass of a judge.
        choices: What is held against what.
    """
    return possible_people.calibration(_Beside(store, found, choices).calibration())


def marks_shown(made: Calibration) -> int:
    """Marks by people that these figures are made of; the total is no mark of its own."""
    return sum(axis.counted.marks for axis in made.axes if axis.id != TOTAL)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Arms:
    """Arms and pairs on one axis."""

    arms: tuple[CorrectedArm, ...]
    pairs: tuple[PeoplePair, ...]
    best: tuple[str, ...] | Refusal


class _Beside:
    """One judge and the people of a run on their way to figures."""

    def __init__(self, store: Store, found: Analysis, choices: AgainstChoices) -> None:
        self.store, self.found, self.choices = store, found, choices
        self.run = found.shown.judging.run
        self.rubric = found.rubric
        self.items = [name for (name,) in store.rows("items", run=self.run)]
        self.criteria = [criterion.id for criterion in self.rubric.criteria]
        self.tune = tune_items(store, self.run)
        outside = {name for name in self.items if not _named(name, choices.items)}
        self.left = np.array([n in self.tune or n in outside for n in self.items], dtype=bool)
        self.outside = self.tune | outside
        self.people = self._read()
        self.judge = np.where(self.left[None, :], np.nan, found.cells)
        every = store.records("human_files", run=self.run)
        self.files = [row for row in every if row["withdrawn_at"] is None]
        self.withdrawn = [row for row in every if row["withdrawn_at"] is not None]
        self.slots = choices.slots or any(not row["identified"] for row in self.files)
        marked: BoolArray = np.asarray(np.isfinite(self.people.marks).any(axis=(2, 3)), dtype=bool)
        for one in self.people.comparisons:
            marked[[one.first, one.second], one.item] = True
        self.marked = marked
        self.drawn = drawn_labels(
            store, self.run, items=self.items, arms=found.ids, marked=marked, judge=self.judge,
            said=choices.random,
        )  # fmt: skip
        self.looks = looks_at(store, found.shown)
        scale = self.rubric.scale
        self.margin = (scale.high - scale.low) / 18

    def _read(self) -> PeopleMarks:
        row = people_pass(self.store, self.run)
        if row is None:
            shape = (len(self.found.ids), len(self.items), len(self.criteria) + 1, 0)
            return PeopleMarks(
                raters=(), criteria=(*self.criteria, OVERALL), marks=np.full(shape, np.nan)
            )
        return read_people(
            self.store, row.judging.id, arms=self.found.ids, items=self.items,
            criteria=self.criteria, left_out=self.outside,
            wanted=lambda name: _named(name, self.choices.people),
        )  # fmt: skip

    def _for_tuning(self) -> tuple[int, int]:
        """Items and marks that serve for tuning the rubric, and so for nothing here."""
        row = people_pass(self.store, self.run) if self.tune else None
        if row is None:
            return 0, 0
        found = read_people(
            self.store, row.judging.id, arms=self.found.ids, items=self.items,
            criteria=self.criteria, left_out=frozenset(self.items) - self.tune,
        ).marks  # fmt: skip
        known = np.isfinite(found)
        return int(known.any(axis=(0, 2, 3)).sum()), int(known.sum())

    # ---- which labels may speak for all items

    def _labels(self) -> Labels:
        blind = {row["blind"] for row in self.files} or {Blind.UNKNOWN.value}
        labelled = self.marked.any(axis=0)
        tuned_items, tuned_marks = self._for_tuning()
        return Labels(
            files=tuple(row["name"] for row in self.files),
            people=self.people.raters,
            identified=not self.slots,
            blind=_blind_of(blind),
            items=int(labelled.sum()),
            items_all=int(np.isfinite(self.judge).any(axis=0).sum()),
            drawn=int(self.drawn.items.sum()),
            sampling=self.drawn.how,
            split="report" if self.tune else "all",
            tuned=self.looks.tuned,
            splittable=fitting_share(
                self.store, self.run, [self.items[at] for at in np.flatnonzero(labelled).tolist()]
            )
            is not None,
            off_scale=int(self.store.rows("off_scale", pass_id=self.found.shown.judging.id)[0][0]),
            earlier_looks=self.looks.others,
            tuned_items=tuned_items,
            tuned_marks=tuned_marks,
            look=1 + len(self.looks.earlier) if self.tune else 0,
            looked_at=self.looks.earlier,
            seen_at=self.looks.seen_at,
            withdrawn=tuple(
                f"{row['name']} ({row['withdrawn_at'][:10]})" for row in self.withdrawn
            ),
        )

    # ---- all of it

    def calibration(self) -> Calibration:
        """Every figure, or why there is none."""
        judging, scale = self.found.shown.judging, self.rubric.scale
        labels = self._labels()
        axes = tuple(self._axes(labels))
        preferences = self._preferences(labels)
        needs = _needs(labels, axes, preferences)
        return Calibration(
            run_name=self.run,
            pass_id=judging.id,
            judge_name=judging.judge_name,
            judge_model=judging.judge_model,
            rubric_name=self.rubric.name,
            rubric_version=self.rubric.version,
            scale_low=scale.low,
            scale_high=scale.high,
            labels=labels,
            axes=axes,
            preferences=preferences,
            plan=None if needs is None else self._plan(labels),
            needs=needs,
        )

    def _axes(self, labels: Labels) -> list[Axis]:
        if self.found.shown.judging.mode is Mode.PAIRWISE:
            return []  # its totals are shares of comparisons, no marks
        marks = self.people.marks
        out: list[Axis] = []
        judge = np.where(self.left[None, :, None], np.nan, self.found.marks.criteria)
        for k, criterion in enumerate(self.rubric.criteria):
            if np.isfinite(marks[:, :, k]).any():
                gates_ = [(gate.criterion, gate.below) for gate in self.rubric.gates
                          if gate.criterion == criterion.id]  # fmt: skip
                out.append(
                    self._axis(
                        criterion.id,
                        criterion.head or criterion.id,
                        marks[:, :, k],
                        judge[:, :, k],
                        labels=labels,
                        bars=gates_,
                    )
                )
        totals = people_totals(self.found.marks, marks[:, :, :-1])
        if len(self.criteria) > 1 and np.isfinite(totals).any():
            out.append(self._axis(TOTAL, TOTAL, totals, self.judge, labels=labels))
        if np.isfinite(marks[:, :, -1]).any():
            out.append(self._axis(OVERALL, OVERALL, marks[:, :, -1], self.judge, labels=labels))
        return out

    def _axis(
        self, name: str, head: str, people: FloatArray, judge: FloatArray, *, labels: Labels,
        bars: Sequence[tuple[str, float]] = (),
    ) -> Axis:  # fmt: skip
        ids = self.found.ids
        tuned = tuned_refusal("judge_against_people") if labels.tuned else None
        beside = tuned or human.beside(people, judge)
        alt = tuned or self._alt(people, judge)
        leanings = tuned or human.leanings(people, judge, ids)
        agreed = _among(people, identified=not self.slots)
        same, same_pairs = human.same_marks(people)
        made = self._arms(people, judge, labels)
        return Axis(
            id=name,
            head=head,
            counted=human.counted(people),
            beside=beside,
            ceiling=tuned or human.ceiling(people, judge),
            alt_test=alt,
            leanings=leanings,
            people_alpha=agreed.alpha,
            same=same,
            same_pairs=same_pairs,
            icc_one=agreed.one,
            icc_one_mean=agreed.one_mean,
            icc_absolute=agreed.absolute,
            standing=human.may_stand_in(beside, alt, leanings, margin=self.margin),
            gates=tuple(
                ArmGate(criterion=bar, below=below, arm=arm,
                        figure=tuned or gates.share_at(people[at], judge[at], below))
                for bar, below in bars for at, arm in enumerate(ids)
            ),
            arms=made.arms,
            pairs=made.pairs,
            best=made.best,
        )  # fmt: skip

    def _alt(self, people: FloatArray, judge: FloatArray) -> AltTest | Refusal:
        if self.slots:
            return Refusal(
                statistic="alt_test", code=RefusalCode.RATERS_NOT_IDENTIFIED.value, have=0, need=1
            )
        units = people.reshape(-1, people.shape[2]).T
        items = np.broadcast_to(np.arange(judge.shape[1]), judge.shape).ravel()
        used = np.isfinite(units).any(axis=0)
        return alt_test.alt_test(
            units[:, used], judge.ravel()[used], epsilon=self.choices.epsilon,
            names=self.people.raters, items=None if self.choices.independent else items[used],
        )  # fmt: skip

    # ---- people alone, and corrected figures

    def _arms(self, people: FloatArray, judge: FloatArray, labels: Labels) -> _Arms:
        cells, n = human.people_cells(people)
        ids = self.found.ids
        step = lattice_step(people, scale_step=self.rubric.scale.step)
        rng = np.random.default_rng(int(digest([self.run, "people"])[:8], 16))
        table = pairs.all_pairs(cells, n, step=step, rng=rng)
        best = ranks.possible_best(cells, n, step=step)
        floor = step**2 / 12
        uneven = _uneven() if self.drawn.how == PACKETS else None
        known = np.isfinite(cells)
        arms = tuple(
            CorrectedArm(
                arm=arm,
                people=self._people_mean(at, cells[at], judge[at]),
                items=int(known[at].sum()),
                figure=self._refused(labels) or self._mean(at, cells[at], judge[at], floor),
            )
            for at, arm in enumerate(ids)
            if known[at].any()
        )
        made = tuple(
            PeoplePair(
                first=ids[pair.first],
                second=ids[pair.second],
                shared=pair.shared,
                alone=uneven or pair.difference,
                separated=pair.separated and uneven is None,
                corrected=self._refused(labels) or uneven or corrected_difference(
                    cells[[pair.first, pair.second]], judge[[pair.first, pair.second]],
                    self.drawn.items, floor=2 * floor,
                    level=1 - 0.05 / max(1, len(table.pairs)),
                ),
            )
            for pair in table.pairs
        )  # fmt: skip
        if uneven is not None:
            return _Arms(arms=arms, pairs=made, best=uneven)
        names = best if isinstance(best, Refusal) else tuple(ids[at] for at in best)
        return _Arms(arms=arms, pairs=made, best=names)

    def _refused(self, labels: Labels) -> Refusal | None:
        if labels.tuned:
            return tuned_refusal("corrected")
        if labels.sampling == UNKNOWN:
            return Refusal(
                statistic="corrected", code=RefusalCode.LABELS_NOT_RANDOM.value, have=0, need=1,
                how="judge sample draws items; --labels random where they were drawn elsewhere",
            )  # fmt: skip
        return None

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

    def _preferences(self, labels: Labels) -> Preferences | None:
        return preferences_of(
            self.store, self.found, self.people, self.judge, items=self.items,
            test=VoteTest(epsilon=self.choices.epsilon, slots=self.slots,
                          independent=self.choices.independent),
            refused=tuned_refusal("vote_agreement") if labels.tuned else None,
        )  # fmt: skip

    # ---- what would be needed

    def _plan(self, labels: Labels) -> LabelPlan:
        items = _PANEL[0]
        have = labels.drawn if labels.sampling != UNKNOWN and not labels.tuned else 0
        people = max(_PANEL[1], len(labels.people))
        free = [name not in self.tune for name in self.items]
        drawn, reached = reached_by(np.isfinite(self.found.cells)[:, free], items)
        arms = len(drawn) or int(np.isfinite(self.judge).any(axis=1).sum())
        done = have * arms * min(len(labels.people), people)
        return LabelPlan(
            items=items, people=people, arms=arms,
            minutes=max(0, items * arms * people - done) * MINUTES, draw_items=reached,
            draw_arms=tuple(self.found.ids[at] for at in drawn),
        )  # fmt: skip


def _blind_of(found: set[str]) -> str:
    """Of several files: mixed where some were not blind, unknown where that is not known."""
    if len(found) == 1:
        return next(iter(found))
    return "mixed" if Blind.NO.value in found else Blind.UNKNOWN.value


def _uneven() -> Refusal:
    """Differences need items on which all arms are marked; single answers were drawn."""
    return Refusal(
        statistic="paired_difference", code=RefusalCode.UNEQUAL_ITEMS.value, have=0, need=3,
        how="judge sample without --for means draws items, all arms on each",
    )  # fmt: skip


def _named(name: str, patterns: Sequence[str]) -> bool:
    return not patterns or any(fnmatchcase(name, pattern) for pattern in patterns)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Among:
    """Agreement of people among themselves."""

    alpha: Estimate | Refusal
    one: Estimate | Refusal
    one_mean: Estimate | Refusal
    absolute: Estimate | Refusal


def _among(people: FloatArray, *, identified: bool) -> _Among:
    """Agreement of people among themselves: α, ICC(1,1), ICC(1,k), ICC(A,1)."""
    persons = np.isfinite(people).any(axis=(0, 1))
    refused: Refusal | None = None
    if persons.sum() < human.LEAST_PEOPLE:
        refused = Refusal(
            statistic="people", code=RefusalCode.SINGLE_ANNOTATOR.value, have=int(persons.sum()),
            need=human.LEAST_PEOPLE,
        )  # fmt: skip
    elif np.ptp(people[np.isfinite(people)]) <= 1e-9:  # noqa: PLR2004 - the lattice of marks
        refused = Refusal(statistic="people", code=RefusalCode.NO_VARIATION.value, have=1, need=2)
    if refused is not None:
        return _Among(alpha=refused, one=refused, one_mean=refused, absolute=refused)
    flat = people[:, :, persons].reshape(-1, int(persons.sum()))
    items = np.broadcast_to(np.arange(people.shape[1]), people.shape[:2]).ravel()
    found = icc.icc(flat, identified=identified)
    alpha = agreement.alpha(flat, metric="ordinal", items=items)
    if isinstance(found, Refusal):
        return _Among(alpha=alpha, one=found, one_mean=found, absolute=found)
    return _Among(
        alpha=alpha, one=found.one, one_mean=found.one_mean, absolute=found.absolute
    )  # fmt: skip


_FIRST_NEEDS = (
    RefusalCode.NO_HUMAN_LABELS,
    RefusalCode.TUNED_ON_THESE_LABELS,
    RefusalCode.RATERS_NOT_IDENTIFIED,
    RefusalCode.SINGLE_ANNOTATOR,
    RefusalCode.TOO_FEW_ITEMS,
    RefusalCode.LABELS_NOT_RANDOM,
)


def _needs(labels: Labels, axes: Sequence[Axis], preferences: Preferences | None) -> Refusal | None:
    """The first thing to get, of all that is refused."""
    if not labels.items:
        return Refusal(
            statistic="people", code=RefusalCode.NO_HUMAN_LABELS.value, have=0, need=1,
            how="judge sample draws items to mark",
        )  # fmt: skip
    found: list[Refusal] = []
    for axis in axes:
        figures = (axis.alt_test, axis.beside, *(arm.figure for arm in axis.arms))
        found += [figure for figure in figures if isinstance(figure, Refusal)]
    if preferences is not None and isinstance(preferences.alt_test, Refusal):
        found.append(preferences.alt_test)
    order: dict[str, float] = {code.value: place for place, code in enumerate(_FIRST_NEEDS)}
    if any(axis.counted.people >= human.LEAST_PEOPLE for axis in axes):
        # A second person is there: what one criterion lacks is more items of theirs.
        order[RefusalCode.SINGLE_ANNOTATOR.value] = order[RefusalCode.TOO_FEW_ITEMS.value] + 0.5
    return min(found, key=lambda one: order.get(one.code, len(order)), default=None)
