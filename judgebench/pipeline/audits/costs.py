"""What each find of one judging costs, and how its marks make its total: counted anew."""

from collections.abc import Iterator, Mapping, Sequence

from judgebench.model.deductions import Limit
from judgebench.model.findings import Checked
from judgebench.model.rubric import Rubric
from judgebench.model.shown import FindCost, Held, MarkCost
from judgebench.pipeline.audits.auditing import recount
from judgebench.records import dataclass
from judgebench.rubrics.counting import Charge, Tally


@dataclass(frozen=True, kw_only=True, slots=True)
class Costs:
    """One judging, added up."""

    finds: tuple[FindCost, ...]
    """Of each find in the order in which they are stored."""
    marks: Mapping[str, MarkCost]
    """By criterion, in the rubric's order."""
    sum: float | None
    held: Held | None = None
    """What held the total under the sum."""


def costs_of(rubric: Rubric, found: Sequence[Checked], blocked: Mapping[str, str]) -> Costs:
    """Count one judging of a project again, and say of each find what it came to.

    Args:
        rubric: One of deductions.
        found: Its stored finds.
        blocked: Criteria that could not be judged, with the reason.
    """
    tally = recount(rubric, found, blocked)
    # Finds of entries that the rubric lists no more are not in the count.
    counted = {id(one): at for at, one in enumerate(tally.finds)}
    stored = {counted[id(one)]: at for at, one in enumerate(found) if id(one) in counted}
    each = dict(_each(tally))
    rules = rubric.deductions
    caps, gates = (rules.caps, rules.gates) if rules else ((), ())
    return Costs(
        finds=tuple(_placed(each.get(counted.get(id(one), -1)), stored) for one in found),
        marks={
            mark.criterion: MarkCost(
                maximum=mark.maximum,
                deducted=mark.deducted,
                floor=mark.floor,
                held=_held(cap for cap in caps if cap.words in tally.fired
                           and cap.target == mark.criterion),
            )
            for mark in tally.marks
        },
        sum=tally.sum,
        held=_held(gate for gate in gates if gate.words in tally.fired),
    )  # fmt: skip


def _each(tally: Tally) -> Iterator[tuple[int, FindCost]]:
    for mark in tally.marks:
        for charge in mark.charges:
            yield from _charged(charge)


def _charged(charge: Charge) -> Iterator[tuple[int, FindCost]]:
    """Its points, find by find: the first of each place is paid, as far as the bound reaches."""
    left = charge.points
    for group in charge.apart:
        paid = min(charge.price, left)
        left -= paid
        bound = charge.bound if paid < charge.price and not charge.gives_way_to else None
        yield group[0], FindCost(points=paid, beside=charge.gives_way_to, bound=bound)
        for place in group[1:]:
            yield place, FindCost(counted_with=group[0])


def _placed(cost: FindCost | None, stored: Mapping[int, int]) -> FindCost:
    """The same with its place among the stored finds."""
    if cost is None:
        return FindCost()
    if cost.counted_with is None:
        return cost
    return FindCost(counted_with=stored[cost.counted_with])


def _held(limits: Iterator[Limit]) -> Held | None:
    lowest = min(limits, key=lambda limit: limit.cap, default=None)
    return None if lowest is None else Held(at=lowest.cap, by=lowest.cause)
