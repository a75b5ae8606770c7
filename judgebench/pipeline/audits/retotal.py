"""Totals made anew under changed weights, gates, caps or tiers; costs no request."""

from collections.abc import Callable, Iterator
from itertools import groupby

from judgebench.model.nouns import Mark, Mode, Pass
from judgebench.model.reasons import Reason
from judgebench.model.rubric import Rubric, Total
from judgebench.pipeline.audits.auditing import total_of
from judgebench.pipeline.audits.tallies import Judging, read_tallies
from judgebench.rubrics.total import total, won
from judgebench.store.findings import NewMark
from judgebench.store.judgments import TotalRow
from judgebench.store.store import Store


def retotal(store: Store, judging: Pass, rubric: Rubric) -> None:
    """Write the totals of a pass as `rubric` makes them of the stored marks, or finds."""
    if rubric.deductions:
        tallies = list(read_tallies(store, judging, rubric))
        store.recount(judging.id, (mark for one in tallies for mark in _marks(one)))
        made = [TotalRow(key=o.key, label=o.label, total=total_of(o.tally)) for o in tallies]
        store.replace_totals(judging.id, made, rubric=rubric)
        return
    summed = won if judging.mode is Mode.PAIRWISE else total
    found = list(_totals(store, judging.id, rubric, summed))
    store.replace_totals(judging.id, found, rubric=rubric)


def _marks(one: Judging) -> Iterator[NewMark]:
    for mark in one.tally.marks:
        yield NewMark(key=one.key, label=one.label, criterion=mark.criterion, mark=mark.mark)


def _totals(
    store: Store, pass_id: str, rubric: Rubric, summed: Callable[..., Total]
) -> Iterator[TotalRow]:
    rows = store.stream("marks_to_total", pass_id=pass_id)
    # Ordered by request, so the marks of one judgment stand together.
    for (key, label), group in groupby(rows, key=lambda row: (row[0], row[1])):
        marks = {
            criterion: Mark(
                criterion=criterion,
                mark=mark,
                blocked=Reason(reason) if reason else None,
            )
            for _, _, _, criterion, mark, reason in group
        }
        # Every criterion that was asked has a row, a blocked one too.
        asked = [c.id for c in rubric.criteria if c.id in marks]
        yield TotalRow(key=key, label=label, total=summed(rubric, marks, applicable=asked))
