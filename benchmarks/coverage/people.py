"""Labels by people: coverage of corrected differences, gates, and planned widths."""

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from benchmarks.coverage.measure import generator
from judgebench.model import Refusal
from judgebench.stats.arrays import FloatArray
from judgebench.stats.corrected import corrected_difference, corrected_mean
from judgebench.stats.gates import corrected_share

FAVOUR = 0.8
"""Points by which the judge marks the first arm too high."""
ITEMS = 300


@dataclass(frozen=True, kw_only=True)
class PeopleShares:
    """Shares of runs whose 95 % interval held the truth."""

    n: int
    runs: int
    corrected: float
    judge_only: float
    people_only: float
    width: float
    """Mean half width as a share of that of people alone."""


def _two_arms(rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """People and judge on two equal arms, integers from 1 to 10; the judge is compressed."""
    hard = rng.normal(0, 1.2, ITEMS)
    cells = 6.0 + hard + rng.normal(0, 0.8, (2, ITEMS))
    people = cells + rng.normal(0, 0.7, (2, ITEMS))
    judge = 2.4 + 0.6 * cells + rng.normal(0, 0.6, (2, ITEMS))
    judge[0] += FAVOUR
    return np.clip(np.rint(people), 1, 10), np.clip(np.rint(judge), 1, 10)


def corrected_coverage(n: int, *, runs: int, picked: bool = False) -> PeopleShares:
    """Difference of two equal arms when the judge favours one of them.

    Args:
        n: Labelled items of 300.
        runs: Simulated runs.
        picked: Label the items with the lowest marks of the first arm, not random ones.
    """
    rng = generator("people", n, picked)
    hits = np.zeros(3)
    widths = []
    for _ in range(runs):
        people, judge = _two_arms(rng)
        order = np.argsort(judge[0]) if picked else rng.permutation(ITEMS)
        drawn = np.zeros(ITEMS, dtype=bool)
        drawn[order[:n]] = True
        shown = np.where(drawn, people, np.nan)
        found = corrected_difference(shown, judge, drawn, floor=1 / 6)
        if isinstance(found, Refusal):
            continue
        low, high = found.estimate.low, found.estimate.high
        hits += [
            low is not None and high is not None and low <= 0 <= high,
            _covers(judge[0] - judge[1]),
            _covers((people[0] - people[1])[drawn]),
        ]
        widths.append(found.gain)
    shares = hits / runs
    return PeopleShares(
        n=n, runs=runs, corrected=shares[0], judge_only=shares[1], people_only=shares[2],
        width=float(np.mean(widths)),
    )  # fmt: skip


def _covers(d: FloatArray) -> bool:
    half = float(stdtrit(d.size - 1, 0.975)) * d.std(ddof=1) / d.size**0.5
    return bool(abs(d.mean()) <= half)


def labels_width(n: int, *, rho: float, sd: float, items: int, runs: int) -> float:
    """Mean half width at `n` labels, people and judge normal with this correlation."""
    rng = generator("width", n, rho)
    halves = []
    for _ in range(runs):
        y = rng.normal(0, sd, items)
        f = rho * y + (1 - rho**2) ** 0.5 * rng.normal(0, sd, items)
        found = corrected_mean(y[:n], f[:n], f[n:])
        if not isinstance(found, Refusal) and found.estimate.high is not None:
            halves.append(found.estimate.high - found.estimate.value)
    return float(np.mean(halves))


def gate_coverage(share: float, *, sensitivity: float, specificity: float, runs: int) -> float:
    """Coverage of a corrected share of passes; 60 labelled answers, 400 judged."""
    rng = generator("gate", share, sensitivity, specificity)
    hits = given = 0
    for _ in range(runs):
        positive = int(rng.binomial(400, share))
        passed = int(rng.binomial(positive, sensitivity))
        passed += int(rng.binomial(400 - positive, 1 - specificity))
        found = corrected_share(
            passed=passed, judged=400,
            both_passed=int(rng.binomial(30, sensitivity)), people_passed=30,
            both_failed=int(rng.binomial(30, specificity)), people_failed=30,
        )  # fmt: skip
        if isinstance(found, Refusal):
            continue
        given += 1
        low, high = found.share.low, found.share.high
        hits += low is not None and high is not None and low <= share <= high
    return hits / given
