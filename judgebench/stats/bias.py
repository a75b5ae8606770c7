"""Probes of a judge's leanings: order, length, style, family, leniency, compression, halo.

Each gives an effect with an interval over items and the smallest effect that it
would usually have seen, or a refusal. All but the length of planted twins are
observations: what goes with a mark need not be what made it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import exp, sqrt

import numpy as np
from scipy.special import bdtr, stdtr

from judgebench.model import Estimate, Refusal, RefusalCode
from judgebench.stats import planning
from judgebench.stats.arrays import TIE, FloatArray, nan_mean
from judgebench.stats.effects import Rows, Slope, regressor_spread, slopes
from judgebench.stats.flips import sign_flip
from judgebench.stats.intervals import t_quantile
from judgebench.stats.levels import too_few_items
from judgebench.stats.pairs import holm
from judgebench.stats.pairwise import Comparisons
from judgebench.stats.swaps import Swapped, swapped

PROBE = "bias_probe"
LEAST_SPREAD = 0.1
"""Sd of log2 length beside arm and item effects; below it length is another name for the arm."""
LEAST_ARMS = 3
LEAST_CELLS = 20
LEAST_FLIPS = 6


@dataclass(frozen=True, kw_only=True, slots=True)
class Probe:
    """One leaning of a judge."""

    name: str
    unit: str
    """What the effect is counted in."""
    effect: Estimate
    null: float = 0.0
    """Value of the effect where there is no such leaning."""
    detectable: float | None = None
    """Smallest effect found in 80 % of such runs; None where nothing spreads."""
    p_holm: float | None = None
    """Adjusted over the probes of one pass; None before `together` or without a test."""


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


def order_slope(totals: FloatArray, positions: FloatArray) -> Probe | Refusal:
    """Points that an answer gains for each place further down a list.

    Args:
        totals: Shape (A, I, R), totals of single judgings, NaN where nothing was scored.
        positions: Shape (A, I, R), place in its request from 0; NaN where unknown.

    Returns:
        Slope beside arm and item effects. `Refusal` with ``too_few_items`` below ten
        items, ``order_not_recorded`` without any place, ``not_identified`` where an
        arm always stood in the same place.

    Source:
        Zheng et al. (2023), arXiv 2306.05685; the errors are clustered by item.
    """
    if not np.isfinite(positions).any():
        return _refuse("order", RefusalCode.ORDER_NOT_RECORDED, 0, 1)
    return _sloped("order", "points a place", _rows(totals, positions[None]), least_spread=TIE)


def length_slope(totals: FloatArray, lengths: FloatArray) -> Probe | Refusal:
    """Points that go with twice the length, beside arm and item effects.

    Without the arm effects better arms that also write more would look like a
    bias of the judge.

    Args:
        totals: Shape (A, I), cells in scale points, NaN where nothing was scored.
        lengths: Shape (A, I), characters, ≥ 1; NaN where unknown.

    Returns:
        An observation: only planted twins can show a cause. `Refusal` with
        ``too_few_items`` below ten items, ``too_few_arms`` below three arms,
        ``not_identified`` where length hardly varies within the arms.

    Source:
        Dubois et al. (2024), arXiv 2404.04475, for the question; the model is our own.
    """
    if int((~np.isnan(totals)).any(axis=1).sum()) < LEAST_ARMS:
        return _refuse("length", RefusalCode.TOO_FEW_ARMS, totals.shape[0], LEAST_ARMS)
    logs = np.log2(np.where(lengths >= 1, lengths, np.nan))
    rows = _rows(totals[..., None], logs[None, ..., None])
    return _sloped("length", "points a doubling", rows, least_spread=LEAST_SPREAD)


def style_slopes(
    totals: FloatArray, features: FloatArray, names: Sequence[str]
) -> tuple[Probe | Refusal, ...]:
    """Points that go with each feature of style, all in one model with the others.

    Args:
        totals: Shape (A, I), cells in scale points, NaN where nothing was scored.
        features: Shape (P, A, I), e.g. log2 length, headings, list lines, bold words.
        names: P names.

    Returns:
        One a feature, points for one standard deviation of it. A feature that hardly
        varies beside arm and item effects is ``not_identified`` and left out of the
        model; the other refusals are those of `length_slope`.

    Source:
        As `length_slope`, with several regressors in one model.
    """
    if int((~np.isnan(totals)).any(axis=1).sum()) < LEAST_ARMS:
        return tuple(
            _refuse(name, RefusalCode.TOO_FEW_ARMS, totals.shape[0], LEAST_ARMS) for name in names
        )
    rows = _rows(totals[..., None], features[..., None])
    spread = regressor_spread(rows)
    used = np.flatnonzero(spread > TIE * (1 + np.abs(np.nan_to_num(features)).max(initial=0)))
    items = int(rows.there.any(axis=1).sum())
    short = too_few_items(PROBE, items)
    found: tuple[Slope, ...] | None = None
    if short is None and used.size:
        scaled = rows.x[used] / spread[used, None, None]
        found = slopes(Rows(y=rows.y, x=scaled, arm=rows.arm))
    out: list[Probe | Refusal] = []
    for at, name in enumerate(names):
        if short is not None:
            out.append(replace(short, statistic=name))
        elif found is None or at not in used:
            out.append(_refuse(name, RefusalCode.NOT_IDENTIFIED, 0, 1))
        else:
            slope = found[int(np.searchsorted(used, at))]
            out.append(_probe(name, "points a standard deviation", slope.effect, slope.se))
    return tuple(out)


def family_lean(judge: FloatArray, reference: FloatArray, own: Sequence[bool]) -> Probe | Refusal:
    """Points by which a judge favours arms of its own family, more than others do.

    Args:
        judge: Shape (A, I), the judge's cells in scale points.
        reference: Shape (A, I), the same cells by people, or by judges of other families.
        own: A values: the arm is of the judge's family.

    Returns:
        Difference in differences over items that have both kinds of arm in both.
        `Refusal` with ``one_family`` where there is no reference or no arm of one of
        the kinds (good cannot be told from favoured), ``too_few_items`` below ten.

    Source:
        Spiliopoulou et al. (2025), arXiv 2508.06709, for the design.
    """
    mine = np.asarray(own, dtype=bool)
    if not np.isfinite(reference).any() or mine.all() or not mine.any():
        return _refuse("family", RefusalCode.ONE_FAMILY, 1, 2)
    both = np.isfinite(judge) & np.isfinite(reference)
    gap = np.where(both, judge - reference, np.nan)
    d = nan_mean(gap[mine], axis=0) - nan_mean(gap[~mine], axis=0)
    return _mean_probe("family", "points", d)


def leniency(judge: FloatArray, reference: FloatArray) -> Probe | Refusal:
    """Points by which a judge marks higher than the reference on the same cells.

    Args:
        judge: Shape (A, I), cells in scale points.
        reference: Shape (A, I), by people or by the other judges.

    Returns:
        Mean over items of the mean gap within them. `Refusal` with
        ``too_few_items`` below ten items, ``too_few_judges`` without a shared cell.

    Source:
        Linacre (1989), as a plain paired mean.
    """
    both = np.isfinite(judge) & np.isfinite(reference)
    if not both.any():
        return _refuse("leniency", RefusalCode.TOO_FEW_JUDGES, 1, 2)
    return _mean_probe(
        "leniency", "points", nan_mean(np.where(both, judge - reference, np.nan), axis=0)
    )


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
        return _refuse("compression", RefusalCode.NO_VARIATION, 1, 2)
    whole, *kept = np.log(sx / sy).tolist()
    n = items.size
    values = n * whole - (n - 1) * np.array(kept)
    se = float(values.std(ddof=1)) / sqrt(n)
    if se <= TIE:
        return _refuse("compression", RefusalCode.ZERO_SPREAD, 0, 1)
    half = t_quantile(0.975, n - 1) * se
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
        return _refuse("halo", RefusalCode.NOT_IDENTIFIED, marks.shape[2], 2)
    there = np.isfinite(marks).all(axis=2)
    there &= (there.sum(axis=0) > 1)[None, :]
    items = np.flatnonzero(there.any(axis=0))
    refused = too_few_items(PROBE, items.size)
    if refused is not None:
        return replace(refused, statistic="halo")
    if there.sum() < LEAST_CELLS:
        return _refuse("halo", RefusalCode.TOO_FEW_ITEMS, int(there.sum()), LEAST_CELLS)
    kept = np.where(there[..., None], marks, np.nan)[:, items]
    centred = np.nan_to_num(kept - nan_mean(kept, axis=0)[None])
    products = np.einsum("aik,ail->ikl", centred, centred)
    whole = _mean_correlation(products.sum(axis=0))
    parts = [_mean_correlation(products.sum(axis=0) - one) for one in products]
    if whole is None or any(part is None for part in parts):
        return _refuse("halo", RefusalCode.NO_VARIATION, 1, 2)
    n = items.size
    values = n * whole - (n - 1) * np.array(parts, dtype=np.float64)
    se = float(values.std(ddof=1)) / sqrt(n)
    if se <= TIE:
        return _refuse("halo", RefusalCode.ZERO_SPREAD, 0, 1)
    half = t_quantile(0.975, n - 1) * se
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


def first_place(data: Comparisons, rng: np.random.Generator) -> Probe | Refusal:
    """Share by which the answer shown first wins more often than half, over swapped pairs.

    Args:
        data: Comparisons; only pairs that an item has in both orders count.
        rng: Draws sign flips where pairs were judged again and items are more than 16.

    Returns:
        Preference in [−½, ½], above 0 for the first place, Student's t over items;
        ``p`` is exact over the pairs that flip with the order, or by sign flips over
        items where an order was judged more than once; None below six flipped pairs.
        `Refusal` with ``too_few_items`` below ten items, ``order_not_recorded`` where
        no pair was shown in both orders.

    Source:
        McNemar (1947) for the test of pairs, Fisher (1935) for that of items.
    """
    both = swapped(data)
    if not both.item.size:
        return _refuse("first_place", RefusalCode.ORDER_NOT_RECORDED, 0, 1)
    names, places = np.unique(both.item, return_inverse=True)
    # Two judgings a pair: the mean of both orders' outcomes for the first place.
    shares = np.bincount(places, weights=both.wins.mean(axis=1) - 0.5) / np.bincount(places)
    refused = too_few_items(PROBE, names.size)
    if refused is not None:
        return replace(refused, statistic="first_place")
    found = _mean_probe("first_place", "share", shares)
    if isinstance(found, Refusal):
        return found
    return replace(found, effect=replace(found.effect, p=_flip_p(both, shares, rng)))


def _flip_p(both: Swapped, shares: FloatArray, rng: np.random.Generator) -> float | None:
    """Exact two-sided test: the pairs that flip favour the first place as often as the second.

    Judged again, nearly every pair leans a little: then items flip, not pairs.
    """
    lean = both.wins.sum(axis=1) - 1
    k, m = int(np.sum(lean > TIE)), int(np.sum(np.abs(lean) > TIE))
    if m < LEAST_FLIPS:
        return None
    if not both.again:
        return float(min(1.0, 2 * bdtr(min(k, m - k), m, 0.5)))
    flipped = sign_flip(shares, rng)
    return flipped.p if isinstance(flipped, Estimate) else None


def together(found: Sequence[Probe | Refusal]) -> tuple[Probe | Refusal, ...]:
    """The same probes with p-values adjusted over all of them (Holm).

    Args:
        found: Probes of one judge.

    Returns:
        In their order, `p_holm` in [0, 1] set on those that have a p-value.

    Source:
        Holm (1979).
    """
    tested = [one for one in found if isinstance(one, Probe) and one.effect.p is not None]
    p = np.array([one.effect.p for one in tested], dtype=np.float64)
    adjusted = dict(zip((id(one) for one in tested), holm(p), strict=True)) if tested else {}
    return tuple(
        replace(one, p_holm=float(adjusted[id(one)]))
        if isinstance(one, Probe) and id(one) in adjusted
        else one
        for one in found
    )


def _rows(totals: FloatArray, x: FloatArray) -> Rows:
    """Grids (A, I, R) and (P, A, I, R) as rows of items."""
    arms, items, repeats = totals.shape
    arm = np.broadcast_to(np.arange(arms)[:, None, None], totals.shape)
    turn = (1, 0, 2)
    return Rows(
        y=totals.transpose(turn).reshape(items, arms * repeats),
        x=x.transpose(0, 2, 1, 3).reshape(x.shape[0], items, arms * repeats),
        arm=np.asarray(arm.transpose(turn).reshape(items, arms * repeats), dtype=np.int64),
    )


def _sloped(name: str, unit: str, rows: Rows, *, least_spread: float) -> Probe | Refusal:
    refused = too_few_items(PROBE, int(rows.there.any(axis=1).sum()))
    if refused is not None:
        return replace(refused, statistic=name)
    if float(regressor_spread(rows)[0]) < least_spread:
        return _refuse(name, RefusalCode.NOT_IDENTIFIED, 0, 1)
    found = slopes(rows)
    if found is None:
        return _refuse(name, RefusalCode.ZERO_SPREAD, 0, 1)
    return _probe(name, unit, found[0].effect, found[0].se)


def _mean_probe(name: str, unit: str, d: FloatArray) -> Probe | Refusal:
    """Mean of one figure an item with Student's t."""
    known = d[np.isfinite(d)]
    n = int(known.size)
    refused = too_few_items(PROBE, n)
    if refused is not None:
        return replace(refused, statistic=name)
    mean, se = float(known.mean()), float(known.std(ddof=1)) / sqrt(n)
    if se <= TIE:
        return _refuse(name, RefusalCode.ZERO_SPREAD, 0, 1)
    half = t_quantile(0.975, n - 1) * se
    p = float(min(1.0, 2 * stdtr(n - 1, -abs(mean) / se)))
    effect = Estimate(value=mean, n=n, low=mean - half, high=mean + half, kind="t", p=p)
    return _probe(name, unit, effect, se)


def _probe(name: str, unit: str, effect: Estimate, se: float) -> Probe:
    """An effect with the smallest one that would usually have been found."""
    found = planning.detectable_difference(se * sqrt(effect.n), effect.n)
    detectable = found.value if isinstance(found, Estimate) else None
    return Probe(name=name, unit=unit, effect=effect, detectable=detectable)


def _refuse(name: str, code: RefusalCode, have: float, need: float) -> Refusal:
    return Refusal(statistic=name, code=code.value, have=have, need=need)
