"""Marks without a named scale: its ends are those of the marks, and nothing rests on them."""

import json

import pytest

from tests.marks.space import Space


def few(space: Space, *words: str, blocked: bool = True) -> dict[str, object]:
    """Three arms on four items, marks from 5 to 9; south lacks one where `blocked`."""
    rows = [
        (f"i{item}", arm, "clear", "meter",
         "" if blocked and (arm, item) == ("south", 3) else 5 + (2 * item + place) % 5)
        for item in range(4)
        for place, arm in enumerate(("north", "south", "west"))
    ]  # fmt: skip
    said = space.take(space.csv(rows), *words)
    assert said.code == 0, said.err
    return space.table("--extended")


def test_what_rests_on_ends_that_were_taken_is_refused(space: Space) -> None:
    """Bounded means and worst cases have a code that says what to do; differences stand."""
    found = few(space)
    assert found["scale_taken"] is True
    assert (found["scale_low"], found["scale_high"]) == (5, 9)
    arms = {arm["arm"]["id"]: arm for arm in found["arms"]}  # type: ignore[attr-defined]  # JSON
    assert {arm["total"]["code"] for arm in arms.values()} == {"scale_not_named"}
    assert "--scale LOW-HIGH, such as --scale 1-10" in arms["north"]["total"]["how"]
    assert (arms["south"]["worst_low"], arms["south"]["worst_high"]) == (None, None)
    assert arms["north"]["worst_low"] == arms["north"]["mean"]
    assert any(isinstance(one["difference"]["value"], float) for one in found["pairs"])  # type: ignore[attr-defined]  # JSON
    extra = found["extended"]
    means = [row["mean"] for one in extra["criteria"] for row in one["rows"]]  # type: ignore[index]  # JSON
    assert {one["code"] for one in means if "code" in one} <= {"scale_not_named"}
    assert not [one for one in means if one.get("kind") == "bounded"]
    for one in extra["pairs"]:  # type: ignore[index]  # JSON
        assert (one["worst_low"] is None) is ("south" in (one["first"], one["second"]))


def report(space: Space) -> str:
    """report.md on one line."""
    said = space.judge("report", "runs/given", "--extended", "--no-html")
    assert said.code == 0, said.err
    (path,) = space.root.glob("reports/**/report.md")
    return " ".join(path.read_text(encoding="utf-8").split())


def test_a_page_says_whose_scale_it_is(space: Space) -> None:
    """In its first line; the report also says what is missing, and never "meant to hold"."""
    few(space)
    said = space.judge("table", "runs/given").out
    assert "scale 5 to 9 taken from the marks" in said.splitlines()[0]
    whole = report(space)
    assert "scale 5 to 9 taken from the marks" in whole
    assert "worst cases of blocked answers, and intervals of a mean" in whole
    assert "meant to hold however marks are spread" not in whole


def test_a_named_scale_carries_what_it_did(space: Space) -> None:
    """With the option all figures stand, and nothing is said of a scale that was taken."""
    found = few(space, "--scale", "1-10")
    assert "scale_taken" not in found
    arms = found["arms"]
    assert all(arm["total"]["kind"] == "bounded" for arm in arms)  # type: ignore[attr-defined]  # JSON
    assert all(arm["worst_low"] < arm["worst_high"] or arm["answered"] == 4 for arm in arms)  # type: ignore[attr-defined]  # JSON
    assert "taken from the marks" not in report(space)
    kept = space.ask("SELECT facts FROM runs")
    assert "scale_taken" not in json.dumps([str(one) for one in kept])


def test_marks_beyond_every_usual_scale_get_no_guess(space: Space) -> None:
    """What holds no usual scale is not offered one."""
    rows = [(f"i{n}", arm, "c", "m", -n * (3 + len(arm))) for n in range(4) for arm in ("a", "bb")]
    assert space.take(space.csv(rows)).code == 0
    (first, _) = space.table()["arms"]
    assert first["total"]["how"] == "name the scale at the import: --scale LOW-HIGH"


def test_a_blank_mark_may_lie_beyond_a_scale_that_was_taken(space: Space) -> None:
    """No worst case holds up a place there: named, 4 blanks at the top end leave b below a."""
    rows = [
        (f"i{n}", arm, "c", "m", "" if arm == "b" and n < 4 else mark + n % 2)
        for n in range(10)
        for arm, mark in (("a", 8), ("b", 2))
    ]
    assert space.take(space.csv(rows)).code == 0
    taken = space.table()
    assert [arm["placed"] for arm in taken["arms"]] == [True, False]
    assert not any(one["firm"] or one["separated"] for one in taken["pairs"])
    assert "open: answers without a total could turn it" in report(space)
    assert space.take(space.csv(rows), "--scale", "1-10", run="runs/named").code == 0
    named = space.table(run="runs/named")
    assert [arm["placed"] for arm in named["arms"]] == [True, True]
    assert all(one["firm"] and one["separated"] for one in named["pairs"])


