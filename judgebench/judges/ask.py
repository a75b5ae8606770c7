"""One request until it is answered: every call counted in one place.

Before a call goes out its intention is on disk; before its reply is looked at, the
raw reply is. A bad reply or a lost connection is asked again up to the judge's
`max_calls`; a wait that the endpoint asks for is no such call, but is bounded too.
"""

import asyncio
import random
import time
from collections.abc import Awaitable
from concurrent.futures import Future
from dataclasses import field, replace
from functools import lru_cache
from typing import Any, Protocol

from judgebench.errors import JudgeSetupError
from judgebench.judges import faults, wire
from judgebench.judges.budget import Limits
from judgebench.judges.faults import Fault
from judgebench.judges.transports.base import Transport, offline
from judgebench.judges.validate import Reading, read_reply
from judgebench.judges.verdict import AskedForm
from judgebench.model.collected import Usage
from judgebench.model.nouns import Intent, Judge, RawReply, Rendered
from judgebench.model.reasons import Reason
from judgebench.model.turns import Turn
from judgebench.records import dataclass
from judgebench.text import one_line, sha256_text

MOST_RATE_REPLIES = 8
"""Replies that only ask to wait, for one request; then it stays without an answer."""
_BACKOFF_S = 0.25
_CHARS_A_TOKEN = 4
_OK = 200
_system_sha256 = lru_cache(maxsize=16)(sha256_text)
"""One text serves most requests of a pass."""
NOT_SENT = "connection"
"""The outcome of a call that never reached the endpoint."""
NO_TOOLS = "if it takes no tool calls, --tools off asks once, about what fits the budget"
_FINAL_REASONS = {"context": Reason.JUDGE_CONTEXT, "filter": Reason.JUDGE_FILTER}


