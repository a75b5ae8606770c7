"""Claims of a score table → what does not add up: pure arithmetic over what is published.

A mark that is not published is not checked; nothing is guessed. Ranks are taken as
1, 1, 3 where equal totals share one, or as 1, 1, 2 where the whole table follows that.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import median

from judgebench.errors import RubricError
from judgebench.model.deductions import Limit, Tier
from judgebench.model.published import (
    Claim,
    Deduction,
    Price,
    ScoreTable,
    Slip,
    SlipKind,
    TableRules,
)
from judgebench.model.rubric import Rubric
from judgebench.text import plural

_NEAR = 1e-6
"""Below any step that marks are published in, above rounding in binary."""
_NAMED = 4
_CONTRADICTIONS = 50
"""Rows that are told to stand against the others; more would be another way of making tiers."""


def rules_of(rubric: Rubric) -> TableRules:
    """What a rubric of deductions says of a table of its marks.

    Raises:
        RubricError: it is a rubric of marks, whose totals are no sums.
    """
    found = rubric.deductions
    if found is None:
        what = "is a rubric of marks, whose totals are no sums of marks"
        raise RubricError(rubric.path or rubric.name, what, "name a rubric of deductions")
    entries = [entry for criterion in found.criteria for entry in criterion.entries]
    return TableRules(
        maxima={c.id: c.maximum for c in found.criteria},
        floors={c.id: c.floor for c in found.criteria},
        tiers=rubric.tiers,
        caps=found.caps,
        gates=found.gates,
        prices={entry.id: entry.points for entry in entries},
        once=frozenset(e.id for e in entries if e.counts == "once"),
        unless={entry.id: entry.unless for entry in entries if entry.unless},
        source=rubric.name,
    )


def slips(table: ScoreTable) -> tuple[tuple[Slip, ...], Mapping[str, int]]:
    """Everything in a table that does not add up, and how much could be checked."""
    audit = _Audit(table)
    return tuple(audit.all()), dict(audit.checked)


def prices(table: ScoreTable) -> tuple[Price, ...]:
    """What each class of findings costs in each project: the consistency audit across arms."""
    charged: dict[str, dict[float, list[str]]] = {}
    for claim in table.claims:
        for one in claim.deductions:
            names = charged.setdefault(one.finding, {}).setdefault(one.points, [])
            if claim.label not in names:
                names.append(claim.label)
    return tuple(
        Price(
            table=table.name,
            finding=finding,
            points={points: tuple(names) for points, names in sorted(by_points.items())},
            listed=table.rules.prices.get(finding),
        )
        for finding, by_points in sorted(charged.items())
    )


class _Audit:
    """One table under the checks, counting what each could look at."""

    def __init__(self, table: ScoreTable) -> None:
        self.table, self.rules = table, table.rules
        self.checked: Counter[str] = Counter()

    def all(self) -> Iterator[Slip]:
        for claim in self.table.claims:
            yield from self._ranges(claim)
            yield from self._deductions(claim)
            yield from self._caps(claim)
            yield from self._sum(claim)
        yield from self._tiers()
        yield from self._ranks()
        yield from self._prices()

    def _slip(self, kind: SlipKind, claim: Claim, message: str) -> Slip:
        return Slip(
            kind=kind, table=self.table.name, name=claim.label, line=claim.line, message=message
        )

    # marks and their sum

    def _ranges(self, claim: Claim) -> Iterator[Slip]:
        for criterion, mark in claim.marks.items():
            top = self.rules.maxima.get(criterion)
            if top is None:
                continue
            self.checked["marks"] += 1
            if not -_NEAR <= mark <= top + _NEAR:
                said = f"{criterion} is {mark:g}, and lies between 0 and {top:g}"
                yield self._slip(SlipKind.RANGE, claim, said)

    def _sum(self, claim: Claim) -> Iterator[Slip]:
        whole = self._whole(claim)
        if whole is None or claim.total is None:
            return
        self.checked["sums"] += 1
        gates = [gate for gate in self.rules.gates if whole > gate.cap and _set_off(gate, claim)]
        held = min([whole, *(gate.cap for gate in gates)])
        if _equal(claim.total, held):
            return
        if gates and _equal(claim.total, whole):
            lowest = min(gates, key=lambda gate: gate.cap)
            said = f"the total is {whole:g}, and {lowest.words}"
            yield self._slip(SlipKind.CAP, claim, said)
            return
        said = f"the marks add up to {whole:g}, and the total is {claim.total:g}"
        if gates:
            said += f" ({min(gates, key=lambda gate: gate.cap).words})"
        yield self._slip(SlipKind.SUM, claim, said)

    def _whole(self, claim: Claim) -> float | None:
        """The sum of all marks; None where one is not published."""
        marks = claim.marks
        if not marks and claim.deductions and self.rules.maxima:
            marks = self._counted(claim)
        wanted = self.table.criteria or tuple(self.rules.maxima)
        if not wanted or any(criterion not in marks for criterion in wanted):
            return None
        return sum(marks[criterion] for criterion in wanted)

    def _counted(self, claim: Claim) -> Mapping[str, float]:
        """Marks worked out from deductions, where all of them name their criterion."""
        if any(one.criterion not in self.rules.maxima for one in claim.deductions):
            return {}
        return {name: self._left(name, _of(claim, name)) for name in self.rules.maxima}

    def _left(self, criterion: str, deductions: Sequence[Deduction]) -> float:
        taken = sum(one.points for one in deductions)
        return max(self.rules.floors.get(criterion, 0.0), self.rules.maxima[criterion] - taken)

    # what findings cost

    def _deductions(self, claim: Claim) -> Iterator[Slip]:
        told: set[str] = set()
        for criterion in dict.fromkeys(one.criterion for one in claim.deductions):
            yield from self._criterion(claim, criterion, told)
        yield from self._elsewhere(claim, told)

    def _criterion(self, claim: Claim, criterion: str, told: set[str]) -> Iterator[Slip]:
        listed = _of(claim, criterion)
        twice = self._twice(listed)
        kept = _without(listed, twice)
        mark = claim.marks.get(criterion)
        if mark is None or criterion not in self.rules.maxima:
            yield from (self._counted_twice(claim, name, told) for name in twice)
            return
        self.checked["deductions"] += 1
        single, double = self._left(criterion, kept), self._left(criterion, listed)
        if self._fits(claim, criterion, mark, single):
            # Listed twice and paid once: the mark is right.
            return
        if twice and self._fits(claim, criterion, mark, double):
            yield from (self._counted_twice(claim, name, told) for name in twice)
            return
        if not self._over_cap(claim, criterion, mark, single):
            top = self.rules.maxima[criterion]
            taken = sum(one.points for one in kept)
            said = f"{criterion} is {mark:g}, and {top:g} less {taken:g} is {single:g}"
            yield self._slip(SlipKind.DEDUCTION, claim, said)

    def _fits(self, claim: Claim, criterion: str, mark: float, counted: float) -> bool:
        return _equal(mark, self._held(claim, criterion, counted))

    def _held(self, claim: Claim, criterion: str, counted: float) -> float:
        caps = [c.cap for c in self.rules.caps if c.target == criterion and _set_off(c, claim)]
        return min([counted, *caps])

    def _over_cap(self, claim: Claim, criterion: str, mark: float, counted: float) -> bool:
        """Whether the mark is what was counted and only a cap was forgotten, told elsewhere."""
        return _equal(mark, counted) and not self._fits(claim, criterion, mark, counted)

    def _twice(self, listed: Sequence[Deduction]) -> list[str]:
        counts = Counter(self._which(one) for one in listed)
        return list(dict.fromkeys(key[0] for key, n in counts.items() if n > 1))

    def _which(self, one: Deduction) -> tuple[str, str]:
        return (one.finding, "" if one.finding in self.rules.once else one.place)

    def _counted_twice(self, claim: Claim, finding: str, told: set[str]) -> Slip:
        told.add(finding)
        mine = [one for one in claim.deductions if one.finding == finding]
        said = f"{finding} is counted {len(mine)} times, {mine[0].points:g} each"
        return self._slip(SlipKind.TWICE, claim, said)

    def _elsewhere(self, claim: Claim, told: set[str]) -> Iterator[Slip]:
        """One finding under two criteria, or beside the one that it is a part of."""
        under: dict[str, list[str]] = {}
        for one in claim.deductions:
            names = under.setdefault(one.finding, [])
            if one.criterion not in names:
                names.append(one.criterion)
        for finding, criteria in under.items():
            if len(criteria) > 1 and finding not in told:
                said = f"{finding} is counted under {' and under '.join(criteria)}"
                yield self._slip(SlipKind.TWICE, claim, said)
            beside = next((o for o in self.rules.unless.get(finding, ()) if o in under), None)
            if beside is not None:
                said = f"{finding} is counted beside {beside}, which is the same fault"
                yield self._slip(SlipKind.TWICE, claim, said)

    def _caps(self, claim: Claim) -> Iterator[Slip]:
        for cap in self.rules.caps:
            mark = claim.marks.get(str(cap.target))
            if mark is None:
                continue
            self.checked["caps"] += 1
            if mark > cap.cap + _NEAR and _set_off(cap, claim):
                said = f"{cap.target} is {mark:g}, and {cap.words}"
                yield self._slip(SlipKind.CAP, claim, said)

    # tiers and ranks

    def _tiers(self) -> Iterator[Slip]:
        claims = [c for c in self.table.claims if c.tier and c.total is not None]
        self.checked["tiers"] += len(claims)
        if not self.rules.tiers:
            yield from self._contradictions(claims)
            return
        for claim in claims:
            name = _tier(self.rules.tiers, claim.total or 0.0)
            if name != claim.tier:
                bars = ", ".join(f"{t.name} from {t.at_least:g}" for t in self.rules.tiers)
                said = f"{claim.total:g} is tier {name or 'none'}, not {claim.tier} ({bars})"
                yield self._slip(SlipKind.TIER, claim, said)

    def _contradictions(self, claims: Sequence[Claim]) -> Iterator[Slip]:
        """Without bars: the rows that stand against most others, until none does."""
        left = list(claims)
        for _ in range(_CONTRADICTIONS):
            found = _against(left)
            if not found or max(n for n, _ in found) == 0:
                return
            at = max(range(len(found)), key=lambda place: found[place][0])
            claim = left.pop(at)
            n, other = found[at]
            said = f"{claim.total:g} is tier {claim.tier}, and {other:g} is not"
            said += f" ({plural(n, 'row')} say otherwise)" if n > 1 else ""
            yield self._slip(SlipKind.TIER, claim, said)

    def _ranks(self) -> Iterator[Slip]:
        claims = [c for c in self.table.claims if c.rank is not None and c.total is not None]
        self.checked["ranks"] += len(claims)
        ranked = Counter((claim.total, claim.rank) for claim in claims)
        for claim, rank in min((_wrong(claims, way) for way in (_skipping, _dense)), key=len):
            if others := ranked[claim.total, rank]:
                said = f"{claim.total:g} is shared with {plural(others, 'row')} of rank {rank}"
                yield self._slip(SlipKind.TIE, claim, f"is rank {claim.rank}, and {said}")
            else:
                said = f"is rank {claim.rank}, and {claim.total:g} is rank {rank}"
                yield self._slip(SlipKind.RANK, claim, said)

    def _prices(self) -> Iterator[Slip]:
        lines = {claim.label: claim.line for claim in self.table.claims}
        for price in prices(self.table):
            self.checked["prices"] += 1
            if price.consistent:
                continue
            parts = [f"{points:g} in {_names(names)}" for points, names in price.points.items()]
            listed = "" if price.listed is None else f"; the catalogue says {price.listed:g}"
            least = min(price.points.values(), key=len)
            yield Slip(
                kind=SlipKind.PRICES,
                table=self.table.name,
                name=price.finding,
                line=lines[least[0]],
                message=f"costs {' and '.join(parts)}{listed}",
            )


def _equal(one: float, other: float) -> bool:
    return abs(one - other) <= _NEAR


def _of(claim: Claim, criterion: str) -> list[Deduction]:
    return [one for one in claim.deductions if one.criterion == criterion]


def _without(listed: Sequence[Deduction], twice: Sequence[str]) -> list[Deduction]:
    """The list with each finding that stands twice taken once."""
    kept: list[Deduction] = []
    seen: set[tuple[str, str]] = set()
    for one in listed:
        key = (one.finding, one.place)
        if one.finding in twice and (key in seen or (one.finding, "") in seen):
            continue
        seen |= {key, (one.finding, "")} if one.finding in twice else {key}
        kept.append(one)
    return kept


def _set_off(limit: Limit, claim: Claim) -> bool:
    if limit.finding is not None:
        return any(one.finding == limit.finding for one in claim.deductions)
    mark = claim.marks.get(str(limit.criterion))
    return mark is not None and limit.below is not None and mark < limit.below - _NEAR


def _tier(tiers: Sequence[Tier], total: float) -> str:
    return next((one.name for one in tiers if total >= one.at_least - _NEAR), "")


def _against(claims: Sequence[Claim]) -> list[tuple[int, float]]:
    """Of each row: how many rows of better tiers lie under it or of worse ones above it."""
    totals: dict[str, list[float]] = {}
    for claim in claims:
        totals.setdefault(claim.tier, []).append(claim.total or 0.0)
    order = sorted(totals, key=lambda name: -median(totals[name]))
    for one in totals.values():
        one.sort()
    found = []
    for claim in claims:
        total, place, n, other = claim.total or 0.0, order.index(claim.tier), 0, 0.0
        for at, name in enumerate(order):
            ordered = totals[name]
            if at > place and (worse := len(ordered) - bisect_left(ordered, total - _NEAR)):
                n, other = n + worse, ordered[-1]
            elif at < place and (better := bisect_right(ordered, total + _NEAR)):
                n, other = n + better, ordered[0]
        found.append((n, other))
    return found


def _skipping(totals: Sequence[float]) -> dict[float, int]:
    """1, 1, 3: one more than there are higher totals."""
    ordered = sorted(totals)
    return {total: 1 + len(ordered) - bisect_right(ordered, total) for total in ordered}


def _dense(totals: Sequence[float]) -> dict[float, int]:
    """1, 1, 2: one more than there are different higher totals."""
    return {total: 1 + at for at, total in enumerate(sorted(set(totals), reverse=True))}


def _wrong(
    claims: Sequence[Claim], way: Callable[[Sequence[float]], Mapping[float, int]]
) -> list[tuple[Claim, int]]:
    ranks = way([claim.total for claim in claims if claim.total is not None])
    return [
        (claim, ranks[claim.total])
        for claim in claims
        if claim.total is not None and ranks[claim.total] != claim.rank
    ]


def _names(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
