"""Strengths on a log scale that an extended report adds: figures without words."""

from judgebench.model.nouns import Estimate, Refusal
from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class ArmStrength:
    """One arm."""

    arm: str
    strength: Estimate | Refusal
    """Log scale, against the reference arm: of lists, or of comparisons as they stand."""
    equal_length: Estimate | Refusal | None
    """Of comparisons, with the length of both answers in the fit; None of lists."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Strengths:
    """Of lists by Plackett–Luce, or of comparisons with and without the length of the answers."""

    model: str
    """``plackett-luce`` or ``bradley-terry``."""
    reference: str | None
    """The arm whose strength is 0; None where no arm is."""
    judged: int
    """Lists of two answers or more, or decided comparisons."""
    items: int
    """Items that they are of."""
    arms: tuple[ArmStrength, ...]
    """In the order of the table."""
    length: Estimate | Refusal | None
    """Of comparisons, log odds that go with twice the length; None of lists."""
    unlinked: tuple[tuple[str, ...], ...]
    """Groups of arms between which no strength is determined; empty where all are linked."""
