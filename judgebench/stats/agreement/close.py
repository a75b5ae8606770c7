"""How often two raters give the same mark, or nearly, beside what chance gives."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from judgebench.model.agreement import Near
from judgebench.model.nouns import Refusal
from judgebench.stats.agreement.shared import pairable
from judgebench.stats.arrays import TIE, FloatArray
from judgebench.stats.levels import too_few_items


def closeness(
    marks: FloatArray, *, within: float = 1.0, wide: float | None = None
) -> Near | Refusal:
    """Exact share, share within a distance and mean gap over pairs of marks of a unit.

    Args:
        marks: Shape (U, J), scale points; NaN where a rater gave no mark.
        within: Distance in scale points that counts as near: 1 on a scale of
            ten, 5 on 0–100.
        wide: A second distance, 10 on 0–100; None for none.

    Returns:
        The figures and their chance baselines. `Refusal` with
        ``too_few_items`` below five units with two marks.

    Raises:
        ValueError: `marks` is not two-dimensional, `within` is negative, or `wide`
            is not the wider one.

    Source:
        Own arithmetic over pairs of marks; the chance beside it takes one rater's marks in
        every other order.
    """
    if not within >= 0:
        raise ValueError(f"a distance is not negative, got {within}")
    if wide is not None and not wide > within:
        raise ValueError(f"the second distance must be above {within}, got {wide}")
    usable = pairable(marks)
    refused = too_few_items("exact_agreement", usable.shape[0])
    if refused is not None:
        return refused
    pairs = tuple(combinations(range(usable.shape[1]), 2))
    gaps = np.stack([np.abs(usable[:, j] - usable[:, k]) for j, k in pairs], axis=1)
    known = np.isfinite(gaps)
    weights = known / known.sum(axis=1, keepdims=True) / usable.shape[0]
    # Of rounded weights the sum is not quite 1, and all cells are then "over 99 %".
    whole = weights.sum()
    filled = np.where(known, gaps, 0.0)
    bars = (0.0, within) if wide is None else (0.0, within, wide)
    chance = np.array([_chance(usable[:, j], usable[:, k], bars) for j, k in pairs])
    each = weights.sum(axis=0)
    expected = each @ np.where(np.isfinite(chance), chance, 0.0)
    shares = [float((weights * (filled <= bar + TIE)).sum() / whole) for bar in bars]
    return Near(
        exact=shares[0],
        within=shares[1],
        gap=float((weights * filled).sum()),
        chance_exact=float(expected[0]),
        chance_within=float(expected[1]),
        chance_gap=float(expected[-1]),
        units=int(usable.shape[0]),
        wide=None if wide is None else shares[2],
        chance_wide=None if wide is None else float(expected[2]),
    )


def _chance(x: FloatArray, y: FloatArray, bars: Sequence[float]) -> FloatArray:
    """Expected shares within `bars`, and gap, over all orders of one rater's marks.

    In all orders together every mark is met by every other.
    """
    both = np.isfinite(x) & np.isfinite(y)
    if not both.any():
        return np.full(len(bars) + 1, np.nan)
    a, p = np.unique(x[both], return_counts=True)
    b, q = np.unique(y[both], return_counts=True)
    share = np.outer(p, q) / both.sum() ** 2
    gap = np.abs(a[:, None] - b[None, :])
    return np.array([*(share[gap <= bar + TIE].sum() for bar in bars), (share * gap).sum()])
