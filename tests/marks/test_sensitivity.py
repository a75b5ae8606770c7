"""Would the answer change: other weights, one item less, totals by item."""

import json
import re

import pytest

from tests.marks.space import Space, grid


def driven() -> list[tuple[object, ...]]:
    """North leads by one item alone."""
    gaps = (0, 0, 1, -1, 0, 4)
    return [
        (f"i{n}", arm, "c", "m", 5 + (gap if arm == "north" else 0))
        for n, gap in enumerate(gaps)
        for arm in ("north", "south")
    ]


def torn() -> list[tuple[object, ...]]:
    """North is a little truer, south a little clearer: weights decide who may be best."""
    return [
        (f"i{n}", arm, criterion, "m", base + (n + len(arm)) % 2)
        for n in range(30)
        for arm, criterion, base in (
            ("north", "true", 8), ("north", "clear", 3),
            ("south_", "true", 4), ("south_", "clear", 8),
        )
    ]  # fmt: skip


def test_the_item_that_drives_the_gap_is_named(space: Space) -> None:
    """Without it the difference is gone, and the view says so."""
    space.take(space.csv(driven()), "--scale", "1-10")
    found = space.table("--extended")["drivers"]
    assert (found["first"], found["second"], found["shared"]) == ("north", "south", 6)
    assert found["items"][0] == {"item": "i5", "difference": 0.0, "turns": True}
    assert found["turning"] == 1
    text = space.judge("table", "runs/given", "--extended").out
    assert "One item less: north − south is +0.67 on 6 items" in text
    assert "Without i5: 0.00 (turned)" in text


def test_weights_that_decide_are_told(space: Space) -> None:
    """The set of possible best is another one under some weights a fifth away."""
    space.take(space.csv(torn()), "--scale", "1-10")
    found = space.table("--extended")["weights"]
    assert (found["change"], found["trials"]) == (0.2, 4)
    assert found["same"] < 4
    assert found["ever"] == ["north", "south_"]
    text = " ".join(space.judge("table", "runs/given", "--extended").out.split())
    assert re.search(r"each weight 20 % up and down .*are others in \d; over all", text)


def test_weights_that_change_nothing_are_told(space: Space) -> None:
    """Where both criteria agree, no weight matters."""
    space.take(space.csv(grid(items=30)), "--scale", "1-10")
    text = " ".join(space.judge("table", "runs/given", "--extended").out.split())
    assert "the arms that may be best stay the same with each weight 20 %" in text


def test_too_few_items_refuse_both(space: Space) -> None:
    """Two items say nothing of what one of them does."""
    space.take(space.csv(grid(items=2)), "--scale", "1-10")
    table = space.table("--extended")
    assert (table["weights"]["code"], table["drivers"]["code"]) == ("too_few_items",) * 2
    text = space.judge("table", "runs/given", "--extended").out
    assert "One item less: not printed (too few items)." in text
    assert "Other weights: not printed (too few items)." in text


def test_one_criterion_and_one_arm_have_nothing_to_move(space: Space) -> None:
    """No figure, no sentence."""
    space.take(space.csv([(f"i{n}", "a", "c", "m", n) for n in range(5)]), "--scale", "0-10")
    table = space.table("--extended")
    assert (table["weights"], table["drivers"]) == (None, None)


def test_the_report_has_the_section_and_the_plain_table_does_not_pay(space: Space) -> None:
    """report.md answers the question; `judge table` computes it only where asked."""
    space.take(space.csv(driven()), "--scale", "1-10")
    space.judge("report", "runs/given")
    text = next(space.root.glob("reports/given/*/report.md")).read_text(encoding="utf-8")
    assert "## Would the answer change?" in text
    assert "Without i5: 0.00 (turned)" in text
    assert space.table()["drivers"] is None


def test_totals_stand_item_by_item(space: Space) -> None:
    """A row an item, a column an arm, a dash where nothing was scored."""
    space.take(space.csv(driven()[1:]), "--scale", "1-10")
    lines = space.judge("table", "runs/given", "--items").out.splitlines()
    assert lines[:2] == ["marks only: outputs were not checked", "given · totals of 6 items"]
    assert lines[3].split() == ["item", "north", "south"]
    assert lines[-1].split() == ["i5", "9.00", "5.00"]
    (first,) = (line for line in lines if line.startswith("i0"))
    assert first.split() == ["i0", "-", "5.00"]
    found = json.loads(space.judge("table", "runs/given", "--items", "--json").out)
    assert found["totals"][found["items"].index("i5")] == [9.0, 5.0]
    assert found["totals"][found["items"].index("i0")] == [None, 5.0]


def test_arms_that_find_no_room_are_counted(space: Space) -> None:
    """Thirty arms do not fit 80 columns; the line below says where they are."""
    rows = [
        (f"i{n}", f"arm-{a:02}", "c", "m", 1 + (n + a) % 9) for n in range(3) for a in range(30)
    ]
    space.take(space.csv(rows), "--scale", "1-10")
    out = space.judge("table", "runs/given", "--items").out
    assert re.search(r"\d+ more arms: --json", out)
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize("view", ["--criteria", "--why", "--arms", "--context", "--items"])
def test_every_view_of_marks_says_what_they_are(space: Space, view: str) -> None:
    """The first line stands above each view."""
    space.take(space.csv(grid()), "--scale", "1-10")
    out = space.judge("table", "runs/given", view).out
    assert out.startswith("marks only: outputs were not checked\n")


def test_figures_are_indented_below_their_line(space: Space) -> None:
    """On a terminal as on a page: what belongs to a line does not stand beside it."""
    space.take(space.csv(driven()), "--scale", "1-10")
    lines = space.judge("table", "runs/given", "--extended").out.splitlines()
    heads = [line for line in lines if line.startswith("One item less:")]
    figures = [line for line in lines if "Without i" in line]
    assert len(heads) == 1
    assert figures
    assert all(line.startswith("  Without i") for line in figures)


def half_open() -> list[tuple[object, ...]]:
    """North leads by the first criterion, and one answer of south has no verdict."""
    return [
        (f"i{n}", arm, criterion, "m", "" if arm == "south" and n == 0 else mark)
        for n in range(10)
        for arm, criterion, mark in (
            ("north", "true", 9), ("north", "clear", 5),
            ("south", "true", 6), ("south", "clear", 6 + n % 2),
        )
    ]  # fmt: skip


def test_what_a_blocked_answer_could_turn_is_asked_under_every_weight(space: Space) -> None:
    """At 2 to 3 the unanswered item could put south first: (2.4 + 6.6 − 10) / 10 is below 0."""
    space.take(space.csv(half_open()), "--scale", "1-10")
    found = space.table("--extended")
    assert found["best"] == ["north"]
    assert found["weights"]["ever"] == ["north", "south"]
    assert (found["weights"]["trials"], found["weights"]["same"]) == (4, 3)


def test_one_item_less_is_asked_of_arms_that_have_a_place(space: Space) -> None:
    """The second row has none: the gap that tells something is to the next that has one."""
    rows = [
        (f"i{n}", arm, "c", "m", "" if arm == "middle" and n < 5 else mark)
        for n in range(10)
        for arm, mark in (("north", 9 - n % 2), ("middle", 8), ("south", 5))
    ]
    space.take(space.csv(rows), "--scale", "1-10")
    found = space.table("--extended")
    assert [(row["arm"]["id"], row["placed"]) for row in found["arms"]][1] == ("middle", False)
    assert (found["drivers"]["first"], found["drivers"]["second"]) == ("north", "south")
