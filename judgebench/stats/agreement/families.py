"""Which levels an item holds, and how often: of items that are one unit, or several."""

from collections.abc import Callable, Iterator

import numpy as np

from judgebench.records import dataclass
from judgebench.stats.agreement.rows import Rows
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, kw_only=True, slots=True)
class Within:
    """Each mark among those of its own item."""

    below: FloatArray
    """Shape (J, U), marks of the item below, and half of those on it; 0 where no mark is."""
    times: FloatArray
    """Shape (J, U), how often the item holds its level; 0 where no mark is."""

    def part(self, units: slice) -> "Within":
        """Of some units."""
        return Within(below=self.below[:, units].copy(), times=self.times[:, units])


@dataclass(frozen=True, kw_only=True, slots=True)
class Families:
    """Levels of items of one or several units, ascending by item and level."""

    item: IntArray
    """Shape (F,)."""
    level: IntArray
    times: FloatArray
    """How often the item holds it."""
    ends: IntArray
    """Shape (I,), where the next item begins."""

    def sums(self, of: Callable[[IntArray, IntArray], FloatArray], most: int | None) -> FloatArray:
        """Sum over each two different levels of an item, as often as it holds them.

        Args:
            of: A value of a level and a higher one.
            most: Items with more levels are left out; None for none of them.

        Returns:
            Shape (I,), 0 for those left out.
        """
        found = np.zeros(self.ends.size)
        first, apart = np.arange(self.item.size), 1
        if most is not None:
            first = np.flatnonzero(self._sizes()[self.item] <= most)
        while True:
            first = first[first + apart < self.ends[self.item[first]]]
            if not first.size:
                return found
            second = first + apart
            each = of(self.level[first], self.level[second])
            each *= self.times[first] * self.times[second]
            found += np.bincount(self.item[first], each, minlength=found.size)
            apart += 1

    def heavy(self, most: int) -> Iterator[tuple[int, slice]]:
        """Items with more than so many levels, and where these stand."""
        sizes = self._sizes()
        for item in np.flatnonzero(sizes > most):
            yield int(item), slice(int(self.ends[item] - sizes[item]), int(self.ends[item]))

    def _sizes(self) -> IntArray:
        return np.diff(self.ends, prepend=0)


def within_units(levels: IntArray, there: BoolArray | None) -> Within:
    """Each mark among those of its unit.

    Args:
        levels: Shape (J, U), as those of `Rows`.
        there: As that of `Rows`.
    """
    raters = levels.shape[0]
    place = np.arange(raters, dtype=np.float64)[:, None]
    same = levels[1:] == levels[:-1]
    first, last = np.empty(levels.shape), np.empty(levels.shape)
    first[:], last[:] = place, place
    for k in range(1, raters):
        np.copyto(first[k], first[k - 1], where=same[k - 1])
        np.copyto(last[-k - 1], last[-k], where=same[-k])
    times = last - first
    times += 1
    first += last
    first += 1
    first /= 2
    if there is not None:
        first *= there
        times *= there
    return Within(below=first, times=times)


def within_items(rows: Rows, item: IntArray) -> tuple[Within, Families]:
    """Each mark among those of its item.

    Args:
        rows: The units.
        item: Shape (U,), the item of each, counted from 0.

    Returns:
        Also the levels of each item.
    """
    levels, base = rows.levels, rows.values.size
    there = levels < base
    keys = (item * base + levels)[there]
    found, place, times = np.unique(keys, return_inverse=True, return_counts=True)
    of, level = found // base, found % base
    ends = np.searchsorted(of, np.arange(int(item.max()) + 1), side="right")
    sums = np.concatenate([[0], np.cumsum(times)])
    begun = sums[np.concatenate([[0], ends])[of]]
    below = sums[:-1] - begun + times / 2
    within = Within(below=np.zeros(levels.shape), times=np.zeros(levels.shape))
    within.below[there], within.times[there] = below[place], times[place]
    return within, Families(item=of, level=level, times=times.astype(np.float64), ends=ends)
