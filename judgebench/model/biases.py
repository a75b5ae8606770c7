"""What goes with a judge's marks beside the answers' worth: figures without words."""

from dataclasses import field

from judgebench.model.clusters import SPARE, Clusters
from judgebench.model.nouns import Estimate, Mode, Refusal
from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class BiasRow:
    """One probe of one pass."""

    probe: str
    """``order``, ``first_place``, ``length``, ``headings`` …, ``family``, ``leniency``,
    ``compression`` or ``halo``."""
    unit: str
    """What the effect is counted in; empty where it is refused."""
    effect: Estimate | Refusal
    null: float = 0.0
    """Value of the effect where there is no such leaning."""
    detectable: float | None = None
    """Smallest effect found in 80 % of such runs, in the same unit."""
    p_holm: float | None = None
    """Adjusted over the tested probes of this pass; None without a test."""
    reference: Estimate | Refusal | None = None
    """The same figure of the reference's own marks, where that means something."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LevelsUsed:
    """Which marks a judge uses, beside the reference, on the cells that both marked."""

    top_share: float
    """Share of the judge's cells at the two highest levels of the scale."""
    top_share_reference: float
    levels: int
    """Different values of cells."""
    levels_reference: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Flips:
    """Pairs whose arms are about equally near, and how many verdicts change with the order."""

    low: float
    """Share that the better of the two arms wins on the other items, at least."""
    high: float
    pairs: int
    """Judged in both orders."""
    changed: int
    """Another verdict once the order is another: turned, or a tie in one order only."""
    to_first: int
    """Of these, the pairs in which the place shown first did better."""
    share: Estimate | Refusal
    """Share that changes, items as clusters."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Biases:
    """All probes of one judge on one pass."""

    run_name: str
    pass_id: str
    judge_name: str
    judge_model: str
    rubric_name: str
    rubric_version: str
    mode: Mode
    scale_low: float
    scale_high: float
    arms: int
    items: int
    """Items with a mark."""
    reference: str
    """``people``, ``judges`` or empty: whom the judge is held against."""
    references: tuple[str, ...]
    """Names of these judges, or of these people."""
    people_compared: int | None = field(default=None, metadata=SPARE)
    """People who compared pairs and marked no answers, so that they are no reference."""
    people_marked: int | None = field(default=None, metadata=SPARE)
    """People who marked answers, which shares of a judge's comparisons are not held against."""
    family: str | None
    """The judge's vendor family; None where its name does not tell."""
    own_arms: tuple[str, ...]
    """Arms of the same family."""
    styled: int
    """Outputs whose text was read for the probes of style."""
    rows: tuple[BiasRow, ...]
    levels: LevelsUsed | None = None
    both_orders: int = 0
    """Pairs that were judged in both orders."""
    kept: int = 0
    """Of these, the pairs with the same verdict both ways."""
    length_baseline: Estimate | Refusal | None = None
    """Rank correlation of total with length among the arms of an item, as the table warns of."""
    flips: tuple[Flips, ...] | Refusal | None = None
    """By nearness of the arms, the nearest first; None where nothing is compared in pairs."""
    clusters: Clusters | None = field(default=None, metadata=SPARE)
    """The clusters that items come in, which no probe allows for; None where there are none."""
