"""What a check for drift came to: anchors and controls beside what they were marked first."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from math import sqrt

import numpy as np

from judgebench.model.agreement import Noise
from judgebench.model.controls import ControlCheck, Controls, Verdict
from judgebench.model.drifting import CHECK_REPEATS, Drift, DriftCheck, DriftControls
from judgebench.model.nouns import Estimate, Purpose, Refusal
from judgebench.model.rubric import Rubric
from judgebench.pipeline.figures import possible
from judgebench.pipeline.figures.controlled import Names, control_checks
from judgebench.pipeline.figures.gather import lacking
from judgebench.pipeline.figures.marked import total_step
from judgebench.pipeline.figures.stored_pass import read_analysis
from judgebench.pipeline.planning.carried import OWN
from judgebench.pipeline.setting.reading import reading_of
from judgebench.pipeline.setting.scene import Scene
from judgebench.records import dataclass
from judgebench.stats import controls, drift, planning, repeatability
from judgebench.stats.arrays import FloatArray, IntArray, lattice_step
from judgebench.stats.intervals import t_quantile
from judgebench.store.passes import PassRow
from judgebench.store.store import Store


@dataclass(frozen=True, kw_only=True, slots=True)
class _Again:
    """Totals of one kind of judging over the grid of cells, shapes (A, I)."""

    total: FloatArray
    count: IntArray
    last_at: float


class _Totals:
    """Every total of a pass, by what it was for."""

    def __init__(self, store: Store, row: PassRow) -> None:
        judging = row.judging
        found = store.columns("scored_again", pass_id=judging.id, run=judging.run)
        self.at = tuple(np.asarray(found[name], dtype=np.int64) for name in ("arm", "item"))
        self.purpose = np.asarray(found["purpose"], dtype=object)
        self.repeat = np.asarray(found["repeat"], dtype=np.int64)
        self.total = np.asarray(found["total"], dtype=np.float64)
        self.judged_at = np.asarray(found["judged_at"], dtype=np.float64)
        self.shape = tuple(int(one.max(initial=0)) + 1 for one in self.at)

    def of(self, purpose: str, number: int | None = None) -> _Again:
        """Mean totals of one purpose, of one numbered judging where it is given."""
        kept = self.purpose == purpose
        if number is not None:
            kept &= self.repeat == number
        total, count = np.zeros(self.shape), np.zeros(self.shape, dtype=np.int64)
        at = tuple(one[kept] for one in self.at)
        np.add.at(total, at, self.total[kept])
        np.add.at(count, at, 1)
        mean = np.where(count > 0, total / np.maximum(count, 1), np.nan)
        last = float(self.judged_at[kept].max(initial=0.0))
        return _Again(total=mean, count=count, last_at=last)

    def rows(self) -> FloatArray:
        """Main and noise judgings of every cell, shape (cells, R)."""
        kept = self.purpose != Purpose.DRIFT.value
        repeats = int(self.repeat[kept].max(initial=1))
        grid = np.full((*self.shape, repeats), np.nan)
        grid[(*(one[kept] for one in self.at), self.repeat[kept] - 1)] = self.total[kept]
        return grid.reshape(-1, repeats)

    def items(self) -> IntArray:
        """The item of each of these rows."""
        return np.tile(np.arange(self.shape[1]), self.shape[0])

    def numbers(self) -> list[int]:
        """Checks, in their order; what an extension judged again is none."""
        return sorted(set(self.repeat[self.repeat > CHECK_REPEATS].tolist()))


def how_far(store: Store, row: PassRow, rubric: Rubric, number: int) -> tuple[int, int]:
    """Requests of one check, and how many of them have no total on the judge's side."""
    judging = row.judging
    without = lacking(judging, rubric, reading_of(row))
    ((planned, blocked),) = store.rows(
        "drift_requests", pass_id=judging.id, number=number, **without
    )  # fmt: skip
    return int(planned), int(blocked)


def read_check(
    store: Store, scene: Scene, row: PassRow, rubric: Rubric, number: int
) -> Drift | None:
    """What one check came to; None where none of its anchors has a total.

    Args:
        store: The open store.
        scene: The run.
        row: The pass.
        rubric: Its rubric.
        number: Of the check.
    """
    totals = _Totals(store, row)
    if number not in totals.numbers():
        return None
    judging, first = row.judging, totals.of(Purpose.MAIN.value)
    step = lattice_step(totals.total, scale_step=rubric.scale.step)
    noise = repeatability.rescoring_sd(
        totals.rows(), step=total_step(rubric, rubric.scale.step), items=totals.items()
    )
    span = rubric.scale.high - rubric.scale.low
    now = _check(totals, first, number, step)
    again = totals.of(Purpose.DRIFT.value, number)
    second = totals.of(Purpose.NOISE.value)
    then, late = _answered(store, judging.id, number)
    reach = _reach(first, again, noise)
    moved = _verdict(now.gap, reach, changed=False) == "drifted"
    return Drift(
        run_name=scene.run_key,
        pass_id=judging.id,
        judge_name=judging.judge_name,
        judge_model=judging.judge_model,
        rubric_name=judging.rubric_name,
        scale_low=rubric.scale.low,
        scale_high=rubric.scale.high,
        judged_at=day(float(totals.judged_at.min())),
        verdict=_verdict(now.gap, reach, changed=not set(late) <= set(then)),
        now=replace(now, gap=possible.gap(now.gap, span)),
        items=int((np.isfinite(first.total) & np.isfinite(again.total)).any(axis=0).sum()),
        detectable=possible.reached(_detectable(now.gap), span),
        noise=noise if isinstance(noise, Refusal) else noise.sd,
        noise_reach=reach,
        same_day=drift.shift(first.total, second.total, (first.count, second.count), step=step),
        answered_then=then,
        answered_now=late,
        blocked=how_far(store, row, rubric, number)[1],
        controls=_controls(
            store,
            row,
            rubric,
            number,
            moved=now.gap.value if moved and isinstance(now.gap, Estimate) else 0.0,
        ),
        earlier=tuple(
            replace(one, gap=possible.gap(one.gap, span))
            for one in (_check(totals, first, n, step) for n in totals.numbers() if n != number)
        ),
    )


