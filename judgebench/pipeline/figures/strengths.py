"""Strengths that an extended report adds: of listwise passes, and of pairs at equal length.

A list is one judging of all answers to an item; code orders them by their totals.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from judgebench.model.nouns import Estimate, Mode, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.model.strengths import ArmStrength, Strengths
from judgebench.pipeline.figures.analysis import Analysis
from judgebench.pipeline.figures.compared import Compared
from judgebench.pipeline.figures.comparing import among, arms_met, fitted
from judgebench.pipeline.figures.gather import read_lengths
from judgebench.pipeline.figures.marked import Marks
from judgebench.stats import listwise, pairwise
from judgebench.stats.arrays import FloatArray, IntArray, settled
from judgebench.stats.length_control import length_controlled

_NOTHING = Refusal(
    statistic="strength", code=RefusalCode.NOTHING_SCORED.value, have=0, need=1,
)  # fmt: skip


def strengths_of(analysis: Analysis) -> Strengths | None:
    """The strengths of one pass; None where every answer was judged by itself."""
    reference = analysis.ratings.order.reference
    if analysis.marks.compared is not None:
        return _of_pairs(analysis, analysis.marks.compared, reference)
    if analysis.shown.judging.mode is Mode.LISTWISE:
        return _of_lists(analysis, reference)
    return None


def _lists(marks: Marks) -> tuple[FloatArray, IntArray]:
    """Places of each list, shape (L, A), smaller is better, and the item of each.

    What counts as the scale's minimum by rule stands in every list of its item: the
    strengths are of the totals that the table has.
    """
    totals = marks.verdicts[0]
    judged = np.isfinite(totals).any(axis=0)
    low = marks.minimum[:, :, None] & judged
    totals = np.where(low, marks.rubric.scale.low, totals)
    arms, items, repeats = totals.shape
    places = -settled(np.moveaxis(totals, 0, 2).reshape(items * repeats, arms))
    which = np.repeat(np.arange(items), repeats)
    kept = np.isfinite(places).sum(axis=1) > 1
    return places[kept], which[kept]


def _of_lists(analysis: Analysis, reference: int | None) -> Strengths:
    places, items = _lists(analysis.marks)
    met = np.flatnonzero(np.isfinite(places).any(axis=0))
    places = places[:, met]
    at = _at(met, reference)
    found = (
        _NOTHING
        if at is None
        else listwise.plackett_luce(places, items, reference=at, clusters=analysis.clusters)
    )  # fmt: skip
    return Strengths(
        model="plackett-luce",
        reference=None if at is None or reference is None else analysis.ids[reference],
        judged=len(places),
        items=int(np.unique(items).size),
        arms=tuple(
            ArmStrength(arm=analysis.ids[arm], strength=_of(found, met, arm), equal_length=None)
            for arm in analysis.ratings.order.order
        ),
        length=None,
        unlinked=_named(listwise.unlinked_arms(places), met, analysis.ids),
    )


def _of_pairs(analysis: Analysis, compared: Compared, reference: int | None) -> Strengths:
    every = compared.decided(len(analysis.ids))
    met = arms_met(every)
    data = among(every, met)
    at = _at(met, reference)
    # As in the strengths of the table: where an order is not on record there is no such term.
    order = bool(compared.ordered.all())
    raw = fitted(data, reference=at, order=order, clusters=analysis.clusters)
    lengths = read_lengths(
        analysis.store, analysis.shown.judging.run, (len(analysis.ids), analysis.cells.shape[1])
    )
    equal: pairwise.Strengths | Refusal = (
        _NOTHING
        if at is None
        else length_controlled(
            data, lengths[met], reference=at, order=order, clusters=analysis.clusters
        )
    )
    if isinstance(equal, Refusal) and equal.code == RefusalCode.ORDER_NOT_RECORDED.value:
        # It is on record, and no two arms met in both orders: said as of the plain strengths.
        equal = replace(raw, statistic=equal.statistic) if isinstance(raw, Refusal) else equal
    return Strengths(
        model="bradley-terry",
        reference=None if at is None or reference is None else analysis.ids[reference],
        judged=int(data.item.size),
        items=int(np.unique(data.item).size),
        arms=tuple(
            ArmStrength(
                arm=analysis.ids[arm],
                strength=_of(_arms(raw), met, arm),
                equal_length=_of(_arms(equal), met, arm),
            )
            for arm in analysis.ratings.order.order
        ),
        length=equal if isinstance(equal, Refusal) else equal.covariates[0],
        unlinked=_named(pairwise.unlinked(data) if met.size else (), met, analysis.ids),
    )


def _arms(found: pairwise.Strengths | Refusal) -> tuple[Estimate, ...] | Refusal:
    return found if isinstance(found, Refusal) else found.arms


def _of(found: tuple[Estimate, ...] | Refusal, met: IntArray, arm: int) -> Estimate | Refusal:
    """The strength of one arm; none of an arm that stood beside no other."""
    at = _at(met, arm)
    if at is None:
        return _NOTHING
    return found if isinstance(found, Refusal) else found[at]


def _at(met: IntArray, arm: int | None) -> int | None:
    return int(np.searchsorted(met, arm)) if arm is not None and arm in met else None


def _named(
    groups: Sequence[Sequence[int]], met: IntArray, ids: Sequence[str]
) -> tuple[tuple[str, ...], ...]:
    if len(groups) < 2:  # noqa: PLR2004 - one group is all of them
        return ()
    return tuple(tuple(ids[int(met[at])] for at in group) for group in groups)
