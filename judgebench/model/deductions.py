"""A rubric of deductions: what a find costs, and what was counted from the finds.

All points are whole or half, so that sums of them are exact.
"""

from enum import StrEnum

from judgebench.model.facts import Check
from judgebench.model.libraries import LibraryPlace
from judgebench.records import dataclass


class Counts(StrEnum):
    """How often one catalogue entry costs its points."""

    ONCE = "once"
    PER_FIND = "per_find"


class Evidence(StrEnum):
    """What shows that an entry holds."""

    PRESENT = "present"
    """A passage that stands in the project."""
    ABSENT = "absent"
    """Something that stands nowhere in the project."""


OTHER = "other"
"""What a judge calls a fault that the catalogue does not list."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One fault of the catalogue with its price."""

    id: str
    """Unique in the whole rubric."""
    points: float
    when: str
    """The condition under which it is found."""
    counts: Counts = Counts.ONCE
    floor: float = 0.0
    """This entry alone takes its criterion's mark no lower."""
    evidence: Evidence = Evidence.PRESENT
    patterns: tuple[str, ...] = ()
    """Texts that would show the thing whose absence is the fault."""
    paths: tuple[str, ...] = ()
    """Files that would show it."""
    unless: tuple[str, ...] = ()
    """Entries beside which this one costs nothing, since it is the same fault."""
    about_library: bool = False
    """It claims that a library has not got something: proven in the library's source."""
    detect: str = ""
    """What code looks for by itself: ``secrets``, keys of known forms."""


@dataclass(frozen=True, kw_only=True, slots=True)
class OtherFaults:
    """What faults outside the catalogue cost: a fixed price, up to a bound."""

    points: float
    at_most: float


@dataclass(frozen=True, kw_only=True, slots=True)
class DeductionCriterion:
    """One dimension: it starts at its maximum and loses points by entries."""

    id: str
    text: str
    maximum: float
    head: str = ""
    floor: float = 0.0
    """No sum of deductions takes the mark lower; caps may."""
    entries: tuple[Entry, ...] = ()
    other: OtherFaults | None = None
    """None where only the catalogue counts."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Limit:
    """A find, or a low mark, holds a mark or the total down."""

    cap: float
    target: str | None = None
    """The criterion that is held; None for the total."""
    finding: str | None = None
    """The entry that sets it off."""
    criterion: str | None = None
    """Or the criterion whose mark under `below` does."""
    below: float | None = None

    @property
    def cause(self) -> str:
        """What sets it off."""
        if self.criterion:
            return f"{self.criterion} below {self.below:g}"
        return str(self.finding)

    @property
    def words(self) -> str:
        """What it says, in the rubric's words."""
        return f"{self.cause} holds {self.target or 'the total'} at {self.cap:g}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Tier:
    """Totals from `at_least` upward carry this name."""

    name: str
    at_least: float


@dataclass(frozen=True, kw_only=True, slots=True)
class FileGroup:
    """Files of a project that are shown before or after all others."""

    paths: tuple[str, ...]
    """Patterns of paths."""
    last: bool = False
    """After the files that no group names, and not before them."""
    lines: int | None = None
    """How many first lines of each are shown at most; None for all of them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Deductions:
    """What a rubric of deductions holds beyond names, questions and tiers."""

    criteria: tuple[DeductionCriterion, ...]
    caps: tuple[Limit, ...] = ()
    """All have a target."""
    gates: tuple[Limit, ...] = ()
    """None has one."""
    checks: tuple[Check, ...] = ()
    """What code looks for before a judge is asked."""
    reading: tuple[FileGroup, ...] = ()
    """In which order files are shown while there is room; empty for the usual one."""
    anchored: tuple[Tier, ...] = ()
    """Tiers whose bars are distances from the total of the run's anchor, highest first."""
    extends: tuple[str, ...] = ()
    """Names of the rubrics that this one was built on, nearest first."""
    overlay: str = ""
    """The file that filled its parameters; empty where its own defaults did."""
    library: LibraryPlace | None = None
    """Source that claims about the library are held against, where the overlay gives one."""

    @property
    def maximum(self) -> float:
        """The total of a project in which nothing is found."""
        return sum((criterion.maximum for criterion in self.criteria), 0.0)

    @property
    def about_library(self) -> frozenset[str]:
        """Entries that claim something about the library."""
        return frozenset(e.id for c in self.criteria for e in c.entries if e.about_library)

    def criterion(self, criterion_id: str) -> DeductionCriterion:
        """The criterion of this id."""
        return next(c for c in self.criteria if c.id == criterion_id)
