"""Others' marks of the outputs that a judge marked: what its habits are held against."""

from collections.abc import Sequence
from dataclasses import field, replace

import numpy as np

from judgebench.blind.names import family_of
from judgebench.model.nouns import Mode
from judgebench.pipeline.figures.analysis import Analysis
from judgebench.pipeline.figures.gather import read_marks
from judgebench.pipeline.figures.stored_pass import people_pass
from judgebench.pipeline.people.people_marks import PeopleMarks, read_people
from judgebench.pipeline.people.splitting import tune_items
from judgebench.records import dataclass
from judgebench.stats.arrays import FloatArray, nan_mean
from judgebench.store.passes import PassRow
from judgebench.store.store import Store

PEOPLE = "people"
JUDGES = "judges"


@dataclass(frozen=True, kw_only=True)
class ReferenceMarks:
    """Others' marks of the same outputs."""

    kind: str = ""
    names: tuple[str, ...] = ()
    totals: FloatArray = field(repr=False)
    """Shape (A, I), NaN where nobody marked."""
    criteria: FloatArray = field(repr=False)
    """Shape (A, I, K)."""
    single: FloatArray = field(repr=False)
    """Shape (R, A, I): the first total that each of them gave; one layer of NaN without any."""
    strangers: FloatArray = field(repr=False)
    """Shape (A, I): totals by people, or by judges of other families alone."""
    people_compared: int | None = None
    """People who compared pairs and marked no answers; None where they are no reason."""
    people_marked: int | None = None
    """People who marked answers, where this judge compared pairs."""


def reference_of(store: Store, analysis: Analysis, items: Sequence[str]) -> ReferenceMarks:
    """People where any marked these outputs, else the other judges under this rubric.

    Args:
        store: The open store.
        analysis: The judge's pass.
        items: All items of the run.
    """
    run = analysis.shown.judging.run
    row = people_pass(store, run)
    if row is None:
        return _judges(store, analysis)
    given = read_people(
        store, row.judging.id, arms=analysis.ids, items=items,
        criteria=[criterion.id for criterion in analysis.rubric.criteria],
        left_out=tune_items(store, run),
    )  # fmt: skip
    if (found := _people(given, analysis)) is not None:
        return found
    marked = int(np.isfinite(given.marks).any(axis=(0, 1, 2)).sum())
    compared = len({one.rater for one in given.comparisons}) if not marked else 0
    return replace(
        _judges(store, analysis), people_compared=compared or None, people_marked=marked or None
    )


def _people(given: PeopleMarks, analysis: Analysis) -> ReferenceMarks | None:
    """People's marks of answers; None where they gave none, or the judge compared pairs."""
    marks = given.marks[:, :, :-1]
    if analysis.marks.compared is not None or not np.isfinite(marks).any():
        return None
    single = analysis.marks.with_marks(marks).verdicts[0]
    totals = nan_mean(single, axis=2)
    return ReferenceMarks(
        kind=PEOPLE, names=given.raters, totals=totals, criteria=nan_mean(marks, axis=3),
        single=np.moveaxis(single, 2, 0), strangers=totals,
    )  # fmt: skip


def _judges(store: Store, analysis: Analysis) -> ReferenceMarks:
    others = [row for row in analysis.passes if _is_other(analysis, row)]
    read = [
        read_marks(
            store, judging=row.judging, rubric=analysis.rubric, arms=len(analysis.ids),
            reading=analysis.reading,
        )
        for row in others
    ]  # fmt: skip
    shape = analysis.cells.shape
    kin = {None, family_of(analysis.shown.judging.judge_model, None)}
    far = [
        marks.cells
        for row, marks in zip(others, read, strict=True)
        if family_of(row.judging.judge_model, None) not in kin
    ]
    return ReferenceMarks(
        kind=JUDGES if read else "",
        names=tuple(row.judging.judge_name for row in others),
        totals=_mean([marks.cells for marks in read], shape),
        criteria=_mean([marks.criteria for marks in read], analysis.marks.marks.shape[:3]),
        single=np.stack(
            [first_totals(marks.verdicts[0]) for marks in read] or [np.full(shape, np.nan)]
        ),
        strangers=_mean(far, shape),
    )


def _is_other(analysis: Analysis, row: PassRow) -> bool:
    """Another judge that was asked the same of the same outputs, one whole pass a judge."""
    shown, mine, theirs = analysis.shown, analysis.shown.judging, row.judging
    if row.facts().by_people or theirs.judge_sha256 == mine.judge_sha256:
        return False
    if row.state != "complete":
        return False
    same = (theirs.ask_sha256, row.sum_sha256) == (mine.ask_sha256, shown.sum_sha256)
    first = next(
        one
        for one in analysis.passes
        if one.judging.judge_sha256 == theirs.judge_sha256 and one.state == "complete"
    )
    comparable = (theirs.mode is Mode.PAIRWISE) == (mine.mode is Mode.PAIRWISE)
    return same and comparable and first is row


def first_totals(verdicts: FloatArray) -> FloatArray:
    """The first total of every cell, of shape (A, I), out of (A, I, R)."""
    at = np.isfinite(verdicts).argmax(axis=2)
    return np.take_along_axis(verdicts, at[:, :, None], axis=2)[:, :, 0]


def _mean(values: Sequence[FloatArray], shape: tuple[int, ...]) -> FloatArray:
    """Mean of several judges' cells, NaN where one of them marked nothing."""
    if not values:
        return np.full(shape, np.nan)
    return np.asarray(np.mean(np.stack(values), axis=0), dtype=np.float64)
