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
from dataclasses import field, replace
from typing import Any

from pydantic import ValidationError

from judgebench.judges import contrast
from judgebench.judges.contrast import ContrastFault, ContrastForm
from judgebench.judges.envelope import (
    ReplyFault,
    envelope_of,
    invalid,
    message_of,
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
from judgebench.judges.toolcalls import talked
from judgebench.judges.verdict import AskedForm, verdict_of
from judgebench.model.collected import Usage
from judgebench.model.contrasts import Contrast
from judgebench.model.findings import Reported
from judgebench.model.nouns import Mark, Mode, Quote, RawReply
from judgebench.model.reasons import Reason
from judgebench.model.rubric import Scale
from judgebench.model.turns import ToolCall
from judgebench.records import dataclass
from judgebench.text import one_line


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
    try:
        body = envelope_of(raw.body)
        reading = _read(message_of(body, asked_model), form, wire_mode, tools=tools)
    except ReplyFault as fault:
        reading = _faulty(fault)
    except RecursionError:
        # Readers, writers and comparisons of nested values differ in the depth they bear.
        reading = _faulty(invalid("too_large", "the reply cannot be read: it is nested too deeply"))
    return replace(
        reading,
        usage=usage_in(body),
        model=word_of(body.get("model")),
        fingerprint=word_of(body.get("system_fingerprint")),
    )


def _faulty(fault: ReplyFault) -> Reading:
    return Reading(
        status="retry" if fault.again else "blocked",
        reason=fault.reason,
        message=str(fault),
        kind=fault.kind,
    )


def _read(message: Mapping[str, Any], form: AskedForm, wire_mode: str, *, tools: bool) -> Reading:
    """What the one message of a reply says."""
    if tools and (talk := talked(message, form.name)).called:
        return Reading(status="ok", called=talk.called, said=talk.said)
    verdict = verdict_of(message, form, wire_mode)
    if isinstance(form, FindingForm):
        return Reading(status="ok", reported=_reported(verdict, form))
    if isinstance(form, ContrastForm):
        return Reading(status="ok", contrasts=_contrasts(verdict, form))
    return Reading(status="ok", marks=_marks(verdict, form))


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
