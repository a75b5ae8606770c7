"""Whether a judge may stand in for people: which arms it favours, and the rule."""

from collections.abc import Sequence

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.people import AltTest, Beside, Leaning, Standing
from judgebench.model.reasons import RefusalCode
from judgebench.stats.arrays import FloatArray, nan_mean
from judgebench.stats.human import LEAST_BESIDE, fits, over_items, people_cells


def leanings(
    people: FloatArray, judge: FloatArray, arms: Sequence[str]
) -> tuple[Leaning, ...] | Refusal:
    """Which arms the judge marks higher or lower than people do, against the others.

    A bias that all arms share leaves their differences as they are; this one does
    not. Intervals hold for all arms together (Bonferroni).

    Args:
        people: Shape (A, I, P).
        judge: Shape (A, I).
        arms: Their A names.

    Returns:
        One for each arm with ten items, on which another arm is marked too.
        `Refusal` with ``too_few_arms`` below two arms, ``too_few_items`` where no
        arm has enough.

    Raises:
        ValueError: Shapes do not fit.

    Source:
        Our own figure; Student's t over items, Bonferroni over arms.
    """
    fits(people, judge)
    gap = judge - people_cells(people)[0]
    known = np.isfinite(gap)
    family = int(known.any(axis=1).sum())
    if family < 2:  # noqa: PLR2004 - nothing to favour it over
        return Refusal(
            statistic="leaning", code=RefusalCode.TOO_FEW_ARMS.value, have=family, need=2
        )  # fmt: skip
    out, most = [], 0
    for arm, name in enumerate(arms):
        others = nan_mean(np.delete(gap, arm, axis=0), axis=0)
        lean = gap[arm] - others
        lean = lean[np.isfinite(lean)]
        most = max(most, lean.size)
        if lean.size >= LEAST_BESIDE:
            out.append(Leaning(arm=name, gap=over_items(lean, family=family)))
    if not out:
        return Refusal(
            statistic="leaning", code=RefusalCode.TOO_FEW_ITEMS.value, have=most,
            need=LEAST_BESIDE,
        )  # fmt: skip
    return tuple(out)


def may_stand_in(
    beside_: Beside | Refusal,
    alt: AltTest | Refusal,
    leaning: tuple[Leaning, ...] | Refusal,
    *,
    margin: float,
) -> Standing:
    """Whether a judge may stand in for the people, by a rule that was fixed before looking.

    It may not where a bias, or a leaning to one arm, is shown to exceed the margin
    (the whole interval lies beyond it); else the alternative annotator test decides,
    and where that is refused nothing is shown.

    Args:
        beside_: The judge against people.
        alt: The test.
        leaning: Which arms it favours.
        margin: Points that matter: half a point of a scale of ten.

    Returns:
        The standing.

    Source:
        The rule is our own, docs/people.md; the test Calderon, Reichart & Dror (2025).
    """
    biased = not isinstance(beside_, Refusal) and beyond(beside_.bias, margin)
    leans = not isinstance(leaning, Refusal) and any(beyond(one.gap, margin) for one in leaning)
    if biased or leans or (isinstance(alt, AltTest) and not alt.passes):
        return Standing.NOT
    return Standing.STANDS_IN if isinstance(alt, AltTest) else Standing.NOT_SHOWN


def beyond(gap: Estimate, margin: float) -> bool:
    """Whether the whole interval of a gap lies further from zero than the margin.

    Args:
        gap: A gap, scale points.
        margin: In the same unit, 0 or more.

    Returns:
        False too for a gap without an interval.
    """
    if gap.low is None or gap.high is None:
        return False
    return gap.low > margin or gap.high < -margin
