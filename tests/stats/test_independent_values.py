"""Figures beside another library's way to the same number, to 1e-9, that no other test holds."""

from collections import defaultdict
from itertools import combinations

import numpy as np
import pandas as pd  # type: ignore[import-untyped] # frames are what the other libraries want
import pytest
import statsmodels.api as sm
from scipy import optimize, stats
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.power import TTestPower
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import DescrStatsW

from judgebench.model.nouns import Estimate
from judgebench.model.people import Corrected
from judgebench.stats.agreement import effective_judges
from judgebench.stats.arrays import FloatArray
from judgebench.stats.bias import (
    family_lean,
    first_place,
    length_slope,
    leniency,
    order_slope,
    style_slopes,
)
from judgebench.stats.circles import circular_share
from judgebench.stats.components import difference_over_judges
from judgebench.stats.corrected import corrected_difference
from judgebench.stats.drift import shift
from judgebench.stats.flips import max_t
from judgebench.stats.human import over_items
from judgebench.stats.intervals import item_share, mean_interval
from judgebench.stats.ordering import kendall_w_within_items, ordering_accuracy
from judgebench.stats.pairwise import Comparisons, win_rate
from judgebench.stats.planning import detectable_difference, items_needed, power_range
from judgebench.stats.probes import Probe
from judgebench.stats.scale_use import compression, halo
from judgebench.stats.strata import Stratum, weighted_mean
from tests.stats.compared import drawn

CLOSE = 1e-9


def rng(seed: int) -> np.random.Generator:
    """Draws of one test."""
    return np.random.default_rng(seed)


def student(found: object, values: FloatArray) -> None:
    """An effect, its interval and its p are those of scipy's one-sample t."""
    effect = found.effect if isinstance(found, Probe) else found
    assert isinstance(effect, Estimate), found
    test = stats.ttest_1samp(values, 0.0)
    ends = test.confidence_interval()
    told = (effect.value, effect.low, effect.high)
    assert told == pytest.approx((values.mean(), ends.low, ends.high), abs=CLOSE)
    if effect.p is not None:
        assert effect.p == pytest.approx(float(test.pvalue), abs=CLOSE)


def test_leaning_and_leniency_are_one_sample_t_tests_of_scipy() -> None:
    """Over items: the gap to people, and the gap of own arms less that of others."""
    draws = rng(1)
    people, judge = draws.normal(6, 1, (4, 14)), draws.normal(6.3, 1, (4, 14))
    gap = judge - people
    student(leniency(judge, people), gap.mean(axis=0))
    own = [True, False, False, True]
    student(family_lean(judge, people, own), gap[[0, 3]].mean(axis=0) - gap[[1, 2]].mean(axis=0))
    student(over_items(gap.mean(axis=0)), gap.mean(axis=0))


def dummies(arms: int, items: int, repeats: int = 1) -> FloatArray:
    """Columns of arm and item effects for rows (arm, item, repeat)."""
    arm, item, _ = np.indices((arms, items, repeats)).reshape(3, -1)
    return np.column_stack([np.eye(arms)[arm], np.eye(items)[item][:, 1:]])


def test_slopes_of_length_and_place_are_least_squares_of_statsmodels() -> None:
    """Beside dummies of arms and items; the length as log2, the place of each repeat."""
    draws = rng(2)
    lengths = draws.integers(200, 4000, (3, 15)).astype(np.float64)
    totals = draws.normal(6, 1, (3, 15)) + 0.3 * np.log2(lengths)
    fit = sm.OLS(totals.ravel(), np.column_stack([np.log2(lengths).ravel(), dummies(3, 15)])).fit()
    found = length_slope(totals, lengths)
    assert isinstance(found, Probe)
    assert found.effect.value == pytest.approx(fit.params[0], abs=CLOSE)
    places = draws.integers(0, 5, (3, 15, 2)).astype(np.float64)
    twice = draws.normal(6, 1, (3, 15, 2)) - 0.2 * places
    fit = sm.OLS(twice.ravel(), np.column_stack([places.ravel(), dummies(3, 15, 2)])).fit()
    placed = order_slope(twice, places)
    assert isinstance(placed, Probe)
    assert placed.effect.value == pytest.approx(fit.params[0], abs=CLOSE)


