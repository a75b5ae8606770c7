"""Which other form is tried after a refusal, and what is left alone."""

from typing import Any

import pytest

from judgebench.errors import JudgeSetupError
from judgebench.judges import wire
from judgebench.judges.ask import Answer, SetupRefusedError
from judgebench.judges.faults import Fault
from judgebench.judges.settle import adapt, settle
from judgebench.judges.transports.base import run
from judgebench.judges.validate import Reading
from judgebench.model.nouns import Judge
from tests.judges import sending

JUDGE = sending.judge("http://127.0.0.1:9/v1")
FIRST = wire.first(JUDGE)


def refusal(param: str | None, words: str = "no", kind: Any = "setup") -> Fault:  # noqa: ANN401
    """A refusal that names what it refuses."""
    return Fault(kind=kind, message=words, words=words, param=param)


def chosen(fault: Fault, settled: wire.Settled = FIRST, **changes: Any) -> wire.Settled | None:  # noqa: ANN401
    """The other form, if there is one."""
    found = adapt(settled, fault, sending.judge("", **changes))
    return found[0] if found else None


def test_the_token_limit_changes_its_name() -> None:
    """Both ways, and the number stays."""
    other = chosen(refusal("max_tokens"))
    assert other is not None
    assert other.params == {"max_completion_tokens": 4096, "temperature": 0}
    assert chosen(refusal("max_completion_tokens"), other) == FIRST
    assert chosen(refusal("max_completion_tokens")) is None


def test_our_temperature_is_left_out_and_the_users_is_not() -> None:
    """A setting that somebody wrote is never changed in silence."""
    other = chosen(refusal("temperature"))
    assert other is not None
    assert "temperature" not in other.params
    assert chosen(refusal("temperature"), other) is None
    assert chosen(refusal("temperature"), params={"temperature": 0.3}) is None
    assert chosen(refusal("seed"), params={"seed": 1}) is None


def test_bounds_go_before_the_mode_does() -> None:
    """A refused schema word costs the bounds, a refused mode the mode."""
    plain = chosen(refusal("response_format", "'minimum' is not permitted"))
    assert plain is not None
    assert (plain.mode, plain.schema) == ("json_schema", "plain")
    assert chosen(refusal("schema", "grammar error")) == plain
    tools = chosen(refusal("response_format", "json_schema is not supported"))
    assert tools is not None
    assert (tools.mode, tools.schema) == ("tools", "full")
    json_mode = chosen(refusal("tool_choice"), tools)
    assert json_mode is not None
    assert json_mode.mode == "json"
    fenced = chosen(refusal("response_format"), json_mode)
    assert fenced is not None
    assert chosen(refusal("response_format"), fenced) is None


def test_a_mode_that_the_user_names_is_kept() -> None:
    """Only its bounds may go."""
    assert chosen(refusal("response_format", "unsupported"), wire_mode="json_schema") is None
    plain = chosen(refusal("response_format", "maxLength"), wire_mode="json_schema")
    assert plain is not None
    assert plain.schema == "plain"


@pytest.mark.parametrize("kind", ["auth", "final"])
def test_other_refusals_have_no_other_form(kind: str) -> None:
    """A wrong key stays wrong."""
    assert chosen(refusal("temperature", kind=kind)) is None
    assert chosen(refusal(None)) is None
    assert chosen(refusal("logit_bias")) is None


class Endpoint:
    """An endpoint that refuses in turn, then answers."""

    def __init__(self, *faults: Fault, reached: bool = True) -> None:
        self.faults, self.reached = list(faults), reached
        self.asked: list[tuple[wire.Settled, int]] = []
        self.said: list[str] = []

    async def attempt(self, settled: wire.Settled, calls: int) -> Answer:
        """One request."""
        self.asked.append((settled, calls))
        if self.faults:
            raise SetupRefusedError(self.faults.pop(0), 1, JUDGE, settled)
        reading = Reading(status="ok" if self.reached else "blocked", message="gone")
        return Answer(reading=reading, calls=1, reached=self.reached, accepted=self.reached)

    def settle(self, judge: Judge = JUDGE) -> tuple[wire.Settled, Answer]:
        """Settle it."""
        return run(settle(judge, self.attempt, announce=self.said.append))


def test_an_endpoint_that_takes_the_first_form_is_asked_once() -> None:
    """Nothing is said, nothing is changed."""
    endpoint = Endpoint()
    settled, answer = endpoint.settle()
    assert (settled, answer.calls, endpoint.said) == (FIRST, 1, [])


def test_two_changes_are_made_and_said_in_one_line() -> None:
    """Calls before count; the line names both."""
    endpoint = Endpoint(refusal("temperature"), refusal("max_tokens"))
    settled, answer = endpoint.settle()
    assert settled.params == {"max_completion_tokens": 4096}
    assert answer.calls == 3
    assert [calls for _, calls in endpoint.asked] == [0, 1, 2]
    line = "J1: temperature is not sent; max_completion_tokens is sent in place of max_tokens"
    assert endpoint.said == [f"{line}, as the endpoint wants it"]


def test_a_third_refusal_is_the_last() -> None:
    """Three calls, then one line with what was tried."""
    faults = [refusal("temperature"), refusal("max_tokens"), refusal("tools", "odd")]
    endpoint = Endpoint(*faults)
    with pytest.raises(JudgeSetupError, match=r"odd.*tried before: temperature is not sent"):
        endpoint.settle()
    assert len(endpoint.asked) == 3


def test_a_wrong_key_is_told_at_once() -> None:
    """One call."""
    endpoint = Endpoint(refusal(None, "invalid key", kind="auth"))
    with pytest.raises(JudgeSetupError, match=r"invalid key.*api_key_env"):
        endpoint.settle()
    assert len(endpoint.asked) == 1


def test_an_address_where_nothing_listens_is_told_at_once() -> None:
    """The address and what to check."""
    with pytest.raises(JudgeSetupError, match=r"http://127.0.0.1:9/v1 cannot be reached: gone"):
        Endpoint(reached=False).settle()
