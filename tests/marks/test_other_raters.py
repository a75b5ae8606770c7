"""People who marked different arms: what one of them gives more is not what an arm is worth."""

import json
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from judgebench.pipeline.figures.by_raters import within
from tests.marks.space import Space

Row = tuple[str, str, str, int]
HEAD = ("item", "arm", "rater", "mark")
TAKEN = ("--item", "item", "--arm", "arm", "--rater", "rater", "--mark", "mark", "--scale", "1-10")


def take(space: Space, rows: Iterable[Row], *, run: str = "runs/given") -> None:
    """Marks of people as a run."""
    said = space.judge(
        "import", "marks", space.csv(list(rows), head=HEAD), "--to", run, *TAKEN,
        "--rater-kind", "human",
    )  # fmt: skip
    assert said.code == 0, said.err


def lenient() -> Iterable[Row]:
    """One person ties three arms, another marked one of them alone, and high."""
    for k in range(12):
        yield from ((f"i{k}", arm, "p1", 5 + k % 2) for arm in "abc")
        yield f"i{k}", "a", "gen", 9 + k % 2


def apart() -> Iterable[Row]:
    """One person marked a alone, another b and c; c is a little better."""
    for k in range(12):
        yield f"i{k}", "a", "gen", 9 + k % 2
        yield f"i{k}", "b", "p1", 5 + k % 2
        yield f"i{k}", "c", "p1", 6 + k % 2 + (k % 3 > 1)


def crowd(seed: int) -> list[Row]:
    """Three of eight persons an answer, each with a leniency of their own."""
    rng = np.random.default_rng(seed)
    rows = []
    for k in range(30):
        for at, arm in enumerate("abcd"):
            for p in rng.choice(8, 3, replace=False).tolist():
                mark = 3 + at + p % 3 + int(rng.integers(-1, 2))
                rows.append((f"i{k}", arm, f"p{p}", mark))
    return rows


def arms(found: dict[str, Any]) -> dict[str, Any]:
    """Rows of the table by arm."""
    return {one["arm"]["id"]: one for one in found["arms"]}


def warned(found: dict[str, Any]) -> dict[str, Any]:
    """Facts of the warning; empty where there is none."""
    codes = [one["facts"] for one in found["warnings"] if one["code"] == "raters_differ"]
    return dict(codes[0]) if codes else {}


def test_a_lenient_person_who_saw_one_arm_makes_it_no_better(space: Space) -> None:
    """Who alone saw all arms ties them: nobody is best, and all three stand first."""
    take(space, lenient())
    found = space.table()
    rows = arms(found)
    assert sorted(found["best"]) == ["a", "b", "c"]
    assert {one["observed_rank"]["value"] for one in rows.values()} == {1}
    assert [pair["difference"]["value"] for pair in found["pairs"]] == [0.0] * 3
    assert not any(pair["separated"] for pair in found["pairs"])
    assert rows["a"]["mean"] == pytest.approx(7.5)
    assert warned(found) == {"marks": 12, "of": 48}


def test_arms_that_no_person_marked_side_by_side_are_not_compared(space: Space) -> None:
    """B and c are; each pair with a is refused by code and in a sentence."""
    take(space, apart())
    found = space.table()
    pairs = {frozenset((one["first"], one["second"])): one for one in found["pairs"]}
    for other in "bc":
        refused = pairs[frozenset(("a", other))]
        assert refused["difference"]["code"] == "raters_differ"
        assert (refused["difference"]["have"], refused["shared"]) == (0, 0)
        assert refused["separated"] is None
    assert pairs[frozenset("bc")]["difference"]["n"] == 12
    assert pairs[frozenset("bc")]["separated"]
    assert sorted(found["best"]) == ["a", "c"]
    assert not any(one["code"] == "unequal_items" for one in found["warnings"])
    said = space.judge("table", "runs/given", "--why")
    assert "one person marked both arms, have" in " ".join(said.out.split())
    page = space.judge("table", "runs/given").out
    assert "12 marks of 36 stand in none" in " ".join(page.split())


def test_where_no_two_arms_have_one_person_nothing_is_claimed(space: Space) -> None:
    """No ranks, no set, no winner: the first sentence says why."""
    take(space, ((f"i{k}", arm, f"p{at}", 5 + k % 3 + at) for k in range(12)
                 for at, arm in enumerate("abc")))  # fmt: skip
    found = space.table()
    assert found["best"]["code"] == "raters_differ"
    assert all(one["rank_low"] is None for one in found["arms"])
    assert all(one["observed_rank"]["code"] == "raters_differ" for one in found["arms"])
    assert warned(found) == {"marks": 36, "of": 36}
    page = " ".join(space.judge("table", "runs/given").out.split())
    assert "No two arms were marked by one person on 3 items" in page
    assert space.judge("report", "runs/given", "--extended").code == 0
    power = space.judge("power", "runs/given")
    assert power.code == 0
    assert "clusters" not in power.out


@pytest.mark.parametrize("seed", [1, 2])
def test_differences_are_those_within_a_person(space: Space, seed: int) -> None:
    """Beside arithmetic over a dict: the mean over all persons and items that have both."""
    rows = crowd(seed)
    take(space, rows)
    marks = {row[:3]: row[3] for row in rows}
    for pair in space.table()["pairs"]:
        gaps: dict[str, list[int]] = {}
        for item, arm, rater, mark in rows:
            other = marks.get((item, pair["second"], rater))
            if arm == pair["first"] and other is not None:
                gaps.setdefault(item, []).append(mark - other)
        every = [gap for one in gaps.values() for gap in one]
        assert pair["difference"]["value"] == pytest.approx(np.mean(every), abs=1e-9)
        assert pair["shared"] == pair["difference"]["n"] == len(gaps)


