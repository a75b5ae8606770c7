"""Order, possible ranks, who may be best, who is placed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from judgebench.model.nouns import Refusal
from judgebench.stats.arrays import FloatArray, IntArray
from judgebench.stats.pairs import PairTable, all_pairs
from judgebench.stats.ranks import (
    Bounds,
    RankInterval,
    mean_difference,
    placement,
    possible_best,
    rank_intervals,
    relative_tiers,
    table_order,
    worst_case_bounds,
    worst_case_difference,
)

nan = np.nan
any_cells = hnp.arrays(
    np.float64, (4, 7), elements=st.sampled_from([1.0, 7.0, 7.5, 8.0, 8.1, 10.0, np.nan])
)


def reps_of(cells: FloatArray) -> IntArray:
    """One judgment behind each scored cell."""
    return np.isfinite(cells).astype(np.int64)


def table_of(cells: FloatArray) -> PairTable:
    """All pairs on integer marks."""
    return all_pairs(cells, reps_of(cells), step=1, rng=np.random.default_rng(1))


def spread_arms(*means: float, n: int = 10) -> FloatArray:
    """Arms at these means with a small, different wobble."""
    wobble = np.random.default_rng(4).normal(0, 0.5, (len(means), n))
    return np.array(means)[:, None] + wobble


@pytest.mark.parametrize(
    ("cells", "code", "have"),
    [
        ([[8.0], [7.0], [9.0]], "too_few_items", 1),
        ([[8.0, 8], [7.0, 1]], "too_few_items", 2),
        ([[8.0, 8, 9]], "too_few_arms", 1),
        ([[nan, nan, nan], [nan, nan, nan]], "too_few_arms", 0),
        ([[8.0, 8, 9, nan, nan, nan], [nan, nan, nan, 7, 8, 9]], "too_few_items", 0),
    ],
)
def test_possible_best_refuses(cells: list[list[float]], code: str, have: int) -> None:
    """One item, one arm, nothing shared: a refusal, not the set of all arms."""
    x = np.array(cells)
    found = possible_best(x, reps_of(x), step=1)
    assert isinstance(found, Refusal)
    assert (found.statistic, found.code, found.have) == ("best", code, have)


def test_possible_best_drops_only_what_is_shown_to_be_worse() -> None:
    """Two close arms at the top, one far below, one that shares nothing."""
    x = np.vstack([spread_arms(8, 7.9, 4), np.full(10, nan)])
    x[3, 0] = 9
    assert possible_best(x, reps_of(x), step=1) == (0, 1, 3)


def test_possible_best_of_two_is_the_one_sided_paired_t() -> None:
    """The second leaves exactly where scipy's one-sided p is below 0.05."""
    for shift in (0.3, 0.5, 0.7, 0.9):
        x = np.random.default_rng(9).normal(np.array([[shift], [0.0]]), 1, (2, 12))
        p = stats.ttest_rel(x[0], x[1], alternative="greater").pvalue
        assert (possible_best(x, reps_of(x), step=0.01) == (0,)) == (p < 0.05)


def test_possible_best_of_several_is_the_one_sided_paired_t_at_bonferronis_level() -> None:
    """An arm leaves where scipy puts another above it at 0.05 / (K − 1), with gaps in the cells."""
    left = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        k = 3 + seed % 4
        x = rng.normal(0, 1, (k, 14)) + 0.5 * np.arange(k)[:, None]
        x[rng.random(x.shape) < 0.15] = np.nan
        best = []
        for b in range(k):
            both = [np.isfinite(x[a]) & np.isfinite(x[b]) for a in range(k)]
            beaten = any(
                stats.ttest_rel(x[a][both[a]], x[b][both[a]], alternative="greater").pvalue
                < 0.05 / (k - 1)
                for a in range(k)
                if a != b and both[a].sum() > 2
            )
            if not beaten:
                best.append(b)
        assert possible_best(x, reps_of(x), step=1e-6) == tuple(best)
        left += k - len(best)
    assert left > 40


