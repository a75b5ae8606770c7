"""What people would have said of all items, from their marks on some and the judge's on all.

Prediction-powered means (PPI++): the judge's mean over the other items, moved by
how far it lies from people where both marked. Valid for items that were drawn at
random, whatever the judge's bias; a biased judge costs width, never truth.

y is people, f the judge on the same items, u the judge on the other items; each
a value an item, in scale points: an arm's cells, or differences of two arms.
"""

from math import sqrt
from typing import Literal

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.people import Corrected
from judgebench.model.reasons import RefusalCode
from judgebench.stats.arrays import TIE, FloatArray
from judgebench.stats.intervals import t_quantile

LEAST_LABELS = 10
TUNED_FROM = 20
"""Labels from which the judge's weight is fitted; below it is one, or none."""
LEAST_OTHERS = 10
"""Items without labels below which the judge has nothing to add."""

Rule = Literal["fitted", "fixed", "people"]


def ppi(y: FloatArray, f: FloatArray, u: FloatArray, weight: float) -> tuple[float, float]:
    """Estimate and variance at a given weight of the judge.

    Args:
        y: Shape (n,), people.
        f: Shape (n,), judge on the same items.
        u: Shape (N,), judge on the others; not looked at where `weight` is 0.
        weight: λ in [0, 1].

    Returns:
        mean(y − λf) + λ·mean(u), and its variance.

    Source:
        Angelopoulos, Duchi, Zrnic (2023), arXiv 2311.01453.
    """
    rest = y - weight * f
    value, variance = float(rest.mean()), _variance(rest) / rest.size
    if weight:
        value += weight * float(u.mean())
        variance += weight**2 * _variance(u) / u.size
    return value, variance


def _variance(x: FloatArray) -> float:
    return float(x.var(ddof=1)) if x.size > 1 and float(np.ptp(x)) > TIE else 0.0


def best_weight(y: FloatArray, f: FloatArray, others: int) -> float:
    """Weight of the judge with the least variance: cov(y, f) / ((1 + n/N) var f).

    Args:
        y: Shape (n,), marks by people, scale points, n of two or more.
        f: Shape (n,), the judge's on the same.
        others: N, how many the judge alone marked.

    Returns:
        In [0, 1]; 0 where the judge's marks do not spread, or it marked no others.
    """
    spread = _variance(f)
    if not spread or not others:
        return 0.0
    cov = float(np.mean((y - y.mean()) * (f - f.mean()))) * y.size / (y.size - 1)
    return float(np.clip(cov / ((1 + y.size / others) * spread), 0.0, 1.0))


def _correlation(y: FloatArray, f: FloatArray) -> float | None:
    spread = sqrt(_variance(y) * _variance(f))
    if not spread:
        return None
    cov = float(np.mean((y - y.mean()) * (f - f.mean()))) * y.size / (y.size - 1)
    return max(-1.0, min(1.0, cov / spread))


def corrected_mean(
    y: FloatArray,
    f: FloatArray,
    u: FloatArray,
    *,
    floor: float = 0.0,
    level: float = 0.95,
    statistic: str = "corrected",
) -> Corrected | Refusal:
    """Mean over all items as people would have it, with t on the labels.

    Below 20 labels the judge's weight is one, from 20 on it is fitted; where judge
    and people do not correlate by more than 1/√(n−2), or fewer than ten items are
    without labels, the judge adds nothing and people alone stand.

    Args:
        y: Shape (n,), people on items drawn at random; finite.
        f: Shape (n,), judge on the same items; finite.
        u: Shape (N,), judge on all other items; finite.
        floor: Least variance of one value, points² (rounding of marks).
        level: Confidence.
        statistic: Name in a refusal.

    Returns:
        The figure. `Refusal` with ``no_human_labels`` at none, ``too_few_items``
        below ten labels, ``zero_spread`` where nothing varies and `floor` is 0.

    Raises:
        ValueError: Shapes differ.

    Source:
        Angelopoulos et al. (2023); Mani et al. (2025), arXiv 2505.20178, on when
        there is no gain; t instead of z, and n−2 where the judge is used, are our own
        choice, docs/statistics.md shows what they repair.
    """
    if y.ndim != 1 or y.shape != f.shape or u.ndim != 1:
        raise ValueError("y and f must share one shape (n,), u must be a vector")
    n = y.size
    if n < LEAST_LABELS:
        code = RefusalCode.TOO_FEW_ITEMS if n else RefusalCode.NO_HUMAN_LABELS
        return Refusal(
            statistic=statistic, code=code.value, have=n, need=LEAST_LABELS,
            how="labelled items that the judge marked too",
        )  # fmt: skip
    rho = _correlation(y, f)
    weight, rule = _weight(y, f, u, rho)
    value, variance = ppi(y, f, u, weight)
    df = n - 1 if rule == "people" else n - 2
    # A weight that was chosen by these labels makes the residuals smaller than they are.
    variance = max(variance * (n - 1) / df, floor / n)
    if variance <= TIE**2:
        return Refusal(statistic=statistic, code=RefusalCode.ZERO_SPREAD.value, have=0, need=1)
    half = t_quantile((1 + level) / 2, df) * sqrt(variance)
    alone = t_quantile((1 + level) / 2, n - 1) * sqrt(max(_variance(y), floor) / n)
    return Corrected(
        estimate=Estimate(
            value=value, n=n, low=value - half, high=value + half, level=level, kind="t"
        ),
        weight=weight,
        rule=rule,
        labels=n,
        others=int(u.size),
        raw=float(np.concatenate([f, u]).mean()),
        correlation=rho,
        gain=half / alone if alone else 1.0,
    )


