"""What a bridge came to: anchors of an old pass beside the same answers on its new side."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from judgebench.model.bridging import Bridge, Offset, Side, Turned
from judgebench.model.drifting import CHECK_REPEATS
from judgebench.model.nouns import Estimate
from judgebench.model.rubric import Rubric
from judgebench.pipeline.drift.drifted import answered, day, how_far
from judgebench.pipeline.figures.analysis import Analysis
from judgebench.pipeline.figures.gather import plain
from judgebench.pipeline.figures.marked import Marks
from judgebench.pipeline.figures.stored_pass import read_analysis
from judgebench.pipeline.setting.scene import Scene
from judgebench.records import dataclass
from judgebench.stats import drift, pairs, ranks
from judgebench.stats.arrays import (
    TIE,
    BoolArray,
    FloatArray,
    IntArray,
    from_codes,
    lattice_step,
    nan_mean,
)
from judgebench.store.passes import PassRow
from judgebench.store.store import Store

NUMBER = CHECK_REPEATS + 1
"""The judging that a bridge is: numbered as one for drift, so that it counts nowhere."""


@dataclass(frozen=True, kw_only=True)
class Sides:
    """The two passes of a bridge."""

    scene: Scene
    """The run under the new side's rubric."""
    base: PassRow
    """The old side."""
    old_rubric: Rubric
    row: PassRow
    """The new side: the pass that holds the bridge."""


def read_bridge(store: Store, sides: Sides) -> Bridge:
    """Hold both sides against each other where both have judged the same answers."""
    return _Reading(store, sides).bridge()


