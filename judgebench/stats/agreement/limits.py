"""How far one rater lies from another: bias and limits of agreement."""

from math import sqrt

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.records import dataclass
from judgebench.stats.arrays import TIE, FloatArray
from judgebench.stats.intervals import t_quantile
from judgebench.stats.levels import LEAST_ITEMS, too_few_items


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """Bland–Altman: how far one rater lies from another."""

    bias: Estimate
    """First minus second, mean over units, scale points."""
    low: float | None
    """Lower limit of agreement; None below ten units."""
    high: float | None
    slope: float | None
    """Slope of the gap on the mean of both: a trend means a stretched scale."""


def limits_of_agreement(a: FloatArray, b: FloatArray) -> Limits | Refusal:
    """Bias of one rater against another and the limits that hold 95 % of the gaps.

    Where a rater marked a unit more than once, the gap of two *single* marks is
    described: limits from means of repeats alone would be too narrow.

    Args:
        a: Shape (U,) or, with repeats, (U, R); scale points, NaN where the rater gave none.
        b: Shape (U,) or (U, S); the repeats need be neither paired nor as many.

    Returns:
        Bias with a t interval over units; limits and trend from ten units on. Units
        that hang together, as arms of one item do, are the caller's to count.
        `Refusal` with ``too_few_items`` below three shared units.

    Raises:
        ValueError: Units differ.

    Source:
        Bland & Altman (1986, 1999, 2007: repeats of a value that stays the same).
    """
    if a.ndim not in {1, 2} or b.ndim not in {1, 2} or a.shape[0] != b.shape[0]:
        raise ValueError(f"marks of the same units, got shapes {a.shape} and {b.shape}")
    x, y = a.reshape(a.shape[0], -1), b.reshape(b.shape[0], -1)
    shared = np.isfinite(x).any(axis=1) & np.isfinite(y).any(axis=1)
    n = int(shared.sum())
    refused = too_few_items("bias", n)
    if refused is not None:
        return refused
    (first, within_first), (second, within_second) = (_repeated(v[shared]) for v in (x, y))
    d = first - second
    between = float(d.var(ddof=1)) if np.ptp(d) > TIE else 0.0
    bias = float(d.mean())
    found = Estimate(value=bias, n=n)
    if between > 0:
        half = t_quantile(0.975, n - 1) * sqrt(between / n)
        found = Estimate(value=bias, n=n, low=bias - half, high=bias + half, kind="t")
    sd = sqrt(between + within_first + within_second)
    if n < LEAST_ITEMS["limits_of_agreement"] or sd <= TIE:
        return Limits(bias=found, low=None, high=None, slope=None)
    mean = (first + second) / 2
    varies = float(np.ptp(mean)) > TIE
    slope = float(np.cov(mean, d)[0, 1] / mean.var(ddof=1)) if varies else None
    return Limits(bias=found, low=bias - 1.96 * sd, high=bias + 1.96 * sd, slope=slope)


def _repeated(marks: FloatArray) -> tuple[FloatArray, float]:
    """Mean of each unit, and what the variance of a single mark adds to that of the means."""
    m = np.isfinite(marks).sum(axis=1)
    values = np.where(np.isfinite(marks), marks, 0.0)
    means = values.sum(axis=1) / m
    df = int((m - 1).sum())
    if not df:
        return means, 0.0
    squares = np.where(np.isfinite(marks), (values - means[:, None]) ** 2, 0.0).sum()
    return means, float(squares) / df * float(1 - (1 / m).mean())
