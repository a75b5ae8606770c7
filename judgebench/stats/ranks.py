"""Which arms may be best, which ranks are possible, in which order rows stand.

Input is the cell array of shape (A, I) as in `pairs`. A winner is a set with one
member; everything here is simultaneous over all arms.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from judgebench.model import Refusal, RefusalCode
from judgebench.stats.intervals import MIN_ITEMS, FloatArray, t_quantile
from judgebench.stats.pairs import PairTable, paired

ALPHA = 0.05
ANSWERED_ENOUGH = 0.95


def possible_best(
    cells: FloatArray, reps: FloatArray, *, step: float, alpha: float = ALPHA
) -> tuple[int, ...] | Refusal:
    """Arms that may be best: the set holds the best one with at least 95 %.

    An arm leaves the set where some other scores above it by a one-sided paired
    t at α / (K − 1).

    Args:
        cells: Shape (A, I), totals in scale points, NaN for no cell.
        reps: Shape (A, I), judgings averaged in each cell.
        step: Rounding step of a total.
        alpha: Chance that the best arm is missing from the set.

    Returns:
        Indices in the order of the rows, never empty; `Refusal` ``too_few_items``
        where no two arms share three items, ``too_few_arms`` below two arms.

    Source:
        Hsu (1981), Annals of Statistics 9, 1026; Bonferroni-paired form.
    """
    arms = [int(a) for a in range(cells.shape[0]) if not np.isnan(cells[a]).all()]
    if len(arms) < 2:  # noqa: PLR2004 - a choice needs two
        return Refusal(
            statistic="best", code=RefusalCode.TOO_FEW_ARMS, have=len(arms), need=2,
            how="add an arm with scored items",
        )  # fmt: skip
    best: list[int] = []
    compared = 0
    for a in arms:
        beaten = False
        for b in arms:
            if a == b:
                continue
            found = paired(cells[b], cells[a], reps[b], reps[a], step=step)
            if found is None:
                continue
            compared += 1
            limit = t_quantile(1 - alpha / (len(arms) - 1), found.n - 1)
            beaten = beaten or found.mean / found.se > limit
        if not beaten:
            best.append(a)
    if not compared:
        have = int(np.max(np.sum(~np.isnan(cells), axis=1)))
        return Refusal(
            statistic="best", code=RefusalCode.TOO_FEW_ITEMS, have=have, need=MIN_ITEMS,
            how="add items, not repeats",
        )  # fmt: skip
    return tuple(best)


def rank_intervals(table: PairTable) -> NDArray[np.int64]:
    """Possible ranks of every arm: shape (A, 2), best possible and worst possible rank.

    Source:
        Mogstad, Romano, Shaikh & Wilhelm (2024), Review of Economic Studies 91, 476.
    """
    arms = table.mean.shape[0]
    above = table.separated & (table.mean > 0)
    worse_than = above.sum(axis=0)
    better_than = above.sum(axis=1)
    return np.stack([1 + worse_than, arms - better_than], axis=1).astype(np.int64)


def worst_cases(cells: FloatArray, *, low: float, high: float) -> FloatArray:
    """Mean of every arm with its blocked cells at either end: shape (A, 2).

    Source:
        Manski (2003), Partial Identification of Probability Distributions.
    """
    at_low = np.where(np.isnan(cells), low, cells).mean(axis=1)
    at_high = np.where(np.isnan(cells), high, cells).mean(axis=1)
    return np.stack([at_low, at_high], axis=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Order:
    """Rows of the table."""

    rows: tuple[int, ...]
    """Arms, the first row first; arms without a cell last."""
    reference: int | None
    """Arm that differences are taken to; None where nothing is scored."""
    differs: bool
    """The order by paired difference is another than that by raw means."""


def table_order(cells: FloatArray, placed: NDArray[np.bool_]) -> Order:
    """Order arms by their mean difference to the reference arm on shared items.

    The reference is the placed arm with the most scored items, of these the one
    with the highest mean over the items that they share. Arms that are not
    placed follow, then arms with nothing scored.

    Args:
        cells: Shape (A, I), NaN for no cell.
        placed: Shape (A,), False where an arm may stand in no place.
    """
    arms = cells.shape[0]
    counts = np.sum(~np.isnan(cells), axis=1)
    scored = [a for a in range(arms) if counts[a]]
    if not scored:
        return Order(rows=tuple(range(arms)), reference=None, differs=False)
    means = {a: float(np.nanmean(cells[a])) for a in scored}
    candidates = [a for a in scored if placed[a]] or scored
    most = max(int(counts[a]) for a in candidates)
    full = [a for a in candidates if counts[a] == most]
    common = ~np.isnan(cells[full]).any(axis=0)
    over = {a: float(np.mean(cells[a, common])) if common.any() else means[a] for a in full}
    reference = max(full, key=lambda a: (over[a], -a))
    gaps: dict[int, float | None] = {}
    for a in scored:
        shared = ~np.isnan(cells[a]) & ~np.isnan(cells[reference])
        gaps[a] = float(np.mean((cells[a] - cells[reference])[shared])) if shared.any() else None

    def key(a: int) -> tuple[bool, bool, float, int]:
        gap = gaps[a]
        return (not bool(placed[a]), gap is None, -(gap if gap is not None else means[a]), a)

    ordered = sorted(scored, key=key)
    by_mean = sorted(scored, key=lambda a: (not bool(placed[a]), gaps[a] is None, -means[a], a))
    rest = [a for a in range(arms) if not counts[a]]
    return Order(
        rows=(*ordered, *rest), reference=reference, differs=_shown(ordered, means, by_mean)
    )


def _shown(ordered: list[int], means: dict[int, float], by_mean: list[int]) -> bool:
    """Whether two orders differ by more than arms whose means read alike."""
    return any(
        a != b and round(means[a], 2) != round(means[b], 2)
        for a, b in zip(ordered, by_mean, strict=True)
    )


def placements(
    cells: FloatArray, *, low: float, high: float, suspect: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Which arms may stand in a place, shape (A,).

    An arm with under 95 % of its items answered is placed only if its place among
    the other arms is the same with its blocked cells at the bottom and at the
    top of the scale. An arm with suspected cuts is not placed.

    Args:
        cells: Shape (A, I), NaN for no cell.
        low: Lower end of the scale.
        high: Upper end of the scale.
        suspect: Shape (A,), arms with outputs that look cut.
    """
    arms, items = cells.shape
    counts = np.sum(~np.isnan(cells), axis=1)
    enough = counts >= ANSWERED_ENOUGH * items if items else np.zeros(arms, dtype=bool)
    placed = enough & ~suspect
    for a in np.flatnonzero(~enough & ~suspect & (counts > 0)):
        places = set()
        for end in (low, high):
            trial = np.where(np.isnan(cells[a]), end, cells[a])
            gaps = [
                float(np.sign(round(float(np.nanmean(trial - cells[b])), 9)))
                for b in range(arms)
                if b != a and counts[b]
            ]
            places.add(tuple(gaps))
        placed[a] = len(places) == 1
    return np.asarray(placed, dtype=np.bool_)


def unequal_items(cells: FloatArray, reference: int) -> NDArray[np.bool_]:
    """Arms that share under half of the reference's items with it, shape (A,)."""
    known = ~np.isnan(cells)
    shared = np.sum(known & known[reference], axis=1)
    return np.asarray(shared < 0.5 * known[reference].sum(), dtype=np.bool_)
