"""Tests of judgebench.blind.order."""

import itertools
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from judgebench.blind import order
from judgebench.model.nouns import Purpose

ARMS = ("east", "north", "south", "west")
SEEDS = range(1000)

GOLDEN: dict[str, object] = {
    "seed": 237219756993805,
    "rank": (15199781026527407810, 15714762854364017044),
    "labels": {"east": "W8V8", "north": "B9P3", "south": "V3J8", "west": "S5B5"},
    "positions": ["east", "north", "west", "south"],
    "frame": "71853dfa574f2daeeedff1010f6d0bde",
    "noise": [("n2", "north"), ("n2", "west")],
}


def test_choices_are_the_same_for_ever() -> None:
    """Golden values: a stored pass draws its order again on any machine."""
    seed = order.derive_seed("run", "rubric", "judge")
    assert seed == GOLDEN["seed"]
    assert order.queue_rank(seed, "n1", "north", 0, "main") == GOLDEN["rank"]
    assert order.labels(seed, "n1", ARMS, 0) == GOLDEN["labels"]
    assert order.positions(seed, "n1", ARMS, 0) == GOLDEN["positions"]
    assert order.frame(seed, "key") == GOLDEN["frame"]
    cells = [(f"n{i}", arm) for i in range(10) for arm in ARMS]
    assert sorted(order.noise_cells(seed, cells, 40))[:2] == GOLDEN["noise"]


def test_parts_of_a_seed_do_not_run_together() -> None:
    """("ab", "c") and ("a", "bc") are different passes."""
    assert order.derive_seed("ab", "c") != order.derive_seed("a", "bc")
    assert 0 <= order.derive_seed("x") < 2**48


def test_arms_of_an_item_stand_together_in_the_queue() -> None:
    """A pass that ends early leaves complete items."""
    cells = [(f"n{i}", arm, repeat) for i in range(12) for arm in ARMS for repeat in (0, 1)]
    queue = sorted(cells, key=lambda c: order.queue_rank(7, c[0], c[1], c[2], "main"))
    blocks = [set(queue[at : at + len(ARMS)]) for at in range(0, len(queue), len(ARMS))]
    assert all(len({(item, repeat) for item, _, repeat in block}) == 1 for block in blocks)


def test_noise_stands_in_blocks_of_its_own() -> None:
    """The second judging of a cell is not next to the first by rule."""
    main = order.queue_rank(7, "n1", "north", 0, Purpose.MAIN)
    assert order.queue_rank(7, "n1", "north", 0, "main") == main
    assert order.queue_rank(7, "n1", "north", 0, Purpose.NOISE)[0] != main[0]


def test_order_within_an_item_is_uniform_over_seeds() -> None:
    """All 24 orders of four arms are equally frequent over 1,000 seeds."""
    seen = Counter(
        tuple(sorted(ARMS, key=lambda arm: order.queue_rank(seed, "n1", arm, 0, "main")))
        for seed in SEEDS
    )
    counts = [seen[perm] for perm in itertools.permutations(ARMS)]
    assert stats.chisquare(counts).pvalue > 0.001


def test_first_position_and_first_block_are_uniform_over_seeds() -> None:
    """No arm opens listwise requests, and no item the queue, more often than chance."""
    first_arm = Counter(order.positions(seed, "n1", ARMS, 0)[0] for seed in SEEDS)
    items = [f"n{i}" for i in range(8)]
    first_item = Counter(
        min(items, key=lambda i: order.queue_rank(seed, i, "north", 0, "main")) for seed in SEEDS
    )
    assert stats.chisquare([first_arm[arm] for arm in ARMS]).pvalue > 0.001
    assert stats.chisquare([first_item[item] for item in items]).pvalue > 0.001


@settings(max_examples=40)
@given(st.integers(0, 2**48 - 1), st.sets(st.text(min_size=1), min_size=1, max_size=7))
def test_positions_are_a_latin_square(seed: int, arms: set[str]) -> None:
    """Over as many repeats as arms, each arm stands once at each position."""
    rows = [order.positions(seed, "n1", sorted(arms), repeat) for repeat in range(len(arms))]
    assert all(set(row) == arms for row in rows)
    assert all(set(column) == arms for column in zip(*rows, strict=True))


def test_two_arms_are_shown_in_both_orders() -> None:
    """Two repeats of a pair are the two orders of it."""
    assert order.positions(1, "n1", ("a", "b"), 0) == order.positions(1, "n1", ("a", "b"), 1)[::-1]
    assert order.positions(1, "n1", (), 0) == []


@settings(max_examples=40)
@given(st.integers(0, 2**48 - 1), st.sets(st.text(), max_size=40))
def test_labels_are_distinct_and_do_not_depend_on_the_order_of_arms(
    seed: int, arms: set[str]
) -> None:
    """Every arm has a label of its own, whichever way the arms are listed."""
    drawn = order.labels(seed, "n1", sorted(arms), 0)
    assert set(drawn) == arms
    assert len(set(drawn.values())) == len(arms)
    assert order.labels(seed, "n1", sorted(arms, reverse=True), 0) == drawn


def test_labels_differ_between_items_and_repeats() -> None:
    """What an arm is called for one item says nothing about the next."""
    drawn = [order.labels(3, f"n{i}", ARMS, r)["north"] for i in range(20) for r in range(2)]
    assert len(set(drawn)) >= 39


def test_many_arms_get_labels_without_collision() -> None:
    """Labels that are drawn twice are drawn again."""
    arms = [f"arm-{i}" for i in range(900)]
    assert len(set(order.labels(5, "n1", arms, 0).values())) == 900


@pytest.mark.parametrize(
    ("cells", "chosen"),
    [(0, 0), (19, 0), (20, 12), (120, 12), (121, 13), (400, 40), (600, 60), (10**6, 60)],
)
def test_noise_is_one_cell_in_ten_between_12_and_60(cells: int, chosen: int) -> None:
    """None of fewer than 20 cells, at least 12, at most 60."""
    assert order.noise_count(cells) == chosen


def test_noise_cells_are_drawn_from_the_cells_whatever_their_order() -> None:
    """The choice depends on the seed and the cells alone."""
    cells = [(f"n{i}", arm) for i in range(50) for arm in ARMS]
    chosen = order.noise_cells(9, iter(cells), len(cells))
    assert len(chosen) == 20
    assert chosen <= set(cells)
    assert order.noise_cells(9, reversed(cells), len(cells)) == chosen
    assert order.noise_cells(10, cells, len(cells)) != chosen
    assert order.noise_cells(9, cells[:19], 19) == frozenset()


def test_frame_marks_are_long_and_never_the_same() -> None:
    """128 bits a request; neither key nor seed repeats one."""
    marks = {order.frame(seed, f"k{i}") for seed in range(10) for i in range(100)}
    assert len(marks) == 1000
    assert {len(mark) for mark in marks} == {32}
    bits = Counter(sign for mark in marks for sign in mark)
    assert stats.chisquare(list(bits.values())).pvalue > 0.001
