"""Clusters above items, and the median."""

import numpy as np
import pytest
from scipy import stats

from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats.clusters import clustered_mean
from judgebench.stats.cr2 import Summed, satterthwaite
from judgebench.stats.intervals import median_interval


def _sized(*sizes: int) -> Summed:
    """One row of clusters of these sizes; sums do not matter."""
    return Summed(sums=np.zeros((1, len(sizes))), sizes=np.array([sizes], dtype=np.float64))


def test_clustered_mean_refuses_two_clusters() -> None:
    """Forty items of two documents are two."""
    found = clustered_mean(np.arange(40.0), np.arange(40) % 2)
    assert isinstance(found, Refusal)
    assert (found.code, found.have, found.need) == ("too_few_clusters", 2, 3)


def test_clustered_mean_refuses_zero_spread() -> None:
    """Equal differences everywhere."""
    found = clustered_mean(np.full(9, 0.1), np.arange(9) % 3)
    assert isinstance(found, Refusal)
    assert found.code == "zero_spread"


def test_clustered_mean_of_equal_sizes_is_student_on_cluster_means() -> None:
    """Four documents of three items."""
    d = np.random.default_rng(3).normal(0.5, 1, (4, 3))
    found = clustered_mean(d.ravel(), np.repeat(np.arange(4), 3))
    expected = stats.ttest_1samp(d.mean(axis=1), 0)
    assert isinstance(found, Estimate)
    assert found.p == pytest.approx(expected.pvalue, abs=1e-10)
    assert found.low == pytest.approx(expected.confidence_interval().low, abs=1e-10)
    assert (found.n, found.kind) == (4, "CR2")


def test_clustered_mean_of_single_items_is_student() -> None:
    """Each item its own cluster, one without a value."""
    d = np.array([0.5, 1.5, -0.5, 2.0, np.nan, 0.1])
    found = clustered_mean(d, np.arange(6))
    expected = stats.ttest_1samp(d[np.isfinite(d)], 0).confidence_interval()
    assert isinstance(found, Estimate)
    assert found.high == pytest.approx(expected.high, abs=1e-10)


def test_clustered_mean_of_unequal_sizes_is_unbiased_in_its_variance() -> None:
    """One cluster of twelve, five of two, independent items: mean of se² equals σ²/N."""
    clusters = np.concatenate([np.zeros(12, dtype=np.int64), np.repeat(np.arange(1, 6), 2)])
    rng = np.random.default_rng(6)
    squares = []
    for _ in range(1500):
        found = clustered_mean(rng.normal(0, 1, 22), clusters)
        assert isinstance(found, Estimate)
        assert found.high is not None
        squares.append((found.high - found.value) ** 2)
    q = stats.t.ppf(0.975, satterthwaite(_sized(12, 2, 2, 2, 2, 2))[0])
    assert np.mean(squares) / q**2 == pytest.approx(1 / 22, rel=0.08)


def test_clustered_mean_raises_on_what_cannot_be() -> None:
    """One code for each item."""
    with pytest.raises(ValueError, match="shape"):
        clustered_mean(np.ones(4), np.ones(3, dtype=np.int64))


def test_median_interval_refuses_five_items_and_a_level_out_of_reach() -> None:
    """At five items order statistics reach 93.75 %; at six 96.9, not 99."""
    five = median_interval(np.arange(5.0))
    six = median_interval(np.arange(6.0), level=0.99)
    assert isinstance(five, Refusal)
    assert isinstance(six, Refusal)
    assert (five.code, five.need, six.code) == ("too_few_items", 6, "too_few_items")


@pytest.mark.parametrize("n", [6, 9, 20, 57])
def test_median_interval_equals_scipy(n: int) -> None:
    """The interval of scipy's quantile test, two-sided."""
    x = np.random.default_rng(n).normal(6, 2, n)
    found = median_interval(x)
    test = stats.quantile_test(x, q=0, p=0.5)
    expected = test.confidence_interval(confidence_level=0.95)
    assert isinstance(found, Estimate)
    assert found.low == expected.low  # type: ignore[attr-defined] # the stubs say float
    assert found.high == expected.high  # type: ignore[attr-defined] # the stubs say float
    assert found.value == np.median(x)


def test_median_interval_of_equal_marks_has_no_width_and_is_left_out() -> None:
    """Eight at eight is no certainty."""
    found = median_interval(np.full(8, 8.0))
    assert isinstance(found, Estimate)
    assert (found.value, found.low, found.kind) == (8.0, None, "")
    with pytest.raises(ValueError, match="level"):
        median_interval(np.arange(9.0), level=95)
