"""From the store to a `Result`: which figures this pass can carry, and which not.

Calls statistics in turn and puts their answers together; computes none itself
but means and counts. Reads the store, never the run folder, and sends nothing.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from judgebench.blind.names import family_of
from judgebench.blind.order import derive_seed
from judgebench.model import (
    ArmResult,
    Controls,
    Counts,
    CriterionMean,
    Estimate,
    GapDrivers,
    ItemTotals,
    JudgeChecks,
    Money,
    PairResult,
    Refusal,
    RefusalCode,
    Result,
    Rubric,
    Warning_,
    WeightSurvival,
)
from judgebench.pipeline import flags, sensitive
from judgebench.pipeline.choices import Reading
from judgebench.pipeline.controlled import Names, read_controls
from judgebench.pipeline.facts import RunFacts
from judgebench.pipeline.gather import ArmFacts, Marks, read_arm_facts, read_marks
from judgebench.pipeline.kept import versions
from judgebench.stats import checks, intervals, levels, pairs, planning, ranks
from judgebench.stats.arrays import lattice_step, nan_mean
from judgebench.stats.ranks import RankInterval
from judgebench.store.rows import PassRow
from judgebench.store.store import Store

WISHED = (1.0, 0.5)


class Analysis:
    """One pass on its way from rows to a result.

    Args:
        store: The open store.
        facts: The run as it was declared.
        shown: The pass.
        passes: All passes on the run.
        rubric: The rubric whose sums apply now.
        reading: How stored judgments are read.
        source: Hash over all that goes into the result.
    """

    def __init__(
        self,
        store: Store,
        facts: RunFacts,
        *,
        shown: PassRow,
        passes: Sequence[PassRow],
        rubric: Rubric,
        reading: Reading,
        source: str,
    ) -> None:
        self.source = source
        self.store, self.facts, self.shown, self.passes = store, facts, shown, passes
        self.rubric, self.reading = rubric, reading
        run, pass_id = shown.judging.run, shown.judging.id
        self.marks: Marks = read_marks(
            store, run=run, pass_id=pass_id, rubric=rubric, arms=len(facts.arms), reading=reading
        )
        self.arms: dict[str, ArmFacts] = read_arm_facts(store, shown.judging, reading)
        self.ids = [arm.id for arm in facts.arms]
        self.cells = self.marks.cells
        self.reps = self.marks.repeats
        self.step = lattice_step(self.marks.marks, scale_step=rubric.scale.step)
        self.table = pairs.all_pairs(self.cells, self.reps, step=self.step, rng=self._rng("pairs"))
        scale = rubric.scale
        fair = ranks.placement(self.cells, low=scale.low, high=scale.high)
        self.placed = [
            at_place and (reading.accept_cut or not self._of(arm).suspects)
            for arm, at_place in zip(self.ids, fair, strict=True)
        ]
        self.order = ranks.table_order(self.cells)
        self.best = ranks.possible_best(self.cells, self.reps, step=self.step)
        self.ranks = ranks.rank_intervals(self.table, n_arms=len(self.ids), best=self.best)
        self.level = levels.data_level(self._items(), int(self.marks.marks.shape[3]), 1)

    def _rng(self, figure: str) -> np.random.Generator:
        """Randomness of one figure: the same for the same pass, whatever else is computed."""
        return np.random.default_rng(derive_seed(self.shown.judging.id, figure))

    def _items(self) -> int:
        """Items behind a comparison: the most that two arms share."""
        most = max((pair.shared for pair in self.table.pairs), default=0)
        return most or int((~np.isnan(self.cells)).any(axis=0).sum())

    def _of(self, arm: str) -> ArmFacts:
        return self.arms.get(arm, ArmFacts())

    def result(self, *, extended: bool = False) -> Result:
        """Everything that a report may say of this pass.

        Args:
            extended: Also whether other weights, or one item less, would change it.
        """
        arms = tuple(self._arm(at) for at in self.order.order)
        money = self._money()
        counts = self._counts(money)
        judge_checks = self._checks()
        reference = None if self.order.reference is None else self.ids[self.order.reference]
        best = self.best if isinstance(self.best, Refusal) else self._best_ids(self.best)
        found = flags.unknowns(self.store, run=self.shown.judging.run)
        judging = self.shown.facts()
        made = Result(
            run_name=self.shown.judging.run,
            use_case=self.facts.use_case,
            settings=self.facts.settings,
            declared=self.facts.declared,
            has_prompt=self.facts.has_prompt,
            ambiguities=self.facts.ambiguities,
            collected_at=self.facts.collected_at,
            collector=self.facts.collector,
            judging=judging,
            passes=tuple(row.facts() for row in self.passes),
            counts=counts,
            level=self.level,
            scale_low=self.rubric.scale.low,
            scale_high=self.rubric.scale.high,
            criteria=tuple((c.id, c.head, c.weight) for c in self.rubric.criteria),
            arms=arms,
            reference=reference,
            order_differs=self.order.differs,
            pairs=self._pairs(),
            best=best,
            detectable=self._detectable(),
            items_needed=self._needed(),
            checks=judge_checks,
            money=money,
            warnings=(),
            refusals=(),
            versions=dict(versions()),
            reproducible=not flags.missing_settings(self.facts, found),
            unknowns=found,
            controls=self._controls(),
        )
        warnings = flags.warnings(
            made, facts=self.facts, arms=self.arms, reading=self.reading, store=self.store
        )
        if extended:
            made = replace(made, weights=self._weights(), drivers=self._drivers())
        return _finish(made, warnings, self.source)

    def items(self) -> ItemTotals:
        """Totals of every item, arms in the order of the table."""
        rows = self.cells[list(self.order.order)].T.tolist()
        return ItemTotals(
            run_name=self.shown.judging.run,
            pass_id=self.shown.judging.id,
            scale_low=self.rubric.scale.low,
            scale_high=self.rubric.scale.high,
            arms=tuple(self.ids[at] for at in self.order.order),
            items=self._item_names(),
            totals=tuple(tuple(None if v != v else v for v in row) for row in rows),  # noqa: PLR0124
        )

    def _item_names(self) -> tuple[str, ...]:
        return tuple(name for (name,) in self.store.rows("items", run=self.shown.judging.run))

    def _controls(self) -> Controls | None:
        names = Names(arms=self.ids, items=self._item_names())
        return read_controls(
            self.store, self.shown.judging, marks=self.marks, names=names, reading=self.reading
        )

    def _weights(self) -> WeightSurvival | Refusal | None:
        return sensitive.other_weights(
            self.marks.criteria, self.reps, self.rubric, ids=self.ids, step=self.step
        )

    def _drivers(self) -> GapDrivers | Refusal | None:
        return sensitive.gap_drivers(
            self.cells, self.order.order, ids=self.ids, items=self._item_names()
        )

    def _best_ids(self, best: tuple[int, ...]) -> tuple[str, ...]:
        """Members that stand in a place; the others are named as not placed."""
        return tuple(self.ids[at] for at in self.order.order if at in best and self.placed[at])

    def _arm(self, at: int) -> ArmResult:
        arm, facts = self.facts.arms[at], self._of(self.ids[at])
        cells = self.cells[at]
        known = cells[~np.isnan(cells)]
        scale = self.rubric.scale
        total = intervals.mean_interval(
            cells, low=scale.low, high=scale.high, rng=self._rng(f"total {arm.id}")
        )
        worst = ranks.worst_case_bounds(cells, low=scale.low, high=scale.high)
        ranked = self.ranks[at] if self.placed[at] else None
        mean = float(known.mean()) if known.size else None
        value, fired = self.marks.verdicts[0][at], self.marks.verdicts[1][at]
        judged = ~np.isnan(value)
        reading = (
            checks.tier(mean, self.rubric.tiers, interval=total)
            if mean is not None and self.rubric.tiers
            else None
        )
        family = family_of(self.shown.judging.judge_model, None)
        return ArmResult(
            arm=arm,
            planned=int(cells.size),
            answered=int(known.size),
            answered_rate=intervals.clopper_pearson(int(known.size), int(cells.size)),
            blocked=facts.blocked,
            judge_blocked=facts.judge_blocked,
            suspects=facts.suspects,
            masked=facts.masked,
            mean=mean,
            total=total,
            median=float(np.median(known)) if known.size else None,
            criteria=self._criteria(at),
            gated_share=float(fired[judged].mean()) if judged.any() else None,
            difference=self._difference(at),
            shared=self._shared(at),
            may_be_best=self._may_be_best(at),
            rank_low=ranked.low if isinstance(ranked, RankInterval) else None,
            rank_high=ranked.high if isinstance(ranked, RankInterval) else None,
            placed=self.placed[at],
            worst_low=worst.low,
            worst_high=worst.high,
            quote=facts.quote,
            quote_criterion=facts.quote_criterion,
            tier=reading.name if reading else None,
            tier_borderline=reading is not None and reading.borderline,
            context=facts.context,
            same_family=family is not None and family == family_of(arm.model, arm.provider),
        )

    def _criteria(self, at: int) -> tuple[CriterionMean, ...]:
        means = nan_mean(self.marks.criteria[at], axis=0)
        counts = np.sum(~np.isnan(self.marks.criteria[at]), axis=0)
        return tuple(
            CriterionMean(
                criterion=criterion.id,
                mean=float(means[k]) if counts[k] else None,
                n=int(counts[k]),
            )
            for k, criterion in enumerate(self.rubric.criteria)
        )

    def _may_be_best(self, at: int) -> bool | None:
        if isinstance(self.best, Refusal) or not self.placed[at] or not self._shared(at):
            return None
        return at in self.best

    def _shared(self, at: int) -> int:
        reference = self.order.reference
        if reference is None:
            return 0
        return int(np.sum(~np.isnan(self.cells[at]) & ~np.isnan(self.cells[reference])))

    def _difference(self, at: int) -> Estimate | Refusal:
        reference = self.order.reference
        if reference is None:
            return _nothing("difference")
        if at == reference:
            return Estimate(value=0.0, n=self._shared(at), kind="reference")
        pair = self.table.between(at, reference)
        return _nothing("difference") if pair is None else pair.difference

    def _pairs(self) -> tuple[PairResult, ...]:
        rows = [at for at in self.order.order if not np.isnan(self.cells[at]).all()]
        found = [
            self.table.between(a, b) for place, a in enumerate(rows) for b in rows[place + 1 :]
        ]
        return tuple(
            PairResult(
                first=self.ids[pair.first],
                second=self.ids[pair.second],
                difference=pair.difference,
                p_holm=pair.p_max_t if self.table.rule == "max-t" else pair.p_holm,
                shared=pair.shared,
                separated=pair.separated,
            )
            for pair in found
            if pair is not None
        )

    def _detectable(self) -> Estimate | Refusal:
        return planning.detectable(self.cells, self.reps, step=self.step)

    def _needed(self) -> tuple[tuple[float, int], ...] | Refusal:
        spread = planning.worst_spread(self.cells, self.reps, step=self.step)
        if isinstance(spread, Refusal):
            return Refusal(
                statistic="items_needed",
                code=spread.code,
                have=spread.have,
                need=spread.need,
                how=spread.how,
            )
        comparisons = max(1, self.table.comparisons)
        found = [
            (points, planning.items_needed(spread.sd, points, comparisons=comparisons))
            for points in WISHED
        ]
        return tuple((points, n) for points, n in found if isinstance(n, int))

    def _checks(self) -> JudgeChecks:
        row = self.store.records("checks", pass_id=self.shown.judging.id)[0]
        lengths = self.store.columns("lengths", run=self.shown.judging.run)
        grid = np.full(self.cells.shape, np.nan)
        grid[np.asarray(lengths["arm"]), np.asarray(lengths["item"])] = np.asarray(
            lengths["chars"], dtype=np.float64
        )
        others = [m for m in row["answered_by"] or [] if m and m != self.shown.judging.judge_model]
        return JudgeChecks(
            marks=row["marks"],
            modal_mark=row["modal_mark"],
            modal_share=row["modal_share"],
            length_baseline=checks.length_baseline(self.cells, grid),
            quotes=row["quotes"],
            quotes_found=row["quotes_found"],
            marks_unsupported=row["unsupported"],
            wrong_model=", ".join(others) or None,
            same_family=self._same_family(),
        )

    def _same_family(self) -> tuple[str, ...]:
        family = family_of(self.shown.judging.judge_model, None)
        if family is None:
            return ()
        return tuple(
            arm.id for arm in self.facts.arms if family_of(arm.model, arm.provider) == family
        )

    def _money(self) -> Money:
        rows = self.store.records("costs", pass_id=self.shown.judging.id)
        row = rows[0] if rows else {}
        return Money(
            cost_usd=row.get("cost_usd") if not row.get("cost_unknown") else None,
            price_source=None,
            prompt_tokens=row.get("prompt_tokens"),
            completion_tokens=row.get("completion_tokens"),
            reasoning_tokens=row.get("reasoning_tokens"),
            calls=row.get("calls") or 0,
            requests_unreported=row.get("tokens_unknown") or 0,
        )

    def _counts(self, money: Money) -> Counts:
        rows = self.store.records("costs", pass_id=self.shown.judging.id)
        blocked = sum(b.count for facts in self.arms.values() for b in facts.blocked)
        failed = sum(b.count for facts in self.arms.values() for b in facts.judge_blocked)
        value = self.marks.verdicts[0]
        noise = self.store.rows("noise", pass_id=self.shown.judging.id, run=self.shown.judging.run)
        return Counts(
            arms=len(self.ids),
            items=int(self.cells.shape[1]),
            criteria=len(self.rubric.criteria),
            judges=1,
            repeats=max(1, int(self.reps.max(initial=1))),
            outputs=int(self.cells.size),
            outputs_blocked=blocked,
            requests_planned=self.shown.planned,
            requests_answered=self.shown.answered,
            judgments_scored=int(np.sum(~np.isnan(value))),
            judgments_blocked=failed,
            noise_cells=len(noise),
            calls=money.calls,
            calls_in_doubt=(rows[0].get("calls_in_doubt") or 0) if rows else 0,
        )


def _nothing(statistic: str) -> Refusal:
    return Refusal(
        statistic=statistic, code=RefusalCode.NOTHING_SCORED, have=0, need=1,
        how="see why everything is blocked",
    )  # fmt: skip


def _finish(result: Result, warnings: tuple[Warning_, ...], source: str) -> Result:
    made = replace(result, warnings=warnings)
    return replace(made, generated_from=source)
