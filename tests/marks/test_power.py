"""`judge power`: items, repeats and judges for a wished-for difference."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from judgebench.stats.planning import items_needed
from judgebench.stats.share_spreads import share_spreads
from judgebench.stats.spreads import averaged_spread
from tests.marks.space import AGAIN, Space


def noisy(
    *, items: int, repeats: int = 1, raters: int = 1, arms: int = 3, noise: float = 0.8
) -> list[tuple[object, ...]]:
    """Marks with a known spread: item × arm 1, leaning of a rater on a cell 0.5, noise 0.8."""
    rng = np.random.default_rng(5)
    base = 5 + rng.normal(0, 1, (arms, items)) + 0.4 * np.arange(arms)[:, None]
    lean = rng.normal(0, 0.5, (raters, arms, items))
    return [
        (f"i{i}", f"arm{a}", "c", f"m{r}",
         round(float(np.clip(base[a, i] + lean[r, a, i] + rng.normal(0, noise), 0, 10)), 2), again)
        for r in range(raters)
        for again in range(repeats)
        for a in range(arms)
        for i in range(items)
    ]  # fmt: skip


def plan(space: Space, *words: object) -> dict[str, Any]:
    """`judge power --json`."""
    return space.json("power", *words)


def test_items_come_from_the_spread_of_the_run(space: Space) -> None:
    """What is printed is the rule of the statistics on this run's worst pair."""
    space.take(space.csv(noisy(items=40), head=AGAIN), "--scoring", "again", "--scale", "0-10")
    found = plan(space, "--delta", "0.7")
    (row,) = found["rows"]
    spread = found["spread"]["sd"]
    assert row["spread"] == pytest.approx(spread)
    assert row["items_one"] == items_needed(spread, 0.7)
    assert row["items_all"] == items_needed(spread, 0.7, comparisons=3)
    assert found["spread"]["n"] == 40
    # Half as large a gap takes about four times the items.
    assert plan(space, "--delta", "0.35")["rows"][0]["items_one"] == pytest.approx(
        4 * row["items_one"], rel=0.1
    )


def test_the_page_says_how_many_items_its_worst_pair_shares(space: Space) -> None:
    """A run has more items than two arms of it share: each figure names its own."""
    rows = [row for row in noisy(items=12) if not (row[1] == "arm0" and row[0] in {"i0", "i1"})]
    space.take(space.csv(rows, head=AGAIN), "--scoring", "again", "--scale", "0-10")
    found = plan(space, "--arms", "arm0,arm1")
    assert (found["detectable"]["n"], found["spread"]["n"]) == (10, 10)
    said = " ".join(space.judge("power", "runs/given", "--arms", "arm0,arm1").out.split())
    assert "As it is, on the 10 items that this pair shares, a true gap of " in said
    assert "Shared items needed (80 % power, 95 %)" in said


def test_two_arms_are_one_comparison(space: Space) -> None:
    """With --arms only their own spread and one comparison count."""
    space.take(space.csv(noisy(items=40), head=AGAIN), "--scoring", "again", "--scale", "0-10")
    found = plan(space, "--arms", "arm0,arm2")
    assert (found["arms"], found["comparisons"]) == (["arm0", "arm2"], 1)
    assert {found["spread"]["first"], found["spread"]["second"]} == {"arm0", "arm2"}
    assert all(row["items_one"] == row["items_all"] for row in found["rows"])
    said = space.judge("power", "runs/given", "--arms", "arm0,arm9")
    assert (said.code, "has no arm arm9; it has: arm0, arm1, arm2" in said.err) == (2, True)


@pytest.mark.parametrize("arms", ["arm1", "arm1,arm1", ",", ""])
def test_a_plan_needs_two_arms(space: Space, arms: str) -> None:
    """One arm is no comparison, twice the same is one, and no name is not all of them."""
    space.take(space.csv(noisy(items=6), head=AGAIN), "--scoring", "again", "--scale", "0-10")
    said = space.judge("power", "runs/given", "--arms", arms)
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    told = "name two or more of arm0, arm1, arm2" if "arm1" in arms else "names nothing; write A,B"
    assert told in said.err


def test_a_dash_in_a_plan_has_its_reason(space: Space) -> None:
    """A gap that no number of items is known to show is said to be one."""
    space.take(space.csv(noisy(items=6), head=AGAIN), "--scoring", "again", "--scale", "0-10")
    said = space.judge("power", "runs/given", "--delta", "1e-300").out
    assert "-: up to 10,000,000 items none is known to show it" in said
    assert "-: up to" not in space.judge("power", "runs/given", "--delta", "1").out


