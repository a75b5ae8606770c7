"""Do two raters, or several, order the arms alike? Always within an item.

Pooled correlations are not here: a judge that sees only how hard an item is, and
nothing of the arms, reaches a pooled Spearman of .80 (docs/statistics.md).
Input is cells of shape (A, I), scale points, NaN where there is none.
"""

from math import sqrt

import numpy as np
from scipy.special import chdtrc

from judgebench.model import Estimate, Refusal, RefusalCode
from judgebench.stats.arrays import TIE, FloatArray, settled
from judgebench.stats.checks import item_mean, mid_ranks
from judgebench.stats.intervals import item_share

MIN_ARMS = 3
MIN_PAIRS = 20


def _signs(x: FloatArray) -> FloatArray:
    """−1, 0 or 1 for each pair of arms of one item, shape (n (n−1) / 2,)."""
    i, j = np.triu_indices(x.size, 1)
    gap = x[i] - x[j]
    return np.where(np.abs(gap) <= TIE, 0.0, np.sign(gap))


def tau_b(x: FloatArray, y: FloatArray) -> float | None:
    """Kendall's τ-b of two vectors.

    Args:
        x: Shape (n,), finite.
        y: Shape (n,), finite.

    Returns:
        τ-b in [−1, 1]; None where one of them is all ties.

    Source:
        Kendall (1945).

    >>> tau_b(np.array([1.0, 2, 3]), np.array([1.0, 3, 2])) == 1 / 3
    True
    """
    a, b = _signs(x), _signs(y)
    scale = sqrt(float((a != 0).sum()) * float((b != 0).sum()))
    return float((a * b).sum()) / scale if scale else None


def tau_within_items(x: FloatArray, y: FloatArray) -> Estimate | Refusal:
    """Mean over items of τ-b between two raters' orders of the arms.

    Args:
        x: Shape (A, I), one rater's cells, NaN where there is none.
        y: Shape (A, I), the other's.

    Returns:
        Mean in [−1, 1] with the item jackknife over items with three or more
        shared arms that neither rater ties throughout. `Refusal` with
        ``too_few_items`` below five such items, ``no_variation`` where a rater ties
        everything on each of them.

    Raises:
        ValueError: Shapes differ.

    Source:
        Kendall (1945).
    """
    _same(x, y)
    found, tied = [], 0
    for a, b in zip(x.T, y.T, strict=True):
        both = np.isfinite(a) & np.isfinite(b)
        if both.sum() < MIN_ARMS:
            continue
        tau = tau_b(a[both], b[both])
        if tau is None:
            tied += 1
        else:
            found.append(tau)
    if tied and not found:
        return _ties_all("tau_b")
    return item_mean(np.array(found), statistic="tau_b", low=-1.0, high=1.0)


def _ties_all(statistic: str) -> Refusal:
    """A rater that ties everything has no order: nothing can be like it or unlike it."""
    return Refusal(statistic=statistic, code=RefusalCode.NO_VARIATION.value, have=1, need=2)


def _same(x: FloatArray, y: FloatArray) -> None:
    if x.ndim != 2 or x.shape != y.shape:  # noqa: PLR2004 - two axes
        raise ValueError("both raters must have one shape (A, I)")


def ordering_accuracy(x: FloatArray, y: FloatArray) -> Estimate | Refusal:
    """Share of same-item pairs of arms that both raters order alike, ties as ties.

    Args:
        x: Shape (A, I), one rater's cells, NaN where there is none.
        y: Shape (A, I), the other's.

    Returns:
        Share in [0, 1]; ``n`` counts the pairs. The interval over items is that of
        `intervals.item_share`. `Refusal` with ``too_few_items`` below 20 pairs, ``no_variation``
        where a rater ties every pair.

    Raises:
        ValueError: Shapes differ.

    Source:
        Deutsch, Foster, Freitag (2023), acc_eq without a fitted threshold.
    """
    _same(x, y)
    alike, pairs = np.zeros(x.shape[1]), np.zeros(x.shape[1])
    ordered = np.zeros(2, dtype=np.bool_)
    for item, (a, b) in enumerate(zip(x.T, y.T, strict=True)):
        both = np.isfinite(a) & np.isfinite(b)
        first, second = _signs(a[both]), _signs(b[both])
        pairs[item], alike[item] = first.size, np.count_nonzero(first == second)
        ordered |= (first.any(), second.any())
    n = int(pairs.sum())
    if n < MIN_PAIRS:
        return Refusal(
            statistic="ordering_accuracy",
            code=RefusalCode.TOO_FEW_ITEMS.value,
            have=n,
            need=MIN_PAIRS,
            how="counted in pairs of arms on one item",
        )
    if not ordered.all():
        return _ties_all("ordering_accuracy")
    return item_share(alike, pairs)


