"""Who may send, with a clock that the test moves."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgebench.errors import BudgetStop
from judgebench.judges.budget import Limits
from judgebench.judges.transports.base import run
from judgebench.model.collected import Usage


class Clock:
    """Seconds that pass only when somebody waits for them."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """The time."""
        return self.now


class Timed(Limits):
    """Limits whose waits move the clock instead of the world."""

    async def _rest(self, seconds: float) -> None:
        assert isinstance(self.clock, Clock)
        self.clock.now += seconds
        await asyncio.sleep(0)


def timed(**fields: Any) -> tuple[Timed, Clock]:  # noqa: ANN401 - fields of Limits
    """Limits with a clock of their own."""
    clock = Clock()
    fields.setdefault("concurrency", 4)
    return Timed(clock=clock, **fields), clock


async def send(limits: Limits, n: int, **entering: int) -> None:
    """Calls one after the other."""
    for _ in range(n):
        await limits.enter(**entering)
        limits.leave(Usage())


def test_requests_a_minute_are_kept() -> None:
    """Sixty at once, then one a second."""
    limits, clock = timed(rpm=60)
    run(send(limits, 60))
    assert clock.now == 100.0
    run(send(limits, 30))
    assert clock.now == pytest.approx(130.0, abs=0.01)


def test_tokens_a_minute_are_kept_and_a_giant_request_is_let_through() -> None:
    """A request larger than the whole bucket waits for a full one, not for ever."""
    limits, clock = timed(tpm=600)
    run(send(limits, 2, tokens=300))
    assert clock.now == 100.0
    run(send(limits, 1, tokens=300))
    assert clock.now == pytest.approx(130.0, abs=0.01)
    run(send(limits, 1, tokens=5000))
    assert clock.now == pytest.approx(190.0, abs=0.01)


@given(st.integers(1, 500), st.integers(1, 80))
@settings(max_examples=30, deadline=None)
def test_no_minute_sees_more_than_allowed(rpm: int, calls: int) -> None:
    """After the first bucket, calls are spread evenly."""
    limits, clock = timed(rpm=rpm)
    run(send(limits, calls))
    assert clock.now - 100.0 == pytest.approx(max(0, calls - rpm) * 60 / rpm, abs=0.1)


def test_calls_at_once_are_bounded() -> None:
    """The fifth waits until one of four is back."""

    async def main() -> int:
        limits = Limits(concurrency=4)
        for _ in range(4):
            await limits.enter()
        fifth = asyncio.create_task(limits.enter())
        await asyncio.sleep(0.05)
        assert not fifth.done()
        limits.leave()
        await fifth
        return limits.in_flight

    assert run(main()) == 4


def test_a_wait_is_shared_announced_once_and_followed_by_fewer_calls() -> None:
    """A burst of refusals is one wait; afterwards half, and all within half a second."""
    said: list[str] = []
    limits, clock = timed(concurrency=8, announce=said.append)
    for _ in range(5):
        limits.slow_down(3.0)
    assert said == ["the endpoint asks to wait: nothing is sent for 3 s"]
    run(send(limits, 1))
    assert clock.now == pytest.approx(103.0)
    assert limits._allowed(clock.now) == pytest.approx(4.0)  # noqa: SLF001 - the curve itself
    assert limits._allowed(clock.now + 0.25) == pytest.approx(6.0)  # noqa: SLF001
    assert limits._allowed(clock.now + 0.5) == 8.0  # noqa: SLF001


def test_refused_again_the_recovery_takes_longer() -> None:
    """An endpoint whose limit is lower than ours is approached more slowly each time."""
    limits, clock = timed(concurrency=8)
    limits.slow_down(None)
    assert limits._pause_until == clock.now + 1.0  # noqa: SLF001
    clock.now += 1.2
    limits.slow_down(None)
    assert limits._pause_until == clock.now + 2.0  # noqa: SLF001
    assert limits._recovered_at == clock.now + 3.0  # noqa: SLF001
    clock.now += 60
    limits.slow_down(None)
    assert limits._pause_until == clock.now + 1.0  # noqa: SLF001


def test_a_window_names_the_hour_at_which_it_opens() -> None:
    """Over a minute nobody waits: the pass ends, with length, time and words."""
    limits, _ = timed(wall=lambda: datetime(2026, 11, 29, 12, tzinfo=UTC))
    with pytest.raises(BudgetStop, match=r'90 s, until 12:01:30 UTC: "later"'):
        limits.slow_down(90, "later")
    with pytest.raises(BudgetStop, match="until 12:01:30"):
        run(limits.enter())
    far, _ = timed(wall=lambda: datetime(2026, 11, 29, 12, tzinfo=UTC))
    with pytest.raises(BudgetStop, match="2026-12-01 19:05 UTC"):
        far.slow_down(198_300)


def test_calls_that_may_be_sent_are_reserved_before_they_go() -> None:
    """Three allowed, all in flight: the fourth is refused although none is back."""

    async def main() -> None:
        limits = Limits(concurrency=9, max_requests=3)
        for _ in range(3):
            await limits.enter()
        with pytest.raises(BudgetStop, match="--max-requests allows 3 calls"):
            await limits.enter()

    run(main())


def test_money_is_reserved_by_the_largest_cost_so_far() -> None:
    """The second call waits for the first one's price; the budget is not passed by those out."""

    async def main() -> list[bool]:
        costs = iter([0.02, 0.04, 0.01, 0.01])
        limits = Limits(concurrency=9, budget_usd=0.10, cost=lambda _usage: next(costs))
        await limits.enter()
        second = asyncio.create_task(limits.enter())
        await asyncio.sleep(0.03)
        waited = not second.done()
        limits.leave(Usage())
        await second
        await limits.enter()
        limits.leave(Usage())  # 0.06 spent, one out, 0.04 a call: a further one may not go
        third = asyncio.create_task(limits.enter())
        await asyncio.sleep(0.05)
        held = not third.done()
        limits.leave(Usage())  # it cost 0.01 only: 0.07 spent, and 0.04 more would pass it
        with pytest.raises(BudgetStop, match=r"0\.0700 is spent.*up to 0\.0400"):
            await third
        return [waited, held]

    assert run(main()) == [True, True]


