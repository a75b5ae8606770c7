"""Two arms on the items that both answered, and all pairs of them at once.

Input is the cell array of shape (A, I): a row an arm, a column an item, totals
in scale points, NaN where an arm has no scored cell; beside it the number of
judgings averaged in each cell. The item is the statistical unit.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from judgebench.model import Estimate, Refusal, RefusalCode
from judgebench.stats.intervals import MIN_ITEMS, FloatArray, t_quantile, t_two_sided

IntArray = NDArray[np.int64]

MAX_T_FROM = 6
EXACT_TO = 16
FLIPS = 20_000
LEVEL = 0.95


def lattice_step(marks: FloatArray, *, step: float) -> float:
    """Step of the lattice that a judge really used: never finer than the scale's.

    Args:
        marks: Marks in scale points, any shape, NaN for none.
        step: The rubric's step.

    Returns:
        Greatest common divisor of the gaps between the marks used, in scale
        points: 5 for a judge who marks 0–100 in fives.
    """
    used = np.unique(marks[~np.isnan(marks)])
    if used.size < 2:  # noqa: PLR2004 - one value has no gap
        return step
    gaps = np.rint(np.diff(used) / step).astype(np.int64)
    return float(np.gcd.reduce(gaps)) * step


def total_step(step: float, weights: FloatArray) -> float:
    """Step whose square over twelve is the rounding variance of a weighted mean of marks."""
    share = weights / weights.sum()
    return step * float(np.sqrt(np.sum(share**2)))


@dataclass(frozen=True, kw_only=True, slots=True)
class Paired:
    """Ingredients of one paired comparison."""

    mean: float
    sd: float
    """Standard deviation of the item differences, not below the rounding floor."""
    n: int

    @property
    def se(self) -> float:
        """Standard error of the mean difference."""
        return float(self.sd / np.sqrt(self.n))


def paired(
    a: FloatArray, b: FloatArray, reps_a: FloatArray, reps_b: FloatArray, *, step: float
) -> Paired | None:
    """Mean and spread of a − b over shared items; None below three of them.

    The variance has a floor of step²/12 · (1/r_a + 1/r_b), averaged over the
    items: marks are rounded, so equal differences are not certainty.
    """
    shared = ~np.isnan(a) & ~np.isnan(b)
    d = (a - b)[shared]
    n = int(d.size)
    if n < MIN_ITEMS:
        return None
    floor = float(np.mean(1 / reps_a[shared] + 1 / reps_b[shared])) * step**2 / 12
    variance = max(float(d.var(ddof=1)), floor)
    return Paired(mean=float(d.mean()), sd=variance**0.5, n=n)


def paired_difference(
    a: FloatArray,
    b: FloatArray,
    reps_a: FloatArray,
    reps_b: FloatArray,
    *,
    step: float,
    level: float = LEVEL,
) -> Estimate | Refusal:
    """Mean difference a − b over shared items with Student's t on N − 1.

    Args:
        a: Shape (I,), totals of one arm in scale points, NaN for no cell.
        b: Shape (I,), totals of the other.
        reps_a: Shape (I,), judgings averaged in each cell of `a`, at least 1.
        reps_b: The same for `b`.
        step: Rounding step of a total in scale points (`total_step`).
        level: Nominal interval coverage; nearer to 1 for several comparisons.

    Returns:
        `Estimate` in scale points with two-sided p; `Refusal` ``too_few_items``
        below 3 shared items.

    Source:
        Student (1908); Miller (2024), arXiv 2411.00640.
    """  # fmt: skip
    found = paired(a, b, reps_a, reps_b, step=step)
    if found is None:
        return _too_few(a, b)
    half = t_quantile((1 + level) / 2, found.n - 1) * found.se
    p = t_two_sided(found.mean / found.se, found.n - 1)
    return Estimate(
        value=found.mean, n=found.n, low=found.mean - half, high=found.mean + half,
        level=level, kind="t", p=p,
    )  # fmt: skip


def _too_few(a: FloatArray, b: FloatArray) -> Refusal:
    shared = int(np.sum(~np.isnan(a) & ~np.isnan(b)))
    return Refusal(
        statistic="difference", code=RefusalCode.TOO_FEW_ITEMS, have=shared, need=MIN_ITEMS,
        how="add items that both arms answer",
    )  # fmt: skip


def holm(p: FloatArray) -> FloatArray:
    """Holm's step-down adjusted p-values, shape (m,), NaN kept.

    Source:
        Holm (1979), Scandinavian Journal of Statistics 6, 65.
    """
    out = np.full(p.shape, np.nan)
    known = np.flatnonzero(~np.isnan(p))
    ranked = known[np.argsort(p[known], kind="stable")]
    factors = np.arange(ranked.size, 0, -1)
    out[ranked] = np.minimum(1.0, np.maximum.accumulate(p[ranked] * factors))
    return out


def sign_flip(d: FloatArray, rng: np.random.Generator) -> Estimate | Refusal:
    """Two-sided p that the mean item difference is zero, by flipping signs.

    Args:
        d: Shape (N,), item differences in scale points, no NaN.
        rng: Used above 16 items only, where 20,000 flips are drawn.

    Returns:
        The mean difference with `p`; `Refusal` ``too_few_items`` below 6, where
        the smallest possible p is above 0.05.

    Source:
        Fisher (1935); Winkler et al. (2014), NeuroImage 92, 381.
    """
    n = int(d.size)
    if n < MAX_T_FROM:
        return Refusal(
            statistic="sign_flip", code=RefusalCode.TOO_FEW_ITEMS, have=n, need=MAX_T_FROM,
            how="add items",
        )  # fmt: skip
    signs = _signs(n, rng)
    sums = np.abs(signs @ d)
    # Sums of the same numbers in another order differ in the last bits.
    hits = int(np.sum(sums >= abs(float(d.sum())) - 1e-9 * max(1.0, float(np.abs(d).sum()))))
    p = hits / len(signs) if n <= EXACT_TO else (hits + 1) / (len(signs) + 1)
    return Estimate(value=float(d.mean()), n=n, kind="sign_flip", p=p)


def _signs(n: int, rng: np.random.Generator) -> FloatArray:
    """All 2^n sign patterns up to 16 items, else random ones; shape (F, n)."""
    if n <= EXACT_TO:
        codes = np.arange(2**n, dtype=np.int64)[:, None]
        return np.where((codes >> np.arange(n)) & 1, -1.0, 1.0)
    return np.where(rng.random((FLIPS, n)) < 0.5, -1.0, 1.0)  # noqa: PLR2004 - a fair coin


@dataclass(frozen=True, kw_only=True, slots=True)
class PairTable:
    """All pairs of arms; each array has shape (A, A), row minus column."""

    mean: FloatArray
    sd: FloatArray
    shared: IntArray
    p: FloatArray
    """Two-sided paired t, not corrected; NaN below three shared items."""
    p_holm: FloatArray
    """Corrected over all pairs: Holm, or max-T over sign flips from six items."""
    separated: NDArray[np.bool_]
    """True where row and column differ at the family's level."""


