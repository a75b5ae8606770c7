"""Differences of strengths: those of a fit against another reference, and the set of the best."""

from math import comb

import numpy as np
import pytest

from judgebench.model.nouns import Estimate
from judgebench.stats.arrays import FloatArray
from judgebench.stats.both_orders import repeat_changes
from judgebench.stats.intervals import t_quantile
from judgebench.stats.pairwise import Comparisons, Strengths, bradley_terry
from judgebench.stats.strength_pairs import renumbered, strength_pairs, strongest

WORTH = np.array([1.5, 0.9, 0.0, -1.0])


def drawn(items: int = 40) -> Comparisons:
    """Four arms with ties, some pairs met more often than others."""
    rng = np.random.default_rng(11)
    rows = [
        (item, a, b)
        for item in range(items)
        for a in range(4)
        for b in range(4)
        if a != b and rng.random() < 0.3 + 0.15 * a
    ]
    item, first, second = np.array(rows).T
    p = 1 / (1 + np.exp(WORTH[second] - WORTH[first]))
    u = rng.random(item.size)
    outcome = np.where(rng.random(item.size) < 0.15, 0.5, (u < p).astype(float))
    return Comparisons(item=item, first=first, second=second, outcome=outcome, n_arms=4)


def fit(reference: int) -> Strengths:
    """The fit against one arm."""
    found = bradley_terry(drawn(), reference=reference)
    assert isinstance(found, Strengths)
    return found


@pytest.mark.parametrize("reference", range(4))
def test_a_difference_is_the_strength_against_its_second_arm(reference: int) -> None:
    """Value and interval of a pair are those of the fit in which one of it is the reference."""
    table = strength_pairs(fit((reference + 2) % 4))
    for arm in set(range(4)) - {reference}:
        mine, other = table.between(arm, reference), fit(reference).arms[arm]
        assert mine is not None
        gap = mine.difference
        assert isinstance(gap, Estimate)
        assert gap.high is not None
        assert other.high is not None
        assert gap.value == pytest.approx(other.value, abs=1e-6)
        assert mine.df <= gap.n - 1
        wider = t_quantile(1 - 0.025 / comb(4, 2), mine.df) / t_quantile(0.975, mine.df)
        half = gap.high - gap.value
        assert half == pytest.approx(wider * (other.high - other.value), abs=1e-6)


def test_the_set_holds_those_that_none_is_above() -> None:
    """The weakest leaves it, the strongest stays; what is not firm takes none out."""
    found = fit(0)
    best = strongest(found)
    top = int(np.argmax([one.value for one in found.arms]))
    assert top in best
    assert 3 not in best
    assert strongest(found, firm=np.zeros((4, 4), dtype=np.bool_)) == (0, 1, 2, 3)
    for pair in strength_pairs(found).pairs:
        if pair.separated and {pair.first, pair.second} & set(best) == {pair.second}:
            assert pair.sign < 0
    moved = renumbered(strength_pairs(found), (2, 5, 7, 9))
    assert {(one.first, one.second) for one in moved.pairs} == {
        (2, 5), (2, 7), (2, 9), (5, 7), (5, 9), (7, 9),
    }  # fmt: skip


def bridged(items: int, bridge: int, seed: int, worth: FloatArray, raters: int = 1) -> Comparisons:
    """A–B and C–D on all items, B–C on some; both orders, ties, as many voices as raters."""
    rng = np.random.default_rng(seed)
    met = [(i, a, a + 1) for i in range(items) for a in (0, 2)]
    met += [(i, 1, 2) for i in range(bridge)]
    rows = np.array([(i, *s) for i, a, b in met for s in ((a, b), (b, a)) for _ in range(raters)])
    item, first, second = rows.T
    p = 1 / (1 + np.exp(worth[second] - worth[first]))
    won = (rng.random(item.size) < p).astype(float)
    return Comparisons(
        item=item, first=first, second=second, n_arms=4,
        outcome=np.where(rng.random(item.size) < 0.2, 0.5, won),
        weight=np.full(item.size, 1 / raters),
    )  # fmt: skip


