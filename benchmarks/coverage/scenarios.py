"""Seven kinds of marks that judging really produces, as generators.

A scenario draws marks of shape (B, A, I, R): B runs of arms of equal quality, items,
repeats by one judge, in scale points on the judge's own lattice, NaN where blocked.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from zlib import crc32

import numpy as np

from judgebench.stats.arrays import FloatArray, nan_mean

COLLAPSE = 0.12
TRUTH_ITEMS = 400_000
Shape = tuple[int, int, int]
"""Runs, arms, items."""
Draw = Callable[[Shape, np.random.Generator], tuple[FloatArray, FloatArray]]


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """One kind of marks.

    Args:
        name: As in the published table.
        low: Lower end of the scale.
        high: Upper end.
        step: Lattice that the judge uses.
        repeats: Judgments of each cell.
        draw: (shape, rng) → true cell values (B, A, I) in scale points, with the items'
            difficulty (B, I) that decides what is blocked.
        noise: Standard deviation of one judgment around its cell.
        blocks: A third of the first arm's cells is blocked, the harder the likelier.
    """

    name: str
    draw: Draw
    low: float = 1.0
    high: float = 10.0
    step: float = 1.0
    repeats: int = 3
    noise: float = 0.6
    blocks: bool = False

    def marks(self, shape: Shape, rng: np.random.Generator) -> FloatArray:
        """Draw marks of shape (B, A, I, R)."""
        cells, hard = self.draw(shape, rng)
        noisy = cells[..., None] + rng.normal(0, self.noise, (*shape, self.repeats))
        marks = np.clip(np.rint(noisy / self.step) * self.step, self.low, self.high)
        if self.blocks:
            chance = 1 / (1 + np.exp(-(hard * 1.5 - 0.9)))
            marks[:, 0][rng.random(hard.shape) < chance] = np.nan
        return np.asarray(marks, dtype=np.float64)


def plain(mean: float, *, item: float = 1.2, arm: float = 0.8) -> Draw:
    """Near-normal cells around a mean, with spread of items and of item × arm."""

    def draw(shape: Shape, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        hard = _hard(shape, rng)
        return mean - item * hard[:, None, :] + rng.normal(0, arm, shape), hard

    return draw


def _hard(shape: Shape, rng: np.random.Generator) -> FloatArray:
    return rng.normal(0, 1, (shape[0], shape[2]))


def collapsing(share: float) -> Draw:
    """Cells around 8.5 of which a share collapses to 1 or 2."""

    def draw(shape: Shape, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        cells, hard = plain(8.5)(shape, rng)
        fails = rng.random(shape) < share
        return np.where(fails, rng.integers(1, 3, shape), cells), hard

    return draw


def _erratic(shape: Shape, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    hard = _hard(shape, rng)
    spread = np.full((shape[1], 1), 0.3)
    spread[0] = 2.0
    return 5.5 - 0.6 * hard[:, None, :] + spread * rng.normal(0, 1, shape), hard


def _hundred(shape: Shape, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    cells, hard = plain(6.5)(shape, rng)
    return cells * 10, hard


SCENARIOS = (
    Scenario(name="mid", draw=plain(6.0)),
    Scenario(name="ceiling", draw=plain(9.0)),
    Scenario(name="zero-inflated", draw=collapsing(COLLAPSE)),
    Scenario(name="heavy ties", draw=plain(9.0, item=0.2, arm=0.3), repeats=1, noise=0.2),
    Scenario(name="one arm erratic", draw=_erratic, noise=0.3),
    Scenario(name="0–100 in fives", draw=_hundred, low=0.0, high=100.0, step=5.0, noise=6.0),
    Scenario(name="blocked not at random", draw=plain(6.0), blocks=True),
)
SIZES = (3, 5, 10, 30, 100)
COLLAPSED = tuple(
    Scenario(name=f"{round(100 * share)} % collapsed", draw=collapsing(share))
    for share in (0.01, 0.05, COLLAPSE)
)
"""Skewed means of many items, where the bounded interval gives way to Student's t."""


def generator(*parts: object) -> np.random.Generator:
    """Make a generator whose seed depends on the names alone."""
    return np.random.default_rng(crc32("|".join(map(str, parts)).encode()))


@cache
def truths(scenario: Scenario) -> FloatArray:
    """Cells of two arms on very many items: what the runs are drawn from. Shape (2, I)."""
    marks = scenario.marks((1, 2, TRUTH_ITEMS), generator("truth", scenario.name))
    return nan_mean(marks, axis=3)[0]