def all_pairs(
    cells: FloatArray,
    reps: FloatArray,
    *,
    step: float,
    rng: np.random.Generator,
    alpha: float = 0.05,
) -> PairTable:
    """Compare every two arms, with one family-wise level for all of them.

    Below six shared items the decision is Holm on paired t; from six it is the
    step-down max-T over joint sign flips, which keeps the correlation between
    pairs and holds where arms differ in spread. A pair with fewer shared items
    than six stays with Holm.

    Args:
        cells: Shape (A, I), totals in scale points, NaN for no cell.
        reps: Shape (A, I), judgings averaged in each cell.
        step: Rounding step of a total.
        rng: For max-T above 16 items.
        alpha: Family-wise error rate.

    Source:
        Holm (1979); Westfall & Young (1993); Romano & Wolf (2005).
    """  # fmt: skip
    arms = cells.shape[0]
    mean, sd, p = (np.full((arms, arms), np.nan) for _ in range(3))
    shared = np.zeros((arms, arms), dtype=np.int64)
    for a, b in combinations(range(arms), 2):
        both = int(np.sum(~np.isnan(cells[a]) & ~np.isnan(cells[b])))
        shared[a, b] = shared[b, a] = both
        found = paired(cells[a], cells[b], reps[a], reps[b], step=step)
        if found is None:
            continue
        mean[a, b], mean[b, a] = found.mean, -found.mean
        sd[a, b] = sd[b, a] = found.sd
        p[a, b] = p[b, a] = t_two_sided(found.mean / found.se, found.n - 1)
    upper = np.triu_indices(arms, 1)
    p_holm = np.full((arms, arms), np.nan)
    adjusted = holm(p[upper])
    if np.isnan(cells).any() or cells.shape[1] < MAX_T_FROM:
        many = shared[upper] >= MAX_T_FROM
        # Unequal items break the joint flips; Holm over sign-flip p keeps the level there.
        if many.any():
            flips = _flip_p(cells, upper, many, rng)
            adjusted = holm(np.where(many, np.maximum(flips, p[upper]), p[upper]))
    elif arms > 1:
        adjusted = np.maximum(max_t(cells, reps, step=step, rng=rng), p[upper])
    p_holm[upper] = adjusted
    p_holm[(upper[1], upper[0])] = adjusted
    with np.errstate(invalid="ignore"):
        separated = p_holm < alpha
    return PairTable(
        mean=mean, sd=sd, shared=shared, p=p, p_holm=p_holm, separated=separated
    )  # fmt: skip


