"""Whether an answer would be another under other weights, or without one item."""

from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class WeightSurvival:
    """Whether the set of possible best is the same under other weights of the criteria."""

    change: float
    """Share by which each weight was moved, up and down."""
    together: bool
    """In all combinations; else one weight at a time."""
    trials: int
    same: int
    """Trials with the same set."""
    ever: tuple[str, ...]
    """Arms that may be best under at least one of the weights."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ItemInfluence:
    """What a difference would be without one item."""

    item: str
    difference: float
    """Without that item, scale points."""
    turns: bool
    """The sign is another one without it, or gone; a difference of 0 has none to lose."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GapDrivers:
    """Which items drive the difference of the first two arms of the table."""

    first: str
    second: str
    difference: float
    """First minus second over all shared items, scale points."""
    shared: int
    turning: int
    """Items without which the sign would turn."""
    items: tuple[ItemInfluence, ...]
    """Those that move it most, the most first."""
