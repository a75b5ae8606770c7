"""`judge compare`: the judge is asked, blind and per item, in what the outputs differ in kind.

A question of its own beside the passes on a run: nothing of it is a mark or counts towards
a rating. Sent as a pass is (intention and raw reply on disk first, resumed by the same
command), its requests and answers in tables of their own.
"""

import shlex
from collections import Counter
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from judgebench.errors import (
    JudgebenchError,
    RunError,
    Unfinished,
)
from judgebench.judges import config, prices, wire
from judgebench.judges.config import ReplayChoice
from judgebench.judges.transports import batch, replay
from judgebench.model.collected import Usage
from judgebench.model.contrasts import Contrasts
from judgebench.model.nouns import Judge
from judgebench.pipeline.contrasting.asking import Asking, PreparedContrast
from judgebench.pipeline.contrasting.recording import (
    ContrastRecording,
    contrast_header,
    open_contrast_recording,
)
from judgebench.pipeline.figures.contrasts import contrasts_of
from judgebench.pipeline.scoring.score import open_store
from judgebench.pipeline.sending.failures import Failed, check_failures
from judgebench.pipeline.sending.one_pass import price_of
from judgebench.pipeline.sending.sent import Progress, SendReport
from judgebench.pipeline.setting.choices import Choices
from judgebench.pipeline.setting.scene import Scene, World, find_judge, open_scene
from judgebench.pipeline.setting.ways import way_to
from judgebench.records import dataclass
from judgebench.store.store import Store
from judgebench.text import plural

BESIDE = "contrasts.jsonl"
"""Beside the recording of marks that run.yaml names: recorded differences in kind."""
SAMPLE = 50
REPLY_TOKENS_A_LABEL = 220


@dataclass(frozen=True, kw_only=True)
class Compared:
    """What one start came to."""

    scene: Scene
    contrasts: Contrasts | None
    """None after a dry run."""
    sent: SendReport | None
    planned: int
    open: int
    """Requests without an answer when it began."""
    prompt_tokens: int = 0
    """Estimated, after a dry run."""
    completion_tokens: int = 0
    cost_usd: float | None = None
    written: tuple[Path, ...] = ()
    """Files of open requests, where they were to be written."""
    error: JudgebenchError | None = None
    """To be raised once what is known is printed."""


def compare(
    choices: Choices,
    world: World,
    progress: Callable[[Progress], None],
    *,
    items: int | None,
    export: Path | None = None,
) -> Compared:
    """Ask what was not asked yet, and read what is known.

    Args:
        choices: Run, judge, budgets.
        world: Clock, environment, ears.
        progress: Told how far it is.
        items: At most so many items, drawn by the seed; None for `MOST_ITEMS`.
        export: Write the open requests here, in the batch format, and send nothing.

    Raises:
        JudgebenchError: Nothing could be done; the message says what to mend.
    """
    scene = open_scene(choices.where, choices.rubric, world)
    if len(scene.run.arms) < 2:  # noqa: PLR2004 - two can differ
        raise RunError(
            scene.run.path, "has one arm, and outputs of two or more are compared", "add an arm"
        )
    judge, recording = _judge(choices, scene, world)
    key = "" if recording or choices.dry_run or export else config.api_key(judge, world.env)
    price = None if recording else price_of(judge, choices)
    with open_store(scene, kept=not choices.dry_run) as store:
        asking = Asking.begin(
            store, scene, judge, choices=choices, world=world, recording=recording, price=price,
            items=items,
        )  # fmt: skip
        open_ = len(list(asking.open()))
        name = f"comparison {asking.row.pass_id} (judge {judge.name})"
        world.say(f"{name}: {open_} of {plural(asking.planned, 'request')} open")
        if choices.dry_run:
            return _estimated(asking, open_)
        if export is not None:
            return _exported(asking, export)
        asking.read_late()
        sent = None
        if next(asking.open(), None) is not None:
            way = recording.transport if recording else None
            sent = asking.send(way or (lambda: way_to(judge, key, choices.concurrency)), progress)
        found = contrasts_of(store, asking.row)
        failed = _failed(asking, store, replayed=recording is not None)
    error = _error(asking, failed, sent)
    if error is not None and not found.answered:
        raise error
    return Compared(
        scene=scene, contrasts=found, sent=sent, planned=found.planned, open=open_, error=error
    )


