"""Where arms met other opponents, strengths say all: order, ranks, who may be best, the words."""

import csv
import re
from html import unescape
from pathlib import Path

import numpy as np
import pytest

from tests.marks.space import Space

FORM = ("--item", "item", "--arm-a", "a", "--arm-b", "b", "--rater", "rater", "--mark", "mark")
HEAD = ("item", "a", "b", "rater", "mark")
WORTH = {"oak": 3.0, "elm": 1.2, "fir": 0.4, "ash": -1.5}
MET = {("oak", "elm"): 1.0, ("oak", "fir"): 0.3, ("elm", "fir"): 0.5, ("elm", "ash"): 0.2,
       ("fir", "ash"): 1.0, ("oak", "ash"): 0.3}  # fmt: skip


def given(space: Space, *, items: int = 60) -> None:
    """Four arms; whom an arm met depends on the arm, and by how much it wins on whom it met."""
    draw = np.random.default_rng(3)
    rows = []
    for item in range(items):
        for (a, b), often in MET.items():
            if draw.random() < often:
                won = 1 / (1 + 2.718 ** (WORTH[b] - WORTH[a]))
                rows.append((f"i{item:02}", a, b, "ann", 1 if draw.random() < won else -1))
    path = space.csv(rows, head=HEAD)
    said = space.judge("import", "marks", path, "--to", "runs/given", *FORM)
    assert said.code == 0, said.err


def page(space: Space) -> str:
    """The extended report in one line."""
    said = space.judge("report", "runs/given", "--extended")
    assert said.code == 0, said.err
    (folder,) = (space.root / "reports" / "given").iterdir()
    html = unescape((folder / "report.html").read_text("utf-8"))
    assert ('Arms are compared under "Differences"' in html) == bool(
        re.search(r"<h\d[^>]*>\s*Differences", html)
    )
    return " ".join((folder / "report.md").read_text("utf-8").split())


def test_one_truth_of_strengths(space: Space) -> None:
    """Rows stand by strengths; ranks count the pairs that strengths tell apart."""
    given(space)
    found = space.table()
    strengths = {one["arm"]: one["strength"]["value"] for one in found["comparing"]["arms"]}
    names = [one["arm"]["id"] for one in found["arms"]]
    assert names == sorted(names, key=lambda name: -strengths[name])
    assert found["reference"] == names[0]
    above: dict[str, set[str]] = {name: set() for name in names}
    for pair in found["pairs"]:
        gap = pair["strength"]["value"]
        assert (
            gap == strengths[pair["first"]] - strengths[pair["second"]]
            or abs(gap - strengths[pair["first"]] + strengths[pair["second"]]) < 1e-6
        )
        assert pair["separated"] == (pair["p_all_pairs"] <= 0.05)
        if pair["separated"]:
            high, low = (pair["first"], pair["second"]) if gap > 0 else (
                pair["second"], pair["first"]
            )  # fmt: skip
            above[low].add(high)
    assert any(above.values())
    for arm in found["arms"]:
        name = arm["arm"]["id"]
        higher = 1 if name in found["best"] else 1 + len(above[name])
        lower = sum(name in over for over in above.values())
        assert (arm["rank_low"], arm["rank_high"]) == (higher, len(names) - lower)
    assert found["best"][0] == names[0]
    text = " ".join(space.judge("table", "runs/given").out.split())
    assert f"By strengths, which allow for opponents, {names[0]} is above" in text
    assert "wins more often" not in text


def test_the_report_speaks_of_strengths_alone(space: Space) -> None:
    """The recommendation names the arms that may be best, and why an arm is not weighed."""
    given(space)
    text = page(space)
    best = space.table()["best"]
    assert "All pairs by strengths" in text or "difference of strengths" in text
    assert f"As rated by ann, {best[0]}" in text
    assert "without shared items" not in text
    assert text.count("not printed (they met other opponents)") <= 8


def test_where_no_order_is_known_none_is_spoken_of(space: Space) -> None:
    """Repeats are of one rater; no order is on record, and no term of it is in the strengths."""
    rows = [
        (f"i{item}", a, b, who, 1, 1 if (item + len(who)) % 3 else -1, "human")
        for item in range(12)
        for a, b in (("p", "q"), ("q", "r"), ("p", "r"))
        for who in ("ann", "benno")
    ]
    rows += [("i0", "p", "q", "ann", 2, 1, "human"), ("i1", "p", "q", "ann", 2, -1, "human")]
    path = space.csv(rows, head=("item", "a", "b", "rater", "again", "mark", "kind"))
    said = space.judge(
        "import", "marks", path, "--to", "runs/given", *FORM, "--scoring", "again",
        "--rater-kind", "kind",
    )  # fmt: skip
    assert said.code == 0, said.err
    found = space.table()["comparing"]
    first = {who: 1 if len(who) % 3 else -1 for who in ("ann", "benno")}
    assert found["again"] == 2
    assert found["again_changed"] == (first["ann"] != 1) + 1
    text = page(space)
    assert "same order" not in text
    assert "a term for the first place" not in text
    assert "Judged again: 2 comparisons" in text


