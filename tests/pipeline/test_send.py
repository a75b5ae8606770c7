"""Sending a pass: every request once, an orderly end, and what stays open."""

import asyncio
import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from judgebench.errors import BudgetStop, JudgeSetupError
from judgebench.judges import wire
from judgebench.judges.ask import Answer
from judgebench.judges.budget import Limits
from judgebench.judges.reply import ReplyForm
from judgebench.judges.transports.base import run
from judgebench.judges.transports.live import LiveTransport
from judgebench.model.collected import Usage
from judgebench.model.nouns import Judgment, Purpose, RawReply, Rendered, Request
from judgebench.pipeline.sending.sent import Progress, SendReport
from judgebench.pipeline.sending.workers import PassSender, Skip
from tests.clock import HANG_S
from tests.judges import sending
from tests.judges.sending import FORM, VERDICT, MemoryJournal, replies
from tests.stub import StubServer


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """A request ready to go out."""

    request: Request
    rendered: Rendered
    form: ReplyForm = FORM


@dataclass(frozen=True, kw_only=True)
class Judged:
    """What became of one."""

    key: str
    judgments: tuple[Judgment, ...]
    answer: Answer


def request(place: int) -> Request:
    """A planned request."""
    return Request(
        key=f"key-{place}",
        pass_id="p",  # noqa: S106 - a pass, no password
        position=place,
        item=f"i{place}",
        item_sha256="",
        parts=(),
        repeat=1,
    )


def prepare(one: Request) -> Prepared | Skip:
    """Its text names it, so that rules of the stub can."""
    rendered = sending.request(f"The pool of {one.item}. closes at 15:00.", one.key)
    return Prepared(request=one, rendered=rendered)


def finish(prepared: Prepared, answer: Answer) -> Judged:
    """One judgment a request."""
    judgment = Judgment(
        key=prepared.request.key,
        label="A",
        arm="a",
        item=prepared.request.item,
        repeat=1,
        purpose=Purpose.MAIN,
        status=answer.reading.status,
    )
    return Judged(key=prepared.request.key, judgments=(judgment,), answer=answer)


@dataclass
class Sent:
    """What one sending left behind."""

    report: SendReport
    log: list[dict[str, Any]]
    journal: MemoryJournal
    said: list[str]
    progress: list[Progress]
    in_flight_max: int
    settled: list[wire.Settled]

    @property
    def judged(self) -> list[Judged]:
        """Everything that was handed to the writer."""
        return [row for kind, row in self.journal.rows if kind == "judged"]


def send(  # noqa: PLR0913 - each changes one thing
    plan: dict[str, Any] | None,
    n: int = 6,
    *,
    concurrency: int = 3,
    settled: wire.Settled | None = None,
    journal: MemoryJournal | None = None,
    prepare: Callable[[Request], Prepared | Skip] = prepare,
    during: Callable[[StubServer], None] | None = None,
    arrived: int = 4,
    grace_s: float = 5.0,
    attempts: dict[str, int] | None = None,
    judge: dict[str, Any] | None = None,
    **limits: Any,  # noqa: ANN401 - fields of Limits
) -> Sent:
    """Send `n` requests to a stub with this plan; `during` is called when some have arrived."""
    said: list[str] = []
    progress: list[Progress] = []
    found: list[wire.Settled] = []
    journal = journal or MemoryJournal()
    with StubServer(plan) as stub:
        one = sending.judge(**{"base_url": stub.base_url, **(judge or {})})

        async def later(then: Callable[[StubServer], None]) -> None:
            while stub.script.count < arrived:  # noqa: ASYNC110 - the stub is in another thread
                await asyncio.sleep(0.01)
            then(stub)

        async def main() -> SendReport:
            # Not after a time: a busy machine may have sent nothing by then.
            meanwhile = asyncio.create_task(later(during)) if during else None
            async with LiveTransport(one, sending.KEY, concurrency) as transport:
                sender = PassSender(
                    prepare=prepare,
                    transport=transport,
                    judge=one,
                    settled=settled,
                    writer=journal,
                    limits=Limits(concurrency=concurrency, announce=said.append, **limits),
                    finish=finish,
                    progress=progress.append,
                    attempts=attempts or {},
                    on_settled=found.append,
                    grace_s=grace_s,
                )
                report = await sender.send([request(place) for place in range(n)])
            if meanwhile:
                await meanwhile
            return report

        report = run(main())
        return Sent(report, list(stub.log), journal, said, progress, stub.in_flight_max, found)


