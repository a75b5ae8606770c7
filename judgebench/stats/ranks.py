"""Order of the arms: which may be best, which ranks are possible, who is placed.

Input is cells of shape (A, I) in scale points over the items planned, NaN where
an arm has no scored cell. Higher is better. A rank is never said without what
the pairs can carry.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from judgebench.model.nouns import Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.records import dataclass
from judgebench.stats.arrays import TIE, BoolArray, FloatArray, IntArray, nan_mean
from judgebench.stats.gaps import Gaps, every_gap, quick_gaps
from judgebench.stats.intervals import t_quantile
from judgebench.stats.levels import LEAST_ITEMS, too_few_items
from judgebench.stats.pairs import PairTable
from judgebench.stats.shares import told_by_flips

MIN_ANSWERED = 0.95
"""Share of items below which an arm's place must survive both worst cases."""
_NEAR = 1e-7
"""Distance of t from its quantile below which `quick_gaps` does not decide."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RankInterval:
    """Ranks that an arm may have, 1 the best."""

    low: int
    high: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Bounds:
    """Lowest and highest value that the blocked cells leave open, in scale points."""

    low: float
    high: float


@dataclass(frozen=True, kw_only=True, slots=True)
class TableOrder:
    """Rows of the table, and the arm that differences are taken to."""

    order: tuple[int, ...]
    """Indices of all arms; those without a scored cell last."""
    reference: int | None
    """None where nothing was scored."""
    differs: bool
    """The order of raw means over whatever was answered is another one."""


def possible_best(  # noqa: PLR0913 - the cells, and each choice by its name
    cells: FloatArray,
    reps: IntArray,
    *,
    step: float,
    alpha: float = 0.05,
    shifts: FloatArray | None = None,
    firm: BoolArray | None = None,
    clusters: IntArray | None = None,
    apart: BoolArray | None = None,
    shares: bool = False,
) -> tuple[int, ...] | Refusal:
    """Set of arms that may be best; it holds the best one with 95 %.

    An arm leaves the set if another one is above it by a one-sided paired t at
    alpha / (K−1). An arm that shares too few items with all others cannot be
    shown to be worse, so it stays; one without any scored cell is not in question.

    Args:
        cells: Shape (A, I), scale points, NaN where an arm has no scored cell.
        reps: Shape (A, I), judgments behind each cell.
        step: Lattice of the marks.
        alpha: Error rate of the set.
        shifts: Shape (A, A), what `leaning.all_shifts` returned: an arm that place or
            opponents may have put above another does not beat it.
        firm: Shape (A, A), what `firm_pairs` returned: an arm leaves the set by no pair that
            blocked answers could turn. None where all pairs count.
        clusters: Shape (I,), the cluster of each item: the t is CR2's, and three clusters are
            needed. None where items are independent.
        apart: Shape (A, A), pairs by which no arm leaves the set, `Opponents.apart`.
        shares: Cells are shares of comparisons won: sign flips must tell an arm apart too.

    Returns:
        Indices in ascending order, at least one. `Refusal` with ``too_few_arms`` below two
        arms with a scored cell, ``too_few_items`` where no two share three items, of shares six.

    Raises:
        ValueError: As `gaps.shared_differences`.

    Source:
        Hsu (1981, 1996), multiple comparisons with the best, Bonferroni-paired.
    """
    arms = [int(a) for a in np.flatnonzero(np.isfinite(cells).any(axis=1))]
    if len(arms) < 2:  # noqa: PLR2004 - a comparison needs two
        return Refusal(
            statistic="best", code=RefusalCode.TOO_FEW_ARMS.value, have=len(arms), need=2
        )
    level = 1 - alpha / (len(arms) - 1)
    gaps = None if clusters is not None else quick_gaps(cells, reps, step=step)
    gaps = None if gaps is None else gaps.without(apart)
    beyond = None if gaps is None else _beyond(gaps, level, shifts)
    # What nine digits cannot decide is computed anew, pair by pair.
    if gaps is None or beyond is None or np.any(np.abs(beyond) < _NEAR):
        gaps = every_gap(cells, reps, step=step, clusters=clusters).without(apart)
        beyond = _beyond(gaps, level, shifts)
    below, apart = np.where(gaps.mean > 0, gaps.second, gaps.first), beyond > 0
    if firm is not None:
        apart &= firm[gaps.first, gaps.second]
    if shares:
        apart &= told_by_flips(cells, gaps.first, gaps.second, apart, level, clusters)
    beaten = set(below[apart].tolist())
    name = "best_share" if shares else "best"
    refused = too_few_items(name, int(gaps.units.max()), clustered=clusters is not None)
    left = tuple(a for a in arms if a not in beaten)
    return left if refused is None else replace(refused, statistic="best")


def _beyond(gaps: Gaps, level: float, shifts: FloatArray | None) -> FloatArray:
    """How far t of each pair is beyond its one-sided quantile; −∞ where it cannot be told."""
    shift = 0.0 if shifts is None else shifts[gaps.first, gaps.second]
    fit = (gaps.units >= LEAST_ITEMS["best"]) & (gaps.se > 0)
    bars = {df: t_quantile(level, df) for df in np.unique(gaps.df[fit]).tolist()}
    t = (np.abs(gaps.mean) - shift) / np.where(fit, gaps.se, 1.0)
    return np.where(fit, t - [bars.get(df, 0.0) for df in gaps.df.tolist()], -np.inf)


def rank_intervals(
    table: PairTable, *, n_arms: int, best: tuple[int, ...] | Refusal | None = None
) -> tuple[RankInterval | Refusal, ...]:
    """Ranks that each arm may have, all of them together at 95 %.

    Args:
        table: What `pairs.all_pairs` returned.
        n_arms: A, the number of arms in the cells.
        best: What `possible_best` returned; an arm of the set keeps rank 1 within
            its interval, so that the two statements never contradict.

    Returns:
        One entry an arm: [1 + arms separated above it, K − arms separated below
        it] among the K arms with a scored cell. `Refusal` with ``nothing_scored``
        for an arm without one, ``too_few_items`` where no pair could be compared,
        ``too_few_arms`` for a single arm.

    Source:
        Mogstad, Romano, Shaikh, Wilhelm (2024).
    """
    compared = [pair for pair in table.pairs if pair.separated is not None]
    lower, upper = [0] * n_arms, [0] * n_arms
    for pair in compared:
        if pair.sign:
            above, below = (pair.first, pair.second) if pair.sign > 0 else (pair.second, pair.first)
            upper[below] += 1
            lower[above] += 1
    keeps = set(best) if isinstance(best, tuple) else set()
    k = len(table.arms)
    out: list[RankInterval | Refusal] = []
    for arm in range(n_arms):
        refused = _rank_refusal(table, arm, compared=bool(compared))
        low = 1 if arm in keeps else 1 + upper[arm]
        out.append(refused or RankInterval(low=low, high=k - lower[arm]))
    return tuple(out)


def _rank_refusal(table: PairTable, arm: int, *, compared: bool) -> Refusal | None:
    if arm not in table.arms:
        return Refusal(statistic="rank", code=RefusalCode.NOTHING_SCORED.value, have=0, need=3)
    if compared:
        return None
    if len(table.arms) < 2:  # noqa: PLR2004 - a rank needs two
        return Refusal(statistic="rank", code=RefusalCode.TOO_FEW_ARMS.value, have=1, need=2)
    most = max(table.pairs, key=lambda pair: pair.units)
    return too_few_items("rank", most.units, clustered=most.clusters is not None) or Refusal(
        statistic="rank", code=RefusalCode.ZERO_SPREAD.value, have=0, need=1
    )


def mean_difference(a: FloatArray, b: FloatArray) -> float | None:
    """Mean of a − b over items that both have.

    Args:
        a: Shape (I,), one arm's cells in scale points, NaN where it has none.
        b: Shape (I,), the other's.

    Returns:
        Scale points; None where they share no item.
    """
    d = (a - b)[np.isfinite(a) & np.isfinite(b)]
    return float(d.mean()) if d.size else None


def table_order(
    cells: FloatArray,
    *,
    placed: Sequence[bool] | None = None,
    min_answered: float = MIN_ANSWERED,
) -> TableOrder:
    """Order rows by the paired difference to a reference arm on shared items.

    The reference is the arm with the highest mean among those that are placed and
    answered well enough; where there is none, among those placed, then among those
    answered well enough, then among those with the most items answered. Raw means
    over unequal items never order the table.

    Args:
        cells: Shape (A, I) over the items planned, NaN where an arm has no scored cell.
        placed: Whether each arm stands in a place; all do where it is not given.
        min_answered: Share of items from which an arm is answered well enough.

    Returns:
        The order: by paired difference to the reference, then, for arms that
        share no item with it, by mean, then arms without any scored cell. Equal
        arms stand in the order given.

    Source:
        Own rule on the paired differences of `pairs.paired_difference`, docs/statistics.md.
    """
    there = np.isfinite(cells).sum(axis=1)
    means = nan_mean(cells, axis=1)
    scored = np.flatnonzero(there)
    if not scored.size:
        return TableOrder(order=tuple(range(cells.shape[0])), reference=None, differs=False)
    well = scored[there[scored] >= min_answered * cells.shape[1] - TIE]
    stands = scored if placed is None else scored[np.asarray(placed, dtype=bool)[scored]]
    most = scored[there[scored] == there.max()]
    pools = (np.intersect1d(stands, well), stands if placed is not None else most[:0], well, most)
    pool = next(one for one in pools if one.size)
    reference = int(pool[np.argmax(means[pool])])
    gaps = {int(a): mean_difference(cells[a], cells[reference]) for a in scored}

    def key(arm: int) -> tuple[int, float, int]:
        if not there[arm]:
            return (2, 0.0, arm)
        gap = gaps[arm]
        if gap is None:
            return (1, -float(means[arm]), arm)
        return (0, -round(gap, 9), arm)

    order = tuple(sorted(range(cells.shape[0]), key=key))
    shown = [float(means[arm]) for arm in order if there[arm]]
    differs = any(later > earlier + TIE for earlier, later in pairwise(shown))
    return TableOrder(order=order, reference=reference, differs=differs)


def worst_case_bounds(x: FloatArray, *, low: float, high: float) -> Bounds:
    """Mean of one arm with every blocked cell at the bottom, and at the top, of the scale.

    Args:
        x: Shape (I,) over the items planned, at least one; NaN where blocked.
        low: Lower end of the scale.
        high: Upper end.

    Returns:
        Both means; equal where nothing is blocked.

    Raises:
        ValueError: No item was planned.

    Source:
        Manski (2003).

    >>> worst_case_bounds(np.array([8.0, np.nan]), low=1, high=10)
    Bounds(low=4.5, high=9.0)
    """
    if x.ndim != 1 or not x.size:
        raise ValueError("x must have shape (I,) with at least one item")
    there = np.isfinite(x)
    return Bounds(
        low=float(np.where(there, x, low).mean()), high=float(np.where(there, x, high).mean())
    )


def worst_case_difference(a: FloatArray, b: FloatArray, *, low: float, high: float) -> Bounds:
    """Mean of a − b over all items planned, with blocked cells at the ends of the scale.

    Args:
        a: Shape (I,), NaN where blocked.
        b: Shape (I,), NaN where blocked.
        low: Lower end of the scale.
        high: Upper end.

    Returns:
        The difference with `a` filled low and `b` high, and the other way round.

    Raises:
        ValueError: No item was planned.

    Source:
        Manski (2003).
    """
    first = worst_case_bounds(a, low=low, high=high)
    second = worst_case_bounds(b, low=low, high=high)
    return Bounds(low=first.low - second.high, high=first.high - second.low)


def placement(
    cells: FloatArray, *, low: float, high: float, min_answered: float = MIN_ANSWERED
) -> tuple[bool, ...]:
    """Whether each arm may stand in the order, or only as ``?``.

    An arm with at least 95 % of its items answered is placed. Another is placed
    only if against every other arm the sign of its difference over all items planned
    is the same in both worst cases: its cells without a total at one end of the scale
    and those of the other arm at the other. Cells that both lack count too: of a pass
    that stopped early nothing is known of them.

    Args:
        cells: Shape (A, I) over the items planned, NaN where an arm has no scored cell.
        low: Lower end of the scale.
        high: Upper end.
        min_answered: The share that needs no proof.

    Returns:
        One flag an arm; False for an arm without any scored cell.

    Source:
        Worst cases as `worst_case_bounds`; the rule is our own, docs/statistics.md.
    """
    well = _well(cells, min_answered)
    scored = np.isfinite(cells).any(axis=1)
    firm = firm_pairs(cells, low=low, high=high, min_answered=min_answered)
    itself = np.eye(cells.shape[0], dtype=np.bool_)
    proven = (firm | ~scored | itself).all(axis=1)
    return tuple((scored & (well | proven)).tolist())


def firm_pairs(
    cells: FloatArray, *, low: float, high: float, min_answered: float = MIN_ANSWERED
) -> BoolArray:
    """Which two arms keep their order whatever the blocked cells would have got.

    A pair is firm where both have at least 95 % of their items answered, or where the
    sign of their difference over all items planned is the same in both worst cases.
    So an arm that stands as ``?`` for another one may still be shown below a third.

    Args:
        cells: Shape (A, I) over the items planned, NaN where an arm has no scored cell.
        low: Lower end of the scale.
        high: Upper end.
        min_answered: The share that needs no proof.

    Returns:
        Shape (A, A), symmetric; False where an arm has no scored cell, and for an arm
        with itself.

    Source:
        Worst cases as `worst_case_bounds`; the rule is our own, docs/statistics.md.
    """
    if not cells.shape[1]:
        return np.zeros((cells.shape[0], cells.shape[0]), dtype=np.bool_)
    there = np.isfinite(cells)
    well, scored = _well(cells, min_answered), np.asarray(there.any(axis=1), dtype=np.bool_)
    least = np.where(there, cells, low).mean(axis=1)
    most = np.where(there, cells, high).mean(axis=1)
    # Of the second arm against the first the worst case is the other one, negated.
    one_sign = (least[:, None] - most > TIE) | (most[:, None] - least < -TIE)
    both = scored & scored[:, None] & ~np.eye(cells.shape[0], dtype=np.bool_)
    return np.asarray(both & ((well & well[:, None]) | one_sign), dtype=np.bool_)


def _well(cells: FloatArray, min_answered: float) -> BoolArray:
    """Arms with so many of their items answered that their place needs no proof."""
    there = np.isfinite(cells).sum(axis=1)
    return np.asarray((there > 0) & (there >= min_answered * cells.shape[1] - TIE), dtype=np.bool_)


def relative_tiers(table: PairTable, order: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Cut an order only where every arm above is separated from every arm below.

    Args:
        table: What `pairs.all_pairs` returned.
        order: Indices of scored arms, best first, such as from `table_order`.

    Returns:
        Groups in that order; one group where no cut holds.

    Source:
        Own rule, docs/statistics.md.
    """
    groups: list[list[int]] = []
    for place, arm in enumerate(order):
        if not groups or _cut(table, order[:place], order[place:]):
            groups.append([])
        groups[-1].append(arm)
    return tuple(tuple(group) for group in groups)


def _cut(table: PairTable, above: Sequence[int], below: Sequence[int]) -> bool:
    for a in above:
        for b in below:
            pair = table.between(a, b)
            if pair is None or pair.sign <= 0:
                return False
    return True
