"""Interval coverage of our figures and of what peers usually print."""

from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from scipy.special import ndtri

from benchmarks.coverage.scenarios import Scenario
from judgebench.model import Estimate
from judgebench.stats.arrays import FloatArray, cells, counts
from judgebench.stats.intervals import mean_interval
from judgebench.stats.pairs import Pair, all_pairs, paired_difference
from judgebench.stats.planning import detectable_difference
from judgebench.stats.ranks import possible_best

TRUTH_ITEMS = 400_000
RESAMPLES = 500
GAPS = (0.0, 0.5, 1.0, 1.0, 1.5)
"""How far the five arms lie below the best, points, for the set of possible best."""
_Z = float(ndtri(0.975))


@dataclass(frozen=True, kw_only=True)
class Shares:
    """Shares of runs whose 95 % interval held the truth, of runs that gave one."""

    scenario: str
    n: int
    runs: int
    ours: float
    z: float
    bootstrap: float
    rows: float


@dataclass(frozen=True, kw_only=True)
class Decisions:
    """Five arms: any false "above" where all are equal, and the best in its set."""

    scenario: str
    n: int
    runs: int
    false_above: float
    uncorrected: float
    best_kept: float


@dataclass(frozen=True, kw_only=True)
class Powers:
    """How often a true gap of the printed detectable difference is found."""

    scenario: str
    n: int
    runs: int
    one: float
    """One planned pair."""
    ten: float
    """One of ten pairs."""


def generator(*parts: object) -> np.random.Generator:
    """Make a generator whose seed depends on the names alone."""
    return np.random.default_rng(crc32("|".join(map(str, parts)).encode()))


def _row_cover(marks: FloatArray, truth: float) -> bool:
    """All marks of two arms as if they were independent: the usual table of raw rows."""
    x, y = (side[np.isfinite(side)] for side in marks)
    half = _Z * float(np.sqrt(x.var(ddof=1) / x.size + y.var(ddof=1) / y.size))
    return bool(abs(float(x.mean() - y.mean()) - truth) <= half)


def _bootstrap(d: FloatArray, rng: np.random.Generator) -> tuple[float, float]:
    picks = rng.integers(0, d.size, (RESAMPLES, d.size))
    low, high = np.quantile(d[picks].mean(axis=1), [0.025, 0.975])
    return float(low), float(high)


def pair_coverage(scenario: Scenario, n: int, runs: int) -> Shares:
    """Coverage of the difference of two arms on their shared items."""
    rng = generator("pair", scenario.name, n)
    big = cells(scenario.marks(2, TRUTH_ITEMS, generator("truth", scenario.name))[:, :, None, :])
    truth = float(np.nanmean(big[0] - big[1]))
    hits = dict.fromkeys(("ours", "z", "bootstrap", "rows"), 0)
    given = 0
    for _ in range(runs):
        marks = scenario.marks(2, n, rng)
        totals = marks[:, :, None, :]
        x, r = cells(totals), counts(totals)
        found = paired_difference(x[0], x[1], r[0], r[1], step=scenario.step)
        if not isinstance(found, Estimate) or found.low is None or found.high is None:
            continue
        given += 1
        d = (x[0] - x[1])[np.isfinite(x).all(axis=0)]
        half = _Z * float(d.std(ddof=1)) / d.size**0.5
        low, high = _bootstrap(d, rng)
        hits["ours"] += found.low <= truth <= found.high
        hits["z"] += abs(float(d.mean()) - truth) <= half
        hits["bootstrap"] += low <= truth <= high
        hits["rows"] += _row_cover(marks, truth)
    shares = {name: count / max(given, 1) for name, count in hits.items()}
    return Shares(scenario=scenario.name, n=n, runs=given, **shares)


