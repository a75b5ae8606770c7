"""The body that goes out, in every mode."""

import dataclasses
import json
from dataclasses import replace
from typing import Any

import pytest

from judgebench.judges import wire
from judgebench.judges.identity import judge_sha256
from judgebench.model.nouns import Judge
from tests.judges import sending
from tests.judges.sending import FORM

JUDGE = sending.judge("http://127.0.0.1:9/v1", params={"seed": 7})


def body(settled: wire.Settled | None = None, judge: Judge = JUDGE) -> dict[str, Any]:
    """The body of one request."""
    settled = settled or wire.first(judge)
    return wire.body(sending.request(), FORM, judge=judge, settled=settled)


def test_the_first_form_is_a_schema_with_bounds_and_temperature_0() -> None:
    """Strict JSON schema; temperature, seed and the judge's own token budget are sent."""
    sent = body()
    assert sent["model"] == "stub-1"
    assert (sent["temperature"], sent["seed"], sent["max_tokens"]) == (0, 7, 4096)
    wanted = sent["response_format"]["json_schema"]
    assert wanted["strict"] is True
    assert '"maximum": 5' in json.dumps(wanted["schema"])
    assert [message["role"] for message in sent["messages"]] == ["system", "user"]


def test_openai_gets_its_name_of_the_token_limit() -> None:
    """Its newer models refuse max_tokens."""
    sent = body(judge=dataclasses.replace(JUDGE, provider="openai"))
    assert sent["max_completion_tokens"] == 4096
    assert "max_tokens" not in sent


def test_what_the_user_leaves_out_is_not_sent() -> None:
    """The word "omit" takes a parameter out, ours too; his own values stand."""
    judge = dataclasses.replace(JUDGE, params={"temperature": "omit", "top_p": 0.5})
    assert wire.first(judge).params == {"max_tokens": 4096, "top_p": 0.5}


def test_tools_force_the_one_function() -> None:
    """The function's name is the form's, and it must be called."""
    sent = body(wire.Settled(mode="tools"))
    assert sent["tools"][0]["function"]["name"] == FORM.name
    assert sent["tool_choice"]["function"]["name"] == FORM.name
    assert "response_format" not in sent


@pytest.mark.parametrize("mode", ["json", "md_json"])
def test_modes_without_a_schema_carry_it_in_words_and_in_the_hash(mode: wire.WireMode) -> None:
    """What the judge is shown changes, so the hash of the words sent does too."""
    settled = wire.Settled(mode=mode)
    rendered = sending.request()
    sent = body(settled)
    system = sent["messages"][0]["content"]
    assert system.startswith(rendered.system)
    assert json.loads(system.rsplit("\n", 1)[1]) == FORM.schema
    assert ("response_format" in sent) == (mode == "json")
    assert wire.request_sha256(rendered, FORM, settled) != rendered.request_sha256
    assert wire.system_sha256(rendered, FORM, settled) != wire.system_sha256(
        rendered, FORM, wire.Settled(mode="tools")
    )


def test_a_plain_schema_has_no_bounds_and_the_same_words() -> None:
    """Bounds are checked after the reply, so the question is the same."""
    settled = wire.Settled(mode="json_schema", schema="plain")
    assert "maximum" not in json.dumps(body(settled)["response_format"])
    rendered = sending.request()
    assert wire.request_sha256(rendered, FORM, settled) == rendered.request_sha256


def test_a_settled_form_is_read_back_as_stored() -> None:
    """The store keeps one text."""
    settled = wire.Settled(mode="tools", params={"temperature": 0}, schema="plain")
    assert wire.Settled.from_json(settled.as_json()) == settled


@pytest.mark.parametrize("provider", ["openai", "endpoint"])
@pytest.mark.parametrize("name", wire.LIMITS)
def test_the_limit_can_be_left_out_under_either_name(provider: str, name: str) -> None:
    """No spelling of it is sent, and the judge stays the same judge."""
    judge = Judge(name="j", model="m", provider=provider, sha256="0" * 64)
    without = replace(judge, params={name: wire.LEFT_OUT})
    assert wire.first(without).params == {"temperature": 0}
    assert judge_sha256(without) == judge_sha256(judge)
