"""Comparisons of two arms on one item: strengths, win rates, order.

Input is columns, one row a comparison: item, first and second arm as integer
codes, and the outcome: 1 the first won, 0 the second, ½ a tie. *First* is the
place in which the judge saw it. Items are the unit: errors are clustered by item.
"""

from collections.abc import Sequence
from dataclasses import field, replace
from math import sqrt

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.records import dataclass
from judgebench.stats import davidson
from judgebench.stats.arrays import TIE, BoolArray, FloatArray, IntArray
from judgebench.stats.carried import Sandwich, sandwich
from judgebench.stats.clusters import clustered_mean
from judgebench.stats.intervals import mean_interval, t_quantile
from judgebench.stats.levels import too_few_items

_NAME = "bradley_terry"
_MIN_CONTROLLED = 10


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Comparisons:
    """Columns of M comparisons.

    Args:
        item: Shape (M,), integer codes.
        first: Shape (M,), arm seen first, 0 … A−1.
        second: Shape (M,), arm seen second.
        outcome: Shape (M,), 1 first won, 0 second won, 0.5 tie.
        n_arms: A.
        weight: Shape (M,), above 0, how much each counts beside the others of its item;
            None where all count alike.

    Raises:
        ValueError: Columns differ in length, an arm meets itself or is off its
            axis, an outcome is none of the three, or a weight is not above 0.
    """

    item: IntArray
    first: IntArray
    second: IntArray
    outcome: FloatArray
    n_arms: int
    weight: FloatArray | None = None

    def __post_init__(self) -> None:
        """Check once what every function relies on."""
        columns = (self.item, self.first, self.second, self.outcome, self.weights)
        if any(column.shape != (self.item.size,) for column in columns):
            raise ValueError("all columns must have one shape (M,)")
        arms = np.concatenate([self.first, self.second])
        if arms.size and (arms.min() < 0 or arms.max() >= self.n_arms):
            raise ValueError("an arm lies off its axis")
        if np.any(self.first == self.second):
            raise ValueError("an arm was compared with itself")
        if not np.isin(self.outcome, (0.0, 0.5, 1.0)).all():
            raise ValueError("an outcome is 1, 0 or 0.5")
        if self.item.size and not self.weights.min() > 0:
            raise ValueError("a weight must be above 0")

    @property
    def weights(self) -> FloatArray:
        """Shape (M,), 1 where none was given."""
        return np.ones(self.item.size) if self.weight is None else self.weight


@dataclass(frozen=True, kw_only=True, slots=True)
class Strengths:
    """Bradley–Terry strengths on the log scale, relative to the reference arm."""

    arms: tuple[Estimate, ...]
    """One an arm; the reference has 0 and no interval."""
    order: Estimate | Refusal | None
    """Log odds added to the arm seen first; None where it was not fitted."""
    ties: Estimate | Refusal | None
    """Log of Davidson's tie parameter; None where nothing tied."""
    model_se: tuple[float, ...]
    """Standard errors that take rows as independent: for comparison with other tools only."""
    covariates: tuple[Estimate | Refusal, ...] = ()
    """Log odds a unit of each covariate, in the order given."""
    order_point: float = 0.0
    """Log odds of the first place as fitted, also where it is refused; 0 without such a term."""
    ties_point: float | None = None
    """Log of the tie parameter as fitted, also where it is refused; None where nothing tied."""
    errors: Sandwich | None = field(default=None, repr=False, compare=False)
    """Errors of the strengths and of their differences; 0 of the reference."""


def unlinked(data: Comparisons) -> tuple[tuple[int, ...], ...]:
    """Groups of arms between which no strength is determined.

    Args:
        data: The comparisons.

    Returns:
        The strongly connected groups of the graph "won against, or tied with";
        a single group means that all strengths are finite.

    Source:
        Ford (1957), Solution of a Ranking Problem from Binary Comparisons.
    """
    beats = np.zeros((data.n_arms, data.n_arms), dtype=bool)
    beats[data.first[data.outcome > 0], data.second[data.outcome > 0]] = True
    beats[data.second[data.outcome < 1], data.first[data.outcome < 1]] = True
    return linked_groups(beats)


def linked_groups(beats: BoolArray) -> tuple[tuple[int, ...], ...]:
    """Strongly connected groups of a graph, each and all in ascending order.

    Args:
        beats: Shape (A, A), whether the row won against, or tied with, the column.

    Returns:
        Every arm in one group; a single group where each reaches each.
    """
    n = beats.shape[0]
    beats = beats | np.eye(n, dtype=bool)
    for middle in range(n):
        beats |= beats[:, middle, None] & beats[None, middle, :]
    both = beats & beats.T
    groups = {tuple(int(a) for a in np.flatnonzero(row)) for row in both}
    return tuple(sorted(groups))


