"""Rows of a JSONL or CSV file by byte offset: found once, read again one at a time.

A row is a mapping of column names to values. A CSV row may span lines inside
quotes; its record ends at the first line end with an even number of quotes.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from judgebench.errors import FileFault
from judgebench.records import dataclass
from judgebench.runs.json_form import single_keys
from judgebench.text import one_line, plural

MAX_ROW_BYTES = 16 * 1024 * 1024
COLUMNS = ("item", "arm", "output", "prompt", "evidence", "reference")
Row = dict[str, Any]
_JSON = json.JSONDecoder(object_pairs_hook=single_keys)


class RawRow(NamedTuple):
    """The bytes of one row, where they start, and on which line."""

    raw: bytes
    offset: int
    line: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """How one file is read."""

    path: Path
    fault: type[FileFault]
    header: tuple[str, ...] = ()
    """CSV column names; empty for JSONL."""
    delimiter: str = ","
    start: int = 0
    """Offset of the first row."""
    first_line: int = 1
    rename: Mapping[str, str] = field(default_factory=dict)
    """Column in the file → our name."""

    def stop(self, line: int, problem: str, fix: str) -> FileFault:
        """Build the fault for one line."""
        return self.fault(self.path, problem, fix, line=line)

    def parse(self, row: RawRow) -> Row:
        """Values of one row under our names.

        Raises:
            FileFault: the row is no JSON object, or has another number of cells.
        """
        # Bytes that are no UTF-8 become lone surrogates: they block that one output later.
        text = row.raw.decode("utf-8", "surrogateescape")
        values = self._cells(text, row.line) if self.header else self._json(text, row.line)
        if not self.rename:
            return values
        renamed = {self.rename.get(key, key): value for key, value in values.items()}
        if len(renamed) != len(values):
            twice = next(
                ours for theirs, ours in self.rename.items() if {theirs, ours} <= set(values)
            )
            raise self.stop(row.line, f"has two columns {one_line(twice, 40)}", "keep one")
        return renamed

    def _json(self, text: str, line: int) -> Row:
        try:
            values = _JSON.decode(text)
        except (ValueError, RecursionError) as exc:
            deep = isinstance(exc, RecursionError)
            what = "it is nested too deeply" if deep else one_line(str(exc), 80)
            raise self.stop(line, f"is not valid JSON: {what}", "mend or remove it") from None
        if not isinstance(values, dict):
            raise self.stop(line, "is no JSON object", "write one object a line")
        return values

    def _cells(self, text: str, line: int) -> Row:
        source = io.StringIO(text, newline="")
        try:
            cells = next(csv.reader(source, delimiter=self.delimiter, strict=True))
        except (csv.Error, StopIteration) as exc:
            what = one_line(str(exc), 80)
            if "end of data" in what:
                what = "a double quote opens a cell and never closes"
            raise self.stop(line, f"is not valid CSV: {what}", "mend or remove it") from None
        if source.read().strip():
            # Nothing that stands in the file may fall between two rows.
            raise self.stop(line, "has a lone line end in a cell", "put it in double quotes")
        if len(cells) != len(self.header):
            raise self.stop(
                line,
                f"has {plural(len(cells), 'cell')} under {plural(len(self.header), 'head')}",
                "put cells with commas or line ends in double quotes",
            )
        # An empty output is an answer without a character; an empty cell else is not known.
        return {
            name: cell if cell or self.rename.get(name, name) == "output" else None
            for name, cell in zip(self.header, cells, strict=True)
        }


def open_table(
    path: Path, file: BinaryIO, *, fault: type[FileFault], columns: Mapping[str, str]
) -> Table:
    """Settle header, delimiter and names.

    Args:
        path: As the user named it; its suffix decides between JSONL and CSV.
        file: Open at its start.
        fault: Class of the faults.
        columns: Our name → the file's column, as ``--map item=id`` gives it.

    Raises:
        FileFault: an unknown name in `columns`, no header, double columns.
    """
    rename = {theirs: ours for ours, theirs in columns.items()}
    if len(rename) != len(columns):
        raise fault(path, "is mapped from one column twice", "map each column once")
    start = 3 if file.read(3) == b"\xef\xbb\xbf" else 0
    if path.suffix.lower() not in (".csv", ".tsv"):
        return Table(path=path, fault=fault, start=start, rename=rename)
    csv.field_size_limit(MAX_ROW_BYTES)
    plain = Table(path=path, fault=fault, start=start)
    first = next(raw_rows(plain, file, quoted=True), None)
    if first is None:
        raise fault(path, "is empty", "write a line of column names and one row an output")
    head = first.raw.decode("utf-8", "surrogateescape")
    delimiter = max(",;\t", key=head.count)
    names = tuple(
        name.strip()
        for name in next(csv.reader(io.StringIO(head, newline=""), delimiter=delimiter))
    )
    ours = [rename.get(name, name) for name in names]
    if twice := next((name for name in ours if ours.count(name) > 1), None):
        raise fault(path, f"has two columns {one_line(twice, 40)}", "keep one", line=first.line)
    return Table(
        path=path,
        fault=fault,
        header=names,
        delimiter=delimiter,
        start=first.offset + len(first.raw),
        first_line=first.line + first.raw.count(b"\n"),
        rename=rename,
    )


def raw_rows(table: Table, file: BinaryIO, *, quoted: bool = False) -> Iterator[RawRow]:
    """Every row that is not blank, in order; memory holds one row at a time.

    Raises:
        FileFault: a row longer than `MAX_ROW_BYTES`.
    """
    offset, line = table.start, table.first_line
    file.seek(offset)
    quoted = quoted or bool(table.header)
    while raw := file.readline(MAX_ROW_BYTES + 1):
        if quoted:
            raw = _whole_record(raw, file, table.delimiter if table.header else ",;\t")
        if len(raw) > MAX_ROW_BYTES:
            raise table.stop(line, f"is longer than {MAX_ROW_BYTES:,} bytes", "shorten it")
        if not raw.isspace():
            yield RawRow(raw=raw, offset=offset, line=line)
        offset += len(raw)
        line += raw.count(b"\n") if quoted else 1


def _whole_record(raw: bytes, file: BinaryIO, delimiters: str) -> bytes:
    """Add the lines that a quoted cell of `raw` goes on over."""
    starts = delimiters.encode()
    inside = _is_open(raw, starts, inside=False)
    if not inside:
        return raw
    parts, size = [raw], len(raw)
    while inside and size <= MAX_ROW_BYTES:
        more = file.readline(MAX_ROW_BYTES + 1)
        if not more:
            break
        parts.append(more)
        size += len(more)
        inside = _is_open(more, starts, inside=True)
    return b"".join(parts)


def _is_open(raw: bytes, starts: bytes, *, inside: bool) -> bool:
    """Whether a quoted cell is open at the end of a line.

    A quote opens a cell only at its start: `a 6" pipe` is a cell as it stands.
    """
    at = raw.find(b'"')
    while at >= 0:
        step = 1
        if not inside:
            inside = at == 0 or raw[at - 1] in starts
        elif raw.startswith(b'"', at + 1):
            step = 2
        else:
            inside = False
        at = raw.find(b'"', at + step)
    return inside


def row_at(table: Table, file: BinaryIO, offset: int) -> Row:
    """Read the row that starts at `offset` once more.

    Raises:
        FileFault: the file has changed since its rows were found.
    """
    file.seek(offset)
    raw = file.readline(MAX_ROW_BYTES + 1)
    if table.header:
        raw = _whole_record(raw, file, table.delimiter)
    return table.parse(RawRow(raw=raw, offset=offset, line=0))


def need_columns(table: Table, row: Row, names: Sequence[str]) -> None:
    """Check that columns are there at all, before values are looked at.

    Raises:
        FileFault: naming the missing column and those that stand there.
    """
    theirs = {ours: name for name, ours in table.rename.items()}
    missing = [name for name in names if name not in row]
    if missing:
        shown = [
            f"{theirs[name]}, mapped to {name}" if name in theirs else name for name in missing
        ]
        # As the file has them, whatever --map made of them.
        have = one_line(", ".join(str(theirs.get(key, key)) for key in row), 100)
        raise table.fault(
            table.path,
            f"has no column {one_line(', '.join(shown), 100)} (it has: {have})",
            f"name {'it' if len(missing) == 1 else 'each'} with "
            f"--map {','.join(f'{name}=COLUMN' for name in missing)}",
            line=table.first_line if not table.header else 1,
        )
