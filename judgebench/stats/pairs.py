"""Arms compared by paired differences over the items that both have.

Input is cells of shape (A, I) in scale points, NaN where an arm has no scored
judgment, with the number of judgments behind each cell. The unit is the item.

Every variance has a rounding floor: marks lie on a lattice, so differences that
are all equal are no certainty. A mark rounded to a step carries step²/12 of
variance that the sample may happen not to show.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.records import dataclass
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray
from judgebench.stats.cluster_flips import clustered_max_t
from judgebench.stats.flips import MOST_FLIPPED, Members, max_t
from judgebench.stats.gaps import Gaps, Shared, every_gap, shared_differences
from judgebench.stats.levels import too_few_items
from judgebench.stats.special import stdtr, stdtrit

CLUSTERED = "CR2"
"""Kind of an interval by clusters of items."""
_CLOSE = 1e-9


def paired_difference(
    a: FloatArray,
    b: FloatArray,
    reps_a: IntArray,
    reps_b: IntArray,
    *,
    step: float,
    level: float = 0.95,
) -> Estimate | Refusal:
    """Mean difference of two arms over shared items, with Student's t on N−1.

    Args:
        a: Shape (I,), cells of the first arm in scale points, NaN where it has none.
        b: Shape (I,), cells of the second.
        reps_a: Shape (I,), judgments averaged in each cell of the first.
        reps_b: Shape (I,), of the second.
        step: Lattice of the marks; its rounding floor bounds the spread from below.
        level: Confidence of this one interval.

    Returns:
        First minus second, ``kind`` "t", two-sided ``p``, ``n`` shared items.
        `Refusal` with ``too_few_items`` below three shared items, ``zero_spread``
        where all differences are equal and `step` is 0.

    Raises:
        ValueError: As `shared_differences`, or `level` not within (0, 1).

    Source:
        Student (1908); Miller (2024), arXiv 2411.00640; the floor is our own,
        docs/statistics.md shows what it repairs.
    """
    return _estimate(shared_differences(a, b, reps_a, reps_b, step=step), level)


def _estimate(shared: Shared, level: float) -> Estimate | Refusal:
    return _estimates(
        n=np.array([shared.n]),
        mean=np.array([shared.mean]),
        se=np.array([shared.se]),
        df=np.array([shared.n - 1.0]),
        level=level,
        said=level,
        kind="t",
    )[0]


def _estimates(
    *,
    n: IntArray,
    mean: FloatArray,
    se: FloatArray,
    df: FloatArray,
    level: float,
    said: float,
    kind: str,
) -> list[Estimate | Refusal]:
    """Student's t of each mean difference, at `level`, which all of them together hold as `said`.

    Args:
        n: Shape (P,), independent units: shared items, or their clusters.
        mean: Shape (P,), scale points.
        se: Shape (P,), standard error of the mean; 0 where it is not known.
        df: Shape (P,), its degrees of freedom.
        level: Confidence of each interval.
        said: Confidence that is written to it.
        kind: Its kind.
    """
    if not 0 < level < 1:
        raise ValueError(f"level must be within (0, 1), got {level}")
    by = kind == CLUSTERED
    refused = {
        int(have): too_few_items("difference", int(have), clustered=by) for have in np.unique(n)
    }
    if (none := refused.get(0)) is not None:
        refused[0] = replace(none, how="marks of both arms on the same items")
    carried = np.array([refused[have] is None for have in n.tolist()], dtype=np.bool_) & (se > 0)
    df, se = np.where(carried, df, 1.0), np.where(carried, se, 1.0)
    half = stdtrit(df, (1 + level) / 2) * se
    p = np.minimum(1.0, 2 * stdtr(df, -np.abs(mean) / se))
    flat = Refusal(statistic="difference", code=RefusalCode.ZERO_SPREAD.value, have=0, need=1)
    columns = (n, mean, mean - half, mean + half, p, carried)
    return [
        Estimate(value=value, n=have, low=low, high=high, level=said, kind=kind, p=own)
        if fit
        else refused[have] or flat
        for have, value, low, high, own, fit in zip(*(c.tolist() for c in columns), strict=True)
    ]


def holm(p: FloatArray) -> FloatArray:
    """Holm's adjustment of a family of p-values.

    Args:
        p: Shape (P,), each in [0, 1].

    Returns:
        Shape (P,), adjusted, in [0, 1], in the order given.

    Raises:
        ValueError: A value is no probability.

    Source:
        Holm (1979).

    >>> holm(np.array([0.01, 0.04, 0.03])).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    if p.ndim != 1 or not np.all((p >= 0) & (p <= 1)):
        raise ValueError("p must be a vector of probabilities")
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    out = np.empty_like(p)
    out[order] = np.minimum(steps, 1.0)
    return out


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """Two arms, by index; `difference` is first minus second."""

    first: int
    second: int
    difference: Estimate | Refusal
    """Simultaneous interval; its ``p`` is of this pair alone."""
    p_holm: float | None
    p_max_t: float | None
    """Step-down over the pairs that share six items; None for one that shares fewer."""
    shared: int
    separated: bool | None
    """Whether every test that it has tells them apart; None where it is refused."""
    floored: bool = False
    """The interval has the width of the rounding floor, and no more."""
    df: float = 0.0
    """Degrees of freedom of the difference."""
    clusters: int | None = None
    """Clusters of the shared items; None where items are the units."""

    @property
    def units(self) -> int:
        """Independent units behind the pair: shared items, or their clusters."""
        return self.shared if self.clusters is None else self.clusters

    @property
    def p(self) -> float | None:
        """What `separated` rests on: the larger of both adjusted p-values."""
        return _larger(self.p_holm, self.p_max_t)

    @property
    def sign(self) -> int:
        """1 where the first is separated above, −1 below, 0 where not separated."""
        if not self.separated or isinstance(self.difference, Refusal):
            return 0
        return 1 if self.difference.value > 0 else -1

    def turned(self) -> "Pair":
        """The same pair as second minus first."""
        gap = self.difference
        if isinstance(gap, Estimate):
            low = None if gap.high is None else -gap.high
            high = None if gap.low is None else -gap.low
            gap = replace(gap, value=-gap.value, low=low, high=high)
        return replace(self, first=self.second, second=self.first, difference=gap)