def test_every_request_is_sent_once_and_judged() -> None:
    """Six requests, six calls, six judgments, sums over all."""
    sent = send(None)
    report = sent.report
    assert (report.sent, report.scored, report.blocked, report.calls) == (6, 6, 0, 6)
    assert sorted(row["idempotency"] for row in sent.log) == [f"key-{n}" for n in range(6)]
    assert report.usage == Usage(prompt_tokens=5400, completion_tokens=720)
    assert report.stopped is None
    assert report.settled is not None
    assert report.settled.mode == "json_schema"
    assert sent.progress[-1].sent == 6
    assert sent.settled == [report.settled]


def test_the_concurrency_asked_for_is_reached_and_never_passed() -> None:
    """Twenty slow calls, four at once."""
    sent = send(replies({**VERDICT, "delay": 0.02}), 20, concurrency=4)
    assert sent.in_flight_max == 4
    assert sent.report.scored == 20


def test_the_first_request_goes_out_alone() -> None:
    """Until the endpoint has taken one form, nothing else is sent."""
    sent = send(replies({**VERDICT, "delay": 0.1}, VERDICT), 4)
    first = min(sent.log, key=lambda row: row["in"])
    assert all(row["in"] >= first["out"] for row in sent.log if row is not first)


def test_a_resumed_pass_probes_nothing_and_goes_on_counting_attempts() -> None:
    """With a settled form all workers start; attempt numbers follow the earlier start's."""
    settled = wire.Settled(mode="tools", params={"max_tokens": 50})
    sent = send(replies({**VERDICT, "delay": 0.05}), 4, settled=settled, attempts={"key-2": 2})
    assert sent.in_flight_max == 3
    assert sent.settled == []
    assert sent.log[0]["params"] == ["max_tokens", "model", "tool_choice", "tools"]
    numbers = {row.key: row.attempt for kind, row in sent.journal.rows if kind == "intend"}
    assert numbers["key-2"] == 3
    assert numbers["key-1"] == 1


def test_a_refused_parameter_is_adapted_once_and_said_once() -> None:
    """Temperature refused: left out for all, one line, two calls for the first request."""
    refusal = {"error": {"message": "no temperature", "param": "temperature"}}
    sent = send(replies({"status": 400, "json": refusal}, VERDICT), 5)
    assert sent.report.scored == 5
    assert len(sent.log) == 6
    assert [line for line in sent.said if "temperature is not sent" in line] == sent.said
    assert all("temperature" not in row["params"] for row in sent.log[1:])
    assert sent.report.settled is not None
    assert "temperature" not in sent.report.settled.params


def test_a_refusing_endpoint_costs_three_calls_and_blocks_nothing() -> None:
    """Twenty requests, one refusal for ever: at most three calls, all stays open."""
    refusal = {"error": {"message": "'minimum' is not permitted", "param": "response_format"}}
    sent = send(replies({"status": 400, "json": refusal}), 20)
    assert len(sent.log) == 3
    assert isinstance(sent.report.error, JudgeSetupError)
    assert "minimum" in str(sent.report.error)
    assert sent.judged == []


def test_a_key_withdrawn_in_the_middle_stops_the_pass() -> None:
    """A 401 after good answers: those are kept, nothing is blocked, the rest stays open."""
    refusal = {"status": 401, "json": {"error": {"message": "key revoked"}}}
    sent = send(replies(VERDICT, VERDICT, refusal), 20, concurrency=2)
    assert isinstance(sent.report.error, JudgeSetupError)
    assert len(sent.log) <= 4
    assert {one.answer.reading.status for one in sent.judged} == {"ok"}


@pytest.mark.parametrize("budget", [1, 4, 7])
def test_a_budget_of_calls_is_never_passed(budget: int) -> None:
    """Asking again counts too, and the end says why."""
    sent = send(replies({"verdict": {"score": 99}}, VERDICT), 20, max_requests=budget)
    assert len(sent.log) == budget
    assert isinstance(sent.report.error, BudgetStop)
    assert f"--max-requests allows {budget} call" in (sent.report.stopped or "")


