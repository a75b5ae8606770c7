"""People's marks on their way into the store: from a file, from the page, and out again.

A file is merged with what was there: the same mark again changes nothing, another
mark of the same person for the same is refused, and either all of a file is in or
nothing. What is taken back, or given anew, stays with the time of that.
"""

import hashlib
import math
from collections.abc import Sequence
from pathlib import Path

from judgebench.errors import ImportFileError
from judgebench.model.nouns import Blinding, Judge, Mode, Pass
from judgebench.model.rubric import Rubric
from judgebench.pipeline.figures.stored_pass import people_pass
from judgebench.pipeline.marks.table import PEOPLE
from judgebench.pipeline.people.given import Given, batch_of, keyed, merge, row_of
from judgebench.pipeline.people.mark_files import (
    Withdrawn,
    find_file,
    given_by_file,
    live_files,
    no_file,
    refuse_twice,
    without,
)
from judgebench.pipeline.people.people_marks import arm_labels, stored_marks
from judgebench.pipeline.setting.scene import World
from judgebench.records import dataclass
from judgebench.runs.importers.human_csv import read_human
from judgebench.runs.importers.human_sheet import (
    Blind,
    GivenMark,
    HumanFile,
    Known,
    SheetChoices,
)
from judgebench.store.passes import PassRow
from judgebench.store.people import GivenRow, HumanFileRow
from judgebench.store.store import Store
from judgebench.text import digest, one_line

MADE_HERE = "judge label"
"""Stands for a file where people marked on the page."""
_PEOPLE = {"rater": PEOPLE, "people": True}
"""What is on record of people in the place of a judge's settings."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Taking:
    """What the user says of a file of marks."""

    sheet: SheetChoices
    blind: Blind
    """Whether people saw which arm an answer came from."""
    replaces: str | None = None
    """Name or hash of a file whose marks it takes the place of."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TakenIn:
    """What an import found."""

    file: HumanFile
    added: int
    """Marks and preferences that were not there before."""
    known: bool
    """This very file was taken in before: nothing was written."""
    told: Blind | None = None
    """What was said of a known file for the first time, or otherwise than before."""
    replaced: Withdrawn | None = None
    """The file whose marks were taken back for it."""


def take_people(
    store: Store,
    run: str,
    source: Path,
    *,
    rubric: Rubric,
    choices: Taking,
    world: World,
) -> TakenIn:
    """Take a file of people's marks in; all of it or nothing.

    Args:
        store: Open for writing.
        run: Name of the run, which was judged.
        source: CSV, TSV, XLSX or JSON lines.
        rubric: Whose criteria and scale the marks belong to.
        choices: What the user says of the file.
        world: Clock.

    Raises:
        ImportFileError: The file cannot be taken, or says other than what is stored.
        RunError: The file that it takes the place of is none, or several.
    """
    book = _Book(store=store, run=run, rubric=rubric, world=world)
    file = read_human(source, choices.sheet, book.known())
    sha256 = _identity(source, choices.sheet)
    old = None if choices.replaces is None else find_file(store, run, choices.replaces)
    by_file = given_by_file(store, run)
    live = {row["sha256"]: row for row in live_files(store, run)}
    if sha256 in live and (sha256 in by_file or not file.given):
        told = choices.blind is not Blind.UNKNOWN and choices.blind != live[sha256]["blind"]
        if told:
            store.set_blind(run, sha256, choices.blind.value)
        return TakenIn(file=file, added=0, known=True, told=choices.blind if told else None)
    refuse_twice(source, file, by_file, [one for one in live.values() if one != old])
    row = book.row()
    if row.judging.id != _pass_id(run):
        raise ImportFileError(
            source, f"is for {one_line(run, 40)}, a run of imported marks",
            "put these marks into the file that it came from",
        )  # fmt: skip
    before = book.marks(row)
    kept, replaced = (before, None) if old is None else without(before, by_file, old)
    marks, added = merge(kept, file, source)
    noted = HumanFileRow(
        run=run, sha256=sha256, name=one_line(source.name, 100), blind=choices.blind.value,
        scale_low=file.scale[0], scale_high=file.scale[1], identified=file.identified,
        raters=len(file.raters), marks=len(file.given), blanks=file.blanks,
        taken_at=book.stamp(),
    )  # fmt: skip
    gone = old["sha256"] if old else None
    book.write(row, marks, _Change(file=noted, given=[*map(row_of, file.given)], gone=gone))
    return TakenIn(file=file, added=added, known=False, replaced=replaced)


def withdraw(store: Store, run: str, named: str, *, rubric: Rubric, world: World) -> Withdrawn:
    """Take the marks of a file back; the file and its marks stay on record.

    Args:
        store: Open for writing.
        run: Name of the run.
        named: The file as it was named, or the beginning of its hash.
        rubric: Of the pass that is shown.
        world: Clock.

    Raises:
        RunError: No file, or several, are named so.
    """
    old = find_file(store, run, named)
    row = people_pass(store, run)
    if row is None:
        raise no_file(store, run, named)
    book = _Book(store=store, run=run, rubric=rubric, world=world)
    kept, gone = without(book.marks(row), given_by_file(store, run), old)
    book.write(row, kept, _Change(gone=old["sha256"]))
    return gone


