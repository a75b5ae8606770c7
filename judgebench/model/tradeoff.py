"""Rating against time and cost: what an answer takes, beside what it is worth."""

from dataclasses import field

from judgebench.model.clusters import SPARE
from judgebench.model.contrasts import Contrasts
from judgebench.model.nouns import Refusal
from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class TradeoffArm:
    """One arm that takes part."""

    arm: str
    level: float
    """Paired difference to the reference arm, scale points; 0 for that arm itself."""
    cost_usd: float | None
    """Of all its answers; None where any is unknown."""
    wall_s: float | None
    """Median seconds of an answer; None where any is unknown."""
    beaten_by: str | None
    """An arm at least as high that takes no more, and is better in something."""
    behind: float | None
    """How far behind that arm it is rated, scale points, as measured; None without one."""
    shown: bool
    """That gap is shown: the two are separated."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Tradeoff:
    """What a recommendation rests on: figures only."""

    arms: tuple[TradeoffArm, ...]
    """In the order of the table."""
    left_out: tuple[str, ...]
    """Arms that are not placed, or that share no items with the reference arm."""
    best: tuple[str, ...] | Refusal
    """Placed arms that may be best."""
    weighed: tuple[str, ...]
    """What is known for every arm: of ``cost`` and ``time``, those that can be weighed."""
    cost_unknown: tuple[str, ...]
    time_unknown: tuple[str, ...]
    pareto: tuple[str, ...] | Refusal
    """Arms that no other beats in rating and in all that is weighed."""
    open_arms: tuple[str, ...] = ()
    """Arms without a place that may be best too."""
    unseparated: tuple[str, ...] = ()
    """Arms that the only one that may be best is not separated from; empty without such a one."""
    unmatched: tuple[str, ...] | None = field(default=None, metadata=SPARE)
    """Of those left out, placed arms that met other opponents than the reference arm, or none of
    its own; None where there is no such arm."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """What `judge compare` says: differences in kind, and a recommendation."""

    contrasts: Contrasts
    tradeoff: Tradeoff | None
    """None where there is no rating."""
    recommendation: str
    """In words, by code; empty where there is no rating."""
