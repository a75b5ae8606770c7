"""A published score table → claims: CSV, TSV, XLSX, JSON lines, Markdown or JSON.

Heads are matched by their words: a name, a total, a tier, a rank, deductions. The
columns of criteria are those that are named, or those whose sum is the total in most
rows. Markdown may hold many tables; JSON may hold rules, corrections and second
opinions beside its records.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from judgebench.errors import ImportFileError
from judgebench.model.published import (
    Claim,
    Deduction,
    Published,
    ScoreTable,
    TableRules,
)
from judgebench.runs.importers.sheets import read_sheet
from judgebench.runs.published_json import read_json
from judgebench.runs.published_words import (
    CONDITIONS,
    DEDUCTIONS,
    GROUPS,
    MAX_ROWS,
    NAMES,
    NOTHING,
    RANKS,
    TIERS,
    TOTALS,
    Told,
    ruled,
    text_of_file,
    word_of,
)
from judgebench.text import one_line

MARKDOWN = (".md", ".markdown")
SHEETS = (".csv", ".tsv", ".xlsx", ".jsonl", ".ndjson")
SUFFIXES = (*SHEETS, ".json", *MARKDOWN)
MAX_CELL = 20_000
MAX_CRITERIA = 60
_NEAR = 1e-6
_MOST = 0.6
"""A block of columns is the criteria where their sum is the total in so many of its rows."""

_NUMBER = re.compile(r"[~≈]?\s*([-+−]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[-+−]?\d+(?:\.\d+)?)")
_WITH_MAX = re.compile(r"(.+?)\s*[(/\[]?\s*(?:max\.?\s*)?(\d+(?:\.5)?)\s*[)\]]?\Z")
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


def read_published(path: Path, told: Told) -> Published:
    """Read a file of published scores.

    Raises:
        ImportFileError: It is no such file, or holds no table of totals.
    """
    suffix = path.suffix.lower()
    if not path.is_file():
        raise ImportFileError(path, "is no file", "name a CSV, Markdown or JSON file of scores")
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
        raise ImportFileError(path, what, f"call the column one of {', '.join(TOTALS)}")
    if sum(len(table.claims) for table in found.tables) > MAX_ROWS:
        raise ImportFileError(path, f"holds more than {MAX_ROWS:,} rows", "split it")
    return found


# ---- flat tables


def _sheet(path: Path) -> _Flat:
    sheet = read_sheet(path)
    if len(sheet.rows) > MAX_ROWS:
        raise ImportFileError(path, f"holds more than {MAX_ROWS:,} rows", "split it")
    return _Flat(name=path.stem, columns=sheet.columns, rows=sheet.rows)


def _markdown(path: Path) -> list[_Flat]:
    """Every pipe table of a file, under the name of the heading above it."""
    flats: list[_Flat] = []
    heading, block = path.stem, list[tuple[int, str]]()
    for number, line in enumerate([*text_of_file(path).split("\n"), ""], 1):
        bare = line.strip()
        if bare.startswith("|") or (block and "|" in bare):
            block.append((number, bare))
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
    yield _Flat(name=heading, columns=columns, rows=rows)


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
    criteria = _criteria(path, flat, heads, told)
    groups: dict[str, list[Claim]] = {}
    for line, row in flat.rows:
        group = word_of(row.get(heads.group or "")) or flat.name
        if (claim := _claim(line, row, heads, criteria)) is not None:
            groups.setdefault(group, []).append(claim)
    maxima = {one: top for column, (one, top) in criteria.items() if top is not None}
    rules = TableRules(maxima=maxima)
    return [
        ScoreTable(
            name=name,
            claims=tuple(claims),
            criteria=tuple(one for one, _ in criteria.values()),
            rules=ruled(rules, told),
        )
        for name, claims in groups.items()
    ]


class _Heads:
    """Which column is what."""

    def __init__(self, columns: Sequence[str]) -> None:
        by_word = {re.sub(r"\s+", " ", column.strip().casefold()): column for column in columns}

        def one(words: Iterable[str]) -> str | None:
            return next((by_word[word] for word in words if word in by_word), None)

        self.total = one(TOTALS) or next(
            (c for word, c in by_word.items() if re.match(r"(total|score)\b", word)), None
        )
        self.name, self.tier, self.rank = one(NAMES), one(TIERS), one(RANKS)
        self.condition, self.deductions = one(CONDITIONS), one(DEDUCTIONS)
        self.group = one(GROUPS)
        if self.condition == self.name:
            self.condition = None
        if self.name is None:
            taken = {self.total, self.tier, self.rank, self.condition, self.deductions}
            self.name = next((column for column in columns if column not in taken), None)
        self.known = frozenset(
            c for c in vars(self).values() if isinstance(c, str)
        )  # fmt: skip


def _claim(
    line: int,
    row: Mapping[str, str | None],
    heads: _Heads,
    criteria: Mapping[str, tuple[str, float | None]],
) -> Claim | None:
    name = word_of(row.get(heads.name or ""))
    total = number(row.get(heads.total or ""))
    marks = {
        one: mark
        for column, (one, _) in criteria.items()
        if (mark := number(row.get(column))) is not None
    }
    if not name or (total is None and not marks):
        return None
    rank = number(row.get(heads.rank or "")) if heads.rank else None
    return Claim(
        name=name,
        line=line,
        condition=word_of(row.get(heads.condition or "")) if heads.condition else "",
        marks=marks,
        total=total,
        tier=word_of(row.get(heads.tier or "")) if heads.tier else "",
        rank=int(rank) if rank is not None and rank.is_integer() else None,
        deductions=_charges(row.get(heads.deductions or "")) if heads.deductions else (),
    )


def number(value: str | None) -> float | None:
    """The number that a cell begins with; notes behind it are passed over."""
    text = (value or "").strip().lstrip("#=T")
    if text.casefold() in NOTHING:
        return None
    found = _NUMBER.match(text)
    if found is None:
        return None
    return float(found.group(1).replace(",", "").replace("−", "-"))


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
    split = {column: _with_max(column) for column in flat.columns if column not in heads.known}
    if wanted := told.criteria or (tuple(told.rules.maxima) if told.rules else ()):
        by_name = {name.casefold(): column for column, (name, _) in split.items()}
        by_name |= {column.casefold(): column for column in split}
        missing = [name for name in wanted if name.casefold() not in by_name]
        if missing and told.criteria:
            what = f"has no column {one_line(missing[0], 40)}"
            raise ImportFileError(path, what, f"there are {one_line(', '.join(split), 200)}")
        columns = {} if missing else {by_name[name.casefold()]: name for name in wanted}
        return {column: (name, split[column][1]) for column, name in columns.items()}
    cells = _Cells(flat, heads, list(split))
    with_max = [at for at, column in enumerate(split) if split[column][1] is not None]
    if len(with_max) > 1 and cells.fit(with_max)[1] >= _MOST:
        return {column: one for column, one in split.items() if one[1] is not None}
    return {column: (column, None) for column in cells.summing()}


def _with_max(column: str) -> tuple[str, float | None]:
    found = _WITH_MAX.match(column)
    if found is None or not re.search(r"[^\W\d]", found.group(1)):
        return column, None
    return found.group(1).strip(" (/["), float(found.group(2))


class _Cells:
    """The numbers of a table beside its totals."""

    def __init__(self, flat: _Flat, heads: _Heads, columns: Sequence[str]) -> None:
        self.columns = columns
        self.rows = [
            (total, [number(row.get(column)) for column in columns])
            for _, row in flat.rows
            if (total := number(row.get(heads.total or ""))) is not None
        ]

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
