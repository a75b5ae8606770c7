"""Paired differences, families of them, and what separates two arms."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats
from statsmodels.stats.multitest import multipletests

from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats.arrays import FloatArray, IntArray
from judgebench.stats.gaps import shared_differences
from judgebench.stats.leaning import all_shifts, allowing
from judgebench.stats.pairs import all_pairs, holm, paired_difference
from judgebench.stats.ranks import possible_best

any_cells = hnp.arrays(
    np.float64, (4, 8), elements=st.sampled_from([1.0, 7.0, 7.5, 8.0, 8.1, 10.0, np.nan])
)


def ones(x: FloatArray) -> IntArray:
    """One judgment behind each cell."""
    return np.ones(x.shape, dtype=np.int64)


def difference(a: list[float], b: list[float], *, step: float = 1) -> Estimate | Refusal:
    """Difference of two arms judged once."""
    x, y = np.array(a), np.array(b)
    return paired_difference(x, y, ones(x), ones(y), step=step)


def rng() -> np.random.Generator:
    """Make a generator with a fixed seed."""
    return np.random.default_rng(11)


def test_paired_difference_refuses_two_shared_items() -> None:
    """Three items each, two of them shared."""
    found = difference([1, 2, np.nan, 4], [2, np.nan, 3, 3])
    assert isinstance(found, Refusal)
    assert (found.code, found.have, found.need) == ("too_few_items", 2, 3)


def test_paired_difference_refuses_zero_spread_without_a_lattice() -> None:
    """Differences of 0.1 at all items: no spread, though sums of tenths leave 1e-17."""
    found = difference([0.3, 0.4, 0.9], [0.2, 0.3, 0.8], step=0)
    assert isinstance(found, Refusal)
    assert found.code == "zero_spread"


def test_paired_difference_of_equal_gaps_is_no_certainty() -> None:
    """One point at each of three items: the rounding floor gives ±1.01, not ±0."""
    found = difference([8, 7, 9], [7, 6, 8])
    assert isinstance(found, Estimate)
    assert found.value == 1
    assert found.p is not None
    assert 0.04 < found.p < 0.06
    assert found.low == pytest.approx(1 - 4.302652729 * (1 / 6 / 3) ** 0.5, abs=1e-8)


def test_paired_difference_equals_scipy_off_the_floor() -> None:
    """Ten people under two conditions: 0.5, p 0.014956, 0.122974 to 0.877026."""
    a, b = [4.0, 3, 5, 2, 4, 4, 5, 3, 4, 2], [3.0, 3, 4, 2, 4, 3, 4, 3, 3, 2]
    found = difference(a, b, step=0.1)
    expected = stats.ttest_rel(a, b)
    assert isinstance(found, Estimate)
    assert found.p == pytest.approx(expected.pvalue, abs=1e-12)
    assert found.p == pytest.approx(0.014956, abs=1e-6)
    interval = expected.confidence_interval(0.95)
    assert found.low == pytest.approx(interval.low, abs=1e-12)
    assert found.high == pytest.approx(interval.high, abs=1e-12)
    assert (found.kind, found.n) == ("t", 10)


def test_shared_differences_lower_the_floor_with_more_judgments() -> None:
    """(step²/12)(1/r_a + 1/r_b), averaged over shared items only."""
    a, b = np.array([8.0, 7, 9, np.nan]), np.array([8.0, 7, 9, 4])
    found = shared_differences(a, b, np.array([2, 4, 4, 0]), np.array([2, 4, 4, 1]), step=2)
    assert found.floor == pytest.approx(4 / 12 * (1 + 0.5 + 0.5) / 3)
    assert found.sd == pytest.approx(found.floor**0.5)


def test_shared_differences_of_strangers_are_empty() -> None:
    """No shared item: zero of everything, nothing missing."""
    x, y = np.array([1.0, np.nan]), np.array([np.nan, 1.0])
    found = shared_differences(x, y, ones(x), ones(y), step=1)
    assert (found.n, found.mean, found.sd, found.se) == (0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("a", "b", "reps", "step"),
    [([1.0], [1.0, 2], [1], 1), ([1.0], [1.0], [1], -1), ([1.0], [1.0], [0], 1)],
)
def test_shared_differences_raise_on_what_cannot_be(
    a: list[float], b: list[float], reps: list[int], step: float
) -> None:
    """Other shapes, a negative step, a value that nobody gave."""
    n = np.array(reps)
    with pytest.raises(ValueError, match=r"shape|step|judgment"):
        shared_differences(np.array(a), np.array(b), n, n, step=step)


def test_paired_difference_checks_its_level() -> None:
    """95 is not a level."""
    x = np.array([1.0, 2, 3])
    with pytest.raises(ValueError, match="level"):
        paired_difference(x, x, ones(x), ones(x), step=1, level=95)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=0, max_size=20))
def test_holm_equals_statsmodels(p: list[float]) -> None:
    """Any family of p-values."""
    found = holm(np.array(p, dtype=np.float64))
    if p:
        expected = multipletests(p, method="holm")[1]
        assert found == pytest.approx(expected, abs=1e-12)


def test_holm_equals_the_published_family() -> None:
    """Benjamini and Hochberg's fifteen: 0.0015, 0.0056, 0.0247, 0.114."""
    text = ".0001 .0004 .0019 .0095 .0201 .0278 .0298 .0344 .0459 .3240 .4262 .5719 .6528 .7590 1"
    found = holm(np.array(text.split(), dtype=np.float64))
    assert found[:4] == pytest.approx([0.0015, 0.0056, 0.0247, 0.114], abs=1e-12)
    assert (found <= 0.05).sum() == 3


