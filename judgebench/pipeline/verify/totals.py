"""Stored totals against the marks that they were made of."""

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

from judgebench.model.nouns import Mark, Mode
from judgebench.model.reasons import Reason
from judgebench.model.rubric import Rubric, Total
from judgebench.model.verified import Part
from judgebench.pipeline.verify.ledger import Ledger, same
from judgebench.rubrics.total import total, won
from judgebench.store.judgments import NO_TOTAL, fired_of
from judgebench.store.passes import PassRow
from judgebench.store.store import Store

ADDED_UP = frozenset({"marks", "people"})
"""Ways by which marks were brought in: there is no reply behind them."""


def compare_totals(store: Store, row: PassRow, rubric: Rubric, ledger: Ledger) -> None:
    """Make each total of a pass again from its marks, and hold it against the stored one."""
    summed = won if row.judging.mode is Mode.PAIRWISE else total
    given = row.judging.route in ADDED_UP
    stored = store.stream("verify_marks", pass_id=row.judging.id)
    for _, group in groupby(stored, key=lambda one: (one[0], one[1])):
        marks = list(group)
        _, _, arm, item, *_, split, value, uncapped, fired, tier, reweighted = marks[0]
        place = f"{row.judging.id} {arm} on {item}"
        told = Total(
            value=value, uncapped=uncapped, fired=fired_of(fired), tier=tier, reweighted=reweighted
        )
        found = NO_TOTAL if split else _made(rubric, marks, summed, given=given)
        ledger.hold(Part.TOTAL, place, stored=told.value, found=found.value)
        for name in ("uncapped", "tier", "fired", "reweighted"):
            one, other = getattr(told, name), getattr(found, name)
            if not same(one, other):
                ledger.differ(Part.TOTAL, f"{place}, {name}", stored=one, found=other)


def _made(
    rubric: Rubric,
    rows: Sequence[tuple[Any, ...]],
    summed: Callable[..., Total],
    *,
    given: bool,
) -> Total:
    marks = {
        criterion: Mark(criterion=criterion, mark=mark, blocked=Reason(reason) if reason else None)
        for _, _, _, _, criterion, mark, _, reason, *_ in rows
    }
    # Nothing was asked where marks were given: what has no row lacks its mark.
    asked = [one.id for one in rubric.criteria if given or one.id in marks]
    return summed(rubric, marks, applicable=asked)
