"""A published score table → claims: CSV, TSV, XLSX, JSON lines, Markdown or JSON.

Heads are matched by their words: a name, a total, a tier, a rank, deductions. The
columns of criteria are those that are named, or those whose sum is the total in most
rows. Markdown may hold many tables; JSON may hold rules, corrections and second
opinions beside its records.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

from judgebench.errors import ImportFileError
from judgebench.model.published import Claim, Deduction, Published, ScoreTable, TableRules
from judgebench.records import dataclass
from judgebench.runs import published_words as words
from judgebench.runs.importers.sheets import read_sheet
from judgebench.runs.published_cells import MAX_CELL, CellFault, has_comma_decimals, number
from judgebench.runs.published_json import read_json
from judgebench.runs.published_words import Told
from judgebench.text import one_line

MARKDOWN = (".md", ".markdown")
SHEETS = (".csv", ".tsv", ".xlsx", ".jsonl", ".ndjson")
SUFFIXES = (*SHEETS, ".json", *MARKDOWN)
MAX_CRITERIA = 60
_NEAR = 1e-6
_MOST = 0.6
"""A block of columns is the criteria where their sum is the total in so many of its rows."""

_WITH_MAX = re.compile(
    r"(.+?)(?:\s*[(/\[]\s*(?:max\.?\s*)?|\s+max\.?\s*|(\s+))(\d+(?:\.\d+)?)\s*[)\]]?\Z"
)
"""The second group where only a blank stands before the number: `tests 15`, and `phase 2`."""
_MARKUP = re.compile(r"[*_`~]+|<[^>]{0,80}>|\[\^[^\]]{0,20}\]")
_LINK = re.compile(r"!?\[([^\]]{0,500})\]\([^)]{0,500}\)")
_CHARGE = re.compile(
    r"(?:(?P<criterion>[^:.\s]{1,60})[.:]\s*)?(?P<finding>[^\s@×]{1,80})"
    r"(?:\s*@\s*(?P<place>\S{1,200}))?\s*[:(]?\s*[-−](?P<points>\d{1,4}(?:\.\d)?)\)?"
    r"(?:\s*[×x]\s*(?P<times>\d{1,3}))?\Z"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Flat:
    """One table of cells."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[int, Mapping[str, str | None]], ...]
    comma_decimals: bool = False

    def glance(self, value: str | None, top: float | None = None) -> float | None:
        """A cell's number, where it is one: to find out which columns hold marks."""
        try:
            return number(value, comma_decimals=self.comma_decimals, top=top)
        except CellFault:
            return None


def read_published(path: Path, told: Told) -> Published:
    """Read a file of published scores.

    Raises:
        ImportFileError: It is no such file, or holds no table of totals.
    """
    suffix = path.suffix.lower()
    if not path.is_file():
        # A pipe would have to be read twice, and may never end.
        what = "is no regular file" if path.exists() and not path.is_dir() else "is no file"
        raise ImportFileError(path, what, "name a CSV, Markdown or JSON file of scores")
    if suffix not in SUFFIXES:
        ends = one_line(path.suffix, 20) or "nothing"
        raise ImportFileError(path, f"ends in {ends}", f"use one of {', '.join(SUFFIXES)}")
    if suffix == ".json":
        found = read_json(path, told)
    else:
        flats = _markdown(path) if suffix in MARKDOWN else [_sheet(path)]
        found = Published(tables=tuple(t for flat in flats for t in _tables(path, flat, told)))
    if not found.tables:
        what = "holds no table with a column of totals"
        raise ImportFileError(path, what, f"call the column one of {', '.join(words.TOTALS)}")
    words.check_rows(path, sum(len(table.claims) for table in found.tables))
    return found


# ---- flat tables


def _sheet(path: Path) -> _Flat:
    sheet = read_sheet(path)
    words.check_rows(path, len(sheet.rows))
    return _Flat(
        name=path.stem, columns=sheet.columns, rows=sheet.rows, comma_decimals=sheet.comma_decimals
    )


def _markdown(path: Path) -> list[_Flat]:
    """Every pipe table of a file, under the name of the heading above it."""
    flats: list[_Flat] = []
    heading, block = path.stem, list[tuple[int, str]]()
    for place, line in enumerate([*words.text_of_file(path).split("\n"), ""], 1):
        bare = line.strip()
        if bare.startswith("|") or (block and "|" in bare):
            block.append((place, bare))
            continue
        if block:
            flats.extend(_pipe_table(heading, block))
            block = []
        if bare.startswith("#"):
            heading = one_line(_plain(bare.lstrip("#")), 80) or heading
    return flats


