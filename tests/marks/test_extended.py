"""The extended report from the store: every figure, and every refusal with its code."""

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.marks.space import AGAIN, Space, grid


def twice(items: int = 12) -> list[tuple[object, ...]]:
    """Three arms marked twice by one judge; the second time some marks are one point off."""
    return [
        (
            f"i{item:02}",
            arm,
            criterion,
            "meter",
            8 - 2 * place + (item % 3) + again * (item % 2),
            again,
        )
        for again in (0, 1)
        for item in range(items)
        for place, arm in enumerate(("north", "south", "west"))
        for criterion in ("clear", "true")
    ]


def extended(space: Space) -> dict[str, Any]:
    """What --extended adds to the table."""
    found = space.table("--extended")["extended"]
    assert isinstance(found, dict)
    return found


def read(path: Path) -> list[dict[str, str]]:
    """Rows of a CSV."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_a_table_without_the_option_has_none_of_it(space: Space) -> None:
    """The default page and its JSON stay as quick as they are."""
    space.take(space.csv(grid()), "--scale", "1-10")
    assert space.table()["extended"] is None


def test_every_pair_has_every_test(space: Space) -> None:
    """Twelve items: max-T decides, Holm and the sign flip stand beside it."""
    space.take(space.csv(twice(), head=AGAIN), "--scoring", "again", "--scale", "1-14")
    found = extended(space)
    assert (found["rule"], found["max_t"]) == ("max-t", None)
    pair = found["pairs"][0]
    assert (pair["first"], pair["second"]) == ("north", "south")
    assert 0 < pair["p_max_t"] < 0.01
    assert 0 < pair["p_holm"] < 0.01
    assert pair["sign_flip"]["p"] == pytest.approx(2 / 2**12)
    assert pair["worst_low"] == pair["worst_high"] == pytest.approx(2)
    assert found["tiers"] == [["north"], ["south"], ["west"]]


def test_each_criterion_is_compared_by_itself(space: Space) -> None:
    """Worse on one, better on the other: each has its own reference, best and ranks."""
    rows = [
        (f"i{n}", arm, criterion, "m", base + n % 2)
        for n in range(10)
        for arm, criterion, base in (
            ("north", "true", 8), ("north", "clear", 3),
            ("south", "true", 4), ("south", "clear", 8),
        )
    ]  # fmt: skip
    space.take(space.csv(rows), "--scale", "1-10")
    found = {one["criterion"]: one for one in extended(space)["criteria"]}
    assert (found["true"]["reference"], found["true"]["best"]) == ("north", ["north"])
    assert (found["clear"]["reference"], found["clear"]["best"]) == ("south", ["south"])
    row = found["clear"]["rows"][1]
    assert (row["arm"], row["separated"], row["rank_low"], row["rank_high"]) == (
        "north",
        True,
        2,
        2,
    )
    assert row["difference"]["value"] == pytest.approx(-5)
    assert row["difference"]["low"] < -5 < row["difference"]["high"]


def test_errors_are_held_over_all_criteria(space: Space) -> None:
    """The p of a criterion is that of both tests over both criteria: twice that of its pair."""
    space.take(space.csv(grid(items=9)), "--scale", "1-10")
    found = extended(space)
    one, pair = found["criteria"][0]["rows"][1], found["pairs"][0]
    assert one["p"] == pytest.approx(2 * max(pair["p_holm"], pair["p_max_t"]))
    # Of equal tests Holm's p is Bonferroni's: that of the interval.
    assert 2 * pair["p_holm"] == pytest.approx(one["difference"]["p"])


def test_one_criterion_is_told_apart_as_the_total_is(space: Space) -> None:
    """Holm alone would part m1 and m3 (p 0.024), which sign flips of six items do not (0.062)."""
    marks = {"m1": (9, 9, 6, 8, 6, 8), "m2": (7, 6, 3, 5, 5, 7), "m3": (6, 7, 6, 5, 4, 7)}
    rows = [
        (f"i{n}", arm, "c", "meter", x) for arm, row in marks.items() for n, x in enumerate(row)
    ]
    space.take(space.csv(rows), "--scale", "1-10")
    whole = space.table("--extended")
    rows_ = {one["arm"]: one for one in whole["extended"]["criteria"][0]["rows"]}
    for arm in whole["arms"]:
        name = arm["arm"]["id"]
        ranks = (rows_[name]["rank_low"], rows_[name]["rank_high"])
        assert ranks == (arm["rank_low"], arm["rank_high"]), name
    pairs = {(one["first"], one["second"]): one for one in whole["pairs"]}
    assert rows_["m3"]["separated"] == pairs["m1", "m3"]["separated"] is False
    assert rows_["m3"]["p"] == pytest.approx(pairs["m1", "m3"]["p_all_pairs"])


def test_each_p_has_its_own_name(space: Space) -> None:
    """What decides is the larger of two tests; the p of an interval is Bonferroni's, as it is."""
    space.take(space.csv(twice(), head=AGAIN), "--scoring", "again", "--scale", "1-14")
    whole = space.table("--extended")
    tests = {(one["first"], one["second"]): one for one in whole["extended"]["pairs"]}
    for pair in whole["pairs"]:
        one = tests[pair["first"], pair["second"]]
        assert "p_holm" not in pair
        assert pair["p_all_pairs"] == max(one["p_holm"], one["p_max_t"])
        gap = pair["difference"]
        assert (gap["p"] <= 0.05) == (not gap["low"] <= 0 <= gap["high"])
        assert gap["p"] >= one["p_holm"] - 1e-12
    ref = whole["reference"]
    mine = {frozenset((one["first"], one["second"])): one["difference"] for one in whole["pairs"]}
    for arm in whole["arms"]:
        if arm["arm"]["id"] != ref:
            assert arm["difference"]["p"] == mine[frozenset((arm["arm"]["id"], ref))]["p"]
    said = space.judge("report", "runs/given", "--extended", "--no-html")
    assert said.code == 0, said.err
    (folder,) = (space.root / "reports" / "given").iterdir()
    for row in read(folder / "pairs.csv"):
        both = max(float(row["p_holm"]), float(row["p_max_t"]))
        assert float(row["p_all_pairs"]) == pytest.approx(both)


