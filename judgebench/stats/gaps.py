"""Differences of every two arms at once: one array operation an arm, none a pair."""

from collections.abc import Iterator
from dataclasses import replace
from math import sqrt

import numpy as np

from judgebench.records import dataclass
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray
from judgebench.stats.cr2 import Groups, cr2_variance, groups, satterthwaite

_CLOSE = 1e-9
_HARDLY = 1e-6
"""Share of two arms' own squares below which products of sums lose too many digits."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Shared:
    """Differences of two arms on their shared items, first minus second.

    Args:
        d: Shape (N,), scale points.
        mean: Their mean; 0.0 where nothing is shared.
        sd: Standard deviation of a difference, not below the rounding floor;
            0.0 below two shared items.
        floor: The floor as a variance, points².
    """

    d: FloatArray
    mean: float
    sd: float
    floor: float

    @property
    def n(self) -> int:
        """Shared items."""
        return int(self.d.size)

    @property
    def se(self) -> float:
        """Standard error of the mean difference."""
        return self.sd / sqrt(self.n) if self.n else 0.0


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Gaps:
    """What `Shared` says of one pair, for P of them.

    Args:
        first: Shape (P,), index of the arm that counts positive.
        second: Shape (P,), of the other.
        n: Shape (P,), shared items.
        mean: Shape (P,), scale points.
        sd: Shape (P,), not below the rounding floor; of clusters, what independent items
            would spread by whose mean is as uncertain.
        floor: Shape (P,), the floor as a variance, points².
        units: Shape (P,), independent units behind them: shared items, or their clusters.
        df: Shape (P,), degrees of freedom of the spread.
    """

    first: IntArray
    second: IntArray
    n: IntArray
    mean: FloatArray
    sd: FloatArray
    floor: FloatArray
    units: IntArray
    df: FloatArray

    @property
    def se(self) -> FloatArray:
        """Standard errors of the mean differences."""
        return np.asarray(self.sd / np.sqrt(np.maximum(self.n, 1)), dtype=np.float64)

    def without(self, apart: BoolArray | None) -> "Gaps":
        """The same, with no unit behind pairs that are not to be held against each other.

        Args:
            apart: Shape (A, A), symmetric, such pairs; None where there are none.
        """
        if apart is None:
            return self
        return replace(self, units=np.where(apart[self.first, self.second], 0, self.units))

    @property
    def floored(self) -> BoolArray:
        """Where the differences spread less than rounding alone must."""
        below = self.sd**2 <= self.floor * (1 + _CLOSE)
        return np.asarray((self.units > 1) & (self.floor > 0) & below, dtype=np.bool_)


def shared_differences(
    a: FloatArray, b: FloatArray, reps_a: IntArray, reps_b: IntArray, *, step: float
) -> Shared:
    """Differences of two arms over the items that both have, with their spread.

    Args:
        a: Shape (I,), cells of the first arm, NaN where it has none.
        b: Shape (I,), cells of the second.
        reps_a: Shape (I,), judgments averaged in each cell of the first.
        reps_b: Shape (I,), of the second.
        step: Lattice of the marks in scale points, ≥ 0 (`arrays.lattice_step`).

    Returns:
        The differences; the floor is the mean over shared items of
        (step²/12)(1/r_a + 1/r_b).

    Raises:
        ValueError: Shapes differ, `step` is below 0, or a cell has a value and no judgment.
    """
    if not (a.ndim == 1 and a.shape == b.shape == reps_a.shape == reps_b.shape):
        raise ValueError("a, b, reps_a and reps_b must share one shape (I,)")
    found = every_gap(np.stack([a, b]), np.stack([reps_a, reps_b]), step=step)
    both = np.isfinite(a) & np.isfinite(b)
    d = a[both] - b[both]
    if not d.size:
        return Shared(d=d, mean=0.0, sd=0.0, floor=0.0)
    return Shared(
        d=d, mean=float(found.mean[0]), sd=float(found.sd[0]), floor=float(found.floor[0])
    )


def every_gap(
    cells: FloatArray, reps: IntArray, *, step: float, clusters: IntArray | None = None
) -> Gaps:
    """Differences of every two arms that have a cell, over the items that both have.

    Args:
        cells: Shape (A, I), scale points, NaN where an arm has no scored cell.
        reps: Shape (A, I), judgments behind each cell.
        step: Lattice of the marks in scale points, ≥ 0.
        clusters: Shape (I,), the cluster of each item; None where items are independent.

    Returns:
        The pairs in the order of indices, first minus second, as `shared_differences`.
        With clusters the spread is CR2's, and the floor takes the items of a cluster to be
        rounded alike: near copies of one item are one mark, however many they are.

    Raises:
        ValueError: As `shared_differences`, or an item has no cluster.
    """
    if not step >= 0:
        raise ValueError(f"step must not be below 0, got {step}")
    if np.any(reps[np.isfinite(cells)] < 1):
        raise ValueError("a cell with a value has no judgment")
    if clusters is not None and clusters.shape != cells.shape[1:]:
        raise ValueError("clusters must have shape (I,)")
    arms = np.flatnonzero(np.isfinite(cells).any(axis=1))
    first, second = np.triu_indices(arms.size, k=1)
    by = None if clusters is None or not clusters.size else groups(clusters)
    n, mean, sd, floor, units, df = _joined(list(_rows(cells[arms], reps[arms], step, by)))
    return Gaps(
        first=arms[first],
        second=arms[second],
        n=n.astype(np.int64),
        mean=mean,
        sd=sd,
        floor=floor,
        units=units.astype(np.int64),
        df=df,
    )


def quick_gaps(cells: FloatArray, reps: IntArray, *, step: float) -> Gaps | None:
    """What `every_gap` says to nine digits, from products of matrices in a tenth of its time.

    Args:
        cells: As there; items are independent.
        reps: As there.
        step: As there.

    Returns:
        The pairs; None where two arms differ by so little beside their own spread that
        the digits would not hold.
    """
    there = np.isfinite(cells)
    arms = np.flatnonzero(there.any(axis=1))
    own = there[arms].astype(np.float64)
    level = np.where(there, cells, 0.0).sum(axis=1)[arms] / own.sum(axis=1)
    x = np.where(there[arms], cells[arms] - level[:, None], 0.0)
    n, sums, squares = own @ own.T, x @ own.T, x**2 @ own.T
    halves = (own / np.maximum(reps[arms], 1)) @ own.T
    shared, apart, both = np.maximum(n, 1), sums - sums.T, squares + squares.T
    left = both - 2 * (x @ x.T) - apart**2 / shared
    first, second = at = np.triu_indices(arms.size, k=1)
    if np.any((left <= _HARDLY * both)[at] & (n[at] > 1)):
        return None
    floor = step**2 / 12 * ((halves + halves.T) / shared)
    mean = np.where(n > 0, apart / shared + (level[:, None] - level), 0.0)
    sd = np.sqrt(np.maximum(left / np.maximum(n - 1, 1), floor))
    shared_items = n[at].astype(np.int64)
    return Gaps(
        first=arms[first],
        second=arms[second],
        n=shared_items,
        mean=mean[at],
        sd=np.where(n > 1, sd, 0.0)[at],
        floor=floor[at],
        units=shared_items,
        df=n[at] - 1,
    )


_Row = tuple[FloatArray, ...]


def _rows(cells: FloatArray, reps: IntArray, step: float, by: Groups | None) -> Iterator[_Row]:
    """Of each arm against those behind it, as `Gaps` has them from `n` to `df`."""
    there = np.isfinite(cells)
    parts = np.where(there, 1 / np.maximum(reps, 1), 0.0)
    for at in range(cells.shape[0] - 1):
        own = there[at] if by is None else np.ones_like(there[at])
        both = there[at + 1 :, own] & there[at, own]
        d = np.where(both, cells[at, own] - cells[at + 1 :, own], 0.0)
        n = both.sum(axis=1)
        shared = np.maximum(n, 1)
        mean = d.sum(axis=1) / shared
        halves = np.where(both, parts[at, own] + parts[at + 1 :, own], 0.0)
        floor = step**2 / 12 * (halves.sum(axis=1) / shared)
        units, df = n, np.asarray(n - 1.0, dtype=np.float64)
        if by is None:
            sd = _sd(d, both, n=n, mean=mean, floor=floor)
        else:
            found = by.summed(d, both)
            units, df, floor = found.units, satterthwaite(found), floor * found.alike
            spread = np.sqrt(np.maximum(cr2_variance(found) * n, floor))
            sd = np.asarray(np.where(units > 1, spread, 0.0), dtype=np.float64)
        yield n.astype(np.float64), mean, sd, floor, units.astype(np.float64), df


def _sd(
    d: FloatArray, both: BoolArray, *, n: IntArray, mean: FloatArray, floor: FloatArray
) -> FloatArray:
    """Spread of each row of differences, not below its floor; one difference has none."""
    squares = np.where(both, (d - mean[:, None]) ** 2, 0.0).sum(axis=1)
    variance = squares / np.maximum(n - 1, 1)
    high = np.where(both, d, -np.inf).max(axis=1, initial=-np.inf)
    low = np.where(both, d, np.inf).min(axis=1, initial=np.inf)
    # Sums of tenths leave a variance of 1e-32 where the differences are equal.
    equal = high - low <= _CLOSE * (1 + np.maximum(np.abs(high), np.abs(low)))
    spread = np.sqrt(np.maximum(np.where(equal, 0.0, variance), floor))
    return np.asarray(np.where(n > 1, spread, 0.0), dtype=np.float64)


def _joined(rows: list[_Row]) -> tuple[FloatArray, ...]:
    if not rows:
        return (np.zeros(0),) * 6
    return tuple(np.concatenate(column) for column in zip(*rows, strict=True))
