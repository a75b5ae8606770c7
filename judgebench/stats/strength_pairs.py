"""Arms held against each other by strengths, where the shares that they won are not of one thing.

The pairs and the set of possible best have the rules of paired differences, on the log scale.
"""

from dataclasses import replace
from itertools import combinations

import numpy as np

from judgebench.model.nouns import Estimate
from judgebench.model.reasons import RefusalCode
from judgebench.stats.arrays import BoolArray
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
        Each difference with its simultaneous interval (Bonferroni, t on the items that carry
        it − 1) and its own p; separated by Holm over all pairs. A pair that fewer than three
        items carry has neither, and nothing is said of it.

    Raises:
        ValueError: `found` has no errors.

    Source:
        Holm (1979) on the sandwich errors of the fit.
    """
    every = list(combinations(range(len(found.arms)), 2))
    gaps = [_gap(found, a, b, level=1 - alpha / len(every)) for a, b in every]
    # One without a test stands in the family all the same, as one that says nothing.
    alone = [1.0 if gap.p is None else gap.p for gap, _ in gaps]
    adjusted = holm(np.array(alone, dtype=np.float64)).tolist()
    tested = [None if gap.p is None else p for (gap, _), p in zip(gaps, adjusted, strict=True)]
    return PairTable(
        pairs=tuple(
            Pair(
                first=a, second=b, difference=replace(gap, level=1 - alpha), p_holm=p, p_max_t=None,
                shared=gap.n, separated=None if p is None else p <= alpha, df=df,
            )
            for (a, b), (gap, df), p in zip(every, gaps, tested, strict=True)
        ),
        arms=tuple(range(len(found.arms))), rule="holm-t", alpha=alpha, comparisons=len(every),
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
    level = 1 - 2 * alpha / (len(found.arms) - 1)

    def beats(a: int, b: int) -> bool:
        low = _gap(found, a, b, level=level)[0].low
        return low is not None and low > 0 and (firm is None or bool(firm[a, b]))

    return tuple(b for b in arms if not any(beats(a, b) for a in arms if a != b))


def _gap(found: Strengths, a: int, b: int, *, level: float) -> tuple[Estimate, float]:
    """Difference of two strengths and its degrees of freedom; no interval where no error is."""
    errors = found.errors
    if errors is None:
        raise ValueError("strengths without their errors")
    value = found.arms[a].value - found.arms[b].value
    known = errors.error(a, b)
    if known is None or not known[0]:
        code = RefusalCode.TOO_FEW_ITEMS if known is None else RefusalCode.ZERO_SPREAD
        return Estimate(value=value, n=errors.n, no_interval=code.value), 0.0
    se, df = known
    half = t_quantile((1 + level) / 2, df) * se
    gap = Estimate(
        value=value, n=errors.n, low=value - half, high=value + half, level=level,
        kind="sandwich", p=float(2 * stdtr(df, -abs(value) / se)),
    )  # fmt: skip
    return gap, df


def renumbered(table: PairTable, arms: tuple[int, ...]) -> PairTable:
    """The same pairs of arms that are numbered otherwise: arm k is `arms[k]`."""
    pairs = tuple(
        replace(pair, first=arms[pair.first], second=arms[pair.second]) for pair in table.pairs
    )
    return replace(table, pairs=pairs, arms=tuple(arms[at] for at in table.arms))
