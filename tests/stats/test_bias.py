"""Leanings of a judge: planted ones are found, absent ones are not, thin data are refused."""

from collections.abc import Callable

import numpy as np
import pytest

from judgebench.model.nouns import Refusal
from judgebench.stats import bias, scale_use, swaps
from judgebench.stats.arrays import FloatArray
from judgebench.stats.pairwise import Comparisons
from judgebench.stats.probes import Probe
from judgebench.stats.scale_use import Levels
from tests.stats.compared import made

NAN = np.nan
ARMS, ITEMS = 4, 20


def world(rng: np.random.Generator, *, items: int = ITEMS) -> FloatArray:
    """True qualities, shape (A, I): arms differ, items differ."""
    return np.asarray(
        6 + rng.normal(0, 0.7, (ARMS, 1)) + rng.normal(0, 1, (1, items))
        + rng.normal(0, 0.5, (ARMS, items))
    )  # fmt: skip


def covered(run: Callable[[np.random.Generator], Probe | Refusal], truth: float) -> float:
    """Share of 300 seeded runs whose interval holds the truth."""
    hits = 0
    for seed in range(300):
        found = run(np.random.default_rng(seed))
        assert isinstance(found, Probe)
        low, high = found.effect.low, found.effect.high
        assert low is not None
        assert high is not None
        hits += low <= truth <= high
    return hits / 300


def test_a_planted_length_effect_is_within_its_interval() -> None:
    """0.4 points a doubling, arms that are better and longer beside it."""

    def run(rng: np.random.Generator) -> Probe | Refusal:
        quality = world(rng)
        logs = 9 + 0.5 * quality.mean(axis=1, keepdims=True) + rng.normal(0, 0.5, quality.shape)
        marks = quality + 0.4 * logs + rng.normal(0, 0.5, quality.shape)
        return bias.length_slope(marks, 2**logs)

    # 300 runs at 95 %: ± 3.3 points in 99 % of all cases.
    assert covered(run, 0.4) >= 0.917


def test_longer_and_better_arms_alone_are_no_length_effect() -> None:
    """False alarms stay at 7 % or less: the arm effects take out what the arms differ in."""
    alarms = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        quality = world(rng)
        logs = 9 + 2 * quality.mean(axis=1, keepdims=True) + rng.normal(0, 0.4, quality.shape)
        found = bias.length_slope(quality + rng.normal(0, 0.5, quality.shape), 2**logs)
        assert isinstance(found, Probe)
        assert found.effect.p is not None
        alarms += found.effect.p < 0.05
    # 7 % with its 99 % Monte-Carlo band of 300 runs.
    assert alarms / 300 <= 0.07 + 0.038


def test_a_planted_order_effect_is_within_its_interval() -> None:
    """−0.2 points for each place further down, two repeats in other orders."""

    def run(rng: np.random.Generator) -> Probe | Refusal:
        quality = world(rng)[..., None]
        places = np.argsort(rng.random((ARMS, ITEMS, 2)), axis=0).astype(np.float64)
        return bias.order_slope(quality - 0.2 * places + rng.normal(0, 0.4, places.shape), places)

    assert covered(run, -0.2) >= 0.917


def test_a_planted_family_effect_is_within_its_interval() -> None:
    """0.8 points for the judge's own two arms, against people without any."""

    def run(rng: np.random.Generator) -> Probe | Refusal:
        quality = world(rng)
        lean = np.array([0.8, 0.8, 0, 0])[:, None]
        return bias.family_lean(
            quality + 0.5 + lean + rng.normal(0, 0.4, quality.shape),
            quality + rng.normal(0, 0.4, quality.shape),
            [True, True, False, False],
        )

    assert covered(run, 0.8) >= 0.917


def test_a_planted_leniency_is_within_its_interval() -> None:
    """Half a point above people."""

    def run(rng: np.random.Generator) -> Probe | Refusal:
        people = world(rng)
        judge = people + 0.5 + rng.normal(0, 0.5, people.shape) + rng.normal(0, 0.3, (1, ITEMS))
        return bias.leniency(judge, people)

    assert covered(run, 0.5) >= 0.917


