"""Endpoints that refuse, lose, delay or never end an answer."""

import json
import time
from collections.abc import Callable

import pytest

from tests.acceptance.desk import DATA, HARBOUR, MEADOW, THREE, WHOLE, Desk, per_rule, plan
from tests.clock import HANG_S
from tests.stub import StubServer

Serve = Callable[..., StubServer]
REFUSED = json.loads((DATA / "refused.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("what", ["temperature", "max_tokens", "schema"])
def test_a_refused_parameter_ends_the_run_at_once(desk: Desk, serve: Serve, what: str) -> None:
    """A fault of the set-up, not of an output: three requests at most, nothing blocked."""
    desk.make({f"arm{n:02}": HARBOUR for n in range(20)})
    stub = serve({"rules": [{"replies": [REFUSED[what]]}]}, more="params = {temperature = 0}")
    first = desk.score()
    assert first.code == 2
    assert len(stub.log) <= 3
    assert {"temperature": "temperature", "max_tokens": "max_", "schema": "schema"}[
        what
    ] in first.err
    assert "judges.toml" in first.err or "mode" in first.err
    assert desk.rows("SELECT count(*) FROM judgments") == [(0,)]
    assert desk.rows("SELECT count(*) FROM blocked") == [(0,)]
    good = serve(plan("fours"), more="params = {temperature = 0}")
    assert desk.score().code == 0
    assert len(good.log) >= 20
    assert desk.rows("SELECT count(DISTINCT arm) FROM marks WHERE mark = 4") == [(20,)]


def test_an_endpoint_that_only_dislikes_one_word_is_adapted_to(desk: Desk, serve: Serve) -> None:
    """Refused once, left out once, said once; what was really sent is on record."""
    desk.make(THREE)
    refused = REFUSED["max_tokens"]
    stub = serve({"rules": [{"replies": [refused, {"verdict": {"score": 4, "quotes": "real"}}]}]})
    first = desk.score()
    assert first.code == 0
    assert len(stub.log) == 4
    assert "max_completion_tokens" in first.err
    assert all("max_completion_tokens" in row["params"] for row in stub.log[1:])
    assert "max_completion_tokens" in desk.table().json["judging"]["params_sent"]
    desk.score()
    assert len(stub.log) == 4


def test_a_lost_answer_is_counted_as_in_doubt(desk: Desk, serve: Serve) -> None:
    """Three calls at most, the same idempotency key for one request, unknown cost is not zero."""
    desk.make(THREE)
    stub = serve(plan("lost"), more="price = {input_usd = 1.0, output_usd = 2.0}")
    assert desk.score().code == 3
    assert per_rule(stub.log) == {0: 3, 1: 3, 2: 1}
    assert desk.spent()["south"][:2] == (3, 2)
    assert desk.spent()["east"][:2] == (3, 3)
    assert desk.marks()["south"] == {4}
    reason, message = desk.blocked()["east"]
    assert reason == "judge_transport"
    assert "connection" in message
    keys: dict[int, set[str | None]] = {}
    for row in stub.log:
        keys.setdefault(row["rule"], set()).add(row["idempotency"])
    assert [len(one) for one in keys.values()] == [1, 1, 1]
    assert len(set.union(*keys.values())) == 3
    money = desk.table().json["money"]
    assert money["cost_usd"] is None
    assert money["requests_unreported"] == 2
    assert desk.rows("SELECT cost_unknown, calls_in_doubt FROM costs") == [(2, 5)]


def test_a_window_of_many_hours_ends_the_pass(desk: Desk, serve: Serve) -> None:
    """Seconds, not days; the message says when it opens; nothing is blocked for ever."""
    desk.make({f"arm{n}": HARBOUR for n in range(5)})
    stub = serve(plan("window"))
    begun = time.monotonic()
    first = desk.score()
    assert first.code == 5
    assert time.monotonic() - begun < HANG_S
    assert "144000" in first.err or "40 hours" in first.err
    assert len(stub.log) <= 5
    assert desk.rows("SELECT count(*) FROM blocked") == [(0,)]
    serve(plan("fours"))
    assert desk.score().code == 0
    assert len(desk.marks()) == 5


def test_a_short_wait_is_kept_and_announced(desk: Desk, serve: Serve) -> None:
    """No second request before the time named, then all are scored."""
    desk.make(THREE)
    stub = serve(plan("short-wait"))
    first = desk.score()
    assert first.code == 0
    assert "2 s" in first.err
    waits = sorted(row["in"] for row in stub.log)
    refused = next(row for row in stub.log if row["nth_of_rule"] == 1)
    assert all(when >= refused["out"] + 2.0 or when <= refused["out"] for when in waits)
    assert set(desk.marks()) == set(THREE)


@pytest.mark.parametrize(
    "reply", [{"fault": "hang", "seconds": 60}, {"fault": "trickle", "seconds": 60, "every": 0.2}]
)
def test_a_call_is_given_up_by_the_clock(
    desk: Desk, serve: Serve, reply: dict[str, object]
) -> None:
    """A reply that trickles counts like one that never comes: limit x calls, then blocked."""
    desk.make({"north": HARBOUR, "south": MEADOW})
    serve({"rules": [{"replies": [reply]}]}, more="max_calls = 2")
    begun = time.monotonic()
    first = desk.score("--timeout", "1")
    assert time.monotonic() - begun < HANG_S
    assert first.code in {3, 2}
    assert {reason for reason, _ in desk.blocked().values()} == {"judge_timeout"}


def test_a_providers_message_is_not_judged(desk: Desk, serve: Serve) -> None:
    """An arm's own provider window and time-out are blocked without a request."""
    desk.make(
        {
            "north": HARBOUR,
            "south": "You have used up your allowance. (tag-meadow)",
            "east": MEADOW,
        },
        records={
            "south": {**WHOLE, "finish_reason": "error", "error": "usage window"},
            "east": {
                **WHOLE,
                "finish_reason": None,
                "wall_s": 61.0,
                "error": {"kind": "timeout", "message": "limit of 60 s", "elapsed_s": 60.0},
            },
        },
    )
    stub = serve(plan("fours"))
    assert desk.score().code == 0
    assert len(stub.log) == 1
    assert {arm: reason for arm, (reason, _) in desk.blocked().items()} == {
        "south": "provider_window",
        "east": "timeout",
    }
