"""`judge drift --bridge`: anchors of an old pass judged by a new judge, or under a new rubric.

The new marks stand in a pass of their own that no table, panel or card reads, and in it
they count towards no rating. Nothing is shifted or merged: a bridge says by how much the
two differ where both have judged the same answers.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import numpy as np

from judgebench.blind import order
from judgebench.errors import JudgebenchError, RubricError
from judgebench.judges import config
from judgebench.model import Estimate, Judge, Mode, Purpose, Rubric
from judgebench.model.bridging import Bridge, Offset, Side, Turned
from judgebench.model.drifting import CHECK_REPEATS
from judgebench.pipeline.analyse import Analysis
from judgebench.pipeline.analysing import analysis
from judgebench.pipeline.anchors import (
    base_of,
    frozen,
    judged_scene,
    live_judge,
    must_be_unchanged,
    rubric_of,
    send_anchors,
)
from judgebench.pipeline.choices import Choices
from judgebench.pipeline.drifted import answered, day, how_far
from judgebench.pipeline.gather import BoolArray, FloatArray, IntArray, Marks, plain
from judgebench.pipeline.plan import Again, make_pass
from judgebench.pipeline.scene import Scene, World
from judgebench.pipeline.score import open_store
from judgebench.pipeline.send import Progress, SendReport
from judgebench.pipeline.standing import Standing, identity_of, judge_facts, reading_of, take_in
from judgebench.pipeline.wanted import requests
from judgebench.stats import drift, pairs, ranks
from judgebench.stats.arrays import from_codes, lattice_step, nan_mean
from judgebench.store.rows import PassRow
from judgebench.store.store import Store

NUMBER = CHECK_REPEATS + 1
"""The judging that a bridge is: numbered as one for drift, so that it counts nowhere."""
ROUTE = "bridge"
_TIE = 1e-9


@dataclass(frozen=True, kw_only=True)
class Bridged:
    """What one start came to."""

    bridge: Bridge | None
    """None after a dry run, or where nothing was answered."""
    planned: int
    open: int
    sent: SendReport | None
    reports: Path | None = None
    """Folder for its page."""


@dataclass(frozen=True, kw_only=True)
class _Plan:
    """A bridge before anything is sent."""

    scene: Scene
    base: PassRow
    old_rubric: Rubric
    judge: Judge
    row: PassRow
    content: str
    anchors: frozenset[tuple[str, str]]


def build_bridge(
    choices: Choices,
    world: World,
    progress: Callable[[Progress], None],
    *,
    baseline: str,
    anchors: int | None = None,
) -> Bridged:
    """Judge the anchors of a pass by another judge or rubric, and hold both side by side.

    Args:
        choices: Run, new judge (None: the pass's own), new rubric (None: the pass's own),
            budgets; `fresh` builds another bridge beside one that stands.
        world: Clock, environment, ears.
        progress: Told how far it is.
        baseline: The old pass.
        anchors: How many answers at least; None for a tenth, at least 12 and at most 60.

    Raises:
        RubricError: The rubrics have no criterion in common, or other scales.
        JudgebenchError: The pass has no marks on answers that are still there.
    """
    scene = judged_scene(choices, world)
    with open_store(scene, kept=not choices.dry_run) as store:
        found = _plan(store, scene, choices, world, baseline=baseline, anchors=anchors)
        key = "" if choices.dry_run else config.api_key(found.judge, world.env)
        standing = _begin(store, found)
        pass_id = found.row.judging.id
        left = sum(1 for _ in store.iter_open(pass_id))
        planned, _ = how_far(store, found.row, found.scene.rubric, NUMBER)
        if choices.dry_run:
            return Bridged(bridge=None, planned=planned, open=left, sent=None)
        world.say(
            f"bridge {pass_id} from pass {found.base.judging.id} (judge {found.judge.name}, "
            f"rubric {found.scene.rubric.name}): {left} of {planned} requests open"
        )
        sent = send_anchors(
            store, found.scene, standing, key, choices=choices, world=world, progress=progress
        )
        made = _Reading(store, found).bridge() if store.progress(pass_id)[1] else None
    reports = scene.workspace.reports / scene.run_key / f"bridge-{pass_id}"
    return Bridged(bridge=made, planned=planned, open=left, sent=sent, reports=reports)


# ---- the plan


def _plan(
    store: Store, scene: Scene, choices: Choices, world: World, *, baseline: str,
    anchors: int | None,
) -> _Plan:  # fmt: skip
    base = base_of(store, scene, choices, baseline)
    _must_have_marks(base)
    old_rubric = rubric_of(store, base)
    rubric = old_rubric if choices.rubric is None else scene.rubric
    if old_rubric.deductions or rubric.deductions:
        raise JudgebenchError(
            f"pass {base.judging.id}: faults in projects are counted, no marks to bridge; judge "
            "rejudge judges the projects once more and compares"
        )
    _must_share(old_rubric, rubric)
    scene = replace(scene, rubric=rubric)
    why = "a recording has no marks of a bridge; name a live judge (--judge)"
    judge = live_judge(choices, scene, base, world, recorded=why)
    judging = base.judging
    content = take_in(
        store, scene, blinding=judging.blinding, reading=reading_of(base), world=world
    )  # fmt: skip
    must_be_unchanged(scene, base, content)
    cells = store.rows("judged_cells", pass_id=judging.id, run=judging.run, whole=False)
    drawn = frozen(judging.seed, [(item, arm) for item, arm in cells], anchors, whole=True)
    if not drawn:
        raise JudgebenchError(
            f"pass {judging.id} has no judged answer that is still as it was: nothing to bridge"
        )
    row = _row(store, scene, base, judge, world=world, fresh=choices.fresh)
    return _Plan(
        scene=scene, base=base, old_rubric=old_rubric, judge=judge, row=row, content=content,
        anchors=drawn,
    )  # fmt: skip


def _must_have_marks(base: PassRow) -> None:
    name = f"pass {base.judging.id}"
    if base.facts().marks_only:
        raise JudgebenchError(f"{name} holds imported marks: there are no answers to judge again")
    if base.judging.mode is Mode.PAIRWISE:
        raise JudgebenchError(f"{name} compares pairs, whose verdicts have no level to bridge")


def _must_share(old: Rubric, new: Rubric) -> None:
    """Offsets are of criteria in common, in points of one scale."""
    mine = {criterion.id for criterion in old.criteria}
    if not mine & {criterion.id for criterion in new.criteria}:
        raise RubricError(
            new.path or new.name,
            f"has no criterion in common with {old.name} {old.version} of the pass",
            "keep the ids of criteria that ask the same, or judge the run anew",
        )
    if (old.scale.low, old.scale.high) != (new.scale.low, new.scale.high):
        raise RubricError(
            new.path or new.name,
            f"has a scale from {new.scale.low:g} to {new.scale.high:g}, the pass one from "
            f"{old.scale.low:g} to {old.scale.high:g}",
            "judge the run anew under the new scale",
        )


def _row(
    store: Store, scene: Scene, base: PassRow, judge: Judge, *, world: World, fresh: bool
) -> PassRow:
    """The pass that holds the bridge: the last one of these two sides, or a new one."""
    judging = base.judging
    identity = identity_of(
        scene, judge, mode=judging.mode, blinding=judging.blinding, split=judging.split_criteria
    )
    stored = {row.judging.id: row for row in store.find_bridges(scene.run_key)}

    def made(ordinal: int) -> PassRow:
        seed = order.derive_seed(identity.digest(), ROUTE, judging.id, str(ordinal))
        return PassRow(
            judging=make_pass(
                identity, judge, scene.rubric, seed=seed, repeats=1, route=ROUTE, ordinal=ordinal
            ),
            ordinal=ordinal,
            rubric_version=scene.rubric.version,
            sum_sha256=scene.rubric.sum_sha256,
            started_at=world.now().isoformat(timespec="seconds"),
            choices=base.choices,
            controls=0,
        )

    ordinal = 1
    while (found := made(ordinal)).judging.id in stored:
        last = stored[found.judging.id]
        if not fresh and made(ordinal + 1).judging.id not in stored:
            return replace(last, rubric_version=found.rubric_version, choices=base.choices)
        ordinal += 1
    return found


def _begin(store: Store, found: _Plan) -> Standing:
    """The bridge with its anchors in its plan; those that it has already stay."""
    row = found.row
    store.put_rubric(found.scene.rubric)
    store.put_judge(found.judge, judge_facts(found.judge))
    store.put_pass(row)
    before = store.rows("drift_planned", pass_id=row.judging.id)
    cells = found.anchors | {(item, arm) for item, arm, _ in before}
    again = Again(drift=dict.fromkeys(cells, (NUMBER,)))
    wanted = {item for item, _ in cells}
    change = store.set_plan(
        row.judging.id,
        (
            one
            for one in requests(store, row, found.scene, again=again)
            if one.purpose is Purpose.DRIFT and one.item in wanted
        ),
    )
    return Standing(row=row, judge=found.judge, change=change, content=found.content)


# ---- reading


class _Reading:
    """Both sides of a bridge. Axes: arms A, items I, criteria in common K."""

    def __init__(self, store: Store, found: _Plan) -> None:
        self.store, self.plan = store, found
        self.old: Analysis = analysis(
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
            pass_id=self.plan.row.judging.id,
            run=self.plan.scene.run_key,
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
        found = self.plan
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
        new = {criterion.id: criterion for criterion in self.plan.scene.rubric.criteria}
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
            if gaps[0] * gaps[1] >= 0 or min(map(abs, (gaps[0], gaps[1]))) <= _TIE:
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