def test_a_budget_of_dollars_is_never_passed() -> None:
    """A cent a call, five cents: five calls, and their cost is told."""
    sent = send(None, 20, budget_usd=0.055, cost=lambda _usage: 0.01)
    assert len(sent.log) == 5
    assert sent.report.cost_usd == pytest.approx(0.05)
    assert "--budget-usd" in (sent.report.stopped or "")


def test_a_window_of_hours_ends_the_pass_and_all_stays_open() -> None:
    """Within seconds, with the time at which it opens, and without a judgment."""
    slow = {"status": 429, "json": {}, "headers": {"retry-after": 198300}}
    started = time.monotonic()
    sent = send(replies(VERDICT, slow), 20)
    assert time.monotonic() - started < HANG_S
    assert "198,300 s" in (sent.report.stopped or "")
    assert isinstance(sent.report.error, BudgetStop)
    assert len(sent.judged) == 1


def test_after_a_burst_of_429_the_concurrency_is_full_again() -> None:
    """One shared wait, announced once; within a second all slots are used again."""
    slow = {"status": 429, "json": {}, "headers": {"retry-after": "0.2"}, "repeat": 4}
    sent = send(replies(VERDICT, slow, {**VERDICT, "delay": 0.05}), 60, concurrency=4)
    assert sent.report.scored == 60
    assert len(sent.said) == 1
    refused = [row for row in sent.log if row["nth_of_rule"] in range(2, 6)]
    later = [row for row in sent.log if row["nth_of_rule"] > 5]
    burst_end = max(row["out"] for row in refused)
    assert min(row["in"] for row in later) >= burst_end + 0.15
    full = [
        row["in"]
        for row in later
        if sum(other["in"] <= row["in"] < other["out"] for other in later) == 4
    ]
    assert min(full) <= burst_end + 1.2


def test_a_silent_endpoint_is_not_paid_for_the_whole_queue() -> None:
    """Three first requests without an answer end the pass; they are blocked, the rest open."""
    sent = send(replies({"fault": "reset_after_request"}), 20, judge={"max_calls": 1})
    assert len(sent.log) == 3
    assert sent.report.blocked == 3
    assert "3 requests in a row" in (sent.report.stopped or "")
    assert sent.report.in_doubt == 3


def test_a_dead_endpoint_in_the_middle_ends_the_pass() -> None:
    """After eight requests without an answer nothing more is sent."""
    sent = send(
        replies(VERDICT, {"status": 500, "json": {}}), 40, concurrency=2, judge={"max_calls": 1}
    )
    assert isinstance(sent.report.error, JudgeSetupError)
    assert sent.report.scored == 1
    assert 8 <= sent.report.blocked <= 10


def test_an_endpoint_that_cannot_be_reached_is_a_fault_of_the_setup() -> None:
    """No connection at all: nothing is blocked, the address is named."""
    sent = send(None, judge={"base_url": "http://127.0.0.1:9/v1", "max_calls": 1})
    assert "http://127.0.0.1:9/v1 cannot be reached" in (sent.report.stopped or "")
    assert sent.judged == []


def test_requests_too_long_do_not_hide_a_working_endpoint() -> None:
    """Ten requests over the window are blocked one by one, and the others scored."""
    long = {"status": 400, "json": {"error": {"code": "context_length_exceeded", "message": "x"}}}
    plan = {
        "rules": [{"when_body_has": f"pool of i{n}.", "replies": [long]} for n in range(10)]
        + [{"replies": [VERDICT]}]
    }
    sent = send(plan, 14, concurrency=2)
    assert (sent.report.blocked, sent.report.scored) == (10, 4)
    assert sent.report.stopped is None


def test_skipped_requests_are_counted_and_not_sent() -> None:
    """What `prepare` holds back stays open."""

    def some(one: Request) -> Prepared | Skip:
        return Skip(reason="leak") if one.position % 2 else prepare(one)

    sent = send(None, 6, prepare=some)
    assert (sent.report.sent, sent.report.skipped, len(sent.log)) == (3, 3, 3)


