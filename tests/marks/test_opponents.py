"""Comparisons that were brought in: arms that met other opponents, or none in common."""

import csv

from tests.marks.space import Space

FORM = ("--item", "item", "--arm-a", "a", "--arm-b", "b", "--order", "order", "--mark", "mark")
ENDS = (("weak1", "weak2"), ("strong1", "strong2"))


def given(space: Space, *, linked: bool) -> None:
    """Two pairs of arms by themselves; linked, both strong arms beat the better weak one."""
    rows: list[tuple[object, ...]] = []
    for item in range(12):
        for order in ("AB", "BA"):
            won = 1 if order == "AB" or item % 3 else -1
            rows += [(f"i{item}", "weak1", "weak2", order, 1 if item else -1)]
            rows += [(f"i{item}", "strong1", "strong2", order, won)]
        if linked:
            rows += [(f"i{item}", "strong2", "weak1", "AB", 1 if item > 1 else -1)]
            rows += [(f"i{item}", "strong1", "weak1", "AB", 1 if item else -1)]
    path = space.csv(rows, head=("item", "a", "b", "order", "mark"))
    said = space.judge("import", "marks", path, "--to", "runs/given", *FORM)
    assert said.code == 0, said.err


def shown(space: Space, *words: str) -> str:
    """The table in one line."""
    return " ".join(space.judge("table", "runs/given", *words).out.split())


def report(space: Space) -> tuple[str, list[dict[str, str]], list[dict[str, str]]]:
    """report.md in one line, and the rows of ratings.csv and pairs.csv."""
    said = space.judge("report", "runs/given", "--extended")
    assert said.code == 0, said.err
    (folder,) = (space.root / "reports" / "given").iterdir()
    tables = []
    for name in ("ratings.csv", "pairs.csv"):
        with (folder / name).open(encoding="utf-8", newline="") as file:
            tables.append(list(csv.DictReader(file)))
    return " ".join((folder / "report.md").read_text("utf-8").split()), tables[0], tables[1]


def test_groups_that_never_met_have_no_common_best(space: Space) -> None:
    """No difference, no rank, no best between them; each page says so."""
    given(space, linked=False)
    found = space.table()
    assert (found["best"]["value"], found["best"]["code"]) == (None, "disconnected")
    groups = sorted(map(sorted, found["comparing"]["never_met"]))
    assert groups == [["strong1", "strong2"], ["weak1", "weak2"]]
    across = [one for one in found["pairs"] if one["first"][:4] != one["second"][:4]]
    assert len(across) == 4
    assert {(one["difference"]["code"], one["separated"]) for one in across} == {
        ("disconnected", None)
    }
    for arm in found["arms"]:
        assert (arm["rank_low"], arm["rank_high"], arm["may_be_best"]) == (None, None, None)
        assert (arm["place_code"], arm["observed_rank"]["code"]) == ("disconnected",) * 2
    assert found["detectable"]["code"] == found["items_needed"]["code"] == "disconnected"
    assert found["warnings"][0]["code"] == "never_met"
    text = shown(space)
    assert "No arm is the best of all: {" in text
    assert "never met, so nothing is said between them." in text
    assert "strengths allow for it" not in text
    why = shown(space, "--why")
    assert "strengths: the arms fall into 2 groups that never met" in why
    assert "every comparison" not in why
    page, ratings, pairs = report(space)
    assert "never met, so nothing is said between them." in page
    assert "May be best (" not in page
    assert {row["best_code"] for row in ratings} == {"disconnected"}
    codes = [row["difference_code"] for row in pairs]
    assert codes.count("disconnected") == 4
    assert codes.count("") == 2
    rows = [row for row in pairs if row["difference_code"]]
    assert {(row["p_sign_flip"], row["worst_case_low"], row["p_max_t"]) for row in rows} == {
        ("", "", "")
    }


def test_power_plans_nothing_between_groups(space: Space) -> None:
    """No number of items joins them; within a group a plan is made."""
    given(space, linked=False)
    said = space.judge("power", "runs/given")
    assert said.code != 0
    assert "its arms fall into 2 groups that never met" in said.err
    assert space.judge("power", "runs/given", "--arms", "strong1,strong2").code == 0