def _pipe_table(heading: str, block: Sequence[tuple[int, str]]) -> Iterator[_Flat]:
    lines = [(number, _pipe_cells(line)) for number, line in block]
    if len(lines) < 3 or not all(re.fullmatch(r":?-+:?", cell) for cell in lines[1][1] if cell):  # noqa: PLR2004 - head, rule, a row
        return
    columns = tuple(cell or f"column {at}" for at, cell in enumerate(lines[0][1], 1))
    rows = tuple(
        (number, dict(zip(columns, [*cells, *[""] * len(columns)], strict=False)))
        for number, cells in lines[2:]
    )
    commas = has_comma_decimals(cell for _, cells in lines[2:] for cell in cells)
    yield _Flat(name=heading, columns=columns, rows=rows, comma_decimals=commas)


def _pipe_cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return [_plain(cell.replace("\\|", "|")) for cell in re.split(r"(?<!\\)\|", inner)]


def _plain(text: str) -> str:
    text = _LINK.sub(r"\1", text[:MAX_CELL])
    # Underscores inside of a word belong to it: they are no emphasis.
    return _MARKUP.sub(lambda m: m.group() if set(m.group()) == {"_"} else "", text).strip()


def _tables(path: Path, flat: _Flat, told: Told) -> list[ScoreTable]:
    """The table of each group of a flat one; none where it has no totals."""
    heads = _Heads(flat.columns)
    if heads.total is None or heads.name is None:
        return []
    _no_head_twice(path, flat)
    criteria = _criteria(path, flat, heads, told)
    reader = _Rows(path, flat, heads, criteria)
    groups: dict[str, list[Claim]] = {}
    for line, row in flat.rows:
        group = words.word_of(row.get(heads.group or "")) or flat.name
        if (claim := reader.claim(line, row)) is not None:
            groups.setdefault(group, []).append(claim)
    maxima = {one: top for column, (one, top) in criteria.items() if top is not None}
    rules = TableRules(maxima=maxima)
    return [
        ScoreTable(
            name=name,
            claims=tuple(claims),
            criteria=tuple(one for one, _ in criteria.values()),
            rules=words.ruled(rules, told),
        )
        for name, claims in groups.items()
    ]


class _Heads:
    """Which column is what."""

    def __init__(self, columns: Sequence[str]) -> None:
        by_word = {re.sub(r"\s+", " ", column.strip().casefold()): column for column in columns}

        def one(known: Iterable[str]) -> str | None:
            return next((by_word[word] for word in known if word in by_word), None)

        self.total = one(words.TOTALS) or next(
            (c for word, c in by_word.items() if re.match(r"(total|score)\b", word)), None
        )
        self.name, self.tier, self.rank = one(words.NAMES), one(words.TIERS), one(words.RANKS)
        self.condition, self.deductions = one(words.CONDITIONS), one(words.DEDUCTIONS)
        self.group = one(words.GROUPS)
        if self.condition == self.name:
            self.condition = None
        if self.name is None:
            taken = {self.total, self.tier, self.rank, self.condition, self.deductions}
            self.name = next((column for column in columns if column not in taken), None)
        self.known = frozenset(
            c for c in vars(self).values() if isinstance(c, str)
        )  # fmt: skip


def _no_head_twice(path: Path, flat: _Flat) -> None:
    folded = [column.casefold() for column in flat.columns]
    if twice := next((c for c in flat.columns if folded.count(c.casefold()) > 1), None):
        what = f"has two columns {one_line(twice, 40)}"
        raise ImportFileError(path, what, "keep one", line=max(0, flat.rows[0][0] - 2))


class _Rows:
    """Reads the rows of one table; a cell that is no number where one belongs is a fault."""

    def __init__(
        self, path: Path, flat: _Flat, heads: _Heads,
        criteria: Mapping[str, tuple[str, float | None]],
    ) -> None:  # fmt: skip
        self.path, self.flat, self.heads, self.criteria = path, flat, heads, criteria

    def claim(self, line: int, row: Mapping[str, str | None]) -> Claim | None:
        """What a row says; None where it says nothing of a project."""
        heads = self.heads
        name = words.word_of(row.get(heads.name or ""))
        if not name:
            return None
        total = self._number(line, row, heads.total)
        marks = {
            one: mark
            for column, (one, top) in self.criteria.items()
            if (mark := self._number(line, row, column, top=top)) is not None
        }
        if total is None and not marks:
            return None
        rank = self._number(line, row, heads.rank, ordinal=True)
        return Claim(
            name=name,
            line=line,
            condition=words.word_of(row.get(heads.condition or "")) if heads.condition else "",
            marks=marks,
            total=total,
            tier=words.word_of(row.get(heads.tier or "")) if heads.tier else "",
            rank=int(rank) if rank is not None and rank.is_integer() else None,
            deductions=_charges(row.get(heads.deductions or "")) if heads.deductions else (),
        )

    def _number(
        self, line: int, row: Mapping[str, str | None], column: str | None, *,
        top: float | None = None, ordinal: bool = False,
    ) -> float | None:  # fmt: skip
        if column is None:
            return None
        top = _with_max(column).top if top is None else top
        try:
            return number(
                row.get(column), comma_decimals=self.flat.comma_decimals, top=top, ordinal=ordinal
            )
        except CellFault as exc:
            what, _, fix = str(exc).partition("; ")
            raise ImportFileError(
                self.path, what, fix, line=line, key=one_line(column, 40)
            ) from None