@pytest.mark.parametrize("p", [[0.1, np.nan], [1.1], [-0.1], [[0.1]]])
def test_holm_raises_on_what_is_no_probability(p: object) -> None:
    """A missing p must not become the smallest or the largest."""
    with pytest.raises(ValueError, match="probabilities"):
        holm(np.asarray(p, dtype=np.float64))


def test_all_pairs_refuse_one_item_and_say_so_for_each_pair() -> None:
    """Five arms by one item: ten refusals, nothing separated."""
    cells = np.array([[8.0], [7], [6], [9], [5]])
    table = all_pairs(cells, ones(cells), step=1, rng=rng())
    assert len(table.pairs) == 10
    for pair in table.pairs:
        assert isinstance(pair.difference, Refusal)
        assert (pair.p_holm, pair.p_max_t, pair.separated, pair.sign) == (None, None, None, 0)
    assert table.rule == "holm-t"


def test_all_pairs_call_nothing_separated_on_equal_gaps_of_two_and_three_items() -> None:
    """One point apart at three items is within rounding for five arms together."""
    cells = np.array([[8.0] * 3, [7.0] * 3, [8.0] * 3, [8.0] * 3, [7.0] * 3])
    table = all_pairs(cells, ones(cells), step=1, rng=rng())
    assert not any(pair.separated for pair in table.pairs)


def test_all_pairs_change_from_holm_to_max_t_at_six_shared_items() -> None:
    """Five items: Holm over t. Six: sign flips, in which Holm's p is still given."""
    cells = np.random.default_rng(2).normal(6, 1, (3, 6))
    six = all_pairs(cells, ones(cells), step=1, rng=rng())
    five = all_pairs(cells[:, :5], ones(cells[:, :5]), step=1, rng=rng())
    assert (five.rule, six.rule) == ("holm-t", "max-t")
    assert all(pair.p_max_t is None for pair in five.pairs)
    assert all(pair.p_max_t is not None and pair.p_holm is not None for pair in six.pairs)


def test_all_pairs_correct_intervals_over_all_pairs_or_those_with_the_reference() -> None:
    """Four arms: six pairs, or three with an arm that was named before looking."""
    cells = np.random.default_rng(3).normal(6, 2, (4, 12))
    every = all_pairs(cells, ones(cells), step=1, rng=rng())
    named = all_pairs(cells, ones(cells), step=1, rng=rng(), reference=0)
    assert (every.comparisons, named.comparisons) == (6, 3)
    a, b = every.between(0, 1), named.between(0, 1)
    assert a is not None
    assert b is not None
    assert isinstance(a.difference, Estimate)
    assert isinstance(b.difference, Estimate)
    d = cells[0] - cells[1]
    low, high = stats.t.interval(1 - 0.05 / 6, 11, loc=d.mean(), scale=stats.sem(d))
    assert a.difference.low == pytest.approx(low, abs=1e-9)
    assert a.difference.high == pytest.approx(high, abs=1e-9)
    assert a.difference.level == 0.95
    assert b.difference.low is not None
    assert b.difference.low > low


def test_all_pairs_leave_out_arms_without_any_cell() -> None:
    """A blocked arm takes no share of the error rate."""
    cells = np.array([[8.0, 7, 9, 8], [np.nan] * 4, [5.0, 5, 4, 6]])
    reps = np.where(np.isfinite(cells), 1, 0)
    table = all_pairs(cells, reps, step=1, rng=rng())
    assert table.arms == (0, 2)
    assert [(pair.first, pair.second) for pair in table.pairs] == [(0, 2)]
    assert table.between(0, 1) is None


def test_all_pairs_of_one_arm_are_none() -> None:
    """Nothing to compare, no error."""
    cells = np.array([[8.0, 7, 9]])
    table = all_pairs(cells, ones(cells), step=1, rng=rng())
    assert table.pairs == ()


