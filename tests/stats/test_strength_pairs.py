"""Differences of strengths: those of a fit against another reference, and the set of the best."""

from math import comb

import numpy as np
import pytest

from judgebench.model.nouns import Estimate
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
    pairs, df = comb(4, 2), fit(0).arms[0].n - 1
    wider = t_quantile(1 - 0.025 / pairs, df) / t_quantile(0.975, df)
    for arm in set(range(4)) - {reference}:
        mine, other = table.between(arm, reference), fit(reference).arms[arm]
        assert mine is not None
        gap = mine.difference
        assert isinstance(gap, Estimate)
        assert gap.high is not None
        assert other.high is not None
        assert gap.value == pytest.approx(other.value, abs=1e-6)
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


def test_what_another_rater_says_is_no_repeat() -> None:
    """Two judgings of one rater are a repeat, with those of another there is none."""
    data = Comparisons(
        item=np.zeros(4, dtype=np.int64), first=np.zeros(4, dtype=np.int64),
        second=np.ones(4, dtype=np.int64), outcome=np.array([1.0, 0.0, 0.0, 1.0]), n_arms=2,
    )  # fmt: skip
    assert repeat_changes(data, np.array([0, 1, 1, 0])) == (0, 2)
    assert repeat_changes(data, np.array([0, 1, 2, 3])) == (0, 0)
    assert repeat_changes(data) == (2, 3)