def test_a_run_without_a_spread_gets_a_table_of_assumed_ones(space: Space) -> None:
    """Two items estimate nothing; the text says so and shows assumptions."""
    space.take(space.csv(noisy(items=2), head=AGAIN), "--scoring", "again", "--scale", "0-10")
    found = plan(space)
    assert found["spread"]["code"] == "too_few_items"
    assert [row["spread"] for row in found["rows"]] == pytest.approx([0.7, 1.0, 1.3, 1.8] * 2)
    text = space.judge("power", "runs/given").out
    assert "This run cannot estimate its spread: needs ≥ 3 items, have 2" in text
    assert "assumed spreads" in text


def test_assumed_spreads_of_shares_are_those_of_comparisons(space: Space) -> None:
    """A share moves by whole halves of a comparison: it spreads more than marks are taken to."""
    pairs = (("north", "south"), ("north", "west"), ("south", "west"))
    path = space.csv([(f"i{at}", *pair, 1) for at in range(2) for pair in pairs],
                     head=("item", "a", "b", "mark"))  # fmt: skip
    said = space.judge(
        "import", "marks", path, "--to", "runs/given", "--item", "item", "--arm-a", "a",
        "--arm-b", "b", "--mark", "mark",
    )  # fmt: skip
    assert said.code == 0, said.err
    found = plan(space)
    assert found["spread"]["code"] == "too_few_items"
    assert [row["spread"] for row in found["rows"]] == pytest.approx([*share_spreads(3)] * 2)
    assert found["rows"][0]["items_one"] == items_needed(share_spreads(3)[0], 0.2)
    drawn = space.json("sample", "--items", "2")
    assert (drawn["spread_from"], drawn["spread"]) == (
        "assumed",
        pytest.approx(share_spreads(3)[2]),
    )
    page = " ".join(space.judge("power", "runs/given").out.split())
    assert "all arms compared with all: 50, 25 and 0 % of comparisons tied, and one clear" in page


def test_repeats_save_what_the_noise_costs(space: Space) -> None:
    """The projected spread falls by the noise alone, and the figures say what is cheaper."""
    space.take(
        space.csv(noisy(items=60, repeats=2), head=AGAIN), "--scoring", "again", "--scale", "0-10"
    )
    found = plan(space, "--delta", "0.5", "--repeats", "8")
    assert found["noise"]["value"] == pytest.approx(0.8, abs=0.1)
    spreads = {row["repeats"]: row["spread"] for row in found["repeat_rows"]}
    assert list(spreads) == [1, 2, 3, 5, 8, 10]
    assert spreads[2] == pytest.approx(found["spread"]["sd"])
    noise = 2 * found["noise"]["value"] ** 2
    assert spreads[1] ** 2 - spreads[2] ** 2 == pytest.approx(noise / 2)
    assert found["rows"][0]["spread"] == pytest.approx(spreads[8])
    text = space.judge("power", "runs/given").out
    assert "Measured: the total of one answer varies by" in text
    assert "plan for more items or more judges" in text
    assert "other numbers of scorings" not in text
    assert "Fewest judgings" not in text
    assert "requests" not in text


def test_more_judges_are_projected_from_those_who_were_asked_the_same(space: Space) -> None:
    """The mean of several judges spreads less; with one judge it is not known."""
    space.take(
        space.csv(noisy(items=80, raters=4), head=AGAIN), "--scoring", "again", "--scale", "0-10"
    )
    found = {n: plan(space, "--judges", n)["rows"][0]["spread"] for n in (1, 2, 4, 16)}
    assert found[1] > found[2] > found[4] > found[16]
    # Leaning 0.5 and noise 0.8 of each judge, twice for a difference.
    assert found[1] ** 2 - found[2] ** 2 == pytest.approx(2 * (0.25 + 0.64) / 2, rel=0.25)
    assert "4 judges together" in space.judge("power", "runs/given", "--judges", 8).out


