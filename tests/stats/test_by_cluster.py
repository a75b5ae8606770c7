"""Clusters above items, wherever arms are told apart: published forms, equal cases, refusals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from benchmarks.coverage import clustered
from benchmarks.coverage.batched import every_pair
from benchmarks.coverage.clustered import SCENARIOS, by_cluster, cluster_row
from benchmarks.coverage.goals import Cell
from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats import intervals, pairs, planning, ranks
from judgebench.stats.arrays import FloatArray, IntArray
from judgebench.stats.cluster_flips import clustered_max_t, clustered_sign_flip
from judgebench.stats.clusters import clustered_mean
from judgebench.stats.cr2 import Summed, cr2_variance, groups, satterthwaite
from judgebench.stats.flips import max_t, sign_flip
from judgebench.stats.gaps import every_gap
from judgebench.stats.spreads import Units

ONES = np.ones((3, 24), dtype=np.int64)
EQUAL = np.repeat(np.arange(6), 4)


def _cells(seed: int, *, arms: int = 3, items: int = 24) -> FloatArray:
    rng = np.random.default_rng(seed)
    shared = rng.normal(0, 1, (arms, 6))[:, np.arange(items) * 6 // items]
    return 5 + shared + rng.normal(0, 1, (arms, items))


@given(st.lists(st.integers(1, 30), min_size=3, max_size=14))
def test_variance_and_df_are_those_of_clubsandwich(sizes: list[int]) -> None:
    """The closed forms that the package's own tests hold CR2 against, an intercept alone.

    Source: clubSandwich, tests/testthat/test_intercept_formulas.R, "CR2 and df".
    """
    m, n = np.array(sizes, dtype=np.float64), float(sum(sizes))
    y = np.random.default_rng(sum(sizes)).normal(0, 1, sum(sizes))
    codes = np.repeat(np.arange(len(sizes)), sizes)
    means = np.bincount(codes, weights=y) / m
    variance = float((m**2 * (means - y.mean()) ** 2 / (1 - m / n)).sum()) / n**2
    rest = (n - m) ** 2
    df = n**2 / (
        n**2 * (m**2 / rest).sum() - 2 * n * (m**3 / rest).sum() + (m**2 / (n - m)).sum() ** 2
    )
    found = groups(codes).summed(y[None], np.ones((1, y.size), dtype=np.bool_))
    assert cr2_variance(found)[0] == pytest.approx(variance, rel=1e-9)
    assert satterthwaite(found)[0] == pytest.approx(df, rel=1e-9)


def test_equal_clusters_are_student_on_their_means() -> None:
    """Six clusters of four items: interval, p and degrees of freedom, to 1e-12."""
    cells = _cells(1)
    table = pairs.all_pairs(cells, ONES, step=0.0, rng=np.random.default_rng(0), clusters=EQUAL)
    for pair in table.pairs:
        means = (cells[pair.first] - cells[pair.second]).reshape(6, 4).mean(axis=1)
        expected = stats.ttest_1samp(means, 0)
        ends = expected.confidence_interval(1 - 0.05 / 3)
        found = pair.difference
        assert isinstance(found, Estimate)
        assert (found.kind, found.n, pair.shared, pair.clusters) == ("CR2", 6, 24, 6)
        assert pair.df == pytest.approx(5, abs=1e-12)
        assert found.p == pytest.approx(expected.pvalue, abs=1e-12)
        assert (found.low, found.high) == pytest.approx((ends.low, ends.high), abs=1e-12)


def test_clusters_of_one_item_change_nothing() -> None:
    """Intervals, flips, the set of best, means and plans are those of items."""
    cells, single = _cells(2), np.arange(24)[::-1].copy()
    by_item = pairs.all_pairs(cells, ONES, step=0.1, rng=np.random.default_rng(0))
    by = pairs.all_pairs(cells, ONES, step=0.1, rng=np.random.default_rng(0), clusters=single)
    for one, other in zip(by_item.pairs, by.pairs, strict=True):
        assert isinstance(one.difference, Estimate)
        assert isinstance(other.difference, Estimate)
        assert other.difference.low == pytest.approx(one.difference.low, abs=1e-12)
        assert other.p_holm == pytest.approx(one.p_holm, abs=1e-12)
    assert ranks.possible_best(cells, ONES, step=0.1, clusters=single) == ranks.possible_best(
        cells, ONES, step=0.1
    )
    few = planning.detectable(cells, ONES, step=0.1, clusters=single)
    assert isinstance(few, Estimate)
    items = planning.detectable(cells, ONES, step=0.1)
    assert isinstance(items, Estimate)
    assert few.value == pytest.approx(items.value, rel=1e-9)


def test_flips_of_single_items_are_those_of_items() -> None:
    """Up to 16 every flip is tried: both ways give one p, with items that a pair lacks."""
    d = np.random.default_rng(3).normal(0.5, 1, (4, 12))
    d[1, 3] = d[2, :2] = np.nan
    rng = np.random.default_rng(0)
    one, other = max_t(d, np.zeros(4), rng), clustered_max_t(d, np.zeros(4), np.arange(12), rng)
    assert isinstance(one, np.ndarray)
    assert isinstance(other, np.ndarray)
    assert other == pytest.approx(one, abs=1e-12)


def test_flips_turn_whole_clusters() -> None:
    """Seven clusters of equal size: the p of scipy's permutation test over their means."""
    d = np.random.default_rng(4).normal(0.6, 1, (7, 3))
    codes = np.repeat(np.arange(7), 3)
    expected = stats.permutation_test(
        (d.mean(axis=1),), np.mean, permutation_type="samples", n_resamples=10_000
    )
    found = clustered_sign_flip(d.ravel(), codes, np.random.default_rng(0))
    assert isinstance(found, Estimate)
    assert found.n == 7
    assert found.value == pytest.approx(d.mean())
    assert found.p == pytest.approx(expected.pvalue, abs=1e-12)
    joint = clustered_max_t(d.reshape(1, -1), np.zeros(1), codes, np.random.default_rng(0))
    assert isinstance(joint, np.ndarray)
    assert joint[0] == pytest.approx(expected.pvalue, abs=1e-12)
    alone = sign_flip(d.mean(axis=1), np.random.default_rng(0))
    assert isinstance(alone, Estimate)
    assert alone.p == found.p