def kendall_w(marks: FloatArray) -> Estimate | Refusal:
    """Kendall's W of several raters who order the same objects, ties corrected.

    Args:
        marks: Shape (J, n), a row a rater, a column an object, no gaps: columns
            with a gap are left out.

    Returns:
        W in [0, 1], ``p`` of Friedman's χ² = J(n−1)W, ``n`` objects. `Refusal`
        with ``too_few_judges`` below three raters, ``too_few_arms`` below three
        objects, ``no_variation`` where a rater ties everything.

    Raises:
        ValueError: `marks` is not two-dimensional.

    Source:
        Kendall & Babington Smith (1939).
    """
    if marks.ndim != 2:  # noqa: PLR2004 - two axes
        raise ValueError(f"marks must have shape (J, n), got {marks.shape}")
    block = settled(marks[:, np.isfinite(marks).all(axis=0)])
    m, n = block.shape
    if m < 3:  # noqa: PLR2004 - two raters have a correlation
        return Refusal(statistic="kendall_w", code=RefusalCode.TOO_FEW_JUDGES.value, have=m, need=3)
    if n < MIN_ARMS:
        return Refusal(statistic="kendall_w", code=RefusalCode.TOO_FEW_ARMS.value, have=n, need=3)
    if (block == block[:, :1]).all(axis=1).any():
        return _ties_all("kendall_w")
    ranks = np.array([mid_ranks(row) for row in block])
    ties = sum(_tie_term(row) for row in block)
    top = 12 * float(((ranks.sum(axis=0) - m * (n + 1) / 2) ** 2).sum())
    bottom = m**2 * (n**3 - n) - m * ties
    w = top / bottom
    return Estimate(value=w, n=n, kind="chi-square", p=float(chdtrc(n - 1, m * (n - 1) * w)))


def kendall_w_within_items(cells: FloatArray) -> Estimate | Refusal:
    """Mean over items of Kendall's W between several raters' orders of the arms.

    Args:
        cells: Shape (J, A, I), a rater's cells, scale points, NaN where there is none.

    Returns:
        Mean in [0, 1] with the item jackknife, over items on which W exists.
        `Refusal` with ``too_few_judges`` below three raters, ``too_few_items``
        below five such items, ``no_variation`` where a rater ties everything on each
        item that has enough arms.

    Raises:
        ValueError: `cells` has not three axes.

    Source:
        Kendall & Babington Smith (1939).
    """
    if cells.ndim != 3:  # noqa: PLR2004 - three axes
        raise ValueError(f"cells must have shape (J, A, I), got {cells.shape}")
    if cells.shape[0] < 3:  # noqa: PLR2004 - two raters have a correlation
        code = RefusalCode.TOO_FEW_JUDGES.value
        return Refusal(statistic="kendall_w", code=code, have=cells.shape[0], need=3)
    found = [kendall_w(cells[:, :, item]) for item in range(cells.shape[2])]
    values = np.array([one.value for one in found if isinstance(one, Estimate)], dtype=np.float64)
    tied = any(getattr(one, "code", "") == RefusalCode.NO_VARIATION.value for one in found)
    if tied and not values.size:
        return _ties_all("kendall_w")
    return item_mean(values, statistic="kendall_w", low=0.0, high=1.0)


def _tie_term(row: FloatArray) -> float:
    _, repeats = np.unique(row, return_counts=True)
    return float((repeats.astype(np.float64) ** 3 - repeats).sum())
