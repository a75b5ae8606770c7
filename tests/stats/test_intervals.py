"""Intervals of one mean and of one share."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats.arrays import FloatArray
from judgebench.stats.intervals import clopper_pearson, mean_interval, skewness, t_quantile


def rng() -> np.random.Generator:
    """Make the same generator for every figure."""
    return np.random.default_rng(20260929)


def mean(x: FloatArray, low: float = 1, high: float = 10) -> Estimate | Refusal:
    """Mean on a scale of one to ten."""
    return mean_interval(x, low=low, high=high, rng=rng())


@pytest.mark.parametrize(
    ("x", "code", "have"),
    [
        ([], "nothing_scored", 0),
        ([np.nan] * 4, "nothing_scored", 0),
        ([8.0, np.nan, 9.0], "too_few_items", 2),
    ],
)
def test_mean_interval_refuses(x: list[float], code: str, have: int) -> None:
    """Blocked cells are no items."""
    found = mean(np.array(x, dtype=np.float64))
    assert isinstance(found, Refusal)
    assert (found.statistic, found.code, found.have, found.need) == ("total", code, have, 3)


@pytest.mark.parametrize(
    ("x", "low", "high"),
    [([[1.0]], 1, 10), ([1.0, 2, 3], 10, 1), ([1.0, 2, 11], 1, 10), ([1.0, 2, 0.5], 1, 10)],
)
def test_mean_interval_raises_on_what_cannot_be(x: object, low: float, high: float) -> None:
    """Two axes, an empty scale, a value off the scale: faults of the caller."""
    with pytest.raises(ValueError, match=r"scale|shape"):
        mean(np.asarray(x, dtype=np.float64), low, high)


def test_mean_interval_needs_a_level_between_zero_and_one() -> None:
    """95 is not a level."""
    with pytest.raises(ValueError, match="level"):
        mean_interval(np.array([1.0, 2, 3]), low=1, high=10, rng=rng(), level=95)


def test_mean_interval_is_student_s_at_thirty_items() -> None:
    """Even marks, small skew: scipy's t interval."""
    x = np.tile([5.0, 6.0, 7.0, 8.0, 6.0], 6)
    found = mean(x)
    assert isinstance(found, Estimate)
    assert found.kind == "t"
    low, high = stats.t.interval(0.95, 29, loc=x.mean(), scale=stats.sem(x))
    assert found.low == pytest.approx(low, abs=1e-12)
    assert found.high == pytest.approx(high, abs=1e-12)


@pytest.mark.parametrize("x", [[8.0] * 40, [9.0] * 36 + [1.0] * 4, [7.0, 8.0, 6.0, 7.0]])
def test_mean_interval_is_bounded_without_spread_with_skew_or_below_thirty(x: list[float]) -> None:
    """Marks that are all equal leave an interval with a width all the same."""
    found = mean(np.array(x))
    assert isinstance(found, Estimate)
    assert found.kind == "bounded"
    assert found.low is not None
    assert found.high is not None
    assert 1 <= found.low < found.value < found.high <= 10


def test_mean_interval_of_equal_marks_has_a_closed_form() -> None:
    """Upper end of n marks at 0: the 97.5 % quantile of Beta(1, n), 1 − 0.025^(1/n)."""
    found = mean_interval(np.zeros(5), low=0, high=1, rng=rng())
    assert isinstance(found, Estimate)
    assert found.low == 0
    assert found.high == pytest.approx(1 - 0.025 ** (1 / 5), abs=0.02)


def test_mean_interval_gives_equal_figures_for_an_equal_seed() -> None:
    """Two calls with one seed."""
    x = np.array([3.0, 9.0, 8.0, 7.0])
    assert mean(x) == mean(x)


@settings(max_examples=60)
@given(
    hnp.arrays(np.float64, st.integers(0, 40), elements=st.sampled_from([1.0, 7.5, 8, 10, np.nan]))
)
def test_mean_interval_never_lets_nan_or_zero_width_out(x: FloatArray) -> None:
    """Any marks: a refusal, or an interval with a width within the scale around the mean."""
    found = mean(x)
    if isinstance(found, Refusal):
        assert np.isfinite(x).sum() < 3
        return
    assert found.low is not None
    assert found.high is not None
    assert 1 <= found.low <= found.value <= found.high <= 10
    assert found.high - found.low > 0.01


def test_skewness_equals_scipy() -> None:
    """The moment form, and 0 without spread."""
    x = np.array([1.0, 2, 2, 9])
    assert skewness(x) == pytest.approx(stats.skew(x), abs=1e-12)
    assert skewness(np.full(4, 0.1)) == 0


@pytest.mark.parametrize(("k", "n"), [(0, 10), (1, 10), (5, 10), (10, 10), (81, 263)])
def test_clopper_pearson_equals_scipy(k: int, n: int) -> None:
    """Exact interval of scipy's binomial test."""
    found = clopper_pearson(k, n)
    assert isinstance(found, Estimate)
    expected = stats.binomtest(k, n).proportion_ci(method="exact")
    assert found.low == pytest.approx(expected.low, abs=1e-12)
    assert found.high == pytest.approx(expected.high, abs=1e-12)
    assert found.value == k / n


def test_clopper_pearson_refuses_nothing_planned() -> None:
    """0 of 0 is no share."""
    found = clopper_pearson(0, 0)
    assert isinstance(found, Refusal)
    assert found.code == "nothing_scored"


@pytest.mark.parametrize(("k", "n", "level"), [(-1, 3, 0.95), (4, 3, 0.95), (1, 3, 1.0)])
def test_clopper_pearson_raises_on_what_cannot_be(k: int, n: int, level: float) -> None:
    """More successes than trials."""
    with pytest.raises(ValueError, match="no share"):
        clopper_pearson(k, n, level=level)


def test_t_quantile_equals_scipy_and_checks_its_range() -> None:
    """Tail and middle; p = 1 has no quantile."""
    for p, df in ((0.975, 2), (0.5, 7), (0.9975, 29)):
        assert t_quantile(p, df) == pytest.approx(stats.t.ppf(p, df), abs=1e-10)
    with pytest.raises(ValueError, match="no t quantile"):
        t_quantile(1.0, 3)


def test_equal_marks_have_one_interval_whoever_got_them() -> None:
    """Without a generator: in another order, and where 0.3 came about as 0.1 + 0.2."""
    x = np.array([8.0, 9.0, 6.0, 8.0, 2.0, 8.3])
    y = np.array([2.0, 8.0, 8.0, 9.0, 6.0, 8 + (0.1 + 0.2)])
    one, other = mean_interval(x, low=1, high=10), mean_interval(y, low=1, high=10)
    assert isinstance(one, Estimate)
    assert isinstance(other, Estimate)
    assert one.kind == "bounded"
    assert (one.low, one.high) == (other.low, other.high)
