"""Marks that people gave in a spreadsheet → marks of a run, all of the file or nothing.

Long (one row a mark) or wide (a column a person, or a column a criterion);
overall marks or marks by criterion; or preferences between two arms. Items, arms
and criteria are matched with what the run and the rubric hold, whatever the
letter case and the spaces around. A blank is no mark, never a zero.
"""

import difflib
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from judgebench.errors import ImportFileError
from judgebench.runs.importers.human_columns import Columns, Place
from judgebench.runs.importers.human_sheet import (
    NOBODY,
    OVERALL,
    PREFERENCE,
    SHEET_TEXTS,
    GivenKey,
    GivenMark,
    GivenPreference,
    HumanFile,
    Known,
    SheetChoices,
    by_fold,
    fold,
    pseudonym,
    unguarded,
)
from judgebench.runs.importers.sheets import Cells, Sheet, read_sheet
from judgebench.runs.marks import NO_MARK
from judgebench.text import has_visible, one_line, plural

_TIE = {"tie", "=", "equal", "same", "draw", "both", "neither", "0", "0.5"}
_FIRST, _SECOND = {"a", "first", "1", ">"}, {"b", "second", "2", "-1", "<"}
_NUMBER = re.compile(r"[-+]?[0-9]+(?:[.][0-9]+)?\Z|[-+]?[.][0-9]+\Z")
_COMMA = re.compile(r"[-+]?[0-9]+,[0-9]+\Z")
_FRACTION = re.compile(r"(.+?)\s*/\s*([0-9.]+)\Z")
_RANGE = re.compile(r"(-?[0-9.]+)\s*(?:-|–|\.\.|:)\s*(-?[0-9.]+)\Z")
_LISTED = 5


class _Row(Exception):  # noqa: N818 - it names where it happened
    """A cell that cannot be taken: what is wrong and what to write."""

    def __init__(self, problem: str, fix: str) -> None:
        self.problem, self.fix = problem, fix
        super().__init__(f"{problem}; {fix}")


class _Unmatched(Exception):  # noqa: N818 - it names what happened
    """A row that names nothing of this run."""


def read_human(path: Path, choices: SheetChoices, known: Known) -> HumanFile:
    """Read marks of people; nothing is written.

    Args:
        path: CSV, TSV, XLSX or JSON lines.
        choices: What the user says of the file.
        known: Run and rubric that the marks belong to.

    Raises:
        ImportFileError: Naming the row that cannot be taken, or all rows that match
            nothing of the run.
    """
    sheet = read_sheet(path)
    return _Reader(sheet, choices, known).read()


