"""What so many items can tell apart: the gap that would be found, and the hardest pair.

The one place that the table, the report and the plan of more items take it from.
"""

from functools import cached_property
from itertools import combinations
from typing import TypeVar

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.records import dataclass
from judgebench.stats import leaning, opponents, planning, spreads
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray
from judgebench.stats.opponents import Opponents

Figure = TypeVar("Figure")

PLACE_LIMIT = 0.05
"""What the place may add to a difference of shares without a word of it."""


@dataclass(frozen=True, kw_only=True)
class Resolving:
    """The totals of some arms, on their way to what they can tell apart.

    Args:
        cells: Shape (A, I), scale points, NaN where an arm has no total.
        repeats: Shape (A, I), judgings or comparisons behind each total.
        step: Lattice of the marks.
        total_step: Lattice of a total of one of them.
        lean: Shape (A, I), how far each cell may be of the place; None where nobody was
            shown before another.
        clusters: Shape (I,), the cluster of each item; None where items are independent.
        opponents: Whom the arms met; None where outputs were marked.
        of: Shape (I,), the item of each column, where a column is one person on an item.
    """

    cells: FloatArray
    repeats: IntArray
    step: float
    total_step: float
    lean: FloatArray | None
    clusters: IntArray | None = None
    opponents: Opponents | None = None
    of: IntArray | None = None

    @property
    def _apart(self) -> BoolArray | None:
        return None if self.opponents is None else self.opponents.apart

    def _named(self, found: Figure) -> Figure | Refusal:
        """The same; where no pair was held against another for its opponents, that is why."""
        if not isinstance(found, Refusal) or found.code != RefusalCode.TOO_FEW_ITEMS.value:
            return found
        apart = None if self.opponents is None else self.opponents.over_all(found.statistic)
        return found if apart is None else apart

    @cached_property
    def place_shift(self) -> float:
        """The most that the place may add to a difference of two arms: 0 where orders vary."""
        lean = self.lean
        if lean is None:
            return 0.0
        return max((leaning.place_shift(a, b) for a, b in combinations(lean, 2)), default=0.0)

    def past_items(self, statistic: str) -> Refusal | None:
        """Why no number of items would tell; None where items do.

        What the place gives is not told from what an arm is worth, groups never met, or they
        share no item.
        """
        refused = None
        if self.opponents:
            refused = self.opponents.split(statistic)
        elif self.of is None:
            # Of persons who marked different arms that is said as such.
            refused = opponents.unshared(self.cells, statistic)
        if refused is not None:
            return refused
        if self.place_shift <= PLACE_LIMIT:
            return None
        return Refusal(
            statistic=statistic, code=RefusalCode.NOT_IDENTIFIED.value, have=1, need=2,
            how="two arms need comparisons in both orders",
        )  # fmt: skip

    def detectable(self) -> Estimate | Refusal:
        """The difference between two arms that this many items can show."""
        return self._detectable

    @cached_property
    def _detectable(self) -> Estimate | Refusal:
        if (refused := self.past_items("detectable")) is not None:
            return refused
        return self._named(
            planning.detectable(
                self.cells, self.repeats, step=self.step, total_step=self.total_step,
                clusters=self.clusters, apart=self._apart, of=self.of,
                shares=self.opponents is not None,
            )
        )  # fmt: skip

    def as_found(self, items: int | Refusal, gap: float) -> int | Refusal:
        """Items for a gap, beside what these items find: never more for one that they find.

        Both are held against the rule by which arms are told apart, within 78 to 82 %: one by
        draws from these differences, the other by normal ones.
        """
        found, worst = self.detectable(), self.worst
        if isinstance(items, Refusal) or isinstance(found, Refusal) or isinstance(worst, Refusal):
            return items
        return min(items, worst.n) if gap >= found.value else max(items, worst.n + 1)

    @cached_property
    def worst(self) -> spreads.Spread | Refusal:
        """The pair of arms that is hardest to tell apart."""
        return self._named(
            spreads.worst_spread(
                self.cells, self.repeats, step=self.step, clusters=self.clusters,
                apart=self._apart, of=self.of, shares=self.opponents is not None,
            )
        )  # fmt: skip
