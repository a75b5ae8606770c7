"""An arm's mean as people would have it, from answers that were drawn by strata.

Each stratum has its own labels and its own weight (its share of all answers); one
weight of the judge serves all. Stratum by stratum: y is people, f the judge on the
same answers, u the judge on the others.
"""

from collections.abc import Sequence
from math import sqrt

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.people import Corrected
from judgebench.model.reasons import RefusalCode
from judgebench.records import dataclass
from judgebench.stats.arrays import TIE, FloatArray
from judgebench.stats.corrected import LEAST_LABELS, corrected_mean, ppi
from judgebench.stats.intervals import t_quantile


@dataclass(frozen=True, kw_only=True, slots=True)
class Stratum:
    """Answers of one arm that were drawn together; all values finite."""

    y: FloatArray
    f: FloatArray
    u: FloatArray

    @property
    def size(self) -> int:
        """Answers in it, labelled or not."""
        return int(self.f.size + self.u.size)


def stratified_mean(
    strata: Sequence[Stratum], *, floor: float = 0.0, level: float = 0.95
) -> Corrected | Refusal:
    """Mean over all answers of the strata as people would have it.

    Args:
        strata: At least one; answers of each drawn at random within it.
        floor: Least variance of one value, points².
        level: Confidence.

    Returns:
        Σ W·(mean(y − λf) + λ·mean(u)) with W the share of a stratum; t on the degrees
        of freedom of Satterthwaite; the variance between strata is added, because the
        claim is about answers to come. One stratum is `corrected_mean`. `Refusal` with
        ``too_few_items`` below ten labels in a stratum, and as `corrected_mean`.

    Source:
        Fisch et al. (2024), arXiv 2406.04291; weights of Horvitz & Thompson (1952)
        with the number of labels in a stratum as it came out.
    """
    if len(strata) == 1:
        one = strata[0]
        return corrected_mean(one.y, one.f, one.u, floor=floor, level=level)
    least = min(one.y.size for one in strata)
    if least < LEAST_LABELS:
        return Refusal(
            statistic="corrected", code=RefusalCode.TOO_FEW_ITEMS.value, have=least,
            need=LEAST_LABELS, how="labelled answers in each stratum of the draw",
        )  # fmt: skip
    whole = corrected_mean(*(_joined(strata, name) for name in "yfu"), floor=floor, level=level)
    if isinstance(whole, Refusal):
        return whole
    weight = whole.weight
    value, variance, df = _summed(strata, weight, floor)
    if variance <= TIE**2:
        return Refusal(statistic="corrected", code=RefusalCode.ZERO_SPREAD.value, have=0, need=1)
    half = t_quantile((1 + level) / 2, df) * sqrt(variance)
    _, alone, df_alone = _summed(strata, 0.0, floor)
    wide = t_quantile((1 + level) / 2, df_alone) * sqrt(alone)
    n = sum(one.y.size for one in strata)
    return Corrected(
        estimate=Estimate(
            value=value, n=n, low=value - half, high=value + half, level=level, kind="t"
        ),
        weight=weight,
        rule=whole.rule,
        labels=n,
        others=sum(int(one.u.size) for one in strata),
        raw=whole.raw,
        correlation=whole.correlation,
        gain=half / wide if wide else 1.0,
    )


def _joined(strata: Sequence[Stratum], name: str) -> FloatArray:
    return np.concatenate([getattr(one, name) for one in strata])


def _summed(strata: Sequence[Stratum], weight: float, floor: float) -> tuple[float, float, float]:
    """Estimate, variance and degrees of freedom at a given weight of the judge."""
    total = sum(one.size for one in strata)
    means: list[float] = []
    parts: list[float] = []
    shares: list[float] = []
    for one in strata:
        # Without others in a stratum the judge has nothing to add there.
        value, variance = ppi(one.y, one.f, one.u, weight if one.u.size else 0.0)
        means.append(value)
        parts.append(max(variance, floor / one.y.size))
        shares.append(one.size / total)
    w, m, v = (np.array(x, dtype=np.float64) for x in (shares, means, parts))
    value = float(w @ m)
    inside = w**2 * v
    between = float(w @ (m - value) ** 2) / total
    freedom = np.array([one.y.size - 1 - bool(weight) for one in strata], dtype=np.float64)
    df = float(inside.sum() ** 2 / (inside**2 / freedom).sum()) if inside.sum() else 1.0
    return value, float(inside.sum()) + between, df


def weighted_mean(strata: Sequence[Stratum]) -> float | None:
    """People's mean with the weights of the strata.

    Args:
        strata: Labels and size of each stratum of one arm.

    Returns:
        Scale points; None without strata, or where one has no label.
    """
    if not strata or any(not one.y.size for one in strata):
        return None
    total = sum(one.size for one in strata)
    return float(sum(one.y.mean() * one.size for one in strata) / total)
