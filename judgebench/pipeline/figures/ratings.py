"""How the arms of one pass stand by their totals: pairs, places, order, who may be best.

Values in, values out: it reads no store, and knows neither judge nor reply.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TypeVar

import numpy as np

from judgebench.model.nouns import Estimate, ObservedRank, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.model.result import PairResult
from judgebench.pipeline.figures.marked import Marks
from judgebench.pipeline.figures.outshone import outshone
from judgebench.pipeline.figures.resolving import Resolving
from judgebench.pipeline.figures.stronger import ByStrengths, by_strengths
from judgebench.pipeline.figures.unflagged import Rated
from judgebench.records import dataclass
from judgebench.stats import leaning, pairs, planning, ranks
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray
from judgebench.stats.observed import observed_ranks
from judgebench.stats.opponents import Opponents
from judgebench.stats.pairs import PairTable
from judgebench.stats.ranks import RankInterval, TableOrder
from judgebench.stats.shares import by_shares
from judgebench.text import decimals

Figure = TypeVar("Figure")
_OF_COUNTS = frozenset({RefusalCode.NOTHING_SCORED.value, RefusalCode.TOO_FEW_ARMS.value})
"""Refusals that opponents have no part in."""


@dataclass(frozen=True, kw_only=True)
class Ratings:
    """The totals of one pass on their way to places.

    Args:
        ids: Arms by their index.
        marks: Marks that count.
        step: Lattice of the marks.
        unplaced: Arms that stand in no place whatever their totals: an output looks cut.
        sampled: The raters marked a sample of the items; the others were asked of nobody.
        rng: Randomness of one figure, by its name.
        clusters: Shape (I,), the cluster of each item; None where items are independent.
        open_ended: Ends of the scale are those of the marks: a blocked answer may lie beyond.
        offered: Shape (I,), items of which the raters were given any arm; None for all.
    """

    ids: Sequence[str]
    marks: Marks
    step: float
    unplaced: Collection[str]
    sampled: bool
    rng: Callable[[str], np.random.Generator]
    clusters: IntArray | None = None
    open_ended: bool = False
    offered: BoolArray | None = None

    @property
    def ends(self) -> tuple[float, float]:
        """What a total can be at least and at most, scale points."""
        scale = self.marks.rubric.scale
        return (-np.inf, np.inf) if self.open_ended else (scale.low, scale.high)

    @property
    def cells(self) -> FloatArray:
        """Mean totals, shape (A, I), NaN where an arm has none."""
        return self.marks.cells

    @property
    def repeats(self) -> IntArray:
        """Judgings behind each total, shape (A, I)."""
        return self.marks.repeats

    @cached_property
    def asked(self) -> BoolArray:
        """Items that some criterion applies to; the others drop out for all arms alike."""
        return np.asarray(self.marks.applies.any(axis=1), dtype=bool)

    @property
    def asked_clusters(self) -> IntArray | None:
        """The cluster of each item that is asked."""
        return None if self.clusters is None else self.clusters[self.asked]

    @cached_property
    def table(self) -> PairTable:
        """All pairs of arms."""
        made = pairs.all_pairs(
            self.cells, self.repeats, step=self.step, rng=self.rng("pairs"),
            clusters=self.clusters, apart=self._apart,
        )  # fmt: skip
        made = by_shares(made) if self.marks.compared else made
        return made if self.shifts is None else self._named(leaning.allowing(made, self.shifts))

    def _named(self, table: PairTable) -> PairTable:
        """The table, in which pairs that met other opponents are refused for that."""
        return replace(
            table,
            pairs=tuple(
                pair if refused is None else replace(pair, difference=refused)
                for pair in table.pairs
                for refused in (self._unmatched("difference", pair.first, pair.second),)
            ),
        )

    def _unmatched(self, statistic: str, first: int, second: int) -> Refusal | None:
        met = self.opponents
        return None if met is None else met.between(first, second, statistic)

    @cached_property
    def opponents(self) -> Opponents | None:
        """Whom the arms met; None where outputs were marked."""
        compared = self.marks.compared
        return None if compared is None else compared.opponents(len(self.ids))

    @property
    def _apart(self) -> BoolArray | None:
        return None if self.opponents is None else self.opponents.apart

    @cached_property
    def by_strengths(self) -> ByStrengths | None:
        """How arms stand by strengths; None where the shares that they won tell it.

        Shares are of one thing where arms met the same opponents; strengths allow for others.
        """
        compared, met = self.marks.compared, self.opponents
        if compared is None or met is None or met.split("best") or not met.over_all("best"):
            return None
        return by_strengths(compared, len(self.ids), self.clusters)

    @cached_property
    def shifts(self) -> FloatArray | None:
        """The most that place and opponents may add; None where outputs were marked."""
        met = self.opponents
        return None if met is None else leaning.all_shifts(self.lean, met.unlike)

    @cached_property
    def lean(self) -> FloatArray | None:
        """How far each cell may be of the place; None where nobody was shown before another.

        Where the order is not on record nothing can be allowed for: a warning says so.
        """
        compared = self.marks.compared
        return None if compared is None else compared.lean(self.cells.shape)

    @cached_property
    def placed(self) -> list[bool]:
        """By arm, whether it stands in a place."""
        return self._placed(self.deciding)

    @property
    def deciding(self) -> FloatArray:
        """Shape (A, I'), totals of the items that decide of places and worst cases."""
        return self._of_places(self.cells)

    def _of_places(self, cells: FloatArray) -> FloatArray:
        """The cells that decide of places: items that were asked of anybody."""
        asked = cells[:, self.asked]
        return _with_any(asked) if self.sampled else self._offered(asked)

    def _offered(self, cells: FloatArray) -> FloatArray:
        """Of the asked items those of which an arm was given: the others leave nothing open."""
        return cells if self.offered is None else cells[:, self.offered[self.asked]]

    @cached_property
    def order(self) -> TableOrder:
        """The order of the table, and the arm that the others are held against."""
        if self.by_strengths is not None:
            return self.by_strengths.order(self.placed)
        return ranks.table_order(self.cells[:, self.asked], placed=self.placed)

    @cached_property
    def possible_best(self) -> tuple[int, ...] | Refusal:
        """Arms that may be best by their totals, or by strengths, placed or not."""
        if self.by_strengths is not None:
            return self.by_strengths.best(self.firm)
        return self._best_of(self.cells, self.repeats, self.firm, self.clusters)

    def _best_of(
        self, cells: FloatArray, reps: IntArray, firm: BoolArray, clusters: IntArray | None
    ) -> tuple[int, ...] | Refusal:
        found = ranks.possible_best(
            cells, reps, step=self.step, shifts=self.shifts, firm=firm, clusters=clusters,
            apart=self._apart, shares=self.marks.compared is not None,
        )  # fmt: skip
        return self._over_all(found)

    def _over_all(self, found: Figure) -> Figure | Refusal:
        """What is said over all arms, refused where groups of them never met.

        Where it is refused for too few items, opponents may be why no pair counts.
        """
        met, name = self.opponents, getattr(found, "statistic", "best")
        if met is None or (isinstance(found, Refusal) and found.code in _OF_COUNTS):
            return found
        refused = met.over_all(name) if isinstance(found, Refusal) else met.split(name)
        return found if refused is None else refused

    @cached_property
    def firm(self) -> BoolArray:
        """Shape (A, A): pairs that no blocked answer, and none that looks cut, could turn."""
        return self.firm_of(self.cells)

    def firm_of(self, cells: FloatArray) -> BoolArray:
        """The same of other totals, shape (A, I)."""
        return self._firm(self._of_places(cells))

    def _firm(self, cells: FloatArray) -> BoolArray:
        low, high = self.ends
        firm = ranks.firm_pairs(cells, low=low, high=high)
        cut = np.array([arm in self.unplaced for arm in self.ids], dtype=np.bool_)
        return np.asarray(firm & ~cut & ~cut[:, None], dtype=np.bool_)

    @cached_property
    def claims(self) -> PairTable:
        """The pairs as every page speaks of them: only a firm one is ever called separated."""
        return self.table.only(self.firm)

    @property
    def told(self) -> PairTable:
        """The pairs that tell arms apart: those of strengths where shares are not compared."""
        found = self.by_strengths
        return self.claims if found is None else found.table.only(self.firm)

    @cached_property
    def ranks(self) -> Sequence[RankInterval | Refusal]:
        """By arm, the interval of its rank; what blocked answers could turn is left open."""
        found = ranks.rank_intervals(self.told, n_arms=len(self.ids), best=self.possible_best)
        # An arm of which nothing is scored may stand above any other, or below.
        open_ = int((~np.isfinite(self.cells).any(axis=1)).sum())
        return [
            self._over_all(one if isinstance(one, Refusal) else replace(one, high=one.high + open_))
            for one in found
        ]

    @cached_property
    def observed(self) -> Sequence[ObservedRank | Refusal]:
        """By arm, its rank by the totals that order the table, placed or not."""
        scale = self.marks.rubric.scale
        digits = decimals(scale.low, scale.high)
        found = observed_ranks(
            self.cells[:, self.asked], self.order, digits=digits, clusters=self.asked_clusters
        )
        refused = None if self.opponents is None else self.opponents.over_all("observed_rank")
        if refused is None:
            return found
        # Shares won against other opponents are not of one thing: they have no common order.
        return [one if isinstance(one, Refusal) else refused for one in found]

    @cached_property
    def best(self) -> tuple[str, ...] | Refusal:
        """Arms that may be best and stand in a place; the others are named as not placed."""
        found = self._in_place(self.possible_best, self.placed)
        if isinstance(found, Refusal):
            return found
        return tuple(name for name in found if self.ids.index(name) not in self.outshone)

    @cached_property
    def outshone(self) -> frozenset[int]:
        """Placed arms that lie below one that is not: none of them is named as the best."""
        strong = self.by_strengths
        table = self.table if strong is None else strong.table
        return outshone(table, self.placed, taken=self.open_ended)

    @property
    def reference(self) -> str | None:
        """The arm that the others are held against; None where none is placed."""
        return None if self.order.reference is None else self.ids[self.order.reference]

    def shared_units(self) -> int:
        """Items, or clusters of them, behind a comparison: the most that two arms share."""
        scored = ~np.isnan(self.cells)
        if scored.any(axis=1).sum() <= 1:
            there = np.flatnonzero(scored.any(axis=0))
            return int((there if self.clusters is None else np.unique(self.clusters[there])).size)
        # Arms that share nothing have marks side by side, as on one item: no comparison.
        return max(1, *(pair.units for pair in self.table.pairs))

    def pairs(self) -> tuple[PairResult, ...]:
        """Every pair of arms with a total, in the order of the table."""
        scored = [at for at in self.order.order if not np.isnan(self.cells[at]).all()]
        compared = [
            self.claims.between(a, b) for place, a in enumerate(scored) for b in scored[place + 1 :]
        ]
        made = tuple(
            PairResult(
                first=self.ids[pair.first],
                second=self.ids[pair.second],
                difference=pairs.jointly(pair.difference, self.claims.comparisons),
                p_all_pairs=pair.p,
                shared=pair.shared,
                separated=pair.separated,
                floored=pair.floored,
                firm=bool(self.firm[pair.first, pair.second]),
            )
            for pair in filter(None, compared)
        )
        return made if self.by_strengths is None else tuple(map(self._by_strength, made))

    def _by_strength(self, pair: PairResult) -> PairResult:
        """A pair that is told apart by its strengths, or not at all."""
        at = {name: place for place, name in enumerate(self.ids)}
        found = self.told.between(at[pair.first], at[pair.second])
        if found is None:
            return replace(pair, separated=None, p_all_pairs=None)
        gap = pairs.jointly(found.difference, self.told.comparisons)
        return replace(
            pair,
            strength=gap if isinstance(gap, Estimate) else None,
            separated=found.separated,
            p_all_pairs=found.p,
        )

    @cached_property
    def resolving(self) -> Resolving:
        """What these totals can tell apart."""
        return Resolving(
            cells=self.cells,
            repeats=self.repeats,
            step=self.step,
            total_step=self.marks.finest(self.step),
            lean=self.lean,
            clusters=self.clusters,
            opponents=self.opponents,
        )

    def detectable(self) -> Estimate | Refusal:
        """The difference between two arms that this many items can show."""
        return self.resolving.detectable()

    def worst_pair(self) -> tuple[str, str] | None:
        """Its arms, the higher row of the table first."""
        worst = self.resolving.worst
        if isinstance(worst, Refusal):
            return None
        pair = {worst.first, worst.second}
        first, second = (self.ids[at] for at in self.order.order if at in pair)
        return first, second

    def items_needed(self) -> tuple[tuple[float, int], ...] | Refusal:
        """Differences wished for, each with the items that would show it."""
        if (refused := self.resolving.past_items("items_needed")) is not None:
            return refused
        spread, scale = self.resolving.worst, self.marks.rubric.scale
        if isinstance(spread, Refusal):
            return replace(spread, statistic="items_needed")
        comparisons = max(1, self.table.comparisons)
        shares = self.marks.compared is not None
        needed = [
            (points, self.resolving.as_found(items, points))
            for points in planning.wished_gaps(scale.low, scale.high, shares=shares)
            for items in (
                planning.items_needed(
                    spread.sd, points, comparisons=comparisons, units=spread.units,
                    lattice=self.resolving.total_step * spread.once, shares=shares,
                ),
            )
        ]  # fmt: skip
        return tuple((points, items) for points, items in needed if isinstance(items, int))

    def rated(self, cells: FloatArray) -> Rated:
        """Other totals of the asked items, rated as the table is.

        Args:
            cells: Shape (A, items that are asked).
        """
        if self.by_strengths is not None and self.opponents is not None:
            # Strengths are fitted to all comparisons, and shares are not compared.
            refused = self.opponents.over_all("best")
            return refused or (), self.placed
        # In comparisons an item goes whole: it is not one that an arm failed.
        of_places = _with_any(cells) if self.marks.compared else self._offered(cells)
        reps, firm = self.repeats[:, self.asked], self._firm(of_places)
        best = self._best_of(cells, reps, firm, self.asked_clusters)
        placed = self._placed(of_places)
        return self._in_place(best, placed), placed

    def _placed(self, cells: FloatArray) -> list[bool]:
        """Which arms stand in a place: enough answered, and none that looks cut."""
        low, high = self.ends
        answered = ranks.placement(cells, low=low, high=high)
        return [
            enough and arm not in self.unplaced
            for arm, enough in zip(self.ids, answered, strict=True)
        ]

    def _in_place(
        self, best: tuple[int, ...] | Refusal, placed: Sequence[bool]
    ) -> tuple[str, ...] | Refusal:
        if isinstance(best, Refusal):
            return best
        return tuple(self.ids[at] for at in self.order.order if at in best and placed[at])


def _with_any(cells: FloatArray) -> FloatArray:
    """Only the items on which some arm has a total."""
    return cells[:, np.isfinite(cells).any(axis=0)]
