"""A table that a spreadsheet saved: CSV, TSV, XLSX or JSON lines → a head and rows.

Cells come out as text without spaces around them, or as None where they are blank.
Nothing is guessed but the separator, which the head settles. A file goes in whole
or not at all, so every fault names its row.
"""

import csv
import io
import json
import zipfile
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path

from judgebench.errors import ImportFileError
from judgebench.records import dataclass
from judgebench.runs.decode import Undecodable, decode_text
from judgebench.runs.json_form import single_keys
from judgebench.text import one_line, plural

SUFFIXES = (".csv", ".tsv", ".txt", ".xlsx", ".jsonl", ".ndjson")
MAX_BYTES = 64 * 1024 * 1024
MAX_ROWS = 1_000_000
MAX_COLUMNS = 500
_SEPARATORS = ",;\t|"
_HINT = 'save it again as "CSV UTF-8"'
Cells = dict[str, str | None]


@dataclass(frozen=True, kw_only=True, slots=True)
class Sheet:
    """One table."""

    path: Path
    columns: tuple[str, ...]
    rows: tuple[tuple[int, Cells], ...]
    """Line (or row of the sheet) and cells of each row that is not blank."""
    comma_decimals: bool
    """A comma inside of a number can be nothing but a decimal comma."""
    notes: tuple[str, ...] = ()


def read_sheet(path: Path) -> Sheet:
    """Read a file of marks.

    Raises:
        ImportFileError: It is no such file, or a row cannot be read.
    """
    if not path.is_file():
        raise ImportFileError(path, "is no file", "name a CSV, TSV, XLSX or JSONL file of marks")
    if path.suffix.lower() not in SUFFIXES:
        ends = one_line(path.suffix, 20) or "nothing"
        raise ImportFileError(path, f"ends in {ends}", f"use one of {', '.join(SUFFIXES)}")
    if path.stat().st_size > MAX_BYTES:
        raise ImportFileError(path, f"is larger than {MAX_BYTES:,} bytes", "split it")
    sheet = _read(path)
    if not sheet.rows:
        raise ImportFileError(path, "has no rows under its head", "write one row a mark")
    return sheet


def _read(path: Path) -> Sheet:
    suffix = path.suffix.lower()
    if suffix == ".xlsx":
        return _xlsx(path)
    text = _text(path)
    return _jsonl(path, text) if suffix in {".jsonl", ".ndjson"} else _csv(path, text)


def _text(path: Path) -> str:
    raw = path.read_bytes()
    if raw[:4] == b"PK\x03\x04":
        raise ImportFileError(path, "is a spreadsheet file", "give it the ending .xlsx")
    try:
        text = decode_text(raw)
    except Undecodable as exc:
        raise ImportFileError(path, f"is no text: {exc}", _HINT, line=_line_of(raw)) from None
    if not text.strip():
        raise ImportFileError(path, "is empty", "write a line of column names and one row a mark")
    return text


def _line_of(raw: bytes) -> int:
    """Line of the first byte that is no text."""
    for line, part in enumerate(raw.split(b"\n"), 1):
        try:
            if b"\0" in part:
                return line
            part.decode("utf-8-sig" if line == 1 else "utf-8")
        except UnicodeDecodeError:
            return line
    return 1


# ---- CSV and TSV


def _csv(path: Path, text: str) -> Sheet:
    first, _, rest = text.partition("\n")
    separator, skipped = "", 0
    if first.strip().lower().startswith("sep=") and len(first.strip()) == 5:  # noqa: PLR2004 - sep=;
        separator, text, skipped = first.strip()[-1], rest, 1
        first = text.partition("\n")[0]
    # A tab in the head of a CSV is a separator like any other: pasted tables have them.
    separator = separator or max(_SEPARATORS, key=first.count)
    lines = _csv_rows(path, text, separator, skipped)
    head = next(lines, None)
    if head is None:
        raise ImportFileError(path, "is empty", "write a line of column names and one row a mark")
    columns = _head(path, head[1], head[0])
    rows = []
    for line, cells in lines:
        if len(cells) != len(columns):
            raise ImportFileError(
                path, f"has {plural(len(cells), 'cell')} under {plural(len(columns), 'head')}",
                "fill the row up, or put cells with separators in double quotes", line=line,
            )  # fmt: skip
        rows.append((line, {k: v.strip() or None for k, v in zip(columns, cells, strict=True)}))
        _not_too_many(path, len(rows))
    return Sheet(
        path=path, columns=columns, rows=tuple(rows), comma_decimals=separator != ",",
    )  # fmt: skip


