"""Spans between two levels of a unit, and how much of them covers both of two others.

A span covers a level that lies inside wholly, one at its end by half. Units of one
pass weigh alike however many marks they hold: a span weighs 1/(m − 1).
"""

from collections.abc import Iterator
from math import lcm

import numpy as np

from judgebench.stats.agreement.rows import UNITS, Rows
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray

_SMALL = 2**16
_FEW_RATERS = 12
"""Up to here all weights are whole parts of one number of five digits."""
_DENSE = 8
"""Places in a table for each mark that it is made from."""


def pairs(levels: IntArray) -> Iterator[tuple[IntArray, IntArray]]:
    """Each two levels of every unit, the lower first: a shape (K, U) at a time.

    Levels may be equal, and the higher may stand for none.
    """
    for apart in range(1, levels.shape[0]):
        yield levels[:-apart], levels[apart:]


class Table:
    """Spans counted by their ends; a table of levels, of which the last stands for none."""

    def __init__(self, rows: Rows, ranks: FloatArray) -> None:
        """Count the spans of the units.

        Args:
            rows: The units.
            ranks: Shape (V + 1,), the rank of each level.
        """
        base = self._base = rows.values.size + 1
        spans, each = _by_ends(rows, base)
        spans.flat[:: base + 1] = 0
        spans[-1] = 0
        begun, ended = np.add.reduce(spans, axis=0), np.add.reduce(spans, axis=1)
        weights = spans.astype(np.float64)
        self.twice = each * _twice(begun, ended)
        self.pull = each * ((begun + ended) * ranks - weights.dot(ranks) - ranks.dot(weights))
        self.once = _once(self.twice, self.pull)
        # From below up to the lower level, then from above down to the upper: whole
        # spans twice, those that end on a level once.
        sums = spans.cumsum().reshape(base, base)
        sums[1:] -= sums[:-1, -1:].copy()
        sums += sums
        sums -= spans
        spans = np.ascontiguousarray(sums.T)
        sums = spans.cumsum().reshape(base, base)
        ends = sums[:, -1:].copy()
        np.subtract(ends, sums, out=sums)
        sums += sums
        sums += spans
        covering = sums * (each / 4)
        covering.flat[:: base + 1] = self.twice
        self._covering = covering.ravel()

    def both(self, lower: IntArray, upper: IntArray) -> FloatArray:
        """Weight of the spans that cover two levels, by how much of each.

        Args:
            lower: Levels.
            upper: As many, none of them below.

        Returns:
            As many; 0 for a level with none.
        """
        places = lower * self._base
        places += upper
        return self._covering.take(places)


def _by_ends(rows: Rows, base: int) -> tuple[IntArray | FloatArray, float]:
    """Shape (V + 1, V + 1), the upper end in the row; and the weight of one that is counted.

    Whole numbers where possible, for their sums take a tenth of the time.
    """
    raters = rows.levels.shape[0]
    common = lcm(*range(1, raters)) if raters <= _FEW_RATERS else 1
    weights = None if rows.there is None else common / (rows.m - 1)
    spans = np.zeros(base * base, dtype=np.int64 if weights is None else np.float64)
    # A table as large as this is not gone through for a few spans.
    size = max(UNITS, base * base)
    for start in range(0, rows.m.size, size):
        part = slice(start, start + size)
        # All of them counted at once: the table is gone through once.
        of = np.concatenate([high * base + low for low, high in pairs(rows.levels[:, part])])
        each = None if weights is None else np.broadcast_to(weights[part], of.shape).ravel()
        spans += np.bincount(of.ravel(), each, minlength=base * base)
    square = (base, base)
    if weights is None:
        return np.asarray(spans, dtype=np.int64).reshape(square), 1 / (raters - 1)
    if raters <= _FEW_RATERS:
        return np.asarray(np.rint(spans), dtype=np.int64).reshape(square), 1 / common
    return np.asarray(spans, dtype=np.float64).reshape(square), 1 / common


