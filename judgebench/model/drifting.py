"""Whether a judge still marks as it did when a pass was judged: figures without words."""

from judgebench.model.controls import ControlCheck, ControlKind, Controls
from judgebench.model.nouns import Estimate, Refusal
from judgebench.records import dataclass

DRIFT_REPEATS = 1_000
"""Judgings for drift are numbered above this, one number for each extension of the pass."""
CHECK_REPEATS = 10_000
"""Those of `judge drift` above this, one number a check: they tell of another day's judge."""


def judging_words(repeat: int) -> str:
    """Say which judging of an answer it was: ``judging 2``, ``drift check 1``."""
    if repeat > CHECK_REPEATS:
        return f"drift check {repeat - CHECK_REPEATS}"
    if repeat > DRIFT_REPEATS:
        return f"drift {repeat - DRIFT_REPEATS}"
    return f"judging {repeat}"


@dataclass(frozen=True, kw_only=True, slots=True)
class DriftCheck:
    """One time that anchors of a pass were judged again."""

    number: int
    at: str
    """Day of its last judgment, ISO 8601."""
    answers: int
    gap: Estimate | Refusal
    """Mean of the later less the first totals, items as units, scale points."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DriftControls:
    """Planted controls of a pass, judged again word for word."""

    then: Controls
    """As the pass itself had them."""
    now: Controls
    lost: tuple[ControlCheck, ...]
    """Passed then, failed now."""
    failed: tuple[ControlKind, ...]
    """Kinds that the judge passed then and fails now."""
    moved: float
    """Points that the totals of sources judged in the pass alone were moved by: the gap, where
    the judge has drifted; else 0."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Drift:
    """Anchors judged again now, beside their first totals."""

    run_name: str
    pass_id: str
    judge_name: str
    judge_model: str
    rubric_name: str
    scale_low: float
    scale_high: float
    judged_at: str
    """Day of the first judgment of the pass."""
    verdict: str
    """``new_judge``, ``drifted``, ``no_drift`` or ``undecided``."""
    now: DriftCheck
    items: int
    detectable: float | None
    """Smallest gap found in 80 % of such checks, scale points."""
    noise: Estimate | Refusal
    """Sd of one scoring of the same answer within the pass, scale points."""
    noise_reach: float | None
    """A gap that noise alone stays within in 95 of 100 such checks; None where unknown."""
    same_day: Estimate | Refusal
    """The gap between the two judgings of the noise cells, where there was no time to drift."""
    answered_then: tuple[str, ...]
    """Model strings and fingerprints that answered in the pass."""
    answered_now: tuple[str, ...]
    blocked: int
    """Requests of this check that the judge gave no mark for."""
    controls: DriftControls | None = None
    """None where the pass holds none, or this check judged none of them again."""
    earlier: tuple[DriftCheck, ...] = ()
