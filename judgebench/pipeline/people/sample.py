"""Which items people should mark: drawn at random, with what that buys."""

import json
import math
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path

import numpy as np

from judgebench.blind.order import derive_seed
from judgebench.errors import RunError
from judgebench.model.draws import Precision, Sample
from judgebench.model.nouns import Refusal
from judgebench.pipeline.figures.analysis import Analysis
from judgebench.pipeline.figures.stored_pass import people_pass, read_analysis
from judgebench.pipeline.people import possible_people
from judgebench.pipeline.people.against_people import MINUTES
from judgebench.pipeline.people.noting import open_to_note
from judgebench.pipeline.people.people_marks import read_people
from judgebench.pipeline.people.reach import left_outside
from judgebench.pipeline.people.splitting import tune_items
from judgebench.pipeline.setting.scene import World
from judgebench.pipeline.setting.stored_run import must_be_known, stored_place
from judgebench.records import dataclass
from judgebench.stats import human, planning, spreads
from judgebench.stats.arrays import BoolArray, FloatArray
from judgebench.stats.corrected import LEAST_LABELS, expected_half_width, labels_needed
from judgebench.stats.share_spreads import share_spreads
from judgebench.store.people import DrawRow
from judgebench.store.store import Store
from judgebench.text import digest, one_line, plural, printable

ASSUMED = 0.7
"""Correlation of people and judge where nobody marked anything yet."""
NOT_KEPT = "this draw is not kept; draw it again where it is, before people mark"
_STEPS = (10, 20, 30, 50, 100, 200)
_PILOT = 5
"""Items that both marked, from which their spread and correlation are taken."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SampleChoices:
    """What the user asks for."""

    items: int | None
    """How many; None for all, in an order by chance."""
    usual: bool = False
    """Nobody asked for that number: fewer will do where there are no more."""
    width: float | None = None
    """In place of a number: the half width that a corrected difference is to have."""
    arms: tuple[str, ...] = ()
    seed: int | None = None
    pass_id: str | None = None


@dataclass(frozen=True, kw_only=True)
class Ground:
    """What is drawn from."""

    store: Store
    key: str
    """The run's name in the store."""
    analysis: Analysis
    arms: list[int]
    """Places of the arms that are asked about."""
    items: list[str]
    tune: frozenset[str]
    """Items that are set apart for tuning, which no draw takes."""


@contextmanager
def open_ground(run: Path, choices: SampleChoices, world: World) -> Iterator[Ground]:
    """The store, open to note a draw, with the marks that the draw goes by.

    Raises:
        RunError: There is no database, or no such arm.
        StoreError: Nothing is stored of this run.
    """
    workspace, key = stored_place(run, world.cwd)
    with open_to_note(workspace.database, world, lost=NOT_KEPT) as (store, _):
        must_be_known(store, key, run, world.cwd)
        analysis = read_analysis(store, key, pass_id=choices.pass_id)
        yield Ground(
            store=store,
            key=key,
            analysis=analysis,
            arms=_arms_of(run, analysis, choices.arms),
            items=[name for (name,) in store.rows("items", run=key)],
            tune=tune_items(store, key),
        )


def draw_sample(run: Path, choices: SampleChoices, world: World) -> Sample:
    """Draw items with equal chance and keep the draw.

    Raises:
        RunError: There is no database, no such arm, too few items, or not even all of them
            give the width that was asked for.
        StoreError: Nothing is stored of this run.
    """
    with open_ground(run, choices, world) as ground:
        store, key, analysis, arms = ground.store, ground.key, ground.analysis, ground.arms
        names, tune = ground.items, ground.tune
        whole = np.asarray(np.isfinite(analysis.cells[arms]).all(axis=0), dtype=bool)
        population = [n for n, ok in zip(names, whole.tolist(), strict=True)
                      if ok and n not in tune]  # fmt: skip
        wanted = len(population) if choices.items is None else choices.items
        if choices.usual and population:
            wanted = min(wanted, len(population))
        if choices.width is not None and population:
            wanted = _wished(ground, arms, _free(ground), run=run, width=choices.width)
        if not population or len(population) < wanted:
            raise RunError(
                run,
                f"has {plural(len(population), 'item')} that all these arms share"
                + (" and that are not for tuning" if tune else ""),
                _way_out(analysis, _free(ground), arms, wanted),
            )
        seed = derive_seed(key, "sample") if choices.seed is None else choices.seed
        order = np.random.default_rng(seed).permutation(len(population))[:wanted]
        ids = tuple(analysis.ids[at] for at in arms)
        row = DrawRow(
            run=key,
            draw=digest([key, ids, seed, wanted, population])[:12],
            items=tuple(population[at] for at in order),
            probability=wanted / len(population),
            arms=json.dumps(ids),
            seed=seed,
            drawn_at=world.now().isoformat(timespec="microseconds"),
        )
        already = any(one["draw"] == row.draw for one in store.records("draws", run=key))
        store.put_draw(row)
        return _priced(store, analysis, arms, row, len(population), already=already)


