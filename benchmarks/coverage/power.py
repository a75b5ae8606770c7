"""The power to find what was said to be detectable."""

from dataclasses import dataclass

import numpy as np

from benchmarks.coverage.batched import Gaps, gaps, run_cells
from benchmarks.coverage.scenarios import Scenario, generator, truths
from judgebench.model import Refusal
from judgebench.pipeline.possible import seen
from judgebench.stats.arrays import FloatArray
from judgebench.stats.intervals import t_quantile
from judgebench.stats.planning import POWER, detectable_difference, power_range

LEVELS = ((1, 0.05), (10, 0.005))
"""Pairs that share the error rate, and what is left for one."""
OWN_SHARE = 5
"""Of so many runs one prints a gap of its own: each is resampled."""
RESAMPLED = 500
_PAIR = np.array([[0, 1]])


@dataclass(frozen=True, kw_only=True)
class Powers:
    """How often a true gap of the printed detectable difference is found."""

    scenario: str
    n: int
    runs: int
    one: float | None
    """One planned pair; None where no gap is printed, for the scale holds none so wide."""
    ten: float | None
    """One of ten pairs."""
    one_needs: float | None
    """The smallest gap that is found in 80 %, over the printed one."""
    ten_needs: float | None


@dataclass(frozen=True, kw_only=True)
class OwnPowers:
    """The power at a gap that a run prints from the spread of its own items; one planned pair."""

    scenario: str
    n: int
    runs: int
    mean: float
    low: float
    """So much or less in 5 % of the runs."""
    high: float
    held: float
    """Runs whose power lies in the range that the report names."""
    resampled_mean: float
    """The same where the gap is taken from resampled items of the run."""
    resampled_low: float
    resampled_high: float


def needed(found: Gaps, mean: float, level: float) -> FloatArray:
    """The gap above which each run would have found its first arm above, ascending."""
    n = found.n[:, 0]
    bars = t_quantile(1 - level / 2, int(n[0]) - 1) * found.sd[:, 0] / np.sqrt(n)
    return np.asarray(np.sort(bars - (found.mean[:, 0] - mean)), dtype=np.float64)


def power_found(scenario: Scenario, n: int, runs: int) -> Powers:
    """Power at the detectable difference, which the product says is 80 %.

    The gap is planted after rounding: marks keep their lattice, arms their spread.
    """
    rng = generator("power", scenario.name, n)
    mean, sd = _truth(scenario)
    x, r = run_cells(scenario.marks((runs, 2, n), rng))
    equal = gaps(x, r, _PAIR, step=scenario.step)
    shares: list[float | None] = []
    needs: list[float | None] = []
    for comparisons, level in LEVELS:
        gap = seen(
            detectable_difference(sd, n, comparisons=comparisons), scenario.high - scenario.low
        )
        if isinstance(gap, Refusal):
            shares.append(None)
            needs.append(None)
            continue
        moved = x - np.array([mean - gap.value, 0.0])[:, None]
        found = gaps(moved, r, _PAIR, step=scenario.step)
        shares.append(float((found.p <= level).mean()))
        needs.append(float(np.quantile(needed(equal, mean, level), POWER) / gap.value))
    return Powers(
        scenario=scenario.name,
        n=n,
        runs=runs,
        one=shares[0],
        ten=shares[1],
        one_needs=needs[0],
        ten_needs=needs[1],
    )


def own_power(scenario: Scenario, n: int, runs: int) -> OwnPowers:
    """Power at the gap that each run prints by itself, from its spread or from its items."""
    rng = generator("own power", scenario.name, n)
    mean, _ = _truth(scenario)
    level = LEVELS[0][1]
    x, r = run_cells(scenario.marks((runs, 2, n), rng))
    curve = needed(gaps(x, r, _PAIR, step=scenario.step), mean, level)
    x, r = run_cells(scenario.marks((max(runs // OWN_SHARE, 1), 2, n), rng))
    own = gaps(x, r, _PAIR, step=scenario.step)
    shift = _value(detectable_difference(1.0, n))
    printed = _power_at(curve, shift * own.sd[:, 0])
    resampled = _power_at(curve, _resampled(own, shift, level, rng))
    low, high = power_range(n)
    return OwnPowers(
        scenario=scenario.name,
        n=n,
        runs=printed.size,
        mean=float(printed.mean()),
        low=float(np.quantile(printed, 0.05)),
        high=float(np.quantile(printed, 0.95)),
        held=float(((printed >= low) & (printed <= high)).mean()),
        resampled_mean=float(resampled.mean()),
        resampled_low=float(np.quantile(resampled, 0.05)),
        resampled_high=float(np.quantile(resampled, 0.95)),
    )


def _truth(scenario: Scenario) -> tuple[float, float]:
    first, second = truths(scenario)
    d = first - second
    return float(np.nanmean(d)), float(np.nanstd(d, ddof=1))


def _power_at(curve: FloatArray, gap: FloatArray) -> FloatArray:
    return np.asarray(np.searchsorted(curve, gap, side="right") / curve.size, dtype=np.float64)


def _resampled(own: Gaps, shift: float, level: float, rng: np.random.Generator) -> FloatArray:
    """Each run's detectable gap by resampling its items, spread as widely as the run says."""
    n, bar = own.d.shape[2], t_quantile(1 - level / 2, own.d.shape[2] - 1)
    out = shift * own.sd[:, 0]
    for run, items in enumerate(own.d[:, 0]):
        apart = items - items.mean()
        width = float(apart.std())
        if width == 0:
            continue
        again = (apart * (own.sd[run, 0] / width))[rng.integers(0, n, (RESAMPLED, n))]
        spread = np.sqrt(np.maximum(again.var(axis=1, ddof=1), own.floor[run, 0]) / n)
        out[run] = np.quantile(bar * spread - again.mean(axis=1), POWER)
    return np.asarray(out, dtype=np.float64)


def _value(found: object) -> float:
    value = getattr(found, "value", None)
    if not isinstance(value, float):
        raise TypeError(f"no detectable difference: {found}")
    return value
