"""`judge calibrate`: the verdict, people alone, the judge beside them, corrected figures."""

from dataclasses import replace

import pytest

from judgebench.reports import people
from judgebench.store.people import LookRow
from judgebench.store.store import Store
from tests.marks.space import Space
from tests.people.runs import ARMS, TRUTH, axis, calibrated, drawn, sheet
from tests.reports.make_people import calibration, whole


def looked_before(run: Space, *, rubric: str | None = None) -> None:
    """Note that the marks were shown beside another pass, of this rubric as it was before."""
    with Store.open(run.root / "judgments" / "judgments.duckdb") as store:
        name = rubric or store.find_passes("r")[0].judging.rubric_name
        look = LookRow(run="r", pass_id="0" * 12, rubric_name=name, ask_sha256="x", split="all",
                       labels=720, shown_at="2026-01-01")  # fmt: skip
        store.put_look(look)


def test_without_people_the_first_line_says_what_to_do(run: Space) -> None:
    """No marks by people is an answer, not a fault, and ends with a plan."""
    said = run.judge("calibrate", "runs/r")
    assert said.code == 0
    assert said.out.startswith("gpt: not shown to stand in for your people")
    assert "judge sample runs/r --items 30" in said.out
    assert calibrated(run)["needs"]["code"] == "no_human_labels"


def test_verdict_comes_first_and_names_the_bias(run: Space) -> None:
    """Forty drawn items by three people: in for grounding, out for action, with the bias."""
    path = sheet(run, drawn(run, 40))
    said = run.judge("calibrate", "runs/r", "--human", path, "--blind", "yes")
    first = " ".join(said.out.split("\n\n", maxsplit=1)[0].split())
    assert first.startswith("gpt stands in for your people on grounding; not on action (bias +2.")
    assert "40 items of 60 marked by 3 people (blind)" in said.out
    assert len(said.out.splitlines()) <= 30
    assert max(map(len, said.out.splitlines())) <= 80
    assert "720 marks taken in" in said.err


def test_people_alone_are_paired_differences_with_counts(run: Space) -> None:
    """They find the true order; the judge alone puts kimi first."""
    found = calibrated(run, "--human", sheet(run, drawn(run, 40)))
    total = axis(found, "total")
    assert total["counted"] == {"people": 3, "items": 40, "cells": 120, "marks": 360,
                                "twice": 120, "items_twice": 40}  # fmt: skip
    pair = next(p for p in total["pairs"] if (p["first"], p["second"]) == ("sol", "terra"))
    assert pair["separated"]
    assert pair["shared"] == 40
    truth = float((TRUTH[0] - TRUTH[2]).mean())
    assert pair["alone"]["low"] < truth < pair["alone"]["high"]


def test_corrected_differences_undo_the_leaning(run: Space) -> None:
    """The judge's own sol - kimi lies outside of what people would have said, corrected within."""
    found = calibrated(run, "--human", sheet(run, drawn(run, 40)))
    pair = next(p for p in axis(found, "action")["pairs"] if p["second"] == "kimi")
    truth = float((TRUTH[0] - TRUTH[1]).mean())
    corrected = pair["corrected"]
    assert corrected["estimate"]["low"] < truth < corrected["estimate"]["high"]
    assert corrected["raw"] < corrected["estimate"]["low"]
    assert (corrected["labels"], corrected["others"], corrected["rule"]) == (40, 20, "fitted")
    leaning = {one["arm"]: one["gap"] for one in axis(found, "action")["leanings"]}
    assert leaning["kimi"]["low"] > 0


def test_hand_picked_items_are_not_corrected_with(run: Space) -> None:
    """Marked items that nobody drew: people alone stands, corrected figures are refused by code."""
    path = sheet(run, [f"q{i}" for i in range(25)])
    found = calibrated(run, "--human", path)
    total = axis(found, "total")
    assert found["labels"]["sampling"] == "unknown"
    assert {p["corrected"]["code"] for p in total["pairs"]} == {"labels_not_random"}
    assert all(p["alone"]["value"] is not None for p in total["pairs"])
    said = calibrated(run, "--labels", "random")
    assert said["labels"]["sampling"] == "said"
    assert axis(said, "total")["pairs"][0]["corrected"]["labels"] == 25


