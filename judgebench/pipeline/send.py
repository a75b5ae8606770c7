"""Sending a pass: a fixed number of workers, one queue, and an orderly end.

The first request settles what the endpoint takes and goes out alone. After it each
worker takes the next request, prepares it, asks, and hands the answer on; nothing is
held but what is in flight. A budget, the provider's window, a refusal, an interrupt or
a broken writer ends the taking of new requests; what has no answer stays open.
"""

import asyncio
import contextlib
import gc
import signal
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from judgebench.errors import BudgetStop, JudgeSetupError
from judgebench.judges import converse, wire
from judgebench.judges.ask import Answer, Journal, ask, on_disk
from judgebench.judges.budget import Limits
from judgebench.judges.converse import Tooling
from judgebench.judges.settle import settle
from judgebench.judges.transports.base import Transport, offline
from judgebench.judges.validate import AskedForm
from judgebench.model import Judge, Mark, Rendered, Request, Usage
from judgebench.text import one_line, plural

GRACE_S = 5.0
"""How long calls in flight may go on after an interrupt."""
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


class Ended(Protocol):
    """What became of one output of a request, or of all of it."""

    @property
    def status(self) -> str:
        """``ok`` or ``blocked``."""
        ...

    @property
    def marks(self) -> Sequence[Mark]:
        """Its marks; none where no marks were asked for."""
        ...


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


@dataclass(frozen=True, kw_only=True, slots=True)
class Progress:
    """How far a pass is; given at most five times a second."""

    sent: int
    scored: int
    blocked: int
    calls: int
    in_flight: int
    cost_usd: float | None
    """None where prices are unknown."""
    elapsed_s: float
    wanted: int | None = None
    """How many this start has to send; None where that is not known."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SendReport:
    """What one start of a pass did."""

    sent: int
    """Requests that were answered or blocked."""
    scored: int
    """Judgments with marks."""
    blocked: int
    """Judgments without, for a reason on the judge's side."""
    skipped: int
    """Requests that `prepare` did not let out, or that a recording does not hold."""
    let_go: int
    """Requests that were in flight when the pass was ended."""
    calls: int
    in_doubt: int
    usage: Usage
    """Summed; None where any call did not report it."""
    usage_unknown: int
    """Calls that may have used tokens and did not report them."""
    cost_usd: float | None
    """None where a price, or what a call used, is unknown."""
    settled: wire.Settled | None
    """What the endpoint takes; None where it was not found out."""
    stopped: str | None = None
    """Why it ended before the queue did; None where all was sent."""
    error: BudgetStop | JudgeSetupError | None = None
    """What ended it, to be raised when the store is closed."""
    interrupted: bool = False
    """A signal ended it."""


@dataclass
class _Sums:
    sent: int = 0
    scored: int = 0
    blocked: int = 0
    skipped: int = 0
    calls: int = 0
    in_doubt: int = 0
    usage_unknown: int = 0
    tokens: list[int | None] = field(default_factory=lambda: [0, 0, 0])

    def add(self, answer: Answer, judgments: Sequence[Ended]) -> None:
        self.sent += 1
        self.calls += answer.calls
        self.in_doubt += answer.in_doubt
        self.usage_unknown += answer.usage_unknown
        good = sum(map(_marked, judgments))
        self.scored += good
        self.blocked += len(judgments) - good
        used = answer.usage
        parts = (used.prompt_tokens, used.completion_tokens, used.reasoning_tokens)
        self.tokens = [
            None if a is None or b is None else a + b
            for a, b in zip(self.tokens, parts, strict=True)
        ]

    @property
    def usage(self) -> Usage:
        prompt, completion, reasoning = self.tokens
        return Usage(prompt_tokens=prompt, completion_tokens=completion, reasoning_tokens=reasoning)


async def send_pass(  # noqa: PLR0913 - the queue, what is done with it, and the books
    requests: Iterable[Request],
    *,
    prepare: Callable[[Request], P | Skip],
    transport: Transport,
    judge: Judge,
    settled: wire.Settled | None,
    writer: Writer[J],
    limits: Limits,
    finish: Callable[[P, Answer], J],
    progress: Callable[[Progress], None],
    attempts: Mapping[str, int] | None = None,
    on_settled: Callable[[wire.Settled], None] | None = None,
    tools: Tools[P] | None = None,
    grace_s: float = GRACE_S,
) -> SendReport:
    """Send all requests of a queue, or as many as may be.

    Args:
        requests: In the order in which they are to go out; pulled as needed.
        prepare: Renders one request.
        transport: The way to the judge.
        judge: Who is asked.
        settled: What its endpoint takes, as an earlier start found out; None to find out.
        writer: Told of every call and every answer.
        limits: Shared by all workers; `limits.concurrency` of them.
        finish: Makes of an answer what the writer stores.
        progress: Told how far it is.
        attempts: Calls that an earlier start made, by request key.
        on_settled: Told what the endpoint takes as soon as it is found out, so that a
            start after a kill need not find it out again.
        tools: Which requests are conversations; None where none is.
        grace_s: How long calls in flight may go on after an interrupt.

    Raises:
        JudgebenchError: `prepare`, `finish` or the writer failed; what was answered
            before is with the writer.
    """
    sender = _Sender(
        queue=iter(requests),
        prepare=prepare,
        transport=transport,
        judge=judge,
        writer=writer,
        limits=limits,
        finish=finish,
        progress=progress,
        attempts=attempts or {},
        on_settled=on_settled,
        tools=tools,
        grace_s=grace_s,
    )
    return await sender.run(settled)


