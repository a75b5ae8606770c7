"""Imported marks of which some are missing or off the scale: all that is left out has a reason."""

import csv
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from judgebench.pipeline.pages.exhibits import exhibits, read_ahead
from judgebench.pipeline.setting.choices import Reading
from judgebench.store.store import Store
from tests.marks.space import Space

ITEMS = 10


def gaps(again: tuple[int, ...] = (1,)) -> list[tuple[object, ...]]:
    """South lacks a criterion on three items, east all marks on two and has one off the scale."""
    rows: list[tuple[object, ...]] = []
    for item in range(ITEMS):
        for arm in ("north", "south", "east"):
            for criterion in ("true", "clear"):
                mark: object = 3 + (item + len(arm) + len(criterion)) % 4
                if arm == "south" and item < 3 and criterion == "true":
                    mark = ""
                if arm == "east" and (item < 2 or (item == 5 and criterion == "true")):
                    mark = "" if item < 2 else 99
                rows += [(f"i{item}", arm, criterion, "meter", mark, one) for one in again]
    return rows


HEAD = ("item", "arm", "criterion", "rater", "mark", "again")
WANT = {
    "north": {},
    "south": {"no_verdict": 3},
    "east": {"no_verdict": 2, "off_scale": 1},
}


@pytest.mark.parametrize("again", [(1,), (1, 2)])
def test_an_answer_without_a_total_has_its_reason(space: Space, again: tuple[int, ...]) -> None:
    """What is answered and what is blocked add up to what was planned, by every scoring."""
    more = ("--scoring", "again") if len(again) > 1 else ()
    space.take(space.csv(gaps(again), head=HEAD), *more, "--scale", "1-10")
    found = space.table()
    for arm in found["arms"]:
        reasons = Counter({one["reason"]: one["count"] for one in arm["judge_blocked"]})
        want = {name: n * len(again) for name, n in WANT[arm["arm"]["id"]].items()}
        assert reasons == want
        assert arm["answered"] * len(again) + reasons.total() == ITEMS * len(again)
    assert found["counts"]["judgments_blocked"] == 6 * len(again)
    assert "3 unjudged" in space.judge("table", "runs/given").out or len(again) > 1


def test_marks_that_are_all_there_have_none(space: Space) -> None:
    """No judgment is called blocked where each has a total."""
    rows = [row for row in gaps() if row[1] == "north"]
    space.take(space.csv(rows, head=HEAD), "--scale", "1-10")
    assert space.table()["counts"]["judgments_blocked"] == 0


def test_a_row_that_the_file_lacks_is_no_verdict(space: Space) -> None:
    """A criterion that is left out of the file is told like an empty cell."""
    rows = [row for row in gaps() if row[4] != ""]
    space.take(space.csv(rows, head=HEAD), "--scale", "1-10")
    (south,) = (arm for arm in space.table()["arms"] if arm["arm"]["id"] == "south")
    assert [(one["reason"], one["count"]) for one in south["judge_blocked"]] == [("no_verdict", 3)]


def test_an_arm_without_a_place_has_a_code(space: Space) -> None:
    """Where rank and set are empty, JSON and CSV say why; the code of all arms comes first."""
    space.take(space.csv(gaps(), head=HEAD), "--scale", "1-10")
    arms = {arm["arm"]["id"]: arm for arm in space.table()["arms"]}
    assert {name: arm["place_code"] for name, arm in arms.items()} == {
        "north": None, "south": "blocked_share_high", "east": "blocked_share_high"
    }  # fmt: skip
    for arm in arms.values():
        assert (arm["rank_low"] is None) == (arm["place_code"] is not None)
    space.judge("report", "runs/given", "--no-html", "--extended")
    (folder,) = (space.root / "reports" / "given").iterdir()
    for name in ("ratings.csv", "criteria.csv"):
        with (folder / name).open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                assert bool(row["best_code"]) == (row["may_be_best"] == ""), (name, row)


def test_too_few_items_are_the_code_of_every_arm(space: Space) -> None:
    """Two items carry no rank: every row says so itself."""
    rows = [row for row in gaps() if row[0] in {"i8", "i9"}]
    space.take(space.csv(rows, head=HEAD), "--scale", "1-10")
    assert {arm["place_code"] for arm in space.table()["arms"]} == {"too_few_items"}


