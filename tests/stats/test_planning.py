"""Smallest detectable difference and items needed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.power import TTestPower

from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats.arrays import FloatArray
from judgebench.stats.planning import (
    _quadrature,
    detectable,
    detectable_difference,
    items_needed,
    power_range,
    t_power,
)
from judgebench.stats.rule_power import found_share
from judgebench.stats.spreads import Shape, worst_spread

TABLE = """3 3.26 10.3
4 2.13 4.7
5 1.68 3.2
6 1.43 2.5
8 1.16 1.81
10 0.99 1.48
15 0.78 1.10
20 0.66 0.91
30 0.53 0.72
50 0.40 0.54
100 0.28 0.37
200 0.20 0.26"""


def value(found: Estimate | Refusal) -> float:
    """Value of an estimate."""
    assert isinstance(found, Estimate)
    return found.value


@pytest.mark.parametrize(("s_d", "n", "code"), [(1.0, 2, "too_few_items"), (0.0, 9, "zero_spread")])
def test_detectable_difference_refuses(s_d: float, n: int, code: str) -> None:
    """Two items; no spread."""
    found = detectable_difference(s_d, n)
    assert isinstance(found, Refusal)
    assert found.code == code


@pytest.mark.parametrize(("s_d", "lattice", "need"), [(0.62, 1.0, 24), (0.5, 0.5, 9), (3.0, 1, 1)])
def test_detectable_difference_is_refused_where_most_differences_tie(
    s_d: float, lattice: float, need: int
) -> None:
    """From so many items on the mean's standard error spans three of its steps."""
    for n in (5, need - 1, need, 40):
        found = detectable_difference(s_d, max(n, 3), lattice=lattice)
        if max(n, 3) < need:
            assert isinstance(found, Refusal)
            assert (found.code, found.need) == ("too_many_ties", need)
        else:
            assert found == detectable_difference(s_d, max(n, 3))
    with pytest.raises(ValueError, match="lattice"):
        detectable_difference(s_d, 9, lattice=-1)


def test_a_detectable_gap_is_widened_where_the_items_find_it_too_rarely() -> None:
    """Differences with two humps far off; normal ones, many items and three keep the t."""
    rng = np.random.default_rng(4)
    near = rng.normal(0, 1.2, 4000)
    far = near + rng.choice([-6.5, 0, 6.5], 4000, p=[0.1, 0.8, 0.1])
    for n, wider in ((4, False), (5, True), (30, False)):
        plain = value(detectable_difference(float(far.std()), n))
        found = value(detectable_difference(float(far.std()), n, shape=Shape(d=far)))
        assert (1.05 * plain < found < 1.2 * plain) == wider
        assert wider or found == plain
    alike = detectable_difference(float(near.std()), 5)
    assert detectable_difference(float(near.std()), 5, shape=Shape(d=near)) == alike


@pytest.mark.parametrize("shift", [0.0, 3.0])
def test_a_gap_of_differences_that_are_all_equal_is_the_one_of_their_floor(shift: float) -> None:
    """They have no shape."""
    found = detectable_difference(0.4, 6, shape=Shape(d=np.full(6, shift), floor=0.16))
    assert found == detectable_difference(0.4, 6)


def test_detectable_counts_what_the_judgments_of_a_cell_make_finer() -> None:
    """Integer marks of one scoring tie too often at six items, means of four do not."""
    x = np.array([[7.0, 8, 7, 8, 7, 8], [7, 7, 8, 8, 7, 7]])
    once, often = (np.full((2, 6), r, dtype=np.int64) for r in (1, 4))
    refused = detectable(x, once, step=1, total_step=1)
    assert isinstance(refused, Refusal)
    assert refused.code == "too_many_ties"
    assert detectable(x, often, step=1, total_step=1) == detectable(x, often, step=1)


@pytest.mark.parametrize("row", TABLE.splitlines())
def test_detectable_difference_meets_the_planning_table(row: str) -> None:
    """One planned pair and the worst of ten, in units of the spread; wider where flips hold back.

    Six differences of one pair must all have one sign; up to ten the flips take their share.
    """
    n, one, ten = row.split()
    gap = value(detectable_difference(1.0, int(n)))
    if 6 <= int(n) <= 10:
        assert gap > float(one)
        assert found_share(gap, int(n), alpha=0.05) == pytest.approx(0.8, abs=0.005)
    else:
        assert gap == pytest.approx(float(one), abs=0.007)
        assert int(n) < 6 or found_share(gap, int(n), alpha=0.05) >= 0.78
    found = value(detectable_difference(1.0, int(n), comparisons=10))
    assert found == pytest.approx(float(ten), rel=0.02)


def test_detectable_difference_scales_with_the_spread() -> None:
    """Points, not standard deviations."""
    one = value(detectable_difference(1.0, 12))
    assert value(detectable_difference(2.5, 12)) == pytest.approx(2.5 * one)


@pytest.mark.parametrize("n", [3, 5, 10, 30, 200])
@pytest.mark.parametrize("shift", [0.2, 0.8])
def test_t_power_equals_statsmodels(n: int, shift: float) -> None:
    """One-sample t test, two-sided."""
    expected = TTestPower().power(shift, n, 0.05)
    assert t_power(shift, n) == pytest.approx(expected, abs=1e-9)


def test_t_power_is_a_number_where_the_reference_has_none() -> None:
    """Two spreads apart at 30 items: statsmodels says NaN, the power is 1."""
    assert np.isnan(TTestPower().power(2.0, 30, 0.05))
    assert t_power(2.0, 30) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("n", [2, 3, 5, 30, 1000])
