"""Finds to deductions, deductions to marks, marks to a total and its tier.

What is derived is not stored beside what it is derived from: a `Tally` is made
from the rubric and the finds alone and works out every figure by itself, so a
total that does not add up cannot exist. All points are whole or half, and sums
of halves are exact.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field

from judgebench.model.deductions import (
    OTHER,
    Counts,
    DeductionCriterion,
    Deductions,
    Entry,
    Limit,
)
from judgebench.model.findings import Checked
from judgebench.model.rubric import Rubric
from judgebench.records import dataclass
from judgebench.rubrics.total import tier

_NEAR = 1e-9


@dataclass(frozen=True, kw_only=True)
class Charge:
    """What one entry of the catalogue costs, and for which finds."""

    entry: str
    """Its id, or `other`."""
    finds: tuple[int, ...]
    """Places in the list of finds that support it, doubles among them."""
    apart: tuple[tuple[int, ...], ...]
    """The same finds, those together for which the price is taken once."""
    price: float
    """Points each time."""
    bound: float
    """What it may cost at most."""
    gives_way_to: str = ""
    """The entry beside which it costs nothing."""
    points: float = field(init=False)
    """What it costs."""

    def __post_init__(self) -> None:
        """Work out the points."""
        points = 0.0 if self.gives_way_to else min(self.times * self.price, self.bound)
        object.__setattr__(self, "points", points)

    @property
    def times(self) -> int:
        """How often its price was taken."""
        return len(self.apart)


@dataclass(frozen=True, kw_only=True)
class Marked:
    """One criterion's mark with all that was done to it."""

    criterion: str
    maximum: float
    floor: float
    charges: tuple[Charge, ...] = ()
    held_at: float | None = None
    """The lowest cap that applies, whether or not the mark was above it."""
    blocked: str = ""
    """Why there is no mark; empty where there is one."""
    deducted: float = field(init=False)
    """Sum of what its charges cost."""
    counted: float | None = field(init=False)
    """Maximum minus deductions, not under the floor; before caps."""
    mark: float | None = field(init=False)

    def __post_init__(self) -> None:
        """Work out sum and mark."""
        deducted = sum((charge.points for charge in self.charges), 0.0)
        counted = None if self.blocked else max(self.floor, self.maximum - deducted)
        held = counted if counted is None or self.held_at is None else min(counted, self.held_at)
        object.__setattr__(self, "deducted", deducted)
        object.__setattr__(self, "counted", counted)
        object.__setattr__(self, "mark", held)


@dataclass(frozen=True, kw_only=True)
class Tally:
    """A project's total, made from a rubric and the checked finds alone."""

    rubric: Rubric
    finds: tuple[Checked, ...]
    blocked: Mapping[str, str] = field(default_factory=dict)
    """Criteria that the judge could not judge, with the reason."""
    marks: tuple[Marked, ...] = field(init=False)
    """In the rubric's order."""
    sum: float | None = field(init=False)
    """Sum of the marks; None where one is missing."""
    total: float | None = field(init=False)
    """The sum, held down by gates."""
    fired: tuple[str, ...] = field(init=False)
    """Caps and gates that held something down, in words of the rubric."""
    tier: str | None = field(init=False)

    def __post_init__(self) -> None:
        """Work out all figures.

        Raises:
            ValueError: the rubric has no catalogue, or a find names what it does not know.
        """
        rules = self.rubric.deductions
        if rules is None:
            raise ValueError(f"{self.rubric.name} is a rubric of marks")
        _known(rules, self.finds, self.blocked)
        found = {one.finding.entry for one in self.finds if one.counts}
        marks, caps = _marks(rules, self.finds, self.blocked, found)
        points = [one.mark for one in marks]
        whole = None if None in points else sum((one for one in points if one is not None), 0.0)
        total, gates = _gated(rules, whole, {one.criterion: one.mark for one in marks}, found)
        for name, value in (
            ("marks", marks),
            ("sum", whole),
            ("total", total),
            ("fired", (*caps, *gates)),
            ("tier", tier(self.rubric, total)),
        ):
            object.__setattr__(self, name, value)

    def mark(self, criterion: str) -> Marked:
        """The mark of this criterion."""
        return next(one for one in self.marks if one.criterion == criterion)


def count(
    rubric: Rubric, finds: Sequence[Checked], *, blocked: Mapping[str, str] | None = None
) -> Tally:
    """Count checked finds into marks, a total and a tier.

    Args:
        rubric: One of deductions.
        finds: All that the judge reported, in any order; those whose check did not
            hold cost nothing.
        blocked: Criteria that the judge could not judge, with the reason.

    Raises:
        ValueError: the rubric has no catalogue, or a find names what it does not know.
    """
    return Tally(rubric=rubric, finds=tuple(finds), blocked=dict(blocked or {}))


