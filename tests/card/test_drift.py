"""A judge that has moved is found, one that has not is not, and another one is named."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.acceptance.desk import Desk
from tests.card.conftest import Judging
from tests.card.planted import PLAN, Seen, runs
from tests.stub import StubServer

ARMS = ("north", "south", "west")
ALONE = ("--concurrency", "1")
FIXED = ("--seed", "7", *ALONE)


def steady(seen: Seen) -> float:
    """Marks with noise of their own at every judging."""
    return seen.worth + 0.8 * seen.noise(str(seen.turn))


def later(stub: StubServer, rule: Callable[[Seen], float], *, mark: str | None = None) -> None:
    """From now on the same endpoint judges otherwise."""
    stub.script.rule = rule  # type: ignore[attr-defined] # a planted script has one
    if mark is not None:
        for turns in stub.script.turns:
            turns[0]["top"] = {"system_fingerprint": mark}


def base(desk: Desk) -> str:
    """The only pass."""
    return str(desk.rows("SELECT pass_id FROM passes")[0][0])


def checked(desk: Desk, *more: str) -> dict[str, Any]:
    """`judge drift --json`."""
    said = desk.judge("drift", desk.run, "--baseline", base(desk), "--json", *ALONE, *more)
    assert said.code == 0, said.err
    found: dict[str, Any] = json.loads(said.out)
    return found


@pytest.mark.parametrize("mode", ["pointwise", "listwise"])
def test_a_judge_that_became_kinder_has_drifted(desk: Desk, judging: Judging, mode: str) -> None:
    """One point more on every answer: the interval holds it, and no rating moves."""
    desk.make(runs(16, ARMS))
    stub = judging(steady)
    assert desk.score("--mode", mode, *FIXED).code == 0
    before, asked = json.loads(desk.table().out), len(stub.log)
    later(stub, lambda seen: steady(seen) + 1)
    found = checked(desk)
    anchors = 12 if mode == "pointwise" else 4
    assert len(stub.log) == asked + anchors
    assert found["verdict"] == "drifted"
    assert found["now"]["answers"] == 12
    assert found["now"]["gap"]["low"] <= 1 <= found["now"]["gap"]["high"]
    assert found["noise_reach"] < found["now"]["gap"]["value"]
    after = json.loads(desk.table().out)
    assert [arm["total"] for arm in after["arms"]] == [arm["total"] for arm in before["arms"]]
    # The check is of another day: the table's own drift is of extensions alone.
    assert (after["checks"]["drift"], after["checks"]["drift_cells"]) == (None, 0)
    assert "drift" not in {one["code"] for one in after["warnings"]}
    assert desk.score("--mode", mode, *FIXED).code == 0
    assert len(stub.log) == asked + anchors


@pytest.mark.parametrize("moved", [0, 1])
def test_the_gate_is_shut_where_a_judge_has_drifted(
    desk: Desk, judging: Judging, moved: int
) -> None:
    """--require-no-drift ends with 1 and one line for a judge that moved, else with 0."""
    desk.make(runs(16, ARMS))
    stub = judging(steady)
    assert desk.score(*FIXED).code == 0
    later(stub, lambda seen: steady(seen) + moved)
    said = desk.judge("drift", desk.run, "--baseline", base(desk), "--require-no-drift", *ALONE)
    assert said.code == moved, said.err
    assert said.out.startswith("DRIFTED: " if moved else "NO DRIFT SEEN.")
    assert ("--require-no-drift: DRIFTED: the same judge marks" in said.err) == bool(moved)


def test_a_gate_without_an_interval_is_not_decided(desk: Desk, judging: Judging) -> None:
    """Anchors of one item carry no interval: exit 1, and a dry run decides nothing."""
    desk.make(runs(2, ARMS))
    judging(steady)
    assert desk.score(*FIXED).code == 0
    words = ("drift", desk.run, "--baseline", base(desk), "--require-no-drift", *ALONE)
    assert desk.judge(*words, "--dry-run").code == 0
    said = desk.judge(*words)
    assert said.code == 1
    assert "--require-no-drift cannot be decided" in said.err
    assert said.out.startswith("UNDECIDED")


def test_an_extension_after_a_check_counts_its_own_cells_alone(
    desk: Desk, judging: Judging
) -> None:
    """The kinder judge of the check is in no table; what the extension judged again is."""
    texts = runs(16, ARMS)
    desk.make({arm: texts[arm] for arm in ARMS[1:]})
    stub = judging(steady)
    assert desk.score(*FIXED).code == 0
    later(stub, lambda seen: steady(seen) + 1)
    assert checked(desk)["now"]["number"] == 1
    later(stub, steady)
    desk.make(texts)
    assert desk.score(*FIXED).code == 0
    found = json.loads(desk.table().out)["checks"]
    assert found["drift_cells"] > 0
    assert abs(found["drift_points"]) < 0.5
    assert checked(desk)["now"]["number"] == 2


def test_a_steady_judge_has_not_and_anchors_stay_the_same(desk: Desk, judging: Judging) -> None:
    """Two checks judge the same answers; the second shows the first."""
    desk.make(runs(16, ARMS))
    stub = judging(steady)
    assert desk.score(*FIXED).code == 0
    first = checked(desk)
    assert first["verdict"] == "no_drift"
    assert first["earlier"] == []
    second = checked(desk)
    assert second["earlier"] == [first["now"]]
    cells = desk.rows(
        "SELECT repeat, list(item || arm ORDER BY item, arm) FROM judgments "
        "WHERE purpose = 'drift' GROUP BY repeat"
    )
    assert len(cells) == 2
    assert cells[0][1] == cells[1][1]
    asked = len(stub.log)
    said = desk.judge("drift", desk.run, "--baseline", base(desk), "--dry-run", "--anchors", "20")
    assert said.out == "20 requests to send (nothing was sent)\n"
    assert len(stub.log) == asked
    assert desk.rows("SELECT state FROM passes") == [("complete",)]
    text = desk.judge("drift", desk.run, "--baseline", base(desk)).out
    assert "NO DRIFT SEEN" in text
    assert "Earlier check 1" in text
    words = " ".join(text.split())
    assert "By re-scoring noise alone (sd of one scoring, measured in the pass: " in words
    assert "would be seen in 80 % of such checks (by the spread measured on these anchors)" in words


@pytest.mark.parametrize("mode", ["pointwise", "listwise"])
def test_a_check_leaves_planted_controls_in_the_pass(
    desk: Desk, judging: Judging, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    """A check asks them once more; the pass keeps its own, and the noise is of answers alone."""
    monkeypatch.setenv("JUDGE_CONTROLS", "6")
    desk.make(runs(16, ARMS))
    stub = judging(steady)
    assert desk.score("--mode", mode, *FIXED).code == 0
    before, asked = json.loads(desk.table().out)["controls"], len(stub.log)
    assert before["planted"] == 6
    found = checked(desk)
    assert len(stub.log) == asked + 6 + (12 if mode == "pointwise" else 4)
    assert json.loads(desk.table().out)["controls"] == before
    # What a source is marked beside its control is no judging of it.
    assert found["noise"] == before["noise_sd"]


def test_another_fingerprint_is_a_new_judge(desk: Desk, judging: Judging) -> None:
    """The same marks under another provider fingerprint are said to be another judge's."""
    desk.make(runs(16, ARMS))
    verdict = dict(PLAN["rules"][0]["replies"][0], top={"system_fingerprint": "fp_old"})
    stub = judging(steady, plan={"rules": [{"replies": [verdict]}]})
    assert desk.score(*FIXED).code == 0
    later(stub, steady, mark="fp_new")
    found = checked(desk)
    assert found["verdict"] == "new_judge"
    assert found["answered_then"] == ["stub-judge (fp_old)"]
    assert found["answered_now"] == ["stub-judge (fp_new)"]
    said = desk.judge("drift", desk.run, "--baseline", base(desk), "--require-no-drift")
    assert said.out.startswith("NEW JUDGE: ")
    text = " ".join(said.out.split())
    assert "NEW JUDGE: it answered as stub-judge (fp_old) then" in text
    assert said.code == 1
    assert "--require-no-drift: NEW JUDGE" in said.err


