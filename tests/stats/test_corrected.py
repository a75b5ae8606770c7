"""Human-corrected means and differences: reference values, refusals, coverage."""

import numpy as np
import pytest
from scipy.special import ndtri

from benchmarks.coverage.people import corrected_coverage, labels_width
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.people import Corrected
from judgebench.stats.corrected import (
    best_weight,
    corrected_difference,
    corrected_mean,
    expected_half_width,
    labels_needed,
    ppi,
)
from judgebench.stats.pairs import paired_difference

TRUTH = np.array([3.0, 4, 2, 5, 4, 3, 5, 1, 2, 4])
JUDGE = np.array([3.5, 4, 3, 5, 4.5, 3, 4.5, 2, 3, 4])
REST = np.array([4, 3, 5, 2, 4, 4.5, 3.5, 3, 5, 4, 2.5, 4, 3, 4.5, 3.5, 4, 5, 3, 4, 2])


def test_weight_one_equals_the_reference_values() -> None:
    """Estimate 3.325 and the n−1 interval of the reference page, with its normal quantile."""
    value, variance = ppi(TRUTH, JUDGE, REST, 1.0)
    half = float(ndtri(0.975)) * variance**0.5
    assert value == pytest.approx(3.325, abs=1e-12)
    assert (value - half, value + half) == pytest.approx((2.804510, 3.845490), abs=1e-6)


def test_weight_zero_is_people_alone() -> None:
    """At λ 0 the judge is not looked at."""
    value, variance = ppi(TRUTH, JUDGE, np.array([]), 0.0)
    assert value == pytest.approx(3.3)
    assert variance == pytest.approx(TRUTH.var(ddof=1) / 10)


def test_variance_with_divisor_n_equals_ppi_python() -> None:
    """With its divisor and normal quantile the published interval comes out."""
    rest = TRUTH - JUDGE
    half = float(ndtri(0.975)) * (rest.var() / 10 + REST.var() / 20) ** 0.5
    value, _ = ppi(TRUTH, JUDGE, REST, 1.0)
    assert (value - half, value + half) == pytest.approx((2.823028, 3.826972), abs=1e-6)


def test_ten_labels_take_the_judge_whole_with_t() -> None:
    """Below 20 labels λ is one; the interval is t on eight degrees, as a weight was chosen."""
    found = corrected_mean(TRUTH, JUDGE, REST)
    assert not isinstance(found, Refusal)
    assert (found.weight, found.rule, found.labels, found.others) == (1.0, "fixed", 10, 20)
    assert found.estimate.low == pytest.approx(
        3.325 - 2.3060041352 * 0.2655639 * (9 / 8) ** 0.5, abs=1e-5
    )
    assert found.raw == pytest.approx(np.concatenate([JUDGE, REST]).mean())
    assert found.gain < 1


def test_a_useless_judge_leaves_people_alone() -> None:
    """Without correlation, or without other items, λ is 0 and the gain is 1."""
    rng = np.random.default_rng(5)
    for f, u in ((rng.permutation(-TRUTH), REST), (JUDGE, REST[:9])):
        found = corrected_mean(TRUTH, f, u)
        assert not isinstance(found, Refusal)
        assert (found.weight, found.rule) == (0.0, "people")
        assert found.estimate.value == pytest.approx(TRUTH.mean())
        assert found.gain == pytest.approx(1.0)


def test_fitted_weight_is_the_least_variance() -> None:
    """No other λ within [0, 1] gives a smaller variance."""
    rng = np.random.default_rng(7)
    y = rng.normal(0, 1, 40)
    f, u = y + rng.normal(0, 0.7, 40), rng.normal(0, 1.2, 400)
    u *= f.std(ddof=1) / u.std(ddof=1)
    best = best_weight(y, f, 400)
    least = ppi(y, f, u, best)[1]
    assert 0 < best < 1
    assert all(least <= ppi(y, f, u, w)[1] + 1e-12 for w in np.linspace(0, 1, 101))
    found = corrected_mean(y, f, u)
    assert not isinstance(found, Refusal)
    assert found.rule == "fitted"
    assert found.weight == pytest.approx(best)