@dataclass(frozen=True, kw_only=True)
class PairTable:
    """All pairs of the arms that have a scored cell, and the rule that separates them."""

    pairs: tuple[Pair, ...]
    arms: tuple[int, ...]
    """Indices of arms with a scored cell."""
    rule: str
    """``holm-t``, or ``max-t`` where some pairs have to pass that test too."""
    alpha: float
    comparisons: int
    """Comparisons that each simultaneous interval is corrected for."""

    def only(self, firm: BoolArray) -> "PairTable":
        """The same table, in which no other pair than a firm one is separated.

        Args:
            firm: Shape (A, A), such as from `ranks.firm_pairs`.
        """
        return replace(
            self,
            pairs=tuple(
                replace(pair, separated=False)
                if pair.separated and not firm[pair.first, pair.second]
                else pair
                for pair in self.pairs
            ),
        )

    def between(self, first: int, second: int) -> Pair | None:
        """The pair with `first` first, turned if need be.

        Args:
            first: Index of the arm that counts positive.
            second: Index of the other.

        Returns:
            The pair; None where the table has none of these two.
        """
        straight = self._by_arms.get((first, second))
        if straight is not None:
            return straight
        other = self._by_arms.get((second, first))
        return None if other is None else other.turned()

    @cached_property
    def _by_arms(self) -> dict[tuple[int, int], Pair]:
        return {(pair.first, pair.second): pair for pair in self.pairs}


