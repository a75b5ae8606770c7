"""Would the answer change? Other weights, and one item less.

These figures cost more than the table, and stand beside the answer, never instead.
"""

from collections.abc import Sequence

import numpy as np

from judgebench.model import GapDrivers, ItemInfluence, Refusal, Rubric, WeightSurvival
from judgebench.stats import sensitivity
from judgebench.stats.arrays import FloatArray, IntArray

CHANGE = 0.2
SHOWN = 5
MAX_WORK = 20_000_000
"""Cells × trials: above it the check would take longer than all else together."""


def other_weights(
    criteria: FloatArray, reps: IntArray, rubric: Rubric, *, ids: Sequence[str], step: float
) -> WeightSurvival | Refusal | None:
    """Whether the set of possible best survives each weight a fifth up and down.

    Returns:
        None where nothing can be moved: one weighted criterion, too many of them, or
        too much data to try them all.
    """
    weights = np.array([criterion.weight for criterion in rubric.criteria])
    used = weights > 0
    k = int(used.sum())
    if k < 2 or k > 10 or reps.size * 2**k > MAX_WORK:  # noqa: PLR2004 - see Returns
        return None
    found = sensitivity.other_weights(
        criteria[:, :, used], weights[used], reps, step=step, change=CHANGE
    )
    if isinstance(found, Refusal):
        return found
    return WeightSurvival(
        change=CHANGE,
        trials=found.trials,
        same=found.same,
        ever=tuple(ids[at] for at in found.ever),
    )


def gap_drivers(
    cells: FloatArray, order: Sequence[int], *, ids: Sequence[str], items: Sequence[str]
) -> GapDrivers | Refusal | None:
    """Which item drives the gap between the first two arms of the table.

    Returns:
        None where there are no two arms with marks.
    """
    scored = [at for at in order if not np.isnan(cells[at]).all()]
    if len(scored) < 2:  # noqa: PLR2004 - a gap is between two
        return None
    a, b = scored[:2]
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
