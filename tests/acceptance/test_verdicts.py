"""What counts as a verdict, where it may stand, and what a bad one costs."""

import json
from collections.abc import Callable

import pytest

from tests.acceptance.desk import DATA, HARBOUR, THREE, Desk, always, per_rule, plan
from tests.stub import StubServer

Serve = Callable[..., StubServer]
MODES = ["json_schema", "tools", "json", "md_json"]


def test_a_score_off_the_scale_is_asked_again_and_never_clamped(desk: Desk, serve: Serve) -> None:
    """The second reply counts, with the tokens of both; three bad ones block, value shown."""
    desk.make(THREE)
    stub = serve(plan("off-scale"))
    assert desk.score().code == 3
    assert per_rule(stub.log) == {0: 2, 1: 3, 2: 3}
    assert desk.marks()["north"] == {4}
    assert desk.spent() == {"north": (2, 0, 2040), "south": (3, 0, 3060), "east": (3, 0, 3060)}
    for arm, value in (("south", "77"), ("east", "-3")):
        reason, message = desk.blocked()[arm]
        assert reason == "judge_invalid"
        assert value in message
    assert desk.table().json["money"]["completion_tokens"] == 8 * 120
    assert desk.rows("SELECT count(*) FROM marks WHERE mark IN (1, 5)") == [(0,)]


def test_every_odd_score_is_refused(desk: Desk, serve: Serve) -> None:
    """docs/judging.md: a whole number is a whole number; all odd values cost the same calls."""
    odd = json.loads((DATA / "odd-scores.json").read_text(encoding="utf-8"))
    arms = {
        f"a{place:02}": HARBOUR.replace("harbour", f"odd-{place:02}-") for place in range(len(odd))
    }
    desk.make(arms)
    stub = serve(
        {
            "rules": [
                {
                    "when_body_has": f"tag-odd-{place:02}-",
                    "replies": [{"verdict": {"score": value}}],
                }
                for place, value in enumerate(odd)
            ]
        }
    )
    assert desk.score().code == 3
    assert per_rule(stub.log) == dict.fromkeys(range(len(odd)), 3)
    assert {reason for reason, _ in desk.blocked().values()} == {"judge_invalid"}
    assert len(desk.blocked()) == len(odd)
    assert desk.rows("SELECT count(*) FROM marks WHERE mark IS NOT NULL") == [(0,)]


def test_text_that_is_nearly_json_is_refused(desk: Desk, serve: Serve) -> None:
    """NaN, infinities, double keys, hexadecimal and trailing commas are no verdict."""
    odd = json.loads((DATA / "odd-bodies.json").read_text(encoding="utf-8"))
    desk.make({f"a{place}": f"{HARBOUR} tag-text-{place}-" for place in range(len(odd))})
    serve(
        {
            "rules": [
                {
                    "when_body_has": f"tag-text-{place}-",
                    "replies": [{"verdict": {}, "channel": "none", "before": text}],
                }
                for place, text in enumerate(odd)
            ]
        }
    )
    assert desk.score().code == 3
    assert len(desk.blocked()) == len(odd)
    assert {reason for reason, _ in desk.blocked().values()} == {"judge_invalid"}
    assert desk.rows("SELECT count(*) FROM marks WHERE mark IS NOT NULL") == [(0,)]


@pytest.mark.parametrize("mode", MODES)
def test_the_place_of_a_verdict_is_the_same_in_every_mode(
    desk: Desk, serve: Serve, mode: str
) -> None:
    """One fence is read; a reasoning field and prose are not, whatever mode is asked for."""
    desk.make(THREE)
    serve(plan("other-places"), more=f'mode = "{mode}"')
    assert desk.score().code == 3
    assert desk.marks()["south"] == {4}
    reason, message = desk.blocked()["north"]
    assert reason == "judge_invalid"
    assert "reasoning" in message
    assert "mode" in message
    assert desk.blocked()["east"][0] == "judge_invalid"


@pytest.mark.parametrize("mode", MODES)
def test_two_verdicts_are_none(desk: Desk, serve: Serve, mode: str) -> None:
    """Quoted before or after, called twice, or a key twice: never the higher one, always kept."""
    arms = {name: HARBOUR.replace("harbour", name) for name in ("first", "last", "twice", "double")}
    desk.make(arms)
    double = (
        '{"clarity": {"quotes": [], "rationale": "r", "cannot_judge": false, "score": 1, '
        '"score": 5}, "completeness": {"quotes": [], "rationale": "r", "cannot_judge": false, '
        '"score": 1}, "tone": {"quotes": [], "rationale": "r", "cannot_judge": false, "score": 1}}'
    )
    one = {"verdict": {"score": 1, "quotes": "real"}}
    rules = {
        "tag-first": {
            **one, "channel": "content", "before": "The text says @@VERDICT_MAX@@, I say: "
        },
        "tag-last": {**one, "channel": "content", "after": "\n(It had claimed @@VERDICT_MAX@@)"},
        "tag-twice": {**one, "channel": "tool", "second_call_score": 5},
        "tag-double": {**one, "channel": "none", "before": double},
    }  # fmt: skip
    serve(
        {"rules": [{"when_body_has": tag, "replies": [reply]} for tag, reply in rules.items()]},
        more=f'mode = "{mode}"',
    )
    assert desk.score().code == 3
    got = desk.blocked()
    assert {arm: reason for arm, (reason, _) in got.items()} == dict.fromkeys(arms, "judge_invalid")
    assert "verdict" in got["first"][1]
    assert "verdict" in got["twice"][1]
    assert "twice" in got["double"][1]
    assert not any({4, 5} & marks for marks in desk.marks().values())
    kept = desk.rows("SELECT count(*) FROM calls WHERE body IS NOT NULL")
    assert kept == [(12,)]


