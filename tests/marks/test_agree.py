"""`judge agree` over imported marks: what it says agrees with the table, and nothing is made up."""

from typing import Any

import numpy as np
import pytest

from tests.marks.space import AGAIN, Space
from tests.marks.test_extended import extended, twice


def agreed(space: Space, *words: object) -> dict[str, Any]:
    """`judge agree --json`."""
    return space.json("agree", *words)


def test_noise_of_a_total_is_that_of_the_table(space: Space) -> None:
    """The floor of a total's noise is the lattice of totals, not of marks, as in the table."""
    rows = twice()
    # Most marks are the same again: rounding is the larger part of the noise.
    again = [(*row[:5], 1) for row in (*rows[:70], *rows[-2:])]
    path = space.csv([*rows[:72], *again], head=AGAIN)
    space.take(path, "--scale", "1-14", "--scoring", "again")
    by_table = extended(space)["repeats"][0]
    total = agreed(space)["rows"][-1]["noise"]
    assert by_table["criterion"] is None
    assert total["limit"] == pytest.approx(by_table["limit"])
    assert total["sd"]["value"] == pytest.approx(by_table["sd"]["value"])
    assert agreed(space)["raters"][0]["noise"]["limit"] == pytest.approx(by_table["limit"])


def test_arms_without_marks_stand_in_no_order(space: Space) -> None:
    """Nobody marked west, and one item of two is not enough to place south: both stand apart."""
    rows: list[tuple[object, ...]] = [
        ("i0", arm, "clear", "meter", mark)
        for arm, mark in (("north", 7), ("east", 7), ("south", 3), ("west", ""))
    ]
    space.take(space.csv([*rows, ("i1", "north", "clear", "meter", 6),
                          ("i1", "east", "clear", "meter", 6)]), "--scale", "1-10")  # fmt: skip
    text = space.judge("agree", "runs/given").out
    assert "1: north = east; not placed: south; not judged: west\n" in text
    rater = agreed(space)["raters"][0]
    assert (rater["order"], rater["means"]) == (["north", "east"], [6.5, 6.5])
    assert (rater["unplaced"], rater["unjudged"]) == (["south"], ["west"])


def alike(space: Space, *raters: str, arms: tuple[str, ...] = ("north", "south")) -> None:
    """Two arms that are level over eight items, marked by several."""
    rows = [
        (f"i{item}", arm, "clear", rater, 5 + (item + place) % 2)
        for rater in raters
        for item in range(8)
        for place, arm in enumerate(arms)
    ]
    space.take(space.csv(rows), "--scale", "1-10")


def test_passes_that_find_nothing_hold_nothing(space: Space) -> None:
    """Every arm may be best by both: no answer holds, and what can be said is said."""
    alike(space, "meter", "gauge")
    assert agreed(space)["verdict"] == "nothing_shown"
    text = " ".join(space.judge("agree", "runs/given").out.split())
    assert "HOLDS" not in text
    assert "NOTHING TO HOLD: neither pass shows any arm better than another" in text


def test_one_placed_arm_is_no_winner_that_holds(space: Space) -> None:
    """South and west lack most marks and are not placed: north alone beats nobody."""
    rows = [
        (f"i{item}", arm, "clear", rater, 7 - 2 * place + item % 2)
        for rater in ("meter", "gauge")
        for item in range(8)
        for place, arm in enumerate(("north", "south", "west"))
        if not place or item < 3
    ]
    space.take(space.csv(rows), "--scale", "1-10")
    found = agreed(space)
    assert [one["unplaced"] for one in found["raters"]] == [["south", "west"]] * 2
    assert found["verdict"] == "nothing_shown"
    text = " ".join(space.judge("agree", "runs/given").out.split())
    assert "HOLDS" not in text


@pytest.mark.parametrize(("items", "code"), [(1, "too_few_items"), (5, None)])
def test_concordance_of_means_needs_items(space: Space, items: int, code: str | None) -> None:
    """Three raters and three arms on one item have no Kendall's W of means."""
    rows = [
        (f"i{item}", arm, "clear", rater, 7 - 2 * place + item % 2)
        for rater in ("meter", "gauge", "ruler")
        for item in range(items)
        for place, arm in enumerate(("north", "south", "west"))
    ]
    space.take(space.csv(rows), "--scale", "1-10")
    assert agreed(space)["w_totals"].get("code") == code


