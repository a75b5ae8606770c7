"""A bridge says by how much a new judge or rubric marks otherwise, and moves nothing."""

import json
from typing import Any

import pytest

from tests.acceptance.desk import DATA, Desk
from tests.card.conftest import Judging
from tests.card.planted import Seen, runs
from tests.card.test_drift import ALONE, ARMS, FIXED, base, later, steady

RUBRIC = (DATA / "rubric.yaml").read_text(encoding="utf-8")


def bridged(desk: Desk, *more: str) -> dict[str, Any]:
    """`judge drift --bridge --json`."""
    said = desk.judge("drift", desk.run, "--baseline", base(desk), "--bridge", "--json", *more)
    assert said.code == 0, said.err
    found: dict[str, Any] = json.loads(said.out)
    return found


def base_scored(desk: Desk, judging: Judging, *more: str) -> Any:  # noqa: ANN401 - a stub
    """A pass by a judge with noise, over 16 items."""
    desk.make(runs(16, ARMS))
    stub = judging(steady)
    assert desk.score(*FIXED, *more).code == 0
    return stub


def other_judge(desk: Desk, judging: Judging, rule: Any) -> Any:  # noqa: ANN401 - a function
    """A second judge beside the first one, called `next`."""
    before = (desk.root / "judges.toml").read_text()
    stub = judging(rule, name="next", more="params = { temperature = 0.5 }")
    after = (desk.root / "judges.toml").read_text().replace('default = "next"', "")
    (desk.root / "judges.toml").write_text(before + after)
    return stub


def rubric(desk: Desk, name: str, text: str) -> None:
    """Another rubric of the workspace."""
    (desk.root / "rubrics" / f"{name}.yaml").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("mode", ["pointwise", "listwise"])
def test_a_new_judge_has_its_offset_and_nothing_moves(
    desk: Desk, judging: Judging, mode: str
) -> None:
    """One point kinder on every criterion: each interval holds it, and tables are as before."""
    base_scored(desk, judging, "--mode", mode)
    before = desk.table().out, desk.judge("table", desk.run, "--passes").out
    ratings = desk.rows("SELECT * FROM ratings ORDER BY ALL")
    stub = other_judge(desk, judging, lambda seen: steady(seen) + 1)
    found = bridged(desk, "--judge", "next", *ALONE)
    assert found["changed"] == ["judge"]
    assert (found["answers"], found["items"]) == (12, 4)
    assert len(stub.log) == (12 if mode == "pointwise" else 4)
    assert [one["criterion"] for one in found["offsets"]][-1] == ""
    for one in found["offsets"]:
        assert one["offset"]["low"] <= 1 <= one["offset"]["high"], one["criterion"]
        assert one["now"] - one["then"] == pytest.approx(one["offset"]["value"])
        assert not one["reworded"]
    assert found["whole"]
    assert (found["only_old"], found["only_new"]) == ([], [])
    assert (desk.table().out, desk.judge("table", desk.run, "--passes").out) == before
    assert desk.rows("SELECT * FROM ratings ORDER BY ALL") == ratings
    said = desk.judge("drift", desk.run, "--baseline", base(desk), "--bridge", "--judge", "next")
    assert len(stub.log) == (12 if mode == "pointwise" else 4)
    lines = said.out.splitlines()
    assert lines[0].startswith("NEW JUDGE: totals are +")
    assert "Nothing is shifted or merged" in " ".join(said.out.split())
    assert max(map(len, lines)) <= 80
    folder = desk.root / "reports" / "bulletin" / f"bridge-{found['new']['pass_id']}"
    assert json.loads((folder / "bridge.json").read_text("utf-8")) == found
    page = (folder / "bridge.md").read_text("utf-8")
    assert page.startswith(f"# Bridge from pass {base(desk)} on bulletin\n")
    assert found["new"]["judge_sha256"] in page


def test_arms_that_turn_are_listed(desk: Desk, judging: Judging) -> None:
    """A judge with the opposite taste turns every pair; one with the same taste none."""
    answers = {
        arm: {f"m{n:02}": f"Stop {n}, says {arm}; worth {worth}.\n" for n in range(12)}
        for arm, worth in (("north", 4.4), ("south", 3.0), ("west", 1.6))
    }
    desk.make(answers)
    judging(lambda seen: seen.worth)
    assert desk.score(*FIXED).code == 0
    other_judge(desk, judging, lambda seen: 6 - seen.worth)
    found = bridged(desk, "--judge", "next")
    assert found["pairs"] == 3
    turned = {(one["first"], one["second"]) for one in found["reversals"]}
    assert turned == {("north", "south"), ("north", "west"), ("south", "west")}
    (wide,) = [one for one in found["reversals"] if one["second"] == "west"
               and one["first"] == "north"]  # fmt: skip
    assert wide["then"] > 0 > wide["now"]
    assert wide["items"] == 4
    assert wide["then_apart"]
    assert wide["now_apart"]
    text = " ".join(desk.judge(
        "drift", desk.run, "--baseline", base(desk), "--bridge", "--judge", "next"
    ).out.split())  # fmt: skip
    assert "3 of 3 pairs of arms turned" in text
    assert "Turned: north − west: +" in text


