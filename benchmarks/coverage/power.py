"""The power to find what was said to be detectable."""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from benchmarks.coverage.batched import Gaps, gaps, run_cells
from benchmarks.coverage.scenarios import Scenario, generator, truths
from benchmarks.coverage.separated import any_separated, family
from judgebench.model.nouns import Refusal
from judgebench.pipeline.figures.possible import seen
from judgebench.stats.arrays import BoolArray, FloatArray
from judgebench.stats.intervals import t_quantile
from judgebench.stats.planning import LEAST_STEPS, POWER, detectable_difference, power_range
from judgebench.stats.rule_power import agree, flips_needed
from judgebench.stats.spreads import Shape

LEVELS = ((1, 0.05), (10, 0.005))
"""Pairs that share the error rate, and what is left for one."""
OWN_SHARE = 5
"""Of so many runs one prints a gap of its own: each is resampled."""
RESAMPLED = 500
WIDER = 1e-6
LEAST_PRINTED = 0.05
"""Share of the runs that print a gap below which nothing is told of them."""
PAIR = np.array([[0, 1]])
_AT_ONCE = 1_000


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
    printed: float
    """Share of the runs that print a gap: the others refuse it, and are in no other figure."""
    widened: float | None
    """Share of those whose gap is wider than the non-central t has it, for its items' shape.

    None, as all that follow, where nearly every run refuses.
    """
    mean: float | None
    low: float | None
    """So much or less in 5 % of the runs."""
    high: float | None
    held: float | None
    """Runs whose power lies in the range that the report names."""
    resampled_mean: float | None
    """The same where the gap is taken from resampled items of the run."""
    resampled_low: float | None
    resampled_high: float | None


def needed(found: Gaps, mean: float, level: float) -> FloatArray:
    """The gap above which the rule would have found each run's first arm above, ascending."""
    n = int(found.n[0, 0])
    bars = t_quantile(1 - level / 2, n - 1) * found.sd[:, 0] / sqrt(n)
    gap = bars - (found.mean[:, 0] - mean)
    if not agree(n, level):
        gap = np.maximum(gap, flips_needed(found.d[:, 0] - mean))
    return np.asarray(np.sort(gap), dtype=np.float64)


def power_found(scenario: Scenario, n: int, runs: int) -> Powers:
    """Power at the detectable difference, which the product says is 80 %.

    The gap is planted after rounding: marks keep their lattice, arms their spread.
    """
    rng = generator("power", scenario.name, n)
    mean, sd = truth(scenario)
    shape = true_shape(scenario)
    x, r = run_cells(scenario.marks((runs, 2, n), rng))
    equal = gaps(x, r, PAIR, step=scenario.step)
    shares: list[float | None] = []
    needs: list[float | None] = []
    for comparisons, level in LEVELS:
        gap = seen(
            detectable_difference(
                sd,
                n,
                comparisons=comparisons,
                lattice=scenario.step / scenario.repeats,
                shape=shape,
            ),
            scenario.high - scenario.low,
        )
        if isinstance(gap, Refusal):
            shares.append(None)
            needs.append(None)
            continue
        moved = x - np.array([mean - gap.value, 0.0])[:, None]
        found = gaps(moved, r, PAIR, step=scenario.step)
        told = (
            _separated(found, moved, rng)
            if comparisons == 1
            # What t tells apart of one in ten pairs, sign flips at 0.05 do as well.
            else found.p <= level
        )
        shares.append(float(told.mean()))
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


def _separated(found: Gaps, cells: FloatArray, rng: np.random.Generator) -> BoolArray:
    """Which runs of one pair the rule of the product separates, some at a time."""
    of, out = family(cells, PAIR), np.zeros(len(cells), dtype=np.bool_)
    for at in range(0, out.size, _AT_ONCE):
        part = slice(at, at + _AT_ONCE)
        some = Gaps(
            d=found.d[part], n=found.n[part], mean=found.mean[part], sd=found.sd[part],
            floor=found.floor[part],
        )  # fmt: skip
        out[part] = any_separated(some, of[part], rng)
    return out


def own_power(scenario: Scenario, n: int, runs: int) -> OwnPowers:
    """Power at the gap that each run prints by itself, from its spread or from its items."""
    rng = generator("own power", scenario.name, n)
    mean, _ = truth(scenario)
    level = LEVELS[0][1]
    x, r = run_cells(scenario.marks((runs, 2, n), rng))
    curve = needed(gaps(x, r, PAIR, step=scenario.step), mean, level)
    x, r = run_cells(scenario.marks((max(runs // OWN_SHARE, 1), 2, n), rng))
    own = gaps(x, r, PAIR, step=scenario.step)
    shift = _value(detectable_difference(1.0, n))
    gap = _own_gaps(own)
    there = prints(own.sd[:, 0], shift, n, scenario) & (gap <= scenario.high - scenario.low)
    printed = _power_at(curve, gap[there])
    widened = gap[there] > (1 + WIDER) * shift * own.sd[there, 0]
    resampled = _power_at(curve, _resampled(own, shift, level, rng)[there])
    low, high = power_range(n)
    few = there.mean() < LEAST_PRINTED

    def of(found: FloatArray, q: float | None) -> float | None:
        return None if few else float(found.mean() if q is None else np.quantile(found, q))

    return OwnPowers(
        scenario=scenario.name,
        n=n,
        runs=there.size,
        printed=float(there.mean()),
        widened=of(np.asarray(widened, dtype=np.float64), None),
        mean=of(printed, None),
        low=of(printed, 0.05),
        high=of(printed, 0.95),
        held=of(np.asarray((printed >= low) & (printed <= high), dtype=np.float64), None),
        resampled_mean=of(resampled, None),
        resampled_low=of(resampled, 0.05),
        resampled_high=of(resampled, 0.95),
    )


def prints(sd: FloatArray, shift: float, n: int, scenario: Scenario) -> BoolArray:
    """Which runs print a gap: enough values, and none that is wider than the scale."""
    steps = sd * sqrt(n) * scenario.repeats / scenario.step
    span = scenario.high - scenario.low
    return np.asarray((steps >= LEAST_STEPS) & (shift * sd <= span), dtype=np.bool_)


def truth(scenario: Scenario) -> tuple[float, float]:
    """Mean and spread of an item's difference, over very many items."""
    first, second = truths(scenario)
    d = first - second
    return float(np.nanmean(d)), float(np.nanstd(d, ddof=1))


def true_shape(scenario: Scenario) -> Shape:
    """How an item's difference is spread, over very many items."""
    first, second = truths(scenario)
    return Shape(d=first - second, floor=scenario.step**2 / 6 / scenario.repeats)


def _own_gaps(own: Gaps) -> FloatArray:
    """What each run takes for its detectable gap, whether it prints it or not."""
    found = [
        _value(detectable_difference(sd, items.size, shape=Shape(d=items, floor=floor)))
        for items, sd, floor in zip(own.d[:, 0], own.sd[:, 0], own.floor[:, 0], strict=True)
    ]
    return np.array(found)


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
