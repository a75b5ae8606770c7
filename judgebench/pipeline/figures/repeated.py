"""Comparisons of two arms that were made more often than others of the item: one voice each.

Judgings of one rater are averaged first, then raters, then what an arm met: whom, in which
order. So a comparison that was repeated weighs no more than one that was made once.
"""

from dataclasses import field

import numpy as np

from judgebench.records import dataclass
from judgebench.stats.arrays import FloatArray, IntArray


@dataclass(frozen=True, kw_only=True)
class Repeated:
    """What the comparisons of each cell are of, shape (A, I, R); −1 where there is none.

    Args:
        met: Code of two arms in one order, on an item.
        by: Code of these and the rater.
    """

    met: IntArray = field(repr=False)
    by: IntArray = field(repr=False)

    def mean(self, values: FloatArray) -> FloatArray:
        """Mean of each cell, shape (A, I), of values of shape (A, I, R); NaN is none."""
        arms, items, _ = values.shape
        found = np.isfinite(values) & (self.met >= 0)
        cell = np.broadcast_to(np.arange(arms * items).reshape(arms, items, 1), values.shape)[found]
        value = values[found]
        levels = np.stack([self.by[found], self.met[found]])
        for level in (0, 1):
            width = int(levels[level].max(initial=0)) + 1
            _, at, place = np.unique(
                cell * width + levels[level], return_index=True, return_inverse=True
            )  # fmt: skip
            value = np.bincount(place, weights=value) / np.bincount(place)
            cell, levels = cell[at], levels[:, at]
        out = np.full(arms * items, np.nan)
        n = np.bincount(cell, minlength=out.size)
        sums = np.bincount(cell, weights=value, minlength=out.size)
        out[n > 0] = sums[n > 0] / n[n > 0]
        return out.reshape(arms, items)


def once(*codes: IntArray) -> IntArray:
    """Places of rows of which each is the first of its kind, ascending."""
    if not codes[0].size:
        return np.zeros(0, dtype=np.int64)
    return np.sort(np.unique(np.stack(codes), axis=1, return_index=True)[1])


def kinds(*codes: IntArray) -> IntArray:
    """One code of several, from 0 without gaps."""
    if not codes[0].size:
        return np.zeros(0, dtype=np.int64)
    return np.unique(np.stack(codes), axis=1, return_inverse=True)[1].reshape(-1)


def repeats(met: IntArray, by: IntArray) -> IntArray:
    """How many comparisons share the voice of each: repeats of its rater, times raters.

    Args:
        met: Shape (V,), code of its item, arms and order.
        by: Code of these and the rater.
    """
    return np.bincount(met[once(by)])[met] * np.bincount(by)[by]


def uneven(item: IntArray, met: IntArray, by: IntArray) -> bool:
    """Whether some comparison of an item counts less than another, once repeats are averaged.

    Args:
        item: Shape (V,), item of each comparison that counts.
        met: Code of its item, arms and order.
        by: Code of these and the rater.
    """
    if not item.size:
        return False
    weight = repeats(met, by)
    least, most = np.full(int(item.max()) + 1, weight.max()), np.zeros(int(item.max()) + 1)
    np.minimum.at(least, item, weight)
    np.maximum.at(most, item, weight)
    return bool((most > least).any())
