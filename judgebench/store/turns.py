"""What a judge read with tools, as rows of the store."""

import json
from collections.abc import Iterator

from judgebench.model.nouns import RawReply
from judgebench.model.turns import Place, ToolAnswer, ToolCall, Turn
from judgebench.records import dataclass
from judgebench.store.batches import Row

_OK = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class TurnRow:
    """One turn, with the judgment that it led to."""

    key: str
    label: str
    arm: str
    item: str
    repeat: int
    purpose: str
    turn: Turn
    """Its answers have no text: that is kept with the call that sent it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class EarlierReply:
    """A good reply that is stored, with the words that it answers."""

    raw: RawReply
    request_sha256: str
    unread: bool
    """No judgment has been made since it came."""


def turn_row(pass_id: str, key: str, turn: Turn) -> Row:
    """A row of `turns`."""
    answers = [
        {
            "id": one.call.id,
            "name": one.call.name,
            "arguments": one.call.arguments,
            "said": one.said,
            "fault": one.fault,
            "read": [list(place) for place in one.read],
        }
        for one in turn.answers
    ]
    return (pass_id, key, turn.number, turn.attempt, json.dumps(answers))


def turn_of(values: Row) -> TurnRow:
    """The noun behind a row of ``turns.sql``."""
    key, label, arm, item, repeat, purpose, number, attempt, answers = values
    return TurnRow(
        key=key,
        label=label,
        arm=arm,
        item=item,
        repeat=repeat,
        purpose=purpose,
        turn=Turn(number=number, attempt=attempt, answers=tuple(_answers(answers))),
    )


def _answers(text: str) -> Iterator[ToolAnswer]:
    for one in json.loads(text):
        read: list[Place] = [(path, first, last) for path, first, last in one["read"]]
        yield ToolAnswer(
            call=ToolCall(id=one["id"], name=one["name"], arguments=one["arguments"]),
            text="",
            said=one["said"],
            read=tuple(read),
            fault=one["fault"],
        )


def earlier_of(key: str, values: Row) -> EarlierReply:
    """The noun behind a row of ``stored_replies.sql``."""
    attempt, request_sha256, body, unread = values
    raw = RawReply(key=key, attempt=attempt, status=_OK, body=body, outcome="received")
    return EarlierReply(raw=raw, request_sha256=request_sha256, unread=unread)
