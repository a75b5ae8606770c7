"""The same judge again."""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats.repeatability import rescoring_sd, swap_share


def test_rescoring_sd_refuses_nine_degrees_of_freedom() -> None:
    """Nine cells judged twice, any number judged once."""
    scores = np.full((50, 2), np.nan)
    scores[:, 0] = 8
    scores[:9, 1] = 7
    found = rescoring_sd(scores, step=1)
    assert isinstance(found, Refusal)
    assert (found.code, found.have, found.need) == ("too_few_repeats", 9, 10)


def test_rescoring_sd_refuses_one_scoring_each() -> None:
    """One repeat says nothing of repeats."""
    found = rescoring_sd(np.ones((30, 1)), step=1)
    assert isinstance(found, Refusal)
    assert found.have == 0


def test_rescoring_sd_equals_the_root_mean_square_of_one_way_anova() -> None:
    """Twelve cells with three, two or four scorings."""
    rng = np.random.default_rng(2)
    rows = [rng.normal(6, 1, n) for n in (3, 2, 4) * 4]
    scores = np.full((3, 4, 4), np.nan)
    for place, row in zip(np.ndindex(3, 4), rows, strict=True):
        scores[(*place, slice(0, row.size))] = row
    found = rescoring_sd(scores, step=0.01)
    assert not isinstance(found, Refusal)
    squares = sum(((row - row.mean()) ** 2).sum() for row in rows)
    df = sum(row.size - 1 for row in rows)
    assert found.df == df
    assert found.sd.value == pytest.approx((squares / df) ** 0.5, abs=1e-12)
    assert found.sd.low is not None
    assert found.sd.high is not None
    assert found.sd.low * found.sd.high == pytest.approx(found.sd.value**2)
    wide = stats.t.ppf(0.975, 11) * (2 / df) ** 0.5 / 2
    assert np.log(found.sd.high / found.sd.value) >= wide - 1e-9
    assert found.limit == pytest.approx(1.96 * 2**0.5 * found.sd.value)
    assert not found.floored
    assert found.sd.n == 12


def test_rescoring_sd_of_equal_repeats_is_the_floor_not_zero() -> None:
    """A judge that repeats itself on integers still has rounding to hide behind."""
    found = rescoring_sd(np.full((12, 2), 8.0), step=1)
    assert not isinstance(found, Refusal)
    assert found.sd.value == pytest.approx((1 / 12) ** 0.5)
    assert found.floored
    assert found.exact_share == 1


def test_rescoring_sd_leaves_out_whole_items() -> None:
    """Twenty cells of ten items: the jackknife by hand, on the logarithm of the variance."""
    rng = np.random.default_rng(4)
    scores = np.rint(rng.normal(5, 1.5, (2, 10, 2)) * np.array([0.3, 2.0] * 5)[:, None])
    items = np.broadcast_to(np.arange(10), (2, 10))
    found = rescoring_sd(scores, step=0.01, items=items)
    assert not isinstance(found, Refusal)
    squares = (np.diff(scores, axis=2)[..., 0] ** 2 / 2).sum(axis=0)
    logs = np.log([(squares.sum() - one) / 18 for one in squares])
    se = (9 / 10 * ((logs - logs.mean()) ** 2).sum()) ** 0.5
    assert se > (2 / 20) ** 0.5
    assert found.sd.high == pytest.approx(
        found.sd.value * np.exp(stats.t.ppf(0.975, 9) * se / 2), rel=1e-9
    )
    assert found.sd.kind == "jackknife"


def test_rescoring_sd_of_few_items_takes_noise_for_normal() -> None:
    """Twelve cells of four items: the chi-square interval."""
    scores = np.random.default_rng(5).normal(5, 1, (3, 4, 2))
    found = rescoring_sd(scores, step=0.01, items=np.broadcast_to(np.arange(4), (3, 4)))
    assert not isinstance(found, Refusal)
    assert found.sd.kind == "chi-square"
    assert found.sd.high == pytest.approx(found.sd.value * (12 / stats.chi2.ppf(0.025, 12)) ** 0.5)


def test_rescoring_sd_that_one_item_makes_has_no_interval() -> None:
    """Without it there would be no spread at all."""
    scores = np.full((12, 2), 8.0)
    scores[0, 1] = 3.0
    found = rescoring_sd(scores, step=1)
    assert not isinstance(found, Refusal)
    assert (found.sd.low, found.sd.high) == (None, None)
    assert found.sd.value == pytest.approx((25 / 2 / 12) ** 0.5)


