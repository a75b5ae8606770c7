"""Where a pass stands: the run taken in, the pass found or opened, its plan in the store."""

from dataclasses import replace

from judgebench.errors import RecordingError
from judgebench.judges.identity import judge_sha256
from judgebench.model.nouns import Judge
from judgebench.model.reasons import Reason
from judgebench.pipeline.audits.reclaiming import reclaim
from judgebench.pipeline.audits.retotal import retotal
from judgebench.pipeline.planning.carried import controls_again, drift_cells
from judgebench.pipeline.planning.intake import take_in
from judgebench.pipeline.planning.open_pass import judged_controls, open_pass
from judgebench.pipeline.planning.plan import Again
from judgebench.pipeline.planning.planting import Before
from judgebench.pipeline.planning.wanted import noise_of, planned_controls, with_controls
from judgebench.pipeline.setting.choices import Choices
from judgebench.pipeline.setting.conflicts import (
    check_applies,
    check_asked,
    controls_note,
    reads_with_tools,
)
from judgebench.pipeline.setting.recorded import Recorded
from judgebench.pipeline.setting.rubric_said import rubric_notes
from judgebench.pipeline.setting.scene import Scene, World
from judgebench.records import dataclass
from judgebench.store.passes import PassRow
from judgebench.store.rows import PlanChange
from judgebench.store.store import Store
from judgebench.text import digest, one_line, plural

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
    check_applies(store, scene)
    check_asked(scene, choices, recorded)
    if said := controls_note(choices, recorded):
        world.say(said)
    tools = recorded.tools if recorded else reads_with_tools(store, scene, judge, choices, world)
    row, known = open_pass(
        store, scene, judge, choices=choices, world=world, recorded=recorded, tools=tools
    )
    if known is None and recorded is None:
        for note in rubric_notes(store, scene, choices, store.find_passes(scene.run_key)):
            world.say(note)
    if tools:
        judge = replace(judge, wire_mode="tools")
    if recorded:
        _check_pass(recorded, row.judging.id)
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
    change = store.set_plan(
        row.judging.id,
        with_controls(
            store,
            scene,
            row,
            again=again,
            before=_controls_before(store, row, known, replayed=recorded is not None),
            recorded=recorded,
            items=items,
        ),
        retry=retry,
    )
    return Standing(
        row=row, judge=judge, change=change, content=content, retry=retry, items=items
    )  # fmt: skip


def _check_pass(recorded: Recorded, pass_id: str) -> None:
    if recorded.pass_id not in {"", pass_id}:
        raise RecordingError(
            recorded.path,
            f"is of pass {one_line(recorded.pass_id, 40)}, not {pass_id}",
            "replay it with the run that it was recorded from",
        )


def _controls_before(
    store: Store, row: PassRow, known: PassRow | None, *, replayed: bool
) -> Before:
    """Controls that the pass has by an earlier plan, of those that it keeps."""
    # What is added to the run adds no control and changes none; another number does.
    same = known is not None and known.controls == row.controls
    planned = planned_controls(store, row.judging.id) if known else []
    if not same:
        # What was judged stays, whatever the number: it is paid for, and may have failed.
        judged = frozenset() if replayed else judged_controls(store, row.judging.id)
        planned = [control for control in planned if control.id in judged]
    return Before(controls=planned, same=same)


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
