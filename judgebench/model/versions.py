"""Two versions of a rubric: what changed between them, and what stays comparable."""

from enum import StrEnum

from judgebench.records import dataclass


def short_hash(ask: str, sums: str) -> str:
    """How a stored version is named: the beginnings of both hashes."""
    return f"{ask[:12]}+{sums[:8]}"


class Part(StrEnum):
    """What a change touches."""

    WORDS = "words"
    """Intro, questions, anchors: what the judge reads."""
    CRITERIA = "criteria"
    """Criteria added, removed, renamed or in another order."""
    SCALE = "scale"
    SUMS = "sums"
    """Weights, gates, caps, tiers, names: what code does with the marks."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RubricChange:
    """One place in which two rubrics differ."""

    part: Part
    place: str
    """Such as ``facts.anchors.5``."""
    before: str | None
    """None where it was added."""
    after: str | None
    """None where it was removed."""
    asks: bool
    """The judge sees it: marks must be given anew."""

    @property
    def text(self) -> bool:
        """Prose on both sides, to be compared by line."""
        return self.part is Part.WORDS and self.before is not None and self.after is not None


@dataclass(frozen=True, kw_only=True, slots=True)
class RubricSide:
    """One of the two rubrics."""

    named: str
    """As the user named it."""
    name: str
    version: str
    ask_sha256: str
    sum_sha256: str


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredUse:
    """A stored pass whose judge was asked one of them."""

    run: str
    pass_id: str
    judge_name: str
    state: str
    judgments: int
    side: str
    """``both``, ``old`` or ``new``: which of the two it was asked."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RubricDiff:
    """All that differs, and the stored passes of both."""

    old: RubricSide
    new: RubricSide
    changes: tuple[RubricChange, ...]
    same: tuple[str, ...]
    """Criteria that are asked letter for letter alike on the same scale."""
    renamed: tuple[tuple[str, str], ...]
    passes: tuple[StoredUse, ...]

    @property
    def asks_alike(self) -> bool:
        """The judge is asked the same: its marks serve both."""
        return self.old.ask_sha256 == self.new.ask_sha256

    @property
    def sums_alike(self) -> bool:
        """Code does the same with the marks."""
        return self.old.sum_sha256 == self.new.sum_sha256