def test_other_judges_are_refused_where_there_is_one(space: Space) -> None:
    """One judge says nothing of another: the figures stay those of one."""
    space.take(space.csv(noisy(items=20), head=AGAIN), "--scoring", "again", "--scale", "0-10")
    found = plan(space, "--judges", "3")
    assert found["judges_refused"]["code"] == "too_few_judges"
    assert {row["judges"] for row in found["rows"]} == {1}
    text = space.judge("power", "runs/given", "--judges", "3").out
    refused = "Other numbers of judges are not projected: needs ≥ 2 judges, have 1"
    # Before the table of one judge, which would else be read as that of three.
    assert text.index(refused) < text.index("Shared items needed")
    assert "1 judge, 1 scoring each (not for other numbers of judges)" in " ".join(text.split())


def test_noise_that_nobody_measured_is_said(space: Space) -> None:
    """Without a second scoring no saving is claimed."""
    space.take(space.csv(noisy(items=20), head=AGAIN), "--scoring", "again", "--scale", "0-10")
    assert plan(space)["repeat_rows"] == []
    text = " ".join(space.judge("power", "runs/given").out.split())
    assert "What more repeats would save is not known" in text
    # Nobody can judge marks of a file again.
    assert "have 0. These marks were given elsewhere" in text
    assert "--repeats" not in text
    text = " ".join(space.judge("power", "runs/given", "--repeats", 5).out.split())
    assert "The spread above is of 1 scoring each, for 5 it is not known." in text


def test_marks_that_are_all_the_same_plan_nothing(space: Space) -> None:
    """The floor by the step alone is no spread of theirs, and no item drives a gap of nothing."""
    same = "".join(f"q{i},{arm},7\n" for i in range(12) for arm in ("alpha", "beta"))
    path = space.root / "same.csv"
    path.write_text("item,arm,mark\n" + same, encoding="utf-8")
    space.judge(
        "import", "marks", path, "--to", "runs/same", "--item", "item", "--arm", "arm",
        "--mark", "mark", "--scale", "1-10",
    )  # fmt: skip
    found = space.json("power", run="runs/same")
    assert (found["spread"]["code"], found["detectable"]["code"]) == ("no_variation",) * 2
    text = " ".join(space.judge("table", "runs/same").out.split())
    assert "Not printed: detectable gap, items needed" in text
    assert "Next: judge power" not in text
    text = space.judge("table", "runs/same", "--extended").out
    assert "One item less: alpha − beta is 0.00 on 12 items, whichever item is left out." in text
    assert "turns its sign" not in text


def test_where_noise_rules_repeats_are_the_cheaper_way_only_if_they_are(space: Space) -> None:
    """The verdict counts judgings: items × repeats."""
    space.take(
        space.csv(noisy(items=30, repeats=3, noise=2.0), head=AGAIN),
        "--scoring",
        "again",
        "--scale",
        "0-10",
    )
    found = plan(space)
    judgings = {row["repeats"]: row["items_all"] * row["repeats"] for row in found["repeat_rows"]}
    assert min(judgings, key=lambda r: (judgings[r], r)) == 1


@pytest.mark.parametrize(
    ("gap", "told"),
    [("nan", "not a finite number"), ("inf", "not a finite number"), ("11", "at most 10")],
)
def test_a_gap_that_no_marks_can_show_is_refused(space: Space, gap: str, told: str) -> None:
    """Neither what is no number nor what is wider than the scale is planned for."""
    space.take(space.csv(noisy(items=20), head=AGAIN), "--scoring", "again", "--scale", "0-10")
    said = space.judge("power", "runs/given", "--delta", gap)
    assert said.code == 2
    assert told in said.err
    assert said.err.count("\n") == 1
    small = space.judge("power", "runs/given", "--delta", "0.001")
    assert re.search(r"^ *0\.001 ", small.out, re.MULTILINE)


def test_a_run_that_was_never_judged_has_no_plan(space: Space) -> None:
    """The message says what to do first."""
    said = space.judge("power", "runs/nothing")
    assert (said.code, "does not exist; name a run folder" in said.err) == (2, True)