def test_a_pass_that_is_not_compared_has_its_own_reason(space: Space) -> None:
    """People beside a judge are named as people, in the short page and in the long one."""
    rows: list[tuple[object, ...]] = [
        (f"i{item}", arm, "clear", rater, 5 + (item + place) % 2)
        for rater in ("meter", "ana")
        for item in range(8)
        for place, arm in enumerate(("north", "south"))
    ]
    space.take(space.csv(rows), "--scale", "1-10", "--judge", "meter")
    for view in ((), ("--extended",)):
        text = " ".join(space.judge("agree", "runs/given", *view).out.split())
        assert "marks of people" in text
        assert "another kind" not in text


def test_a_run_of_marks_is_not_sent_to_be_judged_again(space: Space) -> None:
    """It has no answers: neither the next step nor a refusal names `judge rejudge`."""
    alike(space, "meter")
    for view in ((), ("--extended",)):
        text = space.judge("agree", "runs/given", *view).out
        assert "One pass alone" in text
        assert "rejudge" not in text


def test_a_recommendation_says_that_another_judge_judged_too(space: Space) -> None:
    """One judge's best is not told without the command that holds the other against it."""
    rows: list[tuple[object, ...]] = [
        (f"i{item}", arm, "c", rater, (level if rater == "red" else 10 - level) + item % 2)
        for item in range(10)
        for arm, level in (("north", 8), ("south", 3))
        for rater in ("red", "blue")
    ]
    space.take(space.csv(rows), "--scale", "1-11")
    assert space.table()["best"] == ["north"]
    assert "Next: judge agree runs/given" in space.judge("table", "runs/given").out
    space.judge("report", "runs/given", "--no-html")
    (page,) = (space.root / "reports" / "given").glob("*/report.md")
    text = page.read_text(encoding="utf-8")
    told = "Another judge judged this run too: judge agree given says whether the answer holds."
    assert told in text
    assert "DOES NOT HOLD" in space.judge("agree", "given").out


def test_judges_of_pairs_are_named_without_a_command_that_refuses_them(space: Space) -> None:
    """Verdicts on pairs are held together by no command: the list of passes is named."""
    pairs = [(f"i{at}", "red", "blue", 1, who) for at in range(8) for who in ("m0", "m1")]
    path = space.csv(pairs, head=("item", "a", "b", "mark", "rater"))
    words = ["--item", "item", "--arm-a", "a", "--arm-b", "b", "--mark", "mark", "--rater", "rater"]
    said = space.judge("import", "marks", path, "--to", "runs/given", *words)
    assert said.code == 0, said.err
    space.judge("report", "runs/given", "--no-html")
    (page,) = (space.root / "reports" / "given").glob("*/report.md")
    told = "Another judge judged this run too: judge table given --passes."
    assert told in page.read_text(encoding="utf-8")
    assert "judge agree" not in space.judge("table", "runs/given").out


def test_items_that_no_judge_had_are_why_nothing_is_held(space: Space) -> None:
    """Two judges had other items of each arm, in part: nothing is blocked, no arm is placed."""
    rows: list[tuple[object, ...]] = [
        (f"i{item}", arm, "clear", rater, 4 + (item + place) % 3)
        for rater, items in (("few", 12), ("less", 12), ("all", 20))
        for item in range(items)
        for place, arm in enumerate(("north", "south"))
        if rater == "all" or (item < 8 if arm == "north" else item > 3)
    ]
    space.take(space.csv(rows), "--scale", "1-10")
    found = agreed(space, "--pass", "few,less")
    assert found["verdict"]["code"] == "never_given"
    text = " ".join(space.judge("agree", "runs/given", "--pass", "few,less").out.split())
    assert "too many of its items have no row in the file" in text
    assert "blocked" not in text