def test_cells_of_the_matrix_know_their_reason(space: Space) -> None:
    """What report.html hatches is blocked by a reason, although no output is stored."""
    space.take(space.csv(gaps(), head=HEAD), "--scale", "1-10")
    with Store.open(space.root / "judgments" / "judgments.duckdb", create=False) as store:
        (row,) = store.find_passes("given")
        cells = exhibits(store, row, Reading()).cells
    blocked = Counter((one.arm, one.blocked) for one in cells if one.total is None)
    assert blocked == {
        ("south", "no_verdict"): 3, ("east", "no_verdict"): 2, ("east", "off_scale"): 1
    }  # fmt: skip
    assert all(one.blocked is None for one in cells if one.total is not None)


def test_what_is_read_ahead_is_what_the_page_reads(space: Space) -> None:
    """By another thread or when it is wanted: the same answers in the same order."""
    space.take(space.csv(gaps((1, 2)), head=HEAD), "--scale", "1-10")
    with Store.open(space.root / "judgments" / "judgments.duckdb", create=False) as store:
        (row,) = store.find_passes("given")
        plain = exhibits(store, row, Reading())
        with ThreadPoolExecutor(1) as other:
            ahead = other.submit(read_ahead, store, row).result()
        again = exhibits(store, row, Reading(), ahead=ahead)
        assert again.order == plain.order
        assert len(again.order) == 3 * ITEMS
        assert list(again.answers) == list(plain.answers)
        assert (again.cells, again.marks, again.judged) == (plain.cells, plain.marks, plain.judged)


def test_an_arm_that_only_an_open_one_is_above_may_be_best(space: Space) -> None:
    """Where blocked answers could turn the pair, the lower arm keeps its star and is named."""
    rows = [
        (f"i{item}", arm, "c", "meter", "" if arm == "north" and item < 5 else level + item % 3)
        for item in range(12)
        for arm, level in (("north", 7), ("south", 5), ("east", 3))
    ]
    space.take(space.csv(rows), "--scale", "1-10")
    found = space.table()
    open_, *_ = (pair for pair in found["pairs"] if {"north", "south"} == {*_two(pair)})
    assert (open_["separated"], open_["firm"]) == (False, False)
    assert found["best"] == ["south"]
    stars = {arm["arm"]["id"]: arm["may_be_best"] for arm in found["arms"]}
    assert stars == {"north": None, "south": True, "east": False}
    said = space.judge("table", "runs/given").out
    assert "* may be best" in said
    assert "rank from 1 without *" not in said
    text = _report(space)
    held = "May be best (holds the true best in 95 % of such runs): south; and, not placed, north."
    assert f"{held} Not placed" in text


def _report(space: Space) -> str:
    """The words of report.md, in one line."""
    space.judge("report", "runs/given", "--no-html")
    (folder,) = (space.root / "reports" / "given").iterdir()
    return " ".join((folder / "report.md").read_text(encoding="utf-8").split())


def _two(pair: dict[str, str]) -> tuple[str, str]:
    return pair["first"], pair["second"]


def test_no_empty_list_of_arms_is_printed(space: Space) -> None:
    """Where two arms without a place are shown above the only placed one, that is what is said."""
    rows = [
        (f"i{item}", arm, "c", "meter", "" if (arm, item % 6) in GONE else level + item % 2)
        for item in range(12)
        for arm, level in (("north", 9), ("south", 9), ("east", 1))
    ]
    space.take(space.csv(rows), "--scale", "1-10")
    assert space.table()["best"] == []
    text = _report(space)
    assert "runs): ." not in text
    assert "No placed arm may be best: all score below one not placed." in text
    assert "* may be best" not in space.judge("table", "runs/given").out


GONE = {("north", 0), ("south", 1)}


def test_the_first_line_counts_the_items_that_two_arms_share(space: Space) -> None:
    """23 answers each, of which three are to the same items."""
    rows = [
        (f"i{at}", arm, 3 + at * 5 % 7)
        for arm, start in (("red", 0), ("blue", 20))
        for at in range(start, start + 23)
    ]
    path = space.csv(rows, head=("item", "arm", "mark"))
    said = space.judge(
        "import", "marks", path, "--to", "runs/given", "--item", "item", "--arm", "arm",
        "--mark", "mark", "--scale", "1-10",
    )  # fmt: skip
    assert said.code == 0, said.err
    out = space.judge("table", "runs/given").out
    assert "3 shared items: no arm is shown better than another" in out
    assert "23 items:" not in out
