"""People who marked different arms: arms are compared within one person, item by item.

What one person gives more than another would else count as what one arm is worth more
than another. Axes: arms A, items I, scorings R; a column is one person on one item.
"""

from collections.abc import Sequence
from dataclasses import field, replace
from functools import cached_property

import numpy as np

from judgebench.model.nouns import Estimate, ObservedRank, Pass, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.pipeline.figures.marked import Marks, OverallMarks
from judgebench.pipeline.figures.ratings import Ratings
from judgebench.pipeline.figures.resolving import Resolving
from judgebench.pipeline.figures.unflagged import Rated
from judgebench.records import dataclass
from judgebench.stats import pairs, ranks
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray
from judgebench.stats.levels import LEAST_ITEMS
from judgebench.stats.observed import observed_ranks
from judgebench.stats.pairs import Pair, PairTable
from judgebench.stats.ranks import RankInterval, TableOrder
from judgebench.store.store import Store
from judgebench.text import decimals

_HOW = "let one person mark both arms of an item"
_FEW = {RefusalCode.TOO_FEW_ITEMS.value, RefusalCode.TOO_FEW_CLUSTERS.value}


@dataclass(frozen=True, kw_only=True)
class Within:
    """Which marks of a pass are by the same person on the same item.

    Args:
        place: Shape (A, I, R), the column of each scoring; -1 where it is in none.
        item: Shape (N,), the item of each column.
        minimum: Shape (A, I), counts as the scale's minimum by rule, whoever marked the others.
        low: That minimum.
        left_out: Marks that stand in no difference: their person marked no other arm there.
        given: Marks in all.
    """

    place: IntArray = field(repr=False)
    item: IntArray = field(repr=False)
    minimum: BoolArray = field(repr=False)
    low: float
    left_out: int
    given: int

    def columns(self, values: FloatArray) -> tuple[FloatArray, IntArray]:
        """Mean of each arm in each column, and the scorings behind it.

        Args:
            values: Shape (A, I, R), NaN where there is none.

        Returns:
            Shapes (A, N); NaN where a person did not mark the arm, and at least 1.
        """
        arms = values.shape[0]
        there = np.isfinite(values) & (self.place >= 0)
        key = (self.place + np.arange(arms)[:, None, None] * self.item.size)[there]
        shape, size = (arms, self.item.size), arms * self.item.size
        n = np.bincount(key, minlength=size).reshape(shape)
        total = np.bincount(key, weights=values[there], minlength=size).reshape(shape)
        means = np.where(n > 0, total / np.maximum(n, 1), np.nan)
        means = np.where(self.minimum[:, self.item], self.low, means)
        return means, np.maximum(n, 1).astype(np.int64)

    def clusters(self, of_items: IntArray | None) -> IntArray:
        """The cluster of each column: its item, or the item's own cluster."""
        return self.item if of_items is None else of_items[self.item]

    def by_item(self, columns: FloatArray, items: int) -> FloatArray:
        """Mean over the columns of each item, NaN left out.

        Args:
            columns: Shape (N,).
            items: I.
        """
        there = np.isfinite(columns)
        n = np.bincount(self.item[there], minlength=items)
        total = np.bincount(self.item[there], weights=columns[there], minlength=items)
        return np.asarray(np.where(n > 0, total / np.maximum(n, 1), np.nan), dtype=np.float64)


def read_within(store: Store, judging: Pass, marks: Marks) -> Within | None:
    """Who marked what of a pass of people.

    Returns:
        None where all persons of an item marked all of its arms, or nobody knows who did.
    """
    who = _who(store, judging, marks)
    if who is None:
        return None
    totals = marks.verdicts[0]
    given = marks.overall if isinstance(marks, OverallMarks) else marks.marks
    each = np.isfinite(given).reshape(*totals.shape[:2], -1, totals.shape[2]).sum(axis=2)
    return within(totals, who, each, minimum=marks.minimum, low=marks.rubric.scale.low)


def read_persons(store: Store, judging: Pass, marks: Marks) -> tuple[FloatArray, IntArray] | None:
    """Total of each arm by each person on each item, shape (A, N), and the item of each column.

    Returns:
        None where nobody knows who marked what.
    """
    who = _who(store, judging, marks)
    if who is None:
        return None
    totals = marks.verdicts[0]
    arm, item, repeat = np.nonzero(np.isfinite(totals) & (who >= 0))
    people = int(who.max(initial=0)) + 1
    keys, column = np.unique(item * people + who[arm, item, repeat], return_inverse=True)
    size, cell = (len(totals), keys.size), arm * keys.size + column
    n = np.bincount(cell, minlength=size[0] * size[1])
    sums = np.bincount(cell, weights=totals[arm, item, repeat], minlength=n.size)
    means = np.where(n > 0, sums / np.maximum(n, 1), np.nan)
    return means.reshape(size), keys // people


