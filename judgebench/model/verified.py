"""A stored run, recomputed: what was compared, and what differs."""

from collections.abc import Mapping
from enum import StrEnum

from judgebench.records import dataclass


class Part(StrEnum):
    """What of a run was compared."""

    RUBRIC = "rubric"
    ITEM = "item"
    OUTPUT = "output"
    PROMPT = "prompt"
    REQUEST = "request"
    REPLY = "reply"
    TOTAL = "total"
    REPORT = "report"


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """One figure or hash that is not what it must be."""

    part: Part
    place: str
    """Pass, arm and item, or file and line."""
    stored: str
    """What stands there."""
    found: str
    """What follows from the rest."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Verified:
    """What a look over a stored run came to."""

    run_name: str
    passes: tuple[str, ...]
    checked: Mapping[str, int]
    """Part → how many of it were compared."""
    differences: tuple[Difference, ...]
    left_out: int = 0
    """Differences beyond those that are listed."""
    notes: tuple[str, ...] = ()
    """What could not be compared, and why."""