def test_a_planted_compression_is_within_its_interval() -> None:
    """A judge that halves all distances, and marks with little noise."""
    hits = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        people = rng.normal(6, 1.5, (ARMS, 40))
        judge = 7 + (people - 6) / 2 + rng.normal(0, 0.1, people.shape)
        found = scale_use.compression(judge, people, low=1, high=10, step=1)
        assert isinstance(found, Levels)
        low, high = found.ratio.low, found.ratio.high
        assert low is not None
        assert high is not None
        truth = (0.75**2 + 0.1**2) ** 0.5 / 1.5
        hits += low <= truth <= high
    assert hits >= 275


def test_compression_carries_an_interval_of_items() -> None:
    """A noisy judge on half the scale; levels and the top of the scale are counted."""
    rng = np.random.default_rng(1)
    people = np.clip(np.round(rng.normal(6, 2, (3, 30))), 1, 10)
    judge = np.clip(np.round(7 + (people - 6) / 2 + rng.normal(0, 0.3, people.shape)), 1, 10)
    found = scale_use.compression(judge, people, low=1, high=10, step=1)
    assert isinstance(found, Levels)
    assert found.ratio.low is not None
    assert found.ratio.high is not None
    assert found.ratio.low < found.ratio.value < found.ratio.high < 0.8
    assert found.levels < found.levels_reference
    assert found.top_share == np.mean(judge >= 9)
    assert found.top_share_reference == np.mean(people >= 9)


def test_a_judge_like_each_of_several_raters_is_not_said_to_spread_more() -> None:
    """One mark each of the same noise: the interval holds 1, where a mean of them would not."""
    hits = averaged = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        marks = rng.normal(6, 1, (ARMS, 30)) + rng.normal(0, 1, (4, ARMS, 30))
        raters = np.where(rng.random((3, ARMS, 30)) < 0.8, marks[1:], np.nan)
        one = scale_use.compression(marks[0], raters, low=1, high=10, step=1)
        mean = scale_use.compression(marks[0], marks[1:].mean(axis=0), low=1, high=10, step=1)
        assert isinstance(one, Levels)
        assert isinstance(mean, Levels)
        hits += (one.ratio.low or 2) <= 1 <= (one.ratio.high or 0)
        averaged += (mean.ratio.low or 2) <= 1 <= (mean.ratio.high or 0)
    assert hits >= 182
    assert averaged < 100


def test_spreads_of_several_raters_are_pooled_about_the_mean_of_each() -> None:
    """By hand, with and without an item: squares about each rater's own mean, over all marks."""
    rng = np.random.default_rng(3)
    judge = rng.normal(6, 1, (ARMS, 12))
    raters = rng.normal([[[4]], [[8]]], 1.5, (2, ARMS, 12))
    raters[1, 0, 3:] = np.nan
    found = scale_use.compression(judge, raters, low=1, high=10, step=1)
    assert isinstance(found, Levels)
    there = np.isfinite(raters)
    mine = sum(float((d := judge[t] - judge[t].mean()) @ d) for t in there)
    theirs = sum(float((d := y[t] - y[t].mean()) @ d) for y, t in zip(raters, there, strict=True))
    assert found.ratio.value == pytest.approx((mine / theirs) ** 0.5, rel=1e-12)
    assert found.levels_reference == ARMS * 12


def test_halo_is_the_mean_correlation_of_criteria_within_items() -> None:
    """By hand: item means out, then Pearson over all cells, the mean of three pairs."""
    rng = np.random.default_rng(5)
    common = rng.normal(size=(4, 15, 1))
    marks = common + rng.normal(size=(4, 15, 3)) + rng.normal(size=(1, 15, 1)) * 3
    found = scale_use.halo(marks)
    assert isinstance(found, Probe)
    flat = (marks - marks.mean(axis=0)).reshape(-1, 3)
    table = np.corrcoef(flat.T)
    hand = np.mean([table[0, 1], table[0, 2], table[1, 2]])
    assert found.effect.value == pytest.approx(hand, rel=1e-9)
    assert found.effect.low is not None
    assert found.effect.low < hand


def test_style_features_share_one_model() -> None:
    """The effect of headings is not credited to the length that goes with them."""
    rng = np.random.default_rng(2)
    quality = world(rng, items=60)
    headings = rng.poisson(3, quality.shape).astype(np.float64)
    logs = 9 + 0.4 * headings + rng.normal(0, 0.5, quality.shape)
    marks = quality + 0.5 * headings + rng.normal(0, 0.3, quality.shape)
    flat = np.zeros_like(headings)
    found = bias.style_slopes(marks, np.stack([logs, headings, flat]), ["length", "head", "bold"])
    length, head, bold = found
    assert isinstance(length, Probe)
    assert isinstance(head, Probe)
    assert isinstance(bold, Refusal)
    assert bold.code == "not_identified"
    assert length.effect.p is not None
    assert length.effect.p > 0.05
    assert head.effect.p is not None
    assert head.effect.p < 1e-6