def _free(ground: Ground) -> BoolArray:
    """Which answers were judged, shape (A, I), on items that are not for tuning."""
    free = [name not in ground.tune for name in ground.items]
    return np.asarray(np.isfinite(ground.analysis.cells)[:, free], dtype=bool)


def _way_out(analysis: Analysis, there: BoolArray, arms: list[int], wanted: int) -> str:
    """What to ask for in place of more items than these arms share."""
    ways = []
    if most := int(there[arms].all(axis=0).sum()):
        ways.append(f"ask for at most {most:,}")
    _, wider = left_outside(there, arms)
    if wider:
        names = shlex.quote(",".join(printable(analysis.ids[at]) for at in wider))
        reached = int(there[wider].all(axis=0).sum())
        ways.append(f"take --arms {names} --items {min(wanted, reached) or reached}")
    return ", or ".join(ways) or "judge more items first"


def _wished(ground: Ground, arms: list[int], there: BoolArray, *, run: Path, width: float) -> int:
    """Fewest items whose labels give a corrected difference of ± `width`."""
    population = int(there[arms].all(axis=0).sum())
    enough, least = _reach(ground, arms, population, width)
    if enough is not None:
        return enough
    why = f"corrected figures need {LEAST_LABELS} items"
    if least is not None:
        why = f"labels on all would give about ± {least:g}"
    raise RunError(
        run,
        f"cannot give ± {width:g} with its {plural(population, 'item')}: {why}",
        _wider_way(ground, arms, there, least, width),
    )


def _reach(
    ground: Ground, arms: list[int], population: int, width: float
) -> tuple[int | None, float | None]:
    """Items that give a width, and the least width that all of them give, rounded up."""
    if population < LEAST_LABELS:
        return None, None
    spread, _, rho = _spread(ground.store, ground.analysis, arms)
    assumed = ASSUMED if rho is None else rho
    least = expected_half_width(spread, assumed, labels=population, items=population)
    enough = labels_needed(spread, assumed, half_width=width, items=population)
    return enough, math.ceil(least * 100) / 100


def _wider_way(
    ground: Ground, arms: list[int], there: BoolArray, least: float | None, width: float
) -> str:
    """A width that can be had, of these arms or of those that share more items."""
    ways = [] if least is None else [f"ask for --width {least:g}"]
    _, wider = left_outside(there, arms)
    if wider:
        reached = int(there[wider].all(axis=0).sum())
        enough, other = _reach(ground, wider, reached, width)
        if other is not None:
            names = shlex.quote(",".join(printable(ground.analysis.ids[at]) for at in wider))
            ways.append(f"--arms {names} --width {width if enough is not None else other:g}")
    return ", or ".join(ways) or f"judge more items first: {LEAST_LABELS} that all arms share"


def judged_of(analysis: Analysis, names: Sequence[str], wanted: frozenset[str]) -> int:
    """How many of these items the judge marked."""
    judged = np.isfinite(analysis.cells)
    return sum(bool(judged[:, at].any()) for at, name in enumerate(names) if name in wanted)


def _arms_of(run: Path, analysis: Analysis, wanted: tuple[str, ...]) -> list[int]:
    """Places of the arms that were named, or of all with marks.

    Raises:
        RunError: There is no such arm.
    """
    for arm in wanted:
        if arm not in analysis.ids:
            have = one_line(", ".join(analysis.ids), 100)
            raise RunError(run, f"has no arm {one_line(arm, 40)}", f"it has: {have}")
    chosen = [analysis.ids.index(arm) for arm in dict.fromkeys(wanted)]
    scored = np.isfinite(analysis.cells).any(axis=1)
    return chosen or np.flatnonzero(scored).tolist()


