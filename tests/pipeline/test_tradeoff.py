"""Rating against time and cost: who takes part, who is beaten, and what is refused."""

import dataclasses
from typing import Any

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.result import ArmResult, Context, PairResult
from judgebench.pipeline.figures.tradeoff import tradeoff
from judgebench.reports import contrasts
from judgebench.reports.tradeoff import recommendation
from tests.reports import make

ITEMS = 8


def arm(
    name: str,
    level: float,
    *,
    cost: float | None = None,
    wall: float | None = None,
    **changes: Any,  # noqa: ANN401 - fields of several types
) -> ArmResult:
    """One arm so far from the reference, with what its answers took."""
    return make.arm(
        name,
        items=ITEMS,
        mean=5 + level,
        difference=Estimate(value=level, n=ITEMS, low=level - 1, high=level + 1),
        context=Context(
            wall_s=wall, cost_usd=cost, known=ITEMS, untimed=ITEMS if wall is None else 0
        ),
        **changes,
    )


def words(
    *arms: ArmResult,
    best: tuple[str, ...] | Refusal,
    pairs: tuple[PairResult, ...] = (),
) -> str:
    """The paragraph over these arms, of which the first is the reference."""
    found = tradeoff(arms, pairs=pairs, best=best, reference=arms[0].arm.id)
    return recommendation(found, digits=2, judge="stub")


def test_the_set_and_who_is_off_it() -> None:
    """Top is best, slim cheapest; fat is dearer than top and behind it."""
    arms = (
        arm("top", 0, cost=2, wall=9),
        arm("slim", -1, cost=1, wall=3),
        arm("fat", -2, cost=3, wall=9),
    )
    found = tradeoff(arms, pairs=(), best=("top",), reference="top")
    assert found.weighed == ("cost", "time")
    assert found.pareto == ("top", "slim")
    fat = found.arms[2]
    assert (fat.beaten_by, fat.behind, fat.shown) == ("top", 2, False)


def test_a_gap_that_is_shown_is_said_to_be() -> None:
    """Only a separated pair carries the words without a reservation."""
    arms = (arm("top", 0, cost=2), arm("fat", -2, cost=3))
    apart = PairResult(
        first="top", second="fat", difference=Estimate(value=2, n=ITEMS), p_all_pairs=0.01,
        shared=ITEMS, separated=True,
    )  # fmt: skip
    assert "a gap that is not shown" in words(*arms, best=("top",))
    assert "a gap that is not shown" not in words(*arms, best=("top",), pairs=(apart,))


def test_unknown_costs_are_left_out_and_named() -> None:
    """One arm without a cost: only time is weighed, and the sentence names the arm."""
    arms = (arm("top", 0, cost=2, wall=9), arm("slim", -1, wall=3))
    found = tradeoff(arms, pairs=(), best=("top", "slim"), reference="top")
    assert found.weighed == ("time",)
    assert found.cost_unknown == ("slim",)
    said = recommendation(found, digits=2, judge="stub")
    assert "cost is left out: not on record for slim" in said
    assert "Nothing is said of cost: it is not on record for every answer of slim." in said
    assert "Of these slim is quickest" in said
    assert "costs least" not in said


def test_nothing_on_record_gives_no_set_and_no_preference() -> None:
    """Neither cost nor time: a refusal in words, and nobody is preferred."""
    arms = (arm("top", 0), arm("slim", -1))
    found = tradeoff(arms, pairs=(), best=("top", "slim"), reference="top")
    assert isinstance(found.pareto, Refusal)
    said = recommendation(found, digits=2, judge="stub")
    assert "No Pareto set is given: neither cost nor time is on record" in said
    assert "So nothing on record prefers one of them." in said
    assert "take" not in said.replace("meta.json", "")
    alone = words(*arms, best=("top",))
    assert "What it takes is not on record." in alone


def test_one_answer_without_a_time_makes_the_time_unknown() -> None:
    """A median over some answers would flatter the arm whose slow ones are missing."""
    top = arm("top", 0, wall=9)
    gap = dataclasses.replace(top, context=dataclasses.replace(top.context, untimed=1))
    found = tradeoff((gap, arm("slim", -1, wall=3)), pairs=(), best=("top",), reference="top")
    assert found.time_unknown == ("top",)
    assert isinstance(found.pareto, Refusal)