def gaps_by_item(columns: FloatArray, item: IntArray, first: int, second: int) -> FloatArray:
    """Each person's difference of two arms, shape (I', P); NaN where there is none.

    What one person gives more than another is in both arms, and in no difference of them.

    Args:
        columns: As `read_persons`, ascending by item.
        item: The item of each column.
        first: An arm.
        second: The arm that is taken from it.
    """
    items, place = np.unique(item, return_inverse=True)
    nth = np.arange(item.size) - np.searchsorted(item, item)
    rows = np.full((items.size, int(nth.max(initial=0)) + 1), np.nan)
    rows[place, nth] = columns[first] - columns[second]
    return rows


def _who(store: Store, judging: Pass, marks: Marks) -> IntArray | None:
    """Shape (A, I, R), the code of the person of each scoring; None where one is not known."""
    totals = marks.verdicts[0]
    files = store.records("human_files", run=judging.run)
    if any(not one["identified"] for one in files):
        return None
    found = store.columns("mark_people", pass_id=judging.id, run=judging.run)
    arm, item, repeat, person = (
        np.asarray(found[name], dtype=np.int64) for name in ("arm", "item", "repeat", "person")
    )
    who = np.full(totals.shape, -1)
    inside = repeat <= totals.shape[2]
    who[arm[inside], item[inside], repeat[inside] - 1] = person[inside]
    return who


