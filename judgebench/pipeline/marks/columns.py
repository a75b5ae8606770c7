"""Which column of a file of marks is what: all that is missing is said at once."""

import difflib
import shlex
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import islice
from pathlib import Path

from judgebench.errors import ImportFileError
from judgebench.pipeline.marks.known_names import known, plain, unexplained
from judgebench.pipeline.marks.table import FIELDS
from judgebench.pipeline.marks.values import (
    holds_pairs,
    tells_both_orders,
    tells_kind,
    tells_order,
    tells_people,
)
from judgebench.records import dataclass
from judgebench.runs.marks import SUFFIXES, column_names, mark_rows
from judgebench.store.files import parquet_columns, parquet_rows
from judgebench.text import one_line

PARQUET = (".parquet", ".pq")
HUMAN = "human"
_WAYS = (frozenset({"arm"}), frozenset({"arm_a", "arm_b"}), frozenset({"pair"}))
_OF_PAIRS = {"arm_a", "arm_b", "pair"}
_NOT_FOR_ONE = {*_OF_PAIRS, "order"}
_LOOKED_AT = 1_000
"""Rows that are read to see what a column holds."""
_TOTALS = frozenset({"total", "total_score", "score_total", "sum"})
PLACES = ("item", "criterion", "rater")
"""What tells one mark from another, beside the arms."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Words:
    """What the user typed beside the columns; a command that is offered keeps all of it."""

    scale: str | None = None
    judges: Sequence[str] = ()
    keep: Sequence[tuple[str, str]] = ()
    """Columns and the value that a row must have there."""

    def typed(self) -> str:
        """As it is typed again, each option after a blank."""
        found = [("--scale", self.scale)] if self.scale else []
        found += [("--judge", name) for name in self.judges]
        found += [("--keep", f"{column}={value}") for column, value in self.keep]
        return "".join(f" {option} {shlex.quote(str(word))}" for option, word in found)


def check_columns(source: Path, dest: Path, columns: Mapping[str, str], words: Words) -> None:
    """Refuse what the file cannot be read with: nothing said of marks or arms, columns it lacks.

    Args:
        source: CSV, JSON lines or Parquet.
        dest: The run that is to be made.
        columns: ``mark`` and those of `FIELDS` that the user named → column of the file.
        words: What else the user typed; its columns are asked of the file too.

    Raises:
        ImportFileError: With the columns that there are, and the command that would do.
    """
    have = set(columns)
    if "order" in have and "arm" in have:
        raise ImportFileError(source, "has single marks, and --order is for pairs", "leave it out")
    arms = have & {"arm", "arm_a", "arm_b", "pair"}
    wants = [] if "mark" in have else ["a column of marks (--mark)"]
    if arms not in _WAYS:
        wants.append("one way to the arms (--arm, or --arm-a and --arm-b, or --pair)")
    suffix = source.suffix.lower()
    if suffix not in (*SUFFIXES, *PARQUET):
        fix = f"use one of {', '.join((*SUFFIXES, *PARQUET))}"
        raise ImportFileError(source, f"ends in {suffix or 'nothing'}", fix)
    there = _names(source)
    more = [name for name, _ in words.keep]
    asked = [*(name for key, name in columns.items() if not _human(key, name)), *more]
    # Of JSON lines only the first is known here: a later one may hold what it lacks.
    whole = suffix in PARQUET or suffix.endswith("sv")
    lacking = [name for name in dict.fromkeys(asked) if name not in there] if whole else []
    if not wants and not lacking:
        return
    said = [f"needs {' and '.join(wants)}"] if wants else []
    if lacking:
        word = "column" if len(lacking) == 1 else "columns"
        said.append(f"has no {word} {one_line(', '.join(lacking), 80)}")
    problem = f"{', and '.join(said)} (it has: {one_line(', '.join(sorted(there)), 100)})"
    told = _told(source, columns, there, lacking)
    if told is not None and not set(lacking) & set(more) and (left := unexplained(there, told)):
        # A command that leaves out the item would make one item of all rows.
        fix = f"name each by its option, the item with --item; not clear: {_listed(left)}"
    elif told is None or set(lacking) & set(more):
        fix = "name one that is there" if lacking else "name each by its option"
        if "mark" not in have and known("mark", there) is None:
            fix += (
                "; where marks stand in a column for each rater or criterion, write one mark a "
                "line, its rater and criterion beside it"
            )
            if _of_totals(there):
                fix = f"judge import scores {shlex.quote(str(source))} takes a table of totals"
    else:
        places = f"{shlex.quote(str(source))} --to {shlex.quote(str(dest))}"
        fix = f"judge import marks {places} {_typed(told)}{words.typed()}"
    raise ImportFileError(source, problem, fix)


def unnamed(source: Path, columns: Mapping[str, str]) -> dict[str, str]:
    """Options of `PLACES` that nobody named, and what shows the order of a pair → its column.

    A column bears the option's name or another usual one; none is taken that is named already.
    """
    there = _names(source)
    taken = [*columns.values()]
    found: dict[str, str] = {}
    for key in PLACES if "arm" in columns else ("order", *PLACES):
        name = None if key in columns else known(key, there, taken)
        if name is not None and (key != "order" or _of(source, name, tells_order)):
            found[key] = name
            taken.append(name)
    if not {"arm", "order"} & {*columns, *found}:
        shown = _by_values(source, there, taken, tells_both_orders)
        found = ({"order": shown} if shown else {}) | found
    return found


def kinds_of_raters(source: Path, columns: Mapping[str, str]) -> str | None:
    """The column that says of raters, each always alike, which of them are people."""
    name = _by_values(source, _names(source), columns.values(), tells_people)
    if name is None:
        return None
    who = [columns[key] for key in ("rater",) if key in columns]
    read = parquet_rows if source.suffix.lower() in PARQUET else mark_rows
    said = {tuple(map(str, row)) for _, row in read(source, [name, *who])}
    return name if len(said) == len({one[1:] for one in said}) else None


def differing(source: Path, names: Sequence[str], lines: tuple[int, int]) -> list[str]:
    """Which of these columns are not alike on two lines of the file."""
    read = parquet_rows if source.suffix.lower() in PARQUET else mark_rows
    rows = [row for line, row in read(source, names) if line in lines] if names else []
    return [name for name, *two in zip(names, *rows, strict=True) if len({*map(repr, two)}) > 1]


def unread(source: Path, choices: Collection[str]) -> list[str]:
    """Columns of the file that none of the choices names."""
    return [name for name in _names(source) if name not in choices]


def _of_totals(there: Sequence[str]) -> bool:
    """Whether a file has a column of totals, as published tables do."""
    return any(plain(name) in _TOTALS for name in there)


def _listed(names: Sequence[str]) -> str:
    return one_line(", ".join(names), 80)


def _names(source: Path) -> Sequence[str]:
    return parquet_columns(source) if source.suffix.lower() in PARQUET else column_names(source)


def _human(key: str, name: str) -> bool:
    return key == "rater_kind" and name == HUMAN


def _told(
    source: Path, columns: Mapping[str, str], there: Sequence[str], lacking: Sequence[str]
) -> dict[str, str] | None:
    """Option → column where the file's own names tell it; None where they do not."""
    told = {key: name for key, name in columns.items() if name not in lacking}
    for key in ("mark", *FIELDS):
        if key not in told and (near := _like(key, there, columns.get(key))):
            told[key] = near
    for key in ("mark", *FIELDS):
        if key not in told and (name := known(key, there, told.values())):
            told[key] = name
    # Pairs that are taken for arms make a table that looks right and is not.
    if "arm" in told and not told.keys() & _OF_PAIRS and _of(source, told["arm"], holds_pairs):
        told["pair"] = told.pop("arm")
    elif "arm" in told:
        told = {key: name for key, name in told.items() if key not in _NOT_FOR_ONE}
    elif {"arm_a", "arm_b"} <= told.keys():
        told.pop("pair", None)
    if "order" in told.keys() - columns.keys() and not _of(source, told["order"], tells_order):
        del told["order"]
    told |= _decisive(source, there, told)
    ways = told.keys() & {"arm", "arm_a", "arm_b", "pair"}
    if "mark" not in told or ways not in _WAYS or set(columns) - {*told, "arm"}:
        return None
    return told


