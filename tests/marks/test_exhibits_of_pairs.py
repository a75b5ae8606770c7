"""The drill-down of comparisons: what is disputed comes first, and each judging has its number."""

import re

from tests.marks.space import Space

HEAD = ("item", "a", "b", "rater", "order", "mark")
WORDS = ("--item", "item", "--arm-a", "a", "--arm-b", "b", "--rater", "rater", "--mark", "mark",
         "--rater-kind", "human")  # fmt: skip


def disputed(space: Space, *words: str) -> str:
    """Two people who say A over B over C on nine items, and the reverse of each other on i0."""
    rows = [
        (f"i{item}", *pair, who, "AB" if item % 2 else "BA", -1 if (item, who) == (0, "p2") else 1)
        for item in range(10)
        for pair in (("A", "B"), ("A", "C"), ("B", "C"))
        for who in ("p1", "p2")
    ]
    said = space.judge(
        "import", "marks", space.csv(rows, head=HEAD), "--to", "runs/given", *WORDS, *words
    )
    assert said.code == 0, said.err
    assert space.judge("report", "runs/given").code == 0
    (page,) = (space.root / "reports").rglob("report.html")
    return page.read_text(encoding="utf-8")


def test_what_raters_dispute_stands_before_what_an_arm_wins_and_loses(space: Space) -> None:
    """B won one and lost one on every item, by both people alike: that is no disagreement."""
    page = disputed(space, "--order", "order")
    cards = re.findall(r"<summary><b>([ABC])</b> · (i\d)", page)
    assert {item for _, item in cards[:3]} == {"i0"}
    assert {item for _, item in cards[3:]} == {f"i{n}" for n in range(1, 10)}


def test_a_judging_is_numbered_among_those_of_its_pair_and_order(space: Space) -> None:
    """Two people, so two of each pair; the place is that of the file."""
    page = disputed(space, "--order", "order")
    titles = set(re.findall(r"Against ([ABC][^:<]*):", page))
    ends = (", shown first", ", shown second")
    own = {f"{arm}{end}{n}" for arm in "ABC" for end in ends for n in ("", ", judging 2")}
    assert titles <= own
    assert "B, shown second, judging 2" in titles
    shown = space.judge("show", "runs/given", "A", "i1").out
    assert "verdict: A wins (shown first: A)" in shown
    assert "judging" not in shown


def test_an_order_that_is_not_on_record_is_not_made_up(space: Space) -> None:
    """No place is told, and one judging has no number."""
    page = disputed(space)
    assert set(re.findall(r"Against ([ABC][^:<]*):", page)) <= {
        f"{arm}{n}" for arm in "ABC" for n in ("", ", judging 2")
    }
    assert "shown first:" not in space.judge("show", "runs/given", "A", "i1").out
