"""Marks of people as spreadsheets save them: the same marks from many forms, or nothing."""

import datetime as dt
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from judgebench.errors import ImportFileError
from judgebench.model.rubric import Scale
from judgebench.runs.importers.human_csv import read_human
from judgebench.runs.importers.human_sheet import (
    OVERALL,
    GivenMark,
    GivenPreference,
    HumanFile,
    Known,
    SheetChoices,
    pseudonym,
)

DATA = Path(__file__).parent.parent / "data" / "people"
KNOWN = Known(
    run="r",
    items=("wifi",),
    arms=("east", "west"),
    criteria={"clear": "Clear", "whole": "Whole", "tone": "Tone"},
    scale=Scale(low=1, high=5),
)
GIVEN = {
    ("east", "ana"): (5, 4, 4),
    ("east", "ben"): (4, 5, 3),
    ("west", "ana"): (2, 3, 2),
    ("west", "ben"): (1, 2, 3),
}
PLAIN = sorted(
    GivenMark(item="wifi", arm=arm, criterion=criterion, rater=rater, mark=float(mark))
    for (arm, rater), marks in GIVEN.items()
    for criterion, mark in zip(("clear", "whole", "tone"), marks, strict=True)
)


def read(name: str | Path, known: Known = KNOWN, **choices: Any) -> HumanFile:  # noqa: ANN401 - by keyword
    """Read one of the files."""
    return read_human(DATA / name, SheetChoices(**choices), known)


def folded(found: HumanFile) -> list[GivenMark]:
    """Marks with the names of people in small letters, for forms that have them as heads."""
    return sorted(
        GivenMark(item=m.item, arm=m.arm, criterion=m.criterion, rater=m.rater.lower(), mark=m.mark)
        for m in found.marks
    )


@pytest.mark.parametrize(
    "name",
    [
        "01-plain.csv", "02-mark-in-front.csv", "03-line-ends.csv", "04-semicolons.csv",
        "05-wide-characters.csv", "06-all-quoted.csv", "07-spaces-and-capitals.csv",
        "19-a-column-a-criterion.tsv", "25-the-same-twice.csv", "26-out-of-five-stars.csv",
        "28-separator-named.csv",
    ],
)  # fmt: skip
def test_every_form_gives_the_same_twelve_marks(name: str) -> None:
    """Byte-order marks, separators, quotes, capitals and stars change nothing."""
    found = read(name)
    assert list(found.marks) == PLAIN
    assert found.raters == ("ana", "ben")
    assert (found.blanks, found.skipped) == (0, ())
    assert found.doubles == (1 if name.startswith("25") else 0)


def test_a_column_a_person_needs_their_names() -> None:
    """`--raters` names the columns, `--map` the others."""
    found = read(
        "18-a-column-a-person.csv", raters=("Ana", "Ben"),
        columns={"item": "Prompt #", "arm": "Model"},
    )  # fmt: skip
    assert folded(found) == PLAIN
    with pytest.raises(ImportFileError, match="no column mark"):
        read("18-a-column-a-person.csv")


@pytest.mark.parametrize(
    ("name", "line", "words"),
    [
        ("08-decimal-comma.csv", 2, "4,5"),
        ("09-off-the-scale.csv", 13, "off the scale 1 to 5"),
        ("10-marked-twice.csv", 14, "row 2"),
        ("12-head-only.csv", 0, "no rows"),
        ("13-nothing.csv", 0, "empty"),
        ("14-a-picture.csv", 1, "no text"),
        ("16-short-row-and-nul.csv", 15, "NUL"),
        ("24-nobody-named.csv", 5, "no column says who"),
        ("27-a-zero.csv", 7, "off the scale"),
    ],
)
def test_refused_whole_with_row_and_reason(name: str, line: int, words: str) -> None:
    """One line: where, what, what to do."""
    with pytest.raises(ImportFileError) as caught:
        read(name)
    said = str(caught.value)
    assert words in said
    assert caught.value.line == line
    assert "\n" not in said


