"""schema.sql is the truth for a new file, the migrations for an old one."""

from pathlib import Path

import duckdb
import pytest

from judgebench.store import sql
from judgebench.store.people import LookRow
from judgebench.store.store import Store
from tests.store import build

DESCRIBED = {
    "columns": (
        "SELECT table_name, column_name, column_index, data_type, is_nullable, column_default,"
        " comment FROM duckdb_columns() WHERE NOT internal ORDER BY ALL"
    ),
    "constraints": (
        "SELECT table_name, constraint_type, constraint_text, constraint_column_names"
        " FROM duckdb_constraints() ORDER BY ALL"
    ),
    "views": ("SELECT view_name, sql, comment FROM duckdb_views() WHERE NOT internal ORDER BY ALL"),
    "tables": (
        "SELECT table_name, sql, comment FROM duckdb_tables() WHERE NOT internal ORDER BY ALL"
    ),
}


def described(*scripts: str) -> dict[str, list[tuple[object, ...]]]:
    """What DuckDB says of a database that these scripts made."""
    with duckdb.connect(":memory:") as con:
        for script in scripts:
            con.execute(script)
        return {name: con.execute(query).fetchall() for name, query in DESCRIBED.items()}


@pytest.mark.parametrize("what", sorted(DESCRIBED))
def test_schema_equals_the_chain_of_migrations(what: str) -> None:
    """A new file and one that saw every migration are alike to the last comment."""
    new, old = described(sql.schema())[what], described(*sql.migrations().values())[what]
    assert new
    assert new == old


def test_an_empty_database_is_brought_up_to_date(tmp_path: Path) -> None:
    """A file without tables gets all migrations, each with its record."""
    path = tmp_path / "old.duckdb"
    duckdb.connect(str(path)).close()
    with Store.open(path) as store:
        assert store.rows("migrations") == [(name,) for name in sql.migrations()]
        assert build.judgment_count(store) == 0


def test_every_table_view_and_column_has_a_comment() -> None:
    """The file explains itself to whoever opens it."""
    found = described(sql.schema())
    bare = [row for rows in (found["columns"], found["views"], found["tables"]) for row in rows]
    assert [row for row in bare if not row[-1]] == []


def test_no_column_is_named_by_a_reserved_word() -> None:
    """`at` cannot be a column name in DuckDB 2."""
    assert "at" not in {row[1] for row in described(sql.schema())["columns"]}


def test_passes_of_the_first_schema_have_no_controls(tmp_path: Path) -> None:
    """An older file keeps its passes and marks, and plants nothing in them by itself."""
    path = tmp_path / "old.duckdb"
    first = sql.migrations()["0001_initial"]
    values = "'p1', 'run', 1, 'j', 'judge', 'm', 'r', '1', 'a', 's', 'v', 'pointwise', 'mask', 7, 1"
    rest = "'live', FALSE, 0, NULL, NULL, NULL, '{}', 'then', 'then', 'c', 'complete'"
    with duckdb.connect(str(path)) as con:
        con.execute(first)
        con.execute("INSERT INTO schema_version VALUES ('0001_initial', 'then')")
        con.execute(f"INSERT INTO passes VALUES ({values}, {rest})")  # noqa: S608 - our own words
        con.execute("INSERT INTO parts VALUES ('p1', 'k1', 0, 'answer', 'north', 'o', 's')")
    with Store.open(path) as store:
        (row,) = store.find_passes("run")
        assert (row.judging.id, row.controls, row.state) == ("p1", 0, "complete")
        assert store.rows("control_count", pass_id=row.judging.id) == [(0, 0)]
        assert store.rows("migrations") == [(name,) for name in sql.migrations()]
    with Store.open(path) as store:
        store.put_pass(row)
        assert [one.controls for one in store.find_passes("run")] == [0]


def test_first_looks_become_looks_with_a_number(tmp_path: Path) -> None:
    """What an older file noted is kept in its order, and the next look is one more."""
    path = tmp_path / "old.duckdb"
    with duckdb.connect(str(path)) as con:
        for name, text in sql.migrations().items():
            if name < "0010":
                con.execute(text)
                con.execute("INSERT INTO schema_version VALUES (?, 'then')", [name])
        for row in (
            ("r", "p2", "mine", "a", "all", 9, "2026-02-02"),
            ("r", "p1", "mine", "a", "all", 5, "2026-01-01"),
            ("other", "p3", "mine", "a", "all", 7, "2026-03-03"),
        ):
            con.execute("INSERT INTO looks VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    with Store.open(path) as store:
        again = "p1"
        look = LookRow(
            run="r", pass_id=again, rubric_name="mine", ask_sha256="a", split="all", labels=12,
            shown_at="2026-04-04",
        )  # fmt: skip
        store.put_look(look)
        found = [(one["pass_id"], one["labels"]) for one in store.records("looks", run="r")]
        assert found == [("p1", 5), ("p2", 9), ("p1", 12)]
        assert len(store.records("looks", run="other")) == 1