def test_averaged_spread_is_that_of_the_formula_and_never_below_rounding() -> None:
    """So many scorings leave 1/r of the noise; the floor of rounding stays."""
    assert averaged_spread(1.0, 0.5, have=1, want=2, step=1) == pytest.approx((1 - 0.25) ** 0.5)
    assert averaged_spread(1.0, 0.5, have=2, want=2, step=1) == pytest.approx(1.0)
    # As many again: what was measured, also where noise alone would be more.
    assert averaged_spread(0.81, 1.5, have=2, want=2, step=0.1) == pytest.approx(0.81)
    # Items cannot differ by less than nothing: what noise leaves is the least that there is.
    assert averaged_spread(0.1, 5.0, have=1, want=4, step=1) == pytest.approx((5 / 4) ** 0.5)
    assert averaged_spread(0.1, 0.0, have=1, want=4, step=1) == pytest.approx((1 / 24) ** 0.5)
    with pytest.raises(ValueError, match="have 0"):
        averaged_spread(1.0, 0.5, have=0, want=2, step=1)


def test_a_spread_that_is_the_floor_of_rounding_says_so(space: Space) -> None:
    """Equal differences are no certainty: the spread is the floor's, in the plan and the report."""
    rows = [
        (f"i{item}", arm, "clear", "meter", mark + item % 3, again)
        for item in range(12)
        for arm, mark in (("north", 5), ("south", 6))
        for again in (1, 2)
    ]
    space.take(space.csv(rows, head=AGAIN), "--scoring", "again", "--scale", "1-10")
    found = plan(space)
    assert all(row["floored"] for row in found["rows"])
    assert found["rows"][0]["spread"] == pytest.approx((1 / 12) ** 0.5)
    assert "0.29 floor" in space.judge("power", "runs/given").out
    (pair,) = space.json("table")["pairs"]
    assert pair["floored"] is True


def coarse(space: Space) -> None:
    """Two arms in whole points, eleven of twelve items apart by one: less than rounding leaves."""
    rows = [
        (f"i{item}", arm, "c", "m", 5 + (arm == "north") * (item != 0) + item % 2)
        for item in range(12)
        for arm in ("north", "south")
    ]
    space.take(space.csv(rows), "--scale", "1-10")


def test_a_floor_of_rounding_is_not_called_measured(space: Space) -> None:
    """Both figures stand side by side, and of two arms there is no worst pair."""
    coarse(space)
    found = plan(space)
    by_hand = float(np.std([0, *[1] * 11], ddof=1))
    assert found["spread"]["measured"] == pytest.approx(by_hand)
    assert found["spread"]["sd"] == pytest.approx((2 / 12) ** 0.5)
    said = " ".join(space.judge("power", "runs/given").out.split())
    assert "paired difference: 0.41 points, the floor of rounding; measured: 0.29 (north" in said
    assert "worst pair" not in said


def test_items_below_those_that_tell_a_gap_are_explained(space: Space) -> None:
    """Twelve items refuse the smallest gap, and the table below names no more for one gap."""
    coarse(space)
    found = plan(space)
    assert found["detectable"]["code"] == "too_many_ties"
    assert found["rows"][0]["items_one"] < found["detectable"]["need"]
    words = "Items needed may be fewer, for each is of one given gap"
    assert words in " ".join(space.judge("power", "runs/given").out.split())
    space.judge("report", "runs/given", "--no-html")
    (report,) = (space.root / "reports").rglob("report.md")
    assert words in report.read_text(encoding="utf-8")


def test_arms_without_a_mark_are_planned_for(space: Space) -> None:
    """A pass that marked one arm of three, or two of three, is planned for three comparisons."""
    rows = [
        (f"i{item}", arm, "c", rater, 3 + (item * 3 + place * item) % 5)
        for item in range(12)
        for place, arm in enumerate(("north", "south", "west"))
        for rater, arms in (("one", 1), ("two", 2), ("three", 3))
        if place < arms
    ]
    space.take(space.csv(rows), "--scale", "1-10")
    for judge, without in (("one", ["south", "west"]), ("two", ["west"]), ("three", [])):
        found = plan(space, "--pass", judge)
        assert found["comparisons"] == 3
        assert found["unmarked"] == without
        assert found["rows"][1]["items_all"] > found["rows"][1]["items_one"]
    said = " ".join(space.judge("power", "runs/given", "--pass", "two").out.split())
    assert "3 arms · 3 comparisons" in said
    assert "west has no total here: planned for as if like the others" in said
    # The spread is of the one pair that has marks.
    assert "worst pair" not in said
    assert plan(space, "--pass", "two", "--arms", "north,south")["comparisons"] == 1


