"""Which arms no other beats: by definition, in any order, never by itself."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgebench.stats.pareto import beaten_by

arms = st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=1, max_size=7)


def test_the_set_of_a_plain_case() -> None:
    """The best, the cheapest and one between; the one that both outdo is beaten by the best."""
    worth = np.array([9.0, 7.0, 5.0, 4.0])
    prices = np.array([[3.0], [2.0], [1.0], [3.0]])
    assert beaten_by(worth, prices) == (None, None, None, 0)


def test_a_second_price_saves_an_arm() -> None:
    """Worse and dearer, but quicker: in the set."""
    worth = np.array([9.0, 4.0])
    assert beaten_by(worth, np.array([[1.0, 5.0], [2.0, 3.0]])) == (None, None)
    assert beaten_by(worth, np.array([[1.0, 5.0], [2.0, 5.0]])) == (None, 0)


def test_equal_arms_do_not_beat_each_other() -> None:
    """Twins stand in the set together; the dearer of two that are worth the same does not."""
    assert beaten_by(np.array([5.0, 5.0]), np.array([[1.0], [1.0]])) == (None, None)
    assert beaten_by(np.array([5.0, 5.0]), np.array([[2.0], [1.0]])) == (1, None)


@given(arms)
def test_who_is_beaten_is_so_by_the_definition(rows: list[tuple[int, ...]]) -> None:
    """Checked pair by pair; whoever beats is in the set, and the set is never empty."""
    table = np.array(rows, dtype=np.float64)
    found = beaten_by(table[:, 0], table[:, 1:])
    assert None in found
    for at, by in enumerate(found):
        others = [
            other for other in range(len(rows))
            if table[other, 0] >= table[at, 0] and (table[other, 1:] <= table[at, 1:]).all()
            and (table[other] != table[at]).any()
        ]  # fmt: skip
        assert (by is None) == (not others)
        assert by is None or (by in others and found[by] is None)


@pytest.mark.parametrize(
    ("worth", "prices"),
    [
        ([1.0], [[1.0], [2.0]]),
        ([1.0, np.nan], [[1.0], [2.0]]),
        ([1.0, 2.0], [[1.0], [np.inf]]),
        ([1.0, 2.0], [[], []]),
    ],
)
def test_what_is_unknown_cannot_be_weighed(worth: list[float], prices: list[list[float]]) -> None:
    """Unknown values are the caller's to leave out: a programming fault here."""
    with pytest.raises(ValueError, match=r"shapes|every arm"):
        beaten_by(np.array(worth), np.array(prices, dtype=np.float64).reshape(len(prices), -1))