def test_slopes_of_style_are_those_of_one_model_in_statsmodels() -> None:
    """Two features that go together, each for one sd of what arms and items leave of it."""
    draws = rng(3)
    features = draws.normal(0, 1, (2, 4, 12))
    features[1] += 0.7 * features[0]
    totals = 6 + 0.5 * features[0] - 0.2 * features[1] + draws.normal(0, 0.5, (4, 12))
    effects = dummies(4, 12)
    x = features.reshape(2, -1).T
    fit = sm.OLS(totals.ravel(), np.column_stack([x, effects])).fit()
    left = np.array([sm.OLS(column, effects).fit().resid for column in x.T])
    found = style_slopes(totals, features, ["length", "headings"])
    per_point = [one.effect.value for one in found if isinstance(one, Probe)]
    expected = fit.params[:2] * np.sqrt((left**2).mean(axis=1))
    assert per_point == pytest.approx(expected, abs=CLOSE)


def test_the_first_place_is_mcnemar_s_exact_test_of_statsmodels() -> None:
    """Pairs that flip for the first place and for the second, thirty items of two arms."""
    data = drawn(11, 30, [0.0, 0.2], 0.7, -9.0)
    won: dict[tuple[int, int, int], list[float]] = defaultdict(list)
    for item, a, b, outcome in zip(
        data.item.tolist(), data.first.tolist(), data.second.tolist(), data.outcome, strict=True
    ):
        won[item, min(a, b), max(a, b)].append(float(outcome))
    lean = np.array([sum(both) - 1 for both in won.values() if len(both) == 2])
    table = [[0, int((lean > 0).sum())], [int((lean < 0).sum()), 0]]
    found = first_place(data, rng(0))
    assert isinstance(found, Probe)
    assert found.effect.p == pytest.approx(float(mcnemar(table, exact=True).pvalue), abs=CLOSE)
    items = np.array([key[0] for key, both in won.items() if len(both) == 2])
    student(
        Estimate(
            value=found.effect.value, n=found.effect.n, low=found.effect.low,
            high=found.effect.high,
        ),
        np.array([lean[items == item].mean() / 2 for item in np.unique(items)]),
    )  # fmt: skip


def test_use_of_the_scale_is_pandas_spread_and_correlation() -> None:
    """Ratio of the sds over all cells; mean correlation of criteria with item means taken out."""
    draws = rng(4)
    people = draws.normal(6, 1.5, (3, 12)).clip(1, 10)
    judge = 3 + people / 2 + draws.normal(0, 0.2, people.shape)
    found = compression(judge, people, low=1, high=10, step=1)
    assert not hasattr(found, "code")
    spread = pd.Series(judge.ravel()).std(ddof=0) / pd.Series(people.ravel()).std(ddof=0)
    assert found.ratio.value == pytest.approx(spread, abs=CLOSE)
    marks = people[..., None] + draws.normal(0, 1, (3, 12, 3))
    frame = pd.DataFrame((marks - marks.mean(axis=0)).reshape(-1, 3))
    table = frame.corr().to_numpy()
    together = halo(marks)
    assert isinstance(together, Probe)
    expected = np.mean([table[a, b] for a, b in combinations(range(3), 2)])
    assert together.effect.value == pytest.approx(expected, abs=CLOSE)


def test_effective_judges_are_the_design_effect_of_pandas_correlations() -> None:
    """J ÷ (1 + (J − 1) ρ̄) of three judges that share part of their errors."""
    draws = rng(5)
    errors = draws.normal(0, 1, (60, 3)) + draws.normal(0, 0.8, (60, 1))
    table = pd.DataFrame(errors).corr().to_numpy()
    mean = (table.sum() - 3) / 6
    found = effective_judges(errors)
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(3 / (1 + 2 * mean), abs=CLOSE)


