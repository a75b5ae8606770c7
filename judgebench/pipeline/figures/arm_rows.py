"""One row of the table for each arm: its totals, criteria, place and distance to the reference."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from judgebench.model.collected import Arm
from judgebench.model.nouns import Estimate, ObservedRank, Refusal
from judgebench.model.reasons import Reason, RefusalCode
from judgebench.model.result import ArmResult, CriterionMean
from judgebench.pipeline.figures.by_raters import RatingsWithin
from judgebench.pipeline.figures.gather import ArmFacts
from judgebench.pipeline.figures.marked import Marks
from judgebench.pipeline.figures.no_totals import without_total
from judgebench.pipeline.figures.ratings import Ratings
from judgebench.records import dataclass
from judgebench.stats import checks, intervals, pairs, ranks
from judgebench.stats.arrays import BoolArray, nan_mean
from judgebench.stats.ranks import RankInterval


@dataclass(frozen=True, kw_only=True)
class ArmRows:
    """One pass on its way to the rows of its table.

    Args:
        arms: As the run declares them.
        found: By arm, what is stored of its outputs beside marks.
        marks: Marks that count.
        ratings: How the arms stand by them.
        no_totals: Criteria were marked, but no answer on all of them.
        marks_only: Marks were given elsewhere, without outputs.
        same_family: Arms of a judge's own family.
        given: Shape (A, I), cells that imported marks hold a row of; None where none were imported.
        bare: Marks were brought in without outputs, of which nothing is known then.
    """

    arms: Sequence[Arm]
    found: Mapping[str, ArmFacts]
    marks: Marks
    ratings: Ratings
    no_totals: bool
    marks_only: bool
    same_family: Sequence[str]
    given: BoolArray | None = None
    bare: bool = False

    def arm(self, at: int) -> ArmResult:
        """The row of one arm, by its index."""
        arm = self.arms[at]
        facts = self.found.get(arm.id, ArmFacts())
        cells = self.marks.cells[at, self.ratings.asked]
        known = cells[~np.isnan(cells)]
        scale = self.marks.rubric.scale
        total = intervals.mean_interval(
            cells, low=scale.low, high=scale.high, clusters=self.ratings.asked_clusters
        )
        if isinstance(total, Refusal) and total.code == RefusalCode.NOTHING_SCORED:
            total = replace(total, how=self._without_total(at))
        deciding = self.ratings.deciding[at]
        worst = ranks.worst_case_bounds(
            deciding if deciding.size else cells, low=scale.low, high=scale.high
        )
        placed = self.ratings.placed[at]
        ranked = self.ratings.ranks[at] if placed else None
        mean = float(known.mean()) if known.size else None
        value, fired = self.marks.verdicts[0][at], self.marks.verdicts[1][at]
        judged = ~np.isnan(value)
        reading = (
            checks.tier(mean, self.marks.rubric.tiers, interval=total)
            if mean is not None and self.marks.rubric.tiers
            else None
        )
        return ArmResult(
            arm=arm,
            planned=int(cells.size),
            answered=int(known.size),
            answered_rate=intervals.clopper_pearson(self._given(at), int(cells.size)),
            blocked=facts.blocked,
            judge_blocked=facts.judge_blocked,
            suspects=None if self.bare else facts.suspects,
            masked=None if self.bare else facts.masked,
            mean=mean,
            total=total,
            median=float(np.median(known)) if known.size else None,
            criteria=self._criteria(at),
            uncapped=self._uncapped(at),
            gated_share=float(fired[judged].mean()) if judged.any() else None,
            difference=self._difference(at),
            shared=self._shared(at),
            may_be_best=self._may_be_best(at),
            rank_low=ranked.low if isinstance(ranked, RankInterval) else None,
            rank_high=ranked.high if isinstance(ranked, RankInterval) else None,
            observed_rank=self._observed(at, int(known.size)),
            placed=placed,
            worst_low=worst.low,
            worst_high=worst.high,
            quote=facts.quote,
            quote_criterion=facts.quote_criterion,
            tier=reading.name if reading else None,
            tier_borderline=reading is not None and reading.borderline,
            context=facts.context,
            same_family=arm.id in self.same_family,
            place_code=self._place_code(at),
            never_given=self._never_given(at) or None,
        )

    def _never_given(self, at: int) -> int:
        """Items that are asked, of which imported marks hold no row for an arm."""
        if self.given is None:
            return 0
        return int((~self.given[at] & self.ratings.asked).sum())

    def _lost(self, at: int) -> int:
        """Items of an arm without a total that were given."""
        there = np.isfinite(self.marks.cells[at, self.ratings.asked])
        return int(there.size - there.sum()) - self._never_given(at)

    def _observed(self, at: int, answered: int) -> ObservedRank | Refusal:
        """Its rank by these totals; of an arm that stands in no place there is none."""
        if not answered or self.ratings.placed[at]:
            return self.ratings.observed[at]
        planned = int(self.ratings.asked.sum())
        return Refusal(
            statistic="observed_rank", code=self._place_code(at) or "", have=answered,
            need=planned,
            how="marks of the others" if self.marks_only else "judge explain blocked",
        )  # fmt: skip

    def _uncapped(self, at: int) -> float | None:
        bare = self.marks.uncapped[at, self.ratings.asked]
        there = np.isfinite(bare) & np.isfinite(self.marks.cells[at, self.ratings.asked])
        return float(bare[there].mean()) if there.any() else None

    def _given(self, at: int) -> int:
        """Answers of an arm with a total, or with any mark where there are no totals."""
        cells = self.marks.cells[at, self.ratings.asked]
        if self.no_totals:
            cells = nan_mean(self.marks.criteria[at, self.ratings.asked], axis=1)
        return int(np.isfinite(cells).sum())

    def _criteria(self, at: int) -> tuple[CriterionMean, ...]:
        means = nan_mean(self.marks.criteria[at], axis=0)
        counts = np.sum(~np.isnan(self.marks.criteria[at]), axis=0)
        return tuple(
            CriterionMean(
                criterion=criterion.id,
                mean=float(means[k]) if counts[k] else None,
                n=int(counts[k]),
            )
            for k, criterion in enumerate(self.marks.rubric.criteria)
        )

    def _may_be_best(self, at: int) -> bool | None:
        best = self.ratings.possible_best
        if isinstance(best, Refusal) or not self.ratings.placed[at] or not self._shared(at):
            return None
        return at in best and at not in self.ratings.outshone

    def _place_code(self, at: int) -> str | None:
        """Code of why an arm has no rank, or is not said to be among the best or not."""
        if not np.isfinite(self.marks.cells[at]).any():
            return RefusalCode.NOTHING_SCORED.value
        if not self.ratings.placed[at]:
            return self._no_place(at)
        alone = () if self._shared(at) else (self._difference(at),)
        figures = (self.ratings.possible_best, self.ratings.ranks[at], *alone)
        return next((one.code for one in figures if isinstance(one, Refusal)), None)

    def _no_place(self, at: int) -> str:
        """Code of why an arm that is not placed is not."""
        facts = self.found.get(self.arms[at].id, ArmFacts())
        if facts.suspects:
            return Reason.LOOKS_CUT.value
        if self.ratings.open_ended:
            return RefusalCode.SCALE_NOT_NAMED.value
        if self._never_given(at) and not self._lost(at):
            return RefusalCode.NEVER_GIVEN.value
        if not facts.blocked and not facts.judge_blocked:
            return RefusalCode.UNEQUAL_ITEMS.value
        return RefusalCode.BLOCKED_SHARE_HIGH.value

    def _shared(self, at: int) -> int:
        reference = self.ratings.order.reference
        if reference is None:
            return 0
        pair = self.ratings.table.between(at, reference)
        if pair is not None and isinstance(self.ratings, RatingsWithin):
            return pair.shared
        return int(np.sum(~np.isnan(self.marks.cells[at]) & ~np.isnan(self.marks.cells[reference])))

    def _difference(self, at: int) -> Estimate | Refusal:
        reference = self.ratings.order.reference
        if reference is None:
            return _nothing("difference", self._without_total(at))
        if at == reference:
            return Estimate(value=0.0, n=self._shared(at), kind="reference")
        pair = self.ratings.table.between(at, reference)
        if pair is None:
            return _nothing("difference", self._without_total(at))
        return pairs.jointly(pair.difference, self.ratings.table.comparisons)

    def _without_total(self, at: int) -> str:
        """Why an arm has no total; empty where it has one."""
        if np.isfinite(self.marks.cells[at]).any():
            return ""
        facts = self.found.get(self.arms[at].id, ArmFacts())
        return without_total(
            self.marks, at, marks_only=self.marks_only, blocked=bool(facts.blocked),
            judge_blocked=bool(facts.judge_blocked),
        )  # fmt: skip


def _nothing(statistic: str, how: str) -> Refusal:
    code = RefusalCode.NOTHING_SCORED
    return Refusal(statistic=statistic, code=code, have=0, need=1, how=how)