def test_blanks_are_counted_and_are_no_zeros() -> None:
    """Ten marks and two blanks."""
    found = read("11-blanks.csv")
    assert (len(found.marks), found.blanks) == (10, 2)
    assert all(mark.mark > 0 for mark in found.marks)


def test_semicolons_allow_decimal_commas() -> None:
    """4,5 in a file with semicolons is four and a half."""
    found = read("17-semicolons-and-commas.csv")
    assert {
        m.mark for m in found.marks if (m.arm, m.rater, m.criterion) == ("east", "ana", "clear")
    } == {4.5}


def test_overall_marks_are_a_criterion_of_their_own() -> None:
    """Without a criterion a mark is for the answer as a whole."""
    found = read("20-overall.jsonl")
    assert {mark.criterion for mark in found.marks} == {OVERALL}
    assert len(found.marks) == 4


@pytest.mark.parametrize("name", ["21-preferences.csv", "22-preferences-in-words.csv"])
def test_preferences_are_turned_to_the_order_of_the_run(name: str) -> None:
    """Whoever stood first in the row, the share is that of the earlier arm."""
    found = read(name)
    assert found.marks == ()
    assert found.preferences == tuple(
        GivenPreference(item="wifi", first="east", second="west", rater=rater, share=share)
        for rater, share in (("ana", 1.0), ("ben", 1.0), ("cyd", 0.5))
    )


def test_unmatched_rows_are_listed_and_nothing_is_taken() -> None:
    """All three rows stand in the message; `--skip-unmatched` takes the rest."""
    with pytest.raises(ImportFileError) as caught:
        read("23-unknown-arm.csv", known=Known(
            run="r", items=("wifi", "menu"), arms=KNOWN.arms, criteria=KNOWN.criteria,
            scale=KNOWN.scale,
        ))  # fmt: skip
    said = str(caught.value)
    assert "3 rows" in said
    assert "row 14: arm north" in said
    assert "row 15: item tide" in said
    assert "row 16: criterion style" in said
    found = read("23-unknown-arm.csv", skip_unmatched=True)
    assert list(found.marks) == PLAIN
    assert len(found.skipped) == 3


def test_another_scale_is_led_to_the_rubrics() -> None:
    """1 to 5 on a scale of 1 to 10: 5 is 10, 3 is 5.5."""
    wide = Known(run="r", items=KNOWN.items, arms=KNOWN.arms, criteria=KNOWN.criteria,
                 scale=Scale(low=1, high=10))  # fmt: skip
    found = read("01-plain.csv", known=wide, scale="1-5")
    marks = {(m.arm, m.rater, m.criterion): m.mark for m in found.marks}
    assert marks["east", "ana", "clear"] == 10
    assert marks["west", "ana", "whole"] == 5.5
    assert found.scale == (1, 5)


def test_slots_number_the_marks_of_a_cell() -> None:
    """Without a rater column, and said so, the marks of a cell are places one and two."""
    found = read("24-nobody-named.csv", slots=True)
    assert found.raters == ("slot 1", "slot 2")
    assert len(found.marks) == 12
    assert not found.identified


def test_pseudonyms_are_the_same_in_every_file() -> None:
    """One name has one pseudonym in a run, another in another run, and none holds the name."""
    first, second = read("01-plain.csv", pseudonyms=True), read("20-overall.jsonl", pseudonyms=True)
    assert first.raters == second.raters
    assert all(name.startswith("person-") for name in first.raters)
    assert pseudonym("r", "ana") in first.raters
    assert pseudonym("other", "ana") not in first.raters


