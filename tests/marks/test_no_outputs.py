"""Marks without their answers: no figure of an answer, not even a zero."""

import csv

import pytest

from tests.marks.space import Space, grid


def test_nothing_is_counted_of_answers_that_never_were(space: Space) -> None:
    """Null with a code in JSON, empty in CSV, and no column in the report."""
    assert space.take(space.csv(grid()), "--scale", "1-10").code == 0
    found = space.table()
    checks = found["checks"]
    assert [checks[name] for name in ("quotes", "quotes_found", "marks_unsupported")] == [None] * 3
    assert checks["length_baseline"]["code"] == "no_outputs"
    assert {arm[name] for arm in found["arms"] for name in ("suspects", "masked")} == {None}
    assert space.judge("report", "runs/given", "--no-html").code == 0
    (path,) = space.root.glob("reports/**/ratings.csv")
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    assert {row[name] for row in rows for name in ("looks_cut", "masked")} == {""}
    (path,) = space.root.glob("reports/**/report.md")
    assert "look cut" not in path.read_text(encoding="utf-8").partition("## Answered")[2]


def test_most_frequent_mark_has_a_code_where_there_is_none(space: Space) -> None:
    """Of comparisons no mark is the most frequent."""
    rows = [(f"i{n}", "north", "south", "meter", (-1, 0, 1)[n % 3]) for n in range(9)]
    path = space.csv(rows, head=("item", "one", "two", "rater", "mark"))
    said = space.judge(
        "import", "marks", path, "--to", "runs/given", "--item", "item", "--arm-a", "one",
        "--arm-b", "two", "--rater", "rater", "--mark", "mark",
    )  # fmt: skip
    assert said.code == 0, said.err
    checks = space.table()["checks"]
    assert checks["modal_mark"]["code"] == checks["modal_share"]["code"] == "not_identified"


@pytest.mark.parametrize("kind", [(), ("--rater-kind", "human")], ids=["judges", "people"])
def test_marks_without_a_row_differ_from_nothing_stored(
    space: Space, kind: tuple[str, ...]
) -> None:
    """A criterion that has no row lacks its mark; it is not left out of the total."""
    rows = [
        (f"i{at}", arm, criterion, rater, 3 + at)
        for at in range(3)
        for arm in ("red", "blue")
        for criterion in ("x", "y")
        for rater in ("one", "two")
        if (at, arm, criterion) != (0, "blue", "y") and (rater, criterion) != ("two", "y")
    ]
    path = space.csv(rows, head=("item", "arm", "criterion", "rater", "mark"))
    said = space.judge(
        "import", "marks", path, "--to", "runs/given", "--item", "item", "--arm", "arm",
        "--criterion", "criterion", "--rater", "rater", "--mark", "mark", "--scale", "1-10", *kind,
    )  # fmt: skip
    assert said.code == 0, said.err
    checked = space.judge("verify", "runs/given")
    assert (checked.code, checked.err) == (0, "")
    assert "Nothing differs" in checked.out
