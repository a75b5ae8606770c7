"""Which arms no other beats at once in worth and in everything that they take.

Input is one value of worth an arm and one row of prices; output says who is beaten by
whom. Values are taken as they were measured: no interval is looked at, and whoever
prints this says so.
"""

import numpy as np

from judgebench.stats.arrays import FloatArray


def beaten_by(worth: FloatArray, prices: FloatArray) -> tuple[int | None, ...]:
    """For each arm the best other arm that beats it; None for those of the Pareto set.

    One arm beats another where it is worth no less, takes no more of anything, and is
    strictly better in something. Equal arms do not beat each other.

    Args:
        worth: Shape (A,), more is better; finite.
        prices: Shape (A, M), less is better; finite, M at least 1.

    Returns:
        A positions or None. Of several that beat an arm, the one of most worth, then the
        first: always one that is itself in the set.

    Raises:
        ValueError: The shapes do not fit, or a value is not finite.

    Source:
        Own rule, docs/comparing.md.
    """
    if worth.ndim != 1 or prices.ndim != 2 or prices.shape[0] != worth.size:  # noqa: PLR2004
        raise ValueError(f"shapes (A,) and (A, M) are wanted, got {worth.shape}, {prices.shape}")
    if prices.shape[1] == 0 or not (np.isfinite(worth).all() and np.isfinite(prices).all()):
        raise ValueError("every arm needs its worth and at least one price, all finite")
    no_worse = (worth[:, None] >= worth[None, :]) & (prices[:, None, :] <= prices[None, :, :]).all(
        axis=2
    )
    better = (worth[:, None] > worth[None, :]) | (prices[:, None, :] < prices[None, :, :]).any(
        axis=2
    )
    beats = no_worse & better
    free = ~beats.any(axis=0)
    found: list[int | None] = []
    for at in range(worth.size):
        who = np.flatnonzero(beats[:, at] & free)
        found.append(int(who[np.argmax(worth[who])]) if who.size else None)
    return tuple(found)