def test_what_one_item_tells_of_two_arms_has_no_error() -> None:
    """B met C on one item, one win and one tie: at the fit its own part is nothing."""
    data = bridged(12, 1, 3, np.zeros(4))
    data.outcome[-2:] = 1.0, 0.5
    found = bradley_terry(data)
    assert isinstance(found, Strengths)
    for pair in strength_pairs(found).pairs:
        assert isinstance(pair.difference, Estimate)
        across = (pair.first < 2) != (pair.second < 2)
        assert (pair.difference.no_interval == "too_few_items") == across
        assert (pair.difference.p is None) == across
        assert (pair.p_holm is None) == (pair.p is None) == (pair.separated is None) == across
    # The reference is A: B is told from it on all items, C and D by way of one.
    assert [one.no_interval for one in found.arms[1:]] == [None, "too_few_items", "too_few_items"]
    # A is above B on all items; none leaves the set by way of the one.
    assert strongest(found) == (0, 2, 3)


def test_items_that_carry_a_difference_are_counted_by_their_information() -> None:
    """All of them where each compares alike; those of the bridge across it."""
    found = bradley_terry(bridged(30, 5, 1, np.zeros(4), raters=2))
    assert isinstance(found, Strengths)
    assert found.errors is not None
    carried = found.errors.carried
    assert carried[0, 1] == pytest.approx(30, rel=0.02)
    assert carried[1, 2] == pytest.approx(5, rel=0.02)
    assert 5 < carried[0, 2] < 8


@pytest.mark.parametrize(("items", "bridge", "raters"), [(12, 3, 1), (30, 3, 5), (12, 12, 1)])
def test_intervals_of_differences_cover(items: int, bridge: int, raters: int) -> None:
    """Of the worth that was drawn from, however few items carry the difference."""
    worth, hits, tried = np.array([1.0, 0.0, -0.5, 0.6]), 0, 0
    for seed in range(150):
        found = bradley_terry(bridged(items, bridge, seed, worth, raters))
        if not isinstance(found, Strengths):
            continue
        assert found.errors is not None
        for pair in strength_pairs(found).pairs:
            known = found.errors.error(pair.first, pair.second)
            if known is None or not known[0]:
                continue
            assert isinstance(pair.difference, Estimate)
            away = pair.difference.value - (worth[pair.first] - worth[pair.second])
            hits += abs(away) <= t_quantile(0.975, known[1]) * known[0]
            tried += 1
    assert tried > 800
    assert hits / tried >= 0.94


@pytest.mark.parametrize(("items", "bridge", "raters"), [(12, 1, 1), (12, 2, 5), (30, 3, 5)])
def test_coins_are_seldom_told_apart(items: int, bridge: int, raters: int) -> None:
    """Over all pairs at most one run in twenty, also where few items join the arms."""
    fits = [
        found
        for seed in range(200)
        for found in (bradley_terry(bridged(items, bridge, seed, np.zeros(4), raters)),)
        if isinstance(found, Strengths)
    ]
    apart = [any(pair.separated for pair in strength_pairs(found).pairs) for found in fits]
    assert len(fits) > 120
    assert sum(apart) / len(fits) <= 0.05
    left = [0 not in strongest(found) for found in fits]
    assert sum(left) / len(fits) <= 0.06


def test_what_another_rater_says_is_no_repeat() -> None:
    """Two judgings of one rater are a repeat, with those of another there is none."""
    data = Comparisons(
        item=np.zeros(4, dtype=np.int64), first=np.zeros(4, dtype=np.int64),
        second=np.ones(4, dtype=np.int64), outcome=np.array([1.0, 0.0, 0.0, 1.0]), n_arms=2,
    )  # fmt: skip
    assert repeat_changes(data, np.array([0, 1, 1, 0])) == (0, 2)
    assert repeat_changes(data, np.array([0, 1, 2, 3])) == (0, 0)
    assert repeat_changes(data) == (2, 3)
