"""A stored reply becomes marks, or the reason why not: never a guess, never an exception.

Reads bodies that came with HTTP 200. The order is fixed: is it JSON, is it an
error, did the right model answer, why did it stop, is there exactly one verdict,
is that of the form asked for, are its marks on the scale. Only a reply that
passes all of it gives marks; prose, reasoning fields and second verdicts never do.

Whatever can differ at the next call is ``retry``; what would only cost again
(cut, filtered, refused, another model) is ``blocked``. Who asks again counts.
docs/judging.md has the table.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from judgebench import strict
from judgebench.judges import contrast
from judgebench.judges.contrast import ContrastFault, ContrastForm
from judgebench.judges.finding_reply import FindingForm, UnknownFault
from judgebench.judges.prompts import OTHER
from judgebench.judges.reply import (
    SHARED_SOURCES,
    TIE,
    MarkReply,
    ReplyForm,
    VerdictReply,
    whole_marks,
)
from judgebench.judges.toolcalls import Talked, talked
from judgebench.model import Mark, Mode, Quote, RawReply, Reason, Scale, Usage
from judgebench.model.contrasts import Contrast
from judgebench.model.findings import Reported
from judgebench.model.turns import ToolCall
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
_CONTEXT_CODES = ("context_length_exceeded", "exceed_context_size", "context_window_exceeded")
_SCRIPT = re.compile(r"<(script|style)\b.*?(?:</\1[^>]*>|\Z)", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[^>]*(?:>|\Z)")
_MAX_TOKENS_REPORTED = 100_000_000
"""More than any one call can take: what is above is no count."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """What one reply says."""

    status: str
    """``ok``, ``retry`` (another call can help) or ``blocked`` (it cannot)."""
    reason: Reason | None = None
    """None where `ok`; else the reason if no further call is made."""
    message: str = ""
    """One line that quotes what was found; safe to print."""
    kind: str = ""
    """Which check failed: ``not_json``, ``error``, ``choices``, ``model``, ``length``,
    ``filter``, ``refused``, ``reasoning``, ``empty``, ``form``, ``second``,
    ``duplicate_key``, ``number``, ``too_large``, ``scale``, ``label`` or ``fault``."""
    marks: dict[str, tuple[Mark, ...]] = field(default_factory=dict)
    """Label → its marks, in the order of the criteria; empty unless `ok`, or where finds
    were asked for."""
    reported: tuple[Reported, ...] = ()
    """What was found in a project, in the order of the criteria."""
    contrasts: tuple[Contrast, ...] = ()
    """Where differences in kind were asked for, and the reading is `ok`; quotes unchecked."""
    called: tuple[ToolCall, ...] = ()
    """What the judge asks of tools; where there is any, the reading is `ok` and no verdict."""
    said: Mapping[str, Any] = field(default_factory=dict)
    """The message with these calls, as it is sent back with their answers."""
    usage: Usage = field(default_factory=Usage)
    model: str | None = None
    """The model that answered, as the body names it."""
    fingerprint: str | None = None


class _Fault(Exception):  # noqa: N818 - it names what was found
    """A reply that gives no marks."""

    def __init__(self, kind: str, message: str, reason: Reason, *, again: bool = True) -> None:
        self.kind, self.reason, self.again = kind, reason, again
        super().__init__(message)


def _invalid(kind: str, message: str) -> _Fault:
    return _Fault(kind, message, Reason.JUDGE_INVALID)


AskedForm = ReplyForm | ContrastForm | FindingForm
"""What a judge can be asked for: marks, differences in kind, or finds in a project."""


def read_reply(
    raw: RawReply, form: AskedForm, *, wire_mode: str, asked_model: str, tools: bool = False
) -> Reading:
    """Read the body of a reply that came with HTTP 200.

    Args:
        raw: The reply as stored.
        form: What was asked for.
        wire_mode: How it was asked for; only the advice in messages depends on it.
        asked_model: The model's name as sent; empty where it is not to be checked.
        tools: Whether it might ask for more to read in place of a verdict.
    """
    body: dict[str, Any] = {}
    talk = Talked()
    marks: dict[str, tuple[Mark, ...]] = {}
    reported: tuple[Reported, ...] = ()
    contrasts: tuple[Contrast, ...] = ()
    fault: _Fault | None = None
    try:
        body = _envelope(raw.body)
        message = _message(body, asked_model)
        talk = talked(message, form.name) if tools else talk
        verdict = "" if talk.called else _verdict(message, form, wire_mode)
        if talk.called:
            pass
        elif isinstance(form, FindingForm):
            reported = _reported(verdict, form)
        elif isinstance(form, ContrastForm):
            contrasts = _contrasts(verdict, form)
        else:
            marks = _marks(verdict, form)
    except _Fault as found:
        fault = found
    except RecursionError:
        # Readers, writers and comparisons of nested values differ in the depth they bear.
        fault = _invalid("too_large", "the reply cannot be read: it is nested too deeply")
    return Reading(
        status="ok" if fault is None else "retry" if fault.again else "blocked",
        reason=None if fault is None else fault.reason,
        message="" if fault is None else str(fault),
        kind="" if fault is None else fault.kind,
        marks=marks,
        reported=reported,
        contrasts=contrasts,
        called=talk.called,
        said=talk.said,
        usage=_usage(body),
        model=_word(body.get("model")),
        fingerprint=_word(body.get("system_fingerprint")),
    )


# --- the envelope ---------------------------------------------------------------


def _envelope(text: str) -> dict[str, Any]:
    try:
        body = strict.loads(text)
    except strict.StrictFault as fault:
        if fault.kind != "not_json":
            raise _invalid(fault.kind, f"the reply cannot be read: {fault}") from None
        raise _Fault(
            "not_json",
            f"the endpoint did not answer in JSON but sent {_begins(text)}",
            Reason.JUDGE_TRANSPORT,
        ) from None
    if not isinstance(body, dict):
        raise _Fault("not_json", "the endpoint's answer is no JSON object", Reason.JUDGE_TRANSPORT)
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


def _message(body: Mapping[str, Any], asked_model: str) -> Mapping[str, Any]:
    """The one message of a body, once error, model and finish reason allow reading it."""
    if body.get("error"):
        raise _error_inside(body["error"])
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices:
        raise _Fault("choices", "the reply holds no choice", Reason.JUDGE_TRANSPORT)
    if len(choices) > 1:
        raise _invalid("second", f"the reply holds {len(choices)} choices: more than one verdict")
    choice = choices[0]
    if not isinstance(choice, dict):
        raise _Fault("choices", "the reply's choice is no object", Reason.JUDGE_TRANSPORT)
    if choice.get("error"):
        raise _error_inside(choice["error"])
    named = body.get("model")
    if asked_model and named is not None and not isinstance(named, str):
        raise _Fault(
            "model",
            f"the reply names its model by no word but by {one_line(str(named), 40)}",
            Reason.JUDGE_WRONG_MODEL,
            again=False,
        )
    answered = _word(named)
    if answered and asked_model and not same_model(asked_model, answered):
        raise _Fault(
            "model",
            f"{one_line(asked_model, 60)} was asked and {answered} answered; "
            "name that model if it is meant",
            Reason.JUDGE_WRONG_MODEL,
            again=False,
        )
    _check_finish(choice.get("finish_reason"), body)
    message = choice.get("message")
    if not isinstance(message, dict):
        raise _Fault("choices", "the reply's choice holds no message", Reason.JUDGE_TRANSPORT)
    return message


def _error_inside(error: Any) -> _Fault:  # noqa: ANN401 - any JSON value
    """An error object that was delivered with HTTP 200, in the provider's own words."""
    words, codes = error, ""
    if isinstance(error, dict):
        words = error.get("message") or error.get("code") or error
        codes = f"{error.get('code')} {error.get('type')}".lower()
    text = words if isinstance(words, str) else json.dumps(words)
    shown = f"the endpoint answered 200 with an error: {one_line(text[:2000], 160)}"
    if "content_filter" in codes:
        return _Fault("filter", shown, Reason.JUDGE_FILTER, again=False)
    if any(code in codes for code in _CONTEXT_CODES):
        return _Fault("error", shown, Reason.JUDGE_CONTEXT, again=False)
    return _Fault("error", shown, Reason.JUDGE_TRANSPORT)


