"""Agreement: published values, independent references, refusals."""

import evalica
import numpy as np
import pandas as pd  # type: ignore[import-untyped] # only evalica wants a frame
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats import inter_rater

from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats.agreement import (
    Metric,
    Weights,
    alpha,
    closeness,
    cohen_kappa,
    effective_judges,
    fleiss_kappa,
    limits_of_agreement,
    quadratic_kappa,
)
from judgebench.stats.arrays import FloatArray
from tests.stats import vectors

any_marks = hnp.arrays(np.float64, (8, 3), elements=st.sampled_from([1.0, 2, 3, 4, 5, np.nan]))
METRICS: tuple[Metric, ...] = ("nominal", "ordinal", "interval", "ratio")


def value(found: Estimate | Refusal) -> float:
    """Value of an estimate."""
    assert isinstance(found, Estimate)
    return found.value


@pytest.mark.parametrize("metric", METRICS)
def test_alpha_refuses_constant_marks(metric: Metric) -> None:
    """A judge that says 0.1 to everything has shown nothing, so no 1.0."""
    found = alpha(np.full((9, 3), 0.1), metric=metric)
    assert found == Refusal(statistic="alpha", code="no_variation", have=1, need=2)


def test_alpha_does_not_read_rounding_as_marks() -> None:
    """0.1 + 0.2 beside 0.3 is one mark, so nothing varies."""
    marks = np.random.default_rng(1).choice([0.1 + 0.2, 0.3], (12, 2))
    for metric in METRICS:
        found = alpha(marks, metric=metric)
        assert isinstance(found, Refusal)
        assert found.code == "no_variation"


@pytest.mark.parametrize("metric", METRICS)
def test_alpha_changes_no_mark_that_it_is_given(metric: Metric) -> None:
    """Marks that stand by rater, with gaps: read-only, as the caller may read them again."""
    marks = np.random.default_rng(4).integers(0, 300, (3, 40)).astype(np.float64)
    marks[0, ::5] = np.nan
    before = marks.copy()
    marks.flags.writeable = False
    units = np.arange(40) // 2
    for items in (None, units):
        found = alpha(marks.T, metric=metric, items=items)
        assert isinstance(found, Estimate)
    np.testing.assert_array_equal(marks, before)


def test_alpha_refuses_four_pairable_units() -> None:
    """Nine units, four of which two raters marked."""
    marks = np.full((9, 2), np.nan)
    marks[:, 0] = np.arange(9)
    marks[:4, 1] = [0, 1, 3, 3]
    found = alpha(marks, metric="interval")
    assert isinstance(found, Refusal)
    assert (found.code, found.have, found.need) == ("too_few_items", 4, 5)


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("nominal", 0.743421052631579),
        ("ordinal", 0.815387503754881),
        ("interval", 0.849107142857143),
        ("ratio", 0.797402774711612),
    ],
)
def test_alpha_equals_krippendorff_2011(metric: Metric, expected: float) -> None:
    """Twelve units, four observers, with gaps."""
    found = alpha(vectors.KRIPPENDORFF, metric=metric)
    assert value(found) == pytest.approx(expected, abs=1e-12)
    assert isinstance(found, Estimate)
    assert (found.n, found.low) == (11, None)


@pytest.mark.parametrize(
    ("metric", "coders", "anxiety"),
    [
        ("nominal", 0.691358, -0.023725),
        ("ordinal", 0.806721, 0.228387),
        ("interval", 0.810845, 0.170099),
    ],
)
def test_alpha_meets_further_published_data(metric: Metric, coders: float, anxiety: float) -> None:
    """Three coders with gaps; twenty subjects of the package irr."""
    assert value(alpha(vectors.CODERS, metric=metric)) == pytest.approx(coders, abs=1e-6)
    assert value(alpha(vectors.ANXIETY, metric=metric)) == pytest.approx(anxiety, abs=1e-6)


