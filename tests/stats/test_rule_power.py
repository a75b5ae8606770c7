"""What the rule of separated arms finds, beside what the t test alone would."""

import numpy as np
import pytest

from judgebench.model.nouns import Refusal
from judgebench.stats.arrays import FloatArray
from judgebench.stats.pairs import all_pairs
from judgebench.stats.planning import detectable_difference, items_needed
from judgebench.stats.rule_power import found_share, many_enough, wide_enough


def separated(d: FloatArray, step: float) -> bool:
    """Whether a run with these differences of two arms separates them, first above second."""
    cells = np.stack([5 + d, np.full(d.size, 5.0)])
    once = np.ones(cells.shape, dtype=np.int64)
    found = all_pairs(cells, once, step=step, rng=np.random.default_rng(0))
    return bool(found.pairs[0].separated)


@pytest.mark.parametrize(("n", "grain"), [(6, 0.0), (9, 0.0), (9, 1.5), (14, 2.0), (20, 3.0)])
def test_the_share_is_that_of_runs_that_are_separated(n: int, grain: float) -> None:
    """400 runs of two arms through the very rule; three standard errors of both."""
    draws = np.random.default_rng(n)
    shift, runs = 1.0, 400
    own = max(0.0, 1 - grain**2 / 6) ** 0.5
    d = shift + draws.normal(size=(runs, n))
    if grain:
        d = grain * np.floor((shift + own * draws.normal(size=(runs, n))) / grain
                             + draws.random((runs, n)))  # fmt: skip
    hits = np.mean([separated(row, grain) for row in d])
    expected = found_share(shift, n, alpha=0.05, grain=grain)
    assert hits == pytest.approx(expected, abs=3 * (0.25 / runs) ** 0.5)


def test_six_items_of_two_arms_must_all_agree() -> None:
    """The t test finds 1.43 spreads in 80 %, the rule in Φ(1.43)⁶ = 61 % and less."""
    assert found_share(1.43, 6, alpha=0.05) == pytest.approx(0.61, abs=0.02)
    assert wide_enough(1.43, 6, alpha=0.05, power=0.8) == pytest.approx(1.81, abs=0.03)
    assert wide_enough(1.68, 5, alpha=0.05, power=0.8) == 1.68
    found = detectable_difference(2.0, 6)
    assert not isinstance(found, Refusal)
    assert found_share(found.value / 2, 6, alpha=0.05) == pytest.approx(0.8, abs=0.005)


@pytest.mark.parametrize("lattice", [0.5, 1.0, 2.0, 3.0])
@pytest.mark.parametrize("delta", [0.5, 1.0, 1.5])
@pytest.mark.parametrize("comparisons", [1, 10])
def test_items_needed_are_never_fewer_than_the_rule_needs(
    lattice: float, delta: float, comparisons: int
) -> None:
    """Ties hold sign flips back: the number that is told finds the gap in 78 % or more."""
    items = items_needed(1.0, delta, comparisons=comparisons, lattice=lattice)
    plain = items_needed(1.0, delta, comparisons=comparisons)
    assert isinstance(items, int)
    assert isinstance(plain, int)
    assert items >= plain
    share = found_share(delta, items, alpha=0.05 / comparisons, grain=lattice)
    assert share >= 0.78


def test_half_of_the_items_tie_and_more_of_them_are_needed() -> None:
    """Steps of three spreads: with eight items hardly ever six that differ."""
    assert items_needed(1.0, 1.5) == 7
    needed = items_needed(1.0, 1.5, lattice=3.0)
    assert isinstance(needed, int)
    assert 12 <= needed <= 16
    assert found_share(1.5, 8, alpha=0.05, grain=3.0) < 0.3
    assert many_enough(200, 0.2, alpha=0.05, power=0.8, grain=3.0) == 200


@pytest.mark.parametrize(
    ("shift", "n", "alpha", "grain"),
    [(-1, 6, 0.05, 0), (1, 1, 0.05, 0), (1, 6, 1, 0), (1, 6, 0.05, -1)],
)
def test_what_cannot_be_raises(shift: float, n: int, alpha: float, grain: float) -> None:
    """No run has one item, and no step is negative."""
    with pytest.raises(ValueError, match="no runs"):
        found_share(shift, n, alpha=alpha, grain=grain)
