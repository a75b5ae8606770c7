"""Spreads that are assumed of shares won: held against comparisons drawn at random."""

from itertools import combinations

import numpy as np
import pytest

from judgebench.stats.arrays import FloatArray
from judgebench.stats.share_spreads import TIES, share_spreads

ITEMS = 40_000


def shares(arms: int, won: dict[tuple[int, int], FloatArray]) -> FloatArray:
    """Shares of the comparisons that each arm won, shape (A, I)."""
    total = np.zeros((arms, ITEMS))
    for (a, b), outcome in won.items():
        total[a] += outcome
        total[b] += 1 - outcome
    return total / (arms - 1)


def spread(cells: FloatArray) -> float:
    """Root mean square of what two arms' shares differ by; arms are alike here."""
    pairs = combinations(range(cells.shape[0]), 2)
    return float(np.mean([np.mean((cells[a] - cells[b]) ** 2) for a, b in pairs]) ** 0.5)


@pytest.mark.parametrize("arms", [2, 3, 6])
@pytest.mark.parametrize("at", range(len(TIES)))
def test_independent_comparisons_spread_as_is_assumed(arms: int, at: int) -> None:
    """Arms that are alike, with so many ties."""
    rng = np.random.default_rng(arms)
    won = {
        pair: np.where(rng.random(ITEMS) < TIES[at], 0.5, rng.integers(0, 2, ITEMS))
        for pair in combinations(range(arms), 2)
    }
    assert spread(shares(arms, won)) == pytest.approx(share_spreads(arms)[at], rel=0.02)


@pytest.mark.parametrize("arms", [2, 3, 6])
def test_one_order_of_the_answers_spreads_as_is_assumed(arms: int) -> None:
    """Where each item has an order of its own that decides all of its comparisons."""
    worth = np.random.default_rng(arms).random((arms, ITEMS))
    won = {(a, b): (worth[a] > worth[b]) * 1.0 for a, b in combinations(range(arms), 2)}
    assert spread(shares(arms, won)) == pytest.approx(share_spreads(arms)[-1], rel=0.02)


def test_spreads_rise_and_need_two_arms() -> None:
    """From small to large, whatever the number of arms; one arm is compared with nobody."""
    for arms in range(2, 31):
        assert list(share_spreads(arms)) == sorted(share_spreads(arms))
    with pytest.raises(ValueError, match="two arms or more"):
        share_spreads(1)
