"""Tests by flipping signs: of one paired difference, and of all pairs of arms together.

Under the null an item's difference is as likely to be its negative. Up to 16 items
every flip is enumerated; beyond, flips are drawn from the generator that is given.
"""

from collections.abc import Callable, Iterator

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.records import dataclass
from judgebench.stats.arrays import FloatArray, IntArray
from judgebench.stats.levels import too_few_items

EXACT_FLIPS = 16
"""Items up to which every flip of signs is enumerated."""
DRAWS = 20_000
MOST_FLIPPED = 5_000
"""Pairs of arms whose signs are flipped, jointly or one by one: 100 arms; of more, t decides."""
_CHUNK = 2_048
_BLOCK = 65_536
"""Signs held at once: the draws are the same however they are cut into blocks."""
_SIGNS = 1.0 - 2.0 * np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)
"""The eight signs of each byte."""
_CLOSE = 1e-9


def sign_flip(d: FloatArray, rng: np.random.Generator) -> Estimate | Refusal:
    """Mean difference with the p-value of the sign-flip test.

    Under the null each item's difference is as likely to be its negative. Exact
    over all 2^N flips up to 16 items, else over 20,000 seeded draws.

    Args:
        d: Shape (N,), differences in scale points; NaN is left out.
        rng: Generator for more than 16 items.

    Returns:
        Mean of `d`, two-sided ``p``, ``kind`` "sign-flip"; no interval. `Refusal`
        with ``too_few_items`` below six: at five the smallest p is 0.0625.

    Source:
        Fisher (1935); Winkler et al. (2014).
    """
    d = d[np.isfinite(d)]
    refused = too_few_items("sign_flip", d.size)
    if refused is not None:
        return refused
    bar = abs(float(d.sum())) - _CLOSE * float(np.abs(d).sum())
    hits = np.zeros(1)
    for signs in sign_blocks(d.size, rng):
        hits += np.count_nonzero(np.abs(signs @ d) >= bar)
    return Estimate(
        value=float(d.mean()), n=int(d.size), kind="sign-flip", p=float(p_of(hits, d.size)[0])
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Members:
    """What differences are made of: of 20 arms, 190 pairs cost as much as 20 columns.

    Args:
        cells: Shape (A, I), scale points, none missing.
        first: Shape (P,), the arm that counts positive in each difference.
        second: Shape (P,), the arm that counts negative.
    """

    cells: FloatArray
    first: IntArray
    second: IntArray


def max_t(
    d: FloatArray,
    floors: FloatArray,
    rng: np.random.Generator,
    *,
    members: Members | None = None,
) -> FloatArray | Refusal:
    """Step-down max-T p-values of several mean differences over joint sign flips.

    One flip turns an item's differences in all pairs at once, which keeps their
    correlation; each pair is studentised in each flip, which keeps the error rate
    where arms differ in spread.

    Args:
        d: Shape (P, I), differences in scale points, NaN where a pair lacks the item.
        floors: Shape (P,), rounding floors as variances, points².
        rng: Generator where there are more than 16 items.
        members: Where no cell is missing, the arms behind `d`: the same answer, sooner.

    Returns:
        Shape (P,), adjusted two-sided p-values. `Refusal` with ``too_few_items``
        where a pair shares fewer than six items, ``zero_spread`` where one has
        equal differences and no floor, ``too_few_arms`` where there is no pair.

    Source:
        Westfall & Young (1993); Romano & Wolf (2005).
    """
    there = np.isfinite(d)
    n = there.sum(axis=1)
    if not n.size:
        return Refusal(statistic="difference", code=RefusalCode.TOO_FEW_ARMS.value, have=1, need=2)
    refused = too_few_items("sign_flip", int(n.min()))
    if refused is not None:
        return refused
    values = np.where(there, d, 0.0)
    squares = (values**2).sum(axis=1)
    observed = _studentised(values.sum(axis=1)[None, :], squares, n, floors)[0]
    if not np.all(np.isfinite(observed)):
        return Refusal(statistic="difference", code=RefusalCode.ZERO_SPREAD.value, have=0, need=1)
    used = there.any(axis=0)

    def in_order(order: IntArray, blocks: Iterator[FloatArray]) -> Iterator[FloatArray]:
        sums = _summing(values[order][:, used], order, members)
        at = squares[order], n[order], floors[order]
        return (_studentised(flipped, *at) for flipped in _joined(map(sums, blocks)))

    return step_down(observed, in_order, int(used.sum()), rng)


def step_down(
    observed: FloatArray,
    flipped: Callable[[IntArray, Iterator[FloatArray]], Iterator[FloatArray]],
    units: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Adjusted p-values of several statistics from their joint sign flips.

    Args:
        observed: Shape (P,), |t| as it is.
        flipped: From an order of the hypotheses and blocks of signs, shape (B, U), to blocks
            of |t|, a row a flip, a column a hypothesis in that order.
        units: Units whose signs are flipped, U.
        rng: Generator where there are more than 16 units.

    Returns:
        Shape (P,), each in (0, 1].

    Source:
        Westfall & Young (1993); Romano & Wolf (2005).
    """
    order = np.argsort(-observed, kind="stable")
    bars = observed[order] * (1 - _CLOSE)
    hits = np.zeros(order.size)
    for t in flipped(order, sign_blocks(units, rng)):
        # Largest of this hypothesis and all that are less extreme.
        largest = np.maximum.accumulate(t[:, ::-1], axis=1)[:, ::-1]
        hits += np.count_nonzero(largest >= bars, axis=0)
    out = np.empty(order.size)
    out[order] = np.maximum.accumulate(p_of(hits, units))
    return np.minimum(out, 1.0)


def _summing(
    values: FloatArray, order: IntArray, members: Members | None
) -> Callable[[FloatArray], FloatArray]:
    """From signs (B, N) to the flipped sums (B, P) of the pairs in their order."""
    if members is None or members.cells.shape[0] >= order.size:
        columns = np.ascontiguousarray(values.T)
        return lambda signs: signs @ columns
    # What all arms have in common falls out of every difference, and would only round.
    arms = np.ascontiguousarray((members.cells - members.cells.mean(axis=0)).T)
    first, second = members.first[order], members.second[order]

    def sums(signs: FloatArray) -> FloatArray:
        flipped = signs @ arms
        gaps = flipped.take(first, axis=1) - flipped.take(second, axis=1)
        return np.asarray(gaps, dtype=np.float64)

    return sums


def _joined(blocks: Iterator[FloatArray]) -> Iterator[FloatArray]:
    """Blocks of rows, as many as `_BLOCK` figures at once: of many items they are small."""
    held: list[FloatArray] = []
    size = 0
    for block in blocks:
        held.append(block)
        size += block.size
        if size >= _BLOCK:
            yield held[0] if len(held) == 1 else np.concatenate(held)
            held, size = [], 0
    if held:
        yield np.concatenate(held)


def _studentised(
    sums: FloatArray, squares: FloatArray, n: IntArray, floors: FloatArray
) -> FloatArray:
    """|t| of each flip (rows) and pair (columns); ±d leaves the sum of squares as it is."""
    count = n.astype(np.float64)
    variance = sums**2
    variance /= count
    np.subtract(squares, variance, out=variance)
    variance /= count - 1
    np.maximum(variance, floors, out=variance)
    # Rounding leaves a variance of about 1e-16 of the squares where there is none.
    none = variance <= _CLOSE**1.5 * squares
    variance /= count
    se = np.sqrt(variance, out=variance)
    t = np.abs(sums / count)
    if not none.any():
        t /= se
        return t
    se[none] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        t /= se
    return np.asarray(np.where((se == 0) & (np.abs(sums) == 0), 0.0, t), dtype=np.float64)


def sign_blocks(n: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Sign flips, block by block: every one up to `EXACT_FLIPS` items, else `DRAWS` of them.

    A flip and its negative give the same |t|, so half of them are enumerated.

    Args:
        n: Items, N.
        rng: Generator beyond `EXACT_FLIPS`.

    Yields:
        Shape (B, N), each −1 or 1.
    """
    if n <= EXACT_FLIPS:
        codes = np.arange(2 ** (n - 1))
        for start in range(0, codes.size, _CHUNK):
            bits = (codes[start : start + _CHUNK, None] >> np.arange(n)) & 1
            yield 1.0 - 2.0 * bits.astype(np.float64)
        return
    # Whole bytes of randomness, whatever n is.
    rows = max(8, min(_CHUNK, _BLOCK // n) // 8 * 8)
    for start in range(0, DRAWS, rows):
        yield _drawn_signs(min(rows, DRAWS - start), n, rng)


def _drawn_signs(rows: int, n: int, rng: np.random.Generator) -> FloatArray:
    """One random bit a sign, looked up eight at a time."""
    drawn = np.frombuffer(rng.bytes(-(-rows * n // 8)), dtype=np.uint8)
    # "clip" leaves out the check of an index that cannot be wrong.
    signs = np.take(_SIGNS, drawn, axis=0, mode="clip").reshape(-1)
    return np.asarray(signs[: rows * n].reshape(rows, n), dtype=np.float64)


def p_of(hits: FloatArray, n: int) -> FloatArray:
    """Counts of flips at least as extreme → p-values, with the +1 rule for draws.

    Args:
        hits: Any shape, counts over `sign_blocks`.
        n: Items, N.

    Returns:
        The shape of `hits`, each in (0, 1].
    """
    if n <= EXACT_FLIPS:
        return np.asarray(hits / 2 ** (n - 1), dtype=np.float64)
    return np.asarray((hits + 1) / (DRAWS + 1), dtype=np.float64)
