"""A recording as the judge of a pass: checked against what would be asked now."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from judgebench.judges.config import ReplayChoice
from judgebench.judges.finding_prompts import version_for
from judgebench.judges.transports import replay
from judgebench.model.nouns import Judge
from judgebench.pipeline.setting.recorded import Recorded
from judgebench.pipeline.setting.scene import Scene
from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True)
class OpenRecording:
    """Recorded replies, ready to be replayed."""

    judge: Judge
    recorded: Recorded
    transport: Callable[[], Any]
    """Makes the way to the recorded replies; an async context."""
    conditions: str
    keys: frozenset[str]
    """Keys of the requests that it has a reply to."""


def open_recording(named: ReplayChoice, scene: Scene) -> OpenRecording:
    """Open a recording and hold it against rubric and templates.

    Raises:
        RecordingError: It is damaged, stale, or of another rubric.
    """
    path = named.path
    found = replay.load(path)
    header = found.header
    version = version_for(scene.rubric, header.mode, tools=header.tools)
    found.check(prompt_version=version, ask_sha256=scene.rubric.ask_sha256)
    return OpenRecording(
        judge=found.judge(),
        recorded=Recorded(
            seed=header.seed,
            mode=header.mode,
            repeats=header.repeats,
            noise=header.noise,
            noisy=header.noisy,
            controls=header.controls,
            planted=header.planted,
            blinding=header.blinding,
            split_criteria=header.split_criteria,
            tools=header.tools,
            recorded_at=header.recorded_at,
            path=str(path),
            shown=_shown(named, scene),
            pass_id=header.pass_id,
            settled=header.settled.as_json(),
        ),
        transport=lambda: nullcontext(replay.ReplayTransport(found, prompt_version=version)),
        conditions=header.conditions,
        keys=frozenset(found.replies.keys()),
    )


def _shown(named: ReplayChoice, scene: Scene) -> str:
    """A recording as reports name it: where it lies in the workspace, else as it was given."""
    path, root = named.path.absolute(), scene.workspace.root.absolute()
    for inside, of in ((path, root), (path.resolve(), root.resolve())):
        if ".." not in inside.parts and inside.is_relative_to(of):
            return inside.relative_to(of).as_posix()
    return str(named.given or named.path)
