"""`judge drift`: anchors of a finished pass judged again, in the same pass, counting nowhere.

The anchors of a pass are frozen: drawn once from its seed, so that every check judges
the same answers. A check that was broken off is gone on with by the same command.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from math import sqrt
from pathlib import Path

import numpy as np

from judgebench.blind import order
from judgebench.errors import JudgebenchError
from judgebench.judges import config
from judgebench.judges.config import ReplayChoice
from judgebench.judges.finding_prompts import findings_version
from judgebench.judges.prompts import prompt_version
from judgebench.model import Estimate, Judge, Mode, Purpose, Refusal, Rubric
from judgebench.model.drifting import Drift, DriftCheck
from judgebench.pipeline import possible
from judgebench.pipeline.analysing import choose
from judgebench.pipeline.choices import Choices
from judgebench.pipeline.drift import CHECK_REPEATS, following
from judgebench.pipeline.gather import FloatArray, IntArray, lacking
from judgebench.pipeline.plan import Again
from judgebench.pipeline.prepare import Preparer
from judgebench.pipeline.scene import Scene, World, open_scene
from judgebench.pipeline.score import open_store
from judgebench.pipeline.send import Progress, SendReport
from judgebench.pipeline.sending import Sending, price_of, send
from judgebench.pipeline.standing import Standing, reading_of, requests, take_in
from judgebench.pipeline.unread import read_unread
from judgebench.pipeline.ways import way_to
from judgebench.rubrics.load import parse_rubric
from judgebench.stats import drift, planning, repeatability
from judgebench.stats.arrays import lattice_step
from judgebench.stats.intervals import t_quantile
from judgebench.store.rows import PassRow
from judgebench.store.store import Store

LEAST_ANCHORS, MOST_ANCHORS = 12, 60


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
    """Judge the anchors of a pass again, and hold them against their first totals.

    Args:
        choices: Run, judge, budgets.
        world: Clock, environment, ears.
        progress: Told how far it is.
        baseline: The pass.
        anchors: How many answers; None for a tenth, at least 12 and at most 60.

    Raises:
        JudgebenchError: The pass cannot be asked anew; the message says why.
    """
    scene = open_scene(choices.where, choices.rubric, world)
    if not scene.workspace.database.is_file():
        raise JudgebenchError(f"{choices.where.run}: was never judged here; judge score does it")
    with open_store(scene) as store:
        row = choose(store.find_passes(scene.run_key) or _none(scene), baseline, store)
        _must_be_asked(row)
        rubric = _rubric(store, row)
        scene = replace(scene, rubric=rubric)
        judge = _judge(choices, scene, row, world)
        key = "" if choices.dry_run else config.api_key(judge, world.env)
        standing, number, cells = _stand(store, scene, row, judge, world=world, anchors=anchors)
        if choices.dry_run:
            return _dry(store, row, cells)
        if cells:
            standing = _extend(store, scene, standing, number, cells)
        mine = [one for one in store.iter_open(row.judging.id) if one.repeat == number]
        planned, _ = _requests(store, row, rubric, number)
        world.say(
            f"pass {row.judging.id} (judge {row.judging.judge_name}): {len(mine)} of {planned} "
            "requests for drift open"
        )
        sent = _send(store, scene, standing, key, choices=choices, world=world, progress=progress)
        made = _read(store, scene, standing.row, rubric, number)
    return Drifted(drift=made, planned=planned, open=len(mine), sent=sent)


def _none(scene: Scene) -> list[PassRow]:
    raise JudgebenchError(f"{scene.run_key}: was never judged here; judge score does it")


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
            f"{name} counts faults in projects: judge rejudge judges them once more and compares"
        )
    if judging.prompt_version != prompt_version(judging.mode):
        raise JudgebenchError(
            f"{name} was asked with other prompt templates than this version has: the same "
            "requests cannot be sent again; judge rejudge compares two passes"
        )


def _rubric(store: Store, row: PassRow) -> Rubric:
    ((_, text),) = store.rows("rubric", ask=row.judging.ask_sha256, sum=row.sum_sha256)
    return parse_rubric(text, Path(f"{row.judging.rubric_name}.yaml"))


def _judge(choices: Choices, scene: Scene, row: PassRow, world: World) -> Judge:
    found = config.resolve_judge(
        choices.judge or row.judging.judge_name, judges_toml=scene.workspace.judges_toml,
        env=world.env, run=scene.run,
    )  # fmt: skip
    if isinstance(found, ReplayChoice):
        raise JudgebenchError("a recording answers as it did and cannot drift; name a live judge")
    if found.sha256 != row.judging.judge_sha256:
        raise JudgebenchError(
            f"{found.name} is another judge than pass {row.judging.id} had (model, endpoint or "
            "parameters differ): that is no drift; judge score makes a pass of its own"
        )
    return found if choices.timeout_s is None else replace(found, timeout_s=choices.timeout_s)


# ---- the plan


def _stand(
    store: Store, scene: Scene, row: PassRow, judge: Judge, *, world: World, anchors: int | None
) -> tuple[Standing, int, frozenset[tuple[str, str]]]:
    """The pass, the number of the check, and the anchors that are yet to be planned.

    A check that was broken off has its anchors in the plan: it is gone on with.
    """
    judging = row.judging
    content = take_in(
        store, scene, blinding=judging.blinding, reading=reading_of(row), world=world
    )  # fmt: skip
    standing = Standing(row=row, judge=judge, change=None, content=content)
    open_ = list(store.iter_open(judging.id))
    if any(one.repeat <= CHECK_REPEATS for one in open_):
        raise JudgebenchError(f"pass {judging.id} is unfinished; judge score goes on with it first")
    if open_:
        return standing, max(one.repeat for one in open_), frozenset()
    if row.content_sha256 not in {None, content}:
        raise JudgebenchError(
            f"{scene.run_key} has changed since pass {judging.id}; judge score takes the changes in"
        )
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
    left = left or len(list(store.iter_open(row.judging.id)))
    return Drifted(drift=None, planned=left, open=left, sent=None)


def _extend(
    store: Store, scene: Scene, standing: Standing, number: int, cells: frozenset[tuple[str, str]]
) -> Standing:
    """The pass with the anchors in its plan; all else in it stays."""
    judging = standing.row.judging
    planned: dict[tuple[str, str], tuple[int, ...]] = {}
    for item, arm, repeat in store.rows("drift_planned", pass_id=judging.id):
        planned[item, arm] = (*planned.get((item, arm), ()), repeat)
    for cell in cells:
        planned[cell] = (*planned.get(cell, ()), number)
    noisy = store.rows("noise_planned", pass_id=judging.id)
    again = Again(noise=frozenset((item, arm) for item, arm in noisy), drift=planned)
    change = store.set_plan(judging.id, requests(store, standing.row, scene, again=again))
    return replace(standing, change=change)


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


# ---- sending


def _send(
    store: Store,
    scene: Scene,
    standing: Standing,
    key: str,
    *,
    choices: Choices,
    world: World,
    progress: Callable[[Progress], None],
) -> SendReport | None:
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


# ---- reading


@dataclass(frozen=True, kw_only=True, slots=True)
class _Again:
    """Totals of one kind of judging over the grid of cells, shapes (A, I)."""

    total: FloatArray
    count: IntArray
    last_at: float


class _Totals:
    """Every total of a pass, by what it was for."""

    def __init__(self, store: Store, row: PassRow) -> None:
        judging = row.judging
        found = store.columns("scored_again", pass_id=judging.id, run=judging.run)
        self.at = tuple(np.asarray(found[name], dtype=np.int64) for name in ("arm", "item"))
        self.purpose = np.asarray(found["purpose"], dtype=object)
        self.repeat = np.asarray(found["repeat"], dtype=np.int64)
        self.total = np.asarray(found["total"], dtype=np.float64)
        self.judged_at = np.asarray(found["judged_at"], dtype=np.float64)
        self.shape = tuple(int(one.max(initial=0)) + 1 for one in self.at)

    def of(self, purpose: str, number: int | None = None) -> _Again:
        """Mean totals of one purpose, of one numbered judging where it is given."""
        kept = self.purpose == purpose
        if number is not None:
            kept &= self.repeat == number
        total, count = np.zeros(self.shape), np.zeros(self.shape, dtype=np.int64)
        at = tuple(one[kept] for one in self.at)
        np.add.at(total, at, self.total[kept])
        np.add.at(count, at, 1)
        mean = np.where(count > 0, total / np.maximum(count, 1), np.nan)
        last = float(self.judged_at[kept].max(initial=0.0))
        return _Again(total=mean, count=count, last_at=last)

    def rows(self) -> FloatArray:
        """Main and noise judgings of every cell, shape (cells, R)."""
        kept = self.purpose != Purpose.DRIFT.value
        repeats = int(self.repeat[kept].max(initial=1))
        grid = np.full((*self.shape, repeats), np.nan)
        grid[(*(one[kept] for one in self.at), self.repeat[kept] - 1)] = self.total[kept]
        return grid.reshape(-1, repeats)

    def numbers(self) -> list[int]:
        """Checks, in their order; what an extension judged again is none."""
        return sorted(set(self.repeat[self.repeat > CHECK_REPEATS].tolist()))


def _requests(store: Store, row: PassRow, rubric: Rubric, number: int) -> tuple[int, int]:
    """Requests of one check, and how many of them have no total on the judge's side."""
    judging = row.judging
    without = lacking(judging, rubric, reading_of(row))
    ((planned, blocked),) = store.rows(
        "drift_requests", pass_id=judging.id, number=number, **without
    )  # fmt: skip
    return int(planned), int(blocked)