def _judge(choices: Choices, scene: Scene, world: World) -> tuple[Judge, ContrastRecording | None]:
    """Who is asked, or whose answers are replayed."""
    found = find_judge(choices, scene, world)
    if isinstance(found, ReplayChoice):
        path = found.path
        if choices.judge is None:
            # The run's own recording is of marks; of differences one may stand beside it.
            path = path.with_name(BESIDE)
        if choices.judge is None and not path.is_file():
            raise JudgebenchError(
                "the run's recording holds no differences in kind; name --judge PROVIDER/MODEL"
            )
        recording = open_contrast_recording(path)
        return recording.judge, recording
    return found, None


def _estimated(asking: Asking, open_: int) -> Compared:
    """What the open requests will take; sends nothing."""
    prompt = completion = seen = 0
    for request in islice(asking.open(), SAMPLE):
        prepared = asking.prepare(request)
        if isinstance(prepared, PreparedContrast):
            seen += 1
            rendered = prepared.rendered
            prompt += prices.estimate_tokens(rendered.system + rendered.user)
            completion += REPLY_TOKENS_A_LABEL * len(prepared.form.labels)
    scale = open_ / seen if seen else 0.0
    usage = Usage(prompt_tokens=round(prompt * scale), completion_tokens=round(completion * scale))
    return Compared(
        scene=asking.scene,
        contrasts=None,
        sent=None,
        planned=asking.planned,
        open=open_,
        prompt_tokens=usage.prompt_tokens or 0,
        completion_tokens=usage.completion_tokens or 0,
        cost_usd=prices.cost_usd(asking.price, usage) if open_ else 0.0,
    )


def _exported(asking: Asking, out: Path) -> Compared:
    """Write the open requests to a batch file, with a header beside it; sends nothing."""
    settled = asking.settled() or wire.first(asking.judge)
    made = (asking.prepare(request) for request in asking.open())
    plan = ((one.rendered, one.form) for one in made if isinstance(one, PreparedContrast))
    done = batch.export(plan, out, judge=asking.judge, settled=settled)
    header = contrast_header(
        asking.row, asking.judge.provider, settled, dict(done.request_sha256), asking.world
    )
    path = replay.header_path(out)
    path.write_text(header.model_dump_json(indent=1) + "\n", encoding="utf-8")
    return Compared(
        scene=asking.scene,
        contrasts=None,
        sent=None,
        planned=asking.planned,
        open=len(done.request_sha256),
        written=(*done.paths, path),
    )


def _error(asking: Asking, failed: Failed, sent: SendReport | None) -> JudgebenchError | None:
    """Why this start is not wholly good."""
    if sent is not None and sent.error is not None:
        return sent.error
    if sent is not None and sent.skipped and not sent.interrupted:
        run_ = shlex.quote(str(asking.choices.where.run))
        return Unfinished(
            f"unfinished: {sent.skipped} of {plural(asking.planned, 'request')} have no answer; "
            f"judge compare {run_} goes on with them"
        )
    return check_failures(failed, allowed=asking.choices.max_judge_failures)


def _failed(asking: Asking, store: Store, *, replayed: bool) -> Failed:
    """What the judge gave no usable answer to, by reason."""
    rows = store.rows("contrast_answers", pass_id=asking.row.pass_id)
    blocked = [row for row in rows if row[3] == "blocked"]
    typed = shlex.quote(str(asking.choices.where.run))
    return Failed(
        noun="item",
        reasons=Counter(row[4] for row in blocked),
        example=blocked[0][5] if blocked else "",
        shown_by=f"judge show {typed} {blocked[0][0][:8]}" if blocked else "",
        asked=asking.planned,
        replayed=replayed,
        judge=asking.row.judge_name,
    )
