"""From stored comparisons to arrays and figures: who won against whom, in which order.

Judged pairs and imported ones are read by the same query. A comparison has one row a
criterion; code decides it from the criteria's weights, as it sums marks.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from judgebench.model.comparing import ComparedArm, Comparing
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.model.rubric import Rubric
from judgebench.pipeline.figures.repeated import Repeated, kinds, once, uneven
from judgebench.rubrics.total import decide, totals
from judgebench.stats import both_orders, circles, pairwise, swaps
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray, from_codes
from judgebench.stats.opponents import Opponents, opponents
from judgebench.stats.pairwise import Comparisons, Strengths
from judgebench.store.store import Store

ONE_ORDER = "each two arms were shown in one order only"
"""Why place and worth cannot be told apart."""


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
        """How far each cell may be of the place; None where some order is not on record.

        Args:
            shape: Arms and items of the cells.
        """
        if not self.ordered.all():
            return None
        return swaps.place_lean(self._of_shares(shape[0]), shape[1])

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

    def _of_shares(self, arms: int) -> Comparisons:
        """The comparisons that are decided as shares count them: one of two arms in one order.

        Where all were made equally often it is all of them.
        """
        kept = ~np.isnan(self.outcome) & ~self.noise
        at = np.flatnonzero(kept)
        met = kinds(*self._pair(kept))
        if uneven(self.item[kept], met, kinds(met, self.rater[kept])):
            at = at[once(met)]
        return Comparisons(
            item=self.item[at], first=self.first[at], second=self.second[at],
            outcome=self.outcome[at], n_arms=arms,
        )  # fmt: skip

    def rows(self, *, noise: bool = False) -> tuple[IntArray, IntArray, IntArray, FloatArray]:
        """Item, first, second and outcome of the decided comparisons."""
        kept = ~np.isnan(self.outcome) & (noise | ~self.noise)
        return self.item[kept], self.first[kept], self.second[kept], self.outcome[kept]


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


def comparing(
    found: Compared,
    *,
    ids: Sequence[str],
    order: Sequence[int],
    reference: int | None,
    rng: np.random.Generator,
    place_shift: float,
    clusters: IntArray | None = None,
) -> Comparing:
    """The figures of a pass that only comparisons have.

    Args:
        found: Its comparisons.
        ids: Ids of the arms by code.
        order: Codes in the order of the table.
        reference: The arm whose strength is 0.
        rng: Draws outcomes for the expected share of circles.
        place_shift: The most that the place may add to a difference of two arms.
        clusters: Shape (I,), the cluster of each item; None where items are independent.
    """
    item, first, second, outcome = found.rows()
    met = np.unique(np.concatenate([first, second]))
    data = among(found.rows(), met)
    again, n_again = found.changed(len(ids))
    # Where some order is not on record, the column says nothing of the others either.
    ordered = bool(found.ordered.all())
    counts = both_orders.order_counts(data) if ordered else None
    split = found.opponents(len(ids)).groups
    fit = fitted(data, reference=_at(met, reference), order=ordered, clusters=clusters)
    groups = pairwise.unlinked(data) if met.size else ()
    meetings = _meetings(data)
    strengths = fit if isinstance(fit, Strengths) else None
    circular = circles.circular_share(data)
    return Comparing(
        arms=tuple(
            _arm(
                data,
                fit,
                ids[at],
                at=_at(met, at),
                reference=_at(met, reference),
                clusters=clusters,
            )
            for at in order
        ),
        comparisons=int(item.size),
        tied=int((outcome == 0.5).sum()),  # noqa: PLR2004 - a tie
        first_share=_first_share(data, ordered=ordered, clusters=clusters),
        place_shift=place_shift if ordered else None,
        order=_order(fit),
        both_orders=counts.pairs if counts else 0,
        turned_first=counts.first if counts else 0,
        turned_second=counts.second if counts else 0,
        loosened=counts.loosened if counts else 0,
        again=n_again,
        again_changed=again,
        circular=circular,
        circular_expected=(
            None
            if strengths is None or isinstance(circular, Refusal)
            else circles.circular_expected(data, strengths, rng=rng)
        ),
        meetings_fewest=min(meetings, default=0),
        meetings_most=max(meetings, default=0),
        unlinked=(
            tuple(tuple(ids[int(met[at])] for at in group) for group in groups)
            if len(groups) > 1
            else ()
        ),
        never_met=tuple(tuple(ids[at] for at in order if at in group) for group in split)
        if len(split) > 1
        else None,
    )


def among(rows: tuple[IntArray, IntArray, IntArray, FloatArray], met: IntArray) -> Comparisons:
    """The comparisons of the arms that met, which are numbered by their place among them.

    Args:
        rows: Item, first, second and outcome, as `Compared.rows` gives them.
        met: Codes of the arms, ascending.
    """
    item, first, second, outcome = rows
    kept = np.isin(first, met) & np.isin(second, met)
    return Comparisons(
        item=item[kept],
        first=np.searchsorted(met, first[kept]),
        second=np.searchsorted(met, second[kept]),
        outcome=outcome[kept],
        n_arms=int(met.size),
    )


def _meetings(data: Comparisons) -> list[int]:
    """How often each two arms were compared."""
    low, high = np.minimum(data.first, data.second), np.maximum(data.first, data.second)
    counts = np.bincount(low * data.n_arms + high, minlength=data.n_arms**2)
    grid = counts.reshape(data.n_arms, data.n_arms)
    return [int(n) for n in grid[np.triu_indices(data.n_arms, k=1)]]


def _at(met: IntArray, arm: int | None) -> int | None:
    """Place of an arm among those that were compared."""
    return int(np.searchsorted(met, arm)) if arm is not None and arm in met else None


def fitted(
    data: Comparisons, *, reference: int | None, order: bool, clusters: IntArray | None
) -> Strengths | Refusal:
    """Strengths of the comparisons, or why there are none.

    Args:
        data: Comparisons of the arms that met.
        reference: The arm whose strength is 0; None where it met none.
        order: The order is on record of all of them.
        clusters: The cluster of each item; None where items are independent.
    """
    if reference is None:
        return Refusal(
            statistic="bradley_terry", code=RefusalCode.NOTHING_SCORED.value, have=0, need=1,
        )  # fmt: skip
    made = pairwise.bradley_terry(data, reference=reference, order=order, clusters=clusters)
    if isinstance(made, Refusal) and made.code == RefusalCode.ORDER_NOT_RECORDED.value:
        # It is on record, and no two arms met in both orders: a strength would be the place too.
        return _one_order(made.statistic)
    if isinstance(made, Refusal) and made.code == RefusalCode.DISCONNECTED.value:
        return opponents(data).split(made.statistic) or made
    return made


def _first_share(
    data: Comparisons, *, ordered: bool, clusters: IntArray | None
) -> Estimate | Refusal:
    """Share won by the arm seen first, of arms that met in both orders: else it is their worth."""
    if not ordered:
        return _not_recorded("first_share")
    both = swaps.in_both_orders(data)
    if data.item.size and not both.any():
        return _one_order("first_share")
    kept = Comparisons(
        item=data.item[both], first=data.first[both], second=data.second[both],
        outcome=data.outcome[both], n_arms=data.n_arms,
    )  # fmt: skip
    return pairwise.first_share(kept, clusters=clusters)


def _order(fitted: Strengths | Refusal) -> Estimate | Refusal:
    if isinstance(fitted, Refusal):
        return replace(fitted, statistic="order")
    return fitted.order or _not_recorded("order")


def _one_order(statistic: str) -> Refusal:
    return Refusal(
        statistic=statistic, code=RefusalCode.NOT_IDENTIFIED.value, have=1, need=2, how=ONE_ORDER
    )


def _not_recorded(statistic: str) -> Refusal:
    return Refusal(
        statistic=statistic, code=RefusalCode.ORDER_NOT_RECORDED.value, have=1, need=2,
        how="judge each pair in both orders",
    )  # fmt: skip


def _arm(
    data: Comparisons,
    fitted: Strengths | Refusal,
    name: str,
    *,
    at: int | None,
    reference: int | None,
    clusters: IntArray | None,
) -> ComparedArm:
    nothing = Refusal(
        statistic="win_rate", code=RefusalCode.NOTHING_SCORED.value, have=0, need=1,
    )  # fmt: skip
    if at is None:
        return ComparedArm(
            arm=name, won=0, tied=0, lost=0, against_reference=nothing,
            strength=fitted if isinstance(fitted, Refusal) else nothing,
        )  # fmt: skip
    mine = np.concatenate([data.outcome[data.first == at], 1 - data.outcome[data.second == at]])
    against: Estimate | Refusal = nothing
    if at == reference:
        against = Estimate(value=0.5, n=int(np.unique(data.item).size), kind="reference")
    elif reference is not None:
        against = pairwise.win_rate(data, arm=at, against=reference, clusters=clusters)
    return ComparedArm(
        arm=name,
        won=int((mine == 1).sum()),
        tied=int((mine == 0.5).sum()),  # noqa: PLR2004 - a tie
        lost=int((mine == 0).sum()),
        strength=fitted if isinstance(fitted, Refusal) else fitted.arms[at],
        against_reference=against,
    )
