"""A rubric as it is scored with: scale, criteria with anchors, gates, caps, tiers."""

from dataclasses import field
from enum import StrEnum

from judgebench.model.deductions import Deductions, Tier
from judgebench.records import dataclass


class Applies(StrEnum):
    """When a criterion applies to an item, settled before any output is seen."""

    ALWAYS = "always"
    EVIDENCE = "evidence"
    """Only to items that come with evidence."""
    REFERENCE = "reference"
    """Only to items that come with a reference answer."""
    AMBIGUITY = "ambiguity"
    """Only to items for which the run declares an ambiguity."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Scale:
    """Marks from `low` to `high` in steps of `step`, in scale points."""

    low: float
    high: float
    step: float = 1.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Anchor:
    """What is seen in an output that earns this mark."""

    mark: float
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Criterion:
    """One question that the judge answers with a mark."""

    id: str
    text: str
    """The question it asks."""
    head: str = ""
    """Short head for narrow tables, at most nine characters."""
    anchors: tuple[Anchor, ...] = ()
    weight: float = 1.0
    quotes: int = 1
    """Verbatim quotes required; 0 where none are."""
    applies: Applies = Applies.ALWAYS


@dataclass(frozen=True, kw_only=True, slots=True)
class Gate:
    """A mark of `criterion` under `below` holds the total at `cap` or lower."""

    criterion: str
    below: float
    cap: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Cap:
    """A mark of `criterion` under `below` holds the mark of `target` at `cap` or lower."""

    criterion: str
    below: float
    target: str
    cap: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Rubric:
    """A versioned rubric; two hashes, of which only *ask* costs requests."""

    name: str
    version: str
    scale: Scale
    criteria: tuple[Criterion, ...]
    intro: str = ""
    """What is judged, shown to the judge before the criteria."""
    gates: tuple[Gate, ...] = ()
    caps: tuple[Cap, ...] = ()
    tiers: tuple[Tier, ...] = ()
    deductions: Deductions | None = None
    """Maxima, catalogue, caps and gates where marks are counted from finds; None where
    the judge gives the marks."""
    ask_sha256: str = ""
    """Hash of what the judge is shown: intro, scale, ids, texts, anchors, quotes."""
    sum_sha256: str = ""
    """Hash of what code does with the marks: weights, gates, caps, tiers, names."""
    source: str = field(default="", repr=False)
    """The file's text, kept in the store."""
    path: str = ""

    def criterion(self, criterion_id: str) -> Criterion:
        """The criterion of this id."""
        return next(c for c in self.criteria if c.id == criterion_id)


@dataclass(frozen=True, kw_only=True, slots=True)
class Total:
    """A judgment's total with what was done to it, in scale points."""

    value: float | None
    """None where a criterion with weight is blocked."""
    uncapped: float | None
    fired: tuple[str, ...] = ()
    """Gates and caps that held something down, in words of the rubric."""
    tier: str | None = None
    reweighted: bool = False
    """True where a criterion does not apply to the item and dropped out."""
