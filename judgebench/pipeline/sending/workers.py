"""Sending a pass: a fixed number of workers, one queue, and an orderly end.

The first request settles what the endpoint takes and goes out alone. After it each
worker takes the next request, prepares it, asks, and hands the answer on; nothing is
held but what is in flight. A budget, the provider's window, a refusal, an interrupt or
a broken writer ends the taking of new requests; what has no answer stays open.
"""

import asyncio
import contextlib
import gc
import math
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import field
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from judgebench.errors import BudgetStop, JudgeSetupError
from judgebench.judges import converse, wire
from judgebench.judges.ask import Answer, Journal, ask, on_disk
from judgebench.judges.budget import Limits
from judgebench.judges.converse import Tooling
from judgebench.judges.settle import settle
from judgebench.judges.transports.base import Transport, offline
from judgebench.judges.verdict import AskedForm
from judgebench.model.nouns import Judge, Rendered, Request
from judgebench.pipeline.sending.crew import GRACE_S, Crew, on_signals
from judgebench.pipeline.sending.sent import Ended, Progress, SendReport, Sums
from judgebench.records import dataclass
from judgebench.text import one_line, plural

PROGRESS_EVERY_S = 0.2
_SILENT_PROBES = 3
_SILENT_LEAST = 8
_GC_THRESHOLD = 20_000


