"""A judge through instructor's client, against a real server on loopback."""

from typing import Any

import pytest

from judgebench.errors import JudgeSetupError
from judgebench.judges import wire
from judgebench.judges.ask import Answer, ask
from judgebench.judges.budget import Limits
from judgebench.judges.transports.base import run
from judgebench.judges.transports.provider import ProviderTransport, _envelope
from judgebench.judges.validate import read_reply
from judgebench.model.nouns import RawReply
from judgebench.model.reasons import Reason
from tests.judges import made, sending
from tests.judges.sending import FORM, VERDICT, MemoryJournal, replies
from tests.stub import StubServer


def ask_provider(plan: dict[str, Any] | None, **changes: Any) -> tuple[Answer, list[Any]]:  # noqa: ANN401
    """Ask one request through ``from_provider``."""
    with StubServer(plan) as stub:
        one = sending.judge(stub.base_url, provider="openai", **changes)

        async def main() -> Answer:
            async with ProviderTransport(one, sending.KEY, base_url=stub.base_url) as transport:
                return await ask(
                    "key-1",
                    sending.request(),
                    FORM,
                    transport=transport,
                    judge=one,
                    settled=wire.first(one),
                    journal=MemoryJournal(),
                    limits=Limits(concurrency=1),
                )

        return run(main()), stub.log


def test_marks_come_through_instructors_client() -> None:
    """One call under the schema of the rubric; marks, usage and model are read from it."""
    answer, log = ask_provider(None)
    assert answer.reading.status == "ok"
    assert [mark.mark for mark in answer.reading.marks["A"]] == [4.0, 4.0]
    assert answer.usage.prompt_tokens == 900
    assert "tools" in log[0]["params"]
    assert len(log) == 1


def test_attempts_are_ours_alone() -> None:
    """Three bad verdicts are three calls: neither instructor nor the client asks again."""
    answer, log = ask_provider(replies({"verdict": {"score": 99}}))
    assert len(log) == 3
    assert answer.reading.reason is Reason.JUDGE_INVALID


def test_a_second_call_in_one_reply_is_seen() -> None:
    """Two function calls are two verdicts, although instructor takes the first."""
    answer, _ = ask_provider(replies({**VERDICT, "second_call_score": 1}), max_calls=1)
    assert answer.reading.reason is Reason.JUDGE_INVALID
    assert "more than one verdict" in answer.reading.message


def test_a_cut_reply_keeps_its_words_and_its_reason() -> None:
    """The client raises; the completion is read all the same, once."""
    answer, log = ask_provider(replies({**VERDICT, "cut": 0.5, "finish_reason": "length"}))
    assert answer.reading.reason is Reason.JUDGE_LENGTH
    assert answer.usage.completion_tokens == 120
    assert len(log) == 1


def test_refusals_and_waits_are_replies() -> None:
    """429 with Retry-After is waited for; the second call is scored."""
    slow = {
        "status": 429,
        "json": {"error": {"message": "slow"}},
        "headers": {"retry-after": "0.1"},
    }
    answer, log = ask_provider(replies(slow, VERDICT))
    assert answer.reading.status == "ok"
    assert (answer.calls, len(log)) == (2, 2)


@pytest.mark.parametrize(
    ("fault", "reason"),
    [("reset_after_request", Reason.JUDGE_TRANSPORT), ("hang", Reason.JUDGE_TIMEOUT)],
)
def test_lost_calls_are_in_doubt(fault: str, reason: Reason) -> None:
    """No answer is no exception."""
    answer, log = ask_provider(replies({"fault": fault}), max_calls=1, timeout_s=0.5)
    assert len(log) <= 1
    assert answer.reading.reason is reason
    assert answer.in_doubt == 1


def test_an_unknown_provider_is_a_fault_of_the_setup() -> None:
    """One line that says what to do."""
    with pytest.raises(JudgeSetupError, match="OpenAI-compatible base_url"):
        ProviderTransport(sending.judge("", provider="nobody"), None)


def test_a_completion_of_another_form_is_put_into_ours() -> None:
    """Stop reason, tokens and model are where our reader looks; the original is kept."""

    class Block(made_model()):  # type: ignore[misc]  # a made base
        """A completion as another provider gives it."""

    completion = Block(
        model="stub-1", stop_reason="max_tokens", usage={"input_tokens": 7, "output_tokens": 3}
    )
    text = _envelope(completion, None)
    raw = RawReply(key="k", attempt=1, status=200, body=text, outcome="received")
    reading = read_reply(raw, FORM, wire_mode="tools", asked_model="stub-1")
    assert reading.reason is Reason.JUDGE_LENGTH
    assert (reading.usage.prompt_tokens, reading.usage.completion_tokens) == (7, 3)


def made_model() -> Any:  # noqa: ANN401 - a made model
    """A pydantic model that takes any field."""
    from judgebench.judges.transports.provider import _Anything  # noqa: PLC0415

    return _Anything


def test_a_verdict_of_another_provider_is_read_strictly() -> None:
    """What instructor took is read again by our reader."""
    verdict = made_model()(**made.verdict(99))
    text = _envelope(object(), verdict)
    raw = RawReply(key="k", attempt=1, status=200, body=text, outcome="received")
    reading = read_reply(raw, FORM, wire_mode="tools", asked_model="")
    assert "99" in reading.message
