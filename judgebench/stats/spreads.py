"""How widely the differences of two arms spread, and what counts as one of them.

Spread is the standard deviation of the paired difference of one item, in scale
points; it already holds judge noise and rounding.
"""

from dataclasses import replace
from math import ceil, sqrt

import numpy as np

from judgebench.model.nouns import Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.records import dataclass
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray
from judgebench.stats.cr2 import Summed, cr2_variance, groups
from judgebench.stats.gaps import every_gap
from judgebench.stats.levels import LEAST_ITEMS, too_few_items

_CLOSE = 1e-9


@dataclass(frozen=True, kw_only=True, slots=True)
class Units:
    """What counts as one of many: an item, or a cluster of items.

    Args:
        size: Items a unit, on average: 1 where items are independent.
        df_share: Degrees of freedom of the spread over units − 1: below 1 where clusters
            are of different sizes.
    """

    size: float = 1.0
    df_share: float = 1.0

    def count(self, n: int) -> float:
        """Units that so many items are."""
        return n / self.size

    def df(self, n: int) -> float:
        """Degrees of freedom that so many items leave."""
        return self.df_share * (self.count(n) - 1)

    def least(self, units: int) -> int:
        """Items from which there are so many units."""
        return ceil(units * self.size - _CLOSE)


ITEMS = Units()
"""Every item is a unit."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Shape:
    """How the differences of a pair are spread, not only how widely."""

    d: FloatArray
    """Shape (N,), scale points; what each cluster adds to the mean, where these are the units."""
    floor: float = 0.0
    """The least variance that the test takes them to have, points²."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Spread:
    """The pair of arms whose difference spreads most among items."""

    sd: float
    """Not below the floor that rounding sets."""
    n: int
    first: int
    second: int
    once: float = 1.0
    """Mean of one over the judgments behind a cell: their mean is on a lattice so much finer."""
    shape: Shape | None = None
    units: Units = ITEMS
    measured: float | None = None
    """What the differences themselves spread, where that is below the floor; else None."""


def worst_spread(
    cells: FloatArray,
    reps: IntArray,
    *,
    step: float,
    clusters: IntArray | None = None,
    apart: BoolArray | None = None,
    of: IntArray | None = None,
    shares: bool = False,
) -> Spread | Refusal:
    """Spread of the pair of arms that is hardest to tell apart.

    Args:
        cells: Shape (A, I), scale points, NaN where an arm has no scored cell.
        reps: Shape (A, I), judgments behind each cell.
        step: Lattice of the marks.
        clusters: Shape (I,), the cluster of each item; None where items are independent.
        apart: Shape (A, A), pairs that are not held against each other, `Opponents.apart`.
        of: Shape (I,), the item of each column of `cells`, where a column is one person on an
            item; None where it is an item. The spread and its counts are of items.
        shares: Cells are shares of comparisons won. Differences on [−1, 1] of mean m spread by
            c·√(1 − m²): by c where arms are alike, which a plan is for. A pair that spreads no
            more than rounding would have it tells nothing of c.

    Returns:
        The pair with the largest spread over √N among those with three shared
        items, or clusters of them; of shares six. `Refusal` with ``too_few_arms``,
        ``too_few_items``, ``too_few_clusters`` or ``zero_spread``; ``no_variation`` where all
        cells are the same, whose spread would be the floor alone.

    Raises:
        ValueError: As `gaps.shared_differences`.

    Source:
        Our own choice of the pair, docs/statistics.md.
    """
    arms = [int(a) for a in np.flatnonzero(np.isfinite(cells).any(axis=1))]
    if len(arms) < 2:  # noqa: PLR2004 - a comparison needs two
        return Refusal(
            statistic="detectable", code=RefusalCode.TOO_FEW_ARMS.value, have=len(arms), need=2
        )
    gaps = every_gap(cells, reps, step=step, clusters=clusters).without(apart)
    name = "share_difference" if shares else "detectable"
    fit = (gaps.units >= LEAST_ITEMS[name]) & (gaps.se > 0)
    wider = np.ones(fit.size)
    if shares:
        fit &= ~gaps.floored & (np.abs(gaps.mean) < 1 - _CLOSE)
        wider = 1 / np.sqrt(1 - np.where(fit, gaps.mean, 0.0) ** 2)
    known = cells[np.isfinite(cells)]
    flat = Refusal(statistic="detectable", code=RefusalCode.NO_VARIATION.value, have=1, need=2)
    if not fit.any():
        if shares and np.ptp(known) == 0:
            return flat
        most, by = int(gaps.units.max()), clusters is not None
        return replace(
            too_few_items(name, most, clustered=by)
            or Refusal(statistic=name, code=RefusalCode.ZERO_SPREAD.value, have=0, need=1),
            statistic="detectable",
        )
    if np.ptp(known) == 0:
        return flat
    # The first of those that spread alike.
    at = int(np.argmax(np.where(fit, gaps.se * wider, 0.0)))
    a, b = int(gaps.first[at]), int(gaps.second[at])
    both = np.isfinite(cells[a]) & np.isfinite(cells[b])
    d, units, floor = cells[a][both] - cells[b][both], ITEMS, float(gaps.floor[at])
    measured = _unfloored(d, None if clusters is None else clusters[both])
    floored = bool(gaps.floored[at])
    if clusters is not None:
        count = int(gaps.units[at])
        units = Units(size=d.size / count, df_share=float(gaps.df[at]) / (count - 1))
        # What each cluster adds to the mean, as if clusters were averaged.
        d = _summed(d, clusters[both]).apart[0] / units.size
        floor /= units.size
    found = Spread(
        sd=float(gaps.sd[at] * wider[at]),
        n=int(gaps.n[at]),
        first=a,
        second=b,
        once=float((1 / reps[[a, b]][:, both]).mean()),
        shape=Shape(d=d.mean() + (d - d.mean()) * wider[at], floor=floor),
        units=units,
        measured=measured if floored else None,
    )
    return found if of is None else _of_items(found, int(np.unique(of[both]).size))


