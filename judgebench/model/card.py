"""One judge under one rubric over all passes in a store: figures without words."""

from judgebench.model.biases import Biases
from judgebench.model.controls import ControlCheck, ControlClass
from judgebench.model.extended import RepeatExtra
from judgebench.model.nouns import Estimate, Refusal
from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class CardPass:
    """One pass that the card rests on."""

    run: str
    pass_id: str
    mode: str
    route: str
    complete: bool
    started_at: str
    finished_at: str | None
    arms: int
    items: int
    """Items with a mark."""
    judgments: int
    """Answered requests, those for the noise and the drift among them; a list is one."""
    blocked: int
    """Judgments blocked on the judge's side."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CardBeside:
    """The judge beside another rater, on the totals of the outputs that both marked."""

    name: str
    by_people: bool
    runs: int
    cells: int
    gap: Estimate | Refusal
    """Mean of the judge's less the other's, scale points."""
    ordering: Estimate | Refusal
    """Share of same-item pairs of arms that both order alike."""
    alpha: Estimate | Refusal


@dataclass(frozen=True, kw_only=True, slots=True)
class CardCount:
    """How often something happened."""

    name: str
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Answered:
    """A model string and provider fingerprint that judgments came back with."""

    model: str | None
    fingerprint: str | None
    judgments: int
    first_at: float
    """Seconds since 1970."""
    last_at: float


@dataclass(frozen=True, kw_only=True, slots=True)
class CardFailure:
    """A planted control that was not treated rightly, and where it stands."""

    run: str
    pass_id: str
    check: ControlCheck


@dataclass(frozen=True, kw_only=True, slots=True)
class CardControls:
    """What the planted controls of all passes say of the judge."""

    passes: int
    """Passes with controls in their plan; the others were judged without."""
    planted: int
    decided: int
    passed: int
    rate: Estimate | Refusal
    """Share passed of those decided, exact interval."""
    classes: tuple[ControlClass, ...]
    failures: tuple[CardFailure, ...]
    undecided: tuple[tuple[str, int], ...]
    """Why controls are not decided, with their number."""
    pair_passes: int
    """Of `passes`, those that compare pairs."""

    @property
    def by_pairs(self) -> bool:
        """Every control was compared with its source, and not marked."""
        return self.pair_passes == self.passes


@dataclass(frozen=True, kw_only=True, slots=True)
class Card:
    """Everything that the store tells of one judge under one rubric."""

    judge_name: str
    judge_model: str
    judge_sha256: str
    rubric_name: str
    rubric_versions: tuple[str, ...]
    ask_sha256: str
    sum_sha256: tuple[str, ...]
    prompt_versions: tuple[str, ...]
    scale_low: float
    scale_high: float
    first_at: str
    """When the first pass began, ISO 8601."""
    last_at: str
    """When the last one was finished, or began where it was not."""
    passes: tuple[CardPass, ...]
    answered: tuple[Answered, ...]
    repeats: tuple[RepeatExtra, ...]
    """Of the total (criterion None), then of each criterion, all passes that mark together."""
    swaps: Estimate | Refusal
    length_baseline: Estimate | Refusal
    beside: tuple[CardBeside, ...]
    controls: CardControls | None
    """None where no pass has any."""
    biases: Biases | None
    """Of the pass with the most items; None where no pass has any."""
    quotes: int
    quotes_found: int
    marks: int
    marks_unsupported: int
    refused: tuple[CardCount, ...]
    """Judge-side reasons of blocked judgments, the most frequent first."""
    calls: int
    judgments: int
    cost_usd: float | None
    """Of all passes; None where it is unknown of one of them."""
    price_sources: tuple[str, ...]
