"""Live calls against a real server on loopback."""

import asyncio
import base64
import json
import time
from typing import Any
from urllib.parse import quote

import pytest

from judgebench.judges.transports.base import MASKED, MAX_BODY_BYTES, KeyMask, run
from judgebench.judges.transports.live import LiveTransport
from judgebench.model.nouns import RawReply
from tests.clock import HANG_S
from tests.judges import sending
from tests.stub import StubServer

BODY = {"model": "stub-1", "messages": [{"role": "user", "content": "Mark this: é."}]}


def send(plan: dict[str, Any] | None = None, **changes: Any) -> tuple[RawReply, list[Any]]:  # noqa: ANN401
    """The last of some calls to a stub with this plan, and the stub's log."""
    body = changes.pop("body", BODY)
    calls = changes.pop("calls", 1)
    with StubServer(plan) as stub:

        async def main() -> RawReply:
            async with LiveTransport(
                sending.judge(stub.base_url, **changes), sending.KEY, 2
            ) as one:
                for number in range(1, calls):
                    await one.send(body, key=f"key-{number}", attempt=1)
                return await one.send(body, key=f"key-{calls}", attempt=1)

        return run(main()), stub.log


def test_a_reply_comes_back_as_its_text_unread() -> None:
    """The body is the very text that the endpoint wrote, whatever it holds."""
    raw, log = send(sending.replies({"text": "<html>no JSON é</html>"}))
    assert (raw.status, raw.outcome, raw.body) == (200, "received", "<html>no JSON é</html>")
    assert raw.elapsed_s > 0
    assert len(log) == 1


def test_the_idempotency_key_is_the_requests_key() -> None:
    """One header, the same with each attempt of a request."""
    _, log = send()
    assert log[0]["idempotency"] == "key-1"
    assert log[0]["params"] == ["model"]


def test_an_error_status_is_a_reply_with_the_wait_that_it_asks_for() -> None:
    """429 and its Retry-After come back once; nobody sleeps and nobody asks again."""
    reply = {"status": 429, "json": {"error": {"message": "slow"}}, "headers": {"retry-after": 7}}
    raw, log = send(sending.replies(reply))
    assert (raw.status, raw.retry_after_s) == (429, 7.0)
    assert json.loads(raw.body)["error"]["message"] == "slow"
    assert len(log) == 1


def test_a_redirect_is_not_followed() -> None:
    """The text of a request goes to the address that the user named and to no other."""
    raw, log = send(
        sending.replies({"status": 307, "headers": {"location": "http://127.0.0.1:9/"}})
    )
    assert raw.status == 307
    assert len(log) == 1


def test_later_calls_differ_from_the_first_in_body_and_key_alone() -> None:
    """What openai's client builds once is repeated: address, authorization, headers."""
    _, (first, second, third) = send(calls=3)
    assert [row["idempotency"] for row in (first, second, third)] == ["key-1", "key-2", "key-3"]
    for name in ("headers", "key_sha", "body_sha", "params"):
        assert first[name] == second[name] == third[name]
    assert first["headers"]["content-type"] == "application/json"


@pytest.mark.parametrize("status", [307, 400, 429, 500])
def test_an_error_status_of_a_later_call_is_a_reply_too(status: int) -> None:
    """A refusal comes back with its status whether or not a call went before it."""
    refusal = {"status": status, "json": {"error": {"message": "no"}}}
    raw, log = send(sending.replies(sending.VERDICT, refusal), calls=2)
    assert (raw.status, raw.outcome) == (status, "received")
    assert json.loads(raw.body)["error"]["message"] == "no"
    assert len(log) == 2


@pytest.mark.parametrize("before", [0, 1])
@pytest.mark.parametrize("fault", ["reset_after_request", "short_body"])
def test_a_lost_connection_leaves_the_call_in_doubt(fault: str, before: int) -> None:
    """The request was read, so it may have been answered and paid."""
    raw, log = send(
        sending.replies(*[sending.VERDICT] * before, {"fault": fault}), calls=before + 1
    )
    assert (raw.status, raw.outcome) == (None, "unknown")
    assert "connection was lost" in raw.error
    assert "400" not in raw.error
    assert len(log) == before + 1