def test_a_difference_of_0_has_no_sign_to_turn(space: Space) -> None:
    """Two arms that win as often as each other: no item turns what is not there."""
    rows = [(f"i{item}", "p", "q", "ann", 1 if item % 2 else -1) for item in range(8)]
    path = space.csv(rows, head=HEAD)
    assert space.judge("import", "marks", path, "--to", "runs/given", *FORM).code == 0
    text = " ".join(space.judge("table", "runs/given", "--extended").out.split())
    assert "a difference of 0 has no sign that an item could turn" in text
    assert "(turned)" not in text
    # Three triads at most: neither the share of circles nor what is expected of it.
    found = space.table()["comparing"]
    assert (found["circular"]["code"], found["circular_expected"]) == ("too_few_items", None)


def test_no_page_points_to_differences_that_are_not_there(space: Space) -> None:
    """Four items carry no strengths, and arms with other opponents no difference."""
    rows = [
        (f"i{item}", a, b, "ann", 1 if item % 3 else -1)
        for item in range(4)
        for a, b in (("p", "q"), ("q", "r"), ("r", "s"))
    ]
    path = space.csv(rows, head=HEAD)
    assert space.judge("import", "marks", path, "--to", "runs/given", *FORM).code == 0
    text = page(space)
    assert "## Differences" not in text
    assert text.count("met other opponents") < 12


def test_pages_and_files_tell_pairs_apart_by_strengths_alike(space: Space) -> None:
    """pairs.csv holds the differences that decide; a p has no code beside it."""
    given(space)
    text = page(space)
    assert "Pairs are told apart by Holm over differences of strengths" in text
    assert "max-T over joint sign flips" not in text
    (folder,) = (space.root / "reports" / "given").iterdir()
    with (folder / "pairs.csv").open(encoding="utf-8", newline="") as file:
        rows = {(row["first"], row["second"]): row for row in csv.DictReader(file)}
    found = space.table()["pairs"]
    assert len(rows) == len(found) == 6
    for pair in found:
        row = rows[pair["first"], pair["second"]]
        assert float(row["strength_difference"]) == pair["strength"]["value"]
        assert float(row["strength_difference_low"]) == pair["strength"]["low"]
        assert float(row["p_all_pairs"]) == float(row["p_holm"]) == pair["p_all_pairs"]
        assert row["p_all_pairs_code"] == row["p_holm_code"] == ""
        assert (row["separated"] == "true") == pair["separated"]


def test_arms_that_one_item_joins_are_not_tested(space: Space) -> None:
    """B met C on one item: no p, no verdict, and a reason on every page."""
    turns = [(1 if i % 2 else -1, -1 if i % 3 else 1) for i in range(12)]
    rows: list[tuple[object, ...]] = []
    for i, (one, other) in enumerate(turns):
        rows += [(i, "A", "B", "AB", one), (i, "A", "B", "BA", other)]
        rows += [(i, "C", "D", "AB", other), (i, "C", "D", "BA", one)]
    rows += [(0, "B", "C", "AB", 1), (0, "B", "C", "BA", 0)]
    path = space.csv(rows, head=("item", "a", "b", "order", "mark"))
    said = space.judge(
        "import", "marks", path, "--to", "runs/given", "--item", "item", "--arm-a", "a",
        "--arm-b", "b", "--order", "order", "--mark", "mark",
    )  # fmt: skip
    assert said.code == 0, said.err
    found = space.table()
    assert set(found["best"]) == {"A", "B", "C", "D"}
    text = page(space)
    (folder,) = (space.root / "reports" / "given").iterdir()
    with (folder / "pairs.csv").open(encoding="utf-8", newline="") as file:
        rows_of = {(row["first"], row["second"]): row for row in csv.DictReader(file)}
    for pair in found["pairs"]:
        across = (pair["first"] in "AB") != (pair["second"] in "AB")
        assert (pair["p_all_pairs"] is None) == (pair["separated"] is None) == across
        assert (pair["strength"].get("no_interval") == "too_few_items") == across
        row = rows_of[pair["first"], pair["second"]]
        assert (row["p_all_pairs"] == row["p_holm"] == "") == across
        assert (row["p_all_pairs_code"] == row["p_holm_code"] == "too_few_items") == across
    assert text.count("not tested: fewer than three items join them") == 4
    told = " ".join(space.judge("table", "runs/given", "--why").out.split())
    assert "interval of the strength of C" in told
    assert "fewer than three items join it to the reference arm" in told


def repeated(root: Path, times: int) -> dict[str, float]:
    """Strengths where one comparison of one item was judged again so often."""
    (root / "runs").mkdir(parents=True)
    (root / "judges.toml").touch()
    space = Space(root)
    draw = np.random.default_rng(8)
    rows = [
        (item, *pair, 1, str(int(draw.random() < 0.6)))
        for item in range(12)
        for pair in (("ash", "elm"), ("elm", "oak"))
    ]
    rows += [(0, "ash", "elm", 1 + again, rows[0][-1]) for again in range(1, times)]
    path = space.csv(rows, head=("item", "a", "b", "again", "won"))
    said = space.judge(
        "import", "marks", path, "--to", "runs/given", "--item", "item", "--arm-a", "a",
        "--arm-b", "b", "--scoring", "again", "--mark", "won", "--scale", "0-1",
    )  # fmt: skip
    assert said.code == 0, said.err
    return {one["arm"]: one["strength"]["value"] for one in space.table()["comparing"]["arms"]}


def test_a_comparison_that_was_repeated_counts_once_in_strengths(tmp_path: Path) -> None:
    """As in the shares: twenty more judgings of one comparison change nothing."""
    one, many = repeated(tmp_path / "one", 1), repeated(tmp_path / "many", 21)
    assert many == pytest.approx(one, abs=1e-7)
    assert len(set(one.values())) == 3
