"""Probes of a judge's leanings: order, length, style, family, leniency, the first place.

Each gives an effect with an interval over items and the smallest effect that it
would usually have seen, or a refusal. All but the length of planted twins are
observations: what goes with a mark need not be what made it.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.stats.arrays import TIE, FloatArray, nan_mean
from judgebench.stats.effects import Rows, Slope, regressor_spread, slopes
from judgebench.stats.flips import sign_flip
from judgebench.stats.levels import too_few_items
from judgebench.stats.pairs import holm
from judgebench.stats.pairwise import Comparisons
from judgebench.stats.probes import PROBE, Probe, mean_probe, probe, refuse
from judgebench.stats.shares import equal_ends
from judgebench.stats.special import bdtr
from judgebench.stats.swaps import swapped

LEAST_SPREAD = 0.1
"""Sd of log2 length beside arm and item effects; below it length is another name for the arm."""
LEAST_ARMS = 3
LEAST_FLIPS = 6


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
        return refuse("order", RefusalCode.ORDER_NOT_RECORDED, 0, 1)
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
        ``not_identified`` where no length is known, or it hardly varies within the arms.

    Source:
        Dubois et al. (2024), arXiv 2404.04475, for the question; the model is our own.
    """
    if not np.isfinite(lengths).any():
        return refuse("length", RefusalCode.NOT_IDENTIFIED, 0, 1)
    if (arms := int((~np.isnan(totals)).any(axis=1).sum())) < LEAST_ARMS:
        return refuse("length", RefusalCode.TOO_FEW_ARMS, arms, LEAST_ARMS)
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
    if (arms := int((~np.isnan(totals)).any(axis=1).sum())) < LEAST_ARMS:
        return tuple(refuse(name, RefusalCode.TOO_FEW_ARMS, arms, LEAST_ARMS) for name in names)
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
            out.append(refuse(name, RefusalCode.NOT_IDENTIFIED, 0, 1))
        else:
            slope = found[int(np.searchsorted(used, at))]
            out.append(probe(name, "points a standard deviation", slope.effect, slope.se))
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
        return refuse("family", RefusalCode.ONE_FAMILY, 1, 2)
    both = np.isfinite(judge) & np.isfinite(reference)
    gap = np.where(both, judge - reference, np.nan)
    d = nan_mean(gap[mine], axis=0) - nan_mean(gap[~mine], axis=0)
    return mean_probe("family", "points", d)


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
        return refuse("leniency", RefusalCode.TOO_FEW_JUDGES, 1, 2)
    return mean_probe(
        "leniency", "points", nan_mean(np.where(both, judge - reference, np.nan), axis=0)
    )


def first_place(data: Comparisons, rng: np.random.Generator) -> Probe | Refusal:
    """Share by which the answer shown first wins more often than half, over swapped pairs.

    Args:
        data: Comparisons; only pairs that an item has in both orders count.
        rng: Draws sign flips where items are more than 16.

    Returns:
        Preference in [−½, ½], above 0 for the first place, Student's t over items, or
        the bounded interval where every item leans alike; ``kind`` "t" or "bounded";
        ``p`` by sign flips over items, exact over those that lean where each has one pair;
        None where fewer than six items lean.
        `Refusal` with ``too_few_items`` below ten items, ``order_not_recorded`` where
        no pair was shown in both orders, ``zero_spread`` where no item leans.

    Source:
        McNemar (1947) where an item has one pair, Fisher (1935) for items of several: pairs
        of one item may lean together. Gaffke (2005) for items that all lean alike.
    """
    both = swapped(data)
    if not both.item.size:
        return refuse("first_place", RefusalCode.ORDER_NOT_RECORDED, 0, 1)
    names, places = np.unique(both.item, return_inverse=True)
    # Two judgings a pair: the mean of both orders' outcomes for the first place.
    shares = np.bincount(places, weights=both.wins.mean(axis=1) - 0.5) / np.bincount(places)
    refused = too_few_items(PROBE, names.size)
    if refused is not None:
        return replace(refused, statistic="first_place")
    found = mean_probe("first_place", "share", shares)
    if isinstance(found, Refusal):
        lean = float(shares.mean())
        if abs(lean) <= TIE:
            return found
        # Each item leans alike, and coins may fall alike: no spread is needed to see that.
        low, high = equal_ends(lean + 0.5, names.size, 0.025)
        effect = Estimate(
            value=lean, n=int(names.size), low=low - 0.5, high=high - 0.5, kind="bounded"
        )
        found = Probe(name="first_place", unit="share", effect=effect, detectable=None)
    once = not both.again and names.size == both.item.size
    return replace(found, effect=replace(found.effect, p=_flip_p(shares, once=once, rng=rng)))


def _flip_p(shares: FloatArray, *, once: bool, rng: np.random.Generator) -> float | None:
    """Exact two-sided test: items lean to the first place as often as to the second.

    Args:
        shares: Shape (I,), how far each item leans.
        once: Each item has one pair, judged once in each order: the leans are all of one size.
        rng: Draws flips.
    """
    k, m = int(np.sum(shares > TIE)), int(np.sum(np.abs(shares) > TIE))
    if m < LEAST_FLIPS:
        return None
    if once:
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
        return refuse(name, RefusalCode.NOT_IDENTIFIED, 0, 1)
    found = slopes(rows)
    if found is None:
        return refuse(name, RefusalCode.ZERO_SPREAD, 0, 1)
    return probe(name, unit, found[0].effect, found[0].se)
