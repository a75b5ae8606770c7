"""A share of passes as people would have it, where the judge errs both ways."""

from math import sqrt

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.people import GateShare
from judgebench.model.reasons import RefusalCode
from judgebench.stats.arrays import FloatArray, nan_mean
from judgebench.stats.special import ndtri

LEAST_EACH = 10
"""Answers that people passed, and that they failed, at least."""


def rogan_gladen(apparent: float, sensitivity: float, specificity: float) -> float:
    """True share behind an apparent one: (p + Sp − 1) / (Se + Sp − 1), not clipped.

    Args:
        apparent: p in [0, 1], share that the judge passes.
        sensitivity: Se in [0, 1], share of what people pass that the judge passes.
        specificity: Sp in [0, 1], share of what people fail that the judge fails.

    Returns:
        The share, which errors of Se and Sp may push out of [0, 1].

    Raises:
        ZeroDivisionError: Se + Sp is 1: the judge passes by chance alone.

    Source:
        Rogan & Gladen (1978).

    >>> round(rogan_gladen(0.3, 0.9, 0.8), 6)
    0.142857
    """
    return (apparent + specificity - 1) / (sensitivity + specificity - 1)


def corrected_share(
    *,
    passed: int,
    judged: int,
    both_passed: int,
    people_passed: int,
    both_failed: int,
    people_failed: int,
    level: float = 0.95,
) -> GateShare | Refusal:
    """Share of answers that people would pass, from a judge's passes.

    Args:
        passed: Answers that the judge passed.
        judged: Answers that the judge decided.
        both_passed: Labelled answers that both passed.
        people_passed: Labelled answers that people passed.
        both_failed: Labelled answers that both failed.
        people_failed: Labelled answers that people failed.
        level: Confidence.

    Returns:
        The share with an interval from all three samples, ``kind`` "rogan-gladen".
        `Refusal` with ``too_few_items`` below ten of either kind,
        ``not_identified`` where the judge may be no better than chance.

    Raises:
        ValueError: Counts do not fit.

    Source:
        Rogan & Gladen (1978); interval of Lang & Reiczigel (2014).
    """
    if not (
        0 <= passed <= judged
        and 0 <= both_passed <= people_passed
        and 0 <= both_failed <= people_failed
    ):
        raise ValueError("a part is larger than its whole")
    least = min(people_passed, people_failed)
    if least < LEAST_EACH or not judged:
        return Refusal(
            statistic="gate", code=RefusalCode.TOO_FEW_ITEMS.value, have=least, need=LEAST_EACH,
            how="answers that people passed, and as many that they failed",
        )  # fmt: skip
    z = float(ndtri((1 + level) / 2))
    # One success and one failure more: a sample without a miss is no certainty.
    se, n_se = (both_passed + 1) / (people_passed + 2), people_passed + 2
    sp, n_sp = (both_failed + 1) / (people_failed + 2), people_failed + 2
    n_p = judged + z**2
    p = (passed + z**2 / 2) / n_p
    power = se + sp - 1
    of_se, of_sp = se * (1 - se) / n_se, sp * (1 - sp) / n_sp
    if power - z * sqrt(of_se + of_sp) <= 0:
        return Refusal(
            statistic="gate", code=RefusalCode.NOT_IDENTIFIED.value, have=0, need=1,
            how="the judge passes what people fail about as often as what they pass",
        )  # fmt: skip
    share = rogan_gladen(p, se, sp)
    variance = (p * (1 - p) / n_p + share**2 * of_se + (1 - share) ** 2 * of_sp) / power**2
    centre = share + 2 * z**2 * (share * of_se - (1 - share) * of_sp)
    half = z * sqrt(variance)
    sens, spec = both_passed / people_passed, both_failed / people_failed
    return GateShare(
        share=Estimate(
            value=_clip(rogan_gladen(passed / judged, sens, spec)),
            n=people_passed + people_failed,
            low=_clip(centre - half),
            high=_clip(centre + half),
            level=level,
            kind="rogan-gladen",
        ),
        raw=passed / judged,
        sensitivity=sens,
        specificity=spec,
    )


def share_at(people: FloatArray, judge: FloatArray, below: float) -> GateShare | Refusal:
    """Share of one arm's answers that people would pass at a bar.

    Args:
        people: Shape (I, P), marks of people, NaN where there is none; their mean passes.
        judge: Shape (I,), the judge's cells.
        below: Marks under it fail.

    Returns:
        As `corrected_share`.

    Raises:
        ValueError: Shapes do not fit.

    Source:
        Rogan & Gladen (1978); Lang & Reiczigel (2014).
    """
    if people.ndim != 2 or people.shape[:1] != judge.shape:  # noqa: PLR2004 - two axes
        raise ValueError("people must have shape (I, P), the judge (I,)")
    cells = nan_mean(people, axis=1)
    judged = np.isfinite(judge)
    both = judged & np.isfinite(cells)
    said, ours = judge >= below, cells >= below
    return corrected_share(
        passed=int((said & judged).sum()),
        judged=int(judged.sum()),
        both_passed=int((said & ours & both).sum()),
        people_passed=int((ours & both).sum()),
        both_failed=int((~said & ~ours & both).sum()),
        people_failed=int((~ours & both).sum()),
    )


def _clip(share: float) -> float:
    return min(1.0, max(0.0, share))