def test_an_arm_that_is_not_placed_is_not_weighed() -> None:
    """It stands in no set, and the paragraph says so."""
    arms = (arm("top", 0, cost=2), arm("slim", -1, cost=1), arm("odd", 1, cost=0.1, placed=False))
    found = tradeoff(arms, pairs=(), best=("top",), reference="top")
    assert found.left_out == ("odd",)
    assert found.pareto == ("top", "slim")
    assert "Not weighed, as not placed or without shared items: odd." in words(*arms, best=("top",))


def test_one_item_refuses_the_set_for_the_reason_of_the_differences() -> None:
    """No paired difference, no level: the code of the difference is the code of the set."""
    one = make.arm("top", items=1, mean=5)
    other = make.arm("slim", items=1, mean=4)
    best = make.refused("totals", have=1)
    found = tradeoff((one, other), pairs=(), best=best, reference="top")
    assert isinstance(found.pareto, Refusal)
    assert found.pareto.code == "too_few_items"
    assert words(one, other, best=best).startswith("No arm is recommended:")


def test_one_arm_has_nobody_to_be_held_against() -> None:
    """Alone there is no set."""
    found = tradeoff((arm("top", 0, cost=1),), pairs=(), best=("top",), reference="top")
    assert isinstance(found.pareto, Refusal)
    assert found.pareto.code == "too_few_arms"


def test_the_only_best_arm_is_named_with_what_less_would_give() -> None:
    """Dearest and slowest, and still the only one that may be best."""
    said = words(
        arm("top", 0, cost=2, wall=9), arm("slim", -1.25, cost=1, wall=8),
        arm("fast", -2, cost=1.5, wall=1), best=("top",),
    )  # fmt: skip
    assert "top alone may be best: take it for quality. It takes $2.00 in all, 9.0 s" in said
    assert "The cheapest other is slim ($1.00 in all, 8.0 s an answer), rated 1.25 below." in said
    assert "The quickest other is fast" in said


def test_ties_in_what_they_take_prefer_nobody() -> None:
    """All take the same; two of three take least; one is cheapest and another quickest."""
    same = [arm(name, 0, cost=1, wall=2) for name in ("a", "b")]
    assert "They take the same: $1.00 in all, 2.0 s an answer." in words(*same, best=("a", "b"))
    dear = arm("c", 0, cost=2, wall=3)
    said = words(*same, dear, best=("a", "b", "c"))
    assert "Of these a and b take the same and least" in said
    assert "c (a is rated the same and takes less)" in said
    split = words(arm("a", 0, cost=1, wall=9), arm("b", 0, cost=2, wall=2), best=("a", "b"))
    assert "Of these a costs least ($1.00 in all, 9.0 s an answer): where money counts" in split
    assert "Of these b is quickest" in split


def test_many_arms_are_cut_and_counted() -> None:
    """Nine arms off the set: six are named, the others counted."""
    arms = [arm("top", 0, cost=1), *(arm(f"a{at}", -at, cost=2) for at in range(1, 10))]
    said = words(*arms, best=("top",))
    assert "; 3 more." in said


def test_marks_without_answers_are_not_told_to_write_records() -> None:
    """They have no meta.json that anything could be written into."""
    arms = (arm("top", 0), arm("slim", -1))
    found = tradeoff(arms, pairs=(), best=("top",), reference="top", bare_marks=True)
    said = recommendation(found, digits=2, judge="stub")
    assert "marks were imported without the answers" in said
    assert "meta.json" not in said


def test_one_arm_that_can_be_weighed_makes_no_table() -> None:
    """On one item only the reference arm has a level: its row alone would seem to recommend it."""
    whole = make.result(items=8)
    arms = (arm("top", 0, cost=2, wall=9), arm("slim", -1, cost=1, wall=3))
    for kept, blocks in ((arms, 2), (arms[:1], 1)):
        found = tradeoff(kept, pairs=(), best=("top",), reference="top")
        page = contrasts.recommended(dataclasses.replace(whole, tradeoff=found))
        assert page is not None
        assert len(page.blocks) == blocks
