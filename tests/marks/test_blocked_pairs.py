"""A comparison that is blocked is one, on every page: not a judgment of each of its answers."""

from tests.marks.space import Said, Space

PAIRS = (("red", "blue"), ("blue", "green"), ("red", "green"))


def given(space: Space, *, items: int, blank: int) -> Said:
    """Three comparisons an item; those of the last items have no mark."""
    rows = [
        (f"i{item}", a, b, "" if item >= items - blank else 1 - (item + place) % 3)
        for item in range(items)
        for place, (a, b) in enumerate(PAIRS)
    ]
    path = space.csv(rows, head=("item", "a", "b", "mark"))
    return space.judge(
        "import", "marks", path, "--to", "runs/given", "--item", "item", "--arm-a", "a",
        "--arm-b", "b", "--mark", "mark",
    )  # fmt: skip


def test_a_blocked_comparison_counts_once(space: Space) -> None:
    """12 of 36 have no mark: import, first lines, warning and ties agree on it."""
    said = given(space, items=12, blank=4)
    assert said.code == 0, said.err
    assert "3 arms, 12 items, 24 comparisons" in said.out
    assert "no mark in 12 rows" in said.out
    text = " ".join(space.judge("table", "runs/given").out.split())
    assert "comparisons blocked 12" in text
    assert "of 24." in text
    space.judge("report", "runs/given", "--no-html")
    (folder,) = (space.root / "reports" / "given").iterdir()
    page = " ".join((folder / "report.md").read_text(encoding="utf-8").split())
    assert "12 of 36 comparisons (12 no_verdict)" in page
    assert "24 of 72" not in page


def test_comparisons_that_are_all_blocked_are_counted_once(space: Space) -> None:
    """Nothing to compare: the sentence counts what the file holds."""
    said = given(space, items=3, blank=3)
    assert said.code == 0, said.err
    text = " ".join(space.judge("table", "runs/given").out.split())
    assert "No comparison was in the file (9 no_verdict)." in text


def test_items_that_a_judge_never_had_of_any_arm_leave_no_place_open(space: Space) -> None:
    """One judge compared 8 of 20 items, one of them in one order only; nobody blocked the rest."""
    rows = [
        (f"i{item}", "red", "blue", rater, order, "" if (item, order) == (0, "BA") else item % 2)
        for rater, items in (("few", 8), ("all", 20))
        for item in range(items)
        for order in ("AB", "BA")
    ]
    path = space.csv(rows, head=("item", "a", "b", "rater", "order", "mark"))
    said = space.judge(
        "import", "marks", path, "--to", "runs/given", "--item", "item", "--arm-a", "a",
        "--arm-b", "b", "--rater", "rater", "--order", "order", "--mark", "mark",
        "--scale", "-1..1",
    )  # fmt: skip
    assert said.code == 0, said.err
    text = " ".join(space.judge("table", "runs/given", "--pass", "few").out.split())
    assert "compared 16 of 40 answers · comparisons blocked 1 · never given 24" in text
    assert "Not placed" not in text
    assert "blocked answers" not in text
    found = space.table("--pass", "few")
    assert {arm["never_given"] for arm in found["arms"]} == {12}
    assert {(arm["place_code"], arm["placed"]) for arm in found["arms"]} == {(None, True)}
    whole = space.table("--pass", "all")
    assert all(arm["placed"] and "never_given" not in arm for arm in whole["arms"])
    assert space.judge("report", "runs/given", "--no-html", "--pass", "few").code == 0
    (page,) = (space.root / "reports" / "given").rglob("report.md")
    report = " ".join(page.read_text(encoding="utf-8").split())
    assert "red, 1 comparison blocked, no_verdict" in report


def test_items_that_a_judge_had_of_other_arms_alone_are_why_an_arm_has_no_place(
    space: Space,
) -> None:
    """Of 12 items a judge had all of two arms and 4 of the third: those may have been its best."""
    rows = [
        (f"i{item}", arm, "clear", "few", 4 + (item * 2 + place) % 4)
        for item in range(12)
        for place, arm in enumerate(("red", "blue", "green"))
        if arm != "green" or item < 4
    ]
    assert space.take(space.csv(rows), "--scale", "1-10").code == 0
    text = " ".join(space.judge("table", "runs/given").out.split())
    assert "Not placed: green (never given 8 of 12 items)." in text
    assert "to the 8 items, which this judge never had" in text
    arms = {arm["arm"]["id"]: arm for arm in space.table()["arms"]}
    assert arms["green"]["place_code"] == "never_given"
    assert arms["red"]["placed"]
    assert arms["blue"]["placed"]
    assert space.judge("report", "runs/given", "--no-html").code == 0
    (page,) = (space.root / "reports" / "given").rglob("report.md")
    report = " ".join(page.read_text(encoding="utf-8").split())
    assert "items that it was never given" in report


def test_blocked_comparisons_hold_a_place_back_once(space: Space) -> None:
    """Four items of twelve have no verdict: 12 comparisons, not 24 answers."""
    assert given(space, items=12, blank=4).code == 0
    text = " ".join(space.judge("table", "runs/given").out.split())
    assert "(12 blocked comparisons)." in text
    assert "mark the 12 blocked comparisons" in text
    assert "blocked answers" not in text