def test_judges_as_a_sample_rest_on_a_two_way_anova_of_statsmodels() -> None:
    """(MS_I + MS_J − MS_E) ÷ NJ with Satterthwaite's degrees of freedom."""
    draws = rng(6)
    d = 0.4 + draws.normal(0, 1, (9, 1)) + draws.normal(0, 0.6, (1, 4)) + draws.normal(0, 1, (9, 4))
    item, judge = np.indices(d.shape).reshape(2, -1)
    frame = pd.DataFrame({"d": d.ravel(), "i": item, "j": judge})
    ms = anova_lm(ols("d ~ C(i) + C(j)", frame).fit())["mean_sq"].to_numpy()
    variance = ms[0] + ms[1] - ms[2]
    df = variance**2 / (ms[0] ** 2 / 8 + ms[1] ** 2 / 3 + ms[2] ** 2 / 24)
    low, high = stats.t.interval(0.95, df, d.mean(), np.sqrt(variance / d.size))
    found = difference_over_judges(d)
    assert isinstance(found, Estimate)
    told = (found.value, found.low, found.high)
    assert told == pytest.approx((d.mean(), low, high), abs=CLOSE)


def found_in_80(n: int, alpha: float) -> float:
    """The shift that statsmodels' test finds in 80 %; its own search stops at 1e-6."""
    return float(
        optimize.brentq(
            lambda d: TTestPower().power(d, n, alpha) - 0.8, 0.2, 5 * n**-0.5, xtol=1e-13
        )
    )


@pytest.mark.parametrize(("n", "comparisons"), [(5, 1), (12, 3), (40, 10)])
def test_plans_are_those_of_statsmodels(n: int, comparisons: int) -> None:
    """The gap found in 80 %, and the items that such a gap needs, at Bonferroni's share."""
    alpha, power = 0.05 / comparisons, TTestPower()
    gap = detectable_difference(1.3, n, comparisons=comparisons)
    assert isinstance(gap, Estimate)
    assert gap.value / 1.3 == pytest.approx(found_in_80(n, alpha), abs=CLOSE)
    items = items_needed(1.3, 0.9, comparisons=comparisons)
    assert isinstance(items, int)
    assert power.power(0.9 / 1.3, items, alpha) >= 0.8
    assert power.power(0.9 / 1.3, items - 1, alpha) < 0.8


def test_the_range_of_power_is_that_of_a_spread_too_low_and_too_high() -> None:
    """χ² of scipy for the spread, statsmodels' power at it."""
    n, power = 10, TTestPower()
    ends = [np.sqrt(stats.chi2.ppf(q, n - 1) / (n - 1)) for q in (0.05, 0.95)]
    expected = [power.power(found_in_80(n, 0.05) * end, n, 0.05) for end in ends]
    assert power_range(n) == pytest.approx(expected, abs=CLOSE)


def test_the_share_of_things_of_items_is_statsmodels_beta_interval() -> None:
    """Korn & Graubard: at the effective number, with the variance of a ratio by item."""
    draws = rng(7)
    counts = draws.integers(2, 7, 14).astype(np.float64)
    hits = draws.binomial(counts.astype(int), 0.3).astype(np.float64)
    share, k, n = hits.sum() / counts.sum(), counts.size, counts.sum()
    residuals = DescrStatsW((hits - share * counts) / counts.mean())
    variance = float(residuals.var_ddof(1)) / k + float(residuals.mean) ** 2
    fewer = (stats.t.ppf(0.975, n - 1) / stats.t.ppf(0.975, k - 1)) ** 2
    alike = min(n, share * (1 - share) / variance * fewer)
    expected = proportion_confint(share * alike, alike, 0.05, method="beta")
    found = item_share(hits, counts)
    assert (found.low, found.high) == pytest.approx(expected, abs=CLOSE)


def test_pairs_ordered_alike_are_scipy_s_tau_where_nothing_ties() -> None:
    """The share of concordant pairs is (τ + 1) ÷ 2, here summed over items."""
    draws = rng(8)
    x, y = draws.normal(0, 1, (5, 8)), draws.normal(0, 1, (5, 8))
    taus = [stats.kendalltau(x[:, at], y[:, at]).statistic for at in range(8)]
    found = ordering_accuracy(x, y)
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx((np.mean(taus) + 1) / 2, abs=CLOSE)


def test_concordance_within_items_is_friedman_s_test_of_scipy() -> None:
    """W = χ² ÷ J(n − 1) on each item, with ties, then the mean."""
    cells = rng(9).integers(3, 9, (4, 5, 7)).astype(np.float64)
    each = [stats.friedmanchisquare(*cells[:, :, at].T).statistic / (4 * 4) for at in range(7)]
    found = kendall_w_within_items(cells)
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(sum(each) / len(each), abs=CLOSE)


