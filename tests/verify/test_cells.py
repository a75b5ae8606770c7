"""Published tables: which columns hold marks, which cells hold numbers, what is refused."""

import os
from pathlib import Path

import pytest

from judgebench.errors import ExitCode, ImportFileError
from judgebench.model.published import SlipKind
from judgebench.rubrics.slips import slips
from judgebench.runs.published import read_published
from judgebench.runs.published_cells import CellFault, number
from judgebench.runs.published_words import Told
from tests.verify.test_tables import judge, put, told


@pytest.mark.parametrize("suffix", ["csv", "md"])
def test_marks_are_found_by_their_heads_where_every_row_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    """A maximum in the head makes a mark, whether or not any row adds up."""
    monkeypatch.chdir(tmp_path)
    rows = ["arm,total,a (10),b (5)", "x,14,5,5", "y,13,5,4", "z,12,5,3", "w,11,5,2"]
    if suffix == "md":
        rows = [f"| {row.replace(',', ' | ')} |" for row in rows]
        rows.insert(1, "|---|---|---|---|")
    path = put(Path(f"t.{suffix}"), "\n".join(rows) + "\n")
    assert told(path) == [(SlipKind.SUM, name) for name in "xyzw"]
    assert judge("verify", str(path)).exit_code == ExitCode.INTEGRITY


def test_a_number_that_is_a_part_of_a_name_is_no_maximum(tmp_path: Path) -> None:
    """`phase 1` and `phase 2` are two marks; a column beside two maxima may belong to the sum."""
    phases = put(tmp_path / "p.csv", "arm,phase 1,phase 2,total\na,3,4,7\nb,5,1,6\nc,2,2,4\n")
    (table,) = read_published(phases, Told()).tables
    assert (table.criteria, table.rules.maxima) == (("phase 1", "phase 2"), {})
    beside = put(tmp_path / "b.csv", "arm,a (9),b (9),c,total\na,3,4,1,8\nb,5,1,1,7\n")
    (table,) = read_published(beside, Told()).tables
    assert (table.criteria, table.rules.maxima) == (("a", "b", "c"), {"a": 9.0, "b": 9.0})
    assert told(beside) == []