def give_mark(
    store: Store, run: str, given: GivenMark, *, rubric: Rubric, world: World, back: bool = False
) -> None:  # fmt: skip
    """Store what one person says here, blind, in the place of what that person said before.

    Args:
        store: Open for writing.
        run: Name of the run, which was judged.
        given: The mark; NaN where the person cannot judge.
        rubric: Whose criteria and scale the mark belongs to.
        world: Clock.
        back: Take back what was said instead.
    """
    book = _Book(store=store, run=run, rubric=rubric, world=world)
    row = book.row()
    marks = book.marks(row)
    if back:
        marks.pop(given.key, None)
    else:
        marks[given.key] = given
    own = [one for key, one in marks.items() if key.rater == given.rater]
    blanks = sum(math.isnan(one.value) for one in own)
    noted = HumanFileRow(
        run=run, sha256=digest(["label", run, given.rater]),
        name=one_line(f"{MADE_HERE}, {given.rater}", 100), blind=Blind.YES.value,
        scale_low=rubric.scale.low, scale_high=rubric.scale.high, identified=True, raters=1,
        marks=len(own) - blanks, blanks=blanks, taken_at=book.stamp(),
    )  # fmt: skip
    said = row_of(given)
    book.write(row, marks, _Change(file=noted, given=[] if back else [said], anew=said))


@dataclass(frozen=True, kw_only=True, slots=True)
class _Change:
    """What is noted beside the marks themselves."""

    file: HumanFileRow | None = None
    given: Sequence[GivenRow] = ()
    gone: str | None = None
    """Hash of the file that is taken back."""
    anew: GivenRow | None = None
    """What one person says in the place of what that person said before."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Book:
    """People's marks of one run, open for writing."""

    store: Store
    run: str
    rubric: Rubric
    world: World

    def stamp(self) -> str:
        """The time."""
        return self.world.now().isoformat(timespec="seconds")

    def known(self) -> Known:
        """What a file's rows may name."""
        arms = tuple(row["arm"] for row in self.store.records("arms", run=self.run))

        def behind(item: str, label: str) -> str | None:
            by_label = {name: arm for arm, name in arm_labels(self.run, item, arms).items()}
            return by_label.get(label.strip().upper())

        return Known(
            run=self.run,
            items=tuple(name for (name,) in self.store.rows("items", run=self.run)),
            arms=arms,
            criteria={criterion.id: criterion.head for criterion in self.rubric.criteria},
            scale=self.rubric.scale,
            behind=behind,
        )

    def row(self) -> PassRow:
        """The pass of people; a new one where nobody marked anything yet."""
        return people_pass(self.store, self.run) or self._new_pass()

    def marks(self, row: PassRow) -> Given:
        """What people gave so far."""
        return keyed(stored_marks(self.store, row.judging.id))

    def write(self, row: PassRow, marks: Given, change: _Change) -> None:
        """Store all marks and what changed, in one transaction."""
        store, stamp, judging = self.store, self.stamp(), row.judging
        with store.together():
            store.put_rubric(self.rubric)
            judge = Judge(name=PEOPLE, model=PEOPLE, provider="marks", sha256=judging.judge_sha256)
            store.put_judge(judge, _PEOPLE)
            store.put_pass(row)
            batch = batch_of(judging.id, marks, self.known())
            store.replace_marks(judging.id, batch, judged_at=self.world.now().timestamp())
            if change.gone is not None:
                store.take_back_file(self.run, change.gone, withdrawn_at=stamp)
            if change.file is not None:
                sha256 = change.file.sha256
                store.put_human_file(change.file)
                if change.anew is not None:
                    store.take_back_mark(self.run, sha256, change.anew, withdrawn_at=stamp)
                store.put_given(self.run, sha256, change.given, given_at=stamp)

    def _new_pass(self) -> PassRow:
        rubric, stamp = self.rubric, self.stamp()
        return PassRow(
            judging=Pass(
                id=_pass_id(self.run),
                run=self.run,
                judge_name=PEOPLE,
                judge_sha256=digest(_PEOPLE),
                judge_model=PEOPLE,
                rubric_name=rubric.name,
                ask_sha256=rubric.ask_sha256,
                prompt_version="none",
                mode=Mode.POINTWISE,
                blinding=Blinding.FLAG,
                seed=0,
                repeats=1,
                route="people",
            ),
            ordinal=len(self.store.find_passes(self.run)) + 1,
            rubric_version=rubric.version,
            sum_sha256=rubric.sum_sha256,
            started_at=stamp,
            finished_at=stamp,
            state="complete",
        )


def _identity(source: Path, choices: SheetChoices) -> str:
    raw = hashlib.sha256(source.read_bytes()).hexdigest()
    return digest([raw, sorted(choices.columns.items()), list(choices.raters), choices.scale,
                   choices.pseudonyms, choices.slots, choices.skip_unmatched])  # fmt: skip


def _pass_id(run: str) -> str:
    return digest(["people", run])[:12]