def test_a_refused_connection_was_never_sent() -> None:
    """Where nothing listens, no call is in doubt."""

    async def main() -> RawReply:
        async with LiveTransport(sending.judge("http://127.0.0.1:9/v1"), sending.KEY, 1) as one:
            return await one.send(BODY, key="key-1", attempt=1)

    raw = run(main())
    assert (raw.status, raw.outcome) == (None, "connection")
    assert "could not connect" in raw.error


@pytest.mark.parametrize("before", [0, 1])
@pytest.mark.parametrize("fault", ["hang", "trickle"])
def test_one_clock_ends_the_whole_call(fault: str, before: int) -> None:
    """A server that sends a byte now and then does not keep a call open."""
    started = time.perf_counter()
    plan = sending.replies(*[sending.VERDICT] * before, {"fault": fault, "every": 0.05})
    raw, _ = send(plan, timeout_s=0.4, calls=before + 1)
    assert (raw.status, raw.outcome) == (None, "timeout")
    assert 0.3 < time.perf_counter() - started < HANG_S
    assert "0.4 s" in raw.error


@pytest.mark.parametrize("before", [0, 1])
@pytest.mark.parametrize("status", [200, 500])
def test_a_body_without_end_is_given_up(status: int, before: int) -> None:
    """Reading stops at the limit, for good replies and for errors."""
    endless = {"fault": "endless", "status": status}
    raw, _ = send(sending.replies(*[sending.VERDICT] * before, endless), calls=before + 1)
    assert (raw.status, raw.outcome, raw.body) == (None, "unknown", "")
    assert f"{MAX_BODY_BYTES >> 20} MiB" in raw.error


def test_a_key_that_the_endpoint_repeats_is_masked() -> None:
    """Neither the key nor its telling parts leave in a body."""
    words = f"Incorrect key @@KEY@@, seen as {sending.KEY[:12]}…{sending.KEY[-8:]}"
    raw, _ = send(sending.replies({"echo_key": True, "json": {"error": {"message": words}}}))
    assert raw.status == 401
    assert sending.KEY[:12] not in raw.body
    assert sending.KEY[-8:] not in raw.body
    assert raw.body.count(MASKED) == 3


def test_a_short_key_is_no_secret() -> None:
    """A placeholder such as "ollama" is a word, and words of a reply stay."""
    assert KeyMask("ollama")("ollama answered") == "ollama answered"


@pytest.mark.parametrize("user", ["", "u", "us", "use"])
def test_an_encoded_key_is_masked_too(user: str) -> None:
    """A gateway may echo a key inside basic authorization, or in an address."""
    key = "sk-proj/0123456789+abcdefABCDEF="
    coded = base64.b64encode(f"{user}:{key}@x".encode()).decode()
    left = KeyMask(key)(f"Basic {coded} from /v1?key={quote(key, safe='')}&a")
    assert left.count(MASKED) == 2
    assert len(left) < len(f"Basic {MASKED} from /v1?key={MASKED}&a") + 12


def test_half_a_surrogate_in_a_text_is_sent_escaped() -> None:
    """What JSON can write, an endpoint gets."""
    body = {**BODY, "messages": [{"role": "user", "content": "half \ud83d of it"}]}
    raw, log = send(body=body)
    assert raw.status == 200
    assert len(log) == 1


def test_connections_are_kept_and_bounded() -> None:
    """Forty calls by four workers open four connections and at most two more."""
    with StubServer(sending.replies({**sending.VERDICT, "delay": 0.01})) as stub:

        async def main() -> None:
            async with LiveTransport(sending.judge(stub.base_url), sending.KEY, 4) as one:

                async def work() -> None:
                    for place in range(10):
                        await one.send(BODY, key=str(place), attempt=1)

                await asyncio.gather(*(work() for _ in range(4)))

        run(main())
        assert stub.in_flight_max == 4
        assert stub.script.connections <= 6


def test_settings_meant_for_openai_stay_with_openai(monkeypatch: pytest.MonkeyPatch) -> None:
    """An organisation of the environment is not told to another endpoint."""
    monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
    other = LiveTransport(sending.judge("http://127.0.0.1:9/v1"), sending.KEY, 1)
    own = LiveTransport(sending.judge("http://127.0.0.1:9/v1", provider="openai"), sending.KEY, 1)
    assert "org-1" not in str(dict(other.client.default_headers))
    assert "org-1" in str(dict(own.client.default_headers))
