"""Variance components, designs, and judges as a sample."""

import numpy as np
import pandas as pd  # type: ignore[import-untyped] # only statsmodels wants a frame
import pytest
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from judgebench.model.agreement import VarianceParts
from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats.arrays import FloatArray
from judgebench.stats.components import (
    cheapest,
    complete_block,
    d_study,
    d_study_ranges,
    difference_over_judges,
    largest_block,
    mean_squares,
    variance_components,
)


def block(seed: int = 1, shape: tuple[int, int, int, int] = (3, 6, 2, 2)) -> FloatArray:
    """Totals with every effect."""
    rng = np.random.default_rng(seed)
    a, i, j, _ = shape
    x = 6 + rng.normal(0, 1, (a, 1, 1, 1)) + rng.normal(0, 1, (1, i, 1, 1))
    x = x + rng.normal(0, 0.5, (1, 1, j, 1)) + rng.normal(0, 0.7, (a, i, 1, 1))
    return np.asarray(x + rng.normal(0, 0.4, shape), dtype=np.float64)


@pytest.mark.parametrize(
    ("shape", "code"),
    [
        ((1, 6, 2, 2), "too_few_arms"),
        ((3, 6, 1, 2), "too_few_judges"),
        ((3, 6, 2, 1), "too_few_repeats"),
        ((3, 4, 2, 2), "too_few_items"),
    ],
)
def test_variance_components_refuse(shape: tuple[int, ...], code: str) -> None:
    """One judge cannot show its own lean, one repeat no noise."""
    found = variance_components(np.random.default_rng(1).normal(size=shape))
    assert isinstance(found, Refusal)
    assert (found.statistic, found.code) == ("components", code)


def test_variance_components_refuse_constant_totals() -> None:
    """All equal: nothing to take apart."""
    found = variance_components(np.full((3, 6, 2, 2), 0.1))
    assert isinstance(found, Refusal)
    assert found.code == "no_variation"


def test_mean_squares_equal_a_balanced_anova_of_statsmodels() -> None:
    """Three arms, six items, two judges, two repeats."""
    x = block()
    places = np.indices(x.shape).reshape(4, -1)
    frame = pd.DataFrame({"y": x.ravel(), **dict(zip("aijr", places, strict=True))})
    expected = anova_lm(ols("y ~ C(a) * C(i) * C(j)", frame).fit())["mean_sq"]
    found = mean_squares(x)
    for name in ("a", "i", "j", "ai", "aj", "ij", "aij"):
        row = ":".join(f"C({letter})" for letter in name)
        assert found[name] == pytest.approx(expected[row], abs=1e-9)
    assert found["residual"] == pytest.approx(expected["Residual"], abs=1e-9)


def test_variance_components_give_the_mean_squares_back() -> None:
    """No negative component: expected mean squares rebuilt from the components."""
    for seed in range(40):
        x = block(seed)
        found = variance_components(x)
        assert isinstance(found, VarianceParts)
        if found.negative:
            continue
        ms = mean_squares(x)
        assert ms["aij"] == pytest.approx(found.residual + 2 * found.item_arm_judge)
        assert ms["ai"] == pytest.approx(ms["aij"] + 4 * found.item_arm)
        rebuilt = ms["ai"] + 12 * found.arm_judge + 24 * found.arm
        assert ms["a"] == pytest.approx(rebuilt)
        return
    pytest.fail("every draw had a negative component")


def test_variance_components_flag_what_came_out_negative() -> None:
    """A component of 0 by decree says so by name."""
    found = [variance_components(block(seed)) for seed in range(10)]
    for one in found:
        assert isinstance(one, VarianceParts)
        assert all(getattr(one, name) == 0 for name in one.negative)
    assert any(isinstance(one, VarianceParts) and one.negative for one in found)


def test_complete_block_drops_items_and_says_how_much() -> None:
    """One gap costs its whole item: 11 of 71 marks."""
    x = block()
    x[0, 2, 1, 1] = np.nan
    kept, dropped = complete_block(x)
    assert kept.shape == (3, 5, 2, 2)
    assert dropped == pytest.approx(11 / 71)
    assert complete_block(np.full((1, 1, 1, 1), np.nan))[1] == 0
    with pytest.raises(ValueError, match="shape"):
        variance_components(np.ones(3))


