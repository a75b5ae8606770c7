"""A run before judging: what would be blocked and why, the plan, and what it would take."""

from judgebench.model.audits import RunProject
from judgebench.model.clusters import Clusters
from judgebench.model.collected import Settings
from judgebench.model.nouns import Mode
from judgebench.model.result import BlockedCount
from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Estimated:
    """An estimate, said to be one: four characters a token, a fixed length a mark."""

    requests: int
    planted: int
    """Planted controls in the whole plan."""
    controls: int
    """Their requests: several each where criteria are split, two in pairs."""
    probe: int
    """Requests of the blindness probe, where it is wished for; among `requests`."""
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    """None where the judge's price is unknown."""
    price_source: str | None
    talks: int = 0
    """Conversations with a judge that reads with tools, among `requests`: tokens and dollars
    are then an upper bound, every turn taken and every answer as long as it may be."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ArmCheck:
    """What is known of one arm before judging."""

    arm: str
    planned: int
    judgeable: int
    rate_low: float | None
    """Lower end of the exact interval of the answered rate."""
    blocked: tuple[BlockedCount, ...]
    suspects: int
    masked: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Check:
    """Fairness and validity of a run, with plan and price."""

    run: str
    form: str
    declared: bool
    kinds_said: bool
    """Of every arm it is written whether it is of a CLI."""
    has_prompt: bool
    items: int
    settings: Settings
    missing: tuple[str, ...]
    """Settings that are unknown."""
    arms: tuple[ArmCheck, ...]
    unknowns: dict[str, int]
    flags: dict[str, int]
    keys_not_read: tuple[str, ...]
    """Keys of meta.json that are passed over."""
    cli_arms: int
    """Arms that are declared as such."""
    ambiguities: tuple[str, ...]
    notes: tuple[str, ...]
    rubric: str
    hints: tuple[str, ...]
    """What is legal but unwise in the rubric."""
    rubric_notes: tuple[str, ...]
    """Why it is taken, criteria that apply to no item, and that it judges the run anew."""
    judge: str
    planned: int
    answered: int
    """Requests of this very pass that are answered already."""
    estimated: Estimated
    replay: bool
    judged: str | None = None
    """The stored pass that has answered all of this already; None while something is open."""
    not_asked: tuple[str, ...] = ()
    """Items that no criterion of the rubric applies to."""
    mode: str = Mode.POINTWISE.value
    projects: tuple[RunProject, ...] = ()
    """What would be shown of outputs that are project folders."""
    an_item: int = 0
    """Requests for an item of which no answer is blocked, judged once."""
    clusters: Clusters | None = None
    """The clusters that its items come in; None where items are independent."""