def test_a_draw_that_stopped_early_is_still_random(run: Space) -> None:
    """The first 15 of 40 count; a skipped item ends the sample, what follows is left out."""
    order = drawn(run, 40)
    first = calibrated(run, "--human", sheet(run, order[:15]))
    assert (first["labels"]["sampling"], first["labels"]["drawn"]) == ("draw", 15)
    more = calibrated(run, "--human", sheet(run, order[20:25], name="more.csv"))
    assert (more["labels"]["items"], more["labels"]["drawn"]) == (20, 15)
    assert "5 marked items outside of the random draw" in run.judge("calibrate", "runs/r").out


def test_all_items_need_no_draw(run: Space) -> None:
    """Where people marked everything there is nothing to correct."""
    path = sheet(run, [f"q{i}" for i in range(60)])
    found = calibrated(run, "--human", path)
    assert found["labels"]["sampling"] == "all"
    assert axis(found, "total")["pairs"][0]["corrected"]["rule"] == "people"
    assert "nothing to correct" in run.judge("calibrate", "runs/r").out


def test_preferences_on_the_other_items_are_no_marks_on_them(run: Space) -> None:
    """Hand-picked marks stay hand-picked where the rest of the items was only compared."""
    calibrated(run, "--human", sheet(run, [f"q{i}" for i in range(25)]))
    pairs = run.csv(
        [(f"q{i}", "sol", "kimi", "ana", "A") for i in range(60)],
        name="pairs.csv", head=("item", "arm_a", "arm_b", "rater", "winner"),
    )  # fmt: skip
    found = calibrated(run, "--human", pairs)
    assert (found["labels"]["sampling"], found["labels"]["items"]) == ("unknown", 25)
    codes = {pair["corrected"]["code"] for pair in axis(found, "total")["pairs"]}
    assert codes == {"labels_not_random"}
    assert found["preferences"]["pairs"]


def test_one_person_has_no_ceiling(run: Space) -> None:
    """The ceiling is unknown, never 1.0, and the verdict says what is needed."""
    found = calibrated(run, "--human", sheet(run, drawn(run, 12), people=["ana"]))
    grounding = axis(found, "grounding")
    assert grounding["ceiling"]["code"] == "single_annotator"
    assert grounding["standing"] == "not_shown"
    assert found["needs"]["code"] == "single_annotator"
    text = run.judge("calibrate", "runs/r").out
    assert "ceiling unknown: needs the marks of a second person" in " ".join(text.split())
    assert "?" not in text


def test_a_criterion_that_one_person_marked_hides_no_want_of_items(run: Space) -> None:
    """Two people marked the rest: what is missing is items, and the plan ends the one line."""
    items = drawn(run, 12)
    both = sheet(run, items, people=["ana", "ben"], criteria=["grounding"])
    one = sheet(run, items, people=["ana"], criteria=["action"], name="action.csv")
    run.judge("calibrate", "runs/r", "--human", both)
    found = calibrated(run, "--human", one)
    assert axis(found, "action")["alt_test"]["code"] == "single_annotator"
    assert found["needs"]["code"] == "too_few_items"
    words = " ".join(run.judge("calibrate", "runs/r", "--items", ",".join(items[:5])).out.split())
    assert words.startswith(
        "gpt: not shown to stand in for your people: "
        "needs ≥ 30 items that two people marked, have 5"
    )
    assert (
        "Not shown (too few items); cheapest: 30 items, by 2 people, about 270 minutes each."
        in words
    )


def test_few_items_refuse_the_comparison_and_keep_people(run: Space) -> None:
    """Five items: people alone at data level E3, the judge beside them refused."""
    found = calibrated(run, "--human", sheet(run, drawn(run, 5)))
    total = axis(found, "total")
    assert total["beside"]["code"] == "too_few_items"
    assert total["pairs"][0]["alone"]["low"] is not None
    two = run.judge("calibrate", "runs/r")
    assert "not shown" in two.out


