"""What must be known over all outputs of a run before one of them can be decided."""

from array import array
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from functools import cache

from judgebench.model.collected import Item, Output, Run
from judgebench.records import dataclass
from judgebench.runs import canaries
from judgebench.runs.failure import times_below
from judgebench.runs.suspect import NO_HABIT, Habit, habit

SAME_TIME = 0.05
"""Elapsed times within this share of the larger one agree."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Survey:
    """What must be known over all outputs before one can be decided."""

    transport_s: Mapping[str, "array[float]"] = field(default_factory=dict)
    """Arm → sorted elapsed seconds of its transport errors below the client's limit."""
    api_canaries: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Item → declared canaries that an arm without tools names as well."""
    habits: Mapping[str, Habit] = field(default_factory=dict)
    """Item → how its answers end."""
    outputs: int = 0

    def near(self, arm: str, elapsed_s: float | None) -> Sequence[float]:
        """Times of an arm's transport errors that agree with one of them."""
        times = self.transport_s.get(arm)
        if elapsed_s is None or times is None:
            return ()
        low = bisect_left(times, elapsed_s * (1 - SAME_TIME))
        high = bisect_right(times, elapsed_s / (1 - SAME_TIME))
        return times[low:high]


def survey(run: Run, outputs: Iterable[Output], load_item: Callable[[str], Item]) -> Survey:
    """Go over all outputs once and keep counts.

    Args:
        run: The run.
        outputs: Its outputs in any order; none is kept.
        load_item: Gives an item; asked only where a canary was found.
    """
    times: dict[str, array[float]] = {}
    named: dict[str, set[str]] = {}
    habits: dict[str, Habit] = {}
    arms = {arm.id: arm for arm in run.arms}
    count = 0
    for output in outputs:
        count += 1
        for elapsed in times_below(output.record, run):
            insort(times.setdefault(output.arm, array("d")), elapsed)
        if not output.text:
            continue
        if output.project is None:
            habits[output.item] = habits.get(output.item, NO_HABIT) + _shared(habit(output.text))
        if run.canaries and arms[output.arm].kind == "api":
            seen = canaries.named(output.text, run.canaries)
            if seen:
                item = load_item(output.item)
                known = {canary for canary in seen if not canaries.supplied(item, canary)}
                named.setdefault(output.item, set()).update(known)
    shared = {total: total for total in habits.values()}
    return Survey(
        transport_s=times,
        api_canaries={item: frozenset(words) for item, words in named.items()},
        habits={item: shared[total] for item, total in habits.items()},
        outputs=count,
    )


@cache
def _shared(one: Habit) -> Habit:
    return one
