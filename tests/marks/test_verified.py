"""`judge verify` on marks that were brought in: totals of models and of people are made again."""

import duckdb
import pytest

from tests.marks.space import Space, grid


@pytest.mark.parametrize("kind", [(), ("--rater-kind", "human")])
def test_totals_of_people_are_made_again(space: Space, kind: tuple[str, ...]) -> None:
    """Each total of one person is counted; one that does not follow from its marks is named."""
    rows = grid(items=4, raters=("ann", "bob"))
    assert space.take(space.csv(rows), "--scale", "1-10", *kind).code == 0
    found = space.json("verify")
    assert (found["checked"]["total"], found["differences"]) == (16, [])
    with duckdb.connect(str(space.root / "judgments" / "judgments.duckdb")) as con:
        con.execute("UPDATE judgments SET total = 1 WHERE item = 'i2' AND label = 'bob'")
    said = space.judge("verify", "runs/given", "--json")
    assert (said.code, said.out.count('"part": "total"')) == (4, 2)


def test_comparisons_of_people_are_made_again(space: Space) -> None:
    """Both sides of a pair have a share, and a mark that is missing has none."""
    rows = [
        (f"q{at}", "red", "blue", who, (1, 0, -1, "")[at % 4]) for at in range(8) for who in "ab"
    ]
    path = space.csv(rows, head=("item", "one", "two", "who", "mark"))
    said = space.judge("import", "marks", path, "--to", "runs/given", "--item", "item", "--arm-a",
                       "one", "--arm-b", "two", "--rater", "who", "--rater-kind", "human",
                       "--mark", "mark")  # fmt: skip
    assert said.code == 0, said.err
    found = space.json("verify")
    assert (found["checked"]["total"], found["differences"]) == (32, [])
