"""Interval coverage of our figures and of what peers usually print."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from benchmarks.coverage.batched import gaps, mean_ends, run_cells
from benchmarks.coverage.scenarios import Scenario, generator, truths
from judgebench.stats.arrays import BoolArray, FloatArray, nan_mean
from judgebench.stats.levels import LEAST_ITEMS

RESAMPLES = 500
BATCH = 250
"""Runs at once: they share the draws of a bounded interval and the bootstrap's resamples."""
_Z = float(ndtri(0.975))
_WAYS = ("ours", "z", "bootstrap", "rows")


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


def _row_cover(marks: FloatArray, truth: float) -> BoolArray:
    """All marks of two arms as if they were independent: the usual table of raw rows."""
    flat = marks.reshape(*marks.shape[:2], -1)
    m = np.isfinite(flat).sum(axis=2)
    means = nan_mean(flat, axis=2)
    variance = np.nansum((flat - means[..., None]) ** 2, axis=2) / np.maximum(m - 1, 1)
    half = _Z * np.sqrt((variance / np.maximum(m, 1)).sum(axis=1))
    apart = means[:, 0] - means[:, 1] if marks.shape[1] > 1 else means[:, 0]
    return np.asarray(np.abs(apart - truth) <= half, dtype=np.bool_)


def _peers(x: FloatArray, truth: float, rng: np.random.Generator) -> tuple[BoolArray, BoolArray]:
    """Whether the normal interval and the percentile bootstrap of each row (B, I) hold it.

    Rows of as many values share their resamples, which are weights of the values.
    """
    z, bootstrap = np.zeros(x.shape[0], np.bool_), np.zeros(x.shape[0], np.bool_)
    there = np.isfinite(x)
    sizes = there.sum(axis=1)
    for size in np.unique(sizes):
        if size < LEAST_ITEMS["difference"]:
            continue
        rows = sizes == size
        values = x[rows][there[rows]].reshape(-1, size)
        means = values.mean(axis=1)
        z[rows] = np.abs(means - truth) <= _Z * values.std(axis=1, ddof=1) / size**0.5
        weights = rng.multinomial(size, np.full(size, 1 / size), RESAMPLES) / size
        low, high = np.quantile(weights @ values.T, [0.025, 0.975], axis=0)
        bootstrap[rows] = (low <= truth) & (truth <= high)
    return z, bootstrap


def _share(scenario: Scenario, n: int, runs: int, held: Iterator[FloatArray]) -> Shares:
    """Shares over the first `runs` runs that gave an interval."""
    parts: list[FloatArray] = []
    given = 0
    while given < runs:
        parts.append(next(held))
        given += parts[-1].shape[1]
    hits = np.concatenate(parts, axis=1)[:, :runs].mean(axis=1)
    shares = dict(zip(_WAYS, map(float, hits), strict=True))
    return Shares(scenario=scenario.name, n=n, runs=runs, **shares)


def pair_coverage(scenario: Scenario, n: int, runs: int) -> Shares:
    """Coverage of the difference of two arms on their shared items."""
    rng = generator("pair", scenario.name, n)
    first, second = truths(scenario)
    truth = float(np.nanmean(first - second))

    def held() -> Iterator[FloatArray]:
        while True:
            marks = scenario.marks((BATCH, 2, n), rng)
            x, r = run_cells(marks)
            found = gaps(x, r, np.array([[0, 1]]), step=scenario.step)
            ours = np.abs(found.mean - truth) <= found.half(0.95)
            z, bootstrap = _peers(found.d[:, 0], truth, rng)
            ways = np.stack([ours[:, 0], z, bootstrap, _row_cover(marks, truth)])
            yield ways[:, found.given[:, 0]]

    return _share(scenario, n, runs, held())


def mean_coverage(scenario: Scenario, n: int, runs: int) -> Shares:
    """Coverage of the mean of the first arm over the items that it answered."""
    rng, draws = generator("mean", scenario.name, n), generator("bounded", scenario.name, n)
    truth = float(np.nanmean(truths(scenario)[0]))

    def held() -> Iterator[FloatArray]:
        while True:
            marks = scenario.marks((BATCH, 1, n), rng)
            x = run_cells(marks)[0][:, 0]
            low, high = mean_ends(x, low=scenario.low, high=scenario.high, rng=draws)
            z, bootstrap = _peers(x, truth, rng)
            ours = (low <= truth) & (truth <= high)
            ways = np.stack([ours, z, bootstrap, _row_cover(marks, truth)])
            yield ways[:, np.isfinite(low)]

    return _share(scenario, n, runs, held())
