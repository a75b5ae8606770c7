"""How close a person comes to the other people, and a judge to the same."""

import numpy as np

from judgebench.model.nouns import Refusal
from judgebench.model.people import Ceiling
from judgebench.model.reasons import RefusalCode
from judgebench.stats.arrays import TIE, FloatArray, nan_mean
from judgebench.stats.human import counted, fits, over_items, people_cells

LEAST_CEILING = 20
LEAST_PEOPLE = 2


def ceiling(people: FloatArray, judge: FloatArray) -> Ceiling | Refusal:
    """How close a person comes to the other people, and the judge to the same.

    Each person is left out in turn; person and judge are both held against the
    mean of the rest, so that the noise of the rest weighs on both alike.

    Args:
        people: Shape (A, I, P).
        judge: Shape (A, I).

    Returns:
        Mean over persons. `Refusal` with ``single_annotator`` where fewer than two
        people share a cell, ``too_few_items`` below 20 items with two people.

    Raises:
        ValueError: Shapes do not fit.

    Source:
        Leave-one-out as in Calderon, Reichart, Dror (2025).
    """
    fits(people, judge)
    shared = counted(np.where(np.isfinite(judge)[:, :, None], people, np.nan))
    if shared.people < LEAST_PEOPLE or not shared.twice:
        return Refusal(
            statistic="ceiling", code=RefusalCode.SINGLE_ANNOTATOR.value,
            have=min(shared.people, 1), need=LEAST_PEOPLE,
        )  # fmt: skip
    if shared.items_twice < LEAST_CEILING:
        return Refusal(
            statistic="ceiling", code=RefusalCode.TOO_FEW_ITEMS.value, have=shared.items_twice,
            need=LEAST_CEILING, how="items that two people marked",
        )  # fmt: skip
    ours, theirs, pairs = [], [], np.zeros(3)
    persons = 0
    for at in range(people.shape[2]):
        rest, _ = people_cells(np.delete(people, at, axis=2))
        one = people[:, :, at]
        used = np.isfinite(rest) & np.isfinite(one) & np.isfinite(judge)
        if not used.any():
            continue
        persons += 1
        held = [np.where(used, x, np.nan) for x in (judge, one, rest)]
        ours.append(np.abs(held[0] - held[2]))
        theirs.append(np.abs(held[1] - held[2]))
        pairs += _alike(held[0], held[1], held[2])
    near, far = np.stack(theirs), np.stack(ours)
    per_item = nan_mean(nan_mean(far - near, axis=1), axis=0)
    return Ceiling(
        person_mae=_grand(near),
        judge_mae=_grand(far),
        further=over_items(per_item[np.isfinite(per_item)]),
        person_ordering=float(pairs[1] / pairs[2]) if pairs[2] and _orders(people) else None,
        judge_ordering=float(pairs[0] / pairs[2]) if pairs[2] and _orders(judge) else None,
        people=persons,
        items=int(np.isfinite(per_item).sum()),
    )


def _grand(gaps: FloatArray) -> float:
    """Mean over items of the mean over their persons and cells, shape (P, A, I)."""
    per_item = nan_mean(nan_mean(gaps, axis=1), axis=0)
    return float(per_item[np.isfinite(per_item)].mean())


def _alike(judge: FloatArray, one: FloatArray, rest: FloatArray) -> FloatArray:
    """Pairs of arms that judge and person order as the rest do, and all such pairs."""
    out = np.zeros(3)
    for a in range(rest.shape[0]):
        for b in range(a + 1, rest.shape[0]):
            signs = [_sign(x[a] - x[b]) for x in (judge, one, rest)]
            known = np.isfinite(signs[2])
            out += [
                np.count_nonzero((signs[0] == signs[2]) & known),
                np.count_nonzero((signs[1] == signs[2]) & known),
                np.count_nonzero(known),
            ]
    return out


def _orders(marks: FloatArray) -> bool:
    """Whether a rater, of shape (A, I) or each of (A, I, P), puts any two arms in an order."""
    top = np.where(np.isfinite(marks), marks, -np.inf).max(axis=0)
    low = np.where(np.isfinite(marks), marks, np.inf).min(axis=0)
    return bool((np.isfinite(top) & np.isfinite(low) & (top > low + TIE)).any())


def _sign(gap: FloatArray) -> FloatArray:
    return np.asarray(np.sign(np.where(np.abs(gap) <= TIE, 0.0, gap)), dtype=np.float64)