def pairs(lean: float, *, items: int = 15, seed: int = 4) -> Comparisons:
    """Every pair of three equal arms in both orders; the first place wins with ½ + lean."""
    rng = np.random.default_rng(seed)
    rows = [(i, a, b) for i in range(items) for a in range(3) for b in range(3) if a != b]
    won = (rng.random(len(rows)) < 0.5 + lean).astype(np.float64)
    return made([(*row, outcome) for row, outcome in zip(rows, won.tolist(), strict=True)], 3)


def test_a_preference_for_the_first_place_is_seen_over_swapped_pairs() -> None:
    """Planted 0.3, with the exact test over the pairs that flip."""
    found = bias.first_place(pairs(0.3), np.random.default_rng(0))
    assert isinstance(found, Probe)
    low, high = found.effect.low, found.effect.high
    assert low is not None
    assert high is not None
    assert low <= 0.3 <= high
    assert found.effect.p is not None
    assert found.effect.p < 0.001


def test_flipped_pairs_are_tested_exactly() -> None:
    """8 flips for the first place and 1 for the second: 2 × P(X ≤ 1), n 9 (binomial by hand)."""
    rows = []
    for item in range(12):
        ab, ba = (1.0, 1.0) if item < 8 else (0.0, 0.0) if item == 8 else (1.0, 0.0)
        rows += [(item, 0, 1, ab), (item, 1, 0, ba)]
    data = made(rows, 2)
    found = bias.first_place(data, np.random.default_rng(0))
    assert isinstance(found, Probe)
    assert found.effect.p == pytest.approx(2 * (1 + 9) / 2**9, rel=1e-12)
    assert swaps.swap_consistency(data) == (3, 12)


@pytest.mark.parametrize(("won", "lean"), [(1.0, 0.5), (0.0, -0.5)])
def test_the_strongest_lean_there_can_be_is_a_lean(won: float, lean: float) -> None:
    """Twelve items of twelve for one place: p is 2⁻¹¹, and the interval that of equal values."""
    data = made([(i, a, 1 - a, won) for i in range(12) for a in (0, 1)], 2)
    found = bias.first_place(data, np.random.default_rng(0))
    assert isinstance(found, Probe)
    assert found.effect.value == pytest.approx(lean)
    assert found.effect.p == pytest.approx(2**-11)
    near = 0.025 ** (1 / 12) - 0.5
    ends = (near, 0.5) if lean > 0 else (-0.5, -near)
    assert (found.effect.low, found.effect.high) == pytest.approx(ends)
    assert (found.effect.kind, found.detectable) == ("bounded", None)
    none = made([(i, a, 1 - a, float(a)) for i in range(12) for a in (0, 1)], 2)
    refused = bias.first_place(none, np.random.default_rng(0))
    assert isinstance(refused, Refusal)
    assert refused.code == "zero_spread"


def test_pairs_of_one_item_that_lean_together_are_one_lean() -> None:
    """Fifteen pairs an item, all for the same place: by pairs p was below .05 in 37 % of runs."""
    rng, seen, runs = np.random.default_rng(3), 0, 300
    for seed in range(runs):
        lean = rng.normal(0, 1, 12)
        rows = [(i, a, b) for i in range(12) for a in range(6) for b in range(6) if a != b]
        chance = 1 / (1 + np.exp(-lean[[row[0] for row in rows]]))
        won = (rng.random(len(rows)) < chance).astype(np.float64)
        data = made([(*row, one) for row, one in zip(rows, won.tolist(), strict=True)], 6)
        found = bias.first_place(data, np.random.default_rng(seed))
        assert isinstance(found, Probe)
        assert found.effect.p is not None
        seen += found.effect.p <= 0.05
    assert seen / runs <= 0.05 + 2.576 * (0.05 * 0.95 / runs) ** 0.5


