"""Controls of a pass in a check for drift: a judge that no longer knows a kind is named."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from judgebench.cli.drift import check_drifted
from judgebench.errors import GateError
from judgebench.model.controls import ControlCheck, ControlKind, Verdict
from judgebench.model.drifting import Drift, DriftCheck, DriftControls
from judgebench.model.nouns import Refusal
from judgebench.reports.drifting import render
from judgebench.stats.controls import summary
from tests.acceptance.desk import Desk, Said
from tests.acceptance.test_controls import BAD, GOOD, found, judged_by, score
from tests.pipeline.made import rows
from tests.stub import StubServer

CONTROLS = 6
FENCE = re.compile(r"[0-9a-f]{32}")


@pytest.fixture(autouse=True)
def _controls(_no_controls: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The product's own default."""
    monkeypatch.delenv("JUDGE_CONTROLS")


def becomes(stub: StubServer, rules: list[list[Any]]) -> None:
    """From now on the same endpoint marks by these rules."""
    for turns in stub.script.turns:
        turns[0]["verdict"] = {"score": {"rules": rules}, "quotes": "real"}


def drift(desk: Desk, run: Path, folder: Path, *more: str) -> Said:
    """`judge drift` against the only pass."""
    ((base,),) = rows(folder, "SELECT pass_id FROM passes")
    return desk.judge("drift", run, "--baseline", base, *more)


@pytest.mark.parametrize(("mode", "anchors"), [("pointwise", 12), ("listwise", 4)])
def test_a_kind_that_is_no_longer_known_is_named(tmp_path: Path, mode: str, anchors: int) -> None:
    """Anchors stand still, a near-empty answer gets high marks: named, gate shut, table still."""
    with judged_by(tmp_path, GOOD) as (desk, run, stub):
        assert score(desk, run, "--mode", mode, "--controls", str(CONTROLS)).code == 0
        before, asked = desk.judge("table", run, "--json").json, len(stub.log)
        planted = found(desk, run)
        dry = drift(desk, run, tmp_path, "--dry-run")
        assert dry.out == f"{anchors + CONTROLS} requests to send (nothing was sent)\n"
        becomes(stub, BAD["near_empty"])
        said = drift(desk, run, tmp_path, "--json", "--require-no-drift")
        assert len(stub.log) == asked + anchors + CONTROLS
        after = desk.judge("table", run, "--json").json
        page = drift(desk, run, tmp_path).out
        gate = desk.judge("score", run, "--rubric", "answer", "--mode", mode, "--require-controls")
        assert gate.code == 0, gate.err
    assert said.code == 1
    named = "CONTROLS FAILED that the same judge passed then: near-empty (0 of 1)."
    assert f"--require-no-drift: {named}" in said.err
    controls = said.json["controls"]
    assert said.json["verdict"] == "no_drift"
    assert said.json["now"]["answers"] == 12
    assert (controls["then"]["passed"], controls["now"]["passed"]) == (CONTROLS, CONTROLS - 1)
    assert controls["failed"] == ["near_empty"]
    (lost,) = controls["lost"]
    assert lost["kind"] == "near_empty"
    assert controls["then"] == planted
    for name in ("arms", "pairs", "best", "controls", "warnings"):
        assert after[name] == before[name], name
    text = " ".join(page.split())
    assert page.startswith("NO DRIFT SEEN.\nCONTROLS FAILED")
    assert "Controls judged again: then 6 of 6 passed, now 5 of 6." in text
    assert f"Passed then, failed now: near-empty on {lost['item']}, total" in text
    assert lost["key"] not in {one["key"] for one in planted["failures"]}


def test_the_very_same_requests_are_sent_again(tmp_path: Path) -> None:
    """Each check asks for every control word for word; a changed answer leaves them in the plan."""
    with judged_by(tmp_path, GOOD) as (desk, run, _):
        score(desk, run, "--controls", str(CONTROLS))
        for _ in range(2):
            assert drift(desk, run, tmp_path, "--require-no-drift").code == 0
        (run / "north" / "library" / "output.md").write_text("The library is open again.\n")
        assert score(desk, run).code == 0
    sent = rows(
        tmp_path,
        "SELECT r.repeat, p.arm, s.user_text FROM sends AS s JOIN requests AS r USING (key)"
        " JOIN parts AS p USING (key) WHERE r.purpose = 'control' ORDER BY r.repeat, p.arm",
    )
    # The marks around an answer are of each request.
    words = {
        number: [(arm, FENCE.sub("", text)) for n, arm, text in sent if n == number]
        for number, *_ in sent
    }
    assert list(words) == [1, 10_001, 10_002]
    assert len(words[10_001]) == CONTROLS
    assert words[10_001] == words[10_002]
    assert set(words[10_001]) <= set(words[1])
    kept = rows(
        tmp_path,
        "SELECT repeat, count(*) FILTER (WHERE current) >= 5 FROM requests"
        " WHERE purpose = 'control' GROUP BY repeat ORDER BY repeat",
    )
    assert kept == [(1, True), (10_001, True), (10_002, True)]


