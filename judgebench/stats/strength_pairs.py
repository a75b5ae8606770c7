"""Arms held against each other by strengths, where the shares that they won are not of one thing.

The pairs and the set of possible best have the rules of paired differences, on the log scale.
"""

from dataclasses import replace
from itertools import combinations
from math import sqrt

import numpy as np

from judgebench.model.nouns import Estimate
from judgebench.stats.arrays import TIE, BoolArray
from judgebench.stats.intervals import t_quantile
from judgebench.stats.pairs import Pair, PairTable, holm
from judgebench.stats.pairwise import Strengths
from judgebench.stats.special import stdtr


def strength_pairs(found: Strengths, *, alpha: float = 0.05) -> PairTable:
    """Differences of strengths of all pairs of arms.

    Args:
        found: What `pairwise.bradley_terry` returned; arms are numbered as there.
        alpha: Error rate over all pairs.

    Returns:
        Each difference with its simultaneous interval (Bonferroni, t on items − 1) and its own
        p; separated by Holm over all pairs. A pair without a standard error is not separated.

    Source:
        Holm (1979) on the sandwich errors of the fit.
    """
    arms = range(len(found.arms))
    n = found.arms[0].n
    every = list(combinations(arms, 2))
    beyond = t_quantile(1 - alpha / (2 * len(every)), n - 1)
    gaps = []
    for a, b in every:
        value, se = _gap(found, a, b)
        p = None if se is None else float(2 * stdtr(n - 1, -abs(value) / se))
        half = 0.0 if se is None else beyond * se
        ends = (None, None) if se is None else (value - half, value + half)
        gaps.append(
            Estimate(
                value=value, n=n, low=ends[0], high=ends[1], level=1 - alpha, kind="sandwich", p=p
            )
        )
    alone = [1.0 if one.p is None else one.p for one in gaps]
    adjusted = holm(np.array(alone, dtype=np.float64)).tolist()
    return PairTable(
        pairs=tuple(
            Pair(
                first=a, second=b, difference=gap, p_holm=p, p_max_t=None, shared=n,
                separated=p <= alpha, df=n - 1,
            )
            for (a, b), gap, p in zip(every, gaps, adjusted, strict=True)
        ),
        arms=tuple(arms), rule="holm-t", alpha=alpha, comparisons=len(every),
    )  # fmt: skip


def strongest(
    found: Strengths, *, alpha: float = 0.05, firm: BoolArray | None = None
) -> tuple[int, ...]:
    """Set of arms that may be best by strengths; it holds the best one with 95 %.

    Args:
        found: What `pairwise.bradley_terry` returned.
        alpha: Error rate of the set.
        firm: Shape (A, A), pairs by which an arm may leave the set; None where all count.

    Returns:
        Arms that no other is above by a one-sided t at alpha / (K−1); at least one.

    Source:
        Hsu (1981, 1996), as `ranks.possible_best`.
    """
    arms = range(len(found.arms))
    n = found.arms[0].n
    beyond = t_quantile(1 - alpha / (len(found.arms) - 1), n - 1)

    def beats(a: int, b: int) -> bool:
        value, se = _gap(found, a, b)
        return se is not None and value > beyond * se and (firm is None or bool(firm[a, b]))

    return tuple(b for b in arms if not any(beats(a, b) for a in arms if a != b))


def _gap(found: Strengths, a: int, b: int) -> tuple[float, float | None]:
    """Difference of two strengths and its standard error; None where nothing moves it."""
    variance = found.cover[a][a] + found.cover[b][b] - 2 * found.cover[a][b]
    value = found.arms[a].value - found.arms[b].value
    return value, sqrt(variance) if variance > TIE else None


def renumbered(table: PairTable, arms: tuple[int, ...]) -> PairTable:
    """The same pairs of arms that are numbered otherwise: arm k is `arms[k]`."""
    pairs = tuple(
        replace(pair, first=arms[pair.first], second=arms[pair.second]) for pair in table.pairs
    )
    return replace(table, pairs=pairs, arms=tuple(arms[at] for at in table.arms))
