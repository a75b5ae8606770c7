"""The decisions of `judgebench.stats` among several arms, on many runs at once."""

from copy import deepcopy

import numpy as np
from scipy.special import stdtrit

from benchmarks.coverage.batched import Gaps, every_pair, gaps
from judgebench.model.nouns import Refusal
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
    told = holm_told(found, of, alpha=alpha)
    turns = of & found.given & (found.n >= LEAST_ITEMS["sign_flip"])
    out = np.asarray((told & ~turns).any(axis=1), dtype=np.bool_)
    open_ = ~out & (told & turns).any(axis=1)
    # Where max-T does not tell its most extreme pair apart, it tells none.
    top = np.where(turns, np.abs(found.t), -1.0).argmax(axis=1)
    led = open_ & told[np.arange(top.size), top]
    before = deepcopy(rng)
    if led.any():
        out[led] = _any_beyond(found, turns, led, rng, alpha=alpha)
    for run in np.flatnonzero(open_ & ~led):
        mine = turns[run]
        p = flips.max_t(found.d[run][mine], found.floor[run][mine], deepcopy(before))
        out[run] = not isinstance(p, Refusal) and bool((told[run][mine] & (p <= alpha)).any())
    return out


def holm_told(found: Gaps, of: BoolArray, *, alpha: float) -> BoolArray:
    """Shape (B, P): which pairs of each run Holm's rule tells apart."""
    p = np.where(of, found.p, 1.0)
    order = np.argsort(p, axis=1, kind="stable")
    left = of.sum(axis=1)[:, None] - np.arange(p.shape[1])
    steps = np.maximum.accumulate(
        np.take_along_axis(p, order, axis=1) * np.maximum(left, 1), axis=1
    )
    told = np.empty_like(of)
    np.put_along_axis(told, order, steps <= alpha, axis=1)
    return np.asarray(told & of & found.given, dtype=np.bool_)


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
