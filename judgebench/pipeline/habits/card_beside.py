"""One judge beside people and other judges, over all runs on which both marked."""

from collections.abc import Sequence
from dataclasses import field

import numpy as np

from judgebench.model.card import CardBeside
from judgebench.model.nouns import Mode, Refusal
from judgebench.model.rubric import Scale
from judgebench.pipeline.figures import possible
from judgebench.pipeline.figures.analysis import Analysis
from judgebench.pipeline.figures.gather import read_marks
from judgebench.pipeline.figures.marked import given_marks
from judgebench.pipeline.figures.stored_pass import people_pass
from judgebench.pipeline.people.people_marks import read_people
from judgebench.records import dataclass
from judgebench.stats import agreement, bias, ordering
from judgebench.stats.arrays import FloatArray, nan_mean
from judgebench.store.passes import PassRow
from judgebench.store.store import Store

PEOPLE = "people"


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


def beside_others(
    store: Store, marked: Sequence[Analysis], judged: Sequence[PassRow], *, scale: Scale
) -> tuple[CardBeside, ...]:
    """The judge of a card beside people and every other judge, on the answers that both marked.

    Args:
        store: The open store.
        marked: Its own passes that marked answers one by one.
        judged: All passes of judges in the store.
        scale: Of its marks.
    """
    others: dict[tuple[str, bool], list[_Other]] = {}
    for analysis in marked:
        run = analysis.shown.judging.run
        for row in _colleagues(judged, analysis):
            theirs = read_marks(
                store, judging=row.judging, rubric=analysis.rubric, arms=len(analysis.ids),
                reading=analysis.reading,
            ).cells  # fmt: skip
            other = _Other(run=run, mine=analysis.cells, theirs=theirs)
            if other.shared:
                others.setdefault((row.judging.judge_name, False), []).append(other)
        people = _people(store, analysis)
        if people is not None:
            others.setdefault((PEOPLE, True), []).append(
                _Other(run=run, mine=analysis.cells, theirs=people)
            )
    return tuple(
        _beside(name, pairs, by_people=by_people, scale=scale)
        for (name, by_people), pairs in sorted(
            others.items(), key=lambda one: (not one[0][1], one[0][0])
        )
    )


def _colleagues(judged: Sequence[PassRow], analysis: Analysis) -> list[PassRow]:
    """The first pass of every other judge that was asked the same on this run."""
    mine = analysis.shown.judging
    first: dict[str, PassRow] = {}
    for row in sorted(judged, key=lambda one: one.state != "complete"):
        other = row.judging
        if (other.run, other.ask_sha256) != (mine.run, mine.ask_sha256):
            continue
        if other.judge_sha256 != mine.judge_sha256 and other.mode is not Mode.PAIRWISE:
            first.setdefault(other.judge_sha256, row)
    return list(first.values())


def _people(store: Store, analysis: Analysis) -> FloatArray | None:
    run = analysis.shown.judging.run
    row = people_pass(store, run)
    if row is None:
        return None
    items = [name for (name,) in store.rows("items", run=run)]
    ids = [criterion.id for criterion in analysis.rubric.criteria]
    given = read_people(
        store, row.judging.id, arms=analysis.ids, items=items, criteria=ids
    ).marks[:, :, :-1]  # fmt: skip
    if not np.isfinite(given).any():
        return None
    whole = given_marks(
        given, rubric=analysis.rubric, applies=analysis.marks.applies,
        minimum=np.zeros(analysis.cells.shape, dtype=bool),
    )  # fmt: skip
    return nan_mean(whole.verdicts[0], axis=2)


def _beside(name: str, given: list[_Other], *, by_people: bool, scale: Scale) -> CardBeside:
    pairs = _one_a_run(given)
    mine = side_by_side([one.mine for one in pairs])
    theirs = side_by_side([one.theirs for one in pairs])
    item = np.broadcast_to(np.arange(mine.shape[1]), mine.shape)
    gap = bias.leniency(mine, theirs)
    return CardBeside(
        name=name,
        by_people=by_people,
        runs=len(pairs),
        cells=sum(one.shared for one in pairs),
        gap=gap if isinstance(gap, Refusal) else possible.gap(gap.effect, scale.high - scale.low),
        ordering=ordering.ordering_accuracy(mine, theirs),
        alpha=agreement.alpha(
            np.stack([mine.ravel(), theirs.ravel()], axis=1),
            metric=agreement.metric_of(scale.high - scale.low),
            items=item.ravel(),
        ),
    )


def _one_a_run(pairs: Sequence[_Other]) -> list[_Other]:
    """Of several passes on a run the one that shares most, so that no answer counts twice."""
    best: dict[str, _Other] = {}
    for one in pairs:
        if one.run not in best or one.shared > best[one.run].shared:
            best[one.run] = one
    return list(best.values())


def side_by_side(arrays: Sequence[FloatArray]) -> FloatArray:
    """Runs beside each other along the items; arms and repeats filled up with NaN."""
    most = [max(sizes) for sizes in zip(*(one.shape for one in arrays), strict=True)]
    padded = []
    for one in arrays:
        shape = [one.shape[1] if axis == 1 else size for axis, size in enumerate(most)]
        grid = np.full(shape, np.nan)
        grid[tuple(slice(size) for size in one.shape)] = one
        padded.append(grid)
    return np.concatenate(padded, axis=1)