def test_where_people_compared_too_calibrate_is_named(space: Space) -> None:
    """Verdicts on pairs have no agreement of marks; people's are held against the judge's."""
    rows = [
        (f"i{n}", "a", "b", who, 1 if (n + at) % 3 else -1)
        for n in range(12)
        for at, who in enumerate(("gpt", "ann"))
    ]
    said = space.judge(
        "import", "marks", space.csv(rows, head=("item", "a", "b", "who", "mark")),
        "--to", "runs/given", "--item", "item", "--arm-a", "a", "--arm-b", "b",
        "--mark", "mark", "--rater", "who", "--judge", "gpt",
    )  # fmt: skip
    assert said.code == 0, said.err
    said = space.judge("agree", "runs/given")
    assert said.code == 2
    assert "judge calibrate holds its verdicts against those of people" in said.err
    people = space.judge("agree", "runs/given", "--pass", "people").err
    assert "holds a judge against these people" in people
    shown = people.split("judge calibrate --pass ")[1].split()[0]
    assert space.judge("calibrate", "runs/given", "--pass", shown).code == 0
    held = space.judge("calibrate", "runs/given").out
    assert "by one of them alone" not in held


@pytest.mark.parametrize(("kind", "who"), [(("--rater-kind", "human"), "people"), ((), "judges")])
def test_pairs_of_people_alone_are_not_sent_to_other_commands(
    space: Space, kind: tuple[str, ...], who: str
) -> None:
    """No judge is there that people could be held against, and a file of pairs has no arm."""
    rows = [
        (f"i{n}", "a", "b", name, 1 if (n + at) % 3 else -1)
        for n in range(12)
        for at, name in enumerate(("ann", "ben"))
    ]
    said = space.judge(
        "import", "marks", space.csv(rows, head=("item", "a", "b", "who", "mark")),
        "--to", "runs/given", "--item", "item", "--arm-a", "a", "--arm-b", "b",
        "--mark", "mark", "--rater", "who", *kind,
    )  # fmt: skip
    assert said.code == 0, said.err
    said = space.judge("agree", "runs/given")
    assert said.code == 2
    assert f"how {who} agree on pairs is not offered, judge table reads them" in said.err
    assert "--arm" not in said.err


HEAD = ("item", "arm", "rater", "mark")


def of_judges(space: Space, rows: list[tuple[object, ...]], *more: str) -> None:
    """Take in marks of several judges on 1 to 10."""
    head = (*HEAD[:3], "criterion", "mark") if more else HEAD
    said = space.judge(
        "import", "marks", space.csv(rows, head=head), "--to", "runs/given", "--item", "item",
        "--arm", "arm", "--rater", "rater", "--mark", "mark", "--scale", "1-10", *more,
    )  # fmt: skip
    assert said.code == 0, said.err


def test_arms_without_a_place_may_be_best_by_a_pass(space: Space) -> None:
    """Two judges who show nothing do not contradict each other where a few marks lack."""
    rng = np.random.default_rng(8)
    cells = [(at, arm) for at in range(20) for arm in range(4)]
    rows: list[tuple[object, ...]] = []
    for judge, lacks in (("one", 8), ("two", 6)):
        gone = {cells[at] for at in rng.choice(len(cells), lacks, replace=False)}
        rows += [
            (f"i{at}", f"arm-{arm}", judge, "" if (at, arm) in gone else int(rng.integers(3, 9)))
            for at, arm in cells
        ]
    of_judges(space, rows)
    found = space.json("agree")
    assert any(one["unplaced"] for one in found["raters"])
    assert not any(pair["separated"] for pair in space.table()["pairs"])
    assert found["verdict"] in {"nothing_shown", "mostly", "holds"}


@pytest.mark.parametrize("apart", ["arms", "items"])
def test_judges_without_a_common_answer_say_nothing_of_each_other(space: Space, apart: str) -> None:
    """Their sets of best are of other arms, or of other items."""
    rows: list[tuple[object, ...]] = [
        (f"i{at}", f"arm-{arm}", ("one", "two")[(arm if apart == "arms" else at) % 2],
         3 + (at * 5 + arm * at) % 6)
        for at in range(12)
        for arm in range(4)
    ]  # fmt: skip
    of_judges(space, rows)
    found = space.json("agree")
    assert found["verdict"]["code"] == "no_common_answer"
    out = space.judge("agree", "runs/given").out
    assert "no answer has a total by all of them" in out
    assert "HOLD" not in out


