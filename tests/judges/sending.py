"""What the tests of sending share: a judge at the stub, requests, a journal in memory."""

import dataclasses
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from judgebench.judges import prompts, wire
from judgebench.judges.ask import Answer, ask
from judgebench.judges.budget import Limits
from judgebench.judges.reply import ReplyForm
from judgebench.judges.transports.base import Transport, run
from judgebench.judges.transports.live import LiveTransport
from judgebench.model.nouns import Intent, Judge, Mode, RawReply, Rendered
from tests.judges import made
from tests.stub import StubServer

KEY = "sk-test-0123456789-abcdefgh-WXYZ"
FORM = made.form()


def judge(base_url: str, **changes: Any) -> Judge:  # noqa: ANN401 - fields of a judge
    """A judge at an endpoint."""
    one = Judge(name="J1", model="stub-1", provider="endpoint", base_url=base_url, timeout_s=5.0)
    return dataclasses.replace(one, **changes)


def request(text: str = "The pool closes at 15:00.", key: str = "key-1") -> Rendered:
    """A pointwise request about one text."""
    return prompts.build(
        FORM,
        made.rubric(),
        made.item(),
        [("A", text)],
        frame=made.FRAME,
        criteria=made.CRITERIA,
        key=key,
    )


class MemoryJournal:
    """Writes down, in memory and in order, what would go to disk."""

    def __init__(self, fail_at: int = 0) -> None:
        self.rows: list[tuple[str, Any]] = []
        self.fail_at = fail_at

    def _done(self, kind: str, row: Any) -> "Future[None]":  # noqa: ANN401 - any row
        self.rows.append((kind, row))
        future: Future[None] = Future()
        if len(self.rows) == self.fail_at:
            future.set_exception(OSError("no space left"))
        else:
            future.set_result(None)
        return future

    def intend(self, call: Intent) -> "Future[None]":
        """A call is about to go out."""
        return self._done("intend", call)

    def received(self, raw: RawReply) -> "Future[None]":
        """A call came back."""
        return self._done("received", raw)

    def judged(self, judged: Any) -> "Future[None]":  # noqa: ANN401 - what `finish` made
        """A request is done."""
        return self._done("judged", judged)

    @property
    def kinds(self) -> list[str]:
        """What was written, in order."""
        return [kind for kind, _ in self.rows]


def ask_once(
    plan: dict[str, Any] | None,
    *,
    text: str = "The pool closes at 15:00.",
    journal: MemoryJournal | None = None,
    limits: Limits | None = None,
    settled: wire.Settled | None = None,
    form: ReplyForm = FORM,
    look: Callable[[StubServer], None] | None = None,
    **changes: Any,  # noqa: ANN401 - fields of a judge
) -> Answer:
    """Ask one request at a stub with this plan."""
    with StubServer(plan) as stub:
        one = judge(stub.base_url, **changes)

        async def main() -> Answer:
            async with LiveTransport(one, KEY, 2) as transport:
                return await _ask(transport, one)

        async def _ask(transport: Transport, one: Judge) -> Answer:
            return await ask(
                "key-1",
                request(text),
                form,
                transport=transport,
                judge=one,
                settled=settled or wire.first(one),
                journal=journal or MemoryJournal(),
                limits=limits or Limits(concurrency=2),
            )

        try:
            return run(main())
        finally:
            if look:
                look(stub)


def replies(*listed: dict[str, Any]) -> dict[str, Any]:
    """A plan with one rule."""
    return {"rules": [{"replies": list(listed)}]}


VERDICT: dict[str, Any] = {"verdict": {"score": 4, "quotes": "real"}}
MODE = Mode.POINTWISE
