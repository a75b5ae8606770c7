"""A judge held against people: hand cases, clusters, ceiling, refusals."""

import numpy as np
import pytest
from scipy import stats

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.people import Standing
from judgebench.stats.alt_test import alt_test
from judgebench.stats.arrays import FloatArray
from judgebench.stats.ceiling import ceiling
from judgebench.stats.human import (
    beside,
    counted,
    item_share,
    limits,
    people_cells,
    same_marks,
    vote_agreement,
)
from judgebench.stats.standing import leanings, may_stand_in

N = 30
NAMES = ("a", "b", "c")


def panel(
    *, arms: int = 2, people: int = 3, items: int = N, seed: int = 0
) -> tuple[FloatArray, FloatArray]:
    """People with noise around the truth, and the truth itself."""
    rng = np.random.default_rng(seed)
    truth = np.rint(rng.uniform(3, 8, (arms, items)))
    marks = truth[:, :, None] + rng.integers(-1, 2, (arms, items, people))
    return marks.astype(float), truth


def test_counts_say_how_much_was_marked() -> None:
    """A blank is no mark; a cell with two people counts as twice."""
    people = np.full((2, 3, 2), np.nan)
    people[0, 0] = [5, 4]
    people[1, 0, 0] = people[0, 1, 0] = 0
    found = counted(people)
    assert (found.people, found.items, found.cells, found.marks) == (2, 2, 3, 4)
    assert (found.twice, found.items_twice) == (1, 1)
    means, n = people_cells(people)
    assert means[0, 0] == pytest.approx(4.5)
    assert means[0, 1] == 0
    assert n[0].tolist() == [2, 1, 1]


def test_bias_is_a_mean_over_items_with_t() -> None:
    """One arm: the interval is that of a one-sample t on the gaps."""
    people, truth = panel(arms=1)
    judge = truth + np.random.default_rng(9).integers(0, 3, truth.shape)
    found = beside(people, judge, span=9)
    assert not isinstance(found, Refusal)
    gaps = (judge - people.mean(axis=2))[0]
    want = stats.ttest_1samp(gaps, 0).confidence_interval()
    assert found.bias.value == pytest.approx(gaps.mean())
    assert (found.bias.low, found.bias.high) == pytest.approx((want.low, want.high), abs=1e-12)
    assert found.mae.value == pytest.approx(np.abs(gaps).mean())
    assert (found.items, found.cells) == (N, N)


def test_arms_of_one_item_are_no_new_items() -> None:
    """Every arm five times over leaves the bias and its interval as they are."""
    people, truth = panel()
    judge = truth + np.random.default_rng(4).integers(-1, 3, truth.shape)
    once, again = (
        beside(people, judge, span=9),
        beside(np.tile(people, (5, 1, 1)), np.tile(judge, (5, 1)), span=9),
    )
    assert not isinstance(once, Refusal)
    assert not isinstance(again, Refusal)
    assert once.bias == again.bias
    assert once.mae == again.mae
    assert again.cells == 10 * N


def test_a_perfect_judge_has_no_fake_interval() -> None:
    """Gaps that are all zero give a value without an interval."""
    people, _ = panel(people=1)
    found = beside(people, people[:, :, 0], span=9)
    assert not isinstance(found, Refusal)
    assert (found.bias.value, found.bias.low) == (0.0, None)
    assert isinstance(found.alpha, Estimate)
    assert found.alpha.value == 1.0
    assert isinstance(found.ordering, Estimate)
    assert found.ordering.value == 1.0


def test_limits_with_one_cell_an_item_are_plain() -> None:
    """Bias ± 1.96 standard deviations of the gaps."""
    people, truth = panel(arms=1)
    judge = truth + np.random.default_rng(1).normal(0, 1, truth.shape)
    found = limits(judge, people.mean(axis=2))
    gap = (judge - people.mean(axis=2))[0]
    assert not isinstance(found, Refusal)
    assert found.low == pytest.approx(gap.mean() - 1.96 * gap.std(ddof=1))