class _Reading:
    """Both sides of a bridge. Axes: arms A, items I, criteria in common K."""

    def __init__(self, store: Store, found: Sides) -> None:
        self.store, self.sides = store, found
        self.old: Analysis = read_analysis(
            store, found.scene.run_key, pass_id=found.base.judging.id, rubric=found.old_rubric
        )
        # Order and weights are of the old side, by which the old totals were made.
        rubric = self.old.rubric
        theirs = {criterion.id for criterion in found.scene.rubric.criteria}
        self.at = [at for at, one in enumerate(rubric.criteria) if one.id in theirs]
        self.common = tuple(rubric.criteria[at] for at in self.at)
        same = found.base.judging.ask_sha256 == found.row.judging.ask_sha256
        self.whole = same or (
            len(self.common) == len(rubric.criteria) == len(found.scene.rubric.criteria)
        )
        self.rubric = (
            rubric
            if self.whole
            else replace(rubric, criteria=self.common, gates=(), caps=(), tiers=())
        )
        self.then = self._marks(self.old.marks.marks[:, :, self.at])
        self.now = self._marks(self._new_marks())
        every = np.concatenate([self.then.marks, self.now.marks], axis=3)
        self.step = lattice_step(every, scale_step=rubric.scale.step)

    def _new_marks(self) -> FloatArray:
        shape = self.old.marks.marks[:, :, self.at].shape[:3]
        rows = self.store.columns(
            "mark_codes",
            pass_id=self.sides.row.judging.id,
            run=self.sides.scene.run_key,
            criteria=[criterion.id for criterion in self.common],
        )
        keep = np.asarray(rows["drift"], dtype=bool)
        if self.old.reading.require_quotes:
            keep &= ~np.asarray(rows["unsupported"], dtype=bool)
        codes = [
            np.asarray(rows[name], dtype=np.int64)[keep] for name in ("arm", "item", "criterion")
        ]
        return from_codes(shape, codes, plain(rows["mark"])[keep])[:, :, :, None]

    def _marks(self, marks: FloatArray) -> Marks:
        return Marks(
            marks=marks,
            rubric=self.rubric,
            applies=self.old.marks.applies[:, self.at],
            minimum=np.zeros(marks.shape[:2], dtype=bool),
        )

    def bridge(self) -> Bridge:
        """All of it."""
        found = self.sides
        then, now = self.then.verdicts[0], self.now.verdicts[0]
        there = np.asarray(np.isfinite(then).any(axis=2) & np.isfinite(now).any(axis=2))
        compared, reversals = self._reversals(there)
        pass_id = found.row.judging.id
        _, blocked = how_far(self.store, found.row, found.scene.rubric, NUMBER)
        cost = next(iter(self.store.records("costs", pass_id=pass_id)), {})
        old, new = self._side(found.base, found.old_rubric), self._side(found.row, None)
        return Bridge(
            run_name=found.scene.run_key,
            old=old,
            new=new,
            changed=tuple(_changed(old, new)),
            scale_low=self.rubric.scale.low,
            scale_high=self.rubric.scale.high,
            anchors=len(self.store.rows("drift_planned", pass_id=pass_id)),
            answers=int(there.sum()),
            items=int(there.any(axis=0).sum()),
            offsets=self._offsets(),
            only_old=self._only(found.old_rubric, found.scene.rubric),
            only_new=self._only(found.scene.rubric, found.old_rubric),
            whole=self.whole,
            arms=tuple(self.old.ids),
            pairs=compared,
            reversals=reversals,
            blocked=blocked,
            calls=int(cost.get("calls") or 0),
            cost_usd=None if cost.get("cost_unknown") else cost.get("cost_usd"),
        )

    def _side(self, row: PassRow, rubric: Rubric | None) -> Side:
        judging = row.judging
        told = self.store.records("answered_by", pass_id=judging.id)
        first = min((one["first_at"] for one in told), default=None)
        # Checks for drift of the old pass are later judgings of it.
        own = [one for one in told if rubric is None or one["again"] is None]
        return Side(
            pass_id=judging.id,
            judge_name=judging.judge_name,
            judge_model=judging.judge_model,
            judge_sha256=judging.judge_sha256,
            rubric_name=judging.rubric_name,
            rubric_version=row.rubric_version,
            ask_sha256=judging.ask_sha256,
            prompt_version=judging.prompt_version,
            judged_at="" if first is None else day(first),
            answered=tuple(dict.fromkeys(answered(own))),
        )

    @staticmethod
    def _only(mine: Rubric, other: Rubric) -> tuple[str, ...]:
        known = {criterion.id for criterion in other.criteria}
        return tuple(one.head or one.id for one in mine.criteria if one.id not in known)

    def _offsets(self) -> tuple[Offset, ...]:
        new = {criterion.id: criterion for criterion in self.sides.scene.rubric.criteria}
        rows = [
            self._offset(
                self.then.marks[:, :, at],
                self.now.marks[:, :, at],
                name=(one.id, one.head or one.id),
                reworded=_asks(one) != _asks(new[one.id]),
            )
            for at, one in enumerate(self.common)
        ]
        total = self._offset(
            self.then.verdicts[0], self.now.verdicts[0], name=("", "total"),
            reworded=any(row.reworded for row in rows),
        )  # fmt: skip
        return (*rows, total)

    def _offset(
        self, then: FloatArray, now: FloatArray, *, name: tuple[str, str], reworded: bool
    ) -> Offset:
        """One row, from scores of shape (A, I, R) on each side."""
        old, new = nan_mean(then, axis=2), nan_mean(now, axis=2)
        counts = (_counts(then), _counts(now))
        there = np.isfinite(old) & np.isfinite(new)
        return Offset(
            criterion=name[0],
            head=name[1],
            reworded=reworded,
            answers=int(there.sum()),
            then=_level(old, there),
            now=_level(new, there),
            offset=drift.shift(old, new, counts, step=self.step),
        )

    def _reversals(self, there: BoolArray) -> tuple[int, tuple[Turned, ...]]:
        """Pairs of arms that share an item, and those of them whose order has turned."""
        sides = [
            np.where(there, nan_mean(one.verdicts[0], axis=2), np.nan)
            for one in (self.then, self.now)
        ]
        counts = [np.maximum(_counts(one.verdicts[0]), 1) for one in (self.then, self.now)]
        compared, turned = 0, []
        for a, b in combinations(range(len(self.old.ids)), 2):
            gaps = [ranks.mean_difference(side[a], side[b]) for side in sides]
            if gaps[0] is None or gaps[1] is None:
                continue
            compared += 1
            if gaps[0] * gaps[1] >= 0 or min(map(abs, (gaps[0], gaps[1]))) <= TIE:
                continue
            apart = [
                self._apart(side, count, a, b) for side, count in zip(sides, counts, strict=True)
            ]
            turned.append(
                Turned(
                    first=self.old.ids[a],
                    second=self.old.ids[b],
                    items=int((there[a] & there[b]).sum()),
                    then=gaps[0],
                    now=gaps[1],
                    then_apart=apart[0],
                    now_apart=apart[1],
                )
            )
        turned.sort(key=lambda one: -min(abs(one.then), abs(one.now)))
        return compared, tuple(turned)

    def _apart(self, side: FloatArray, count: IntArray, a: int, b: int) -> bool:
        found = pairs.paired_difference(side[a], side[b], count[a], count[b], step=self.step)
        if not isinstance(found, Estimate) or found.low is None or found.high is None:
            return False
        return found.low > 0 or found.high < 0


def _counts(scores: FloatArray) -> IntArray:
    return np.asarray(np.isfinite(scores).sum(axis=2), dtype=np.int64)


def _level(scores: FloatArray, there: BoolArray) -> float | None:
    """Mean over items of the answers that both sides scored."""
    means = nan_mean(np.where(there, scores, np.nan), axis=0)
    known = means[np.isfinite(means)]
    return float(known.mean()) if known.size else None


def _asks(criterion: object) -> tuple[object, ...]:
    """What a judge is shown of a criterion."""
    return tuple(getattr(criterion, name) for name in ("text", "anchors", "quotes", "applies"))


def _changed(old: Side, new: Side) -> Iterable[str]:
    parts: Sequence[tuple[str, bool]] = (
        ("judge", old.judge_sha256 != new.judge_sha256),
        ("rubric", old.ask_sha256 != new.ask_sha256),
        ("prompt", old.prompt_version != new.prompt_version),
        (
            "answered as",
            old.judge_sha256 == new.judge_sha256 and not set(new.answered) <= set(old.answered),
        ),
    )
    return [name for name, is_so in parts if is_so]
