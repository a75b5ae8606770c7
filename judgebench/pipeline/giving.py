"""People's marks on their way into the store: from a file, from the page, and out again.

A file is merged with what was there: the same mark again changes nothing, another
mark of the same person for the same is refused, and either all of a file is in or
nothing. What is taken back, or given anew, stays with the time of that.
"""

import hashlib
import math
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from judgebench.errors import ImportFileError, RunError
from judgebench.model import Blinding, Judge, Mode, Pass, Rubric
from judgebench.pipeline.mark_table import PEOPLE
from judgebench.pipeline.people import arm_labels, stored_marks
from judgebench.pipeline.scene import World
from judgebench.pipeline.stored_pass import people_pass
from judgebench.runs.importers.human_csv import read_human
from judgebench.runs.importers.human_sheet import (
    NOBODY,
    OVERALL,
    PREFERENCE,
    Blind,
    GivenMark,
    GivenPreference,
    HumanFile,
    Known,
    SheetChoices,
)
from judgebench.store.marks import MarkBatch
from judgebench.store.passes import PassRow
from judgebench.store.people import GivenRow, HumanFileRow
from judgebench.store.store import Store
from judgebench.text import digest, one_line, plural

MADE_HERE = "judge label"
"""Stands for a file where people marked on the page."""
_SIDES = ("", "a", "b")
_LEAST_HASH = 6
"""Signs of a hash that name a file."""


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
    replaced: "Withdrawn | None" = None
    """The file whose marks were taken back for it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Withdrawn:
    """A file whose marks count no more."""

    name: str
    marks: int
    """What it had given."""
    stay: int
    """Of these, what another file or the page gives too."""


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
    known = _known(store, run, rubric)
    found = read_human(source, choices.sheet, known)
    sha256 = _identity(source, choices.sheet)
    old = None if choices.replaces is None else find_file(store, run, choices.replaces)
    given = _by_file(store, run)
    live = {row["sha256"]: row for row in _files(store, run)}
    if sha256 in live and (sha256 in given or not (found.marks or found.preferences)):
        told = choices.blind is not Blind.UNKNOWN and choices.blind != live[sha256]["blind"]
        if told:
            store.set_blind(run, sha256, choices.blind.value)
        return TakenIn(file=found, added=0, known=True, told=choices.blind if told else None)
    _no_twice(source, found, given, [one for one in live.values() if one != old])
    row = people_pass(store, run) or _new_pass(store, run, rubric, world)
    if row.judging.id != _pass_id(run):
        raise ImportFileError(
            source, f"is for {one_line(run, 40)}, a run of imported marks",
            "put these marks into the file that it came from",
        )  # fmt: skip
    before = {_key(one): one for one in stored_marks(store, row.judging.id)}
    kept, replaced = (before, None) if old is None else _without(before, given, old)
    merged, added = _merge(kept.values(), found, source)
    file = HumanFileRow(
        run=run, sha256=sha256, name=one_line(source.name, 100), blind=choices.blind.value,
        scale_low=found.scale[0], scale_high=found.scale[1], identified=found.identified,
        raters=len(found.raters), marks=len(found.marks) + len(found.preferences),
        blanks=found.blanks, taken_at=world.now().isoformat(timespec="seconds"),
    )  # fmt: skip
    rows = [*map(_row, found.marks), *map(_row, found.preferences)]
    change = _Change(file=file, given=rows, gone=old["sha256"] if old else None)
    _write(store, row, merged, known=known, rubric=rubric, change=change, world=world)
    return TakenIn(file=found, added=added, known=False, replaced=replaced)


def _no_twice(
    source: Path,
    found: HumanFile,
    given: "Mapping[str, _Given]",
    files: Sequence[Mapping[str, Any]],
) -> None:
    """Refuse marks that a file without names gave already, or that it gives once more.

    Raises:
        ImportFileError: They would count a person who is none.
    """
    both: list[GivenMark | GivenPreference] = [*found.marks, *found.preferences]
    new = {_key(one): one for one in both}
    for file in files:
        old = given.get(file["sha256"], {})
        if _unnamed(old) and not _unnamed(new) and _within(old, new):
            name = one_line(file["name"], 60)
            raise ImportFileError(
                source, f"names who gave the marks of {name}: they would count twice",
                f"add --replaces {shlex.quote(name)}",
            )  # fmt: skip
        if _unnamed(new) and not _unnamed(old) and _within(new, old):
            raise ImportFileError(
                source, f"names nobody, and its marks stand in {one_line(file['name'], 60)}",
                "leave it, or name another person in a column rater",
            )  # fmt: skip


def _unnamed(marks: "_Given") -> bool:
    """Whether no column said who gave them."""
    return {key[-1] for key in marks} == {NOBODY}


def _within(part: "_Given", whole: "_Given") -> bool:
    """Whether each mark of a file stands in another one, whoever gave it there."""
    there = {(*key[:-1], _value(one)) for key, one in whole.items()}
    return all((*key[:-1], _value(one)) in there for key, one in part.items())


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
        raise _no_file(store, run, named)
    before = {_key(one): one for one in stored_marks(store, row.judging.id)}
    kept, gone = _without(before, _by_file(store, run), old)
    change = _Change(gone=old["sha256"])
    _write(store, row, kept, known=_known(store, run, rubric), rubric=rubric, change=change,
           world=world)  # fmt: skip
    return gone


def find_file(store: Store, run: str, named: str) -> Mapping[str, Any]:
    """The file of marks that was taken in under this name, or whose hash begins so.

    Raises:
        RunError: None, or several, are named so.
    """
    name = one_line(Path(named).name, 100)
    found = [
        row
        for row in _files(store, run)
        if row["name"] in {name, named}
        or (len(named) >= _LEAST_HASH and row["sha256"].startswith(named))
    ]
    if len(found) != 1:
        raise _no_file(store, run, named, [row["sha256"][:12] for row in found])
    return found[0]


def _no_file(store: Store, run: str, named: str, hashes: Sequence[str] = ()) -> RunError:
    shown = one_line(named, 60)
    if hashes:
        several = f"has {plural(len(hashes), 'file')} of marks named {shown}"
        return RunError(one_line(run, 40), several, f"name one by its hash: {', '.join(hashes)}")
    names = ", ".join(one_line(row["name"], 40) for row in _files(store, run)) or "none"
    return RunError(one_line(run, 40), f"has no file of marks {shown}", f"it has: {names}")


def _files(store: Store, run: str) -> list[dict[str, Any]]:
    """Files whose marks count."""
    return [row for row in store.records("human_files", run=run) if row["withdrawn_at"] is None]


def _by_file(store: Store, run: str) -> "dict[str, _Given]":
    """What each file gave, as far as it counts."""
    out: dict[str, _Given] = {}
    for row in store.records("given_marks", run=run):
        one = _given(row)
        out.setdefault(row["file"], {})[_key(one)] = one
    return out


def _without(
    before: "_Given", given: "Mapping[str, _Given]", old: Mapping[str, Any]
) -> "tuple[_Given, Withdrawn]":
    """All marks but those of one file; what another gives too stays."""
    mine = given.get(old["sha256"], {})
    if not mine and old["marks"]:
        raise ImportFileError(
            one_line(old["name"], 60), "is of a version that kept no marks by file",
            "give it once more with --human, then take it back",
        )  # fmt: skip
    kept = {key: one for key, one in before.items() if key not in mine}
    for file, theirs in given.items():
        if file == old["sha256"]:
            continue
        for key in mine.keys() & theirs.keys():
            if key not in kept or not math.isnan(_value(theirs[key])):
                kept[key] = theirs[key]  # the last word of those that remain
    stay = sum(key in kept for key in mine)
    return kept, Withdrawn(name=old["name"], marks=len(mine), stay=stay)


def _row(given: GivenMark | GivenPreference) -> GivenRow:
    item, arm, other, criterion, rater = _key(given)
    value = _value(given)
    return GivenRow(
        item=item, arm=arm, other=other, criterion=criterion, rater=rater,
        mark=None if math.isnan(value) else value,
    )  # fmt: skip


def _given(row: Mapping[str, Any]) -> GivenMark | GivenPreference:
    value = math.nan if row["mark"] is None else float(row["mark"])
    if row["other"]:
        return GivenPreference(
            item=row["item"], first=row["arm"], second=row["other"], rater=row["rater"],
            share=value,
        )  # fmt: skip
    return GivenMark(
        item=row["item"], arm=row["arm"], criterion=row["criterion"], rater=row["rater"],
        mark=value,
    )  # fmt: skip


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
    row = people_pass(store, run) or _new_pass(store, run, rubric, world)
    merged: _Given = {_key(one): one for one in stored_marks(store, row.judging.id)}
    if back:
        merged.pop(_key(given), None)
    else:
        merged[_key(given)] = given
    own = [one for key, one in merged.items() if key[-1] == given.rater]
    blanks = sum(math.isnan(_value(one)) for one in own)
    file = HumanFileRow(
        run=run, sha256=digest(["label", run, given.rater]),
        name=one_line(f"{MADE_HERE}, {given.rater}", 100), blind=Blind.YES.value,
        scale_low=rubric.scale.low, scale_high=rubric.scale.high, identified=True, raters=1,
        marks=len(own) - blanks, blanks=blanks,
        taken_at=world.now().isoformat(timespec="seconds"),
    )  # fmt: skip
    change = _Change(
        file=file, given=[] if back else [_row(given)], anew=_row(given)
    )  # fmt: skip
    _write(store, row, merged, known=_known(store, run, rubric), rubric=rubric, change=change,
           world=world)  # fmt: skip


def _known(store: Store, run: str, rubric: Rubric) -> Known:
    arms = tuple(row["arm"] for row in store.records("arms", run=run))

    def behind(item: str, label: str) -> str | None:
        found = {name: arm for arm, name in arm_labels(run, item, arms).items()}
        return found.get(label.strip().upper())

    return Known(
        run=run,
        items=tuple(name for (name,) in store.rows("items", run=run)),
        arms=arms,
        criteria={criterion.id: criterion.head for criterion in rubric.criteria},
        scale=rubric.scale,
        behind=behind,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Change:
    """What is noted beside the marks themselves."""

    file: HumanFileRow | None = None
    given: Sequence[GivenRow] = ()
    gone: str | None = None
    """Hash of the file that is taken back."""
    anew: GivenRow | None = None
    """What one person says in the place of what that person said before."""


def _write(
    store: Store, row: PassRow, given: "_Given", *, known: Known, rubric: Rubric,
    change: _Change, world: World,
) -> None:  # fmt: skip
    stamp, run = world.now().isoformat(timespec="seconds"), row.judging.run
    with store.together():
        store.put_rubric(rubric)
        judge = Judge(name=PEOPLE, model=PEOPLE, provider="marks", sha256=row.judging.judge_sha256)
        store.put_judge(judge, {"rater": PEOPLE, "people": True})
        store.put_pass(row)
        store.replace_marks(
            row.judging.id, _batch(row.judging.id, given, known), judged_at=world.now().timestamp()
        )
        if change.gone is not None:
            store.take_back_file(run, change.gone, withdrawn_at=stamp)
        if change.file is not None:
            store.put_human_file(change.file)
            if change.anew is not None:
                store.take_back_mark(run, change.file.sha256, change.anew, withdrawn_at=stamp)
            store.put_given(run, change.file.sha256, change.given, given_at=stamp)


def _identity(source: Path, choices: SheetChoices) -> str:
    raw = hashlib.sha256(source.read_bytes()).hexdigest()
    return digest([raw, sorted(choices.columns.items()), list(choices.raters), choices.scale,
                   choices.pseudonyms, choices.slots, choices.skip_unmatched])  # fmt: skip


def _pass_id(run: str) -> str:
    return digest(["people", run])[:12]


def _new_pass(store: Store, run: str, rubric: Rubric, world: World) -> PassRow:
    stamp = world.now().isoformat(timespec="seconds")
    return PassRow(
        judging=Pass(
            id=_pass_id(run),
            run=run,
            judge_name=PEOPLE,
            judge_sha256=digest({"rater": PEOPLE, "people": True}),
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
        ordinal=len(store.find_passes(run)) + 1,
        rubric_version=rubric.version,
        sum_sha256=rubric.sum_sha256,
        started_at=stamp,
        finished_at=stamp,
        state="complete",
    )


_Given = dict[tuple[str, ...], GivenMark | GivenPreference]


def _key(given: GivenMark | GivenPreference) -> tuple[str, ...]:
    if isinstance(given, GivenMark):
        return given.item, given.arm, "", given.criterion, given.rater
    return given.item, given.first, given.second, PREFERENCE, given.rater


def _merge(stored: Iterable[GivenMark | GivenPreference], found: HumanFile,
           source: Path) -> tuple[_Given, int]:  # fmt: skip
    out: _Given = {_key(one): one for one in stored}
    before = len(out)
    given: list[GivenMark | GivenPreference] = [*found.marks, *found.preferences]
    for new in given:
        old = out.setdefault(_key(new), new)
        if math.isnan(_value(old)):
            out[_key(new)] = new  # who could not judge then has judged now
            before -= 1
        elif abs(_value(old) - _value(new)) > 1e-9:  # noqa: PLR2004 - the lattice of marks
            who = one_line(" · ".join(filter(None, _key(new))), 100)
            raise ImportFileError(
                source, f"has {_value(new):g} where {_value(old):g} is stored ({who})",
                "mend the file, or name the earlier one with --replaces FILE",
            )  # fmt: skip
    return out, len(out) - before


def _value(given: GivenMark | GivenPreference) -> float:
    return given.mark if isinstance(given, GivenMark) else given.share


def _batch(pass_id: str, given: _Given, known: Known) -> MarkBatch:
    """One judging is what one person said of one output, or of one comparison."""
    raters = tuple(sorted({key[-1] for key in given}))
    # What is no longer in the run, or in this rubric, was marked all the same.
    arms = _and_more(known.arms, (arm for key in given for arm in key[1:3] if arm))
    items = _and_more(known.items, (key[0] for key in given))
    criteria = _and_more((*known.criteria, OVERALL, PREFERENCE), (key[3] for key in given))
    codes = [{name: at for at, name in enumerate(names)}
             for names in (arms, items, criteria, raters)]  # fmt: skip
    rows: list[tuple[object, ...]] = []
    units: dict[tuple[str, ...], int] = {}
    for key in sorted(given):
        one = given[key]
        if isinstance(one, GivenMark):
            unit = units.setdefault((one.item, one.arm, "", one.rater), len(units))
            parts = [(one.arm, 0, one.criterion, one.mark)]
        else:
            unit = units.setdefault((one.item, one.first, one.second, one.rater), len(units))
            parts = [
                (one.first, 1, PREFERENCE, one.share),
                (one.second, 2, PREFERENCE, 1 - one.share),
            ]
        rows += [
            (codes[3][one.rater], codes[0][arm], codes[1][one.item], codes[2][criterion], side,
             codes[3][one.rater] + 1, unit, mark)
            for arm, side, criterion, mark in parts
        ]  # fmt: skip
    names = ("rater", "arm", "item", "criterion", "side", "repeat", "unit")
    columns = {name: np.array([row[at] for row in rows], dtype=np.int64)
               for at, name in enumerate(names)}  # fmt: skip
    marks = np.array([row[-1] for row in rows], dtype=np.float64)
    return MarkBatch(
        passes=(pass_id,), raters=raters, arms=arms, items=items, criteria=criteria,
        sides=_SIDES,
        columns=columns | {
            "pass": np.zeros(marks.size, dtype=np.int64),
            "mark": np.ma.masked_invalid(marks),
            "off_scale": np.zeros(marks.size, dtype=bool),
        },
    )  # fmt: skip


def _and_more(known: Sequence[str], found: Iterable[str]) -> tuple[str, ...]:
    return (*known, *sorted(set(found) - set(known)))
