"""The same judge on the same cell again: how far a mark moves, how often an order turns.

Input has the repeats on its last axis; a cell of one judge is one row. Repeats
say nothing about other items. Calls that were cached or seed-pinned repeat
themselves without measuring anything: the caller must know that they were not.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.special import chdtri

from judgebench.model import Estimate, Refusal, RefusalCode
from judgebench.stats.arrays import BoolArray, FloatArray
from judgebench.stats.intervals import t_quantile

MIN_DF = 10
MIN_PAIRS = 20
_MIN_ITEMS = 5
_TIE = 1e-9


@dataclass(frozen=True, kw_only=True, slots=True)
class Rescoring:
    """Noise of one judge when it scores the same output again."""

    sd: Estimate
    """Pooled within-cell standard deviation, scale points; ``n`` counts the cells."""
    df: int
    """Σ(r − 1) over those cells."""
    limit: float
    """Repeatability limit 1.96·√2·sd: two scorings differ by more in 1 of 20."""
    floored: bool
    """The sample showed less spread than rounding alone must have: the floor stands."""
    exact_share: float
    """Share of pairs of scorings of one cell that are equal, cells equally weighted."""


def rescoring_sd(scores: FloatArray, *, step: float) -> Rescoring | Refusal:
    """Pooled within-cell spread of repeated scorings.

    Args:
        scores: Shape (..., R), scale points; every row of R is one cell of one
            judge (and one criterion), NaN where it was not scored again.
        step: Lattice of the scores; the floor of the variance is step²/12.

    Returns:
        The spread with its chi-square interval. `Refusal` with
        ``too_few_repeats`` where the pooled degrees of freedom are below ten.

    Raises:
        ValueError: `step` is not above 0.

    Source:
        Bland & Altman (1996); ISO 5725.
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
            how="judge more cells twice (--repeats)",
        )
    values = np.where(there, rows, 0.0)
    means = values.sum(axis=1) / r
    squares = np.where(there, (values - means[:, None]) ** 2, 0.0).sum()
    found, floor = float(squares) / df, step**2 / 12
    variance = max(found, floor)
    sd = Estimate(
        value=sqrt(variance),
        n=int(r.size),
        low=sqrt(variance * df / float(chdtri(df, 0.025))),
        high=sqrt(variance * df / float(chdtri(df, 0.975))),
        kind="chi-square",
    )
    return Rescoring(
        sd=sd,
        df=df,
        limit=1.96 * sqrt(2) * sd.value,
        floored=found < floor,
        exact_share=_exact_share(rows, there),
    )


def _exact_share(rows: FloatArray, there: BoolArray) -> float:
    r = there.sum(axis=1)
    values = np.where(there, rows, 0.0)
    equal = np.abs(values[:, :, None] - values[:, None, :]) <= _TIE
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
        second scoring; a tie is no turn. ``n`` counts the pairs. The interval is
        Student's t over items from five items on. `Refusal` with
        ``too_few_repeats`` below 20 pairs.

    Raises:
        ValueError: `totals` has not four axes.
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
    share = float(turned.sum() / n)
    used = pairs > 0
    k = int(used.sum())
    # Ratio over items: pairs of one item hang together, so the item is the unit.
    spread = turned[used] - share * pairs[used]
    variance = float((spread**2).sum()) * k / max(k - 1, 1) / n**2
    if k < _MIN_ITEMS or variance == 0:
        return Estimate(value=share, n=n)
    half = t_quantile(0.975, k - 1) * sqrt(variance)
    return Estimate(
        value=share, n=n, low=max(0.0, share - half), high=min(1.0, share + half), kind="t"
    )


def _turns(totals: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Turned pairs and all pairs of each item, over judges."""
    n_items = totals.shape[1]
    turned, pairs = np.zeros(n_items), np.zeros(n_items)
    if totals.shape[3] < 2:  # noqa: PLR2004 - one scoring has no second
        return turned, pairs
    once, again = totals[..., 0], totals[..., 1]
    upper = np.triu(np.ones((totals.shape[0], totals.shape[0]), dtype=bool), 1)
    for item in range(n_items):
        for judge in range(totals.shape[2]):
            x, y = once[:, item, judge], again[:, item, judge]
            both = np.isfinite(x) & np.isfinite(y)
            known = upper & both[:, None] & both[None, :]
            gap_x = np.where(known, np.where(both, x, 0)[:, None] - np.where(both, x, 0), 0)
            gap_y = np.where(known, np.where(both, y, 0)[:, None] - np.where(both, y, 0), 0)
            pairs[item] += known.sum()
            turned[item] += np.count_nonzero(gap_x * gap_y < -_TIE)
    return turned, pairs