def test_an_arm_without_any_total_leaves_ranks_open(space: Space) -> None:
    """It may stand above any other: the less is known, the wider are the ranks."""
    rows = [
        (f"i{n}", arm, "c", "m", "" if arm == "best" else mark + n % 2)
        for n in range(10)
        for arm, mark in (("x", 3), ("y", 7), ("best", 0))
    ]
    assert space.take(space.csv(rows), "--scale", "1-10").code == 0
    found = space.table()
    arms = {arm["arm"]["id"]: arm for arm in found["arms"]}
    assert [(arms[name]["rank_low"], arms[name]["rank_high"]) for name in "yx"] == [(1, 2), (2, 3)]
    assert (arms["best"]["rank_low"], arms["best"]["place_code"]) == (None, "nothing_scored")
    text = " ".join(space.judge("table", "runs/given").out.split())
    assert "Not placed: best (10 answers without a total)." in text
    assert "y is the best" not in text


SCORES = "arm,clear,true,total\n" + "".join(
    f"a{at},{at},{at + 1},{2 * at + 1}\n" for at in range(9)
)


@pytest.mark.parametrize(
    ("head", "words", "low", "high", "taken"),
    [
        ("arm,clear,true,total", (), 0, 17, True),
        ("arm,clear,true,total", ("--scale", "0-100"), 0, 100, False),
        ("arm,clear /10,true /10,total", (), 0, 20, False),
    ],
)
def test_published_scores_say_where_their_scale_is_from(
    space: Space, head: str, words: tuple[str, ...], low: float, high: float, *, taken: bool
) -> None:
    """Only rules or the option name it; the highest total is no end of a scale."""
    path = space.root / "scores.csv"
    path.write_text(SCORES.replace("arm,clear,true,total", head))
    said = space.judge("import", "scores", path, "--to", "runs/given", *words)
    assert ("taken from the marks; --scale names it" in said.out) is taken, said.err
    table = space.table()
    assert (table["scale_low"], table["scale_high"]) == (low, high)
    assert table.get("scale_taken", False) is taken
    first = space.judge("table", "runs/given").out.splitlines()[0]
    assert ("scale 0 to 17 taken from the marks" in first) is taken
    plan = " ".join(space.judge("power", "runs/given").out.split())
    assert ("Scale 0 to 17 taken from the marks" in plan) is taken
    assert space.json("power").get("scale_taken", False) is taken


def test_a_scale_that_is_none_is_refused_for_scores(space: Space) -> None:
    """As for marks, in one line."""
    path = space.root / "scores.csv"
    path.write_text(SCORES)
    said = space.judge("import", "scores", path, "--scale", "high")
    assert (said.code, "--scale is high; write LOW-HIGH" in said.err) == (2, True)


def test_a_gap_wider_than_the_marks_lie_apart_is_found_on_no_page(space: Space) -> None:
    """The table, its report and the plan say the same of a scale whose ends are not known."""
    given = {"a": (5, 1, 4), "b": (1, 5, 2)}
    rows = [(f"i{n}", arm, "c", "m", marks[n]) for arm, marks in given.items() for n in range(3)]
    assert space.take(space.csv(rows)).code == 0
    assert space.table()["detectable"]["code"] == "beyond_marks"
    said = "no gap as wide as these marks lie apart would be found reliably"
    for page in ("table", "power"):
        assert said in " ".join(space.judge(page, "runs/given").out.split()).lower()
    assert "is found in 80 %" not in report(space)


def test_all_pairs_say_which_are_open(space: Space) -> None:
    """Beside a low p the list of all tests says what the differences say, on every page."""
    rows = [
        (f"i{n}", arm, "c", "m", "" if arm == "b" and n < 4 else mark + n % 2)
        for n in range(10)
        for arm, mark in (("a", 8), ("b", 2))
    ]
    assert space.take(space.csv(rows)).code == 0
    text = " ".join(space.judge("table", "runs/given", "--extended").out.split())
    _, tests = text.split("All pairs, all tests")
    assert "open: answers without a total could turn it" in tests
    _, tests = report(space).split("## All pairs, all tests")
    assert "| open: answers without a total could turn it |" in tests.split("##")[0]


def test_an_arm_below_those_without_a_place_is_not_named_as_the_best(space: Space) -> None:
    """The only arm that lacks no mark lies clearly last: no star, and nothing is recommended."""
    rows = [
        (f"i{n}", arm, "c", "m", "" if arm != "last" and n < 2 else mark + n % 2)
        for n in range(12)
        for arm, mark in (("first", 8), ("second", 6), ("last", 2))
    ]
    assert space.take(space.csv(rows)).code == 0
    found = space.table("--extended")
    assert found["best"] == []
    assert [arm["may_be_best"] for arm in found["arms"]] == [None, None, False]
    assert found["extended"]["criteria"][0]["best"] == []
    text = " ".join(space.judge("table", "runs/given").out.split())
    assert "No placed arm may be best: all score below one not placed." in text
    assert "import with --scale LOW-HIGH, or mark their 4 answers without a total" in text
    assert "No arm is recommended: first and second, not placed, may be best." in report(space)
    assert space.take(space.csv(rows), "--scale", "1-10", run="runs/named").code == 0
    assert space.table(run="runs/named")["best"] == ["first"]


def test_the_only_arm_that_is_placed_is_not_recommended(space: Space) -> None:
    """It is a choice of one: nothing was held against it that stands in a place."""
    rows = [
        (f"i{n}", arm, "c", "m", "" if arm == "b" and n < 2 else 5 + (n + at) % 3)
        for n in range(12)
        for at, arm in enumerate("ab")
    ]
    assert space.take(space.csv(rows)).code == 0
    told = report(space)
    assert "No arm is recommended: a is the only arm that is placed, and b, not placed" in told