def _weight(y: FloatArray, f: FloatArray, u: FloatArray, rho: float | None) -> tuple[float, Rule]:
    n = y.size
    if u.size < LEAST_OTHERS or rho is None or rho <= 1 / sqrt(n - 2):
        return 0.0, "people"
    if n < TUNED_FROM:
        return 1.0, "fixed"
    return best_weight(y, f, int(u.size)), "fitted"


def corrected_difference(
    people: FloatArray,
    judge: FloatArray,
    drawn: np.ndarray[tuple[int], np.dtype[np.bool_]],
    *,
    floor: float = 0.0,
    level: float = 0.95,
) -> Corrected | Refusal:
    """Paired difference of two arms over all items, as people would have it.

    Args:
        people: Shape (2, I), cells of both arms as people marked them, NaN where not.
        judge: Shape (2, I), as the judge did.
        drawn: Shape (I,): the item was drawn for labels. Labels elsewhere are not used.
        floor: Least variance of one difference, points².
        level: Confidence.

    Returns:
        First minus second. `Refusal` as `corrected_mean`.

    Source:
        Angelopoulos et al. (2023), arXiv 2311.01453; Student's t on the labelled items.
    """
    y, f = people[0] - people[1], judge[0] - judge[1]
    judged = np.isfinite(f)
    labelled = np.isfinite(y) & judged & drawn
    return corrected_mean(
        y[labelled], f[labelled], f[judged & ~labelled], floor=floor, level=level,
        statistic="corrected_difference",
    )  # fmt: skip


def labels_needed(
    sd: float, correlation: float, *, half_width: float, items: int, level: float = 0.95
) -> int | None:
    """Fewest labelled items that give an interval of ± `half_width`.

    Args:
        sd: Spread of people's values between items, scale points, > 0.
        correlation: Between people and judge, in [−1, 1]; below 0 counts as none.
        half_width: Wished-for half width, scale points, > 0.
        items: Items that the judge marked, labelled or not.
        level: Confidence.

    Returns:
        Items to label, at least ten; None where not even all of them would do.

    Raises:
        ValueError: A value is out of range.

    Source:
        Variance of PPI++ at its best weight: sd²/n · (1 − ρ² N/(n + N)).

    >>> labels_needed(1.0, 0.0, half_width=0.5, items=1000)
    18
    >>> labels_needed(1.0, 0.9, half_width=0.5, items=1000)
    10
    """
    if not (sd > 0 and half_width > 0 and -1 <= correlation <= 1):
        raise ValueError("sd and half_width must be above 0, correlation within [-1, 1]")
    for n in range(LEAST_LABELS, items + 1):
        if expected_half_width(sd, correlation, labels=n, items=items, level=level) <= half_width:
            return n
    return None


def expected_half_width(
    sd: float, correlation: float, *, labels: int, items: int, level: float = 0.95
) -> float:
    """Half width that `labels` of `items` items would give.

    Args:
        sd: Spread of people's values between items, scale points.
        correlation: Between people and judge.
        labels: Labelled items, at least two.
        items: Items that the judge marked, labelled or not.
        level: Confidence.

    Returns:
        Half width in scale points; below 20 labels that of people alone, which is
        the wider one wherever the judge is of any use.
    """
    others = items - labels
    used = max(0.0, correlation) if labels >= TUNED_FROM and others >= LEAST_OTHERS else 0.0
    df = labels - 2 if used else labels - 1
    variance = sd**2 / labels * (1 - used**2 * others / items)
    return t_quantile((1 + level) / 2, df) * sqrt(variance)
