"""All that any report may read: facts and figures of one pass, without words.

`Estimate` and `Refusal` are the only forms of a statistic. Sentences and
rounding belong to `judgebench.reports.tables`.
"""

from collections.abc import Sequence
from dataclasses import field

from judgebench.model.agreement import Agreement
from judgebench.model.audits import Audit
from judgebench.model.blindness import Blindness, WithoutFlagged
from judgebench.model.clusters import SPARE, Clusters
from judgebench.model.collected import Ambiguity, Arm, Settings, UseCase
from judgebench.model.comparing import Comparing
from judgebench.model.contrasts import Contrasts
from judgebench.model.controls import Controls
from judgebench.model.extended import Again, Extended
from judgebench.model.nouns import Estimate, ObservedRank, Refusal
from judgebench.model.passes import DataLevel, PassFacts
from judgebench.model.people import Calibration
from judgebench.model.sensitivity import GapDrivers, WeightSurvival
from judgebench.model.strengths import Strengths
from judgebench.model.tradeoff import Tradeoff
from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Counts:
    """How much was planned, answered and blocked."""

    arms: int
    items: int
    criteria: int
    judges: int
    repeats: int
    outputs: int
    """Arms × items."""
    outputs_blocked: int
    requests_planned: int
    requests_answered: int
    judgments_scored: int
    judgments_blocked: int
    noise_cells: int
    calls: int
    calls_in_doubt: int
    outputs_not_asked: int = 0
    """Outputs of items that no criterion applies to."""
    requests_drift: int = 0
    """Of those planned: old answers judged again, for an extension of the pass or a check."""


@dataclass(frozen=True, kw_only=True, slots=True)
class BlockedCount:
    """How often one reason occurred for one arm, with one message as example."""

    reason: str
    count: int
    message: str


