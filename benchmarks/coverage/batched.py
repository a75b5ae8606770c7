"""The formulas of `judgebench.stats` on thousands of runs at once.

The product takes one run at a time. Ten thousand of them in a loop are mostly calls, so
the simulations use the same formulas along an axis of runs; tests hold each of these
against the function that it stands for, run by run.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.special import stdtr, stdtrit

from judgebench.stats import intervals, pairs
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


def family(cells: FloatArray, keys: IntArray) -> BoolArray:
    """Which pairs (B, P) `pairs.all_pairs` has: those of two arms with a scored cell."""
    scored = np.isfinite(cells).any(axis=2)
    return np.asarray(scored[:, keys].all(axis=2), dtype=np.bool_)


def any_separated(
    found: Gaps, of: BoolArray, rng: np.random.Generator, *, alpha: float = 0.05
) -> BoolArray:
    """Whether `pairs.all_pairs` separates any pair of each run.

    Args:
        found: All pairs of each run.
        of: Shape (B, P), the pairs that are in the family of the run.
        rng: For the signs where there are more than 16 items; all runs here share the
            draws, and each gets what a generator in this state gives it alone.
        alpha: Family-wise error rate.
    """
    flips = (~of | (found.given & (found.n >= LEAST_ITEMS["sign_flip"]))).all(axis=1)
    size = of.sum(axis=1)
    out = (np.where(of, found.p, 1.0).min(axis=1) * size <= alpha) & (size > 0)
    turned = flips & (size > 0)
    if turned.any():
        out[turned] = _any_beyond(found, of, turned, rng, alpha=alpha)
    return np.asarray(out, dtype=np.bool_)


def _any_beyond(
    found: Gaps, of: BoolArray, rows: BoolArray, rng: np.random.Generator, *, alpha: float
) -> FloatArray:
    """Whether the least p of `pairs.max_t` is at most alpha.

    The largest of all statistics decides it. Flips stop for a run once enough of them
    are beyond it: more of them only take its p further up.
    """
    d, inside = found.d[rows], of[rows]
    runs, each, items = d.shape
    values = np.where(np.isfinite(d), d, 0.0)
    # A pair outside of the family gets statistics of 0, which are never the largest.
    n, floors = np.where(inside, found.n[rows], items), np.where(inside, found.floor[rows], 1.0)
    squares = (values**2).sum(axis=2)
    bars = pairs._studentised(values.sum(axis=2), squares, n, floors).max(axis=1)  # noqa: SLF001 - its own formula
    bars = bars * (1 - _CLOSE)
    hits, going = np.zeros(runs), np.arange(runs)
    for signs in pairs._sign_blocks(items, rng):  # noqa: SLF001 - its own formula
        flat = values[going].reshape(-1, items)
        t = pairs._studentised(  # noqa: SLF001 - its own formula
            signs @ flat.T, squares[going].ravel(), n[going].ravel(), floors[going].ravel()
        )
        largest = t.reshape(signs.shape[0], -1, each).max(axis=2)
        hits[going] += np.count_nonzero(largest >= bars[going], axis=0)
        going = going[pairs._share(hits[going], items) <= alpha]  # noqa: SLF001 - its own formula
        if not going.size:
            break
    return np.asarray(pairs._share(hits, items) <= alpha)  # noqa: SLF001 - its own formula


def keeps_best(
    cells: FloatArray, reps: IntArray, *, step: float, best: int, alpha: float = 0.05
) -> BoolArray:
    """Whether `ranks.possible_best` keeps one arm, or refuses to say.

    Args:
        cells: Shape (B, A, I).
        reps: Shape (B, A, I).
        step: Lattice of the marks.
        best: The arm.
        alpha: Error rate of the set.
    """
    others = [a for a in range(cells.shape[1]) if a != best]
    scored = np.isfinite(cells).any(axis=2)
    found = gaps(cells, reps, np.array([(a, best) for a in others]), step=step)
    arms = scored.sum(axis=1)
    level = 1 - alpha / np.maximum(arms - 1, 1)
    bar = stdtrit(np.maximum(found.n - 1, 1), level[:, None])
    beaten = (np.where(found.given, found.t, -np.inf) > bar).any(axis=1)
    every = gaps(cells, reps, every_pair(cells.shape[1]), step=step)
    refused = (arms < 2) | (every.n.max(axis=1) < LEAST_ITEMS["best"])
    return np.asarray(refused | (scored[:, best] & ~beaten), dtype=np.bool_)


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
