"""The formulas of `judgebench.stats` on thousands of runs at once.

The product takes one run at a time. Ten thousand of them in a loop are mostly calls, so
the simulations use the same formulas along an axis of runs; tests hold each of these
against the function that it stands for, run by run.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.special import stdtr, stdtrit

from judgebench.stats import intervals
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray, nan_mean
from judgebench.stats.levels import LEAST_ITEMS

LEAST = LEAST_ITEMS["difference"]
_CLOSE = 1e-9


@dataclass(frozen=True, kw_only=True)
class Gaps:
    """Differences of pairs of arms in each run, as `pairs.Shared` of each.

    Args:
        d: Shape (B, P, I), NaN where a pair lacks the item.
        n: Shape (B, P), shared items.
        mean: Shape (B, P), 0.0 where nothing is shared.
        sd: Shape (B, P), not below the floor; 0.0 below two shared items.
        floor: Shape (B, P), variances.
    """

    d: FloatArray
    n: IntArray
    mean: FloatArray
    sd: FloatArray
    floor: FloatArray

    @property
    def given(self) -> BoolArray:
        """Where `pairs.paired_difference` is no refusal."""
        return np.asarray((self.n >= LEAST) & (self.sd > 0), dtype=np.bool_)

    @property
    def t(self) -> FloatArray:
        """Mean over its standard error; NaN where refused."""
        se = np.where(self.given, self.sd, 1.0) / np.sqrt(np.maximum(self.n, 1))
        return np.asarray(np.where(self.given, self.mean / se, np.nan), dtype=np.float64)

    @property
    def p(self) -> FloatArray:
        """Two-sided, of each pair alone; 1 where refused, as in Holm's family."""
        p = np.minimum(1.0, 2 * stdtr(np.maximum(self.n - 1, 1), -np.abs(self.t)))
        return np.asarray(np.where(self.given, p, 1.0), dtype=np.float64)

    def half(self, level: float) -> FloatArray:
        """Half width of each interval; NaN where refused."""
        bar = stdtrit(np.maximum(self.n - 1, 1), (1 + level) / 2)
        half = bar * self.sd / np.sqrt(np.maximum(self.n, 1))
        return np.asarray(np.where(self.given, half, np.nan), dtype=np.float64)


def every_pair(arms: int) -> IntArray:
    """Shape (P, 2), in the order of `pairs.all_pairs`."""
    return np.array(tuple(combinations(range(arms), 2)))


def gaps(cells: FloatArray, reps: IntArray, keys: IntArray, *, step: float) -> Gaps:
    """As `pairs.shared_differences` of each pair in each run.

    Args:
        cells: Shape (B, A, I), NaN where an arm has no scored cell.
        reps: Shape (B, A, I), judgments behind each cell.
        keys: Shape (P, 2), first and second arm of each pair.
        step: Lattice of the marks.
    """
    d = cells[:, keys[:, 0]] - cells[:, keys[:, 1]]
    there = np.isfinite(d)
    n = there.sum(axis=2)
    shares = 1 / np.maximum(reps, 1)
    each = np.where(there, shares[:, keys[:, 0]] + shares[:, keys[:, 1]], 0.0).sum(axis=2)
    floor = step**2 / 12 * each / np.maximum(n, 1)
    filled = np.where(there, d, 0.0)
    mean = filled.sum(axis=2) / np.maximum(n, 1)
    squares = np.where(there, d - mean[..., None], 0.0) ** 2
    spread = squares.sum(axis=2) / np.maximum(n - 1, 1)
    width = np.where(there, d, -np.inf).max(axis=2) - np.where(there, d, np.inf).min(axis=2)
    spread = np.where(width <= _CLOSE * (1 + np.abs(filled).max(axis=2)), 0.0, spread)
    sd = np.where(n >= 2, np.sqrt(np.maximum(spread, floor)), 0.0)
    return Gaps(d=d, n=n, mean=mean, sd=sd, floor=floor)


def mean_ends(
    x: FloatArray, *, low: float, high: float, rng: np.random.Generator, level: float = 0.95
) -> tuple[FloatArray, FloatArray]:
    """Ends of `intervals.mean_interval` of each run; NaN where it refuses.

    Args:
        x: Shape (B, I), NaN for items without a scored cell.
        low: Lower end of the scale.
        high: Upper end.
        rng: For the bounded interval. Runs with as many items share its draws, and equal
            values each have their own, where the product draws their sum at once.
        level: Confidence.
    """
    ends = np.full((2, x.shape[0]), np.nan)
    there = np.isfinite(x)
    sizes = there.sum(axis=1)
    for size in np.unique(sizes[sizes >= LEAST_ITEMS["total"]]):
        rows = np.flatnonzero(sizes == size)
        values = np.sort(x[rows][there[rows]].reshape(-1, size), axis=1)
        student = _student_decides(values)
        if student.any():
            ends[:, rows[student]] = _student(values[student], level)
        if not student.all():
            shares = (values[~student] - low) / (high - low)
            ends[:, rows[~student]] = low + _bounded(shares, rng, level) * (high - low)
    mean = nan_mean(x, axis=1)
    return np.minimum(np.maximum(ends[0], low), mean), np.maximum(np.minimum(ends[1], high), mean)


def _student_decides(values: FloatArray) -> BoolArray:
    """Whether Student's t gives the interval of each row of values."""
    size = values.shape[1]
    spreads = np.ptp(values, axis=1) > _CLOSE
    apart = values - values.mean(axis=1, keepdims=True)
    m2 = np.where(spreads, (apart**2).mean(axis=1), 1.0)
    skewness = np.where(spreads, (apart**3).mean(axis=1) / m2**1.5, 0.0)
    enough = (size >= LEAST_ITEMS["mean_t_interval"]) & (np.abs(skewness) <= intervals.MAX_SKEW)
    return np.asarray(spreads & (enough | (size > intervals.MAX_BOUNDED)), dtype=np.bool_)


def _student(values: FloatArray, level: float) -> FloatArray:
    size = values.shape[1]
    half = intervals.t_quantile((1 + level) / 2, size - 1) * values.std(axis=1, ddof=1) / size**0.5
    return np.asarray(values.mean(axis=1) + np.array([[-1], [1]]) * half, dtype=np.float64)


def _bounded(shares: FloatArray, rng: np.random.Generator, level: float) -> FloatArray:
    """As `intervals._gaffke` of each row of ascending values in [0, 1]."""
    size = shares.shape[1] + 1
    weights = rng.standard_gamma(np.ones(size), size=(intervals.DRAWS, size))
    weights /= weights.sum(axis=1, keepdims=True)
    inner = shares @ weights[:, :-1].T
    tail = (1 - level) / 2
    bottom = np.quantile(inner, tail, axis=1)
    inner += weights[:, -1]
    return np.stack([bottom, np.quantile(inner, 1 - tail, axis=1)])


def run_cells(marks: FloatArray) -> tuple[FloatArray, IntArray]:
    """Cells (B, A, I) and the judgments behind them, of marks (B, A, I, R) by one judge."""
    return nan_mean(marks, axis=3), np.isfinite(marks).sum(axis=3)
