"""Sending one pass: the store's journal, the requests prepared, the answers finished."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from judgebench.errors import JudgeConfigError, RunError
from judgebench.judges import prices
from judgebench.judges.ask import Answer
from judgebench.judges.budget import Limits
from judgebench.judges.converse import Earlier, Tooling
from judgebench.judges.transports.base import run
from judgebench.judges.wire import Settled
from judgebench.model.collected import Locator, Usage
from judgebench.model.nouns import Intent, Judge, Pass, Price, Purpose, RawReply, Request
from judgebench.model.projects import with_read
from judgebench.model.rubric import Rubric
from judgebench.model.turns import Turn
from judgebench.pipeline.planning.prepare import Prepared, Preparer
from judgebench.pipeline.planning.standing import Standing
from judgebench.pipeline.planning.wanted import locators, planted
from judgebench.pipeline.sending.finish import Judged, Taken, judged
from judgebench.pipeline.sending.sent import Progress, SendReport
from judgebench.pipeline.sending.unbooked import booked, read_unbooked
from judgebench.pipeline.sending.workers import PassSender, Skip
from judgebench.pipeline.setting.choices import Choices
from judgebench.store.store import Store
from judgebench.store.writer import Op, Writer
from judgebench.text import one_line, plural, sha256_text

LOOK_AHEAD = 256
"""Requests whose outputs are located with one question to the store."""


class CallJournal:
    """The store's writer as calls know it: bound to one pass."""

    def __init__(self, store: Store, writer: Writer, pass_id: str) -> None:
        self._store, self._writer, self._pass_id = store, writer, pass_id
        self._kept: set[str] = set()

    def know(self, system: str) -> None:
        """Keep a system prompt, once."""
        if system not in self._kept:
            self._kept.add(system)
            self._store.put_prompt(sha256_text(system), system)

    def intend(self, call: Intent) -> Awaitable[None]:
        """A call is about to go out."""
        return self._writer.put_soon(self._writer.intend_op(self._pass_id, call))

    def received(self, raw: RawReply) -> Awaitable[None]:
        """A call came back, unread."""
        return self._writer.put_soon(self._writer.reply_op(self._pass_id, raw))

    def turn(self, key: str, turn: Turn) -> Awaitable[None]:
        """A reply asked for more to read, and got it."""
        return self._writer.put_soon(self._writer.turn_op(self._pass_id, key, turn))


class PassJournal(CallJournal):
    """The same for what `PassSender` makes of the answers: judgments."""

    def __init__(self, store: Store, writer: Writer, judging: Pass) -> None:
        super().__init__(store, writer, judging.id)

    def judged(self, made: Judged) -> Awaitable[None]:
        """One request is done."""
        return self._writer.put_soon(self.judged_op(made))

    def judged_op(self, made: Judged) -> Op:
        """What is written of a request that is done."""
        return self._writer.judged_op(
            self._pass_id,
            made.judgments,
            totals=made.totals,
            cost_usd=made.cost_usd,
            criterion=made.criterion,
        )


class Sending:
    """What `PassSender` needs from the store and the run, for one pass."""

    def __init__(
        self,
        store: Store,
        preparer: Preparer,
        standing: Standing,
        *,
        price: Price | None,
        detail: Callable[[str], None] | None = None,
    ) -> None:
        self.store, self.preparer, self.standing = store, preparer, standing
        self.rubric: Rubric = preparer.rubric
        self.price, self.detail = price, detail
        self.leaks = 0
        self.changed = 0
        self._unbooked = read_unbooked(store, standing.row.judging.id)
        self._found: dict[str, dict[str, Locator]] = {}
        self._planted: dict[str, str] = {}

    def queue(self) -> Iterator[Request]:
        """Open requests in their order, the outputs of the next ones located."""
        waiting = self.store.iter_open(
            self.standing.row.judging.id, retry=self.standing.retry
        )  # fmt: skip
        while ahead := list(islice(waiting, LOOK_AHEAD)):
            self._found = locators(
                self.store, self.standing.row.judging.run, (one.item for one in ahead)
            )
            self._planted = planted(self.store, ahead)
            yield from ahead

    def prepare(self, request: Request) -> Prepared | Skip:
        """Render a request; one that would give somebody away does not go out."""
        found = self._found.get(request.item)
        if found is None:
            found = locators(self.store, self.standing.row.judging.run, [request.item])[
                request.item
            ]
        texts = self._planted
        if request.purpose is Purpose.CONTROL and not any(p.arm in texts for p in request.parts):
            texts = planted(self.store, [request])
        try:
            prepared = self.preparer.prepare(request, found, planted=texts)
        except RunError:
            self.changed += 1
            return Skip(reason="its output has changed since the plan")
        if prepared.leaks and self.standing.row.judging.blinding == "mask":
            self.leaks += 1
            return Skip(reason="an identity string is still in the request")
        return prepared

    def finish(self, prepared: Prepared, answer: Answer) -> Judged:
        """What the store keeps of an answer."""
        answer = booked(answer, self._unbooked.get(prepared.request.key))
        if prepared.project is not None and answer.turns:
            places = [place for turn in answer.turns for place in turn.read]
            prepared = replace(prepared, project=with_read(prepared.project, places))
        taken = Taken(
            calls=answer.calls,
            in_doubt=answer.in_doubt,
            usage=answer.usage,
            cost_usd=self.cost(answer.usage) if not answer.usage_unknown else None,
        )
        made = judged(prepared, answer.reading, taken, rubric=self.rubric)
        if self.detail:
            self.detail(_in_a_line(prepared, answer))
        return made

    def tooling(self, prepared: Prepared, journal: CallJournal) -> Tooling | None:
        """The tools of a request, with what earlier starts were answered; None without any."""
        if prepared.toolbox is None:
            return None
        key = prepared.request.key
        earlier = [
            Earlier(raw=one.raw, request_sha256=one.request_sha256, unread=one.unread)
            for one in self.store.earlier_replies(key)
        ]
        return Tooling(
            toolbox=prepared.toolbox, keep=lambda turn: journal.turn(key, turn), earlier=earlier
        )

    def cost(self, usage: Usage) -> float | None:
        """US dollars of some usage; None where price or usage is unknown."""
        return prices.cost_usd(self.price, usage)


