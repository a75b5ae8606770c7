"""What it would take to see a wished-for difference: figures without words."""

from dataclasses import field

from judgebench.model.clusters import SPARE, Clusters
from judgebench.model.nouns import Estimate, Refusal
from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class PairSpread:
    """The pair of arms whose paired difference spreads most among items."""

    sd: float
    """Scale points; not below the floor that the step of the marks sets."""
    n: int
    """Shared items."""
    first: str
    second: str
    most: int
    """The most items that any two of these arms share: a worst pair may be one of gaps."""
    scorings: float = 1.0
    """Scorings of a cell (people, where these marked) behind `sd`, a harmonic mean over items."""
    measured: float | None = None
    """What was measured, scale points, where `sd` is the floor; else None."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DesignRow:
    """One way to judge, and what it needs to find one difference."""

    gap: float
    """The wished-for difference, scale points."""
    judges: int
    repeats: int
    spread: float
    """Spread of an item's paired difference under this design, scale points."""
    floored: bool
    """No spread below this one is taken: it is what the step of the marks leaves."""
    items_one: int | None
    """Items for one pair named before looking; None above ten million."""
    items_all: int | None
    """Items for the worst of all pairs, all comparisons together."""
    requests: int | None
    """Requests for `items_all`, all arms; None where nothing was asked here."""
    cost_usd: float | None
    """Of these requests, by what this pass took a request; None where unknown."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Power:
    """Items, judges and repeats for wished-for differences."""

    run_name: str
    pass_id: str
    judge_name: str
    marks_only: bool
    by_people: bool
    shares: bool
    """Totals are shares of comparisons won, and so are all differences."""
    arms: tuple[str, ...]
    comparisons: int
    """Pairs of these arms, which is what is planned for."""
    scale_low: float
    scale_high: float
    judges: int
    """Judges behind the spread."""
    repeats: int
    """Scorings of a cell behind the spread."""
    spread: PairSpread | Refusal
    """Refused: `rows` stand over assumed spreads."""
    detectable: Estimate | Refusal
    """Smallest difference found with power 0.8 as things are."""
    noise: Estimate | Refusal
    """Standard deviation of one scoring of the same output, scale points; or, with
    `noise_of_gap`, of one person's difference of the two arms on the same item."""
    rows: tuple[DesignRow, ...]
    """The design that was asked for."""
    repeat_rows: tuple[DesignRow, ...] = ()
    """The first gap with other numbers of repeats; empty where the noise is unknown."""
    unmarked: tuple[str, ...] = ()
    """Arms that are planned for without a total in this pass: the spread is of the others."""
    repeats_asked: int | None = field(default=None, metadata=SPARE)
    """What the user asked for, None where nothing was; `rows` have it where noise is known."""
    noise_of_gap: bool = False
    noise_floored: bool = False
    """The noise is what rounding leaves: less than that was measured."""
    judge_rows: tuple[DesignRow, ...] = ()
    """The first gap with other numbers of judges; empty where one judge was asked."""
    judges_refused: Refusal | None = None
    """Why other numbers of judges are not projected; None where nothing hinders it."""
    clusters: Clusters | None = field(default=None, metadata=SPARE)
    """The clusters that items come in; None where items are independent."""
    scale_taken: bool | None = field(default=None, metadata=SPARE)
    """The ends of the scale are those of the marks, for nobody named them; None where named."""
