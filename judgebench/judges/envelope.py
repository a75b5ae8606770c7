"""The envelope of a reply: is it JSON, is it an error, did the right model answer, why did it stop.

What is wrong with it is a `ReplyFault`; what is right gives the one message, still unread,
and the tokens and names that the endpoint reports.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from judgebench import strict
from judgebench.model.collected import Usage
from judgebench.model.reasons import Reason
from judgebench.text import has_visible, one_line

LENGTH_REASONS = frozenset(
    {
        "length",
        "max_tokens",
        "max_output_tokens",
        "max_completion_tokens",
        "token_limit",
        "model_length",
        "model_context_window_exceeded",
    }
)
FILTER_REASONS = frozenset(
    {
        "content_filter",
        "content_filtered",
        "safety",
        "recitation",
        "blocklist",
        "prohibited_content",
        "spii",
        "sensitive",
        "guardrail_intervened",
    }
)
READ = frozenset({"choices", "error", "model"})
"""Keys of a body under which it must be strict JSON: all else is no part of the verdict."""
_CONTEXT_CODES = ("context_length_exceeded", "exceed_context_size", "context_window_exceeded")
_SCRIPT = re.compile(r"<(script|style)\b.*?(?:</\1[^>]*>|\Z)", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[^>]*(?:>|\Z)")
_MAX_TOKENS_REPORTED = 100_000_000
"""More than any one call can take: what is above is no count."""


class ReplyFault(Exception):  # noqa: N818 - it names what was found
    """A reply that gives no marks."""

    def __init__(self, kind: str, message: str, reason: Reason, *, again: bool = True) -> None:
        self.kind, self.reason, self.again = kind, reason, again
        super().__init__(message)


def invalid(kind: str, message: str) -> ReplyFault:
    """A fault of the verdict itself, of the kind that another call can mend."""
    return ReplyFault(kind, message, Reason.JUDGE_INVALID)


def envelope_of(text: str) -> dict[str, Any]:
    """The body of a reply as an object.

    Raises:
        ReplyFault: It is no JSON object.
    """
    try:
        # What counts of tokens it reports, and how, costs no verdict.
        body = strict.loads_keys(text, READ)
    except strict.StrictFault as fault:
        if fault.kind != "not_json":
            raise invalid(fault.kind, f"the reply cannot be read: {fault}") from None
        raise ReplyFault(
            "not_json",
            f"the endpoint did not answer in JSON but sent {_begins(text)}",
            Reason.JUDGE_TRANSPORT,
        ) from None
    if not isinstance(body, dict):
        raise ReplyFault(
            "not_json", "the endpoint's answer is no JSON object", Reason.JUDGE_TRANSPORT
        )
    return body


def _begins(text: str) -> str:
    """How a body that is no JSON begins; of a page the words only, never its markup."""
    head = text[:2000]
    if not has_visible(head):
        return "nothing" if len(head) == len(text) else "nothing visible"
    if not head.lstrip().startswith("<"):
        return f'"{one_line(head, 60)}"'
    words = one_line(_TAG.sub(" ", _SCRIPT.sub(" ", head)), 60)
    return f'an HTML page: "{words}"' if words else "an HTML page"


def message_of(body: Mapping[str, Any], asked_model: str) -> Mapping[str, Any]:
    """The one message of a body, once error, model and finish reason allow reading it.

    Raises:
        ReplyFault: They do not, or there is not exactly one.
    """
    if body.get("error"):
        raise _error_inside(body["error"])
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices:
        raise ReplyFault("choices", "the reply holds no choice", Reason.JUDGE_TRANSPORT)
    if len(choices) > 1:
        raise invalid("second", f"the reply holds {len(choices)} choices: more than one verdict")
    choice = choices[0]
    if not isinstance(choice, dict):
        raise ReplyFault("choices", "the reply's choice is no object", Reason.JUDGE_TRANSPORT)
    if choice.get("error"):
        raise _error_inside(choice["error"])
    named = body.get("model")
    if asked_model and named is not None and not isinstance(named, str):
        raise ReplyFault(
            "model",
            f"the reply names its model by no word but by {one_line(str(named), 40)}",
            Reason.JUDGE_WRONG_MODEL,
            again=False,
        )
    answered = word_of(named)
    if answered and asked_model and not same_model(asked_model, answered):
        raise ReplyFault(
            "model",
            f"{one_line(asked_model, 60)} was asked and {answered} answered; "
            "name that model if it is meant",
            Reason.JUDGE_WRONG_MODEL,
            again=False,
        )
    _check_finish(choice.get("finish_reason"), body)
    message = choice.get("message")
    if not isinstance(message, dict):
        raise ReplyFault("choices", "the reply's choice holds no message", Reason.JUDGE_TRANSPORT)
    return message


def _error_inside(error: Any) -> ReplyFault:  # noqa: ANN401 - any JSON value
    """An error object that was delivered with HTTP 200, in the provider's own words."""
    words, codes = error, ""
    if isinstance(error, dict):
        words = error.get("message") or error.get("code") or error
        codes = f"{error.get('code')} {error.get('type')}".lower()
    text = words if isinstance(words, str) else json.dumps(words)
    shown = f"the endpoint answered 200 with an error: {one_line(text[:2000], 160)}"
    if "content_filter" in codes:
        return ReplyFault("filter", shown, Reason.JUDGE_FILTER, again=False)
    if any(code in codes for code in _CONTEXT_CODES):
        return ReplyFault("error", shown, Reason.JUDGE_CONTEXT, again=False)
    return ReplyFault("error", shown, Reason.JUDGE_TRANSPORT)


