"""A pair is one thing whichever arm a row names first, unless the order is known."""

import pytest

from tests.marks.space import Said, Space

FORM = ("--item", "item", "--arm-a", "a", "--arm-b", "b", "--rater", "rater", "--mark", "mark")
HEAD = ("item", "a", "b", "rater", "mark")


def taken(space: Space, *rows: tuple[object, ...], ordered: bool = False, scale: str = "") -> Said:
    """Import pairs; with `ordered`, the last value of a row is the order."""
    path = space.csv(rows, head=(*HEAD, *(("shown",) if ordered else ())))
    more = (("--order", "shown") if ordered else ()) + (("--scale", scale) if scale else ())
    return space.judge("import", "marks", path, "--to", "runs/given", *FORM, *more)


@pytest.mark.parametrize(
    ("first", "second", "scale"), [(1, 1, ""), (-1, -1, ""), (1, 1, "0-1"), (1, 0, "")]
)
def test_a_turned_contradiction_is_refused_with_both_lines(
    space: Space, first: int, second: int, scale: str
) -> None:
    """Each arm cannot beat the other; no column says that these are two games."""
    said = taken(
        space, ("q1", "gpt", "llama", "ann", first), ("q1", "llama", "gpt", "ann", second),
        ("q2", "gpt", "llama", "ann", -1 if not scale else 0), scale=scale,
    )  # fmt: skip
    assert said.code == 2, said.out
    assert "marks.csv:3: " in said.err
    assert "what line 2 marks" in said.err
    assert "--order" in said.err


@pytest.mark.parametrize(("win", "loss", "scale"), [(1, -1, ""), (1, 0, "0-1"), (0, 0, "")])
def test_a_turned_double_is_counted_once(space: Space, win: int, loss: int, scale: str) -> None:
    """One vote written both ways round is one vote."""
    rows = [("q1", "gpt", "llama", "ann", win), ("q1", "llama", "gpt", "ann", loss)]
    more = ("q2", "gpt", "llama", "ann", 1), ("q3", "gpt", "llama", "ann", loss or -1)
    said = taken(space, *rows, *(more if not scale else more[:1]), scale=scale)
    assert said.code == 0, said.err
    assert "counted once" in " ".join((said.out + said.err).split())
    assert space.table("--pass", "ann")["comparing"]["comparisons"] == (2 if scale else 3)


@pytest.mark.parametrize(("scale", "loss"), [("", -1), ("0-1", 0)])
def test_orders_tell_two_games_apart(space: Space, scale: str, loss: int) -> None:
    """With the order both games count; a game written twice, turned, counts once."""
    rows = [
        ("q1", "gpt", "llama", "ann", 1, "AB"), ("q1", "llama", "gpt", "ann", 1, "AB"),
        ("q1", "llama", "gpt", "ann", loss, "BA"), ("q2", "llama", "gpt", "ann", loss, "AB"),
    ]  # fmt: skip
    said = taken(space, *rows, ordered=True, scale=scale)
    assert said.code == 0, said.err
    found = space.table("--pass", "ann")
    arms = {arm["arm"]: arm for arm in found["comparing"]["arms"]}
    assert found["comparing"]["comparisons"] == 3
    assert (arms["gpt"]["won"], arms["llama"]["won"]) == (2, 1)


def test_criteria_named_either_way_are_one_comparison(space: Space) -> None:
    """Two criteria of one comparison, each naming another arm first, make one total."""
    rows = [
        (f"q{item}", *pair, "ann", mark, criterion)
        for item in range(3)
        for pair, mark, criterion in (
            (("gpt", "llama"), 1, "true"), (("llama", "gpt"), -1, "clear"),
        )
    ]  # fmt: skip
    path = space.csv(rows, head=(*HEAD, "what"))
    said = space.judge(
        "import", "marks", path, "--to", "runs/given", *FORM, "--criterion", "what"
    )  # fmt: skip
    assert said.code == 0, said.err
    found = space.table("--pass", "ann")
    assert found["comparing"]["comparisons"] == 3
    assert {arm["arm"]["id"]: arm["mean"] for arm in found["arms"]} == {"gpt": 1.0, "llama": 0.0}
