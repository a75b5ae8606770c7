"""One judge under one rubric over all passes in a store; sends nothing.

What is pooled over passes is pooled within cells or within items, so that runs of
other difficulty do not pass for disagreement or noise.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from judgebench.errors import StoreError
from judgebench.model import Biases, BlockedCount, Estimate, Mode, Refusal, RefusalCode
from judgebench.model.card import (
    Answered,
    Card,
    CardBeside,
    CardControls,
    CardCount,
    CardFailure,
    CardPass,
)
from judgebench.model.extended import RepeatExtra
from judgebench.pipeline import possible
from judgebench.pipeline.analyse import Analysis
from judgebench.pipeline.analysing import LOCK_WAIT_S, choose, people_pass, stored_pass
from judgebench.pipeline.biases import probe, run_folder
from judgebench.pipeline.extend import repeat_row
from judgebench.pipeline.gather import blocked_judgments, read_marks
from judgebench.pipeline.marked import Marks, given_marks
from judgebench.pipeline.people import read_people
from judgebench.pipeline.places import run_key
from judgebench.runs.workspace import Workspace, find_workspace
from judgebench.stats import agreement, bias, checks, controls, ordering, repeatability
from judgebench.stats.arrays import FloatArray, nan_mean
from judgebench.store.rows import PassRow
from judgebench.store.store import Store
from judgebench.text import one_line

CARDS = "cards"
PEOPLE = "people"
_WIDE = 20
"""Scales that span more are read as intervals, others as ranks."""


def card_of(
    target: str, cwd: Path, *, pass_id: str | None = None, rubric: str | None = None
) -> tuple[Card, Path, str]:
    """The card of a judge, or of the judge of a run.

    Args:
        target: A run folder, or the name, model or hash of a judge in the store.
        cwd: Where the user stands.
        pass_id: Which pass of a run names the judge; None for the one that tables show.
        rubric: Name of the rubric, where a judge has worked under several.

    Returns:
        The card, the folder for it, and the name of its files.

    Raises:
        StoreError: There is no database, or it knows no such run or judge, or several.
    """
    workspace = find_workspace(cwd / target, cwd=cwd)
    if not workspace.database.is_file():
        raise StoreError(f"{workspace.root}: nothing was judged here; judge score does it")
    with Store.open(workspace.database, create=False, read_only=True, wait_s=LOCK_WAIT_S) as store:
        every = store.find_passes(None)
        judged = [row for row in every if not row.facts().by_people]
        chosen = _choose(
            store, judged, target, run_key(cwd / target, workspace), pass_id=pass_id, rubric=rubric
        )
        mine = [row for row in judged if _identity(row) == _identity(chosen)]
        made = _Carding(store, mine, judged, workspace).card()
    return made, workspace.reports / CARDS, _file(chosen, judged)


def _identity(row: PassRow) -> tuple[str, str]:
    return row.judging.judge_sha256, row.judging.ask_sha256


def _choose(
    store: Store, judged: list[PassRow], target: str, run: str, *, pass_id: str | None,
    rubric: str | None,
) -> PassRow:  # fmt: skip
    of_run = [row for row in judged if row.judging.run == run]
    if of_run:
        return choose(of_run, pass_id, store)
    found = [row for row in judged if target in {row.judging.judge_name, row.judging.judge_model}]
    found = found or [r for r in judged if len(target) > 5 and _hashed(r, target)]  # noqa: PLR2004
    found = [row for row in found if rubric is None or _is_rubric(row, rubric)]
    if not found:
        names = sorted({row.judging.judge_name for row in judged})
        known = ", ".join(one_line(name, 40) for name in names) or "none"
        raise StoreError(
            f"{store.path}: no judged run and no judge is called {one_line(target, 60)}"
            f"{' under this rubric' if rubric else ''}; judges there: {known}"
        )
    kinds = {_identity(row): row for row in found}
    if len(kinds) > 1:
        known = ", ".join(
            f"{row.judging.judge_sha256[:8]} under {_of_rubric(row)} ({row.judging.run})"
            for row in kinds.values()
        )
        raise StoreError(
            f"{store.path}: {one_line(target, 60)} is {len(kinds)} judges or rubrics: {known}; "
            "name one by its hash, by --rubric, or by a run and --pass"
        )
    return found[-1]


def _is_rubric(row: PassRow, named: str) -> bool:
    """By its name, or by the hash that tells versions of one name apart."""
    judging = row.judging
    return judging.rubric_name == named or (
        len(named) > 5 and judging.ask_sha256.startswith(named)  # noqa: PLR2004
    )


def _of_rubric(row: PassRow) -> str:
    version = one_line(f"{row.judging.rubric_name} {row.rubric_version}".strip(), 40)
    return f"{version} ({row.judging.ask_sha256[:8]})"


def _hashed(row: PassRow, target: str) -> bool:
    return row.judging.judge_sha256.startswith(target)


def _file(chosen: PassRow, judged: list[PassRow]) -> str:
    """Name of its files; with the hashes where another judge or rubric is called alike."""
    name = _plain(chosen)
    alike = {_identity(row) for row in judged if _plain(row) == name}
    if len(alike) < 2:  # noqa: PLR2004 - another one
        return name
    return f"{name}-{chosen.judging.judge_sha256[:8]}-{chosen.judging.ask_sha256[:8]}"


def _plain(row: PassRow) -> str:
    words = f"{row.judging.judge_name}-{row.judging.rubric_name}"
    return re.sub(r"[^A-Za-z0-9._-]+", "-", words).strip("-.")[:100] or "judge"


@dataclass(frozen=True, kw_only=True)
class _Other:
    """Cells of one pass beside another rater's, shapes (A, I)."""

    run: str
    mine: FloatArray = field(repr=False)
    theirs: FloatArray = field(repr=False)

    @property
    def shared(self) -> int:
        """Answers that both marked."""
        return int((np.isfinite(self.mine) & np.isfinite(self.theirs)).sum())