def _check_finish(reason: Any, body: Mapping[str, Any]) -> None:  # noqa: ANN401 - any JSON value
    word = reason.lower() if isinstance(reason, str) else ""
    if word in LENGTH_REASONS:
        tokens = usage_in(body).completion_tokens
        count = f" after {tokens:,} completion tokens" if tokens is not None else ""
        raise ReplyFault(
            "length",
            f'finish_reason is "{one_line(str(reason), 40)}"{count}: the judge reached its own '
            "token limit; raise its max_tokens",
            Reason.JUDGE_LENGTH,
            again=False,
        )
    if word in FILTER_REASONS:
        raise ReplyFault(
            "filter",
            f'finish_reason is "{one_line(str(reason), 40)}": the provider withheld the judgment',
            Reason.JUDGE_FILTER,
            again=False,
        )
    if word == "refusal":
        raise refused("")
    if word == "error":
        raise ReplyFault("error", 'finish_reason is "error"', Reason.JUDGE_TRANSPORT)


def refused(words: str) -> ReplyFault:
    """That the judge refused, in its own words where it gave any."""
    shown = f": {one_line(words[:2000], 160)}" if has_visible(words[:2000]) else ""
    return ReplyFault("refused", f"the judge refused{shown}", Reason.JUDGE_REFUSED, again=False)


_DATED = re.compile(
    r"(?:[-@:_.](?:latest|preview|exp|\d{3,4}|\d{6}|\d{8}|\d{4}-\d{2}-\d{2}|\d{2}-\d{2,4}|v\d+))+"
)


def same_model(asked: str, answered: str) -> bool:
    """Whether `answered` is the model asked for: equal, or a dated snapshot of it.

    Provider prefixes (``openai/``), ``.gguf``, letter case and a tag that only one
    of the two carries (``:latest``, ``:free``) are no difference.
    """
    (name, tag), (other, other_tag) = _name_and_tag(asked), _name_and_tag(answered)
    if tag and other_tag and tag != other_tag:
        return False
    name = name.removesuffix("-latest")
    other = other.removesuffix("-latest")
    if name == other:
        return True
    return other.startswith(name) and _DATED.fullmatch(other[len(name) :]) is not None


def _name_and_tag(model: str) -> tuple[str, str]:
    last = model.strip().lower().rsplit("/", 1)[-1].removesuffix(".gguf")
    name, _, tag = last.partition(":")
    return name, "" if tag == "latest" else tag


def usage_of(body: str) -> Usage:
    """Tokens that a stored body reports, whatever else is in it."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return Usage()
    return usage_in(found) if isinstance(found, dict) else Usage()


def usage_in(body: Mapping[str, Any]) -> Usage:
    """Tokens as reported; None where they are not, or are no counts."""
    usage = body.get("usage")
    if not isinstance(usage, dict):
        return Usage()
    details = usage.get("completion_tokens_details")
    return Usage(
        prompt_tokens=_count(usage.get("prompt_tokens", usage.get("input_tokens"))),
        completion_tokens=_count(usage.get("completion_tokens", usage.get("output_tokens"))),
        reasoning_tokens=_count(details.get("reasoning_tokens"))
        if isinstance(details, dict)
        else None,
    )


def _count(value: Any) -> int | None:  # noqa: ANN401 - any JSON value
    good = type(value) is int and 0 <= value <= _MAX_TOKENS_REPORTED
    return value if good else None


def word_of(value: Any) -> str | None:  # noqa: ANN401 - any JSON value
    """A name as reported, safe to show; None where it is none."""
    return one_line(value, 120) if isinstance(value, str) and has_visible(value[:200]) else None
