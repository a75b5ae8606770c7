"""Refusal → words: what is not printed, why, and how to get it."""

from collections.abc import Sequence

from judgebench.model.nouns import Refusal
from judgebench.model.reasons import NEVER_MET, RefusalCode
from judgebench.model.result import Result
from judgebench.reports.digits import plain
from judgebench.reports.refusal_words import (
    GROUPS,
    NAMES,
    OF_NO_TOTAL,
    OF_STATISTIC,
    SHORT,
    SHORT_OF,
    WHY,
)
from judgebench.text import one_line

_OF_ALL = frozenset({"add items, not repeats", "add clusters, not items of these"})
"""What is advised wherever units are too few, whatever they are units of."""


def _special(refusal: Refusal) -> tuple[str, str] | None:
    """Words of this statistic alone; of groups that never met they are the same of all."""
    if refusal.code == RefusalCode.DISCONNECTED and refusal.how == NEVER_MET:
        return GROUPS
    return OF_STATISTIC.get((refusal.statistic, refusal.code))


def name(refusal: Refusal) -> str:
    """The statistic in words."""
    return NAMES.get(refusal.statistic, one_line(refusal.statistic, 40).replace("_", " "))


def why(refusal: Refusal, *, advised: bool = True) -> str:
    """Why it is not printed and what would be needed, without its name.

    Args:
        refusal: What is not printed.
        advised: Whether what to do stands behind it in brackets.
    """
    need, have = plain(refusal.need), plain(refusal.have)
    special = _special(refusal)
    text, how = special or WHY.get(refusal.code, ("", ""))
    # A code that is not ours may hold braces: it is never a template.
    text = text.format(need=need, have=have) or (
        f"{one_line(refusal.code, 40)}: needs {need}, have {have}"
    )
    # A special text that needs no advice takes none, and its own before what is said of all.
    own = "" if special and refusal.how in _OF_ALL else one_line(refusal.how, 100)
    how = (own or how) if how or not special else ""
    return f"{text} ({how})" if how and advised else text


def short(refusal: Refusal) -> str:
    """Why there is no figure, in as few words as a cell holds."""
    if refusal.code == RefusalCode.DISCONNECTED and refusal.how == NEVER_MET:
        return "arms of groups that never met"
    words = SHORT_OF.get((refusal.statistic, refusal.code)) or SHORT.get(refusal.code)
    return words or one_line(refusal.code, 40).replace("_", " ")


def one_for_all(values: Sequence[object]) -> Refusal | None:
    """The refusal of two values or more, where all of them have the same one."""
    first = values[0] if len(values) > 1 else None
    if not isinstance(first, Refusal):
        return None
    if all(_of_opponents(one) for one in values):
        # How far the opponents differ is another for each pair; why it stands there is one.
        return max((one for one in values if isinstance(one, Refusal)), key=lambda one: one.have)
    return None if any(one != first for one in values) else first


def _of_opponents(one: object) -> bool:
    return isinstance(one, Refusal) and one.code == RefusalCode.UNEQUAL_OPPONENTS.value


def cause(result: Result) -> Refusal | None:
    """The one cause for which no answer has a total although marks were given."""
    return next((one for one in result.refusals if one.statistic in {"totals", "panel"}), None)


def collect(result: Result) -> tuple[Refusal, ...]:
    """Every refusal of a result, one for each thing in words, in a steady order."""
    single = (
        result.best,
        result.detectable,
        result.items_needed,
        # Marks alone have no texts: no further item would give a length.
        None if result.judging.marks_only else result.checks.length_baseline,
        result.checks.drift,
    )
    found = [value for value in single if isinstance(value, Refusal)]
    found[1:1] = _of_all_arms(result)
    found += _of_pairs(result)
    found += result.refusals
    if cause(result):
        # All that lacks a total lacks it for this one cause.
        found = [one for one in found if one.code not in OF_NO_TOTAL or one.have]
    first: dict[tuple[str, str], Refusal] = {}
    for refusal in found:
        first.setdefault((name(refusal), refusal.code), refusal)
    return tuple(first.values())


def _of_pairs(result: Result) -> list[Refusal]:
    """What the comparisons could not carry; the order term fails with the strengths."""
    found = result.comparing
    if found is None:
        return []
    strengths = [arm.strength for arm in found.arms if isinstance(arm.strength, Refusal)]
    all_refused = len(strengths) == len(found.arms)
    values = [
        *(strengths[:1] if all_refused else ()),
        found.first_share,
        *(() if all_refused else (found.order,)),
        found.circular if len(found.arms) > 2 else None,  # noqa: PLR2004 - a circle has three
    ]
    return [value for value in values if isinstance(value, Refusal)]


def _of_all_arms(result: Result) -> list[Refusal]:
    """What no arm has; what only some lack stands in their own rows."""
    # The reference arm has no difference to itself: that is no refusal.
    others = [arm for arm in result.arms if arm.arm.id != result.reference]
    groups = (
        [arm.total for arm in result.arms],
        [arm.answered_rate for arm in result.arms],
        [arm.difference for arm in others],
    )
    found: list[Refusal] = []
    for group in groups:
        refusals = [value for value in group if isinstance(value, Refusal)]
        if len(refusals) == len(group):
            found += refusals
    return found
