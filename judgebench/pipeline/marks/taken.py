"""A file of marks → a run in the store that is nothing but marks.

Models become one pass each; people, and objective labels, one pass together, in
which a person is a repeat. Outputs are not there, so none of them is checked.
"""

import hashlib
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from judgebench.errors import ImportFileError
from judgebench.model.deductions import Tier
from judgebench.model.rubric import Rubric
from judgebench.pipeline.marks import table as mark_table
from judgebench.pipeline.marks import values as mark_values
from judgebench.pipeline.marks.columns import (
    HUMAN,
    PARQUET,
    Words,
    check_columns,
    differing,
    kinds_of_raters,
    unnamed,
    unread,
)
from judgebench.pipeline.marks.kept import Book, Taken, keep_marks
from judgebench.pipeline.marks.known_names import names_order
from judgebench.pipeline.marks.scales import OUTCOMES
from judgebench.pipeline.marks.table import MarkTable, SecondMarkError, TwoClustersError
from judgebench.pipeline.marks.values import Coded, ValueFault
from judgebench.pipeline.setting.scene import World
from judgebench.records import dataclass
from judgebench.rubrics.load import parse_rubric
from judgebench.rubrics.schema import ID_PATTERN, MAX_CRITERIA, RESERVED
from judgebench.runs.marks import CSV, mark_rows, plain_csv
from judgebench.stats.arrays import lattice_step
from judgebench.store.coding import CsvForm, FileColumn, code_csv, code_jsonl, code_parquet
from judgebench.store.files import parquet_rows
from judgebench.text import digest, one_line, plural