def _read(store: Store, scene: Scene, row: PassRow, rubric: Rubric, number: int) -> Drift | None:
    totals = _Totals(store, row)
    if number not in totals.numbers():
        return None
    judging, first = row.judging, totals.of(Purpose.MAIN.value)
    step = lattice_step(totals.total, scale_step=rubric.scale.step)
    noise = repeatability.rescoring_sd(totals.rows(), step=step)
    span = rubric.scale.high - rubric.scale.low
    now = _check(totals, first, number, step)
    again = totals.of(Purpose.DRIFT.value, number)
    second = totals.of(Purpose.NOISE.value)
    then, late = _answered(store, judging.id, number)
    reach = _reach(first, again, noise)
    return Drift(
        run_name=scene.run_key,
        pass_id=judging.id,
        judge_name=judging.judge_name,
        judge_model=judging.judge_model,
        rubric_name=judging.rubric_name,
        scale_low=rubric.scale.low,
        scale_high=rubric.scale.high,
        judged_at=_day(float(totals.judged_at.min())),
        verdict=_verdict(now.gap, reach, changed=not set(late) <= set(then)),
        now=replace(now, gap=possible.gap(now.gap, span)),
        items=int((np.isfinite(first.total) & np.isfinite(again.total)).any(axis=0).sum()),
        detectable=possible.reached(_detectable(now.gap), span),
        noise=noise if isinstance(noise, Refusal) else noise.sd,
        noise_reach=reach,
        same_day=drift.shift(first.total, second.total, (first.count, second.count), step=step),
        answered_then=then,
        answered_now=late,
        blocked=_requests(store, row, rubric, number)[1],
        earlier=tuple(
            replace(one, gap=possible.gap(one.gap, span))
            for one in (_check(totals, first, n, step) for n in totals.numbers() if n != number)
        ),
    )


