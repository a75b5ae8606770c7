"""α of units that are each an item, from the patterns of marks that they hold."""

from dataclasses import dataclass

import numpy as np

from judgebench.model import Estimate, Refusal
from judgebench.stats.agreement.leaving import (
    Metric,
    deltas,
    ends,
    parts_of_ranks,
    ratios,
)
from judgebench.stats.agreement.shared import no_variation
from judgebench.stats.arrays import FloatArray, IntArray, settled
from judgebench.stats.levels import LEAST_ITEMS, too_few_items

_FEW = 64
_EXACT = 2**53
_HALF = 2**13
_AT_ONCE = 2**15


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
    """Patterns of the units with two or more marks; None where values are too many."""
    raters = marks.shape[1]
    if not marks.size:
        return None
    base = raters + 1
    values = _values(marks)
    if values is None or base ** (values.size + 1) > _EXACT:
        return None
    # Marks of a unit become one number, of which digit v says how often it holds value v.
    powers = np.append(float(base) ** np.arange(values.size), 0.0)
    coded = np.empty(marks.shape[0])
    # Some rows at a time: what fits the cache costs no new memory. Clipping spares a
    # look at every code, all of which are in range.
    size = max(1, _AT_ONCE // raters)
    for start in range(0, coded.size, size):
        codes = _codes_of(marks[start : start + size], values)
        if codes is None:
            return None
        np.matmul(powers.take(codes, mode="clip"), np.ones(raters), out=coded[start : start + size])
    keys, times = _counted(coded, float(base) ** values.size)
    held = keys[:, None] // powers[:-1].astype(np.int64) % base
    usable = held.sum(axis=1) > 1
    held = held[usable].astype(np.float64)
    there = held.any(axis=0)
    return Patterns(
        values=np.asarray(values[there], dtype=np.float64),
        held=held[:, there],
        times=times[usable].astype(np.float64),
    )


def _counted(keys: FloatArray, below: float) -> tuple[IntArray, IntArray]:
    """Different keys, which are whole and below `below`, and how often each is there."""
    if below > _HALF**2 or keys.size < _HALF:
        found, times = np.unique(keys, return_counts=True)
        return found.astype(np.int64), times
    # Of each half there are few; a table over their pairs takes no sorting.
    upper = np.floor(keys / _HALF)
    halves = upper.astype(np.int64), (keys - upper * _HALF).astype(np.int64)
    known = [np.flatnonzero(np.bincount(half, minlength=1)) for half in halves]
    if known[0].size * known[1].size > _HALF**2 // 64:
        found, times = np.unique(keys, return_counts=True)
        return found.astype(np.int64), times
    place = np.zeros(_HALF, dtype=np.int64)
    place[known[0]] = np.arange(known[0].size) * known[1].size
    pairs = place.take(halves[0], mode="clip")
    place[known[1]] = np.arange(known[1].size)
    pairs += place.take(halves[1], mode="clip")
    times = np.bincount(pairs)
    there = np.flatnonzero(times)
    first, second = np.divmod(there, known[1].size)
    return known[0][first] * _HALF + known[1][second], times[there]


def _values(marks: FloatArray) -> FloatArray | None:
    """Different marks, or all whole numbers from the lowest to the highest, if few."""
    low, high = float(marks.min()), float(marks.max())
    if high - low < _FEW:
        whole = low + np.arange(high - low + 1)
        if _codes_of(marks[:_FEW], whole) is not None:
            return np.asarray(whole, dtype=np.float64)
    there = np.isfinite(marks)
    return np.unique(settled(marks[there])) if there.any() else None


def _codes_of(marks: FloatArray, values: FloatArray) -> IntArray | None:
    """Place of each mark among `values`, V where there is none; None where one is no value."""
    apart = marks - values[0]
    if values[-1] - values[0] == values.size - 1 and (np.rint(apart) == apart).all():
        return np.asarray(apart.astype(np.int64), dtype=np.int64)
    there = np.isfinite(marks)
    given = settled(marks[there])
    found = np.minimum(np.searchsorted(values, given), values.size - 1)
    if (values[found] != given).any():
        return None
    codes = np.full(marks.shape, values.size, dtype=np.int64)
    codes[there] = found
    return codes


def alpha_of_patterns(found: Patterns, metric: Metric) -> Estimate | Refusal:
    """As `alpha` of units that are each an item."""
    held, times, values = found.held, found.times, found.values
    n = int(times.sum())
    refused = too_few_items("alpha", n)
    if refused is not None:
        return refused
    if values.size < 2:  # noqa: PLR2004 - one value does not vary
        return no_variation("alpha")
    totals = times @ held
    if metric == "ordinal":
        delta = deltas(np.cumsum(totals) - (totals - 1) / 2, "interval")
    else:
        delta = deltas(values, metric)
    m = held.sum(axis=1)
    own = ((held @ delta) * held).sum(axis=1) / (m - 1)
    every, size = float(own @ times), float(totals.sum())
    expected = float(totals @ delta @ totals) / (size * (size - 1))
    if expected <= 0:
        return no_variation("alpha")
    value = 1 - every / size / expected
    if n < LEAST_ITEMS["alpha_interval"] or value >= 1:
        return Estimate(value=value, n=n)
    if metric == "ordinal":
        parts = parts_of_ranks(held, np.arange(m.size), m.size, times)
    else:
        gone, rest = totals - held, size - m
        parts = (every - own) / rest, ((gone @ delta) * gone).sum(axis=1) / (rest * (rest - 1))
    left = ratios(*parts)
    if left is None:
        return Estimate(value=value, n=n)
    low, high = ends(left, times, value)
    return Estimate(value=value, n=n, low=low, high=high, kind="jackknife")
