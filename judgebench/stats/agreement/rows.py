"""Marks as levels: each unit's own in order, whoever gave them, without a column a level."""

from collections.abc import Iterable
from math import inf, isfinite, nextafter
from typing import TypeVar

import numpy as np

from judgebench.records import dataclass
from judgebench.stats.agreement.shared import over_raters, whole
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray, settled

_SHORT = 1024
"""Whole marks that lie less far apart are levels as they stand."""
_EXACT = 2.0**52
_FEW_RATERS = 8
UNITS = 2**12
"""Units at once: what fits the cache costs no new memory."""
Number = TypeVar("Number", IntArray, FloatArray)
Block = tuple[FloatArray, BoolArray | None]
"""Marks of some units, shape (J, U), whatever where there is none; and where there is one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Given:
    """Marks of the units with two or more, on a lattice of 1e-9."""

    blocks: tuple[Block, ...]
    """The units, some at a time; a gap holds a value above every mark."""
    paired: BoolArray | None
    """Shape (U',), of all units those with two or more marks; None where all of them."""
    m: FloatArray
    """Shape (U,), marks of each unit with two or more."""
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
    paired, m = None, np.full(units, float(raters))
    # Each block as a rater's marks in a row: what fits the cache is soon turned.
    # A copy always, for gaps are filled: marks that stand by rater would else be those given.
    turned = (np.array(marks[at : at + UNITS].T, order="C") for at in range(0, units, UNITS))
    if isfinite(low) and isfinite(high):
        blocks: list[Block] = [(x, None) for x in turned]
    else:
        blocks, m = _with_gaps(turned)
        if not blocks:
            return None
        paired = m > 1
        m, paired = (m, None) if paired.all() else (m[paired], paired)
        low = min(float(np.fmin.reduce(x, axis=None)) for x, _ in blocks)
        high = max(float(np.fmax.reduce(x, axis=None)) for x, _ in blocks)
        _fill(blocks, high)
    integral = all(whole(x) for x, _ in blocks)
    if not integral:
        blocks = [(settled(x), there) for x, there in blocks]
        low, high = (float(end) for end in settled(np.array([low, high])))
        _fill(blocks, high)
    return Given(
        blocks=tuple(blocks), paired=paired, m=m, whole=integral, low=low, high=high
    )  # fmt: skip


def _with_gaps(turned: Iterable[FloatArray]) -> tuple[list[Block], FloatArray]:
    """Units with two or more marks, NaN where one is missing; and the marks of every unit."""
    blocks: list[Block] = []
    counts = []
    for marks in turned:
        x, there = marks, np.isfinite(marks)
        m = over_raters(there)
        counts.append(m)
        two = (m > 1).nonzero()[0]
        if two.size < m.size:
            x, there = x.take(two, axis=1), there.take(two, axis=1)
        if x.size:
            np.copyto(x, np.nan, where=np.isinf(x))
            blocks.append((x, there))
    return blocks, np.concatenate(counts)


def _fill(blocks: list[Block], high: float) -> None:
    """Put a value above every mark where there is none."""
    above = max(high + 1, nextafter(high, inf))
    for x, there in blocks:
        if there is not None:
            np.copyto(x, above, where=~there)


def rows(found: Given) -> Rows:
    """Levels of marks, those of each unit in order."""
    # Beyond these a whole number and the next are one.
    short = found.whole and found.high - found.low < _SHORT and max(-found.low, found.high) < _EXACT
    if short:
        values = found.low + np.arange(found.high - found.low + 1)
    else:
        values = np.unique(np.concatenate([_there(*block) for block in found.blocks]))
    none, units, at = values.size, found.m.size, 0
    levels = np.empty((found.blocks[0][0].shape[0], units), dtype=np.int64)
    gaps = any(there is not None for _, there in found.blocks)
    there = np.empty(levels.shape, dtype=np.bool_) if gaps else None
    counts = np.zeros(none + 1)
    for x, _ in found.blocks:
        part = slice(at, at + x.shape[1])
        at += x.shape[1]
        # A gap lies above every mark, so its level is that of none.
        mine = np.asarray(x - found.low if short else values.searchsorted(x), dtype=np.int64)
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
