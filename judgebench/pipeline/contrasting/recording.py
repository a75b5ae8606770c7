"""Recorded answers in what outputs differ in kind: written from the store, and replayed."""

import json
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from judgebench.judges import contrast, wire
from judgebench.judges.transports import replay
from judgebench.judges.transports.replay import RecordingHeader
from judgebench.model.contrasts import Contrasts
from judgebench.model.nouns import Blinding, Judge, Mode, RawReply
from judgebench.pipeline.scoring.score import open_store
from judgebench.pipeline.setting.scene import Scene, World
from judgebench.records import dataclass
from judgebench.store.contrasts import ContrastPass
from judgebench.text import digest

NO_RUBRIC = digest("contrasts")
"""Stands where a recording of marks names its rubric: none is shown here."""


@dataclass(frozen=True, kw_only=True)
class ContrastRecording:
    """Recorded answers, ready to be replayed."""

    judge: Judge
    transport: Callable[[], Any]
    """Makes the way to the recorded replies; an async context."""
    path: str
    recorded_at: str
    seed: int
    blinding: Blinding
    settled: str
    keys: frozenset[str]


def open_contrast_recording(path: Path) -> ContrastRecording:
    """Open a recording and hold it against the templates.

    Raises:
        RecordingError: It is damaged, stale, or holds marks.
    """
    found = replay.load(path)
    version = contrast.prompt_version()
    found.check(prompt_version=version, ask_sha256=NO_RUBRIC, asked="contrasts")
    return ContrastRecording(
        judge=found.judge(),
        transport=lambda: nullcontext(replay.ReplayTransport(found, prompt_version=version)),
        path=str(path),
        recorded_at=found.header.recorded_at,
        seed=found.header.seed,
        blinding=found.header.blinding,
        settled=found.header.settled.as_json(),
        keys=frozenset(found.replies.keys()),
    )


def record_contrasts(
    scene: Scene, made: Contrasts, out: Path, *, conditions: str, world: World
) -> int:
    """Write the last reply to every answered request as a recording.

    Returns:
        How many replies it holds.
    """
    with open_store(scene) as store:
        (row,) = (
            one for one in store.find_contrast_passes(scene.run_key) if one.pass_id == made.pass_id
        )
        facts = json.loads(store.rows("judge", sha256=row.judge_sha256)[0][1])
        found = store.rows("contrast_recordable", pass_id=row.pass_id)
    settled = wire.Settled.from_json(row.settled or "{}")
    header = contrast_header(
        row, facts["provider"], settled, {key: sha256 for key, sha256, _, _ in found}, world,
        conditions=conditions,
    )  # fmt: skip
    replies = (
        RawReply(key=key, attempt=1, status=status, body=body, outcome="received")
        for key, _, status, body in found
    )
    return replay.write(out, header, replies)


def contrast_header(
    row: ContrastPass,
    provider: str,
    settled: wire.Settled,
    requests: dict[str, str],
    world: World,
    *,
    conditions: str = "",
) -> RecordingHeader:
    """What stands beside requests that are written, and beside the replies to them."""
    return RecordingHeader(
        asked="contrasts",
        judge=row.judge_name,
        model=row.judge_model,
        provider=provider,
        judge_sha256=row.judge_sha256,
        conditions=conditions,
        recorded_at=world.now().date().isoformat(),
        run=row.run,
        pass_id=row.pass_id,
        ask_sha256=NO_RUBRIC,
        prompt_version=row.prompt_version,
        mode=Mode.LISTWISE,
        repeats=1,
        seed=row.seed,
        blinding=Blinding(row.blinding),
        wire_mode=settled.mode,
        wire_schema=settled.schema,
        params=settled.params,
        requests=requests,
    )
