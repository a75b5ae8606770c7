"""A provider's batch endpoint: hand in, wait, fetch, import; noted so that it resumes."""

import json
from collections.abc import Callable
from pathlib import Path

from judgebench.errors import BudgetStop, JudgeConfigError
from judgebench.judges import config
from judgebench.judges.config import ReplayChoice
from judgebench.judges.transports.base import run as run_loop
from judgebench.judges.transports.batch_endpoint import BatchEndpoint, BatchState
from judgebench.model.nouns import Judge
from judgebench.pipeline.planning.standing import stand
from judgebench.pipeline.scoring import batching
from judgebench.pipeline.scoring.estimate import estimate
from judgebench.pipeline.scoring.score import Outcome, open_store
from judgebench.pipeline.sending.sent import Progress
from judgebench.pipeline.setting.choices import Choices
from judgebench.pipeline.setting.scene import Scene, World, find_judge, open_scene


def submit(
    choices: Choices,
    world: World,
    *,
    wait: bool,
    every_s: float,
    progress: Callable[[Progress], None],
) -> Outcome | None:
    """Hand the open requests in, unless they are there already; fetch what is done.

    Returns:
        None where the provider is not finished and `wait` is off.

    Raises:
        JudgeConfigError: A recording is named.
        BudgetStop: The estimate is above the budget.
        JudgeSetupError: The endpoint refuses, or has no batches.
    """
    scene = open_scene(choices.where, choices.rubric, world)
    judge = find_judge(choices, scene, world)
    if isinstance(judge, ReplayChoice):
        raise JudgeConfigError("--judge", "names a recording", "name a judge with batches")
    key = config.api_key(judge, world.env)
    _check_budget(choices, scene, judge, world)
    folder = scene.workspace.judgments / "batches"
    out = folder / f"{scene.run_key.replace('/', '-')}.jsonl"
    done = batching.export(choices, world, out)
    noted = _noted(folder / f"{done.pass_id}.json")
    fetched: list[Path] = []

    async def main() -> bool:
        async with BatchEndpoint(judge, key) as endpoint:
            if not noted and done.requests:
                for path in done.paths:
                    noted.append((await endpoint.submit(path)).id)
                _note(folder / f"{done.pass_id}.json", noted)
            for batch_id in noted:
                state = await (
                    endpoint.wait(batch_id, every_s=every_s, tell=_teller(world))
                    if wait
                    else endpoint.state(batch_id)
                )
                _tell(world, state)
                if not state.done:
                    return False
                fetched.extend(await endpoint.download(state, folder))
            return True

    if not run_loop(main()):
        return None
    outcome = batching.take_replies(choices, world, tuple(fetched), progress)
    (folder / f"{done.pass_id}.json").unlink(missing_ok=True)
    return outcome


def _check_budget(choices: Choices, scene: Scene, judge: Judge, world: World) -> None:
    if choices.budget_usd is None:
        return
    with open_store(scene) as store:
        standing = stand(store, scene, judge, choices=choices, world=world)
        found = estimate(store, scene, standing, choices)
    if found.cost_usd is not None and found.cost_usd > choices.budget_usd:
        raise BudgetStop(
            f"the batch is estimated at {found.cost_usd:.2f} USD, above --budget-usd "
            f"{choices.budget_usd:g}; nothing was submitted"
        )


def _noted(path: Path) -> list[str]:
    if not path.is_file():
        return []
    found: list[str] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _note(path: Path, batch_ids: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".part")
    temporary.write_text(json.dumps(batch_ids), encoding="utf-8")
    temporary.replace(path)


def _teller(world: World) -> Callable[[BatchState], None]:
    return lambda state: _tell(world, state)


def _tell(world: World, state: BatchState) -> None:
    world.say(
        f"batch {state.id}: {state.status}, {state.completed} of {state.total} answered, "
        f"{state.failed} failed{': ' + state.message if state.message else ''}"
    )
