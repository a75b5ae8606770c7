"""How far passes on one run agree: figures without words, for `judge agree` and `judge rejudge`.

A *rater* is one complete pass, or one person of a pass of people; several raters may
be one and the same judge. All here were asked the same (one rubric hash), so a gap is
theirs alone.
"""

from dataclasses import field
from enum import StrEnum

from judgebench.model.clusters import SPARE, Clusters
from judgebench.model.controls import Controls
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.passes import DataLevel, PassFacts
from judgebench.records import dataclass


class Holding(StrEnum):
    """Whether the answer of one pass is also that of the others, by rule."""

    HOLDS = "holds"
    """The same set of arms that may be best, and no separated pair reversed."""
    MOSTLY = "mostly"
    """The sets share an arm, or one is open to all, and no separated pair is reversed."""
    DOES_NOT_HOLD = "does_not_hold"
    """No arm in all sets, or a pair that one pass separates the other way round in another."""
    NOTHING_SHOWN = "nothing_shown"
    """Every placed arm may be best by every pass and no pair is separated: no answer to hold."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Near:
    """How close two marks of one cell are, each figure beside its chance baseline.

    The baseline is the same figure with one rater's marks in every other order
    over the cells: what raters with these habits reach without looking.
    """

    exact: float
    within: float
    gap: float
    """Mean absolute difference, scale points."""
    chance_exact: float
    chance_within: float
    chance_gap: float
    units: int
    """Cells with two or more marks, equally weighted."""
    wide: float | None = None
    """Share within the wider distance; None where only one is asked for."""
    chance_wide: float | None = None
    """None as `wide`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Noise:
    """How far one judge moves when it scores the same answer again."""

    sd: Estimate
    """Pooled within-cell standard deviation, scale points; ``n`` counts the cells."""
    df: int
    """Σ(r − 1) over those cells."""
    limit: float
    """Repeatability limit 1.96·√2·sd: two scorings differ by more in 1 of 20."""
    floored: bool
    """Less spread was seen than rounding alone must have: the floor stands."""
    exact_share: float
    """Share of pairs of scorings of one cell that are equal, cells equally weighted."""