def _check(totals: _Totals, first: _Again, number: int, step: float) -> DriftCheck:
    again = totals.of(Purpose.DRIFT.value, number)
    return DriftCheck(
        number=number - CHECK_REPEATS,
        at=_day(again.last_at),
        answers=int((np.isfinite(first.total) & np.isfinite(again.total)).sum()),
        gap=drift.shift(first.total, again.total, (first.count, again.count), step=step),
    )


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, tz=UTC).date().isoformat()


def _reach(first: _Again, again: _Again, noise: repeatability.Rescoring | Refusal) -> float | None:
    """How far the mean gap goes by re-scoring noise alone, in 95 of 100 checks."""
    if isinstance(noise, Refusal):
        return None
    there = np.isfinite(first.total) & np.isfinite(again.total)
    cells = there.sum(axis=0)
    if not cells.any():
        return None
    shares = np.where(there, 1 / np.maximum(first.count, 1) + 1 / np.maximum(again.count, 1), 0.0)
    items = int((cells > 0).sum())
    spread = float((shares.sum(axis=0) / np.maximum(cells, 1) ** 2).sum()) / items**2
    return t_quantile(0.975, noise.df) * noise.sd.value * sqrt(spread)


def _detectable(gap: Estimate | Refusal) -> float | None:
    if isinstance(gap, Refusal) or gap.low is None or gap.high is None:
        return None
    sd = (gap.high - gap.low) / 2 / t_quantile(0.975, gap.n - 1) * sqrt(gap.n)
    found = planning.detectable_difference(sd, gap.n)
    return found.value if isinstance(found, Estimate) else None


def _verdict(gap: Estimate | Refusal, reach: float | None, *, changed: bool) -> str:
    if changed:
        return "new_judge"
    if isinstance(gap, Refusal) or gap.low is None or gap.high is None:
        return "undecided"
    beyond = reach is None or abs(gap.value) > reach
    return "drifted" if not gap.low <= 0 <= gap.high and beyond else "no_drift"


def _answered(store: Store, pass_id: str, number: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who answered in the pass, and in this check."""
    found = store.records("answered_by", pass_id=pass_id)
    then = dict.fromkeys(_names(one for one in found if one["purpose"] != Purpose.DRIFT.value))
    late = dict.fromkeys(_names(one for one in found if one["again"] == number))
    return tuple(then), tuple(late)


def _names(found: Iterator[dict[str, object]]) -> Iterator[str]:
    for one in found:
        model, mark = one["model_answered"] or "unknown", one["fingerprint"]
        yield f"{model} ({mark})" if mark else str(model)