def test_a_check_that_was_broken_off_goes_on(desk: Desk, judging: Judging) -> None:
    """A budget ends it after five calls; the same command asks for the rest alone."""
    desk.make(runs(16, ARMS))
    stub = judging(steady)
    assert desk.score(*FIXED).code == 0
    asked = len(stub.log)
    said = desk.judge("drift", desk.run, "--baseline", base(desk), "--max-requests", "5")
    assert said.code == 5
    assert len(stub.log) == asked + 5
    found = checked(desk)
    assert len(stub.log) == asked + 12
    assert found["now"]["answers"] == 12
    assert found["now"]["number"] == 1


def test_what_cannot_drift_is_refused_in_a_line(desk: Desk, judging: Judging) -> None:
    """Pairs, another judge, a changed run and an unknown pass send nothing."""
    desk.make(runs(4, ARMS))
    stub = judging(lambda seen: seen.worth, plan={
        "rules": [{"replies": [{"verdict": {"prefer": "worth", "quotes": "real"}}]}]
    })  # fmt: skip
    assert desk.score("--mode", "pairwise").code == 0
    asked = len(stub.log)
    said = desk.judge("drift", desk.run, "--baseline", base(desk))
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert "no level that could move" in said.err
    assert desk.judge("drift", desk.run, "--baseline", "nope").code == 2
    assert len(stub.log) == asked


