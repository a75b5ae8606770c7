"""Pairs that were judged more than once: in the other order, or in the same one again."""

import numpy as np

from judgebench.records import dataclass
from judgebench.stats.arrays import TIE, IntArray
from judgebench.stats.pairwise import Comparisons


@dataclass(frozen=True, kw_only=True, slots=True)
class OrderCounts:
    """What became of pairs that were judged in both orders."""

    pairs: int
    """Pairs of one item with a verdict in either order."""
    same: int
    """The same arm won, or both were ties."""
    first: int
    """Turned: the arm seen first won both times."""
    second: int
    """Turned: the arm seen second won both times."""

    @property
    def turned(self) -> int:
        """The other arm won once the order was another."""
        return self.first + self.second

    @property
    def loosened(self) -> int:
        """A tie in one order only."""
        return self.pairs - self.same - self.turned


def order_counts(data: Comparisons) -> OrderCounts:
    """Compare each pair's verdict with the one in the other order.

    Args:
        data: The comparisons; a pair judged more than once in an order meets its
            partners in the order of the rows.

    Returns:
        Counts of pairs that were judged in both orders; all 0 where none was.

    Source:
        Zheng et al. (2023), arXiv 2306.05685.
    """
    forward = data.first < data.second
    low, high = np.minimum(data.first, data.second), np.maximum(data.first, data.second)
    pair = _code(data, low, high)
    met = pair * max(1, pair.size) + _earlier(_code(data, data.first, data.second))
    _, at, back = np.intersect1d(met[forward], met[~forward], return_indices=True)
    one, other = data.outcome[forward][at], data.outcome[~forward][back]
    return OrderCounts(
        pairs=int(at.size),
        same=int((np.abs(one + other - 1) < TIE).sum()),
        first=int(((one == 1) & (other == 1)).sum()),
        second=int(((one == 0) & (other == 0)).sum()),
    )


def repeat_changes(data: Comparisons, by: IntArray | None = None) -> tuple[int, int]:
    """How often a second judging of the same pair in the same order said something else.

    Args:
        data: The comparisons.
        by: Shape (M,), code of who judged; of two of them nothing is a repeat. None for one.

    Returns:
        Changed verdicts, and how many there are to compare.

    Source:
        Own arithmetic, beside `order_counts`.
    """
    code = _code(data, data.first, data.second)
    if by is not None and by.size:
        code = code * (int(by.max()) + 1) + by
    order = np.argsort(code, kind="stable")
    code, outcome = code[order], data.outcome[order]
    again = code[1:] == code[:-1]
    return int((outcome[1:] != outcome[:-1])[again].sum()), int(again.sum())


def _code(data: Comparisons, a: IntArray, b: IntArray) -> IntArray:
    """One number for item and two arms."""
    return np.asarray((data.item * data.n_arms + a) * data.n_arms + b, dtype=np.int64)


def _earlier(code: IntArray) -> IntArray:
    """How many rows of the same code stand before each row."""
    order = np.argsort(code, kind="stable")
    ranked = code[order]
    out = np.empty(code.size, dtype=np.int64)
    out[order] = np.arange(code.size) - np.searchsorted(ranked, ranked)
    return out