def _check_finish(reason: Any, body: Mapping[str, Any]) -> None:  # noqa: ANN401 - any JSON value
    word = reason.lower() if isinstance(reason, str) else ""
    if word in LENGTH_REASONS:
        tokens = _usage(body).completion_tokens
        count = f" after {tokens:,} completion tokens" if tokens is not None else ""
        raise _Fault(
            "length",
            f'finish_reason is "{one_line(str(reason), 40)}"{count}: the judge reached its own '
            "token limit; raise max_tokens of this judge in judges.toml",
            Reason.JUDGE_LENGTH,
            again=False,
        )
    if word in FILTER_REASONS:
        raise _Fault(
            "filter",
            f'finish_reason is "{one_line(str(reason), 40)}": the provider withheld the judgment',
            Reason.JUDGE_FILTER,
            again=False,
        )
    if word == "refusal":
        raise _refused("")
    if word == "error":
        raise _Fault("error", 'finish_reason is "error"', Reason.JUDGE_TRANSPORT)


def _refused(words: str) -> _Fault:
    shown = f": {one_line(words[:2000], 160)}" if has_visible(words[:2000]) else ""
    return _Fault("refused", f"the judge refused{shown}", Reason.JUDGE_REFUSED, again=False)


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


# --- the one verdict ------------------------------------------------------------