def test_a_check_that_was_broken_off_asks_for_its_other_controls(tmp_path: Path) -> None:
    """A budget ends it; the dry run counts what is left, and the same command sends just that."""
    with judged_by(tmp_path, GOOD) as (desk, run, stub):
        score(desk, run, "--controls", str(CONTROLS))
        asked = len(stub.log)
        assert drift(desk, run, tmp_path, "--max-requests", "7", "--concurrency", "1").code == 5
        left = 12 + CONTROLS - 7
        dry = drift(desk, run, tmp_path, "--dry-run")
        assert dry.out == f"{left} requests to send (nothing was sent)\n"
        said = drift(desk, run, tmp_path, "--json")
        assert len(stub.log) == asked + 12 + CONTROLS
    assert f"{left} of {12 + CONTROLS} requests for drift open" in said.err
    assert said.json["controls"]["now"]["decided"] == CONTROLS
    assert said.json["controls"]["lost"] == []


def test_a_pass_without_controls_has_none_in_its_checks(tmp_path: Path) -> None:
    """Anchors alone are asked, and no word is said of controls."""
    with judged_by(tmp_path, GOOD) as (desk, run, stub):
        score(desk, run, "--controls", "0")
        asked = len(stub.log)
        assert drift(desk, run, tmp_path, "--json").json["controls"] is None
        assert len(stub.log) == asked + 12
        assert "ontrols" not in drift(desk, run, tmp_path).out


def test_a_kinder_judge_does_not_fail_twins_for_its_kindness(tmp_path: Path) -> None:
    """Where every mark has moved, the twins are held against sources that moved as far."""
    kinder = [GOOD[0], *([rule, int(str(mark)) + 2] for rule, mark in GOOD[1:])]
    with judged_by(tmp_path, GOOD) as (desk, run, stub):
        score(desk, run, "--controls", "12")
        becomes(stub, kinder)
        said = drift(desk, run, tmp_path, "--json", "--require-no-drift")
        page = " ".join(drift(desk, run, tmp_path).out.split())
    assert said.code == 1
    assert said.json["verdict"] == "drifted"
    controls = said.json["controls"]
    assert controls["moved"] == pytest.approx(2)
    assert {one["kind"] for one in controls["lost"]} <= {"off_task"}
    assert "Totals of sources from the pass are taken +2" in page


def test_a_gate_is_not_decided_without_a_decided_control() -> None:
    """The judge answers on no control any more: the gate is shut, and says why."""
    one = ControlCheck(
        key="0123456789", kind=ControlKind.NEAR_EMPTY, item="library", source="north", total=1.0,
        source_total=8.0, verdict=Verdict.PASSED, why="",
    )  # fmt: skip
    then = summary([one])
    now = summary([replace(one, verdict=Verdict.UNDECIDED, why="its judgment has no total")])
    assert then is not None
    assert now is not None
    unknown = Refusal(statistic="shift", code="too_few_items", have=0, need=2)
    made = Drift(
        run_name="made", judge_name="stub", judge_model="stub", rubric_name="answer",
        pass_id="0",  # noqa: S106 - a pass is no password
        scale_low=1, scale_high=10, judged_at="2026-01-01", verdict="no_drift",
        now=DriftCheck(number=1, at="2026-01-02", answers=12, gap=unknown), items=8,
        detectable=None, noise=unknown, noise_reach=None, same_day=unknown, answered_then=(),
        answered_now=(), blocked=1,
        controls=DriftControls(then=then, now=now, lost=(), failed=(), moved=0.0),
    )  # fmt: skip
    with pytest.raises(GateError, match="no planted control is decided in this check"):
        check_drifted(made)
    assert "Not decided, 1 control: its judgment has no total." in render(made)
    check_drifted(replace(made, controls=None))
