"""Values of a file of marks → columns of codes: each is looked at once, however often it stands."""

import math
import re
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

import numpy as np

from judgebench.errors import ImportFileError
from judgebench.records import dataclass
from judgebench.rubrics.mark_faults import MAX_POINT
from judgebench.runs.marks import NO_MARK
from judgebench.runs.schema import check_table_id
from judgebench.stats.arrays import IntArray
from judgebench.store.coding import FileColumn
from judgebench.text import composed, one_line

_KINDS = {"llm": False, "model": False, "judge": False, "human": True, "person": True, "gold": True}
_FIRST, _SECOND = {"12", "ab", "a", "first", "1"}, {"21", "ba", "b", "second", "2"}
_RANGE = re.compile(r"(-?[0-9.]+)\s*(?:-|\.\.|:)\s*(-?[0-9.]+)\Z")

_COMMA = re.compile(r"[-+]?[0-9]+,[0-9]+")


class ValueFault(ValueError):  # noqa: N818 - it names what happened
    """A value that cannot be taken in: what is wrong and what to write."""

    def __init__(self, problem: str, fix: str) -> None:
        self.problem, self.fix = problem, fix
        super().__init__(f"{problem}; {fix}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Coded:
    """One column: different values in first-seen order, and a code for each row."""

    values: tuple[Any, ...]
    codes: IntArray = field(repr=False)


def code_rows(
    rows: Iterable[tuple[int, tuple[Any, ...]]],
    checks: Sequence[Callable[[Any], Any]],
    *,
    path: Path,
    keep: Sequence[tuple[int, str]] = (),
) -> list[Coded]:
    """Code every column.

    Args:
        rows: Line and values of each row.
        checks: One for each column: a value as it stands in the file → as it counts.
        path: The file, for messages.
        keep: Places of columns with the one text that a row must have there to be taken.

    Raises:
        ImportFileError: With the line of the first value that a check refuses.
    """
    known: list[dict[Any, int]] = [{} for _ in checks]
    values: list[dict[Any, int]] = [{} for _ in checks]
    codes = [array("i") for _ in checks]
    for line, row in rows:
        if keep and any(text_of(row[place]) != text for place, text in keep):
            continue
        for place, value in enumerate(row[: len(checks)]):
            # 0, 0.0 and False are one key to Python and three names in a file.
            key = (value.__class__, value)
            try:
                code = known[place].get(key)
            except TypeError:
                raise _fault(path, line, ValueFault("holds a list or an object", "write one value"))  # noqa: B904
            if code is None:
                try:
                    meant = checks[place](value)
                except ValueFault as exc:
                    raise _fault(path, line, exc) from None
                code = values[place].setdefault(meant, len(values[place]))
                known[place][key] = code
            codes[place].append(code)
    return [
        Coded(values=tuple(found), codes=np.array(column, dtype=np.int64))
        for found, column in zip(values, codes, strict=True)
    ]


def code_columns(
    columns: Sequence[FileColumn],
    checks: Sequence[Callable[[Any], Any]],
    *,
    keep: Sequence[tuple[int, str]] = (),
) -> list[Coded] | None:
    """As `code_rows`, from columns that are codes of the file's own values.

    Returns:
        None where a value does not pass its check, or cannot be told from others.
    """
    there = np.ones(columns[0].codes.size, dtype=np.bool_)
    for place, text in keep:
        found = columns[place]
        there &= np.array([text_of(value) == text for value in found.values])[found.codes]
    out = []
    try:
        for column, check in zip(columns, checks, strict=False):
            codes = column.codes if not keep else column.codes[there]
            out.append(_meant(column.values, codes, check))
    except (ValueFault, TypeError):
        return None
    return out


def _meant(values: Sequence[Any], codes: IntArray, check: Callable[[Any], Any]) -> Coded:
    """Codes of the file's values → codes of what they mean, in first-seen order."""
    first = np.full(len(values), codes.size)
    # Of several writes to one place the last one stays: the first row.
    first[codes[::-1]] = np.arange(codes.size - 1, -1, -1)
    known: dict[Any, int] = {}
    meaning = np.zeros(len(values), dtype=np.int64)
    for code in np.argsort(first, kind="stable")[: np.count_nonzero(first < codes.size)].tolist():
        hash(values[code])
        meaning[code] = known.setdefault(check(values[code]), len(known))
    return Coded(values=tuple(known), codes=meaning[codes])


def _fault(path: Path, line: int, exc: ValueFault) -> ImportFileError:
    return ImportFileError(path, exc.problem, exc.fix, line=line)


def text_of(value: object) -> str:
    """A value of a file as its text; nothing is the empty one."""
    return "" if value is None else str(value)


def a_name(what: str) -> Callable[[Any], str]:
    """A check for names of items, arms, criteria and raters."""

    def check(value: object) -> str:
        text = text_of(value)
        if any("\udc80" <= sign <= "\udcff" for sign in text):
            raise ValueFault(f"{what} holds bytes that are no UTF-8", "save the file as UTF-8")
        try:
            return check_table_id(text)
        except ValueError as exc:
            problem, _, fix = str(exc).partition("; ")
            raise ValueFault(f"{what} {problem}", fix or "write a name") from None

    return check


def a_cluster(value: object) -> str:
    """A check for the cluster of an item; empty where the item is its own."""
    text = text_of(value)
    # One name, however its accents are written, is one cluster.
    return composed(a_name("cluster")(text)) if text.strip() else ""


def a_pair(value: object) -> tuple[str, str]:
    """Both arms of a column that holds ``A|B``."""
    first, bar, second = text_of(value).partition("|")
    if not bar or "|" in second:
        raise ValueFault(
            f"pair is {one_line(text_of(value), 60)}",
            "write both arms as A|B, or take the rows that have them so: --keep COLUMN=VALUE",
        )
    check = a_name("arm")
    return check(first), check(second)


def holds_pairs(values: Sequence[object]) -> bool:
    """Whether every value of a column is both arms of a pair, ``A|B``."""
    sides = [text_of(value).split("|") for value in values]
    return bool(sides) and all(len(two) == 2 and all(map(str.strip, two)) for two in sides)  # noqa: PLR2004


def tells_order(values: Sequence[object]) -> bool:
    """Whether a column says nothing but which of a pair was shown first."""
    words = {text_of(value).strip().lower() for value in values} - {""}
    return bool(words) and words <= _FIRST | _SECOND


def tells_both_orders(values: Sequence[object]) -> bool:
    """Whether a column of whatever name can hardly be anything but the order of a pair."""
    return {text_of(value).strip().lower() for value in values} - {""} == {"ab", "ba"}


def tells_kind(values: Sequence[object]) -> bool:
    """Whether a column of whatever name says of each rater whether it is a person."""
    words = {text_of(value).strip().lower() for value in values}
    return bool(words) and words <= _KINDS.keys()


def tells_people(values: Sequence[object]) -> bool:
    """`tells_kind`, and some of the raters are people."""
    words = {text_of(value).strip().lower() for value in values}
    return tells_kind(values) and any(_KINDS[word] for word in words)


def a_kind(value: object) -> bool:
    """Whether the rater is a person (or an objective label), by the kind's name."""
    kind = text_of(value).strip().lower()
    if kind not in _KINDS:
        raise ValueFault(
            f"kind of rater is {one_line(kind, 40) or 'empty'}", f"use one of {', '.join(_KINDS)}"
        )
    return _KINDS[kind]


def an_order(value: object) -> int:
    """1 where the first of a pair was shown first, 2 where the second was, 0 unknown."""
    text = text_of(value).strip().lower()
    if not text:
        return 0
    if text in _FIRST:
        return 1
    if text in _SECOND:
        return 2
    raise ValueFault(
        f"order is {one_line(text, 40)}", "write AB or 12 where A was shown first, BA or 21 else"
    )


def a_scoring(value: object) -> str:
    """A check for the number of a repeat; what was shown first is none."""
    text = a_name("scoring")(value)
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueFault(
            f"scoring is {one_line(text, 40)}, which is no number",
            "number the repeats, or name the column of what was shown first with --order",
        )
    return text


def a_mark(value: object) -> float | None:
    """A mark; None where there is none."""
    if value is None or value == "" or value != value:  # noqa: PLR0124 - not-a-number
        return None
    if isinstance(value, str) and " ".join(value.split()).casefold() in NO_MARK:
        return None
    if isinstance(value, bool):
        raise ValueFault(f"mark is {value}", "write a number, or nothing where there is no mark")
    try:
        mark = float(value)  # type: ignore[arg-type] # whatever it is, float() says so
    except (TypeError, ValueError):
        mark = math.nan
    except OverflowError:
        # A whole number of JSON may be larger than any float.
        mark = math.inf
    # Numbers beyond all scales would drown every other mark.
    if abs(mark) > MAX_POINT and "inf" not in text_of(value).casefold():
        raise ValueFault(
            f"mark is {one_line(text_of(value), 40)}, and a mark lies between -1000000 and 1000000",
            "write it on the scale that it was given on",
        )
    if isinstance(value, str) and _COMMA.fullmatch(value.strip()):
        # 1,234 may be either: nobody but the user knows which.
        raise ValueFault(
            f"mark is {one_line(value, 40)}, with a comma", "write decimals with a point, as in 4.5"
        )
    # Python reads 1_0 as ten.
    if not abs(mark) <= MAX_POINT or (isinstance(value, str) and "_" in value):
        raise ValueFault(
            f"mark is {one_line(text_of(value), 40)}, which is no number",
            "write a number, or nothing where there is no mark",
        )
    return mark


def an_outcome(ends: tuple[float, float]) -> Callable[[Any], float | None]:
    """A check for what a comparison came to: `a_mark`, whose refusal says what a win is."""
    low, high = ends
    meant = f"{high:.15g} where the first won, {(low + high) / 2:.15g} for a tie, {low:.15g} where"

    def check(value: object) -> float | None:
        try:
            return a_mark(value)
        except ValueFault as exc:
            raise ValueFault(exc.problem, f"write {meant} the second won") from None

    return check


def read_scale(text: str) -> tuple[float, float]:
    """Ends of a scale as the user writes them: ``1-5``, ``-1..1``.

    Raises:
        ValueFault: It is no range of two different numbers.
    """
    found = _RANGE.match(text.strip())
    try:
        low, high = (float(found[1]), float(found[2])) if found else (0.0, 0.0)
    except ValueError:
        low = high = 0.0
    if not low < high or max(-low, high) > MAX_POINT:
        raise ValueFault(f"--scale is {one_line(text, 40)}", "write LOW-HIGH, such as 1-5")
    return low, high
