"""From the passes on a run to an `Agreement`: store columns → arrays → figures.

Calls statistics in turn and puts their answers together. Reads the store, sends
nothing. What rests on judges as a sample stands in `judgebench.pipeline.jury`.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from pathlib import Path

import numpy as np

from judgebench.model import (
    Agreement,
    AgreementRow,
    Estimate,
    Holding,
    Near,
    Rater,
    RaterPair,
    Refusal,
    RefusalCode,
    Reversal,
    Split,
)
from judgebench.pipeline import possible, rater_cells
from judgebench.pipeline.given_elsewhere import reworded
from judgebench.pipeline.jury import Jury
from judgebench.pipeline.persons import person_seats
from judgebench.pipeline.raters import Chosen, Seat, another, choose_passes, seats
from judgebench.pipeline.stored import stored_run
from judgebench.stats import agreement, ordering, ranks, repeatability
from judgebench.stats.arrays import TIE, FloatArray, lattice_step, nan_mean
from judgebench.stats.levels import too_few_items
from judgebench.store.store import Store

SPLITS = 40
"""Cells kept in a result, the widest first."""
ORDINAL_SPAN = 20
"""Points of a scale up to which its marks are ranks and 1 point is near."""


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
    found = person_seats(store, run, chosen.rows[0]) if alone else ()
    # One person, or nobody with a mark: there is nothing to hold them against.
    several = found if len(found) > 1 else seats(store, run, chosen.rows)
    made = possible.agreement(
        _Bench(store, several, chosen, delta=choices.delta, slots=choices.slots).agreement()
    )
    return reworded(made) if several[0].found.shown.facts().marks_only else made


class _Bench:
    """Several passes side by side, on their way from arrays to figures.

    Axes: raters J, arms A, items I, criteria K.
    """

    def __init__(
        self,
        store: Store,
        found: tuple[Seat, ...],
        chosen: Chosen,
        *,
        delta: float | None,
        slots: bool,
    ) -> None:
        self.store, self.seats, self.chosen, self.delta = store, found, chosen, delta
        self.slots = slots
        self.base, self.persons = found[0].found, found[0].person
        self.rubric = self.base.rubric
        span = self.rubric.scale.high - self.rubric.scale.low
        self.ordinal = span <= ORDINAL_SPAN
        self.near_points = 1.0 if self.ordinal else span / ORDINAL_SPAN
        self.wide_points = None if self.ordinal else 2 * self.near_points
        self.totals = np.stack([one.totals for one in found])
        self.criteria = np.stack([one.criteria for one in found])
        self.first = np.stack([one.first for one in found])
        self.all = np.isfinite(self.totals).all(axis=0)
        self.names = tuple(name for (name,) in store.rows("items", run=self.base.shown.judging.run))
        marks = np.concatenate([one.every.marks for one in found], axis=3)
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
        reversals = self._reversals()
        turned, compared = self._turned()
        scale, shown = self.rubric.scale, self.base.shown.judging
        return Agreement(
            run_name=shown.run,
            rubric_name=shown.rubric_name,
            scale_low=scale.low,
            scale_high=scale.high,
            near_points=self.near_points,
            wide_points=self.wide_points,
            level=min(one.found.level for one in self.seats),
            judges=len({one.judge for one in self.seats}),
            arms=tuple(self.base.ids),
            items=len(self.names),
            cells=int(np.isfinite(self.totals).any(axis=0).sum()),
            shared=int(self.all.sum()),
            raters=tuple(self._rater(one) for one in self.seats),
            verdict=self._verdict(reversals),
            common=self._common(),
            reversals=reversals,
            pairs_turned=turned,
            pairs_compared=compared,
            rows=self._rows(),
            by_arm=self._by_arm(),
            pairs=self._pairs(),
            w_items=self._w_within(self.totals),
            w_totals=self._w_totals(),
            effective=jury.effective(),
            sampled=_slots("judges_as_sample") if self.slots else jury.sampled(),
            panel_best=jury.best(),
            left_out=_slots("leave_one_judge_out") if self.slots else jury.left_out(),
            parts=_slots("components") if self.slots else jury.parts(),
            designs=_slots("components") if self.slots else jury.designs(),
            splits=self._splits(),
            persons=self.persons,
            projects=self.rubric.deductions is not None and len(self.names) == 1,
            others=self.chosen.others,
        )

    # the answer ----------------------------------------------------------

    def _verdict(self, reversals: Sequence[Reversal]) -> Holding | Refusal:
        if self.few is not None or self.slots:
            return self.few or _slots("holds")
        sets: list[tuple[str, ...]] = []
        for one in self.seats:
            if isinstance(one.best, Refusal):
                return replace(one.best, statistic="holds")
            if not one.best:
                # All that may be best stand as "?": blocked answers could change any set.
                code = RefusalCode.BLOCKED_SHARE_HIGH.value
                return Refusal(statistic="holds", code=code, have=0, need=1)
            sets.append(one.best)
        if reversals or not set.intersection(*map(set, sets)):
            return Holding.DOES_NOT_HOLD
        if not any(map(self._shows, self.seats)):
            return Holding.NOTHING_SHOWN
        same = all(set(one) == set(sets[0]) for one in sets)
        return Holding.HOLDS if same else Holding.MOSTLY

    def _common(self) -> tuple[str, ...]:
        sets = [one.best for one in self.seats if not isinstance(one.best, Refusal)]
        if len(sets) < len(self.seats):
            return ()
        return tuple(arm for arm in sets[0] if all(arm in one for one in sets))

    def _reversals(self) -> tuple[Reversal, ...]:
        """Pairs that a pass separates and that another orders the other way round."""
        if self.slots:
            return ()
        out = []
        order = self.base.ratings.order.order
        for place, a in enumerate(order):
            for b in order[place + 1 :]:
                gaps = [self._gap(one, a, b) for one in self.seats]
                signs = {np.sign(gap) for gap in gaps if gap is not None and abs(gap) > TIE}
                separated = tuple(self._separated(one, a, b) for one in self.seats)
                if any(separated) and len(signs) > 1 and _against(gaps, separated):
                    out.append(
                        Reversal(
                            first=self.base.ids[a],
                            second=self.base.ids[b],
                            gaps=tuple(gaps),
                            separated=separated,
                        )
                    )
        return tuple(out)

    def _shows(self, seat: Seat) -> bool:
        """Whether a pass says anything of the arms: one may not be best, or a pair is separated."""
        placed = np.flatnonzero(seat.found.ratings.placed)
        if not isinstance(seat.best, Refusal) and len(seat.best) < placed.size:
            return True
        return any(self._separated(seat, a, b) for a, b in combinations(placed.tolist(), 2))

    @staticmethod
    def _gap(seat: Seat, a: int, b: int) -> float | None:
        return ranks.mean_difference(seat.found.cells[a], seat.found.cells[b])

    @staticmethod
    def _separated(seat: Seat, a: int, b: int) -> bool:
        """Whether its table claims the pair: an arm that is not placed is in no claim."""
        pair = seat.found.ratings.table.between(a, b)
        placed = seat.found.ratings.placed[a] and seat.found.ratings.placed[b]
        return bool(pair is not None and pair.separated and placed)

    def _turned(self) -> tuple[int, int]:
        """Pairs of arms that not all raters order alike, on the cells that all scored.

        A tie beside an order is not alike; a pair that all of them tie is in no order.
        """
        shared = np.where(self.all, self.totals, np.nan)
        turned = compared = 0
        if self.slots:
            return 0, 0
        for a, b in combinations(range(len(self.base.ids)), 2):
            gaps = [ranks.mean_difference(one[a], one[b]) for one in shared]
            known = [gap for gap in gaps if gap is not None]
            signs = {int(gap > TIE) - int(gap < -TIE) for gap in known}
            if len(known) == len(gaps) > 1 and signs != {0}:
                compared += 1
                turned += len(signs) > 1
        return turned, compared

    # raters --------------------------------------------------------------

    def _rater(self, seat: Seat) -> Rater:
        shared = seat.totals[self.all]
        every = seat.every.verdicts[0]
        facts = seat.found.shown.facts()
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
            controls=seat.found.controls(),
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
                ordinal=self.ordinal,
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
            ordinal=False,
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
                ordinal=False,
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
        ordinal: bool,
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
            alpha=self.few or rater_cells.alpha(units, items, ordinal=ordinal),
            shift=rater_cells.gaps(cells[0], cells[1]) if self.pair else None,
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

    def _pairs(self) -> tuple[RaterPair, ...]:
        out = []
        for i, j in [] if self.slots else combinations(range(len(self.seats)), 2):
            units, items = rater_cells.units_of(self.totals[[i, j]])
            a, b = self.totals[i], self.totals[j]
            out.append(
                RaterPair(
                    first=i,
                    second=j,
                    near=self._near(units),
                    alpha=rater_cells.alpha(units, items, ordinal=False),
                    shift=rater_cells.gaps(a, b),
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

    def _splits(self) -> tuple[Split, ...]:
        """Cells by their widest gap on a criterion, then by that of the total."""
        if self.few is not None:
            return ()
        wide = rater_cells.widest(self.criteria)
        gap = wide.max(axis=2, initial=0.0)
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


def _against(gaps: Sequence[float | None], separated: Sequence[bool]) -> bool:
    """Whether a rater orders a pair against one that separates it."""
    claimed = {np.sign(g) for g, s in zip(gaps, separated, strict=True) if s and g is not None}
    return any(g is not None and abs(g) > TIE and -np.sign(g) in claimed for g in gaps)


def _value(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _pinned(params: str | None) -> bool:
    """Whether a seed went to the model with every request."""
    loaded = json.loads(params) if params else {}
    sent = loaded.get("params", loaded) if isinstance(loaded, dict) else {}
    return isinstance(sent, dict) and "seed" in sent
