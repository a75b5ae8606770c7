"""The same plan through files: written for whoever answers them, and read back.

An export is a batch file and beside it a header (`NAME.json`) that fixes judge,
seed, order and words. An import finds its pass by the request keys. A recording is
what was answered, written in the same form, for `--judge replay:FILE`.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

from judgebench.errors import ImportFileError, JudgebenchError
from judgebench.judges import wire
from judgebench.judges.config import ReplayChoice
from judgebench.judges.converse import turn_key
from judgebench.judges.transports import batch, replay
from judgebench.judges.transports.batch import BatchReplies
from judgebench.judges.transports.replay import RecordingHeader
from judgebench.model.controls import Planted
from judgebench.model.nouns import Judge, RawReply, Rendered
from judgebench.pipeline.people.splitting import tune_items
from judgebench.pipeline.planning.prepare import Prepared, Preparer
from judgebench.pipeline.planning.standing import Standing, stand
from judgebench.pipeline.planning.wanted import planned_controls
from judgebench.pipeline.scoring.score import Outcome, close_pass, open_store
from judgebench.pipeline.sending.one_pass import Sending, send
from judgebench.pipeline.sending.replaying import open_recording
from judgebench.pipeline.sending.sent import Progress
from judgebench.pipeline.setting.choices import Choices
from judgebench.pipeline.setting.reading import reading_of
from judgebench.pipeline.setting.scene import Scene, World, find_judge, open_scene
from judgebench.records import dataclass
from judgebench.store.passes import PassRow
from judgebench.store.store import Store


@dataclass(frozen=True, kw_only=True)
class Export:
    """Files of open requests."""

    paths: tuple[Path, ...]
    header: Path
    requests: int
    pass_id: str


def export(choices: Choices, world: World, out: Path) -> Export:
    """Write the open requests of a pass to a batch file; sends nothing.

    Of a recording, the requests that it has no reply to are written.

    Raises:
        RecordingError: The recording that is named cannot be used.
    """
    scene = open_scene(choices.where, choices.rubric, world)
    found = find_judge(choices, scene, world)
    recording = open_recording(found, scene) if isinstance(found, ReplayChoice) else None
    judge = recording.judge if recording else found
    if not isinstance(judge, Judge):
        raise TypeError("a recording names its judge")
    held = recording.keys if recording else frozenset[str]()
    with open_store(scene) as store:
        standing = stand(
            store, scene, judge, choices=choices, world=world,
            recorded=recording.recorded if recording else None,
        )  # fmt: skip
        return write_open(store, scene, standing, out, world=world, held=held)


def write_open(
    store: Store, scene: Scene, standing: Standing, out: Path, *, world: World,
    held: frozenset[str] = frozenset(),
) -> Export:  # fmt: skip
    """Write the open requests of a planned pass, and the header beside them.

    Args:
        store: Open for writing.
        scene: Run and rubric.
        standing: The pass.
        out: The batch file.
        world: The clock.
        held: Keys of requests that are answered elsewhere and left out.

    Raises:
        JudgebenchError: The judge of this pass asks back, with tools.
    """
    row, judge = standing.row, standing.judge
    if row.judging.turns is not None:
        raise JudgebenchError(
            "a judge with tools asks back, and a batch cannot; judge score --tools auto goes on"
        )
    settled = wire.Settled.from_json(row.settled) if row.settled else wire.first(judge)
    if not row.settled:
        store.set_settled(row.judging.id, settled.as_json())
    preparer = Preparer(scene.run, scene.rubric, row.judging)
    sending = Sending(store, preparer, standing, price=None)
    done = batch.export(_plan(store, sending, held), out, judge=judge, settled=settled)
    noisy, planted = _besides(store, row)
    header = _header(
        row, judge, settled, dict(done.request_sha256), scene, world, noisy=noisy,
        planted=planted,
    )  # fmt: skip
    path = replay.header_path(out)
    path.write_text(header.model_dump_json(indent=1) + "\n", encoding="utf-8")
    return Export(
        paths=done.paths,
        header=path,
        requests=len(done.request_sha256),
        pass_id=row.judging.id,
    )


def _plan(
    store: Store, sending: Sending, held: frozenset[str]
) -> Iterator[tuple[Rendered, wire.Form]]:
    for request in sending.queue():
        if request.key in held:
            continue
        prepared = sending.prepare(request)
        if isinstance(prepared, Prepared):
            store.put_prompt(
                wire.system_sha256(prepared.rendered, prepared.form, wire.Settled(mode="tools")),
                prepared.rendered.system,
            )
            yield prepared.rendered, prepared.form


def _header(  # noqa: PLR0913 - one record, put together in one place
    row: PassRow,
    judge: Judge,
    settled: wire.Settled,
    requests: dict[str, str],
    scene: Scene,
    world: World,
    *,
    conditions: str = "",
    noisy: tuple[tuple[str, str], ...] = (),
    planted: tuple[Planted, ...] = (),
) -> RecordingHeader:
    judging = row.judging
    return RecordingHeader(
        judge=judge.name,
        model=judge.model,
        provider=judge.provider,
        judge_sha256=judge.sha256,
        conditions=conditions,
        recorded_at=world.now().date().isoformat(),
        run=scene.run_key,
        pass_id=judging.id,
        rubric=scene.rubric.name,
        rubric_version=scene.rubric.version,
        ask_sha256=judging.ask_sha256,
        prompt_version=judging.prompt_version,
        mode=judging.mode,
        repeats=judging.repeats,
        noise=bool(noisy),
        noisy=noisy or None,
        controls=len(planted),
        planted=planted,
        seed=judging.seed,
        blinding=judging.blinding,
        split_criteria=judging.split_criteria,
        tools=judging.turns is not None,
        wire_mode=settled.mode,
        wire_schema=settled.schema,
        params=settled.params,
        requests=requests,
    )


def stored_judge(store: Store, row: PassRow) -> Judge:
    """The judge of a stored pass, as far as words to it are written; it cannot be called."""
    facts = json.loads(store.rows("judge", sha256=row.judging.judge_sha256)[0][1])
    return Judge(
        name=row.judging.judge_name,
        model=row.judging.judge_model,
        provider=facts["provider"],
        base_url=facts["base_url"],
        wire_mode=facts["mode"],
        params=facts["params"],
        max_calls=1,
        sha256=row.judging.judge_sha256,
    )


def take_replies(
    choices: Choices,
    world: World,
    paths: tuple[Path, ...],
    progress: Callable[[Progress], None],
) -> Outcome:
    """Read the replies of batch files into the pass that exported them.

    Raises:
        ImportFileError: The files answer no pass of this run, or hold a key twice.
    """
    scene = open_scene(choices.where, choices.rubric, world)
    replies = batch.read_replies(paths)
    if replies.duplicates:
        raise ImportFileError(
            paths[0],
            f"holds two replies to one request ({replies.duplicates[0]})",
            "keep one of them; nothing was read",
        )
    with open_store(scene) as store:
        row = _pass_of(store, scene, replies)
        judge = stored_judge(store, row)
        standing = _standing(store, scene, row, judge, choices=choices, world=world)
        preparer = Preparer(scene.run, scene.rubric, standing.row.judging)
        asked: dict[str, str] = dict(store.rows("asked", pass_id=row.judging.id))
        way = replay.ImportedTransport(replies, request_sha256=asked)
        sent = send(
            store,
            preparer,
            standing,
            transport=lambda: nullcontext(way),
            choices=choices,
            price=None,
            announce=world.say,
            progress=progress,
        )
        known = {key for (key,) in store.rows("request_keys", pass_id=row.judging.id)}
        for key in replies.keys():  # noqa: SIM118 - it is no mapping
            if key not in known:
                world.say(f"passed over: {key} is no request of pass {row.judging.id}")
        return close_pass(store, scene, standing, sent=sent, choices=choices, world=world)


def _pass_of(store: Store, scene: Scene, replies: BatchReplies) -> PassRow:
    keys = list(replies.keys())
    found = store.rows("pass_of_keys", keys=keys, run=scene.run_key) if keys else []
    if len(found) != 1:
        raise ImportFileError(
            replies.paths[0],
            "answers no request of this run" if not found else "answers requests of two passes",
            "import the answers to a batch exported here",
        )
    rows = store.find_passes(scene.run_key)
    return next(row for row in rows if row.judging.id == found[0][0])


def _standing(
    store: Store, scene: Scene, row: PassRow, judge: Judge, *, choices: Choices, world: World
) -> Standing:
    """The pass of an export as it stands now: the run may have changed meanwhile."""
    judging = row.judging
    has_noise = bool(store.rows("has_noise", pass_id=judging.id)[0][0])
    return stand(
        store,
        scene,
        judge,
        choices=replace(
            choices,
            mode=judging.mode,
            blinding=judging.blinding,
            seed=judging.seed,
            split_criteria=judging.split_criteria,
            reading=reading_of(row),
            items=_tuned_alone(store, row),
            # The plan stays as it was exported: the noise is judged only where it was asked for.
            repeats=None if has_noise else judging.repeats,
        ),
        world=world,
    )


def _tuned_alone(store: Store, row: PassRow) -> frozenset[str] | None:
    """The items for tuning, where the pass of a version was planned on no other."""
    tune = tune_items(store, row.judging.run)
    planned = {item for (item,) in store.rows("planned_items", pass_id=row.judging.id)}
    return tune if planned and planned <= tune else None


def _besides(store: Store, row: PassRow) -> tuple[tuple[tuple[str, str], ...], tuple[Planted, ...]]:
    """The cells that the plan judges again for the noise, and its controls."""
    noisy = tuple((item, arm) for item, arm in store.rows("noise_planned", pass_id=row.judging.id))
    planted = tuple(
        Planted(
            kind=one.kind,
            item=one.item,
            source_arm=one.source_arm,
            donor_item=one.donor_item,
            donor_arm=one.donor_arm,
        )
        for one in planned_controls(store, row.judging.id)
    )
    return noisy, planted


def record(
    store: Store, scene: Scene, row: PassRow, out: Path, *, conditions: str, world: World
) -> int:
    """Write the last answered reply of every request as a recording.

    Returns:
        How many replies it holds.
    """
    judge = stored_judge(store, row)
    settled = wire.Settled.from_json(row.settled) if row.settled else wire.first(judge)
    requests: dict[str, str] = {}
    replies: list[RawReply] = []
    for found, number, sha256, status, body in store.stream("recordable", pass_id=row.judging.id):
        key = turn_key(found, number)
        requests[key] = sha256
        replies.append(RawReply(key=key, attempt=1, status=status, body=body, outcome="received"))
    noisy, planted = _besides(store, row)
    header = _header(
        row, judge, settled, requests, scene, world, conditions=conditions, noisy=noisy,
        planted=planted,
    )  # fmt: skip
    return replay.write(out, header, replies)