def test_the_page_says_for_how_many_people_its_spread_is_projected(space: Space) -> None:
    """Cells that fewer people marked spread more: the rows are of as many as marked most."""
    rows = [
        row[:5]
        for row in noisy(items=30, raters=3, arms=2)
        if row[3] == "m0" or int(str(row[0])[1:]) % 3 == 0
    ]
    space.take(space.csv(rows), "--scale", "0-10", "--rater-kind", "human")
    found = plan(space)
    assert found["spread"]["scorings"] == pytest.approx(1 / (2 / 3 + 1 / 9))
    assert found["rows"][0]["spread"] < found["spread"]["sd"]
    said = " ".join(space.judge("power", "runs/given").out.split())
    assert "Spread here is projected to 3 people an answer; the measured one, " in said
    assert "is of 1.3 people an answer (harmonic mean)." in said
    assert "people · up to 3 people an answer Spread" in said


def test_a_spread_of_the_design_that_was_measured_needs_no_word(space: Space) -> None:
    """As many scorings of each cell: nothing is projected."""
    space.take(space.csv(noisy(items=20), head=AGAIN), "--scoring", "again", "--scale", "0-10")
    assert "projected" not in space.judge("power", "runs/given").out


@pytest.mark.parametrize("gaps", [False, True])
def test_what_a_person_gives_more_is_no_noise_of_a_difference(space: Space, *, gaps: bool) -> None:
    """People of other levels: fewer or more of them project by their differences of two arms."""
    rng = np.random.default_rng(5)
    rows, apart = [], []
    for item in range(24):
        own = 5 + rng.normal(0, 0.5, 2)
        for person, level in (("p", 0.0), ("q", 3.0), ("s", -3.0)):
            mark = np.round(own + level + rng.normal(0, 0.8, 2), 1)
            if gaps and person == "s" and item % 2:
                # Who marks one arm alone is held against nobody.
                rows.append((f"i{item}", "a", "c", person, mark[0]))
                continue
            rows += [(f"i{item}", arm, "c", person, mark[at]) for at, arm in enumerate("ab")]
            apart.append((item, mark[0] - mark[1]))
    space.take(space.csv(rows), "--scale", "-10-20", "--rater-kind", "human")
    item, gap = np.array(apart).T
    means = np.bincount(item.astype(int), gap) / np.bincount(item.astype(int))
    inside = np.sqrt(((gap - means[item.astype(int)]) ** 2).sum() / (gap.size - means.size))
    found = plan(space, "--repeats", "1")
    assert found["noise"]["value"] == pytest.approx(inside)
    assert found["noise_of_gap"] is True
    had = found["spread"]["scorings"]
    assert had == pytest.approx(1 / (1 / 4 + 1 / 6) if gaps else 3)
    wide = averaged_spread(found["spread"]["sd"], inside**2, have=had, want=1, step=0.1)
    assert found["rows"][0]["spread"] == pytest.approx(wide)
    assert 0.8 < wide < 2
    said = " ".join(space.judge("power", "runs/given").out.split())
    assert "the difference of those two arms on one item varies by " in said


def take(space: Space, rows: Sequence[Sequence[object]]) -> None:
    """Marks whose last column numbers the scorings."""
    space.take(space.csv(rows, head=AGAIN), "--scoring", "again", "--scale", "0-10")


def test_other_numbers_of_judges_stand_beside_what_was_asked(space: Space) -> None:
    """Where several judges marked the same, without asking; each row is that of --judges."""
    take(space, noisy(items=30, raters=3))
    found = plan(space, "--pass", "m0")
    assert [row["judges"] for row in found["judge_rows"]] == [1, 2, 3, 5]
    spreads = [row["spread"] for row in found["judge_rows"]]
    assert spreads == sorted(spreads, reverse=True)
    (five, *_) = plan(space, "--pass", "m0", "--judges", "5")["rows"]
    assert found["judge_rows"][3] == five
    said = " ".join(space.judge("power", "runs/given", "--pass", "m0").out.split())
    assert "with other numbers of judges, 1 scoring each, of judges like those" in said


def test_one_judge_has_no_other_numbers_of_judges(space: Space) -> None:
    """Nothing is known of what another one would say."""
    take(space, noisy(items=30))
    assert plan(space)["judge_rows"] == []


def test_repeats_that_nobody_measured_are_in_no_title(space: Space) -> None:
    """The rows are of the scorings that there are, and the page says that others are unknown."""
    take(space, noisy(items=30, raters=2))
    words = ("--pass", "m0", "--judges", "2", "--repeats", "3")
    found = plan(space, *words)
    assert {row["repeats"] for row in found["rows"]} == {1}
    assert found["repeats_asked"] == 3
    said = " ".join(space.judge("power", "runs/given", *words).out.split())
    assert "2 judges, 1 scoring each" in said
    assert "The spread above is of 1 scoring each, for 3 it is not known." in said
    assert "3 scorings" not in said


