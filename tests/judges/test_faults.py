"""What refusals mean, in the spellings of providers."""

import json
import time
from email.utils import formatdate
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgebench.judges.faults import classify, retry_after_s
from judgebench.model.nouns import RawReply


def raw(status: int | None, body: object, **changes: Any) -> RawReply:  # noqa: ANN401
    """A reply with this status and body."""
    text = body if isinstance(body, str) else json.dumps(body)
    fields: dict[str, Any] = {"outcome": "received", **changes}
    return RawReply(key="k", attempt=1, status=status, body=text, **fields)


def error(message: str = "no", **fields: Any) -> dict[str, Any]:  # noqa: ANN401
    """An error body."""
    return {"error": {"message": message, **fields}}


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (400, error(code="context_length_exceeded"), "context"),
        (400, error(type="exceed_context_size_error", n_prompt_tokens=9000, n_ctx=8192), "context"),
        (400, error("prompt is too long: 9 tokens > 8 maximum"), "context"),
        (413, "too large", "context"),
        (500, error(code="context_length_exceeded"), "context"),
        (400, error(code="content_filter", param="prompt"), "filter"),
        (400, error("content management policy", code=None), "filter"),
        (400, error(innererror={"code": "ResponsibleAIPolicyViolation"}), "filter"),
        (403, error(code="content_policy_violation"), "filter"),
        (401, error(), "auth"),
        (402, error(), "auth"),
        (403, error(), "auth"),
        (429, error(code="insufficient_quota"), "auth"),
        (404, error(code="model_not_found"), "setup"),
        (307, "", "setup"),
        (405, "", "setup"),
        (400, error(code="invalid_model"), "setup"),
        (400, error(param="temperature"), "setup"),
        (422, {"detail": "response_format is not supported"}, "setup"),
        (400, error("Unknown parameter: 'foo'", code="unknown_parameter"), "setup"),
        (400, error("bad request"), "final"),
        (400, [error("Invalid JSON schema")], "setup"),
        (400, {"error": "grammar is not valid"}, "setup"),
        (408, "", "retry"),
        (409, "", "retry"),
        (500, "", "retry"),
        (503, "", "retry"),
        (429, "", "rate"),
        (None, "", "retry"),
    ],
)
def test_kinds(status: int | None, body: object, kind: str) -> None:
    """Status and code decide, words where there is no code."""
    outcome = "received" if status else "unknown"
    assert classify(raw(status, body, outcome=outcome)).kind == kind


def test_an_overloaded_server_that_names_a_wait_is_waited_for() -> None:
    """503 with Retry-After is no failure of a call."""
    fault = classify(raw(503, "", retry_after_s=2.0))
    assert (fault.kind, fault.retry_after_s) == ("rate", 2.0)


@pytest.mark.parametrize(
    ("body", "param"),
    [
        (error("x", param="max_tokens"), "max_tokens"),
        (error("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'."), None),
        (error("temperature does not support 0"), "temperature"),
        (error("'minimum' is not permitted"), "schema"),
        (error("json_schema is not available"), "json_schema"),
        (error("Unrecognized field 'frob'", code="invalid_param"), "frob"),
    ],
)
def test_the_refused_thing_is_named(body: object, param: str | None) -> None:
    """As the endpoint names it, or by the word in its message."""
    found = classify(raw(400, body)).param
    assert found == (param or "max_tokens")


def test_sizes_are_shown_where_the_body_has_them() -> None:
    """How long the request was, and what the judge takes."""
    body = error("request exceeds", type="exceed_context_size_error")
    body["error"] |= {"n_prompt_tokens": 101250, "n_ctx": 8192}
    assert "(101,250 tokens, limit 8,192)" in classify(raw(400, body)).message
    words = error("maximum context length is 8192 tokens; got 101250", code="")
    assert classify(raw(400, words)).message.startswith("too long for the judge: maximum")


def test_a_page_in_html_is_not_quoted() -> None:
    """Markup of a gateway reaches no message."""
    assert classify(raw(502, "<html><script>x</script>")).message.endswith("a page in HTML")


def test_words_of_a_provider_are_safe_to_print() -> None:
    """Escape sequences and right-to-left marks are shown, not acted on."""
    message = classify(raw(500, error("\x1b[2Jgone\u202e" + "x" * 999))).message
    assert "\x1b" not in message
    assert "\u202e" not in message
    assert len(message) < 300


def test_a_body_nested_too_deeply_is_only_a_text() -> None:
    """No exception for a hostile body."""
    assert classify(raw(400, "[" * 100_000)).kind == "final"


@given(st.integers(100, 599), st.text(max_size=60) | st.from_type(dict).map(json.dumps))
@settings(max_examples=40, deadline=None)
def test_any_body_is_sorted(status: int, body: str) -> None:
    """Whatever comes, there is a kind and one printable line."""
    fault = classify(raw(status, body))
    assert fault.message
    assert "\n" not in fault.message


def test_retry_after_is_a_number_or_a_date() -> None:
    """Both spellings of the header; nonsense and the past are no wait."""
    now = time.time()
    assert retry_after_s("2.5", now) == 2.5
    assert retry_after_s(formatdate(now + 90, usegmt=True), now) == pytest.approx(90, abs=1.5)
    assert retry_after_s(formatdate(now - 90, usegmt=True), now) == 0.0
    assert retry_after_s("-4", now) == 0.0
    for odd in (None, "", "soon", "nan", "inf"):
        assert retry_after_s(odd, now) is None
