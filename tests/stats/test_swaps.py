"""Verdicts that turn with the order, by how close the two answers are."""

import numpy as np
import pytest

from judgebench.model.biases import Flips
from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats import swaps
from judgebench.stats.pairwise import Comparisons
from tests.stats.compared import made

PAIRS = [(a, b) for a in range(4) for b in range(4) if a != b]


def judged(items: int, *, lean: float, seed: int = 3, twice: int = 1) -> Comparisons:
    """Four arms of worth 0, 0, 2, 4; the first shown gains `lean`, every look has noise."""
    rng = np.random.default_rng(seed)
    worth = np.array([0.0, 0.0, 2.0, 4.0])
    rows = [(item, a, b) for item in range(items) for a, b in PAIRS for _ in range(twice)]
    won = [float(worth[a] - worth[b] + lean + rng.normal(0, 0.3) > 0) for _, a, b in rows]
    return made([(*row, outcome) for row, outcome in zip(rows, won, strict=True)], 4)


def bands(data: Comparisons) -> tuple[Flips, ...]:
    """Three bands, the nearest first."""
    found = swaps.flips_by_closeness(data)
    assert not isinstance(found, Refusal)
    return found


def test_flips_are_counted_by_hand() -> None:
    """0 and 1 turn on every item, 0 and 2 on one of ten; 3 beats all: 10, 0 and 1 of 50 turn."""
    rows = []
    for item in range(10):
        for a, b in PAIRS:
            turns = {a, b} == {0, 1} or ({a, b} == {0, 2} and item == 0)
            rows.append((item, a, b, 1.0 if turns else float(a > b)))
    near, between, far = bands(made(rows, 4))
    assert [(one.low, one.high) for one in (near, between, far)] == [
        (0.5, 0.65), (0.65, 0.85), (0.85, 1.0),
    ]  # fmt: skip
    assert (near.pairs, near.changed, near.to_first) == (10, 10, 10)
    assert between.pairs == 0
    assert (far.pairs, far.changed) == (50, 1)
    assert isinstance(far.share, Estimate)
    assert far.share.value == pytest.approx(1 / 50)


def test_a_lean_to_the_first_place_turns_near_arms_and_spares_those_far_apart() -> None:
    """The place is worth one point: equal arms turn nearly always, two points apart never."""
    near, _, far = bands(judged(20, lean=1.0))
    assert near.changed == near.to_first
    assert near.changed / near.pairs > 0.9
    assert (far.pairs, far.changed) == (100, 0)


def test_a_lean_beyond_all_worth_leaves_no_arms_far_apart() -> None:
    """Led by the place alone, every arm wins half: all pairs are near and all of them turn."""
    near, between, far = bands(judged(12, lean=9.0))
    assert (near.pairs, near.changed) == (72, 72)
    assert (between.pairs, far.pairs) == (0, 0)


def test_a_band_has_an_interval_over_items_or_says_why_not() -> None:
    """Some of them turn: an interval; none of them: no spread, and the counts still stand."""
    near, _, far = bands(judged(20, lean=0.2))
    assert isinstance(near.share, Estimate)
    assert near.share.value == pytest.approx(near.changed / near.pairs)
    assert isinstance(far.share, Refusal)
    assert far.share.code == "zero_spread"


def test_repeats_are_averaged_within_an_order() -> None:
    """Each pair counts once, however often it was judged."""
    once, twice = judged(12, lean=0.5), judged(12, lean=0.5, twice=2)
    assert not swaps.swapped(once).again
    assert swaps.swapped(twice).again
    assert swaps.swapped(twice).item.size == swaps.swapped(once).item.size == 72


def refused(rows: list[tuple[int, int, int]]) -> str:
    """Code of the refusal on verdicts that are all for the first."""
    found = swaps.flips_by_closeness(made([(*row, 1.0) for row in rows], 24))
    assert isinstance(found, Refusal)
    return found.code


def test_what_cannot_tell_how_near_arms_are_is_refused() -> None:
    """One order, nine items, and arms that meet on three items alone."""
    assert refused([(item, 0, 1) for item in range(12)]) == "order_not_recorded"
    assert refused([(item, a, b) for item in range(9) for a, b in PAIRS]) == "too_few_items"
    apart = [(item, item // 3 * 2, item // 3 * 2 + 1) for item in range(12)]
    assert refused([*apart, *((item, b, a) for item, a, b in apart)]) == "not_identified"


def test_a_fixed_order_leans_on_its_arms_and_a_varied_one_on_none() -> None:
    """0 always stands before 1 and 2, 1 before 2; who stands first by turns is led by nothing."""
    fixed = made([(i, a, b, 1.0) for i in range(4) for a, b in ((0, 1), (1, 2), (0, 2))], 3)
    lean = swaps.place_lean(fixed, 4)
    assert lean.tolist() == [[1.0] * 4, [0.0] * 4, [-1.0] * 4]
    assert not swaps.in_both_orders(fixed).any()
    turns = made([(i, i % 2, 1 - i % 2, 1.0) for i in range(4)], 3)
    assert swaps.place_lean(turns, 4)[:2].tolist() == [[0.0] * 4] * 2
    assert np.isnan(swaps.place_lean(turns, 4)[2]).all()
    assert swaps.in_both_orders(turns).all()


def test_an_order_that_no_fair_coin_gives_leans_as_a_fixed_one() -> None:
    """Eleven of twelve in one order lean by ten twelfths; eight of twelve do as a coin may."""
    many = made([(i, int(i == 5), int(i != 5), 1.0) for i in range(12)], 2)
    assert float(swaps.place_lean(many, 12)[0].mean()) == pytest.approx(10 / 12)
    some = made([(i, int(i < 4), int(i >= 4), 1.0) for i in range(12)], 2)
    assert not swaps.place_lean(some, 12).any()
