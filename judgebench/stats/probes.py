"""A probe of a judge: an effect, and the smallest one that it would usually have seen."""

from dataclasses import replace
from math import sqrt

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.records import dataclass
from judgebench.stats import planning
from judgebench.stats.arrays import TIE, FloatArray
from judgebench.stats.intervals import t_quantile
from judgebench.stats.levels import too_few_items
from judgebench.stats.special import stdtr

PROBE = "bias_probe"


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


def mean_probe(name: str, unit: str, d: FloatArray) -> Probe | Refusal:
    """Mean of one figure an item with Student's t."""
    known = d[np.isfinite(d)]
    n = int(known.size)
    refused = too_few_items(PROBE, n)
    if refused is not None:
        return replace(refused, statistic=name)
    mean, se = float(known.mean()), float(known.std(ddof=1)) / sqrt(n)
    if se <= TIE:
        return refuse(name, RefusalCode.ZERO_SPREAD, 0, 1)
    half = t_quantile(0.975, n - 1) * se
    p = float(min(1.0, 2 * stdtr(n - 1, -abs(mean) / se)))
    effect = Estimate(value=mean, n=n, low=mean - half, high=mean + half, kind="t", p=p)
    return probe(name, unit, effect, se)


def probe(name: str, unit: str, effect: Estimate, se: float) -> Probe:
    """An effect with the smallest one that would usually have been found."""
    found = planning.detectable_difference(se * sqrt(effect.n), effect.n)
    detectable = found.value if isinstance(found, Estimate) else None
    return Probe(name=name, unit=unit, effect=effect, detectable=detectable)


def refuse(name: str, code: RefusalCode, have: float, need: float) -> Refusal:
    """Why there is no such probe."""
    return Refusal(statistic=name, code=code.value, have=have, need=need)
