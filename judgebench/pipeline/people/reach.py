"""Which arms share so many judged items that a draw of items for people reaches most answers."""

import numpy as np

from judgebench.stats.arrays import BoolArray


def widest(there: BoolArray) -> list[int]:
    """Rows whose shared columns hold the most answers together, the fullest rows first tried.

    Args:
        there: Which answers there are, shape (A, I).
    """
    order = np.argsort(-there.sum(axis=1), kind="stable").tolist()
    reach = [int(there[order[:n]].all(axis=0).sum()) * n for n in range(1, len(order) + 1)]
    # Of as many answers, more arms are worth more: they can be compared.
    best = max(range(len(reach)), key=lambda at: (reach[at], at))
    return sorted(order[: best + 1])


def left_outside(there: BoolArray, arms: list[int]) -> tuple[int, list[int]]:
    """Answers of these arms beyond the items that all of them have, and arms that reach more."""
    reached = int(there[arms].all(axis=0).sum()) * len(arms)
    wider = widest(there)
    more = int(there[wider].all(axis=0).sum()) * len(wider) > reached
    return int(there[arms].sum()) - reached, wider if more else []


def reached_by(there: BoolArray, wanted: int) -> tuple[list[int], int]:
    """Arms that a draw of items has to name, none where all will do, and how many it can have.

    Args:
        there: Which answers there are, shape (A, I).
        wanted: How many items are asked for.
    """
    judged = np.flatnonzero(there.any(axis=1)).tolist()
    shared = int(there[judged].all(axis=0).sum()) if judged else 0
    _, wider = left_outside(there, judged) if shared < wanted else (0, [])
    if wider:
        shared = int(there[wider].all(axis=0).sum())
    return wider, min(shared, wanted)