def test_the_set_of_best_names_those_not_placed_that_may_be_it(space: Space) -> None:
    """Four of ten answers of south lack a mark: it holds the best only with south."""
    rows = [
        (f"i{item}", arm, criterion, "meter", "" if arm == "south" and item > 5 else mark)
        for item in range(10)
        for arm, mark in (("north", 5 + item % 3), ("south", 7 - item % 4))
        for criterion in ("clear", "true")
    ]
    space.take(space.csv(rows), "--scale", "1-10")
    found = space.table("--extended")
    assert (found["best"], found["tradeoff"]["open_arms"]) == (["north"], ["south"])
    assert found["extended"]["criteria"][0]["open_arms"] == ["south"]
    said = space.judge("report", "runs/given", "--extended", "--no-html")
    assert said.code == 0, said.err
    (folder,) = (space.root / "reports" / "given").iterdir()
    page = " ".join((folder / "report.md").read_text(encoding="utf-8").split())
    assert (
        "May be best (holds the true best in 95 % of such runs): north; and, not placed, south."
    ) in page
    assert "clear: may be best: north; and, not placed, south." in page


def test_equal_marks_have_equal_intervals_wherever_they_stand(space: Space) -> None:
    """Two criteria and two arms with the same marks: one interval, and that of the total."""
    rows = [
        (f"i{n}", arm, criterion, "m", 3 + (n * 7) % 5)
        for n in range(9)
        for arm in ("north", "south")
        for criterion in ("clear", "true")
    ]
    space.take(space.csv(rows), "--scale", "1-10")
    table = space.table("--extended")
    means = [row["mean"] for one in table["extended"]["criteria"] for row in one["rows"]]
    means += [arm["total"] for arm in table["arms"]]
    assert {one["kind"] for one in means} == {"bounded"}
    assert len({(one["low"], one["high"]) for one in means}) == 1


def test_the_judge_against_itself_on_total_and_criteria(space: Space) -> None:
    """Half of the cells move by one point: the pooled noise, its limit, the share given again."""
    space.take(space.csv(twice(), head=AGAIN), "--scoring", "again", "--scale", "1-14")
    found = extended(space)
    total, clear, true = found["repeats"]
    assert (total["criterion"], clear["criterion"], true["criterion"]) == (None, "clear", "true")
    assert clear["sd"]["value"] == pytest.approx(0.5)
    assert clear["limit"] == pytest.approx(1.96 * 2**0.5 * 0.5)
    assert clear["exact_share"] == pytest.approx(0.5)
    assert 0 < clear["modal_share"] < 1
    assert total["modal_mark"] is None
    assert found["swap_share"]["value"] == 0
    assert found["swap_share"]["n"] == 36


