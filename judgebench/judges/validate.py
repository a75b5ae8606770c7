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
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from judgebench import strict
from judgebench.judges import contrast
from judgebench.judges.contrast import ContrastFault, ContrastForm
from judgebench.judges.envelope import (
    ReplyFault,
    envelope_of,
    invalid,
    message_of,
    refused,
    usage_in,
    word_of,
)
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
    fault: ReplyFault | None = None
    try:
        body = envelope_of(raw.body)
        message = message_of(body, asked_model)
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
    except ReplyFault as found:
        fault = found
    except RecursionError:
        # Readers, writers and comparisons of nested values differ in the depth they bear.
        fault = invalid("too_large", "the reply cannot be read: it is nested too deeply")
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
        usage=usage_in(body),
        model=word_of(body.get("model")),
        fingerprint=word_of(body.get("system_fingerprint")),
    )


# --- the one verdict ------------------------------------------------------------


def _verdict(message: Mapping[str, Any], form: AskedForm, wire_mode: str) -> str:
    """The text of the only verdict in the message."""
    refusal = message.get("refusal")
    if isinstance(refusal, str) and has_visible(refusal[:2000]):
        raise refused(refusal)
    content = _content(message.get("content"))
    calls = _calls(message)
    if len(calls) > 1:
        raise invalid("second", f"more than one verdict: {len(calls)} function calls")
    if calls:
        return _called(calls[0], content, form)
    if has_visible(content[: strict.MAX_CHARS]):
        return _written(content, form)
    for key in ("reasoning_content", "reasoning"):
        if isinstance(message.get(key), str) and has_visible(message[key][:2000]):
            raise invalid("reasoning", _reasoning_advice(key, wire_mode))
    raise invalid("empty", "no verdict in the expected form: the reply is empty")


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
            raise refused(str(part.get("refusal", "")))
        if part.get("type") in {"text", "output_text"} and isinstance(part.get("text"), str):
            texts.append(part["text"])
    if len(texts) > 1:
        raise invalid("second", f"the content comes in {len(texts)} parts: more than one verdict")
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
        raise invalid("form", "the function call has no arguments")
    try:
        verdict = strict.loads(arguments)
    except strict.StrictFault as fault:
        raise _unreadable(fault) from None
    if call.get("name") != form.name:
        name = one_line(str(call.get("name")), 40)
        raise invalid("form", f'a function "{name}" was called, and "{form.name}" was asked for')
    if has_visible(content):
        for other in _claims(content, form):
            if other != verdict:
                raise invalid(
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


def _unclear(content: str, form: AskedForm) -> ReplyFault:
    """Why a content that is not one JSON object gives no verdict."""
    claims = _claims(content, form)
    if len(claims) > 1:
        return invalid("second", f"more than one verdict: {len(claims)} stand in the content")
    about = "there are words around it" if claims else "there is none in it"
    return invalid(
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


def _unreadable(fault: strict.StrictFault) -> ReplyFault:
    kind = "form" if fault.kind == "not_json" else fault.kind
    return invalid(kind, f"the verdict cannot be read: {fault}")


def _object_text(text: str, value: Any) -> str:  # noqa: ANN401 - any JSON value
    if not isinstance(value, dict):
        raise invalid("form", "the verdict is no JSON object")
    return text


# --- its marks ------------------------------------------------------------------


def _marks(verdict: str, form: ReplyForm) -> dict[str, tuple[Mark, ...]]:
    if form.mode is Mode.PAIRWISE:
        return _compared(verdict, form)
    try:
        replies = form.parse(verdict)
    except ValidationError as exc:
        raise invalid("form", _explain(exc, form)) from None
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
        raise invalid("form", _explain(exc, form)) from None
    except UnknownFault as exc:
        raise invalid("fault", one_line(str(exc), 160)) from None


def _contrasts(verdict: str, form: ContrastForm) -> tuple[Contrast, ...]:
    try:
        return form.parse(verdict)
    except ValidationError as exc:
        raise invalid(
            "form", f"no differences in the expected form: {contrast.explain(exc)}"
        ) from None
    except ContrastFault as fault:
        raise invalid("label", str(fault)) from None


def _compared(verdict: str, form: ReplyForm) -> dict[str, tuple[Mark, ...]]:
    """Marks of both answers of a pair: 1 where it is better, 0 where the other is, ½ a tie."""
    try:
        replies = form.parse_pair(verdict)
    except ValidationError as exc:
        raise invalid("form", _explain(exc, form)) from None
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
            raise invalid(
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
        raise invalid(
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
