"""Asking until there is an answer: calls, doubt, usage and the journal's order."""

import time
from typing import Any

import pytest

from judgebench.errors import BudgetStop
from judgebench.judges.ask import MOST_RATE_REPLIES, SetupRefusedError
from judgebench.judges.budget import Limits
from judgebench.model.collected import Usage
from judgebench.model.reasons import Reason
from tests.clock import HANG_S
from tests.judges.sending import VERDICT, MemoryJournal, ask_once, replies


def error(status: int, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - fields of an error
    """An error reply."""
    return {"status": status, "json": {"error": {"message": "no", **fields}}}


def test_a_good_reply_takes_one_call() -> None:
    """Marks of every criterion, usage as reported, nothing in doubt."""
    answer = ask_once(None)
    assert answer.reading.status == "ok"
    assert [mark.mark for mark in answer.reading.marks["A"]] == [4.0, 4.0]
    assert (answer.calls, answer.in_doubt, answer.usage_unknown) == (1, 0, 0)
    assert answer.usage.prompt_tokens == 900


def test_intention_and_raw_reply_are_written_before_anything_else() -> None:
    """The stub has the request only after the intention; both attempts are on record."""
    journal = MemoryJournal()
    ask_once(replies({"verdict": {"score": 99}}, VERDICT), journal=journal)
    assert journal.kinds == ["intend", "received", "intend", "received"]
    attempts = [row.attempt for kind, row in journal.rows if kind == "intend"]
    assert attempts == [1, 2]
    first = journal.rows[0][1]
    assert first.request_sha256
    assert "15:00" in first.user_text


def test_nothing_is_sent_when_the_intention_cannot_be_written() -> None:
    """A full disk costs no call."""
    counts: list[int] = []
    with pytest.raises(OSError, match="no space left"):
        ask_once(None, journal=MemoryJournal(fail_at=1), look=lambda s: counts.append(len(s.log)))
    assert counts == [0]


def test_a_bad_verdict_is_asked_again_and_usage_is_summed() -> None:
    """99 is off the scale: the second call counts, and so do the first one's tokens."""
    answer = ask_once(replies({"verdict": {"score": 99}}, VERDICT))
    assert answer.reading.status == "ok"
    assert answer.calls == 2
    assert answer.usage.prompt_tokens == 1800


def test_bad_verdicts_end_at_the_documented_number_of_calls() -> None:
    """Three calls, all tokens counted, the value shown."""
    answer = ask_once(replies({"verdict": {"score": 99}}))
    assert answer.reading.status == "blocked"
    assert answer.reading.reason is Reason.JUDGE_INVALID
    assert "99" in answer.reading.message
    assert "3 calls" in answer.reading.message
    assert (answer.calls, answer.usage.completion_tokens) == (3, 360)


def test_max_calls_bounds_all_kinds_together() -> None:
    """A lost connection, a bad verdict and a server error are three calls."""
    bad: list[dict[str, Any]] = [
        {"fault": "reset_after_request"},
        {"verdict": {"score": 99}},
        error(500),
    ]
    counts: list[int] = []
    answer = ask_once(replies(*bad, VERDICT), look=lambda stub: counts.append(len(stub.log)))
    assert counts == [3]
    assert answer.reading.reason is Reason.JUDGE_TRANSPORT


def test_lost_answers_are_in_doubt_and_their_usage_unknown() -> None:
    """Twice reset, then a verdict: three calls, two in doubt, tokens not known as a whole."""
    gone = {"fault": "reset_after_request"}
    keys: list[list[str]] = []
    answer = ask_once(
        replies(gone, gone, VERDICT),
        look=lambda stub: keys.append([row["idempotency"] for row in stub.log]),
    )
    assert answer.reading.status == "ok"
    assert (answer.calls, answer.in_doubt, answer.usage_unknown) == (3, 2, 2)
    assert answer.usage == Usage()
    assert keys == [["key-1"] * 3]


def test_a_timeout_is_named_as_such() -> None:
    """The time limit is the reason, and the wait follows from limit and calls."""
    started = time.perf_counter()
    answer = ask_once(replies({"fault": "hang"}), timeout_s=0.2, max_calls=2)
    assert answer.reading.reason is Reason.JUDGE_TIMEOUT
    assert answer.reached
    assert not answer.accepted
    assert time.perf_counter() - started < HANG_S


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (error(400, code="context_length_exceeded"), Reason.JUDGE_CONTEXT),
        (error(400, code="content_filter"), Reason.JUDGE_FILTER),
        ({**VERDICT, "finish_reason": "length", "cut": 0.5}, Reason.JUDGE_LENGTH),
        ({**VERDICT, "finish_reason": "content_filter", "cut": 0.6}, Reason.JUDGE_FILTER),
        ({**VERDICT, "model": "other-9"}, Reason.JUDGE_WRONG_MODEL),
        (error(400, code="odd"), Reason.JUDGE_TRANSPORT),
    ],
)
def test_what_another_call_cannot_help_takes_one(reply: dict[str, Any], reason: Reason) -> None:
    """Too long, filtered, cut, another model, refused for itself: one call."""
    counts: list[int] = []
    answer = ask_once(replies(reply), look=lambda stub: counts.append(len(stub.log)))
    assert counts == [1]
    assert answer.reading.status == "blocked"
    assert answer.reading.reason is reason


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (error(401), "api_key_env"),
        (error(404, code="model_not_found"), "model and base_url"),
        (error(400, param="temperature"), 'temperature = "omit"'),
        (error(400, param="max_tokens"), "max_tokens of this judge"),
        (error(400, param="response_format"), 'mode = "json_schema" was tried'),
        (error(400, param="logit_bias"), "logit_bias was refused"),
    ],
)
def test_a_refused_judge_is_no_blocked_request(reply: dict[str, Any], words: str) -> None:
    """One call, the provider's words, and the setting that avoids it."""
    with pytest.raises(SetupRefusedError, match="no") as caught:
        ask_once(replies(reply))
    assert words in str(caught.value)
    assert caught.value.calls == 1