_STEPS = (5.0, 2.0, 1.0, 0.5, 0.25, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)
_MOST_MARKS = 1_000
_HABIT = 10
"""Marks from which on a step wider than 1 is a habit, as in `lattice_step`."""
_CHECKS: dict[str, Callable[[Any], Any]] = {
    "item": mark_values.a_name("item"),
    "arm": mark_values.a_name("arm"),
    "arm_a": mark_values.a_name("arm"),
    "arm_b": mark_values.a_name("arm"),
    "pair": mark_values.a_pair,
    "order": mark_values.an_order,
    "criterion": mark_values.a_name("criterion"),
    "rater": mark_values.a_name("rater"),
    "rater_kind": mark_values.a_kind,
    "scoring": mark_values.a_scoring,
    "cluster": mark_values.a_cluster,
    "mark": mark_values.a_mark,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class MarkChoices:
    """What the user said of the file."""

    columns: Mapping[str, str]
    """``mark`` and those of `mark_table.FIELDS` that are there → column of the file; ``rater_kind``
    may be the word `HUMAN` instead, which says that all raters are people."""
    scale: str | None = None
    judges: tuple[str, ...] = ()
    keep: tuple[tuple[str, str], ...] = ()
    """Column of the file and the value that a row must have there."""


def import_marks(source: Path, dest: Path, choices: MarkChoices, world: World) -> Taken:
    """Take the marks of a file into the store; all of it or nothing.

    Args:
        source: CSV, JSON lines or Parquet, one row a mark.
        dest: The run that they become; no folder is made.
        choices: Which column is what.
        world: Clock and current folder.

    Raises:
        ImportFileError: The file cannot be taken in, or the run holds something else.
        StoreError: The database cannot be written.
    """
    if not source.is_file():
        raise ImportFileError(source, "is no file", "name a CSV, JSONL or Parquet file of marks")
    if (dest if dest.is_absolute() else world.cwd / dest).exists():
        raise ImportFileError(dest, "exists already", "name a run that does not exist")
    words = Words(scale=choices.scale, judges=choices.judges, keep=choices.keep)
    check_columns(source, dest, choices.columns, words)
    _refuse_people_as_judges(source, choices)
    table = read_marks(source, choices)
    # Equal marks of two criteria look like one mark twice where no criterion is named.
    if table.doubles and (unsaid := unnamed(source, choices.columns)):
        world.say(f"marks that stand there twice: {_add(unsaid)}, where it tells them apart")
    content = digest([file_sha256(source), choices.scale, sorted(choices.columns.items()),
                      sorted(choices.judges), sorted(choices.keep)])  # fmt: skip
    book = Book(dest=dest, source=source, content=content, rubric=rubric_of(table, source))
    taken = keep_marks(table, book, world)
    named = [*choices.columns.values(), *(column for column, _ in choices.keep)]
    return replace(taken, item_named="item" in choices.columns, unread=tuple(unread(source, named)))


def read_marks(source: Path, choices: MarkChoices) -> MarkTable:
    """Read and check a file of marks; nothing is written.

    Raises:
        ImportFileError: With the line of the first fault.
    """
    people = choices.columns.get("rater_kind") == HUMAN
    ours = sorted(choices.columns.keys() - ({"rater_kind"} if people else set()))
    names = [choices.columns[name] for name in ours] + [column for column, _ in choices.keep]
    # One column may stand for two things; each is asked of the file once.
    unique = list(dict.fromkeys(names))
    place = [unique.index(name) for name in names]
    try:
        scale = mark_values.read_scale(choices.scale) if choices.scale else None
    except ValueFault as exc:
        raise ImportFileError(source, exc.problem, exc.fix) from None
    known = dict(_CHECKS)
    if "arm" not in ours:
        known["mark"] = mark_values.an_outcome(scale or OUTCOMES)
    checks = [known[name] for name in ours]
    keep = [(len(ours) + at, value) for at, (_, value) in enumerate(choices.keep)]
    read = parquet_rows if source.suffix.lower() in PARQUET else mark_rows
    coded = _coded(source, unique, place, checks, keep)
    if coded is None:
        # Row by row, which is slow, finds the line of what is wrong; or nothing is.
        rows = ((line, tuple(row[at] for at in place)) for line, row in read(source, unique))
        coded = mark_values.code_rows(rows, checks, path=source, keep=keep)
    found = dict(zip(ours, coded, strict=True))
    _refuse_pairs_as_arms(source, found, choices.columns)
    _refuse_order_as_scoring(source, found, choices.columns)
    if people:
        found["rater_kind"] = Coded(values=(True,), codes=np.zeros_like(coded[0].codes))

    def lines() -> list[int]:
        wanted = [(unique.index(column), value) for column, value in choices.keep]
        return [
            line
            for line, row in read(source, unique)
            if all(mark_values.text_of(row[at]) == value for at, value in wanted)
        ]

    try:
        return mark_table.build(found, judges=choices.judges, scale=scale, path=source)
    except SecondMarkError as exc:
        raise _second(source, exc, lines(), choices) from None
    except TwoClustersError as exc:
        raise _two_clusters(source, exc, lines()) from None


def _refuse_pairs_as_arms(
    source: Path, found: Mapping[str, Coded], columns: Mapping[str, str]
) -> None:
    """A table of pairs taken for arms looks right: what is nothing but pairs is refused."""
    if "arm" not in found or not mark_values.holds_pairs(found["arm"].values):
        return
    column, first = columns["arm"], one_line(found["arm"].values[0], 40)
    raise ImportFileError(
        source,
        f"holds two arms in every value of {one_line(column, 40)} ({first})",
        f"name it with --pair {shlex.quote(column)} in place of --arm",
    )


def _refuse_order_as_scoring(
    source: Path, found: Mapping[str, Coded], columns: Mapping[str, str]
) -> None:
    """12 and 21 are numbers, and they number no repeats of pairs."""
    if "arm" in found or "scoring" not in found:
        return
    column, values = columns["scoring"], set(found["scoring"].values)
    if {"12", "21"} == values:
        raise ImportFileError(
            source,
            f"holds 12 and 21 in {one_line(column, 40)}, which number no repeats",
            f"name it with --order {shlex.quote(column)} in place of --scoring",
        )
    if len(values) == 2 and names_order(column):  # noqa: PLR2004 - two orders
        two = " and ".join(one_line(value, 20) for value in sorted(values))
        raise ImportFileError(
            source,
            f"holds {two} in {one_line(column, 40)}, an order by its name",
            f"write AB and BA for --order {shlex.quote(column)}, or rename it",
        )


def _refuse_people_as_judges(source: Path, choices: MarkChoices) -> None:
    """Marks of people would stand in a judge's place where nothing is said of them."""
    if choices.judges or "rater_kind" in choices.columns:
        return
    column = kinds_of_raters(source, choices.columns)
    if column is not None:
        raise ImportFileError(
            source,
            f"says in {one_line(column, 40)} which raters are people",
            f"add --rater-kind {shlex.quote(column)}, or name the models with --judge",
        )


def _two_clusters(source: Path, exc: TwoClustersError, lines: Sequence[int]) -> ImportFileError:
    at, before = (lines[row] for row in exc.rows)
    item, new, old = (one_line(name, 40) for name in (exc.item, *exc.names))
    problem = f"puts item {item} in cluster {new}, and line {before} in {old}"
    return ImportFileError(source, problem, "give each item one cluster", line=at)


def _second(
    source: Path, exc: SecondMarkError, lines: Sequence[int], choices: MarkChoices
) -> ImportFileError:
    """Two marks of one place; a column that is there and may tell them apart is named first."""
    at, before = (lines[row] for row in exc.rows)
    more = f", and {plural(exc.more, 'more row does', 'more rows do')} so" if exc.more else ""
    if exc.named:
        problem = f"marks otherwise what line {before} marks ({exc.what}){more}"
        fix = "keep one of the two, or name the column that numbers repeats with --scoring"
        if not {"arm", "order"} & choices.columns.keys():
            fix += ", or of what was shown first with --order"
    else:
        problem = f"marks a second time what line {before} marks{more}, and no column says who"
        fix = "name it with --rater, or the column that numbers repeats with --scoring"
    if exc.turned:
        fix = "keep one, or name the column of what was shown first with --order"
    unsaid = unnamed(source, choices.columns)
    left = unread(source, [*choices.columns.values(), *(column for column, _ in choices.keep)])
    if unsaid:
        problem = problem.removesuffix(", and no column says who")
        fix = _add(unsaid)
    elif left and "item" not in choices.columns:
        # Without an item all rows are one: to leave some out would lose marks.
        fix = f"name the item with --item: not read is {one_line(', '.join(left), 80)}"
    elif apart := differing(source, left, (before, at)):
        names = one_line(", ".join(apart), 80)
        of_pairs = () if "arm" in choices.columns else ("order",)
        tells = (*of_pairs, "criterion", "rater", "scoring")
        free = [f"--{name}" for name in tells if name not in choices.columns]
        fix = f"they differ in {names}, which is not read"
        if free:
            fix += f": name it with {' or '.join(filter(None, (', '.join(free[:-1]), free[-1])))}"
    return ImportFileError(source, problem, fix, line=at)


def _add(unsaid: Mapping[str, str]) -> str:
    options = " ".join(f"--{option} {shlex.quote(name)}" for option, name in unsaid.items())
    what = "a column that is" if len(unsaid) == 1 else "columns that are"
    return f"the file has {what} not named: add {options}"


def _coded(
    source: Path,
    names: Sequence[str],
    place: Sequence[int],
    checks: Sequence[Callable[[Any], Any]],
    keep: Sequence[tuple[int, str]],
) -> list[Coded] | None:
    """Columns of the file by their meaning; None where rows must be read one by one."""
    whole = _columns(source, names)
    if whole is None:
        return None
    return mark_values.code_columns([whole[at] for at in place], checks, keep=keep)


def _columns(source: Path, names: Sequence[str]) -> list[FileColumn] | None:
    """Columns of the file as codes; None where it is to be read row by row."""
    suffix = source.suffix.lower()
    if suffix in PARQUET:
        return code_parquet(source, names)
    if suffix not in CSV:
        return code_jsonl(source, names)
    form = plain_csv(source)
    if form is None or set(names) - set(form[0]):
        return None
    return code_csv(source, names, CsvForm(header=form[0], delimiter=form[1]))


def file_sha256(path: Path) -> str:
    """Hash of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def rubric_of(
    table: MarkTable, source: Path, *, counted: str | None = None, tiers: Sequence[Tier] = ()
) -> Rubric:
    """A rubric with these criteria on this scale.

    Args:
        table: The marks.
        source: The file, for messages.
        counted: The criterion that alone makes the total; None where all weigh the same.
        tiers: Bars on the total.

    Raises:
        ImportFileError: There are too many criteria.
    """
    if len(table.criteria) > MAX_CRITERIA:
        raise ImportFileError(
            source, f"has {len(table.criteria):,} criteria", f"keep at most {MAX_CRITERIA}"
        )
    names = _ids(table.criteria)
    text = yaml.safe_dump(
        {
            "name": "marks",
            "version": "1",
            "intro": "Marks that were given elsewhere; nothing was asked.",
            "scale": {
                "min": float(table.low),
                "max": float(table.high),
                "step": _step(table),
            },
            "criteria": [
                {
                    "id": name,
                    "text": f"As marked elsewhere: {one_line(given, 80)}",
                    "quotes": 0,
                    **({} if counted in {None, given} else {"weight": 0}),
                }
                for name, given in zip(names, table.criteria, strict=True)
            ],
            **(
                {"tiers": [{"name": t.name, "at_least": t.at_least} for t in tiers]}
                if tiers
                else {}
            ),
        },
        sort_keys=False,
        allow_unicode=True,
    )
    return parse_rubric(text, Path("marks.yaml"))


def _ids(criteria: Sequence[str]) -> list[str]:
    """Names that a rubric takes, each once whatever the letter case."""
    out: list[str] = []
    for given in criteria:
        base = re.sub(r"[^A-Za-z0-9_-]+", "-", given).strip("-_")[:34] or "criterion"
        if base.lower() in RESERVED or not re.match(ID_PATTERN, base):
            base = f"c-{base}"
        name, number = base, 1
        while name.lower() in {one.lower() for one in out}:
            number += 1
            name = f"{base}-{number}"
        out.append(name)
    return out


def _step(table: MarkTable) -> float:
    """The widest step that leads to every mark, and to the ends of the scale.

    Fewer than ten marks, or fewer than three different ones, show no habit: then it is 1
    where all of them are whole numbers.
    """
    given = table.mark[np.isfinite(table.mark)]
    levels = np.unique(given)
    used = np.unique(np.concatenate([levels, [table.low, table.high]]))
    few = given.size < _HABIT or levels.size < 3  # noqa: PLR2004 - as in `lattice_step`
    if used.size < 3:  # noqa: PLR2004 - two marks are one step apart
        found = float(used[-1] - used[0])
    else:
        found = lattice_step(np.resize(used, max(_HABIT, used.size)), scale_step=0.001)
    if few:
        found = min(found, 1.0)
    span = Fraction(str(float(table.high))) - Fraction(str(float(table.low)))
    for step in _STEPS:
        steps = span / Fraction(str(step))
        if step <= found + 1e-9 and steps.denominator == 1 and steps <= _MOST_MARKS:
            return step
    return float(span / _MOST_MARKS)


__all__ = [
    "Book",
    "MarkChoices",
    "Taken",
    "import_marks",
    "keep_marks",
    "read_marks",
    "rubric_of",
]