def test_a_panel_of_other_criteria_has_marks_and_no_total(space: Space) -> None:
    """Each judge marked one criterion: marks are there, and no answer has a total."""
    rows: list[tuple[object, ...]] = [
        (f"i{at}", f"arm-{arm}", judge, criterion, 3 + (at * 5 + arm) % 6)
        for at in range(12)
        for arm in range(3)
        for judge, criterion in (("one", "c0"), ("two", "c1"))
    ]
    of_judges(space, rows, "--criterion", "criterion")
    out = " ".join(space.judge("table", "runs/given", "--panel").out.split())
    assert "No mark was in the file" not in out
    assert "no answer has a mark on every criterion (no judge marked all of them)" in out
    assert space.json("agree")["verdict"]["code"] == "criterion_unmarked"


def test_a_judge_without_a_mark_is_told_as_such(space: Space) -> None:
    """That its marks are blank is why nothing is said, not that it shares no answer."""
    rows: list[tuple[object, ...]] = [
        (f"i{at}", f"arm-{arm}", judge, 3 + (at * 5 + arm * at) % 6 if judge == "one" else "")
        for at in range(12)
        for arm in range(3)
        for judge in ("one", "two")
    ]
    of_judges(space, rows)
    found = space.json("agree")
    assert found["verdict"]["code"] not in {"no_common_answer", "criterion_unmarked"}


def test_very_many_raters_are_not_set_side_by_side(space: Space) -> None:
    """Of 101 people each two would be 5,050 rows: refused with a reason, the rest stands."""
    rows = [
        (f"i{at}", "arm", f"p{who}", 1 + (at + who) % 9) for at in range(2) for who in range(101)
    ]
    said = space.judge(
        "import", "marks", space.csv(rows, head=HEAD), "--to", "runs/given", "--item", "item",
        "--arm", "arm", "--rater", "rater", "--mark", "mark", "--scale", "1-10",
        "--rater-kind", "human",
    )  # fmt: skip
    assert said.code == 0, said.err
    found = space.json("agree")
    assert found["pairs"]["code"] == "too_many_pairs"
    assert (found["pairs"]["have"], len(found["raters"])) == (5050, 101)
    out = " ".join(space.judge("agree", "runs/given", "--extended").out.split())
    assert "at most 4,950 pairs of raters are set side by side, have 5,050" in out


@pytest.mark.parametrize(("items", "code"), [(12, "too_few_items"), (24, "zero_spread")])
def test_a_figure_without_an_interval_says_why_in_json(space: Space, items: int, code: str) -> None:
    """Judges who agree on all: too few items for an interval, and later nothing that spreads."""
    of_judges(space, [
        (f"i{at}", f"arm-{arm}", judge, 3 + (at * 5 + arm * at) % 6)
        for at in range(items)
        for arm in range(3)
        for judge in ("one", "two")
    ])  # fmt: skip
    found = {row["criterion"]: row for row in space.json("agree")["rows"]}
    alpha = found[""]["alpha"]
    assert (alpha["value"], alpha["low"], alpha["high"]) == (1.0, None, None)
    assert alpha["no_interval"] == code


def test_the_level_of_one_item_by_several_judges_is_that_of_the_panel(space: Space) -> None:
    """E1, as everywhere: several judges tell their spread on this item."""
    rows = [("i0", arm, "c", f"m{n}", 7 - n) for arm in ("north", "south") for n in range(3)]
    space.take(space.csv(rows), "--scale", "1-10")
    assert agreed(space)["level"] == space.table("--panel")["level"] == 1


def test_alpha_of_few_items_has_no_interval_for_that_reason(space: Space) -> None:
    """Thirty items, of which two raters marked ten: neither perfect nor of a single item."""
    rng = np.random.default_rng(4)
    rows = [
        (f"i{item}", arm, "c", rater, int(rng.integers(3, 8)) + place)
        for item in range(30)
        for place, arm in enumerate(("north", "south"))
        for rater in ("meter", "gauge")
        if rater == "meter" or item < 10
    ]
    space.take(space.csv(rows), "--scale", "1-10")
    text = " ".join(space.judge("agree", "runs/given").out.split())
    assert "interval of alpha (needs ≥ 20 items that two raters marked, has fewer)" in text
    assert "perfect" not in text