def test_arms_with_other_opponents_are_told_apart_by_strengths_alone(space: Space) -> None:
    """The share of weak1 is won against weak2: it claims nothing that strengths contradict."""
    given(space, linked=True)
    found = space.table()
    strengths = {one["arm"]: one["strength"]["value"] for one in found["comparing"]["arms"]}
    assert strengths["strong1"] > strengths["weak1"]
    codes = {
        frozenset((one["first"], one["second"])): one["difference"].get("code")
        for one in found["pairs"]
    }
    assert codes.pop(frozenset(("strong1", "strong2"))) is None
    assert set(codes.values()) == {"unequal_opponents"}
    assert {"weak1", "weak2", "strong1"} <= set(found["best"])
    assert {arm["observed_rank"]["code"] for arm in found["arms"]} == {"unequal_opponents"}
    text = shown(space)
    assert "5 of 6 pairs of arms were not compared with the same opponents" in text
    assert "so their shares won are not compared: read strengths." in text
    assert "weak1 wins more often" not in text
    assert "strengths allow for it" in text


def chain(space: Space, items: int) -> None:
    """Each arm meets its neighbour alone and mostly loses to it: no two arms met the same ones."""
    rows: list[tuple[object, ...]] = []
    for item in range(items):
        for at, (a, b) in enumerate((("a", "b"), ("b", "c"), ("c", "d"))):
            won = -1 if (item + at) % 4 == 0 else 1
            rows += [(f"i{item:02}", a, b, order, won) for order in ("AB", "BA")]
    path = space.csv(rows, head=("item", "a", "b", "order", "mark"))
    said = space.judge("import", "marks", path, "--to", "runs/given", *FORM)
    assert said.code == 0, said.err


def test_the_first_lines_draw_on_strengths_where_shares_are_not_compared(space: Space) -> None:
    """A few of the pairs are told apart by them, jointly; report.md says the same sentence."""
    chain(space, 40)
    found = space.table()
    assert {one["difference"].get("code") for one in found["pairs"]} == {"unequal_opponents"}
    said = (
        "so their shares won are not compared. By strengths, which allow for opponents, a is "
        "above the other 3 arms (95 %, over all pairs of arms)."
    )
    text = shown(space)
    assert said in text
    assert "no arm is shown better" not in text
    assert "read strengths" not in text
    assert said in report(space)[0]


def test_strengths_that_only_one_pair_would_bear_are_not_claimed(space: Space) -> None:
    """An interval by itself may leave out 0 where that over all pairs of arms does not."""
    chain(space, 24)
    arms = {one["arm"]: one["strength"] for one in space.table()["comparing"]["arms"]}
    assert arms["b"]["high"] < 0
    text = shown(space)
    assert "a is above c and d (95 %, over all pairs of arms)" in text


def test_arms_that_share_no_item_are_not_planned_together(space: Space) -> None:
    """No number of items of one group tells it from the other; each alone is planned."""
    rows = [
        (f"{pair}{at}", arm, 3 + (at * 5 + len(arm) * at) % 7)
        for pair in (("red", "green"), ("grey", "blue"))
        for at in range(6)
        for arm in pair
    ]
    path = space.csv(rows, head=("item", "arm", "mark"))
    said = space.judge(
        "import", "marks", path, "--to", "runs/given", "--item", "item", "--arm", "arm",
        "--mark", "mark", "--scale", "1-10",
    )  # fmt: skip
    assert said.code == 0, said.err
    found = space.table()
    assert [found[name]["code"] for name in ("detectable", "items_needed")] == ["disconnected"] * 2
    assert found["detectable"]["have"] == 2
    assert "gap below" not in space.judge("table", "runs/given").out
    planned = space.judge("power", "runs/given")
    assert planned.code == 2
    assert planned.err.count("\n") == 1
    assert "its arms fall into 2 groups that share no item; mark all arms" in planned.err
    assert space.judge("power", "runs/given", "--arms", "red,green").code == 0
