"""Why there is no figure: the reason that is named is true of the marks that were given."""

import pytest

from judgebench.model.nouns import Refusal
from judgebench.reports import refusals
from tests.marks.space import Space

PAIRS = ("--arm-a", "a", "--arm-b", "b", "--item", "item", "--mark", "mark", "--order", "order")


def words(space: Space, *line: object) -> str:
    """What a command printed, on one line."""
    said = space.judge(*line)
    assert said.code == 0, said.err
    return " ".join(said.out.split())


def wins(space: Space, *, circle: bool) -> None:
    """Ten items in both orders: a full circle of wins, or a judge for whom the first wins."""
    rows = [
        (f"i{item}", a, b, 1 if circle or order == "AB" else -1, order)
        for item in range(10)
        for a, b in ("ab", "bc", "ca")
        for order in ("AB", "BA")
    ]
    path = space.csv(rows, head=("item", "a", "b", "mark", "order"))
    said = space.judge("import", "marks", path, *PAIRS, "--to", "runs/given")
    assert said.code == 0, said.err


@pytest.mark.parametrize("circle", [True, False])
def test_wins_and_losses_that_cancel_are_not_called_the_same(space: Space, *, circle: bool) -> None:
    """Half won and half lost: totals are alike, the verdicts are not."""
    wins(space, circle=circle)
    for command in (("table", "runs/given", "--why"), ("power", "runs/given")):
        text = words(space, *command)
        assert "all marks" not in text
        assert "every answer has the same total" in text


def test_judges_who_mark_the_other_way_round_are_not_called_the_same(space: Space) -> None:
    """9 and 2 by turns: only their means are all alike, for the panel and for ICC."""
    rows = [
        (f"i{item}", arm, "c", rater, 9 if (arm == "a") == (rater == "r1") else 2)
        for item in range(25)
        for arm in "ab"
        for rater in ("r1", "r2")
    ]
    space.take(space.csv(rows), "--scale", "1-10")
    text = words(space, "table", "runs/given", "--panel", "--why")
    assert "all marks" not in text
    assert "every answer has the same total" in text
    text = words(space, "agree", "runs/given", "--extended")
    assert "all marks" not in text
    assert "every answer has the same mean mark over its raters" in text


@pytest.mark.parametrize(
    "statistic",
    [
        "detectable", "items_needed", "components", "icc", "quadratic_kappa", "effective_judges",
        "tau_b", "kendall_w", "ordering_accuracy", "vote_agreement", "compression", "halo",
    ],
)  # fmt: skip
def test_what_marks_that_differ_can_leave_without_spread_is_said_so(statistic: str) -> None:
    """Each is refused for something else than marks that are all the same."""
    refused = Refusal(statistic=statistic, code="no_variation", have=1, need=2)
    assert "all marks" not in refusals.why(refused)
    assert "marks" not in refusals.short(refused)


def test_arms_without_a_total_are_no_arms_that_the_run_lacks(space: Space) -> None:
    """Three arms, one marked: the run has arms enough, and is not sent for more of them."""
    space.take(space.csv([(f"i{n}", "a", "c", "r1", 2 + n % 5) for n in range(9)]
                         + [(f"i{n}", arm, "c", "r2", 2 + n % 5) for n in range(9) for arm in "bc"]
                         ), "--scale", "1-10")  # fmt: skip
    text = words(space, "table", "runs/given", "--pass", "r1", "--why")
    assert "needs ≥ 2 arms with a total, have 1" in text
    assert "add arms" not in text
