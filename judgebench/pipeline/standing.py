"""Where a pass stands: the run taken in, the pass found or opened, its plan in the store."""

from dataclasses import asdict, dataclass, replace

from judgebench.errors import JudgebenchError, RecordingError, RubricError, RunError
from judgebench.judges.finding_prompts import version_for
from judgebench.judges.identity import judge_sha256
from judgebench.model import Blinding, Judge, Mode, Reason, Rubric
from judgebench.model.turns import MOST_TURNS
from judgebench.pipeline.changed import what_changed
from judgebench.pipeline.choices import Choices, Reading
from judgebench.pipeline.drift import controls_again, drift_cells
from judgebench.pipeline.facts import facts_of
from judgebench.pipeline.intake import Intake
from judgebench.pipeline.plan import Again, Identity, make_pass
from judgebench.pipeline.planting import Before
from judgebench.pipeline.projects import groups_of
from judgebench.pipeline.reading import reading_of
from judgebench.pipeline.reclaiming import reclaim
from judgebench.pipeline.recorded import Recorded
from judgebench.pipeline.retotal import retotal
from judgebench.pipeline.scene import Scene, World
from judgebench.pipeline.wanted import noise_of, planned_controls, with_controls
from judgebench.rubrics.total import applying
from judgebench.runs import load
from judgebench.store.rows import PassRow, PlanChange
from judgebench.store.store import Store
from judgebench.text import canonical_json, digest, one_line, plural

AUDITS = 3
"""Judgings of a project: what one judging found and another did not is seen."""
ITEM_FACTS = ("has_evidence", "has_reference", "ambiguous")
RETRIED = tuple(reason for reason in Reason if reason.of_judge)
"""Judge-side reasons that --retry-blocked asks again."""


@dataclass(frozen=True, kw_only=True)
class Standing:
    """One pass with its plan."""

    row: PassRow
    judge: Judge
    change: PlanChange | None
    """None where the plan was known to be complete and was not made again."""
    content: str
    """Hash of the run folder and of how it was read."""
    retry: tuple[Reason, ...] = ()
    items: frozenset[str] | None = None
    """The items that it is planned on; None for all of the run."""

    @property
    def done(self) -> bool:
        """Whether nothing is left to ask."""
        return self.change is None or self.change.open == 0


def stand(
    store: Store,
    scene: Scene,
    judge: Judge,
    *,
    choices: Choices,
    world: World,
    recorded: Recorded | None = None,
) -> Standing:
    """Take the run in as far as it has changed, find or open the pass, and plan it.

    Args:
        store: Open for writing.
        scene: Run and rubric.
        judge: Who judges, or who was recorded.
        choices: What the user chose.
        world: Clock and ears.
        recorded: Fixes seed, mode and repeats in a replay.

    Raises:
        RubricError: No criterion applies to any item.
        RecordingError: The recording is of another pass than this one.
    """
    store.put_rubric(scene.rubric)
    store.put_judge(judge, judge_facts(judge))
    blinding = recorded.blinding if recorded else choices.blinding
    content = take_in(store, scene, blinding=blinding, reading=choices.reading, world=world)
    _must_apply(store, scene)
    check_asked(scene, choices, recorded)
    tools = recorded.tools if recorded else _with_tools(store, scene, judge, choices, world)
    row, known = _pass(
        store, scene, judge, choices=choices, world=world, recorded=recorded, tools=tools
    )
    if tools:
        judge = replace(judge, wire_mode="tools")
    if recorded and recorded.pass_id not in {"", row.judging.id}:
        raise RecordingError(
            recorded.path,
            f"is of pass {one_line(recorded.pass_id, 40)}, not {row.judging.id}",
            "replay it with the run that it was recorded from",
        )
    items = _items(store, row, choices)
    if items is not None:
        # The same pass on all items later on has something to plan.
        content = digest([content, sorted(items)])
    if known:
        _count_again(store, row, known, scene, world)
    retry = RETRIED if choices.retry_blocked else ()
    noise = recorded.noise if recorded else choices.repeats is None
    if known and _is_complete(store, row, known, content=content, noise=noise, retry=retry):
        store.put_pass(row)
        return Standing(row=row, judge=judge, change=None, content=content, items=items)
    store.put_pass(row)
    again = Again(
        noise=noise_of(store, row, scene, recorded)
        if noise and row.judging.repeats == 1
        else frozenset(),
        drift=drift_cells(store, row.judging, may_begin=recorded is None and items is None),
        controls=controls_again(store, row.judging.id),
    )
    # What is added to the run adds no control and changes none; another number does.
    same = known is not None and known.controls == row.controls
    before = planned_controls(store, row.judging.id) if known else []
    if not same:
        # What was judged stays, whatever the number: it is paid for, and may have failed.
        judged = frozenset() if recorded else _judged_controls(store, row.judging.id)
        before = [one for one in before if one.id in judged]
    held = Before(controls=before, same=same)
    change = store.set_plan(
        row.judging.id,
        with_controls(
            store,
            scene,
            row,
            again=again,
            before=held,
            recorded=recorded,
            items=items,
        ),
        retry=retry,
    )
    return Standing(
        row=row, judge=judge, change=change, content=content, retry=retry, items=items
    )  # fmt: skip


