"""From the store to a `Result`: which figures this pass can carry, and which not.

Calls statistics in turn and puts their answers together; computes none itself
but means and counts. Reads the store, never the run folder, and sends nothing.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from judgebench.blind.order import derive_seed
from judgebench.model import (
    Agreement,
    Comparing,
    Controls,
    Counts,
    Criterion,
    Estimate,
    Extended,
    GapDrivers,
    ItemTotals,
    Money,
    PairResult,
    Refusal,
    RefusalCode,
    Result,
    Rubric,
    Warning_,
    WeightSurvival,
)
from judgebench.model.audits import Anchor, Audit
from judgebench.model.blindness import WithoutFlagged
from judgebench.pipeline import flags, probed, sensitive
from judgebench.pipeline.arm_rows import ArmRows
from judgebench.pipeline.audits import Audits, panel_of_audits
from judgebench.pipeline.choices import Reading
from judgebench.pipeline.comparing import comparing
from judgebench.pipeline.contrasts import read_contrasts
from judgebench.pipeline.controlled import Names, read_controls, read_pair_controls
from judgebench.pipeline.extend import Extending
from judgebench.pipeline.facts import RunFacts
from judgebench.pipeline.gather import ArmFacts, added, read_arm_facts, read_marks
from judgebench.pipeline.judge_checks import Checking, same_family
from judgebench.pipeline.kept import versions
from judgebench.pipeline.marked import CountedMarks, Marks, OverallMarks, PanelMarks, panel_of
from judgebench.pipeline.possible import possible
from judgebench.pipeline.spent import costs_of, money_of
from judgebench.pipeline.tradeoff import tradeoff
from judgebench.pipeline.unflagged import Rated, flagged_cells, without_flagged
from judgebench.rubrics.total import tier
from judgebench.stats import levels, pairs, planning, ranks
from judgebench.stats.arrays import FloatArray, lattice_step
from judgebench.store.rows import PassRow
from judgebench.store.store import Store
from judgebench.text import one_line

WISHED = (1.0, 0.5)
WISHED_SHARES = (0.2, 0.1)


class Analysis:
    """One pass on its way from rows to a result.

    Args:
        store: The open store.
        facts: The run as it was declared.
        rows: The pass; several are a panel of judges whose marks are averaged.
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
        rows: Sequence[PassRow],
        passes: Sequence[PassRow],
        rubric: Rubric,
        reading: Reading,
        source: str,
    ) -> None:
        self.source = source
        self.rows = tuple(rows)
        self.panel = self.rows if len(self.rows) > 1 else ()
        shown = self.rows[0]
        self.store, self.facts, self.shown, self.passes = store, facts, shown, passes
        self.reading = reading
        self.marks: Marks = self._read(rubric)
        # Comparisons are summed on a scale of their own.
        self.rubric = rubric = self.marks.rubric
        self.arms: dict[str, ArmFacts] = self._read_arms()
        self.ids = [arm.id for arm in facts.arms]
        self.cells = self.marks.cells
        self.reps = self.marks.repeats
        self.step = self._lattice()
        self.table = pairs.all_pairs(self.cells, self.reps, step=self.step, rng=self._rng("pairs"))
        self.asked = self.marks.applies.any(axis=1)
        """Items that some criterion applies to; the others drop out for all arms alike."""
        asked = self.cells[:, self.asked]
        known = asked
        if self.shown.facts().by_people:
            # People mark a sample of the items: the others were asked of nobody.
            known = asked[:, np.isfinite(asked).any(axis=0)]
        self.placed = self._placed(known)
        self.order = ranks.table_order(asked, placed=self.placed)
        self.best = ranks.possible_best(self.cells, self.reps, step=self.step)
        self.ranks = ranks.rank_intervals(self.table, n_arms=len(self.ids), best=self.best)
        self.level = levels.data_level(self._items(), self.scorings, len(self.rows))

    def _lattice(self) -> float:
        given = self.marks.marks
        if isinstance(self.marks, OverallMarks) and not self.marks.marked:
            given = self.marks.overall
        return lattice_step(given, scale_step=self.rubric.scale.step)

    def _read(self, rubric: Rubric) -> Marks:
        """The marks of the pass, or of all judges of the panel."""
        found = [
            read_marks(
                self.store, judging=row.judging, rubric=rubric, arms=len(self.facts.arms),
                reading=self.reading,
            )
            for row in self.rows
        ]  # fmt: skip
        return panel_of(found) if self.panel else found[0]

    def _read_arms(self) -> dict[str, ArmFacts]:
        first, *others = (
            read_arm_facts(self.store, row.judging, self.reading, self.rubric) for row in self.rows
        )
        for other in others:
            for arm, facts in other.items():
                mine = first.get(arm, ArmFacts())
                both = added((*mine.judge_blocked, *facts.judge_blocked))
                first[arm] = replace(mine, judge_blocked=both)
        return first

    @cached_property
    def scorings(self) -> int:
        """Judgings of a cell by one judge, at most; of a pair of arms where pairs are compared."""
        if self.marks.decided:
            return self.shown.judging.repeats
        if self.marks.compared is not None:
            # The comparisons of a cell are with other arms: they are no repeats of each other.
            return max(1, self.marks.compared.scorings)
        return max(1, int(self.marks.marks.shape[3]) // len(self.rows))

    @cached_property
    def _costs(self) -> list[dict[str, Any]]:
        return costs_of(self.store, self.rows)

    def _rng(self, figure: str) -> np.random.Generator:
        """Randomness of one figure: the same for the same pass, whatever else is computed."""
        return np.random.default_rng(derive_seed(self.shown.judging.id, figure))

    def _items(self) -> int:
        """Items behind a comparison: the most that two arms share."""
        scored = ~np.isnan(self.cells)
        if scored.any(axis=1).sum() <= 1:
            return int(scored.any(axis=0).sum())
        # Arms that share nothing have marks side by side, as on one item: no comparison.
        return max(1, *(pair.shared for pair in self.table.pairs))

    def _placed(self, cells: FloatArray) -> list[bool]:
        """Which arms stand in a place: enough answered, and none that looks cut."""
        scale = self.rubric.scale
        fair = ranks.placement(cells, low=scale.low, high=scale.high)
        return [
            at_place and (self.reading.accept_cut or not self._of(arm).suspects)
            for arm, at_place in zip(self.ids, fair, strict=True)
        ]

    def _without_flagged(self) -> WithoutFlagged | None:
        flagged = flagged_cells(self.store, self.rows, shape=self.cells.shape)
        if flagged is None:
            return None
        asked = self.asked

        def rated(cells: FloatArray) -> Rated:
            found = ranks.possible_best(cells, self.reps[:, asked], step=self.step)
            # In comparisons an item goes whole: it is not one that an arm failed.
            known = cells[:, np.isfinite(cells).any(axis=0)] if self.marks.compared else cells
            placed = self._placed(known)
            return self._in_place(found, placed), placed

        return without_flagged(
            self.cells[:, asked], flagged[:, asked], ids=self.ids, order=self.order.order,
            best=self.best_ids(), whole_items=self.marks.compared is not None, rated=rated,
        )  # fmt: skip

    def _of(self, arm: str) -> ArmFacts:
        return self.arms.get(arm, ArmFacts())

    def result(
        self, *, varied: bool = False, extended: bool = False, agreement: Agreement | None = None
    ) -> Result:
        """Everything that a report may say of this pass.

        Args:
            varied: Also whether other weights, or one item less, would change it.
            extended: That, and every further figure of the extended report.
            agreement: How far the judges of a panel agree.
        """
        rows = self._arm_rows()
        arms = tuple(rows.arm(at) for at in self.order.order)
        money = money_of(self._costs, self.rows)
        counts = self._counts(money)
        reference = None if self.order.reference is None else self.ids[self.order.reference]
        best = self.best_ids()
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
            criteria=tuple((c.id, c.head, c.weight) for c in self._shown_criteria()),
            arms=arms,
            reference=reference,
            order_differs=self.order.differs,
            pairs=self._pairs(),
            best=best,
            detectable=self._detectable(),
            items_needed=self._needed(),
            checks=Checking(
                store=self.store, facts=self.facts, rows=self.rows, marks=self.marks, step=self.step
            ).checks(),
            money=money,
            warnings=(),
            refusals=(*self._no_totals(), *self._no_anchor()),
            versions=dict(versions()),
            reproducible=not flags.missing_settings(self.facts, found),
            unknowns=found,
            not_asked=self._not_asked(),
            comparing=self._comparing(),
            panel=tuple(row.facts() for row in self.panel),
            agreement=agreement,
            controls=self.controls(),
            blindness=tuple(one for row in self.rows if (one := probed.kept(self.store, row))),
            without_flagged=self._without_flagged(),
            audit=self._audit(),
            contrasts=read_contrasts(self.store, self.shown.judging.run),
        )
        if reference is not None:
            made = replace(
                made,
                tradeoff=tradeoff(arms, pairs=made.pairs, best=best, reference=reference),
            )
        warnings = flags.warnings(
            made, facts=self.facts, arms=self.arms, reading=self.reading, store=self.store
        )
        if varied or extended:
            # A comparison is decided anew under every weight: means of criteria do not tell.
            whole = isinstance(self.marks, OverallMarks)
            counted = self.rubric.deductions is not None
            weights = None if self.marks.compared or whole or counted else self._weights()
            made = replace(made, weights=weights, drivers=self._drivers())
        if extended and not self.marks.compared and not self.panel:
            made = replace(made, extended=self._extended())
        return _finish(made, warnings, self.source)

    def _shown_criteria(self) -> Sequence[Criterion]:
        """Of people who marked some criteria, or answers as a whole, only what they marked."""
        known = self.rubric.criteria
        if not isinstance(self.marks, OverallMarks):
            return known
        return [known[at] for at in self.marks.marked]

    def _no_totals(self) -> tuple[Refusal, ...]:
        """People marked criteria, but no answer on all of them nor as a whole."""
        if not isinstance(self.marks, OverallMarks) or np.isfinite(self.marks.overall).any():
            return ()
        have, need = len(self.marks.marked), len(self.rubric.criteria)
        code = RefusalCode.NOT_IDENTIFIED
        return (Refusal(statistic="totals", code=code.value, have=have, need=need),)

    def _audit(self) -> Audit | None:
        if self._audits is None:
            return None
        planned = sum(row.judging.repeats for row in self.panel or (self.shown,))
        return self._audits.audit(
            self.order.order,
            self.ids,
            self._item_names,
            planned=planned,
            anchor=self._anchor(),
        )

    @cached_property
    def _audits(self) -> Audits | None:
        """What was counted from finds, of the pass or of all judges of the panel."""
        own = self.marks.judges if isinstance(self.marks, PanelMarks) else (self.marks,)
        counted = [one.audits for one in own if isinstance(one, CountedMarks)]
        if len(counted) < len(own) or not self.panel:
            return counted[0] if len(counted) == len(own) else None
        return panel_of_audits(
            [
                (row.judging.judge_name, row.judging.repeats, audits)
                for row, audits in zip(self.panel, counted, strict=True)
            ]
        )

    def _anchor(self) -> Anchor | None:
        if self._audits is None:
            return None
        return self._audits.anchor(self.ids, self._item_names, self.facts.anchor)

    def _no_anchor(self) -> tuple[Refusal, ...]:
        """That there are no tiers, where they are measured from a total that is not there."""
        anchor = self._anchor()
        if anchor is None or any(total is not None for _, total in anchor.totals):
            return ()
        how = "" if anchor.arm is None else f"{one_line(anchor.arm, 40)} needs a total"
        code = RefusalCode.NO_ANCHOR.value
        return (Refusal(statistic="tier", code=code, have=0, need=1, how=how),)

    def _tier_names(self) -> tuple[tuple[str | None, ...], ...]:
        """Tiers of all totals, item by item, arms in the order of the table."""
        rows = self.cells[list(self.order.order)].T
        anchor = self._anchor()
        if anchor is not None and self._audits is not None:
            audits, names = self._audits, self._item_names
            return tuple(
                tuple(audits.tier(None if v != v else float(v), name, anchor) for v in row)  # noqa: PLR0124
                for name, row in zip(names, rows, strict=True)
            )
        if not self.rubric.tiers:
            return ()
        return tuple(tuple(tier(self.rubric, v) for v in row) for row in rows.tolist())

    def _comparing(self) -> Comparing | None:
        if self.marks.compared is None:
            return None
        return comparing(
            self.marks.compared,
            ids=self.ids,
            order=self.order.order,
            reference=self.order.reference,
            rng=self._rng("circles"),
        )

    def items(self) -> ItemTotals:
        """Totals of every item, arms in the order of the table."""
        rows = self.cells[list(self.order.order)].T.tolist()
        return ItemTotals(
            run_name=self.shown.judging.run,
            pass_id=self.shown.judging.id,
            marks_only=self.shown.facts().marks_only,
            panel=tuple(row.judging.judge_name for row in self.panel),
            scale_low=self.rubric.scale.low,
            scale_high=self.rubric.scale.high,
            arms=tuple(self.ids[at] for at in self.order.order),
            items=self._item_names,
            totals=tuple(tuple(None if v != v else v for v in row) for row in rows),  # noqa: PLR0124
            tiers=self._tier_names(),
        )

    @cached_property
    def _item_names(self) -> tuple[str, ...]:
        return tuple(name for (name,) in self.store.rows("items", run=self.shown.judging.run))

    def _not_asked(self) -> tuple[str, ...]:
        if self.asked.all():
            return ()
        names = self._item_names
        return tuple(names[at] for at in np.flatnonzero(~self.asked))

    def controls(self) -> Controls | None:
        """What planted controls say of the judge; None where the plan holds none."""
        if self.panel:
            return None
        names = Names(arms=self.ids, items=self._item_names)
        read = read_controls if self.marks.compared is None else read_pair_controls
        return read(
            self.store, self.shown.judging, marks=self.marks, names=names, reading=self.reading
        )

    def _weights(self) -> WeightSurvival | Refusal | None:
        return sensitive.other_weights(self.marks, ids=self.ids, placed=self.placed, step=self.step)

    def _drivers(self) -> GapDrivers | Refusal | None:
        return sensitive.gap_drivers(
            self.cells, self.order.order, ids=self.ids, items=self._item_names
        )

    def _extended(self) -> Extended:
        judging = self.shown.judging
        again = read_marks(
            self.store, judging=judging, rubric=self.rubric,
            arms=len(self.ids), reading=self.reading, noise=True,
        )  # fmt: skip
        return Extending(
            marks=self.marks,
            again=again,
            table=self.table,
            order=self.order.order,
            ids=self.ids,
            step=self.step,
            seed=derive_seed(judging.id, "extended"),
            placed=self.placed,
            by_people=self.shown.facts().by_people,
        ).extended()

    def best_ids(self) -> tuple[str, ...] | Refusal:
        """Arms that may be best and stand in a place; the others are named as not placed."""
        return self._in_place(self.best, self.placed)

    def _in_place(
        self, best: tuple[int, ...] | Refusal, placed: Sequence[bool]
    ) -> tuple[str, ...] | Refusal:
        if isinstance(best, Refusal):
            return best
        return tuple(self.ids[at] for at in self.order.order if at in best and placed[at])

    def _arm_rows(self) -> ArmRows:
        return ArmRows(
            arms=self.facts.arms,
            found=self.arms,
            marks=self.marks,
            asked=np.asarray(self.asked),
            no_totals=bool(self._no_totals()),
            order=self.order,
            placed=self.placed,
            ranks=self.ranks,
            best=self.best,
            table=self.table,
            same_family=same_family(self.rows, self.facts),
            rng=self._rng,
        )

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
                floored=pair.floored,
            )
            for pair in found
            if pair is not None
        )

    def _detectable(self) -> Estimate | Refusal:
        return planning.detectable(
            self.cells, self.reps, step=self.step, total_step=self.marks.finest(self.step)
        )

    def _needed(self) -> tuple[tuple[float, int], ...] | Refusal:
        spread = planning.worst_spread(self.cells, self.reps, step=self.step)
        if isinstance(spread, Refusal):
            return replace(spread, statistic="items_needed")
        comparisons = max(1, self.table.comparisons)
        found = [
            (
                points,
                planning.items_needed(spread.sd, points, comparisons=comparisons),
            )
            for points in (WISHED_SHARES if self.marks.compared else WISHED)
        ]
        return tuple((points, n) for points, n in found if isinstance(n, int))

    def _outputs_not_asked(self) -> int:
        """Outputs that nothing blocks, of items that no criterion applies to."""
        items = self._not_asked()
        if not items:
            return 0
        run = self.shown.judging.run
        return int(self.store.rows("judgeable_of_items", run=run, items=list(items))[0][0])

    def _counts(self, money: Money) -> Counts:
        blocked = sum(b.count for facts in self.arms.values() for b in facts.blocked)
        failed = sum(b.count for facts in self.arms.values() for b in facts.judge_blocked)
        value = self.marks.verdicts[0]
        noise = sum(
            len(self.store.rows("noise", pass_id=row.judging.id, run=row.judging.run))
            for row in self.rows
        )
        return Counts(
            arms=len(self.ids),
            items=int(self.cells.shape[1]),
            criteria=len(self._shown_criteria()),
            judges=len(self.rows),
            repeats=self.scorings,
            outputs=int(self.cells.size),
            outputs_blocked=blocked,
            outputs_not_asked=self._outputs_not_asked(),
            requests_planned=sum(row.planned for row in self.rows),
            requests_answered=sum(row.answered for row in self.rows),
            judgments_scored=int(np.sum(~np.isnan(value))),
            judgments_blocked=failed,
            noise_cells=noise,
            calls=money.calls,
            calls_in_doubt=sum(row["calls_in_doubt"] or 0 for row in self._costs),
            requests_drift=sum(
                self.store.rows("drift_count", pass_id=row.judging.id)[0][0] for row in self.rows
            ),
        )


def _finish(result: Result, warnings: tuple[Warning_, ...], source: str) -> Result:
    return possible(replace(result, warnings=warnings, generated_from=source))
