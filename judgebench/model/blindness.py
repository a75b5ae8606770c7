"""Whether a judge could tell who wrote what it marked, and what hangs on it: figures alone."""

from judgebench.model.nouns import Estimate, Refusal
from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class NamedArm:
    """How often the answers of one arm were taken for its own."""

    arm: str
    shown_as: str
    """What the judge was told of it."""
    asked: int
    right: int
    named: int
    """How often it was named, rightly or not."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Blindness:
    """What a judge made of unlabelled outputs and the list of arms."""

    run_name: str
    pass_id: str
    judge_name: str
    asked: int
    """Outputs with an answer."""
    unanswered: int
    """Outputs without a usable one; not counted."""
    right: int
    accuracy: Estimate | Refusal
    """Share of outputs whose arm was named, exact interval."""
    chance: float
    """One of the arms at random."""
    scan_finds: int
    """Identity strings that the leak scan found in these outputs (masked, unless flagged)."""
    scan_outputs: int
    """Outputs with such a string."""
    arms: tuple[NamedArm, ...]
    calls: int
    """Of the last start that asked anything."""
    cost_usd: float | None
    """Of these calls; None where it is unknown."""
    content_sha256: str = ""
    """Of what the run held, as the pass was finished with it."""
    stale: bool = False
    """Whether the run has changed since."""

    @property
    def seen_through(self) -> bool | None:
        """Whether it does better than chance; None where nothing was asked."""
        if isinstance(self.accuracy, Refusal) or self.accuracy.low is None:
            return None
        return self.accuracy.low > self.chance


@dataclass(frozen=True, kw_only=True, slots=True)
class ArmWithout:
    """One arm without its answers that were sent with names."""

    arm: str
    mean: float | None
    """Mean total over the items that are left, scale points."""
    answered: int
    """Items that are left."""
    placed: bool
    """False: stands as ``?`` by what is left."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WithoutFlagged:
    """The ratings without the answers that were sent with names (--blind flag)."""

    answers: int
    """Scored answers that are left out."""
    items: int
    """Items left out for all arms, where outputs were compared; else 0."""
    best: tuple[str, ...] | Refusal
    """Arms that may be best without them."""
    same: bool | None
    """The same arms may be best; None where one of the two sets is refused."""
    arms: tuple[ArmWithout, ...]