def _of_items(found: Spread, items: int) -> Spread:
    """The spread of columns as that of the items that they are of, whose mean is as uncertain."""
    each = found.n / items
    return replace(
        found,
        sd=found.sd / sqrt(each),
        n=items,
        once=found.once / each,
        units=replace(found.units, size=found.units.size / each),
        measured=None if found.measured is None else found.measured / sqrt(each),
    )


def _unfloored(d: FloatArray, clusters: IntArray | None) -> float:
    """Spread of differences as they are; of clusters, what independent items would spread by."""
    if clusters is None:
        return float(d.std(ddof=1))
    return float(sqrt(max(0.0, float(cr2_variance(_summed(d, clusters))[0]) * d.size)))


def _summed(d: FloatArray, clusters: IntArray) -> Summed:
    return groups(clusters).summed(d[None], np.ones((1, d.size), dtype=np.bool_))


def averaged_spread(
    s_d: float, noise: float, *, have: float, want: float, step: float
) -> float:  # fmt: skip
    """Spread of a paired difference when its noise is averaged over another number.

    Args:
        s_d: Spread as observed, scale points.
        noise: Variance of the difference within an item from one scoring (or one
            judge) to the next, points².
        have: Scorings (judges) that were averaged; may be a harmonic mean.
        want: Scorings (judges) that would be.
        step: Lattice of the marks; rounding leaves step²/12 a scoring.

    Returns:
        The spread, scale points; what more scorings cannot lower stays in it.

    Raises:
        ValueError: A number is out of range.

    Source:
        Cronbach et al. (1972): the noise enters a mean of r scorings as 1/r.
    """
    if not (s_d >= 0 and noise >= 0 and have > 0 and want > 0 and step > 0):
        raise ValueError(f"spread {s_d}, noise {noise}, have {have}, want {want}, step {step}")
    least = 2 * step**2 / 12 / want
    if abs(have - want) <= _CLOSE:
        return sqrt(max(s_d**2, least))
    # What is left of items is no less than nothing, whatever the sample shows.
    return sqrt(max(max(s_d**2 - noise / have, 0.0) + noise / want, least))
