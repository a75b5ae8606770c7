"""The power to find what was said to be detectable."""

from dataclasses import dataclass

import numpy as np

from benchmarks.coverage.batched import gaps, run_cells
from benchmarks.coverage.scenarios import Scenario, generator, truths
from judgebench.model import Refusal
from judgebench.pipeline.possible import seen
from judgebench.stats.planning import detectable_difference

LEVELS = ((1, 0.05), (10, 0.005))
"""Pairs that share the error rate, and what is left for one."""


@dataclass(frozen=True, kw_only=True)
class Powers:
    """How often a true gap of the printed detectable difference is found."""

    scenario: str
    n: int
    runs: int
    one: float | None
    """One planned pair; None where no gap is printed, for the scale holds none so wide."""
    ten: float | None
    """One of ten pairs."""


def power_found(scenario: Scenario, n: int, runs: int) -> Powers:
    """Power at the detectable difference, which the product says is 80 %.

    The gap is planted after rounding: marks keep their lattice, arms their spread.
    """
    rng = generator("power", scenario.name, n)
    first, second = truths(scenario)
    d = first - second
    mean, sd = float(np.nanmean(d)), float(np.nanstd(d, ddof=1))
    x, r = run_cells(scenario.marks((runs, 2, n), rng))
    shares: list[float | None] = []
    for comparisons, level in LEVELS:
        gap = seen(
            detectable_difference(sd, n, comparisons=comparisons), scenario.high - scenario.low
        )
        if isinstance(gap, Refusal):
            shares.append(None)
            continue
        moved = x - np.array([mean - gap.value, 0.0])[:, None]
        found = gaps(moved, r, np.array([[0, 1]]), step=scenario.step)
        shares.append(float((found.p <= level).mean()))
    return Powers(scenario=scenario.name, n=n, runs=runs, one=shares[0], ten=shares[1])
