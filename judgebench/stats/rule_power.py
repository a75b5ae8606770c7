"""How often the rule by which two arms are separated finds a gap: not the t test alone.

Two arms are separated where Student's t says so and, from six shared items on, sign
flips say so as well (`flips.max_t`). Six differences have 64 sign patterns, of which a
tie makes two one: where few items are shared or many of them tie, the flips decide.
"""

from functools import lru_cache

import numpy as np

from judgebench.stats.arrays import FloatArray
from judgebench.stats.intervals import t_quantile
from judgebench.stats.levels import LEAST_ITEMS

DRAWS = 4_000
FLIPS = 11
"""Items whose sign patterns are all gone through, but for their mirrors; drawn above."""
SLACK = 0.02
"""So far below the power that is told the rule may stay: t test and flips differ by chance."""
_AT_ONCE = 2_000
"""Runs whose sign patterns are held at once."""
MOST_PLAIN, MOST_GRAINED = 30, 100
"""Items up to which the rule is gone through: above them its two parts say the same."""
_ALPHA = 0.05
_CLOSE = 1e-6
_HALVINGS = 8
_SHARED = 0.05 / 3
"""Error rate of a pair of three arms: what the t test finds at it, flips at 0.05 find too."""


def found_share(shift: float, n: int, *, alpha: float, grain: float = 0.0) -> float:
    """Share of runs in which the rule separates two arms.

    Args:
        shift: True difference over the spread of an item's difference, ≥ 0.
        n: Shared items, ≥ 2.
        alpha: Error rate of the t test of this pair; the flips hold 0.05 over all pairs.
        grain: Step of the differences over their spread, ≥ 0; 0 where they have none.

    Returns:
        Share in [0, 1] of the same 4,000 runs each time. Differences are normal; on a
        lattice each is one of the two steps about it, so that their mean stays what it is.

    Raises:
        ValueError: An argument is out of range.

    Source:
        Simulation of the rule in docs/statistics.md: Student (1908), Westfall & Young (1993).
    """
    if not (shift >= 0 and n >= 2 and 0 < alpha < 1 and grain >= 0):  # noqa: PLR2004 - df ≥ 1
        raise ValueError(f"no runs at shift {shift}, n {n}, alpha {alpha}, grain {grain}")
    # One spread more or less in a million is the same run, and is gone through once.
    return _found_share(round(shift, 6), n, alpha, round(grain, 6))


@lru_cache(maxsize=512)
def _found_share(shift: float, n: int, alpha: float, grain: float) -> float:
    normal, uniform = _draws(n)
    d = shift + normal
    if grain:
        # What two roundings add to the spread was part of it already.
        own = max(0.0, 1 - grain**2 / 6) ** 0.5
        d = grain * np.floor((shift + own * normal) / grain + uniform)
    sums = d.sum(axis=1)
    variance = np.maximum(d.var(axis=1, ddof=1), grain**2 / 6)
    bar = t_quantile(1 - alpha / 2, n - 1)
    found = np.flatnonzero(sums > bar * np.sqrt(n * variance))
    if n < LEAST_ITEMS["sign_flip"]:
        return found.size / DRAWS
    near = np.abs(d[found] @ _signs(n).T) >= (sums[found] * (1 - _CLOSE))[:, None]
    return float(np.count_nonzero(near.mean(axis=1) <= _ALPHA)) / DRAWS


def flips_needed(apart: FloatArray) -> FloatArray:
    """The gap above which sign flips tell each run's arms apart at 0.05.

    A pattern s with sum B tells as much as what was seen where |Σ s·x + g·B| ≥ Σ x + g·n,
    so up to a gap of its own: the gap of the first pattern that must not.

    Args:
        apart: Shape (R, n), differences of runs without a gap.

    Returns:
        Shape (R,), in their unit.

    Source:
        As `found_share`, solved for the shift.
    """
    blocks = range(0, apart.shape[0], _AT_ONCE)
    return np.concatenate([_flips_needed(apart[at : at + _AT_ONCE]) for at in blocks])


