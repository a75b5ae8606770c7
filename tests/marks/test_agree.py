"""`judge agree` over imported marks: what it says agrees with the table, and nothing is made up."""

import json
from typing import Any

import pytest

from tests.marks.space import Space
from tests.marks.test_extended import extended, twice


def agreed(space: Space, *words: object) -> dict[str, Any]:
    """`judge agree --json`."""
    said = space.judge("agree", "runs/given", "--json", *words)
    assert said.code == 0, said.err
    found: dict[str, Any] = json.loads(said.out)
    return found


def test_noise_of_a_total_is_that_of_the_table(space: Space) -> None:
    """The floor of a total's noise is the lattice of totals, not of marks, as in the table."""
    rows = twice()
    # Most marks are the same again: rounding is the larger part of the noise.
    space.take(space.csv([*rows[:72], *rows[:70], *rows[-2:]]), "--scale", "1-14")
    by_table = extended(space)["repeats"][0]
    total = agreed(space)["rows"][-1]["noise"]
    assert by_table["criterion"] is None
    assert total["limit"] == pytest.approx(by_table["limit"])
    assert total["sd"]["value"] == pytest.approx(by_table["sd"]["value"])
    assert agreed(space)["raters"][0]["noise"]["limit"] == pytest.approx(by_table["limit"])


def test_arms_without_marks_stand_in_no_order(space: Space) -> None:
    """Nobody marked west, and one item of two is not enough to place south: both stand apart."""
    rows: list[tuple[object, ...]] = [
        ("i0", arm, "clear", "meter", mark)
        for arm, mark in (("north", 7), ("east", 7), ("south", 3), ("west", ""))
    ]
    space.take(space.csv([*rows, ("i1", "north", "clear", "meter", 6),
                          ("i1", "east", "clear", "meter", 6)]), "--scale", "1-10")  # fmt: skip
    text = space.judge("agree", "runs/given").out
    assert "1: north = east; not placed: south; not judged: west\n" in text
    rater = agreed(space)["raters"][0]
    assert (rater["order"], rater["means"]) == (["north", "east"], [6.5, 6.5])
    assert (rater["unplaced"], rater["unjudged"]) == (["south"], ["west"])