def _verdict(message: Mapping[str, Any], form: AskedForm, wire_mode: str) -> str:
    """The text of the only verdict in the message."""
    refusal = message.get("refusal")
    if isinstance(refusal, str) and has_visible(refusal[:2000]):
        raise _refused(refusal)
    content = _content(message.get("content"))
    calls = _calls(message)
    if len(calls) > 1:
        raise _invalid("second", f"more than one verdict: {len(calls)} function calls")
    if calls:
        return _called(calls[0], content, form)
    if has_visible(content[: strict.MAX_CHARS]):
        return _written(content, form)
    for key in ("reasoning_content", "reasoning"):
        if isinstance(message.get(key), str) and has_visible(message[key][:2000]):
            raise _invalid("reasoning", _reasoning_advice(key, wire_mode))
    raise _invalid("empty", "no verdict in the expected form: the reply is empty")


def _reasoning_advice(key: str, wire_mode: str) -> str:
    other = "json_schema" if wire_mode == "tools" else "tools"
    return (
        f"no verdict in the expected form: content is empty and the words stand in {key}, which "
        f'is never read; set mode = "{other}" for this judge, or turn off the '
        "server's reasoning parser"
    )


def _content(content: Any) -> str:  # noqa: ANN401 - any JSON value
    """The text of a message: a string, or the text parts of a list."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = []
    for part in content:
        if not isinstance(part, dict):
            continue
        if part.get("type") == "refusal":
            raise _refused(str(part.get("refusal", "")))
        if part.get("type") in {"text", "output_text"} and isinstance(part.get("text"), str):
            texts.append(part["text"])
    if len(texts) > 1:
        raise _invalid("second", f"the content comes in {len(texts)} parts: more than one verdict")
    return texts[0] if texts else ""


def _calls(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    calls: list[Mapping[str, Any]] = []
    listed = message.get("tool_calls")
    for call in listed if isinstance(listed, list) else []:
        function = call.get("function") if isinstance(call, dict) else None
        calls.append(function if isinstance(function, dict) else {})
    if isinstance(message.get("function_call"), dict):
        calls.append(message["function_call"])
    return calls


def _called(call: Mapping[str, Any], content: str, form: AskedForm) -> str:
    """The arguments of the one function call, if nothing else claims to be a verdict."""
    arguments = call.get("arguments")
    if isinstance(arguments, dict):
        arguments = json.dumps(arguments, ensure_ascii=False)
    if not isinstance(arguments, str):
        raise _invalid("form", "the function call has no arguments")
    try:
        verdict = strict.loads(arguments)
    except strict.StrictFault as fault:
        raise _unreadable(fault) from None
    if call.get("name") != form.name:
        name = one_line(str(call.get("name")), 40)
        raise _invalid("form", f'a function "{name}" was called, and "{form.name}" was asked for')
    if has_visible(content):
        for other in _claims(content, form):
            if other != verdict:
                raise _invalid(
                    "second", "more than one verdict: another one stands beside the function call"
                )
    return _object_text(arguments, verdict)


def _written(content: str, form: AskedForm) -> str:
    """A verdict that is all of the content, bare or as exactly one fence."""
    text = _unfenced(content.strip())
    try:
        value = strict.loads(text)
    except strict.StrictFault as fault:
        if fault.kind != "not_json":
            raise _unreadable(fault) from None
        raise _unclear(content, form) from None
    return _object_text(text, value)


def _unfenced(content: str) -> str:
    """What stands in a fence that is the whole content; any other content as it is.

    Written without an expression: on hostile white space those take quadratic time.
    """
    head, line_end, rest = content.partition("\n")
    word = head.removeprefix("```").strip().lower()
    if line_end and head.startswith("```") and word in {"", "json"} and rest.endswith("```"):
        return rest[:-3]
    return content


def _unclear(content: str, form: AskedForm) -> _Fault:
    """Why a content that is not one JSON object gives no verdict."""
    claims = _claims(content, form)
    if len(claims) > 1:
        return _invalid("second", f"more than one verdict: {len(claims)} stand in the content")
    about = "there are words around it" if claims else "there is none in it"
    return _invalid(
        "form",
        f"no verdict in the expected form: the content is not one whole JSON object ({about})",
    )


def _claims(content: str, form: AskedForm) -> list[dict[str, Any]]:
    """Objects in a text that look like a verdict of this form."""
    keys = form.claims
    try:
        return [found for found in strict.objects(content) if keys & found.keys()]
    except strict.StrictFault as fault:
        raise _unreadable(fault) from None


def _unreadable(fault: strict.StrictFault) -> _Fault:
    kind = "form" if fault.kind == "not_json" else fault.kind
    return _invalid(kind, f"the verdict cannot be read: {fault}")


def _object_text(text: str, value: Any) -> str:  # noqa: ANN401 - any JSON value
    if not isinstance(value, dict):
        raise _invalid("form", "the verdict is no JSON object")
    return text


# --- its marks ------------------------------------------------------------------


def _marks(verdict: str, form: ReplyForm) -> dict[str, tuple[Mark, ...]]:
    if form.mode is Mode.PAIRWISE:
        return _compared(verdict, form)
    try:
        replies = form.parse(verdict)
    except ValidationError as exc:
        raise _invalid("form", _explain(exc, form)) from None
    scale = form.rubric.scale
    return {
        label: tuple(
            _mark(name, reply, scale, where="" if form.mode is Mode.POINTWISE else f"{label}.")
            for name, reply in answer.items()
        )
        for label, answer in replies.items()
    }


def _reported(verdict: str, form: FindingForm) -> tuple[Reported, ...]:
    try:
        return form.parse(verdict)
    except ValidationError as exc:
        raise _invalid("form", _explain(exc, form)) from None
    except UnknownFault as exc:
        raise _invalid("fault", one_line(str(exc), 160)) from None


def _contrasts(verdict: str, form: ContrastForm) -> tuple[Contrast, ...]:
    try:
        return form.parse(verdict)
    except ValidationError as exc:
        raise _invalid(
            "form", f"no differences in the expected form: {contrast.explain(exc)}"
        ) from None
    except ContrastFault as fault:
        raise _invalid("label", str(fault)) from None


def _compared(verdict: str, form: ReplyForm) -> dict[str, tuple[Mark, ...]]:
    """Marks of both answers of a pair: 1 where it is better, 0 where the other is, ½ a tie."""
    try:
        replies = form.parse_pair(verdict)
    except ValidationError as exc:
        raise _invalid("form", _explain(exc, form)) from None
    for name, reply in replies.items():
        _check_words(name, reply, form.labels)
    return {
        label: tuple(_side(name, reply, label, form) for name, reply in replies.items())
        for label in form.labels
    }


def _check_words(criterion: str, reply: VerdictReply, labels: tuple[str, ...]) -> None:
    """A verdict and its sources name one of the two answers, or what else may stand there."""
    given = [
        ("verdict", reply.verdict, (*labels, TIE)),
        *(("source", quote.source, (*labels, *SHARED_SOURCES)) for quote in reply.quotes),
    ]
    for what, word, known in given:
        if word not in known:
            raise _invalid(
                "label",
                f'{what} "{one_line(word, 40)}" for {one_line(criterion, 80)} is none of '
                f"{', '.join(known)}",
            )


def _side(criterion: str, reply: VerdictReply, label: str, form: ReplyForm) -> Mark:
    """One answer's part in a verdict, with all its quotes as they look from there."""
    from_here = {one: "answer" if one == label else OTHER for one in form.labels}
    quotes = tuple(
        Quote(text=quote.text, source=from_here.get(quote.source, quote.source))
        for quote in reply.quotes
    )
    if reply.cannot_judge:
        won, blocked = None, Reason.CANNOT_JUDGE
    else:
        won, blocked = 0.5 if reply.verdict == TIE else float(reply.verdict == label), None
    return Mark(
        criterion=criterion, mark=won, rationale=reply.rationale, quotes=quotes, blocked=blocked
    )