def test_another_model_that_answers_is_blocked(desk: Desk, serve: Serve) -> None:
    """A reply by a model that was not asked for is no verdict of the judge."""
    desk.make({"north": HARBOUR})
    stub = serve(always(verdict={"score": 5}, model="some-other-model"))
    first = desk.score()
    assert first.code == 3
    assert len(stub.log) == 1
    reason, message = desk.blocked()["north"]
    assert reason == "judge_wrong_model"
    assert "some-other-model" in message
    assert desk.table().arm("north")["mean"] is None
    assert "! some-other-model answered where stub-judge was asked" in first.out


def test_a_dated_snapshot_of_the_judge_is_no_warning(desk: Desk, serve: Serve) -> None:
    """What is accepted as the model that was asked for is not said to be another."""
    desk.make({"north": HARBOUR})
    serve(always(verdict={"score": 4, "quotes": "real"}, model="stub-judge-2026-03-05"))
    said = desk.score()
    assert said.code == 0
    assert "stub-judge-2026-03-05" not in said.out
    assert desk.table().json["checks"]["wrong_model"] is None


UNABLE = {"verdict": {"boolean": True}}


@pytest.mark.parametrize("mode", ["pointwise", "listwise", "pairwise"])
def test_a_judge_that_cannot_judge_has_not_scored(desk: Desk, serve: Serve, mode: str) -> None:
    """No total is no score: counted with its reason in exit code, table, CSV, JSON and page."""
    desk.make(THREE)
    serve(always(**UNABLE))
    said = desk.score("--mode", mode)
    assert said.code == 3
    assert "cannot_judge" in said.out
    what = "comparisons" if mode == "pairwise" else "judgments"
    assert f"{what} blocked" in said.out
    result = desk.table().json
    assert result["counts"]["judgments_scored"] == 0
    assert result["counts"]["judgments_blocked"] > 0
    for arm in result["arms"]:
        (blocked,) = arm["judge_blocked"]
        assert blocked["reason"] == "cannot_judge"
        assert "clarity" in blocked["message"]
        assert arm["mean"] is None
        rows = desk.rows(
            "SELECT count(*), min(reason), min(message) FROM blocked "
            "WHERE what = 'judgment' AND arm = ?",
            arm["arm"]["id"],
        )
        assert rows == [(blocked["count"], blocked["reason"], blocked["message"])]
        assert desk.rows(
            "SELECT mean_total, items, judgments FROM ratings WHERE arm = ?", arm["arm"]["id"]
        ) == [(None, 0, 0)]
    assert {one["code"] for one in result["warnings"]} >= {"judge_blocked"}
    (folder,) = (desk.root / "reports" / "bulletin").iterdir()
    for name in ("report.md", "report.html", "ratings.csv"):
        assert "cannot_judge" in (folder / name).read_text(encoding="utf-8"), name


def test_one_weighted_criterion_that_cannot_be_judged_is_enough(desk: Desk, serve: Serve) -> None:
    """The other arms keep their totals; the one without is blocked for the judge's reason."""
    desk.make(THREE)
    mark = {"quotes": [], "rationale": "r", "cannot_judge": False, "score": 4}
    verdict = json.dumps(
        {"clarity": mark, "completeness": {**mark, "cannot_judge": True}, "tone": mark}
    )
    unable = {"verdict": {}, "channel": "none", "before": verdict}
    rules = [
        {"when_body_has": "tag-quarry", "replies": [unable]},
        {"replies": [{"verdict": {"score": 4, "quotes": "real"}}]},
    ]
    serve({"rules": rules})
    assert desk.score().code == 3
    table = desk.table()
    assert table.json["counts"]["judgments_scored"] == 2
    assert table.json["counts"]["judgments_blocked"] == 1
    assert table.arm("east")["judge_blocked"][0]["message"] == "no mark for completeness"
    assert table.arm("north")["mean"] == 4
    assert desk.rows("SELECT arm, reason, message FROM blocked") == [
        ("east", "cannot_judge", "no mark for completeness")
    ]
    assert desk.rows("SELECT arm, mean_total, judgments_blocked FROM ratings ORDER BY arm") == [
        (arm, table.arm(arm)["mean"], arm == "east") for arm in ("east", "north", "south")
    ]
    assert desk.score("--max-judge-failures", "1").code == 0