def bradley_terry(
    data: Comparisons,
    *,
    reference: int = 0,
    order: bool = True,
    covariates: FloatArray | None = None,
    level: float = 0.95,
    clusters: IntArray | None = None,
) -> Strengths | Refusal:
    """Strengths with Davidson's ties, a term for the first place, and item-clustered errors.

    A tie is a third outcome, not half a win for each: that is another model.

    Args:
        data: The comparisons.
        reference: Arm with strength 0.
        order: Fit the term for the first place; only where some pair was judged
            in both orders.
        covariates: Shape (M, C), first minus second of what strengths are to be free of,
            log2 of length for instance. Print strengths without them beside these: what
            is controlled is association, not cause.
        level: Confidence.
        clusters: Shape (I,), the cluster of each item; errors are clustered by it, and what
            is said of items holds of clusters. None where items are independent.

    Returns:
        Strengths with sandwich intervals and t, both on the items that carry each
        (`carried.Sandwich`: where all do alike, n − 1 degrees of freedom); one that fewer
        than three carry has none. `Refusal` with
        ``too_few_items`` below six items (ten with covariates), ``disconnected`` where
        strengths are not determined (`unlinked` names the groups), ``order_not_recorded`` where
        an order term was asked for and no pair has both orders, ``zero_spread``
        where all items tell the same about a strength, or all tied, ``not_finite`` where the fit
        diverges. Where they tell the same about the order, ties or a covariate, that
        coefficient alone is refused with ``zero_spread``.

    Raises:
        ValueError: `reference` lies off the axis, or covariates do not fit or are not finite.

    Source:
        Bradley & Terry (1952); Davidson (1970); Davidson & Beaver (1977).
    """
    if not 0 <= reference < data.n_arms:
        raise ValueError(f"no arm {reference} among {data.n_arms}")
    z = np.zeros((data.item.size, 0)) if covariates is None else covariates
    if z.ndim != 2 or z.shape[0] != data.item.size or not np.isfinite(z).all():  # noqa: PLR2004
        raise ValueError(f"covariates of shape {z.shape}, {data.item.size} comparisons")
    units = data.item if clusters is None else clusters[data.item]
    least = _MIN_CONTROLLED if z.size else 0
    refused = _refuse(data, units, order=order, least=least, clustered=clusters is not None)
    if refused is not None:
        return refused
    x, ties = davidson.design(
        data.first, data.second, data.outcome, data.n_arms, reference, z, order=order
    )
    fitted = davidson.fit(x, data.outcome, data.weights)
    if fitted is None:
        return _refusal(RefusalCode.NOT_FINITE, 0, 1)
    beta = fitted.beta
    _, places = np.unique(units, return_inverse=True)
    n = int(places.max()) + 1
    sums = np.zeros((n, beta.size))
    np.add.at(sums, places, fitted.scores)
    errors = sandwich(sums, fitted.information, fitted.by_unit(places))
    k = data.n_arms - 1
    names = [_NAME] * beta.size
    names[k : k + order] = ["order"] * order
    found = _coefficients(beta, errors, names, level=level)
    arms = [one for one in found[:k] if isinstance(one, Estimate)]
    if len(arms) < k:
        return _refusal(RefusalCode.ZERO_SPREAD, 0, 1)
    se = [float(v) for v in np.sqrt(np.diag(np.linalg.inv(fitted.information)))[:k]]
    zero = Estimate(value=0.0, n=n)
    return Strengths(
        arms=(*arms[:reference], zero, *arms[reference:]),
        order=found[k] if order else None,
        ties=found[-1] if ties else None,
        model_se=(*se[:reference], 0.0, *se[reference:]),
        covariates=tuple(found[k + order : k + order + z.shape[1]]),
        order_point=float(beta[k]) if order else 0.0,
        ties_point=float(beta[-1]) if ties else None,
        errors=errors.with_reference(k, reference),
    )


def _coefficients(
    beta: FloatArray, errors: Sandwich, names: Sequence[str], *, level: float
) -> list[Estimate | Refusal]:
    """Each with its interval, or refused where no item moves it: no error is no certainty."""
    found: list[Estimate | Refusal] = []
    for at, (value, name) in enumerate(zip(beta.tolist(), names, strict=True)):
        made = errors.estimate(value, at, level=level)
        found.append(made or replace(_refusal(RefusalCode.ZERO_SPREAD, 0, 1), statistic=name))
    return found


def _refusal(code: RefusalCode, have: float, need: float) -> Refusal:
    return Refusal(statistic=_NAME, code=code.value, have=have, need=need)