def test_a_fault_while_preparing_is_raised_after_calls_in_flight_have_ended() -> None:
    """What was answered is stored before the error reaches the caller."""

    def some(one: Request) -> Prepared | Skip:
        if one.position == 3:
            raise ValueError("an output has changed")
        return prepare(one)

    journal = MemoryJournal()
    with pytest.raises(ValueError, match="has changed"):
        send(replies({**VERDICT, "delay": 0.1}), 8, prepare=some, journal=journal)
    assert journal.kinds.count("judged") >= 1
    assert journal.kinds.count("received") == journal.kinds.count("intend")


def test_a_full_disk_ends_the_sending() -> None:
    """The first write that fails is the last call."""
    journal = MemoryJournal(fail_at=10)
    with pytest.raises(OSError, match="no space left"):
        send(None, 50, concurrency=1, journal=journal)
    assert len(journal.rows) <= 11


def interrupt(_stub: StubServer) -> None:
    """What Ctrl-C does."""
    os.kill(os.getpid(), signal.SIGINT)


def test_an_interrupt_lets_calls_in_flight_end() -> None:
    """What is on its way is stored; what has not begun stays open."""
    sent = send(replies(VERDICT, {**VERDICT, "delay": 0.5}), 30, during=interrupt)
    report = sent.report
    assert report.interrupted
    assert (report.scored, report.let_go) == (4, 0)
    assert "run the same command again" in (report.stopped or "")
    assert report.error is None


def test_an_interrupt_does_not_wait_for_ever() -> None:
    """After the grace, calls are let go and counted as in doubt."""
    started = time.monotonic()
    sent = send(replies(VERDICT, {"fault": "hang"}), 30, during=interrupt, grace_s=0.2)
    assert time.monotonic() - started < HANG_S
    assert (sent.report.scored, sent.report.let_go, sent.report.in_doubt) == (1, 3, 3)


def test_a_second_interrupt_lets_go_at_once() -> None:
    """Twice Ctrl-C does not wait for the grace."""

    def twice(stub: StubServer) -> None:
        interrupt(stub)
        asyncio.get_running_loop().call_later(0.1, interrupt, stub)

    started = time.monotonic()
    sent = send(replies(VERDICT, {"fault": "hang"}), 30, during=twice, grace_s=600)
    assert time.monotonic() - started < HANG_S
    assert sent.report.let_go == 3


def test_an_interrupt_ends_a_wait_that_the_endpoint_asked_for() -> None:
    """Nobody sleeps through Ctrl-C."""
    slow = {"status": 429, "json": {}, "headers": {"retry-after": "59"}}
    started = time.monotonic()
    sent = send(replies(VERDICT, slow), 5, during=interrupt, arrived=2)
    assert time.monotonic() - started < HANG_S
    assert sent.report.interrupted
    assert sent.report.let_go == 0


def test_signals_mean_again_what_they_meant_before() -> None:
    """The handlers of the caller are put back."""
    before = signal.getsignal(signal.SIGTERM)
    send(None, 1)
    assert signal.getsignal(signal.SIGTERM) is before


class Recorded:
    """A way that holds replies to some requests."""

    def __init__(self, body: str) -> None:
        self.body = body

    def holds(self, key: str, request_sha256: str) -> bool:
        """Every second one."""
        return bool(request_sha256) and int(key.rpartition("-")[2]) % 2 == 0

    async def send(self, body: dict[str, Any], *, key: str, attempt: int) -> RawReply:
        """The reply."""
        del body
        return RawReply(key=key, attempt=attempt, status=200, body=self.body, outcome="received")


def test_a_recording_is_read_without_a_probe_and_asked_once_a_request() -> None:
    """Requests that it does not hold stay open; a bad reply is not asked for again."""

    def queue() -> Iterator[Request]:
        yield from (request(place) for place in range(5))

    journal = MemoryJournal()
    sender = PassSender(
        prepare=prepare,
        transport=Recorded("{}"),
        judge=sending.judge("http://127.0.0.1:9/v1"),
        settled=None,
        writer=journal,
        limits=Limits(concurrency=2),
        finish=finish,
        progress=lambda _progress: None,
    )
    report = run(sender.send(queue()))
    assert (report.sent, report.blocked, report.skipped, report.calls) == (3, 3, 2, 3)
    assert journal.kinds.count("intend") == 3
