"""From a scored pass to its blindness probe: what it may use, and the way to the judge."""

from judgebench.errors import JudgebenchError
from judgebench.judges import config, wire
from judgebench.judges.budget import Limits
from judgebench.judges.config import ReplayChoice
from judgebench.judges.prices import cost_usd
from judgebench.model.blindness import Blindness
from judgebench.model.result import Result
from judgebench.pipeline.figures import probed
from judgebench.pipeline.figures.stored_pass import analyse
from judgebench.pipeline.scoring.blindness import Probe, check_probe
from judgebench.pipeline.scoring.score import Outcome, open_store
from judgebench.pipeline.sending.one_pass import price_of
from judgebench.pipeline.setting.choices import Choices
from judgebench.pipeline.setting.reading import reading_of
from judgebench.pipeline.setting.scene import Scene, World, find_judge
from judgebench.pipeline.setting.ways import way_to


def check_askable(choices: Choices, scene: Scene, world: World) -> None:
    """Refuse a probe that cannot be made, before anything is sent.

    Raises:
        JudgebenchError: The judge is a recording, or there is nobody to choose from.
    """
    refuse(scene, replayed=isinstance(find_judge(choices, scene, world), ReplayChoice))


def refuse(scene: Scene, *, replayed: bool) -> None:
    """Refuse a probe of a recording, or one with nobody to choose from.

    Raises:
        JudgebenchError: As said.
    """
    if replayed:
        raise JudgebenchError(
            "--probe-blindness needs a live judge; a recording holds no such answers"
        )
    check_probe(scene)


def probe_blindness(choices: Choices, world: World, outcome: Outcome) -> tuple[Blindness, Result]:
    """Ask the judge of a finished pass who wrote some of its outputs.

    Args:
        choices: With what the marking has left of the budgets.
        world: Environment and ears.
        outcome: The pass as it was scored.

    Returns:
        What came of it, and the result of the pass with it.

    Raises:
        JudgebenchError: A budget ended it, or the endpoint refuses.
    """
    scene, standing = outcome.scene, outcome.standing
    judge = standing.judge
    key = config.api_key(judge, world.env)
    price = price_of(judge, choices)
    with open_store(scene) as store:
        row = next(
            one for one in store.find_passes(scene.run_key)
            if one.judging.id == standing.row.judging.id
        )  # fmt: skip
        probe = Probe(
            store=store,
            scene=scene,
            row=row,
            judge=judge,
            limits=Limits(
                concurrency=choices.concurrency,
                rpm=judge.rpm,
                tpm=judge.tpm,
                max_requests=choices.max_requests,
                budget_usd=choices.budget_usd,
                cost=None if price is None else (lambda usage: cost_usd(price, usage)),
                announce=world.say,
            ),
            settled=wire.Settled.from_json(row.settled) if row.settled else wire.first(judge),
            way=lambda: way_to(judge, key, choices.concurrency),
        )
        found = probe.probe()
        probed.keep(scene.workspace.judgments, found)
        again = analyse(
            store, scene.run_key, pass_id=row.judging.id, reading=reading_of(row), varied=True
        )
    return found, again