def test_possible_best_on_equal_gaps_holds_both() -> None:
    """A point apart on all of three integer items is within rounding for five arms."""
    x = np.array([[8.0] * 3, [7.0] * 3, [8.0] * 3, [7.0] * 3, [7.0] * 3])
    assert possible_best(x, reps_of(x), step=1) == (0, 1, 2, 3, 4)


def test_rank_intervals_refuse_one_item() -> None:
    """No rank at one item, whatever the gaps."""
    x = np.array([[9.0], [1.0]])
    found = rank_intervals(table_of(x), n_arms=2)
    for one in found:
        assert isinstance(one, Refusal)
        assert (one.statistic, one.code, one.have, one.need) == ("rank", "too_few_items", 1, 3)


def test_rank_intervals_refuse_a_single_arm_and_a_blocked_one() -> None:
    """A rank needs two arms, and a cell."""
    x = np.array([[9.0, 8, 7], [nan, nan, nan]])
    found = rank_intervals(table_of(x), n_arms=2)
    codes = [one.code for one in found if isinstance(one, Refusal)]
    assert codes == ["too_few_arms", "nothing_scored"]


def test_rank_intervals_refuse_where_no_pair_spreads() -> None:
    """Equal gaps and no lattice: nothing could be compared."""
    x = np.array([[9.0, 8, 7], [8.0, 7, 6]])
    table = all_pairs(x, reps_of(x), step=0, rng=np.random.default_rng(1))
    found = rank_intervals(table, n_arms=2)
    assert [one.code for one in found if isinstance(one, Refusal)] == ["zero_spread"] * 2


def test_rank_intervals_count_separated_arms() -> None:
    """Two together above one: ranks 1–2, 1–2, 3."""
    x = spread_arms(8, 7.9, 4)
    found = rank_intervals(table_of(x), n_arms=3)
    assert found == (
        RankInterval(low=1, high=2),
        RankInterval(low=1, high=2),
        RankInterval(low=3, high=3),
    )


def test_rank_intervals_keep_rank_one_for_the_set_of_best() -> None:
    """The set and the intervals never contradict each other."""
    x = spread_arms(8, 4)
    found = rank_intervals(table_of(x), n_arms=2, best=(0, 1))
    assert found[1] == RankInterval(low=1, high=2)


@settings(max_examples=50, deadline=None)
@given(any_cells)
def test_ranks_and_best_follow_the_arms(cells: FloatArray) -> None:
    """Arms in reverse order: the same set, the same intervals; each interval is one."""
    best = possible_best(cells, reps_of(cells), step=1)
    back = possible_best(cells[::-1], reps_of(cells[::-1]), step=1)
    ranks = rank_intervals(table_of(cells), n_arms=4, best=best)
    assert ranks == rank_intervals(table_of(cells[::-1]), n_arms=4, best=back)[::-1]
    if isinstance(best, Refusal) or isinstance(back, Refusal):
        assert best == back
    else:
        assert best == tuple(sorted(3 - arm for arm in back))
        assert best
    for one in ranks:
        if isinstance(one, RankInterval):
            assert 1 <= one.low <= one.high <= 4


def test_table_order_is_by_paired_difference_not_by_raw_means() -> None:
    """The second arm was blocked on the hard items: its mean is higher, its answers are worse."""
    x = np.array([[9.0, 9, 9, 4, 4], [8.5, 8.5, nan, nan, nan], [6.0, 6, 6, 3, 3]])
    found = table_order(x)
    assert found.order == (0, 1, 2)
    assert found.reference == 0
    assert found.differs


def test_table_order_takes_differences_to_an_arm_that_is_placed() -> None:
    """The highest mean does not count where its arm has no place; some place does."""
    x = np.array([[9.0, 9, 9, 9], [8.0, 8, 8, 8], [7.0, 7, 7, nan]])
    assert table_order(x, placed=[False, True, True]).reference == 1
    assert table_order(x, placed=[False, False, True]).reference == 2
    assert table_order(x, placed=[False, False, False]).reference == 0
    assert table_order(x, placed=[False, True, True]).order == (0, 1, 2)


