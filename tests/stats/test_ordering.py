"""Orders within items, against scipy and published values."""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats.arrays import TIE, FloatArray
from judgebench.stats.ordering import (
    kendall_w,
    kendall_w_within_items,
    ordering_accuracy,
    tau_b,
    tau_within_items,
)
from tests.stats import vectors


def test_tau_b_equals_the_published_table() -> None:
    """Agresti's income by job satisfaction, 104 people: 0.152."""
    a, b = vectors.raters(vectors.table("1 3 10 6 / 2 3 10 7 / 1 6 14 12 / 0 1 9 11"))
    found = tau_b(a, b)
    assert found == pytest.approx(0.152352, abs=1e-6)
    assert found == pytest.approx(stats.kendalltau(a, b).statistic, abs=1e-12)


def test_tau_b_of_ties_alone_is_none() -> None:
    """One rater ties all arms: undefined."""
    assert tau_b(np.full(4, 0.1), np.arange(4.0)) is None


def test_tau_within_items_is_the_mean_of_scipy_s() -> None:
    """Seven items of four arms, one of them tied throughout by one rater."""
    rng = np.random.default_rng(4)
    x = rng.integers(1, 10, (4, 7)).astype(np.float64)
    y = rng.integers(1, 10, (4, 7)).astype(np.float64)
    y[:, 3] = 8
    each = [stats.kendalltau(x[:, i], y[:, i]).statistic for i in range(7) if i != 3]
    found = tau_within_items(x, y)
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(np.mean(each), abs=1e-12)
    assert found.n == 6


def test_tau_within_items_refuses_two_arms_and_four_items() -> None:
    """Two arms have an ordering accuracy, no τ."""
    for shape, code, need in (((2, 30), "too_few_arms", 3), ((5, 4), "too_few_items", 5)):
        x = np.random.default_rng(1).normal(size=shape)
        found = tau_within_items(x, x)
        assert isinstance(found, Refusal)
        assert (found.code, found.need) == (code, need)


def test_a_judge_that_sees_only_how_hard_items_are_has_no_order_of_arms() -> None:
    """Pooled correlation .8, within items half of the pairs: that is why it is within."""
    rng = np.random.default_rng(2)
    hard = rng.normal(0, 2, 400)
    people = hard + rng.normal(0, 1, (5, 400))
    judge = hard + rng.normal(0, 1, (5, 400))
    assert np.corrcoef(people.ravel(), judge.ravel())[0, 1] > 0.75
    found = ordering_accuracy(people, judge)
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(0.5, abs=0.03)
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.5 < found.high


def test_ordering_accuracy_credits_ties_as_ties() -> None:
    """Ten items of three arms; one pair tied by both, one by one of them only."""
    x = np.tile(np.array([[3.0], [2], [1]]), (1, 10))
    y = x.copy()
    x[1, 0] = y[1, 0] = 3
    y[1, 1] = 3
    found = ordering_accuracy(x, y)
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(29 / 30)
    assert found.n == 30


def test_ordering_accuracy_refuses_nineteen_pairs() -> None:
    """Six items of three arms, and one of two: 19."""
    x = np.tile(np.array([[3.0], [2], [1]]), (1, 7))
    x[2, 6] = np.nan
    found = ordering_accuracy(x, x)
    assert isinstance(found, Refusal)
    assert (found.have, found.need) == (19, 20)


@pytest.mark.parametrize("tied", [0, 1])
def test_a_rater_that_ties_everything_has_no_order(tied: int) -> None:
    """Neither accuracy, nor τ, nor W: a constant rater is neither like another nor unlike it."""
    marks = np.random.default_rng(5).normal(size=(3, 4, 30))
    marks[tied] = 0.1 + 0.2
    accuracy, tau = ordering_accuracy(marks[0], marks[1]), tau_within_items(marks[0], marks[1])
    for found in (accuracy, tau, kendall_w(marks[:, :, 0]), kendall_w_within_items(marks)):
        assert isinstance(found, Refusal)
        assert found.code == "no_variation"
    marks[tied, 0, 0] += 1
    assert isinstance(ordering_accuracy(marks[0], marks[1]), Estimate)


def test_ordering_accuracy_without_any_fault_has_no_interval() -> None:
    """All alike is no certainty."""
    x = np.tile(np.array([[3.0], [2], [1]]), (1, 10))
    found = ordering_accuracy(x, x)
    assert isinstance(found, Estimate)
    assert (found.value, found.low) == (1.0, None)
    with pytest.raises(ValueError, match="shape"):
        ordering_accuracy(x, x[:2])