def test_noise_below_rounding_is_not_called_measured(space: Space) -> None:
    """A judge that repeats itself exactly: what is taken is the floor."""
    rows = [
        (item, arm, c, rater, float(round(float(str(mark)))), 1 + again)
        for item, arm, c, rater, mark, _ in noisy(items=20)
        for again in range(2)
    ]
    take(space, rows)
    found = plan(space)
    assert found["noise_floored"] is True
    said = " ".join(space.judge("power", "runs/given").out.split())
    assert "varies less than rounding between scorings; the floor of rounding, 0.29 points" in said


def test_a_plan_for_people_counts_persons_and_keeps_what_they_differ_by(space: Space) -> None:
    """Three people, two rounds, gaps: three an answer, and never less than they differ by alone."""
    rng = np.random.default_rng(11)
    rows = [
        (f"i{item}", arm, "c", who, int(np.clip(round(3 + place + rng.normal(0, 1)), 1, 5)), again)
        for item in range(18)
        for place, arm in enumerate(("north", "south"))
        for who in ("ann", "ben", "chloe")
        for again in ((1, 2) if item % 4 == 0 else (1,))
        if (item + len(who)) % 3
    ]
    words = ("--rater-kind", "human", "--scoring", "again", "--scale", "1-5")
    space.take(space.csv(rows, head=AGAIN), *words)
    found = space.json("power")
    assert found["repeats"] <= 3
    between = found["noise"]["value"]
    for row in (*found["rows"], *found["repeat_rows"]):
        assert row["spread"] >= between / row["repeats"] ** 0.5 - 1e-9


def test_a_plan_of_shares_is_of_arms_that_are_alike(space: Space) -> None:
    """Nine of twelve: sd 0.905 at a gap of ½ is 1.04 where there is none, and 2.8² ÷ 0.2² items."""
    rows = [(f"i{n}", "a", "b", "meter", 1 if n < 9 else -1) for n in range(12)]
    path = space.csv(rows, head=("item", "one", "two", "rater", "mark"))
    words = ("--item", "item", "--arm-a", "one", "--arm-b", "two", "--rater", "rater")
    said = space.judge("import", "marks", path, "--to", "runs/given", *words, "--mark", "mark")
    assert said.code == 0, said.err
    found = space.json("power")
    spread = np.std([1.0] * 9 + [-1.0] * 3, ddof=1) / (1 - 0.5**2) ** 0.5
    assert found["spread"]["sd"] == pytest.approx(spread)
    assert [row["gap"] for row in found["rows"]] == [0.2, 0.1]
    assert 190 < found["rows"][0]["items_one"] < 240


def test_arms_that_never_lost_give_a_plan_no_spread(space: Space) -> None:
    """Twelve of twelve says nothing of arms that are alike: spreads are assumed."""
    rows = [(f"i{n}", "a", "b", "meter", 1) for n in range(12)]
    path = space.csv(rows, head=("item", "one", "two", "rater", "mark"))
    words = ("--item", "item", "--arm-a", "one", "--arm-b", "two", "--rater", "rater")
    space.judge("import", "marks", path, "--to", "runs/given", *words, "--mark", "mark")
    found = space.json("power")
    assert found["spread"]["code"] == "zero_spread"
    assert [row["spread"] for row in found["rows"]][:3] == pytest.approx([0.5**0.5, 0.75**0.5, 1.0])


@pytest.mark.parametrize("items", [6, 9, 14, 31])
def test_what_these_items_find_they_are_enough_for(space: Space, items: int) -> None:
    """Items needed and the gap that is found are each other's inverse."""
    take(space, noisy(items=items))
    found = space.json("power")
    gap, n = found["detectable"]["value"], found["spread"]["n"]
    for wished in (0.9 * gap, 0.99 * gap, 1.001 * gap, 1.1 * gap, 1.5 * gap):
        (row,) = space.json("power", "--delta", f"{wished:.6f}")["rows"]
        assert (row["items_all"] <= n) == (wished >= gap), (wished, gap, row)
        assert row["items_one"] <= row["items_all"]