def _flips_needed(x: FloatArray) -> FloatArray:
    n = x.shape[1]
    signs = _signs(n)[1:]
    own, other, ups = x.sum(axis=1)[:, None], x @ signs.T, signs.sum(axis=1)
    # A pattern of all pluses is what was seen, whatever the gap.
    with np.errstate(divide="ignore", invalid="ignore"):
        same = np.where(ups < n, (other - own) / (n - ups), np.inf)
        turned = np.where(ups > -n, (-other - own) / (n + ups), np.inf)
    ends = np.maximum(same, turned)
    patterns = signs.shape[0] + 1
    beyond = patterns - int(_ALPHA * patterns + _CLOSE)
    return np.asarray(np.partition(ends, beyond - 1, axis=1)[:, beyond - 1], dtype=np.float64)


def wide_enough(shift: float, n: int, *, alpha: float, power: float, grain: float = 0.0) -> float:
    """A difference that the rule finds with the power that the t test has.

    Args:
        shift: The difference that the t test finds, over the spread.
        n: Shared items.
        alpha: Error rate of the t test of this pair.
        power: Probability with which it is to be found.
        grain: As for `found_share`.

    Returns:
        `shift`, or a wider one where the rule finds that in less than the power and a slack.

    Source:
        As `found_share`.
    """
    if _enough(n, shift, alpha=alpha, power=power, grain=grain):
        return shift
    low, high = shift, 2 * shift
    while found_share(high, n, alpha=alpha, grain=grain) < power:
        low, high = high, 2 * high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if found_share(middle, n, alpha=alpha, grain=grain) < power:
            low = middle
        else:
            high = middle
    return high


def many_enough(n: int, shift: float, *, alpha: float, power: float, grain: float = 0.0) -> int:
    """Items with which the rule finds a difference as often as the t test would.

    Args:
        n: Items that the t test needs.
        shift: True difference over the spread, > 0.
        alpha: Error rate of the t test of this pair.
        power: Probability with which it is to be found.
        grain: As for `found_share`.

    Returns:
        `n`, or the next larger number with which the rule finds it in no less than the power
        and a slack.

    Source:
        As `found_share`.
    """
    low, high = n - 1, n
    while not _enough(high, shift, alpha=alpha, power=power, grain=grain):
        low, high = high, high + max(1, high // 3)
    while high - low > 1:
        middle = (low + high) // 2
        if _enough(middle, shift, alpha=alpha, power=power, grain=grain):
            high = middle
        else:
            low = middle
    return high


def _enough(n: int, shift: float, *, alpha: float, power: float, grain: float) -> bool:
    if agree(n, alpha, grain):
        return True
    return found_share(shift, n, alpha=alpha, grain=grain) >= power - SLACK


def agree(n: int, alpha: float, grain: float = 0.0) -> bool:
    """Whether sign flips hold nothing back that the t test at this error rate finds."""
    if n < LEAST_ITEMS["sign_flip"] and not grain:
        return True
    if alpha <= _SHARED and grain <= 1 and not few_patterns(n):
        return True
    return n > (MOST_GRAINED if grain else MOST_PLAIN)


def few_patterns(n: int) -> bool:
    """Whether sign patterns are so few that one of them more is a percent or more of all."""
    least = LEAST_ITEMS["sign_flip"]
    return least <= n <= least + 1


@lru_cache(maxsize=8)
def _draws(n: int) -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(n)
    return rng.normal(size=(DRAWS, n)), rng.random((DRAWS, n))


@lru_cache(maxsize=8)
def _signs(n: int) -> FloatArray:
    """Sign patterns, one of each two mirrored ones; the first is the one that was seen."""
    if n <= FLIPS:
        bits = (np.arange(2 ** (n - 1))[:, None] >> np.arange(n)) & 1
        return np.asarray(1.0 - 2 * bits, dtype=np.float64)
    drawn = np.random.default_rng(n).choice((-1.0, 1.0), (2 ** (FLIPS - 1), n))
    drawn[0] = 1
    return drawn
