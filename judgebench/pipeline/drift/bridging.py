"""`judge drift --bridge`: anchors of an old pass judged by a new judge, or under a new rubric.

The new marks stand in a pass of their own that no table, panel or card reads, and in it
they count towards no rating. Nothing is shifted or merged: a bridge says by how much the
two differ where both have judged the same answers.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from judgebench.blind import order
from judgebench.errors import JudgebenchError, RubricError
from judgebench.judges import config
from judgebench.model.bridging import Bridge
from judgebench.model.nouns import Judge, Mode, Purpose
from judgebench.model.rubric import Rubric
from judgebench.pipeline.drift.anchors import (
    base_of,
    content_now,
    frozen,
    judged_scene,
    live_judge,
    must_be_unchanged,
    rubric_of,
    send_anchors,
)
from judgebench.pipeline.drift.bridged import NUMBER, Sides, read_bridge
from judgebench.pipeline.drift.drifted import how_far
from judgebench.pipeline.planning.open_pass import identity_of
from judgebench.pipeline.planning.plan import Again, make_pass
from judgebench.pipeline.planning.standing import Standing, judge_facts
from judgebench.pipeline.planning.wanted import requests
from judgebench.pipeline.scoring.score import open_store
from judgebench.pipeline.sending.sent import Progress, SendReport
from judgebench.pipeline.setting.choices import Choices
from judgebench.pipeline.setting.scene import Scene, World
from judgebench.records import dataclass
from judgebench.store.passes import PassRow
from judgebench.store.store import Store

ROUTE = "bridge"


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

    sides: Sides
    judge: Judge
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
        sides, standing = found.sides, _begin(store, found)
        pass_id = sides.row.judging.id
        left = sum(1 for _ in store.iter_open(pass_id))
        planned, _ = how_far(store, sides.row, sides.scene.rubric, NUMBER)
        if choices.dry_run:
            return Bridged(bridge=None, planned=planned, open=left, sent=None)
        world.say(
            f"bridge {pass_id} from pass {sides.base.judging.id} (judge {found.judge.name}, "
            f"rubric {sides.scene.rubric.name}): {left} of {planned} requests open"
        )
        sent = send_anchors(
            store, sides.scene, standing, key, choices=choices, world=world, progress=progress
        )
        made = read_bridge(store, sides) if store.progress(pass_id)[1] else None
    reports = scene.workspace.reports / scene.run_key / f"bridge-{pass_id}"
    return Bridged(bridge=made, planned=planned, open=left, sent=sent, reports=reports)


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
            f"pass {base.judging.id}: counts faults in projects and gives no marks; judge rejudge "
            "compares"
        )
    _must_share(old_rubric, rubric)
    scene = replace(scene, rubric=rubric)
    why = "a recording has no marks of a bridge; name a live judge (--judge)"
    judge = live_judge(choices, scene, base, world, recorded=why)
    judging = base.judging
    content = content_now(store, scene, base, world)
    must_be_unchanged(scene, base, content)
    cells = store.rows("judged_cells", pass_id=judging.id, run=judging.run, whole=False)
    drawn = frozen(judging.seed, [(item, arm) for item, arm in cells], anchors, whole=True)
    if not drawn:
        raise JudgebenchError(
            f"pass {judging.id} has no judged answer that is still as it was: nothing to bridge"
        )
    row = _row(store, scene, base, judge, world=world, fresh=choices.fresh)
    return _Plan(
        sides=Sides(scene=scene, base=base, old_rubric=old_rubric, row=row),
        judge=judge,
        content=content,
        anchors=drawn,
    )


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
            f"has no criterion in common with {old.name} {old.version}",
            "keep the ids of criteria that ask the same",
        )
    if (old.scale.low, old.scale.high) != (new.scale.low, new.scale.high):
        raise RubricError(
            new.path or new.name,
            f"has a scale from {new.scale.low:g} to {new.scale.high:g}, the pass one from "
            f"{old.scale.low:g} to {old.scale.high:g}",
            "judge the run anew",
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
    row, scene = found.sides.row, found.sides.scene
    store.put_rubric(scene.rubric)
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
            for one in requests(store, row, scene, again=again)
            if one.purpose is Purpose.DRIFT and one.item in wanted
        ),
    )
    return Standing(row=row, judge=found.judge, change=change, content=found.content)