def check_asked(scene: Scene, choices: Choices, recorded: Recorded | None) -> None:
    """Refuse what run, rubric and recording do not go with; no store is needed to know it.

    Raises:
        RunError: There is one arm, and pairs are asked for.
        JudgebenchError: Options do not go with the rubric, or with the recording.
    """
    mode = recorded.mode if recorded else choices.mode or Mode.POINTWISE
    if mode is Mode.PAIRWISE:
        _must_compare(scene, choices.reading)
    if scene.rubric.deductions:
        _must_audit(choices, recorded)
    if recorded and choices.tools and not recorded.tools and choices.beside is None:
        raise JudgebenchError(
            "--tools auto: the recording was made without tools; leave it out, or name a live judge"
        )


def _count_again(store: Store, row: PassRow, known: PassRow, scene: Scene, world: World) -> None:
    """What is stored follows the rubric and the library as they are now; asks nothing."""
    claims = reclaim(store, row.judging, scene.rubric)
    if claims:
        world.say(f"the library's source decides {plural(claims, 'stored claim')} otherwise now")
    summed = known.sum_sha256 != scene.rubric.sum_sha256 and not row.judging.split_criteria
    if summed:
        world.say("weights, gates, caps or tiers have changed: totals were made anew")
    if claims or summed:
        retotal(store, row.judging, scene.rubric)


def _items(store: Store, row: PassRow, choices: Choices) -> frozenset[str] | None:
    """The items to plan; all, where the pass was begun on more than those that are wanted."""
    if choices.items is None:
        return None
    planned = {item for (item,) in store.rows("planned_items", pass_id=row.judging.id)}
    return choices.items if planned <= choices.items else None


def _must_apply(store: Store, scene: Scene) -> None:
    facts = store.columns("item_facts", run=scene.run_key)
    kinds = set(zip(*(facts[name].tolist() for name in ITEM_FACTS), strict=True))
    if not any(
        applying(scene.rubric, evidence=evidence, reference=reference, ambiguity=ambiguity)
        for evidence, reference, ambiguity in kinds
    ):
        raise RubricError(
            scene.rubric.path or scene.rubric.name,
            f"has no criterion that applies to any item of {scene.run_key}",
            "supply what `applies` asks for",
        )


def _must_compare(scene: Scene, reading: Reading) -> None:
    """Comparisons need two arms, and have no lowest mark to give by rule."""
    if len(scene.run.arms) < 2:  # noqa: PLR2004 - a pair
        raise RunError(
            scene.run.path,
            "has one arm, and --mode pairwise compares two",
            "add an arm, or leave out --mode",
        )
    if reading.empty_as_minimum:
        raise JudgebenchError(
            "--empty-as minimum gives a mark, and --mode pairwise gives none; leave one of them out"
        )


def _must_audit(choices: Choices, recorded: Recorded | None) -> None:
    """Finds are asked for one project at a time, under all criteria at once.

    A recording has conditions of its own; what is asked for beside it is refused as well.
    """
    for one in (choices, recorded):
        if one is None:
            continue
        mode = one.mode or Mode.POINTWISE
        if mode is not Mode.POINTWISE or one.split_criteria:
            option = "--split-criteria" if one.split_criteria else f"--mode {mode.value}"
            raise JudgebenchError(
                f"{option} is for rubrics of marks, and this is one of deductions; leave it out"
            )


