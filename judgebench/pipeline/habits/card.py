"""One judge under one rubric over all passes in a store; sends nothing.

What is pooled over passes is pooled within cells or within items, so that runs of
other difficulty do not pass for disagreement or noise.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from judgebench.errors import StoreError
from judgebench.model.biases import Biases
from judgebench.model.card import Answered, Card, CardControls, CardCount, CardFailure, CardPass
from judgebench.model.extended import RepeatExtra
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.model.result import BlockedCount
from judgebench.pipeline.figures.again import repeat_row
from judgebench.pipeline.figures.analysis import Analysis
from judgebench.pipeline.figures.gather import blocked_judgments, read_lengths, read_marks
from judgebench.pipeline.figures.given_elsewhere import reworded
from judgebench.pipeline.figures.marked import Marks
from judgebench.pipeline.figures.stored_pass import stored_pass
from judgebench.pipeline.habits.biases import probe, run_folder
from judgebench.pipeline.habits.card_beside import beside_others, side_by_side
from judgebench.pipeline.habits.card_choice import chosen_pass, file_name, identity
from judgebench.pipeline.setting.places import run_key
from judgebench.pipeline.setting.stored_run import LOCK_WAIT_S
from judgebench.runs.workspace import Workspace, find_workspace
from judgebench.stats import checks, controls, repeatability
from judgebench.store.passes import PassRow
from judgebench.store.store import Store

CARDS = "cards"


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
        run = run_key(cwd / target, workspace)
        chosen = chosen_pass(judged, target, run=run, pass_id=pass_id, rubric=rubric)
        mine = [row for row in judged if identity(row) == identity(chosen)]
        made = _Carding(store, mine, judged, workspace).card()
    return made, workspace.reports / CARDS, file_name(chosen, judged)


def _fullest(analyses: Sequence[Analysis]) -> list[Analysis]:
    """Of several passes on a run the one that scored most: an item counts once."""
    best: dict[str, Analysis] = {}
    for one in analyses:
        run = one.shown.judging.run
        if run not in best or _scored(one) > _scored(best[run]):
            best[run] = one
    return list(best.values())


def _scored(analysis: Analysis) -> int:
    return int(np.isfinite(analysis.cells).sum())


def _scored_items(analysis: Analysis) -> int:
    return int(np.isfinite(analysis.cells).any(axis=0).sum())


class _Carding:
    """The passes of one judge on their way to a card."""

    def __init__(
        self, store: Store, mine: list[PassRow], judged: list[PassRow], workspace: Workspace
    ) -> None:
        self.store, self.mine, self.judged, self.workspace = store, mine, judged, workspace
        self.analyses: list[Analysis] = [
            stored_pass(store, row.judging.run, pass_id=row.judging.id).analysis(store)
            for row in mine
        ]
        self.marked = [one for one in self.analyses if one.marks.compared is None]
        self.again: list[Marks] = [
            read_marks(
                store, judging=one.shown.judging, rubric=one.rubric, arms=len(one.ids),
                reading=one.reading, noise=True,
            )
            for one in self.marked
        ]  # fmt: skip
        self.step = min((one.step for one in self.analyses), default=1.0)

    def card(self) -> Card:
        """All of it."""
        first, rubric = self.mine[0].judging, self.analyses[-1].rubric
        told = [self.store.records("checks", pass_id=row.judging.id)[0] for row in self.mine]
        costs = [
            next(iter(self.store.records("costs", pass_id=row.judging.id)), {})
            for row in self.mine
        ]  # fmt: skip
        passes = tuple(map(self._pass, self.analyses))
        unknown = any(row.get("cost_unknown") or row.get("cost_usd") is None for row in costs)
        made = Card(
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
            beside=beside_others(self.store, self.marked, self.judged, scale=rubric.scale),
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
        # No answer of marks that were given elsewhere is judged again.
        return reworded(made) if all(row.facts().marks_only for row in self.mine) else made

    def _pass(self, analysis: Analysis) -> CardPass:
        row = analysis.shown
        judging = row.judging
        answered = self.store.records("answered_by", pass_id=judging.id)
        blocked = self._blocked(analysis)
        return CardPass(
            run=judging.run,
            pass_id=judging.id,
            mode=judging.mode.value,
            route=judging.route,
            complete=row.state == "complete",
            started_at=row.started_at,
            finished_at=row.finished_at,
            arms=len(analysis.ids),
            items=_scored_items(analysis),
            judgments=sum(one["n"] for one in answered),
            blocked=sum(one.count for one in blocked),
        )

    def _blocked(self, analysis: Analysis) -> list[BlockedCount]:
        counts = blocked_judgments(
            self.store, analysis.shown.judging, analysis.rubric, analysis.reading
        )
        return [count for _, count in counts]

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
        totals = side_by_side([one.verdicts[0] for one in self.again])
        last = self.marked[-1]
        out = [repeat_row(None, totals, last.marks.total_step(self.step))]
        ids = [criterion.id for criterion in last.rubric.criteria]
        for at, name in enumerate(ids):
            marks = side_by_side([one.marks[:, :, at] for one in self.again])
            out.append(repeat_row(name, marks, self.step))
        return tuple(out)

    def _swaps(self) -> Estimate | Refusal:
        if not self.marked:
            return _pairs_only("swap_share")
        totals = side_by_side([one.verdicts[0] for one in self.again])
        return repeatability.swap_share(totals[:, :, None, :])

    def _lengths(self) -> Estimate | Refusal:
        if not self.marked:
            return _pairs_only("length_baseline")
        each = _fullest(self.marked)
        lengths = [read_lengths(self.store, one.shown.judging.run, one.cells.shape) for one in each]
        return checks.length_baseline(
            side_by_side([one.cells for one in each]), side_by_side(lengths)
        )

    def _controls(self) -> CardControls | None:
        made = [(one, one.controls()) for one in self.analyses]
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
        analysis = max(self.analyses, key=_scored_items, default=None)
        if analysis is None or not np.isfinite(analysis.cells).any():
            return None
        run = analysis.shown.judging.run
        path = self.workspace.root / "runs" / run
        folder = run_folder(path if path.exists() else self.workspace.root / run)
        return probe(self.store, analysis, folder=folder)

    def _refused(self) -> tuple[CardCount, ...]:
        counts: Counter[str] = Counter()
        for analysis in self.analyses:
            for one in self._blocked(analysis):
                counts[one.reason] += one.count
        return tuple(
            CardCount(name=name, count=n)
            for name, n in sorted(counts.items(), key=lambda one: (-one[1], one[0]))
        )


def _each(values: Iterable[str]) -> tuple[str, ...]:
    """Every value once, in the order of first use."""
    return tuple(dict.fromkeys(values))


def _pairs_only(statistic: str) -> Refusal:
    return Refusal(
        statistic=statistic, code=RefusalCode.NOT_IDENTIFIED.value, have=0, need=1,
        how="its passes compare pairs and mark nothing",
    )  # fmt: skip
