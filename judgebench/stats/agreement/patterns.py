"""α of units that are each an item, from the patterns of marks that they hold."""

from functools import lru_cache

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.records import dataclass
from judgebench.stats.agreement.leaving import (
    Metric,
    deltas,
    ends,
    parts_of_ranks,
    parts_of_table,
    ratios,
)
from judgebench.stats.agreement.rows import ascending
from judgebench.stats.agreement.shared import no_variation, whole, without_interval
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray, settled
from judgebench.stats.levels import LEAST_ITEMS, too_few_items

_FEW = 64
"""Different marks up to which patterns are looked for."""
_EXACT = 2**53
_AT_ONCE = 2**15
_SPARSE = 32
"""Places in a table for each key that is counted in it."""
_MOST_HELD = 2**22
"""Counts held at once."""
_MOST_KNOWN = 2**12
"""Keys whose counts are kept from one call to the next."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Patterns:
    """Units that hold the same marks, whoever gave them: α knows no more of them."""

    values: FloatArray
    """Shape (V,), the different marks, ascending."""
    held: FloatArray
    """Shape (P, V), how often a pattern holds each; two marks or more."""
    times: FloatArray
    """Shape (P,), units of each pattern."""


def patterns(marks: FloatArray) -> Patterns | None:
    """Patterns of the units with two or more marks.

    Args:
        marks: Shape (U, J), scale points, NaN where a rater gave no mark.

    Returns:
        The patterns; None without units, or where marks differ too much.
    """
    if not marks.size:
        return None
    values = _whole(marks)
    if values is None and np.isinf(marks).any():
        # An infinite mark counts as none, here as elsewhere.
        marks = np.where(np.isfinite(marks), marks, np.nan)
        values = _whole(marks)
    keys = None if values is None else _keys(marks, values)
    if keys is None and not _many(marks[: 4 * _FEW]):
        values = _different(marks)
        keys = None if values is None else _keys(marks, values)
    if values is None or keys is None:
        return None
    base, raters = values.size + 1, marks.shape[1]
    found, times = _counted(keys, base**raters)
    if found.size * base > _MOST_HELD:
        return None
    if base**raters <= _MOST_KNOWN:
        every, two = _known(base, raters)
        held, paired = every.take(found, axis=0), two[found]
    else:
        held, paired = _held_by(found, base, raters)
    if not paired.all():
        held, times = held[paired], times[paired]
    return _used(values, held, times)


def _held_by(keys: IntArray, base: int, raters: int) -> tuple[FloatArray, BoolArray]:
    """How often each key holds each value, and whether it holds two marks or more."""
    places = keys[:, None] // base ** np.arange(raters) % base
    # What a rater did not mark stands last, so two marks or more begin with two.
    paired = (places[:, :2] < base - 1).all(axis=1)
    places += base * np.arange(keys.size)[:, None]
    held = np.bincount(places.ravel(), minlength=base * keys.size).reshape(-1, base)[:, :-1]
    return held.astype(np.float64), np.asarray(paired, dtype=np.bool_)


@lru_cache(maxsize=4)
def _known(base: int, raters: int) -> tuple[FloatArray, BoolArray]:
    """The same of every key there is, so that a short scale is spelled out once."""
    return _held_by(np.arange(base**raters), base, raters)


def _used(values: FloatArray, held: FloatArray, times: FloatArray) -> Patterns:
    """Patterns without the values that none of them holds."""
    there = times.dot(held) > 0
    if not there.all():
        values, held = values[there], held[:, there]
    return Patterns(values=values, held=held, times=times)


def _keys(marks: FloatArray, values: FloatArray) -> IntArray | None:
    """The marks of each unit, ascending, as the digits of one number; None where too long."""
    units, raters = marks.shape
    base = values.size + 1
    if raters < 2 or base**raters > _EXACT:  # noqa: PLR2004 - nothing to pair
        return None
    powers, short = _powers(base, raters), base**raters <= _MOST_KNOWN
    keys = np.empty(units)
    # Some rows at a time: what fits the cache costs no new memory.
    size = max(1, _AT_ONCE // raters)
    for start in range(0, units, size):
        codes = _codes_of(marks[start : start + size], values)
        if codes is None:
            return None
        columns = codes.T if short else ascending(np.ascontiguousarray(codes.T))
        powers.dot(columns, out=keys[start : start + size])
    found = keys.astype(np.int64)
    return _ordered(base, raters)[found] if short else found


@lru_cache(maxsize=4)
def _ordered(base: int, raters: int) -> IntArray:
    """The key of the same digits, ascending, for every key there is."""
    powers = base ** np.arange(raters)
    digits = np.arange(base**raters)[:, None] // powers % base
    return np.asarray(np.sort(digits, axis=1) @ powers, dtype=np.int64)


@lru_cache(maxsize=16)
def _powers(base: int, raters: int) -> FloatArray:
    return np.asarray(float(base) ** np.arange(raters), dtype=np.float64)


def _counted(keys: IntArray, below: int) -> tuple[IntArray, FloatArray]:
    """Different keys, which are below `below`, and how often each is there."""
    if below <= _SPARSE * (keys.size + _SPARSE):
        table = np.bincount(keys)
        found = (table > 0).nonzero()[0]
        return found, table[found].astype(np.float64)
    found, times = np.unique(keys, return_counts=True)
    return found, times.astype(np.float64)


def _whole(marks: FloatArray) -> FloatArray | None:
    """All values one apart from the lowest mark to the highest; None if many."""
    low, high = float(np.fmin.reduce(marks, axis=None)), float(np.fmax.reduce(marks, axis=None))
    return low + np.arange(high - low + 1) if high - low < _FEW else None


def _many(some: FloatArray) -> bool:
    """Whether some marks show that the levels are far apart, or too many."""
    there = some[np.isfinite(some)]
    return whole(there) or np.unique(settled(there)).size > _FEW


def _different(marks: FloatArray) -> FloatArray | None:
    """The different marks; None if many."""
    found = np.unique(settled(marks[np.isfinite(marks)]))
    return found if 0 < found.size <= _FEW else None


def _codes_of(marks: FloatArray, values: FloatArray) -> FloatArray | None:
    """Place of each mark among `values`, V where there is none; None where one is no value."""
    apart = marks - values[0]
    there = None
    if values[-1] - values[0] == values.size - 1:
        if whole(apart):
            return np.asarray(apart, dtype=np.float64)
        there = np.isfinite(marks)
        apart = np.where(there, apart, float(values.size))
        if whole(apart):
            return np.asarray(apart, dtype=np.float64)
    there = np.isfinite(marks) if there is None else there
    given = settled(marks[there])
    found = np.minimum(np.searchsorted(values, given), values.size - 1)
    if (values[found] != given).any():
        return None
    codes = np.full(marks.shape, float(values.size))
    codes[there] = found
    return codes


def alpha_of_patterns(found: Patterns, metric: Metric) -> Estimate | Refusal:
    """As `alpha` of units that are each an item.

    Args:
        found: Patterns of the units.
        metric: As `alpha`.

    Returns:
        As `alpha`, with the same refusals.
    """
    held, times, values = found.held, found.times, found.values
    n = int(times.sum())
    refused = too_few_items("alpha", n)
    if refused is not None:
        return refused
    if values.size < 2:  # noqa: PLR2004 - one value does not vary
        return no_variation("alpha")
    if metric == "ordinal":
        parts = parts_of_ranks(held, times)
    else:
        parts = parts_of_table(held, deltas(values, metric), times)
    value = 1 - parts.observed / parts.expected
    left = None if n < LEAST_ITEMS["alpha_interval"] or value >= 1 else ratios(parts)
    found_ends = None if left is None else ends(left, times, value)
    if found_ends is None:
        return Estimate(value=value, n=n, no_interval=without_interval(n))
    low, high = found_ends
    return Estimate(value=value, n=n, low=low, high=high, kind="jackknife")
