"""How many independent judges a jury is worth, by its errors against people."""

from collections.abc import Sequence

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.pipeline.figures.stored_pass import people_pass
from judgebench.pipeline.jury.raters import Seat
from judgebench.pipeline.people.people_marks import read_people
from judgebench.pipeline.people.splitting import TUNE, tune_items
from judgebench.runs.importers.human_sheet import OVERALL
from judgebench.stats import agreement
from judgebench.stats.arrays import nan_mean
from judgebench.store.store import Store

STATISTIC = "effective_judges"
LEAST_LABELS = 30


def effective(store: Store, seats: Sequence[Seat]) -> Estimate | Refusal:
    """The effective number of judges, one pass a judge; people's marks are not shown by it first.

    Args:
        store: The open store.
        seats: One a judge.

    Returns:
        The number. `Refusal` with ``no_human_labels`` below 30 answers that all of them
        and people have marked, ``not_compared`` before `judge calibrate` has shown these
        marks beside one of the passes.
    """
    analysis = seats[0].analysis
    run = analysis.shown.judging.run
    row = people_pass(store, run)
    if row is None:
        return _refuse(RefusalCode.NO_HUMAN_LABELS, 0, LEAST_LABELS)
    items = [name for (name,) in store.rows("items", run=run)]
    criteria = [one.id for one in analysis.rubric.criteria]
    given = read_people(
        store, row.judging.id, arms=analysis.ids, items=items, criteria=criteria,
        left_out=tune_items(store, run),
    )  # fmt: skip
    marks = given.marks[:, :, :-1].copy()
    if OVERALL in criteria:
        # Marks of answers as wholes stand in their own place, also where they are a criterion.
        marks[:, :, criteria.index(OVERALL)] = given.marks[:, :, -1]
    labels = int(np.isfinite(given.marks).sum())
    ids = {seat.analysis.shown.judging.id for seat in seats}
    noted = [
        one["labels"]
        for one in store.records("looks", run=run)
        if one["pass_id"] in ids and one["split"] != TUNE
    ]
    if labels > max(noted, default=0):
        return _refuse(RefusalCode.NOT_COMPARED, max(noted, default=0), labels)
    people = nan_mean(analysis.marks.with_marks(marks).verdicts[0], axis=2)
    errors = np.stack([(seat.analysis.cells - people).ravel() for seat in seats], axis=1)
    return agreement.effective_judges(errors)


def _refuse(code: RefusalCode, have: int, need: int) -> Refusal:
    return Refusal(statistic=STATISTIC, code=code.value, have=have, need=need)
