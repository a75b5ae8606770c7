"""A score table as somebody published it, and what does not add up in it.

The figures are claims: nothing here was judged by this product.
"""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from judgebench.model.deductions import Limit, Tier
from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Deduction:
    """What one finding is said to have cost one project."""

    finding: str
    """The class of findings, as the table calls it."""
    points: float
    """What it cost, above 0."""
    criterion: str = ""
    """Empty where the table does not say."""
    place: str = ""
    """Where it was found; tells two finds of one class apart."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """One row: what a table says of one project."""

    name: str
    line: int = 0
    """Line or position in the file, counted from 1."""
    condition: str = ""
    marks: Mapping[str, float] = field(default_factory=dict)
    """By criterion; what was not published is not there."""
    total: float | None = None
    tier: str = ""
    rank: int | None = None
    deductions: tuple[Deduction, ...] = ()

    @property
    def label(self) -> str:
        """The project with its condition."""
        return f"{self.name} ({self.condition})" if self.condition else self.name


@dataclass(frozen=True, kw_only=True, slots=True)
class TableRules:
    """What a table is to be held against; what is not known is not checked."""

    maxima: Mapping[str, float] = field(default_factory=dict)
    floors: Mapping[str, float] = field(default_factory=dict)
    tiers: tuple[Tier, ...] = ()
    """From the highest down; empty where no bars are known."""
    caps: tuple[Limit, ...] = ()
    gates: tuple[Limit, ...] = ()
    prices: Mapping[str, float] = field(default_factory=dict)
    """Points of a finding, by its class."""
    once: frozenset[str] = frozenset()
    """Findings that cost once, however often they are found."""
    unless: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Findings beside which this one costs nothing."""
    source: str = ""
    """Where they are from, for the report."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ScoreTable:
    """Rows that were ranked and summed together."""

    name: str
    claims: tuple[Claim, ...]
    criteria: tuple[str, ...] = ()
    rules: TableRules = TableRules()


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangedMark:
    """A published total that was changed later, or given a second time: no slip."""

    kind: str
    """``correction`` or ``second opinion``."""
    table: str
    name: str
    before: float
    after: float
    reason: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Published:
    """A file of published scores."""

    tables: tuple[ScoreTable, ...]
    changed: tuple[ChangedMark, ...] = ()
    notes: tuple[str, ...] = ()
    """What was passed over, in words."""


class SlipKind(StrEnum):
    """In which way a table contradicts itself or its rules."""

    SUM = "sum"
    TIER = "tier"
    RANK = "rank"
    TIE = "tie"
    CAP = "cap"
    RANGE = "range"
    DEDUCTION = "deduction"
    TWICE = "counted twice"
    PRICES = "two prices"
    REPEATED = "two rows"


@dataclass(frozen=True, kw_only=True, slots=True)
class Slip:
    """One thing that does not add up."""

    kind: SlipKind
    table: str
    name: str
    """The project, or the class of findings."""
    line: int
    message: str
    """What is said and what follows from the rest, in one line."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Price:
    """What one class of findings costs, over all projects of a table."""

    table: str
    finding: str
    points: Mapping[float, tuple[str, ...]]
    """Points → the projects that were charged them."""
    listed: float | None = None
    """The catalogue's price, where one is known."""

    @property
    def consistent(self) -> bool:
        """Whether every project paid the same, and the catalogue's price where there is one."""
        return len(self.points) <= 1 and (self.listed is None or set(self.points) <= {self.listed})


@dataclass(frozen=True, kw_only=True, slots=True)
class Audit:
    """What a look over a published table came to."""

    name: str
    """The file."""
    rows: int
    tables: tuple[str, ...]
    checked: Mapping[str, int]
    """How many sums, tiers, ranks … could be checked."""
    slips: tuple[Slip, ...]
    changed: tuple[ChangedMark, ...]
    prices: tuple[Price, ...]
    notes: tuple[str, ...] = ()
