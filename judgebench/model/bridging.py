"""The same answers judged under an old and a new judge or rubric: figures without words."""

from judgebench.model.nouns import Estimate, Refusal
from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Side:
    """One end of a bridge."""

    pass_id: str
    judge_name: str
    judge_model: str
    judge_sha256: str
    rubric_name: str
    rubric_version: str
    ask_sha256: str
    prompt_version: str
    judged_at: str
    """Day of its first judgment, ISO 8601; empty where it has none."""
    answered: tuple[str, ...]
    """Model strings and fingerprints that answered."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Offset:
    """How much higher the new side marks the same answers."""

    criterion: str
    """Id; empty for the total."""
    head: str
    reworded: bool
    """The two sides were asked in other words, or with other anchors."""
    answers: int
    then: float | None
    """Mean over items of the old marks, scale points."""
    now: float | None
    offset: Estimate | Refusal
    """New less old, items as units, scale points."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Turned:
    """Two arms whose order on the anchors is another one under the new side."""

    first: str
    second: str
    items: int
    """Items on which both arms have both totals."""
    then: float
    """Mean of first less second over these items, old totals, scale points."""
    now: float
    then_apart: bool
    """The 95 % interval of this one difference leaves out zero."""
    now_apart: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Bridge:
    """What changes with the judge or the rubric, on answers that both have judged."""

    run_name: str
    old: Side
    new: Side
    changed: tuple[str, ...]
    """Of ``judge``, ``rubric``, ``prompt`` and ``answered as``; empty where nothing has."""
    scale_low: float
    scale_high: float
    anchors: int
    """Answers that were to be judged again."""
    answers: int
    """Of these, with a total on both sides."""
    items: int
    offsets: tuple[Offset, ...]
    """A row a criterion in common, the total last."""
    only_old: tuple[str, ...]
    """Heads of criteria that the new rubric lacks."""
    only_new: tuple[str, ...]
    whole: bool
    """Totals are those of the old pass; else of the criteria in common by its weights alone."""
    arms: tuple[str, ...]
    pairs: int
    """Pairs of arms that share an item on both sides."""
    reversals: tuple[Turned, ...]
    blocked: int
    """Requests that the new judge gave no mark for."""
    calls: int
    cost_usd: float | None
    """Of the bridge; None where unknown."""
