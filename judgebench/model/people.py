"""People's marks, and a judge beside them: figures without words."""

from dataclasses import field
from enum import StrEnum

from judgebench.model.clusters import SPARE, Clusters
from judgebench.model.nouns import Estimate, Refusal
from judgebench.records import dataclass

TOTAL = "total"
"""Axis of the weighted total, beside the rubric's criteria and marks for the answer as a whole."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Counted:
    """How much people marked."""

    people: int
    items: int
    cells: int
    marks: int
    twice: int
    """Cells with two people or more."""
    items_twice: int
    """Items with such a cell."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Beside:
    """A judge held against people's mean in each cell."""

    bias: Estimate
    """Judge minus people, mean over items with t."""
    mae: Estimate
    """Mean absolute gap over items."""
    limits_low: float | None
    """Bland–Altman: 95 % of cells' gaps lie between; None below ten items."""
    limits_high: float | None
    slope: float | None
    """Slope of the gap on the mean of both: a trend means a stretched scale."""
    alpha: Estimate | Refusal
    """Judge and people's mean as two raters, on the metric of the scale."""
    exact: float | None
    """Share of cells with the same mark."""
    exact_chance: float | None
    """The same without looking."""
    ordering: Estimate | Refusal
    """Share of same-item pairs of arms in the same order."""
    items: int
    cells: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Ceiling:
    """A person against the other people, and the judge against the same."""

    person_mae: float
    judge_mae: float
    further: Estimate
    """How much further the judge lies from the others than a person does."""
    person_ordering: float | None
    judge_ordering: float | None
    """Shares over the same pairs of arms; None where no item has two arms."""
    people: int
    items: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Leaning:
    """How far the judge favours an arm, beyond its bias on all of them."""

    arm: str
    gap: Estimate
    """Judge minus people on this arm, less the same on the other arms of the item."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Excluded:
    """The judge in the place of one person."""

    person: str
    judge_wins: float
    """Share of units on which the judge is at least as close to the others."""
    person_wins: float
    items: int
    p: float
    """One-sided, of "the person wins more often by ε or more"."""
    rejected: bool
    """After Benjamini–Yekutieli: the judge is not worse than this person by ε."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AltTest:
    """Winning rate ω and advantage probability ρ of a judge."""

    winning_rate: float
    advantage: float
    epsilon: float
    passes: bool
    """ω reaches one half: the judge may stand in."""
    people: tuple[Excluded, ...]
    left_out: int
    """People with too few items."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Corrected:
    """A figure as people would have it."""

    estimate: Estimate
    weight: float
    """λ: how much of the judge is used; 0 is people alone."""
    rule: str
    """``fitted`` or ``fixed`` weight, or ``people`` alone."""
    labels: int
    others: int
    raw: float
    """The judge's own figure over all items."""
    correlation: float | None
    """Between people and judge over the labelled items; None where one does not vary."""
    gain: float
    """Half width as a share of that of people alone."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CorrectedArm:
    """Mean of one arm, as people would have it."""

    arm: str
    people: float | None
    """Mean of their own marks."""
    items: int
    """Items that they marked."""
    figure: Corrected | Refusal


@dataclass(frozen=True, kw_only=True, slots=True)
class PeoplePair:
    """Two arms: as people marked them, and as they would over all items."""

    first: str
    second: str
    shared: int
    alone: Estimate | Refusal
    """First minus second by people alone, all pairs together."""
    separated: bool | None
    corrected: Corrected | Refusal
    """All pairs together."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GateShare:
    """A corrected share of passes with what it rests on."""

    share: Estimate
    raw: float
    """Share that the judge passed."""
    sensitivity: float
    """Of what people passed, the share that the judge passed."""
    specificity: float
    """Of what people failed, the share that the judge failed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ArmGate:
    """One gate or bar of the rubric for one arm."""

    criterion: str
    below: float
    arm: str
    figure: GateShare | Refusal


class Standing(StrEnum):
    """Whether the judge may stand in for the people on one criterion."""

    STANDS_IN = "stands_in"
    NOT = "not"
    NOT_SHOWN = "not_shown"


@dataclass(frozen=True, kw_only=True, slots=True)
class Axis:
    """One criterion, the total, or overall marks."""

    id: str
    head: str
    counted: Counted
    standing: Standing
    beside: Beside | Refusal
    ceiling: Ceiling | Refusal
    alt_test: AltTest | Refusal
    leanings: tuple[Leaning, ...] | Refusal
    people_alpha: Estimate | Refusal
    """α of people among themselves, ordinal on a scale of ten, else interval."""
    same: float | None
    """Share of pairs of people's marks on one answer that are equal; None without a pair."""
    same_pairs: int
    icc_one: Estimate | Refusal
    """ICC(1,1) of people in cells that all of them marked."""
    icc_one_mean: Estimate | Refusal
    """ICC(1,k): of the mean of all of them."""
    icc_absolute: Estimate | Refusal
    """ICC(A,1)."""
    arms: tuple[CorrectedArm, ...]
    pairs: tuple[PeoplePair, ...]
    best: tuple[str, ...] | Refusal
    """Arms that may be best by people alone."""
    gates: tuple[ArmGate, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class PreferencePair:
    """Two arms by people's preferences."""

    first: str
    second: str
    share: Estimate | Refusal
    """Share of comparisons that the first won, ties half, mean over items."""
    judge: Estimate | Refusal
    """The same by the judge, over the same items."""
    comparisons: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Preferences:
    """Comparisons of two arms by people, and the judge's order beside them."""

    pairs: tuple[PreferencePair, ...]
    comparisons: int
    people: int
    agreement: Estimate | Refusal
    """Share of people's comparisons in which the judge orders alike, ties as ties."""
    decided: Estimate | Refusal
    """The same over comparisons that both decided."""
    among: Estimate | Refusal
    """Share of pairs of people's votes on one comparison that are alike, ties as ties."""
    among_decided: Estimate | Refusal
    """The same over pairs that both decided."""
    alt_test: AltTest | Refusal
    standing: Standing


@dataclass(frozen=True, kw_only=True, slots=True)
class Labels:
    """Where people's marks come from, and what they may be used for."""

    files: tuple[str, ...]
    people: tuple[str, ...]
    identified: bool
    """A rater is one person throughout."""
    blind: str
    """yes, no, unknown or mixed."""
    items: int
    items_all: int
    """Items that the judge marked."""
    drawn: int
    """Labelled items that belong to a random sample, or to all items."""
    sampling: str
    """``all``, ``draw``, ``packets``, ``said`` (the user says so), or ``unknown``."""
    split: str
    """``all``, ``tune`` or ``report``: which of them are shown."""
    tuned: bool
    """The rubric was changed after these marks had been shown."""
    splittable: bool
    """Set apart for tuning in the usual share, they leave figures on both sides."""
    off_scale: int
    """Marks of the judge that lie outside of the scale; left out."""
    earlier_looks: int
    """Other passes beside which these marks were shown before."""
    tuned_items: int = 0
    """Marked items that were set apart for tuning the rubric: left out here."""
    tuned_marks: int = 0
    look: int = 0
    """Which look at the report split this is, from 1; 0 where labels are not split."""
    looked_at: tuple[str, ...] = ()
    """When it was shown beside other versions of the rubric before."""
    seen_at: str | None = None
    """When all labels were shown beside an earlier version, before they were split."""
    withdrawn: tuple[str, ...] = ()
    """Files that were taken back, with the day; their marks count nowhere."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelPlan:
    """The cheapest way to what is missing."""

    items: int
    """Items to label in all."""
    people: int
    """People on each."""
    minutes: float
    """Of one person for all items, at three minutes an answer."""
    arms: int
    draw_items: int
    """Items that can be drawn of these; fewer where the run has not as many."""
    draw_arms: tuple[str, ...]
    """Arms that the draw has to name to have as many; empty: all."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Calibration:
    """A judge under a rubric against people, on one run."""

    run_name: str
    pass_id: str
    judge_name: str
    judge_model: str
    rubric_name: str
    rubric_version: str
    scale_low: float
    scale_high: float
    labels: Labels
    axes: tuple[Axis, ...]
    preferences: Preferences | None
    plan: LabelPlan | None
    """What would settle what is not shown; None where nothing is missing."""
    needs: Refusal | None
    """Why something is not shown: the first thing to get."""
    marks_only: bool | None = field(default=None, metadata=SPARE)
    """The judge's marks were given elsewhere: there are no answers that it could judge again."""
    clusters: Clusters | None = field(default=None, metadata=SPARE)
    """The clusters that items come in; None where items are independent."""
