"""What run, rubric, judge, options and recording refuse of each other, before anything is asked."""

import shlex

from judgebench.errors import JudgebenchError, RubricError, RunError
from judgebench.model.nouns import Blinding, Judge, Mode
from judgebench.pipeline.setting.choices import Choices, Reading
from judgebench.pipeline.setting.recorded import Recorded
from judgebench.pipeline.setting.scene import Scene, World
from judgebench.rubrics.total import applying
from judgebench.store.passes import PassRow
from judgebench.store.store import Store
from judgebench.text import one_line, plural

ITEM_FACTS = ("has_evidence", "has_reference", "ambiguous")


def check_asked(scene: Scene, choices: Choices, recorded: Recorded | None) -> None:
    """Refuse what run, rubric and recording do not go with; no store is needed to know it.

    What was judged so already is pointed to, where a recording cannot be asked for it.

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
    if recorded:
        _must_be_as_recorded(scene, choices, recorded)


def stored_passes(scene: Scene) -> list[PassRow]:
    """Passes on this run in the workspace's own database."""
    if not scene.workspace.database.is_file():
        return []
    with Store.open(scene.workspace.database, create=False, read_only=True) as store:
        return store.find_passes(scene.run_key)


def _must_be_as_recorded(scene: Scene, choices: Choices, recorded: Recorded) -> None:
    """What a recording fixes cannot be asked otherwise of it: no option is passed over.

    Of a pass that is judged again, mode, blinding and splitting are the earlier pass's, not
    typed: what the recording has in their place is said of the comparison.
    """
    found: list[tuple[str, str]] = []
    if choices.repeats not in {None, recorded.repeats}:
        how = f"judges every cell {_times(recorded.repeats)}"
        found.append((f"--repeats {choices.repeats}", how))
    if choices.seed not in {None, recorded.seed}:
        found.append((f"--seed {choices.seed}", f"has seed {recorded.seed}"))
    if choices.beside is None:
        if choices.mode not in {None, recorded.mode}:
            found.insert(0, (f"--mode {choices.mode.value}", f"is {recorded.mode.value}"))
        if choices.split_criteria and not recorded.split_criteria:
            found.append(("--split-criteria", "asks all criteria in one request"))
        if choices.blinding not in {Blinding.MASK, recorded.blinding}:
            found.append((f"--blind {choices.blinding.value}", f"is {recorded.blinding.value}"))
    if found:
        option, how = found[0]
        said = f"{option}: the recording {one_line(recorded.shown, 100)} {how}"
        if (row := _stored_so(scene, choices)) is not None:
            run = shlex.quote(one_line(str(choices.where.run), 200))
            raise JudgebenchError(
                f"{said}; judge table {run} --pass {row.judging.id} shows the pass that is stored, "
                "a live judge (--judge PROVIDER/MODEL) makes another"
            )
        raise JudgebenchError(
            f"{said}; leave {option.split()[0]} out, or name a live judge (--judge PROVIDER/MODEL)"
        )


def _stored_so(scene: Scene, choices: Choices) -> PassRow | None:
    """The fullest stored pass that was asked as these options say, under the same rubric."""
    rows = [
        row
        for row in stored_passes(scene)
        if row.judging.ask_sha256 == scene.rubric.ask_sha256
        and not row.facts().by_people
        and row.judging.mode == (choices.mode or Mode.POINTWISE)
        and row.judging.split_criteria == choices.split_criteria
        and row.judging.blinding == choices.blinding
        and choices.repeats in {None, row.judging.repeats}
        and choices.seed in {None, row.judging.seed}
        and row.answered
    ]
    return max(rows, key=lambda row: row.answered, default=None)


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def controls_note(choices: Choices, recorded: Recorded | None) -> str | None:
    """What to say where another number of controls is asked for than the recording holds."""
    if recorded is None or choices.controls in {None, recorded.controls}:
        return None
    return (
        f"--controls {choices.controls} changes nothing: the recording holds "
        f"{plural(recorded.controls, 'planted control')}"
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


def check_applies(store: Store, scene: Scene) -> None:
    """Refuse a rubric without a criterion that applies to some item.

    Raises:
        RubricError: It has none.
    """
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


def reads_with_tools(
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
