"""People and a judge stand side by side on what both compared."""

from tests.marks.space import Space

WORDS = ("--item", "item", "--arm-a", "a", "--arm-b", "b", "--rater", "rater", "--mark", "mark")
HEAD = ("item", "a", "b", "rater", "kind", "mark")


def test_shares_of_people_and_judge_are_of_the_same_comparisons(space: Space) -> None:
    """Where both compared they agree; the 36 items that the person alone saw say nothing of it."""
    rows = [(f"i{n}", "A", "B", who, kind, 1) for n in range(12)
            for who, kind in (("J", "llm"), ("p1", "human"))]  # fmt: skip
    rows += [(f"i{n}", "A", "B", "p1", "human", -1) for n in range(12, 48)]
    path = space.csv(rows, head=HEAD)
    words = ("--to", "runs/given", *WORDS, "--rater-kind", "kind")
    assert space.judge("import", "marks", path, *words).code == 0
    (pair,) = space.json("calibrate")["preferences"]["pairs"]
    assert (pair["share"]["value"], pair["judge"]["value"], pair["comparisons"]) == (1.0, 1.0, 12)
    assert pair["share"]["n"] == pair["judge"]["n"] == 12
    text = " ".join(space.judge("calibrate", "runs/given").out.split())
    assert "48 items, of which the judge marked at most 12, marked by 1 person" in text
    assert "A over B: people 100 %" in text


def test_of_arms_that_the_judge_never_compared_people_stand_alone(space: Space) -> None:
    """What people say of them is no worse for that."""
    rows = [(f"i{n}", "A", "B", "J", "llm", 1) for n in range(6)]
    rows += [(f"i{n}", "A", "C", "p1", "human", 1 if n else -1) for n in range(8)]
    path = space.csv(rows, head=HEAD)
    words = ("--to", "runs/given", *WORDS, "--rater-kind", "kind")
    assert space.judge("import", "marks", path, *words).code == 0
    pairs = space.json("calibrate")["preferences"]["pairs"]
    (pair,) = [one for one in pairs if {one["first"], one["second"]} == {"A", "C"}]
    assert pair["comparisons"] == 8
    assert pair["judge"].get("code")