def test_refusals_name_what_is_missing() -> None:
    """No labels, nine labels, and nothing that varies are three codes."""
    none = corrected_mean(TRUTH[:0], JUDGE[:0], REST)
    nine = corrected_mean(TRUTH[:9], JUDGE[:9], REST)
    flat = corrected_mean(np.full(10, 3.0), np.full(10, 4.0), REST)
    assert [one.code for one in (none, nine, flat) if isinstance(one, Refusal)] == [
        "no_human_labels",
        "too_few_items",
        "zero_spread",
    ]


def test_rounding_floor_stands_where_nothing_varies() -> None:
    """Marks that are all equal still carry their rounding."""
    found = corrected_mean(np.full(12, 3.0), np.full(12, 4.0), REST, floor=1 / 12)
    assert not isinstance(found, Refusal)
    assert found.estimate.low is not None
    assert found.estimate.low < 3.0
    assert found.correlation is None


def test_difference_uses_drawn_items_only() -> None:
    """Labels outside of the draw count as unlabelled; items without a judge drop out."""
    rng = np.random.default_rng(2)
    judge = rng.normal(6, 1, (2, 60))
    people = judge + rng.normal(0, 0.5, (2, 60))
    people[:, 30:] = np.nan
    judge[0, 59] = np.nan
    drawn = np.zeros(60, dtype=bool)
    drawn[:25] = True
    found = corrected_difference(people, judge, drawn)
    assert not isinstance(found, Refusal)
    assert (found.labels, found.others) == (25, 34)


def test_shapes_are_checked() -> None:
    """Unequal lengths are a fault of the caller."""
    with pytest.raises(ValueError, match="one shape"):
        corrected_mean(TRUTH, JUDGE[:9], REST)


@pytest.mark.parametrize("n", [12, 20])
def test_corrected_difference_covers_where_the_judge_alone_fails(n: int) -> None:
    """A judge that favours one arm by 0.8 points: corrected covers, judge-only never does."""
    found = corrected_coverage(n, runs=1500)
    assert found.corrected >= 0.94 - 2.576 * (0.94 * 0.06 / 1500) ** 0.5
    assert found.judge_only < 0.05


def test_hand_picked_labels_would_not_cover() -> None:
    """The lowest marks picked for labels: that is why such labels are refused."""
    found = corrected_coverage(40, runs=300, picked=True)
    assert found.corrected < 0.9
    assert found.people_only < 0.6


@pytest.mark.parametrize(("rho", "want"), [(0.0, 0.5), (0.8, 0.5)])
def test_labels_needed_give_the_width_that_was_wished_for(rho: float, want: float) -> None:
    """Simulated half width at the planned number of labels lies within 8 % of the plan."""
    n = labels_needed(1.6, rho, half_width=want, items=300)
    assert n is not None
    got = labels_width(n, rho=rho, sd=1.6, items=300, runs=400)
    assert got == pytest.approx(expected_half_width(1.6, rho, labels=n, items=300), rel=0.08)


def test_labels_needed_says_when_there_are_not_enough_items() -> None:
    """A width that not even all items give is None, and nonsense is refused."""
    assert labels_needed(2.0, 0.5, half_width=0.1, items=50) is None
    with pytest.raises(ValueError, match="above 0"):
        labels_needed(0.0, 0.5, half_width=0.1, items=50)


@pytest.mark.parametrize("n", [10, 19, 20, 40])
def test_at_weight_zero_it_is_the_interval_of_people_alone(n: int) -> None:
    """A judge that adds nothing costs no degree of freedom: n−1, as for people by themselves."""
    rng = np.random.default_rng(n)
    people = np.full((2, 60), np.nan)
    people[:, :n] = rng.normal(6, 1.5, (2, n))
    judge = rng.normal(6, 1.5, (2, 60))
    judge[:, :n] -= people[:, :n]
    drawn = np.arange(60) < n
    found = corrected_difference(people, judge, drawn, level=0.99)
    counts = np.isfinite(people).astype(np.int64)
    alone = paired_difference(*people, *counts, step=0.0, level=0.99)
    assert isinstance(found, Corrected)
    assert isinstance(alone, Estimate)
    assert (found.weight, found.rule) == (0.0, "people")
    assert found.gain == pytest.approx(1.0, abs=1e-12)
    ends = (found.estimate.value, found.estimate.low, found.estimate.high)
    assert ends == pytest.approx((alone.value, alone.low, alone.high), abs=1e-12)