@dataclass(frozen=True, kw_only=True, slots=True)
class IccForms:
    """Intraclass correlations: one rater, and the mean of all."""

    absolute: Estimate | Refusal
    absolute_mean: Estimate | Refusal
    consistency: Estimate | Refusal
    consistency_mean: Estimate | Refusal
    one: Estimate | Refusal | None = None
    """(1,1): each cell with raters of its own, one mark."""
    one_mean: Estimate | Refusal | None = None
    """(1,k)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Gaps:
    """Bland–Altman: second rater minus first."""

    bias: Estimate | Refusal
    """Mean signed gap; its interval is over items."""
    low: float | None
    """Lower limit of agreement; None below ten items, or clusters of them."""
    high: float | None
    """None as `low`; `limits_refused` has the code."""
    slope: float | None
    """Of the gap on the mean of both; None as `low`."""
    limits_refused: Refusal | None = None
    """Why there are no limits."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rater:
    """One pass, as a rater among others."""

    facts: PassFacts
    name: str
    """The judge's name, with what tells its passes apart."""
    judge: int
    """Number of its judge, from 0: passes of one judge have the same."""
    best: tuple[str, ...] | Refusal
    """Arms that may be best by this pass alone, as its own table says."""
    unplaced: tuple[str, ...]
    """Arms with marks that stand as ``?`` in it: blocked answers could change their place."""
    unjudged: tuple[str, ...]
    """Arms without any mark in it: they stand in no order."""
    order: tuple[str, ...]
    """Arms that stand in a place, in the order of its table."""
    means: tuple[float, ...]
    """Mean total of each arm of `order`."""
    mean: float | None
    """Mean total over the cells that all raters scored."""
    spread: float | None
    """Standard deviation of these totals."""
    noise: Noise | Refusal
    swaps: Estimate | Refusal
    """Share of arm pairs of one item whose order turned when it scored them again."""
    pinned: bool = False
    """A seed was sent to the model: repeats may repeat themselves without measuring anything."""
    controls: Controls | None = None
    """What planted controls say of it; None where its plan holds none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AgreementRow:
    """Agreement on one criterion, or on the total."""

    criterion: str
    """Id; empty for the total."""
    head: str
    near: Near | Refusal
    alpha: Estimate | Refusal
    shift: Gaps | Refusal | None = field(default=None, metadata=SPARE)
    """None where there are more than two raters: see the pairs of raters."""
    ordering: Estimate | Refusal | None = field(default=None, metadata=SPARE)
    """Share of same-item arm pairs ordered alike; None as above."""
    icc: IccForms | Refusal
    noise: Noise | Refusal
    """Pooled over all raters."""
    swaps: Estimate | Refusal | None = field(default=None, metadata=SPARE)
    """Share of same-item arm pairs that turned on re-judging, all raters; None of one arm."""
    kappa: Estimate | Refusal | None = field(default=None, metadata=SPARE)
    """Quadratic-weighted κ, which is Lin's concordance; None beside other than two raters."""
    tau: Estimate | Refusal | None = field(default=None, metadata=SPARE)
    """Kendall's τ-b within an item, averaged; None as above, and of one arm."""
    w_items: Estimate | Refusal | None = field(default=None, metadata=SPARE)
    """Kendall's W within an item, averaged; None below three raters, and of one arm."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RaterPair:
    """Two raters on the totals of the cells that both scored."""

    first: int
    second: int
    near: Near | Refusal
    alpha: Estimate | Refusal
    shift: Gaps | Refusal
    ordering: Estimate | Refusal
    kappa: Estimate | Refusal | None = None
    tau: Estimate | Refusal | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Reversal:
    """Two arms that at least one pass separates, and another orders the other way round."""

    first: str
    second: str
    gaps: tuple[float | None, ...]
    """First minus second, a value a rater, scale points."""
    separated: tuple[bool, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Split:
    """One cell that the raters split on."""

    arm: str
    item: str
    criterion: str
    """The criterion with the widest gap."""
    marks: tuple[float | None, ...]
    """On that criterion, a value a rater."""
    totals: tuple[float | None, ...]
    gap: float
    """Widest gap on any criterion, scale points."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SampledGap:
    """A difference of two arms with judges taken as a sample of judges."""

    first: str
    second: str
    difference: Estimate | Refusal
    separated: bool | None
    """None where the difference is refused."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOut:
    """What the panel would say without one judge."""

    judge: str
    best: tuple[str, ...] | Refusal
    order: tuple[str, ...]
    same: bool | Refusal
    """The arms that may be best are the same as with all judges; refused where either set is."""


@dataclass(frozen=True, kw_only=True, slots=True)
class VarianceParts:
    """Where the spread of totals comes from, points²; a negative estimate stands as 0."""

    item: float
    arm: float
    judge: float
    item_arm: float
    arm_judge: float
    item_judge: float
    item_arm_judge: float
    residual: float
    negative: tuple[str, ...]
    """Those whose estimate was below 0."""
    n_arms: int
    n_items: int
    n_judges: int
    n_repeats: int
    dropped: float = 0.0
    """Share of given marks left out, so that the block is complete."""
    without: tuple[str, ...] = ()
    """Judges left out for it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgeDesign:
    """One design of judges × repeats × items."""

    items: int
    judges: int
    repeats: int
    sd: float
    """Of an arm's mean against other arms, scale points."""
    low: float | None
    """90 % jackknife range of it over items and arms; None where the pilot is too small."""
    high: float | None
    detectable: float | None
    """Smallest difference found with power 0.8, one pair, scale points."""
    judgments: int
    """All arms together."""
    cost_usd: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Designs:
    """The D-study: what other numbers of judges, repeats and items would give."""

    wished: float
    """Difference that is to be found, scale points."""
    grid: tuple[JudgeDesign, ...]
    cheapest: JudgeDesign | None
    """Fewest judgments that find it; None where no design tried does."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Agreement:
    """Agreement of two or more passes that were asked the same."""

    run_name: str
    rubric_name: str
    scale_low: float
    scale_high: float
    near_points: float
    """What counts as near: 1 on a scale of ten, 5 on 0–100."""
    level: DataLevel
    judges: int
    """Distinct judges behind the raters."""
    arms: tuple[str, ...]
    items: int
    cells: int
    """Cells that any rater scored."""
    shared: int
    """Cells that all raters scored."""
    raters: tuple[Rater, ...]
    verdict: Holding | Refusal
    common: tuple[str, ...]
    """Arms in all sets of possible best; else those too that some left open or never marked."""
    reversals: tuple[Reversal, ...]
    """Separated pairs that are reversed."""
    pairs_turned: int
    """Pairs of arms, over shared cells, that are not ordered alike by all raters."""
    pairs_compared: int
    """Those that all have marks of, and that not all of them tie."""
    rows: tuple[AgreementRow, ...]
    """A row a criterion, the total last."""
    pairs: tuple[RaterPair, ...] | Refusal
    """Each two raters; refused where they are very many."""
    w_items: Estimate | Refusal
    """Kendall's W within an item, averaged over items."""
    w_totals: Estimate | Refusal
    """Kendall's W on the arms' means."""
    sampled: tuple[SampledGap, ...] | Refusal
    panel_best: tuple[str, ...] | Refusal
    """Of the equal-weight panel of all judges."""
    left_out: tuple[LeftOut, ...] | Refusal
    parts: VarianceParts | Refusal
    designs: Designs | Refusal
    splits: tuple[Split, ...]
    """The widest first; not all of `cells_split`."""
    cells_split: int = 0
    """Cells with marks that differ on a criterion."""
    cells_far: int = 0
    """Those that lie more than `near_points` apart on one."""
    alpha_metric: str = "ordinal"
    """Differences that alpha counts on a criterion: ordinal or interval; interval on totals."""
    wide_points: float | None = None
    """The wider distance that stands beside it, 10 on 0–100; None on a scale of ten."""
    effective: Estimate | Refusal | None = None
    """How many independent judges they are worth, by errors against people; None of one judge,
    and of people."""
    by_arm: tuple[AgreementRow, ...] = ()
    """Totals of one arm alone, a row an arm; none where there is one rater."""
    projects: bool = False
    """Each arm stands for one project of one brief: totals describe it, nothing is ranked."""
    persons: bool = False
    """The raters are the persons of one pass of people, not passes of judges."""
    others: tuple[PassFacts, ...] = ()
    """Passes on this run that are not compared: unfinished, or asked something else."""
    clusters: Clusters | None = field(default=None, metadata=SPARE)
    """The clusters that items come in; None where items are independent."""
