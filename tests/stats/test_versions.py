"""Two versions of a rubric beside the same people: known changes, and refusals by code."""

import numpy as np
import pytest

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.tuning import Fit
from judgebench.stats.arrays import FloatArray
from judgebench.stats.versions import change, fit


def people(items: int, *, arms: int = 2, seed: int = 1) -> FloatArray:
    """Two people with noise of their own, shape (A, I, 2)."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(6, 1, (arms, items, 1))
    return np.asarray(np.round(truth + rng.normal(0, 0.4, (arms, items, 2))), dtype=np.float64)


def test_a_version_two_points_closer_is_two_points_closer() -> None:
    """The change is that of mean gaps, below zero for closer, with its interval around it."""
    marks = people(30)
    means = marks.mean(axis=2)
    rng = np.random.default_rng(2)
    before, after = means + 3 + rng.normal(0, 0.3, means.shape), means + 1
    found = change(marks, before, after)
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(-2, abs=0.15)
    assert found.low is not None
    assert found.high is not None
    assert found.low < found.value < found.high < 0
    assert found.n == 30


def test_the_fit_of_a_judge_that_is_a_point_too_kind() -> None:
    """Bias one, all answers near by one point, none by half a point."""
    marks = people(20)
    judge = marks.mean(axis=2) + 1
    near = fit(marks, judge, within=1.0, span=9)
    far = fit(marks, judge, within=0.5, span=9)
    assert isinstance(near, Fit)
    assert isinstance(far, Fit)
    assert near.bias.value == pytest.approx(1)
    assert (near.within, far.within) == (1.0, 0.0)


@pytest.mark.parametrize(("items", "code"), [(9, "too_few_items"), (0, "no_human_labels")])
def test_few_items_are_refused(items: int, code: str) -> None:
    """Nine are too few, none are no labels."""
    marks = people(12)
    marks[:, items:] = np.nan
    judge = np.full((2, 12), 5.0)
    for found in (change(marks, judge, judge + 1), fit(marks, judge, within=1.0, span=9)):
        assert isinstance(found, Refusal)
        assert (found.code, found.have, found.need) == (code, items, 10)


def test_a_change_that_does_not_spread_has_no_interval() -> None:
    """The same version twice: exactly nothing has changed, and no width is made up."""
    marks = people(15)
    judge = marks.mean(axis=2) + 1
    assert change(marks, judge, judge) == Estimate(value=0.0, n=15, no_interval="zero_spread")
    with pytest.raises(ValueError, match="shape"):
        change(marks, judge, judge[:1])


def test_only_answers_that_all_three_marked_count() -> None:
    """An item that one version lacks takes no part."""
    marks = people(12)
    before = marks.mean(axis=2) + 1
    after = before.copy()
    after[:, :2] = np.nan
    found = change(marks, before, after)
    assert isinstance(found, Estimate)
    assert found.n == 10


def test_each_version_is_held_against_people_as_it_sums_them() -> None:
    """A total under other weights is compared with people's total under the same weights."""
    marks = people(12)
    judge = marks.mean(axis=2)
    found = change(marks, judge + 1, judge + 3, later=marks + 3)
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(-1)
    with pytest.raises(ValueError, match="one shape"):
        change(marks, judge, judge, later=marks[:, :, :1])
