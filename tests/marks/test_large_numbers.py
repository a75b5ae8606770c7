"""Numbers that no float or 64-bit integer holds, wherever an importer takes a number."""

import json
from pathlib import Path

import duckdb
import pytest

from judgebench.store.coding import code_parquet
from judgebench.store.files import parquet_rows
from tests.marks.space import Said, Space

HUGE = 10**400


def lines(path: Path, rows: list[dict[str, object]]) -> Path:
    """JSON lines; whole numbers are written with all of their digits."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def refused(said: Said, *words: str) -> None:
    """Exit code 2 and one line, no traceback."""
    assert said.code == 2, said.err
    assert said.err.count("\n") == 1
    for word in words:
        assert word in said.err


@pytest.mark.parametrize("mark", [HUGE, -HUGE, 2**63, 2**64])
def test_a_huge_whole_number_is_no_mark(space: Space, mark: int) -> None:
    """As 1e307 is refused: JSON has whole numbers of any size."""
    rows: list[dict[str, object]] = [
        {"item": f"i{k}", "arm": arm, "mark": mark if (k, arm) == (3, "b") else k}
        for k in range(5)
        for arm in "ab"
    ]
    path = lines(space.root / "huge.jsonl", rows)
    for scale in ((), ("--scale", "0-9")):
        said = space.judge("import", "marks", path, "--item", "item", "--arm", "arm", "--mark",
                           "mark", *scale)  # fmt: skip
        refused(said, "huge.jsonl:8: mark is ", "lies between -1000000 and 1000000")


def test_a_huge_number_of_a_parquet_file_is_no_mark(space: Space) -> None:
    """The widest integers that it holds."""
    path = space.root / "huge.parquet"
    cases = "CASE i WHEN 3 THEN 18446744073709551615::UBIGINT ELSE 4::UBIGINT END AS mark"
    rows = "range(5) AS r(i), (VALUES ('a'), ('b')) AS v(a)"
    table = duckdb.sql(f"SELECT 'i' || i AS item, a AS arm, {cases} FROM {rows}")  # noqa: S608
    assert table is not None
    table.write_parquet(str(path))
    said = space.judge("import", "marks", path, "--item", "item", "--arm", "arm", "--mark", "mark",
                       "--scale", "1-9")  # fmt: skip
    refused(said, "mark is 18446744073709551615")


@pytest.mark.parametrize("key", ["completion_tokens", "max_tokens", "wall_s", "cost_usd"])
@pytest.mark.parametrize("number", [HUGE, 2**63])
def test_a_huge_count_of_an_output_is_refused(space: Space, key: str, number: int) -> None:
    """In JSON lines and in CSV."""
    row = {"item": "i", "arm": "a", "output": "text", "prompt": "do", key: number}
    path = lines(space.root / "outputs.jsonl", [row])
    refused(space.judge("import", "generic", path), key)
    path = space.root / "outputs.csv"
    path.write_text(f"item,arm,output,prompt,{key}\ni,a,text,do,{number}\n", encoding="utf-8")
    refused(space.judge("import", "generic", path), key)


@pytest.mark.parametrize("number", [HUGE, 10**299])
def test_a_huge_total_of_a_published_table_is_refused(space: Space, number: int) -> None:
    """No float holds it, or nothing can be counted with it."""
    path = space.root / "scores.json"
    path.write_text(json.dumps({"models": [{"model": "a", "total": number}]}), encoding="utf-8")
    refused(space.judge("import", "scores", path))
    refused(space.judge("verify", path))


def test_numbers_of_four_bytes_are_read_by_their_shortest_decimal(space: Space) -> None:
    """0.4 of a Parquet file is 0.4, not 0.4000000059604645, coded at once or row by row."""
    path = space.root / "marks.parquet"
    with duckdb.connect() as con:
        con.execute(
            "COPY (SELECT 'i' || n AS item, a AS arm, "
            "(0.1 * ((n + ord(a)) % 7 + 1))::FLOAT AS mark "
            "FROM range(6) t(n), (VALUES ('oak'), ('elm')) v(a)) TO ? (FORMAT parquet)",
            [str(path)],
        )
    coded = code_parquet(path, ["mark"])
    assert coded is not None
    (column,) = coded
    rows = {mark for _, (mark,) in parquet_rows(path, ["mark"])}
    assert rows == set(column.values) - {None}
    assert {str(mark) for mark in rows} <= {f"0.{digit}" for digit in range(1, 8)}
    words = ("--item", "item", "--arm", "arm", "--mark", "mark", "--scale", "0-1")
    said = space.judge("import", "marks", path, "--to", "runs/given", *words)
    assert said.code == 0, said.err
