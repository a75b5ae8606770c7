"""Comparisons that were brought in: what the place of an answer leaves open."""

import pytest

from tests.marks.space import Space

FORM = ("--item", "item", "--arm-a", "a", "--arm-b", "b", "--mark", "mark")
PAIRS = (("red", "blue"), ("blue", "green"), ("red", "green"))


def given(space: Space, rows: list[tuple[object, ...]], *, ordered: bool = True) -> None:
    """Take in comparisons, with who was shown first or without."""
    path = space.csv(rows, head=("item", "a", "b", "order", "mark"))
    said = space.judge(
        "import", "marks", path, "--to", "runs/given", *FORM, *(("--order", "order") * ordered)
    )
    assert said.code == 0, said.err


def shown(space: Space) -> str:
    """The table in one line."""
    return " ".join(space.judge("table", "runs/given").out.split())


@pytest.mark.parametrize(("items", "turned"), [(12, 0), (30, 1)])
def test_one_order_of_every_pair_says_no_arm_is_better(
    space: Space, items: int, turned: int
) -> None:
    """Who always stood first and always won may owe it to the place: no claim, no sway."""
    given(
        space,
        [
            (f"i{item}", a, b, "AB", 1 if item >= turned or a != "red" else -1)
            for item in range(items)
            for a, b in PAIRS
        ],
    )
    found = space.table()
    assert set(found["best"]) == {"red", "blue", "green"}
    assert not any(pair["separated"] for pair in found["pairs"])
    assert found["comparing"]["place_shift"] == pytest.approx(1.0)
    assert found["comparing"]["first_share"]["code"] == "not_identified"
    assert found["detectable"]["code"] == "not_identified"
    codes = [one["code"] for one in found["warnings"]]
    assert codes[0] == "order_fixed"
    assert "order_preference" not in codes
    text = shown(space)
    assert "Each two arms were shown in one order only: the place may have decided." in text
    assert "first shown won" not in text
    said = " ".join(space.judge("biases", "runs/given").out.split())
    assert "no item has a pair that was judged in both orders" in said
    assert "the order of judging is not on record" not in said


def test_an_order_that_is_not_on_record_is_said_in_the_first_lines(space: Space) -> None:
    """Published preferences without an order still rank, under a warning."""
    given(space, [(f"i{at}", a, b, "", 1) for at in range(12) for a, b in PAIRS], ordered=False)
    found = space.table()
    assert found["best"] == ["red"]
    assert found["comparing"]["place_shift"] is None
    assert found["warnings"][0]["code"] == "order_unknown"
    assert "who was shown first is unknown" in shown(space)


def test_a_blank_order_excuses_no_place(space: Space) -> None:
    """All but one comparison show one order of each pair: what was refused stays refused."""
    rows = [(f"i{at}", a, b, "AB", 1) for at in range(12) for a, b in PAIRS]
    given(space, [(*rows[0][:3], "", 1), *rows[1:]])
    found = space.table()
    assert set(found["best"]) == {"red", "blue", "green"}
    assert not any(pair["separated"] for pair in found["pairs"])
    assert found["comparing"]["place_shift"] == pytest.approx(1.0, abs=0.1)
    assert found["detectable"]["code"] == "not_identified"
    codes = [one["code"] for one in found["warnings"]]
    assert {"order_unknown_in_part", "order_uneven"} <= {*codes}
    assert "order_fixed" not in codes
    assert "who was shown first is in part unknown" in shown(space)


def test_no_difference_lies_beyond_the_scale(space: Space) -> None:
    """Shares differ by 1 at most: an interval that was cut there is shown by its ends."""
    given(space, [(f"i{item}", a, b, "AB", 1) for item in range(12) for a, b in PAIRS])
    for arm in space.table()["arms"]:
        if arm["arm"]["id"] != "red":
            value, low, high = (arm["difference"][end] for end in ("value", "low", "high"))
            assert -1 <= low <= value <= high <= 1
            wider = max(value - low, high - value)
            assert (f"{value:+.2f} ±" in shown(space).replace("−", "-")) is (
                abs(value) + wider <= 1
            )