def test_a_person_who_marked_one_arm_changes_no_difference(space: Space) -> None:
    """As many marks within a person on every item: the same interval with or without the other."""
    rows = [(f"i{k}", arm, rater, 3 + (k * 7 + at * 3 + r) % 6) for k in range(9)
            for at, arm in enumerate("ab") for r, rater in enumerate(("p", "q"))]  # fmt: skip
    take(space, rows)
    plain = space.table()["pairs"][0]
    take(space, [*rows, *((f"i{k}", "a", "gen", 10) for k in range(9))], run="runs/more")
    found = json.loads(space.judge("table", "runs/more", "--json").out)["pairs"][0]
    sign = 1 if found["first"] == plain["first"] else -1
    assert sign * found["difference"]["value"] == pytest.approx(plain["difference"]["value"])
    width, other = (one["difference"]["high"] - one["difference"]["low"] for one in (plain, found))
    assert other == pytest.approx(width, abs=1e-9)
    assert found["difference"]["p"] == pytest.approx(plain["difference"]["p"], abs=1e-9)


def test_persons_who_all_marked_the_same_arms_stay_pooled() -> None:
    """Also where they saw different items, or an item lacks an arm for all of them."""
    who = np.full((2, 3, 2), -1)
    who[:, 0], who[:, 1], who[0, 2, 0] = [0, 1], [2, 0], 1
    totals = np.where(who >= 0, 4.0, np.nan)
    one = np.ones(who.shape, dtype=np.int64)
    nothing = np.zeros((2, 3), dtype=bool)
    assert within(totals, who, one, minimum=nothing, low=1.0) is None
    totals[1, 0, 1] = np.nan
    found = within(totals, who, one, minimum=nothing, low=1.0)
    assert found is not None
    assert (found.left_out, found.given) == (1, 8)


def test_no_mark_left_out_is_not_counted(space: Space) -> None:
    """Two people marked two arms each, and both always: the sentence has no 0 of so many."""
    rows = [
        (f"i{k}", arm, person, 5 + k % 3 + (arm == "b"))
        for k in range(12)
        for person, both in (("p1", "ab"), ("p2", "bc"))
        for arm in both
    ]
    take(space, rows)
    assert warned(space.table())["marks"] == 0
    said = " ".join(space.judge("table", "runs/given").out.split())
    assert "stand in none" not in said
    assert "within a person who marked both; an arm's mean is of all of its marks" in said


def test_a_plan_counts_items_and_not_persons_on_items(space: Space) -> None:
    """One mark that lacks leaves the spread of an item, and the items, about as they were."""
    rng = np.random.default_rng(3)
    rows = [
        (f"q{item}", f"arm{arm}", f"p{who}", int(np.clip(round(6 + level + rng.normal()), 1, 10)))
        for item, level in enumerate(rng.normal(0, 1, 12))
        for arm in range(3)
        for who in range(2)
    ]
    spread, needed = {}, {}
    for name, gone in (("whole", ()), ("gap", (5,))):
        left = [(*row[:3], "" if at in gone else row[3]) for at, row in enumerate(rows)]
        path = space.csv(left, head=("item", "arm", "rater", "mark"))
        said = space.judge(
            "import", "marks", path, "--to", f"runs/{name}", "--item", "item", "--arm", "arm",
            "--rater", "rater", "--mark", "mark", "--scale", "1-10", "--rater-kind", "human",
        )  # fmt: skip
        assert said.code == 0, said.err
        plan = space.json("power", run=f"runs/{name}")
        table = space.table(run=f"runs/{name}")
        spread[name] = plan["spread"]["sd"]
        assert plan["spread"]["n"] in {11, 12}
        assert table["detectable"]["n"] in {11, 12}
        needed[name] = [row["items_all"] for row in plan["rows"]]
        assert [wish[1] for wish in table["items_needed"]] == pytest.approx(needed[name], abs=2)
    assert spread["gap"] == pytest.approx(spread["whole"], rel=0.15)
    assert needed["gap"] == pytest.approx(needed["whole"], rel=0.3)


def test_one_reason_has_one_code_in_the_table_and_in_the_plan(space: Space) -> None:
    """Two items whoever marked them are too few items; with a third one it is who marked them."""
    few = [
        ("0", "b", "p", 7), ("1", "a", "p", 3), ("1", "b", "p", 6),
        ("2", "a", "q", 3), ("2", "b", "q", 9), ("2", "b", "p", 9),
    ]  # fmt: skip
    more = [*few, ("3", "a", "q", 4), ("3", "b", "p", 6)]
    for name, rows, code in (("few", few, "too_few_items"), ("more", more, "raters_differ")):
        take(space, rows, run=f"runs/{name}")
        plan, table = (space.json(word, run=f"runs/{name}") for word in ("power", "table"))
        figures = (plan["spread"], plan["detectable"], table["detectable"], table["items_needed"])
        assert [one["code"] for one in figures] == [code] * 4
        assert "cluster" not in space.judge("power", f"runs/{name}").out


def test_a_plan_of_two_arms_names_no_others(space: Space) -> None:
    """Items that both arms have of different people are no pair of arms to plan by."""
    rows = [
        *((f"i{k}", arm, "p", 3 + 2 * (arm == "b") + k % 3) for k in range(6) for arm in "ab"),
        *((f"i{k}", "a", "p", 4 + k % 2) for k in range(6, 9)),
        *((f"i{k}", "b", "q", 6 + k % 3) for k in range(6, 9)),
    ]
    take(space, [(*row[:3], row[3] + (row[1] == "b") * (at % 2)) for at, row in enumerate(rows)])
    spread = space.json("power")["spread"]
    assert (spread["n"], spread["most"]) == (6, 6)
    assert "others share" not in space.judge("power", "runs/given").out