def _mark(criterion: str, reply: MarkReply, scale: Scale, *, where: str) -> Mark:
    quotes = tuple(Quote(text=quote.text, source=quote.source) for quote in reply.quotes)
    if reply.cannot_judge:
        return Mark(
            criterion=criterion,
            mark=None,
            rationale=reply.rationale,
            quotes=quotes,
            blocked=Reason.CANNOT_JUDGE,
        )
    if not on_scale(reply.score, scale):
        place, found = one_line(where + criterion, 80), one_line(repr(reply.score), 40)
        steps = "" if scale.step == 1 else f" in steps of {scale.step:g}"
        raise _invalid(
            "scale",
            f"score {found} for {place} is outside the scale {scale.low:g} to {scale.high:g}"
            + steps,
        )
    return Mark(
        criterion=criterion, mark=float(reply.score), rationale=reply.rationale, quotes=quotes
    )


def on_scale(score: float, scale: Scale) -> bool:
    """Whether a mark is one of the scale's: in its range and on a step."""
    if not scale.low <= score <= scale.high:
        return False
    steps = (score - scale.low) / scale.step
    # A step of 0.1 is no binary fraction, so exactness would refuse 0.3.
    return abs(steps - round(steps)) < 1e-9  # noqa: PLR2004 - rounding only


