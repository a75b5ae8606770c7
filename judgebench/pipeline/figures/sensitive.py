"""Would the answer change? Other weights, and one item less.

These figures cost more than the table, and stand beside the answer, never instead.
"""

from collections.abc import Callable, Sequence

import numpy as np

from judgebench.model.nouns import Refusal
from judgebench.model.sensitivity import GapDrivers, ItemInfluence, WeightSurvival
from judgebench.pipeline.figures.marked import Marks
from judgebench.stats import sensitivity
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray
from judgebench.stats.opponents import Opponents

CHANGE = 0.2
SHOWN = 5
MAX_WORK = 20_000_000
"""Marks × trials: above it the check would take longer than all else together."""


def other_weights(
    marks: Marks,
    *,
    ids: Sequence[str],
    placed: Sequence[bool],
    firm: Callable[[FloatArray], BoolArray],
    step: float,
    clusters: IntArray | None = None,
) -> WeightSurvival | Refusal | None:
    """Whether the set of possible best survives each weight a fifth up and down.

    All combinations, or one weight at a time where these are too many.

    Returns:
        None where nothing can be moved: one weighted criterion, or too much data to try.
    """
    weights = np.array([one.weight for one in marks.rubric.criteria], dtype=np.float64)
    used = np.flatnonzero(weights > 0)
    k = int(used.size)
    size = marks.marks.size if marks.rubric.gates else marks.cells.size
    together = k <= sensitivity.MOST_TOGETHER and size * 2**k <= MAX_WORK
    if k < 2 or (not together and size * 2 * k > MAX_WORK):  # noqa: PLR2004 - see Returns
        return None

    def cells_under(moved: FloatArray) -> FloatArray:
        every = np.zeros_like(weights)
        every[used] = moved
        return marks.weighed(every)

    found = sensitivity.other_weights(
        cells_under,
        weights[used],
        marks.repeats,
        step=step,
        change=CHANGE,
        together=together,
        among=[at for at, in_place in enumerate(placed) if in_place],
        firm=firm,
        clusters=clusters,
    )
    if isinstance(found, Refusal):
        return found
    return WeightSurvival(
        change=CHANGE,
        together=together,
        trials=found.trials,
        same=found.same,
        ever=tuple(ids[at] for at in found.ever),
    )


def gap_drivers(
    cells: FloatArray,
    order: Sequence[int],
    *,
    ids: Sequence[str],
    items: Sequence[str],
    placed: Sequence[bool],
    opponents: Opponents | None = None,
) -> GapDrivers | Refusal | None:
    """Which item drives the gap between the first two arms of the table.

    The first two that have a place, where two have one: no other is held against the first.

    Returns:
        None where there are no two arms with marks.
    """
    scored = [at for at in order if not np.isnan(cells[at]).all()]
    scored.sort(key=lambda at: not placed[at])
    if len(scored) < 2:  # noqa: PLR2004 - a gap is between two
        return None
    a, b = scored[:2]
    if opponents and (refused := opponents.between(a, b, "leave_one_out")) is not None:
        return refused
    found = sensitivity.leave_one_out(cells[a], cells[b])
    if isinstance(found, Refusal):
        return found
    gaps = cells[a] - cells[b]
    return GapDrivers(
        first=ids[a],
        second=ids[b],
        difference=float(gaps[np.isfinite(gaps)].mean()),
        turning=sum(one.turns for one in found),
        shared=len(found),
        items=tuple(
            ItemInfluence(item=items[one.item], difference=one.difference, turns=one.turns)
            for one in found[:SHOWN]
        ),
    )
