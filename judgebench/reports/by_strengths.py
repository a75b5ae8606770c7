"""What strengths show where shares won are not compared, for the arms met other opponents.

Order, ranks, who may be best and the sentence are all of the differences of strengths over all
pairs of arms, which the pairs of the result hold.
"""

from judgebench.model.nouns import Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.model.result import PairResult, Result
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


def used(result: Result) -> bool:
    """Whether arms are held against each other by strengths, not by shares won."""
    return any(pair.strength is not None for pair in result.pairs)


def sentence(result: Result) -> str:
    """Whom the first arm that is told apart is above or below; empty where none is clear."""
    if not used(result):
        return ""
    placed = [one.arm.id for one in result.arms if one.placed]
    told = [pair.above for pair in result.pairs if pair.above]
    firsts = (result.reference, *placed)
    name = next((one for one in firsts if any(one in pair for pair in told)), None)
    if name is None:
        return ""
    below = [one for one in placed if (name, one) in told]
    above = [one for one in placed if (one, name) in told]
    if not (below or above):
        return ""
    others = len(result.arms) - 1
    said = [
        f"{word} {_names(result, arms, others)}"
        for word, arms in (("above", below), ("below", above))
        if arms
    ]
    return (
        f"By strengths, which allow for opponents, {short(name, result)} is {' and '.join(said)} "
        "(95 %, over all pairs of arms)."
    )


def beside(result: Result, items: str) -> str:
    """What stands before the sentence on strengths; empty where shares won are compared.

    Args:
        result: What is known.
        items: How many items there are, in words.
    """
    if not used(result):
        return ""
    if sentence(result):
        return f"{items}."
    return f"{items}: no arm is shown better than another."


def _names(result: Result, arms: list[str], others: int) -> str:
    if len(arms) == others > 1:
        return f"the other {plural(others, 'arm')}"
    return listed([short(one, result) for one in arms], most=len(arms))