@pytest.mark.parametrize("metric", METRICS)
def test_alpha_equals_evalica(metric: Metric) -> None:
    """Forty units, four raters, a fifth of the marks missing."""
    rng = np.random.default_rng(5)
    marks = rng.integers(1, 8, (40, 4)).astype(np.float64) + rng.integers(0, 3, (40, 1))
    marks[rng.random((40, 4)) < 0.2] = np.nan
    expected = evalica.alpha(pd.DataFrame(marks.T), distance=metric).alpha
    assert value(alpha(marks, metric=metric)) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=50)
@given(any_marks)
def test_alpha_ignores_rater_order_and_scale_unit(marks: FloatArray) -> None:
    """Reversed columns, moved to 10x + 5: same value, or the same refusal."""
    one = alpha(marks, metric="interval")
    other = alpha(10 * marks[:, ::-1] + 5, metric="interval")
    if isinstance(one, Refusal) or isinstance(other, Refusal):
        assert one == other
    else:
        assert other.value == pytest.approx(one.value)
        assert other.n == one.n


def test_alpha_ordinal_depends_on_the_order_only() -> None:
    """Squared marks: the same ordinal α, another interval α."""
    marks = vectors.ANXIETY
    same = value(alpha(marks**2, metric="ordinal"))
    assert same == pytest.approx(value(alpha(marks, metric="ordinal")), abs=1e-12)
    assert value(alpha(marks**2, metric="interval")) != pytest.approx(
        value(alpha(marks, metric="interval")), abs=1e-3
    )