def _csv_rows(
    path: Path, text: str, separator: str, skipped: int
) -> Iterator[tuple[int, list[str]]]:
    """Rows with the line that each begins on; rows without any character are left out."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line = 1
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as exc:
            what = one_line(str(exc), 80)
            if "end of data" in what:
                what = "a double quote opens a cell and never closes"
            raise ImportFileError(
                path, f"is not valid CSV: {what}", "mend or remove it", line=line + skipped
            ) from None
        if any(cell.strip() for cell in cells):
            yield line + skipped, cells
        line = reader.line_num + 1


def _head(path: Path, cells: Iterable[str], line: int) -> tuple[str, ...]:
    names = [one_line(cell.strip(), 200) for cell in cells]
    while names and not names[-1]:
        names.pop()
    if len(names) > MAX_COLUMNS:
        raise ImportFileError(
            path, f"has {plural(len(names), 'column')}", f"keep at most {MAX_COLUMNS}"
        )
    if not all(names):
        raise ImportFileError(path, "has a column without a name", "name every column", line=line)
    folded = [name.casefold() for name in names]
    if twice := next((name for name in names if folded.count(name.casefold()) > 1), None):
        raise ImportFileError(path, f"has two columns {twice}", "keep one", line=line)
    return tuple(names)


def _not_too_many(path: Path, n: int) -> None:
    if n > MAX_ROWS:
        raise ImportFileError(path, f"has more than {MAX_ROWS:,} rows", "split it")


# ---- JSON lines


def _jsonl(path: Path, text: str) -> Sheet:
    columns: dict[str, None] = {}
    rows = []
    for line, part in enumerate(text.split("\n"), 1):
        if not part.strip():
            continue
        try:
            found = json.loads(part, object_pairs_hook=single_keys)
        except (ValueError, RecursionError) as exc:
            what = one_line(str(exc), 80)
            raise ImportFileError(
                path, f"is not valid JSON: {what}", "mend or remove it", line=line
            ) from None
        if not isinstance(found, dict):
            raise ImportFileError(path, "is no JSON object", "write one object a line", line=line)
        rows.append((line, {one_line(k, 200): _json_cell(path, line, v) for k, v in found.items()}))
        columns |= dict.fromkeys(rows[-1][1])
        _not_too_many(path, len(rows))
    if len(columns) > MAX_COLUMNS:
        raise ImportFileError(path, f"has {len(columns):,} keys", f"keep at most {MAX_COLUMNS}")
    return Sheet(
        path=path, columns=tuple(columns), comma_decimals=False,
        rows=tuple((line, {name: row.get(name) for name in columns}) for line, row in rows),
    )  # fmt: skip


def _json_cell(path: Path, line: int, value: object) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ImportFileError(
            path, "holds something other than text or numbers", "write one value a key", line=line
        )
    return _number(value) if not isinstance(value, str) else value.strip() or None


def _number(value: float) -> str:
    # A whole number of JSON may be larger than any float.
    whole = isinstance(value, int) or value.is_integer()
    return str(int(value)) if whole else repr(value)


# ---- XLSX


def _xlsx(path: Path) -> Sheet:
    import openpyxl  # noqa: PLC0415 - only where a spreadsheet is read
    from openpyxl.utils.exceptions import InvalidFileException  # noqa: PLC0415

    faults = (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, OSError, EOFError)
    try:
        _not_swollen(path)
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except ImportFileError:
        raise
    except faults as exc:
        what = one_line(str(exc), 80)
        raise ImportFileError(path, f"is no XLSX file: {what}", _HINT) from None
    try:
        filled = [(name, rows) for name in book.sheetnames if (rows := _rows(path, book[name]))]
    except faults as exc:
        what = one_line(str(exc), 80)
        raise ImportFileError(path, f"has a damaged sheet: {what}", _HINT) from None
    finally:
        book.close()
    if not filled:
        raise ImportFileError(path, "is empty", "write a row of column names and one row a mark")
    name, rows = filled[0]
    notes: tuple[str, ...] = ()
    if len(filled) > 1:
        notes = (f"sheet {one_line(name, 40)} was read, {len(filled) - 1} more left out",)
    line, head = rows[0]
    columns = _head(path, (cell or "" for cell in head), line)
    wide = next((at for at, row in rows[1:] if any(row[len(columns) :])), None)
    if wide is not None:
        raise ImportFileError(
            path,
            "has a cell beside the named columns",
            "name its column in row 1, or empty it",
            line=wide,
        )
    return Sheet(
        path=path, columns=columns, comma_decimals=True, notes=notes,
        rows=tuple(
            (at, {name: row[k] if k < len(row) else None for k, name in enumerate(columns)})
            for at, row in rows[1:]
        ),
    )  # fmt: skip


def _not_swollen(path: Path) -> None:
    """A small archive may hold endless text: its sizes are looked at first."""
    with zipfile.ZipFile(path) as archive:
        if sum(entry.file_size for entry in archive.infolist()) > 8 * MAX_BYTES:
            raise ImportFileError(path, "unpacks to too much", "save only the sheet of marks")


def _rows(path: Path, sheet: object) -> list[tuple[int, list[str | None]]]:
    values = getattr(sheet, "iter_rows", None)
    if values is None:  # a chart sheet
        return []
    rows = []
    for at, row in enumerate(values(values_only=True), 1):
        cells = [_xlsx_cell(path, at, value) for value in row]
        if any(cells):
            rows.append((at, cells))
            _not_too_many(path, len(rows))
    return rows


def _xlsx_cell(path: Path, row: int, value: object) -> str | None:
    if value is None:
        return None
    if isinstance(value, date):
        # "4-5" or "1.5" typed into a cell becomes a date in many countries.
        raise ImportFileError(
            path, f"holds a date ({value:%Y-%m-%d})", "format the column as text or number",
            line=row,
        )  # fmt: skip
    if isinstance(value, bool | int | float):
        return str(value) if isinstance(value, bool) else _number(value)
    text = str(value).strip()
    if text.startswith("#") and text.rstrip("!?").isupper():
        raise ImportFileError(
            path, f"holds the error {one_line(text, 20)}", "mend the formula", line=row
        )
    return text or None
