"""From the store to a `Result`: which figures this pass can carry, and which not.

Calls statistics in turn and puts their answers together; computes none itself
but means and counts. Reads the store, never the run folder, and sends nothing.
"""

import platform
from collections.abc import Sequence
from importlib.metadata import version

import numpy as np

from judgebench.blind.names import family_of
from judgebench.model import (
    ArmResult,
    Counts,
    CriterionMean,
    DataLevel,
    Estimate,
    JudgeChecks,
    Money,
    PairResult,
    Refusal,
    RefusalCode,
    Result,
    Rubric,
)
from judgebench.pipeline import flags
from judgebench.pipeline.choices import Reading
from judgebench.pipeline.facts import RunFacts
from judgebench.pipeline.gather import ArmFacts, Marks, read_arm_facts, read_marks
from judgebench.rubrics.total import tier
from judgebench.stats import checks, intervals, levels, pairs, planning, ranks
from judgebench.stats.arrays import nan_mean
from judgebench.store.rows import PassRow
from judgebench.store.store import Store
from judgebench.text import digest

SEED = 20_250_905
WISHED = (1.0, 0.5)
FULL = 0.999999


class Analysis:
    """One pass on its way from rows to a result.

    Args:
        store: The open store.
        facts: The run as it was declared.
        shown: The pass.
        passes: All passes on the run.
        rubric: The rubric whose sums apply now.
        reading: How stored judgments are read.
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
    ) -> None:
        self.store, self.facts, self.shown, self.passes = store, facts, shown, passes
        self.rubric, self.reading = rubric, reading
        run, pass_id = shown.judging.run, shown.judging.id
        self.marks: Marks = read_marks(
            store, run=run, pass_id=pass_id, rubric=rubric, arms=len(facts.arms), reading=reading
        )
        self.arms: dict[str, ArmFacts] = read_arm_facts(store, run=run, pass_id=pass_id)
        self.ids = [arm.id for arm in facts.arms]
        self.cells = self.marks.cells
        self.reps = self.marks.repeats
        weights = np.asarray([criterion.weight for criterion in rubric.criteria])
        lattice = pairs.lattice_step(self.marks.marks, step=rubric.scale.step)
        self.step = pairs.total_step(lattice, weights)
        self.rng = np.random.Generator(np.random.PCG64(SEED))
        self.table = pairs.all_pairs(self.cells, self.reps, step=self.step, rng=self.rng)
        suspect = np.asarray(
            [self._of(arm).suspects > 0 and not reading.accept_cut for arm in self.ids], dtype=bool
        )
        self.placed = ranks.placements(
            self.cells, low=rubric.scale.low, high=rubric.scale.high, suspect=suspect
        )
        self.order = ranks.table_order(self.cells, self.placed)
        self.best = ranks.possible_best(self.cells, self.reps, step=self.step)
        scored = ~np.isnan(self.cells)
        self.n_scored = int(scored.any(axis=0).sum())
        shared = int(self.table.shared.max()) if len(self.ids) > 1 else self.n_scored
        self.level = levels.data_level(
            items=shared, repeats=int(self.marks.marks.shape[3]), judges=1
        )

    def _of(self, arm: str) -> ArmFacts:
        return self.arms.get(arm, ArmFacts())

    def result(self) -> Result:
        """Everything that a report may say of this pass."""
        arms = tuple(self._arm(at) for at in self.order.rows)
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
            versions=_versions(),
            reproducible=not flags.missing_settings(self.facts, found),
            unknowns=found,
        )
        warnings = flags.warnings(
            made, facts=self.facts, arms=self.arms, reading=self.reading, store=self.store
        )
        return _finish(made, warnings)

    def _best_ids(self, best: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(self.ids[at] for at in self.order.rows if at in best)

    def _arm(self, at: int) -> ArmResult:
        arm, facts = self.facts.arms[at], self._of(self.ids[at])
        cells = self.cells[at]
        known = cells[~np.isnan(cells)]
        scale = self.rubric.scale
        total = intervals.mean_interval(cells, low=scale.low, high=scale.high)
        worst = ranks.worst_cases(cells[None, :], low=scale.low, high=scale.high)[0]
        ranked = ranks.rank_intervals(self.table)[at]
        printed = levels.allows(self.level, "rank_interval") and bool(self.placed[at])
        mean = float(known.mean()) if known.size else None
        value, fired = self.marks.verdicts[0][at], self.marks.verdicts[1][at]
        judged = ~np.isnan(value)
        bars = tuple(t.at_least for t in self.rubric.tiers)
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
            rank_low=int(ranked[0]) if printed else None,
            rank_high=int(ranked[1]) if printed else None,
            placed=bool(self.placed[at]),
            worst_low=float(worst[0]),
            worst_high=float(worst[1]),
            quote=facts.quote,
            quote_criterion=facts.quote_criterion,
            tier=tier(self.rubric, mean) if self.rubric.tiers else None,
            tier_borderline=isinstance(total, Estimate) and checks.borderline(total, bars),
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
        if at == reference:
            return int(np.sum(~np.isnan(self.cells[at])))
        return int(self.table.shared[at, reference])

    def _difference(self, at: int) -> Estimate | Refusal:
        reference = self.order.reference
        if reference is None:
            return _nothing("difference")
        others = sum(1 for arm in range(len(self.ids)) if self._shared(arm)) - 1
        return pairs.paired_difference(
            self.cells[at],
            self.cells[reference],
            self.reps[at],
            self.reps[reference],
            step=self.step,
            level=1 - 0.05 / max(1, others),
        )

    def _pairs(self) -> tuple[PairResult, ...]:
        rows = [at for at in self.order.rows if not np.isnan(self.cells[at]).all()]
        count = len(rows) * (len(rows) - 1) // 2
        out: list[PairResult] = []
        for place, a in enumerate(rows):
            for b in rows[place + 1 :]:
                difference = pairs.paired_difference(
                    self.cells[a],
                    self.cells[b],
                    self.reps[a],
                    self.reps[b],
                    step=self.step,
                    level=1 - 0.05 / max(1, count),
                )
                known = isinstance(difference, Estimate)
                out.append(
                    PairResult(
                        first=self.ids[a],
                        second=self.ids[b],
                        difference=difference,
                        p_holm=float(self.table.p_holm[a, b]) if known else None,
                        shared=int(self.table.shared[a, b]),
                        separated=bool(self.table.separated[a, b]) if known else None,
                    )
                )
        return tuple(out)

    def _spread(self) -> tuple[float | None, int, int]:
        """Largest spread of the pairs, its items, and how many pairs there are."""
        sds = self.table.sd
        if not (~np.isnan(sds)).any():
            return None, int(self.table.shared.max(initial=0)), 0
        at = np.unravel_index(int(np.nanargmax(sds)), sds.shape)
        count = int(np.sum(~np.isnan(sds[np.triu_indices(len(self.ids), 1)])))
        return float(sds[at]), int(self.table.shared[at]), count

    def _detectable(self) -> Estimate | Refusal:
        sd, n, comparisons = self._spread()
        return planning.detectable_difference(sd=sd, n=n, comparisons=comparisons)

    def _needed(self) -> tuple[tuple[float, int], ...] | Refusal:
        sd, n, comparisons = self._spread()
        if sd is None:
            found = planning.detectable_difference(sd=None, n=n, comparisons=1)
            code = found.code if isinstance(found, Refusal) else RefusalCode.TOO_FEW_ITEMS
            return Refusal(
                statistic="items_needed", code=code, have=n, need=intervals.MIN_ITEMS,
                how="add items, not repeats",
            )  # fmt: skip
        return tuple(
            (points, planning.items_needed(points, sd=sd, comparisons=comparisons))
            for points in WISHED
        )

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
            calls_unreported=row.get("tokens_unknown") or 0,
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


def _versions() -> dict[str, str]:
    names = ("judgebench", "duckdb", "instructor", "numpy", "openai", "pydantic", "scipy")
    return {"python": platform.python_version(), **{name: version(name) for name in names}}


def _finish(result: Result, warnings: tuple) -> Result:  # type: ignore[type-arg]
    from dataclasses import replace  # noqa: PLC0415 - one use

    made = replace(result, warnings=warnings)
    return replace(made, generated_from=digest([made.judging.id, made.judging.answered]))


def refused(result: Result) -> bool:
    """Whether nothing could be said of any arm."""
    return result.level is DataLevel.E0 and not any(arm.answered for arm in result.arms)
