"""Columns of a file as integer codes, by DuckDB's own readers.

Rows never become Python objects: only what is different does. Where a reader
balks at anything the answer is None, and who reads row by row finds the line.
"""

import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from judgebench.records import dataclass
from judgebench.store import opening, sql
from judgebench.store.files import literal

_MEMORY = "256MB"


@dataclass(frozen=True, kw_only=True, slots=True)
class CsvForm:
    """How a CSV is to be read."""

    header: tuple[str, ...]
    delimiter: str


@dataclass(frozen=True, kw_only=True, slots=True)
class FileColumn:
    """One column: its different values in any order, and the code of each row."""

    values: tuple[Any, ...]
    """The last is None, for rows without a value."""
    codes: NDArray[np.int64] = field(repr=False)


def code_csv(path: Path, names: Sequence[str], form: CsvForm) -> list[FileColumn] | None:
    """Code columns of a CSV whose header is its first line; an empty cell is no value.

    Args:
        path: The file.
        names: The columns wanted; all of them stand in the header.
        form: Its header and delimiter.

    Returns:
        One a name, or None where DuckDB cannot read the file strictly.
    """
    every = {f"c{at}": "VARCHAR" for at in range(len(form.header))}
    wanted = [f"c{form.header.index(name)}" for name in names]

    def read(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyRelation:
        return con.read_csv(
            literal(path), columns=every, delimiter=form.delimiter, header=False, skiprows=1,
            quotechar='"', escapechar='"', na_values=[""], strict_mode=True, auto_detect=False,
        )  # fmt: skip

    return _code(read, wanted)


def code_jsonl(path: Path, names: Sequence[str]) -> list[FileColumn] | None:
    """Code keys of a file with one JSON object a line; a key that is not there is no value.

    Returns:
        As `code_csv`; None also where a key is in no row.
    """
    # As JSON texts: each different one is then read by Python's own rules.
    every = dict.fromkeys(names, "JSON")

    def read(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyRelation:
        return con.read_json(literal(path), columns=every, format="newline_delimited")

    found = _code(read, names)
    if found is None or any(len(one.values) == 1 for one in found):
        return None
    try:
        return [
            FileColumn(
                values=(*(json.loads(text) for text in one.values[:-1]), None), codes=one.codes
            )
            for one in found
        ]
    except ValueError:
        return None


def code_parquet(path: Path, names: Sequence[str]) -> list[FileColumn] | None:
    """Code columns of a Parquet file.

    Returns:
        As `code_csv`; None also where a column is not there.
    """

    def read(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyRelation:
        return con.read_parquet(literal(path))

    return _code(read, names)


def _code(
    read: Callable[[duckdb.DuckDBPyConnection], duckdb.DuckDBPyRelation], names: Sequence[str]
) -> list[FileColumn] | None:
    with tempfile.TemporaryDirectory(prefix="judge-import-") as spill:
        config = {**opening.PLAIN, "memory_limit": _MEMORY, "temp_directory": spill}
        with duckdb.connect(":memory:", config=config) as con:
            try:
                found = read(opening.quiet(con))
                if set(names) - set(found.columns):
                    return None
                kinds = dict(zip(found.columns, map(str, found.types), strict=True))
                short = [_value(name, kinds[name]).alias(f"c{at}") for at, name in enumerate(names)]
                _do(con, found.select(*short), "keep_file")
                return [_column(con, f"c{at}") for at in range(len(names))]
            except (duckdb.Error, UnicodeDecodeError):
                return None


def _value(name: str, kind: str) -> duckdb.Expression:
    """A column; numbers of four bytes by their shortest decimal: 0.4 is not 0.4000000059604645."""
    column = duckdb.ColumnExpression(name)
    return column.cast("VARCHAR").cast("DOUBLE") if kind == "FLOAT" else column


def _do(
    con: duckdb.DuckDBPyConnection,
    batch: duckdb.DuckDBPyRelation,  # noqa: ARG001 - DuckDB finds it in this frame by its name
    statement: str,
) -> None:
    con.execute(sql.statement(statement))


def _column(con: duckdb.DuckDBPyConnection, name: str) -> FileColumn:
    batch = con.table("file_rows").select(duckdb.ColumnExpression(name).alias("value"))
    _do(con, batch, "keep_texts")
    values = [value for (value,) in con.execute(sql.query("text_values")).fetchall()]
    code = con.execute(sql.query("text_codes")).fetchnumpy()["code"]
    codes = np.ma.filled(code.astype(np.int64), len(values))
    return FileColumn(values=(*values, None), codes=np.asarray(codes, dtype=np.int64))
