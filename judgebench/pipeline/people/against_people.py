"""The judge of a stored pass against people: people alone first, then the judge beside them.

Calls statistics in turn and puts their answers together; notes nothing.
"""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np

from judgebench.errors import RunError
from judgebench.model.nouns import Mode, Refusal
from judgebench.model.people import (
    TOTAL,
    AltTest,
    ArmGate,
    Axis,
    Calibration,
    LabelPlan,
    Labels,
    Preferences,
)
from judgebench.model.reasons import RefusalCode
from judgebench.pipeline.figures.analysis import Analysis
from judgebench.pipeline.figures.marked import people_totals
from judgebench.pipeline.figures.stored_pass import people_pass
from judgebench.pipeline.people import possible_people
from judgebench.pipeline.people.among_people import people_agreement
from judgebench.pipeline.people.by_people import ByPeople
from judgebench.pipeline.people.drawn import UNKNOWN, drawn_labels
from judgebench.pipeline.people.people_marks import PeopleMarks, read_people
from judgebench.pipeline.people.people_needs import first_need
from judgebench.pipeline.people.preferences import VoteTest, preferences_of
from judgebench.pipeline.people.reach import reached_by
from judgebench.pipeline.people.splitting import fitting_share, looks_at, tune_items, tuned_refusal
from judgebench.pipeline.setting.units import counted
from judgebench.records import dataclass
from judgebench.runs.importers.human_sheet import OVERALL, Blind
from judgebench.stats import alt_test, ceiling, gates, human, standing
from judgebench.stats.arrays import BoolArray, FloatArray
from judgebench.store.store import Store
from judgebench.text import one_line

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


def against_people(store: Store, analysis: Analysis, choices: AgainstChoices) -> Calibration:
    """Hold the judge of a pass whose arrays are read against people.

    Args:
        store: The open store.
        analysis: The pass of a judge.
        choices: What is held against what.
    """
    return possible_people.calibration(_Beside(store, analysis, choices).calibration())


def marks_shown(made: Calibration) -> int:
    """Marks by people that these figures are made of; the total is no mark of its own."""
    return sum(axis.counted.marks for axis in made.axes if axis.id != TOTAL)