class Preparation(Protocol):
    """A request ready to go out, as `prepare` makes it."""

    @property
    def request(self) -> Request:
        """Which one."""
        ...

    @property
    def rendered(self) -> Rendered:
        """Its messages."""
        ...

    @property
    def form(self) -> AskedForm:
        """The reply asked for."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Skip:
    """A request that is not to go out; it stays open."""

    reason: str


class Judged(Protocol):
    """What `finish` makes of an answer, for the writer."""

    @property
    def judgments(self) -> Sequence[Ended]:
        """One for each output of the request."""
        ...


P = TypeVar("P", bound=Preparation)
P_contra = TypeVar("P_contra", bound=Preparation, contravariant=True)
J = TypeVar("J", bound=Judged)
J_contra = TypeVar("J_contra", bound=Judged, contravariant=True)


class Writer(Journal, Protocol[J_contra]):
    """Journal of calls, and of what became of requests."""

    def judged(self, judged: J_contra) -> "Future[Any] | Awaitable[Any]":
        """One request is done; what is given is done when that is on disk."""
        ...


class Tools(Protocol[P_contra]):
    """Says which requests are conversations, and with which tools."""

    def __call__(self, prepared: P_contra, /) -> Tooling | None:
        """The tools of one request; None where it is asked once."""
        ...


@dataclass(kw_only=True)
class PassSender(Generic[P, J]):
    """Sends requests one after the other, or as many side by side as may be."""

    prepare: Callable[[Request], P | Skip]
    """Renders one request."""
    transport: Transport
    """The way to the judge."""
    judge: Judge
    """Who is asked."""
    writer: Writer[J]
    """Told of every call and every answer."""
    limits: Limits
    """Shared by all workers; `limits.concurrency` of them."""
    finish: Callable[[P, Answer], J]
    """Makes of an answer what the writer stores."""
    progress: Callable[[Progress], None]
    """Told how far it is, at most five times a second."""
    settled: wire.Settled | None
    """What the endpoint takes, as an earlier start found out; None to find out."""
    on_settled: Callable[[wire.Settled], None] | None = None
    """Told what the endpoint takes as soon as it is found out, so that a start after a
    kill need not find it out again."""
    attempts: Mapping[str, int] = field(default_factory=dict)
    """Calls that an earlier start made, by request key."""
    tools: Tools[P] | None = None
    """Which requests are conversations; None where none is."""
    grace_s: float = GRACE_S
    """How long calls in flight may go on after an interrupt."""

    def __post_init__(self) -> None:
        """Start the books."""
        self._offline = offline(self.transport)
        self._crew = Crew(limits=self.limits, grace_s=self.grace_s)
        self._sums = Sums()
        self._conversations: dict[str, Tooling | None] = {}
        self._silent = 0
        self._started, self._told_at = time.monotonic(), -math.inf
        self._settled = self.settled

    async def send(self, requests: Iterable[Request]) -> SendReport:
        """Send all requests of a queue, or as many as may be.

        Args:
            requests: In the order in which they are to go out; pulled as needed.

        Raises:
            JudgebenchError: `prepare`, `finish` or the writer failed; what was answered
                before is with the writer.
        """
        queue = iter(requests)
        if self._settled is None and self._offline:
            self._settled = wire.first(self.judge)
        with on_signals(self._crew.interrupt), _rare_collections():
            if self._settled is None:
                await self._crew.drive([self._probe(queue)])
            if self._settled is not None and not self._crew.closing:
                workers = range(self.limits.concurrency)
                await self._crew.drive([self._work(queue) for _ in workers])
        self._tell(at_once=True)
        return self._report()

    # --- workers ---

    async def _probe(self, queue: Iterator[Request]) -> None:
        """Send requests one at a time until the endpoint has taken one."""
        while self._settled is None and not self._crew.closing:
            prepared = self._next(queue)
            if prepared is None:
                return

            async def attempt(form: wire.Settled, calls: int, one: P = prepared) -> Answer:
                return await self._ask(one, form, calls=calls, probing=True)

            try:
                form, answer = await settle(self.judge, attempt, announce=self.limits.announce)
            except (BudgetStop, JudgeSetupError) as exc:
                self._crew.close(exc)
                return
            await on_disk(self._done(prepared, answer, most_silent=_SILENT_PROBES))
            if answer.accepted:
                self._settled = form
                if self.on_settled:
                    self.on_settled(form)

    async def _work(self, queue: Iterator[Request]) -> None:
        """Take one request after the other."""
        most_silent = max(_SILENT_LEAST, 2 * self.limits.concurrency)
        written: Future[Any] | Awaitable[Any] | None = None
        while not self._crew.closing:
            prepared = self._next(queue)
            if prepared is None:
                break
            try:
                answer = await self._ask(prepared, self._form())
            except (BudgetStop, JudgeSetupError) as exc:
                self._crew.close(exc)
                break
            if written is not None:
                await on_disk(written)
            written = self._done(prepared, answer, most_silent=most_silent)
            if self._offline:
                await asyncio.sleep(0)  # nothing else lets a signal in
        if written is not None:
            await on_disk(written)

    def _form(self) -> wire.Settled:
        if self._settled is None:
            raise RuntimeError("workers start when the endpoint's form is settled")
        return self._settled

    def _next(self, queue: Iterator[Request]) -> P | None:
        """The next request that may go out, prepared."""
        for request in queue:
            prepared = self.prepare(request)
            if isinstance(prepared, Skip) or not self._held(prepared):
                self._sums.skipped += 1
            else:
                return prepared
        return None

    def _held(self, prepared: P) -> bool:
        """Whether a recording has a reply to this request; a live judge always may."""
        if self._offline is None:
            return True
        asks = converse.first_sha256 if self._tooling(prepared) else wire.request_sha256
        asked = asks(prepared.rendered, prepared.form, self._form())
        return self._offline.holds(prepared.request.key, asked)

    async def _ask(
        self, prepared: P, form: wire.Settled, *, calls: int = 0, probing: bool = False
    ) -> Answer:
        key = prepared.request.key
        tooling = self._tooling(prepared)
        asking = ask if tooling is None else partial(converse.converse, tooling=tooling)
        return await asking(
            key,
            prepared.rendered,
            prepared.form,
            transport=self.transport,
            judge=self.judge,
            settled=form,
            journal=self.writer,
            limits=self.limits,
            attempts_before=self.attempts.get(key, 0) + calls,
            probing=probing,
        )

    def _tooling(self, prepared: P) -> Tooling | None:
        """The tools of a request that is a conversation, the same each time that it is asked."""
        if self.tools is None:
            return None
        key = prepared.request.key
        if key not in self._conversations:
            self._conversations[key] = self.tools(prepared)
        return self._conversations[key]

    def _done(
        self, prepared: P, answer: Answer, *, most_silent: int
    ) -> "Future[Any] | Awaitable[Any]":
        """Hand an answer on; stop where the endpoint has been silent for long."""
        self._conversations.pop(prepared.request.key, None)
        judged = self.finish(prepared, answer)
        written = self.writer.judged(judged)
        self._sums.add(answer, judged.judgments)
        self._tell()
        self._silent = (
            0 if self._offline or answer.accepted or _of_request(answer) else self._silent + 1
        )
        if self._silent >= most_silent and not self._crew.closing:
            self._crew.close(
                JudgeSetupError(
                    f"{one_line(self.judge.name, 60)}: no usable answer to "
                    f"{plural(self._silent, 'request')} in a row: {answer.reading.message}; "
                    "the same command goes on"
                )
            )
        return written

    # --- words and numbers ---

    def _tell(self, *, at_once: bool = False) -> None:
        """Report progress, if it is time."""
        now = time.monotonic()
        if not at_once and now - self._told_at < PROGRESS_EVERY_S:
            return
        self._told_at = now
        sums = self._sums
        self.progress(
            Progress(
                sent=sums.sent,
                scored=sums.scored,
                blocked=sums.blocked,
                calls=self.limits.calls or sums.calls,
                in_flight=self.limits.in_flight,
                cost_usd=self.limits.spent_usd if self.limits.cost else None,
                elapsed_s=now - self._started,
            )
        )

    def _report(self) -> SendReport:
        sums, limits, crew = self._sums, self.limits, self._crew
        known = limits.cost is not None and limits.cost_known
        return SendReport(
            sent=sums.sent,
            scored=sums.scored,
            blocked=sums.blocked,
            skipped=sums.skipped,
            let_go=crew.let_go,
            calls=sums.calls if self._offline else limits.calls,
            in_doubt=sums.in_doubt + crew.let_go,
            usage=sums.usage,
            usage_unknown=sums.usage_unknown + crew.let_go,
            cost_usd=limits.spent_usd if known else None,
            settled=self._settled,
            stopped=crew.stopped,
            error=crew.error,
            interrupted=crew.interrupted,
        )


def _of_request(answer: Answer) -> bool:
    """Whether the endpoint works and this one request is what it cannot answer."""
    return answer.reading.kind in {"context", "filter"}


@contextlib.contextmanager
def _rare_collections() -> Iterator[None]:
    """Look for cyclic garbage less often: a request makes little, and looking costs."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_GC_THRESHOLD, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