def _refuse(
    data: Comparisons, units: IntArray, *, order: bool, least: int, clustered: bool
) -> Refusal | None:
    if data.n_arms < 2:  # noqa: PLR2004 - a comparison needs two
        return _refusal(RefusalCode.TOO_FEW_ARMS, data.n_arms, 2)
    n = int(np.unique(units).size)
    refused = too_few_items(_NAME, n, clustered=clustered)
    if refused is None and n < least:
        refused = _refusal(RefusalCode.TOO_FEW_ITEMS, n, least)
    if refused is not None:
        return refused
    groups = unlinked(data)
    if len(groups) > 1:
        return _refusal(RefusalCode.DISCONNECTED, len(groups), 1)
    if np.all(data.outcome == 0.5):  # noqa: PLR2004 - the code of a tie
        # A chance of ties that grows without end explains it all, whatever the strengths.
        return _refusal(RefusalCode.ZERO_SPREAD, 0, 1)
    seen = set(zip(data.first.tolist(), data.second.tolist(), strict=True))
    if order and not any((b, a) in seen for a, b in seen):
        return _refusal(RefusalCode.ORDER_NOT_RECORDED, 1, 2)
    return None


def win_rate(
    data: Comparisons, *, arm: int, against: int | None = None, clusters: IntArray | None = None
) -> Estimate | Refusal:
    """Wins and half the ties of an arm, averaged within an item, then over items.

    Args:
        data: The comparisons.
        arm: The arm in question.
        against: Only comparisons with this arm; all others where None.
        clusters: Shape (I,), the cluster of each item.

    Returns:
        Share in [0, 1] over items, as `intervals.mean_interval`. `Refusal` with
        ``too_few_items`` below three items, and those of `mean_interval`.

    Source:
        Own arithmetic, ties as halves; `intervals.mean_interval`.
    """
    first, second = data.first == arm, data.second == arm
    if against is not None:
        first, second = first & (data.second == against), second & (data.first == against)
    used = first | second
    points = np.where(first, data.outcome, 1 - data.outcome)[used]
    items, shares = _by_item(data.item[used], points, data.weights[used])
    of = None if clusters is None else clusters[items]
    found = mean_interval(shares, low=0.0, high=1.0, clusters=of)
    if isinstance(found, Refusal):
        few = too_few_items("win_rate", 0)
        return few if few and not items.size else replace(found, statistic="win_rate")
    return found


def _by_item(
    item: IntArray, points: FloatArray, weights: FloatArray
) -> tuple[IntArray, FloatArray]:
    """Items, and the mean within each."""
    items, places = np.unique(item, return_inverse=True)
    sums = np.bincount(places, weights=weights * points)
    return items, sums / np.bincount(places, weights=weights)


def _item_shares(
    statistic: str, shares: FloatArray, clusters: IntArray | None
) -> Estimate | Refusal:
    """Mean over items, with Student's t, or CR2 over clusters."""
    if clusters is not None:
        return _cluster_shares(statistic, shares, clusters)
    refused = too_few_items(statistic, int(shares.size))
    if refused is not None:
        return refused
    n, mean = int(shares.size), float(shares.mean())
    if np.ptp(shares) <= TIE:
        return Estimate(value=mean, n=n, no_interval=RefusalCode.ZERO_SPREAD.value)
    half = t_quantile(0.975, n - 1) * float(shares.std(ddof=1)) / sqrt(n)
    low, high = max(0.0, mean - half), min(1.0, mean + half)
    return Estimate(value=mean, n=n, low=low, high=high, kind="t")


def _cluster_shares(statistic: str, shares: FloatArray, clusters: IntArray) -> Estimate | Refusal:
    """Mean of the shares of items, by CR2."""
    have = int(np.unique(clusters).size)
    refused = too_few_items(statistic, have, clustered=True)
    if refused is not None:
        return refused
    found = clustered_mean(shares, clusters)
    if isinstance(found, Refusal) or found.low is None or found.high is None:
        why = getattr(found, "code", RefusalCode.ZERO_SPREAD.value)
        return Estimate(value=float(shares.mean()), n=have, no_interval=why)
    return replace(found, low=max(0.0, found.low), high=min(1.0, found.high))


def first_share(data: Comparisons, *, clusters: IntArray | None = None) -> Estimate | Refusal:
    """Share of comparisons won by the arm seen first, averaged within an item, then over items.

    A tie is half a win. Where every pair was judged in both orders, an order that means
    nothing gives ½ whatever the arms are worth.

    Args:
        data: The comparisons.
        clusters: Shape (I,), the cluster of each item: CR2 instead of t.

    Returns:
        Share in [0, 1] with Student's t over items; without an interval where all
        items agree. `Refusal` with ``too_few_items`` below three items.

    Source:
        Zheng et al. (2023), arXiv 2306.05685; Student's t over items.
    """
    items, shares = _by_item(data.item, data.outcome, data.weights)
    return _item_shares("first_share", shares, None if clusters is None else clusters[items])
