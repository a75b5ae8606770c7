"""Medians beside the means of cells, where a cell has three judgments or more."""

import json

from tests.marks.space import AGAIN, Space, grid

MARKS = {1: (9, 9, 3), 2: (6, 7, 8)}
"""By item what three scorings of north gave; south has two of them."""


def again() -> list[tuple[object, ...]]:
    """Three scorings of one arm, two of the other, on two criteria."""
    return [
        (f"i{item}", arm, criterion, "m", mark - less, time)
        for item, marks in MARKS.items()
        for arm, many in (("north", 3), ("south", 2))
        for criterion, less in (("clear", 0), ("true", 1))
        for time, mark in enumerate(marks[:many])
    ]


def test_a_cell_of_three_judgments_has_its_median(space: Space) -> None:
    """In brackets behind the mean, and by criterion in JSON; a cell of two has none."""
    space.take(space.csv(again(), head=AGAIN), "--scale", "1-10", "--scoring", "again")
    lines = space.judge("table", "runs/given", "--items").out.splitlines()
    assert lines[1] == "given · totals of 2 items: mean (median of three judgments or more)"
    assert lines[4].split() == ["i1", "8.50", "6.50", "(8.50)"]
    assert lines[5].split() == ["i2", "6.00", "6.50", "(6.50)"]
    found = json.loads(space.judge("table", "runs/given", "--items", "--json").out)
    assert found["arms"] == ["south", "north"]
    assert found["medians"] == [[None, 8.5], [None, 6.5]]
    assert {one["criterion"]: one["medians"] for one in found["criterion_medians"]} == {
        "clear": [[None, 9.0], [None, 7.0]],
        "true": [[None, 8.0], [None, 6.0]],
    }


def test_the_page_has_the_median_in_its_table_of_cells(space: Space) -> None:
    """Folded below the matrix, which draws the mean alone."""
    space.take(space.csv(again(), head=AGAIN), "--scale", "1-10", "--scoring", "again")
    assert space.judge("report", "runs/given").code == 0
    (page,) = space.root.glob("reports/given/*/report.html")
    text = page.read_text(encoding="utf-8")
    assert "As a table: 2 items, in brackets the median of three judgments or more" in text
    assert "6.50 (8.50)" in text


def test_fewer_judgments_refuse_medians(space: Space) -> None:
    """One scoring: a code in JSON, no word on the page."""
    space.take(space.csv(grid()), "--scale", "1-10")
    found = json.loads(space.judge("table", "runs/given", "--items", "--json").out)
    assert found["medians"]["value"] is None
    assert [found["medians"][key] for key in ("code", "have", "need")] == ["too_few_repeats", 1, 3]
    assert found["criterion_medians"] == []
    assert "median" not in space.judge("table", "runs/given", "--items").out


def test_comparisons_are_no_repeats_of_one_judgment(space: Space) -> None:
    """Four comparisons of a cell are with four other arms: no median of them."""
    arms = ("a", "b", "c", "d", "e")
    rows = [
        (item, one, other, 1 if one < other else -1, "judge", 1 + (one > other))
        for item in ("i1", "i2")
        for one in arms
        for other in arms
        if one != other
    ]
    path = space.csv(rows, head=("item", "one", "other", "won", "rater", "again"))
    said = space.judge(
        "import", "marks", path, "--to", "runs/given", "--item", "item", "--arm-a", "one",
        "--arm-b", "other", "--mark", "won", "--rater", "rater", "--scoring", "again",
    )  # fmt: skip
    assert said.code == 0, said.err
    found = json.loads(space.judge("table", "runs/given", "--items", "--json").out)
    assert found["medians"]["code"] == "not_identified"
