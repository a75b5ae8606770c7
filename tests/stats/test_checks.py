"""Modal share, length baseline and tiers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from judgebench.model.deductions import Tier
from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats.checks import (
    TierReading,
    item_mean,
    length_baseline,
    mid_ranks,
    modal_share,
    spearman,
    tier,
)

BARS = (Tier(name="B", at_least=7), Tier(name="A", at_least=8.5), Tier(name="C", at_least=5))


def test_modal_share_refuses_no_marks() -> None:
    """Nothing was scored."""
    found = modal_share(np.array([np.nan]))
    assert isinstance(found, Refusal)
    assert found.code == "nothing_scored"


def test_modal_share_of_equally_frequent_marks_names_the_lowest() -> None:
    """A steady answer for equal data."""
    found = modal_share(np.array([[9.0, 7.0], [7.0, 9.0]]))
    assert not isinstance(found, Refusal)
    assert (found.mark, found.share, found.n) == (7, 0.5, 4)


@settings(max_examples=40)
@given(st.lists(st.integers(1, 5), min_size=1, max_size=12))
def test_mid_ranks_equal_scipy(values: list[int]) -> None:
    """Ties at the mean of their places."""
    x = np.array(values, dtype=np.float64)
    assert mid_ranks(x) == pytest.approx(stats.rankdata(x))


def test_spearman_equals_the_published_value() -> None:
    """Ten people: −29/165."""
    iq = np.array([106.0, 100, 86, 101, 99, 103, 97, 113, 112, 110])
    tv = np.array([7.0, 27, 2, 50, 28, 29, 20, 12, 6, 17])
    assert spearman(iq, tv) == pytest.approx(-29 / 165, abs=1e-12)


def test_spearman_of_ties_alone_is_none() -> None:
    """All tied: undefined, not 0 and not 1."""
    assert spearman(np.array([0.1, 0.1, 0.1]), np.array([1.0, 2, 3])) is None


def test_length_baseline_refuses_four_usable_items() -> None:
    """Five items, of which one has two scored arms."""
    totals = np.tile([[7.0], [8], [9]], (1, 5))
    totals[0, 0] = np.nan
    found = length_baseline(totals, totals * 100)
    assert isinstance(found, Refusal)
    assert (found.statistic, found.code, found.have, found.need) == (
        "length_baseline",
        "too_few_items",
        4,
        5,
    )


def test_length_baseline_of_marks_that_follow_length_is_one_without_an_interval() -> None:
    """No spread between items is no certainty: the interval is left out."""
    totals = np.tile([[7.0], [8], [9]], (1, 6))
    found = length_baseline(totals, totals * 100)
    assert isinstance(found, Estimate)
    assert (found.value, found.n, found.low, found.high) == (1.0, 6, None, None)


def test_length_baseline_is_the_mean_of_scipy_s_correlations_within_items() -> None:
    """Six items by four arms, jackknife interval as for a mean."""
    rng = np.random.default_rng(6)
    totals = rng.integers(5, 10, (4, 6)).astype(np.float64)
    lengths = rng.integers(100, 900, (4, 6)).astype(np.float64)
    each = [stats.spearmanr(totals[:, i], lengths[:, i]).statistic for i in range(6)]
    found = length_baseline(totals, lengths)
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(np.mean(each), abs=1e-12)
    low, high = stats.t.interval(0.95, 5, loc=np.mean(each), scale=stats.sem(each))
    assert found.low == pytest.approx(max(-1, low), abs=1e-9)
    assert found.high == pytest.approx(min(1, high), abs=1e-9)


def test_length_baseline_is_blind_to_items_and_to_the_unit_of_length() -> None:
    """Hard items with long answers alone make no baseline: only the order within counts."""
    totals = np.array([[9.0, 5, 8, 3, 7], [8.0, 4, 7, 2, 6], [7.0, 3, 6, 1, 5]])
    lengths = np.array([[1.0, 9, 2, 9, 3], [2.0, 8, 1, 8, 4], [3.0, 7, 3, 7, 1]])
    one, other = length_baseline(totals, lengths), length_baseline(totals + 1, lengths * 1000)
    assert one == other


def test_length_baseline_needs_equal_shapes() -> None:
    """One length for each cell."""
    with pytest.raises(ValueError, match="shape"):
        length_baseline(np.ones((2, 3)), np.ones((3, 2)))


def test_item_mean_stays_within_its_range() -> None:
    """A wide interval is cut at the ends."""
    found = item_mean(np.array([0.9, 1, 1, 1, 0.2]), statistic="length_baseline", low=-1, high=1)
    assert isinstance(found, Estimate)
    assert found.high == 1


@pytest.mark.parametrize(
    ("value", "name"), [(4.99, None), (5, "C"), (8.4999, "B"), (8.5, "A"), (7 - 1e-12, "B")]
)
def test_tier_of_one_total_is_arithmetic(value: float, name: str | None) -> None:
    """Bars count from their own value on, and nothing is borderline."""
    assert tier(value, BARS) == TierReading(name=name, borderline=False)


@pytest.mark.parametrize(
    ("low", "high", "borderline"), [(7.1, 8.4, False), (6.9, 8.0, True), (7.5, 8.5, True)]
)
def test_tier_is_borderline_where_the_interval_crosses_a_bar(
    low: float, high: float, *, borderline: bool
) -> None:
    """Above, below or inside the tier."""
    interval = Estimate(value=7.8, n=5, low=low, high=high)
    assert tier(7.8, BARS, interval=interval) == TierReading(name="B", borderline=borderline)


def test_tier_with_a_refused_interval_claims_nothing_more() -> None:
    """A refusal cannot cross a bar."""
    refused = Refusal(statistic="total", code="too_few_items", have=1, need=3)
    assert tier(7.8, BARS, interval=refused) == TierReading(name="B", borderline=False)
