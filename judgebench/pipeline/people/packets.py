"""Single answers for people to mark: drawn by arm and by thirds of the judge's totals.

What such marks are good for is an arm's own mean. Differences of arms need items on
which all of them are marked, which `sample` draws.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from judgebench.blind.order import derive_seed
from judgebench.errors import RunError
from judgebench.model.draws import ArmPackets, PacketPrecision, Packets
from judgebench.pipeline.figures.analysis import Analysis
from judgebench.pipeline.people import possible_people
from judgebench.pipeline.people.against_people import MINUTES
from judgebench.pipeline.people.people_marks import arm_labels
from judgebench.pipeline.people.sample import ASSUMED, SampleChoices, judged_of, open_ground
from judgebench.pipeline.setting.scene import World
from judgebench.records import dataclass
from judgebench.stats.arrays import BoolArray, FloatArray
from judgebench.stats.corrected import LEAST_LABELS, expected_half_width
from judgebench.store.people import PacketRow
from judgebench.text import digest, plural

AN_ARM = 30
"""Answers of each arm, unless another number is asked for."""
THIRDS = 3
_STEPS = (10, 20, 30, 50, 100, 200)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Frame:
    """All answers of one arm that may be drawn, each with its stratum."""

    arm: int
    items: tuple[int, ...]
    strata: tuple[int, ...]


def draw_packets(run: Path, choices: SampleChoices, world: World) -> Packets:
    """Draw answers of each arm by strata and keep the draw with every chance.

    Args:
        run: The run as the user named it.
        choices: ``items`` is the number of answers in all; None for thirty an arm, or all.
        world: Clock.

    Raises:
        RunError: There is no database, no such arm, or an arm has too few answers.
        StoreError: Nothing is stored of this run.
    """
    with open_ground(run, choices, world) as ground:
        store, key, analysis, arms = ground.store, ground.key, ground.analysis, ground.arms
        names, tune = ground.items, ground.tune
        free = np.array([name not in tune for name in names], dtype=bool)
        most = min(int((np.isfinite(analysis.cells[arm]) & free).sum()) for arm in arms)
        usual = min(AN_ARM, max(most, 1))
        each = usual if choices.items is None else choices.items // len(arms)
        frames = [_frame(analysis.cells[arm], free, arm, each) for arm in arms]
        for frame in frames:
            _must_have(run, analysis.ids[frame.arm], frame, each)
        seed = derive_seed(key, "packets") if choices.seed is None else choices.seed
        rng = np.random.default_rng(seed)
        rows = list(_drawn(frames, each, names, analysis.ids, rng))
        ids = [analysis.ids[arm] for arm in arms]
        draw = digest([key, ids, seed, each, [[r.item, r.arm, r.stratum] for r in rows]])[:12]
        known = any(row["draw"] == draw for row in store.records("packet_draws", run=key))
        store.put_packet_draw(
            key, draw, rows, seed=seed, drawn_at=world.now().isoformat(timespec="microseconds")
        )
        made = _made(key, analysis, draw, rows, arms, seed=seed, already=known)
        return possible_people.packets(
            replace(
                made,
                usual=AN_ARM if choices.items is None and each < AN_ARM else None,
                rows=tuple(_precision(analysis.cells[arms][:, free], each)),
                for_tuning=judged_of(analysis, names, tune),
            )
        )


def _must_have(run: Path, arm: str, frame: _Frame, each: int) -> None:
    if each < 1 or len(frame.items) < each:
        raise RunError(
            run, f"has {plural(len(frame.items), 'judged answer')} of {arm} to draw from",
            f"ask for at least one and at most {len(frame.items):,} of each arm",
        )  # fmt: skip


def _frame(cells: FloatArray, free: BoolArray, arm: int, each: int) -> _Frame:
    """Thirds of the judge's totals, where each third will have ten labels; else one stratum."""
    items = np.flatnonzero(np.isfinite(cells) & free)
    parts = THIRDS if each >= THIRDS * LEAST_LABELS and items.size >= THIRDS * LEAST_LABELS else 1
    ordered = items[np.argsort(cells[items], kind="stable")]
    strata = np.empty(len(cells), dtype=np.int64)
    for number, members in enumerate(np.array_split(ordered, parts)):
        strata[members] = number
    return _Frame(
        arm=arm, items=tuple(items.tolist()), strata=tuple(strata[items].tolist())
    )  # fmt: skip