def _flip_p(
    cells: FloatArray, pairs: tuple[IntArray, IntArray], many: NDArray[np.bool_],
    rng: np.random.Generator,
) -> FloatArray:  # fmt: skip
    out = np.full(many.shape, np.nan)
    for at in np.flatnonzero(many):
        d = cells[pairs[0][at]] - cells[pairs[1][at]]
        result = sign_flip(d[~np.isnan(d)], rng)
        out[at] = result.p if isinstance(result, Estimate) and result.p is not None else np.nan
    return out


def max_t(
    cells: FloatArray, reps: FloatArray, *, step: float, rng: np.random.Generator
) -> FloatArray:
    """Step-down max-T p-values of all pairs under joint sign flips, shape (pairs,).

    Args:
        cells: Shape (A, I), complete, at least six items.
        reps: Shape (A, I), judgings averaged in each cell.
        step: Rounding step of a total; floors the variance of every flipped sample too.
        rng: For more than 16 items.

    Source:
        Westfall & Young (1993); Romano & Wolf (2005), Econometrica 73, 1237.
    """
    arms, items = cells.shape
    first, second = np.triu_indices(arms, 1)
    d = cells[first] - cells[second]
    floor = np.mean(1 / reps[first] + 1 / reps[second], axis=1) * step**2 / 12
    signs = _signs(items, rng)
    observed = _t_statistics(d, np.ones((1, items)), floor)[0]
    flipped = _t_statistics(d, signs, floor)
    order = np.argsort(-observed, kind="stable")
    # For each flip the largest statistic among the pairs not yet rejected.
    tails = np.maximum.accumulate(flipped[:, order[::-1]], axis=1)[:, ::-1]
    hits = np.sum(tails >= observed[order] - 1e-9, axis=0)
    exact = items <= EXACT_TO
    p = hits / len(signs) if exact else (hits + 1) / (len(signs) + 1)
    out = np.empty(order.size)
    out[order] = np.maximum.accumulate(p)
    return out


def _t_statistics(d: FloatArray, signs: FloatArray, floor: FloatArray) -> FloatArray:
    """|t| of every pair under every sign pattern, shape (F, pairs)."""
    items = d.shape[1]
    means = signs @ d.T / items
    squares = np.sum(d**2, axis=1) / items
    variance = np.maximum((squares - means**2) * items / (items - 1), floor)
    result: FloatArray = np.abs(means) / np.sqrt(variance / items)
    return result