class _Beside:
    """One judge and the people of a run on their way to figures."""

    def __init__(self, store: Store, analysis: Analysis, choices: AgainstChoices) -> None:
        self.store, self.analysis, self.choices = store, analysis, choices
        self.run = analysis.shown.judging.run
        self.rubric = analysis.rubric
        self.items = [name for (name,) in store.rows("items", run=self.run)]
        self.criteria = [criterion.id for criterion in self.rubric.criteria]
        self.tune = tune_items(store, self.run)
        outside = {name for name in self.items if not _named(name, choices.items)}
        self.left = np.array([n in self.tune or n in outside for n in self.items], dtype=bool)
        self.outside = self.tune | outside
        self.people = self._read()
        if choices.people and not self.people.raters:
            self._nobody()
        self.judge = np.where(self.left[None, :], np.nan, analysis.cells)
        every = store.records("human_files", run=self.run)
        self.files = [row for row in every if row["withdrawn_at"] is None]
        self.withdrawn = [row for row in every if row["withdrawn_at"] is not None]
        self.slots = choices.slots or any(not row["identified"] for row in self.files)
        marked: BoolArray = np.asarray(np.isfinite(self.people.marks).any(axis=(2, 3)), dtype=bool)
        if not marked.any():
            # Beside marks a preference is no label: a mean takes none of it.
            for one in self.people.comparisons:
                marked[[one.first, one.second], one.item] = True
        self.marked = marked
        self.drawn = drawn_labels(
            store, self.run, items=self.items, arms=analysis.ids, marked=marked, judge=self.judge,
            said=choices.random,
        )  # fmt: skip
        self.looks = looks_at(store, analysis.shown)
        scale = self.rubric.scale
        self.span = scale.high - scale.low
        self.margin = self.span / 18

    def _read(self) -> PeopleMarks:
        row = people_pass(self.store, self.run)
        if row is None:
            shape = (len(self.analysis.ids), len(self.items), len(self.criteria) + 1, 0)
            return PeopleMarks(
                raters=(), criteria=(*self.criteria, OVERALL), marks=np.full(shape, np.nan)
            )
        return read_people(
            self.store, row.judging.id, arms=self.analysis.ids, items=self.items,
            criteria=self.criteria, left_out=self.outside,
            wanted=lambda name: _named(name, self.choices.people),
        )  # fmt: skip

    def _nobody(self) -> None:
        """Names that nobody has are a slip; that nobody marked anything is none."""
        row = people_pass(self.store, self.run)
        if row is None:
            return
        known = read_people(
            self.store, row.judging.id, arms=self.analysis.ids, items=self.items,
            criteria=self.criteria,
        ).raters  # fmt: skip
        if known:
            raise RunError(
                Path(self.run),
                f"has no marks by {one_line(', '.join(self.choices.people), 60)}",
                f"there are marks by {one_line(', '.join(known), 120)}",
            )

    def _for_tuning(self) -> tuple[int, int]:
        """Items and marks that serve for tuning the rubric, and so for nothing here."""
        row = people_pass(self.store, self.run) if self.tune else None
        if row is None:
            return 0, 0
        given = read_people(
            self.store, row.judging.id, arms=self.analysis.ids, items=self.items,
            criteria=self.criteria, left_out=frozenset(self.items) - self.tune,
        ).marks  # fmt: skip
        known = np.isfinite(given)
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
            off_scale=int(
                self.store.rows("off_scale", pass_id=self.analysis.shown.judging.id)[0][0]
            ),
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
        judging, scale = self.analysis.shown.judging, self.rubric.scale
        labels = self._labels()
        axes = tuple(self._axes(labels))
        preferences = self._preferences(labels)
        needs = first_need(labels, axes, preferences)
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
            marks_only=self.analysis.shown.facts().marks_only or None,
            clusters=counted(self.analysis.clusters),
            axes=axes,
            preferences=preferences,
            plan=None if needs is None else self._plan(labels),
            needs=needs,
        )

    def _axes(self, labels: Labels) -> list[Axis]:
        if self.analysis.shown.judging.mode is Mode.PAIRWISE:
            return []  # its totals are shares of comparisons, no marks
        marks = self.people.marks
        out: list[Axis] = []
        judge = np.where(self.left[None, :, None], np.nan, self.analysis.marks.criteria)
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
        totals = people_totals(self.analysis.marks, marks[:, :, :-1])
        if len(self.criteria) > 1 and np.isfinite(totals).any():
            out.append(self._axis(TOTAL, TOTAL, totals, self.judge, labels=labels))
        if np.isfinite(marks[:, :, -1]).any():
            out.append(self._axis(OVERALL, OVERALL, marks[:, :, -1], self.judge, labels=labels))
        return out

    def _axis(
        self, name: str, head: str, people: FloatArray, judge: FloatArray, *, labels: Labels,
        bars: Sequence[tuple[str, float]] = (),
    ) -> Axis:  # fmt: skip
        ids = self.analysis.ids
        tuned = tuned_refusal("judge_against_people") if labels.tuned else None
        beside = tuned or human.beside(people, judge, span=self.span)
        alt = tuned or self._alt(people, judge)
        leanings = tuned or standing.leanings(people, judge, ids)
        agreed = people_agreement(people, identified=not self.slots, span=self.span)
        same, same_pairs = human.same_marks(people)
        by_people = self._by_people(labels).arms(people, judge)
        return Axis(
            id=name,
            head=head,
            counted=human.counted(people),
            beside=beside,
            ceiling=tuned or ceiling.ceiling(people, judge),
            alt_test=alt,
            leanings=leanings,
            people_alpha=agreed.alpha,
            same=same,
            same_pairs=same_pairs,
            icc_one=agreed.one,
            icc_one_mean=agreed.one_mean,
            icc_absolute=agreed.absolute,
            standing=standing.may_stand_in(beside, alt, leanings, margin=self.margin),
            gates=tuple(
                ArmGate(criterion=bar, below=below, arm=arm,
                        figure=tuned or gates.share_at(people[at], judge[at], below))
                for bar, below in bars for at, arm in enumerate(ids)
            ),
            arms=by_people.arms,
            pairs=by_people.pairs,
            best=by_people.best,
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

    def _by_people(self, labels: Labels) -> ByPeople:
        return ByPeople(
            run=self.run,
            ids=self.analysis.ids,
            scale_step=self.rubric.scale.step,
            drawn=self.drawn,
            refused=_uncorrected(labels),
            clusters=self.analysis.clusters,
        )

    def _preferences(self, labels: Labels) -> Preferences | None:
        return preferences_of(
            self.store, self.analysis, self.people, self.judge, items=self.items,
            test=VoteTest(epsilon=self.choices.epsilon, slots=self.slots,
                          independent=self.choices.independent),
            refused=tuned_refusal("vote_agreement") if labels.tuned else None,
        )  # fmt: skip

    # ---- what would be needed

    def _plan(self, labels: Labels) -> LabelPlan:
        items = _PANEL[0]
        people = max(_PANEL[1], len(labels.people))
        free = [name not in self.tune for name in self.items]
        drawn, reached = reached_by(np.isfinite(self.analysis.cells)[:, free], items)
        arms = len(drawn) or int(np.isfinite(self.judge).any(axis=1).sum())
        return LabelPlan(
            items=items, people=people, arms=arms,
            minutes=items * arms * MINUTES, draw_items=reached,
            draw_arms=tuple(self.analysis.ids[at] for at in drawn),
        )  # fmt: skip


def _blind_of(found: set[str]) -> str:
    """Of several files: mixed where some were not blind, unknown where that is not known."""
    if len(found) == 1:
        return next(iter(found))
    return "mixed" if Blind.NO.value in found else Blind.UNKNOWN.value


def _uncorrected(labels: Labels) -> Refusal | None:
    """Why the judge's marks may not be corrected by these labels."""
    if labels.tuned:
        return tuned_refusal("corrected")
    if labels.sampling == UNKNOWN:
        return Refusal(
            statistic="corrected", code=RefusalCode.LABELS_NOT_RANDOM.value, have=0, need=1,
            how="judge sample draws items; --labels random where they were drawn elsewhere",
        )  # fmt: skip
    return None


def _named(name: str, patterns: Sequence[str]) -> bool:
    return not patterns or any(fnmatchcase(name, pattern) for pattern in patterns)