def save(path: Path, rows: Sequence[Sequence[object]], *, more: bool = False) -> Path:
    """Write a workbook."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(list(row))
    if more:
        book.create_sheet("notes").append(["by", "hand"])
    book.save(path)
    return path


def test_a_workbook_is_read_like_a_csv(tmp_path: Path) -> None:
    """Numbers stay numbers; blank rows and columns at the end are nothing."""
    head: list[object] = ["Item", "Arm", "Rater", "Criterion", "Score", None]
    rows = [[m.item, m.arm, m.rater, m.criterion, m.mark, None] for m in PLAIN]
    path = save(tmp_path / "m.xlsx", [head, [None] * 6, *rows, [None] * 6], more=True)
    found = read(path)
    assert list(found.marks) == PLAIN
    assert found.notes == ("sheet Sheet was read, 1 more left out",)


def test_item_numbers_of_a_workbook_match_names(tmp_path: Path) -> None:
    """1.0 in a cell is item "1"."""
    known = Known(run="r", items=("1", "2"), arms=KNOWN.arms, criteria={}, scale=KNOWN.scale)
    path = save(tmp_path / "m.xlsx", [["Prompt #", "Model", "Rating"], [1.0, "east", 4.5]])
    assert read(path, known=known).marks == (
        GivenMark(item="1", arm="east", criterion=OVERALL, rater="person", mark=4.5),
    )


@pytest.mark.parametrize(
    ("value", "words"),
    [(dt.date(2026, 5, 4), "holds a date"), ("#DIV/0!", "holds the error"), (True, "no number")],
)
def test_spreadsheet_accidents_are_named(tmp_path: Path, value: object, words: str) -> None:
    """A mark that became a date, an error of a formula, a tick box."""
    path = save(tmp_path / "m.xlsx", [["item", "arm", "score"], ["wifi", "east", value]])
    with pytest.raises(ImportFileError, match=words) as caught:
        read(path)
    assert caught.value.line == 2


@pytest.mark.parametrize("raw", [b"", b"PK\x03\x04 no more", b"item,arm,score\nwifi,east,4\n"])
def test_a_broken_workbook_is_one_line(tmp_path: Path, raw: bytes) -> None:
    """Whatever bears the ending .xlsx and is none."""
    path = tmp_path / "m.xlsx"
    path.write_bytes(raw)
    with pytest.raises(ImportFileError, match=r"is no XLSX file"):
        read(path)


@pytest.mark.parametrize(
    ("text", "choices", "words"),
    [
        ("item,arm,score\nwifi,,4\n", {}, "has no arm"),
        ("item,arm,rater,score\nwifi,east,,4\n", {}, "has no rater"),
        ("item,arm,score\nwifi,east,good\n", {}, "no number"),
        ("item,arm,score\nwifi,east,\n", {}, "no mark at all"),
        ("item,arm,score,SCORE\nwifi,east,4,4\n", {}, "two columns"),
        ("item,,arm,score\nwifi,x,east,4\n", {}, "without a name"),
        ('item,arm,score\nwifi,"east,4\n', {}, "never closes"),
        ("item,model,score\nwifi,east,4\n", {"columns": {"arm": "system"}}, "no column system"),
        ("item,model,score\nwifi,east,4\n", {"columns": {"colour": "item"}}, "--map"),
        ("item,arm,score\nwifi,east,4\n", {"scale": "5"}, "--scale"),
        ("item,arm,score\nwifi,east,4\n", {"scale": "1.1.1-5"}, "--scale"),
        ("item,arm,score\nwifi,east,4\n", {"raters": ("Zed",)}, "no column Zed"),
        ("item,score\nwifi,4\n", {}, "no column arm"),
        ("item,arm,score\nwifi,east\n", {}, "2 cells under 3 heads"),
        (",".join(f"c{n}" for n in range(501)) + "\n1\n", {}, "501 columns"),
        ("\n\n , \n", {}, "is empty"),
        ("item,a,b,winner\nwifi,east,west,wifi\n", {}, "has preference wifi"),
        ("item,arm,criterion,score\nwifi,east,,4\nwifi,east,overall,5\n", {}, "second time"),
        ("item,a,b,winner\nwifi,east,east,a\n", {}, "with itself"),
        ("item,a,b,winner\nwifi,east,west,perhaps\n", {}, "has preference perhaps"),
        ("item,winner\nwifi,east\n", {}, "names no two arms"),
    ],
)  # fmt: skip
def test_faults_name_what_to_do(
    tmp_path: Path, text: str, choices: dict[str, Any], words: str
) -> None:
    """Every fault is one line that quotes what stands there."""
    path = tmp_path / "m.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ImportFileError) as caught:
        read(path, **choices)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("line", "words"),
    [("{", "not valid JSON"), ("[1]", "no JSON object"), ('{"a": 1, "a": 2}', "twice"),
     ('{"item": ["wifi"]}', "other than text")],
)  # fmt: skip
def test_json_lines_are_checked(tmp_path: Path, line: str, words: str) -> None:
    """One object a line, one value a key."""
    path = tmp_path / "m.jsonl"
    path.write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(ImportFileError, match=words) as caught:
        read(path)
    assert caught.value.line == 2


def test_a_whole_number_larger_than_any_float_is_a_cell_and_no_mark(tmp_path: Path) -> None:
    """JSON has whole numbers of any size: refused as a mark, with its line."""
    path = tmp_path / "m.jsonl"
    mark = "1" + "0" * 400
    line = f'{{"item": "wifi", "arm": "east", "rater": "r", "score": {mark}}}'
    path.write_text(line, encoding="utf-8")
    with pytest.raises(ImportFileError) as caught:
        read(path)
    assert caught.value.line == 1


@pytest.mark.parametrize(("name", "words"), [("m.ods", "ends in .ods"), ("none.csv", "no file")])
def test_other_files_are_refused(tmp_path: Path, name: str, words: str) -> None:
    """Another ending, or no file."""
    (tmp_path / "m.ods").touch()
    with pytest.raises(ImportFileError, match=words):
        read(tmp_path / name)


def test_cells_beside_the_heads_and_empty_books_are_refused(tmp_path: Path) -> None:
    """A note beside the table may be a mark that slipped."""
    path = save(tmp_path / "m.xlsx", [["item", "arm", "score"], ["wifi", "east", 4, "sure?"]])
    with pytest.raises(
        ImportFileError, match=r"beside the named columns; name its column in row 1"
    ):
        read(path)
    with pytest.raises(ImportFileError, match="is empty"):
        read(save(tmp_path / "n.xlsx", [[None]]))


def test_a_workbook_under_a_wrong_name_is_named(tmp_path: Path) -> None:
    """An XLSX file that ends in .csv."""
    path = save(tmp_path / "m.xlsx", [["item"]]).rename(tmp_path / "m.csv")
    with pytest.raises(ImportFileError, match=r"ending \.xlsx"):
        read(path)


def test_names_that_differ_in_case_only_are_matched_as_they_stand() -> None:
    """Two arms that fold to one are told apart by their spelling."""
    known = Known(run="r", items=("wifi",), arms=("East", "east", "west"), criteria=KNOWN.criteria,
                  scale=KNOWN.scale)  # fmt: skip
    assert list(read("01-plain.csv", known=known).marks) == PLAIN


@pytest.mark.parametrize(("mark", "scale", "given"), [("4/5", None, 4.0), ("8 / 10", "0-10", 4.2)])
def test_a_fraction_of_the_highest_mark_is_that_mark(
    tmp_path: Path, mark: str, scale: str | None, given: float
) -> None:
    """4/5 is 4 on a scale to 5, 8/10 is 8 on one to 10."""
    path = tmp_path / "f.csv"
    path.write_text(f"item,arm,rater,score\nwifi,east,ana,{mark}\n", encoding="utf-8")
    (found,) = read_human(path, SheetChoices(scale=scale), KNOWN).marks
    assert found.mark == pytest.approx(given)


def test_a_fraction_of_another_scale_is_refused(tmp_path: Path) -> None:
    """4/10 on a scale to 5 is not four."""
    path = tmp_path / "f.csv"
    path.write_text("item,arm,rater,score\nwifi,east,ana,4/10\n", encoding="utf-8")
    with pytest.raises(ImportFileError, match="has mark 4/10, on a scale to 5; name the scale"):
        read_human(path, SheetChoices(), KNOWN)
