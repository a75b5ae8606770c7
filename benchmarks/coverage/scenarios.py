"""Seven kinds of marks that judging really produces, as generators.

A scenario draws marks of shape (A, I, R): arms of equal quality, items, repeats by
one judge, in scale points on the judge's own lattice, NaN where blocked.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from judgebench.stats.arrays import FloatArray

_COLLAPSE = 0.12


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """One kind of marks.

    Args:
        name: As in the published table.
        low: Lower end of the scale.
        high: Upper end.
        step: Lattice that the judge uses.
        repeats: Judgments of each cell.
        draw: (arms, items, rng) → true cell values in scale points, with the item's
            difficulty (I,) that decides what is blocked.
        noise: Standard deviation of one judgment around its cell.
        blocks: A third of the first arm's cells is blocked, the harder the likelier.
    """

    name: str
    draw: Callable[[int, int, np.random.Generator], tuple[FloatArray, FloatArray]]
    low: float = 1.0
    high: float = 10.0
    step: float = 1.0
    repeats: int = 3
    noise: float = 0.6
    blocks: bool = False

    def marks(self, n_arms: int, n_items: int, rng: np.random.Generator) -> FloatArray:
        """Draw marks of shape (A, I, R)."""
        cells, hard = self.draw(n_arms, n_items, rng)
        noisy = cells[:, :, None] + rng.normal(0, self.noise, (n_arms, n_items, self.repeats))
        marks = np.clip(np.rint(noisy / self.step) * self.step, self.low, self.high)
        if self.blocks:
            chance = 1 / (1 + np.exp(-(hard * 1.5 - 0.9)))
            marks[0, rng.random(n_items) < chance] = np.nan
        return np.asarray(marks, dtype=np.float64)


def _plain(
    mean: float, *, item: float = 1.2, arm: float = 0.8
) -> Callable[[int, int, np.random.Generator], tuple[FloatArray, FloatArray]]:
    def draw(n_arms: int, n_items: int, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        hard = rng.normal(0, 1, n_items)
        return mean - item * hard + rng.normal(0, arm, (n_arms, n_items)), hard

    return draw


def _collapsing(
    n_arms: int, n_items: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    cells, hard = _plain(8.5)(n_arms, n_items, rng)
    fails = rng.random(cells.shape) < _COLLAPSE
    return np.where(fails, rng.integers(1, 3, cells.shape), cells), hard


def _erratic(n_arms: int, n_items: int, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    hard = rng.normal(0, 1, n_items)
    spread = np.full((n_arms, 1), 0.3)
    spread[0] = 2.0
    return 5.5 - 0.6 * hard + spread * rng.normal(0, 1, (n_arms, n_items)), hard


def _hundred(n_arms: int, n_items: int, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    cells, hard = _plain(6.5)(n_arms, n_items, rng)
    return cells * 10, hard


SCENARIOS = (
    Scenario(name="mid", draw=_plain(6.0)),
    Scenario(name="ceiling", draw=_plain(9.0)),
    Scenario(name="zero-inflated", draw=_collapsing),
    Scenario(name="heavy ties", draw=_plain(9.0, item=0.2, arm=0.3), repeats=1, noise=0.2),
    Scenario(name="one arm erratic", draw=_erratic, noise=0.3),
    Scenario(name="0–100 in fives", draw=_hundred, low=0.0, high=100.0, step=5.0, noise=6.0),
    Scenario(name="blocked not at random", draw=_plain(6.0), blocks=True),
)
SIZES = (3, 5, 10, 30, 100)