def _explain(exc: ValidationError, form: ReplyForm | FindingForm) -> str:
    """The first fault of a verdict in one line: where, what was found, what was wanted."""
    errors = exc.errors(include_url=False, include_context=False)
    first = errors[0]
    place = one_line(".".join(str(part) for part in first["loc"]), 80)
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    if not first["loc"]:
        return f"the verdict cannot be read: {one_line(first['msg'], 100)}"
    if first["type"] == "missing":
        return f"the verdict lacks {place}{more}"
    if first["type"] == "extra_forbidden":
        return f"the verdict holds {place}, which was not asked for{more}"
    wanted = first["msg"].removeprefix("Input should be ")
    if first["loc"][-1] == "score":
        wanted = "a whole number" if whole_marks(form.rubric.scale) else "a number"
        wanted += ", written as a JSON number"
    shown = json.dumps(first["input"], ensure_ascii=False)[:2000]
    return f"the verdict's {place} is {one_line(shown, 60)}; wanted is {wanted}{more}"


# --- small things ---------------------------------------------------------------


def usage_of(body: str) -> Usage:
    """Tokens that a stored body reports, whatever else is in it."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return Usage()
    return _usage(found) if isinstance(found, dict) else Usage()


def _usage(body: Mapping[str, Any]) -> Usage:
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


def _word(value: Any) -> str | None:  # noqa: ANN401 - any JSON value
    return one_line(value, 120) if isinstance(value, str) and has_visible(value[:200]) else None
