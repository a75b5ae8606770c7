"""The loop that tunes a rubric by marks of people: differences, a new version, a comparison.

Labels are split once; only items for tuning are shown and judged anew until the
report split is asked for. Every look is noted in the store.
"""

import json
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from judgebench.errors import JudgebenchError, RunError
from judgebench.model.checked import Estimated
from judgebench.model.nouns import Mode
from judgebench.model.rubric import Rubric
from judgebench.model.tuning import LabelSplit, Tuning
from judgebench.pipeline.figures.stored_pass import choose, no_judge, people_pass, stored_pass
from judgebench.pipeline.people.noting import open_to_note
from judgebench.pipeline.people.splitting import (
    SHARE,
    fitting_share,
    shown_before,
    split_labels,
    tune_items,
    would_tune,
)
from judgebench.pipeline.scoring.batching import Export
from judgebench.pipeline.sending.sent import Progress, SendReport
from judgebench.pipeline.setting.choices import Choices
from judgebench.pipeline.setting.places import no_answers
from judgebench.pipeline.setting.scene import World
from judgebench.pipeline.setting.stored_run import LOCK_WAIT_S, imported_alone, stored_place
from judgebench.pipeline.tuning.turn import Base, Turn, Wanted
from judgebench.pipeline.tuning.version_pass import VersionChoices, judge_version
from judgebench.pipeline.tuning.versions import find_version
from judgebench.records import dataclass
from judgebench.rubrics.load import parse_rubric
from judgebench.runs.workspace import Workspace
from judgebench.stats.versions import LEAST_ITEMS
from judgebench.store.passes import PassRow
from judgebench.store.store import Store
from judgebench.text import plural

NOT_NOTED = "the split and that these answers were shown are not noted"


