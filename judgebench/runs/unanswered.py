"""Texts that a harness saved in place of an answer: error pages, replies as they came.

These are forms only. A prompt may ask for any of them, so `in_place` holds what is
found here against what was asked.
"""

import json
import re
from enum import Enum, auto
from typing import Any

from judgebench.model.collected import Failure
from judgebench.records import dataclass

_MOST = 1 << 20
_HEAD = 4000
_PAGE = re.compile(
    r"(?:<\?xml[^>]{0,80}\?>\s*)?<(?:!doctype\s+html|html|head|title)", re.IGNORECASE
)
_PAGE_OF_ERROR = re.compile(
    r"<(?:title|h1)[^>]{0,80}>\s*((?:[\w.-]{1,80}\s*\|\s*)?(?:(?:http\s+)?error\s*:?\s*|http(?:/[\d.]+)?\s+)?"
    r"(?:4\d\d|5\d\d)(?!\d)[^<\n]{0,60}"
    r"|(?:just a moment|attention required|access denied|service unavailable|bad gateway"
    r"|gateway time-?out|too many requests|application error|internal server error"
    r"|error: the request could not be satisfied)[^<\n]{0,60})",
    re.IGNORECASE,
)  # fmt: skip
_STATUS = re.compile(
    r"(?:(?:api\s+)?error(?:\s+code)?\s*:?\s*|http(?:/[\d.]+)?\s+(?:error\s+)?"
    r"|status(?:\s+code)?\s*:?\s*)?(?:4\d\d|5\d\d)\s*[:,-]?\s*(?:\{"
    r"|(?:bad request|unauthorized|payment required|forbidden|not found|method not allowed"
    r"|request timeout|too many requests|internal server error|bad gateway|service unavailable"
    r"|gateway time-?out|overloaded|client error|server error)\s*(?:\Z|[\n.:;{(<-]))",
    re.IGNORECASE,
)
_GATEWAY = re.compile(r"upstream connect error|upstream request timeout|no healthy upstream")
_CLIENT = re.compile(
    r"(?:[\w.]{1,80}\.)?(RateLimitError|API(?:Connection|Timeout|Status|Response)?Error"
    r"|InternalServerError|ServiceUnavailableError|OverloadedError|BadRequestError"
    r"|AuthenticationError|ContextWindowExceededError|RemoteProtocolError|ReadTimeout|ConnectTimeout"
    r"|ConnectError)\s*[:(]"
)
_TRACEBACK = re.compile(
    r"(?:openai|anthropic|litellm|httpx2?|httpcore|requests|aiohttp|urllib3|botocore|google|mistralai"
    r"|groq|ollama)(?:\.\w{1,40}){0,5}\.(\w{1,40})[:\n]?"
)
_STREAM = re.compile(r"(?:event:\s?\w{1,40}\s*\n)?data:\s?(?:\{|\[DONE\])")
_THINKS = re.compile(r"<(think|thinking|reasoning)>", re.IGNORECASE)
_CALLS = re.compile(
    r"(?:<(tool_calls?|function_calls?)>.{1,20000}</\1>\s*)+\Z|\[TOOL_CALLS\]\s?[\[{].*\Z",
    re.DOTALL,
)
_SHORT = 2000
# A status line with more after it is the beginning of a sentence about it.
_LINE = 400
_OBJECTS = frozenset({"chat.completion", "chat.completion.chunk", "text_completion", "response"})
_AROUND_ERROR = frozenset(
    {"error", "type", "request_id", "requestId", "id", "status", "code", "success", "message"}
    | {"user_id", "object", "timestamp", "path", "statusCode", "param"}
)
_OF_ERROR = frozenset({"type", "code", "status", "param"})
_PARTS = frozenset({"text", "output_text", "thinking", "reasoning", "redacted_thinking", "refusal"})


