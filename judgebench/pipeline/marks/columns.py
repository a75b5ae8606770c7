"""Which column of a file of marks is what: all that is missing is said at once."""

import difflib
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from judgebench.errors import ImportFileError
from judgebench.pipeline.marks.table import FIELDS
from judgebench.pipeline.marks.values import holds_pairs
from judgebench.runs.marks import SUFFIXES, column_names, mark_rows
from judgebench.store.files import parquet_columns, parquet_rows
from judgebench.text import one_line

PARQUET = (".parquet", ".pq")
HUMAN = "human"
_WAYS = (frozenset({"arm"}), frozenset({"arm_a", "arm_b"}), frozenset({"pair"}))
_OF_PAIRS = {"arm_a", "arm_b", "pair"}
_NOT_FOR_ONE = {*_OF_PAIRS, "order"}
_ALSO: Mapping[str, tuple[str, ...]] = {
    "mark": ("score", "rating", "outcome"),
    "item": ("item_id", "prompt_id", "question_id", "id"),
    "arm": ("system", "model"),
    "arm_a": ("a", "system_a", "model_a"),
    "arm_b": ("b", "system_b", "model_b"),
    "criterion": ("criteria", "dimension", "aspect", "metric", "attribute"),
    "rater": ("judge", "annotator", "person", "worker", "evaluator"),
}
"""Other names that columns of files have, by the option; they are offered, never taken unasked."""
_LOOKED_AT = 1_000
"""Rows that are read to see whether a column holds arms or pairs of them."""
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
        known = ", ".join((*SUFFIXES, *PARQUET))
        raise ImportFileError(source, f"ends in {suffix or 'nothing'}", f"use one of {known}")
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
    fix = _fix(source, columns, there, lacking)
    if fix is None or set(lacking) & set(more):
        fix = "name one that is there" if lacking else "name each by its option"
        if "mark" not in have and not _marks_named(there):
            fix += (
                "; where marks stand in a column for each rater or criterion, write one mark a "
                "line, its rater and criterion beside it"
            )
    else:
        places = f"{shlex.quote(str(source))} --to {shlex.quote(str(dest))}"
        fix = f"judge import marks {places} {fix}{words.typed()}"
    raise ImportFileError(source, problem, fix)


def unnamed(source: Path, columns: Mapping[str, str]) -> list[str]:
    """Options of `PLACES` that nobody named although the file has a column of that very name."""
    there = _names(source)
    return [name for name in PLACES if name not in columns and name in there]


def _names(source: Path) -> Sequence[str]:
    return parquet_columns(source) if source.suffix.lower() in PARQUET else column_names(source)


def _human(key: str, name: str) -> bool:
    return key == "rater_kind" and name == HUMAN


def _fix(
    source: Path, columns: Mapping[str, str], there: Sequence[str], lacking: Sequence[str]
) -> str | None:
    """The options of columns where the file's own names tell them; None where they do not."""
    told = {key: name for key, name in columns.items() if name not in lacking}
    for key in ("mark", *FIELDS):
        if key not in told and (near := _like(key, there, columns.get(key))):
            told[key] = near
    for key, names in _ALSO.items():
        free = [name for name in names if name in there and name not in told.values()]
        if key not in told and free:
            told[key] = free[0]
    # Pairs that are taken for arms make a table that looks right and is not.
    if "arm" in told and not told.keys() & _OF_PAIRS and _of_pairs(source, told["arm"]):
        told["pair"] = told.pop("arm")
    elif "arm" in told:
        told = {key: name for key, name in told.items() if key not in _NOT_FOR_ONE}
    elif {"arm_a", "arm_b"} <= told.keys():
        told.pop("pair", None)
    ways = told.keys() & {"arm", "arm_a", "arm_b", "pair"}
    if "mark" not in told or ways not in _WAYS or set(columns) - {*told, "arm"}:
        return None
    return " ".join(
        f"--{key.replace('_', '-')} {shlex.quote(name)}"
        for key, name in sorted(told.items(), key=lambda one: ("mark", *FIELDS).index(one[0]))
    )


def _marks_named(there: Sequence[str]) -> bool:
    """Whether a column bears a name of marks; none does where each rater has a column."""
    return bool(_like("mark", there, None) or set(_ALSO["mark"]) & set(there))


def _of_pairs(source: Path, column: str) -> bool:
    """Whether all of the rows that are looked at hold both arms of a pair in this column."""
    read = parquet_rows if source.suffix.lower() in PARQUET else mark_rows
    found = [row[0] for _, row in islice(read(source, [column]), _LOOKED_AT)]
    return holds_pairs(found)


def _like(key: str, there: Sequence[str], given: str | None) -> str | None:
    """The column that bears the option's name, or is most like what was given for it."""
    plain = {name.casefold().replace("-", "_").replace(" ", "_"): name for name in there}
    if key in plain:
        return plain[key]
    if given is None:
        return None
    lower = {name.casefold(): name for name in there}
    near = difflib.get_close_matches(given.casefold(), lower, n=1, cutoff=0.6)
    return lower[near[0]] if near else None