def test_a_short_wait_is_waited_for_and_is_no_call_of_the_three() -> None:
    """Three 429 with a short Retry-After, then a verdict: scored, and waited."""
    slow = {**error(429), "headers": {"retry-after": "0.1"}, "repeat": 3}
    said: list[str] = []
    started = time.perf_counter()
    answer = ask_once(replies(slow, VERDICT), limits=Limits(concurrency=2, announce=said.append))
    assert answer.reading.status == "ok"
    assert answer.calls == 4
    assert time.perf_counter() - started >= 0.3
    assert said[0] == "the endpoint asks to wait: nothing is sent for 0.1 s"


def test_waits_without_end_are_bounded() -> None:
    """An endpoint that only ever asks to wait leaves the request without an answer."""
    slow = {**error(429), "headers": {"retry-after": "0.01"}}
    answer = ask_once(replies(slow))
    assert answer.calls == MOST_RATE_REPLIES
    assert answer.reading.reason is Reason.JUDGE_TRANSPORT
    assert answer.usage_unknown == 0


def test_a_window_of_hours_ends_the_pass_at_once() -> None:
    """The stop says for how long and quotes the provider."""
    slow = {**error(429, message="opens in 55 hours"), "headers": {"retry-after": 198300}}
    started = time.perf_counter()
    with pytest.raises(BudgetStop, match=r"198,300 s.*opens in 55 hours"):
        ask_once(replies(slow))
    assert time.perf_counter() - started < HANG_S


def test_an_error_inside_200_is_asked_again() -> None:
    """A router's error envelope, then a verdict."""
    envelope = {"json": {"choices": None, "error": {"message": "upstream timed out", "code": 502}}}
    answer = ask_once(replies(envelope, VERDICT))
    assert answer.reading.status == "ok"
    assert (answer.calls, answer.usage_unknown) == (2, 1)
