"""The workers of one sending, and the orderly end of their work.

A budget or a silent endpoint closes: nothing new is taken, and calls in flight go on to
their own end. A signal, or a worker that failed, gives them some seconds; a second
signal lets them go at once.
"""

import asyncio
import contextlib
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from judgebench.errors import BudgetStop, JudgeSetupError
from judgebench.judges.budget import Limits

GRACE_S = 5.0
"""How long calls in flight may go on after an interrupt."""


@dataclass(kw_only=True)
class Crew:
    """Workers that run side by side, and why they take nothing new."""

    limits: Limits
    """Shared by all of them."""
    grace_s: float = GRACE_S
    closing: bool = False
    """Nothing new is taken."""
    interrupted: bool = False
    """A signal closed it."""
    error: BudgetStop | JudgeSetupError | None = None
    """What closed it, where that is to be raised in the end."""
    let_go: int = 0
    """Calls that were in flight and were cancelled."""
    _tasks: list["asyncio.Task[None]"] = field(default_factory=list)
    _timer: asyncio.TimerHandle | None = None

    @property
    def stopped(self) -> str | None:
        """Why it took nothing more, in words; None where the queue was at its end."""
        if self.interrupted:
            return "interrupted; what has no answer stays open, run the same command again"
        return str(self.error) if self.error else None

    async def drive(self, work: Sequence[Coroutine[Any, Any, None]]) -> None:
        """Run workers to their end; a failure of one lets the others finish their call."""
        self._tasks = [asyncio.create_task(one) for one in work]
        for task in self._tasks:
            task.add_done_callback(self._ended)
        try:
            await asyncio.wait(self._tasks)
        finally:
            self._cancel()
            results = await asyncio.gather(*self._tasks, return_exceptions=True)
            if self._timer:
                self._timer.cancel()
        for result in results:
            if isinstance(result, BaseException) and not isinstance(result, asyncio.CancelledError):
                raise result

    def _ended(self, task: "asyncio.Task[None]") -> None:
        if not task.cancelled() and task.exception() is not None:
            self._wind_down()

    def close(self, error: BudgetStop | JudgeSetupError) -> None:
        """Take nothing new; calls in flight go on to their own end."""
        if not self.interrupted:
            self.error = self.error or error
        self.closing = True
        self.limits.stop(str(error))

    def _wind_down(self) -> None:
        """Take nothing new, and cancel what is in flight after a while."""
        self.closing = True
        self.limits.stop("the pass was ended")
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self.grace_s, self._cancel)

    def interrupt(self) -> None:
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
        open_ones = [task for task in self._tasks if not task.done()]
        self.let_go = max(self.let_go, min(len(open_ones), self.limits.in_flight))
        for task in open_ones:
            task.cancel()


@contextlib.contextmanager
def on_signals(handle: Callable[[], None]) -> Iterator[None]:
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