def test_shares_won_are_scipy_s_t_over_items() -> None:
    """Ties are halves; the mean of an item first; from thirty items that are not lopsided."""
    data = drawn(12, 40, [0.0, 0.4, -0.3], 0.2, -0.5)
    points = np.where(data.first == 1, data.outcome, 1 - data.outcome)
    used = (data.first == 1) | (data.second == 1)
    each = [points[used & (data.item == item)].mean() for item in np.unique(data.item)]
    found = win_rate(data, arm=1)
    assert isinstance(found, Estimate)
    ends = stats.ttest_1samp(each, 0).confidence_interval()
    told = (found.value, found.low, found.high)
    assert told == pytest.approx((np.mean(each), ends.low, ends.high), abs=CLOSE)


def test_circles_are_those_of_kendall_s_formula_of_the_wins() -> None:
    """A triad is a circle or it is not: C(n, 3) − Σ C(wins, 2) on each item."""
    draws = rng(10)
    pairs = list(combinations(range(6), 2))
    outcome = draws.integers(0, 2, (9, len(pairs))).astype(np.float64)
    first, second = np.array(pairs).T
    circles = 0
    for row in outcome:
        wins = np.bincount(np.where(row == 1, first, second), minlength=6)
        circles += 20 - int((wins * (wins - 1) // 2).sum())
    found = circular_share(
        Comparisons(
            item=np.repeat(np.arange(9), len(pairs)), first=np.tile(first, 9),
            second=np.tile(second, 9), outcome=outcome.ravel(), n_arms=6,
        )
    )  # fmt: skip
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(circles / 180, abs=CLOSE)
    assert found.n == 180


def test_drift_and_corrected_differences_are_scipy_s_paired_t() -> None:
    """Without a lattice, and where the judge has marked nothing that people have not."""
    draws = rng(13)
    first, again = draws.normal(6, 1, (1, 12)), draws.normal(6.2, 1, (1, 12))
    once = np.ones((1, 12), dtype=np.int64)
    student(shift(first, again, (once, once), step=0), (again - first)[0])
    people, judge = draws.normal(6, 1, (2, 25)), draws.normal(6, 1, (2, 25))
    found = corrected_difference(people, judge, np.ones(25, dtype=np.bool_))
    assert isinstance(found, Corrected)
    student(found.estimate, people[0] - people[1])


def test_a_mean_of_many_items_is_scipy_s_t() -> None:
    """Forty items and no skew to speak of."""
    x = rng(14).normal(5.5, 1, 40).clip(1, 10)
    found = mean_interval(x, low=1, high=10, rng=rng(0))
    assert isinstance(found, Estimate)
    assert found.kind == "t"
    student(found, x)


def test_max_t_of_one_pair_is_scipy_s_permutation_test_of_t() -> None:
    """All 2⁹ signs of nine differences, the absolute t of each."""
    d = rng(15).normal(0.5, 1, 9)

    def absolute(x: FloatArray, axis: int = -1) -> FloatArray:
        return np.asarray(np.abs(stats.ttest_1samp(x, 0, axis=axis).statistic))

    expected = stats.permutation_test(  # type: ignore[call-overload] # all flips, as its page says
        (d,), absolute, permutation_type="samples", n_resamples=np.inf, alternative="greater",
        vectorized=True,
    )  # fmt: skip
    found = max_t(d[None], np.zeros(1), rng(0))
    assert np.asarray(found, dtype=np.float64).ravel()[0] == pytest.approx(
        float(expected.pvalue), abs=CLOSE
    )


def test_a_mean_by_strata_is_statsmodels_weighted_mean() -> None:
    """Each label weighs as many answers as it stands for (Horvitz & Thompson)."""
    draws = rng(16)
    strata = [
        Stratum(y=draws.normal(m, 1, n), f=np.zeros(n), u=np.zeros(rest))
        for m, n, rest in ((4, 10, 50), (6, 15, 15), (8, 12, 3))
    ]
    labels = np.concatenate([one.y for one in strata])
    weights = np.concatenate([np.full(one.y.size, one.size / one.y.size) for one in strata])
    expected = DescrStatsW(labels, weights).mean
    assert weighted_mean(strata) == pytest.approx(float(expected), abs=CLOSE)
