"""Whether what one rater says of the arms holds for the others: the best, and the order of pairs.

A rater is a pass, or a person behind one.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from judgebench.model.agreement import Holding, Reversal
from judgebench.model.nouns import Refusal
from judgebench.model.passes import DataLevel
from judgebench.model.reasons import RefusalCode
from judgebench.pipeline.jury.raters import Seat
from judgebench.stats import ranks
from judgebench.stats.arrays import TIE
from judgebench.stats.levels import data_level


def level(seats: Sequence[Seat]) -> DataLevel:
    """Level of the data that all of them have, who are as many judges."""
    return data_level(
        min(one.analysis.ratings.shared_units() for one in seats),
        max(one.analysis.scorings for one in seats),
        len(seats),
    )


def verdict(seats: Sequence[Seat], turned: Sequence[Reversal]) -> Holding | Refusal:
    """Whether the arms that may be best are the same for all.

    Args:
        seats: Two raters or more.
        turned: Their `reversals`.
    """
    if not _meet(seats):
        return _refused(RefusalCode.NO_COMMON_ANSWER)
    if (refused := next(filter(None, map(_unsaid, seats)), None)) is not None:
        return refused
    if turned or not common(seats):
        return Holding.DOES_NOT_HOLD
    if not any(map(_shows, seats)):
        return Holding.NOTHING_SHOWN
    first, *others = (set(_best(seat)) for seat in seats)
    return Holding.HOLDS if all(one == first for one in others) else Holding.MOSTLY


def _unsaid(seat: Seat) -> Refusal | None:
    """Why one rater does not say which arms may be best; None where it does."""
    if not seat.scored and np.isfinite(seat.every.marks).any():
        return _refused(RefusalCode.CRITERION_UNMARKED)
    if isinstance(seat.best, Refusal):
        return replace(seat.best, statistic="holds")
    if seat.best:
        return None
    # All that may be best stand as "?": what has no total could change any set.
    lost = any(one.blocked or one.judge_blocked for one in seat.analysis.arms.values())
    never = seat.analysis.shown.facts().marks_only and not lost
    return _refused(RefusalCode.NEVER_GIVEN if never else RefusalCode.BLOCKED_SHARE_HIGH)


def _refused(code: RefusalCode) -> Refusal:
    return Refusal(statistic="holds", code=code.value, have=0, need=1)


def common(seats: Sequence[Seat]) -> tuple[str, ...]:
    """Arms that may be best by every rater, in the order of the first one's table.

    Those in a place with all; where there is none, those too that one or another left open:
    without a place, or without any mark of that rater, who says nothing against them.
    """
    if any(isinstance(seat.best, Refusal) for seat in seats):
        return ()
    named = {arm for seat in seats for arm in _may_be_best(seat)}
    open_too = [(*_may_be_best(seat), *seat.unjudged) for seat in seats]
    return _in_all([_best(seat) for seat in seats]) or tuple(
        arm for arm in _in_all(open_too) if arm in named
    )


def _in_all(sets: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(arm for arm in sets[0] if all(arm in one for one in sets))


def _best(seat: Seat) -> tuple[str, ...]:
    return () if isinstance(seat.best, Refusal) else seat.best


def _may_be_best(seat: Seat) -> tuple[str, ...]:
    return () if isinstance(seat.may_be_best, Refusal) else seat.may_be_best


def _meet(seats: Sequence[Seat]) -> bool:
    """Whether each two raters with totals have those of one answer or more."""
    there = np.stack([np.isfinite(seat.totals).ravel() for seat in seats]).astype(np.float64)
    there = there[there.any(axis=1)]
    return bool((there @ there.T > 0).all())


def reversals(seats: Sequence[Seat]) -> tuple[Reversal, ...]:
    """Pairs that a rater separates and that another orders the other way round."""
    base = seats[0].analysis
    turned = []
    for a, b in combinations(base.ratings.order.order, 2):
        gaps = tuple(
            ranks.mean_difference(seat.analysis.cells[a], seat.analysis.cells[b]) for seat in seats
        )
        separated = tuple(_separated(seat, a, b) for seat in seats)
        if _against(gaps, separated):
            first, second = base.ids[a], base.ids[b]
            turned.append(Reversal(first=first, second=second, gaps=gaps, separated=separated))
    return tuple(turned)


def pairs_turned(seats: Sequence[Seat]) -> tuple[int, int]:
    """Pairs of arms that not all raters order alike, on the cells that all scored.

    A tie beside an order is not alike; a pair that all of them tie is in no order.

    Returns:
        How many are turned, of how many that all raters have.
    """
    totals = np.stack([seat.totals for seat in seats])
    shared = np.where(np.isfinite(totals).all(axis=0), totals, np.nan)
    turned = compared = 0
    for a, b in combinations(range(totals.shape[1]), 2):
        gaps = [ranks.mean_difference(one[a], one[b]) for one in shared]
        known = [gap for gap in gaps if gap is not None]
        signs = {int(gap > TIE) - int(gap < -TIE) for gap in known}
        if len(known) == len(gaps) > 1 and signs != {0}:
            compared += 1
            turned += len(signs) > 1
    return turned, compared


def _shows(seat: Seat) -> bool:
    """Whether a rater says anything of the arms: one may not be best, or a pair is separated."""
    if not isinstance(seat.best, Refusal) and len(seat.best) < len(seat.places):
        return True
    return any(pair.separated for pair in seat.analysis.ratings.claims.pairs)


def _separated(seat: Seat, a: int, b: int) -> bool:
    """Whether its table claims the pair: blocked answers could not turn it."""
    pair = seat.analysis.ratings.claims.between(a, b)
    return bool(pair is not None and pair.separated)


def _against(gaps: Sequence[float | None], separated: Sequence[bool]) -> bool:
    """Whether a rater orders a pair against one that separates it."""
    signs = [0.0 if gap is None or abs(gap) <= TIE else np.sign(gap) for gap in gaps]
    claimed = {sign for sign, claims in zip(signs, separated, strict=True) if claims and sign}
    return any(-sign in claimed for sign in signs)
