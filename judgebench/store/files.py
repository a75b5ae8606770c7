"""Tables as files of other tools, written by DuckDB: Parquet and CSV."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from judgebench.errors import StoreError
from judgebench.store import opening, rows, sql

Column = Sequence[Any] | NDArray[Any]


def export_parquet(columns: Mapping[str, Column], path: Path) -> None:
    """Write columns of equal length as Parquet; whole, or not at all."""
    _export(columns, path, "copy_parquet")


def export_csv(columns: Mapping[str, Column], path: Path) -> None:
    """Write columns of equal length as CSV with a head line; whole, or not at all."""
    _export(columns, path, "copy_csv")


def _export(columns: Mapping[str, Column], path: Path, statement: str) -> None:
    fresh = path.with_name(f".{path.name}.{os.getpid()}.new")
    batch = {name: _array(values) for name, values in columns.items()}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with duckdb.connect(":memory:", config={"threads": 1}) as con:
            rows.execute_with(con, sql.statement(statement), batch, file=str(fresh))
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