def anchored_tier(rubric: Rubric, value: float | None, anchor: float | None) -> str | None:
    """Name of the highest anchored tier that a total reaches, beside the anchor's total.

    None where there is no total on either side, or no tier that far down.
    """
    rules = rubric.deductions
    if rules is None or value is None or anchor is None:
        return None
    # The anchor's total is a mean of judgings: thirds of points are not exact.
    distance = value - anchor
    return next((t.name for t in rules.anchored if distance >= t.at_least - _NEAR), None)


def _known(rules: Deductions, finds: Sequence[Checked], blocked: Collection[str]) -> None:
    entries = {c.id: {OTHER, *(entry.id for entry in c.entries)} for c in rules.criteria}
    for one in finds:
        finding = one.finding
        if finding.entry not in entries.get(finding.criterion, ()):
            raise ValueError(f"{finding.criterion} has no entry {finding.entry}")
    for criterion in blocked:
        if criterion not in entries:
            raise ValueError(f"the rubric has no criterion {criterion}")


def _marks(
    rules: Deductions,
    finds: Sequence[Checked],
    blocked: Mapping[str, str],
    found: Collection[str],
) -> tuple[tuple[Marked, ...], tuple[str, ...]]:
    bare = {c.id: _marked(c, finds, blocked, found, held_at=None) for c in rules.criteria}
    counted = {name: one.counted for name, one in bare.items()}
    caps = [cap for cap in rules.caps if _set_off(cap, counted, found)]
    marks = tuple(
        _marked(
            c,
            finds,
            blocked,
            found,
            held_at=min((cap.cap for cap in caps if cap.target == c.id), default=None),
        )
        for c in rules.criteria
    )
    return marks, tuple(cap.words for cap in caps if _above(counted[str(cap.target)], cap.cap))


def _marked(
    criterion: DeductionCriterion,
    finds: Sequence[Checked],
    blocked: Mapping[str, str],
    found: Collection[str],
    *,
    held_at: float | None,
) -> Marked:
    return Marked(
        criterion=criterion.id,
        maximum=criterion.maximum,
        floor=criterion.floor,
        charges=tuple(_charges(criterion, finds, found)),
        held_at=held_at,
        blocked=blocked.get(criterion.id, ""),
    )


def _charges(
    criterion: DeductionCriterion, finds: Sequence[Checked], found: Collection[str]
) -> Iterator[Charge]:
    mine: dict[str, list[int]] = {}
    for place, one in enumerate(finds):
        if one.counts and one.finding.criterion == criterion.id:
            mine.setdefault(one.finding.entry, []).append(place)
    for entry in criterion.entries:
        if places := mine.get(entry.id):
            yield _charge(entry, criterion, finds, places, found)
    if places := mine.get(OTHER):
        other = criterion.other
        yield Charge(
            entry=OTHER,
            finds=tuple(places),
            apart=_different(finds, places),
            price=other.points if other else 0.0,
            bound=other.at_most if other else 0.0,
        )


def _charge(
    entry: Entry,
    criterion: DeductionCriterion,
    finds: Sequence[Checked],
    places: Sequence[int],
    found: Collection[str],
) -> Charge:
    return Charge(
        entry=entry.id,
        finds=tuple(places),
        apart=_different(finds, places) if entry.counts is Counts.PER_FIND else (tuple(places),),
        price=entry.points,
        bound=criterion.maximum - entry.floor,
        gives_way_to=next((one for one in entry.unless if one in found), ""),
    )


def _different(finds: Sequence[Checked], places: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The finds by the place that they point at; passages that overlap are one."""
    groups: list[list[int]] = []
    file, end = None, 0
    for place in sorted(places, key=lambda at: _spot(finds[at])):
        path, first, last = _spot(finds[place])
        if groups and path == file and first <= end:
            groups[-1].append(place)
            end = max(end, last)
        else:
            groups.append([place])
            file, end = path, last
    # Whoever was reported first is the one that is paid for.
    return tuple(sorted(tuple(sorted(group)) for group in groups))


def _spot(one: Checked) -> tuple[str, int, int]:
    # Absent things have no place: what was searched for tells one from another.
    finding = one.finding
    name = one.path or "\0".join(["", *sorted({*finding.patterns, *finding.paths})])
    first = one.first or 0
    return name, first, max(one.last or first, first)


def _set_off(limit: Limit, marks: Mapping[str, float | None], found: Collection[str]) -> bool:
    if limit.finding is not None:
        return limit.finding in found
    mark = marks[str(limit.criterion)]
    return mark is not None and limit.below is not None and mark < limit.below


def _above(mark: float | None, cap: float) -> bool:
    return mark is not None and mark > cap


def _gated(
    rules: Deductions,
    whole: float | None,
    marks: Mapping[str, float | None],
    found: Collection[str],
) -> tuple[float | None, tuple[str, ...]]:
    if whole is None:
        return None, ()
    gates = [g for g in rules.gates if whole > g.cap and _set_off(g, marks, found)]
    return min([whole, *(gate.cap for gate in gates)]), tuple(gate.words for gate in gates)