def test_d_study_cannot_buy_a_judge_s_lean_away_with_repeats() -> None:
    """With the arm × judge component alone only judges help."""
    found = VarianceParts(
        item=1,
        arm=1,
        judge=1,
        item_arm=0,
        arm_judge=0.09,
        item_judge=0,
        item_arm_judge=0,
        residual=0,
        negative=(),
        n_arms=3,
        n_items=9,
        n_judges=2,
        n_repeats=2,
    )
    rows = d_study(found, items=(10, 1000), judges=(1, 9), repeats=(1, 5))
    assert [row.sd for row in rows] == pytest.approx([0.3, 0.3, 0.1, 0.1] * 2)
    assert [row.judgments for row in rows[:4]] == [10, 50, 90, 450]


def test_d_study_equals_the_published_formula_and_checks_its_numbers() -> None:
    """v_ia/N + v_aj/J + v_iaj/(NJ) + v_e/(NJR)."""
    found = variance_components(block(3))
    assert isinstance(found, VarianceParts)
    row = d_study(found, items=(30,), judges=(3,), repeats=(2,))[0]
    variance = found.item_arm / 30 + found.arm_judge / 3 + found.item_arm_judge / 90
    assert row.sd**2 == pytest.approx(variance + found.residual / 180)
    with pytest.raises(ValueError, match="at least one"):
        d_study(found, items=(0,), judges=(1,), repeats=(1,))


@pytest.mark.parametrize(
    ("d", "code"),
    [
        pytest.param(np.ones((9, 2)), "too_few_judges", id="two-judges"),
        pytest.param(np.ones((2, 4)), "too_few_items", id="two-items"),
        pytest.param(np.full((9, 4), 0.1), "zero_spread", id="constant"),
    ],
)
def test_difference_over_judges_refuses(d: FloatArray, code: str) -> None:
    """Two judges are unstable; two items are two."""
    found = difference_over_judges(d)
    assert isinstance(found, Refusal)
    assert found.code == code


def test_difference_over_judges_covers_where_items_alone_do_not() -> None:
    """Judges lean by 0.3 at random, 60 items, four judges: near 95 %, items alone far below."""
    rng = np.random.default_rng(4)
    hits = alone = 0
    for _ in range(600):
        d = rng.normal(0, 1, (60, 1)) + rng.normal(0, 0.3, (1, 4)) + rng.normal(0, 0.7, (60, 4))
        found = difference_over_judges(d)
        assert isinstance(found, Estimate)
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= 0 <= found.high
        m = d.mean(axis=1)
        alone += abs(m.mean()) <= 2.001 * m.std(ddof=1) / 60**0.5
    assert hits / 600 > 0.91
    assert alone / 600 < 0.88


def test_difference_over_judges_needs_two_axes() -> None:
    """Items by judges."""
    with pytest.raises(ValueError, match="shape"):
        difference_over_judges(np.ones(5))


def pilot(rng: np.random.Generator, shape: tuple[int, int, int, int], lean: float) -> FloatArray:
    """Whole marks with an item × arm spread of 0.8 and a judge's lean towards an arm."""
    a, i, j, _ = shape
    x = 6 + rng.normal(0, 0.5, (a, 1, 1, 1)) + rng.normal(0, 1.2, (1, i, 1, 1))
    x = x + rng.normal(0, 0.8, (a, i, 1, 1)) + rng.normal(0, lean, (a, 1, j, 1))
    x = x + rng.normal(0, 0.3, (1, i, j, 1)) + rng.normal(0, 0.3, (a, i, j, 1))
    return np.asarray(np.round(x + rng.normal(0, 0.6, shape)), dtype=np.float64)


@pytest.mark.parametrize(
    ("shape", "lean"), [((5, 5, 2, 2), 0.2), ((5, 10, 3, 2), 0.4), ((3, 10, 2, 2), 0.2)]
)
def test_range_of_a_design_holds_the_true_spread(
    shape: tuple[int, int, int, int], lean: float
) -> None:
    """30 items × 3 judges × 2 repeats from a small pilot: at least 85 % of the ranges."""
    rng = np.random.default_rng(11)
    rounding = 1 / 12
    true = (0.8**2 / 30 + lean**2 / 3 + 0.3**2 / 90 + (0.6**2 + rounding) / 180) ** 0.5
    hits = runs = 0
    for _ in range(120):
        found = d_study_ranges(pilot(rng, shape, lean), items=[30], judges=[3], repeats=[2])
        assert not isinstance(found, Refusal)
        if found[0].low is not None and found[0].high is not None:
            runs += 1
            assert found[0].low < found[0].sd < found[0].high
            hits += found[0].low <= true <= found[0].high
    assert runs >= 110
    assert hits >= 0.85 * runs


