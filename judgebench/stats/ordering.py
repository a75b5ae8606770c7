"""Do two raters, or several, order the arms alike? Always within an item.

Pooled correlations are not here: a judge that sees only how hard an item is, and
nothing of the arms, reaches a pooled Spearman of .80 (docs/statistics.md).
Input is cells of shape (A, I), scale points, NaN where there is none.
"""

from math import sqrt

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.records import dataclass
from judgebench.stats.arrays import TIE, BoolArray, FloatArray, IntArray, settled
from judgebench.stats.checks import item_mean, mid_ranks
from judgebench.stats.intervals import item_share
from judgebench.stats.special import chdtrc

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
        ``too_few_arms`` where no item has three, ``too_few_items`` below five such
        items, ``no_variation`` where a rater ties everything on each of them.

    Raises:
        ValueError: Shapes differ.

    Source:
        Kendall (1945).
    """
    _same(x, y)
    found = _orders(x, y)
    shared = (np.isfinite(x) & np.isfinite(y)).sum(axis=0)
    if (few := _few_arms("tau_b", shared)) is not None:
        return few
    enough = shared >= MIN_ARMS
    scale = np.sqrt(found.first * found.second)
    used = enough & (scale > 0)
    if enough.any() and not used.any():
        return _ties_all("tau_b")
    return item_mean(found.product[used] / scale[used], statistic="tau_b", low=-1.0, high=1.0)


def _few_arms(statistic: str, shared: IntArray) -> Refusal | None:
    """Refuse where items have two arms at most: no further item of these would help."""
    most = int(shared.max(initial=0))
    if not shared.size or most >= MIN_ARMS or not most:
        return None
    code = RefusalCode.TOO_FEW_ARMS.value
    return Refusal(statistic=statistic, code=code, have=most, need=MIN_ARMS)


def _ties_all(statistic: str) -> Refusal:
    """A rater that ties everything has no order: nothing can be like it or unlike it."""
    return Refusal(statistic=statistic, code=RefusalCode.NO_VARIATION.value, have=1, need=2)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Orders:
    """What two raters' orders have in common, each of shape (I,): counts of pairs of arms."""

    pairs: FloatArray
    alike: FloatArray
    first: FloatArray
    """Pairs that the first rater does not tie."""
    second: FloatArray
    product: FloatArray
    """Pairs ordered alike less pairs ordered the other way round."""


def _orders(x: FloatArray, y: FloatArray) -> _Orders:
    """Count over pairs of arms, all items at once: there are fewer arms than items."""
    counts = np.zeros((5, x.shape[1]))
    both = np.isfinite(x) & np.isfinite(y)
    for arm in range(x.shape[0] - 1):
        known = both[arm] & both[arm + 1 :]
        a, b = (_order(one[arm] - one[arm + 1 :], known) for one in (x, y))
        alike = known & (a == b)
        counts += [one.sum(axis=0) for one in (known, alike, a != 0, b != 0, a * b)]
    pairs, alike, first, second, product = counts
    return _Orders(pairs=pairs, alike=alike, first=first, second=second, product=product)


def _order(gap: FloatArray, known: BoolArray) -> IntArray:
    """−1, 0 or 1 for each gap; 0 where it is not known."""
    return (known & (gap > TIE)).astype(np.int64) - (known & (gap < -TIE))


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
    found = _orders(x, y)
    n = int(found.pairs.sum())
    if n < MIN_PAIRS:
        return Refusal(
            statistic="ordering_accuracy",
            code=RefusalCode.TOO_FEW_ITEMS.value,
            have=n,
            need=MIN_PAIRS,
            how="counted in pairs of arms on one item",
        )
    if not (found.first.any() and found.second.any()):
        return _ties_all("ordering_accuracy")
    return item_share(found.alike, found.pairs)


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
        `Refusal` with ``too_few_judges`` below three raters, ``too_few_arms`` where no
        item has three arms of all, ``too_few_items`` below five such items,
        ``no_variation`` where a rater ties everything on each item that has enough arms.

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
    there: BoolArray = np.asarray(np.isfinite(cells).all(axis=0))
    n = there.sum(axis=0)
    if (few := _few_arms("kendall_w", np.asarray(n))) is not None:
        return few
    ranks, tied = _ranks(settled(cells), there)
    enough = n >= MIN_ARMS
    used = enough & ~(tied.max(axis=1, initial=0) == n).any(axis=0)
    if enough.any() and not used.any():
        return _ties_all("kendall_w")
    m, n = cells.shape[0], n[used].astype(np.float64)
    apart = np.where(there[:, used], ranks[:, :, used].sum(axis=0) - m * (n + 1) / 2, 0.0)
    ties = np.where(tied > 0, tied**2 - 1.0, 0.0)[:, :, used].sum(axis=(0, 1))
    values = 12 * (apart**2).sum(axis=0) / (m**2 * (n**3 - n) - m * ties)
    return item_mean(values, statistic="kendall_w", low=0.0, high=1.0)


def _ranks(cells: FloatArray, there: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Mid-ranks of the arms that all raters scored on an item, and how many share each rank.

    Args:
        cells: Shape (J, A, I).
        there: Shape (A, I), the arms that are ranked.

    Returns:
        Both of the shape of `cells`, 0 for an arm that is not ranked.
    """
    ranks, tied = np.zeros(cells.shape), np.zeros(cells.shape)
    for arm in range(cells.shape[1]):
        one = cells[:, [arm]]
        below = ((cells < one) & there).sum(axis=1)
        tied[:, arm] = ((cells == one) & there).sum(axis=1) * there[arm]
        ranks[:, arm] = (below + (tied[:, arm] + 1) / 2) * there[arm]
    return ranks, tied


def _tie_term(row: FloatArray) -> float:
    _, repeats = np.unique(row, return_counts=True)
    return float((repeats.astype(np.float64) ** 3 - repeats).sum())
