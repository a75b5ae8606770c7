"""Which column of a file of marks is what: all that is missing is said at once."""

import difflib
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from judgebench.errors import ImportFileError
from judgebench.pipeline.marks.table import FIELDS
from judgebench.runs.marks import SUFFIXES, column_names
from judgebench.store.files import parquet_columns
from judgebench.text import one_line

PARQUET = (".parquet", ".pq")
HUMAN = "human"
_WAYS = (frozenset({"arm"}), frozenset({"arm_a", "arm_b"}), frozenset({"pair"}))
_NOT_FOR_ONE = {"arm_a", "arm_b", "pair", "order"}


def check_columns(
    source: Path, dest: Path, columns: Mapping[str, str], more: Sequence[str] = ()
) -> None:
    """Refuse what the file cannot be read with: nothing said of marks or arms, columns it lacks.

    Args:
        source: CSV, JSON lines or Parquet.
        dest: The run that is to be made.
        columns: ``mark`` and those of `FIELDS` that the user named → column of the file.
        more: Further columns that are asked of the file.

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
    there = parquet_columns(source) if suffix in PARQUET else column_names(source)
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
    raise ImportFileError(source, problem, _fix(source, dest, columns, there, lacking))


def _human(key: str, name: str) -> bool:
    return key == "rater_kind" and name == HUMAN


def _fix(
    source: Path, dest: Path, columns: Mapping[str, str], there: Sequence[str],
    lacking: Sequence[str],
) -> str:  # fmt: skip
    """The whole command where the file's own column names tell it, else what they are like."""
    told = {key: name for key, name in columns.items() if name not in lacking}
    for key in ("mark", *FIELDS):
        if key not in told and (near := _like(key, there, columns.get(key))):
            told[key] = near
    if "arm" in told:
        told = {key: name for key, name in told.items() if key not in _NOT_FOR_ONE}
    elif {"arm_a", "arm_b"} <= told.keys():
        told.pop("pair", None)
    ways = told.keys() & {"arm", "arm_a", "arm_b", "pair"}
    if "mark" not in told or ways not in _WAYS or set(columns) - told.keys():
        return "name one that is there" if lacking else "name each by its option"
    options = " ".join(
        f"--{key.replace('_', '-')} {shlex.quote(name)}"
        for key, name in sorted(told.items(), key=lambda one: ("mark", *FIELDS).index(one[0]))
    )
    places = f"{shlex.quote(str(source))} --to {shlex.quote(str(dest))}"
    return f"judge import marks {places} {options}"


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