def test_all_pairs_raise_on_what_cannot_be() -> None:
    """Other shapes, an alpha of 5."""
    cells = np.ones((2, 3))
    with pytest.raises(ValueError, match="shape"):
        all_pairs(cells, ones(cells)[:, :2], step=1, rng=rng())
    with pytest.raises(ValueError, match="alpha"):
        all_pairs(cells, ones(cells), step=1, rng=rng(), alpha=5)


@settings(max_examples=50, deadline=None)
@given(any_cells)
def test_all_pairs_turn_with_the_arms_and_let_no_nan_out(cells: FloatArray) -> None:
    """Arms in reverse order: the same differences with the other sign; every figure finite."""
    reps = np.where(np.isfinite(cells), 1, 0)
    one = all_pairs(cells, reps, step=1, rng=rng())
    other = all_pairs(cells[::-1], reps[::-1], step=1, rng=rng())
    for a, b in combinations(one.arms, 2):
        left, right = one.between(a, b), other.between(3 - a, 3 - b)
        assert left is not None
        assert right is not None
        if isinstance(left.difference, Refusal):
            assert isinstance(right.difference, Refusal)
            assert left.separated is None
            continue
        assert isinstance(right.difference, Estimate)
        assert left.difference.value == pytest.approx(right.difference.value, abs=1e-12)
        assert left.difference.low is not None
        assert left.difference.high is not None
        assert left.difference.low < left.difference.value < left.difference.high
        assert left.separated == right.separated
        assert left.p_holm is not None
        assert 0 < left.p_holm <= 1


def test_what_the_place_may_add_widens_intervals_and_takes_claims_back() -> None:
    """A difference of one half that the place alone may make is no claim; one beyond it stays."""
    cells = np.array([[0.9, 0.8, 1.0] * 6, [0.4, 0.3, 0.5] * 6, [0.0, 0.1, 0.0] * 6])
    reps = np.ones(cells.shape, dtype=np.int64)
    table = all_pairs(cells, reps, step=0.1, rng=np.random.default_rng(1))
    assert all(pair.separated for pair in table.pairs)
    lean = np.repeat([[1.0], [0.0], [0.0]], cells.shape[1], axis=1)
    shifts = all_shifts(lean, np.zeros((3, 3)))
    made = allowing(table, shifts)
    near, far, level = made.between(0, 1), made.between(0, 2), made.between(1, 2)
    assert near is not None
    assert far is not None
    assert (near.separated, far.separated) == (False, True)
    assert (near.p_holm, near.p_max_t) == (1.0, 1.0)
    assert level == table.between(1, 2)
    old, new = table.between(0, 1), near.difference
    assert old is not None
    # The width is of the floor alone only as long as the place adds nothing.
    assert (old.floored, near.floored) == (True, False)
    assert isinstance(old.difference, Estimate)
    assert isinstance(new, Estimate)
    assert new.low is not None
    assert old.difference.low is not None
    assert new.low == pytest.approx(old.difference.low - 0.5)
    assert possible_best(cells, reps, step=0.1) == (0,)
    assert possible_best(cells, reps, step=0.1, shifts=shifts) == (0, 1)


def test_an_arm_with_few_items_decides_nothing_for_the_others() -> None:
    """A and B share twenty items and keep max-T; with C they share five, where Holm alone does."""
    rng = np.random.default_rng(5)
    cells = rng.integers(4, 9, (3, 20)).astype(np.float64)
    cells[0] += 3
    cells[2, 5:] = np.nan
    table = all_pairs(cells, ones(cells), step=1, rng=np.random.default_rng(1))
    found = {(one.first, one.second): one for one in table.pairs}
    assert found[0, 1].p_max_t is not None
    assert found[0, 1].separated
    assert (found[0, 2].p_max_t, found[1, 2].p_max_t) == (None, None)
    assert found[0, 2].separated is not None
    alone = all_pairs(cells[:2], ones(cells[:2]), step=1, rng=np.random.default_rng(1))
    assert found[0, 1].p_max_t == pytest.approx(alone.pairs[0].p_max_t)
    assert table.rule == "max-t"


def test_both_rules_have_to_tell_two_arms_apart() -> None:
    """The larger of both adjusted p-values decides each pair."""
    rng = np.random.default_rng(11)
    for _ in range(20):
        cells = rng.integers(1, 11, (4, 8)).astype(np.float64)
        cells[0] += 2
        for pair in all_pairs(cells, ones(cells), step=1, rng=rng).pairs:
            assert pair.p_holm is not None
            assert pair.p_max_t is not None
            assert pair.p == max(pair.p_holm, pair.p_max_t)
            assert pair.separated == (pair.p <= 0.05)


def test_a_difference_of_nothing_has_no_sign() -> None:
    """Turned round it would else be written as -0.0."""
    found = Estimate(value=-0.0, n=3, low=-0.0, high=-0.0)
    assert [str(one) for one in (found.value, found.low, found.high)] == ["0.0"] * 3
    assert str(replace(found, value=-found.value).value) == "0.0"
