"""Where marks tie: how many steps of its lattice a mean must have for its power to be told.

`python -m benchmarks.coverage.ties` measures the power at the gap that the non-central t
names, whether the product prints it or not, in one more family of scenarios than the
named seven: eight kinds of marks with hardly any spread, judged one to three times.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from math import sqrt

import numpy as np

from benchmarks.coverage.batched import gaps, run_cells
from benchmarks.coverage.goals import Cell
from benchmarks.coverage.power import LEVELS, PAIR, truth
from benchmarks.coverage.scenarios import SCENARIOS, Scenario, generator, plain
from judgebench.model.nouns import Estimate
from judgebench.stats.planning import LEAST_STEPS, detectable_difference

KINDS = (
    (9.0, 0.2, 0.15, 0.2), (9.0, 0.2, 0.3, 0.2), (9.5, 0.2, 0.3, 0.2), (8.7, 0.2, 0.3, 0.2),
    (6.2, 0.1, 0.25, 0.25), (9.0, 0.2, 0.45, 0.2), (9.0, 0.5, 0.5, 0.2), (6.5, 0.3, 0.2, 0.3),
)  # fmt: skip
"""Mean, spread of items, of item × arm, and noise."""
REPEATS = (1, 2, 3)
SIZES = (3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30)
RUNS = 10_000


@dataclass(frozen=True, kw_only=True)
class Tied:
    """The power of one design beside the steps that its mean has."""

    steps: float
    """Steps of the mean's lattice in its standard error."""
    share: float
    runs: int

    @property
    def within(self) -> bool:
        """Between 78 and 82 %, with the Monte-Carlo band allowed."""
        bars = ((0.78, True), (0.82, False))
        cells = [
            Cell(name="", share=self.share, runs=self.runs, bar=bar, above=above)
            for bar, above in bars
        ]
        return all(cell.room >= 0 for cell in cells)


def scenarios() -> Iterator[Scenario]:
    """All kinds of tied marks."""
    base = next(one for one in SCENARIOS if one.name == "heavy ties")
    for mean, item, arm, noise in KINDS:
        for repeats in REPEATS:
            yield replace(
                base, name=f"{item} {arm} {noise} {mean}", draw=plain(mean, item=item, arm=arm),
                noise=noise, repeats=repeats,
            )  # fmt: skip


def measure(scenario: Scenario, n: int, runs: int) -> Iterator[Tied]:
    """Power for one pair and for one of ten, where the scale holds the gap."""
    mean, sd = truth(scenario)
    rng = generator("power", scenario.name, n)
    x, r = run_cells(scenario.marks((runs, 2, n), rng))
    for comparisons, level in LEVELS:
        gap = detectable_difference(sd, n, comparisons=comparisons)
        if isinstance(gap, Estimate) and gap.value <= scenario.high - scenario.low:
            moved = x - np.array([mean - gap.value, 0.0])[:, None]
            found = gaps(moved, r, PAIR, step=scenario.step).p <= level
            steps = sd * sqrt(n) * scenario.repeats / scenario.step
            yield Tied(steps=steps, share=float(found.mean()), runs=runs)


def table(found: list[Tied]) -> str:
    """Shares by how many steps there are."""
    bounds = (0.0, 2.0, float(LEAST_STEPS), np.inf)
    lines = [
        "| steps in a standard error | shares | from | to | outside 78–82 % |",
        "| --- " * 5 + "|",
    ]
    for low, high in pairwise(bounds):
        mine = [one for one in found if low <= one.steps < high]
        shares = [100 * one.share for one in mine]
        name = f"{low:g} and more" if np.isinf(high) else f"{low:g} to {high:g}"
        outside = sum(not one.within for one in mine)
        ends = f"{min(shares):.1f} | {max(shares):.1f}" if shares else "– | –"
        lines.append(f"| {name} | {len(mine)} | {ends} | {outside} |")
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    found = [one for s in scenarios() for n in SIZES for one in measure(s, n, RUNS)]
    sys.stdout.write(table(found) + "\n")


if __name__ == "__main__":
    main()
