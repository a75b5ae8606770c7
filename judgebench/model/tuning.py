"""Tuning a rubric by marks of people: where judge and people differ, and version beside version."""

from judgebench.model.nouns import Estimate, Quote, Refusal
from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownBefore:
    """Marks of people that were shown beside a pass."""

    pass_id: str
    rubric_name: str
    split: str
    """``all``, ``tune`` or ``report``."""
    labels: int
    shown_at: str


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelSplit:
    """Which items serve for tuning and which for reporting."""

    share: float
    split_at: str
    tune: int
    report: int
    tune_marked: int
    """Items for tuning that people marked."""
    report_marked: int
    made_now: bool
    shown: tuple[ShownBefore, ...]
    """What had been shown beside a judge by then."""
    need: int
    """Marked items on either side below which figures are refused."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TuneMark:
    """One criterion of one answer: people beside the judge."""

    item: str
    arm: str | None
    """None where names are hidden."""
    label: str
    """Neutral name of the answer among those to its item."""
    people: tuple[tuple[str, float], ...]
    """Who gave which mark."""
    people_mean: float
    judge: float
    gap: float
    """Judge minus people."""
    rationale: str
    unsupported: bool
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class TuneGroup:
    """Answers that differ on one criterion in one direction, the furthest first."""

    criterion: str
    text: str
    """The question."""
    higher: bool
    """The judge marks higher than people do."""
    cells: int
    """Answers with such a gap."""
    of: int
    """Answers that both marked."""
    mean_gap: float
    """Over those with such a gap."""
    shown: tuple[TuneMark, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Fit:
    """How close one version comes to people on one criterion."""

    bias: Estimate
    mae: Estimate
    within: float | None
    """Share of answers at most one step of ten from people."""
    alpha: Estimate | Refusal
    """Judge and people's mean, on the metric of the scale."""


@dataclass(frozen=True, kw_only=True, slots=True)
class VersionRow:
    """One criterion under two versions."""

    criterion: str
    was: str
    """Its name in the version before."""
    before: Fit | Refusal
    after: Fit | Refusal
    change: Estimate | Refusal
    """Change of the mean absolute gap, item by item: below zero is closer to people."""
    answers: int
    """That people and both versions marked."""


@dataclass(frozen=True, kw_only=True, slots=True)
class VersionFacts:
    """One version of the rubric with its pass."""

    pass_id: str
    rubric_name: str
    rubric_version: str
    ask_sha256: str
    sum_sha256: str
    judge_name: str
    replayed: bool = False
    """Its replies are a recording's, which holds none to other questions."""
    marks_only: bool = False
    """Its marks were imported: there are no answers to judge again."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Tuning:
    """One turn of the loop."""

    run_name: str
    split: LabelSplit
    looked_at: str
    """``tune`` or ``report``: the items that this is of."""
    base: VersionFacts
    version: VersionFacts | None
    """None where no changed rubric was named."""
    groups: tuple[TuneGroup, ...]
    rows: tuple[VersionRow, ...]
    tried: int
    """Versions that were compared on the items for tuning, this one included."""
    look: int
    """Which look at the report split this is, from 1; 0 where it is none."""
    earlier: tuple[str, ...]
    """Days of the earlier looks at it."""
    sums_only: bool
    """The version asks what the base asked: nothing was judged."""
    scale_low: float
    scale_high: float
