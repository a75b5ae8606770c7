"""`judge import marks --scale`: a scale on which the marks do not lie turns no result round."""

import pytest

from tests.marks.space import Said, Space

PAIRED = ("--item", "item", "--arm-a", "a", "--arm-b", "b", "--mark", "mark")


def pairs(space: Space, marks: tuple[object, ...], *words: object) -> Said:
    """Take in comparisons of red with blue, one an item."""
    rows = [(f"i{at}", "red", "blue", mark) for at, mark in enumerate(marks)]
    path = space.csv(rows, head=("item", "a", "b", "mark"))
    return space.judge("import", "marks", path, "--to", "runs/given", *PAIRED, *words)


@pytest.mark.parametrize("scale", ["1-10", "0-1", "-2..2", "-1..0"])
def test_outcomes_under_a_scale_of_other_values_are_refused(space: Space, scale: str) -> None:
    """1 of -1, 0, 1 is a win; as the low end of 1 to 10 it would be a loss."""
    said = pairs(space, (1, 1, 0, -1, 1, 1), "--scale", scale)
    assert said.code == 2
    assert "says that the first won" in said.err
    assert "leave --scale out: 1 is then a win of the first, 0 a tie, -1" in said.err
    assert said.err.count("\n") == 1
    assert not (space.root / "judgments" / "judgments.duckdb").exists()


def test_a_scale_of_outcomes_says_what_a_win_is(space: Space) -> None:
    """0, 0.5 and 1 under --scale 0-1: the win of the first is 1, and it has won."""
    said = pairs(space, (1, 1, 0.5, 0, 1, 1), "--scale", "0-1")
    assert said.code == 0, said.err
    assert "read as: 1 the first of the pair won, 0.5 a tie, 0 the second won" in said.out
    means = {arm["arm"]["id"]: arm["mean"] for arm in space.table()["arms"]}
    assert means["red"] == pytest.approx(4.5 / 6)


@pytest.mark.parametrize("marks", [(1, 1, 0, 1, 0), (0, 0, 0), (1.0, 0.0, "")])
def test_wins_and_zeros_alone_have_two_readings(space: Space, marks: tuple[object, ...]) -> None:
    """0 is lost to some and a tie to others: neither is taken in silence."""
    said = pairs(space, marks)
    assert said.code == 2
    assert said.err.count("\n") == 1
    assert "name --scale 0-1 where 0 is lost, --scale -1..1 where it is a tie" in said.err
    assert not (space.root / "judgments" / "judgments.duckdb").exists()


@pytest.mark.parametrize(("scale", "mean"), [("0-1", 0.6), ("-1..1", 0.8)], ids=["lost", "tie"])
def test_each_reading_of_wins_and_zeros_can_be_said(space: Space, scale: str, mean: float) -> None:
    """Three wins of five beside two losses, or beside two ties."""
    said = pairs(space, (1, 1, 0, 1, 0), "--scale", scale)
    assert said.code == 0, said.err
    means = {arm["arm"]["id"]: arm["mean"] for arm in space.table()["arms"]}
    assert means["red"] == pytest.approx(mean)


def test_wins_alone_have_one_reading(space: Space) -> None:
    """1 is a win of the first under both."""
    assert pairs(space, (1, 1, 1)).code == 0


@pytest.mark.parametrize(
    ("marks", "fix"),
    [
        ((1, 0.5, 0, 0.5), "take --scale 0..1 where 1 says that the first won"),
        ((1, 2, 2, 1), "take --scale 1..2 where 2 says that the first won"),
        ((1, 4, 7, 2), "write 1 where the first won, 0 for a tie, -1 where the second won"),
    ],
)
def test_outcomes_of_other_values_name_the_scale_that_fits(
    space: Space, marks: tuple[object, ...], fix: str
) -> None:
    """Half a win is no outcome: it is a tie of another scale, or a strength."""
    said = pairs(space, marks)
    assert said.code == 2
    assert fix in said.err


def single(space: Space, marks: tuple[int, ...], *words: object) -> Said:
    """Take in single marks of two arms."""
    rows = [(f"i{at // 2}", "ab"[at % 2], "c", "m", mark) for at, mark in enumerate(marks)]
    return space.take(space.csv(rows), *words)


def test_a_scale_that_leaves_out_most_marks_is_refused(space: Space) -> None:
    """More than half off it: the scale is wrong, not the marks."""
    said = single(space, (4, 5, 6, 7, 8, 10), "--scale", "1-5")
    assert said.code == 2
    assert "has 4 of 6 marks off --scale 1..5: they lie from 4 to 10" in said.err
    assert "name the scale that they were given on" in said.err
    taken = single(space, (4, 5, 3, 7, 8, 10), "--scale", "1-5")
    assert taken.code == 0, taken.err
    assert "off the scale: 3 marks, left out" in taken.out


def spread(space: Space, marks: tuple[object, ...], to: str) -> float:
    """Half width of the difference of two arms that were given equal marks."""
    rows = [(f"i{at}", arm, mark) for at, mark in enumerate(marks) for arm in ("red", "blue")]
    path = space.csv(rows, head=("item", "arm", "mark"))
    said = space.judge(
        "import", "marks", path, "--to", to, "--item", "item", "--arm", "arm", "--mark", "mark",
        "--scale", "0-10",
    )  # fmt: skip
    assert said.code == 0, said.err
    low, high = (space.table(run=to)["pairs"][0]["difference"][end] for end in ("low", "high"))
    return float(high - low) / 2


def test_a_few_equal_marks_show_no_step(space: Space) -> None:
    """The step of whole marks is 1, wherever on the scale a few of them lie."""
    widths = [spread(space, (mark,) * 4, f"runs/all-{mark}") for mark in (5, 7, 10)]
    assert widths == pytest.approx([widths[0]] * 3, abs=1e-9)
    assert widths[0] < 1