def test_another_judge_and_a_changed_run_are_no_drift(desk: Desk, judging: Judging) -> None:
    """Changed parameters are another judge; a changed answer is judged by `judge score` first."""
    desk.make(runs(8, ARMS))
    stub = judging(steady)
    assert desk.score(*FIXED).code == 0
    (desk.run / "north" / "m00" / "output.md").write_text("Another answer; worth 3.\n")
    said = desk.judge("drift", desk.run, "--baseline", base(desk))
    assert said.code == 2
    assert "has changed since pass" in said.err
    desk.toml(stub.base_url, more="params = { temperature = 0.5 }")
    said = desk.judge("drift", desk.run, "--baseline", base(desk))
    assert said.code == 2
    assert "is not the judge of pass" in said.err
    (desk.root / "x.jsonl").touch()
    said = desk.judge("drift", desk.run, "--baseline", base(desk), "--judge", "replay:x.jsonl")
    assert said.code == 2
    assert "cannot drift" in said.err


def test_a_replay_is_refused_in_a_line(desk: Desk) -> None:
    """A recording answers as it did: there is nothing to measure."""
    assert desk.judge("init").code == 0
    run = desk.root / "runs" / "single-item"
    assert desk.judge("score", run).code == 0
    said = desk.judge("drift", run, "--baseline", base(desk))
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert "is a replay: a recording answers as it did and cannot drift" in said.err


def test_a_check_is_counted_in_no_pass(desk: Desk, judging: Judging) -> None:
    """The list of passes and the table count the pass alone, and the check has a name."""
    desk.make(runs(4, ARMS))
    judging(steady)
    assert desk.score(*FIXED, "--controls", "3").code == 0
    before = json.loads(desk.judge("table", desk.run, "--passes", "--json").out)["passes"][0]
    assert before["planned"] == before["answered"]
    counts = json.loads(desk.table().out)["counts"]
    checked(desk)
    after = json.loads(desk.judge("table", desk.run, "--passes", "--json").out)["passes"][0]
    assert (after["planned"], after["answered"]) == (before["planned"], before["answered"])
    assert json.loads(desk.table().out)["counts"]["requests_planned"] == counts["requests_planned"]
    said, listed = desk.judge("show", desk.run, "north", "m00").out, desk.judge("show", desk.run)
    assert "· m00 · drift check 1\n" in said
    assert " check 1 " in listed.out
    assert "10001" not in said + listed.out