@dataclass
class _Sender(Generic[P, J]):
    """The state of one sending."""

    queue: Iterator[Request]
    prepare: Callable[[Request], P | Skip]
    transport: Transport
    judge: Judge
    writer: Writer[J]
    limits: Limits
    finish: Callable[[P, Answer], J]
    progress: Callable[[Progress], None]
    attempts: Mapping[str, int]
    on_settled: Callable[[wire.Settled], None] | None
    tools: Tools[P] | None
    grace_s: float

    sums: _Sums = field(default_factory=_Sums)
    talks: dict[str, Tooling | None] = field(default_factory=dict)
    """Conversations that are in flight."""
    settled: wire.Settled | None = None
    closing: bool = False
    interrupted: bool = False
    error: BudgetStop | JudgeSetupError | None = None
    let_go: int = 0
    silent: int = 0
    told_at: float = 0.0
    tasks: list["asyncio.Task[None]"] = field(default_factory=list)
    timer: asyncio.TimerHandle | None = None

    async def run(self, settled: wire.Settled | None) -> SendReport:
        self.offline = offline(self.transport)
        self.started = time.monotonic()
        self.settled = settled
        if settled is None and self.offline:
            self.settled = wire.first(self.judge)
        with _signals(self._interrupt), _rare_collections():
            if self.settled is None:
                await self._drive([self._probe()])
            if self.settled is not None and not self.closing:
                await self._drive([self._work() for _ in range(self.limits.concurrency)])
        self._tell(now=None)
        return self._report()

    # --- workers ---

    async def _probe(self) -> None:
        """Send requests one at a time until the endpoint has taken one."""
        while self.settled is None and not self.closing:
            prepared = self._next()
            if prepared is None:
                return

            async def attempt(form: wire.Settled, calls: int, one: P = prepared) -> Answer:
                return await self._ask(one, form, calls=calls, probing=True)

            try:
                form, answer = await settle(self.judge, attempt, announce=self.limits.announce)
            except (BudgetStop, JudgeSetupError) as exc:
                self._close(exc)
                return
            await on_disk(self._done(prepared, answer, most_silent=_SILENT_PROBES))
            if answer.accepted:
                self.settled = form
                if self.on_settled:
                    self.on_settled(form)

    async def _work(self) -> None:
        """Take one request after the other."""
        most_silent = max(_SILENT_LEAST, 2 * self.limits.concurrency)
        written: Future[Any] | Awaitable[Any] | None = None
        while not self.closing:
            prepared = self._next()
            if prepared is None:
                break
            try:
                answer = await self._ask(prepared, self._form())
            except (BudgetStop, JudgeSetupError) as exc:
                self._close(exc)
                break
            if written is not None:
                await on_disk(written)
            written = self._done(prepared, answer, most_silent=most_silent)
            if self.offline:
                await asyncio.sleep(0)  # nothing else lets a signal in
        if written is not None:
            await on_disk(written)

    def _form(self) -> wire.Settled:
        if self.settled is None:
            raise RuntimeError("workers start when the endpoint's form is settled")
        return self.settled

    def _next(self) -> P | None:
        """The next request that may go out, prepared."""
        for request in self.queue:
            prepared = self.prepare(request)
            if isinstance(prepared, Skip) or not self._held(prepared):
                self.sums.skipped += 1
            else:
                return prepared
        return None

    def _held(self, prepared: P) -> bool:
        """Whether a recording has a reply to this request; a live judge always may."""
        if self.offline is None:
            return True
        asks = converse.first_sha256 if self._tooling(prepared) else wire.request_sha256
        asked = asks(prepared.rendered, prepared.form, self._form())
        return self.offline.holds(prepared.request.key, asked)

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
        if key not in self.talks:
            self.talks[key] = self.tools(prepared)
        return self.talks[key]

    def _done(
        self, prepared: P, answer: Answer, *, most_silent: int
    ) -> "Future[Any] | Awaitable[Any]":
        """Hand an answer on; stop where the endpoint has been silent for long."""
        self.talks.pop(prepared.request.key, None)
        judged = self.finish(prepared, answer)
        written = self.writer.judged(judged)
        self.sums.add(answer, judged.judgments)
        self._tell(now=time.monotonic())
        self.silent = (
            0 if self.offline or answer.accepted or _of_request(answer) else self.silent + 1
        )
        if self.silent >= most_silent and not self.closing:
            self._close(
                JudgeSetupError(
                    f"{one_line(self.judge.name, 60)}: no usable answer to "
                    f"{plural(self.silent, 'request')} in a row: {answer.reading.message}; "
                    "the same command goes on"
                )
            )
        return written

    # --- the end ---

    async def _drive(self, work: Sequence[Coroutine[Any, Any, None]]) -> None:
        """Run workers to their end; a failure of one lets the others finish their call."""
        self.tasks = [asyncio.create_task(one) for one in work]
        for task in self.tasks:
            task.add_done_callback(self._ended)
        try:
            await asyncio.wait(self.tasks)
        finally:
            self._cancel()
            results = await asyncio.gather(*self.tasks, return_exceptions=True)
            if self.timer:
                self.timer.cancel()
        for result in results:
            if isinstance(result, BaseException) and not isinstance(result, asyncio.CancelledError):
                raise result

    def _ended(self, task: "asyncio.Task[None]") -> None:
        if not task.cancelled() and task.exception() is not None:
            self._wind_down()

    def _close(self, error: BudgetStop | JudgeSetupError) -> None:
        """Take nothing new; calls in flight go on to their own end."""
        if not self.interrupted:
            self.error = self.error or error
        self.closing = True
        self.limits.stop(str(error))

    def _wind_down(self) -> None:
        """Take nothing new, and cancel what is in flight after a while."""
        self.closing = True
        self.limits.stop("the pass was ended")
        if self.timer is None:
            self.timer = asyncio.get_running_loop().call_later(self.grace_s, self._cancel)

    def _interrupt(self) -> None:
        """A signal: the first one winds down, the second one cancels at once."""
        if self.interrupted:
            self._cancel()
            return
        self.interrupted = True
        self.limits.announce(
            f"stopping: calls in flight may end within {self.grace_s:g} s, again to let them go"
        )
        self._wind_down()

    def _cancel(self) -> None:
        open_ones = [task for task in self.tasks if not task.done()]
        self.let_go = max(self.let_go, min(len(open_ones), self.limits.in_flight))
        for task in open_ones:
            task.cancel()

    # --- words and numbers ---

    def _tell(self, now: float | None) -> None:
        """Report progress, if it is time; None says that it is."""
        if now is not None and now - self.told_at < PROGRESS_EVERY_S:
            return
        self.told_at = time.monotonic()
        sums = self.sums
        self.progress(
            Progress(
                sent=sums.sent,
                scored=sums.scored,
                blocked=sums.blocked,
                calls=self.limits.calls or sums.calls,
                in_flight=self.limits.in_flight,
                cost_usd=self.limits.spent_usd if self.limits.cost else None,
                elapsed_s=self.told_at - self.started,
            )
        )

    def _report(self) -> SendReport:
        sums, limits = self.sums, self.limits
        known = limits.cost is not None and limits.cost_known
        stopped = None
        if self.interrupted:
            stopped = "interrupted; what has no answer stays open, run the same command again"
        elif self.error:
            stopped = str(self.error)
        return SendReport(
            sent=sums.sent,
            scored=sums.scored,
            blocked=sums.blocked,
            skipped=sums.skipped,
            let_go=self.let_go,
            calls=sums.calls if self.offline else limits.calls,
            in_doubt=sums.in_doubt + self.let_go,
            usage=sums.usage,
            usage_unknown=sums.usage_unknown + self.let_go,
            cost_usd=limits.spent_usd if known else None,
            settled=self.settled,
            stopped=stopped,
            error=self.error,
            interrupted=self.interrupted,
        )


def _marked(judgment: Ended) -> bool:
    """Whether a judgment has a mark; a judge that could judge nothing gave none."""
    if judgment.status != "ok":
        return False
    return not judgment.marks or any(mark.blocked is None for mark in judgment.marks)


def _of_request(answer: Answer) -> bool:
    """Whether the endpoint works and this one request is what it cannot answer."""
    return answer.reading.kind in {"context", "filter"}


@contextlib.contextmanager
def _signals(handle: Callable[[], None]) -> Iterator[None]:
    """Call `handle` on SIGINT and SIGTERM while the block runs, where that is possible."""
    loop = asyncio.get_running_loop()
    kept = {}
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            kept[number] = signal.getsignal(number)
            loop.add_signal_handler(number, handle)
    try:
        yield
    finally:
        for number, before in kept.items():
            loop.remove_signal_handler(number)
            signal.signal(number, before)


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