def test_below_six_clusters_no_sign_is_flipped() -> None:
    """Forty items of five documents: the smallest p would be 0.0625."""
    d, codes = np.random.default_rng(5).normal(1, 1, 40), np.repeat(np.arange(5), 8)
    found = clustered_sign_flip(d, codes, np.random.default_rng(0))
    assert isinstance(found, Refusal)
    assert (found.code, found.have, found.need) == ("too_few_clusters", 5, 6)
    joint = clustered_max_t(d[None], np.zeros(1), codes, np.random.default_rng(0))
    assert joint == Refusal(
        statistic="sign_flip", code="too_few_clusters", have=5, need=6,
        how="add clusters, not items of these",
    )  # fmt: skip
    cells = np.stack([d, np.zeros(40)])
    table = pairs.all_pairs(
        cells, np.ones((2, 40), dtype=np.int64), step=0.1, rng=np.random.default_rng(0),
        clusters=codes,
    )  # fmt: skip
    assert (table.rule, table.pairs[0].p_max_t) == ("holm-t", None)


@pytest.mark.parametrize("items", [8, 80])
def test_two_clusters_tell_nothing_of_others(items: int) -> None:
    """However many items: no interval, no set of best, no rank, no plan, no mean."""
    cells = np.random.default_rng(6).normal(5, 1, (2, items))
    cells[0] += 3
    reps, codes = np.ones_like(cells, dtype=np.int64), np.arange(items) % 2
    table = pairs.all_pairs(cells, reps, step=0.1, rng=np.random.default_rng(0), clusters=codes)
    answers = (
        table.pairs[0].difference,
        ranks.possible_best(cells, reps, step=0.1, clusters=codes),
        ranks.rank_intervals(table, n_arms=2)[0],
        planning.detectable(cells, reps, step=0.1, clusters=codes),
        intervals.mean_interval(
            cells[0], low=0, high=15, rng=np.random.default_rng(0), clusters=codes
        ),
    )
    for found in answers:
        assert isinstance(found, Refusal)
        assert (found.code, found.have, found.need) == ("too_few_clusters", 2, 3)


def test_near_copies_are_rounded_as_one_mark() -> None:
    """Three clusters whose differences are all 1: as three items, not as thirty."""
    cells = np.stack([np.full(30, 8.0), np.full(30, 7.0)])
    reps = np.ones_like(cells, dtype=np.int64)
    many = every_gap(cells, reps, step=1.0, clusters=np.repeat(np.arange(3), 10))
    three = every_gap(cells[:, :3], reps[:, :3], step=1.0)
    assert many.se[0] == pytest.approx(three.se[0], abs=1e-12)
    assert many.df[0] == pytest.approx(2)
    assert (int(many.units[0]), bool(many.floored[0])) == (3, True)


def test_the_mean_of_an_arm_by_clusters() -> None:
    """Bounded over equal clusters, refused over unequal ones, CR2 from thirty."""
    rng = np.random.default_rng(7)

    def mean(codes: IntArray) -> Estimate | Refusal:
        x = np.clip(rng.normal(6, 1, codes.size), 1, 10)
        return intervals.mean_interval(
            x, low=1, high=10, rng=np.random.default_rng(0), clusters=codes
        )

    equal, unequal = mean(EQUAL), mean(np.sort(np.append(EQUAL, 0)))
    many = mean(np.repeat(np.arange(30), np.resize([1, 2, 4], 30)))
    assert isinstance(equal, Estimate)
    assert (equal.kind, equal.n) == ("bounded", 6)
    assert isinstance(unequal, Refusal)
    assert (unequal.code, unequal.have, unequal.need) == ("items_not_independent", 6, 30)
    assert isinstance(many, Estimate)
    assert (many.kind, many.n) == ("CR2", 30)


