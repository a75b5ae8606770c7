"""Whether the answer would change: without flagged answers, by other weights, one item less."""

from judgebench.model.blindness import WithoutFlagged
from judgebench.model.nouns import Refusal
from judgebench.model.result import Result
from judgebench.model.sensitivity import GapDrivers
from judgebench.reports import refusals
from judgebench.reports.digits import decimals, listed, plural, points, share, signed
from judgebench.reports.naming import apart
from judgebench.reports.wording import short

Group = tuple[str, tuple[str, ...]]
"""What would or would not change, and the figures that belong to it."""
_MOST_DIGITS = 4
_NONE = 5e-10
"""Differences below it are 0, and rounding is what is left."""


def sensitivity(result: Result) -> tuple[Group, ...]:
    """Whether answers with names, other weights, or one item less, would change the answer."""
    made = (_named(result), _weights(result), _drivers(result))
    return tuple(one for one in made if one is not None)


def _named(result: Result) -> Group | None:
    """The ratings without answers that were sent with names, where there are such."""
    found = result.without_flagged
    if found is None:
        return None
    items = f", all {plural(found.items, 'item')} that hold one" if found.items else ""
    head = f"Without the {plural(found.answers, 'answer')} sent with names{items}"
    arms = {arm.arm.id: arm for arm in result.arms}
    digits = decimals(result.scale_low, result.scale_high)
    return f"{head}: {_best_without(result, found)}.", tuple(
        f"{short(one.arm, result)}: {points(one.mean, digits)} ({one.answered:,}) without them, "
        f"{points(arms[one.arm].mean, digits)} ({arms[one.arm].answered:,}) with them"
        for one in found.arms
        if one.answered != arms[one.arm].answered
    )


def _best_without(result: Result, found: WithoutFlagged) -> str:
    if isinstance(found.best, Refusal):
        return f"who may be best is not printed ({refusals.short(found.best)})"
    lost = [short(one.arm, result) for one in found.arms if not one.placed]
    left = f"; not placed: {listed(lost, most=6)}" if lost else ""
    names = listed([short(one, result) for one in found.best], most=6) or "no arm"
    if found.same:
        return f"the arms that may be best stay the same ({names}){left}"
    before = (
        ""
        if isinstance(result.best, Refusal)
        else listed([short(one, result) for one in result.best])
    )
    return f"may be best: {names}{f' instead of {before}' if before else ''}{left}"


def _weights(result: Result) -> Group | None:
    found = result.weights
    if found is None:
        return None
    if isinstance(found, Refusal):
        return f"Other weights: not printed ({refusals.short(found)}).", ()
    trials = "combinations" if found.together else "trials, one weight at a time"
    moved = f"each weight {share(found.change)} up and down ({found.trials:,} {trials})"
    if found.same == found.trials:
        return f"Other weights: the arms that may be best stay the same with {moved}.", ()
    names = listed([short(one, result) for one in found.ever], word="or", most=6)
    others = f"the arms that may be best are others in {found.trials - found.same:,}"
    return f"Other weights: with {moved}, {others}; over all of them they are {names}.", ()


def _telling(found: GapDrivers, digits: int) -> int:
    """Digits by which the differences shown are told from each other and from the whole."""
    values = {found.difference, *(one.difference for one in found.items)}
    while digits < _MOST_DIGITS and len({signed(one, digits) for one in values}) == 1:
        digits += 1
    return digits


def _drivers(result: Result) -> Group | None:
    found = result.drivers
    if found is None:
        return None
    if isinstance(found, Refusal):
        return f"One item less: not printed ({refusals.short(found)}).", ()
    digits = decimals(result.scale_low, result.scale_high)
    pair = f"{short(found.first, result)} − {short(found.second, result)}"
    whole = f"{pair} is {signed(found.difference, digits)} on {plural(found.shared, 'item')}"
    if all(one.difference == found.difference for one in found.items):
        return f"One item less: {whole}, whichever item is left out.", ()
    digits = _telling(found, digits)
    if found.turning:
        which = "1 item" if found.turning == 1 else f"any one of {found.turning:,} items"
        fate = f"leaving out {which} would change the sign of the difference"
    elif abs(found.difference) < _NONE:
        fate = "a difference of 0 has no sign that an item could turn"
    else:
        fate = "no single item turns its sign"
    most, rest = len(found.items), found.shared - len(found.items)
    shown = f" Shown are the {most} that move it most." if rest > 0 else ""
    items = apart((one.item for one in found.items), 40)
    return f"One item less: {whole}; {fate}.{shown}", tuple(
        f"Without {items[one.item]}: {signed(one.difference, digits)}"
        + (" (turned)" if one.turns else "")
        for one in found.items
    )
