"""Planted controls of passes that compare: each meets its source alone, in both orders."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from judgebench.reports.controls import words as in_words
from tests.acceptance.desk import Desk, Said
from tests.acceptance.test_controls import (
    ARMS,
    BAD,
    GOOD,
    ITEMS,
    TEXTS,
    found,
    planned,
)
from tests.acceptance.test_controls_of_several import joined
from tests.pipeline.made import make_run, make_workspace, rows
from tests.stub import StubServer

PAIRS = ("--rubric", "answer", "--no-html", "--mode", "pairwise", "--repeats", "1")
MAIN = len(ITEMS) * len(ARMS) * (len(ARMS) - 1)


@pytest.fixture(autouse=True)
def _controls(_no_controls: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The product's own default."""
    monkeypatch.delenv("JUDGE_CONTROLS")


@contextmanager
def compared_by(
    folder: Path, rules: list[list[Any]], *, bonus: int = 0
) -> Iterator[tuple[Desk, Path, StubServer]]:
    """A workspace with a run whose judge prefers what its rules give more."""
    verdict = {"prefer": {"rules": rules, "bonus": bonus}, "quotes": "real"}
    with StubServer({"rules": [{"replies": [{"verdict": verdict}]}]}) as stub:
        make_workspace(folder, stub.base_url, mode="json_schema")
        yield Desk(folder), make_run(folder, items=ITEMS, arms=ARMS, texts=TEXTS), stub


def score(desk: Desk, run: Path, *more: str) -> Said:
    """Compare each two answers of an item."""
    return desk.judge("score", run, *PAIRS, *more)


def test_a_good_judge_passes_every_control_in_pairs(tmp_path: Path) -> None:
    """All six kinds, two requests each, decided without any noise, and in no share won."""
    with compared_by(tmp_path, GOOD) as (desk, run, stub):
        plain = score(desk, run, "--controls", "0", "--json").json
        assert len(stub.log) == MAIN
        said = score(desk, run, "--controls", "12", "--require-controls")
        assert said.code == 0, said.err
        assert len(stub.log) == MAIN + 2 * 12
        planted = desk.judge("table", run, "--json").json
    assert "controls: passed 12 of 12, 95 % [0.74, 1.00]" in said.out
    controls = planted["controls"]
    assert (controls["by_pairs"], controls["undecided"]) == (True, [])
    assert {one["kind"]: one["decided"] for one in controls["classes"]} == dict.fromkeys(
        ("near_empty", "damaged", "duplicate", "off_task", "talks_to_judge", "padded"), 2
    )
    for name in ("arms", "pairs", "best", "comparing", "checks"):
        assert planted[name] == plain[name], name
    report = next((tmp_path / "reports" / "made").iterdir()) / "report.md"
    text = report.read_text(encoding="utf-8")
    assert "loses to its source in both orders" in text
    assert "Each was compared with its source and with nothing else, in both orders." in text


def test_the_list_has_every_comparison_of_a_control_once(tmp_path: Path) -> None:
    """Blind names alone; revealed, each control stands with its source, once shown first."""
    with compared_by(tmp_path, GOOD) as (desk, run, _):
        score(desk, run, "--controls", "6")
        blind, revealed = desk.judge("show", run), desk.judge("show", run, "--reveal", "--all")
    assert "control" not in blind.out
    lines = [line for line in revealed.out.splitlines() if "(control)" in line]
    assert len(lines) == 2 * 6
    assert sum("/ (control)" in line for line in lines) == 6


def test_each_control_meets_its_source_in_both_orders(tmp_path: Path) -> None:
    """Two requests a control, source and control in either place, labels of their own."""
    with compared_by(tmp_path, GOOD) as (desk, run, _):
        score(desk, run, "--controls", "6")
    met = rows(
        tmp_path,
        "SELECT c.control, c.source_arm, list(a.arm ORDER BY a.ordinal), list(a.label) "
        "FROM controls AS c JOIN parts AS p ON p.arm = c.control "
        "JOIN parts AS a ON a.key = p.key GROUP BY c.control, c.source_arm, p.key",
    )
    orders = {(control, tuple(arms)) for control, _, arms, _ in met}
    assert len(met) == 2 * 6
    for control, source, _, labels in met:
        assert {(control, (control, source)), (control, (source, control))} <= orders
        assert len(set(labels)) == 2