def test_the_bounded_mean_of_equal_clusters_is_that_of_their_means() -> None:
    """The same draws over the means of clusters, at the same seed."""
    x = np.random.default_rng(8).uniform(1, 10, (6, 4))
    args = {"low": 1.0, "high": 10.0}
    by = intervals.mean_interval(
        x.ravel(), low=1, high=10, rng=np.random.default_rng(0), clusters=EQUAL
    )
    alone = intervals.mean_interval(x.mean(axis=1), **args, rng=np.random.default_rng(0))  # type: ignore[arg-type]
    assert isinstance(by, Estimate)
    assert isinstance(alone, Estimate)
    assert (by.low, by.high) == pytest.approx((alone.low, alone.high), abs=1e-12)


def test_the_median_has_no_interval_where_items_hang_together() -> None:
    """Order statistics count items; each its own cluster is as good as none."""
    x = np.arange(24.0)
    found = intervals.median_interval(x, clusters=EQUAL)
    assert isinstance(found, Refusal)
    assert (found.code, found.have) == ("items_not_independent", 6)
    assert intervals.median_interval(x, clusters=np.arange(24)) == intervals.median_interval(x)


def test_planning_counts_clusters() -> None:
    """Power of equal clusters is that of their means; items needed come in whole clusters."""
    items = planning.t_power(0.4, 24, units=Units(size=4, df_share=1.0))
    assert items == pytest.approx(planning.t_power(0.4 * 2, 6), rel=1e-9)
    need = planning.items_needed(2.0, 1.0, units=Units(size=4.0))
    means = planning.items_needed(1.0, 1.0)
    assert isinstance(need, int)
    assert isinstance(means, int)
    assert 4 * (means - 1) < need <= 4 * means
    assert planning.items_needed(0.001, 9.0, units=Units(size=5.0)) == 15


def test_unequal_clusters_leave_fewer_degrees_of_freedom() -> None:
    """One cluster of twenty among five: about as few as two equal ones would leave."""
    sizes = np.array([[2.0, 2, 2, 2, 20]])
    assert 1 < satterthwaite(Summed(sums=np.zeros((1, 5)), sizes=sizes))[0] < 2


def test_batched_runs_have_the_decisions_of_the_product() -> None:
    """What the coverage tables count is what `all_pairs` and `clustered_mean` say."""
    scenario, keys = SCENARIOS[1], every_pair(clustered.ARMS)
    codes = scenario.codes(10)
    for x in scenario.marks(20, codes, np.random.default_rng(9)):
        d = x[keys[:, 0]] - x[keys[:, 1]]
        t, df, se = (one[0] for one in by_cluster(d[None], codes))
        reps = np.ones(x.shape, dtype=np.int64)
        table = pairs.all_pairs(x, reps, step=1.0, rng=np.random.default_rng(1), clusters=codes)
        any_above = clustered.any_above(t, df, d, codes, np.random.default_rng(1))
        assert any_above == any(pair.separated for pair in table.pairs)
        for at, pair in enumerate(table.pairs):
            found = pair.difference
            assert isinstance(found, Estimate)
            assert found.p == pytest.approx(2 * stats.t.sf(abs(t[at]), df[at]), abs=1e-12)
            alone = clustered_mean(d[at], codes)
            assert isinstance(alone, Estimate)
            if se[at] ** 2 > 2 / 12 * (np.bincount(codes) ** 2).sum() / codes.size**2 + 1e-12:
                assert found.p == pytest.approx(alone.p, abs=1e-12)


@pytest.mark.parametrize("clusters", [5, 10, 30])
@pytest.mark.parametrize("scenario", SCENARIOS[:2], ids=lambda one: one.name)
def test_intervals_by_cluster_hold_where_those_by_item_do_not(
    scenario: clustered.Clustered, clusters: int
) -> None:
    """ICC 0.3, 600 runs: 94 % and ≤ 5 % false "above" within the 99 % band; items miss both."""
    runs = 600
    found = cluster_row(scenario, clusters, runs)

    def kept(share: float, bar: float, *, above: bool = True) -> bool:
        return Cell(name="", share=share, runs=runs, bar=bar, above=above).room >= 0

    assert kept(found.ours, 0.94)
    assert kept(found.false_above, 0.05, above=False)
    assert kept(found.best_kept, 0.95)
    assert found.power is None or (kept(found.power, 0.78) and kept(found.power, 0.82, above=False))
    assert not kept(found.items, 0.94)
    assert not kept(found.items_above, 0.05, above=False)