def test_orders_by_turns_carry_a_claim(space: Space) -> None:
    """One order an item, each pair in either as often: the better arm is found without a word."""
    given(
        space,
        [
            (f"i{item}", a, b, ("AB", "BA")[(item + at) % 2], 1)
            for item in range(20)
            for at, (a, b) in enumerate(PAIRS)
        ],
    )
    found = space.table()
    assert found["best"] == ["red"]
    assert found["comparing"]["place_shift"] == 0
    assert {one["code"] for one in found["warnings"]} == {"one_judge"}


def test_a_judge_that_always_takes_the_first_sways_with_the_order(space: Space) -> None:
    """All items agree, so there is no interval: the share is named all the same."""
    given(
        space,
        [
            (f"i{item}", a, b, order, 1 if order == "AB" else -1)
            for item in range(8)
            for a, b in PAIRS
            for order in ("AB", "BA")
        ],
    )
    found = space.table()
    assert {"order_preference", "order_turned"} <= {one["code"] for one in found["warnings"]}


@pytest.mark.parametrize(
    ("orders", "ordered"), [(("AB", "BA"), True), (("AB",), False), (("BA", "AB"), True)]
)
def test_the_plan_says_what_the_table_says(
    space: Space, orders: tuple[str, ...], *, ordered: bool
) -> None:
    """Spread, worst pair, detectable gap and items needed are the same figures in both."""
    rows: list[tuple[object, ...]] = [
        (f"i{item}", a, b, order, 1 if (item + at) % 4 else -1)
        for item in range(14)
        for at, (a, b) in enumerate(PAIRS)
        for order in orders
    ]
    given(space, rows, ordered=ordered)
    table, plan = space.table(), space.json("power")
    assert plan["detectable"] == table["detectable"]
    assert {plan["spread"]["first"], plan["spread"]["second"]} == {*table["detectable_pair"]}
    assert [[row["gap"], row["items_all"]] for row in plan["rows"]] == table["items_needed"]
    said = space.judge("power", "runs/given").out
    assert "paired difference in shares won, measured: " in said
    assert " points" not in said


def test_one_order_is_planned_by_neither(space: Space) -> None:
    """Where the place may have decided, the plan is refused as the table's figures are."""
    given(space, [(f"i{item}", a, b, "AB", 1) for item in range(12) for a, b in PAIRS])
    assert space.table()["items_needed"]["code"] == "not_identified"
    said = space.judge("power", "runs/given")
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert "two arms need comparisons in both orders" in said.err
    assert "Next: judge table runs/given --why" in space.judge("table", "runs/given").out


def test_an_order_that_is_not_on_record_is_to_be_named_at_the_import(space: Space) -> None:
    """Such pairs were brought in: who made them can name the column, nobody can judge them here."""
    given(space, [(f"i{at}", a, b, "", 1) for at in range(12) for a, b in PAIRS], ordered=False)
    for command in (("biases",), ("table", "--why")):
        said = " ".join(space.judge(command[0], "runs/given", *command[1:]).out.split())
        assert "judge each pair in both orders" not in said
    assert space.table()["comparing"]["first_share"]["how"].startswith("judge import marks")


@pytest.mark.parametrize(
    ("orders", "ordered", "told"),
    [
        (("AB",), False, "who was shown first is not on record"),
        (("AB",), True, "each two arms were shown in one order only"),
        (("AB", "AB", "AB", "AB", "BA"), True, "some arms were nearly always shown first"),
    ],
)
def test_what_the_place_leaves_open_speaks_against_a_recommendation(
    space: Space, orders: tuple[str, ...], told: str, *, ordered: bool
) -> None:
    """Whoever reads the recommendation alone reads that the place may have decided."""
    rows: list[tuple[object, ...]] = [
        (f"i{item}", a, b, orders[item % len(orders)], 1) for item in range(20) for a, b in PAIRS
    ]
    given(space, rows, ordered=ordered)
    space.judge("report", "runs/given", "--no-html")
    (page,) = (space.root / "reports" / "given").glob("*/report.md")
    (advice,) = (
        line for line in page.read_text(encoding="utf-8").split("\n") if line[:9] == "As rated "
    )
    assert f"What speaks against it: {told}" in advice.replace("order unknown: ", "")


def test_passes_are_listed_with_their_comparisons(space: Space) -> None:
    """As many as the import said, not their two sides."""
    given(space, [(f"i{item}", a, b, "AB", 1) for item in range(12) for a, b in PAIRS])
    assert "36 comparisons" in space.judge("table", "runs/given", "--passes").out
