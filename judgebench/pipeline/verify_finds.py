"""Marks, total and tier of one project, counted again from its checked finds."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from judgebench.model import Rubric
from judgebench.model.findings import Checked
from judgebench.model.verified import Difference, Part
from judgebench.rubrics.counting import count


@dataclass(frozen=True, kw_only=True, slots=True)
class Counted:
    """What is stored of one judging of one project."""

    place: str
    """Pass, arm and item."""
    finds: tuple[Checked, ...]
    marks: Mapping[str, float | None]
    total: float | None
    tier: str | None
    blocked: Mapping[str, str] = field(default_factory=dict)
    """Criteria that the judge could not judge, with the reason."""


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


def _held(
    place: str, stored: float | str | None, found: float | str | None
) -> Iterator[Difference]:
    # Points are whole or half: their sums are exact, and so is this comparison.
    if stored != found:
        yield Difference(part=Part.TOTAL, place=place, stored=_word(stored), found=_word(found))


def _word(value: float | str | None) -> str:
    return "nothing" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
