"""Stored comparisons as columns: who won against whom, in which order, by whose judgment.

Judged pairs and imported ones are read by the same query. A comparison has one row a
criterion; code decides it from the criteria's weights, as it sums marks.
"""

from dataclasses import field

import numpy as np

from judgebench.model.rubric import Rubric
from judgebench.pipeline.figures.repeated import Repeated, kinds, once, repeats, uneven
from judgebench.records import dataclass
from judgebench.rubrics.total import decide, totals
from judgebench.stats import both_orders, swaps
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray, from_codes
from judgebench.stats.opponents import Opponents, opponents
from judgebench.stats.pairwise import Comparisons
from judgebench.store.store import Store


@dataclass(frozen=True, kw_only=True)
class Compared:
    """All comparisons of a pass, V of them, over K criteria."""

    item: IntArray = field(repr=False)
    first: IntArray = field(repr=False)
    """Shape (V,): code of the arm seen first."""
    second: IntArray = field(repr=False)
    marks: FloatArray = field(repr=False)
    """Shape (V, K): share that the first won: 1, 0 or ½; NaN where none was given."""
    outcome: FloatArray = field(repr=False)
    """Shape (V,): the same of the whole comparison; NaN where it is not decided."""
    ordered: BoolArray = field(repr=False)
    """Shape (V,): it is on record who was seen first."""
    noise: BoolArray = field(repr=False)
    """Shape (V,): judged for repeatability only."""
    rater: IntArray = field(repr=False)
    """Shape (V,): code of who judged, where several did in one pass."""

    @property
    def no_order(self) -> str:
        """What would put on record who was seen first, where that is not known of all."""
        without = int((~self.ordered).sum())
        if without < self.ordered.size:
            many = f"{without:,} of {self.ordered.size:,}"
            return f"the column of --order is empty for {many} comparisons: fill it in"
        return "judge import marks … --order COLUMN, which says what was shown first"

    def array(self, arms: int, items: int) -> FloatArray:
        """Each arm's share of each comparison that counts, shape (A, I, K, R).

        The last axis numbers the comparisons of an arm on an item.
        """
        marks = self.marks[~self.noise]
        arm, item, nth = self._sides(items)
        shares = np.concatenate([marks, 1 - marks])
        k = marks.shape[1]
        a, i, r = (np.repeat(one, k) for one in (arm, item, nth))
        shape = (arms, items, k, int(nth.max(initial=0)) + 1)
        return from_codes(shape, (a, i, np.tile(np.arange(k), arm.size), r), shares.reshape(-1))

    def _sides(self, items: int) -> tuple[IntArray, IntArray, IntArray]:
        """Arm, item and number within both of either side of the comparisons that count."""
        main = ~self.noise
        item = np.tile(self.item[main], 2)
        arm = np.concatenate([self.first[main], self.second[main]])
        cell, half = arm * items + item, int(main.sum())
        # Row 2·v is the first arm's side of comparison v, so that equal stores give equal arrays.
        turn = np.argsort(np.concatenate([2 * np.arange(half), 2 * np.arange(half) + 1]))
        nth = np.empty(cell.size, dtype=np.int64)
        nth[turn] = _running(cell[turn])
        return arm, item, nth

    def repeated(self, arms: int, items: int) -> Repeated | None:
        """What the comparisons of `array` are of; None where none was made more often than others.

        Where some are, the share of a cell is the mean of its arm's pairs, each by its own mean.
        """
        main, decided = ~self.noise, ~np.isnan(self.outcome[~self.noise])
        met = kinds(*self._pair(main))
        by = kinds(met, self.rater[main])
        # A criterion may have been marked in some repeats only.
        given = (decided, *np.isfinite(self.marks[main]).T)
        if not any(uneven(self.item[main][one], met[one], by[one]) for one in given):
            return None
        arm, item, nth = self._sides(items)
        shape = (arms, items, int(nth.max(initial=0)) + 1)
        codes = np.full((2, *shape), -1, dtype=np.int64)
        codes[0][arm, item, nth], codes[1][arm, item, nth] = np.tile(met, 2), np.tile(by, 2)
        return Repeated(met=codes[0], by=codes[1])

    def _pair(self, kept: BoolArray) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """Item, two arms in the order that is on record, and whether one is."""
        first, second, ordered = self.first[kept], self.second[kept], self.ordered[kept]
        a = np.where(ordered, first, np.minimum(first, second))
        b = np.where(ordered, second, np.maximum(first, second))
        return self.item[kept], a, b, ordered.astype(np.int64)

    @property
    def scorings(self) -> int:
        """Comparisons of two arms on an item, in one order where orders are known, at most."""
        return int(np.bincount(kinds(*self._pair(~self.noise)[:3])).max(initial=0))

    def lean(self, shape: tuple[int, ...]) -> FloatArray | None:
        """How far each cell may be of the place; None where no order is on record.

        Of some orders that are not known the known ones speak: a blank excuses no place.

        Args:
            shape: Arms and items of the cells.
        """
        if not self.ordered.any():
            return None
        return swaps.place_lean(self._of_shares(shape[0], self.ordered), shape[1])

    def opponents(self, arms: int) -> Opponents:
        """Whom each of so many arms met, in the comparisons that are decided."""
        return opponents(self._of_shares(arms))

    def changed(self, arms: int) -> tuple[int, int]:
        """How often a second judging of a pair by one rater said otherwise, and all of them.

        Where the order is on record it is the same in both.
        """
        kept = ~np.isnan(self.outcome)
        item, first, second, _ = self._pair(kept)
        won = self.outcome[kept]
        data = Comparisons(
            item=item, first=first, second=second, n_arms=arms,
            outcome=np.where(first == self.first[kept], won, 1 - won),
        )  # fmt: skip
        return both_orders.repeat_changes(data, self.rater[kept])

    def _of_shares(self, arms: int, among: BoolArray | None = None) -> Comparisons:
        """The comparisons that are decided as shares count them: one of two arms in one order.

        Args:
            arms: How many there are.
            among: Shape (V,), comparisons that are looked at; None for all of them.

        Where all were made equally often it is all of them.
        """
        kept = ~np.isnan(self.outcome) & ~self.noise
        kept &= True if among is None else among
        at = np.flatnonzero(kept)
        met = kinds(*self._pair(kept))
        if uneven(self.item[kept], met, kinds(met, self.rater[kept])):
            at = at[once(met)]
        return Comparisons(
            item=self.item[at], first=self.first[at], second=self.second[at],
            outcome=self.outcome[at], n_arms=arms,
        )  # fmt: skip

    def decided(self, arms: int) -> Comparisons:
        """The comparisons that are decided, of so many arms: what was repeated weighs as one."""
        kept = ~np.isnan(self.outcome) & ~self.noise
        met = kinds(*self._pair(kept))
        return Comparisons(
            item=self.item[kept], first=self.first[kept], second=self.second[kept],
            outcome=self.outcome[kept], n_arms=arms,
            weight=1 / repeats(met, kinds(met, self.rater[kept])),
        )  # fmt: skip


