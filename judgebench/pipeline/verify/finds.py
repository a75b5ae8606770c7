"""Marks, total and tier of one project, counted again from its checked finds.

The finds themselves are held against the reply that they were read from.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, fields
from itertools import groupby, zip_longest

from judgebench.model.findings import JUDGE, Checked, Finding, Reported
from judgebench.model.rubric import Rubric
from judgebench.model.verified import Difference, Part
from judgebench.pipeline.audits.auditing import total_of
from judgebench.records import dataclass
from judgebench.rubrics.counting import count
from judgebench.store.judgments import fired_of
from judgebench.store.store import Store
from judgebench.text import one_line


@dataclass(frozen=True, kw_only=True, slots=True)
class Counted:
    """What is stored of one judging of one project."""

    place: str
    """Pass, arm and item."""
    finds: tuple[Checked, ...]
    marks: Mapping[str, float | None]
    total: float | None
    tier: str | None
    fired: tuple[str, ...] = ()
    """Caps and gates that held something down."""
    blocked: Mapping[str, str] = field(default_factory=dict)
    """Criteria that the judge could not judge, with the reason."""


def read_counted(store: Store, pass_id: str) -> Iterator[Counted]:
    """Every current judging of a pass over projects, as it is stored."""
    finds = store.findings_of(pass_id)
    marks = store.stream("verify_marks", pass_id=pass_id)
    for key, group in groupby(marks, key=lambda one: (one[0], one[1])):
        rows = list(group)
        _, _, arm, item, *_, total, _, fired, tier, _ = rows[0]
        yield Counted(
            place=f"{pass_id} {arm} on {item}",
            finds=tuple(finds.get(key, ())),
            marks={criterion: mark for _, _, _, _, criterion, mark, *_ in rows},
            total=total,
            tier=tier,
            fired=fired_of(fired),
            blocked={row[4]: row[7] for row in rows if row[7]},
        )


def recount(rubric: Rubric, stored: Counted) -> Iterator[Difference]:
    """Count the finds again and tell every mark, total and tier that does not follow."""
    try:
        tally = count(rubric, stored.finds, blocked=stored.blocked)
    except ValueError as exc:
        yield Difference(part=Part.TOTAL, place=stored.place, stored="finds", found=str(exc))
        return
    found = {one.criterion: one.mark for one in tally.marks}
    for criterion in dict.fromkeys([*found, *stored.marks]):
        one, other = stored.marks.get(criterion), found.get(criterion)
        yield from _held(f"{stored.place}, {criterion}", one, other)
    yield from _held(stored.place, stored.total, tally.total)
    yield from _held(f"{stored.place}, tier", stored.tier, tally.tier)
    fired = total_of(tally).fired
    yield from _held(f"{stored.place}, fired", "; ".join(stored.fired), "; ".join(fired))


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """What is stored of a judge's words on one criterion."""

    reading: str
    cannot_judge: bool


def reread(
    place: str,
    reported: Sequence[Reported],
    *,
    finds: Sequence[Checked],
    said: Mapping[str, Said],
) -> Iterator[Difference]:
    """Hold stored finds against a reply that was read again, and tell what differs.

    Args:
        place: Pass, arm and item.
        reported: What the reply says.
        finds: As they are stored; those that code made are in no reply.
        said: By criterion.
    """
    stored = [one.finding for one in finds if one.finding.by == JUDGE]
    found = [finding for one in reported for finding in one.findings]
    for number, (mine, its) in enumerate(zip_longest(stored, found), 1):
        if mine != its:
            yield _unlike(f"{place}, find {number}", mine, its)
    read = {
        one.criterion: Said(reading=one.reading, cannot_judge=one.cannot_judge) for one in reported
    }
    for criterion in dict.fromkeys([*read, *said]):
        one, other = said.get(criterion), read.get(criterion)
        if one != other:
            yield Difference(
                part=Part.REPLY, place=f"{place}, {criterion}", stored=_spoken(one),
                found=_spoken(other),
            )  # fmt: skip


def _unlike(place: str, stored: Finding | None, found: Finding | None) -> Difference:
    """Two finds that are not alike, by the first field in which they differ."""
    if stored is None or found is None:
        words = [one.entry if one else "nothing" for one in (stored, found)]
        return Difference(part=Part.REPLY, place=place, stored=words[0], found=words[1])
    names = [one.name for one in fields(Finding)]
    name = next(one for one in names if getattr(stored, one) != getattr(found, one))
    return Difference(
        part=Part.REPLY,
        place=f"{place}, {name}",
        stored=one_line(str(getattr(stored, name)), 120),
        found=one_line(str(getattr(found, name)), 120),
    )


def _spoken(said: Said | None) -> str:
    if said is None:
        return "nothing"
    return "cannot judge" if said.cannot_judge else one_line(said.reading, 120) or "no words"


def _held(
    place: str, stored: float | str | None, found: float | str | None
) -> Iterator[Difference]:
    # Points are whole or half: their sums are exact, and so is this comparison.
    if stored != found:
        yield Difference(part=Part.TOTAL, place=place, stored=_word(stored), found=_word(found))


def _word(value: float | str | None) -> str:
    return "nothing" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