def _check(totals: _Totals, first: _Again, number: int, step: float) -> DriftCheck:
    again = totals.of(Purpose.DRIFT.value, number)
    return DriftCheck(
        number=number - CHECK_REPEATS,
        at=day(again.last_at),
        answers=int((np.isfinite(first.total) & np.isfinite(again.total)).sum()),
        gap=drift.shift(first.total, again.total, (first.count, again.count), step=step),
    )


def _controls(
    store: Store, row: PassRow, rubric: Rubric, number: int, *, moved: float
) -> DriftControls | None:
    """The controls of a pass then and in this check; None where it judged none again."""
    judging = row.judging
    if not store.rows("control_requests", pass_id=judging.id, number=number):
        return None
    analysis = read_analysis(store, judging.run, pass_id=judging.id, rubric=rubric)
    items = tuple(name for (name,) in store.rows("items", run=judging.run))

    def read(judging_: int, further: float) -> tuple[list[ControlCheck], Controls | None]:
        checks, noise = control_checks(
            store, judging, marks=analysis.marks, names=Names(arms=analysis.ids, items=items),
            reading=analysis.reading, number=judging_, moved=further,
        )  # fmt: skip
        return checks, controls.summary(checks, noise)

    before, then = read(OWN, 0.0)
    _, now = read(number, moved)
    if then is None or now is None:
        return None
    passed = {_who(one) for one in before if one.verdict is Verdict.PASSED}
    could = {one.kind for one in then.classes if one.decided and not one.failed}
    return DriftControls(
        then=then,
        now=now,
        lost=tuple(one for one in now.failures if _who(one) in passed),
        failed=tuple(one.kind for one in now.classes if one.failed and one.kind in could),
        moved=moved,
    )


def _who(one: ControlCheck) -> tuple[str, str, str]:
    """A control whatever request it stood in."""
    return one.kind, one.item, one.source


def day(at: float) -> str:
    """The day of seconds since 1970, ISO 8601."""
    return datetime.fromtimestamp(at, tz=UTC).date().isoformat()


def _reach(first: _Again, again: _Again, noise: Noise | Refusal) -> float | None:
    """How far the mean gap goes by re-scoring noise alone, in 95 of 100 checks."""
    if isinstance(noise, Refusal):
        return None
    there = np.isfinite(first.total) & np.isfinite(again.total)
    cells = there.sum(axis=0)
    if not cells.any():
        return None
    shares = np.where(there, 1 / np.maximum(first.count, 1) + 1 / np.maximum(again.count, 1), 0.0)
    items = int((cells > 0).sum())
    spread = float((shares.sum(axis=0) / np.maximum(cells, 1) ** 2).sum()) / items**2
    return t_quantile(0.975, noise.df) * noise.sd.value * sqrt(spread)


def _detectable(gap: Estimate | Refusal) -> float | None:
    if isinstance(gap, Refusal) or gap.low is None or gap.high is None:
        return None
    sd = (gap.high - gap.low) / 2 / t_quantile(0.975, gap.n - 1) * sqrt(gap.n)
    found = planning.detectable_difference(sd, gap.n)
    return found.value if isinstance(found, Estimate) else None


def _verdict(gap: Estimate | Refusal, reach: float | None, *, changed: bool) -> str:
    if changed:
        return "new_judge"
    if isinstance(gap, Refusal) or gap.low is None or gap.high is None:
        return "undecided"
    beyond = reach is None or abs(gap.value) > reach
    return "drifted" if not gap.low <= 0 <= gap.high and beyond else "no_drift"


def _answered(store: Store, pass_id: str, number: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who answered in the pass, and in this check."""
    found = store.records("answered_by", pass_id=pass_id)
    then = dict.fromkeys(answered(one for one in found if one["again"] is None))
    late = dict.fromkeys(answered(one for one in found if one["again"] == number))
    return tuple(then), tuple(late)


def answered(found: Iterable[dict[str, object]]) -> Iterator[str]:
    """Model strings, with their fingerprints, of rows of `answered_by`."""
    for one in found:
        model, mark = one["model_answered"] or "unknown", one["fingerprint"]
        yield f"{model} ({mark})" if mark else str(model)
