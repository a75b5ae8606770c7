"""`judge drift`: anchors and controls of a finished pass judged again, counting nowhere.

The anchors of a pass are frozen: drawn once from its seed, so that every check judges
the same answers; its planted controls are asked once more, word for word. A check that
was broken off is gone on with by the same command.
"""

from collections.abc import Callable
from dataclasses import replace

from judgebench.errors import JudgebenchError
from judgebench.judges import config
from judgebench.judges.finding_prompts import findings_version
from judgebench.judges.prompts import prompt_version
from judgebench.model.drifting import CHECK_REPEATS, Drift
from judgebench.model.nouns import Judge, Mode
from judgebench.pipeline.drift.anchors import (
    base_of,
    content_now,
    frozen,
    judged_scene,
    live_judge,
    must_be_unchanged,
    rubric_of,
    send_anchors,
)
from judgebench.pipeline.drift.drifted import how_far, read_check
from judgebench.pipeline.planning.carried import controls_again, following
from judgebench.pipeline.planning.plan import Again
from judgebench.pipeline.planning.planting import Before
from judgebench.pipeline.planning.standing import Standing
from judgebench.pipeline.planning.wanted import planned_controls, requests, with_controls
from judgebench.pipeline.scoring.score import open_store
from judgebench.pipeline.sending.sent import Progress, SendReport
from judgebench.pipeline.setting.choices import Choices
from judgebench.pipeline.setting.scene import Scene, World
from judgebench.records import dataclass
from judgebench.store.passes import PassRow
from judgebench.store.store import Store


@dataclass(frozen=True, kw_only=True)
class Drifted:
    """What one check came to."""

    drift: Drift | None
    """None after a dry run, or where nothing was answered."""
    planned: int
    """Requests of this check."""
    open: int
    """Of these, those that had no answer when it began."""
    sent: SendReport | None


def check_drift(
    choices: Choices,
    world: World,
    progress: Callable[[Progress], None],
    *,
    baseline: str,
    anchors: int | None = None,
) -> Drifted:
    """Judge the anchors and controls of a pass again, and hold them against their first totals.

    Args:
        choices: Run, judge, budgets.
        world: Clock, environment, ears.
        progress: Told how far it is.
        baseline: The pass.
        anchors: How many answers; None for a tenth, at least 12 and at most 60.

    Raises:
        JudgebenchError: The pass cannot be asked anew; the message says why.
    """
    scene = judged_scene(choices, world)
    with open_store(scene) as store:
        row = base_of(store, scene, choices, baseline)
        _must_be_asked(row)
        rubric = rubric_of(store, row)
        scene = replace(scene, rubric=rubric)
        judge = _judge(choices, scene, row, world)
        key = "" if choices.dry_run else config.api_key(judge, world.env)
        standing, number, cells = _stand(store, scene, row, judge, world=world, anchors=anchors)
        if choices.dry_run:
            return _dry(store, row, cells)
        if cells:
            standing = _extend(store, scene, standing, number, cells)
        mine = [one for one in store.iter_open(row.judging.id) if one.repeat == number]
        planned, _ = how_far(store, row, rubric, number)
        world.say(
            f"pass {row.judging.id} (judge {row.judging.judge_name}): {len(mine)} of {planned} "
            "requests for drift open"
        )
        sent = send_anchors(
            store, scene, standing, key, choices=choices, world=world, progress=progress
        )
        made = read_check(store, scene, standing.row, rubric, number)
    return Drifted(drift=made, planned=planned, open=len(mine), sent=sent)


