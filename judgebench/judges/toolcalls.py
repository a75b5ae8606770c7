"""Tool calls in a reply: what is asked for, and the message as it is sent back.

Providers keep state of their own beside the calls (reasoning, signatures), so the
message goes back as it came but for what an endpoint could not take again: a call
without an id, arguments that are no JSON object, keys without a value.
"""

import json
from collections.abc import Mapping
from dataclasses import field
from itertools import count
from typing import Any

from judgebench import strict
from judgebench.model.turns import ToolCall
from judgebench.records import dataclass
from judgebench.text import one_line

MOST_SEEN = 64
"""Calls of one reply that are looked at; no more are sent back."""
_ID = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class Talked:
    """A message that asks for something; without calls it is a report, or nothing."""

    called: tuple[ToolCall, ...] = ()
    said: Mapping[str, Any] = field(default_factory=dict)


def talked(message: Mapping[str, Any], report: str) -> Talked:
    """Read the tool calls of a message.

    Args:
        message: Of the reply.
        report: Name of the function that takes the report: a message that calls it alone
            asks for nothing.
    """
    listed = message.get("tool_calls")
    given = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    given = given[:MOST_SEEN]
    if not given or all(_function(one).get("name") == report for one in given):
        return Talked()
    calls: list[ToolCall] = []
    sent = []
    for number, one in enumerate(given, 1):
        call = _call(one, number, {other.id for other in calls})
        calls.append(call)
        sent.append(_again(one, call))
    kept = {key: value for key, value in message.items() if value not in (None, [], {})}
    said = {"content": None, **kept, "role": "assistant", "tool_calls": sent}
    return Talked(called=tuple(calls), said=said)


def _function(call: Mapping[str, Any]) -> Mapping[str, Any]:
    function = call.get("function")
    return function if isinstance(function, dict) else {}


def _call(call: Mapping[str, Any], number: int, taken: set[str]) -> ToolCall:
    name, arguments = _function(call).get("name"), _function(call).get("arguments")
    if isinstance(arguments, dict):
        arguments = json.dumps(arguments, ensure_ascii=False)
    given = call.get("id")
    good = isinstance(given, str) and given.isascii() and 0 < len(given) <= _ID
    free = (one for at in count(number) if (one := f"call_{at}") not in taken)
    return ToolCall(
        id=str(given) if good and given not in taken else next(free),
        name=one_line(name, 80) if isinstance(name, str) else "",
        arguments=arguments if isinstance(arguments, str) else "",
    )


def _again(given: Mapping[str, Any], call: ToolCall) -> dict[str, Any]:
    function = {**_function(given), "name": call.name or "none", "arguments": _json(call.arguments)}
    return {**given, "id": call.id, "type": "function", "function": function}


def _json(arguments: str) -> str:
    """Arguments that an endpoint can read again; an empty object where they are none."""
    try:
        return arguments if isinstance(strict.loads(arguments), dict) else "{}"
    except (strict.StrictFault, RecursionError):
        return "{}"
