"""What a verification has compared so far, and what differed."""

from collections import Counter
from dataclasses import dataclass, field

from judgebench.model.verified import Difference, Part
from judgebench.text import one_line

LISTED = 1_000
"""Differences that are kept; the rest are counted."""
_NEAR = 1e-9


@dataclass
class Ledger:
    """What was compared so far."""

    checked: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)
    left_out: int = 0
    notes: list[str] = field(default_factory=list)
    _once: set[tuple[Part, str]] = field(default_factory=set)

    def hold(
        self, part: Part, place: str, *, stored: object, found: object, thing: str | None = None
    ) -> None:
        """Compare one value; floats to the last digit that sums can be trusted to.

        Args:
            part: What it is of.
            place: Where it stands.
            stored: As it is kept.
            found: As it was made again.
            thing: What is held in several values or places, and counts once.
        """
        if thing is None or (part, thing) not in self._once:
            self.checked[part.value] += 1
        if thing is not None:
            self._once.add((part, thing))
        if not same(stored, found):
            self.differ(part, place, stored=stored, found=found)

    def differ(self, part: Part, place: str, *, stored: object, found: object) -> None:
        """Note a difference."""
        self.take(Difference(part=part, place=place, stored=_word(stored), found=_word(found)))

    def take(self, one: Difference | str) -> None:
        """Note a difference as it comes, or a note."""
        if isinstance(one, str):
            self.notes.append(one)
        elif len(self.differences) < LISTED:
            self.differences.append(one)
        else:
            self.left_out += 1


def same(one: object, other: object) -> bool:
    """Whether two values are one, floats to the last digit that sums can be trusted to."""
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= _NEAR
    return one == other


def _word(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.12g}"
    return "nothing" if value is None else one_line(str(value), 120)
