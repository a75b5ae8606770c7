"""What a refusal, or no answer at all, means for the request and for the pass.

A rule over one `RawReply`: nothing is sent, nothing is decided about attempts. The
provider's words are kept for the user, cut and made safe to print; kinds are taken
from status and code first, from words only where providers use no code.
"""

import json
import math
import re
from email.utils import parsedate_to_datetime
from typing import Any, Literal

from judgebench.model.nouns import RawReply
from judgebench.records import dataclass
from judgebench.text import has_visible, one_line

Kind = Literal["rate", "retry", "context", "filter", "setup", "auth", "final"]

WORDS_SHOWN = 200
_CONTEXT_CODES = (
    "context_length_exceeded",
    "exceed_context_size",
    "context_window_exceeded",
    "request_too_large",
)
_CONTEXT_WORDS = re.compile(
    r"(?:maximum|max(?:imum)? model|available|model'?s) context|context (?:length|window|size)"
    r"|prompt is too long|input (?:is )?too long|too many (?:input |prompt )?tokens"
    r"|exceeds? the (?:maximum|limit).{0,40}tokens",
    re.IGNORECASE,
)
_FILTER_CODES = ("content_filter", "content_policy", "responsibleaipolicyviolation", "safety")
_FILTER_WORDS = re.compile(
    r"content (?:management|filter|moderation)|content polic|flagged as|safety (?:system|filter)",
    re.IGNORECASE,
)
_SPENT = re.compile(r"insufficient[_ ](?:quota|balance|credits?|funds)|billing", re.IGNORECASE)
MODE_WORDS = (
    "response_format",
    "json_schema",
    "json_object",
    "tool_choice",
    "tools",
    "structured output",
    "function call",
)
_SCHEMA_WORDS = re.compile(
    r"\b(?:schema|minimum|maximum|minLength|maxLength|minItems|maxItems|multipleOf|pattern"
    r"|exclusiveM\w+|additionalProperties|grammar)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"['\"`]([A-Za-z_][\w.]*)['\"`]")
_PARAM_WORDS = (
    "max_completion_tokens",
    "max_tokens",
    "temperature",
    "top_p",
    "top_k",
    "seed",
    "reasoning_effort",
    "strict",
)
_SIZES = re.compile(r"\d[\d,]{2,}")
_WAIT_LIMIT_S = 10**9


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """Why a call gave no reply that could be read.

    ``rate``: wait, then the same again. ``retry``: another call may help.
    ``context``, ``filter``, ``final``: this request cannot be answered.
    ``setup``, ``auth``: no request can be, as the judge is set up.
    """

    kind: Kind
    message: str
    """The provider's words with the status, or what happened; safe to print."""
    param: str | None = None
    """What the endpoint refuses, as it names it."""
    retry_after_s: float | None = None
    words: str = ""
    """The provider's words alone, safe to print, not as short."""


def classify(raw: RawReply) -> Fault:
    """Sort a reply with a status other than 200, or none at all."""
    if raw.status is None:
        return Fault(kind="retry", message=one_line(raw.error or raw.outcome, WORDS_SHOWN))
    error = _error(raw.body)
    kind = _kind(raw, error)
    return Fault(
        kind=kind,
        message=_message(raw, error, kind),
        param=_param(error) if kind == "setup" else None,
        retry_after_s=raw.retry_after_s,
        words=one_line(error.words, 2 * WORDS_SHOWN),
    )


def retry_after_s(value: str | None, now: float) -> float | None:
    """Seconds that a Retry-After header asks for: a number, or a date against `now`."""
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - now
        except (ValueError, OverflowError):
            return None
    return min(max(0.0, seconds), _WAIT_LIMIT_S) if math.isfinite(seconds) else None


@dataclass(frozen=True, kw_only=True, slots=True)
class _Error:
    words: str
    code: str
    """Code, type and inner code, in lower case."""
    param: str | None = None


def _error(body: str) -> _Error:
    """The error inside a body, in whichever shape providers put it."""
    try:
        value: Any = json.loads(body)
    except (ValueError, RecursionError):
        return _Error(words=body[:2000], code="")
    if isinstance(value, list) and value:
        value = value[0]
    if isinstance(value, dict) and value.get("error"):
        value = value["error"]
    if not isinstance(value, dict):
        return _Error(words=value if isinstance(value, str) else body[:2000], code="")
    words = next((value[k] for k in ("message", "detail", "msg") if value.get(k)), body[:2000])
    inner = value.get("innererror")
    codes = [value.get("code"), value.get("type"), value.get("status")]
    codes.append(inner.get("code") if isinstance(inner, dict) else None)
    param = value.get("param")
    return _Error(
        words=words[:8000] if isinstance(words, str) else json.dumps(words)[:2000],
        code=" ".join(str(one) for one in codes if one).lower()[:400],
        param=param if isinstance(param, str) and param else None,
    )


def _kind(raw: RawReply, error: _Error) -> Kind:
    status = raw.status or 0
    if status in {400, 413, 422}:
        return _refused(status, error)
    if status == 429:  # noqa: PLR2004 - too many requests
        return "auth" if _SPENT.search(error.code) else "rate"
    if status in {503, 529} and raw.retry_after_s is not None:
        return "rate"
    if status in {401, 402, 403}:
        return "filter" if any(code in error.code for code in _FILTER_CODES[:3]) else "auth"
    if status in {408, 409, 425} or status >= 500:  # noqa: PLR2004 - server errors
        return "context" if any(code in error.code for code in _CONTEXT_CODES) else "retry"
    # Not found, gone, not allowed, a redirect: the address or the model is wrong.
    return "setup"


def _refused(status: int, error: _Error) -> Kind:
    if any(code in error.code for code in _CONTEXT_CODES) or status == 413:  # noqa: PLR2004
        return "context"
    if any(code in error.code for code in _FILTER_CODES) or _FILTER_WORDS.search(error.words):
        return "filter"
    if _CONTEXT_WORDS.search(error.words):
        return "context"
    return "setup" if _param(error) or "model" in error.code else "final"


def _param(error: _Error) -> str | None:
    """The parameter, mode or schema word that an error is about."""
    if error.param and error.param not in {"messages", "prompt", "input"}:
        return one_line(error.param, 60)
    words = error.words.lower()
    named = [one for one in (*_PARAM_WORDS, *MODE_WORDS) if one in words]
    if named:
        # The first is what is refused; what should take its place comes later.
        return min(named, key=words.index)
    if _SCHEMA_WORDS.search(error.words):
        return "schema"
    if "param" in error.code and (quoted := _QUOTED.search(error.words)):
        return one_line(quoted[1], 60)
    return None


def _message(raw: RawReply, error: _Error, kind: Kind) -> str:
    words = error.words if has_visible(error.words[:2000]) else "no words"
    if words.lstrip().startswith("<"):
        words = "a page in HTML"
    if kind == "context":
        sizes = _sizes(raw.body, error.words)
        return f"too long for the judge{sizes}: {one_line(words, WORDS_SHOWN)}"
    return f"the endpoint answered {raw.status}: {one_line(words, WORDS_SHOWN)}"


def _sizes(body: str, words: str) -> str:
    """Size and limit, where the provider gives them as fields and not in its words."""
    if len(_SIZES.findall(words)) > 1:
        return ""
    size = re.search(r'"n_prompt_tokens"\s*:\s*(\d+)', body)
    limit = re.search(r'"n_ctx"\s*:\s*(\d+)', body)
    if size and limit:
        return f" ({int(size[1]):,} tokens, limit {int(limit[1]):,})"
    return ""
