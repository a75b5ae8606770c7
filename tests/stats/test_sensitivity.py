"""Other weights, one item less, arms on unequal items."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from statsmodels.api import OLS

from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats.arrays import FloatArray
from judgebench.stats.sensitivity import (
    WeightCheck,
    least_squares_means,
    leave_one_out,
    other_weights,
    weighted_means,
)

nan = np.nan


def test_leave_one_out_refuses_two_shared_items() -> None:
    """Three items, two of them shared."""
    found = leave_one_out(np.array([1.0, 2, nan]), np.array([1.0, 1, 1]))
    assert isinstance(found, Refusal)
    assert (found.code, found.have, found.need) == ("too_few_items", 2, 3)


def test_leave_one_out_names_the_item_that_drives_the_gap() -> None:
    """One item of five makes the whole difference: without it there is none."""
    found = leave_one_out(np.array([5.0, nan, 5, 5, 9]), np.array([5.0, 1, 5, 5, 5]))
    assert not isinstance(found, Refusal)
    assert (found[0].item, found[0].difference, found[0].turns) == (4, 0.0, True)
    assert [one.item for one in found[1:]] == [0, 2, 3]
    assert not found[1].turns
    with pytest.raises(ValueError, match="shape"):
        leave_one_out(np.ones(3), np.ones(4))


def marks() -> FloatArray:
    """Two arms, one good at the first criterion, the other at the second."""
    rng = np.random.default_rng(2)
    x = np.array([[8.0, 6.0], [6.0, 8.0]])[:, None, :] + rng.normal(0, 0.3, (2, 12, 2))
    return np.asarray(x, dtype=np.float64)


ONCE = np.ones((2, 12), dtype=np.int64)


def checked(
    x: FloatArray,
    weights: list[float],
    *,
    together: bool = True,
    among: Sequence[int] | None = None,
) -> WeightCheck | Refusal:
    """The check over weighted means of these marks."""
    every = np.ones(x.shape[1:], dtype=bool)
    return other_weights(
        lambda of: weighted_means(x, of, every), np.array(weights), ONCE, step=1,
        together=together, among=among,
    )  # fmt: skip


def test_other_weights_say_whether_the_best_stays() -> None:
    """At 3 to 1 the first arm stays best under ±20 %; at 1 to 1 it depends on the weights."""
    assert checked(marks(), [3.0, 1.0]) == WeightCheck(trials=4, same=4, ever=(0,))
    loose = checked(marks(), [1.0, 1.0])
    assert isinstance(loose, WeightCheck)
    assert loose.ever == (0, 1)
    assert loose.same < loose.trials


def test_other_weights_move_one_at_a_time_where_asked() -> None:
    """Two weights, down and up: four trials, and eleven weights are not moved together."""
    assert checked(marks(), [3.0, 1.0], together=False) == WeightCheck(trials=4, same=4, ever=(0,))
    many = np.repeat(marks(), 6, axis=2)[:, :, :11]
    found = checked(many, [1.0] * 11, together=False)
    assert isinstance(found, WeightCheck)
    assert found.trials == 22
    with pytest.raises(ValueError, match="11 weights"):
        checked(many, [1.0] * 11)


def test_other_weights_tell_only_of_arms_that_are_asked_for() -> None:
    """An arm without a place is in no set, under no weights."""
    found = checked(marks(), [1.0, 1.0], among=[0])
    assert isinstance(found, WeightCheck)
    assert found.ever == (0,)


def test_weighted_means_leave_out_cells_without_a_weighted_mark() -> None:
    """A criterion of weight 0 may be missing; one with weight may not."""
    x = marks()
    x[:, :, 1] = nan
    assert isinstance(checked(x, [1.0, 0.0]), WeightCheck)
    found = checked(x, [1.0, 1.0])
    assert isinstance(found, Refusal)
    assert found.code == "too_few_arms"


def test_weighted_means_weigh_only_criteria_that_apply() -> None:
    """An item without the second criterion is its first mark; one without any has none."""
    x = np.array([[[8.0, nan], [6.0, 3.0], [nan, nan]]])
    applies = np.array([[True, False], [True, True], [False, False]])
    found = weighted_means(x, np.array([2.0, 1.0]), applies)
    assert found[0, :2].tolist() == [8.0, 5.0]
    assert np.isnan(found[0, 2])
    with pytest.raises(ValueError, match="weights"):
        weighted_means(x, np.array([2.0]), applies)


@pytest.mark.parametrize("weights", [[[1.0]], [-1.0, 2.0], [0.0, 0.0]])
def test_other_weights_raise_on_what_cannot_be(weights: list[float]) -> None:
    """A row of weights, none negative, not all 0."""
    with pytest.raises(ValueError, match="weights"):
        checked(marks(), weights)


def test_least_squares_means_of_a_full_table_are_the_plain_means() -> None:
    """Nothing is missing: nothing changes."""
    x = np.random.default_rng(3).normal(6, 1, (4, 9))
    found = least_squares_means(x)
    values = [one.value for one in found if isinstance(one, Estimate)]
    assert values == pytest.approx(x.mean(axis=1).tolist(), abs=1e-10)


def test_least_squares_means_equal_statsmodels_on_unequal_items() -> None:
    """Dummies for arms and items, a fifth missing: the same differences between arms."""
    rng = np.random.default_rng(5)
    x = rng.normal(6, 1, (4, 12)) + rng.normal(0, 1, 12)
    x[rng.random(x.shape) < 0.2] = nan
    found = least_squares_means(x)
    a, i = np.nonzero(np.isfinite(x))
    design = np.hstack([np.eye(4)[a], np.eye(12)[i][:, 1:]])
    expected = OLS(x[a, i], design).fit().params[:4]
    values = np.array([one.value for one in found if isinstance(one, Estimate)])
    assert values - values[0] == pytest.approx(expected - expected[0], abs=1e-9)


def test_least_squares_means_repair_an_arm_that_was_blocked_on_hard_items() -> None:
    """Arm 0 is one point better everywhere and lacks the easy items: its raw mean is lower."""
    hard = np.linspace(3, 8, 10)
    x = np.array([hard + 1, hard, hard]) + np.random.default_rng(1).normal(0, 0.05, (3, 10))
    x[0, 5:] = nan
    found = least_squares_means(x)
    assert np.nanmean(x[0]) < x[1].mean()
    assert isinstance(found[0], Estimate)
    assert isinstance(found[1], Estimate)
    assert found[0].value - found[1].value == pytest.approx(1, abs=0.1)
    assert found[0].kind == "sandwich"


@pytest.mark.parametrize(
    ("cells", "codes"),
    [
        ([[1.0, 2], [3, 4]], ["too_few_items"] * 2),
        ([[1.0, 2, nan, nan], [nan, nan, 3, 4]], ["disconnected"] * 2),
        ([[nan, nan, nan], [nan, nan, nan]], ["nothing_scored"] * 2),
    ],
)
def test_least_squares_means_refuse(cells: list[list[float]], codes: list[str]) -> None:
    """Two items; arms without a common item; nothing at all."""
    found = least_squares_means(np.array(cells))
    assert [one.code for one in found if isinstance(one, Refusal)] == codes


@settings(max_examples=50, deadline=None)
@given(hnp.arrays(np.float64, (3, 5), elements=st.sampled_from([1.0, 7.0, 7.5, 8.1, np.nan])))
def test_least_squares_means_let_no_nan_out(cells: FloatArray) -> None:
    """Any table: a refusal or finite figures for each arm."""
    for one in least_squares_means(cells):
        if isinstance(one, Estimate):
            assert np.isfinite(one.value)
            assert one.low is None or one.low < one.value
    with pytest.raises(ValueError, match="shape"):
        least_squares_means(cells[0])
