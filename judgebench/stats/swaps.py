"""Pairs judged in both orders, and pairs that were not.

Of the first: which verdicts turn, and how near their arms are.

Flips between arms that are nearly equal are expected of any judge; flips between
arms that are far apart are not. How near two arms are is taken from the other items,
never from the pair that turned.
"""

from dataclasses import dataclass, replace

import numpy as np

from judgebench.model.biases import Flips
from judgebench.model.nouns import Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.stats.arrays import TIE, BoolArray, FloatArray, IntArray
from judgebench.stats.clusters import clustered_mean
from judgebench.stats.levels import too_few_items
from judgebench.stats.pairwise import Comparisons
from judgebench.stats.special import bdtr

BANDS = (0.65, 0.85)
"""Shares won by the better arm: nearly equal up to the first, far apart beyond the second."""
_UNFAIR = 0.05
LEAST_OTHERS = 3
"""Other items that say how near two arms are."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Swapped:
    """M pairs of outputs with a verdict in either order."""

    item: IntArray
    low: IntArray
    """The arm with the lower code, shape (M,)."""
    high: IntArray
    wins: FloatArray
    """Shape (M, 2), the two orders: mean outcome for the answer shown first."""
    again: bool
    """Some pair was judged more than once in an order."""

    @property
    def turns(self) -> BoolArray:
        """The verdict is another once the order is another, shape (M,)."""
        return np.asarray(np.abs(self.wins.sum(axis=1) - 1) >= TIE, dtype=np.bool_)


def swapped(data: Comparisons) -> Swapped:
    """Pairs judged in both orders, repeats averaged within an order.

    Args:
        data: The comparisons; pairs that an item has in one order only are left out.

    Returns:
        M pairs, a row an item and two arms.

    Source:
        Own arithmetic.
    """
    low = np.minimum(data.first, data.second)
    high = np.maximum(data.first, data.second)
    turned = data.first > data.second
    keys, places = np.unique(np.stack([data.item, low, high]), axis=1, return_inverse=True)
    places = places.ravel()
    sums = np.zeros((keys.shape[1], 2))
    counts = np.zeros((keys.shape[1], 2))
    np.add.at(sums, (places, turned.astype(np.int64)), data.outcome)
    np.add.at(counts, (places, turned.astype(np.int64)), 1.0)
    both = (counts > 0).all(axis=1)
    item, first, second = (np.asarray(row[both], dtype=np.int64) for row in keys)
    return Swapped(
        item=item, low=first, high=second, wins=sums[both] / counts[both],
        again=bool((counts[both] > 1).any()),
    )  # fmt: skip


def swap_consistency(data: Comparisons) -> tuple[int, int]:
    """How many swapped pairs kept their verdict, and how many there are.

    Args:
        data: The comparisons; a pair counts on an item on which it was judged in both
            orders, several judgings of one order by their mean.

    Returns:
        Pairs whose verdict is the same in both orders, and all that were swapped.

    Source:
        Zheng et al. (2023), arXiv 2306.05685.
    """
    found = swapped(data)
    return int((~found.turns).sum()), int(found.item.size)


def in_both_orders(data: Comparisons) -> BoolArray:
    """Which comparisons are of two arms that some item showed the other way round, shape (M,).

    Args:
        data: The comparisons.
    """
    ahead, behind = _orders(data)
    return np.asarray((ahead > 0) & (behind > 0), dtype=np.bool_)


def place_lean(data: Comparisons, n_items: int) -> FloatArray:
    """How far each cell is of comparisons that nearly always showed its arm in one place.

    Two arms that are shown in one order only, or in one of them more often than a fair coin
    would (two-sided, 5 %), cannot be told apart from the place. Half of the gap of two arms
    is the most that a judge led by the place alone adds to the difference of their shares.

    Args:
        data: The comparisons, all of them with their order on record.
        n_items: Items of the cells, I.

    Returns:
        Shape (A, I) in [−1, 1]: 1 where the arm was always shown first, 0 where orders vary;
        NaN where an arm has no comparison.

    Source:
        Manski (2003), bounds without an assumption on the place; own arithmetic.
    """
    ahead, behind = _orders(data)
    fewer = np.minimum(ahead, behind)
    chance = 2 * bdtr(fewer, ahead + behind, 0.5)
    fixed = np.where((fewer == 0) | (chance < _UNFAIR), 1.0, 0.0)
    sums = np.zeros((2, data.n_arms, n_items))
    for arm, side in ((data.first, 1.0), (data.second, -1.0)):
        np.add.at(sums[0], (arm, data.item), side * fixed)
        np.add.at(sums[1], (arm, data.item), 1.0)
    return np.where(sums[1] > 0, sums[0] / np.maximum(sums[1], 1), np.nan)


def _orders(data: Comparisons) -> tuple[IntArray, IntArray]:
    """Of each comparison, how often its two arms were shown in its order, and in the other."""
    n = max(data.n_arms, 1)
    counts = np.bincount(data.first * n + data.second, minlength=n * n)
    return counts[data.first * n + data.second], counts[data.second * n + data.first]


def flips_by_closeness(data: Comparisons) -> tuple[Flips, ...] | Refusal:
    """Share of verdicts that change with the order, by how near the two arms are.

    Nearness is the share that the better one wins of the comparisons of these two arms
    on the *other* items, both orders averaged, ties as halves: a pair that turns on one
    item does not make its own arms near. A judge that is led by the place alone makes
    all arms nearly equal; `first_place` shows it.

    Args:
        data: Comparisons; only pairs that an item has in both orders count.

    Returns:
        Three bands, the nearest first: up to 65 %, up to 85 %, beyond it. `Refusal` with
        ``order_not_recorded`` where no pair was shown in both orders, ``too_few_items``
        below ten items, ``not_identified`` where no two arms met in both orders on
        four items.

    Source:
        Own arithmetic; intervals are CR2 with items as clusters.
    """
    found = swapped(data)
    if not found.item.size:
        return _refuse(RefusalCode.ORDER_NOT_RECORDED, 0, 1)
    refused = too_few_items("bias_probe", int(np.unique(found.item).size))
    if refused is not None:
        return replace(refused, statistic="flips")
    won = _won_elsewhere(found, data.n_arms)
    known = np.isfinite(won)
    if not known.any():
        return _refuse(RefusalCode.NOT_IDENTIFIED, 0, 1)
    edges = (0.5, *BANDS, 1.0)
    at = np.digitize(won, np.array(BANDS) + TIE, right=True)
    return tuple(
        _band(found, known & (at == band), low=edges[band], high=edges[band + 1])
        for band in range(len(edges) - 1)
    )


def _won_elsewhere(found: Swapped, n_arms: int) -> FloatArray:
    """Share won by the better of a pair's arms on the other items; NaN where few say it."""
    _, place = np.unique(found.low * n_arms + found.high, return_inverse=True)
    # Of both orders the mean: what the place gives an answer it takes away again.
    won = (found.wins[:, 0] + 1 - found.wins[:, 1]) / 2
    others = np.bincount(place)[place] - 1
    share = (np.bincount(place, weights=won)[place] - won) / np.maximum(others, 1)
    return np.where(others >= LEAST_OTHERS, 0.5 + np.abs(share - 0.5), np.nan)


def _band(found: Swapped, kept: BoolArray, *, low: float, high: float) -> Flips:
    turns, items = found.turns[kept], found.item[kept]
    refused = too_few_items("bias_probe", int(np.unique(items).size))
    return Flips(
        low=low,
        high=high,
        pairs=int(turns.size),
        changed=int(turns.sum()),
        to_first=int((found.wins[kept].sum(axis=1) > 1 + TIE).sum()),
        share=refused or clustered_mean(turns.astype(np.float64), items),
    )


def _refuse(code: RefusalCode, have: float, need: float) -> Refusal:
    return Refusal(statistic="flips", code=code.value, have=have, need=need)