class Order:
    """The same where levels are many: a wavelet matrix.

    Spans stand by their lower end and are parted by one bit of the upper at a time.
    """

    def __init__(self, rows: Rows, ranks: FloatArray) -> None:
        """Sort the spans of the units; arguments as those of a `Table`."""
        self._levels = rows.values.size
        low, high, weights = self._spans(rows)
        begun, ended = (np.bincount(x, weights, minlength=self._levels + 1) for x in (low, high))
        self.twice = _twice(begun, ended)
        gaps = weights * (ranks.take(high) - ranks.take(low))
        came, went = (np.bincount(x, gaps, minlength=self._levels + 1) for x in (high, low))
        self.pull: FloatArray = np.asarray(came - went, dtype=np.float64)
        self.once = _once(self.twice, self.pull)
        order = np.argsort(low, kind="stable")
        high, weights = high[order], weights[order]
        self._begun = _counted(np.bincount(low, minlength=self._levels))
        self._layers: list[tuple[int, IntArray, FloatArray]] = []
        for bit in reversed(range((self._levels - 1).bit_length())):
            one = _bit(high, bit)
            self._layers.append((bit, _counted(~one), _weighed(np.where(one, weights, 0.0))))
            order = np.concatenate([np.flatnonzero(~one), np.flatnonzero(one)])
            high, weights = high[order], weights[order]
        self._last = _weighed(weights)

    def _spans(self, rows: Rows) -> tuple[IntArray, IntArray, FloatArray]:
        """Ends and weights of the spans that cover anything."""
        weights = 1 / (rows.m - 1)
        found = []
        for low, high in pairs(rows.levels):
            wide = (low < high) & (high < self._levels)
            found.append((low[wide], high[wide], np.broadcast_to(weights, low.shape)[wide]))
        low, high, each = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return low, high, each

    def both(self, lower: IntArray, upper: IntArray) -> FloatArray:
        """As that of a `Table`."""
        apart = (lower < upper) & (upper < self._levels)
        found = np.zeros(lower.shape)
        low, high = lower[apart], upper[apart]
        # Half of those that begin at the lower level itself.
        without, included = (self._above(self._begun[low + more], high) for more in (0, 1))
        found[apart] = (without + included) / 2
        same = lower == upper
        found[same] = self.twice[lower[same]]
        return found

    def _above(self, stop: IntArray, level: IntArray) -> FloatArray:
        """Of the first so many spans, the weight of those that end above, half of those on it."""
        start, total = np.zeros_like(stop), np.zeros(stop.size)
        for bit, zeros, weights in self._layers:
            one = _bit(level, bit)
            total += np.where(one, 0.0, weights[stop] - weights[start])
            start, stop = _parted(one, zeros, start), _parted(one, zeros, stop)
        return np.asarray(total + (self._last[stop] - self._last[start]) / 2, dtype=np.float64)


def spans(rows: Rows, ranks: FloatArray) -> Table | Order:
    """Spans of the units, in whichever form is the quicker; arguments as those of a `Table`."""
    if (rows.values.size + 1) ** 2 <= max(_SMALL, _DENSE * rows.levels.size):
        return Table(rows, ranks)
    return Order(rows, ranks)


def _twice(begun: FloatArray | IntArray, ended: FloatArray | IntArray) -> FloatArray:
    """Weight of the spans on each level, by the square of how much each covers it."""
    # Inside: begun below, and not yet ended; an end counts a quarter.
    return np.asarray(np.cumsum(begun - ended) - 0.75 * begun + 0.25 * ended, dtype=np.float64)


def _once(twice: FloatArray, pull: FloatArray) -> FloatArray:
    """What D_o changes by where a step at each level is taken from the ranks."""
    found = 2 * pull.cumsum() - pull
    found += twice
    found[-1] = 0
    return np.asarray(found, dtype=np.float64)


def _bit(values: IntArray, bit: int) -> BoolArray:
    return np.asarray(values >> bit & 1, dtype=np.bool_)


def _parted(one: BoolArray, zeros: IntArray, place: IntArray) -> IntArray:
    """Where a place comes to lie when those with a 0 stand before those with a 1."""
    before = zeros[place]
    return np.where(one, zeros[-1] + place - before, before)


def _counted(values: IntArray | BoolArray) -> IntArray:
    """How many stand before each place, and in all."""
    return np.concatenate([[0], np.cumsum(values)])


def _weighed(values: FloatArray) -> FloatArray:
    """What they weigh before each place, and in all."""
    return np.concatenate([[0.0], np.cumsum(values)])
