"""Marks, total and tier of one project, counted again from its checked finds."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from judgebench.model import Rubric
from judgebench.model.findings import Checked
from judgebench.model.verified import Difference, Part
from judgebench.pipeline.auditing import total_of
from judgebench.rubrics.counting import count
from judgebench.store.rows import fired_of
from judgebench.store.store import Store


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


def _held(
    place: str, stored: float | str | None, found: float | str | None
) -> Iterator[Difference]:
    # Points are whole or half: their sums are exact, and so is this comparison.
    if stored != found:
        yield Difference(part=Part.TOTAL, place=place, stored=_word(stored), found=_word(found))


def _word(value: float | str | None) -> str:
    return "nothing" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
