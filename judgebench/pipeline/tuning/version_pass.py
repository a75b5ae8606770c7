"""A changed rubric judged as the pass that it is held against was: sent, or written to a file.

A recording holds no reply to other questions. Where the judge of that pass cannot be
called, the requests go out and come back as a batch, or are refused in one line.
"""

import shlex
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from judgebench.errors import JudgebenchError, JudgeConfigError, RunError
from judgebench.model.checked import Estimated
from judgebench.model.nouns import Judge
from judgebench.model.rubric import Rubric
from judgebench.pipeline.figures.gather import blocked_judgments
from judgebench.pipeline.planning.standing import Standing, stand
from judgebench.pipeline.scoring.batching import Export, stored_judge, write_open
from judgebench.pipeline.scoring.estimate import estimate
from judgebench.pipeline.scoring.score import answer, check_way, describe, open_store, who_judges
from judgebench.pipeline.sending.failures import Failed, check_failures
from judgebench.pipeline.sending.replaying import OpenRecording
from judgebench.pipeline.sending.sent import Progress, SendReport
from judgebench.pipeline.setting.choices import Choices
from judgebench.pipeline.setting.places import no_answers
from judgebench.pipeline.setting.reading import reading_of
from judgebench.pipeline.setting.scene import Scene, World, open_scene
from judgebench.pipeline.tuning.turn import Base
from judgebench.records import dataclass
from judgebench.store.passes import PassRow
from judgebench.store.store import Store
from judgebench.text import one_line


@dataclass(frozen=True, kw_only=True, slots=True)
class VersionChoices:
    """How a version is judged."""

    judging: Choices
    report: bool = False
    """The report split too."""
    export: Path | None = None
    """A batch file that the requests are written to, instead of being sent."""


@dataclass(frozen=True, kw_only=True, slots=True)
class VersionJudged:
    """What one start came to."""

    standing: Standing | None
    """None after a dry run, and after an export."""
    estimated: Estimated | None = None
    exported: Export | None = None
    sent: SendReport | None = None
    error: JudgebenchError | None = None
    """To be raised once the rest is printed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Way:
    """Who answers, and what stands against asking."""

    judge: Judge
    recording: OpenRecording | None = None
    closed: JudgebenchError | None = None
    """Why nothing can be sent."""


def judge_version(
    choices: VersionChoices, base: Base, version: Rubric, world: World,
    progress: Callable[[Progress], None],
) -> VersionJudged:  # fmt: skip
    """Judge the items for tuning, or with them the report split, as the base pass was judged.

    Raises:
        RunError: There are no answers to judge again, or another judge was named.
        JudgebenchError: Something is open and nobody can be asked.
    """
    judging = base.row.judging
    if base.row.facts().marks_only:
        raise no_answers(choices.judging.where.run)
    asked = replace(
        choices.judging,
        judge=choices.judging.judge or (judging.judge_name if judging.route == "live" else None),
        mode=judging.mode, blinding=judging.blinding, split_criteria=judging.split_criteria,
        tools=judging.turns is not None,
        reading=reading_of(base.row), repeats=judging.repeats if judging.repeats > 1 else None,
        items=None if choices.report else base.tune,
    )  # fmt: skip
    scene = open_scene(asked.where, version, world)
    way = _way(choices, asked, scene, base.row, world)
    _must_be(way.judge, base.row)
    if way.closed is not None and not asked.dry_run and _is_open(scene, way, asked, world):
        raise way.closed
    with open_store(scene, kept=not asked.dry_run) as store:
        standing = _stand(store, scene, way, asked, world)
        world.say(describe(standing))
        if asked.dry_run:
            found = estimate(store, scene, standing, asked)
            return VersionJudged(standing=None, estimated=found)
        if choices.export is not None:
            made = write_open(store, scene, standing, choices.export, world=world)
            return VersionJudged(standing=None, exported=made)
        return _answered(store, scene, standing, way.recording, asked, world, progress)


def _way(
    choices: VersionChoices, asked: Choices, scene: Scene, base: PassRow, world: World
) -> _Way:  # fmt: skip
    if asked.judge is None or (choices.export is not None and choices.judging.judge is None):
        with open_store(scene, kept=False) as store:
            judge = stored_judge(store, base)
        closed = None if choices.export else _recorded(choices, base)
        return _Way(judge=judge, closed=closed)
    judge, recording = who_judges(asked, scene, world)
    if choices.export is not None:
        return _Way(judge=judge, recording=recording)
    try:
        check_way(judge, recording, asked, world)
    except JudgeConfigError as exc:
        return _Way(judge=judge, recording=recording, closed=exc)
    return _Way(judge=judge, recording=recording)


def _recorded(choices: VersionChoices, base: PassRow) -> RunError:
    """Why a pass that was replayed cannot answer, and both ways that are left."""
    run, name = shlex.quote(str(choices.judging.where.run)), base.judging.judge_name
    return RunError(
        f"pass {base.judging.id}",
        f"replays {one_line(name, 40)} and knows no other questions",
        f"judge batch import {run} after --export open.jsonl, or --judge",
    )


def _is_open(scene: Scene, way: _Way, asked: Choices, world: World) -> bool:
    """Whether something is left to ask; looked up in a copy, so that no plan is left behind."""
    quiet = replace(world, say=lambda _: None)
    with open_store(scene, kept=False) as store:
        return not _stand(store, scene, way, asked, quiet).done


def _stand(store: Store, scene: Scene, way: _Way, asked: Choices, world: World) -> Standing:
    return stand(
        store, scene, way.judge, choices=asked, world=world,
        recorded=way.recording.recorded if way.recording else None,
    )  # fmt: skip


def _must_be(judge: Judge, base: PassRow) -> None:
    if judge.sha256 == base.judging.judge_sha256:
        return
    name, other = one_line(base.judging.judge_name, 40), one_line(judge.name, 40)
    how = "one of another model, endpoint, mode or parameters" if name == other else other
    raise RunError(
        f"pass {base.judging.id}",
        f"is by {name}, and here {how} would judge",
        "name that judge with --judge, or another --pass",
    )


def _answered(
    store: Store, scene: Scene, standing: Standing, recording: OpenRecording | None,
    asked: Choices, world: World, progress: Callable[[Progress], None],
) -> VersionJudged:  # fmt: skip
    sent = answer(store, scene, standing, recording, choices=asked, world=world, progress=progress)
    pass_id = standing.row.judging.id
    planned, answered = store.progress(pass_id)
    if planned == answered and standing.change is not None:
        store.finish_pass(
            pass_id, finished_at=world.now().isoformat(timespec="seconds"),
            content_sha256=standing.content,
        )  # fmt: skip
    error: JudgebenchError | None = sent.error if sent else None
    if error and not answered:
        raise error
    row = standing.row
    if error is None:
        reasons = Counter[str]()
        for _, one in blocked_judgments(store, row.judging, scene.rubric, reading_of(row)):
            reasons[one.reason] += one.count
        failed = Failed(
            noun="judgment", reasons=reasons, judge=row.judging.judge_name,
            replayed=recording is not None,
        )  # fmt: skip
        error = check_failures(failed, allowed=asked.max_judge_failures)
    return VersionJudged(standing=standing, sent=sent, error=error)
