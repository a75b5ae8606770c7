"""The rank that each arm has by the totals of this run, and nothing beyond them.

It stands beside the interval of ranks, which says what the pairs carry. Input is cells
of shape (A, I) in scale points, NaN where an arm has no scored cell; higher is better.
"""

import numpy as np

from judgebench.model.nouns import ObservedRank, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray
from judgebench.stats.levels import too_few_items
from judgebench.stats.ranks import TableOrder, mean_difference
from judgebench.text import rounded

_NAME = "observed_rank"


def observed_ranks(
    cells: FloatArray, order: TableOrder, *, digits: int, clusters: IntArray | None = None
) -> tuple[ObservedRank | Refusal, ...]:
    """Competition ranks of the totals that order the table, rounded as pages show them.

    The total of an arm is that of the reference arm plus the paired difference to it on
    the items that both have: its own mean where both have the same items. So no rank
    contradicts the order of the rows. Arms whose totals agree in these digits share a rank.

    Args:
        cells: Shape (A, I), scale points, NaN where an arm has no scored cell.
        order: What `ranks.table_order` returned for them.
        digits: Decimals that totals are shown with.
        clusters: Shape (I,), the cluster of each item, which is the unit then; None where items
            are independent.

    Returns:
        One entry an arm, over all arms that share an item with the reference arm: 1 + arms
        with a higher rounded total. `Refusal` with ``nothing_scored`` for an arm without a
        scored cell, ``too_few_arms`` for a single one, ``too_few_items`` (of clusters
        ``too_few_clusters``) for an arm that shares fewer than three with the reference arm,
        and for the reference arm where no other arm shares as many.

    Raises:
        ValueError: `cells` has not two axes, or `digits` is negative.

    Source:
        Competition ranking as `scipy.stats.rankdata` with ``method="min"``, on the paired
        differences of `pairs.paired_difference`.
    """
    if cells.ndim != 2 or digits < 0:  # noqa: PLR2004 - two axes
        raise ValueError(f"cells of shape {cells.shape}, {digits} digits")
    there = np.isfinite(cells)
    scored = int(there.any(axis=1).sum())
    totals = _totals(cells, order, digits)
    known = np.flatnonzero(np.isfinite(totals))
    shared = _shared(there, order.reference, clusters)
    out: list[ObservedRank | Refusal] = []
    for arm in range(len(cells)):
        if not there[arm].any():
            out.append(_refusal(RefusalCode.NOTHING_SCORED, 0, 1))
        elif scored < 2:  # noqa: PLR2004 - a rank needs two
            out.append(_refusal(RefusalCode.TOO_FEW_ARMS, scored, 2))
        elif (
            refused := too_few_items(_NAME, shared[arm], clustered=clusters is not None)
        ) is not None:
            out.append(refused)
        else:
            above, same = (totals[known] > totals[arm]).sum(), (totals[known] == totals[arm]).sum()
            out.append(ObservedRank(value=1 + int(above), tied=int(same) > 1))
    return tuple(out)


def _totals(cells: FloatArray, order: TableOrder, digits: int) -> FloatArray:
    """Rounded totals that order the rows, shape (A,); NaN where no item is shared."""
    out = np.full(len(cells), np.nan)
    if order.reference is None:
        return out
    reference = cells[order.reference]
    base = float(np.nanmean(reference))
    highest = np.inf
    for arm in order.order:
        gap = mean_difference(cells[arm], reference)
        if gap is not None:
            # What floating point left of equal gaps must not turn two rows.
            highest = min(highest, float(rounded(base + gap, digits)))
            out[arm] = highest
    return out


def _shared(there: BoolArray, reference: int | None, clusters: IntArray | None) -> list[int]:
    """Units that each arm shares with the reference arm; of that one, the most with any other."""
    if reference is None:
        return [0] * len(there)
    both = there & there[reference]
    shared = (
        both.sum(axis=1)
        if clusters is None
        else np.array([np.unique(clusters[row]).size for row in both])
    )
    others = np.delete(shared, reference)
    shared[reference] = int(others.max(initial=0))
    return [int(n) for n in shared]


def _refusal(code: RefusalCode, have: float, need: float) -> Refusal:
    return Refusal(statistic=_NAME, code=code.value, have=have, need=need)
