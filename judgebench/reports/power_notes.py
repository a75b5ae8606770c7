"""What stands beside a detectable gap: how roughly it is known, and why items may be fewer."""

from collections.abc import Sequence

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode

NEAR_NORMAL_FROM = 30
"""Items from which simulated power is what was said, whatever the differences look like."""


def power_note(found: Estimate, comparisons: int, unit: str = "item") -> str:
    """What few items leave open of a detectable gap; empty where it does not matter."""
    if found.n >= NEAR_NORMAL_FROM:
        return ""
    from judgebench.stats.planning import power_range  # noqa: PLC0415 - most pages need no statistics

    low, high = power_range(found.n, comparisons=comparisons)
    return (
        f"{found.n} {unit}s tell the spread only roughly, so it may really be {100 * low:.0f} to "
        f"{100 * high:.0f} % (nine runs in ten, differences near normal)."
    )


def ties_note(found: Estimate | Refusal, needed: Sequence[int]) -> str:
    """Why items needed may be fewer than those from which a detectable gap can be told.

    Args:
        found: The detectable gap.
        needed: The items that stand beside it, each for one gap.
    """
    if not isinstance(found, Refusal) or found.code != RefusalCode.TOO_MANY_TIES:
        return ""
    if all(items >= found.need for items in needed):
        return ""
    return (
        "That is of the smallest gap that would be found: with marks in such steps the chance to "
        "find one rises in leaps. Items needed may be fewer, for each is of one given gap, and was "
        "held against simulated runs in these steps."
    )