def _running(group: IntArray) -> IntArray:
    """How many rows of its group stand before each row."""
    order = np.argsort(group, kind="stable")
    ranked = group[order]
    starts = np.searchsorted(ranked, ranked)
    out = np.empty(group.size, dtype=np.int64)
    out[order] = np.arange(group.size) - starts
    return out


def read_compared(
    store: Store,
    *,
    run: str,
    pass_id: str,
    rubric: Rubric,
    applies: BoolArray,
    require_quotes: bool,
) -> Compared:
    """Read the comparisons of a pass.

    Args:
        store: The open store.
        run: Key of the run.
        pass_id: The pass.
        rubric: As it sums comparisons (`of_pairs`).
        applies: Shape (I, K): the criterion applies to the item.
        require_quotes: Leave out verdicts without the quotes that they need.
    """
    ids = [criterion.id for criterion in rubric.criteria]
    found = store.columns("pair_codes", pass_id=pass_id, run=run, criteria=ids)
    keep = np.ones(len(found["unit"]), dtype=bool)
    if require_quotes:
        keep &= ~np.asarray(found["unsupported"], dtype=bool)
    unit, at = np.unique(np.asarray(found["unit"], dtype=np.int64), return_index=True)
    marks = from_codes(
        (unit.size, len(ids)),
        (
            np.asarray(found["unit"], dtype=np.int64)[keep],
            np.asarray(found["criterion"], dtype=np.int64)[keep],
        ),
        np.asarray(found["won"], dtype=np.float64)[keep],
    )
    item = np.asarray(found["item"], dtype=np.int64)[at]
    outcome = np.full(unit.size, np.nan)
    asked = ~np.isnan(marks).all(axis=1)
    if asked.any():
        outcome[asked] = decide(totals(rubric, marks[asked], applies[item[asked]]).value)
    return Compared(
        item=item,
        first=np.asarray(found["arm_first"], dtype=np.int64)[at],
        second=np.asarray(found["arm_second"], dtype=np.int64)[at],
        marks=marks,
        outcome=outcome,
        ordered=np.asarray(found["ordered"], dtype=bool)[at],
        noise=np.asarray(found["noise"], dtype=bool)[at],
        rater=np.asarray(found["rater"], dtype=np.int64)[at],
    )
