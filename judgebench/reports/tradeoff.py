"""Trade-off → one paragraph: who may be best, what that takes, and the Pareto set.

Every word of it is code's, and rests on figures of the table alone.
"""

from collections.abc import Callable, Sequence

from judgebench.model.nouns import Refusal
from judgebench.model.result import sole_best
from judgebench.model.tradeoff import Tradeoff, TradeoffArm
from judgebench.reports import refusals
from judgebench.reports.digits import DASH, listed, points, usd
from judgebench.reports.naming import among

_NAME = 32
_MOST = 6


def recommendation(found: Tradeoff, *, digits: int, judge: str) -> str:
    """The whole paragraph.

    Args:
        found: What it rests on.
        digits: Decimals of the scale.
        judge: Who rated, in words.
    """
    said = [_best(found, judge), *_choice(found), *_price_of_best(found, digits), _pareto(found)]
    return " ".join(filter(None, [*said, _left_out(found)]))


def _best(found: Tradeoff, judge: str) -> str:
    if isinstance(found.best, Refusal):
        return f"No arm is recommended: {refusals.why(found.best)}."
    if not found.best:
        return f"No arm is recommended: {_open(found)}."
    names = f"As rated by {judge}, {_names(found.best, found)}"
    if sole_best(found.best, found.open_arms):
        return f"{names} alone may be best{_reserve(found)}"
    if _no_choice(found):
        # One arm is no choice: the others may be better, and it may be the worst of all.
        only = f"{_names(found.best, found)} is the only arm that is placed"
        return f"No arm is recommended: {only}, and {_may_be(found)}."
    if len(found.best) == 1:
        return f"{names} is the only placed arm that may be best, but {_open(found)}."
    but = f"; {_open(found)}" if found.open_arms else ""
    return f"{names} may be best, and the ratings do not part them{but}."


def _reserve(found: Tradeoff) -> str:
    """What follows from being the only one; less where the pairs do not show it."""
    if not found.unseparated:
        return ": take it for quality."
    named = _names(found.unseparated, found)
    return f", but is not separated from {named}: for quality take it, with that reserve."


def _open(found: Tradeoff) -> str:
    """The arms that stand in no place and could be best for all that is known."""
    if not found.open_arms:
        return "no arm that may be best is placed"
    return (
        _may_be(found)
        if not found.best
        else (f"{_names(found.open_arms, found)}, not placed, may be it too")
    )


def _no_choice(found: Tradeoff) -> bool:
    """Whether one arm alone stands in a place and no other is shown to lie below it."""
    return len(found.arms) == 1 and 0 < len(found.left_out) == len(found.open_arms)


def _may_be(found: Tradeoff) -> str:
    return f"{_names(found.open_arms, found)}, not placed, may be best"


def _choice(found: Tradeoff) -> list[str]:
    """Which of several that may be best, by what they take; what is unknown is said."""
    if isinstance(found.best, Refusal) or len(found.best) < 2:  # noqa: PLR2004 - a choice
        return []
    arms = [one for one in found.arms if one.arm in found.best]
    cheap, quick = _least(arms, _cost, found.cost_unknown), _least(arms, _time, found.time_unknown)
    said = [
        *_unknown(found, "cost", found.cost_unknown),
        *_unknown(found, "time", found.time_unknown),
    ]
    if cheap and cheap == quick:
        return [*said, _of_these(found, arms, cheap, "costs least and is quickest", "take")]
    if cheap:
        said.append(_of_these(found, arms, cheap, "costs least", "where money counts, take"))
    if quick:
        said.append(_of_these(found, arms, quick, "is quickest", "where time counts, take"))
    if not cheap and not quick:
        said.append("So nothing on record prefers one of them.")
    return said


def _of_these(
    found: Tradeoff, arms: Sequence[TradeoffArm], least: Sequence[str], words: str, take: str
) -> str:
    """Which take least, and what follows from it."""
    took = _takes(next(one for one in arms if one.arm == least[0]))
    if len(least) == len(arms):
        return f"They take the same: {took}."
    if len(least) == 1:
        return f"Of these {_names(least, found)} {words} ({took}): {take} it."
    return f"Of these {_names(least, found)} take the same and least ({took}): {take} one of them."


def _unknown(found: Tradeoff, what: str, gaps: Sequence[str]) -> list[str]:
    mine = [arm for arm in gaps if not isinstance(found.best, Refusal) and arm in found.best]
    if not mine:
        return []
    return [
        f"Nothing is said of {what}: it is not on record for every answer of {_names(mine, found)}."
    ]


def _cost(arm: TradeoffArm) -> float | None:
    return arm.cost_usd