def _in_a_line(prepared: Prepared, answer: Answer) -> str:
    """What became of a request: nothing of its texts, and not whose they are."""
    request, used, reading = prepared.request, answer.usage, answer.reading
    reason = f" {reading.reason.value}" if reading.reason else ""
    tokens = (
        ""
        if used.prompt_tokens is None or used.completion_tokens is None
        else f" · {used.prompt_tokens:,} + {used.completion_tokens:,} tokens"
    )
    calls = plural(answer.calls, "call")
    what = f"{request.key[:12]} · {one_line(request.item, 40)} · {reading.status}{reason}"
    return f"{what} · {calls}{tokens}"


def price_of(judge: Judge, choices: Choices) -> Price | None:
    """Price of a judge.

    Raises:
        JudgeConfigError: A budget in dollars is set and the price is unknown.
    """
    found = prices.price(judge)
    if found is None and choices.budget_usd is not None:
        raise JudgeConfigError(
            "judges.toml",
            "is missing, and no list has it",
            "write {input_usd = …, output_usd = …}, or no --budget-usd",
            key=f"judges.{judge.name}.price",
        )
    return found


def send(  # noqa: PLR0913 - the pass, the way, the books, two ears
    store: Store,
    preparer: Preparer,
    standing: Standing,
    *,
    transport: Callable[[], Any],
    choices: Choices,
    price: Price | None,
    announce: Callable[[str], None],
    progress: Callable[[Progress], None],
    detail: Callable[[str], None] | None = None,
) -> SendReport:
    """Send every open request of a pass, or as many as may be.

    Args:
        store: Open for writing.
        preparer: Renders requests.
        standing: The pass with its plan.
        transport: Makes the way to the judge, inside the event loop; an async context.
        choices: Concurrency and budgets.
        price: Of the judge; None where unknown.
        announce: Told of waits and of what was settled.
        progress: Told how far it is.
        detail: Told of every request that is done.

    Raises:
        JudgebenchError: The store or a file failed; what was answered is stored.
    """
    sending = Sending(store, preparer, standing, price=price, detail=detail)
    row = standing.row
    if price is not None:
        store.add_price_source(row.judging.id, price.words())
    limits_cost = sending.cost if price is not None else None
    planned, answered = store.progress(row.judging.id, retry=standing.retry)
    wanted = planned - answered

    async def main() -> SendReport:
        with Writer(store) as writer:
            journal = PassJournal(store, writer, row.judging)

            def prepare(request: Request) -> Prepared | Skip:
                prepared = sending.prepare(request)
                if isinstance(prepared, Prepared):
                    journal.know(prepared.rendered.system)
                return prepared

            async with transport() as way:
                sender = PassSender(
                    prepare=prepare,
                    transport=way,
                    judge=standing.judge,
                    settled=Settled.from_json(row.settled) if row.settled else None,
                    writer=journal,
                    limits=Limits(
                        concurrency=choices.concurrency,
                        rpm=standing.judge.rpm,
                        tpm=standing.judge.tpm,
                        max_requests=choices.max_requests,
                        budget_usd=choices.budget_usd,
                        cost=limits_cost,
                        announce=announce,
                    ),
                    finish=sending.finish,
                    tools=lambda prepared: sending.tooling(prepared, journal),
                    progress=lambda found: progress(replace(found, wanted=wanted)),
                    on_settled=lambda settled: store.set_settled(row.judging.id, settled.as_json()),
                    attempts=store.last_attempts(row.judging.id, retry=standing.retry),
                )
                return await sender.send(sending.queue())

    report = run(main())
    for count, words in (
        (sending.leaks, "not sent: an identity string is still in them (--blind flag sends them)"),
        (sending.changed, "not sent: their outputs changed meanwhile; run the same command again"),
    ):
        if count:
            announce(f"{plural(count, 'request')} {words}")
    return report
