"""The pass that a start works on: the stored one of the same identity, or a new one."""

from dataclasses import replace

from judgebench.errors import JudgebenchError, RecordingError, RunError
from judgebench.judges.finding_prompts import version_for
from judgebench.model.nouns import Blinding, Judge, Mode
from judgebench.model.rubric import Rubric
from judgebench.model.turns import MOST_TURNS
from judgebench.pipeline.planning.changed import what_changed
from judgebench.pipeline.planning.plan import Identity, make_pass
from judgebench.pipeline.setting.choices import Choices, Reading
from judgebench.pipeline.setting.reading import reading_of
from judgebench.pipeline.setting.recorded import Recorded
from judgebench.pipeline.setting.scene import Scene, World
from judgebench.store.passes import PassRow
from judgebench.store.store import Store
from judgebench.text import canonical_json, plural

AUDITS = 3
"""Judgings of a project: what one judging found and another did not is seen."""


def open_pass(
    store: Store,
    scene: Scene,
    judge: Judge,
    *,
    choices: Choices,
    world: World,
    recorded: Recorded | None,
    tools: bool,
) -> tuple[PassRow, PassRow | None]:
    """The pass to work on, and the stored one of the same identity where there is one."""
    mode = recorded.mode if recorded else choices.mode or Mode.POINTWISE
    identity = identity_of(
        scene,
        judge,
        mode=mode,
        blinding=recorded.blinding if recorded else choices.blinding,
        split=recorded.split_criteria if recorded else choices.split_criteria,
        tools=tools,
    )
    known = store.find_passes(scene.run_key)
    same = [row for row in known if _same(row, identity)]
    ordinal = len(same) + 1
    if choices.beside is not None:
        same = [row for row in reversed(same) if row.judging.id != choices.beside]
    seed = recorded.seed if recorded else choices.seed
    if seed is not None:
        same = [row for row in same if row.judging.seed == seed]
    old = None if choices.fresh else (same[0] if same else None)
    repeats = recorded.repeats if recorded else choices.repeats
    judging = make_pass(
        identity,
        judge,
        scene.rubric,
        seed=old.judging.seed if old else seed,
        repeats=repeats or (old.judging.repeats if old else _usual(scene.rubric)),
        route="replay" if recorded else "live",
        ordinal=ordinal,
    )
    judging = replace(judging, turns=MOST_TURNS if tools else None)
    if old is None and judging.id in {row.judging.id for row in known}:
        raise _taken(judging.id, recorded)
    if old is None and (said := what_changed(judging, _held_against(known, choices))):
        world.say(said)
    row = PassRow(
        judging=judging,
        ordinal=old.ordinal if old else len(known) + 1,
        rubric_version=scene.rubric.version,
        sum_sha256=scene.rubric.sum_sha256,
        started_at=old.started_at if old else world.now().isoformat(timespec="seconds"),
        recording=recorded.shown if recorded else None,
        recorded_at=recorded.recorded_at if recorded else None,
        settled=recorded.settled if recorded else (old.settled if old else None),
        choices=canonical_json(_kept(choices.reading, old).as_dict()),
        controls=0 if scene.rubric.deductions else _controls(choices, old, recorded),
    )
    if old is not None and recorded is None:
        row = _with_judged_controls(store, row, old, world)
    return row, old


def identity_of(
    scene: Scene, judge: Judge, *, mode: Mode, blinding: Blinding, split: bool, tools: bool = False
) -> Identity:
    """All that makes two passes the same but the seed; tools are part of what a judge is told."""
    return Identity(
        run=scene.run_key,
        ask_sha256=scene.rubric.ask_sha256,
        judge_sha256=judge.sha256,
        prompt_version=version_for(scene.rubric, mode, tools=tools),
        mode=mode,
        blinding=blinding,
        split_criteria=split,
    )


def _same(row: PassRow, identity: Identity) -> bool:
    found = row.judging
    return identity == Identity(
        run=found.run,
        ask_sha256=found.ask_sha256,
        judge_sha256=found.judge_sha256,
        prompt_version=found.prompt_version,
        mode=found.mode,
        blinding=found.blinding,
        split_criteria=found.split_criteria,
    )


def _usual(rubric: Rubric) -> int:
    """Judgings of a cell where nobody says how many."""
    return AUDITS if rubric.deductions else 1


def _taken(pass_id: str, recorded: Recorded | None) -> JudgebenchError:
    """A new pass would be an old one again: same judge, same questions, same seed."""
    if recorded:
        return RecordingError(
            recorded.path,
            f"is of pass {pass_id}, which is to be judged again",
            "replay a recording of another pass, or name another --pass",
        )
    return RunError(
        f"pass {pass_id}",
        "has this judge and this seed already",
        "leave --seed out or choose another",
    )


def _held_against(known: list[PassRow], choices: Choices) -> list[PassRow]:
    """Passes that a new one may be told from: where it repeats one, that one alone."""
    if choices.beside is None:
        return known
    return [row for row in known if row.judging.id == choices.beside]


def _kept(reading: Reading, old: PassRow | None) -> Reading:
    """The choices of this start; that suspected cuts were accepted once stays so."""
    if old is None or reading.block_cut or not reading_of(old).accept_cut:
        return reading
    return replace(reading, accept_cut=True)


def _controls(choices: Choices, old: PassRow | None, recorded: Recorded | None) -> int | None:
    """How many controls are asked for; what a pass was begun with stays until it is changed."""
    if recorded:
        return recorded.controls
    if choices.controls is None and old is not None:
        return old.controls
    return choices.controls


def _with_judged_controls(store: Store, row: PassRow, old: PassRow, world: World) -> PassRow:
    """Controls that were judged stay: a judge that failed one is not rid of it by fewer."""
    if row.controls is None or row.controls == old.controls:
        return row
    judged = len(judged_controls(store, row.judging.id))
    if row.controls >= judged:
        return row
    world.say(
        f"--controls {row.controls} takes none away: pass {row.judging.id} has "
        f"{plural(judged, 'planted control')} judged, which stay and count "
        "(--fresh opens another pass)"
    )
    return replace(row, controls=judged)


def judged_controls(store: Store, pass_id: str) -> frozenset[str]:
    """Planted controls of a pass that have a judgment."""
    records = store.records("control_requests", pass_id=pass_id, number=1)
    return frozenset(one["control"] for one in records if one["status"] is not None)