@pytest.mark.parametrize("kind", sorted(BAD))
def test_a_judge_that_prefers_a_kind_is_named_in_pairs(tmp_path: Path, kind: str) -> None:
    """Named in the first lines with a failure to look at, told without its arm."""
    # In a comparison a tie is right for a damaged twin, so this judge has to prefer it.
    rules = BAD[kind] if kind != "damaged" else [*GOOD[:3], ["", 9]]
    with compared_by(tmp_path, rules) as (desk, run, _):
        said = score(desk, run, "--controls", "12", "--require-controls")
    assert said.code == 1
    assert f"the judge fails planted controls: {in_words(kind)} (0 of 2)" in said.err
    assert f"! the judge fails planted controls: {in_words(kind)} 0 of 2" in said.out
    report = (next((tmp_path / "reports" / "made").iterdir()) / "report.md").read_text("utf-8")
    failures = found(desk, run)["failures"]
    assert [one["kind"] for one in failures] == [kind, kind]
    for one in failures:
        assert max(one["shares"]) > 0
        assert f"judge show made {one['key'][:8]}" in report
        shown = desk.judge("show", run, one["key"][:8])
        assert shown.code == 0, shown.err
        assert f"planted, {in_words(kind)}: " in shown.out
        assert "the control is " in shown.out
        assert not any(f"made of {arm}" in shown.out for arm in ARMS)


def test_a_judge_of_places_passes_what_may_tie_and_fails_what_must_lose(tmp_path: Path) -> None:
    """Always the first: a duplicate may turn with the order, a bare colon has to lose."""
    with compared_by(tmp_path, GOOD, bonus=99) as (desk, run, _):
        score(desk, run, "--controls", "12")
    kinds = {one["kind"]: one["passed"] for one in found(desk, run)["classes"]}
    assert kinds == {
        "near_empty": 0, "off_task": 0, "damaged": 2, "duplicate": 2, "padded": 2,
        "talks_to_judge": 2,
    }  # fmt: skip


def test_a_judge_that_takes_one_of_two_equal_texts_in_one_order_only_fails(tmp_path: Path) -> None:
    """A tie in one order and a winner in the other is no equal treatment of equal texts."""
    plan = {"rules": [{"replies": [
        {"verdict": {"prefer": "tie", "quotes": "real"}, "repeat": 25},
        {"verdict": {"prefer": "first", "quotes": "real"}},
    ]}]}  # fmt: skip
    with StubServer(plan) as stub:
        make_workspace(tmp_path, stub.base_url, mode="json_schema")
        run = make_run(tmp_path, items=ITEMS, arms=ARMS, texts=TEXTS)
        desk = Desk(tmp_path)
        score(desk, run, "--controls", "60", "--concurrency", "1")
    failed = [one for one in found(desk, run)["failures"] if one["kind"] == "duplicate"]
    uneven = rows(
        tmp_path,
        "SELECT c.control FROM controls AS c JOIN judgments AS j ON j.arm = c.control "
        "WHERE c.kind = 'duplicate' GROUP BY c.control HAVING sum(j.total) <> 1",
    )
    assert len(failed) == len(uneven)
    assert {tuple(sorted(one["shares"])) for one in failed} <= {(0.0, 0.5), (0.5, 1.0)}


def test_the_default_in_pairs_is_a_tenth_of_the_pairs_and_is_priced(tmp_path: Path) -> None:
    """36 pairs in both orders get 4 controls in both orders; check and dry run count them."""
    with compared_by(tmp_path, GOOD) as (desk, run, stub):
        words = ("--rubric", "answer", "--mode", "pairwise", "--repeats", "1")
        check = desk.judge("check", run, *words)
        dry = score(desk, run, "--dry-run")
        assert len(stub.log) == 0
        score(desk, run, "--max-requests", "5")
        assert len(stub.log) == 5
        said = score(desk, run)
        assert len(stub.log) == MAIN + 8
    assert f"{MAIN + 8} requests (4 controls, in 8 requests)" in joined(check.out)
    assert f"{MAIN + 8} requests to send (4 controls, in 8 requests)" in joined(dry.out)
    assert "controls: passed 4 of 4" in said.out


def test_a_replay_of_pairs_has_the_controls_that_were_recorded(tmp_path: Path) -> None:
    """The same controls under the same keys, and no call."""
    live, other = tmp_path / "live", tmp_path / "other"
    live.mkdir()
    other.mkdir()
    with compared_by(live, GOOD) as (desk, run, _):
        score(desk, run, "--controls", "6")
        out = tmp_path / "rec.jsonl"
        said = desk.judge("batch", "record", run, *PAIRS[:2], "--out", out)
        assert said.code == 0, said.err
    make_workspace(other, "http://127.0.0.1:9/v1")
    run = make_run(other, items=ITEMS, arms=ARMS, texts=TEXTS)
    said = score(Desk(other), run, "--judge", f"replay:{out}")
    assert said.code == 0, said.err
    assert "controls: passed 6 of 6" in said.out
    assert planned(other) == planned(live)


def test_split_criteria_ask_a_control_once_for_each_in_both_orders(tmp_path: Path) -> None:
    """Four criteria in two orders are eight requests, and one control."""
    with compared_by(tmp_path, GOOD) as (desk, run, stub):
        said = score(desk, run, "--split-criteria", "--controls", "3")
        count = len(stub.log)
    assert count == 4 * (MAIN + 2 * 3)
    assert "controls: passed 3 of 3" in said.out
