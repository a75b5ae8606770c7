"""Marks as levels: each unit's own in order, whoever gave them, without a column a level."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import isfinite
from typing import TypeVar

import numpy as np

from judgebench.stats.agreement.shared import over_raters, whole
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray, settled

_SHORT = 1024
"""Whole marks that lie less far apart are levels as they stand."""
_FEW_RATERS = 8
UNITS = 2**12
"""Units at once: what fits the cache costs no new memory."""
Number = TypeVar("Number", IntArray, FloatArray)
Block = tuple[FloatArray, BoolArray | None]
"""Marks of some units, shape (J, U), whatever where there is none; and where there is one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Given:
    """Marks of the units with two or more."""

    marks: FloatArray
    """Shape (U', J), of all units; NaN where there is none."""
    paired: BoolArray | None
    """Shape (U',), units with two or more marks; None where all of them."""
    m: FloatArray
    """Shape (U,), marks of each unit with two or more."""
    gaps: bool
    whole: bool
    """Every mark is a whole number."""
    low: float
    high: float

    def blocks(self) -> Iterator[Block]:
        """Units with two or more marks, some at a time, on a lattice of 1e-9."""
        for start in range(0, self.marks.shape[0], UNITS):
            part = self.marks[start : start + UNITS]
            if self.paired is not None:
                part = part[self.paired[start : start + UNITS]]
            x, there = np.ascontiguousarray(part.T), None
            if self.gaps:
                there = np.isfinite(x)
                # A gap takes the place of a mark that is there.
                x = np.where(there, x, self.low)
            yield (x if self.whole else settled(x)), there


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


def given(marks: FloatArray) -> Given | None:
    """Read marks.

    Args:
        marks: Shape (U, J), scale points; NaN or infinite counts as no mark.

    Returns:
        The marks; None where no unit has two.
    """
    units, raters = marks.shape
    if not units or raters < 2:  # noqa: PLR2004 - two make a pair
        return None
    low, high = float(marks.min()), float(marks.max())
    if isfinite(low) and isfinite(high):
        m, paired = np.full(units, float(raters)), None
    else:
        if np.isinf(marks).any():
            marks = np.where(np.isfinite(marks), marks, np.nan)
        m = _counted(marks)
        two = m > 1
        paired = None if two.all() else two
        usable = marks if paired is None else marks[paired]
        if not usable.size:
            return None
        m = m if paired is None else m[paired]
        low, high = (
            float(np.fmin.reduce(usable, axis=None)),
            float(np.fmax.reduce(usable, axis=None)),
        )
    gaps = bool(m.min() < raters)
    found = Given(marks=marks, paired=paired, m=m, gaps=gaps, whole=True, low=low, high=high)
    if all(whole(x) for x, _ in found.blocks()):
        return found
    low, high = (float(end) for end in settled(np.array([low, high])))
    return replace(found, whole=False, low=low, high=high)


def _counted(marks: FloatArray) -> FloatArray:
    """Marks of each unit."""
    found = np.empty(marks.shape[0])
    for start in range(0, found.size, UNITS):
        part = np.isfinite(np.ascontiguousarray(marks[start : start + UNITS].T))
        found[start : start + UNITS] = over_raters(part)
    return found


def rows(found: Given) -> Rows:
    """Levels of marks, those of each unit in order."""
    short = found.whole and found.high - found.low < _SHORT
    if short:
        values = found.low + np.arange(found.high - found.low + 1)
    else:
        values = np.unique(np.concatenate([_there(*block) for block in found.blocks()]))
    none, units, at = values.size, found.m.size, 0
    levels = np.empty((found.marks.shape[1], units), dtype=np.int64)
    there = np.empty(levels.shape, dtype=np.bool_) if found.gaps else None
    counts = np.zeros(none + 1)
    for x, given_ in found.blocks():
        part = slice(at, at + x.shape[1])
        at += x.shape[1]
        mine = np.asarray(x - found.low if short else values.searchsorted(x), dtype=np.int64)
        if given_ is not None:
            mine[~given_] = none
        levels[:, part] = mine = ascending(mine)
        counts += np.bincount(mine.ravel(), minlength=none + 1)
        if there is not None:
            np.less(mine, none, out=there[:, part])
    counts[none] = 0
    return Rows(
        values=values, levels=levels, there=there, m=found.m, counts=counts,
        n=float(found.m.sum()),
    )  # fmt: skip


def _there(x: FloatArray, there: BoolArray | None) -> FloatArray:
    return x.ravel() if there is None else x[there]


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
