"""Shares of comparisons won: a few coins that fall alike tell nobody apart."""

import numpy as np
import pytest
from scipy import stats

from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats.arrays import FloatArray, IntArray
from judgebench.stats.pairs import PairTable, all_pairs
from judgebench.stats.ranks import possible_best
from judgebench.stats.shares import by_shares, least_p

MONTE_CARLO = 2.576
"""Errors of a rate that a measured one may be off, 99 %."""


def shares(arms: int, items: int, rng: np.random.Generator, edge: float = 0.0) -> FloatArray:
    """A judge who orders each item's answers and says the same in both orders."""
    worth = rng.gumbel(size=(arms, items))
    worth[0] += edge
    rank = worth.argsort(axis=0).argsort(axis=0)
    return np.asarray(rank / (arms - 1), dtype=np.float64)


def counts(cells: FloatArray) -> IntArray:
    """Comparisons behind each: every other arm in both orders."""
    return np.full(cells.shape, 2 * (len(cells) - 1), dtype=np.int64)


def table(cells: FloatArray, seed: int = 1) -> PairTable:
    """All pairs of these shares."""
    rng = np.random.default_rng(seed)
    return by_shares(all_pairs(cells, counts(cells), step=0.5, rng=rng))


@pytest.mark.parametrize("items", [3, 4, 5])
def test_below_six_items_no_share_is_compared(items: int) -> None:
    """All of three: by chance in one of four."""
    cells = np.stack([np.ones(items), np.zeros(items)])
    (pair,) = table(cells).pairs
    assert isinstance(pair.difference, Refusal)
    assert (pair.difference.code, pair.difference.need) == ("too_few_items", 6)
    assert (pair.separated, pair.p) == (None, None)
    best = possible_best(cells, counts(cells), step=0.5, shares=True)
    assert isinstance(best, Refusal)
    assert (best.statistic, best.code, best.need) == ("best", "too_few_items", 6)


@pytest.mark.parametrize("items", [6, 12, 30, 100])
def test_an_arm_that_won_everything_is_no_more_certain_than_its_share(items: int) -> None:
    """Of two arms the difference is twice the share less one: ends by Clopper & Pearson (1934)."""
    (pair,) = table(np.stack([np.ones(items), np.zeros(items)])).pairs
    found = pair.difference
    assert isinstance(found, Estimate)
    exact = stats.binomtest(items, items).proportion_ci(0.95, method="exact")
    assert found.low == pytest.approx(2 * exact.low - 1, abs=1e-12)
    assert (found.value, found.high, found.kind) == (1.0, 1.0, "bounded")
    assert found.p == pytest.approx(stats.binomtest(items, items).pvalue)
    assert pair.separated


def test_the_least_p_is_that_of_a_sign_test() -> None:
    """N coins that all fall alike."""
    for n in (1, 5, 6, 20):
        assert least_p(n) == pytest.approx(stats.binomtest(n, n).pvalue)


@pytest.mark.parametrize(("arms", "items"), [(2, 3), (3, 4), (4, 5), (2, 6), (3, 8), (4, 12)])
def test_equal_arms_are_told_apart_in_one_of_twenty_at_most(arms: int, items: int) -> None:
    """Without the rule 25 % with two arms and three items, 30 % with three and four."""
    runs, rng = 400, np.random.default_rng(arms * 100 + items)
    above = sum(
        any(pair.separated for pair in table(shares(arms, items, rng), seed).pairs)
        for seed in range(runs)
    )
    assert above / runs <= 0.05 + MONTE_CARLO * (0.05 * 0.95 / runs) ** 0.5


@pytest.mark.parametrize(("arms", "items"), [(2, 6), (2, 12), (3, 8), (4, 10)])
def test_the_set_holds_the_best_by_a_hair(arms: int, items: int) -> None:
    """The first arm is best, by as little as chance hides: it stays in 95 of 100 runs."""
    runs, rng = 400, np.random.default_rng(arms * 100 + items)
    lost = 0
    for _ in range(runs):
        cells = shares(arms, items, rng, edge=0.05)
        best = possible_best(cells, counts(cells), step=0.5, shares=True)
        assert not isinstance(best, Refusal)
        lost += 0 not in best
    assert lost / runs <= 0.05 + MONTE_CARLO * (0.05 * 0.95 / runs) ** 0.5


def test_a_clear_winner_is_named() -> None:
    """Nine of ten items, twelve of them: the rule is not deaf."""
    cells = shares(3, 40, np.random.default_rng(5), edge=3)
    assert possible_best(cells, counts(cells), step=0.5, shares=True) == (0,)
    assert {pair.separated for pair in table(cells).pairs if pair.first == 0} == {True}