def test_places_are_no_persons(run: Space) -> None:
    """With --slots only ICC(1,·) is given, and the alternative annotator test is refused."""
    found = calibrated(run, "--human", sheet(run, drawn(run, 40)), "--slots")
    grounding = axis(found, "grounding")
    assert grounding["alt_test"]["code"] == "raters_not_identified"
    assert grounding["icc_absolute"]["code"] == "raters_not_identified"
    one, mean = grounding["icc_one"]["value"], grounding["icc_one_mean"]["value"]
    assert 0 < one < mean < 1
    assert mean == pytest.approx(3 * one / (1 + 2 * one))
    words = " ".join(run.judge("calibrate", "runs/r").out.split())
    assert "ICC(1,k)" in words
    assert "raters_not_identified" in words
    again = calibrated(run)
    assert not again["labels"]["identified"]


def test_a_rubric_that_was_changed_after_a_look_is_refused(run: Space) -> None:
    """Figures beside a rubric of the same name that was asked otherwise before: people alone."""
    calibrated(run, "--human", sheet(run, drawn(run, 40)))
    looked_before(run)
    found = calibrated(run)
    total = axis(found, "total")
    assert found["labels"]["tuned"]
    assert {total[name]["code"] for name in ("beside", "alt_test", "ceiling", "leanings")} == {
        "tuned_on_these_labels"
    }
    assert total["pairs"][0]["corrected"]["code"] == "tuned_on_these_labels"
    assert total["pairs"][0]["alone"]["value"] is not None
    assert found["needs"]["code"] == "tuned_on_these_labels"


def test_tune_sets_items_apart_once_and_by_their_names(run: Space) -> None:
    """The split stays whatever share is asked for later; its items take no part."""
    calibrated(run, "--human", sheet(run, [f"q{i}" for i in range(60)]), "--tune", "0.4")
    first = calibrated(run)
    again = calibrated(run, "--tune", "0.9")
    assert first["labels"]["split"] == "report"
    assert 25 <= first["labels"]["items"] <= 47
    assert again["labels"]["items"] == first["labels"]["items"] == first["labels"]["items_all"]


def test_another_pass_with_the_same_marks_is_said(run: Space) -> None:
    """A judge that is picked by these marks looks better than it is."""
    calibrated(run, "--human", sheet(run, drawn(run, 40)))
    looked_before(run, rubric="else")
    assert "shown beside 1 other pass before" in run.judge("calibrate", "runs/r").out


@pytest.mark.parametrize(
    ("ways", "head", "flag"),
    [
        (("yes", "unknown"), "(blind: unknown)", None),
        (("yes", "no"), "(partly blind)", "Some people saw which arm"),
        (("no", "no"), "(not blind)", "People saw which arm"),
    ],
)
def test_files_that_were_marked_in_different_ways(
    run: Space, ways: tuple[str, str], head: str, flag: str | None
) -> None:
    """Nobody is said to have seen the arms where that is not known."""
    for at, way in enumerate(ways):
        path = sheet(run, [f"q{at}"], people=["ana"], name=f"{at}.csv")
        said = run.judge("calibrate", "runs/r", "--human", path, "--blind", way)
    words = " ".join(said.out.split())
    assert head in words
    assert flag in words if flag else "saw which arm" not in words


def test_only_some_people_and_items(run: Space) -> None:
    """Patterns choose; the rest takes no part."""
    calibrated(run, "--human", sheet(run, drawn(run, 40)))
    found = calibrated(run, "--people", "a*,ben", "--items", "q1*")
    assert found["labels"]["people"] == ["ana", "ben"]
    assert found["labels"]["items_all"] == 11


@pytest.mark.parametrize("epsilon", ["0", "0.2"])
def test_epsilon_is_the_users(run: Space, epsilon: str) -> None:
    """The test is printed with the ε that it used."""
    found = calibrated(run, "--human", sheet(run, drawn(run, 40)), "--epsilon", epsilon,
                       "--independent")  # fmt: skip
    assert axis(found, "grounding")["alt_test"]["epsilon"] == float(epsilon)


def test_pass_of_people_is_no_judge(run: Space) -> None:
    """People cannot be held against themselves; `judge table` still shows the judge first."""
    calibrated(run, "--human", sheet(run, drawn(run, 40)))
    said = run.judge("calibrate", "runs/r", "--pass", "people")
    assert said.code == 2
    assert "has no pass of a judge" in said.err
    assert "marks of gpt" in run.judge("table", "runs/r").out
    assert "these people" in run.judge("table", "runs/r", "--pass", "people").out


