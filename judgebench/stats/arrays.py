"""Marks as one array, and the mean of a cell.

The axes are A arms, I items, K criteria, J judges, R repeats, in this order; values
are in scale points, NaN where there is no mark. A *cell* is arm × item: repeats are
averaged within a judge, then judges with equal weight, because neither is new
evidence about other items.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, isfinite, lcm, prod

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

_MAX_DENOMINATOR = 1000
_DECIMALS = 9
TIE = 1e-9
"""Marks, and means of them, that are nearer than this are equal: the rest is rounding."""


def from_codes(
    shape: Sequence[int], codes: Sequence[npt.ArrayLike], values: npt.ArrayLike
) -> FloatArray:
    """Fill an array from columns: one integer code an axis and one value a row.

    Args:
        shape: Length of every axis, such as (A, I, K, J, R) or (A, I, J, R).
        codes: One column of M codes for each axis, counted from 0.
        values: M values in scale points; NaN or infinite counts as no mark.

    Returns:
        Shape `shape`, NaN where no row gave a value.

    Raises:
        ValueError: Columns of unequal length, a code off its axis, or two rows
            for one place: a mark that replaces another would go unnoticed.

    >>> from_codes((2, 2), ([0, 1], [1, 0]), [8.0, 6.5])
    array([[nan, 8. ],
           [6.5, nan]])
    """
    flat = np.asarray(values, dtype=np.float64)
    columns = [np.asarray(column) for column in codes]
    if len(columns) != len(shape) or any(c.shape != flat.shape for c in columns) or flat.ndim != 1:
        raise ValueError("one column of codes for each axis, as long as the values")
    if any(c.size and (c.min() < 0 or c.max() >= n) for c, n in zip(columns, shape, strict=True)):
        raise ValueError(f"a code lies outside of the shape {tuple(shape)}")
    out = np.full(prod(shape), np.nan)
    if not flat.size:
        return out.reshape(shape)
    # One array of places, counted up in place: a million marks make few passes over memory.
    places = np.zeros(flat.size, dtype=np.int64)
    for column, length in zip(columns, shape, strict=True):
        places *= length
        places += column
    taken = np.zeros(out.size, dtype=np.bool_)
    taken[places] = True
    if int(np.count_nonzero(taken)) != places.size:
        raise ValueError("two rows hold a value for the same place")
    out[places] = flat
    if not (finite := np.isfinite(flat)).all():
        out[places[~finite]] = np.nan
    return out.reshape(shape)


def settled(values: FloatArray) -> FloatArray:
    """Values on a lattice of 1e-9, so that 0.1 + 0.2 and 0.3 are one mark, not an order.

    Args:
        values: Any shape, NaN where there is no value.

    Returns:
        The shape of `values`.

    >>> bool(settled(np.array([0.1 + 0.2]))[0] == settled(np.array([0.3]))[0])
    True
    """
    return np.asarray(np.round(values, _DECIMALS), dtype=np.float64)


def nan_mean(values: FloatArray, *, axis: int) -> FloatArray:
    """Mean over the values that are there; NaN, without a warning, where none is.

    Args:
        values: Any shape, NaN where there is no value.
        axis: The axis that is averaged away.

    Returns:
        `values` without that axis.
    """
    there = np.isfinite(values)
    counts = there.sum(axis=axis)
    sums = np.where(there, values, 0.0).sum(axis=axis)
    return np.asarray(np.where(counts > 0, sums / np.maximum(counts, 1), np.nan), dtype=np.float64)


def item_codes(scores: FloatArray) -> IntArray:
    """The item of each cell, as the functions that cluster by item want it.

    Args:
        scores: Shape (A, I, R).

    Returns:
        Shape (A, I), codes of the items from 0; read-only.
    """
    return np.broadcast_to(np.arange(scores.shape[1]), scores.shape[:2])


def cells(totals: FloatArray) -> FloatArray:
    """Mean total of each cell: within a judge over repeats, then over judges.

    Args:
        totals: Shape (A, I, J, R), scale points, NaN where nothing was scored.

    Returns:
        Shape (A, I); NaN for a cell without any scored judgment. A judge that
        scored a cell less often than another has the same weight in it.

    Raises:
        ValueError: `totals` has not four axes.

    Source:
        Own arithmetic: means of means, judges of equal weight.
    """
    if totals.ndim != 4:  # noqa: PLR2004 - four axes
        raise ValueError(f"totals must have shape (A, I, J, R), got {totals.shape}")
    return nan_mean(nan_mean(totals, axis=3), axis=2)


def counts(totals: FloatArray) -> IntArray:
    """How many judgments stand behind each cell, judges and repeats together.

    Args:
        totals: Shape (A, I, J, R), NaN where nothing was scored.

    Returns:
        Shape (A, I), 0 for a cell without a scored judgment.
    """
    return np.asarray(np.isfinite(totals).sum(axis=(2, 3)), dtype=np.int64)


LEAST_JUDGMENTS = 3
"""Scored judgments from which a cell has a median: of two it is their mean once more."""


def cell_medians(judgments: FloatArray) -> FloatArray:
    """Median of the judgments of each cell, judges and repeats together.

    It stands beside the mean of `cells`: one judgment far off moves it little.

    Args:
        judgments: Shape (A, I, …, R), scale points, NaN where nothing was scored.

    Returns:
        Shape (A, I, …); NaN for a cell with fewer than `LEAST_JUDGMENTS` scored judgments.

    Source:
        The sample median, the mean of the two in the middle where their number is even.

    >>> cell_medians(np.array([[[9.0, 3, 8, np.nan], [9, 8, np.nan, np.nan]]]))
    array([[ 8., nan]])
    """
    if judgments.shape[-1] < LEAST_JUDGMENTS:
        return np.full(judgments.shape[:-1], np.nan)
    there = np.isfinite(judgments)
    n = there.sum(axis=-1, keepdims=True)
    ranked = np.sort(np.where(there, judgments, np.inf), axis=-1)
    lower = np.take_along_axis(ranked, np.maximum(n - 1, 0) // 2, axis=-1)
    upper = np.take_along_axis(ranked, np.minimum(n // 2, ranked.shape[-1] - 1), axis=-1)
    middle = np.where(n >= LEAST_JUDGMENTS, (lower + upper) / 2, np.nan)
    return np.asarray(middle[..., 0], dtype=np.float64)


def lattice_step(marks: FloatArray, *, scale_step: float) -> float:
    """Step of the lattice that the judge really uses: often 5 on a scale of 0–100.

    The step feeds the rounding floor of variances (step²/12 a judgment). Passing
    the step of the marks for totals, which are finer, is on the safe side.

    Args:
        marks: Any shape, scale points, NaN where there is no mark.
        scale_step: The step that the rubric allows, > 0.

    Returns:
        The greatest common divisor of all gaps between marks, never below
        `scale_step`; `scale_step` where fewer than ten marks or fewer than three
        different ones were given: a few marks say nothing about a habit.

    Raises:
        ValueError: `scale_step` is not a number above 0.

    >>> lattice_step(np.array([60.0, 85, 90, 75, 95, 70, 80, 85, 90, 60]), scale_step=1)
    5.0
    """
    if not (isfinite(scale_step) and scale_step > 0):
        raise ValueError(f"the step must be above 0, got {scale_step}")
    used = marks[np.isfinite(marks)]
    levels = np.unique(used)
    if used.size < 10 or levels.size < 3:  # noqa: PLR2004 - see Returns
        return float(scale_step)
    gaps = [Fraction(float(g)).limit_denominator(_MAX_DENOMINATOR) for g in np.diff(levels)]
    unit = lcm(*(gap.denominator for gap in gaps))
    step = Fraction(gcd(*(int(gap * unit) for gap in gaps)), unit)
    return max(float(step), float(scale_step))
