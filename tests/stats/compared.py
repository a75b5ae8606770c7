"""Comparisons to test with: row by row, or drawn from known strengths."""

import numpy as np

from judgebench.stats.pairwise import Comparisons


def made(rows: list[tuple[int, int, int, float]], n_arms: int) -> Comparisons:
    """Comparisons from rows of item, first, second, outcome."""
    item, first, second, outcome = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Comparisons(
        item=np.array(item, dtype=np.int64),
        first=np.array(first, dtype=np.int64),
        second=np.array(second, dtype=np.int64),
        outcome=np.array(outcome, dtype=np.float64),
        n_arms=n_arms,
    )


def drawn(seed: int, n_items: int, theta: list[float], order: float, tie: float) -> Comparisons:
    """Both orders of every pair on each item, from Davidson's model."""
    rng = np.random.default_rng(seed)
    rows = []
    for item in range(n_items):
        for a in range(len(theta)):
            for b in range(len(theta)):
                if a != b:
                    u = np.exp([theta[a] + order, theta[b], tie + (theta[a] + theta[b]) / 2])
                    rows.append((item, a, b, [1.0, 0.0, 0.5][rng.choice(3, p=u / u.sum())]))
    return made(rows, len(theta))
