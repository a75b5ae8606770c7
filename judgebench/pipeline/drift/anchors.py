"""Anchors of a finished pass: the answers of it that are judged again, for drift and for a bridge.

They are frozen: drawn once from the pass's seed, so that every check judges the same answers.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from judgebench.blind import order
from judgebench.errors import JudgebenchError
from judgebench.judges import config
from judgebench.judges.config import ReplayChoice
from judgebench.model.nouns import Judge
from judgebench.model.rubric import Rubric
from judgebench.pipeline.figures.stored_pass import choose
from judgebench.pipeline.planning.intake import take_in
from judgebench.pipeline.planning.prepare import Preparer
from judgebench.pipeline.planning.standing import Standing
from judgebench.pipeline.sending.one_pass import Sending, price_of, send
from judgebench.pipeline.sending.sent import Progress, SendReport
from judgebench.pipeline.sending.unread import read_unread
from judgebench.pipeline.setting.choices import Choices
from judgebench.pipeline.setting.places import never_judged
from judgebench.pipeline.setting.reading import reading_of
from judgebench.pipeline.setting.scene import Scene, World, open_scene
from judgebench.pipeline.setting.ways import way_to
from judgebench.rubrics.load import parse_rubric
from judgebench.store.passes import PassRow
from judgebench.store.store import Store

LEAST_ANCHORS, MOST_ANCHORS = 12, 60


def judged_scene(choices: Choices, world: World) -> Scene:
    """The scene of a run that was judged before.

    Raises:
        JudgebenchError: There is no database yet.
    """
    scene = open_scene(choices.where, choices.rubric, world)
    if not scene.workspace.database.is_file():
        raise never_judged(choices.where.run)
    return scene


def base_of(store: Store, scene: Scene, choices: Choices, baseline: str) -> PassRow:
    """The pass whose anchors are judged again.

    Raises:
        JudgebenchError: The run has none, or none of this name.
    """
    known = store.find_passes(scene.run_key)
    if not known:
        raise never_judged(choices.where.run)
    return choose(known, baseline)


def live_judge(
    choices: Choices, scene: Scene, base: PassRow, world: World, *, recorded: str
) -> Judge:
    """The judge that is asked now: the one named, or that of the pass.

    Raises:
        JudgebenchError: It is a recording; `recorded` says why that will not do.
    """
    found = config.resolve_judge(
        base.judging.judge_name if choices.judge is None else choices.judge,
        judges_toml=scene.workspace.judges_toml,
        env=world.env, run=scene.run,
    )  # fmt: skip
    if isinstance(found, ReplayChoice):
        raise JudgebenchError(recorded)
    return found if choices.timeout_s is None else replace(found, timeout_s=choices.timeout_s)


def content_now(store: Store, scene: Scene, base: PassRow, world: World) -> str:
    """Take the run in as the pass took it; the hash of what it holds now."""
    return take_in(
        store, scene, blinding=base.judging.blinding, reading=reading_of(base), world=world
    )  # fmt: skip


def must_be_unchanged(scene: Scene, base: PassRow, content: str) -> None:
    """Refuse a run whose answers are others than those of the pass.

    Raises:
        JudgebenchError: They are.
    """
    if base.content_sha256 not in {None, content}:
        raise JudgebenchError(
            f"{scene.run_key} has changed since pass {base.judging.id}; judge score takes the "
            "changes in"
        )


def rubric_of(store: Store, row: PassRow) -> Rubric:
    """The rubric that a pass was judged under, with the sums that it has now."""
    ((_, text),) = store.rows("rubric", ask=row.judging.ask_sha256, sum=row.sum_sha256)
    return parse_rubric(text, Path(f"{row.judging.rubric_name}.yaml"))


def frozen(
    seed: int, cells: Sequence[tuple[str, str]], wanted: int | None, *, whole: bool
) -> frozenset[tuple[str, str]]:
    """The anchors of a pass: always the same, and fewer of them are among the more.

    Args:
        seed: Of the pass.
        cells: (item, arm) that were judged.
        wanted: How many; None for a tenth, at least 12 and at most 60.
        whole: All answers of an item are judged together: whole items, to cover as many.
    """
    count = wanted or min(MOST_ANCHORS, max(LEAST_ANCHORS, -(-len(cells) // 10)))
    if not whole:
        return frozenset(sorted(cells, key=lambda c: (_rank(seed, *c), c))[:count])
    items = sorted({item for item, _ in cells}, key=lambda item: (_rank(seed, item), item))
    kept: set[tuple[str, str]] = set()
    for item in items:
        if len(kept) >= count:
            break
        kept |= {cell for cell in cells if cell[0] == item}
    return frozenset(kept)


def _rank(seed: int, *names: str) -> int:
    return order.derive_seed(str(seed), "anchor", *names)


def send_anchors(
    store: Store,
    scene: Scene,
    standing: Standing,
    key: str,
    *,
    choices: Choices,
    world: World,
    progress: Callable[[Progress], None],
) -> SendReport | None:
    """Send what is open of a pass, and close it where nothing is left.

    Args:
        store: Open for writing.
        scene: Run and rubric.
        standing: The pass with its plan.
        key: Key of the endpoint.
        choices: Budgets and speed.
        world: Clock and ears.
        progress: Told how far it is.
    """
    judging = standing.row.judging
    preparer = Preparer(scene.run, scene.rubric, judging)
    price = price_of(standing.judge, choices)
    read_unread(store, Sending(store, preparer, standing, price=price), standing)
    sent = None
    if next(iter(store.iter_open(judging.id)), None) is not None:
        sent = send(
            store, preparer, standing,
            transport=lambda: way_to(standing.judge, key, choices.concurrency),
            choices=choices, price=price, announce=world.say, progress=progress,
        )  # fmt: skip
    planned, answered = store.progress(judging.id)
    if planned == answered:
        store.finish_pass(
            judging.id,
            finished_at=world.now().isoformat(timespec="seconds"),
            content_sha256=standing.content,
        )
    return sent
