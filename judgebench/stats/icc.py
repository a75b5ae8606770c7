"""Intraclass correlations: the six forms of Shrout & Fleiss, with intervals.

Input is a complete block of shape (U, J): a row a unit, a column a rater. A means
absolute agreement, C consistency (for a ranking), 1 one rater, k the mean of all.
Where the columns are no persons, only ``1,1`` and ``1,k`` mean anything.
"""

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.records import dataclass
from judgebench.stats.arrays import FloatArray, settled
from judgebench.stats.levels import too_few_items
from judgebench.stats.special import fdtri

_TIE = 1e-12


@dataclass(frozen=True, kw_only=True, slots=True)
class Icc:
    """The six forms; the later four are refused where raters are not identified."""

    one: Estimate
    """(1,1): each unit with its own raters, one mark."""
    one_mean: Estimate
    """(1,k)."""
    absolute: Estimate | Refusal
    """(A,1), Shrout & Fleiss (2,1)."""
    absolute_mean: Estimate | Refusal
    """(A,k)."""
    consistency: Estimate | Refusal
    """(C,1), Shrout & Fleiss (3,1)."""
    consistency_mean: Estimate | Refusal
    """(C,k)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Squares:
    """Mean squares: units, raters, residual, within units."""

    n: int
    k: int
    units: float
    raters: float
    residual: float
    within: float


def icc(marks: FloatArray, *, identified: bool = True) -> Icc | Refusal:
    """Six intraclass correlations of a complete block.

    Args:
        marks: Shape (U, J), scale points; units with a gap are left out.
        identified: Whether a column is one and the same rater throughout.

    Returns:
        The forms, each ≤ 1 and possibly below 0, with exact-F intervals
        (Satterthwaite for A). `Refusal` with ``too_few_judges`` below two raters,
        ``too_few_items`` below five complete units, ``no_variation`` where units
        do not differ, ``zero_spread`` where raters never differ within a unit.
        Forms A and C are ``raters_not_identified`` where columns are no persons.

    Raises:
        ValueError: `marks` is not two-dimensional.

    Source:
        Shrout & Fleiss (1979); McGraw & Wong (1996).
    """
    if marks.ndim != 2:  # noqa: PLR2004 - two axes
        raise ValueError(f"marks must have shape (U, J), got {marks.shape}")
    block = settled(marks[np.isfinite(marks).all(axis=1)])
    if marks.shape[1] < 2:  # noqa: PLR2004 - agreement needs two
        have = marks.shape[1]
        return Refusal(statistic="icc", code=RefusalCode.TOO_FEW_JUDGES.value, have=have, need=2)
    refused = too_few_items("icc", block.shape[0])
    if refused is not None:
        return refused
    squares = _squares(block)
    scale = float(np.ptp(block)) ** 2
    # Equal marks leave squares of 1e-33 behind, which are larger than a share of nothing.
    if scale == 0 or squares.units <= _TIE * scale:
        return Refusal(statistic="icc", code=RefusalCode.NO_VARIATION.value, have=1, need=2)
    if squares.within <= _TIE * scale or squares.residual <= _TIE * scale:
        return Refusal(statistic="icc", code=RefusalCode.ZERO_SPREAD.value, have=0, need=1)
    return _forms(squares, identified=identified)


def _squares(x: FloatArray) -> _Squares:
    n, k = x.shape
    grand, units, raters = x.mean(), x.mean(axis=1), x.mean(axis=0)
    between = float(((units - grand) ** 2).sum()) * k
    columns = float(((raters - grand) ** 2).sum()) * n
    residual = float(((x - units[:, None] - raters[None, :] + grand) ** 2).sum())
    return _Squares(
        n=n,
        k=k,
        units=between / (n - 1),
        raters=columns / (k - 1),
        residual=residual / ((n - 1) * (k - 1)),
        within=(columns + residual) / (n * (k - 1)),
    )


def _forms(ms: _Squares, *, identified: bool) -> Icc:
    one, one_mean = _ratio(ms, ms.within, ms.n * (ms.k - 1))
    if not identified:
        hidden = Refusal(
            statistic="icc", code=RefusalCode.RATERS_NOT_IDENTIFIED.value, have=0, need=1
        )
        return Icc(
            one=one,
            one_mean=one_mean,
            absolute=hidden,
            absolute_mean=hidden,
            consistency=hidden,
            consistency_mean=hidden,
        )
    consistency, consistency_mean = _ratio(ms, ms.residual, (ms.n - 1) * (ms.k - 1))
    absolute, absolute_mean = _absolute(ms)
    return Icc(
        one=one,
        one_mean=one_mean,
        absolute=absolute,
        absolute_mean=absolute_mean,
        consistency=consistency,
        consistency_mean=consistency_mean,
    )


def _ratio(ms: _Squares, error: float, df: int) -> tuple[Estimate, Estimate]:
    """Forms that rest on one F ratio: (1,·) and (C,·)."""
    k, f = ms.k, ms.units / error
    low = f / float(fdtri(ms.n - 1, df, 0.975))
    high = f * float(fdtri(df, ms.n - 1, 0.975))
    single, mean = ((v - 1) / (v + k - 1) for v in (f, low)), (1 - 1 / v for v in (f, low))
    (value, bottom), (value_k, bottom_k) = single, mean
    return (
        Estimate(value=value, n=ms.n, low=bottom, high=(high - 1) / (high + k - 1), kind="F"),
        Estimate(value=value_k, n=ms.n, low=bottom_k, high=1 - 1 / high, kind="F"),
    )


def _absolute(ms: _Squares) -> tuple[Estimate, Estimate | Refusal]:
    n, k = ms.n, ms.k
    rho = (ms.units - ms.residual) / (
        ms.units + (k - 1) * ms.residual + k * (ms.raters - ms.residual) / n
    )
    a = k * rho / (n * (1 - rho))
    b = 1 + k * rho * (n - 1) / (n * (1 - rho))
    parts = (a * ms.raters) ** 2 / (k - 1) + (b * ms.residual) ** 2 / ((n - 1) * (k - 1))
    v = (a * ms.raters + b * ms.residual) ** 2 / parts
    rest = k * ms.raters + (k * n - k - n) * ms.residual
    up, down = float(fdtri(n - 1, v, 0.975)), float(fdtri(v, n - 1, 0.975))
    low = n * (ms.units - up * ms.residual) / (up * rest + n * ms.units)
    high = n * (down * ms.units - ms.residual) / (rest + n * down * ms.units)
    single = _around(rho, low, high, n=n)
    return single, _absolute_mean(ms, (low, high))


def _absolute_mean(ms: _Squares, limits: tuple[float, float]) -> Estimate | Refusal:
    bottom = ms.units + (ms.raters - ms.residual) / ms.n
    if bottom <= _TIE * ms.units:
        return Refusal(statistic="icc", code=RefusalCode.NOT_FINITE.value, have=0, need=1)
    value = (ms.units - ms.residual) / bottom
    if 1 + (ms.k - 1) * limits[0] <= _TIE:
        return Estimate(value=value, n=ms.n, no_interval=RefusalCode.NOT_FINITE.value)
    low, high = (ms.k * end / (1 + (ms.k - 1) * end) for end in limits)
    return _around(value, low, high, n=ms.n)


def _around(value: float, low: float, high: float, *, n: int) -> Estimate:
    """A figure with its interval; without one where hardly a degree of freedom is left.

    The approximation of Satterthwaite then ends in one point, or beside the figure.
    """
    if not low < value < high:
        return Estimate(value=value, n=n, no_interval=RefusalCode.NOT_FINITE.value)
    return Estimate(value=value, n=n, low=low, high=high, kind="F")
