"""Which column of a sheet of people's marks holds what."""

from judgebench.errors import ImportFileError
from judgebench.records import dataclass
from judgebench.runs.importers.human_sheet import (
    AS_A_WHOLE,
    FIELDS,
    OVERALL,
    SPELLINGS,
    Known,
    SheetChoices,
    by_fold,
    fold,
    sheet_heads,
)
from judgebench.runs.importers.sheets import Sheet
from judgebench.text import one_line


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Where a mark stands in a row."""

    column: str
    criterion: str | None = None
    rater: str | None = None


class Columns:
    """What stands where in a sheet.

    Raises:
        ImportFileError: A column that is needed, or named, is not there.
    """

    def __init__(self, sheet: Sheet, choices: SheetChoices, known: Known) -> None:
        self.sheet, self.choices, self.known = sheet, choices, known
        self._have = {fold(name): name for name in sheet.columns}
        self.criteria = by_fold(known.criteria)
        """Folded spelling → id of a criterion."""
        for heads in (known.criteria, sheet_heads(known.criteria)):
            for name, head in heads.items():
                if head:
                    self.criteria.setdefault(fold(head), name)
        self.at = self._named()
        """Our name → column of the file."""
        self.places = self._places()
        """Where marks, or preferences, stand in a row."""

    def _named(self) -> dict[str, str]:
        have = self._have
        at: dict[str, str] = {}
        for name, column in self.choices.columns.items():
            if name not in FIELDS:
                raise ImportFileError("--map", f"names {one_line(name, 40)}",
                                      f"use one of {', '.join(FIELDS)}")  # fmt: skip
            if fold(column) not in have:
                raise self._no_column(column)
            at[name] = have[fold(column)]
        for name, spellings in SPELLINGS.items():
            taken = {*at.values(), *self.choices.raters}
            match = [have[one] for one in spellings if one in have and have[one] not in taken]
            if name not in at and match:
                at[name] = match[0]
        return at

    def _no_column(self, name: str) -> ImportFileError:
        columns = one_line(", ".join(self.sheet.columns), 100)
        return ImportFileError(
            self.sheet.path, f"has no column {one_line(name, 40)} (it has: {columns})",
            "name one that is there", line=1,
        )  # fmt: skip

    def _need(self, *names: str) -> None:
        if missing := [name for name in names if name not in self.at]:
            columns = one_line(", ".join(self.sheet.columns), 100)
            maps = ",".join(f'{name}="COLUMN"' for name in missing)
            raise ImportFileError(
                self.sheet.path, f"has no column {', '.join(missing)} (it has: {columns})",
                f"name {'it' if len(missing) == 1 else 'each'} with --map {maps}", line=1,
            )  # fmt: skip

    @property
    def paired(self) -> bool:
        """Whether rows compare two arms."""
        return "preference" in self.at and "mark" not in self.at and "arm" not in self.at

    def _places(self) -> tuple[Place, ...]:
        item = ("item",) if len(self.known.items) > 1 else ()
        if self.paired:
            self._need(*item)
            return (Place(column=self.at["preference"]),)
        places = self._mark_places()
        self._need(*item, "arm", *(() if places else ("mark",)))
        return places

    def _mark_places(self) -> tuple[Place, ...]:
        if self.choices.raters:
            return self._rater_columns()
        if "mark" in self.at:
            return (Place(column=self.at["mark"]),)
        used = set(self.at.values())
        return tuple(
            Place(column=name, criterion=criterion)
            for name in self.sheet.columns
            if name not in used and (criterion := self.criterion_of(name)) is not None
        )

    def _rater_columns(self) -> tuple[Place, ...]:
        have = self._have
        for name in self.choices.raters:
            if fold(name) not in have:
                raise self._no_column(name)
        return tuple(Place(column=have[fold(n)], rater=n) for n in self.choices.raters)

    def criterion_of(self, name: str) -> str | None:
        """The criterion that a head of a column, or a cell, names; None where it names none."""
        return OVERALL if fold(name) in AS_A_WHOLE else self.criteria.get(fold(name))
