"""One stored pass read into arrays: its marks, its totals and how the arms stand by them.

Reads the store, never the run folder, and sends nothing; what a report says of it is
made in `result`.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial

import numpy as np

from judgebench.blind.order import derive_seed
from judgebench.model.controls import Controls
from judgebench.model.item_totals import CriterionMedians, ItemTotals
from judgebench.model.nouns import Refusal
from judgebench.model.passes import DataLevel
from judgebench.model.reasons import RefusalCode
from judgebench.model.rubric import Rubric
from judgebench.pipeline.figures import by_raters
from judgebench.pipeline.figures.controlled import Names, read_controls, read_pair_controls
from judgebench.pipeline.figures.gather import ArmFacts, added, read_arm_facts, read_marks
from judgebench.pipeline.figures.marked import Marks, OverallMarks, panel_of
from judgebench.pipeline.figures.ratings import Ratings
from judgebench.pipeline.figures.tiers import Audited, Tiers, audits_of
from judgebench.pipeline.setting.choices import Reading
from judgebench.pipeline.setting.facts import RunFacts
from judgebench.pipeline.setting.few import refuse_many
from judgebench.pipeline.setting.units import cluster_codes
from judgebench.rubrics.total import tier
from judgebench.stats import levels
from judgebench.stats.arrays import LEAST_JUDGMENTS, BoolArray, FloatArray, IntArray, lattice_step
from judgebench.store.passes import PassRow
from judgebench.store.store import Store


class Analysis:
    """One pass, or a panel of them, read: its marks, its totals and how the arms stand by them.

    Args:
        store: The open store.
        facts: The run as it was declared.
        rows: The pass; several are a panel of judges whose marks are averaged.
        passes: All passes on the run.
        rubric: The rubric whose sums apply now.
        reading: How stored judgments are read.
        source: Hash over all that goes into the result.
        marks: A part of the marks of the pass; None for all of them.
    """

    def __init__(  # noqa: PLR0913 - what a stored pass is made of
        self,
        store: Store,
        facts: RunFacts,
        *,
        rows: Sequence[PassRow],
        passes: Sequence[PassRow],
        rubric: Rubric,
        reading: Reading,
        source: str,
        marks: Marks | None = None,
    ) -> None:
        self.source = source
        self.rows = tuple(rows)
        self.panel = self.rows if len(self.rows) > 1 else ()
        shown = self.rows[0]
        self.store, self.facts, self.shown, self.passes = store, facts, shown, passes
        self.reading = reading
        self._whole = marks is None
        self.marks: Marks = self._read(rubric) if marks is None else marks
        # Comparisons are summed on a scale of their own.
        self.rubric = rubric = self.marks.rubric
        self.arms: dict[str, ArmFacts] = self._read_arms()
        self.ids = [arm.id for arm in facts.arms]
        self.cells = self.marks.cells
        self.repeats = self.marks.repeats
        self.step = self._lattice()

    @cached_property
    def ratings(self) -> Ratings:
        """How its arms stand.

        Raises:
            RunError: They are more than can be compared.
        """
        refuse_many(self.shown.judging.run, len(self.ids))
        kind = (
            Ratings if self.within is None else partial(by_raters.RatingsWithin, within=self.within)
        )
        return kind(
            ids=self.ids,
            marks=self.marks,
            step=self.step,
            unplaced=() if self.reading.accept_cut else self._looking_cut(),
            sampled=self.shown.facts().by_people,
            rng=self.rng,
            clusters=self.clusters,
            open_ended=self.facts.scale_taken,
            offered=None if self.given is None else np.asarray(self.given.any(axis=0), dtype=bool),
        )

    @cached_property
    def given(self) -> BoolArray | None:
        """Cells of which every pass shown holds a row; None where marks were not imported."""
        facts = self.shown.facts()
        if facts.by_people or not facts.marks_only:
            return None
        out = np.ones(self.cells.shape, dtype=np.bool_)
        for row in self.rows:
            found = self.store.columns("given_cells", pass_id=row.judging.id, run=row.judging.run)
            arms, items = (np.asarray(found[name], dtype=np.int64) for name in ("arm", "item"))
            mine = np.zeros_like(out)
            mine[arms, items] = True
            out &= mine
        # A total is of something that was given, however it was brought in.
        return np.asarray(out | np.isfinite(self.cells), dtype=np.bool_)

    @cached_property
    def within(self) -> by_raters.Within | None:
        """Who of several people marked what; None where all marked the same arms."""
        one = self._whole and not self.panel and self.shown.facts().by_people
        if not one or self.marks.compared is not None:
            return None
        return by_raters.read_within(self.store, self.shown.judging, self.marks)

    @cached_property
    def clusters(self) -> IntArray | None:
        """The cluster of each item, by its index; None where items are independent."""
        return cluster_codes(self.facts.clusters, self.item_names)

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

    def _looking_cut(self) -> frozenset[str]:
        """Arms with an output that looks cut."""
        return frozenset(arm for arm, facts in self.arms.items() if facts.suspects)

    @property
    def level(self) -> DataLevel:
        """What the data can carry."""
        return levels.data_level(self.ratings.shared_units(), self.scorings, len(self.rows))

    @cached_property
    def scorings(self) -> int:
        """Judgings of a cell by one judge, at most; of a pair of arms where pairs are compared.

        The comparisons of a cell are with other arms: they are no repeats of each other.
        """
        if self.marks.decided:
            return self.shown.judging.repeats
        if self.marks.compared is not None:
            return max(1, self.marks.compared.scorings)
        return int(self.marks.marks.shape[3]) // len(self.rows)

    def rng(self, figure: str) -> np.random.Generator:
        """Randomness of one figure: the same for the same pass, whatever else is computed."""
        return np.random.default_rng(derive_seed(self.shown.judging.id, figure))

    @cached_property
    def audited(self) -> Audited | None:
        """What its marks were counted from; None where raters gave them."""
        audits = audits_of(self.marks, self.panel)
        if audits is None:
            return None
        return Audited(audits=audits, arms=self.ids, items=self.item_names, named=self.facts.anchor)

    def _tiers(self, totals: Sequence[Sequence[float | None]]) -> Tiers:
        """Tiers of totals, item by item, arms in the order of the table."""
        if self.audited is not None and self.audited.anchor is not None:
            return self.audited.tiers(totals)
        if not self.rubric.tiers:
            return ()
        return tuple(tuple(tier(self.rubric, total) for total in row) for row in totals)

    def item_totals(self) -> ItemTotals:
        """Totals of every item, arms in the order of the table."""
        order = self.ratings.order.order
        totals = _by_item(self.cells, order)
        medians = self._medians()
        return ItemTotals(
            run_name=self.shown.judging.run,
            pass_id=self.shown.judging.id,
            marks_only=self.shown.facts().marks_only,
            panel=tuple(row.judging.judge_name for row in self.panel),
            scale_low=self.rubric.scale.low,
            scale_high=self.rubric.scale.high,
            arms=tuple(self.ids[at] for at in order),
            items=self.item_names,
            totals=totals,
            tiers=self._tiers(totals),
            medians=medians if isinstance(medians, Refusal) else _by_item(medians, order),
            criterion_medians=() if isinstance(medians, Refusal) else self._criterion_medians(),
        )

    def _medians(self) -> FloatArray | Refusal:
        """Median total of each cell, shape (A, I)."""
        if self.marks.compared is not None:
            return Refusal(
                statistic="cell_median", code=RefusalCode.NOT_IDENTIFIED.value, have=0, need=1,
                how="comparisons with several arms are no repeats of one judgment",
            )  # fmt: skip
        if not np.isfinite(self.marks.medians).any():
            most = int(np.isfinite(self.marks.verdicts[0]).sum(axis=2).max(initial=0))
            # A panel leaves out a cell that one judge lacks, whatever the others gave.
            return Refusal(
                statistic="cell_median", code=RefusalCode.TOO_FEW_REPEATS.value,
                have=min(most, LEAST_JUDGMENTS - 1), need=LEAST_JUDGMENTS,
            )  # fmt: skip
        return self.marks.medians

    def _criterion_medians(self) -> tuple[CriterionMedians, ...]:
        order, marks = self.ratings.order.order, self.marks.marks
        return tuple(
            CriterionMedians(
                criterion=criterion.id,
                medians=_by_item(self.marks.medians_of(marks[:, :, at]), order),
            )
            for at, criterion in enumerate(self.rubric.criteria)
        )

    @cached_property
    def item_names(self) -> tuple[str, ...]:
        """Ids of the items by their index."""
        return tuple(name for (name,) in self.store.rows("items", run=self.shown.judging.run))

    def controls(self) -> Controls | None:
        """What planted controls say of the judge; None where the plan holds none."""
        if self.panel:
            return None
        names = Names(arms=self.ids, items=self.item_names)
        read = read_controls if self.marks.compared is None else read_pair_controls
        return read(
            self.store, self.shown.judging, marks=self.marks, names=names, reading=self.reading
        )


def _by_item(cells: FloatArray, order: Sequence[int]) -> tuple[tuple[float | None, ...], ...]:
    """A row an item, a value an arm in the order of the table; None where a cell has none."""
    return tuple(
        tuple(None if math.isnan(one) else one for one in row)
        for row in cells[list(order)].T.tolist()
    )
