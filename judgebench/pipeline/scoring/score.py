"""The main job in its order: take in, plan, send or replay, analyse, write.

Whatever was answered is stored before the next step begins, so that every step
may be the last one of this start.
"""

import shlex
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from judgebench.errors import JudgebenchError, Unfinished
from judgebench.judges import config
from judgebench.judges.config import ReplayChoice
from judgebench.model.checked import Estimated
from judgebench.model.nouns import Judge, Mode
from judgebench.model.result import Result
from judgebench.pipeline.figures.kept import Recall, recalled
from judgebench.pipeline.figures.stored_pass import stored_pass
from judgebench.pipeline.planning.prepare import Preparer
from judgebench.pipeline.planning.standing import Standing, stand
from judgebench.pipeline.scoring.estimate import estimate
from judgebench.pipeline.sending.failures import Failed, check_failures
from judgebench.pipeline.sending.one_pass import Sending, price_of, send
from judgebench.pipeline.sending.replaying import OpenRecording, open_recording
from judgebench.pipeline.sending.sent import Progress, SendReport
from judgebench.pipeline.sending.unread import read_unread
from judgebench.pipeline.setting.choices import Choices, Reading
from judgebench.pipeline.setting.conflicts import check_asked
from judgebench.pipeline.setting.places import no_workspace
from judgebench.pipeline.setting.reading import reading_of
from judgebench.pipeline.setting.scene import Scene, World, find_judge, open_scene
from judgebench.pipeline.setting.stored_run import LOCK_WAIT_S
from judgebench.pipeline.setting.ways import way_to
from judgebench.records import dataclass
from judgebench.store.store import Store
from judgebench.text import plural


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What one start came to."""

    scene: Scene
    standing: Standing
    result: Result | None
    """None after a dry run, or where nothing was answered and an error ended it."""
    sent: SendReport | None
    """None where nothing was left to send."""
    estimated: Estimated | None
    """What the open requests will take; only for a dry run."""
    reports: Path
    recalled: bool = False
    """The result is the one that the report folder keeps: nothing has changed."""
    error: JudgebenchError | None = None
    """To be raised once the table is printed."""


def score(
    choices: Choices,
    world: World,
    progress: Callable[[Progress], None],
    recall: Recall | None = None,
    *,
    scene: Scene | None = None,
) -> Outcome:
    """Judge a run as far as it is not judged yet, and analyse it.

    Args:
        choices: What the user chose.
        world: Clock, environment, ears.
        progress: Told how far it is.
        recall: Reads the result that the report folder keeps, to be shown again where
            nothing has changed.
        scene: Run and rubric, where they are opened already.

    Raises:
        JudgebenchError: Nothing could be done; the message says what to mend.
    """
    scene = scene or open_scene(choices.where, choices.rubric, world)
    judge, recording = who_judges(choices, scene, world)
    new = scene.workspace.made and not scene.workspace.database.exists()
    for note in scene.run.notes:
        world.say(note)
    check_way(judge, recording, choices, world)
    # Before the store: what is refused leaves no empty database behind.
    check_asked(scene, choices, recording.recorded if recording else None)
    with open_store(scene, kept=not choices.dry_run) as store:
        standing = stand(
            store,
            scene,
            judge,
            choices=choices,
            world=world,
            recorded=recording.recorded if recording else None,
        )
        if new and not choices.dry_run:
            # Said here: what fails before leaves nothing behind that was announced.
            world.say(no_workspace(scene.workspace.root))
        world.say(describe(standing))
        if choices.dry_run:
            return _outcome(
                scene, standing, estimated=estimate(store, scene, standing, choices)
            )  # fmt: skip
        sent = answer(store, scene, standing, recording, choices=choices, world=world,
                      progress=progress)  # fmt: skip
        return close_pass(
            store, scene, standing, sent=sent, choices=choices, world=world, recall=recall
        )


def who_judges(
    choices: Choices, scene: Scene, world: World
) -> tuple[Judge, OpenRecording | None]:  # fmt: skip
    """The judge, and the recording that stands in for it where one was named.

    Raises:
        JudgebenchError: There is none, or its recording cannot be used.
    """
    found = find_judge(choices, scene, world)
    recording = open_recording(found, scene) if isinstance(found, ReplayChoice) else None
    judge = recording.judge if recording else found
    if not isinstance(judge, Judge):
        raise TypeError("a recording names its judge")
    return judge, recording


def check_way(
    judge: Judge, recording: OpenRecording | None, choices: Choices, world: World
) -> None:  # fmt: skip
    """Refuse, before anything is opened, what could not be sent or paid for.

    Raises:
        JudgebenchError: A key is missing, or a budget cannot be kept without a price.
    """
    if recording:
        return
    if not choices.dry_run:
        config.api_key(judge, world.env)
    if choices.budget_usd is not None:
        price_of(judge, choices)


def answer(
    store: Store,
    scene: Scene,
    standing: Standing,
    recording: OpenRecording | None,
    *,
    choices: Choices,
    world: World,
    progress: Callable[[Progress], None],
) -> SendReport | None:
    """Send or replay what a pass lacks; None where nothing is left to ask."""
    if standing.done:
        return None
    # A plan is read little by little: it need not lie in memory while answers come in.
    store.pack()
    judge = standing.judge
    preparer = Preparer(scene.run, scene.rubric, standing.row.judging)
    price = None if recording else price_of(judge, choices)
    sending = Sending(store, preparer, standing, price=price)
    late = read_unread(store, sending, standing)
    if late:
        world.say(f"{plural(late, 'reply', 'replies')} of an earlier start were read")
    key = "" if recording else config.api_key(judge, world.env)
    return send(
        store,
        preparer,
        standing,
        transport=(
            recording.transport if recording else lambda: way_to(judge, key, choices.concurrency)
        ),
        choices=choices,
        price=price,
        announce=world.say,
        progress=progress,
        detail=world.detail,
    )


@contextmanager
def open_store(scene: Scene, *, kept: bool = True) -> Iterator[Store]:
    """Open the workspace's database for writing, waiting a little for another process.

    Args:
        scene: Names the workspace.
        kept: False works on a copy that is thrown away: nothing that stays is written.
    """
    database = scene.workspace.database
    if not kept:
        with Store.copied(database, wait_s=LOCK_WAIT_S) as store:
            yield store
        return
    with Store.for_work(database, wait_s=LOCK_WAIT_S) as store:
        yield store


def describe(standing: Standing) -> str:
    """Say in one line what is left to do and why."""
    row, change = standing.row, standing.change
    name = (
        f"pass {row.judging.id} (judge {row.judging.judge_name}, rubric {row.judging.rubric_name})"
    )
    if change is None:
        return f"{name}: nothing to do"
    words = [f"{change.open} of {plural(change.answered + change.open, 'request')} open"]
    if change.superseded:
        words.append(
            f"{change.superseded} superseded by changed texts or arms"
            f" ({plural(change.superseded_answered, 'judgment')} kept, left out)"
        )
    return f"{name}: {', '.join(words)}"


def close_pass(
    store: Store,
    scene: Scene,
    standing: Standing,
    *,
    sent: SendReport | None,
    choices: Choices,
    world: World,
    recall: Recall | None = None,
) -> Outcome:
    """Note how far the pass is, and analyse it."""
    pass_id = standing.row.judging.id
    if sent is not None:
        store.pack()
    planned, answered = store.progress(pass_id)
    if planned == answered and standing.change is not None:
        store.finish_pass(
            pass_id,
            finished_at=world.now().isoformat(timespec="seconds"),
            content_sha256=standing.content,
        )
    error: JudgebenchError | None = sent.error if sent else None
    if error and not answered:
        raise error
    result, known = _analyse_or_recall(
        store,
        scene.run_key,
        pass_id=pass_id,
        reading=reading_of(standing.row),
        recall=recall if sent is None else None,
        reports=scene.workspace.reports,
    )
    if error is None and sent is not None and sent.skipped and not sent.interrupted:
        error = _unfinished(standing, choices, left=sent.skipped, planned=planned)
    if error is None:
        failed = _failed(store, standing, result)
        error = check_failures(failed, allowed=choices.max_judge_failures)
    return replace(_outcome(scene, standing), result=result, recalled=known, sent=sent, error=error)


def _failed(store: Store, standing: Standing, result: Result) -> Failed:
    """What of a pass is blocked on the judge's side, controls and repeats included."""
    aside = store.rows("failed_beside", pass_id=standing.row.judging.id)
    besides = Counter[str]()
    for _, reason, count in aside:
        besides[reason] += count
    reasons = Counter(besides)
    for arm in result.arms:
        for one in arm.judge_blocked:
            reasons[one.reason] += one.count
    asked = result.counts.judgments_scored + result.counts.judgments_blocked
    paired = standing.row.judging.mode is Mode.PAIRWISE
    if paired:
        # A comparison is one reply, and a judgment of each of its two answers.
        own = Counter({one: (count - besides[one]) // 2 for one, count in reasons.items()})
        reasons, asked = own + besides, asked // 2
    return Failed(
        noun="comparison" if paired else "judgment",
        reasons=reasons,
        asked=asked,
        beside=besides.total(),
        replayed=standing.row.recording is not None,
        judge=standing.row.judging.judge_name,
    )


def _unfinished(standing: Standing, choices: Choices, *, left: int, planned: int) -> Unfinished:
    """What has no answer, and which command takes care of it."""
    row, run = standing.row, shlex.quote(str(choices.where.run))
    named = f" --rubric {shlex.quote(choices.rubric)}" if isinstance(choices.rubric, str) else ""
    if standing.items is not None:
        return Unfinished(
            f"unfinished: {left} of {plural(planned, 'request')} have no answer; judge rubric tune "
            f"{run}{named} --export open.jsonl"
        )
    if row.recording:
        # The run's own is found again by itself; another one as it was typed.
        lack, judge = f"have no reply in {row.recording}", choices.judge
    else:
        lack, judge = "have no answer", row.judging.judge_name
    named += f" --judge {shlex.quote(judge)}" if judge else ""
    return Unfinished(
        f"unfinished: {left} of {plural(planned, 'request')} {lack}; judge batch export {run}"
        f"{named} --out open.jsonl"
    )


def _outcome(scene: Scene, standing: Standing, *, estimated: Estimated | None = None) -> Outcome:
    return Outcome(
        scene=scene,
        standing=standing,
        result=None,
        sent=None,
        estimated=estimated,
        reports=scene.workspace.reports / scene.run_key / standing.row.judging.id,
    )


def _analyse_or_recall(
    store: Store,
    run_key: str,
    *,
    pass_id: str,
    reading: Reading,
    recall: Recall | None,
    reports: Path,
) -> tuple[Result, bool]:
    """As `analyse`, but a result that was made from the very same is not made again.

    Returns:
        The result, and whether it was recalled.
    """
    stored = stored_pass(store, run_key, pass_id=pass_id, reading=reading)
    kept = recalled(recall, reports / run_key / stored.shown.judging.id, stored.source)
    if kept is not None:
        return kept, True
    return stored.result(store, varied=True), False
