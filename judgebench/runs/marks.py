"""Marks that somebody gave elsewhere: one row a mark, in CSV or JSONL.

Rows pass one at a time as tuples of the wanted columns, so that a million of them
need no list. What the values mean is settled by who reads them.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from judgebench.errors import ImportFileError
from judgebench.runs.rows import open_table, raw_rows
from judgebench.text import one_line

CSV = (".csv", ".tsv")
SUFFIXES = (".csv", ".tsv", ".jsonl", ".ndjson")
Row = tuple[int, tuple[Any, ...]]
NO_MARK = frozenset(
    {"", "-", "–", "—", "n/a", "na", "nan", "none", "null", "cannot judge", "can't judge"}
)
"""What stands in small letters where somebody gave no mark."""
_CHUNK = 1 << 20


def column_names(path: Path) -> tuple[str, ...]:
    """Names of the columns of a CSV; of JSON lines the keys of the first.

    Raises:
        ImportFileError: The file cannot be read.
    """
    with path.open("rb") as file:
        table = open_table(path, file, fault=ImportFileError, columns={})
        if table.header:
            return table.header
        first = next(raw_rows(table, file), None)
        return () if first is None else tuple(table.parse(first))


def mark_rows(path: Path, names: Sequence[str]) -> Iterator[Row]:
    """Every row with its line: the values of the columns `names`, in their order.

    Args:
        path: The file; its suffix decides between CSV and JSON lines.
        names: Columns of the file. In JSONL a key that one row lacks is None.

    Raises:
        ImportFileError: The file or a row cannot be read, or a column is not there.
    """
    with path.open("rb") as file:
        table = open_table(path, file, fault=ImportFileError, columns={})
        known = set(table.header)
        lacking = set(names) - known
        if known and lacking:
            raise _no_column(path, lacking, known)
        for raw in raw_rows(table, file):
            row = table.parse(raw)
            if lacking:
                known |= row.keys()
                lacking -= row.keys()
            yield raw.line, tuple(map(row.get, names))
        # Objects of a JSONL may leave a key out; a key that none of them has is a mistake.
        if lacking and known:
            raise _no_column(path, lacking, known)


def _no_column(path: Path, names: set[str], known: set[str]) -> ImportFileError:
    have = one_line(", ".join(sorted(known)), 100)
    word = "column" if len(names) == 1 else "columns"
    lacks = f"has no {word} {one_line(', '.join(sorted(names)), 80)}"
    return ImportFileError(path, f"{lacks} (it has: {have})", "name one that is there")


def plain_csv(path: Path) -> tuple[tuple[str, ...], str] | None:
    """Column names and delimiter of a CSV that other readers take as this one does.

    Returns:
        None where the header is not the first line, or a line end stands alone.

    Raises:
        ImportFileError: There is no header, or it names a column twice.
    """
    with path.open("rb") as file:
        table = open_table(path, file, fault=ImportFileError, columns={})
        if table.first_line != 2 or len(table.header) < 2:  # noqa: PLR2004 - line 1 is the header
            return None
        file.seek(0)
        while chunk := file.read(_CHUNK):
            if chunk.endswith(b"\r"):
                chunk += file.read(1)
            if chunk.count(b"\r") != chunk.count(b"\r\n"):
                return None
    return table.header, table.delimiter