class _Reader:
    """One sheet on its way to marks."""

    def __init__(self, sheet: Sheet, choices: SheetChoices, known: Known) -> None:
        self.sheet, self.choices, self.known = sheet, choices, known
        self.items, self.arms = by_fold(known.items), by_fold(known.arms)
        self.scale = self._scale()
        self.columns = Columns(sheet, choices, known)
        self.at = self.columns.at
        self.blanks = self.doubles = 0
        self.unmatched: list[str] = []
        self.marks: dict[GivenKey, tuple[float, int]] = {}
        """With the line that each stands in."""
        self.slots: dict[GivenKey, int] = {}
        self.raters: dict[str, str] = {}

    # ---- what stands where

    def _scale(self) -> tuple[float, float]:
        if self.choices.scale is None:
            return self.known.scale.low, self.known.scale.high
        match = _RANGE.match(self.choices.scale.strip())
        try:
            low, high = map(float, match.groups()) if match else (0.0, 0.0)
        except ValueError:
            low = high = 0.0
        if not low < high:
            raise ImportFileError("--scale", f"is {one_line(self.choices.scale, 40)}",
                                  "write the lowest and the highest mark, as in 1-5")  # fmt: skip
        return low, high

    # ---- rows

    def read(self) -> HumanFile:
        for line, row in self.sheet.rows:
            try:
                self._row(line, row)
            except _Unmatched as exc:
                self.unmatched.append(f"row {line}: {exc}")
            except _Row as exc:
                raise ImportFileError(self.sheet.path, exc.problem, exc.fix, line=line) from None
        self._stop_unmatched()
        if not self.marks:
            raise ImportFileError(self.sheet.path, "holds no mark at all", "fill in some marks")
        return self._made()

    def _row(self, line: int, row: Cells) -> None:
        item = self._match("item", row, self.items, self.known.items)
        arms = self._arms(row, item)
        for place in self.columns.places:
            text = row[place.column]
            if fold(text or "") in NO_MARK:
                self.blanks += 1
                continue
            rater = self._rater(row, place)
            if self.columns.paired:
                first, second = sorted(arms, key=self.known.arms.index)
                key = GivenKey(item, first, second, PREFERENCE, rater)
                self._take(key, self._preference(text or "", arms), line)
            else:
                key = GivenKey(item, arms[0], "", self._criterion(row, place), rater)
                self._take(key, self._mark(text or ""), line)

    def _take(self, key: GivenKey, value: float, line: int) -> None:
        if self.choices.slots and not key.rater:
            self.slots[key] = self.slots.get(key, 0) + 1
            key = key._replace(rater=f"slot {self.slots[key]}")
        known = self.marks.get(key)
        if known is None:
            self.marks[key] = value, line
            return
        if known[0] == value and key.rater:
            self.doubles += 1
            return
        if not key.rater:
            raise _Row(
                f"marks a second time what row {known[1]} marks, and no column says who",
                "name it with --map rater=COLUMN, or --slots where it is not known",
            )
        raise _Row(
            f"marks otherwise what row {known[1]} marks ({_named(key)})", "keep one of the two"
        )

    def _match(self, what: str, row: Cells, folded: Mapping[str, str], names: Sequence[str]) -> str:
        if what not in self.at:
            return names[0]
        return self._find(what, row[self.at[what]], folded)

    def _find(self, what: str, text: str | None, folded: Mapping[str, str]) -> str:
        if text is None:
            raise _Row(f"has no {what}", "fill it in or remove the row")
        for name in (text, unguarded(text)):
            if found := folded.get(name) or folded.get(fold(name)):
                return found
        raise _Unmatched(_near(what, text, names=tuple(folded.values())))

    def _arms(self, row: Cells, item: str) -> tuple[str, ...]:
        if not self.columns.paired:
            name = row[self.at["arm"]]
            behind = None if name is None or name in self.arms else self.known.behind(item, name)
            return (behind or self._match("arm", row, self.arms, self.known.arms),)
        names = [self.at.get("arm_a"), self.at.get("arm_b")]
        if names[0] is not None and names[1] is not None:
            first = self._find("arm", row[names[0]], self.arms)
            second = self._find("arm", row[names[1]], self.arms)
        else:
            first, second = self._spelt_out(row[self.at["preference"]] or "")
        if first == second:
            raise _Row(f"compares {one_line(first, 40)} with itself", "name two arms")
        return first, second

    def _spelt_out(self, text: str) -> tuple[str, str]:
        """Both arms of a preference such as ``kimi > sol``."""
        parts = re.split(r"\s*[<>=]\s*", text)
        if len(parts) != 2:  # noqa: PLR2004 - two arms
            raise _Row(f"is {one_line(text, 40)}, which names no two arms",
                       "write A > B, A = B or A < B, or map arm_a and arm_b")  # fmt: skip
        return self._find("arm", parts[0], self.arms), self._find("arm", parts[1], self.arms)

    def _preference(self, text: str, arms: tuple[str, ...]) -> float:
        """Share of the comparison that the earlier arm of the run won."""
        word = fold(text)
        signs = [sign for sign in "<>=" if sign in word]
        if len(signs) == 1:
            word = signs[0]
        elif word in self.arms:
            winner = self.arms[word]
            if winner not in arms:
                raise _Row(f"prefers {one_line(text, 40)}, which it does not compare", "mend it")
            word = "a" if winner == arms[0] else "b"
        if word in _TIE:
            return 0.5
        if word not in _FIRST | _SECOND:
            raise _Row(f"has preference {one_line(text, 40)}", "write A, B, tie, or an arm's name")
        first_won = word in _FIRST
        turned = self.known.arms.index(arms[0]) > self.known.arms.index(arms[1])
        return float(first_won != turned)

    def _rater(self, row: Cells, place: Place) -> str:
        name = place.rater
        if name is None:
            if "rater" not in self.at:
                return ""
            name = row[self.at["rater"]]
            if name is None:
                raise _Row("has no rater", "fill it in or remove the row")
            name = unguarded(name)
        if not has_visible(name):
            raise _Row("has no rater", "fill it in or remove the row")
        # One person, however the name is typed from row to row.
        name = self.raters.setdefault(fold(name), one_line(name, 60))
        return pseudonym(self.known.run, name) if self.choices.pseudonyms else name

    def _criterion(self, row: Cells, place: Place) -> str:
        if place.criterion is not None:
            return place.criterion
        if "criterion" not in self.at:
            return OVERALL
        text = row[self.at["criterion"]]
        if text is None:
            return OVERALL
        if found := self.columns.criterion_of(text):
            return found
        raise _Unmatched(_near("criterion", text, names=tuple(self.columns.criteria.values())))

    def _mark(self, text: str) -> float:
        value = self._figure(text)
        low, high = self.scale
        if not low <= value <= high:
            raise _Row(
                f"has mark {one_line(text, 20)}, off the scale {low:g} to {high:g}",
                "mend it, or name the scale that people used with --scale LOW-HIGH",
            )
        ours = self.known.scale
        if (low, high) == (ours.low, ours.high):
            return value
        return ours.low + (value - low) / (high - low) * (ours.high - ours.low)

    def _figure(self, text: str) -> float:
        plain = text.strip()
        if match := _FRACTION.match(plain):
            if match[2] != f"{self.scale[1]:g}":
                raise _Row(
                    f"has mark {one_line(text, 40)}, on a scale to {self.scale[1]:g}",
                    "name the scale that people used with --scale LOW-HIGH",
                )
            plain = match[1]  # 4/5 on a scale to 5
        if _COMMA.match(plain):
            if not self.sheet.comma_decimals:
                raise _Row(
                    f"has mark {plain}, in a file that separates with commas",
                    f"write {plain.replace(',', '.')}, or separate with semicolons",
                )
            plain = plain.replace(",", ".")
        if not _NUMBER.match(plain) or not math.isfinite(float(plain)):
            raise _Row(f"has mark {one_line(text, 40)}, which is no number", "write a number")
        return float(plain)

    # ---- the end

    def _stop_unmatched(self) -> None:
        if not self.unmatched or self.choices.skip_unmatched:
            return
        rest = len(self.unmatched) - _LISTED
        more = f" and {rest:,} more" if rest > 0 else ""
        raise ImportFileError(
            self.sheet.path,
            f"has {plural(len(self.unmatched), 'row that matches', 'rows that match')} nothing of "
            f"{one_line(self.known.run, 40)} ({'; '.join(self.unmatched[:_LISTED])}{more}); "
            "nothing was taken",
            "mend them, or leave them out with --skip-unmatched",
        )

    def _made(self) -> HumanFile:
        marks, preferences = [], []
        for key, (value, _) in self.marks.items():
            item, arm, other, criterion, rater = key._replace(rater=key.rater or NOBODY)
            if other:
                preferences.append(
                    GivenPreference(item=item, first=arm, second=other, rater=rater, share=value)
                )
            else:
                marks.append(
                    GivenMark(item=item, arm=arm, criterion=criterion, rater=rater, mark=value)
                )
        used = {*self.at.values(), *(place.column for place in self.columns.places)}
        if used.isdisjoint(SHEET_TEXTS) and set(SHEET_TEXTS) <= set(self.sheet.columns):
            used |= set(SHEET_TEXTS)
        return HumanFile(
            name=self.sheet.path.name,
            marks=tuple(sorted(marks)),
            preferences=tuple(sorted(preferences)),
            raters=tuple(sorted({key.rater or NOBODY for key in self.marks})),
            blanks=self.blanks,
            doubles=self.doubles,
            skipped=tuple(self.unmatched),
            ignored=tuple(name for name in self.sheet.columns if name not in used),
            scale=self.scale,
            identified=not self.choices.slots,
            notes=self.sheet.notes,
        )


def _named(key: GivenKey) -> str:
    return one_line(" · ".join(part for part in key if part), 100)


def _near(what: str, text: str, *, names: Sequence[str]) -> str:
    """A name that is not known, and the known one that it is most like."""
    near = difflib.get_close_matches(text, names, n=1)
    return f"{what} {one_line(text, 40)}" + "".join(
        f", did you mean {one_line(one, 40)}?" for one in near
    )
