"""How a judge uses its scale: how much of it, and whether criteria move as one."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from math import exp, sqrt

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.records import dataclass
from judgebench.stats.arrays import TIE, FloatArray, nan_mean
from judgebench.stats.intervals import t_quantile
from judgebench.stats.levels import too_few_items
from judgebench.stats.probes import PROBE, Probe, refuse

LEAST_CELLS = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Levels:
    """Which marks a rater uses, beside another's."""

    ratio: Estimate
    """Sd of the judge's marks over that of one rater's; below 1 the judge is compressed."""
    top_share: float
    """Share of the judge's marks at the two highest levels of the scale."""
    top_share_reference: float
    levels: int
    """Different marks that the judge uses."""
    levels_reference: int
    """The most that one rater of the reference uses."""


def compression(
    judge: FloatArray, reference: FloatArray, *, low: float, high: float, step: float
) -> Levels | Refusal:
    """Whether a judge uses less of the scale than the reference.

    Args:
        judge: Shape (A, I), one mark a cell (means of several spread less).
        reference: Shape (A, I), the same cells by one rater; or (R, A, I), by several.
        low: Lowest mark of the scale.
        high: Highest mark.
        step: Step of the scale.

    Returns:
        Ratio of the two sds, pooled over raters, with a jackknife interval over items on
        its logarithm; 1 is none. `Refusal` with ``too_few_items`` below ten items,
        ``no_variation`` where one of them does not spread, ``zero_spread`` where the
        two follow each other exactly.

    Source:
        Ratio of standard deviations; item jackknife on its logarithm, as Efron &
        Tibshirani (1993) for a jackknife.
    """
    raters = reference.reshape(-1, *judge.shape)
    both = np.isfinite(judge) & np.isfinite(raters)
    items = np.flatnonzero(both.any(axis=(0, 1)))
    refused = too_few_items(PROBE, items.size)
    if refused is not None:
        return replace(refused, statistic="compression")
    x, y = (np.where(both, one, np.nan)[..., items] for one in (judge, raters))
    sx, sy = _pooled_sd(x), _pooled_sd(y)
    if min(sx.min(), sy.min()) <= TIE:
        return refuse("compression", RefusalCode.NO_VARIATION, 1, 2)
    whole, *kept = np.log(sx / sy).tolist()
    n = items.size
    half = _half_width(whole, kept)
    if half is None:
        return refuse("compression", RefusalCode.ZERO_SPREAD, 0, 1)
    ratio = Estimate(
        value=exp(whole), n=n, low=exp(whole - half), high=exp(whole + half), kind="jackknife"
    )
    top = high - step - TIE if high - step > low else high - TIE
    mine = judge[both.any(axis=0)]
    used = [np.unique(one[np.isfinite(one)].round(9)).size for one in y]
    return Levels(
        ratio=ratio,
        top_share=float(np.mean(mine >= top)),
        top_share_reference=float(np.mean(y[np.isfinite(y)] >= top)),
        levels=int(np.unique(mine.round(9)).size),
        levels_reference=max(used),
    )


def _half_width(whole: float, without: Sequence[float | None]) -> float | None:
    """Half of a jackknife interval, from the figure without each item; None without spread."""
    n = len(without)
    values = n * whole - (n - 1) * np.array(without, dtype=np.float64)
    se = float(values.std(ddof=1)) / sqrt(n)
    return t_quantile(0.975, n - 1) * se if se > TIE else None


def _pooled_sd(marks: FloatArray) -> FloatArray:
    """Sd about each rater's mean, pooled over raters: of all items, then without each one."""
    there = np.isfinite(marks)
    count = there.sum(axis=(1, 2), keepdims=True)
    mean = np.nansum(marks, axis=(1, 2), keepdims=True) / np.maximum(count, 1)
    centred = np.where(there, marks - mean, 0.0)
    n, total, squares = (
        one.sum(axis=(1, 2))[:, None] - np.insert(one.sum(axis=1), 0, 0, axis=1)
        for one in (there, centred, centred**2)
    )
    inside = np.maximum(squares - total**2 / np.maximum(n, 1), 0.0)
    return np.asarray(np.sqrt(inside.sum(axis=0) / np.maximum(n.sum(axis=0), 1)))


def halo(marks: FloatArray) -> Probe | Refusal:
    """How far the criteria of one answer move together, within items.

    Args:
        marks: Shape (A, I, K), cells of each criterion in scale points.

    Returns:
        Mean over pairs of criteria of the correlation within items, jackknifed over
        items. High alone is no fault: good answers may be good in all. `Refusal` with
        ``too_few_items`` below ten items or 20 cells, ``not_identified`` with one
        criterion, ``no_variation`` where fewer than two criteria spread.

    Source:
        Thorndike (1920); Saal, Downey & Lahey (1980).
    """
    if marks.shape[2] < 2:  # noqa: PLR2004 - a pair
        return refuse("halo", RefusalCode.NOT_IDENTIFIED, marks.shape[2], 2)
    there = np.isfinite(marks).all(axis=2)
    there &= (there.sum(axis=0) > 1)[None, :]
    items = np.flatnonzero(there.any(axis=0))
    refused = too_few_items(PROBE, items.size)
    if refused is not None:
        return replace(refused, statistic="halo")
    if there.sum() < LEAST_CELLS:
        return refuse("halo", RefusalCode.TOO_FEW_ITEMS, int(there.sum()), LEAST_CELLS)
    kept = np.where(there[..., None], marks, np.nan)[:, items]
    centred = np.nan_to_num(kept - nan_mean(kept, axis=0)[None])
    products = np.einsum("aik,ail->ikl", centred, centred)
    whole = _mean_correlation(products.sum(axis=0))
    parts = [_mean_correlation(products.sum(axis=0) - one) for one in products]
    if whole is None or any(part is None for part in parts):
        return refuse("halo", RefusalCode.NO_VARIATION, 1, 2)
    n = items.size
    half = _half_width(whole, parts)
    if half is None:
        return refuse("halo", RefusalCode.ZERO_SPREAD, 0, 1)
    effect = Estimate(
        value=whole,
        n=n,
        low=max(-1.0, whole - half),
        high=min(1.0, whole + half),
        kind="jackknife",
    )
    return Probe(name="halo", unit="mean correlation", effect=effect)


def _mean_correlation(products: FloatArray) -> float | None:
    """Mean correlation over pairs of criteria that spread; None without such a pair."""
    spread = np.sqrt(np.diag(products))
    used = [k for k in range(len(spread)) if spread[k] > TIE]
    found = [products[a, b] / (spread[a] * spread[b]) for a, b in combinations(used, 2)]
    return float(np.mean(found)) if found else None
