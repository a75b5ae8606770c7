"""Files of marks by DuckDB's readers, held against the reader that goes row by row."""

import json
import string
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgebench.errors import ImportFileError
from judgebench.pipeline.marks import table as mark_table
from judgebench.pipeline.marks import values as mark_values
from judgebench.pipeline.marks.taken import MarkChoices, _columns, read_marks
from judgebench.pipeline.marks.values import Coded
from judgebench.runs.marks import mark_rows
from judgebench.stats.arrays import from_codes
from judgebench.store.files import export_parquet

NAMES = ("item", "mark")


def plain(value: object) -> object:
    """What a cell holds, as it stands."""
    if isinstance(value, list | dict):
        raise mark_values.ValueFault("holds a list or an object", "write one value")
    return "" if value is None else f"{type(value).__name__} {value}"


def both(path: Path) -> tuple[list[Coded] | None, list[Coded] | None]:
    """What either reader makes of a file; None where it takes nothing."""
    checks = [plain, plain]
    found = _columns(path, NAMES)
    fast = None if found is None else mark_values.code_columns(found, checks)
    try:
        slow = mark_values.code_rows(mark_rows(path, NAMES), checks, path=path)
    except ImportFileError:
        slow = None
    return fast, slow


def same(fast: list[Coded] | None, slow: list[Coded] | None) -> bool:
    """Equal values under equal codes in every row."""
    assert fast is not None
    assert slow is not None
    return all(
        a.values == b.values and np.array_equal(a.codes, b.codes)
        for a, b in zip(fast, slow, strict=True)
    )


CELL = st.text(alphabet='ab1 é"\n\r;,', max_size=4)


@settings(max_examples=25, deadline=None)
@given(rows=st.lists(st.tuples(CELL, CELL), min_size=1, max_size=4), quoted=st.booleans())
def test_a_csv_is_read_as_row_by_row_or_not_at_all(
    rows: list[tuple[str, str]],
    *,
    quoted: bool,
) -> None:
    """No odd quote, line end or blank line gives other values than the strict reader's."""
    sign = '"' if quoted else ""
    lines = [
        ",".join(f"{sign}{cell.replace(sign, sign * 2) if sign else cell}{sign}" for cell in row)
        for row in rows
    ]
    text = "item,mark\n" + "\n".join(lines) + "\n"
    with tempfile.TemporaryDirectory() as made:
        path = Path(made) / "marks.csv"
        path.write_text(text, encoding="utf-8", newline="")
        try:
            fast, slow = both(path)
        except ImportFileError:
            return
    # One more comma at the end of a line holds nothing: DuckDB takes it for none.
    if fast is not None and not any(line.endswith(",") for line in text.splitlines()):
        assert same(fast, slow), text


VALUE = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.floats(0.5, 2),
    st.text(alphabet=string.printable + "é😀\ud800", max_size=3), st.lists(st.just(1), max_size=1),
)  # fmt: skip


@settings(max_examples=25, deadline=None)
@given(st.lists(st.fixed_dictionaries({}, optional={"item": VALUE, "mark": VALUE}), max_size=5))
def test_json_lines_are_read_as_row_by_row_or_not_at_all(rows: list[dict[str, Any]]) -> None:
    """Numbers, texts with escapes, truth values and missing keys become the same."""
    text = "".join(json.dumps(row) + "\n" for row in rows)
    with tempfile.TemporaryDirectory() as made:
        path = Path(made) / "marks.jsonl"
        path.write_text(text, encoding="utf-8")
        fast, slow = both(path)
    if fast is not None and fast[0].codes.size:
        assert same(fast, slow), text


def test_usual_files_take_the_fast_way(tmp_path: Path) -> None:
    """Quoted cells, CRLF, a byte order mark, empty cells, nulls and typed Parquet."""
    files = {
        "a.csv": '\ufeffitem,mark\r\n"x, y",1\r\n"say ""hi""",\r\n',
        "b.csv": "item;other;mark\nx;;1\n\ny;;2\n",
        "c.tsv": 'item\tmark\n"two\nlines"\t1\n',
        "d.jsonl": '{"item": "a\\u00e9", "mark": 1.50}\n\n{"mark": null, "item": 5}\n',
    }
    for name, text in files.items():
        path = tmp_path / name
        path.write_text(text, encoding="utf-8", newline="")
        assert same(*both(path)), name
    path = tmp_path / "e.parquet"
    export_parquet({"item": ["a", None, "a"], "mark": [1.5, 2.0, None]}, path)
    found = _columns(path, NAMES)
    assert found is not None
    coded = mark_values.code_columns(found, [mark_values.a_name("item"), mark_values.a_mark])
    assert coded is None, "an item without a name is a fault"
    coded = mark_values.code_columns(found, [plain, mark_values.a_mark])
    assert coded is not None
    assert coded[0].values == ("str a", "")
    assert coded[1].values == (1.5, 2.0, None)
    assert coded[1].codes.tolist() == [0, 1, 2]


def test_a_fault_far_down_is_named_by_its_line(tmp_path: Path) -> None:
    """The fast way finds that a value is wrong; the line is found row by row."""
    path = tmp_path / "m.csv"
    rows = [f"i{n},a,{n % 5}" for n in range(5_000)]
    rows[4_000] = "i,a,good"
    path.write_text("item,arm,mark\n" + "\n".join(rows), encoding="utf-8")
    with pytest.raises(ImportFileError, match=r"m\.csv:4002: mark is good"):
        read_marks(path, MarkChoices(columns={"item": "item", "arm": "arm", "mark": "mark"}))


def test_what_is_not_kept_need_not_be_right(tmp_path: Path) -> None:
    """Values of rows that --keep leaves out are not looked at; codes begin with what is kept."""
    path = tmp_path / "m.csv"
    path.write_text("item,arm,of,mark\nx,a,no,bad\ni,a,yes,1\nj,a,yes,2\n", encoding="utf-8")
    choices = MarkChoices(
        columns={"item": "item", "arm": "arm", "mark": "mark"}, keep=(("of", "yes"),)
    )
    assert read_marks(path, choices).items == ("i", "j")


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 9)), min_size=1, max_size=30),
    st.sampled_from([1, 10**9]),
)
def test_codes_of_pairs_and_ranks_are_those_of_sorting(
    rows: list[tuple[int, int]], apart: int
) -> None:
    """With and without a table over all keys."""
    a, b = (np.array(column) for column in zip(*rows, strict=True))
    b = b * apart
    _, want = np.unique(a * (b.max() + 1) + b, return_inverse=True)
    assert mark_table.combine(a, b).tolist() == want.tolist()
    ranks = [
        len({y for x, y in zip(a, b, strict=True) if x == g and y < v})
        for g, v in zip(a, b, strict=True)
    ]
    assert mark_table.rank_within(a, b).tolist() == ranks


def test_two_rows_for_one_place_are_a_fault() -> None:
    """A mark never replaces another, in whatever order they come."""
    with pytest.raises(ValueError, match="two rows"):
        from_codes((2, 2), ([0, 1, 0], [1, 0, 1]), [1.0, 2.0, 3.0])
