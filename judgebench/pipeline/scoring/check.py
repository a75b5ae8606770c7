"""What would be blocked and why, and what judging would take; nothing is sent or kept."""

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from judgebench.judges.config import NoJudgeError, ReplayChoice
from judgebench.model.checked import ArmCheck, Check
from judgebench.model.nouns import Judge, Refusal
from judgebench.pipeline.figures import run_flags
from judgebench.pipeline.figures.gather import read_arm_facts
from judgebench.pipeline.planning.plan import requests_an_item
from judgebench.pipeline.planning.standing import Standing, stand
from judgebench.pipeline.scoring.estimate import estimate
from judgebench.pipeline.scoring.probing import refuse
from judgebench.pipeline.sending.replaying import OpenRecording, open_recording
from judgebench.pipeline.setting.choices import Choices
from judgebench.pipeline.setting.conflicts import ITEM_FACTS, stored_passes
from judgebench.pipeline.setting.facts import facts_of
from judgebench.pipeline.setting.reading import reading_of
from judgebench.pipeline.setting.rubric_said import rubric_notes
from judgebench.pipeline.setting.scene import Scene, World, find_judge, open_scene
from judgebench.pipeline.setting.units import cluster_codes, counted
from judgebench.rubrics.lint import lint
from judgebench.rubrics.total import applying
from judgebench.stats.intervals import clopper_pearson
from judgebench.store.passes import PassRow
from judgebench.store.store import Store

NOBODY = Judge(name="not named", model="unknown", provider="", sha256="0" * 64)


def check(choices: Choices, world: World, *, scene: Scene | None = None) -> Check:
    """Check a run; writes nothing that stays.

    Args:
        choices: What the user chose.
        world: Clock, environment, ears.
        scene: Run and rubric, where they are opened already.

    Raises:
        RunError: run.yaml or an item cannot be used.
        RubricError: The rubric cannot be scored with.
    """
    scene = scene or open_scene(choices.where, choices.rubric, world)
    judge, recorded = _judge(choices, scene, world)
    if choices.probe_blindness:
        refuse(scene, replayed=recorded is not None)
    quiet = replace(world, say=lambda _words: None)
    with (
        tempfile.TemporaryDirectory(prefix="judge-check-") as folder,
        Store.open(Path(folder) / "check.duckdb") as store,
    ):
        standing = stand(
            store, scene, judge, choices=choices, world=quiet,
            recorded=recorded.recorded if recorded else None,
        )  # fmt: skip
        found = estimate(store, scene, standing, choices)
        run = scene.run_key
        unknown = run_flags.unknowns(store, run=run)
        facts = facts_of(scene.run)
        passes = stored_passes(scene)
        return Check(
            run=run,
            form=scene.run.form,
            declared=scene.run.declared,
            kinds_said=not scene.run.kinds_unsaid,
            has_prompt=scene.run.has_prompt,
            items=len(scene.run.items),
            settings=scene.run.settings,
            missing=run_flags.missing_settings(facts, unknown),
            arms=_arms(store, scene, standing),
            unknowns=unknown,
            flags=run_flags.flag_counts(store, run=run),
            keys_not_read=run_flags.passed_over(store, run=run),
            cli_arms=sum(arm.kind == "cli" for arm in scene.run.arms),
            ambiguities=tuple(a.what for a in scene.run.ambiguities),
            notes=scene.run.notes,
            rubric=f"{scene.rubric.name} {scene.rubric.version}",
            hints=lint(scene.rubric),
            judge=judge.name,
            rubric_notes=rubric_notes(store, scene, choices, passes),
            planned=found.requests,
            answered=_answered(passes, standing),
            judged=_judged(passes, standing, found.requests),
            estimated=replace(found, cost_usd=0.0) if recorded else found,
            replay=recorded is not None,
            not_asked=not_asked(store, scene),
            mode=standing.row.judging.mode.value,
            projects=tuple(store.projects(run)),
            clusters=counted(cluster_codes(scene.run.clusters, scene.run.items)),
            an_item=requests_an_item(standing.row.judging.mode, len(scene.run.arms)),
        )


def _judge(choices: Choices, scene: Scene, world: World) -> tuple[Judge, OpenRecording | None]:
    """Who would judge; nobody where none is named, which a check may do without."""
    try:
        found = find_judge(choices, scene, world)
    except NoJudgeError:
        return NOBODY, None
    if isinstance(found, ReplayChoice):
        recording = open_recording(found, scene)
        return recording.judge, recording
    return found, None


def _arms(store: Store, scene: Scene, standing: Standing) -> tuple[ArmCheck, ...]:
    facts = read_arm_facts(store, standing.row.judging, reading_of(standing.row), scene.rubric)
    out: list[ArmCheck] = []
    for arm in scene.run.arms:
        found = facts[arm.id]
        planned = len(scene.run.items)
        judgeable = planned - sum(count.count for count in found.blocked)
        rate = clopper_pearson(judgeable, planned)
        out.append(
            ArmCheck(
                arm=arm.id,
                planned=planned,
                judgeable=judgeable,
                rate_low=None if isinstance(rate, Refusal) else rate.low,
                blocked=found.blocked,
                suspects=found.suspects,
                masked=found.masked,
            )
        )
    return tuple(out)


def not_asked(store: Store, scene: Scene) -> tuple[str, ...]:
    """Items that no criterion of the rubric applies to."""
    facts = store.columns("item_facts", run=scene.run_key)
    rows = zip(*(facts[name].tolist() for name in ITEM_FACTS), strict=True)
    return tuple(
        item
        for item, (evidence, reference, ambiguity) in zip(scene.run.items, rows, strict=True)
        if not applying(scene.rubric, evidence=evidence, reference=reference, ambiguity=ambiguity)
    )


def _judged(passes: Sequence[PassRow], standing: Standing, planned: int) -> str | None:
    """The stored pass that has answered all of this, of outputs as they are now."""
    own = standing.row.judging.id
    return next(
        (
            own
            for row in passes
            if row.judging.id == own
            and row.answered >= planned
            and row.content_sha256 == standing.content
        ),
        None,
    )


def _answered(passes: Sequence[PassRow], standing: Standing) -> int:
    """Requests that are answered already for this very pass."""
    return next((row.answered for row in passes if row.judging.id == standing.row.judging.id), 0)