def _must_be_asked(row: PassRow) -> None:
    """Only live judgings of single answers can be asked anew."""
    judging = row.judging
    name = f"pass {judging.id}"
    if row.recording or judging.route == "replay":
        raise JudgebenchError(
            f"{name} is a replay: a recording answers as it did and cannot drift; "
            "judge the run live first"
        )
    if row.facts().marks_only:
        raise JudgebenchError(f"{name} holds imported marks: there is no judge to be asked again")
    if judging.mode is Mode.PAIRWISE:
        raise JudgebenchError(
            f"{name} compares pairs, whose verdicts have no level that could move"
        )
    if judging.split_criteria:
        raise JudgebenchError(
            f"{name} asked for each criterion by itself: no request of it has a total"
        )
    if judging.prompt_version == findings_version():
        raise JudgebenchError(
            f"{name} counts faults in projects and gives no marks; judge rejudge compares"
        )
    if judging.prompt_version != prompt_version(judging.mode):
        raise JudgebenchError(
            f"{name} was asked with other prompt templates; --bridge holds the two side by side"
        )


def _judge(choices: Choices, scene: Scene, row: PassRow, world: World) -> Judge:
    why = "a recording answers as it did and cannot drift; name a live judge"
    found = live_judge(choices, scene, row, world, recorded=why)
    if found.sha256 != row.judging.judge_sha256:
        raise JudgebenchError(
            f"{found.name} is not the judge of pass {row.judging.id} (model, endpoint or "
            "parameters); try --bridge"
        )
    return found


# ---- the plan


def _stand(
    store: Store, scene: Scene, row: PassRow, judge: Judge, *, world: World, anchors: int | None
) -> tuple[Standing, int, frozenset[tuple[str, str]]]:
    """The pass, the number of the check, and the anchors that are yet to be planned.

    A check that was broken off has its anchors in the plan: it is gone on with.
    """
    judging = row.judging
    content = content_now(store, scene, row, world)
    standing = Standing(row=row, judge=judge, change=None, content=content)
    open_ = list(store.iter_open(judging.id))
    if any(one.repeat <= CHECK_REPEATS for one in open_):
        raise JudgebenchError(f"pass {judging.id} is unfinished; judge score goes on with it first")
    if open_:
        return standing, max(one.repeat for one in open_), frozenset()
    must_be_unchanged(scene, row, content)
    whole = judging.mode is Mode.LISTWISE
    found = store.rows("judged_cells", pass_id=judging.id, run=judging.run, whole=whole)
    cells = [(item, arm) for item, arm in found]
    numbers = [n for *_, n in store.rows("drift_planned", pass_id=judging.id)]
    number = following(numbers, checks=True)
    return standing, number, frozen(judging.seed, cells, anchors, whole=whole)


def _dry(store: Store, row: PassRow, cells: frozenset[tuple[str, str]]) -> Drifted:
    """What a check would send; nothing is planned."""
    whole = row.judging.mode is Mode.LISTWISE
    left = len({item for item, _ in cells} if whole else cells)
    if left:
        ((_, planted),) = store.rows("control_count", pass_id=row.judging.id)
        left += planted
    else:
        left = len(list(store.iter_open(row.judging.id)))
    return Drifted(drift=None, planned=left, open=left, sent=None)


def _extend(
    store: Store, scene: Scene, standing: Standing, number: int, cells: frozenset[tuple[str, str]]
) -> Standing:
    """The pass with the anchors, and its controls once more, in its plan; all else in it stays."""
    judging = standing.row.judging
    planned: dict[tuple[str, str], tuple[int, ...]] = {}
    for item, arm, repeat in store.rows("drift_planned", pass_id=judging.id):
        planned[item, arm] = (*planned.get((item, arm), ()), repeat)
    for cell in cells:
        planned[cell] = (*planned.get(cell, ()), number)
    noisy = store.rows("noise_planned", pass_id=judging.id)
    before, checks = planned_controls(store, judging.id), controls_again(store, judging.id)
    again = Again(
        noise=frozenset((item, arm) for item, arm in noisy),
        drift=planned,
        controls={one.id: (*checks.get(one.id, ()), number) for one in before},
    )
    if before:
        wanted = with_controls(
            store, scene, standing.row, again=again, before=Before(controls=before), recorded=None
        )
    else:
        # A pass without controls stays without.
        wanted = requests(store, standing.row, scene, again=again)
    change = store.set_plan(judging.id, wanted)
    return replace(standing, change=change)
