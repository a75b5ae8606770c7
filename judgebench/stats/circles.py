"""Verdicts that go round in a circle, a > b > c > a, and how many chance alone would make.

Input is comparisons as `pairwise` has them. The unit is a triad of arms that all met
on one item.
"""

from itertools import combinations

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.records import dataclass
from judgebench.stats.arrays import TIE, FloatArray, IntArray
from judgebench.stats.pairwise import Comparisons, Strengths

_MIN_TRIADS = 20
_DRAWN = 40_000_000
"""Outcomes and triads that may be drawn in all."""


def circular_share(data: Comparisons) -> Estimate | Refusal:
    """Share of decided triads on one item that go round in a circle: a > b > c > a.

    Args:
        data: The comparisons; a pair judged more than once on an item is decided
            by its balance of wins, a balance of 0 leaves its triads out.

    Returns:
        Share in [0, 1], ``n`` counts the triads; chance alone gives ¼. `Refusal`
        with ``too_few_items`` below 20 decided triads.

    Source:
        Kendall & Babington Smith (1940).
    """
    circles, triads = _triads(data).count(data.outcome)
    if triads < _MIN_TRIADS:
        return Refusal(
            statistic="circular_share",
            code=RefusalCode.TOO_FEW_ITEMS.value,
            have=triads,
            need=_MIN_TRIADS,
            how="counted in decided triads",
        )
    return Estimate(value=circles / triads, n=triads)


def circular_expected(
    data: Comparisons, strengths: Strengths, *, rng: np.random.Generator, draws: int = 200
) -> float | None:
    """The circular share that these strengths would show by chance alone.

    Args:
        data: Which pairs were compared, on which items, in which order.
        strengths: As fitted to them.
        rng: Draws the outcomes.
        draws: How many times all outcomes are drawn.

    Returns:
        Mean share over the draws (parametric bootstrap); None where no triad was
        decided in any of them, or there are too many rows and triads to draw.

    Source:
        Parametric bootstrap of the fitted model; Kendall & Babington Smith (1940) for the
        share itself.
    """
    triads = _triads(data)
    size = data.item.size + triads.rows.shape[0]
    draws = min(draws, int(_DRAWN // max(1, size)))
    worth = np.array([one.value for one in strengths.arms])
    first, second = worth[data.first] + strengths.order_point, worth[data.second]
    ties = np.full(first.size, -np.inf)
    if strengths.ties_point is not None:
        ties = (worth[data.first] + worth[data.second]) / 2 + strengths.ties_point
    utility = np.stack([second, ties, first])
    shares = np.exp(utility - utility.max(axis=0))
    bounds = np.cumsum(shares / shares.sum(axis=0), axis=0)[:2]
    found = []
    for _ in range(draws):
        drawn = rng.random(first.size)
        circles, decided = triads.count((drawn > bounds[0]) / 2 + (drawn > bounds[1]) / 2)
        if decided:
            found.append(circles / decided)
    return float(np.mean(found)) if found else None


@dataclass(frozen=True, kw_only=True, slots=True)
class _Triads:
    """All triads of arms that met pairwise on an item."""

    cell: IntArray
    """Shape (M,): pair of an item that a row belongs to."""
    sign: FloatArray
    """Shape (M,): 1 where the arm of lower code was seen first, else −1."""
    rows: IntArray
    """Shape (T, 3): cells of (a, b), (b, c) and (a, c) with a < b < c."""

    def count(self, outcome: FloatArray) -> tuple[int, int]:
        """Circles and decided triads under these outcomes.

        Args:
            outcome: Shape (M,), 1 first won, 0 second won, 0.5 tie.
        """
        if not self.rows.size:
            return 0, 0
        gain = np.bincount(self.cell, weights=self.sign * (2 * outcome - 1))
        wins = np.sign(np.where(np.abs(gain) <= TIE, 0, gain))[self.rows]
        decided = (wins != 0).all(axis=1)
        round_about = np.abs(wins[:, 0] + wins[:, 1] - wins[:, 2]) == 3  # noqa: PLR2004 - all alike
        return int((round_about & decided).sum()), int(decided.sum())


def _triads(data: Comparisons) -> _Triads:
    low, high = np.minimum(data.first, data.second), np.maximum(data.first, data.second)
    keys, cell = np.unique(
        np.stack([data.item, low, high], axis=1), axis=0, return_inverse=True
    )  # fmt: skip
    place = {tuple(key): at for at, key in enumerate(keys.tolist())}
    met: dict[int, set[int]] = {}
    for item, a, b in place:
        met.setdefault(item, set()).update((a, b))
    rows = [
        (place[item, a, b], place[item, b, c], place[item, a, c])
        for item, arms in met.items()
        for a, b, c in combinations(sorted(arms), 3)
        if (item, a, b) in place and (item, b, c) in place and (item, a, c) in place
    ]
    return _Triads(
        cell=np.asarray(cell, dtype=np.int64).reshape(-1),
        sign=np.where(data.first == low, 1.0, -1.0),
        rows=np.array(rows, dtype=np.int64).reshape(-1, 3),
    )