def test_t_power_has_a_second_way_that_agrees(n: int) -> None:
    """Where the non-central t fails, quadrature gives the same within 1e-3."""
    for shift in (0.1, 1.0):
        bar = stats.t.ppf(0.975, n - 1)
        assert _quadrature(shift * n**0.5, n - 1, bar) == pytest.approx(t_power(shift, n), abs=1e-3)


@settings(max_examples=60)
@given(st.floats(0, 1e4), st.integers(2, 10**6), st.floats(1e-6, 0.5))
def test_t_power_is_a_probability_everywhere(shift: float, n: int, alpha: float) -> None:
    """No NaN in any tail."""
    assert 0 <= t_power(shift, n, alpha=alpha) <= 1


@pytest.mark.parametrize(("shift", "n", "alpha"), [(-1, 5, 0.05), (1, 1, 0.05), (1, 5, 0.0)])
def test_t_power_raises_on_what_cannot_be(shift: float, n: int, alpha: float) -> None:
    """A negative shift, one item, no error rate."""
    with pytest.raises(ValueError, match="no power"):
        t_power(shift, n, alpha=alpha)


@pytest.mark.parametrize(("n", "comparisons"), [(3, 1), (5, 1), (10, 10), (100, 1)])
def test_the_power_at_a_gap_is_as_uncertain_as_the_spread_behind_it(
    n: int, comparisons: int
) -> None:
    """One run in twenty each is below and above: simulated variances agree."""
    low, high = power_range(n, comparisons=comparisons)
    gap = detectable_difference(1.0, n, comparisons=comparisons)
    assert isinstance(gap, Estimate)
    spreads = np.sqrt(np.random.default_rng(n).chisquare(n - 1, 2000) / (n - 1))
    power = [t_power(gap.value * float(one), n, alpha=0.05 / comparisons) for one in spreads]
    assert np.quantile(power, [0.05, 0.95]) == pytest.approx([low, high], abs=0.02)
    assert low < 0.8 < high


def test_items_needed_for_one_point_at_a_spread_of_1_3() -> None:
    """Sixteen for one planned pair, 27 for all ten pairs."""
    assert items_needed(1.3, 1.0) == 16
    assert items_needed(1.3, 1.0, comparisons=10) == 27


@settings(max_examples=20, deadline=None)
@given(st.floats(0.2, 3), st.floats(0.2, 3))
def test_items_needed_is_the_first_number_with_the_power(s_d: float, delta: float) -> None:
    """That many items reach 0.8, one less does not, be it that the flips do not find it."""
    n = items_needed(s_d, delta)
    assert not isinstance(n, Refusal)
    assert n >= 3
    assert t_power(delta / s_d, n) >= 0.8
    if n > 3 and t_power(delta / s_d, n - 1) >= 0.8:
        assert found_share(delta / s_d, n - 1, alpha=0.05) < 0.78


@pytest.mark.parametrize(
    ("s_d", "delta", "code"), [(0.0, 1, "zero_spread"), (1.0, 1e-6, "not_finite")]
)
def test_items_needed_refuses(s_d: float, delta: float, code: str) -> None:
    """No spread; more items than anyone has."""
    found = items_needed(s_d, delta)
    assert isinstance(found, Refusal)
    assert found.code == code


@pytest.mark.parametrize(
    ("s_d", "delta", "power"),
    [(np.nan, 1, 0.8), (-1, 1, 0.8), (1, 0, 0.8), (1, np.inf, 0.8), (1, 1, 0.01)],
)
def test_items_needed_raises_on_what_cannot_be(s_d: float, delta: float, power: float) -> None:
    """No spread is negative, no difference to find is 0, no power below alpha."""
    with pytest.raises(ValueError, match=r"spread|difference|power"):
        items_needed(s_d, delta, power=power)


def arms(
    cells: list[list[float]],
) -> tuple[FloatArray, np.ndarray[tuple[int, ...], np.dtype[np.int64]]]:
    """Cells with one judgment each."""
    x = np.array(cells, dtype=np.float64)
    return x, np.isfinite(x).astype(np.int64)


def test_worst_spread_is_that_of_the_hardest_pair() -> None:
    """The erratic arm sets what the run could have seen."""
    x, reps = arms([[5, 5, 5, 5], [5, 6, 5, 6], [1, 9, 2, 10]])
    found = worst_spread(x, reps, step=1)
    assert not isinstance(found, Refusal)
    assert (found.first, found.second, found.n) == (0, 2, 4)
    expected = detectable_difference(found.sd, 4, comparisons=3)
    assert detectable(x, reps, step=1) == expected


@pytest.mark.parametrize(
    ("cells", "step", "code"),
    [
        ([[5, 6, 7]], 1, "too_few_arms"),
        ([[5], [7]], 1, "too_few_items"),
        ([[5, 6, 7], [5, 6, 7]], 0, "zero_spread"),
    ],
)
def test_detectable_refuses(cells: list[list[float]], step: float, code: str) -> None:
    """One arm, one item, no spread and no lattice."""
    x, reps = arms(cells)
    found = detectable(x, reps, step=step)
    assert isinstance(found, Refusal)
    assert (found.statistic, found.code) == ("detectable", code)


@pytest.mark.parametrize("n", [5, 12])
def test_simulated_power_at_the_printed_difference_is_80_percent(n: int) -> None:
    """Four thousand runs with normal differences: between 78 and 82 %."""
    delta = value(detectable_difference(1.3, n))
    d = np.random.default_rng(3).normal(delta, 1.3, (4000, n))
    share = float(np.mean(stats.ttest_1samp(d, 0, axis=1).pvalue < 0.05))
    assert 0.78 <= share <= 0.82