def _drawn(
    frames: Sequence[_Frame], each: int, names: Sequence[str], ids: Sequence[str],
    rng: np.random.Generator,
) -> Iterator[PacketRow]:  # fmt: skip
    """Those that are drawn, in an order by chance, and then all others."""
    chosen: list[PacketRow] = []
    others: list[PacketRow] = []
    for frame in frames:
        sizes = np.bincount(frame.strata)
        for number, wanted in enumerate(_allocated(sizes.tolist(), each)):
            members = [item for item, at in zip(frame.items, frame.strata, strict=True)
                       if at == number]  # fmt: skip
            for place, at in enumerate(rng.permutation(len(members)).tolist()):
                row = PacketRow(
                    item=names[members[at]], arm=ids[frame.arm], stratum=number,
                    probability=wanted / len(members), population=len(members),
                    chosen=place < wanted,
                )  # fmt: skip
                (chosen if row.chosen else others).append(row)
    yield from (chosen[at] for at in rng.permutation(len(chosen)).tolist())
    yield from others


def _allocated(sizes: Sequence[int], wanted: int) -> list[int]:
    """Shares of a sample in proportion to the strata; what is left goes to the largest rests."""
    exact = [size * wanted / sum(sizes) for size in sizes]
    out = [int(value) for value in exact]
    rests = sorted(range(len(sizes)), key=lambda at: (out[at] - exact[at], at))
    for at in rests[: wanted - sum(out)]:
        out[at] += 1
    return out


def _made(
    run: str, analysis: Analysis, draw: str, rows: Sequence[PacketRow], arms: Sequence[int], *,
    seed: int, already: bool,
) -> Packets:  # fmt: skip
    scale = analysis.rubric.scale
    labels: dict[str, dict[str, str]] = {}
    for row in rows:
        labels.setdefault(row.item, arm_labels(run, row.item, analysis.ids))
    chosen = [row for row in rows if row.chosen]
    return Packets(
        run_name=run,
        pass_id=analysis.shown.judging.id,
        draw=draw,
        packets=tuple((row.item, labels[row.item][row.arm]) for row in chosen),
        arms=tuple(
            _arm([row for row in rows if row.arm == analysis.ids[arm]], analysis.ids[arm])
            for arm in arms
        ),
        seed=seed,
        already=already,
        scale_low=scale.low,
        scale_high=scale.high,
        minutes=len(chosen) * MINUTES,
        rows=(),
        marks_only=analysis.shown.facts().marks_only,
    )  # fmt: skip


def _arm(rows: Sequence[PacketRow], arm: str) -> ArmPackets:
    return ArmPackets(
        arm=arm,
        answers=sum(row.chosen for row in rows),
        population=len(rows),
        strata=len({row.stratum for row in rows}),
        least=min(row.probability for row in rows),
        most=max(row.probability for row in rows),
    )


def _precision(cells: FloatArray, each: int) -> Iterator[PacketPrecision]:
    """What so many labels buy for the mean of the arm that spreads most, by the judge's spread."""
    known = np.isfinite(cells)
    spread = max(
        (float(row[ok].std(ddof=1)) for row, ok in zip(cells, known, strict=True) if ok.sum() > 1),
        default=0.0,
    )
    items = int(known.sum(axis=1).min())
    for n in sorted({n for n in (*_STEPS, each) if LEAST_LABELS <= n <= min(items, 2 * each)}):
        yield PacketPrecision(
            labels=n,
            half_width=expected_half_width(spread, ASSUMED, labels=n, items=items),
            people_half_width=expected_half_width(spread, 0.0, labels=n, items=items),
        )
