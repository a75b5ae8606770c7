"""What strengths show where shares won are not compared, for the arms met other opponents.

Strengths stand against the reference arm, which the data name, each with an interval of its
own. A sentence over several of them is held to Bonferroni over all pairs of arms: that covers
the arms above and below whichever arm the data have put first.
"""

from math import comb

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.model.result import PairResult, Result
from judgebench.reports import comparing
from judgebench.reports.digits import listed, plural
from judgebench.reports.wording import short


def unlike(result: Result) -> list[PairResult]:
    """Pairs of arms that met other opponents."""
    code = RefusalCode.UNEQUAL_OPPONENTS
    return [
        pair
        for pair in result.pairs
        if isinstance(pair.difference, Refusal) and pair.difference.code == code
    ]


def sentence(result: Result) -> str:
    """Which arms the reference arm is above or below by strengths; empty where none is clear."""
    reference = result.reference
    if reference is None or not any(a.placed for a in result.arms if a.arm.id == reference):
        return ""
    below, above = _clear(result, reference)
    if not (below or above):
        return ""
    others, name = len(result.arms) - 1, short(reference, result)
    said = [
        f"{word} {_names(result, arms, others)}"
        for word, arms in (("above", below), ("below", above))
        if arms
    ]
    return (
        f"By strengths, which allow for opponents, {name} is {' and '.join(said)} "
        "(95 %, over all pairs of arms)."
    )


def beside(result: Result, items: str) -> str:
    """What shares won leave open, where strengths say more; empty where they do not.

    Args:
        result: What is known.
        items: How many items there are, in words.
    """
    if not sentence(result):
        return ""
    if len(unlike(result)) == len(result.pairs):
        return f"{items}."
    return f"{items}: no arm is shown better than another by shares won."


def _clear(result: Result, reference: str) -> tuple[list[str], list[str]]:
    """Arms below and above the reference, of those that no share is compared with."""
    met = {
        pair.second if pair.first == reference else pair.first
        for pair in unlike(result)
        if reference in {pair.first, pair.second}
    }
    below, above = [], []
    for arm in result.arms:
        if arm.arm.id not in met or not arm.placed:
            continue
        ends = _jointly(result, arm.arm.id)
        if ends is not None and ends[1] < 0:
            below.append(arm.arm.id)
        elif ends is not None and ends[0] > 0:
            above.append(arm.arm.id)
    return below, above


def _jointly(result: Result, arm: str) -> tuple[float, float] | None:
    """Ends of the interval of a strength, over all pairs of arms together."""
    from judgebench.stats.intervals import t_quantile  # noqa: PLC0415 - most pages need none

    found = comparing.of(result, arm)
    value = found.strength if found is not None else None
    if not isinstance(value, Estimate) or value.low is None or value.high is None:
        return None
    beyond, pairs = (1 - value.level) / 2, comb(len(result.arms), 2)
    wider = t_quantile(1 - beyond / pairs, value.n - 1) / t_quantile(1 - beyond, value.n - 1)
    low, high = (wider * (end - value.value) for end in (value.low, value.high))
    return value.value + low, value.value + high


def _names(result: Result, arms: list[str], others: int) -> str:
    if len(arms) == others > 1:
        return f"the other {plural(others, 'arm')}"
    return listed([short(one, result) for one in arms], most=len(arms))
