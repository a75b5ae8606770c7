"""Passes of one run as raters: which are compared, and the arrays of each."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import field
from functools import cached_property

import numpy as np

from judgebench.errors import StoreError
from judgebench.model.nouns import Estimate, Mode, Refusal
from judgebench.model.passes import PassFacts
from judgebench.pipeline.figures.analysis import Analysis
from judgebench.pipeline.figures.gather import read_marks
from judgebench.pipeline.figures.marked import Marks
from judgebench.pipeline.figures.stored_pass import choose, read_analysis
from judgebench.pipeline.setting.places import nothing_stored
from judgebench.records import dataclass
from judgebench.stats.arrays import FloatArray, IntArray, nan_mean
from judgebench.store.passes import PassRow
from judgebench.store.store import Store


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """The passes that are compared, and those that are not."""

    rows: tuple[PassRow, ...]
    others: tuple[PassFacts, ...]


@dataclass(frozen=True, kw_only=True)
class Seat:
    """One pass with its arrays. Axes: arms A, items I, criteria K, repeats R."""

    analysis: Analysis = field(repr=False)
    every: Marks = field(repr=False)
    """With the second judgings that serve the noise only, as further repeats."""
    name: str
    judge: int
    person: bool = False
    """One person of a pass of people, not the pass."""

    @cached_property
    def first(self) -> FloatArray:
        """The first mark that was given in each cell, shape (A, I, K)."""
        marks = self.analysis.marks.marks
        there = np.isfinite(marks)
        at = there.argmax(axis=3)
        return np.asarray(np.take_along_axis(marks, at[..., None], axis=3)[..., 0])

    @cached_property
    def criteria(self) -> FloatArray:
        """Mean mark of each cell, shape (A, I, K); no mark by rule among them."""
        return nan_mean(self.analysis.marks.marks, axis=3)

    @cached_property
    def totals(self) -> FloatArray:
        """Mean total of each cell, shape (A, I); none by rule among them."""
        return nan_mean(self.analysis.marks.verdicts[0], axis=2)

    @cached_property
    def best(self) -> tuple[str, ...] | Refusal:
        """Arms that may be best and stand in a place, as the table of this pass says."""
        return self.analysis.ratings.best

    @cached_property
    def may_be_best(self) -> tuple[str, ...] | Refusal:
        """Arms that may be best: of those in a place, and of those without that none is above."""
        if isinstance(self.best, Refusal):
            return self.best
        below = {
            pair.second if pair.difference.value > 0 else pair.first
            for pair in self.analysis.ratings.claims.pairs
            if pair.separated and isinstance(pair.difference, Estimate)
        }
        placed = set(self.places)
        loose = (at for at in self.scored if at not in placed and at not in below)
        return (*self.best, *(self.analysis.ids[at] for at in loose))

    @cached_property
    def scored(self) -> tuple[int, ...]:
        """Arms with marks, in the order of its table."""
        there = set(np.flatnonzero(np.isfinite(self.analysis.cells).any(axis=1)).tolist())
        return tuple(at for at in self.analysis.ratings.order.order if at in there)

    @cached_property
    def places(self) -> tuple[int, ...]:
        """Arms that stand in a place, in the order of its table."""
        return tuple(at for at in self.scored if self.analysis.ratings.placed[at])

    @property
    def order(self) -> tuple[str, ...]:
        """Names of the arms that stand in a place, in the order of its table."""
        return tuple(self.analysis.ids[at] for at in self.places)

    @property
    def means(self) -> tuple[float, ...]:
        """Mean total of each arm of `order`."""
        return tuple(nan_mean(self.analysis.cells[list(self.places)], axis=1).tolist())

    @property
    def unplaced(self) -> tuple[str, ...]:
        """Arms with marks that stand in no place in its table."""
        return tuple(self.analysis.ids[at] for at in self.scored if at not in self.places)

    @property
    def unjudged(self) -> tuple[str, ...]:
        """Arms without any mark in it."""
        order = self.analysis.ratings.order.order
        return tuple(self.analysis.ids[at] for at in order if at not in self.scored)

    @property
    def reps(self) -> IntArray:
        """Judgings behind each cell, shape (A, I)."""
        return self.analysis.repeats


def another(base: Seat) -> str:
    """How one more rater is had: a run of marks has no answers to judge again."""
    if base.analysis.shown.facts().marks_only:
        return "marks of another rater in the file"
    return "judge rejudge RUN --judge OTHER"


def _no_marks(base: PassRow, passes: Sequence[PassRow]) -> str:
    """Why a pass over pairs has no agreement here, and what can be done instead."""
    if any(row.judging.mode is not Mode.PAIRWISE for row in passes):
        how = "name another --pass"
    elif base.facts().marks_only:
        how = _pairs_given(base, passes)
    else:
        how = "judge the answers one by one (--mode pointwise), or read them by judge table"
    return f"pass {base.judging.id} compares pairs and gives no marks; {how}"


def _pairs_given(base: PassRow, passes: Sequence[PassRow]) -> str:
    """Where imported verdicts on pairs are held against others: people's against a judge's."""
    people = base.facts().by_people
    others = [row.judging.id for row in passes if row.facts().by_people != people]
    if not others:
        who = "people" if people else "judges"
        return f"how {who} agree on pairs is not offered, judge table reads them"
    if people:
        return f"judge calibrate --pass {others[0]} holds a judge against these people"
    return "judge calibrate holds its verdicts against those of people"


def choose_passes(store: Store, run: str, wanted: Sequence[str] = ()) -> Chosen:
    """Which passes are compared: those named, else all complete ones that were asked the same.

    Args:
        store: The open store.
        run: The run's name in it.
        wanted: Beginnings of pass ids; one names the pass that the others are held against.

    Raises:
        StoreError: The run was never judged here, a name fits no pass or several, or
            the passes named were asked different things.
    """
    passes = store.find_passes(run)
    if not passes:
        raise nothing_stored(store.path, run)
    named = [choose(passes, one) for one in wanted]
    if len({row.judging.id for row in named}) < len(named):
        raise StoreError("--pass names one pass twice")
    marked = [row for row in passes if row.judging.mode is not Mode.PAIRWISE] or passes
    base = named[0] if named else choose(marked, None)
    if base.judging.mode is Mode.PAIRWISE:
        raise StoreError(_no_marks(base, passes))
    for row in named[1:]:
        pairs = row.judging.mode is Mode.PAIRWISE
        if pairs or row.judging.ask_sha256 != base.judging.ask_sha256:
            raise StoreError(
                f"passes {base.judging.id} and {row.judging.id} cannot be compared: "
                "another rubric, or pairs"
            )
    if len(named) > 1:
        rows = named
    else:
        rest = [row for row in passes if row is not base and comparable(row, base)]
        rows = [base, *rest]
    ids = {row.judging.id for row in rows}
    return Chosen(
        rows=tuple(rows),
        others=tuple(row.facts() for row in passes if row.judging.id not in ids),
    )


def comparable(row: PassRow, base: PassRow) -> bool:
    """Whether a pass is complete and its judge was asked the same."""
    return (
        row.state == "complete"
        and row.judging.mode is not Mode.PAIRWISE
        and row.judging.ask_sha256 == base.judging.ask_sha256
        and row.facts().by_people == base.facts().by_people
    )


def one_each(rows: Sequence[PassRow]) -> tuple[PassRow, ...]:
    """The first pass of every judge: a judge that judged twice has one voice."""
    first: dict[str, PassRow] = {}
    for row in rows:
        first.setdefault(row.judging.judge_sha256, row)
    return tuple(first.values())


def seats_of(store: Store, run: str, rows: Sequence[PassRow]) -> tuple[Seat, ...]:
    """The arrays of every pass; totals of all are made by the sums of the first."""
    names = names_of(rows)
    judges = {row.judging.judge_sha256: place for place, row in enumerate(one_each(rows))}
    out: list[Seat] = []
    for row, name in zip(rows, names, strict=True):
        rubric = out[0].analysis.rubric if out else None
        analysis = read_analysis(store, run, pass_id=row.judging.id, rubric=rubric)
        every = read_marks(
            store, judging=row.judging, rubric=analysis.rubric,
            arms=len(analysis.ids), reading=analysis.reading, noise=True,
        )  # fmt: skip
        judge = judges[row.judging.judge_sha256]
        out.append(Seat(analysis=analysis, every=every, name=name, judge=judge))
    return tuple(out)


def names_of(rows: Sequence[PassRow]) -> tuple[str, ...]:
    """The judge's name of each pass, with as much more as tells them apart."""
    plain = [row.judging.judge_name for row in rows]
    modes = [
        f"{name} {row.judging.mode.value}" if plain.count(name) > 1 else name
        for name, row in zip(plain, rows, strict=True)
    ]
    twice = Counter(modes)
    return tuple(
        f"{name} {row.judging.id[:6]}" if twice[name] > 1 else name
        for name, row in zip(modes, rows, strict=True)
    )
