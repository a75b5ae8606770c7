"""Decisions among five arms: false differences, and the best one in its set."""

from dataclasses import dataclass

import numpy as np

from benchmarks.coverage.batched import every_pair, gaps, run_cells
from benchmarks.coverage.scenarios import Scenario, generator
from benchmarks.coverage.separated import any_separated, family, keeps_best
from judgebench.stats.levels import LEAST_ITEMS

GAPS = (0.0, 0.5, 1.0, 1.0, 1.5)
"""How far the five arms lie below the best, points, for the set of possible best."""
BATCH = 50
"""Runs at once: they share the draws of signs, and their statistics fit a cache."""


@dataclass(frozen=True, kw_only=True)
class Decisions:
    """Five arms: any false "above" where all are equal, and the best in its set."""

    scenario: str
    n: int
    runs: int
    false_above: float
    uncorrected: float
    best_kept: float | None
    """None at two items, where every set is refused."""


def decisions(scenario: Scenario, n: int, runs: int) -> Decisions:
    """False "above" among five equal arms, and whether the set keeps a planted best."""
    rng = generator("decide", scenario.name, n)
    below = np.array(GAPS)[:, None, None] * max(scenario.step, 1.0)
    keys = every_pair(len(GAPS))
    hits = np.zeros(3)
    for start in range(0, runs, BATCH):
        marks = scenario.marks((min(BATCH, runs - start), len(GAPS), n), rng)
        x, r = run_cells(marks)
        found, of = gaps(x, r, keys, step=scenario.step), family(x, keys)
        shifted = np.clip(marks - below, scenario.low, scenario.high)
        hits += (
            any_separated(found, of, rng).sum(),
            (of & (found.p <= 0.05)).any(axis=1).sum(),
            keeps_best(run_cells(shifted)[0], r, step=scenario.step, best=0).sum(),
        )
    false_above, uncorrected, kept = map(float, hits / runs)
    return Decisions(
        scenario=scenario.name,
        n=n,
        runs=runs,
        false_above=false_above,
        uncorrected=uncorrected,
        best_kept=kept if n >= LEAST_ITEMS["best"] else None,
    )