@pytest.mark.parametrize(
    ("marks", "w", "p"),
    [(vectors.ANXIETY.T, 0.539657, 0.042883), (vectors.SHROUT_FLEISS.T, 0.887037037, 0.003290)],
    ids=["anxiety", "shrout-fleiss"],
)
def test_kendall_w_meets_published_values(marks: FloatArray, w: float, p: float) -> None:
    """Ties corrected; scipy's Friedman statistic is J(n−1)W."""
    found = kendall_w(marks)
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(w, abs=1e-6)
    assert found.p == pytest.approx(p, abs=1e-6)
    friedman = stats.friedmanchisquare(*marks.T).statistic
    assert marks.shape[0] * (marks.shape[1] - 1) * found.value == pytest.approx(friedman, abs=1e-9)


@pytest.mark.parametrize(
    ("marks", "code"),
    [
        pytest.param(np.ones((2, 5)), "too_few_judges", id="two-raters"),
        pytest.param(np.ones((3, 2)), "too_few_arms", id="two-arms"),
        pytest.param(np.full((3, 5), 0.1), "no_variation", id="all-tied"),
    ],
)
def test_kendall_w_refuses(marks: FloatArray, code: str) -> None:
    """Two raters, two objects, ties alone."""
    found = kendall_w(marks)
    assert isinstance(found, Refusal)
    assert found.code == code


def test_kendall_w_needs_two_axes() -> None:
    """A vector has no raters."""
    with pytest.raises(ValueError, match="shape"):
        kendall_w(np.ones(5))


def test_kendall_w_within_items_is_the_mean_over_items() -> None:
    """Six items: two on which three raters agree wholly, four as the single figure says."""
    rng = np.random.default_rng(8)
    cells = rng.integers(1, 10, (3, 4, 6)).astype(np.float64)
    cells[:, :, :2] = np.arange(4.0)[None, :, None]
    each = [kendall_w(cells[:, :, item]) for item in range(6)]
    values = [one.value for one in each if isinstance(one, Estimate)]
    found = kendall_w_within_items(cells)
    assert isinstance(found, Estimate)
    assert values[:2] == [pytest.approx(1), pytest.approx(1)]
    assert found.value == pytest.approx(np.mean(values))
    assert found.n == 6
    assert found.low is not None
    assert found.low < found.value


@pytest.mark.parametrize(
    ("shape", "code"), [((2, 4, 9), "too_few_judges"), ((3, 4, 4), "too_few_items")]
)
def test_kendall_w_within_items_refuses(shape: tuple[int, int, int], code: str) -> None:
    """Two raters have a correlation; four items are too few for a mean."""
    found = kendall_w_within_items(np.random.default_rng(2).normal(size=shape))
    assert isinstance(found, Refusal)
    assert found.code == code


def test_kendall_w_within_items_leaves_out_items_that_all_raters_tie() -> None:
    """An item without any order says nothing of agreement."""
    cells = np.random.default_rng(3).normal(size=(3, 4, 7))
    cells[:, :, 0] = 0.1
    found = kendall_w_within_items(cells)
    assert isinstance(found, Estimate)
    assert found.n == 6
    with pytest.raises(ValueError, match=r"\(J, A, I\)"):
        kendall_w_within_items(cells[0])


@pytest.mark.parametrize("seed", range(20))
def test_all_items_at_once_are_as_item_by_item(seed: int) -> None:
    """With gaps, ties, and marks that differ in the last digit alone, to 1e-12."""
    rng = np.random.default_rng(seed)
    marks = rng.choice([1.0, 2, 3, 0.1 + 0.2, 0.3, 3 + 1e-12], size=(3, 5, 24))
    marks[rng.random(marks.shape) < 0.04 * (seed % 4)] = np.nan
    x, y = marks[0], marks[1]
    taus, alike, pairs = [], 0, 0
    for a, b in zip(x.T, y.T, strict=True):
        both = np.isfinite(a) & np.isfinite(b)
        if both.sum() > 2 and (tau := tau_b(a[both], b[both])) is not None:
            taus.append(tau)
        for i, j in combinations(np.flatnonzero(both), 2):
            first, second = (0 if abs(v) <= TIE else np.sign(v) for v in (a[i] - a[j], b[i] - b[j]))
            pairs, alike = pairs + 1, alike + int(first == second)
    each = [kendall_w(marks[:, :, item]) for item in range(marks.shape[2])]
    values = [one.value for one in each if isinstance(one, Estimate)]
    found, w = tau_within_items(x, y), kendall_w_within_items(marks)
    accuracy = ordering_accuracy(x, y)
    assert isinstance(found, Estimate)
    assert isinstance(w, Estimate)
    assert isinstance(accuracy, Estimate)
    assert (found.n, w.n, accuracy.n) == (len(taus), len(values), pairs)
    assert found.value == pytest.approx(np.mean(taus), abs=1e-12)
    assert w.value == pytest.approx(np.mean(values), abs=1e-12)
    assert accuracy.value == pytest.approx(alike / pairs, abs=1e-12)
