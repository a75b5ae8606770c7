"""Marks as levels: each unit's own in order, whoever gave them, without a column a level."""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from judgebench.stats.agreement.shared import ones, whole
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray, settled

_SHORT = 1024
"""Whole marks that lie less far apart are levels as they stand."""
_FEW_RATERS = 8
Number = TypeVar("Number", IntArray, FloatArray)


@dataclass(frozen=True, kw_only=True, slots=True)
class Given:
    """Marks of the units with two or more."""

    x: FloatArray
    """Shape (J, U), on a lattice of 1e-9; whatever where there is none."""
    there: BoolArray | None
    """Where there is a mark; None where everywhere."""
    m: FloatArray
    """Shape (U,), marks of each unit."""
    whole: bool
    """Every mark is a whole number."""
    low: float
    high: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Rows:
    """Units as levels, ascending."""

    values: FloatArray
    """Shape (V,), the marks of the levels, ascending; some may be unused."""
    levels: IntArray
    """Shape (J, U), levels of each unit, lowest first; V where there is none."""
    there: BoolArray | None
    """Where there is a level; None where everywhere."""
    m: FloatArray
    """Shape (U,), marks of each unit."""
    counts: FloatArray
    """Shape (V + 1,), how often each level is there; 0 for none."""
    n: float
    """Marks of all units."""


def given(marks: FloatArray) -> tuple[Given | None, BoolArray | None]:
    """Read marks.

    Args:
        marks: Shape (U, J), scale points; NaN or infinite counts as no mark.

    Returns:
        The marks, None where no unit has two; and which units they are of, None for all.
    """
    x = np.ascontiguousarray(marks.T)
    low, high = (float(x.min()), float(x.max())) if x.size else (np.nan, np.nan)
    there, kept = None, None
    raters = x.shape[0]
    m = np.full(x.shape[1], float(raters))
    if not np.isfinite(high - low) or raters < 2:  # noqa: PLR2004 - two make a pair
        there = np.isfinite(x)
        m = ones(raters).dot(there)
        paired = m > 1
        if not paired.all():
            places, kept = np.flatnonzero(paired), paired
            x, there, m = x.take(places, axis=1), there.take(places, axis=1), m[places]
        if not m.size:
            return None, kept
        # A gap takes the place of a mark that is there.
        some = float(x[:, 0][there[:, 0]][0])
        x = np.where(there, x, some)
        low, high = float(x.min()), float(x.max())
    lattice = whole(x)
    if not lattice:
        x = settled(x)
        low, high = float(x.min()), float(x.max())
    return Given(x=x, there=there, m=m, whole=lattice, low=low, high=high), kept


def rows(found: Given) -> Rows:
    """Levels of marks, those of each unit in order."""
    x, there = found.x, found.there
    if found.whole and found.high - found.low < _SHORT:
        values = found.low + np.arange(found.high - found.low + 1)
        levels = (x - found.low).astype(np.int64)
    else:
        values, flat = np.unique(x, return_inverse=True)
        levels = flat.reshape(x.shape).astype(np.int64, copy=False)
    if there is not None:
        levels[~there] = values.size
    levels = ascending(levels)
    counts = np.bincount(levels.ravel(), minlength=values.size + 1).astype(np.float64)
    counts[values.size] = 0
    return Rows(
        values=values,
        levels=levels,
        there=None if there is None else levels < values.size,
        m=found.m,
        counts=counts,
        n=float(found.m.sum()),
    )


def ascending(columns: Number) -> Number:
    """Put each unit's own in order.

    Neighbours change places, all units at once, as often as there are raters: a sort of
    rows as short as these would go row by row.

    Args:
        columns: Shape (J, U), contiguous; changed in place where raters are few.

    Returns:
        The same, ascending along the first axis.
    """
    if columns.shape[0] > _FEW_RATERS:
        columns.sort(axis=0)
        return columns
    for turn in range(columns.shape[0]):
        for upper in range(1 + turn % 2, columns.shape[0], 2):
            pair = columns[upper - 1], columns[upper]
            least = np.minimum(*pair)
            np.maximum(*pair, out=pair[1])
            pair[0][:] = least
    return columns