def test_alpha_has_an_interval_from_twenty_items_not_from_twenty_cells() -> None:
    """Twenty cells of four items are four items."""
    cells = alpha(vectors.ANXIETY, metric="interval")
    grouped = alpha(vectors.ANXIETY, metric="interval", items=np.arange(20) // 5)
    assert isinstance(cells, Estimate)
    assert isinstance(grouped, Estimate)
    assert cells.kind == "jackknife"
    assert cells.low is not None
    assert cells.high is not None
    assert cells.low < cells.value < cells.high < 1
    assert grouped.value == pytest.approx(cells.value, abs=1e-12)
    assert grouped.low is None


def test_alpha_of_raters_without_any_gap_has_no_interval() -> None:
    """1.0 is the value; that nothing could be otherwise is not claimed."""
    marks = np.repeat(np.arange(25.0)[:, None] % 4, 2, axis=1)
    found = alpha(marks, metric="interval")
    assert isinstance(found, Estimate)
    assert (found.value, found.low, found.high) == (1.0, None, None)


def test_alpha_of_equal_raters_has_no_interval_out_of_rests_of_rounding() -> None:
    """Six equal columns, several units an item: their squares leave 1e-16 behind."""
    rng = np.random.default_rng(2)
    for units in range(40, 90):
        marks = np.repeat(rng.integers(0, 21, (units, 1)) / 2, 6, axis=1)
        marks[rng.random(marks.shape) < 0.1] = np.nan
        found = alpha(marks, metric="interval", items=np.arange(units) // 2)
        assert isinstance(found, Estimate)
        assert found.value == pytest.approx(1.0, abs=1e-12)
        assert (found.low, found.high) == (None, None)


def test_alpha_takes_an_infinite_mark_for_none() -> None:
    """As a missing one, whatever the metric."""
    rng = np.random.default_rng(3)
    marks = rng.integers(1, 6, (40, 3)).astype(np.float64)
    marks[::7, 1] = np.inf
    marks[3, 0] = -np.inf
    missing = np.where(np.isfinite(marks), marks, np.nan)
    for metric in METRICS:
        assert alpha(marks, metric=metric) == alpha(missing, metric=metric)


def test_alpha_raises_on_what_cannot_be() -> None:
    """One axis; codes for other units; negative marks on a ratio scale."""
    with pytest.raises(ValueError, match="shape"):
        alpha(np.arange(5.0), metric="nominal")
    with pytest.raises(ValueError, match="one item for each"):
        alpha(vectors.ANXIETY, metric="nominal", items=np.arange(3))
    with pytest.raises(ValueError, match="from 0"):
        alpha(vectors.ANXIETY - 4, metric="ratio")


def test_closeness_refuses_four_units() -> None:
    """Four units with two marks."""
    found = closeness(np.ones((4, 2)))
    assert isinstance(found, Refusal)
    assert (found.code, found.have) == ("too_few_items", 4)


def test_closeness_of_two_raters_is_counted_by_hand() -> None:
    """Gaps 0, 0, 1, 2, 5: exact 2 of 5, within one 3 of 5, mean 1.6."""
    marks = np.array([[3.0, 3], [4, 4], [5, 6], [7, 5], [9, 4], [2, np.nan]])
    found = closeness(marks)
    assert not isinstance(found, Refusal)
    assert found.exact == pytest.approx(0.4)
    assert found.within == pytest.approx(0.6)
    assert found.units == 5
    assert found.gap == pytest.approx(1.6)
    x, y = marks[:5, 0], marks[:5, 1]
    every = np.abs(x[:, None] - y[None, :])
    assert found.chance_exact == pytest.approx((every == 0).mean())
    assert found.chance_within == pytest.approx((every <= 1).mean())
    assert found.chance_gap == pytest.approx(every.mean())


def test_closeness_weighs_units_equally_whoever_marked_them() -> None:
    """A unit with three raters counts once, as one with two does; strangers never met."""
    nan = np.nan
    marks = np.array([[1.0, 1, 1, nan]] + [[1.0, 3, nan, nan]] * 4)
    found = closeness(marks)
    assert not isinstance(found, Refusal)
    assert found.exact == pytest.approx(0.2)


def test_closeness_of_a_judge_that_always_says_eight_is_no_better_than_chance() -> None:
    """Exact 100 %, baseline 100 %: beside each other they say that nothing was learnt."""
    found = closeness(np.full((6, 2), 8.0))
    assert not isinstance(found, Refusal)
    assert found.exact == pytest.approx(1)
    assert found.chance_exact == pytest.approx(1)


def test_closeness_has_a_wider_distance_beside_its_own_chance() -> None:
    """Gaps 0, 5, 6, 10, 40 on 0–100: within five 2 of 5, within ten 4 of 5; none unasked."""
    marks = np.array([[30.0, 30], [40, 45], [50, 56], [70, 60], [90, 50]])
    found = closeness(marks, within=5, wide=10)
    assert not isinstance(found, Refusal)
    assert found.within == pytest.approx(0.4)
    assert found.wide == pytest.approx(0.8)
    every = np.abs(marks[:, :1] - marks[None, :, 1])
    assert found.chance_within == pytest.approx((every <= 5).mean())
    assert found.chance_wide == pytest.approx((every <= 10).mean())
    assert found.chance_gap == pytest.approx(every.mean())
    alone = closeness(marks, within=5)
    assert not isinstance(alone, Refusal)
    assert (alone.wide, alone.chance_wide) == (None, None)


def test_closeness_needs_a_distance() -> None:
    """A negative distance is a fault, and so is a second one that is not the wider."""
    with pytest.raises(ValueError, match="distance"):
        closeness(np.ones((9, 2)), within=-1)
    with pytest.raises(ValueError, match="above 5"):
        closeness(np.ones((9, 2)), within=5, wide=5)


T2 = vectors.table("75 1 4 / 5 4 1 / 0 0 10")
T3 = vectors.table("13 0 0 / 0 20 7 / 0 4 56")
T4 = vectors.table("7 7 2 3 / 2 8 3 7 / 1 5 4 9 / 2 8 9 14")
T5 = vectors.table("0 4 1 / 0 8 0 / 0 1 5")


@pytest.mark.parametrize(
    ("counts", "weights", "expected", "se"),
    [
        pytest.param(T2, "none", 0.676471, 0.087703, id="fleiss-plain"),
        pytest.param(T2, "linear", 0.722222, 0.084301, id="fleiss-linear"),
        pytest.param(T2, "quadratic", 0.755319, 0.086707, id="fleiss-quadratic"),
        pytest.param(T3, "none", 0.796409, 0.058911, id="gwet-plain"),
        pytest.param(T4, "none", 0.129330, 0.068599, id="vcd-plain"),
        pytest.param(T4, "linear", 0.237381, 0.078316, id="vcd-linear"),
        pytest.param(T5, "none", 0.484163, 0.138014, id="sas-plain"),
        pytest.param(T5, "linear", 0.470120, 0.145746, id="sas-linear"),
        pytest.param(T5, "quadratic", 0.450161, 0.192233, id="sas-quadratic"),
    ],
)
def test_cohen_kappa_meets_published_tables(
    counts: FloatArray, weights: Weights, expected: float, se: float
) -> None:
    """Value and large-sample standard error."""
    a, b = vectors.raters(counts)
    found = cohen_kappa(a, b, categories=np.arange(1.0, counts.shape[0] + 1), weights=weights)
    assert value(found) == pytest.approx(expected, abs=1e-6)
    assert isinstance(found, Estimate)
    assert found.low is not None
    assert (found.value - found.low) / 1.959963985 == pytest.approx(se, abs=1e-6)


def test_cohen_kappa_counts_levels_that_nobody_used() -> None:
    """Raters 2 and 3 never say 5; with all six levels named: 0.126214 and 0.229798."""
    a, b = vectors.ANXIETY[:, 1], vectors.ANXIETY[:, 2]
    scale = np.arange(1.0, 7)
    for weights, expected in (("linear", 0.126214), ("quadratic", 0.229798)):
        found = value(cohen_kappa(a, b, categories=scale, weights=weights))  # type: ignore[arg-type] # a loop loses the literal
        assert found == pytest.approx(expected, abs=1e-6)
        reference = cohen_kappa_score(a, b, labels=scale, weights=weights)
        assert found == pytest.approx(reference, abs=1e-12)
    assert value(quadratic_kappa(a, b)) == pytest.approx(0.229798, abs=1e-6)


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_cohen_kappa_of_many_levels_is_that_of_the_table(weights: Weights) -> None:
    """Marks of 0-100: units written 400 times have the same value, a twentieth of the error."""
    rng = np.random.default_rng(6)
    a = rng.integers(0, 101, 60).astype(np.float64)
    b = np.clip(a + rng.integers(-3, 4, 60), 0, 100)
    scale = np.arange(101.0)
    few = cohen_kappa(a, b, categories=scale, weights=weights)
    many = cohen_kappa(np.tile(a, 400), np.tile(b, 400), categories=scale, weights=weights)
    named = None if weights == "none" else weights
    expected = cohen_kappa_score(a.astype(int), b.astype(int), weights=named, labels=range(101))
    assert isinstance(few, Estimate)
    assert isinstance(many, Estimate)
    assert few.low is not None
    assert many.low is not None
    assert [few.value, many.value] == pytest.approx([expected] * 2, abs=1e-12)
    assert few.value - few.low == pytest.approx(20 * (many.value - many.low), abs=1e-9)


def test_cohen_kappa_of_full_agreement_has_no_interval() -> None:
    """1.0 with a standard error of 0 is no certainty."""
    a = np.array([1.0, 2, 3, 1, 2, 3])
    found = cohen_kappa(a, a, categories=np.arange(1.0, 4))
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(1.0)
    assert found.low is None


def test_cohen_kappa_refuses_and_raises() -> None:
    """Four units; one category throughout; a mark between the categories."""
    scale = np.arange(1.0, 4)
    few = cohen_kappa(np.ones(4), np.ones(4), categories=scale)
    same = cohen_kappa(np.ones(9), np.ones(9), categories=scale)
    assert isinstance(few, Refusal)
    assert isinstance(same, Refusal)
    assert (few.code, same.code) == ("too_few_items", "no_variation")
    for mark in (1.5, 9.0):
        with pytest.raises(ValueError, match="no category"):
            cohen_kappa(np.full(9, mark), np.ones(9), categories=scale)
    with pytest.raises(ValueError, match="shape"):
        quadratic_kappa(np.ones(3), np.ones(4))


def test_quadratic_kappa_takes_fractions_and_refuses_no_variation() -> None:
    """No bins: 7.5 is 7.5; both constant at other marks is no evidence either."""
    rng = np.random.default_rng(3)
    a = rng.integers(2, 20, 30) / 2
    b = a + rng.integers(-2, 3, 30) / 2
    reference = cohen_kappa_score(2 * a, 2 * b, weights="quadratic", labels=np.arange(-2, 30))
    assert value(quadratic_kappa(a, b)) == pytest.approx(reference, abs=1e-12)
    flat = quadratic_kappa(np.full(6, 0.1), np.full(6, 0.3))
    few = quadratic_kappa(np.ones(3), np.ones(3))
    assert isinstance(flat, Refusal)
    assert isinstance(few, Refusal)
    assert (flat.code, few.code) == ("no_variation", "too_few_items")


@pytest.mark.parametrize(
    ("counts", "expected"),
    [(vectors.FLEISS, 0.430244520), (vectors.FOURTEEN, 0.209930704)],
    ids=["fleiss-1971", "fourteen-raters"],
)
def test_fleiss_kappa_meets_published_data(counts: FloatArray, expected: float) -> None:
    """Printed as 0.430 and 0.210; statsmodels agrees."""
    found = value(fleiss_kappa(counts.astype(np.float64)))
    assert found == pytest.approx(expected, abs=1e-9)
    assert found == pytest.approx(inter_rater.fleiss_kappa(counts), abs=1e-12)


def test_fleiss_kappa_refuses_and_raises() -> None:
    """Two units; one class throughout; units with other numbers of raters."""
    few = fleiss_kappa(np.array([[7.0, 1], [3, 5]]))
    flat = fleiss_kappa(np.array([[7.0, 0]] * 6))
    assert isinstance(few, Refusal)
    assert isinstance(flat, Refusal)
    assert (few.code, flat.code) == ("too_few_items", "no_variation")
    with pytest.raises(ValueError, match="same number"):
        fleiss_kappa(np.array([[7.0, 1], [3, 4]]))


def test_limits_of_agreement_are_bias_and_two_standard_deviations() -> None:
    """Twelve units against numpy."""
    rng = np.random.default_rng(1)
    a, b = rng.normal(6, 2, 12), rng.normal(6, 2, 12)
    found = limits_of_agreement(a, b)
    assert not isinstance(found, Refusal)
    d = a - b
    assert found.bias.value == pytest.approx(d.mean())
    assert found.low == pytest.approx(d.mean() - 1.96 * d.std(ddof=1))
    assert found.high == pytest.approx(d.mean() + 1.96 * d.std(ddof=1))
    assert found.slope == pytest.approx(np.polyfit((a + b) / 2, d, 1)[0])


def test_limits_of_agreement_are_bias_only_below_ten_units() -> None:
    """Nine units: no limits. Two: nothing. Equal gaps: no interval."""
    a = np.arange(9.0)
    nine = limits_of_agreement(a, a[::-1])
    assert not isinstance(nine, Refusal)
    assert (nine.low, nine.slope, nine.bias.kind) == (None, None, "t")
    assert isinstance(limits_of_agreement(a[:2], a[:2]), Refusal)
    equal = limits_of_agreement(np.arange(12.0) + 0.1, np.arange(12.0))
    assert not isinstance(equal, Refusal)
    assert (equal.bias.low, equal.low) == (None, None)


def test_limits_of_agreement_have_no_trend_where_the_means_are_equal() -> None:
    """Mirrored marks share one mean: a slope would divide by 0."""
    a = np.array([3.0, 5] * 6)
    found = limits_of_agreement(a, 8 - a)
    assert not isinstance(found, Refusal)
    assert found.slope is None
    assert found.low is not None


def test_limits_with_repeats_are_those_of_the_published_example() -> None:
    """Bland & Altman (2007), true value constant: 12 subjects, three to six measurements."""
    found = limits_of_agreement(*vectors.cardiac())
    assert not isinstance(found, Refusal)
    assert found.low is not None
    assert found.high is not None
    assert found.bias.n == 12
    assert found.bias.value == pytest.approx(0.7092361, abs=5e-8)
    assert (found.high - found.low) / 2 / 1.96 == pytest.approx(1.0518506, abs=5e-7)
    # The paper lays its limits around the mean over all 60 pairs; here each unit counts once.
    apart = 0.6021667 - found.bias.value
    assert found.low + apart == pytest.approx(-1.4594605, abs=1e-6)
    assert found.high + apart == pytest.approx(2.6637939, abs=1e-6)


def test_limits_of_means_of_repeats_would_be_too_narrow() -> None:
    """The gap of two single marks is wider than that of two means."""
    a, b = vectors.cardiac()
    single = limits_of_agreement(a, b)
    means = limits_of_agreement(np.nanmean(a, axis=1), np.nanmean(b, axis=1))
    assert not isinstance(single, Refusal)
    assert not isinstance(means, Refusal)
    assert single.bias == means.bias
    assert single.high is not None
    assert means.high is not None
    assert single.high > means.high + 0.1


def test_limits_refuse_to_pair_other_units() -> None:
    """Marks of other units are a fault of the caller."""
    with pytest.raises(ValueError, match="same units"):
        limits_of_agreement(np.zeros(4), np.zeros((5, 2)))


def test_judges_with_one_error_are_one_judge() -> None:
    """Equal errors: 1; independent errors: nearly as many as there are; 0.5 between: as Kish."""
    rng = np.random.default_rng(4)
    common, own = rng.normal(size=(400, 1)), rng.normal(size=(400, 3))
    assert value(effective_judges(np.repeat(common, 3, axis=1))) == pytest.approx(1)
    assert 2.6 < value(effective_judges(own)) <= 3
    rho = np.asarray(np.corrcoef(common + own, rowvar=False))[np.triu_indices(3, 1)].mean()
    assert value(effective_judges(common + own)) == pytest.approx(3 / (1 + 2 * rho))
    assert value(effective_judges(own[:, :2] * [1, -1] + common * [1, -1])) == 2


@pytest.mark.parametrize(
    ("shape", "code"), [((29, 2), "no_human_labels"), ((40, 1), "too_few_judges")]
)
def test_number_of_judges_is_refused_without_people_or_judges(
    shape: tuple[int, int], code: str
) -> None:
    """29 labels are too few, and one judge has nobody to agree with."""
    found = effective_judges(np.random.default_rng(1).normal(size=shape))
    assert isinstance(found, Refusal)
    assert found.code == code


def test_number_of_judges_is_refused_where_errors_are_constant() -> None:
    """A judge that is always one point too high has no correlation, and no 1.0."""
    errors = np.random.default_rng(1).normal(size=(40, 2))
    errors[:, 1] = 1
    found = effective_judges(errors)
    assert isinstance(found, Refusal)
    assert found.code == "no_variation"
    with pytest.raises(ValueError, match=r"shape \(U, J\)"):
        effective_judges(np.zeros(4))


@pytest.mark.parametrize("metric", ["nominal", "ordinal", "interval", "ratio"])
@pytest.mark.parametrize(("low", "high"), [(2.0, 9.0), (0.1 + 0.2, 7.7), (3e5 + 0.1, 9e5 + 0.7)])
@pytest.mark.parametrize("by_item", [False, True])
def test_alpha_that_no_item_moves_has_no_interval(
    metric: Metric, low: float, high: float, *, by_item: bool
) -> None:
    """Two raters of opposite minds on 25 items, or one always above the other: no certainty."""
    items = np.repeat(np.arange(25), 2) if by_item else None
    turned = np.tile([[low, high], [high, low]], (25, 1))
    for marks in (turned, np.tile([[low, high]], (50, 1))):
        found = alpha(marks, metric=metric, items=items)
        assert isinstance(found, Estimate)
        assert found.value < 0
        assert (found.low, found.high) == (None, None)


@pytest.mark.parametrize("metric", ["nominal", "ordinal", "interval", "ratio"])
def test_units_of_one_item_have_an_alpha_and_no_interval(metric: Metric) -> None:
    """Without the only item nothing is left to be without."""
    marks = np.repeat([[1.0, 2], [2, 2], [1, 1], [3, 1], [2, 3]], 5, axis=0)
    alone = alpha(marks, metric=metric)
    found = alpha(marks, metric=metric, items=np.zeros(len(marks), dtype=np.int64))
    assert isinstance(alone, Estimate)
    assert isinstance(found, Estimate)
    assert alone.low is not None
    assert found.value == pytest.approx(alone.value, abs=1e-12)
    assert (found.n, found.low, found.high) == (alone.n, None, None)
