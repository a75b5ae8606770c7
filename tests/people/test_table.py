"""`judge table` and `judge report` of people's marks on part of the rubric, or on whole answers."""

import pytest

from tests.marks.space import Space
from tests.people.runs import ARMS, ITEMS, sheet


def people(space: Space, *words: object) -> str:
    """The table of people alone, as one line."""
    said = space.judge("table", "runs/r", "--pass", "people", *words)
    assert said.code == 0, said.err
    return " ".join(said.out.split())


def whole(space: Space, *, name: str = "whole.csv") -> None:
    """One person marks every answer as a whole: sol before kimi before terra."""
    rows = [(f"q{i}", arm, "ana", 8 - 2 * a + i % 2) for i in range(ITEMS)
            for a, arm in enumerate(ARMS)]  # fmt: skip
    path = space.csv(rows, name=name, head=("item", "arm", "rater", "score"))
    assert space.judge("calibrate", "runs/r", "--human", path).code == 0


def part(space: Space) -> None:
    """Three people mark one of two criteria."""
    path = sheet(space, [f"q{i}" for i in range(ITEMS)], criteria=("action",), name="part.csv")
    assert space.judge("calibrate", "runs/r", "--human", path).code == 0


def test_marks_on_some_criteria_stand_without_totals(run: Space) -> None:
    """What was marked is shown; totals and order are refused by code, with what would help."""
    part(run)
    text = people(run)
    assert "marked 180 of 180 answers" in text
    assert "Marks on action alone: no total and no order is printed" in text
    assert "no answer was marked on all 2 criteria, only 1 have marks" in text
    assert "Nothing has been judged" not in text
    found = run.table("--pass", "people", run="runs/r")
    assert [name for name, *_ in found["criteria"]] == ["action"]
    assert found["refusals"][0]["code"] == "not_identified"
    assert {one["mean"] for one in found["arms"]} == {None}
    assert {one["answered_rate"]["value"] for one in found["arms"]} == {1}
    assert "totals and rank" in people(run, "--why")


def test_overall_marks_are_the_total(run: Space) -> None:
    """Marks of whole answers alone: a table with totals and no criteria."""
    whole(run)
    text = people(run)
    assert "scored 180 of 180 answers" in text
    assert "overall marks" in text
    assert "Nothing has been judged" not in text
    found = run.table("--pass", "people", run="runs/r")
    assert found["criteria"] == []
    assert [one["mean"] for one in found["arms"]] == pytest.approx([8.5, 6.5, 4.5])


def test_overall_marks_beside_some_criteria(run: Space) -> None:
    """The total is the overall mark, and the criterion with marks stands beside it."""
    part(run)
    whole(run)
    found = run.table("--pass", "people", run="runs/r")
    assert [name for name, *_ in found["criteria"]] == ["action"]
    assert [one["mean"] for one in found["arms"]] == pytest.approx([8.5, 6.5, 4.5])


@pytest.mark.parametrize("marks", [part, whole])
def test_report_files_and_further_figures_stand(run: Space, marks: object) -> None:
    """Every view and every report file of such a pass is written."""
    assert callable(marks)
    marks(run)
    said = run.judge("report", "runs/r", "--pass", "people", "--extended")
    assert said.code == 0, said.err
    (page,) = (run.root / "reports").rglob("report.md")
    assert "Nothing has been judged" not in page.read_text(encoding="utf-8")
    for view in ("--criteria", "--extended", "--items", "--why"):
        assert people(run, view)