def _typed(told: Mapping[str, str]) -> str:
    """Options of columns as they are typed."""
    return " ".join(
        f"--{key.replace('_', '-')} {shlex.quote(name)}"
        for key, name in sorted(told.items(), key=lambda one: ("mark", *FIELDS).index(one[0]))
    )


def _decisive(source: Path, there: Sequence[str], told: Mapping[str, str]) -> dict[str, str]:
    """What decides of the meaning of marks: found by what it holds, whatever it is called."""
    asked = [("order", tells_both_orders)] if told.keys() & _OF_PAIRS else []
    found = {
        key: _by_values(source, there, told.values(), holds)
        for key, holds in (*asked, ("rater_kind", tells_kind))
        if key not in told
    }
    return {key: name for key, name in found.items() if name}


def _by_values(
    source: Path,
    there: Sequence[str],
    taken: Collection[str],
    holds: Callable[[Sequence[object]], bool],
) -> str | None:
    """The first column that nothing names and that holds such values."""
    free = (name for name in there if name not in taken)
    return next((name for name in free if _of(source, name, holds)), None)


def _of(source: Path, column: str, holds: Callable[[Sequence[object]], bool]) -> bool:
    """Whether the rows that are looked at hold such values in this column."""
    read = parquet_rows if source.suffix.lower() in PARQUET else mark_rows
    return holds([row[0] for _, row in islice(read(source, [column]), _LOOKED_AT)])


def _like(key: str, there: Sequence[str], given: str | None) -> str | None:
    """The column that bears the option's name, or is most like what was given for it."""
    alike = {plain(name): name for name in there}
    if key in alike:
        return alike[key]
    if given is None:
        return None
    lower = {name.casefold(): name for name in there}
    near = difflib.get_close_matches(given.casefold(), lower, n=1, cutoff=0.6)
    return lower[near[0]] if near else None