def test_ranges_belong_to_the_designs_of_a_d_study() -> None:
    """The same spreads, ends around them; three arms at least."""
    x = block(shape=(4, 8, 2, 2))
    found = variance_components(x)
    assert isinstance(found, VarianceParts)
    plain = d_study(found, items=[5, 50], judges=[1, 2], repeats=[1])
    ranged = d_study_ranges(x, items=[5, 50], judges=[1, 2], repeats=[1])
    assert not isinstance(ranged, Refusal)
    assert [one.sd for one in ranged] == [one.sd for one in plain]
    few = d_study_ranges(x[:2], items=[5], judges=[1], repeats=[1])
    assert isinstance(few, Refusal)
    assert (few.code, few.have, few.need) == ("too_few_arms", 2, 3)
    none = d_study_ranges(x[:, :4], items=[5], judges=[1], repeats=[1])
    assert isinstance(none, Refusal)
    assert none.code == "too_few_items"


def test_no_range_around_no_spread() -> None:
    """Arms that differ by a constant leave a spread of 0: no end, above all no 0 to 0."""
    x = np.arange(3.0)[:, None, None, None] + np.arange(6.0)[None, :, None, None]
    found = d_study_ranges(np.tile(x, (1, 1, 2, 2)), items=[9], judges=[2], repeats=[1])
    assert not isinstance(found, Refusal)
    assert (found[0].low, found[0].high) == (None, None)


def test_the_cheapest_design_has_the_fewest_judgments() -> None:
    """Of those that keep within the spread; None where none does."""
    found = variance_components(block(shape=(4, 8, 2, 2)))
    assert isinstance(found, VarianceParts)
    grid = d_study(found, items=[5, 20, 80], judges=[1, 2], repeats=[1, 2])
    best = cheapest(grid, sd=grid[4].sd)
    assert best is not None
    assert best.sd <= grid[4].sd
    assert best.judgments == min(one.judgments for one in grid if one.sd <= grid[4].sd)
    assert cheapest(grid, sd=0) is None


def test_largest_block_leaves_out_the_arm_that_is_blocked_on_most_items() -> None:
    """Three arms of six items: one has two items only, so it leaves and the items stay."""
    x = block(shape=(3, 6, 2, 2))
    x[1, 2:] = np.nan
    found = largest_block(x)
    assert found.arms == (0, 2)
    assert found.totals.shape == (2, 6, 2, 2)
    assert found.dropped == pytest.approx(8 / 56)
    assert np.array_equal(found.totals, x[[0, 2]])


def test_largest_block_gives_up_repeats_only_where_they_are_no_block() -> None:
    """Two cells judged twice are no second repeat; a whole second repeat is kept."""
    x = block(shape=(3, 6, 2, 2))
    thin = x.copy()
    thin[:, 1:, :, 1] = np.nan
    assert largest_block(thin).totals.shape == (3, 6, 2, 1)
    assert largest_block(x).totals.shape == (3, 6, 2, 2)
    part = x.copy()
    part[:, 5, :, 1] = np.nan
    # Five items twice rather than six once: only the former shows the noise.
    assert largest_block(part).totals.shape == (3, 5, 2, 2)


def test_largest_block_leaves_out_the_judge_that_scored_once() -> None:
    """Of three judges one has no second scoring: without it the others show the noise."""
    x = block(shape=(3, 8, 3, 2))
    x[:, :, 1, 1] = np.nan
    found = largest_block(x)
    assert found.judges == (0, 2)
    assert found.arms == (0, 1, 2)
    assert found.totals.shape == (3, 8, 2, 2)
    assert found.dropped == pytest.approx(24 / 120)
    assert np.array_equal(found.totals, x[:, :, [0, 2]])
    assert not isinstance(variance_components(found.totals), Refusal)


def test_largest_block_keeps_two_judges_and_all_that_have_no_gap() -> None:
    """A judge with few marks leaves where there are three; of two it takes items with it."""
    x = block(shape=(3, 8, 3, 2))
    assert largest_block(x).judges == (0, 1, 2)
    x[:, 1:, 2] = np.nan
    assert largest_block(x).judges == (0, 1)
    pair = x[:, :, 1:]
    assert largest_block(pair).judges == (0, 1)
    assert largest_block(pair).totals.shape == (3, 1, 2, 2)


def test_largest_block_of_nothing_is_empty() -> None:
    """No mark at all, one arm alone, and a wrong shape."""
    empty = largest_block(np.full((2, 5, 2, 2), np.nan))
    assert (empty.totals.size, empty.dropped) == (0, 1)
    assert largest_block(block(shape=(1, 5, 2, 2))).arms == (0,)
    with pytest.raises(ValueError, match=r"\(A, I, J, R\)"):
        largest_block(np.zeros((2, 2)))
