"""Calls, money and rates of one pass: who may send now, and when nobody may any more.

One object is shared by all workers. `enter` reserves before a call goes out, so that
a budget is never passed by calls in flight; `leave` gives back and books. A wait that
a provider asks for holds everybody, is announced, and ends the pass if it is long.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from judgebench.errors import BudgetStop
from judgebench.model.collected import Usage
from judgebench.text import one_line, plural

LONGEST_WAIT_S = 60.0
"""A provider that asks for more ends the pass."""
_BACKOFF_S = 1.0
_BACKOFF_MOST_S = 30.0
_RECOVERY_S = 0.5
_RECOVERY_MOST_S = 60.0
_POLL_S = 0.02
_MINUTE = 60.0
_WHOLE_DAY_S = 86_400


def say_nothing(_words: str) -> None:
    """An announcement that nobody wants."""


@dataclass
class _Bucket:
    """Tokens that fill up evenly over a minute."""

    per_minute: int
    level: float = 0.0
    filled_at: float | None = None

    def wait_s(self, amount: float, now: float) -> float:
        """Seconds until `amount` is there; 0 if it is."""
        size = float(self.per_minute)
        if self.filled_at is None:
            self.level, self.filled_at = size, now
        self.level = min(size, self.level + (now - self.filled_at) * size / _MINUTE)
        self.filled_at = now
        # More than a whole bucket is let through when the bucket is full.
        lacking = min(amount, size) - self.level
        # Below this, rounding alone could ask for the same wait without end.
        return lacking * _MINUTE / size if lacking > 1e-6 else 0.0  # noqa: PLR2004

    def take(self, amount: float) -> None:
        """Use up `amount`."""
        self.level -= amount


@dataclass
class Limits:
    """What the calls of one pass may use, all workers together."""

    concurrency: int
    rpm: int | None = None
    tpm: int | None = None
    max_requests: int | None = None
    """Calls that may still be sent."""
    budget_usd: float | None = None
    cost: Callable[[Usage], float | None] | None = None
    """US dollars of one call's usage; None where it is unknown."""
    announce: Callable[[str], None] = say_nothing
    clock: Callable[[], float] = time.monotonic
    wall: Callable[[], datetime] = lambda: datetime.now().astimezone()

    calls: int = field(default=0, init=False)
    in_flight: int = field(default=0, init=False)
    spent_usd: float = field(default=0.0, init=False)
    cost_known: bool = field(default=True, init=False)
    """False once a call's cost could not be told."""
    stopped: str | None = field(default=None, init=False)
    """Why no call may go out any more."""

    def __post_init__(self) -> None:
        """Make the buckets."""
        if self.budget_usd is not None and self.cost is None:
            raise ValueError("a budget in dollars needs a price")
        self._requests = _Bucket(self.rpm) if self.rpm else None
        self._tokens = _Bucket(self.tpm) if self.tpm else None
        self._largest_usd: float | None = None
        self._pause_until = 0.0
        self._backoff_s = _BACKOFF_S
        self._low = float(self.concurrency)
        self._recovered_at = 0.0
        self._recovery_s = _RECOVERY_S
        self._stop = asyncio.Event()
        self._plain = not (self.rpm or self.tpm or self.budget_usd is not None)

    # --- entering and leaving ---

    async def enter(self, tokens: int = 0) -> None:
        """Wait until one call of about `tokens` may go out, and reserve it.

        Raises:
            BudgetStop: It may not, now or later.
        """
        while True:
            self._check()
            now = self.clock()
            wait = self._wait_s(tokens, now)
            if wait <= 0:
                break
            await self._rest(wait)
        for bucket, amount in ((self._requests, 1), (self._tokens, tokens)):
            if bucket:
                bucket.take(amount)
        self.calls += 1
        self.in_flight += 1

    def leave(self, usage: Usage | None = None, *, billed: bool = True) -> None:
        """Give a call back, and book what it used.

        Args:
            usage: As reported; None where there was no answer.
            billed: False where the endpoint refused, so nothing was used.
        """
        self.in_flight -= 1
        if self.cost is None or not billed:
            return
        cost = self.cost(usage) if usage is not None else None
        if cost is None:
            # It may have cost as much as any: a budget must not be passed by silence.
            self.cost_known = False
            cost = self._largest_usd or 0.0
        else:
            self._largest_usd = max(self._largest_usd or 0.0, cost)
        self.spent_usd += cost

    def stop(self, why: str) -> None:
        """Let no further call go out; who waits is woken."""
        self.stopped = self.stopped or why
        self._stop.set()

    def _check(self) -> None:
        if self.max_requests is not None and self.calls >= self.max_requests:
            self.stop(
                f"--max-requests allows {plural(self.max_requests, 'call')}, and they are made"
            )
        if self.stopped is not None:
            raise BudgetStop(self.stopped)

    def _wait_s(self, tokens: int, now: float) -> float:
        if now < self._pause_until:
            return self._pause_until - now
        if self.in_flight >= self._allowed(now):
            return _POLL_S
        if self._plain:
            return 0.0
        if self.budget_usd is not None and (held := self._held_by_money()):
            return held
        waits = [b.wait_s(n, now) for b, n in ((self._requests, 1), (self._tokens, tokens)) if b]
        return max(waits, default=0.0)

    def _held_by_money(self) -> float:
        """Seconds to wait before money allows a call; stops where it never will."""
        budget = self.budget_usd or 0.0
        if self._largest_usd is None and self.in_flight:
            return _POLL_S  # the first call tells what one costs
        next_usd = self._largest_usd or 0.0
        if self.spent_usd + (self.in_flight + 1) * next_usd <= budget and budget > 0:
            return 0.0
        if self.in_flight:
            return _POLL_S  # those in flight may turn out cheaper
        self.stop(
            f"--budget-usd {budget:g} would be passed: {self.spent_usd:.4f} is spent, "
            f"and a call took up to {next_usd:.4f}"
        )
        self._check()
        return _POLL_S

    async def _rest(self, seconds: float) -> None:
        """Sleep, unless the pass is stopped meanwhile."""
        try:
            async with asyncio.timeout(seconds):
                await self._stop.wait()
        except TimeoutError:
            return

    async def rest(self, seconds: float) -> None:
        """Sleep between two calls for one request; ends early when the pass is stopped."""
        await self._rest(seconds)

    # --- the provider's limits ---

    def slow_down(self, retry_after_s: float | None, words: str = "") -> None:
        """Hold everybody after a reply that asked to wait, and lower the calls at once.

        Args:
            retry_after_s: As the provider asks; None where it only refuses.
            words: The provider's own, for the user.

        Raises:
            BudgetStop: The wait is longer than a minute.
        """
        now = self.clock()
        fresh = now >= self._pause_until
        if fresh:
            self._recover_slower(now)
        wait = self._backoff_s if retry_after_s is None else retry_after_s
        if wait > LONGEST_WAIT_S:
            self.stop(self._window(wait, words))
            raise BudgetStop(str(self.stopped))
        if now + wait <= self._pause_until:
            return  # one of a burst: all were sent before the first was refused
        if fresh:
            self._low = max(1.0, self._allowed(now) / 2)
            self.announce(f"the endpoint asks to wait: nothing is sent for {wait:.3g} s")
        self._pause_until = now + wait
        self._recovered_at = self._pause_until + self._recovery_s

    def _recover_slower(self, now: float) -> None:
        """Double waits where it refuses again at once: its limit is lower than thought."""
        if now < self._recovered_at + self._recovery_s:
            self._recovery_s = min(2 * self._recovery_s, _RECOVERY_MOST_S)
            self._backoff_s = min(2 * self._backoff_s, _BACKOFF_MOST_S)
        else:
            self._recovery_s, self._backoff_s = _RECOVERY_S, _BACKOFF_S

    def _allowed(self, now: float) -> float:
        """Calls allowed at once: lower after a refusal, full again when it has recovered."""
        left = self._recovered_at - now
        if left <= 0:
            return float(self.concurrency)
        share = 1 - min(1.0, left / self._recovery_s)
        return self._low + (self.concurrency - self._low) * share

    def _window(self, wait: float, words: str) -> str:
        opens = self.wall() + timedelta(seconds=wait)
        shown = opens.strftime("%Y-%m-%d %H:%M %Z" if wait > _WHOLE_DAY_S / 2 else "%H:%M:%S %Z")
        said = f': "{one_line(words, 120)}"' if words else ""
        return (
            f"the endpoint asks to wait {wait:,.0f} s, until {shown}{said}; what is not judged "
            "stays open, run the same command again then"
        )
