"""Comparisons with other arms are no repeats of each other."""

from collections import Counter

import pytest

from judgebench.pipeline.pages.exhibits import exhibits
from judgebench.pipeline.setting.choices import Reading
from judgebench.store.store import Store
from tests.marks.space import Space

HEAD = ("item", "a", "b", "order", "rater", "mark")
FORM = ("--item", "item", "--arm-a", "a", "--arm-b", "b", "--order", "order", "--rater", "rater",
        "--mark", "mark")  # fmt: skip


def compared(
    space: Space, *, items: int, orders: tuple[str, ...], again: tuple[str, ...] = ("",)
) -> None:
    """Three arms, each two of them compared on every item in these orders."""
    head = (*HEAD, "again")
    rows = [
        (f"i{item}", a, b, order, "meter", (item + at + len(order)) % 3 - 1, number)
        for item in range(items)
        for at, (a, b) in enumerate((("red", "blue"), ("blue", "green"), ("red", "green")))
        for order in orders
        for number in again
    ]
    path = space.csv(rows, head=head)
    more = ("--scoring", "again") if len(again) > 1 else ()
    said = space.judge("import", "marks", path, "--to", "runs/given", *FORM, *more)
    assert said.code == 0, said.err


@pytest.mark.parametrize(
    ("orders", "again", "repeats", "level"),
    [
        (("AB",), ("",), 1, 0),
        (("AB", "BA"), ("",), 1, 0),
        (("",), ("",), 1, 0),
        (("AB", "BA"), ("1", "2"), 2, 1),
        (("",), ("1", "2", "3"), 3, 1),
    ],
)
def test_arms_compared_once_are_not_scored_again(
    space: Space, orders: tuple[str, ...], again: tuple[str, ...], repeats: int, level: int
) -> None:
    """One item on which an arm meets two others stands at E0, however many it meets."""
    compared(space, items=1, orders=orders, again=again)
    found = space.table()
    assert (found["level"], found["counts"]["repeats"]) == (level, repeats)


def test_comparisons_with_other_arms_are_no_noise(space: Space) -> None:
    """`judge power` takes nothing for re-scoring noise where each pair was compared once."""
    compared(space, items=30, orders=("AB", "BA"))
    found = space.json("power")
    assert found["repeats"] == 1
    assert found["noise"]["code"] == "too_few_repeats"
    assert "one scoring of the same answer" not in " ".join(
        space.judge("power", "runs/given").out.split()
    )


@pytest.mark.parametrize(
    ("orders", "said"),
    [
        (("AB", "BA"), {"first better": 12, "tie": 12, "second better": 12}),
        (("",), {"one better": 12, "tie": 6}),
    ],
)
def test_each_verdict_is_counted_once(
    space: Space, orders: tuple[str, ...], said: dict[str, int]
) -> None:
    """By what was shown first, or by whether one was better; never as the marks of both outputs."""
    compared(space, items=6, orders=orders)
    with Store.open(space.root / "judgments" / "judgments.duckdb", create=False) as store:
        (row,) = store.find_passes("given")
        found = exhibits(store, row, Reading()).marks
    counts = Counter[str]()
    for one in found:
        counts[one.verdict] += one.count
    assert counts == said
