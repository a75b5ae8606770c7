"""Two versions of a rubric by one judge, held against the same people.

Axes: arms A, items I, people P. NaN is no mark.
"""

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.model.tuning import Fit
from judgebench.stats import agreement, human
from judgebench.stats.arrays import FloatArray, nan_mean
from judgebench.stats.intervals import t_quantile

LEAST_ITEMS = human.LEAST_BESIDE


def fit(people: FloatArray, judge: FloatArray, *, within: float, span: float) -> Fit | Refusal:
    """How close a judge comes to people's mean.

    Args:
        people: Shape (A, I, P), scale points.
        judge: Shape (A, I).
        within: Points that count as near.
        span: Points from the lowest mark of the scale to the highest.

    Returns:
        The figures. `Refusal` as `human.beside`: below ten items.
    """
    found = human.beside(people, judge, span=span)
    if isinstance(found, Refusal):
        return found
    means, _ = human.people_cells(people)
    both = np.stack([judge, means], axis=-1)
    near = agreement.closeness(both[np.isfinite(both).all(axis=-1)], within=within)
    return Fit(
        bias=found.bias,
        mae=found.mae,
        within=None if isinstance(near, Refusal) else near.within,
        alpha=found.alpha,
    )


def change(
    people: FloatArray, before: FloatArray, after: FloatArray, *, later: FloatArray | None = None
) -> Estimate | Refusal:  # fmt: skip
    """Paired change of the mean absolute gap to people, item by item.

    Args:
        people: Shape (A, I, P), scale points.
        before: Shape (A, I), the judge under one version.
        after: Shape (A, I), under the other.
        later: People under the other version, where it sums their marks otherwise.

    Returns:
        Mean over items of |after − people| − |before − people|, with t on the items;
        below zero the later version is closer. Without an interval where no item
        differs from another. `Refusal` with ``no_human_labels`` where nothing is
        marked by all three, ``too_few_items`` below ten items.

    Raises:
        ValueError: Shapes differ.

    Source:
        Own arithmetic; Student's t over paired items.
    """
    if before.shape != after.shape or people.shape[:2] != before.shape:
        raise ValueError("people must have shape (A, I, P), both versions (A, I)")
    if later is not None and later.shape != people.shape:
        raise ValueError("people must have one shape under both versions")
    means, _ = human.people_cells(people)
    means_later, _ = human.people_cells(people if later is None else later)
    moved = np.abs(after - means_later) - np.abs(before - means)
    per_item = nan_mean(moved, axis=0)
    used = per_item[np.isfinite(per_item)]
    n = int(used.size)
    if n < LEAST_ITEMS:
        code = RefusalCode.TOO_FEW_ITEMS if n else RefusalCode.NO_HUMAN_LABELS
        return Refusal(
            statistic="version_change", code=code.value, have=n, need=LEAST_ITEMS,
            how="items that people and both versions marked",
        )  # fmt: skip
    mean = float(used.mean())
    if float(np.ptp(used)) <= 1e-9:  # noqa: PLR2004 - the lattice of marks
        return Estimate(value=mean, n=n, no_interval=RefusalCode.ZERO_SPREAD.value)
    half = t_quantile(0.975, n - 1) * float(used.std(ddof=1)) / float(np.sqrt(n))
    return Estimate(value=mean, n=n, low=mean - half, high=mean + half, kind="t")