def test_report_files_hold_every_figure_and_refusal(run: Space) -> None:
    """Both files stand beside the report; arms and tests are in them, codes in one."""
    calibrated(run, "--human", sheet(run, drawn(run, 22)))
    (page,) = (run.root / "reports" / "r").glob("*/people.md")
    text = page.read_text(encoding="utf-8")
    assert all(arm in text for arm in ARMS)
    assert "Corrected figures: total" in text
    assert "needs ≥ " in text
    assert "too_few_items" not in text
    assert "too_few_items" in (page.parent / "people.json").read_text(encoding="utf-8")
    assert "| criterion | bias |" in text
    assert (page.parent / "people.json").is_file()


def test_report_of_a_full_panel_has_the_test_by_person(run: Space) -> None:
    """Each person left out has a row."""
    calibrated(run, "--human", sheet(run, drawn(run, 40)))
    (page,) = (run.root / "reports" / "r").glob("*/people.md")
    assert "| grounding | ana |" in page.read_text(encoding="utf-8")


def test_a_run_that_was_never_judged_is_one_line(space: Space) -> None:
    """There is nothing to hold people against."""
    said = space.judge("calibrate", "runs/none")
    assert said.code == 2
    assert "does not exist; name a run folder" in said.err


def test_the_page_says_each_thing_once_and_fits(run: Space) -> None:
    """A verdict on each criterion and no second one; nothing corrected has no column; 24 lines."""
    found = run.judge("calibrate", "runs/r", "--human", sheet(run, [f"q{i}" for i in range(60)]))
    assert found.code == 0, found.err
    assert len(found.out.splitlines()) <= 24
    assert "there is nothing to correct" in found.out
    assert "corrected" not in found.out.replace("there is nothing to correct", "")
    few = run.judge("calibrate", "runs/r", "--items", ",".join(f"q{i}" for i in range(12))).out
    words = " ".join(few.split())
    assert words.startswith("gpt does not stand in for your people on action")
    assert "Not shown: whether it may stand in:" not in words
    assert "Not shown on grounding: needs ≥ 30 items that two people marked, have 12" in words
    assert len(few.splitlines()) <= 24


def test_an_arm_without_a_corrected_mean_says_why(run: Space) -> None:
    """Terra is marked on nine items of the draw: its dash has a reason beside it."""
    order = drawn(run, 20)
    path = sheet(run, order)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [one for one in lines
            if ",terra," not in one or one.split(",")[0] in order[:9]]  # fmt: skip
    path.write_text("".join(kept), encoding="utf-8")
    said = run.judge("calibrate", "runs/r", "--human", path)
    assert said.code == 0, said.err
    words = " ".join(said.out.split())
    assert "terra: - needs ≥ 10 items that people and judge marked, have 9." in words


def test_tuning_is_not_named_where_there_are_no_answers(run: Space) -> None:
    """Imported marks cannot be judged again: neither tuning nor too few items for it is a hint."""
    for part in (range(15), range(15, 26)):
        items = [f"q{i}" for i in part]
        path = sheet(run, items, criteria=["action"], name=f"{len(items)}.csv")
        said = run.judge("calibrate", "runs/r", "--human", path)
        assert said.code == 0, said.err
        assert "tune" not in said.out
        assert "Next: judge " in said.out


def test_tuning_is_named_where_a_split_leaves_figures() -> None:
    """A judge that fails is tuned where it has answers, and marked items enough to split."""
    failed = calibration(whole())
    made = people.render(failed, run="runs/r")
    assert "Next: judge rubric tune runs/r" in made
    assert "too few marked items" not in made
    few = people.render(
        replace(failed, labels=replace(failed.labels, splittable=False)), run="runs/r"
    )
    assert "Next: judge rubric tune" not in few
    assert few.splitlines()[-1].startswith("  (too few marked items to tune the rubric:")
    alone = people.render(replace(failed, marks_only=True), run="runs/r")
    assert "tune" not in alone