def _time(arm: TradeoffArm) -> float | None:
    return arm.wall_s


def _least(
    arms: Sequence[TradeoffArm], of: Callable[[TradeoffArm], float | None], gaps: Sequence[str]
) -> tuple[str, ...]:
    """Arms that take least; none where any of them is unknown."""
    if not arms or any(one.arm in gaps for one in arms):
        return ()
    known = {one.arm: of(one) or 0.0 for one in arms}
    least = min(known.values())
    return tuple(arm for arm, value in known.items() if value == least)


def _takes(one: TradeoffArm) -> str:
    """What all answers of an arm cost, and what one takes."""
    cost = "cost unknown" if one.cost_usd is None else f"{usd(one.cost_usd)} in all"
    time = "time unknown" if one.wall_s is None else f"{points(one.wall_s, 1)} s an answer"
    return f"{cost}, {time}"


def _price_of_best(found: Tradeoff, digits: int) -> list[str]:
    """What the only best arm takes, and what less would give."""
    if isinstance(found.best, Refusal) or len(found.best) != 1:
        return []
    if _no_choice(found):
        return []
    best = next((one for one in found.arms if one.arm == found.best[0]), None)
    if best is None:
        return []
    unknown = best.cost_usd is None and best.wall_s is None
    said = ["What it takes is not on record." if unknown else f"It takes {_takes(best)}."]
    others = [one for one in found.arms if one.arm != best.arm]
    for word, of in (("cheapest", _cost), ("quickest", _time)):
        less = [
            one for one in others
            if (mine := of(one)) is not None and (its := of(best)) is not None and mine < its
        ]  # fmt: skip
        if less:
            one = min(less, key=lambda arm: of(arm) or 0.0)
            gap = points(best.level - one.level, digits)
            said.append(
                f"The {word} other is {_name(one.arm, found)} ({_takes(one)}), rated {gap} below."
            )
    return said


def _pareto(found: Tradeoff) -> str:
    if isinstance(found.pareto, Refusal):
        return f"No Pareto set is given: {refusals.why(found.pareto)}."
    against = " and ".join(found.weighed)
    gaps = {"cost": found.cost_unknown, "time": found.time_unknown}
    missing = [name for name in gaps if name not in found.weighed]
    left = "".join(
        f" ({name} is left out: not on record for {_names(gaps[name], found)})" for name in missing
    )
    off = [_off(one, found) for one in found.arms if one.beaten_by is not None]
    beaten = f". Off it: {'; '.join(off[:_MOST])}" if off else ""
    more = f"; {len(off) - _MOST} more" if len(off) > _MOST else ""
    return (
        f"Pareto set of rating against {against}{left}, by measured values: "
        f"{_names(found.pareto, found)}{beaten}{more}."
    )


def _off(one: TradeoffArm, found: Tradeoff) -> str:
    """Why an arm is not in the set: another is rated no lower and takes no more."""
    by = _name(one.beaten_by or "", found)
    if not one.behind:
        return f"{_name(one.arm, found)} ({by} is rated the same and takes less)"
    shown = "" if one.shown else ", a gap that is not shown,"
    return f"{_name(one.arm, found)} ({by} is rated higher{shown} and takes no more)"


def _left_out(found: Tradeoff) -> str:
    if not found.left_out or isinstance(found.best, Refusal):
        return ""
    met = found.unmatched or ()
    others = [one for one in found.left_out if one not in met]
    said = []
    if met:
        best = [one for one in met if one in found.best]
        though = f" (of these {_names(best, found)} may be best for all that is known)"
        said.append(
            f"Not weighed, as they met other opponents: {_names(met, found)}"
            f"{though if best else ''}."
        )
    if others:
        said.append(f"Not weighed, as not placed or without shared items: {_names(others, found)}.")
    return " ".join(said)


def _names(names: Sequence[str], found: Tradeoff) -> str:
    return listed([_name(name, found) for name in names], most=_MOST)


def _name(name: str, found: Tradeoff) -> str:
    return among(name, (*(one.arm for one in found.arms), *found.left_out, *found.open_arms), _NAME)


def rows(found: Tradeoff, *, digits: int) -> list[tuple[str, ...]]:
    """One row an arm, for a table."""
    return [
        (
            one.arm,
            _standing(found, one),
            points(one.level, digits),
            usd(one.cost_usd),
            points(one.wall_s, 1),
        )
        for one in found.arms
    ]


def _standing(found: Tradeoff, one: TradeoffArm) -> str:
    if one.beaten_by is not None:
        return f"off it, by {one.beaten_by}"
    return DASH if isinstance(found.pareto, Refusal) else "in it"