@dataclass(frozen=True, kw_only=True, slots=True)
class CriterionMean:
    """Mean mark of one arm on one criterion."""

    criterion: str
    mean: float | None
    n: int
    """Items with a mark."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Context:
    """What an arm's answers took; reported, never scored. None is unknown."""

    wall_s: float | None = None
    """Median seconds."""
    completion_tokens: float | None = None
    """Median."""
    cost_usd: float | None = None
    """Sum; None where any output's cost is unknown."""
    reasoning_ratio: float | None = None
    """Reasoning tokens ÷ other completion tokens, over outputs that report both."""
    chars: float | None = None
    """Median length of the answer in characters."""
    known: int = 0
    """Outputs with any of these on record."""
    untimed: int = 0
    """Outputs whose seconds are unknown."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ArmResult:
    """One row of the table."""

    arm: Arm
    planned: int
    """Items of the run that some criterion applies to."""
    answered: int
    """Items with a scored cell."""
    answered_rate: Estimate | Refusal
    blocked: tuple[BlockedCount, ...]
    judge_blocked: tuple[BlockedCount, ...]
    suspects: int | None
    """Outputs that look cut; None of marks alone (``no_outputs`` of the length baseline)."""
    masked: int | None
    """Identity strings masked or flagged in its outputs; None as `suspects`."""
    mean: float | None
    """Mean total over its scored items, scale points."""
    total: Estimate | Refusal
    """Mean with an interval, or why there is none."""
    median: float | None
    criteria: tuple[CriterionMean, ...]
    gated_share: float | None
    """Share of judgments in which a gate or cap fired."""
    uncapped: float | None
    """Mean total over the same items as it would be without gates and caps."""
    difference: Estimate | Refusal
    """Paired difference to the reference arm on shared items, simultaneous interval."""
    shared: int
    may_be_best: bool | None
    """None where it is not printed."""
    rank_low: int | None
    rank_high: int | None
    observed_rank: ObservedRank | Refusal
    """Its place by the totals that order the table; what the pairs carry is the interval."""
    placed: bool
    """False: stands as ``?`` (too many blocked, or suspected cuts)."""
    worst_low: float | None
    """Mean with every blocked cell lowest; None without a mark, or by `Result.scale_taken`."""
    worst_high: float | None
    """Mean with every blocked cell highest; None as `worst_low`."""
    quote: str | None
    """Its most telling quote that was found in its output."""
    quote_criterion: str | None
    tier: str | None
    tier_borderline: bool
    context: Context
    same_family: bool
    """The judge is of this arm's family."""
    place_code: str | None = None
    """Why no rank is printed, or not whether it may be best; None where both are."""
    never_given: int | None = field(default=None, metadata=SPARE)
    """Items of which imported marks hold no row for it; None where they hold one of each."""

    @property
    def lost(self) -> int:
        """Answers without a fair result: blocked themselves, or at the judge."""
        return min(
            self.planned - self.answered - (self.never_given or 0),
            sum(one.count for one in (*self.blocked, *self.judge_blocked)),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class PairResult:
    """Two arms on the items that both answered; `difference` is first minus second."""

    first: str
    second: str
    difference: Estimate | Refusal
    """Its interval and its p are of all pairs together, by Bonferroni."""
    p_all_pairs: float | None
    """What decides: the larger of Holm's p over paired t and the p of max-T, where it has both."""
    shared: int
    separated: bool | None
    """Whether the two are shown apart: by the p of all pairs together, and firmly."""
    floored: bool = False
    """The differences spread less than rounding alone must: the interval is the floor's."""
    firm: bool = True
    """False: blocked answers, or answers that look cut, could turn which of the two is higher."""
    strength: Estimate | None = field(default=None, metadata=SPARE)
    """Difference of strengths, log scale, as `difference`: where arms met other opponents
    `separated` and `p_all_pairs` are of it. None where they are of shares or marks."""

    @property
    def above(self) -> tuple[str, str] | None:
        """The arm that is shown to be higher and the lower one; None where neither is."""
        gap = self.strength or self.difference
        if not self.separated or not isinstance(gap, Estimate):
            return None
        first, second = self.first, self.second
        return (first, second) if gap.value > 0 else (second, first)


def open_arms(arms: Sequence[ArmResult], pairs: Sequence[PairResult]) -> tuple[str, ...]:
    """Arms without a place that no arm is shown to be above: each of them may be best.

    Args:
        arms: Rows of the table.
        pairs: All pairs of them.
    """
    below = {pair.above[1] for pair in pairs if pair.above}
    return tuple(
        arm.arm.id for arm in arms if not (arm.placed and arm.answered) and arm.arm.id not in below
    )


def sole_best(best: tuple[str, ...] | Refusal, open_: Sequence[str]) -> str | None:
    """The one arm that may be best; None while another one could be, placed or not.

    Args:
        best: The placed arms that may be best.
        open_: What `open_arms` returned.
    """
    return best[0] if isinstance(best, tuple) and len(best) == 1 and not open_ else None


def unseparated(arm: str, pairs: Sequence[PairResult]) -> tuple[str, ...]:
    """Arms that this one was compared with and not shown above: best is asked from one side."""
    return tuple(
        pair.second if pair.first == arm else pair.first
        for pair in pairs
        if arm in {pair.first, pair.second} and (pair.above is None or pair.above[0] != arm)
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class ModalMark:
    """The most frequent mark of one judge of a panel."""

    judge: str
    mark: float
    share: float
    marks: int


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgeChecks:
    """What is known of the judge from this pass alone."""

    marks: int
    modal_mark: float | Refusal
    """Its most frequent mark; refused where one judge gave none, as where outputs are compared."""
    modal_share: float | Refusal
    length_baseline: Estimate | Refusal
    """Mean within-item Spearman of total with length in characters."""
    quotes: int | None
    """None of marks alone, as the next two: `length_baseline` has the code."""
    quotes_found: int | None
    marks_unsupported: int | None
    wrong_model: str | None = None
    same_family: tuple[str, ...] = ()
    drift: Estimate | Refusal | None = None
    """Old answers judged again beside added ones: new total minus old one, in scale points.

    None where the pass was never extended.
    """
    drift_points: float | None = None
    """The same mean difference, also where no interval can be given; None without `drift`."""
    drift_cells: int = 0
    modal_marks: tuple[ModalMark, ...] = ()
    """Of each judge of a panel; empty where one pass is shown, or outputs are compared."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Money:
    """What judging took, as the provider reports it. None is unknown."""

    cost_usd: float | None
    price_source: str | None
    """judges.toml or a price list with its version, and the rates; or that it is unknown."""
    prompt_tokens: int | None
    completion_tokens: int | None
    reasoning_tokens: int | None
    calls: int
    requests_unreported: int
    """Requests with a call whose usage is unknown: tokens and cost leave them out."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Warning_:  # noqa: N801 - Warning is Python's
    """A flag with the facts that its sentence needs; lower `rank` is more harmful."""

    code: str
    rank: int
    facts: dict[str, str | int | float] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """Everything about one pass that a report may say."""

    run_name: str
    use_case: UseCase
    settings: Settings
    declared: bool
    has_prompt: bool
    ambiguities: tuple[Ambiguity, ...]
    collected_at: str | None
    collector: str | None
    judging: PassFacts
    passes: tuple[PassFacts, ...]
    counts: Counts
    level: DataLevel
    scale_low: float
    scale_high: float
    criteria: tuple[tuple[str, str, float], ...]
    """Id, short head, weight."""
    arms: tuple[ArmResult, ...]
    """In the order of the table."""
    reference: str | None
    """The arm that differences are taken to."""
    order_differs: bool
    """The paired order differs from the order of raw means."""
    pairs: tuple[PairResult, ...]
    best: tuple[str, ...] | Refusal
    """Placed arms that may be best; the true best may be one of `open_arms` too."""
    detectable: Estimate | Refusal
    """Smallest difference found with power 0.8 in this run's worst pair."""
    items_needed: tuple[tuple[float, int], ...] | Refusal
    """(points, items) for wished-for differences."""
    checks: JudgeChecks
    money: Money
    warnings: tuple[Warning_, ...]
    refusals: tuple[Refusal, ...]
    versions: dict[str, str]
    reproducible: bool
    unknowns: dict[str, int]
    """Record fields that are unknown, with the number of outputs."""
    generated_from: str = ""
    """Hash over all that went into this result."""
    panel: tuple[PassFacts, ...] = ()
    """The passes whose marks are averaged (--panel); empty where one pass is shown."""
    weights: WeightSurvival | Refusal | None = None
    """Other weights; None where it was not computed or there is nothing to move."""
    not_asked: tuple[str, ...] = ()
    """Items that no criterion applies to: no arm is asked about there."""
    detectable_pair: tuple[str, str] | None = None
    """The worst pair, which `detectable` and `items_needed` are of; None where there is none."""
    drivers: GapDrivers | Refusal | None = None
    """Which item drives the gap; None where it was not computed or there is none."""
    agreement: Agreement | None = None
    """How far the judges of a panel agree; None where one pass is shown."""
    again: Again | None = None
    """The judge against itself; None where it was not computed, of a panel, pairs and people."""
    comparing: Comparing | None = None
    """None where outputs were marked and not compared."""
    extended: Extended | None = None
    """What --extended adds; None where it was not asked for."""
    strengths: Strengths | None = None
    """What --extended adds of lists and of pairs; None without it, and of answers one by one."""
    tradeoff: Tradeoff | None = None
    """What a recommendation rests on; None where there is no rating."""
    contrasts: Contrasts | None = None
    """In what outputs differ in kind, as a judge says; None where none was asked."""
    controls: Controls | None = None
    """What planted controls say of the judge; None where the plan holds none."""
    blindness: tuple[Blindness, ...] = ()
    """What came of the blindness probe of each judge that was probed."""
    probes_unread: tuple[str, ...] = ()
    """Files with what came of a probe that cannot be read, as they stand in the workspace."""
    without_flagged: WithoutFlagged | None = None
    """What it would be without answers that were sent with names; None where there are none."""
    clusters: Clusters | None = field(default=None, metadata=SPARE)
    """The clusters that its items come in; None where items are independent."""
    kinds_unsaid: tuple[str, ...] | None = field(default=None, metadata=SPARE)
    """Arms of which nobody says whether they are of a CLI; None where it is said of all."""
    audit: Audit | None = None
    """What was found in each project; None where the judge gave the marks."""
    people: Calibration | Refusal | None = None
    """The judge against people; None without marks of people, and where none were asked for."""
    scale_taken: bool | None = field(default=None, metadata=SPARE)
    """True: its ends are those of the marks (``scale_not_named``); None where it was named."""

    @property
    def open_arms(self) -> tuple[str, ...]:
        """Arms without a place, each of which may be best."""
        return open_arms(self.arms, self.pairs)

    @property
    def sole_best(self) -> str | None:
        """The one arm that may be best; every page and command asks here."""
        return sole_best(self.best, self.open_arms)

    @property
    def unseparated(self) -> tuple[str, ...]:
        """Arms that the one arm that may be best is not separated from."""
        return () if self.sole_best is None else unseparated(self.sole_best, self.pairs)