def test_a_new_rubric_is_bridged_on_what_is_common(desk: Desk, judging: Judging) -> None:
    """A criterion less, another more, one in other words: offsets of the common ones alone."""
    stub = base_scored(desk, judging)
    asked = len(stub.log)
    ids = [line.split("id:")[1].strip() for line in RUBRIC.splitlines() if "id:" in line]
    text = RUBRIC.replace(f"id: {ids[-1]}", "id: candour").replace("name: bulletin", "name: letter")
    rubric(desk, "letter", text)
    found = bridged(desk, "--rubric", "letter", *ALONE)
    assert found["changed"] == ["rubric"]
    assert [one["criterion"] for one in found["offsets"]] == [*ids[:-1], ""]
    assert len(found["only_old"]) == len(found["only_new"]) == 1
    assert not found["whole"]
    assert len(stub.log) == asked + 12
    said = desk.judge(
        "drift", desk.run, "--baseline", base(desk), "--bridge", "--rubric", "letter"
    )  # fmt: skip
    assert said.out.startswith("NEW RUBRIC: ")
    assert "criteria in common alone" in " ".join(said.out.split())
    assert "Not in the new rubric" in " ".join(said.out.split())


def test_reworded_criteria_are_marked(desk: Desk, judging: Judging) -> None:
    """The same ids in other words are common, and the page says that the words have changed."""
    base_scored(desk, judging)
    first = next(line for line in RUBRIC.splitlines() if line.strip().startswith("text:"))
    rubric(desk, "again", RUBRIC.replace(first, first + " Look twice.", 1))
    found = bridged(desk, "--rubric", "again", *ALONE)
    assert [one["reworded"] for one in found["offsets"]].count(True) == 2
    assert found["whole"]
    page = desk.judge("drift", desk.run, "--baseline", base(desk), "--bridge", "--rubric", "again")
    assert "†" in page.out


def test_what_cannot_be_bridged_is_refused_in_a_line(desk: Desk, judging: Judging) -> None:
    """No common criterion, another scale, pairs, recordings and idle options send nothing."""
    stub = base_scored(desk, judging)
    asked = len(stub.log)
    ids = [line.split("id:")[1].strip() for line in RUBRIC.splitlines() if "id:" in line]
    text = RUBRIC
    for name in ids:
        text = text.replace(f"id: {name}", f"id: x{name}")
    rubric(desk, "foreign", text)
    words = ("drift", desk.run, "--baseline", base(desk))
    for more, told in (
        (("--bridge", "--rubric", "foreign"), "no criterion in common"),
        (("--bridge", "--judge", "replay:x.jsonl"), "name a live judge"),
        (("--rubric", "foreign"), "--rubric goes with --bridge"),
        (("--fresh",), "--fresh goes with --bridge"),
        (("--bridge", "--require-no-drift"), "does not go with --bridge"),
    ):
        (desk.root / "x.jsonl").touch()
        said = desk.judge(*words, *more)
        assert said.code == 2, more
        assert told in said.err
    scale = next(line for line in RUBRIC.splitlines() if line.startswith("scale:"))
    assert "max: 5" in scale
    wide = RUBRIC.replace(scale, scale.replace("max: 5", "max: 7"))
    rubric(desk, "wide", wide)
    said = desk.judge(*words, "--bridge", "--rubric", "wide")
    assert said.code == 2
    assert "has a scale from 1 to 7" in said.err
    assert len(stub.log) == asked


def test_a_bridge_that_was_broken_off_goes_on(desk: Desk, judging: Judging) -> None:
    """A dry run counts, a budget ends it after five calls, the same command asks for the rest."""
    base_scored(desk, judging)
    stub = other_judge(desk, judging, steady)
    words = ("drift", desk.run, "--baseline", base(desk), "--bridge", "--judge", "next")
    dry = desk.judge(*words, "--dry-run")
    assert dry.out == "12 requests to send (nothing was sent)\n"
    assert len(stub.log) == 0
    assert desk.judge(*words, "--max-requests", "5").code == 5
    assert len(stub.log) == 5
    assert desk.judge(*words).code == 0
    assert len(stub.log) == 12
    assert desk.judge(*words, "--fresh").code == 0
    assert len(stub.log) == 24
    assert desk.judge(*words).code == 0
    assert len(stub.log) == 24
    assert desk.judge(*words, "--anchors", "20").code == 0
    assert len(stub.log) == 33


def test_a_new_judge_under_the_same_name_can_be_bridged(desk: Desk, judging: Judging) -> None:
    """Another fingerprint behind the same name is named; without one it is said to be the same."""
    desk.make(runs(16, ARMS))
    plan = {"rules": [{"replies": [
        {"verdict": {"score": 3, "quotes": "real"}, "top": {"system_fingerprint": "fp_old"}}
    ]}]}  # fmt: skip
    stub = judging(steady, plan=plan)
    assert desk.score(*FIXED).code == 0
    words = ("drift", desk.run, "--baseline", base(desk), "--bridge")
    assert desk.judge(*words, *ALONE).out.startswith("SAME JUDGE, SAME RUBRIC: ")
    later(stub, lambda seen: steady(seen) + 1, mark="fp_new")
    found = bridged(desk, "--fresh", *ALONE)
    assert found["changed"] == ["answered as"]
    assert desk.judge(*words).out.startswith("NEW JUDGE under the same name: totals are +")