class Form(Enum):
    """What kind of text stands in the place of an answer."""

    PAGE = auto()
    """A server's page about a failure."""
    MESSAGE = auto()
    """A gateway's or client's words about one."""
    OBJECT = auto()
    """A provider's."""
    REPLY = auto()
    """A reply of an API as it came."""
    REASONING = auto()
    CALL = auto()
    """A call of a tool."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Instead:
    """What a text is in place of an answer."""

    form: Form
    sign: str
    """In words."""
    failure: Failure | None = None
    """What it reports, where it has the form of a report and nothing else stands in it."""


def instead(text: str) -> Instead | None:
    """What a text is in place of an answer; None where it may be one.

    Args:
        text: One answer, without white space around it.
    """
    opens = text[:_HEAD]
    if _PAGE.match(opens) and (page := _PAGE_OF_ERROR.search(opens)):
        return _report(Form.PAGE, "it is an error page", "http", page[1].strip())
    if found := _message(text, opens):
        return found
    if _STREAM.match(opens):
        return Instead(form=Form.REPLY, sign="it is a reply's stream as it came")
    if (thinks := _THINKS.match(opens)) and (left := _reasoning_alone(text, thinks)):
        return Instead(form=Form.REASONING, sign=left)
    if opens.startswith(("<tool", "<function", "[TOOL")) and _CALLS.match(text):
        return Instead(form=Form.CALL, sign="it is a call of a tool and no answer")
    return _of_json(text)


def _report(form: Form, sign: str, kind: str, message: str) -> Instead:
    failure = Failure(kind=kind, message=f"in place of an answer: {message}")
    return Instead(form=form, sign=sign, failure=failure)


def _message(text: str, opens: str) -> Instead | None:
    sign = "it is the error message of a client or gateway"
    if len(text) > _SHORT and not opens.startswith("Traceback"):
        return None
    if _STATUS.match(opens):
        found = _report(Form.MESSAGE, sign, "http", opens)
        whole = len(text) <= _LINE or "{" in opens
        return found if whole else Instead(form=Form.MESSAGE, sign=sign)
    if _GATEWAY.match(opens):
        return _report(Form.MESSAGE, sign, "bad gateway", opens)
    if client := _CLIENT.match(opens):
        return _report(Form.MESSAGE, sign, client[1].removeprefix("API") or client[1], opens)
    if opens.startswith("Traceback (most recent call last):"):
        last = text.rsplit("\n", 1)[-1]
        if raised := _TRACEBACK.match(last):
            return _report(Form.MESSAGE, sign, raised[1].removeprefix("API") or raised[1], last)
    return None


def _reasoning_alone(text: str, thinks: re.Match[str]) -> str | None:
    _, closed, after = text.lower().rpartition(f"</{thinks[1].lower()}>")
    if not closed:
        return "its reasoning is never closed"
    return None if after.strip() else "it is reasoning and no answer"


def _of_json(text: str) -> Instead | None:
    if text[:1] not in {"{", "["} or len(text) > _MOST:
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, list):
        if value and all(map(_is_part, value)):
            return Instead(form=Form.REPLY, sign="it is a reply's list of parts")
        return _error_of(value[0]) if len(value) == 1 and isinstance(value[0], dict) else None
    sign = "it is a provider's whole reply"
    reply = Instead(form=Form.REPLY, sign=sign) if _is_reply(value) else None
    return _error_of(value) or reply


def _is_part(value: object) -> bool:
    return isinstance(value, dict) and value.get("type") in _PARTS and len(value) > 1


def _error_of(value: dict[str, Any]) -> Instead | None:
    sign = "it is an error message of a provider"
    if value.keys() == {"detail"} and isinstance(value["detail"], str):
        return Instead(form=Form.OBJECT, sign=sign)
    error = value if value.get("object") == "error" else value.get("error")
    if not isinstance(error, dict) or not value.keys() <= _AROUND_ERROR:
        return None
    said = error.get("message")
    if not isinstance(said, str) or _OF_ERROR.isdisjoint(error):
        return None
    kinds = [error[key] for key in ("type", "status", "code") if error.get(key) is not None]
    words = [one for one in kinds if isinstance(one, str) and not one.isdigit()]
    codes = [str(one) for one in kinds if one not in words]
    return _report(
        Form.OBJECT, sign, words[0] if words else "http", " ".join([*codes, *words[1:], said])
    )


def _is_reply(value: dict[str, Any]) -> bool:
    named = value.get("object")
    if isinstance(named, str) and named in _OBJECTS:
        return True
    if isinstance(value.get("choices"), list) and not {"id", "model", "usage"}.isdisjoint(value):
        return True
    if isinstance(value.get("candidates"), list) or "promptFeedback" in value:
        return not {"usageMetadata", "modelVersion", "promptFeedback"}.isdisjoint(value)
    return value.get("role") == "assistant" and "content" in value