def _one_a_run(pairs: Sequence[_Other]) -> list[_Other]:
    """Of several passes on a run the one that shares most, so that no answer counts twice."""
    best: dict[str, _Other] = {}
    for one in pairs:
        if one.run not in best or one.shared > best[one.run].shared:
            best[one.run] = one
    return list(best.values())


def _fullest(found: Sequence[Analysis]) -> list[Analysis]:
    """Of several passes on a run the one that scored most: an item counts once."""
    best: dict[str, Analysis] = {}
    for one in found:
        run = one.shown.judging.run
        if run not in best or _scored(one) > _scored(best[run]):
            best[run] = one
    return list(best.values())


def _scored(found: Analysis) -> int:
    return int(np.isfinite(found.cells).sum())


class _Carding:
    """The passes of one judge on their way to a card."""

    def __init__(
        self, store: Store, mine: list[PassRow], judged: list[PassRow], workspace: Workspace
    ) -> None:
        self.store, self.mine, self.judged, self.workspace = store, mine, judged, workspace
        self.found: list[Analysis] = [
            stored_pass(store, row.judging.run, pass_id=row.judging.id).analysis(store)
            for row in mine
        ]
        self.marked = [one for one in self.found if one.marks.compared is None]
        self.again: list[Marks] = [
            read_marks(
                store, judging=one.shown.judging, rubric=one.rubric, arms=len(one.ids),
                reading=one.reading, noise=True,
            )
            for one in self.marked
        ]  # fmt: skip
        scale = self.found[-1].rubric.scale
        self.span = scale.high - scale.low
        self.step = min((one.step for one in self.found), default=1.0)

    def card(self) -> Card:
        """All of it."""
        first, rubric = self.mine[0].judging, self.found[-1].rubric
        told = [self.store.records("checks", pass_id=row.judging.id)[0] for row in self.mine]
        costs = [
            next(iter(self.store.records("costs", pass_id=row.judging.id)), {})
            for row in self.mine
        ]  # fmt: skip
        passes = tuple(map(self._pass, self.found))
        unknown = any(row.get("cost_unknown") or row.get("cost_usd") is None for row in costs)
        return Card(
            judge_name=self.mine[-1].judging.judge_name,
            judge_model=first.judge_model,
            judge_sha256=first.judge_sha256,
            rubric_name=self.mine[-1].judging.rubric_name,
            rubric_versions=_each(row.rubric_version for row in self.mine),
            ask_sha256=first.ask_sha256,
            sum_sha256=_each(row.sum_sha256 for row in self.mine),
            prompt_versions=_each(row.judging.prompt_version for row in self.mine),
            scale_low=rubric.scale.low,
            scale_high=rubric.scale.high,
            first_at=min(row.started_at for row in self.mine),
            last_at=max(row.finished_at or row.started_at for row in self.mine),
            passes=passes,
            answered=self._answered(),
            repeats=self._repeats(),
            swaps=self._swaps(),
            length_baseline=self._lengths(),
            beside=self._beside(),
            controls=self._controls(),
            biases=self._biases(),
            quotes=sum(row["quotes"] for row in told),
            quotes_found=sum(row["quotes_found"] for row in told),
            marks=sum(row["marks"] for row in told),
            marks_unsupported=sum(row["unsupported"] for row in told),
            refused=self._refused(),
            calls=sum(row.get("calls") or 0 for row in costs),
            judgments=sum(one.judgments for one in passes),
            cost_usd=None if unknown else sum(row["cost_usd"] for row in costs),
            price_sources=_each(row.price_source for row in self.mine if row.price_source),
        )

    def _pass(self, found: Analysis) -> CardPass:
        row = found.shown
        judging = row.judging
        answered = self.store.records("answered_by", pass_id=judging.id)
        blocked = self._blocked(found)
        return CardPass(
            run=judging.run,
            pass_id=judging.id,
            mode=judging.mode.value,
            route=judging.route,
            complete=row.state == "complete",
            started_at=row.started_at,
            finished_at=row.finished_at,
            arms=len(found.ids),
            items=int(np.isfinite(found.cells).any(axis=0).sum()),
            judgments=sum(one["n"] for one in answered),
            blocked=sum(one.count for one in blocked),
        )

    def _blocked(self, found: Analysis) -> list[BlockedCount]:
        judging = found.shown.judging
        return [
            one for _, one in blocked_judgments(self.store, judging, found.rubric, found.reading)
        ]

    def _answered(self) -> tuple[Answered, ...]:
        merged: dict[tuple[str | None, str | None], Answered] = {}
        for row in self.mine:
            for one in self.store.records("answered_by", pass_id=row.judging.id):
                key = (one["model_answered"], one["fingerprint"])
                old = merged.get(key)
                merged[key] = Answered(
                    model=key[0],
                    fingerprint=key[1],
                    judgments=one["n"] + (old.judgments if old else 0),
                    first_at=min(one["first_at"], old.first_at if old else one["first_at"]),
                    last_at=max(one["last_at"], old.last_at if old else one["last_at"]),
                )
        return tuple(sorted(merged.values(), key=lambda one: (one.first_at, one.model or "")))

    # ---- the judge by itself

    def _repeats(self) -> tuple[RepeatExtra, ...]:
        if not self.marked:
            return ()
        totals = _stack([one.verdicts[0] for one in self.again])
        last = self.marked[-1]
        out = [repeat_row(None, totals, last.marks.total_step(self.step))]
        ids = [criterion.id for criterion in last.rubric.criteria]
        for at, name in enumerate(ids):
            marks = _stack([one.marks[:, :, at] for one in self.again])
            out.append(repeat_row(name, marks, self.step))
        return tuple(out)

    def _swaps(self) -> Estimate | Refusal:
        if not self.marked:
            return _pairs_only("swap_share")
        totals = _stack([one.verdicts[0] for one in self.again])
        return repeatability.swap_share(totals[:, :, None, :])

    def _lengths(self) -> Estimate | Refusal:
        if not self.marked:
            return _pairs_only("length_baseline")
        each = _fullest(self.marked)
        return checks.length_baseline(
            _stack([one.cells for one in each]),
            _stack([lengths_of(self.store, one) for one in each]),
        )

    # ---- beside others

    def _beside(self) -> tuple[CardBeside, ...]:
        others: dict[tuple[str, bool], list[_Other]] = {}
        for found in self.marked:
            run = found.shown.judging.run
            for row in self._colleagues(found):
                theirs = read_marks(
                    self.store, judging=row.judging, rubric=found.rubric, arms=len(found.ids),
                    reading=found.reading,
                ).cells  # fmt: skip
                key = (row.judging.judge_name, False)
                others.setdefault(key, []).append(_Other(run=run, mine=found.cells, theirs=theirs))
            people = self._people(found)
            if people is not None:
                others.setdefault((PEOPLE, True), []).append(
                    _Other(run=run, mine=found.cells, theirs=people)
                )
        return tuple(
            self._with(name, pairs, by_people=by_people)
            for (name, by_people), pairs in sorted(
                others.items(), key=lambda one: (not one[0][1], one[0][0])
            )
        )

    def _colleagues(self, found: Analysis) -> list[PassRow]:
        """The first pass of every other judge that was asked the same on this run."""
        mine = found.shown.judging
        first: dict[str, PassRow] = {}
        for row in self.judged:
            other = row.judging
            if (other.run, other.ask_sha256) != (mine.run, mine.ask_sha256):
                continue
            if other.judge_sha256 != mine.judge_sha256 and other.mode is not Mode.PAIRWISE:
                first.setdefault(other.judge_sha256, row)
        return list(first.values())

    def _people(self, found: Analysis) -> FloatArray | None:
        run = found.shown.judging.run
        row = people_pass(self.store, run)
        if row is None:
            return None
        items = [name for (name,) in self.store.rows("items", run=run)]
        ids = [criterion.id for criterion in found.rubric.criteria]
        given = read_people(
            self.store, row.judging.id, arms=found.ids, items=items, criteria=ids
        ).marks[:, :, :-1]  # fmt: skip
        if not np.isfinite(given).any():
            return None
        whole = given_marks(
            given, rubric=found.rubric, applies=found.marks.applies,
            minimum=np.zeros(found.cells.shape, dtype=bool),
        )  # fmt: skip
        return nan_mean(whole.verdicts[0], axis=2)

    def _with(self, name: str, given: list[_Other], *, by_people: bool) -> CardBeside:
        pairs = _one_a_run(given)
        mine = _stack([one.mine for one in pairs])
        theirs = _stack([one.theirs for one in pairs])
        item = np.broadcast_to(np.arange(mine.shape[1]), mine.shape)
        scale = self.found[-1].rubric.scale
        gap = bias.leniency(mine, theirs)
        return CardBeside(
            name=name,
            by_people=by_people,
            runs=len(pairs),
            cells=sum(one.shared for one in pairs),
            gap=gap if isinstance(gap, Refusal) else possible.gap(gap.effect, self.span),
            ordering=ordering.ordering_accuracy(mine, theirs),
            alpha=agreement.alpha(
                np.stack([mine.ravel(), theirs.ravel()], axis=1),
                metric="interval" if scale.high - scale.low > _WIDE else "ordinal",
                items=item.ravel(),
            ),
        )

    def _controls(self) -> CardControls | None:
        made = [(one, one.controls()) for one in self.found]
        there = [(one.shown.judging, planted) for one, planted in made if planted is not None]
        if not there:
            return None
        every = [one for _, one in there]
        planted, decided, passed = (
            sum(getattr(one, name) for one in every) for name in ("planted", "decided", "passed")
        )
        open_ones: Counter[str] = Counter()
        for one in every:
            open_ones.update(dict(one.undecided))
        return CardControls(
            passes=len(every),
            planted=planted,
            decided=decided,
            passed=passed,
            rate=controls.rate(passed, decided),
            classes=controls.pooled(every),
            failures=tuple(
                CardFailure(run=judging.run, pass_id=judging.id, check=check)
                for judging, one in there
                for check in one.failures
            ),
            undecided=tuple(sorted(open_ones.items(), key=lambda pair: (-pair[1], pair[0]))),
            pair_passes=sum(one.by_pairs for one in every),
        )

    def _biases(self) -> Biases | None:
        found = max(
            self.found, key=lambda one: int(np.isfinite(one.cells).any(axis=0).sum()), default=None
        )
        if found is None or not np.isfinite(found.cells).any():
            return None
        run = found.shown.judging.run
        path = self.workspace.root / "runs" / run
        folder = run_folder(path if path.exists() else self.workspace.root / run)
        return probe(self.store, found, folder=folder)

    def _refused(self) -> tuple[CardCount, ...]:
        counts: Counter[str] = Counter()
        for found in self.found:
            for one in self._blocked(found):
                counts[one.reason] += one.count
        return tuple(
            CardCount(name=name, count=n)
            for name, n in sorted(counts.items(), key=lambda one: (-one[1], one[0]))
        )


