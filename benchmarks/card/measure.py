"""How often the interval of each figure holds its truth."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from benchmarks.card.figures import FIGURES, USUAL
from benchmarks.card.judges import ARMS, Planted, draw
from benchmarks.card.truths import truths
from benchmarks.coverage.scenarios import generator
from judgebench.blind.order import noise_count
from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats import controls

GOAL = 0.93
SIZES = (12, 30, 100)
Z_BAND = 2.576
CONTROLS = "controls of a kind passed"
DECIDED = dict(zip(SIZES, (6, 15, 40), strict=True))
"""Decided controls of a kind at each size of run."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One figure under one judge, at one size."""

    judge: str
    figure: str
    items: int
    truth: float
    runs: int
    given: int
    """Runs whose figure has an interval."""
    held: int
    counts: bool = True
    """Whether it is held against the goal."""

    @property
    def share(self) -> float | None:
        """Intervals that hold the truth, of those that there are."""
        return self.held / self.given if self.given else None

    @property
    def band(self) -> tuple[float, float] | None:
        """99 % Monte-Carlo band of the share (Wilson)."""
        if not self.given:
            return None
        n, p, z2 = self.given, self.held / self.given, Z_BAND**2
        middle = (p + z2 / 2 / n) / (1 + z2 / n)
        half = Z_BAND * sqrt(p * (1 - p) / n + z2 / 4 / n**2) / (1 + z2 / n)
        return middle - half, middle + half

    @property
    def met(self) -> bool:
        """Whether the goal lies within the band, or below it."""
        return not self.counts or self.enough

    @property
    def enough(self) -> bool:
        """The same, whether or not it counts."""
        return self.band is None or self.band[1] >= GOAL


def _holds(found: Estimate | Refusal, truth: float) -> bool | None:
    if isinstance(found, Refusal) or found.low is None or found.high is None:
        return None
    return found.low <= truth <= found.high


def rows(judge: Planted, items: int, runs: int, figures: Sequence[str] = ()) -> list[Row]:
    """Every figure, or those named, in so many simulated runs.

    Args:
        judge: Who marks.
        items: Items of each run.
        runs: How many.
        figures: Names; all where there is none.
    """
    true = {name: at for name, at in truths(judge).items() if not figures or name in figures}
    rng = generator("card", judge.name, items)
    told: dict[str, list[bool | None]] = {name: [] for name in true}
    for _ in range(runs):
        run = draw(judge, items, rng, noted=noise_count(ARMS * items))
        for name, truth in true.items():
            told[name].append(_holds(FIGURES[name](run), truth))
    out = [_row(judge, name, items, true[name], found) for name, found in told.items()]
    return out if figures else out + _controls(judge, items, runs, rng)


def _controls(judge: Planted, items: int, runs: int, rng: np.random.Generator) -> list[Row]:
    decided = DECIDED[items]
    out = []
    for chance in judge.passes:
        passed = rng.binomial(decided, chance, runs)
        found = [_holds(controls.rate(int(k), decided), chance) for k in passed]
        out.append(_row(judge, CONTROLS, items, chance, found))
    return out


def _row(
    judge: Planted, figure: str, items: int, truth: float, found: Sequence[bool | None]
) -> Row:
    return Row(
        judge=judge.name,
        figure=figure,
        items=items,
        truth=truth,
        runs=len(found),
        given=sum(one is not None for one in found),
        held=sum(one is True for one in found),
        counts=figure != USUAL and not judge.beyond,
    )
