"""Tables as files of other tools through DuckDB: Parquet out, Parquet in."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from judgebench.errors import ImportFileError, StoreError
from judgebench.store import batches, opening, sql
from judgebench.text import one_line

_CHUNK = 10_000
Column = Sequence[Any] | NDArray[Any]


def export_parquet(columns: Mapping[str, Column], path: Path) -> None:
    """Write columns of equal length as Parquet; whole, or not at all."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}.new")
    batch = {name: _array(values) for name, values in columns.items()}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with (
            opening.interruptible(),
            duckdb.connect(":memory:", config={"threads": 1}) as con,
        ):
            batches.execute_with(
                opening.quiet(con), sql.statement("copy_parquet"), batch, file=str(fresh)
            )
        fresh.replace(path)
    except OSError as exc:
        raise StoreError(f"{path}: cannot be written ({exc.strerror}); check the folder") from exc
    except duckdb.IOException as exc:
        raise opening.explain(path, exc) from exc
    finally:
        if fresh.exists():
            fresh.unlink()


def _array(values: Column) -> NDArray[Any]:
    """Texts as objects and gaps in numbers as a mask, which become NULL."""
    if isinstance(values, np.ndarray):
        return values
    plain = list(values)
    present = [value for value in plain if value is not None]
    if any(isinstance(value, str) for value in present):
        return np.array(plain, dtype=object)
    if len(present) == len(plain):
        return np.array(plain)
    if not present:
        return np.ma.masked_array(np.zeros(len(plain)), mask=True)
    filled = [0 if value is None else value for value in plain]
    return np.ma.masked_array(np.array(filled), mask=[value is None for value in plain])


def parquet_columns(path: Path) -> tuple[str, ...]:
    """Names of the columns of a Parquet file.

    Raises:
        ImportFileError: It is no Parquet file.
    """
    with duckdb.connect(":memory:", config=opening.PLAIN) as con:
        try:
            found = opening.quiet(con).execute(sql.query("parquet"), {"path": literal(path)})
        except duckdb.Error as exc:
            raise _no_parquet(path, exc) from None
        return tuple(column[0] for column in found.description or ())


def _no_parquet(path: Path, exc: duckdb.Error) -> ImportFileError:
    what = one_line(str(exc), 100)
    return ImportFileError(path, f"cannot be read as Parquet: {what}", "write it again")


def parquet_rows(path: Path, names: Sequence[str]) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Every row of a Parquet file with its number: the columns `names`, in their order.

    Rows pass some at a time; the file is never held as a whole.

    Raises:
        ImportFileError: It is no Parquet file, or a column is not there.
    """
    with opening.interruptible(), duckdb.connect(":memory:", config=opening.PLAIN) as con:
        try:
            found = opening.quiet(con).execute(sql.query("parquet"), {"path": literal(path)})
            known = [column[0] for column in found.description or ()]
            if lacking := [name for name in names if name not in known]:
                raise _no_column(path, lacking[0], known)
            place = [known.index(name) for name in names]
            # Numbers of four bytes count by their shortest decimal: 0.4, not 0.4000000059604645.
            short = {
                at for at, column in enumerate(found.description or ()) if column[1] == "FLOAT"
            }
            number = 0
            while chunk := found.fetchmany(_CHUNK):
                for row in chunk:
                    number += 1
                    yield (
                        number,
                        tuple([_shortest(row[at]) if at in short else row[at] for at in place]),
                    )
        except duckdb.Error as exc:
            raise _no_parquet(path, exc) from None


def _shortest(value: float | None) -> float | None:
    return None if value is None else float(str(np.float32(value)))


def literal(path: Path) -> str:
    """The path of one file: DuckDB takes ``*``, ``?`` and ``[`` in a name for patterns."""
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in str(path))


def _no_column(path: Path, name: str, known: Sequence[str]) -> ImportFileError:
    have = one_line(", ".join(known), 100)
    return ImportFileError(
        path, f"has no column {one_line(name, 40)} (it has: {have})", "name one that is there"
    )