class Journal(Protocol):
    """Where calls are written down; what a method gives is done when that is on disk.

    A future of a writer's thread, or anything that can be awaited.
    """

    def intend(self, call: Intent) -> Future[Any] | Awaitable[Any]:
        """A call is about to go out."""
        ...

    def received(self, raw: RawReply) -> Future[Any] | Awaitable[Any]:
        """A call came back, unread."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What all calls for one request came to."""

    reading: Reading
    """``ok`` or ``blocked``; nothing is left to be asked again."""
    calls: int
    """Calls that went out, those that only asked to wait included."""
    in_doubt: int = 0
    """Calls that were sent and whose answer is unknown."""
    usage: Usage = field(default_factory=Usage)
    """Summed over all calls; None where one did not report it."""
    usage_unknown: int = 0
    """Calls that may have used tokens and did not report them."""
    reached: bool = True
    """Whether any call got as far as the endpoint."""
    accepted: bool = True
    """Whether any call came back as one that the endpoint took (HTTP 200)."""
    turns: tuple[Turn, ...] = ()
    """What was read with tools before it, where there were any."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Outgoing:
    """What one call sends, where it is not the rendered request by itself."""

    body: dict[str, Any] = field(repr=False)
    request_sha256: str
    """Hash of all words that are sent."""
    user_text: str = field(repr=False)
    """What is new in it since the call before, as it is kept."""
    key: str
    """Under which it goes out; each turn of a conversation is a request of its own."""
    tools: bool = False
    """Whether the reply might ask for more to read."""


class SetupRefusedError(JudgeSetupError):
    """The endpoint refuses the judge as it is set up; `settle` may know a way."""

    def __init__(
        self, fault: Fault, calls: int, judge: Judge, settled: wire.Settled, *, tools: bool = False
    ) -> None:
        self.fault, self.calls = fault, calls
        told = NO_TOOLS if tools and _may_lack_tools(fault) else advice(fault, settled, judge)
        super().__init__(f"{one_line(judge.name, 60)}: {fault.message}; {told}")


def _may_lack_tools(fault: Fault) -> bool:
    name = fault.param or ""
    return fault.kind == "final" or name in faults.MODE_WORDS or name.startswith("tool")


def advice(fault: Fault, settled: wire.Settled, judge: Judge) -> str:
    """Which setting avoids a refusal."""
    name = fault.param or ""
    if fault.kind == "auth":
        return _about_key(judge)
    if name in {"max_tokens", "max_completion_tokens"}:
        return (
            f"{name} was refused: set max_tokens of this judge to a number that it takes, or "
            f'write max_tokens = "{wire.LEFT_OUT}" in its params to send none'
        )
    if name in settled.params or name == "temperature":
        return f'to leave it out, write {name} = "{wire.LEFT_OUT}" in params of this judge'
    if name in {"schema", *faults.MODE_WORDS} or name.startswith(("response_format", "tool")):
        return f'mode = "{settled.mode}" was tried: set mode = "md_json" for this judge'
    if name:
        return f"{name} was refused: take it out of params of this judge in judges.toml"
    return "check model and base_url of this judge (judge explain judges)"


def _about_key(judge: Judge) -> str:
    if judge.api_key_env:
        return f"check the key in {judge.api_key_env}, its rights and its credit"
    return "set api_key_env of this judge to the variable that holds the key"


@dataclass
class _Tally:
    """What the calls so far came to."""

    calls: int = 0
    counted: int = 0
    """Those that `max_calls` bounds."""
    rates: int = 0
    in_doubt: int = 0
    unknown: int = 0
    reached: bool = False
    accepted: bool = False
    usages: list[Usage] = field(default_factory=list)

    def book(self, raw: RawReply, usage: Usage | None) -> None:
        """Add one call; `usage` is None where nothing was used."""
        self.calls += 1
        self.in_doubt += raw.status is None and raw.outcome != NOT_SENT
        self.reached |= raw.outcome != NOT_SENT
        self.accepted |= raw.status == _OK
        if usage is not None:
            self.usages.append(usage)
            self.unknown += usage.prompt_tokens is None or usage.completion_tokens is None

    def answer(self, reading: Reading) -> Answer:
        """The whole of it."""
        return Answer(
            reading=reading,
            calls=self.calls,
            in_doubt=self.in_doubt,
            usage=summed(self.usages),
            usage_unknown=self.unknown,
            reached=self.reached,
            accepted=self.accepted,
        )


async def ask(  # noqa: PLR0913 - the request, the way, the books
    request_key: str,
    rendered: Rendered,
    form: AskedForm,
    *,
    transport: Transport,
    judge: Judge,
    settled: wire.Settled,
    journal: Journal,
    limits: Limits,
    attempts_before: int = 0,
    probing: bool = False,
    outgoing: Outgoing | None = None,
) -> Answer:
    """Ask until there is an answer, or none to be had.

    Args:
        request_key: Sent as idempotency key, the same with every call.
        rendered: The messages.
        form: The reply asked for.
        transport: The way to the judge.
        judge: Whose `max_calls` holds.
        settled: What the endpoint takes.
        journal: Told before each call, and before each reply is read.
        limits: Asked before each call.
        attempts_before: Calls made for this request by an earlier start.
        probing: The endpoint has taken no request yet, so that a refusal without a
            known cause is one of the set-up.
        outgoing: What is sent in place of the rendered request by itself.

    Raises:
        BudgetStop: No further call may go out; the request stays open.
        SetupRefusedError: The endpoint refuses every request of this kind.
    """
    asking = _Asking(
        key=request_key,
        rendered=rendered,
        form=form,
        transport=transport,
        judge=judge,
        settled=settled,
        journal=journal,
        limits=limits,
        probing=probing,
        out=outgoing or single(request_key, rendered, form, judge=judge, settled=settled),
    )
    return await asking.run(attempts_before)


def single(
    key: str, rendered: Rendered, form: AskedForm, *, judge: Judge, settled: wire.Settled
) -> Outgoing:
    """The rendered request by itself."""
    return Outgoing(
        body=wire.body(rendered, form, judge=judge, settled=settled),
        request_sha256=wire.request_sha256(rendered, form, settled),
        user_text=rendered.user,
        key=key,
    )


async def on_disk(written: Future[Any] | Awaitable[Any]) -> None:
    """Wait until the writer has committed; its failure is raised here."""
    if not isinstance(written, Future):
        await written
    elif written.done():
        written.result()
    else:
        await asyncio.wrap_future(written)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Asking:
    """One request with all that its calls need."""

    key: str
    rendered: Rendered
    form: AskedForm
    transport: Transport
    judge: Judge
    settled: wire.Settled
    journal: Journal
    limits: Limits
    probing: bool
    out: Outgoing

    async def run(self, before: int) -> Answer:
        stored = offline(self.transport) is not None
        most = 1 if stored else self.judge.max_calls
        tally = _Tally()
        while True:
            attempt = before + tally.calls + 1
            if stored:
                raw = await self._call(attempt)
                found = self._look(raw)
                tally.book(raw, _used(raw, found))
            else:
                raw, found = await self._limited(attempt, tally)
            reading = self._end(raw, found, tally, most=most, stored=stored)
            if reading is not None:
                return tally.answer(reading)
            if isinstance(found, Fault) and found.kind == "retry":
                spread = 0.5 + random.random()  # noqa: S311 - spreads the load, guards nothing
                await self.limits.rest(_BACKOFF_S * 2 ** (tally.counted - 1) * spread)

    async def _limited(self, attempt: int, tally: _Tally) -> tuple[RawReply, "Reading | Fault"]:
        """One call within the limits, booked whatever becomes of it."""
        await self.limits.enter(self._tokens())
        usage: Usage | None = Usage()
        try:
            raw = await self._call(attempt)
            found = self._look(raw)
            usage = _used(raw, found)
            tally.book(raw, usage)
        finally:
            self.limits.leave(usage, billed=usage is not None)
        return raw, found

    def _tokens(self) -> int:
        """About how many tokens a call uses; only rates depend on it."""
        if not self.limits.tpm:
            return 0
        chars = sum(len(one["content"] or "") for one in self.out.body["messages"])
        return chars // _CHARS_A_TOKEN + self.judge.max_tokens // 4

    async def _call(self, attempt: int) -> RawReply:
        """Intention on disk, call, raw reply on disk."""
        intent = Intent(
            key=self.key,
            attempt=attempt,
            sent_at=time.time(),
            request_sha256=self.out.request_sha256,
            system_sha256=_system_sha256(self.rendered.system),
            user_text=self.out.user_text,
        )
        await on_disk(self.journal.intend(intent))
        raw = await self.transport.send(self.out.body, key=self.out.key, attempt=attempt)
        if raw.key != self.key:
            raw = replace(raw, key=self.key)
        await on_disk(self.journal.received(raw))
        return raw

    def _look(self, raw: RawReply) -> "Reading | Fault":
        if raw.status != _OK:
            return faults.classify(raw)
        return read_reply(
            raw,
            self.form,
            wire_mode=self.settled.mode,
            asked_model=self.judge.model,
            tools=self.out.tools,
        )

    def _end(  # noqa: PLR0911 - one line for each way that a call can end
        self,
        raw: RawReply,
        found: "Reading | Fault",
        tally: _Tally,
        *,
        most: int,
        stored: bool,
    ) -> Reading | None:
        """The reading to end with, or None where another call is to be made."""
        if isinstance(found, Reading) and found.status != "retry":
            return found
        if isinstance(found, Fault):
            if stored:
                return _blocked(_FINAL_REASONS.get(found.kind, Reason.JUDGE_TRANSPORT), found)
            if found.kind in {"setup", "auth"} or (self.probing and found.kind == "final"):
                raise SetupRefusedError(
                    found, tally.calls, self.judge, self.settled, tools=self.out.tools
                )
            if found.kind == "rate":
                return self._waited(found, tally)
            if found.kind != "retry":
                return _blocked(_FINAL_REASONS.get(found.kind, Reason.JUDGE_TRANSPORT), found)
        tally.counted += 1
        if tally.counted < most:
            return None
        after = f" ({tally.counted} calls)" if tally.counted > 1 else ""
        if isinstance(found, Reading):
            return replace(found, status="blocked", message=f"{found.message}{after}")
        timeout = raw.outcome == "timeout"
        reason = Reason.JUDGE_TIMEOUT if timeout else Reason.JUDGE_TRANSPORT
        return _blocked(reason, replace(found, message=f"{found.message}{after}"))

    def _waited(self, found: Fault, tally: _Tally) -> Reading | None:
        tally.rates += 1
        if tally.rates >= MOST_RATE_REPLIES:
            return _blocked(Reason.JUDGE_TRANSPORT, found)
        self.limits.slow_down(found.retry_after_s, found.words)
        return None


def _blocked(reason: Reason, fault: Fault) -> Reading:
    return Reading(status="blocked", reason=reason, message=fault.message, kind=fault.kind)


def _used(raw: RawReply, found: "Reading | Fault") -> Usage | None:
    """Tokens of one call: unknown where it may have been answered, None where it was not."""
    if isinstance(found, Reading):
        return found.usage
    return Usage() if raw.status is None and raw.outcome != NOT_SENT else None


def summed(usages: list[Usage]) -> Usage:
    """Sums, each unknown as soon as one part is; of no call they are 0."""
    if len(usages) == 1:
        return usages[0]

    def total(parts: list[int | None]) -> int | None:
        known = [part for part in parts if part is not None]
        return sum(known) if len(known) == len(parts) else None

    return Usage(
        prompt_tokens=total([one.prompt_tokens for one in usages]),
        completion_tokens=total([one.completion_tokens for one in usages]),
        reasoning_tokens=total([one.reasoning_tokens for one in usages]),
    )
