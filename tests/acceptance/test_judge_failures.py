"""What the judge's side does wrong never becomes a score."""

from collections.abc import Callable

from tests.acceptance.desk import HARBOUR, MEADOW, THREE, WHOLE, Desk, per_rule, plan
from tests.stub import StubServer

Serve = Callable[..., StubServer]


def test_a_cut_reply_and_a_cut_answer_are_blocked(desk: Desk, serve: Serve) -> None:
    """The run's own token limit costs no request, the judge's costs one; neither is a score."""
    desk.make(THREE, records={"south": {**WHOLE, "finish_reason": "length"}})
    stub = serve(plan("cut"))
    first = desk.score()
    assert first.code == 3
    assert per_rule(stub.log) == {0: 1, 1: 1}
    assert desk.blocked()["south"][0] == "length"
    reason, message = desk.blocked()["east"]
    assert reason == "judge_length"
    assert "max_tokens" in message
    assert desk.spent()["east"] == (1, 0, 1056)
    assert desk.marks()["north"] == {4}
    assert "south" not in desk.marks()
    assert desk.marks().get("east", {None}) == {None}
    table = desk.table()
    assert table.json["counts"]["judgments_scored"] == 1
    assert table.json["counts"]["outputs_blocked"] == 1
    assert table.json["counts"]["judgments_blocked"] == 1
    assert table.arm("south")["mean"] is None
    assert table.arm("east")["mean"] is None
    assert "judge_length" in first.all or "cut" in first.out
    desk.score()
    assert per_rule(stub.log) == {0: 1, 1: 1}


def test_an_error_inside_http_200_is_no_reply(desk: Desk, serve: Serve) -> None:
    """The provider's words are quoted, an HTML page is named, all calls are counted."""
    desk.make(THREE)
    stub = serve(plan("error-in-200"))
    first = desk.score()
    assert first.code == 3
    assert per_rule(stub.log) == {0: 2, 1: 3, 2: 3}
    assert desk.marks()["north"] == {4}
    assert desk.blocked()["south"][0] == "judge_transport"
    assert "the upstream gave up waiting" in desk.blocked()["south"][1]
    assert "JSON" in desk.blocked()["east"][1]
    assert {arm: calls for arm, (calls, _, _) in desk.spent().items()} == {
        "north": 2,
        "south": 3,
        "east": 3,
    }
    report = next((desk.root / "reports").rglob("report.md")).read_text(encoding="utf-8")
    for shown in (first.all, report):
        assert "NoneType" not in shown
        assert "<script" not in shown


def test_a_text_too_long_for_the_judge_is_asked_once(desk: Desk, serve: Serve) -> None:
    """One request at most, the size and the limit in the message, nothing cut in silence."""
    long = "".join(f"Paragraph {n} about the tram stop. (tag-meadow)\n" for n in range(6000))
    desk.make({"north": HARBOUR, "south": long})
    stub = serve(plan("context"))
    assert desk.score().code == 3
    assert per_rule(stub.log).get(0, 0) <= 1
    reason, message = desk.blocked()["south"]
    assert reason == "judge_context"
    assert "8192" in message
    assert "60413" in message
    assert desk.marks()["north"] == {4}


def test_a_content_filter_is_final(desk: Desk, serve: Serve) -> None:
    """Two ways to withhold a reply, one request each; the partial verdict is not used."""
    desk.make(THREE)
    stub = serve(plan("filter"))
    assert desk.score().code == 3
    assert per_rule(stub.log) == {0: 1, 1: 1, 2: 1}
    assert desk.blocked()["south"][0] == "judge_filter"
    assert desk.blocked()["east"][0] == "judge_filter"
    assert desk.marks()["north"] == {4}


def test_the_reason_told_is_the_most_frequent_over_all_arms(desk: Desk, serve: Serve) -> None:
    """One arm with two failures of a kind does not outvote three arms with one of another."""
    arms = {arm: f"Please walk to the corner. (tag-{arm})" for arm in ("a", "b", "c")}
    desk.make({"z": {"m1": "Stop. (tag-z)", "m2": "Halt. (tag-z)"}, **arms})
    off = {"status": 400, "json": {"error": {"message": "no", "code": "content_filter"}}}
    serve(
        {
            "rules": [
                {"when_body_has": "tag-z", "replies": [{"verdict": {"score": 99}}]},
                {"replies": [off]},
            ]
        }
    )
    said = desk.score()
    assert said.code == 3
    assert "5 of 5 judgments (3 judge_filter, 2 judge_invalid)" in " ".join(said.out.split())


def test_blocked_rows_stay_out_of_the_mean(desk: Desk, serve: Serve) -> None:
    """Half of the better arm fails at the judge: its mean stands on the other half."""
    desk.make(
        {
            "north": {f"m{n}": HARBOUR.replace("harbour", f"harbour-{n}") for n in range(1, 5)},
            "south": {f"m{n}": MEADOW.replace("meadow", f"meadow-{n}") for n in range(1, 5)},
        }
    )
    serve(plan("uneven"))
    first = desk.score()
    assert first.code == 3
    table = desk.table()
    north, south = table.arm("north"), table.arm("south")
    assert (north["mean"], north["answered"], north["planned"]) == (4, 2, 4)
    assert (south["mean"], south["answered"], south["planned"]) == (3, 4, 4)
    assert [one["count"] for one in north["judge_blocked"]] == [2]
    assert table.json["pairs"][0]["shared"] == 2
    assert [arm["arm"]["id"] for arm in table.json["arms"]] == ["north", "south"]
    for word in ("NaN", "nan", "inf", "Infinity"):
        assert f" {word}" not in table.out
    assert desk.rows("SELECT count(*) FROM marks WHERE mark NOT IN (3, 4)") == [(0,)]
    assert desk.rows("SELECT arm, mean_total, items FROM ratings ORDER BY arm") == [
        ("north", 4.0, 2),
        ("south", 3.0, 4),
    ]
    assert "2/4" in first.out or "2 of 4" in first.out