def test_limits_with_several_cells_add_both_variances() -> None:
    """Equals the one-way analysis of variance of gaps by item, and needs ten items."""
    rng = np.random.default_rng(8)
    gap = rng.normal(0, 1.5, N) + rng.normal(0, 1, (4, N))
    found = limits(6 + gap, np.full(gap.shape, 6.0))
    ms_w = gap.var(axis=0, ddof=1).mean()
    ms_b = 4 * gap.mean(axis=0).var(ddof=1)
    want = ((ms_b - ms_w) / 4 + ms_w) ** 0.5
    assert not isinstance(found, Refusal)
    assert found.high == pytest.approx(gap.mean() + 1.96 * want)
    few = limits(6 + gap[:, :9], np.full((4, 9), 6.0))
    assert not isinstance(few, Refusal)
    assert few.low is None
    assert isinstance(limits(6 + gap[:2, :1], np.full((2, 1), 6.0)), Refusal)


def test_ceiling_puts_judge_and_person_against_the_same_people() -> None:
    """A judge at the truth lies nearer to the rest than a noisy person, one 2 off further."""
    people, truth = panel(arms=3)
    near, far = ceiling(people, truth), ceiling(people, truth + 2)
    assert not isinstance(near, Refusal)
    assert not isinstance(far, Refusal)
    assert near.judge_mae < near.person_mae
    assert near.person_mae == pytest.approx(far.person_mae)
    assert far.further.low is not None
    assert far.further.low > 0
    assert near.judge_ordering is not None
    assert near.person_ordering is not None
    assert near.judge_ordering > near.person_ordering
    assert (near.people, near.items) == (3, N)


def test_a_person_as_judge_is_at_the_ceiling() -> None:
    """The mean over persons of persons equals itself by hand for two people."""
    people, _ = panel(people=2)
    found = ceiling(people, people[:, :, 0])
    assert not isinstance(found, Refusal)
    gap = np.abs(people[:, :, 0] - people[:, :, 1]).mean()
    assert found.person_mae == pytest.approx(gap)
    assert found.judge_mae == pytest.approx(gap / 2)


def test_ceiling_needs_two_people_and_twenty_items() -> None:
    """One person leaves the ceiling unknown, never 1.0."""
    people, truth = panel()
    one, few = ceiling(people[:, :, :1], truth), ceiling(people[:, :19], truth[:, :19])
    assert isinstance(one, Refusal)
    assert one.code == "single_annotator"
    assert isinstance(few, Refusal)
    assert (few.code, few.have, few.need) == ("too_few_items", 19, 20)


def test_one_arm_has_no_order() -> None:
    """Without a second arm the ceiling has no ordering accuracy."""
    people, truth = panel(arms=1)
    found = ceiling(people, truth)
    assert not isinstance(found, Refusal)
    assert found.person_ordering is None


def test_leaning_finds_the_favoured_arm_and_not_a_common_bias() -> None:
    """Two points on all arms and 1.5 more on one: only the latter is a leaning."""
    people, truth = panel(arms=3)
    judge = truth + 2.0
    judge[1] += 1.5
    found = leanings(people, judge, NAMES)
    assert not isinstance(found, Refusal)
    gaps = {one.arm: one.gap for one in found}
    assert gaps["b"].value == pytest.approx(1.5, abs=0.3)
    assert gaps["b"].low is not None
    assert gaps["b"].low > 1
    even = leanings(people, truth + 2.0, NAMES)
    assert not isinstance(even, Refusal)
    assert all(one.gap.low is not None and one.gap.low < 0 for one in even)


