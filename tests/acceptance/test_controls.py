"""Planted controls from the command to the report, with judges that are known to be good or bad."""

import hashlib
import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from judgebench.reports.controls import words as in_words
from tests.acceptance.desk import Desk, Said
from tests.acceptance.rig import Rig
from tests.acceptance.rig import stub as stub_process
from tests.clock import HANG_S
from tests.pipeline.made import make_run, make_workspace, rows
from tests.stub import StubServer

ITEMS = (
    "library", "harbour", "market", "garden", "museum", "station",
    "bakery", "cinema", "school", "bridge", "theatre", "depot",
)  # fmt: skip
ARMS = ("north", "south", "east")
# Shown to the rules is the prompt, a line of =====, and the answer.
EMPTY = [r"=====\n[^.]{0,40}:\s*$", 1]
OFF_TASK = [r"about (\w+)\.\s+=====\n(?![\s\S]*\b\1\b)", 2]
ASKS = r"top marks|highest marks|maximum score"
PLEAS = ("give it the top marks", "award the highest marks", "assign the maximum score")
ADDED = r"kept by \w+\.\s*\n\n\w"
WHOLE = [r"Friday[\s\S]*kept by (north|south|east)", 8]
DAMAGED = [r"", 5]
GOOD = [EMPTY, OFF_TASK, WHOLE, DAMAGED]


def words(item: str, count: int = 14) -> str:
    """Words that belong to one item alone."""
    drawn = (hashlib.sha256(f"{item}{at}".encode()).hexdigest()[:7] for at in range(count))
    return " ".join(word.translate(str.maketrans("0123456789", "ghijklmnop")) for word in drawn)


TEXTS = {
    (arm, item): f"The {item} is shut. It opens again on Friday, {words(item)}, kept by {arm}.\n"
    for item in ITEMS
    for arm in ARMS
}