def test_table_order_puts_strangers_and_blocked_arms_last() -> None:
    """No shared item with the reference: by mean; no cell: at the end."""
    x = np.array([[nan, nan, nan], [nan, nan, 9.0], [5.0, 6, nan], [4.0, 4, nan]])
    found = table_order(x)
    assert found.reference == 2
    assert found.order == (2, 3, 1, 0)


def test_table_order_of_nothing_keeps_the_order_given() -> None:
    """All blocked: no reference."""
    found = table_order(np.full((3, 2), nan))
    assert (found.order, found.reference, found.differs) == ((0, 1, 2), None, False)


def test_table_order_keeps_equal_arms_as_given() -> None:
    """Sums of tenths in another order are equal all the same."""
    x = np.array([[0.3, 0.1, 0.2], [0.1, 0.2, 0.3], [0.9, 0.9, 0.9]])
    assert table_order(x).order == (2, 0, 1)


def test_mean_difference_of_strangers_is_none() -> None:
    """Nothing shared."""
    assert mean_difference(np.array([1.0, nan]), np.array([nan, 1.0])) is None


def test_worst_case_difference_fills_both_ends() -> None:
    """One of two blocked on either side, on a scale of one to ten."""
    a, b = np.array([8.0, nan]), np.array([nan, 6.0])
    assert worst_case_difference(a, b, low=1, high=10) == Bounds(low=-3.5, high=5.5)


def test_worst_case_bounds_need_an_item() -> None:
    """No item, no mean."""
    with pytest.raises(ValueError, match="at least one"):
        worst_case_bounds(np.array([]), low=1, high=10)


def test_placement_needs_both_worst_cases_below_95_percent() -> None:
    """Twenty items: nineteen answered is enough; ten answered may hide anything."""
    x = np.vstack([np.full(20, 8.0), np.full(20, 6.0), np.full(20, 2.0), np.full(20, nan)])
    x[0, 0] = nan
    x[1, 10:] = nan
    assert placement(x, low=1, high=10) == (True, False, True, False)


def test_placement_stands_where_the_blocked_cells_cannot_change_it() -> None:
    """One of five blocked, far below the others at both ends of the scale."""
    x = np.array([[9.0] * 5, [8.0] * 5, [1.0, 1, 1, 1, nan]])
    assert placement(x, low=1, high=10) == (True, True, True)


def test_placement_falls_where_a_bound_is_a_tie() -> None:
    """A tie in the worst case is no place."""
    x = np.array([[4.0, 4.0], [4.0, nan]])
    assert placement(x, low=4, high=10) == (True, False)


def test_placement_counts_cells_that_both_arms_lack() -> None:
    """Eight items of 3,000 answered by both, however far apart: the rest may be anything."""
    x = np.full((2, 3000), nan)
    x[:, :8] = [[9.0], [2.0]]
    assert placement(x, low=1, high=10) == (False, False)
    assert placement(x[:, :8], low=1, high=10) == (True, True)
    assert placement(np.hstack([x[:, :8], x[:, -1:]]), low=1, high=10) == (True, True)


def test_placement_of_an_arm_alone_with_gaps_stands() -> None:
    """There is no other place."""
    assert placement(np.array([[4.0, nan]]), low=1, high=10) == (True,)


def test_relative_tiers_cut_only_where_all_are_separated() -> None:
    """Two together above one; no cut among near equals."""
    x = spread_arms(8, 7.9, 4)
    assert relative_tiers(table_of(x), (0, 1, 2)) == ((0, 1), (2,))
    near = spread_arms(8, 7.9, 7.8)
    assert relative_tiers(table_of(near), (0, 1, 2)) == ((0, 1, 2),)