def test_leaning_refuses_one_arm_and_few_items() -> None:
    """There is nothing to favour one arm over, and nine items are too few."""
    people, truth = panel()
    alone, few = (
        leanings(people[:1], truth[:1], NAMES[:1]),
        leanings(people[:, :9], truth[:, :9], NAMES[:2]),
    )
    assert isinstance(alone, Refusal)
    assert alone.code == "too_few_arms"
    assert isinstance(few, Refusal)
    assert (few.code, few.have) == ("too_few_items", 9)
    equal = leanings(np.stack([truth, truth], axis=-1), truth, NAMES[:2])
    assert not isinstance(equal, Refusal)
    assert equal[0].gap == Estimate(value=0.0, n=N, no_interval="zero_spread")


def test_beside_refuses_without_labels_and_with_few() -> None:
    """No shared cell is no label; nine items are too few."""
    people, truth = panel()
    none, few = (
        beside(np.full_like(people, np.nan), truth, span=9),
        beside(people[:, :9], truth[:, :9], span=9),
    )
    assert isinstance(none, Refusal)
    assert none.code == "no_human_labels"
    assert isinstance(few, Refusal)
    assert (few.code, few.have, few.need) == ("too_few_items", 9, 10)
    with pytest.raises(ValueError, match="shape"):
        beside(people, truth[:, :5], span=9)


def test_same_marks_count_pairs_on_one_answer() -> None:
    """Three people on one cell are three pairs; a blank is no pair."""
    people = np.array([[[5.0, 5.0, 4.0], [np.nan, 3.0, 3.0]]])
    assert same_marks(people) == (0.5, 4)
    assert same_marks(people[:, :, :1]) == (None, 0)


def test_standing_follows_its_rule() -> None:
    """A shown bias or leaning beyond the margin is out; else the test decides, or nothing does."""
    people, truth = panel(arms=3, items=40)
    units = people.reshape(-1, 3).T
    good = alt_test(units, truth.ravel(), epsilon=0.15)
    held, leaning = beside(people, truth, span=9), leanings(people, truth, NAMES)
    assert may_stand_in(held, good, leaning, margin=0.5) is Standing.STANDS_IN
    refused = ceiling(people[:, :, :1], truth)
    assert isinstance(refused, Refusal)
    assert may_stand_in(held, refused, leaning, margin=0.5) is Standing.NOT_SHOWN
    assert (
        may_stand_in(beside(people, truth + 1, span=9), good, leaning, margin=0.5) is Standing.NOT
    )
    tilted = truth.copy()
    tilted[1] += 2
    leans = leanings(people, tilted, NAMES)
    assert may_stand_in(refused, refused, leans, margin=0.5) is Standing.NOT
    bad = alt_test(units, truth.ravel() + 4, epsilon=0.15)
    assert may_stand_in(held, bad, leaning, margin=0.5) is Standing.NOT


def test_votes_are_clustered_by_item() -> None:
    """Copies of votes on the same items leave the interval as it is; few votes are refused."""
    rng = np.random.default_rng(3)
    alike, items = rng.integers(0, 2, 40).astype(float), np.arange(40)
    once = vote_agreement(alike, items)
    again = vote_agreement(np.tile(alike, 3), np.tile(items, 3))
    assert isinstance(once, Estimate)
    assert isinstance(again, Estimate)
    assert (again.low, again.high) == pytest.approx((once.low, once.high))
    assert isinstance(vote_agreement(alike[:19], items[:19]), Refusal)
    assert vote_agreement(np.ones(20), np.arange(20)) == Estimate(
        value=1.0, n=20, no_interval="zero_spread"
    )
    with pytest.raises(ValueError, match="shape"):
        vote_agreement(alike, items[:5])


def test_shares_of_items_need_three_and_stay_shares() -> None:
    """Two items are refused; ends do not leave 0 and 1."""
    found = item_share(np.array([1.0, 1.0, 0.5, np.nan]), "win_rate")
    assert isinstance(found, Estimate)
    assert (found.n, found.high) == (3, 1.0)
    assert isinstance(item_share(np.array([1.0, 0.0]), "win_rate"), Refusal)
    assert item_share(np.ones(4), "win_rate") == Estimate(value=1.0, n=4, no_interval="zero_spread")
