"""What an extended report adds to a result: figures that stand beside the answer.

Each is an `Estimate` or a `Refusal`; None is "not computed here", never "nothing found".
"""

from dataclasses import field

from judgebench.model.clusters import SPARE
from judgebench.model.nouns import Estimate, Refusal
from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class ArmExtra:
    """Further figures of one arm, in the order of the table."""

    arm: str
    median: Estimate | Refusal
    """Median total over items, interval from order statistics."""
    least_squares: Estimate | Refusal
    """Mean as if every arm had answered every item; ``nothing_missing`` where all have."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PairExtra:
    """One pair beside `PairResult`: other tests, and the ends that blocked answers leave open."""

    first: str
    second: str
    p_holm: float | None
    """Holm over paired t; None where the pair is refused."""
    p_max_t: float | None
    """Step-down max-T over joint sign flips; `Extended.max_t` says why there is none."""
    sign_flip: Estimate | Refusal
    """Mean difference with the p of this pair alone."""
    worst_low: float | None
    """Difference with the first arm's blocked cells lowest and the second's highest; None
    where there is no mark, nobody named the scale (``scale_not_named``), or differences are
    within people (``raters_differ``)."""
    worst_high: float | None
    """The other way round; None as `worst_low`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CriterionRow:
    """One arm on one criterion."""

    arm: str
    mean: Estimate | Refusal
    difference: Estimate | Refusal
    """To the reference of the criterion; all pairs on all criteria together 95 %."""
    p: float | None
    """What `separated` rests on, over all pairs on all criteria: the larger of Holm's p and, from
    six items, max-T's; None for the reference, or where refused."""
    separated: bool | None
    """From the reference."""
    may_be_best: bool | None
    rank_low: int | None
    rank_high: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class CriterionExtra:
    """The comparison of the arms on one criterion alone."""

    criterion: str
    reference: str | None
    best: tuple[str, ...] | Refusal
    """Placed arms that may be best."""
    rows: tuple[CriterionRow, ...]
    open_arms: tuple[str, ...] | None = field(default=None, metadata=SPARE)
    """Arms without a place that may be best too; None where there are none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RepeatExtra:
    """A judge against itself, on one criterion or on the total."""

    criterion: str | None
    """None is the total."""
    sd: Estimate | Refusal
    """Re-scoring noise, scale points."""
    limit: float | None
    """Two scorings of one answer differ by more in 1 of 20."""
    exact_share: float | None
    floored: bool
    """The sample spread less than rounding alone must: the floor stands."""
    modal_mark: float | None
    """None for the total, and for a criterion without marks."""
    modal_share: float | None
    """Share of the most frequent mark; None as `modal_mark`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Again:
    """The judge against itself, on totals: what every report says of it."""

    total: RepeatExtra
    swap_share: Estimate | Refusal
    """Share of same-item pairs of arms that turn when scored again."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Extended:
    """All that `--extended` adds."""

    rule: str
    """What separates pairs: ``holm-t``, or ``max-t`` where some have to pass both."""
    max_t: Refusal | None
    """Why some pair is not held against max-T; None where every pair is."""
    arms: tuple[ArmExtra, ...]
    pairs: tuple[PairExtra, ...]
    tiers: tuple[tuple[str, ...], ...]
    """Groups cut only where every arm above is separated from every arm below."""
    criteria: tuple[CriterionExtra, ...]
    repeats: tuple[RepeatExtra, ...]
    swap_share: Estimate | Refusal
    """Share of same-item pairs of arms that turn when scored again."""
    refusals: tuple[Refusal, ...]
    """Figures of the extended report that these data do not carry at all."""
