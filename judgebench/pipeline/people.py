"""People's marks of a run that was judged: taken in from a file, and read as arrays.

All people of a run are one pass, in which a person is a repeat. A file is merged
with what was there: the same mark again changes nothing, another mark of the same
person for the same is refused, and either all of a file is in or nothing.
"""

import hashlib
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from judgebench.blind import order
from judgebench.errors import ImportFileError
from judgebench.model import Blinding, Judge, Mode, Pass, Rubric
from judgebench.pipeline.gather import FloatArray
from judgebench.pipeline.mark_table import PEOPLE
from judgebench.pipeline.scene import World
from judgebench.runs.importers.human_csv import (
    OVERALL,
    PREFERENCE,
    Blind,
    GivenMark,
    GivenPreference,
    HumanFile,
    Known,
    SheetChoices,
    read_human,
)
from judgebench.store.marks import MarkBatch
from judgebench.store.people import HumanFileRow
from judgebench.store.rows import PassRow
from judgebench.store.store import Store
from judgebench.text import digest, one_line

MADE_HERE = "judge label"
"""Stands for a file where people marked on the page."""
_SIDES = ("", "a", "b")
_PAIRED = (" a", " b", " first", " second")


@dataclass(frozen=True, kw_only=True, slots=True)
class TakenIn:
    """What an import found."""

    file: HumanFile
    added: int
    """Marks and preferences that were not there before."""
    known: bool
    """This very file was taken in before: nothing was written."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """One person's, or a judge's, choice between two arms; indices of the run."""

    item: int
    first: int
    second: int
    rater: str
    share: float
    """1 the first is better, 0 the second, 0.5 a tie; the first is the earlier arm."""


@dataclass(frozen=True, kw_only=True)
class PeopleMarks:
    """All that people gave on a run."""

    raters: tuple[str, ...]
    criteria: tuple[str, ...]
    """Ids of the rubric, then `OVERALL`."""
    marks: FloatArray = field(repr=False)
    """Shape (A, I, K, P), scale points, NaN where there is none."""
    comparisons: tuple[Comparison, ...] = field(default=(), repr=False)


def people_pass(store: Store, run: str) -> PassRow | None:
    """The pass of people on a run, if they gave any marks."""
    return next((row for row in store.find_passes(run) if row.facts().by_people), None)


# ---- in


def take_people(
    store: Store,
    run: str,
    source: Path,
    *,
    rubric: Rubric,
    choices: SheetChoices,
    blind: Blind,
    world: World,
) -> TakenIn:
    """Take a file of people's marks in; all of it or nothing.

    Args:
        store: Open for writing.
        run: Name of the run, which was judged.
        source: CSV, TSV, XLSX or JSON lines.
        rubric: Whose criteria and scale the marks belong to.
        choices: What the user says of the file.
        blind: Whether people saw which arm an answer came from.
        world: Clock.

    Raises:
        ImportFileError: The file cannot be taken, or says other than what is stored.
    """
    known = _known(store, run, rubric)
    found = read_human(source, choices, known)
    sha256 = _identity(source, choices)
    if any(row["sha256"] == sha256 for row in store.records("human_files", run=run)):
        return TakenIn(file=found, added=0, known=True)
    row = people_pass(store, run) or _new_pass(store, run, rubric, world)
    if row.judging.id != _pass_id(run):
        raise ImportFileError(
            source, f"belongs to {one_line(run, 40)}, which is a run of imported marks",
            "put these marks into the file that it was imported from",
        )  # fmt: skip
    merged, added = _merge(_stored(store, row.judging.id), found, source)
    file = HumanFileRow(
        run=run, sha256=sha256, name=one_line(source.name, 100), blind=blind.value,
        scale_low=found.scale[0], scale_high=found.scale[1], identified=found.identified,
        raters=len(found.raters), marks=len(found.marks) + len(found.preferences),
        blanks=found.blanks, taken_at=world.now().isoformat(timespec="seconds"),
    )  # fmt: skip
    _write(store, row, merged, known=known, rubric=rubric, file=file, world=world)
    return TakenIn(file=found, added=added, known=False)


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
    merged: _Given = {_key(one): one for one in _stored(store, row.judging.id)}
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
    _write(store, row, merged, known=_known(store, run, rubric), rubric=rubric, file=file,
           world=world)  # fmt: skip


def given_by(store: Store, run: str) -> tuple[GivenMark, ...]:
    """Every mark of people on single answers of a run; NaN where they could not judge."""
    row = people_pass(store, run)
    if row is None:
        return ()
    return tuple(one for one in _stored(store, row.judging.id) if isinstance(one, GivenMark))


def arm_labels(run: str, item: str, arms: Iterable[str]) -> dict[str, str]:
    """Arm → the neutral name under which people see its answer to an item.

    Args:
        run: Name of the run.
        item: The item.
        arms: All arms of the run, so that a name stays when fewer are shown.
    """
    return order.labels(order.derive_seed(run, "label"), item, sorted(arms), 1)


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


def _write(
    store: Store, row: PassRow, given: "_Given", *, known: Known, rubric: Rubric,
    file: HumanFileRow, world: World,
) -> None:  # fmt: skip
    with store.together():
        store.put_rubric(rubric)
        judge = Judge(name=PEOPLE, model=PEOPLE, provider="marks", sha256=row.judging.judge_sha256)
        store.put_judge(judge, {"rater": PEOPLE, "people": True})
        store.put_pass(row)
        store.replace_marks(
            row.judging.id, _batch(row.judging.id, given, known), judged_at=world.now().timestamp()
        )
        store.put_human_file(file)


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
                "mend the file; a mark that was taken in stays as it is",
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


# ---- out


def _stored(store: Store, pass_id: str) -> list[GivenMark | GivenPreference]:
    out: list[GivenMark | GivenPreference] = []
    firsts: dict[str, tuple[str, str, float]] = {}
    for item, arm, criterion, label, _, mark, key, _ in store.rows("people_marks", pass_id=pass_id):
        if criterion != PREFERENCE:
            value = math.nan if mark is None else mark
            out.append(GivenMark(item=item, arm=arm, criterion=criterion, rater=label, mark=value))
        elif label.endswith(" a"):
            firsts[key] = arm, label[:-2], mark
        elif key in firsts:
            first, rater, share = firsts[key]
            out.append(
                GivenPreference(item=item, first=first, second=arm, rater=rater, share=share)
            )
    return out


def read_people(
    store: Store, pass_id: str, *, arms: Sequence[str], items: Sequence[str],
    criteria: Sequence[str], left_out: frozenset[str] = frozenset(),
    wanted: Callable[[str], bool] = lambda _: True,
) -> PeopleMarks:  # fmt: skip
    """Every mark of a pass of people, as an array and as comparisons.

    Args:
        store: The open store.
        pass_id: A pass of people.
        arms: Of the run.
        items: Of the run.
        criteria: Ids of the rubric.
        left_out: Items whose marks are not looked at.
        wanted: Whose marks are looked at.
    """
    names = (*criteria, OVERALL)
    places = [{name: at for at, name in enumerate(known)} for known in (arms, items, names)]
    single, comparisons = _sorted_rows(store, pass_id, places, left_out)
    single = [row for row in single if wanted(row[3])]
    comparisons = [one for one in comparisons if wanted(one.rater)]
    raters = sorted({row[3] for row in single} | {one.rater for one in comparisons})
    shape = (len(arms), len(items), len(names), len(raters))
    total, n = np.zeros(shape), np.zeros(shape)
    at = {name: place for place, name in enumerate(raters)}
    for arm, item, criterion, rater, mark in single:
        place = (arm, item, criterion, at[rater])
        # A person who marked one cell twice counts once, with the mean.
        total[place] += mark
        n[place] += 1
    marks = np.where(n > 0, total / np.maximum(n, 1), np.nan)
    return PeopleMarks(
        raters=tuple(raters), criteria=names, marks=marks, comparisons=tuple(comparisons)
    )


def _sorted_rows(
    store: Store, pass_id: str, places: Sequence[dict[str, int]], left_out: frozenset[str]
) -> tuple[list[tuple[int, int, int, str, float]], list[Comparison]]:
    """Marks of one output each, and those of which two arms share one judging."""
    judgings: dict[str, list[tuple[int, int, str, str, float]]] = {}
    for item, arm, criterion, label, _, mark, key, _ in store.rows("people_marks", pass_id=pass_id):
        if mark is not None and item not in left_out and item in places[1] and arm in places[0]:
            row = (places[0][arm], places[1][item], criterion, label, mark)
            judgings.setdefault(key, []).append(row)
    single: list[tuple[int, int, int, str, float]] = []
    comparisons: list[Comparison] = []
    for rows in judgings.values():
        if len({row[0] for row in rows}) == 2 and all(row[3].endswith(_PAIRED) for row in rows):  # noqa: PLR2004 - a pair
            comparisons += _compared(rows)
            continue
        single += [
            (arm, item, places[2][criterion], label, mark)
            for arm, item, criterion, label, mark in rows
            if criterion in places[2]
        ]
    return single, comparisons


def _compared(rows: list[tuple[int, int, str, str, float]]) -> Iterator[Comparison]:
    """One comparison a criterion, as the share that the earlier arm won."""
    first, second = sorted({row[0] for row in rows})
    for arm, item, _, label, mark in rows:
        if arm == first:
            yield Comparison(
                item=item, first=first, second=second, rater=label.rsplit(" ", 1)[0], share=mark
            )
