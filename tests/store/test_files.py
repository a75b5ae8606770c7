"""Tables as Parquet."""

from pathlib import Path

import duckdb
import numpy as np
import pytest

from judgebench.errors import StoreError
from judgebench.store.files import Column, export_parquet

COLUMNS: dict[str, Column] = {
    "arm": ["north", "so,uth\n", None],
    "mean_total": [4.5, None, 3.0],
    "items": np.array([3, 2, 1]),
    "placed": [True, False, True],
}
ROWS = [("north", 4.5, 3, True), ("so,uth\n", None, 2, False), (None, 3.0, 1, True)]


def read(path: Path) -> list[tuple[object, ...]]:
    """What another program reads from the file."""
    with duckdb.connect(":memory:") as con:
        return con.execute(f"FROM '{path}'").fetchall()


def test_parquet_keeps_types_and_gaps(tmp_path: Path) -> None:
    """Texts, numbers, truth values and NULLs come back as they were."""
    path = tmp_path / "reports" / "ratings.parquet"
    export_parquet(COLUMNS, path)
    assert read(path) == ROWS
    assert [entry.name for entry in path.parent.iterdir()] == ["ratings.parquet"]


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    """A failing export leaves the old file and no half one."""
    path = tmp_path / "ratings.parquet"
    export_parquet(COLUMNS, path)
    with pytest.raises(duckdb.Error):
        export_parquet({"a": [1, 2], "b": [object(), object()], "c": [1]}, path)
    assert read(path) == ROWS
    assert [entry.name for entry in tmp_path.iterdir()] == ["ratings.parquet"]


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """One line with the file and the reason."""
    (tmp_path / "reports").touch()
    with pytest.raises(StoreError, match="cannot be written"):
        export_parquet(COLUMNS, tmp_path / "reports" / "ratings.parquet")
