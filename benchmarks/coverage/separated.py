"""The decisions of `judgebench.stats` among several arms, on many runs at once."""

import numpy as np
from scipy.special import stdtrit

from benchmarks.coverage.batched import Gaps, every_pair, gaps
from judgebench.stats import flips
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray
from judgebench.stats.levels import LEAST_ITEMS

_CLOSE = 1e-9


def family(cells: FloatArray, keys: IntArray) -> BoolArray:
    """Which pairs (B, P) `pairs.all_pairs` has: those of two arms with a scored cell."""
    scored = np.isfinite(cells).any(axis=2)
    return np.asarray(scored[:, keys].all(axis=2), dtype=np.bool_)


def any_separated(
    found: Gaps, of: BoolArray, rng: np.random.Generator, *, alpha: float = 0.05
) -> BoolArray:
    """Whether `pairs.all_pairs` separates any pair of each run.

    Args:
        found: All pairs of each run.
        of: Shape (B, P), the pairs that are in the family of the run.
        rng: For the signs where there are more than 16 items; all runs here share the
            draws, and each gets what a generator in this state gives it alone.
        alpha: Family-wise error rate.
    """
    flips = (~of | (found.given & (found.n >= LEAST_ITEMS["sign_flip"]))).all(axis=1)
    size = of.sum(axis=1)
    out = (np.where(of, found.p, 1.0).min(axis=1) * size <= alpha) & (size > 0)
    turned = flips & (size > 0)
    if turned.any():
        out[turned] = _any_beyond(found, of, turned, rng, alpha=alpha)
    return np.asarray(out, dtype=np.bool_)


def _any_beyond(
    found: Gaps, of: BoolArray, rows: BoolArray, rng: np.random.Generator, *, alpha: float
) -> BoolArray:
    """Whether the least p of `flips.max_t` is at most alpha.

    The largest of all statistics decides it, so one flip counts where any pair is beyond
    it. Flips stop for a run once enough of them are: more only take its p further up.
    """
    inside = of[rows]
    runs, each, items = found.d[rows].shape
    values = np.where(np.isfinite(found.d[rows]), found.d[rows], 0.0)
    n, floors = np.where(inside, found.n[rows], items), found.floor[rows]
    largest = np.where(inside, np.abs(found.t[rows]), 0.0).max(axis=1, keepdims=True)
    bars = largest * (1 - _CLOSE)
    # |t| of a pair grows with its flipped sum alone, so the bar is one of that sum.
    squares = (values**2).sum(axis=2)
    sums = bars * np.sqrt(np.maximum(squares * n / (n - 1 + bars**2), n * floors))
    sums = np.where(inside, sums, np.inf)
    hits, going = np.zeros(runs), np.arange(runs)
    for signs in flips.sign_blocks(items, rng):
        flipped = np.abs(signs @ values[going].reshape(-1, items).T)
        beyond = (flipped >= sums[going].ravel()).reshape(-1, going.size, each).any(axis=2)
        hits[going] += np.count_nonzero(beyond, axis=0)
        going = going[flips.p_of(hits[going], items) <= alpha]
        if not going.size:
            break
    return np.asarray(flips.p_of(hits, items) <= alpha)


def keeps_best(
    cells: FloatArray, reps: IntArray, *, step: float, best: int, alpha: float = 0.05
) -> BoolArray:
    """Whether `ranks.possible_best` keeps one arm, or refuses to say.

    Args:
        cells: Shape (B, A, I).
        reps: Shape (B, A, I).
        step: Lattice of the marks.
        best: The arm.
        alpha: Error rate of the set.
    """
    others = [a for a in range(cells.shape[1]) if a != best]
    scored = np.isfinite(cells).any(axis=2)
    found = gaps(cells, reps, np.array([(a, best) for a in others]), step=step)
    arms = scored.sum(axis=1)
    level = 1 - alpha / np.maximum(arms - 1, 1)
    bar = stdtrit(np.maximum(found.n - 1, 1), level[:, None])
    beaten = (np.where(found.given, found.t, -np.inf) > bar).any(axis=1)
    every = gaps(cells, reps, every_pair(cells.shape[1]), step=step)
    refused = (arms < 2) | (every.n.max(axis=1) < LEAST_ITEMS["best"])
    return np.asarray(refused | (scored[:, best] & ~beaten), dtype=np.bool_)