def _priced(
    store: Store,
    analysis: Analysis,
    arms: list[int],
    row: DrawRow,
    population: int,
    *,
    already: bool,
) -> Sample:
    spread, source, rho = _spread(store, analysis, arms)
    assumed = ASSUMED if rho is None else rho
    wanted = len(row.items)
    steps = sorted({n for n in (*_STEPS, wanted) if LEAST_LABELS <= n <= population})
    near = [n for n in steps if n <= 2 * wanted or n == steps[0]]
    tune = tune_items(store, row.run)
    names = [name for (name,) in store.rows("items", run=row.run)]
    free = [at for at, name in enumerate(names) if name not in tune]
    there = np.isfinite(analysis.cells)[:, free]
    outside, wider = left_outside(there, arms)
    scale = analysis.rubric.scale
    made = Sample(
        run_name=row.run,
        pass_id=analysis.shown.judging.id,
        draw=row.draw,
        items=row.items,
        arms=tuple(analysis.ids[at] for at in arms),
        population=population,
        probability=row.probability,
        seed=row.seed,
        already=already,
        scale_low=scale.low,
        scale_high=scale.high,
        spread=spread,
        spread_from=source,
        correlation=assumed,
        correlation_known=rho is not None,
        rows=tuple(
            Precision(
                labels=n,
                half_width=expected_half_width(spread, assumed, labels=n, items=population),
                people_half_width=expected_half_width(spread, 0.0, labels=n, items=population),
                minutes=n * len(arms) * MINUTES,
            )
            for n in near
        ),
        minutes=wanted * len(arms) * MINUTES,
        marks_only=analysis.shown.facts().marks_only,
        outside=outside,
        wider=tuple(analysis.ids[at] for at in wider),
        wider_items=int(there[wider].all(axis=0).sum()) if wider else 0,
        for_tuning=judged_of(analysis, names, tune),
    )
    return possible_people.sample(made)


def _spread(
    store: Store, analysis: Analysis, arms: list[int]
) -> tuple[float, str, float | None]:  # fmt: skip
    """Spread of the worst pair's differences and how judge and people correlate in it."""
    pilot = _pilot(store, analysis, arms)
    if pilot is not None:
        return (pilot[0], "people", pilot[1])
    worst = spreads.worst_spread(
        analysis.cells[arms], analysis.repeats[arms], step=analysis.step,
        clusters=analysis.clusters,
    )  # fmt: skip
    scale = analysis.rubric.scale
    if isinstance(worst, Refusal):
        if analysis.marks.compared is not None:
            return share_spreads(max(2, len(arms)))[2], "assumed", None
        return planning.SPREADS[2] * (scale.high - scale.low) / 9, "assumed", None
    return worst.sd, "judge" if worst.measured is None else "floor", None


def _pilot(store: Store, analysis: Analysis, arms: list[int]) -> tuple[float, float] | None:
    run = analysis.shown.judging.run
    row = people_pass(store, run)
    if row is None:
        return None
    criteria = [criterion.id for criterion in analysis.rubric.criteria]
    people = read_people(
        store, row.judging.id, arms=analysis.ids, criteria=criteria,
        items=[name for (name,) in store.rows("items", run=run)],
    )  # fmt: skip
    overall = people.marks[:, :, -1]
    marks = overall if np.isfinite(overall).any() else people.marks[:, :, :-1].mean(axis=2)
    if not marks.shape[2]:
        return None
    cells, _ = human.people_cells(marks)
    best: tuple[float, float] | None = None
    for a, b in combinations(arms, 2):
        one = _of_pair(cells[a] - cells[b], analysis.cells[a] - analysis.cells[b])
        if one is not None and (best is None or one[0] > best[0]):
            best = one
    return best


def _of_pair(y: FloatArray, f: FloatArray) -> tuple[float, float] | None:
    both = np.isfinite(y) & np.isfinite(f)
    if both.sum() < _PILOT or not y[both].std() or not f[both].std():
        return None
    return float(y[both].std(ddof=1)), float(np.corrcoef(y[both], f[both])[0, 1])