def test_rescoring_sd_below_the_floor_reaches_as_high_as_rounding_alone() -> None:
    """Two cells of thirty that move by one: the floor stands, and its interval goes above it."""
    scores = np.full((30, 2), 8.0)
    scores[:2, 1] = 7.0
    found = rescoring_sd(scores, step=1)
    assert not isinstance(found, Refusal)
    assert found.floored
    assert found.sd.low is not None
    assert found.sd.high is not None
    assert found.sd.low < (1 / 30) ** 0.5 < (1 / 12) ** 0.5 < found.sd.high


def test_rescoring_sd_counts_exact_repeats_with_equal_weight_of_cells() -> None:
    """Three scorings with one equal pair of three, and eleven cells that differ."""
    scores = np.vstack([[8.0, 8, 7], np.tile([8.0, 7, np.nan], (11, 1))])
    found = rescoring_sd(scores, step=1)
    assert not isinstance(found, Refusal)
    assert found.exact_share == pytest.approx(1 / 3 / 12)


def test_rescoring_sd_needs_a_step() -> None:
    """Without a lattice there is no floor."""
    with pytest.raises(ValueError, match="step"):
        rescoring_sd(np.ones((30, 2)), step=0)


def test_swap_share_refuses_nineteen_pairs() -> None:
    """Six items of three arms make 18."""
    found = swap_share(np.ones((3, 6, 1, 2)))
    assert isinstance(found, Refusal)
    assert (found.code, found.have, found.need) == ("too_few_repeats", 18, 20)


@pytest.mark.parametrize("shape", [(3, 9, 1, 1), (1, 9, 1, 3)])
def test_swap_share_refuses_one_scoring_and_one_arm(shape: tuple[int, ...]) -> None:
    """Nothing to turn."""
    found = swap_share(np.ones(shape))
    assert isinstance(found, Refusal)
    assert found.have == 0


def test_swap_share_counts_turned_pairs_and_no_ties() -> None:
    """Three arms by eight items: in two of them two arms change places, in one they tie."""
    totals = np.tile(np.array([9.0, 7, 5])[:, None, None, None], (1, 8, 1, 2))
    totals[:2, :2, 0, 1] = [[7, 7], [9, 9]]
    totals[0, 2, 0, 1] = 7
    found = swap_share(totals)
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(2 / 24)
    assert found.n == 24
    assert found.kind == "exact-items"
    assert found.low is not None
    assert found.high is not None
    assert 0 < found.low < 2 / 24 < found.high < 0.3


def test_swap_share_without_a_turn_has_no_interval() -> None:
    """None in 24 is not none ever."""
    totals = np.tile(np.array([9.0, 7, 5])[:, None, None, None], (1, 8, 1, 2))
    totals[0, 0, 0, 1] = np.nan
    found = swap_share(totals)
    assert isinstance(found, Estimate)
    assert (found.value, found.n, found.low) == (0.0, 22, None)


def test_swap_share_needs_four_axes() -> None:
    """Totals by arm, item, judge and repeat."""
    with pytest.raises(ValueError, match="shape"):
        swap_share(np.ones((3, 3)))


@pytest.mark.parametrize("seed", range(10))
def test_swap_share_of_all_items_is_as_pair_by_pair(seed: int) -> None:
    """Over items, judges and pairs of arms in turn, with gaps and ties."""
    rng = np.random.default_rng(seed)
    totals = rng.choice([1.0, 2, 3, 0.1 + 0.2, 0.3], size=(4, 12, 2, 2))
    totals[rng.random(totals.shape) < 0.1 * (seed % 3)] = np.nan
    pairs = turned = 0
    for item, judge in np.ndindex(12, 2):
        there = np.flatnonzero(np.isfinite(totals[:, item, judge]).all(axis=1))
        for a, b in combinations(there, 2):
            first, again = totals[a, item, judge] - totals[b, item, judge]
            pairs, turned = pairs + 1, turned + int(first * again < -1e-9)
    found = swap_share(totals)
    assert isinstance(found, Estimate)
    assert found.n == pairs
    assert found.value == pytest.approx(turned / pairs, abs=1e-12)
