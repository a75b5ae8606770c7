"""A request that is a conversation: the judge reads with tools until it reports.

Each turn is a request of its own, kept as any other: its intention, its raw reply, then
what it asked for and got. All that goes out follows from the project and the replies so
far, so a start after a kill walks the stored replies again and asks only what has none.
The number of turns and the length of all answers are bounded; the last turn offers the
report alone.
"""

import json
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from dataclasses import field, replace
from typing import Any

from judgebench.errors import JudgeSetupError, RecordingError
from judgebench.judges import toolbox as tools
from judgebench.judges import wire
from judgebench.judges.ask import NO_TOOLS, Answer, Journal, Outgoing, ask, on_disk, summed
from judgebench.judges.budget import Limits
from judgebench.judges.toolbox import Toolbox
from judgebench.judges.transports.base import Transport, offline
from judgebench.judges.validate import Reading, read_reply
from judgebench.judges.verdict import AskedForm
from judgebench.model.nouns import Intent, Judge, RawReply, Rendered
from judgebench.model.turns import MOST_TURNS, ToolAnswer, ToolCall, Turn
from judgebench.records import dataclass
from judgebench.text import canonical_json, digest, one_line, sha256_text

JSON = dict[str, Any]
_OK = 200
_UNSAID = frozenset({"form", "empty"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Earlier:
    """A reply of an earlier start to one turn of a request."""

    raw: RawReply
    request_sha256: str
    """Hash of the words that it answers."""
    unread: bool
    """No judgment has been made since it came."""


@dataclass(kw_only=True, slots=True)
class Tooling:
    """What a conversation has beside its first message."""

    toolbox: Toolbox
    keep: Callable[[Turn], Future[Any] | Awaitable[Any]]
    """Writes a turn down; what it gives is done when that is on disk."""
    earlier: list[Earlier] = field(default_factory=list)


def turn_key(key: str, number: int) -> str:
    """Under which a turn goes out and is recorded: that of the request, and the turn's number."""
    return key if number == 1 else f"{key}.{number}"


def first_sha256(rendered: Rendered, form: AskedForm, settled: wire.Settled) -> str:
    """Hash of the words of a first turn: the request's, and the tools."""
    asked = wire.request_sha256(rendered, form, settled)
    return sha256_text(f"{asked}\n{tools.toolset_sha256()}")


def next_sha256(before: str, said: object, user_text: str) -> str:
    """Hash of the words of a turn: those before it, the judge's message, what it got."""
    return sha256_text(f"{before}\n{digest(said)}\n{sha256_text(user_text)}")


def answers_text(number: int, answers: Sequence[ToolAnswer], *, final: bool) -> str:
    """The new messages of a turn, as they are kept."""
    left = MOST_TURNS - number
    told = (
        "\n\nNothing more can be read: your next reply must be the report."
        if final
        else f"\n\nReplies left: {left}, the last of them the report."
    )
    texts = [one.text for one in answers]
    texts[-1] += told
    made = [
        {"role": "tool", "tool_call_id": one.call.id, "content": text}
        for one, text in zip(answers, texts, strict=True)
    ]
    return canonical_json({"final": final, "messages": made})


@dataclass
class _Talk:
    """Where a conversation stands."""

    key: str
    first: JSON
    """The body of a request for the report alone."""
    sha256: str
    user_text: str
    toolbox: Toolbox
    more: list[JSON] = field(default_factory=list)
    """Messages after the first two."""
    turns: list[Turn] = field(default_factory=list)
    room: int = tools.MOST_CHARS_IN_ALL
    final: bool = False

    @property
    def number(self) -> int:
        """Of the turn that comes next."""
        return len(self.turns) + 1

    @property
    def report(self) -> str:
        """Name of the function that takes the report."""
        return str(self.first["tools"][0]["function"]["name"])

    def outgoing(self) -> Outgoing:
        """The next request."""
        body = {**self.first, "messages": [*self.first["messages"], *self.more]}
        if not self.final:
            body["tools"] = [*tools.DEFINITIONS, *self.first["tools"]]
            body["tool_choice"] = "auto"
        return Outgoing(
            body=body,
            request_sha256=self.sha256,
            user_text=self.user_text,
            key=turn_key(self.key, self.number),
            tools=not self.final,
        )

    def take(self, reading: Reading, attempt: int) -> Turn:
        """Answer the calls of a reply, and go on to the next turn."""
        answers = tuple(self._answered(reading.called))
        number = self.number
        turn = Turn(number=number, attempt=attempt, answers=answers)
        self.turns.append(turn)
        self.final = number + 1 >= MOST_TURNS or self.room <= 0
        self.user_text = answers_text(number, answers, final=self.final)
        self.sha256 = next_sha256(self.sha256, reading.said, self.user_text)
        self.more += [dict(reading.said), *_messages(self.user_text)]
        return turn

    def _answered(self, called: Sequence[ToolCall]) -> list[ToolAnswer]:
        out = []
        for number, call in enumerate(called):
            if call.name == self.report:
                out.append(_refused(call, "not taken: report alone, after what you read"))
            elif number >= tools.MOST_CALLS:
                out.append(_refused(call, f"not done: {tools.MOST_CALLS} calls a reply at most"))
            else:
                one = self.toolbox.answer(call, room=self.room)
                self.room -= len(one.text)
                out.append(one)
        return out


def _messages(user_text: str) -> list[JSON]:
    made: list[JSON] = json.loads(user_text)["messages"]
    return made


def _refused(call: ToolCall, words: str) -> ToolAnswer:
    return ToolAnswer(call=call, text=f"error: {words}", said=words, fault=True)


async def converse(  # noqa: PLR0913 - the request, the tools, the way, the books
    key: str,
    rendered: Rendered,
    form: AskedForm,
    *,
    tooling: Tooling,
    transport: Transport,
    judge: Judge,
    settled: wire.Settled,
    journal: Journal,
    limits: Limits,
    attempts_before: int = 0,
    probing: bool = False,
) -> Answer:
    """Ask turn by turn until there is a report, or none to be had.

    Args:
        key: Of the request.
        rendered: The first two messages.
        form: The report asked for.
        tooling: The tools, and what earlier starts were answered.
        transport: The way to the judge.
        judge: Whose `max_calls` holds for each turn.
        settled: What the endpoint takes; its mode is ``tools``.
        journal: Told before each call, and before each reply is read.
        limits: Asked before each call: each turn is one.
        attempts_before: Calls made for this request by an earlier start.
        probing: The endpoint has taken no request yet.

    Raises:
        BudgetStop: No further call may go out; what was answered is kept.
        JudgeSetupError: The endpoint refuses, or passes no tools on.
        RecordingError: A recording holds a conversation in part.
    """
    talk = _Talk(
        key=key,
        first=wire.body(rendered, form, judge=judge, settled=replace(settled, mode="tools")),
        sha256=first_sha256(rendered, form, settled),
        user_text=rendered.user,
        toolbox=tooling.toolbox,
    )
    asked: list[Answer] = []
    while True:
        out = talk.outgoing()
        known = _known(tooling.earlier, out, form, judge)
        if known is not None:
            reading, attempt = known
        else:
            _must_hold(transport, out)
            before = attempts_before + sum(one.calls for one in asked)
            answer = await ask(
                key, rendered, form, transport=transport, judge=judge, settled=settled,
                journal=_Noting(journal, out, tooling.earlier), limits=limits,
                attempts_before=before, probing=probing and not talk.turns, outgoing=out,
            )  # fmt: skip
            asked.append(answer)
            reading, attempt = answer.reading, before + answer.calls
            if probing and not talk.turns:
                _must_know_tools(judge, reading)
        if not reading.called:
            return _whole(asked, reading, talk.turns)
        await on_disk(tooling.keep(talk.take(reading, attempt)))


class _Noting:
    """A journal that also keeps replies at hand: a refusal later on repeats no turn."""

    def __init__(self, inner: Journal, out: Outgoing, earlier: list[Earlier]) -> None:
        self._inner, self._out, self._earlier = inner, out, earlier

    def intend(self, call: Intent) -> Future[Any] | Awaitable[Any]:
        """A call is about to go out."""
        return self._inner.intend(call)

    def received(self, raw: RawReply) -> Future[Any] | Awaitable[Any]:
        """A call came back, unread."""
        if raw.status == _OK:
            sha256 = self._out.request_sha256
            self._earlier.append(Earlier(raw=raw, request_sha256=sha256, unread=False))
        return self._inner.received(raw)


def _known(
    earlier: Sequence[Earlier], out: Outgoing, form: AskedForm, judge: Judge
) -> tuple[Reading, int] | None:
    """What an earlier start was answered to the same words, and by which call."""
    for one in earlier:
        if one.request_sha256 != out.request_sha256:
            continue
        reading = read_reply(
            one.raw, form, wire_mode="tools", asked_model=judge.model, tools=out.tools
        )
        # What was blocked once and is asked again is not to be blocked by the same reply.
        if reading.status == "ok" or (reading.status == "blocked" and one.unread):
            return reading, one.raw.attempt
    return None


def _must_hold(transport: Transport, out: Outgoing) -> None:
    recorded = offline(transport)
    if recorded is not None and not recorded.holds(out.key, out.request_sha256):
        raise RecordingError(
            "the recording", f"holds a conversation in part: no reply {one_line(out.key, 50)}",
            "record it again when its pass is complete",
        )  # fmt: skip


def _must_know_tools(judge: Judge, reading: Reading) -> None:
    """Prose in place of a first call or a report: the endpoint may drop tools in silence."""
    if reading.status == "blocked" and reading.kind in _UNSAID:
        raise JudgeSetupError(
            f"{one_line(judge.name, 60)}: neither a tool call nor a report came back "
            f"({reading.message}); {NO_TOOLS}"
        )


def _whole(asked: Sequence[Answer], reading: Reading, turns: Sequence[Turn]) -> Answer:
    """All calls of this start as one answer."""
    return Answer(
        reading=reading,
        calls=sum(one.calls for one in asked),
        in_doubt=sum(one.in_doubt for one in asked),
        usage=summed([one.usage for one in asked]),
        usage_unknown=sum(one.usage_unknown for one in asked),
        reached=not asked or any(one.reached for one in asked),
        accepted=not asked or any(one.accepted for one in asked),
        turns=tuple(turns),
    )