@dataclass(frozen=True, kw_only=True, slots=True)
class TuneChoices:
    """What the user asks for."""

    judging: Choices
    """How the new version is judged; its rubric is the new version, or None."""
    pass_id: str | None = None
    share: float | None = None
    top: int = 3
    reveal: bool = False
    report: bool = False
    """Judge the report split too, and compare there."""
    export: Path | None = None
    """A batch file that the requests are written to, instead of being sent."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Tuned:
    """What one start came to."""

    tuning: Tuning | None
    """None after a dry run, and after an export."""
    estimated: Estimated | None = None
    exported: Export | None = None
    sent: SendReport | None = None
    error: JudgebenchError | None = None
    """To be raised once the rest is printed."""


def tune(
    choices: TuneChoices, world: World, progress: Callable[[Progress], None]
) -> Tuned:  # fmt: skip
    """One turn: show where judge and people differ, or judge a version and compare.

    Raises:
        JudgebenchError: Nothing could be done; the message says what to mend.
    """
    run = choices.judging.where.run
    workspace, key = stored_place(run, world.cwd)
    named = choices.judging.rubric
    version = find_version(named, workspace) if isinstance(named, str) else None
    report = choices.report and version is not None
    wanted = Wanted(top=choices.top, reveal=choices.reveal, report=report)
    with _open(workspace, choices, version, world) as store:
        base = _base(store, run, key, choices, version, world)
        if version is None:
            return Tuned(tuning=Turn(store, base, wanted, world).differences())
        _must_differ(store, run, base.row, version)
        if version.ask_sha256 == base.row.judging.ask_sha256:
            if base.split is None:
                return Tuned(tuning=None)
            turn = Turn(store, base, wanted, world)
            return Tuned(tuning=turn.compared(base.row.judging.id, rubric=version))
    how = VersionChoices(judging=choices.judging, report=choices.report, export=choices.export)
    judged = judge_version(how, base, version, world, progress)
    if judged.standing is None:
        return Tuned(tuning=None, estimated=judged.estimated, exported=judged.exported)
    with Store.open(workspace.database, create=False, wait_s=LOCK_WAIT_S) as store:
        turn = Turn(store, base, wanted, world)
        made = turn.compared(judged.standing.row.judging.id)
    return Tuned(tuning=made, sent=judged.sent, error=judged.error)


@contextmanager
def _open(
    workspace: Workspace, choices: TuneChoices, version: Rubric | None, world: World
) -> Iterator[Store]:
    """What is shown for nothing may be shown from a copy."""
    if version is None:
        with open_to_note(workspace.database, world, lost=NOT_NOTED) as (store, _):
            yield store
    elif choices.judging.dry_run:
        with Store.copied(workspace.database, wait_s=LOCK_WAIT_S) as store:
            yield store
    else:
        with Store.open(workspace.database, create=False, wait_s=LOCK_WAIT_S) as store:
            yield store


def _base(
    store: Store, run: Path, key: str, choices: TuneChoices, version: Rubric | None, world: World
) -> Base:  # fmt: skip
    row = choose(store.find_passes(key), choices.pass_id) if store.find_passes(key) else None
    if row is None or row.facts().by_people or row.judging.mode is Mode.PAIRWISE:
        if row is not None and row.facts().by_people and imported_alone(store.find_passes(key)):
            raise no_judge(run, row, store.find_passes(key))
        if imported_alone(store.find_passes(key)):
            raise no_answers(run)
        raise RunError(
            run, "has no pass of a judge that marks answers",
            "judge score judges it; --pass names another",
        )  # fmt: skip
    if people_pass(store, key) is None:
        raise RunError(
            run, "has no marks by people", "judge label RUN, or judge calibrate RUN --human FILE"
        )  # fmt: skip
    if row.facts().marks_only:
        _refuse_marks_alone(store, run, row, choices, version)
    share = choices.share or SHARE
    if choices.share is None and not store.rows("tuning", run=key):
        share = _usual_share(store, run, key)
    if choices.judging.dry_run:
        # Nothing is written: the split is what it will be.
        tune = tune_items(store, key) or would_tune(store, key, share)
        return Base(key=key, row=row, tune=tune, split=None)
    made_now = split_labels(store, key, share, world)
    tune = tune_items(store, key)
    split = _split(store, key, tune, made_now=made_now)
    if choices.share not in {None, split.share}:
        world.say(f"the labels were split on {split.split_at[:10]} with {split.share:g}: it stays")
    return Base(key=key, row=row, tune=tune, split=split)


def _refuse_marks_alone(
    store: Store, run: Path, row: PassRow, choices: TuneChoices, version: Rubric | None
) -> None:
    """Without answers sums alone can be tried: no split is made for that unless it is asked for."""
    if version is not None and version.ask_sha256 != row.judging.ask_sha256:
        raise no_answers(run)
    if choices.share is None and not store.rows("tuning", run=row.judging.run):
        raise RunError(
            run, "holds marks alone, no answers to judge again",
            f"to try sums alone, set items apart for good: --tune {SHARE:g}",
        )  # fmt: skip


def _usual_share(store: Store, run: Path, key: str) -> float:
    """A split is for good: one that costs all figures is made only where it is asked for."""
    marked = _marked(store, key)
    if (share := fitting_share(store, key, marked)) is not None:
        return share
    raise RunError(
        run,
        f"has {plural(len(marked), 'marked item')}, too few to split (a side needs {LEAST_ITEMS})",
        f"mark {max(len(marked) + 1, math.ceil(LEAST_ITEMS / SHARE))}, or add --tune {SHARE:g}",
    )


def _marked(store: Store, key: str) -> set[str]:
    """Items that people marked."""
    row = people_pass(store, key)
    given = store.rows("people_marks", pass_id=row.judging.id) if row else []
    return {item for item, *_ in given}


def _split(store: Store, key: str, tune: frozenset[str], *, made_now: bool) -> LabelSplit:
    ((share, split_at, shown),) = store.rows("tuning", run=key)
    items = [name for (name,) in store.rows("items", run=key)]
    marked = _marked(store, key)
    return LabelSplit(
        share=share, split_at=split_at, tune=len(tune), report=len(items) - len(tune),
        tune_marked=len(marked & tune), report_marked=len(marked & (set(items) - tune)),
        made_now=made_now, shown=shown_before(json.loads(shown)), need=LEAST_ITEMS,
    )  # fmt: skip


def _must_differ(store: Store, run: Path, base: PassRow, version: Rubric) -> None:
    same = version.sum_sha256 == base.sum_sha256
    if version.ask_sha256 == base.judging.ask_sha256 and same:
        raise RunError(
            run, f"was judged with this very rubric (pass {base.judging.id})",
            "edit the file first; the version before is kept",
        )  # fmt: skip
    source = stored_pass(store, base.judging.run, pass_id=base.judging.id).rubric
    scale = parse_rubric(source, Path(f"{base.judging.rubric_name}.yaml")).scale
    if (scale.low, scale.high) != (version.scale.low, version.scale.high):
        old, new = (f"{one.low:g}-{one.high:g}" for one in (scale, version.scale))
        raise RunError(
            run, f"was marked on {old}, this version marks on {new}",
            "keep the scale; try another one in a run of its own",
        )  # fmt: skip