def _charges(cell: str | None) -> tuple[Deduction, ...]:
    """``tests.no-errors -5; boot@Dockerfile:3 −2 ×2`` → deductions; other words are passed over."""
    found: list[Deduction] = []
    for part in re.split(r"[;\n]|<br>", (cell or "")[:MAX_CELL]):
        charge = _CHARGE.match(part.strip())
        if charge is None:
            continue
        one = Deduction(
            finding=charge["finding"],
            points=float(charge["points"]),
            criterion=charge["criterion"] or "",
            place=charge["place"] or "",
        )
        found.extend([one] * min(int(charge["times"] or 1), MAX_CRITERIA))
    return tuple(found)


# ---- which columns are criteria


def _criteria(
    path: Path, flat: _Flat, heads: _Heads, told: Told
) -> dict[str, tuple[str, float | None]]:
    """Column → the criterion's name and its maximum, where the head gives one."""
    heads_of = {column: _with_max(column) for column in flat.columns if column not in heads.known}
    split = {column: (head.name, head.top) for column, head in heads_of.items()}
    if wanted := told.criteria or (tuple(told.rules.maxima) if told.rules else ()):
        by_name = {name.casefold(): column for column, (name, _) in split.items()}
        by_name |= {column.casefold(): column for column in split}
        missing = [name for name in wanted if name.casefold() not in by_name]
        if missing and told.criteria:
            what = f"has no column {one_line(missing[0], 40)}"
            raise ImportFileError(path, what, f"there are {one_line(', '.join(split), 200)}")
        columns = {} if missing else {by_name[name.casefold()]: name for name in wanted}
        return {column: (name, split[column][1]) for column, name in columns.items()}
    cells = _Cells(flat, heads, heads_of)
    with_max = cells.with_maxima()
    fitting = len(with_max) > 1 and cells.fit(with_max)[1] >= _MOST
    # Marks that stand beside those with a maximum belong to the sum where they make it up.
    summing = [] if fitting else cells.summing()
    if len(with_max) > 1 and not {cells.columns[at] for at in with_max} <= set(summing):
        return {cells.columns[at]: split[cells.columns[at]] for at in with_max}
    known = {cells.columns[at] for at in with_max}
    return {column: split[column] if column in known else (column, None) for column in summing}


@dataclass(frozen=True, kw_only=True, slots=True)
class _Head:
    """The head of a column, taken apart."""

    name: str
    top: float | None = None
    bare: bool = False
    """Only a blank stands before the number: it may be a part of the name."""


def _with_max(column: str) -> _Head:
    found = _WITH_MAX.match(column)
    if found is None or not re.search(r"[^\W\d]", found[1]):
        return _Head(name=column)
    return _Head(name=found[1].strip(" (/["), top=float(found[3]), bare=found[2] is not None)


class _Cells:
    """The numbers of a table beside its totals."""

    def __init__(self, flat: _Flat, heads: _Heads, columns: Mapping[str, _Head]) -> None:
        self.columns, self.heads = list(columns), list(columns.values())
        self.rows = [
            (total, [flat.glance(row.get(name), head.top) for name, head in columns.items()])
            for _, row in flat.rows
            if (total := flat.glance(row.get(heads.total or ""), _with_max(heads.total or "").top))
            is not None
        ]

    def with_maxima(self) -> list[int]:
        """The columns whose heads carry a maximum, and no number that is a part of the name."""
        names = [head.name.casefold() for head in self.heads]
        tops = [at for at, head in enumerate(self.heads) if head.top is not None]
        alone = [at for at in tops if names.count(names[at]) == 1]
        return [at for at in alone if not self.heads[at].bare or self._within(at)]

    def _within(self, at: int) -> bool:
        top = self.heads[at].top or 0.0
        marks = [cells[at] for _, cells in self.rows]
        inside = [mark for mark in marks if mark is not None and 0 <= mark <= top]
        return bool(marks) and len(inside) >= _MOST * len([m for m in marks if m is not None]) > 0

    def fit(self, places: Sequence[int]) -> tuple[int, float]:
        """In how many rows, and what share of those that have them, these add up."""
        whole = fits = 0
        for total, cells in self.rows:
            part = [cell for at in places if (cell := cells[at]) is not None]
            if len(part) == len(places):
                whole += 1
                fits += abs(sum(part) - total) <= _NEAR
        return fits, fits / whole if whole else 0.0

    def summing(self) -> Sequence[str]:
        """The neighbouring columns whose sum is the total in most of their rows."""
        best: tuple[int, int, Sequence[str]] = (1, 0, ())
        for low, high in combinations(range(min(len(self.columns), MAX_CRITERIA) + 1), 2):
            if high - low > 1:
                fits, share = self.fit(range(low, high))
                if share >= _MOST and (fits, high - low) > best[:2]:
                    best = (fits, high - low, self.columns[low:high])
        return best[2]
