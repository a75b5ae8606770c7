"""From the passes on a run to an `Agreement`: store columns → arrays → figures.

Calls statistics in turn and puts their answers together. Reads the store, sends
nothing. What rests on judges as a sample stands in `judgebench.pipeline.jury.jury`.
"""

import json
from collections.abc import Sequence
from functools import cached_property
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np

from judgebench.model.agreement import (
    Agreement,
    AgreementRow,
    Near,
    Rater,
    RaterPair,
    Split,
)
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.pipeline.figures import possible
from judgebench.pipeline.figures.given_elsewhere import reworded
from judgebench.pipeline.jury import holding, rater_cells
from judgebench.pipeline.jury.jury import Jury
from judgebench.pipeline.jury.persons import person_seats
from judgebench.pipeline.jury.raters import Chosen, Seat, another, choose_passes, seats_of
from judgebench.pipeline.setting.stored_run import stored_run
from judgebench.pipeline.setting.units import counted
from judgebench.records import dataclass
from judgebench.stats import agreement, ordering, repeatability
from judgebench.stats.agreement import Metric
from judgebench.stats.arrays import TIE, FloatArray, lattice_step, nan_mean
from judgebench.stats.levels import too_few_items
from judgebench.store.store import Store

MOST_PAIRS = 4_950
"""Pairs of raters that are set side by side: those of 100."""
SPLITS = 40
"""Cells kept in a result, the widest first."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AgreeChoices:
    """What the user asks for."""

    passes: tuple[str, ...] = ()
    """Beginnings of pass ids; empty for all that are comparable."""
    slots: bool = False
    """People are places in the file, each filled by several persons."""
    delta: float | None = None
    """Difference that a design is to find; None for a point on a scale of ten."""


def agree(run: Path, cwd: Path, choices: AgreeChoices) -> Agreement:
    """Compare what is stored of a run; nothing is sent.

    Raises:
        RunError: There is no database.
        StoreError: Nothing is stored of this run, or the passes cannot be compared.
    """
    with stored_run(run, cwd) as (store, key, _):
        return agreement_of(store, choose_passes(store, key, choices.passes), choices)


def agreement_of(store: Store, chosen: Chosen, choices: AgreeChoices | None = None) -> Agreement:
    """Compare passes of one run; of a pass of people alone, the persons behind it."""
    choices = choices or AgreeChoices()
    run = chosen.rows[0].judging.run
    alone = len(chosen.rows) == 1 and chosen.rows[0].facts().by_people
    persons = person_seats(store, run, chosen.rows[0]) if alone else ()
    # One person, or nobody with a mark: there is nothing to hold them against.
    raters = persons if len(persons) > 1 else seats_of(store, run, chosen.rows)
    bench = _Bench(store, raters, chosen, delta=choices.delta, slots=choices.slots)
    made = possible.agreement(bench.agreement())
    return reworded(made) if bench.base.shown.facts().marks_only else made


class _Bench:
    """Several passes side by side, on their way from arrays to figures.

    Axes: raters J, arms A, items I, criteria K.
    """

    def __init__(
        self,
        store: Store,
        seats: tuple[Seat, ...],
        chosen: Chosen,
        *,
        delta: float | None,
        slots: bool,
    ) -> None:
        self.store, self.seats, self.chosen, self.delta = store, seats, chosen, delta
        self.slots = slots
        self.base, self.persons = seats[0].analysis, seats[0].person
        self.rubric, self.clusters = self.base.rubric, self.base.clusters
        span = self.rubric.scale.high - self.rubric.scale.low
        self.metric = agreement.metric_of(span)
        ten = self.metric == "ordinal"
        self.near_points = 1.0 if ten else span / agreement.ORDINAL_SPAN
        self.wide_points = None if ten else 2 * self.near_points
        self.totals = np.stack([one.totals for one in seats])
        self.criteria = np.stack([one.criteria for one in seats])
        self.first = np.stack([one.first for one in seats])
        self.all = np.isfinite(self.totals).all(axis=0)
        self.names = tuple(name for (name,) in store.rows("items", run=self.base.shown.judging.run))
        marks = np.concatenate([one.every.marks for one in seats], axis=3)
        self.step = lattice_step(marks, scale_step=self.rubric.scale.step)
        self.total_step = self.base.marks.total_step(self.step)

    @cached_property
    def few(self) -> Refusal | None:
        """Why nothing between raters is printed where there is but one."""
        return _few_raters(len(self.seats), how=another(self.seats[0]))

    @property
    def lumped(self) -> bool:
        """Whether the repeats of a rater are different persons."""
        return self.base.shown.facts().by_people and not self.persons

    @property
    def pair(self) -> bool:
        """Whether there are two raters, so that a gap has one direction."""
        return not self.slots and len(self.seats) == 2  # noqa: PLR2004 - a pair

    def agreement(self) -> Agreement:
        """All of it."""
        jury = Jury(self.store, self.seats, step=self.step, delta=self.delta)
        slots = self.slots
        reversals = () if slots else holding.reversals(self.seats)
        turned, compared = (0, 0) if slots else holding.pairs_turned(self.seats)
        scale, shown = self.rubric.scale, self.base.shown.judging
        return Agreement(
            run_name=shown.run,
            rubric_name=shown.rubric_name,
            scale_low=scale.low,
            scale_high=scale.high,
            near_points=self.near_points,
            alpha_metric=self.metric,
            wide_points=self.wide_points,
            level=holding.level(self.seats),
            judges=len({one.judge for one in self.seats}),
            arms=tuple(self.base.ids),
            items=len(self.names),
            cells=int(np.isfinite(self.totals).any(axis=0).sum()),
            shared=int(self.all.sum()),
            raters=tuple(self._rater(one) for one in self.seats),
            verdict=self.few
            or (_slots("holds") if slots else holding.verdict(self.seats, reversals)),
            common=holding.common(self.seats),
            reversals=reversals,
            pairs_turned=turned,
            pairs_compared=compared,
            rows=self._rows(),
            by_arm=self._by_arm(),
            pairs=self._pairs(),
            w_items=self._w_within(self.totals),
            w_totals=self._w_totals(),
            effective=jury.effective(),
            sampled=_slots("judges_as_sample") if slots else jury.sampled(),
            panel_best=jury.best(),
            left_out=_slots("leave_one_judge_out") if slots else jury.left_out(),
            parts=_slots("components") if slots else jury.parts(),
            designs=_slots("components") if slots else jury.designs(),
            splits=self._splits(),
            cells_split=int((self.widest > TIE).sum()),
            cells_far=int((self.widest > self.near_points + TIE).sum()),
            persons=self.persons,
            projects=self.rubric.deductions is not None and len(self.names) == 1,
            others=self.chosen.others,
            clusters=counted(self.clusters),
        )

    # raters --------------------------------------------------------------

    def _rater(self, seat: Seat) -> Rater:
        shared = seat.totals[self.all]
        every = seat.every.verdicts[0]
        facts = seat.analysis.shown.facts()
        people = self.lumped
        return Rater(
            facts=facts,
            name=seat.name,
            judge=seat.judge,
            best=seat.best,
            unplaced=seat.unplaced,
            unjudged=seat.unjudged,
            order=seat.order,
            means=seat.means,
            mean=float(shared.mean()) if shared.size else None,
            spread=float(shared.std(ddof=1)) if shared.size > 1 else None,
            noise=_others("repeatability")
            if people
            else rater_cells.noise(every, step=self.total_step),
            swaps=(
                _others("swap_share") if people else repeatability.swap_share(every[:, :, None, :])
            ),
            pinned=_pinned(facts.params_sent),
            controls=seat.analysis.controls(),
        )

    # rows ----------------------------------------------------------------

    def _rows(self) -> tuple[AgreementRow, ...]:
        every = [one.every for one in self.seats]
        rows = [
            self._row(
                criterion.id,
                criterion.head,
                given=self.first[..., k],
                cells=self.criteria[..., k],
                again=[one.marks[:, :, k, :] for one in every],
                metric=self.metric,
                step=self.step,
            )
            for k, criterion in enumerate(self.rubric.criteria)
        ]
        again = [one.verdicts[0] for one in every]
        total = self._row(
            "",
            "total",
            given=self.totals,
            cells=self.totals,
            again=again,
            metric="interval",
            step=self.total_step,
        )
        return (*rows, total)

    def _by_arm(self) -> tuple[AgreementRow, ...]:
        """Agreement on the totals of each arm alone: a pass may lean on one of them."""
        if self.few is not None:
            return ()
        again = [one.every.verdicts[0] for one in self.seats]
        return tuple(
            self._row(
                self.base.ids[a],
                self.base.ids[a],
                given=self.totals[:, [a]],
                cells=self.totals[:, [a]],
                again=[one[[a]] for one in again],
                metric="interval",
                step=self.total_step,
            )
            for a in self.base.ratings.order.order
        )

    def _row(
        self,
        criterion: str,
        head: str,
        *,
        given: FloatArray,
        cells: FloatArray,
        again: Sequence[FloatArray],
        metric: Metric,
        step: float,
    ) -> AgreementRow:
        """One row: `given` as marked (J, A, I), `cells` averaged, `again` (A, I, R) a rater."""
        units, items = rater_cells.units_of(given)
        means, _ = rater_cells.units_of(cells)
        arms, people = cells.shape[1] > 1, self.lumped
        return AgreementRow(
            criterion=criterion,
            head=head,
            near=self.few or self._near(units),
            alpha=self.few or rater_cells.alpha(given, self.clusters, metric=metric),
            shift=rater_cells.gaps(cells[0], cells[1], self.clusters) if self.pair else None,
            ordering=ordering.ordering_accuracy(cells[0], cells[1]) if self.pair else None,
            icc=self.few or rater_cells.icc_forms(means, items, identified=not self.slots),
            noise=(
                _others("repeatability")
                if people
                else rater_cells.noise(rater_cells.side_by_side(again), step=step)
            ),
            swaps=(
                (_others("swap_share") if people else rater_cells.swaps(again)) if arms else None
            ),
            kappa=rater_cells.kappa(units, items) if self.pair else None,
            tau=ordering.tau_within_items(cells[0], cells[1]) if arms and self.pair else None,
            w_items=(
                self._w_within(cells)
                if arms and len(self.seats) > 2  # noqa: PLR2004 - two have a correlation
                else None
            ),
        )

    def _near(self, units: FloatArray) -> Near | Refusal:
        return agreement.closeness(units, within=self.near_points, wide=self.wide_points)

    def _pairs(self) -> tuple[RaterPair, ...] | Refusal:
        out, many = [], comb(len(self.seats), 2)
        if many > MOST_PAIRS and not self.slots:
            code = RefusalCode.TOO_MANY_PAIRS.value
            return Refusal(statistic="rater_pairs", code=code, have=many, need=MOST_PAIRS)
        for i, j in [] if self.slots else combinations(range(len(self.seats)), 2):
            units, items = rater_cells.units_of(self.totals[[i, j]])
            a, b = self.totals[i], self.totals[j]
            out.append(
                RaterPair(
                    first=i,
                    second=j,
                    near=self._near(units),
                    alpha=rater_cells.alpha(self.totals[[i, j]], self.clusters, metric="interval"),
                    shift=rater_cells.gaps(a, b, self.clusters),
                    ordering=ordering.ordering_accuracy(a, b),
                    kappa=rater_cells.kappa(units, items),
                    tau=ordering.tau_within_items(a, b),
                )
            )
        return tuple(out)

    def _w_within(self, cells: FloatArray) -> Estimate | Refusal:
        return _slots("kendall_w") if self.slots else ordering.kendall_w_within_items(cells)

    def _w_totals(self) -> Estimate | Refusal:
        if self.slots:
            return _slots("kendall_w")
        refused = too_few_items("kendall_w", int(self.all.any(axis=0).sum()))
        if refused is not None:
            return refused
        shared = np.where(self.all, self.totals, np.nan)
        return ordering.kendall_w(nan_mean(shared, axis=2))

    # cells to read -------------------------------------------------------

    @cached_property
    def widest(self) -> FloatArray:
        """The widest gap on a criterion, shape (A, I); none where there is one rater."""
        gap = rater_cells.widest(self.criteria).max(axis=2, initial=0.0)
        return gap if self.few is None else np.zeros_like(gap)

    def _splits(self) -> tuple[Split, ...]:
        """Cells by their widest gap on a criterion, then by that of the total."""
        wide, gap = rater_cells.widest(self.criteria), self.widest
        total = rater_cells.widest(self.totals)
        found = sorted(
            zip(*np.nonzero(gap > TIE), strict=True),
            key=lambda at: (-gap[at], -total[at], at[1], at[0]),
        )
        return tuple(
            self._split(int(a), int(i), int(wide[a, i].argmax()), float(gap[a, i]))
            for a, i in found[:SPLITS]
        )

    def _split(self, arm: int, item: int, k: int, gap: float) -> Split:
        return Split(
            arm=self.base.ids[arm],
            item=self.names[item],
            criterion=self.rubric.criteria[k].id,
            marks=tuple(_value(v) for v in self.criteria[:, arm, item, k]),
            totals=tuple(_value(v) for v in self.totals[:, arm, item]),
            gap=gap,
        )


def _few_raters(have: int, *, how: str) -> Refusal | None:
    if have > 1:
        return None
    return Refusal(
        statistic="agreement",
        code=RefusalCode.TOO_FEW_JUDGES.value,
        have=have,
        need=2,
        how=how,
    )


def _slots(statistic: str) -> Refusal:
    """Places in a file are no raters: they have no habits and no order of the arms."""
    return Refusal(
        statistic=statistic, code=RefusalCode.RATERS_NOT_IDENTIFIED.value, have=0, need=1
    )


def _others(statistic: str) -> Refusal:
    """Repeats of imported people are other persons: nobody marked anything again."""
    return Refusal(
        statistic=statistic,
        code=RefusalCode.NOT_IDENTIFIED.value,
        have=0,
        need=1,
        how="further marks of a cell are of other persons",
    )


def _value(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _pinned(params: str | None) -> bool:
    """Whether a seed went to the model with every request."""
    loaded = json.loads(params) if params else {}
    sent = loaded.get("params", loaded) if isinstance(loaded, dict) else {}
    return isinstance(sent, dict) and "seed" in sent