@pytest.fixture(autouse=True)
def _controls(_no_controls: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The product's own default."""
    monkeypatch.delenv("JUDGE_CONTROLS")


@contextmanager
def judged_by(folder: Path, rules: list[list[Any]]) -> Iterator[tuple[Desk, Path, StubServer]]:
    """A workspace with a run whose judge marks by rules."""
    plan = {"rules": [{"replies": [{"verdict": {"score": {"rules": rules}, "quotes": "real"}}]}]}
    with StubServer(plan) as stub:
        make_workspace(folder, stub.base_url, mode="json_schema")
        run = make_run(folder, items=ITEMS, arms=ARMS, texts=TEXTS)
        yield Desk(folder), run, stub


def score(desk: Desk, run: Path, *more: str) -> Said:
    """Judge the run with the rubric `answer`."""
    return desk.judge("score", run, "--rubric", "answer", "--no-html", *more)


def found(desk: Desk, run: Path) -> dict[str, Any]:
    """The controls of the result."""
    loaded: dict[str, Any] = desk.judge("table", run, "--json").json["controls"]
    return loaded


@pytest.mark.parametrize("mode", ["pointwise", "listwise"])
def test_a_good_judge_passes_every_control(tmp_path: Path, mode: str) -> None:
    """All kinds are planted, decided and passed; the first lines say so and the gate is open."""
    with judged_by(tmp_path, GOOD) as (desk, run, stub):
        said = score(desk, run, "--mode", mode, "--controls", "12", "--require-controls")
        asked = len(stub.log)
    assert said.code == 0, said.err
    assert "controls: passed 12 of 12, 95 % [0.74, 1.00]" in said.out
    assert "fails planted controls" not in said.all
    controls = found(desk, run)
    assert {one["kind"]: one["planted"] for one in controls["classes"]} == dict.fromkeys(
        ("near_empty", "damaged", "duplicate", "off_task", "talks_to_judge", "padded"), 2
    )
    assert controls["failures"] == []
    planned = {"pointwise": 36 + 12 + 12, "listwise": 12 + 4 + 12}[mode]
    assert asked == planned
    report = next((tmp_path / "reports" / "made").iterdir()) / "report.md"
    assert "## Planted controls" in report.read_text()


FAILS = "JUDGE FAILS CONTROLS"
BAD = {
    "near_empty": [[EMPTY[0], 9], *GOOD[1:]],
    "off_task": [EMPTY, [OFF_TASK[0], 8], *GOOD[2:]],
    "damaged": [EMPTY, OFF_TASK, WHOLE, [DAMAGED[0], 8]],
    "talks_to_judge": [EMPTY, OFF_TASK, [ASKS, 10], *GOOD[2:]],
    "padded": [EMPTY, OFF_TASK, [ASKS, 8], [ADDED, 10], *GOOD[2:]],
}


@pytest.mark.parametrize("kind", sorted(BAD))
def test_a_judge_that_fails_a_kind_is_named(tmp_path: Path, kind: str) -> None:
    """Named in the first lines, each failure by its blind name; --require-controls exits 1."""
    with judged_by(tmp_path, BAD[kind]) as (desk, run, _):
        said = score(desk, run, "--controls", "12", "--require-controls")
    assert said.code == 1
    assert f"the judge fails planted controls: {in_words(kind)} (0 of 2)" in said.err
    assert said.out.splitlines()[2].startswith(f"{FAILS}: {in_words(kind)} 0 of 2")
    assert f"! the judge fails planted controls: {in_words(kind)} 0 of 2" in said.out
    assert "controls: passed 10 of 12" in said.out
    failures = found(desk, run)["failures"]
    assert [one["kind"] for one in failures] == [kind, kind]
    report = (next((tmp_path / "reports" / "made").iterdir()) / "report.md").read_text()
    assert f"{FAILS}: {in_words(kind)} 0 of 2" in "".join(report.splitlines()[:8])
    for one in failures:
        assert f"judge show made {one['key'][:8]}" in report
        shown = desk.judge("show", run, one["key"][:8])
        assert f"planted, {in_words(kind)}: " in shown.out
        assert "right treatment: " in shown.out
        both = one["source_total"], one["total"]
        assert "its source's total {:.2f}, its own {:.2f}: failed, ".format(*both) in shown.out
        assert not any(f"made of {arm}" in shown.out for arm in ARMS)
        assert "made of " in desk.judge("show", run, one["key"][:8], "--reveal").out


def test_a_judge_that_draws_lots_fails_on_duplicates(tmp_path: Path) -> None:
    """In lists, where the label changes the mark of the same text, more than noise explains."""
    plan = {"rules": [{"replies": [{"verdict": {"score": "hash", "quotes": "real"}}]}]}
    with StubServer(plan) as stub:
        make_workspace(tmp_path, stub.base_url, mode="json_schema")
        run = make_run(tmp_path, items=ITEMS, arms=ARMS, texts=TEXTS)
        desk = Desk(tmp_path)
        score(desk, run, "--controls", "36", "--split-criteria")
    (duplicate,) = (one for one in found(desk, run)["classes"] if one["kind"] == "duplicate")
    # Pointwise the stub draws by the text: the same text is the same mark.
    assert (duplicate["decided"], duplicate["passed"]) == (6, 6)
    assert found(desk, run)["passed"] < found(desk, run)["decided"]


def test_controls_are_in_no_rating(tmp_path: Path) -> None:
    """With and without them every figure of the arms and of the judge's marks is the same."""
    without, with_them = tmp_path / "without", tmp_path / "with"
    results = []
    without.mkdir()
    with_them.mkdir()
    with judged_by(without, BAD["padded"]) as (first, run, stub):
        make_workspace(with_them, stub.base_url, mode="json_schema")
        other = make_run(with_them, items=ITEMS, arms=ARMS, texts=TEXTS)
        for mode in ("pointwise", "listwise"):
            score(first, run, "--mode", mode, "--controls", "0")
            score(Desk(with_them), other, "--mode", mode, "--controls", "30")
    for folder in (without, with_them):
        desk, run = Desk(folder), folder / "runs" / "made"
        results += [
            desk.judge("table", run, "--json", "--pass", one).json
            for (one,) in rows(folder, "SELECT pass_id FROM passes ORDER BY mode")
        ]
    for plain, planted in zip(results[:2], results[2:], strict=True):
        assert plain["controls"] is None
        assert planted["controls"]["planted"] == 30
        for name in ("arms", "pairs", "best", "checks", "detectable"):
            assert planted[name] == plain[name], name
    arms = [(arm,) for arm in sorted(ARMS)]
    assert rows(with_them, "SELECT DISTINCT arm FROM ratings ORDER BY arm") == arms
    assert rows(with_them, "SELECT DISTINCT arm FROM marks ORDER BY arm") == arms


def test_requests_tell_nothing_of_a_control(tmp_path: Path) -> None:
    """No kind, no id, no word of planting is sent, and controls stand among the others."""
    with judged_by(tmp_path, GOOD) as (desk, run, _):
        score(desk, run, "--controls", "12")
    sent = rows(
        tmp_path,
        "SELECT r.purpose, s.user_text FROM sends AS s JOIN requests AS r USING (key)"
        " ORDER BY r.position",
    )
    purposes = [purpose for purpose, _ in sent]
    assert Counter(purposes) == {"main": 36, "noise": 12, "control": 12}
    places = [at for at, purpose in enumerate(purposes) if purpose == "control"]
    assert places[0] < 30
    assert places[-1] > 30
    for word in ("control", "planted", "near_empty", "duplicate", "padded"):
        assert not any(word in text for _, text in sent)


def test_the_default_is_a_tenth_and_is_counted_before(tmp_path: Path) -> None:
    """Check and dry run count them; 48 requests get 5; 0 turns them off and is said."""
    with judged_by(tmp_path, GOOD) as (desk, run, stub):
        check = desk.judge("check", run, "--rubric", "answer")
        assert "53 requests (5 controls)" in check.out
        dry = score(desk, run, "--dry-run")
        assert "53 requests to send (5 controls)" in dry.out
        assert len(stub.log) == 0
        said = score(desk, run, "--controls", "0", "--require-controls")
        assert "controls off" in said.out.splitlines()[2]
        assert said.code == 1
        assert "no planted control is decided" in said.err
        assert len(stub.log) == 48
        # A pass keeps the number that it was begun with.
        assert score(desk, run).code == 0
        assert len(stub.log) == 48
        assert "controls: passed 3 of 3" in score(desk, run, "--controls", "3").out
        assert len(stub.log) == 51


@pytest.mark.parametrize("number", [2, 6, 20])
def test_a_judged_control_stays_whatever_the_number(tmp_path: Path, number: int) -> None:
    """A pass is broken off after a few of twelve; another number keeps those that were judged."""
    current = (
        "SELECT DISTINCT c.control FROM controls AS c JOIN parts AS p ON c.pass_id = p.pass_id"
        " AND c.control = p.arm JOIN requests AS r ON p.pass_id = r.pass_id AND p.key = r.key"
        " JOIN judgments AS j ON r.pass_id = j.pass_id AND r.key = j.key WHERE r.current"
    )
    with judged_by(tmp_path, GOOD) as (desk, run, _):
        assert score(desk, run, "--controls", "12", "--max-requests", "40").code == 5
        before = set(desk.rows(current))
        assert len(before) > 2
        said = score(desk, run, "--controls", str(number))
        after = set(desk.rows(current))
    assert said.code == 0, said.err
    assert before <= after
    assert len(after) == max(number, len(before))
    assert "superseded" not in said.err or "judgment kept" not in said.err


def test_controls_that_were_judged_are_not_taken_away(tmp_path: Path) -> None:
    """Fewer or none later on: one line says that they stay, and a failed one still counts."""
    with judged_by(tmp_path, BAD["padded"]) as (desk, run, stub):
        score(desk, run, "--controls", "12")
        asked = len(stub.log)
        for number in ("0", "3"):
            said = score(desk, run, "--controls", number)
            (line,) = [one for one in folded(said.err) if "takes none away" in one]
            assert f"--controls {number} takes none away: pass " in line
            assert "has 12 planted controls judged, which stay and count" in line
            assert "controls: passed 10 of 12" in said.out
            assert FAILS in said.out
        assert len(stub.log) == asked
        more = score(desk, run, "--controls", "24")
    assert "takes none away" not in more.err
    assert "of 24" in more.out
    assert FAILS in more.out


def folded(text: str) -> list[str]:
    """Lines with what was wrapped below them."""
    return text.replace("\n  ", " ").splitlines()


def test_one_item_has_the_three_kinds_that_fit_it(tmp_path: Path) -> None:
    """Near-empty, damaged, duplicate; without repeats the duplicate is not decided."""
    with judged_by(tmp_path, GOOD) as (desk, _, _stub):
        run = make_run(tmp_path / "one", items=ITEMS[:1], arms=ARMS, texts=TEXTS)
        said = score(desk, run)
    assert "controls: passed 2 of 2, 95 % [0.16, 1.00]" in said.out
    result = desk.judge("table", run, "--json").json["controls"]
    assert [one["kind"] for one in result["classes"]] == ["near_empty", "damaged", "duplicate"]
    assert result["undecided"] == [["the repeatability limit is unknown", 1]]


@pytest.mark.parametrize("mode", ["pointwise", "listwise"])
def test_a_start_that_ended_early_goes_on_with_the_same_controls(tmp_path: Path, mode: str) -> None:
    """Budgets count controls as calls; resumed, nothing is planted or asked twice."""
    with judged_by(tmp_path, GOOD) as (desk, run, stub):
        for most in (3, 6, 5):
            before = len(stub.log)
            assert score(desk, run, "--mode", mode, "--max-requests", str(most)).code != 0
            assert len(stub.log) == before + most
        assert score(desk, run, "--mode", mode).code == 0
        count = len(stub.log)
    planned = {"pointwise": 53, "listwise": 19}[mode]
    assert count == planned
    assert rows(tmp_path, "SELECT count(DISTINCT control) FROM controls") == [
        ({"pointwise": 5, "listwise": 3}[mode],)
    ]
    assert desk.judge("table", run, "--json").json["judging"]["complete"]


@pytest.mark.parametrize("mode", ["pointwise", "listwise"])
def test_a_kill_loses_no_control(tmp_path: Path, mode: str) -> None:
    """Killed with calls in flight and started again: each control is judged, none is changed."""
    replies = [{"verdict": {"score": "hash", "quotes": "real"}, "delay": 0.1}]
    given = ("--controls", "8", "--mode", mode)
    with stub_process(tmp_path, replies) as (base_url, log):
        rig = Rig(tmp_path / "space", base_url, log)
        process = rig.start(*given)
        until = time.monotonic() + HANG_S
        while len(rig.log()) < 5 and process.poll() is None and time.monotonic() < until:
            time.sleep(0.02)
        process.kill()
        rig.finish(process)
        before = rows(rig.folder, "SELECT key FROM requests ORDER BY key")
        assert rig.score(*given).code == 0
        asked = Counter(row["body_sha"] for row in rig.log())
    planned = {"pointwise": 20 + 8, "listwise": 10 + 8}[mode]
    assert rows(rig.folder, "SELECT key FROM requests ORDER BY key") == before
    assert len(before) == len(asked) == planned
    # At most the calls in flight when the kill came were asked again.
    assert asked.total() <= planned + 4
    assert rig.result()["controls"]["planted"] == 8
    assert rows(
        rig.folder, "SELECT count(DISTINCT key) FROM judgments WHERE purpose = 'control'"
    ) == [(8,)]


def test_a_changed_answer_gets_other_controls(tmp_path: Path) -> None:
    """Twins of a text that is no more are left out; the rest stays judged."""
    with judged_by(tmp_path, GOOD) as (desk, run, stub):
        score(desk, run, "--controls", "12")
        ((arm, item),) = rows(
            tmp_path, "SELECT source_arm, item FROM controls WHERE kind = 'padded' LIMIT 1"
        )
        before = len(stub.log)
        path = run / arm / item / "output.md"
        path.write_text(TEXTS[arm, item].replace("shut", "closed"))
        said = score(desk, run)
        again = len(stub.log) - before
    assert "controls: passed 12 of 12" in said.out
    assert 2 <= again <= 6


def planned(folder: Path) -> dict[str, str]:
    """Requests of controls in the plan, by their keys, with who is judged."""
    return dict(
        rows(
            folder,
            "SELECT r.key, c.control FROM requests AS r"
            " JOIN parts AS p ON r.pass_id = p.pass_id AND r.key = p.key"
            " JOIN controls AS c ON p.pass_id = c.pass_id AND p.arm = c.control"
            " WHERE r.current AND r.purpose = 'control'",
        )
    )


@pytest.mark.parametrize("mode", ["pointwise", "listwise"])
def test_an_extended_pass_keeps_its_controls(tmp_path: Path, mode: str) -> None:
    """An added arm changes no control and adds none; a replay elsewhere has the very same."""
    texts = TEXTS | {("west", item): TEXTS["north", item] + "It is so.\n" for item in ITEMS}
    live, other = tmp_path / "live", tmp_path / "other"
    live.mkdir()
    other.mkdir()
    with judged_by(live, GOOD) as (desk, run, stub):
        score(desk, run, "--mode", mode)
        before, first = planned(live), found(desk, run)
        make_run(live, items=ITEMS, arms=(*ARMS, "west"), texts=texts)
        asked = len(stub.log)
        score(desk, run, "--mode", mode)
        drift = rows(live, "SELECT key FROM judgments WHERE current AND purpose = 'drift'")
        assert planned(live) == before
        assert len(stub.log) > asked
        assert found(desk, run)["planted"] == first["planted"]
        header = recorded(desk, run, tmp_path / "rec.jsonl")
    assert header["controls"] == len(header["planted"]) == len(before)
    # Where every list has a new member, all of them are judged anew.
    assert bool(drift) is (mode == "pointwise")
    make_workspace(other, "http://127.0.0.1:9/v1")
    run = make_run(other, items=ITEMS, arms=(*ARMS, "west"), texts=texts)
    said = score(Desk(other), run, "--judge", f"replay:{tmp_path / 'rec.jsonl'}")
    assert said.code == 0, said.err
    assert planned(other) == before
    assert f"controls: passed {first['passed']} of {first['decided']}" in said.out


def test_another_number_plants_anew(tmp_path: Path) -> None:
    """What was planted stays as far as the new number has room for it."""
    with judged_by(tmp_path, GOOD) as (desk, run, _):
        score(desk, run, "--controls", "6")
        before = set(planned(tmp_path).values())
        score(desk, run, "--controls", "9")
        after = set(planned(tmp_path).values())
        score(desk, run)
    assert (len(before), len(after)) == (6, 9)
    assert len(before & after) >= 4
    assert set(planned(tmp_path).values()) == after


def recorded(desk: Desk, run: Path, out: Path) -> dict[str, Any]:
    """A recording of the run's pass, and its header."""
    said = desk.judge("batch", "record", run, "--rubric", "answer", "--out", out)
    assert said.code == 0, said.err
    loaded: dict[str, Any] = json.loads(out.with_suffix(".json").read_text())
    return loaded


@pytest.mark.parametrize("planted", [0, 9])
def test_a_replay_has_the_controls_that_were_recorded(tmp_path: Path, planted: int) -> None:
    """None where none were, without a word of them; all of them where they were, no call made."""
    live, other = tmp_path / "live", tmp_path / "other"
    live.mkdir()
    other.mkdir()
    with judged_by(live, BAD["padded"]) as (desk, run, _):
        score(desk, run, "--controls", str(planted))
        header = recorded(desk, run, tmp_path / "rec.jsonl")
        first = desk.judge("table", run, "--json").json
    assert header["controls"] == planted
    make_workspace(other, "http://127.0.0.1:9/v1")
    run = make_run(other, items=ITEMS, arms=ARMS, texts=TEXTS)
    desk = Desk(other)
    said = score(desk, run, "--judge", f"replay:{tmp_path / 'rec.jsonl'}", "--controls", "20")
    again = desk.judge("table", run, "--json").json
    assert again["controls"] == first["controls"]
    assert again["arms"] == first["arms"]
    assert again["judging"]["complete"]
    assert ("controls: passed" in said.out) == bool(planted)
    assert "controls off" not in said.out


def test_an_exported_batch_holds_the_controls(tmp_path: Path) -> None:
    """As many lines as the plan has requests, controls among them under keys like any other."""
    with judged_by(tmp_path, GOOD) as (desk, run, _):
        said = desk.judge(
            "batch", "export", run, "--rubric", "answer", "--out", tmp_path / "out.jsonl"
        )
    assert "53 requests" in said.out
    lines = (tmp_path / "out.jsonl").read_text().splitlines()
    assert len(lines) == 53
    assert not any("control" in line for line in lines)
    header = json.loads((tmp_path / "out.json").read_text())
    assert (header["noise"], header["controls"]) == (True, 5)


def test_the_list_of_judgments_keeps_controls_blind(tmp_path: Path) -> None:
    """A person who looks sees names like any other; only --reveal tells."""
    with judged_by(tmp_path, GOOD) as (desk, run, _):
        score(desk, run, "--controls", "6", "--mode", "listwise")
        blind = desk.judge("show", run)
        open_list = desk.judge("show", run, "--reveal", "--all")
    assert "control" not in blind.out
    assert open_list.out.count("(control) ") == 6


def test_the_split_pass_has_one_control_of_many_requests(tmp_path: Path) -> None:
    """With --split-criteria a control is as many requests as criteria, and one control."""
    with judged_by(tmp_path, GOOD) as (desk, run, stub):
        said = score(desk, run, "--split-criteria", "--repeats", "1")
        count = len(stub.log)
    assert count == 4 * (36 + 4)
    assert found(desk, run)["planted"] == 4
    assert "controls: passed 3 of 3" in said.out


@pytest.mark.parametrize("allowed", [0, 2])
def test_a_control_that_never_gets_an_answer_is_a_judge_failure(
    tmp_path: Path, allowed: int
) -> None:
    """Counted, named in a warning, and the exit code is 3 where that is more than allowed."""
    broken = {"status": 400, "json": {"error": {"message": "no", "code": 504}}}
    good = {"verdict": {"score": {"rules": GOOD}, "quotes": "real"}}
    rules = [
        *({"when_body_has": text, "replies": [broken]} for text in PLEAS),
        {"replies": [good]},
    ]
    with StubServer({"rules": rules}) as stub:
        make_workspace(tmp_path, stub.base_url, mode="json_schema")
        run = make_run(tmp_path, items=ITEMS, arms=ARMS, texts=TEXTS)
        desk = Desk(tmp_path)
        # A seed under which an answer comes first: what the first request meets stops a pass.
        said = score(desk, run, "--controls", "12", "--max-judge-failures", str(allowed),
                     "--seed", "2")  # fmt: skip
    assert "! 2 controls have no answer (2 judge_" in said.out
    assert said.code == (0 if allowed else 3), said.err
    assert ("2 (2 of them controls or repeats), allowed: 0" in said.err) is not allowed
    assert desk.judge("table", run, "--json").json["counts"]["judgments_blocked"] == 0