def _with_tools(
    store: Store, scene: Scene, judge: Judge, choices: Choices, world: World
) -> bool:  # fmt: skip
    """Whether the judge reads with tools: where it may, and some project is not shown whole.

    Raises:
        JudgebenchError: It may, and cannot.
    """
    if not choices.tools:
        return False
    if not scene.rubric.deductions:
        raise JudgebenchError(
            "--tools auto is for rubrics of deductions, which judge projects; leave it out"
        )
    if all(row.lines_shown == row.lines for row in store.projects(scene.run_key)):
        world.say("every project is shown whole: there is nothing to read with tools")
        return False
    name = one_line(judge.name, 60)
    if choices.blinding is Blinding.STRICT:
        raise JudgebenchError(
            "--blind strict cannot know what is read with tools; take --blind mask, or --tools off"
        )
    if judge.base_url is None:
        raise JudgebenchError(
            f"{name}: --tools auto needs a base_url of this judge in judges.toml; "
            "or take --tools off"
        )
    if judge.wire_mode not in {"auto", "tools"}:
        raise JudgebenchError(
            f'{name}: mode = "{judge.wire_mode}" has no tool calls; set mode = "tools" for it, '
            "or take --tools off"
        )
    return True


def _usual(rubric: Rubric) -> int:
    """Judgings of a cell where nobody says how many."""
    return AUDITS if rubric.deductions else 1


def judge_facts(judge: Judge) -> dict[str, object]:
    """What makes a judge the same judge, for the record; never a key."""
    return {
        "model": judge.model,
        "provider": judge.provider,
        "base_url": judge.base_url,
        "mode": judge.wire_mode,
        "params": judge.params,
        "sha256": judge_sha256(judge),
    }


def take_in(
    store: Store, scene: Scene, *, blinding: Blinding, reading: Reading, world: World
) -> str:
    """Read the outputs into the store, unless the very same were read the same way before.

    Returns:
        Hash of the content and of how it was read.
    """
    read_as: list[object] = [blinding.value, reading.block_cut, _rules_version()]
    read_as += [asdict(group) for group in groups_of(scene.rubric)]
    content = digest([load.content_sha256(scene.run), *read_as])
    known = store.rows("run", run=scene.run_key)
    facts = facts_of(scene.run)
    if known and known[0][0] == content and known[0][2] == canonical_json(facts.as_dict()):
        return content
    intake = Intake(scene.run, scene.run_key, blinding, reading, scene.rubric)
    store.put_arms(scene.run_key, scene.run.arms)
    store.put_items(scene.run_key, intake.items())
    store.replace_outputs(scene.run_key, intake.outputs())
    store.put_projects(scene.run_key, intake.projects)
    store.put_run(
        scene.run_key,
        content,
        use_case=scene.run.use_case.key,
        facts=facts.as_dict(),
        updated_at=world.now().isoformat(),
    )
    return content


def _rules_version() -> str:
    """Version of the rules that decide what is blocked and masked."""
    from importlib.metadata import version  # noqa: PLC0415 - costs a directory walk

    return version("judgebench")


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


def _pass(
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
    judged = len(_judged_controls(store, row.judging.id))
    if row.controls >= judged:
        return row
    world.say(
        f"--controls {row.controls} takes none away: pass {row.judging.id} has "
        f"{plural(judged, 'planted control')} judged, which stay and count "
        "(--fresh opens another pass)"
    )
    return replace(row, controls=judged)


def _judged_controls(store: Store, pass_id: str) -> frozenset[str]:
    records = store.records("control_requests", pass_id=pass_id, number=1)
    return frozenset(one["control"] for one in records if one["status"] is not None)


def _kept(reading: Reading, old: PassRow | None) -> Reading:
    """The choices of this start; that suspected cuts were accepted once stays so."""
    if old is None or reading.block_cut or not reading_of(old).accept_cut:
        return reading
    return replace(reading, accept_cut=True)


def _held_against(known: list[PassRow], choices: Choices) -> list[PassRow]:
    """Passes that a new one may be told from: where it repeats one, that one alone."""
    if choices.beside is None:
        return known
    return [row for row in known if row.judging.id == choices.beside]


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


def _is_complete(
    store: Store,
    row: PassRow,
    known: PassRow,
    *,
    content: str,
    noise: bool,
    retry: tuple[Reason, ...],
) -> bool:
    if known.state != "complete" or known.content_sha256 != content or retry:
        return False
    if known.judging.repeats != row.judging.repeats or known.controls != row.controls:
        return False
    has_noise = bool(store.rows("has_noise", pass_id=row.judging.id)[0][0])
    return not (noise and row.judging.repeats == 1 and not has_noise)
