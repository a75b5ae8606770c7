"""Whom arms met: what opponents may add to a difference of shares won."""

from itertools import combinations, permutations

import numpy as np
import pytest

from judgebench.model.nouns import Refusal
from judgebench.stats.leaning import all_shifts, allowing
from judgebench.stats.opponents import UNLIKE_LIMIT, opponents
from judgebench.stats.pairs import all_pairs
from judgebench.stats.ranks import possible_best
from tests.stats.compared import made


def test_all_with_all_leaves_nothing_to_opponents() -> None:
    """Every pair on every item, in one order or both: zero, in one group."""
    for pairs in (combinations(range(4), 2), permutations(range(4), 2)):
        rows = [(item, a, b, 1.0) for a, b in pairs for item in range(3)]
        found = opponents(made(rows, 4))
        assert not found.unlike.any()
        assert found.groups == ((0, 1, 2, 3),)
        assert found.over_all("best") is None


def test_items_of_other_arms_are_like_where_each_compares_all_of_its_own() -> None:
    """Arms that share an item met there the same ones, though other items have other arms."""
    rows = [(0, a, b, 1.0) for a, b in combinations((0, 1, 2), 2)]
    rows += [(1, a, b, 1.0) for a, b in combinations((1, 2, 3), 2)]
    assert not opponents(made(rows, 4)).unlike.any()


def test_a_common_opponent_alone_is_enough() -> None:
    """Two arms that met one baseline, and not each other, are like; the baseline is not."""
    rows = [(item, arm, 0, 1.0) for item in range(5) for arm in (1, 2)]
    found = opponents(made(rows, 3))
    assert found.unlike[1, 2] == 0
    assert found.unlike[0, 1] == pytest.approx(0.5)
    refused = found.between(0, 1, "difference")
    assert refused is not None
    assert (refused.code, refused.have) == ("unequal_opponents", 0.5)
    assert found.between(1, 2, "difference") is None


def test_it_bounds_what_opponents_add() -> None:
    """Of arms of equal worth one met the weak arm alone and one the strong: a gap of 1."""
    rows = [(item, 0, 2, 1.0) for item in range(8)] + [(item, 1, 3, 0.0) for item in range(8)]
    rows += [(item, 2, 3, 0.0) for item in range(8)]
    found = opponents(made(rows, 4))
    assert found.unlike[0, 1] == 1.0
    cells = np.repeat([[1.0], [0.0], [0.0], [1.0]], 8, axis=1)
    reps = np.ones(cells.shape, dtype=np.int64)
    best = possible_best(cells, reps, step=0.5, apart=found.apart)
    assert isinstance(best, Refusal)
    table = all_pairs(
        cells, reps, step=0.5, rng=np.random.default_rng(1), apart=found.apart
    )  # fmt: skip
    assert all(isinstance(pair.difference, Refusal) for pair in table.pairs)
    assert all(pair.separated is None for pair in table.pairs)


def test_a_few_comparisons_that_lack_widen_the_interval_by_as_much() -> None:
    """One blocked comparison of 36 is allowed for and refuses nothing."""
    rows = [(item, a, b, 1.0) for item in range(12) for a, b in combinations(range(3), 2)]
    found = opponents(made(rows[1:], 3))
    # On one item of twelve arm 0 met only arm 2, and arm 2 met both.
    assert found.unlike[0, 2] == pytest.approx(0.5 / 12)
    assert found.unlike.max() < UNLIKE_LIMIT
    assert not found.apart.any()
    cells = np.repeat([[1.0], [0.5], [0.0]], 12, axis=1)
    reps = np.ones(cells.shape, dtype=np.int64)
    table = all_pairs(cells, reps, step=0.5, rng=np.random.default_rng(1))
    wider = allowing(table, all_shifts(None, found.unlike)).between(0, 2)
    before = table.between(0, 2)
    assert before is not None
    assert wider is not None
    assert not isinstance(before.difference, Refusal)
    assert not isinstance(wider.difference, Refusal)
    assert before.difference.low is not None
    assert wider.difference.low == pytest.approx(before.difference.low - 0.5 / 12)


def test_groups_that_never_met_are_disconnected() -> None:
    """Nothing is said between them; within one the pair stands."""
    rows = [(item, a, b, 1.0) for item in range(6) for a, b in ((0, 1), (2, 4))]
    found = opponents(made(rows, 5))
    assert found.groups == ((0, 1), (2, 4))
    refused = found.over_all("best")
    assert refused is not None
    assert (refused.code, refused.have) == ("disconnected", 2)
    between = found.between(0, 4, "difference")
    assert between is not None
    assert between.code == "disconnected"
    assert found.between(2, 4, "difference") is None
    # An arm that met nobody has no cell: it is in no group.
    assert found.between(0, 3, "difference") is None
    one = found.among([4, 2])
    assert (one.groups, one.over_all("best")) == (((1, 0),), None)


def test_no_comparisons_are_no_groups() -> None:
    """Nothing was decided: nothing is refused for opponents."""
    found = opponents(made([], 3))
    assert (found.groups, found.over_all("best")) == ((), None)
