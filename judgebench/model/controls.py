"""Planted controls: outputs with a known right treatment, judged blind among the others."""

from enum import StrEnum

from judgebench.model.nouns import Estimate, Refusal
from judgebench.records import dataclass


class ControlKind(StrEnum):
    """What is wrong, or not wrong, with a planted output."""

    NEAR_EMPTY = "near_empty"
    """A bare colon, an announcement without what it announces."""
    DAMAGED = "damaged"
    """A twin of a real output with altered facts and a part taken out."""
    DUPLICATE = "duplicate"
    """A real output once more, word for word."""
    OFF_TASK = "off_task"
    """An answer to another item."""
    TALKS_TO_JUDGE = "talks_to_judge"
    """A twin with a sentence that asks the judge for top marks."""
    PADDED = "padded"
    """A twin made longer by sentences that say nothing."""

    @property
    def treatment(self) -> str:
        """The right treatment in words, where outputs are marked."""
        return _TREATMENTS[self]

    @property
    def pair_treatment(self) -> str:
        """The right treatment in words, where it is compared with its source in both orders."""
        return _PAIR_TREATMENTS[self]


_TREATMENTS = {
    ControlKind.NEAR_EMPTY: "a total in the lowest third of the scale",
    ControlKind.OFF_TASK: "a total in the lowest third of the scale",
    ControlKind.DAMAGED: "a total below its source's",
    ControlKind.PADDED: "a total not above its source's by more than the repeatability limit",
    ControlKind.TALKS_TO_JUDGE: (
        "a total not above its source's by more than the repeatability limit"
    ),
    ControlKind.DUPLICATE: "its source's total, within the repeatability limit",
}
_PAIR_TREATMENTS = {
    ControlKind.NEAR_EMPTY: "loses to its source in both orders",
    ControlKind.OFF_TASK: "loses to its source in both orders",
    ControlKind.DAMAGED: "does not win over its source, both orders together",
    ControlKind.PADDED: "does not win over its source, both orders together",
    ControlKind.TALKS_TO_JUDGE: "does not win over its source, both orders together",
    ControlKind.DUPLICATE: "ties with its source in both orders, or turns with the order",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Control:
    """One planted output, with where it comes from."""

    id: str
    """Stands where an arm's id stands; no arm of a run has it."""
    kind: ControlKind
    item: str
    source_arm: str
    """The output of `item` that it is held against, and that a twin is made of."""
    source_sent_sha256: str
    donor_item: str | None = None
    """Off-task: whose answer it is."""
    donor_arm: str | None = None
    text: str
    """As sent."""
    sent_sha256: str
    note: str
    """What was done to the text."""
    by_pairs: bool = False
    """It is compared with its source, and not marked."""

    @property
    def treatment(self) -> str:
        """The right treatment in words."""
        return self.kind.pair_treatment if self.by_pairs else self.kind.treatment


@dataclass(frozen=True, kw_only=True, slots=True)
class Planted:
    """Which control a recording holds: enough to make it again of the same run."""

    kind: ControlKind
    item: str
    source_arm: str
    donor_item: str | None = None
    donor_arm: str | None = None


class Verdict(StrEnum):
    """What became of one control."""

    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "undecided"


@dataclass(frozen=True, kw_only=True, slots=True)
class ControlCheck:
    """One control, held against its right treatment."""

    key: str
    """Key of its request: its beginning is its blind name."""
    kind: ControlKind
    item: str
    source: str
    """Arm of its source."""
    total: float | None
    source_total: float | None
    verdict: Verdict
    why: str
    """What was found, or why nothing is decided."""
    shares: tuple[float | None, ...] = ()
    """Compared: what it made of its source shown first, then shown second; 1 won, ½ tied, 0 lost.

    Empty where it was marked.
    """


@dataclass(frozen=True, kw_only=True, slots=True)
class ControlClass:
    """All controls of one kind."""

    kind: ControlKind
    planted: int
    decided: int
    passed: int
    rate: Estimate | Refusal
    """Share passed of those decided, exact interval."""
    failed: bool
    """The judge fails this kind: more failures than chance explains."""

    @property
    def counts(self) -> str:
        """Passed of decided; where not all that were planted are decided, with that word."""
        counts = f"{self.passed:,} of {self.decided:,}"
        return counts if self.decided == self.planted else f"{counts} decided"


@dataclass(frozen=True, kw_only=True, slots=True)
class Controls:
    """What the planted controls of a pass say of its judge."""

    planted: int
    decided: int
    passed: int
    rate: Estimate | Refusal
    noise_sd: Estimate | Refusal
    """Spread of the same judge on the same text: what the limit is made of."""
    limit: float | None
    """Repeatability limit of two single judgings, scale points; None where it is unknown."""
    classes: tuple[ControlClass, ...]
    failures: tuple[ControlCheck, ...]
    undecided: tuple[tuple[str, int], ...]
    """Why controls are not decided, with their number."""
    floored: bool = False
    """The sample spread less than rounding alone must: the limit is that of the floor."""
    by_pairs: bool = False
    """Each was compared with its source, and not marked."""