def test_repeats_of_people_are_no_noise_of_one_judge(space: Space) -> None:
    """Each mark of a cell is another person's: nothing is called re-scoring."""
    rows = [(*row, "human") for row in grid(raters=("ann", "bo"))]
    path = space.csv(rows, head=("item", "arm", "criterion", "rater", "mark", "kind"))
    space.take(path, "--scale", "1-10", "--rater-kind", "kind")
    found = extended(space)
    assert {one["sd"]["code"] for one in found["repeats"]} == {"not_identified"}
    assert found["swap_share"]["code"] == "not_identified"
    assert "no_human_labels" not in {one["code"] for one in found["refusals"]}


def test_blocked_answers_leave_ends_and_means_as_if(space: Space) -> None:
    """South lacks its two hardest items: plain mean, mean over all items, worst cases."""
    rows: list[tuple[object, ...]] = [
        (f"i{n}", arm, "c", "m", "" if arm == "south" and n < 2 else 4 + n % 4 + place)
        for n in range(9)
        for place, arm in enumerate(("north", "south"))
    ]
    space.take(space.csv(rows), "--scale", "1-10")
    found = extended(space)
    pair = found["pairs"][0]
    gap = 1 if pair["first"] == "south" else -1
    assert pair["worst_low"] < gap < pair["worst_high"]
    south = next(one for one in found["arms"] if one["arm"] == "south")
    assert south["least_squares"]["value"] == pytest.approx(
        sum(5 + n % 4 for n in range(9)) / 9, abs=0.01
    )


DEGENERATE: dict[str, list[tuple[object, ...]]] = {
    "one item": grid(items=1),
    "two items": grid(items=2),
    "one arm": grid(arms=("north",)),
    "constant marks": [(f"i{n}", a, "c", "m", 8) for n in range(9) for a in ("north", "south")],
    "all blocked": [(f"i{n}", a, "c", "m", "") for n in range(4) for a in ("north", "south")],
    "one unit": [("i0", "north", "c", "m", 5)],
    "disconnected": [(f"i{n}", ("north", "south")[n % 2], "c", "m", n % 5 + 1) for n in range(9)],
    "not a number": [
        (f"i{n}", a, "c", "m", "nan" if n % 2 else 5) for n in range(6) for a in ("north", "south")
    ],
}


def walk(value: object, path: str = "") -> list[tuple[str, object]]:
    """Every leaf of a document, and every object, with its place."""
    out: list[tuple[str, object]] = [(path, value)]
    if isinstance(value, dict):
        for key, one in value.items():
            out += walk(one, f"{path}.{key}")
    elif isinstance(value, list):
        for at, one in enumerate(value):
            out += walk(one, f"{path}[{at}]")
    return out


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_runs_have_a_code_for_every_null_and_no_fake_number(
    space: Space, name: str
) -> None:
    """No NaN, no infinity, no interval without a width, in JSON, CSV and the page."""
    taken = space.take(space.csv(DEGENERATE[name]), "--scale", "1-10")
    if taken.code != 0:
        assert name in {"all blocked", "not a number"}
        assert "Traceback" not in taken.err
        return
    said = space.judge("table", "runs/given", "--json", "--extended")
    document = json.loads(said.out, parse_constant=pytest.fail)
    for path, value in walk(document):
        if isinstance(value, dict) and "value" in value and "low" in value:
            assert (value["low"] is None) == (value["high"] is None), path
            assert value["low"] is None or value["high"] - value["low"] > 1e-9, path
        if isinstance(value, dict) and value.get("value", 0) is None:
            assert value["code"], path
    assert space.judge("report", "runs/given", "--extended", "--no-html").code == 0
    folder = next((space.root / "reports").rglob("report.md")).parent
    check_codes(read(folder / "pairs.csv"), ("difference", "p_max_t", "p_holm", "p_sign_flip"))
    check_codes(read(folder / "criteria.csv"), ("mean",))
    text = (folder / "report.md").read_text(encoding="utf-8").casefold()
    assert " nan" not in text
    assert " inf" not in text


def check_codes(rows: Sequence[dict[str, str]], figures: Sequence[str]) -> None:
    """An empty figure has its code beside it, and a figure has none."""
    for row in rows:
        for figure in figures:
            assert bool(row[figure]) != bool(row[f"{figure}_code"]), (figure, row)