def test_pairs_that_were_judged_again_are_tested_item_by_item() -> None:
    """Twelve items of which ten lean to the first place: all 2^12 sign flips, counted by hand."""
    rows = []
    for item in range(12):
        won, last = (1.0, 0.0) if item < 10 else (0.0, 1.0)
        rows += [(item, 0, 1, won), (item, 1, 0, won), (item, 0, 1, won), (item, 1, 0, last)]
    data = made(rows, 2)
    found = bias.first_place(data, np.random.default_rng(0))
    assert isinstance(found, Probe)
    # Equal leans: as far from nothing are 0, 1, 2, 10, 11 and 12 items of twelve.
    assert found.effect.p == pytest.approx(2 * (1 + 12 + 66) / 2**12, rel=1e-12)


def test_one_order_only_says_nothing_about_order() -> None:
    """No pair was swapped."""
    data = made([(item, 0, 1, 1.0) for item in range(12)], 2)
    found = bias.first_place(data, np.random.default_rng(0))
    assert isinstance(found, Refusal)
    assert found.code == "order_not_recorded"


def codes() -> dict[str, Probe | Levels | Refusal]:
    """Every probe on data that cannot carry it."""
    rng = np.random.default_rng(0)
    few = rng.normal(6, 1, (3, 5))
    many = rng.normal(6, 1, (3, 12))
    return {
        "order_few": bias.order_slope(few[..., None], few[..., None]),
        "order_unknown": bias.order_slope(many[..., None], np.full((3, 12, 1), NAN)),
        "order_fixed": bias.order_slope(
            many[..., None], np.broadcast_to(np.arange(3.0)[:, None, None], (3, 12, 1))
        ),
        "length_few": bias.length_slope(few, 2**few),
        "length_arms": bias.length_slope(many[:2], 2 ** many[:2]),
        "length_same": bias.length_slope(many, np.full(many.shape, 800.0)),
        "family_alone": bias.family_lean(many, np.full(many.shape, NAN), [True, False, False]),
        "family_all": bias.family_lean(many, many, [True, True, True]),
        "lenient_alone": bias.leniency(many, np.full(many.shape, NAN)),
        "lenient_same": bias.leniency(many, many),
        "compression_flat": scale_use.compression(
            np.full(many.shape, 8.0), many, low=1, high=10, step=1
        ),
        "compression_exact": scale_use.compression(7 + many / 2, many, low=1, high=10, step=1),
        "halo_one": scale_use.halo(many[..., None]),
        "halo_flat": scale_use.halo(np.full((3, 12, 2), 8.0)),
        "halo_few": scale_use.halo(few[..., None].repeat(2, axis=2)),
    }


@pytest.mark.parametrize(
    ("case", "code"),
    [
        ("order_few", "too_few_items"),
        ("order_unknown", "order_not_recorded"),
        ("order_fixed", "not_identified"),
        ("length_few", "too_few_items"),
        ("length_arms", "too_few_arms"),
        ("length_same", "not_identified"),
        ("family_alone", "one_family"),
        ("family_all", "one_family"),
        ("lenient_alone", "too_few_judges"),
        ("lenient_same", "zero_spread"),
        ("compression_flat", "no_variation"),
        ("compression_exact", "zero_spread"),
        ("halo_one", "not_identified"),
        ("halo_flat", "no_variation"),
        ("halo_few", "too_few_items"),
    ],
)
def test_thin_data_are_refused_with_their_code(case: str, code: str) -> None:
    """A probe that cannot see anything says why."""
    found = codes()[case]
    assert isinstance(found, Refusal)
    assert found.code == code


def test_probes_of_one_pass_share_their_errors() -> None:
    """Holm over those that have a test; the others stay as they are."""
    rng = np.random.default_rng(9)
    quality = world(rng)
    lenient = bias.leniency(quality + 0.3 + rng.normal(0, 0.5, quality.shape), quality)
    length = bias.length_slope(quality, 2 ** rng.normal(9, 1, quality.shape))
    missing = scale_use.halo(quality[..., None])
    found = bias.together([lenient, length, missing])
    p = [one.effect.p for one in (lenient, length) if isinstance(one, Probe)]
    adjusted = [one.p_holm for one in found if isinstance(one, Probe)]
    small, large = sorted(value for value in p if value is not None)
    assert sorted(value for value in adjusted if value is not None) == pytest.approx(
        sorted([min(1, 2 * small), max(min(1, 2 * small), large)])
    )
    assert found[2] is missing
    assert bias.together([missing]) == (missing,)