def test_a_call_of_unknown_cost_counts_as_the_dearest() -> None:
    """Silence does not make room in a budget, and the sum is known to be unknown."""

    async def main() -> Limits:
        limits = Limits(concurrency=1, cost=lambda usage: 0.5 if usage.prompt_tokens else None)
        for usage in (Usage(prompt_tokens=1), Usage(), None):
            await limits.enter()
            limits.leave(usage)
        await limits.enter()
        limits.leave(None, billed=False)
        return limits

    limits = run(main())
    assert limits.spent_usd == 1.5
    assert not limits.cost_known


def test_a_budget_in_dollars_needs_a_price() -> None:
    """A budget that nothing can check is refused."""
    with pytest.raises(ValueError, match="needs a price"):
        Limits(concurrency=1, budget_usd=1.0)


def test_an_empty_budget_lets_nothing_out() -> None:
    """Zero dollars are zero calls."""
    with pytest.raises(BudgetStop, match="--budget-usd 0"):
        run(Limits(concurrency=1, budget_usd=0.0, cost=lambda _usage: 0.0).enter())


def test_a_stop_wakes_who_waits() -> None:
    """Nobody sleeps on after the end, and the first reason stands."""

    async def main() -> str:
        limits = Limits(concurrency=1)
        limits.slow_down(30)
        waiting = asyncio.create_task(limits.enter())
        await asyncio.sleep(0.01)
        limits.stop("first")
        limits.stop("second")
        with pytest.raises(BudgetStop) as caught:
            await waiting
        await limits.rest(30)
        return str(caught.value)

    assert run(main()) == "first"