def test_the_report_has_files_and_sections_for_it(space: Space) -> None:
    """pairs.csv, criteria.csv, five sections; the page of the terminal says the same."""
    space.take(space.csv(twice(), head=AGAIN), "--scoring", "again", "--scale", "1-14")
    said = space.judge("report", "runs/given", "--extended", "--no-html")
    assert said.code == 0
    assert "pairs.csv" in said.out
    folder = next((space.root / "reports").rglob("report.md")).parent
    assert len(read(folder / "pairs.csv")) == 3
    assert len(read(folder / "criteria.csv")) == 6
    page = (folder / "report.md").read_text(encoding="utf-8")
    text = space.judge("table", "runs/given", "--extended").out
    for title in (
        "All pairs, all tests", "Criterion by criterion", "Further figures of each arm",
        "The judge against itself", "What this pass cannot carry",
    ):  # fmt: skip
        assert f"## {title}" in page
        assert title in text
    assert max(map(len, text.splitlines())) <= 80


def test_files_of_an_extended_report_do_not_go_in_silence(space: Space) -> None:
    """A plain report removes what is not of its figures, and one line says so, once."""
    space.take(space.csv(grid()), "--scale", "1-10")
    assert "removed" not in space.judge("report", "runs/given", "--no-html", "--extended").err
    said = space.judge("report", "runs/given", "--no-html")
    assert said.err == (
        "pairs.csv and criteria.csv of an earlier report removed; --extended writes such files\n"
    )
    (folder,) = (space.root / "reports" / "given").iterdir()
    assert not (folder / "pairs.csv").exists()
    assert "removed" not in space.judge("report", "runs/given", "--no-html").err


def test_what_one_pass_of_marks_cannot_carry_names_what_can_follow(space: Space) -> None:
    """No answer is at hand for another judge: another rater, or the passes that there are."""
    one = [row for row in twice(items=6) if row[-1] == 0]
    two = [*one, *((*row[:3], "other", *row[4:]) for row in one)]
    told = ((one, "have 1 (marks of another rater in the file)"),
            (two, "judge agree compares the passes"))  # fmt: skip
    for raters, said in told:
        run = f"runs/of{len(raters)}"
        path = space.csv(raters, head=AGAIN)
        space.take(path, "--scoring", "again", "--scale", "1-14", run=run)
        text = " ".join(space.judge("table", run, "--extended").out.split())
        assert said in text
        assert "judge score" not in text


def test_marks_of_one_item_have_no_interval_and_no_most_frequent_mark(space: Space) -> None:
    """Three marks that all differ: none is the most frequent, and no interval is spoken of."""
    rows = [("q1", arm, "c", "m", mark) for arm, mark in (("a", 8), ("b", 6), ("c", 4))]
    space.take(space.csv(rows), "--scale", "1-10")
    space.judge("report", "runs/given", "--no-html")
    page = next((space.root / "reports").rglob("report.md")).read_text(encoding="utf-8")
    assert "one judge: every mark is by m alone" in page
    assert "every interval" not in page
    assert "Most frequent mark" not in page


def test_equal_stores_give_equal_extended_figures(space: Space) -> None:
    """Sign flips are drawn from the pass: a second look gives the same bytes."""
    space.take(space.csv(twice(items=20), head=AGAIN), "--scoring", "again", "--scale", "1-14")
    first, second = (space.judge("table", "runs/given", "--json", "--extended") for _ in range(2))
    assert first.out == second.out


def test_pairs_have_every_test_and_their_file(space: Space) -> None:
    """Comparisons give shares won: each two arms by every test, and no criterion or noise."""
    rows = [
        (f"q{n}", a, b, won)
        for n in range(8)
        for a, b, won in (("red", "blue", 1), ("red", "green", 1), ("blue", "green", n % 2))
    ]
    path = space.csv(rows, head=("item", "a", "b", "mark"))
    assert space.judge(
        "import", "marks", path, "--to", "runs/given", "--item", "item", "--arm-a", "a",
        "--arm-b", "b", "--mark", "mark", "--scale", "-1..1",
    ).code == 0  # fmt: skip
    assert space.judge("report", "runs/given", "--extended", "--no-html").code == 0
    (folder,) = (space.root / "reports" / "given").iterdir()
    made = read(folder / "pairs.csv")
    assert {(row["first"], row["second"]) for row in made} == {
        ("red", "blue"), ("red", "green"), ("blue", "green"),
    }  # fmt: skip
    assert all(row["difference"] or row["difference_code"] for row in made)
    assert all(row["p_max_t"] or row["p_max_t_code"] for row in made)
    assert not (folder / "criteria.csv").exists()
    text = (folder / "report.md").read_text(encoding="utf-8")
    assert "All pairs, all tests" in text
    assert "The judge against itself" not in text
    assert "All pairs, all tests" in space.judge("table", "runs/given", "--extended").out