def mean_coverage(scenario: Scenario, n: int, runs: int) -> Shares:
    """Coverage of the mean of the first arm over the items that it answered."""
    rng = generator("mean", scenario.name, n)
    big = cells(scenario.marks(1, TRUTH_ITEMS, generator("truth", scenario.name))[:, :, None, :])
    truth = float(np.nanmean(big[0]))
    hits = dict.fromkeys(("ours", "z", "bootstrap", "rows"), 0)
    given = 0
    for _ in range(runs):
        marks = scenario.marks(1, n, rng)
        x = cells(marks[:, :, None, :])[0]
        found = mean_interval(x, low=scenario.low, high=scenario.high, rng=rng)
        if not isinstance(found, Estimate) or found.low is None or found.high is None:
            continue
        given += 1
        x = x[np.isfinite(x)]
        flat = marks[np.isfinite(marks)]
        low, high = _bootstrap(x, rng)
        hits["ours"] += found.low <= truth <= found.high
        hits["z"] += abs(float(x.mean()) - truth) <= _Z * float(x.std(ddof=1)) / x.size**0.5
        hits["bootstrap"] += low <= truth <= high
        hits["rows"] += abs(float(flat.mean()) - truth) <= _Z * flat.std(ddof=1) / flat.size**0.5
    shares = {name: count / max(given, 1) for name, count in hits.items()}
    return Shares(scenario=scenario.name, n=n, runs=given, **shares)


def decisions(scenario: Scenario, n: int, runs: int) -> Decisions:
    """False "above" among five equal arms, and whether the set keeps a planted best."""
    rng = generator("decide", scenario.name, n)
    unit = scenario.step if scenario.step > 1 else 1.0
    gaps = np.array(GAPS)[:, None, None] * unit
    false_above = uncorrected = kept = 0
    for _ in range(runs):
        totals = scenario.marks(len(GAPS), n, rng)[:, :, None, :]
        x, r = cells(totals), counts(totals)
        table = all_pairs(x, r, step=scenario.step, rng=rng)
        false_above += any(pair.separated for pair in table.pairs)
        uncorrected += _any_uncorrected(table.pairs)
        shifted = np.clip(totals[:, :, 0, :] - gaps, scenario.low, scenario.high)
        y = cells(shifted[:, :, None, :])
        best = possible_best(y, r, step=scenario.step)
        kept += not isinstance(best, tuple) or 0 in best
    return Decisions(
        scenario=scenario.name,
        n=n,
        runs=runs,
        false_above=false_above / runs,
        uncorrected=uncorrected / runs,
        best_kept=kept / runs,
    )


def power_found(scenario: Scenario, n: int, runs: int) -> Powers:
    """Power at the detectable difference, which the product says is 80 %.

    The gap is planted after rounding: marks keep their lattice, arms their spread.
    """
    rng = generator("power", scenario.name, n)
    big = cells(scenario.marks(2, TRUTH_ITEMS, generator("truth", scenario.name))[:, :, None, :])
    d = big[0] - big[1]
    mean, sd = float(np.nanmean(d)), float(np.nanstd(d, ddof=1))
    gaps = [detectable_difference(sd, n, comparisons=k) for k in (1, 10)]
    hits = np.zeros(2)
    given = 0
    for _ in range(runs):
        totals = scenario.marks(2, n, rng)[:, :, None, :]
        x, r = cells(totals), counts(totals)
        # Planning is for so many shared items; a run with fewer planned otherwise.
        if int(np.isfinite(x).all(axis=0).sum()) < n:
            continue
        given += 1
        for at, (gap, level) in enumerate(zip(gaps, (0.05, 0.005), strict=True)):
            if isinstance(gap, Estimate):
                shifted = x[0] - mean + gap.value
                one = paired_difference(shifted, x[1], r[0], r[1], step=scenario.step)
                hits[at] += isinstance(one, Estimate) and one.p is not None and one.p <= level
    shares = [float(v) for v in hits / max(given, 1)]
    return Powers(scenario=scenario.name, n=n, runs=given, one=shares[0], ten=shares[1])


def _any_uncorrected(pairs: Sequence[Pair]) -> bool:
    found = [pair.difference for pair in pairs]
    return any(isinstance(one, Estimate) and one.p is not None and one.p <= 0.05 for one in found)
