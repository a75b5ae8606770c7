"""What a judge finds in a project, what a check made of it, and what it costs."""

from enum import StrEnum

from judgebench.model.deductions import Evidence
from judgebench.records import dataclass

JUDGE, CODE = "judge", "code"


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One fault as the judge reported it; nothing here is checked yet."""

    criterion: str
    entry: str
    """Id of the catalogue's entry, or `other`."""
    evidence: Evidence
    why: str = ""
    path: str = ""
    """Of a present fault: the file, relative to the project."""
    first: int | None = None
    """First line of the passage, counted from 1."""
    last: int | None = None
    excerpt: str = ""
    """The passage, letter for letter."""
    patterns: tuple[str, ...] = ()
    """Of an absent fault: texts that would show the thing; of a present one: names that
    a library is said not to have."""
    paths: tuple[str, ...] = ()
    """Of an absent fault: files that would show it."""
    by: str = JUDGE
    """``judge``, or ``code`` where code found it by itself."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reported:
    """What a reply says of one criterion."""

    criterion: str
    reading: str = ""
    """What the judge looked at, in its words."""
    cannot_judge: bool = False
    findings: tuple[Finding, ...] = ()


class Standing(StrEnum):
    """What the check of a find came to."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    """What it says is not so; shown, flagged, costs nothing."""
    UNVERIFIED = "unverified"
    """The part that was not read could hold the answer; costs nothing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Checked:
    """A find with the outcome of its check."""

    finding: Finding
    standing: Standing
    note: str = ""
    """Why, in one line: what was searched, where, what was found."""
    path: str = ""
    """Where the passage really stands; empty for an absent fault."""
    first: int | None = None
    last: int | None = None
    moved: bool = False
    """True where the passage stands in other lines than the judge said."""

    @property
    def counts(self) -> bool:
        """Whether it costs points."""
        return self.standing is Standing.SUPPORTED
