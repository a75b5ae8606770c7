"""One arm alone may be best while the pairs together do not part it from another."""

from tests.marks.space import AGAIN, Space

MARKS = {"x": (8, 9, 8, 8, 9, 8), "y": (7, 7, 7, 7, 7, 8), "z": (5, 5, 5, 5, 5, 5)}
"""Item 5 ties x and y; z lacks a scoring of one item."""


def close(space: Space) -> None:
    """Six items, three scorings, x above y on all but one."""
    rows = [
        (f"i{item}", arm, "clear", "meter", "" if (arm, item) == ("z", 2) else mark, again)
        for arm, marks in MARKS.items()
        for item, mark in enumerate(marks)
        for again in range(3)
    ]
    space.take(space.csv(rows, head=AGAIN), "--scoring", "again", "--scale", "1-10")


def test_headline_recommendation_and_ranks_say_the_same_of_the_only_best(space: Space) -> None:
    """It is called the best nowhere, and every page names the arm beside it."""
    close(space)
    found = space.table()
    (pair,) = [one for one in found["pairs"] if {one["first"], one["second"]} == {"x", "y"}]
    assert found["best"] == ["x"]
    assert pair["separated"] is False
    assert pair["difference"]["low"] > 0
    assert found["tradeoff"]["unseparated"] == ["y"]
    ranks = {one["arm"]["id"]: (one["rank_low"], one["rank_high"]) for one in found["arms"]}
    assert ranks["x"] == (1, 2)
    space.judge("report", "runs/given")
    pages = [" ".join(space.judge("table", "runs/given").out.split())]
    pages += [
        one.read_text(encoding="utf-8")
        for name in ("report.md", "report.html")
        for one in (space.root / "reports").rglob(name)
    ]
    assert len(pages) == 3
    for text in pages:
        assert "x alone may be best (95 %, from one side); it is not separated from y." in text
        assert "is the best of" not in text
    for text in pages[1:]:
        assert "x alone may be best, but is not separated from y: for quality take it" in text
        assert "take it for quality" not in text
        assert "not separated (the interval leaves out 0, p is not below 0.05)" in text
        assert "6 items give no p below 0.031" in text