def test_a_table_of_which_nothing_can_be_checked_is_no_clean_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 2 with what is missing; beside a table that can be, it is a note."""
    monkeypatch.chdir(tmp_path)
    put(tmp_path / "t.csv", "arm,x,y,total\na,1,2,9\nb,1,2,8\n")
    said = judge("verify", "t.csv")
    assert isinstance(said.exception, ImportFileError)
    assert "nothing that can be checked" in str(said.exception)
    assert "--criteria" in str(said.exception)
    assert said.exception.exit_code == ExitCode.USAGE
    put(tmp_path / "two.csv", "table,arm,total,rank\none,a,9,1\none,b,8,2\ntwo,c,7,\n")
    both = judge("verify", "two.csv")
    assert both.exit_code == 0
    assert "nothing could be checked in table two" in both.stdout


def test_two_rows_of_one_name_are_a_slip(tmp_path: Path) -> None:
    """Nothing tells them apart; a condition does."""
    path = put(tmp_path / "t.csv", "arm,total\na,1\nb,2\na,3\n")
    assert told(path) == [(SlipKind.REPEATED, "a")]
    apart = put(tmp_path / "c.csv", "arm,condition,total\na,x,1\na,y,3\n")
    assert told(apart) == []
    heads = put(tmp_path / "t.md", "| arm | a | A | total |\n|-|-|-|-|\n| x | 1 | 2 | 3 |\n")
    with pytest.raises(ImportFileError, match="has two columns a"):
        told(heads)


def test_a_pipe_is_refused_as_what_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not waited for, and not taken for a run; neither is a file of another ending."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("t.csv")
    for words in (("verify",), ("import", "scores")):
        assert "t.csv: is no regular file" in str(judge(*words, "t.csv").exception)
    put(tmp_path / "t.txt", "arm,total\n")
    assert "ends in .txt" in str(judge("verify", "t.txt").exception)


@pytest.mark.parametrize(
    ("cell", "value"),
    [("95", 95.0), ("26.03*", 26.03), ("~1,250.5", 1250.5), ("−3", -3.0), ("=2", 2.0), ("#4", 4.0),
     ("—", None), ("n/a", None), ("", None), (None, None), ("many", None)],
)  # fmt: skip
def test_numbers_are_read_out_of_cells(cell: str | None, value: float | None) -> None:
    """Notes behind a number are passed over; a dash is nothing and never 0."""
    assert number(cell) == value


@pytest.mark.parametrize(
    ("cell", "value"),
    [("1e2", 100.0), ("95 (was 97)", 95.0), ("95†", 95.0), ("95 pts", 95.0), ("95[^1]", 95.0),
     (".5", 0.5), ("T3", 3.0), ("1,250,000", 1_250_000.0), ("8/10", 8.0)],
)  # fmt: skip
def test_numbers_are_read_whole(cell: str, value: float) -> None:
    """Exponents, thousands, a known maximum behind a slash; footnotes change nothing."""
    assert number(cell, top=10) == value
    assert number("10,5", comma_decimals=True) == 10.5
    assert number("1st", ordinal=True) == 1.0


@pytest.mark.parametrize(
    "cell",
    ["1e308", "1_0", "12 of 20", "10%", "10 (%)", "nan", "-inf", "10,5", "8/20", "1.2.3", "1st",
     "v2", "10-12", "5 6", "1,2,3", "1e99999"],
)  # fmt: skip
def test_numbers_are_never_cut_to_their_first_digits(cell: str) -> None:
    """What is no number as it stands is refused, with what to write."""
    with pytest.raises(CellFault, match="; "):
        number(cell, top=10)


def test_a_comma_that_could_be_either_is_refused() -> None:
    """1,250 is a thousand or a fraction where commas are decimal."""
    with pytest.raises(CellFault, match=r"write 1250 or 1\.250"):
        number("1,250", comma_decimals=True)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.csv", "arm;a;b;total\nx;10,5;2;12,5\ny;3,5;2;5,5\n"),
        ("t.tsv", "arm\ta\tb\ttotal\nx\t10,5\t2\t12,5\ny\t3,5\t2\t5,5\n"),
        ("t.md", "|arm|a|b|total|\n|--|--|--|--|\n|x|10,5|2|12,5|\n|y|3,5|2|5,5|"),
    ],
)  # fmt: skip
def test_decimal_commas_are_read(tmp_path: Path, name: str, text: str) -> None:
    """Where commas do not separate cells, they are decimal commas."""
    (table,) = read_published(put(tmp_path / name, text), Told()).tables
    assert [claim.total for claim in table.claims] == [12.5, 5.5]
    assert table.claims[0].marks == {"a": 10.5, "b": 2.0}
    assert slips(table)[0] == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("arm,total\na,9\nb,12 of 20\n", r"t.csv:3: total is 12 of 20, which is no plain number"),
        ('arm,total\na,"10,5"\n', r"t.csv:2: total is 10,5, in a file that separates with commas"),
        ("arm,total\na,nan\n", r"t.csv:2: total is nan; write a number"),
        ("arm,total,x (10),y (5)\na,9,1_0,2\n", r"t.csv:2: x \(10\) is 1_0"),
        ("arm,total,rank\na,9,1%\n", r"t.csv:2: rank is 1%"),
    ],
)
def test_a_cell_that_is_no_number_is_named(tmp_path: Path, text: str, said: str) -> None:
    """File, line, column, what stands there and what to write."""
    with pytest.raises(ImportFileError, match=said):
        read_published(put(tmp_path / "t.csv", text), Told())


def test_a_total_below_zero_is_a_slip_and_is_not_taken_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No scale of points goes there; a mark below 0 is refused with its line too."""
    monkeypatch.chdir(tmp_path)
    put(tmp_path / "t.csv", "arm,total\na,3\nb,-5\n")
    assert told(Path("t.csv")) == [(SlipKind.RANGE, "b")]
    refused = judge("import", "scores", "t.csv")
    assert "t.csv:3: total is -5" in str(refused.exception)