def test_criteria_that_were_asked_by_themselves_are_bridged_so(
    desk: Desk, judging: Judging
) -> None:
    """A request a criterion then and now; the total is made by code."""
    base_scored(desk, judging, "--split-criteria")
    stub = other_judge(desk, judging, lambda seen: steady(seen) + 1)
    found = bridged(desk, "--judge", "next", *ALONE)
    assert len(stub.log) == 3 * 12
    assert found["answers"] == 12
    assert found["offsets"][-1]["offset"]["low"] <= 1 <= found["offsets"][-1]["offset"]["high"]


def test_a_replayed_pass_can_be_bridged_to_a_live_judge(desk: Desk, judging: Judging) -> None:
    """A recording's marks stand on the old side: only the new judge is asked."""
    assert desk.judge("init").code == 0
    run = desk.root / "runs" / "single-item"
    assert desk.judge("score", run).code == 0
    stub = other_judge(desk, judging, steady)
    said = desk.judge("drift", run, "--baseline", base(desk), "--bridge", "--judge", "next",
                      "--json")  # fmt: skip
    assert said.code == 0, said.err
    found = json.loads(said.out)
    assert found["items"] == 1
    assert found["offsets"][-1]["offset"]["code"] == "too_few_items"
    assert len(stub.log) == found["anchors"] == found["answers"] > 1


def test_a_run_that_changed_and_marks_without_answers_are_refused(
    desk: Desk, judging: Judging
) -> None:
    """What the pass judged has to be there as it was; a run never judged is told so."""
    desk.make(runs(4, ARMS))
    judging(steady)
    said = desk.judge("drift", desk.run, "--baseline", "x", "--bridge")
    assert said.code == 2
    assert "was never judged here" in said.err
    assert desk.score(*FIXED).code == 0
    (desk.run / "north" / "m00" / "output.md").write_text("Another answer; worth 3.\n")
    said = desk.judge("drift", desk.run, "--baseline", base(desk), "--bridge")
    assert said.code == 2
    assert "has changed since pass" in said.err
    pairs = {"rules": [{"replies": [{"verdict": {"prefer": "worth", "quotes": "real"}}]}]}
    judging(steady, plan=pairs)
    assert desk.score("--mode", "pairwise", "--repeats", "1").code == 0
    ((pass_id,),) = desk.rows("SELECT pass_id FROM passes WHERE mode = 'pairwise'")
    said = desk.judge("drift", desk.run, "--baseline", pass_id, "--bridge")
    assert said.code == 2
    assert "no level to bridge" in said.err


def test_a_bridge_is_no_pass_of_the_run(desk: Desk, judging: Judging) -> None:
    """The new judge's own pass starts empty; its card, agree and panel see no anchors."""
    base_scored(desk, judging)
    stub = other_judge(desk, judging, steady)
    found = bridged(desk, "--judge", "next", *ALONE)
    assert len(desk.judge("agree", desk.run, "--json").json["raters"]) == 1
    said = desk.judge("card", "next")
    assert said.code == 2
    assert "no judge is called next" in said.err
    before = len(stub.log)
    assert desk.score("--judge", "next", "--repeats", "1").code == 0
    assert len(stub.log) == before + 48
    key = desk.rows(
        f"SELECT key FROM requests WHERE pass_id = '{found['new']['pass_id']}' LIMIT 1"  # noqa: S608
    )[0][0]
    shown = desk.judge("show", desk.run, key[:8], "--pass", found["new"]["pass_id"])
    assert shown.code == 0, shown.err
    assert "· judging 1\n" in shown.out


def test_a_card_of_bridged_judges_is_of_marks_alone(desk: Desk, judging: Judging) -> None:
    """What the bridge asked of the old judge again stands on no card."""
    base_scored(desk, judging)
    before = desk.judge("card", "stub", "--json").json
    bridged(desk, *ALONE)
    after = desk.judge("card", "stub", "--json").json
    assert after == before


def low(seen: Seen) -> float:
    """The bottom of the scale for everything."""
    return 1 + 0 * seen.place


def test_an_offset_without_spread_is_printed_or_refused_with_its_reason(
    desk: Desk, judging: Judging
) -> None:
    """A judge that gives the bottom to all: levels are told, and the floor widens the interval."""
    base_scored(desk, judging)
    other_judge(desk, judging, low)
    found = bridged(desk, "--judge", "next", "--anchors", "3")
    assert found["items"] == 1
    assert found["offsets"][-1]["offset"]["code"] == "too_few_items"
    assert found["offsets"][-1]["now"] == 1
    said = desk.judge("drift", desk.run, "--baseline", base(desk), "--bridge", "--judge", "next",
                      "--anchors", "3")  # fmt: skip
    assert "the offset of the total is not printed" in " ".join(said.out.split())