def lengths_of(store: Store, found: Analysis) -> FloatArray:
    """Characters of every output of a run, shape (A, I), NaN where unknown."""
    known = store.columns("lengths", run=found.shown.judging.run)
    grid = np.full(found.cells.shape, np.nan)
    at = tuple(np.asarray(known[name], dtype=np.int64) for name in ("arm", "item"))
    grid[at] = np.asarray(known["chars"], dtype=np.float64)
    return grid


def _each(values: Iterable[str]) -> tuple[str, ...]:
    """Every value once, in the order of first use."""
    return tuple(dict.fromkeys(values))


def _stack(arrays: Sequence[FloatArray]) -> FloatArray:
    """Runs beside each other along the items; arms and repeats filled up with NaN."""
    most = [max(sizes) for sizes in zip(*(one.shape for one in arrays), strict=True)]
    padded = []
    for one in arrays:
        shape = [one.shape[1] if axis == 1 else size for axis, size in enumerate(most)]
        grid = np.full(shape, np.nan)
        grid[tuple(slice(size) for size in one.shape)] = one
        padded.append(grid)
    return np.concatenate(padded, axis=1)


def _pairs_only(statistic: str) -> Refusal:
    return Refusal(
        statistic=statistic, code=RefusalCode.NOT_IDENTIFIED.value, have=0, need=1,
        how="its passes compare pairs and mark nothing",
    )  # fmt: skip
