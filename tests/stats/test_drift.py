"""Old cells judged again: the shift of a judge, items as units."""

import numpy as np
import pytest

from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats import drift

NAN = np.nan
ONES = np.ones((2, 4), dtype=np.int64)
FIRST = np.array([[5.0, 6.0, 7.0, NAN], [4.0, NAN, NAN, NAN]])
AGAIN = np.array([[6.0, 6.0, 8.0, NAN], [6.0, NAN, NAN, NAN]])


def test_cells_of_one_item_are_averaged_before_items_are() -> None:
    """Gaps of (1 and 2), 0 and 1: the mean over items is that of 1.5, 0 and 1."""
    found = drift.shift(FIRST, AGAIN, (ONES, ONES), step=1)
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(2.5 / 3)
    assert found.n == 3
    assert found.low is not None
    assert found.low < 0
    assert drift.points(FIRST, AGAIN) == pytest.approx(2.5 / 3)


def test_the_same_marks_again_keep_an_interval_of_their_rounding() -> None:
    """No difference at all is not taken for certainty."""
    found = drift.shift(FIRST, FIRST, (ONES, ONES), step=1)
    assert isinstance(found, Estimate)
    assert found.value == 0
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0 < found.high


def test_two_items_carry_no_interval() -> None:
    """The mean stands alone, and the refusal names what it is about."""
    found = drift.shift(FIRST[:, :2], AGAIN[:, :2], (ONES[:, :2], ONES[:, :2]), step=1)
    assert isinstance(found, Refusal)
    assert (found.statistic, found.code, found.have) == ("drift", "too_few_items", 2)
    assert drift.points(FIRST[:, :2], AGAIN[:, :2]) == pytest.approx(0.75)


def test_nothing_judged_again_has_no_shift() -> None:
    """No number stands for no data."""
    empty = np.full((2, 4), NAN)
    assert drift.points(FIRST, empty) is None
    assert isinstance(drift.shift(FIRST, empty, (ONES, ONES), step=1), Refusal)
