"""Texts that a harness saved in place of an answer: error pages, replies as they came.

These are signs only. A prompt may ask for an error page, so they are looked at where no
finish reason says how the answer ended, and a person settles what they find.
"""

import json
import re
from typing import Any

_MOST = 1 << 20
_HEAD = 4000
_PAGE = re.compile(
    r"(?:<\?xml[^>]{0,80}\?>\s*)?<(?:!doctype\s+html|html|head|title)", re.IGNORECASE
)
_PAGE_OF_ERROR = re.compile(
    r"<(?:title|h1)[^>]{0,80}>\s*(?:(?:http\s+)?error\s*:?\s*|http(?:/[\d.]+)?\s+)?(?:4\d\d|5\d\d)(?!\d)"
    r"|<title>\s*(?:just a moment|attention required|access denied|service unavailable"
    r"|bad gateway)",
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
_CLIENT = re.compile(
    r"(?:upstream connect error|upstream request timeout|no healthy upstream"
    r"|(?:[\w.]{1,80}\.)?(?:RateLimitError|API(?:Connection|Timeout|Status|Response)?Error"
    r"|InternalServerError|ServiceUnavailableError|OverloadedError|BadRequestError"
    r"|AuthenticationError|ContextWindowExceededError|RemoteProtocolError|ReadTimeout|ConnectTimeout"
    r"|ConnectError)\s*[:(])"
)
_TRACEBACK = re.compile(
    r"(?:openai|anthropic|litellm|httpx2?|httpcore|requests|aiohttp|urllib3|botocore|google|mistralai"
    r"|groq|ollama)(?:\.\w{1,40}){0,5}\.\w{1,40}[:\n]?"
)
_STREAM = re.compile(r"(?:event:\s?\w{1,40}\s*\n)?data:\s?(?:\{|\[DONE\])")
_THINKS = re.compile(r"<(think|thinking|reasoning)>", re.IGNORECASE)
_SHORT = 2000
_OBJECTS = frozenset(
    {"chat.completion", "chat.completion.chunk", "text_completion", "response", "error"}
)
_AROUND_ERROR = frozenset(
    {"error", "type", "request_id", "requestId", "id", "status", "code", "success", "message"}
    | {"user_id", "object", "timestamp", "path"}
)
_OF_ERROR = frozenset({"type", "code", "status", "param"})
_PARTS = frozenset({"text", "output_text", "thinking", "reasoning", "redacted_thinking", "refusal"})


def no_answer(text: str) -> str | None:
    """What a text is in place of an answer, in words; None where it may be one.

    Args:
        text: One answer, without white space around it.
    """
    opens = text[:_HEAD]
    if _PAGE.match(opens) and _PAGE_OF_ERROR.search(opens):
        return "it is an error page"
    if _is_message(text, opens):
        return "it is the error message of a client or gateway"
    if _STREAM.match(opens):
        return "it is a reply's stream as it came"
    if (thinks := _THINKS.match(opens)) and (left := _reasoning_alone(text, thinks)):
        return left
    return _of_json(text)


def _is_message(text: str, opens: str) -> bool:
    if len(text) <= _SHORT and (_STATUS.match(opens) or _CLIENT.match(opens)):
        return True
    if not opens.startswith("Traceback (most recent call last):"):
        return False
    return _TRACEBACK.match(text.rsplit("\n", 1)[-1]) is not None


def _reasoning_alone(text: str, thinks: re.Match[str]) -> str | None:
    _, closed, after = text.lower().rpartition(f"</{thinks[1].lower()}>")
    if not closed:
        return "its reasoning is never closed"
    return None if after.strip() else "it is reasoning and no answer"


def _of_json(text: str) -> str | None:
    if text[:1] not in {"{", "["} or len(text) > _MOST:
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, list):
        return "it is a reply's list of parts" if value and all(map(_is_part, value)) else None
    if _is_error(value):
        return "it is an error message of a provider"
    return "it is a provider's whole reply" if _is_reply(value) else None


def _is_part(value: object) -> bool:
    return isinstance(value, dict) and value.get("type") in _PARTS and len(value) > 1


def _is_error(value: dict[str, Any]) -> bool:
    if value.keys() == {"detail"}:
        return isinstance(value["detail"], str)
    error = value.get("error")
    if not isinstance(error, dict) or not value.keys() <= _AROUND_ERROR:
        return False
    return isinstance(error.get("message"), str) and not _OF_ERROR.isdisjoint(error)


def _is_reply(value: dict[str, Any]) -> bool:
    named = value.get("object")
    if isinstance(named, str) and named in _OBJECTS:
        return True
    if isinstance(value.get("choices"), list) and not {"id", "model", "usage"}.isdisjoint(value):
        return True
    if isinstance(value.get("candidates"), list) or "promptFeedback" in value:
        return not {"usageMetadata", "modelVersion", "promptFeedback"}.isdisjoint(value)
    return value.get("role") == "assistant" and "content" in value
