"""The same judge on the same cell again: how far a mark moves, how often an order turns.

Input has the repeats on its last axis; a cell of one judge is one row. Repeats
say nothing about other items. Calls that were cached or seed-pinned repeat
themselves without measuring anything: the caller must know that they were not.
"""

from math import exp, sqrt

import numpy as np

from judgebench.model.agreement import Noise
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.stats.arrays import TIE, BoolArray, FloatArray, IntArray
from judgebench.stats.intervals import item_share, t_quantile
from judgebench.stats.special import chdtri

MIN_DF = 10
MIN_PAIRS = 20
_MIN_ITEMS = 5


def rescoring_sd(
    scores: FloatArray, *, step: float, items: IntArray | None = None
) -> Noise | Refusal:
    """Pooled within-cell spread of repeated scorings.

    Args:
        scores: Shape (..., R), scale points; every row of R is one cell of one
            judge (and one criterion), NaN where it was not scored again.
        step: Lattice of the scores; the floor of the variance is step²/12.
        items: Shape (...,), the item of each cell, any integer codes; each cell is its
            own item where it is None. Cells of one item leave together.

    Returns:
        The spread with the item jackknife on its logarithm, never narrower than normal
        noise alone would have it; below five items with the chi-square interval, which
        takes noise for normal and equal everywhere. No interval where one item holds
        all of the spread. `Refusal` with ``too_few_repeats`` where the pooled degrees
        of freedom are below ten.

    Raises:
        ValueError: `step` is not above 0.

    Source:
        Bland & Altman (1996); ISO 5725. The interval is our own choice: a judge that
        repeats most marks and moves few is far from normal (docs/judge.md).
    """
    if not step > 0:
        raise ValueError(f"step must be above 0, got {step}")
    rows = scores.reshape(-1, scores.shape[-1])
    there = np.isfinite(rows)
    repeated = there.sum(axis=1) > 1
    rows, there = rows[repeated], there[repeated]
    r = there.sum(axis=1)
    df = int((r - 1).sum())
    if df < MIN_DF:
        return Refusal(
            statistic="repeatability",
            code=RefusalCode.TOO_FEW_REPEATS.value,
            have=df,
            need=MIN_DF,
        )
    values = np.where(there, rows, 0.0)
    means = values.sum(axis=1) / r
    squares = np.where(there, (values - means[:, None]) ** 2, 0.0).sum(axis=1)
    found, floor = float(squares.sum()) / df, step**2 / 12
    codes = np.arange(repeated.size) if items is None else items.ravel()
    sd = _spread(squares, r - 1, codes[repeated], floor)
    return Noise(
        sd=sd,
        df=df,
        limit=1.96 * sqrt(2) * sd.value,
        floored=found < floor,
        exact_share=_exact_share(rows, there),
    )


def _spread(squares: FloatArray, df: IntArray, items: IntArray, floor: float) -> Estimate:
    """Pooled sd of cells with their sums of squares, degrees of freedom and items."""
    total = int(df.sum())
    found = float(squares.sum()) / total
    value, cells = sqrt(max(found, floor)), int(df.size)
    normal = [value * sqrt(total / float(chdtri(total, tail))) for tail in (0.025, 0.975)]
    _, places = np.unique(items, return_inverse=True)
    by_item, dfs = np.bincount(places, weights=squares), np.bincount(places, weights=df)
    n = int(by_item.size)
    if n < _MIN_ITEMS or found <= TIE:
        return Estimate(value=value, n=cells, low=normal[0], high=normal[1], kind="chi-square")
    left = by_item.sum() - by_item
    if left.min() <= TIE * found:
        return Estimate(value=value, n=cells, no_interval=RefusalCode.ZERO_SPREAD.value)
    logs = np.log(left / (total - dfs))
    robust = (n - 1) / n * float(((logs - logs.mean()) ** 2).sum())
    # Half, for the sd is the root of the variance; 2 / df is what normal noise has.
    half = t_quantile(0.975, n - 1) * sqrt(max(robust, 2 / total)) / 2
    low, high = (sqrt(found) * exp(sign * half) for sign in (-1, 1))
    if found < floor:
        high = max(high, normal[1])
    return Estimate(value=value, n=cells, low=low, high=high, kind="jackknife")


def _exact_share(rows: FloatArray, there: BoolArray) -> float:
    r = there.sum(axis=1)
    values = np.where(there, rows, 0.0)
    equal = np.abs(values[:, :, None] - values[:, None, :]) <= TIE
    known = there[:, :, None] & there[:, None, :]
    pairs = (equal & known).sum(axis=(1, 2)) - r
    return float(np.mean(pairs / (r * (r - 1))))


def swap_share(totals: FloatArray) -> Estimate | Refusal:
    """Share of arm pairs whose order turns when the same judge scores them again.

    Args:
        totals: Shape (A, I, J, R), scale points; the first two repeats of a judge
            are compared, within an item.

    Returns:
        Share in [0, 1] of pairs ordered one way at first and the other way at the
        second scoring; a tie is no turn. ``n`` counts the pairs; the interval over items
        is that of `intervals.item_share`. `Refusal` with ``too_few_repeats`` below 20 pairs.

    Raises:
        ValueError: `totals` has not four axes.

    Source:
        Korn & Graubard (1998) for the interval; the share is our own, docs/statistics.md.
    """
    if totals.ndim != 4:  # noqa: PLR2004 - four axes
        raise ValueError(f"totals must have shape (A, I, J, R), got {totals.shape}")
    turned, pairs = _turns(totals)
    n = int(pairs.sum())
    if n < MIN_PAIRS:
        return Refusal(
            statistic="swap_share",
            code=RefusalCode.TOO_FEW_REPEATS.value,
            have=n,
            need=MIN_PAIRS,
            how="judge whole items twice (--repeats)",
        )
    return item_share(turned, pairs)


def _turns(totals: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Turned pairs and all pairs of each item, over judges."""
    n_items = totals.shape[1]
    turned, pairs = np.zeros(n_items), np.zeros(n_items)
    if totals.shape[3] < 2:  # noqa: PLR2004 - one scoring has no second
        return turned, pairs
    once, again = totals[..., 0], totals[..., 1]
    both = np.isfinite(once) & np.isfinite(again)
    # All items at once: there are fewer arms than items.
    for arm in range(totals.shape[0] - 1):
        known = both[arm] & both[arm + 1 :]
        turn = (once[arm] - once[arm + 1 :]) * (again[arm] - again[arm + 1 :]) < -TIE
        pairs += known.sum(axis=(0, 2))
        turned += (known & turn).sum(axis=(0, 2))
    return turned, pairs