def within(
    totals: FloatArray, who: IntArray, each: IntArray, *, minimum: BoolArray, low: float
) -> Within | None:
    """Columns of the persons of each item.

    Args:
        totals: Shape (A, I, R), NaN where there is none.
        who: Shape (A, I, R), the code of the person; -1 where there is none.
        each: Shape (A, I, R), marks behind each total.
        minimum: Shape (A, I).
        low: The scale's minimum.

    Returns:
        None where all persons of an item marked all of its arms.
    """
    arm, item, repeat = np.nonzero(np.isfinite(totals) & (who >= 0) & ~minimum[:, :, None])
    if not arm.size:
        return None
    key = item * (int(who.max()) + 1) + who[arm, item, repeat]
    keys, column = np.unique(key, return_inverse=True)
    of_column = keys // (int(who.max()) + 1)
    cell = np.unique(column * len(totals) + arm)
    marked = np.bincount(cell // len(totals), minlength=keys.size)
    scored = (np.isfinite(totals).any(axis=2) & ~minimum).sum(axis=0)
    if (marked == scored[of_column]).all():
        return None
    by_rule = minimum.sum(axis=0)
    several = marked + by_rule[of_column] > 1
    counted = each[arm, item, repeat]
    alone = ~several[column] & ((scored + by_rule)[item] > 1)
    kept = several.copy()
    # An arm that nobody held against another stays in the table, and every pair of it is refused.
    first = {int(a): int(c) for a, c in zip(arm[::-1], column[::-1], strict=True)}
    held = set(arm[several[column]].tolist())
    kept[[c for a, c in first.items() if a not in held]] = True
    place = np.full(totals.shape, -1)
    place[arm, item, repeat] = np.where(kept, np.cumsum(kept) - 1, -1)[column]
    return Within(
        place=place,
        item=of_column[kept],
        minimum=minimum,
        low=low,
        left_out=int(counted[alone].sum()),
        given=int(counted.sum()),
    )


def of_raters(refused: Refusal) -> Refusal:
    """A refusal for want of items, said as for want of persons who marked both arms."""
    if refused.code not in _FEW:
        return refused
    return replace(refused, code=RefusalCode.RATERS_DIFFER.value, how=_HOW)


def told_of_raters(
    refused: Refusal,
    cells: FloatArray,
    *,
    clustered: bool,
    pooled: int | None = None,
    shared: int | None = None,
) -> Refusal:
    """A refusal for want of items, said of persons where the items themselves would do.

    Args:
        refused: Why there is no figure; returned as it is where the reason is another one.
        cells: Shape (A, I), whoever gave the marks.
        clustered: Items come in clusters.
        pooled: Items that both arms have, by different people too; the most of any two if None.
        shared: Items on which one person marked both arms; what the refusal has if None.
    """
    if refused.code not in _FEW:
        return refused
    need = LEAST_ITEMS.get(refused.statistic, int(refused.need))
    if pooled is None:
        there = np.isfinite(cells).astype(np.int64)
        pooled = int((there @ there.T)[np.triu_indices(len(there), 1)].max(initial=0))
    have = int(refused.have) if shared is None else shared
    if have < need <= pooled:
        return replace(of_raters(refused), have=have, need=need)
    if not clustered:
        return replace(refused, code=RefusalCode.TOO_FEW_ITEMS.value, how="add items")
    return refused


def said_of_raters(table: PairTable) -> PairTable:
    """The table with `of_raters` of each pair that is refused."""
    return replace(
        table,
        pairs=tuple(
            replace(pair, difference=of_raters(pair.difference))
            if isinstance(pair.difference, Refusal)
            else pair
            for pair in table.pairs
        ),
    )


def refuse(statistic: str) -> Refusal:
    """A figure of arms' means, where other people marked each arm."""
    code = RefusalCode.RATERS_DIFFER.value
    return Refusal(statistic=statistic, code=code, have=0, need=1, how=_HOW)


@dataclass(frozen=True, kw_only=True)
class RatingsWithin(Ratings):
    """Ratings whose differences are those within a person; means and places are of all marks.

    Args:
        within: Who marked what.
    """

    within: Within

    @cached_property
    def _columns(self) -> tuple[FloatArray, IntArray]:
        return self.within.columns(self.marks.verdicts[0])

    @cached_property
    def _by(self) -> IntArray:
        return self.within.clusters(self.clusters)

    @cached_property
    def table(self) -> PairTable:
        """All pairs of arms, errors clustered by item."""
        columns, counts = self._columns
        made = pairs.all_pairs(
            columns, counts, step=self.step, rng=self.rng("pairs"), clusters=self._by
        )
        return replace(made, pairs=tuple(map(self._said_of, made.pairs)))

    def _said_of(self, pair: Pair) -> Pair:
        """A pair in items, and with the reason that it is refused for."""
        columns = self._columns[0]
        both = np.isfinite(columns[pair.first]) & np.isfinite(columns[pair.second])
        shared = int(np.unique(self.within.item[both]).size)
        gap = pair.difference
        if isinstance(gap, Refusal):
            pooled = np.isfinite(self.cells[[pair.first, pair.second]]).all(axis=0)
            gap = self._said(gap, int(pooled.sum()), shared)
        clusters = None if self.clusters is None else pair.clusters
        return replace(pair, difference=gap, shared=shared, clusters=clusters)

    def _said(
        self, refused: Refusal, pooled: int | None = None, shared: int | None = None
    ) -> Refusal:
        """As `told_of_raters`, of these cells."""
        return told_of_raters(
            refused, self.cells, pooled=pooled, shared=shared, clustered=self.clusters is not None
        )

    @cached_property
    def order(self) -> TableOrder:
        """The order of the table: by the differences within a person to the reference arm."""
        return ranks.table_order(self._columns[0], placed=self.placed)

    @cached_property
    def observed(self) -> Sequence[ObservedRank | Refusal]:
        """By arm, its rank by what orders the table."""
        scale = self.marks.rubric.scale
        digits = decimals(scale.low, scale.high)
        found = observed_ranks(self._columns[0], self.order, digits=digits, clusters=self._by)
        return tuple(self._said(one) if isinstance(one, Refusal) else one for one in found)

    @cached_property
    def possible_best(self) -> tuple[int, ...] | Refusal:
        """Arms that may be best by the differences within a person."""
        columns, counts = self._columns
        return self._best(columns, counts, firm=self.firm)

    def _best(
        self, columns: FloatArray, counts: IntArray, *, firm: BoolArray
    ) -> tuple[int, ...] | Refusal:
        found = ranks.possible_best(columns, counts, step=self.step, firm=firm, clusters=self._by)
        return self._said(found) if isinstance(found, Refusal) else found

    @cached_property
    def ranks(self) -> Sequence[RankInterval | Refusal]:
        """By arm, the interval of its rank."""
        found = ranks.rank_intervals(self.claims, n_arms=len(self.ids), best=self.possible_best)
        return tuple(self._said(one) if isinstance(one, Refusal) else one for one in found)

    @cached_property
    def resolving(self) -> Resolving:
        """What the differences within a person can tell apart."""
        columns, counts = self._columns
        return Resolving(
            cells=columns,
            repeats=counts,
            step=self.step,
            total_step=self.marks.finest(self.step),
            lean=None,
            clusters=self._by,
            of=self.within.item,
        )

    def detectable(self) -> Estimate | Refusal:
        """The difference between two arms that this many items can show."""
        found = super().detectable()
        return self._said(found) if isinstance(found, Refusal) else found

    def items_needed(self) -> tuple[tuple[float, int], ...] | Refusal:
        """Differences wished for, each with the items that would show it."""
        found = super().items_needed()
        return self._said(found) if isinstance(found, Refusal) else found

    def rated(self, cells: FloatArray) -> Rated:
        """Other totals of the asked items: columns without what is left out of them."""
        every = np.full(self.cells.shape, np.nan)
        every[:, self.asked] = cells
        columns, counts = self._columns
        left = np.where(np.isfinite(every)[:, self.within.item], columns, np.nan)
        best = self._best(left, counts, firm=self._firm(cells))
        placed = self._placed(cells)
        return self._in_place(best, placed), placed
