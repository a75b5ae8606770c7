"""Differences of two arms of which part may be of the places that they were shown in."""

from dataclasses import replace
from itertools import combinations

import numpy as np

from judgebench.model.nouns import Refusal
from judgebench.stats.arrays import FloatArray
from judgebench.stats.intervals import t_quantile
from judgebench.stats.pairs import Pair, PairTable
from judgebench.stats.special import stdtr

_CLOSE = 1e-9


def allowing(table: PairTable, shifts: FloatArray) -> PairTable:
    """The same pairs where part of each difference may be of something else than the arms.

    Args:
        table: What `all_pairs` returned.
        shifts: Shape (A, A), the most that it may be, as from `all_shifts`.

    Returns:
        Intervals wider on both sides by that; p-values of the least favourable case
        (Bonferroni over the table), nowhere below those given.

    Source:
        Manski (2003).
    """
    return replace(table, pairs=tuple(_allowing(pair, table, shifts) for pair in table.pairs))


def all_shifts(lean: FloatArray | None, unlike: FloatArray) -> FloatArray:
    """The most that place and opponents may add to the differences of every two arms.

    Args:
        lean: Shape (A, I), what `swaps.place_lean` returned; None where nothing is known of it.
        unlike: Shape (A, A), `Opponents.unlike`.

    Returns:
        Shape (A, A), symmetric.
    """
    if lean is None:
        return unlike
    place = np.zeros_like(unlike)
    for a, b in combinations(range(len(lean)), 2):
        place[a, b] = place[b, a] = place_shift(lean[a], lean[b])
    return place + unlike


def place_shift(first: FloatArray, second: FloatArray) -> float:
    """The most that the place may add to the difference of two arms' shares.

    Args:
        first: Shape (I,), the leans of one arm.
        second: Shape (I,), of the other.

    Returns:
        In [0, 1]; 0 where they share no item.
    """
    gap = (first - second)[np.isfinite(first) & np.isfinite(second)]
    return abs(float(gap.mean())) / 2 if gap.size else 0.0


def _allowing(pair: Pair, table: PairTable, shifts: FloatArray) -> Pair:
    found = pair.difference
    shift = float(shifts[pair.first, pair.second])
    if shift <= _CLOSE or isinstance(found, Refusal) or found.low is None or found.high is None:
        return pair
    bar = t_quantile(1 - table.alpha / (2 * table.comparisons), pair.df)
    se = (found.high - found.low) / (2 * bar)
    beyond = max(0.0, abs(found.value) - shift) / se
    p = max(found.p or 0.0, float(min(1.0, 2 * stdtr(pair.df, -beyond))))
    every = min(1.0, p * table.comparisons)
    holm_, flips_ = (
        None if one is None else max(one, every) for one in (pair.p_holm, pair.p_max_t)
    )
    return replace(
        pair,
        difference=replace(found, low=found.low - shift, high=found.high + shift, p=p),
        p_holm=holm_,
        p_max_t=flips_,
        # What is added is not of the floor.
        floored=False,
        separated=None if pair.separated is None else pair.separated and every <= table.alpha,
    )
