"""The one verdict in a message, as text: from its content or its function call, never a guess.

Words around it, a second one beside it, and words that only reason give none.
"""

import json
from collections.abc import Mapping
from typing import Any

from judgebench import strict
from judgebench.judges.contrast import ContrastForm
from judgebench.judges.envelope import ReplyFault, invalid, refused
from judgebench.judges.finding_reply import FindingForm
from judgebench.judges.reply import ReplyForm
from judgebench.text import has_visible, one_line

AskedForm = ReplyForm | ContrastForm | FindingForm
"""What a judge can be asked for: marks, differences in kind, or finds in a project."""


def verdict_of(message: Mapping[str, Any], form: AskedForm, wire_mode: str) -> str:
    """The text of the only verdict in a message: one JSON object.

    Args:
        message: Of the reply's one choice.
        form: What was asked for.
        wire_mode: How it was asked for; only the advice in a fault depends on it.

    Raises:
        ReplyFault: There is none, more than one, or none of this form.
    """
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