def all_pairs(  # noqa: PLR0913 - the cells, and each choice by its name
    cells: FloatArray,
    reps: IntArray,
    *,
    step: float,
    rng: np.random.Generator,
    alpha: float = 0.05,
    reference: int | None = None,
    flips: bool = True,
    clusters: IntArray | None = None,
    apart: BoolArray | None = None,
) -> PairTable:
    """Every pair of arms: simultaneous intervals and decisions.

    Two arms are separated by Holm's rule over paired t and, where they share at least six
    items, by step-down max-T over joint sign flips as well: the first holds the error rate
    where differences are lopsided together, the second with one erratic arm. A pair that
    shares fewer items is left out of the second, and decides nothing for the others: all
    that is separated is separated by Holm's rule over all pairs. Intervals are Bonferroni
    over all pairs; with a `reference` that was named before looking, over the pairs with it
    only. A reference that was picked for its high mean needs all pairs.

    Args:
        cells: Shape (A, I), scale points, NaN where an arm has no scored cell.
        reps: Shape (A, I), judgments behind each cell.
        step: Lattice of the marks.
        rng: Generator for the sign flips.
        alpha: Family-wise error rate.
        reference: Index of an arm named before the marks were seen.
        flips: Whether max-T may decide; without it Holm's rule does at any number of items.
        clusters: Shape (I,), the cluster of each item, integer codes: intervals and Holm's p
            are by CR2 with Satterthwaite's degrees of freedom, flips turn whole clusters, and
            what is said of items above holds of clusters. None where items are independent.
        apart: Shape (A, A), pairs that are refused whatever they share, `Opponents.apart`.

    Returns:
        One `Pair` for each two arms that have a scored cell, in the order of
        indices; those with fewer than three shared items hold a `Refusal`.

    Raises:
        ValueError: As `shared_differences`, or `alpha` not within (0, 1).

    Source:
        Holm (1979); Romano & Wolf (2005); of clusters Bell & McCaffrey (2002), Pustejovsky
        & Tipton (2018).
    """
    if cells.ndim != 2 or cells.shape != reps.shape or not 0 < alpha < 1:  # noqa: PLR2004
        raise ValueError("cells and reps must share one shape (A, I), alpha lie within (0, 1)")
    arms = tuple(int(a) for a in np.flatnonzero(np.isfinite(cells).any(axis=1)))
    gaps = every_gap(cells, reps, step=step, clusters=clusters).without(apart)
    total = int(gaps.n.size)
    family = max(1, len(arms) - 1 if reference in arms else total)
    found = _estimates(
        n=gaps.units, mean=gaps.mean, se=gaps.se, df=gaps.df, level=1 - alpha / family,
        said=1 - alpha, kind="t-simultaneous" if clusters is None else CLUSTERED,
    )  # fmt: skip
    p_holm = _holm_of(found)
    p_max = _max_t_of(cells, gaps, found, rng=rng, clusters=clusters) if flips else {}
    names = zip(gaps.first.tolist(), gaps.second.tolist(), strict=True)
    columns = zip(
        names, found, gaps.n.tolist(), gaps.floored.tolist(), gaps.df.tolist(),
        gaps.units.tolist(), strict=True,
    )  # fmt: skip
    return PairTable(
        pairs=tuple(
            Pair(
                first=a,
                second=b,
                difference=difference,
                p_holm=p_holm[i],
                p_max_t=p_max.get(i),
                shared=shared,
                separated=_decide(_larger(p_holm[i], p_max.get(i)), alpha),
                floored=floored,
                df=df,
                clusters=None if clusters is None else units,
            )
            for i, ((a, b), difference, shared, floored, df, units) in enumerate(columns)
        ),
        arms=arms,
        rule="max-t" if p_max else "holm-t",
        alpha=alpha,
        comparisons=family,
    )


def jointly(found: Estimate | Refusal, comparisons: int) -> Estimate | Refusal:
    """A difference with the p of its simultaneous interval.

    Args:
        found: Of a `Pair`, whose p is of that pair alone.
        comparisons: Those that its interval is corrected for.

    Returns:
        With p by Bonferroni: at most alpha just where the interval leaves out 0.
    """
    if isinstance(found, Refusal) or found.p is None:
        return found
    return replace(found, p=min(1.0, found.p * comparisons))


def _larger(*found: float | None) -> float | None:
    return max((p for p in found if p is not None), default=None)


def _decide(p: float | None, alpha: float) -> bool | None:
    return None if p is None else p <= alpha


def _holm_of(found: Sequence[Estimate | Refusal]) -> list[float | None]:
    """Holm p of each estimate; a refused pair has none and still counts in the family."""
    p = np.array([1.0 if isinstance(one, Refusal) or one.p is None else one.p for one in found])
    adjusted = holm(p)
    return [None if isinstance(one, Refusal) else float(adjusted[i]) for i, one in enumerate(found)]


def _max_t_of(
    cells: FloatArray,
    gaps: Gaps,
    found: Sequence[Estimate | Refusal],
    *,
    rng: np.random.Generator,
    clusters: IntArray | None,
) -> dict[int, float]:
    """max-T p of each pair, by its place, that shares enough items for it."""
    tested = [
        i for i, one in enumerate(found)
        if isinstance(one, Estimate) and too_few_items("sign_flip", one.n) is None
    ]  # fmt: skip
    if not tested or len(found) > MOST_FLIPPED:
        return {}
    first, second = gaps.first[tested], gaps.second[tested]
    differences = cells[first] - cells[second]
    if clusters is not None:
        flipped = clustered_max_t(differences, gaps.floor[tested], clusters, rng)
        return {} if isinstance(flipped, Refusal) else _by_place(tested, flipped)
    members = None
    if np.isfinite(differences).all():
        arms, codes = np.unique(np.array([first, second]), return_inverse=True)
        one, other = codes.reshape(2, -1)
        members = Members(cells=cells[arms], first=one, second=other)
    adjusted = max_t(differences, gaps.floor[tested], rng, members=members)
    if isinstance(adjusted, Refusal):
        return {}
    return _by_place(tested, adjusted)


def _by_place(tested: Sequence[int], p: FloatArray) -> dict[int, float]:
    return dict(zip(tested, map(float, p), strict=True))
