"""Errors of fitted strengths by item, and of how many items each is.

A sandwich sums squares of what items tell. Where one item alone tells two arms apart its own
part is nothing at the fit, so the square says "certain" of what is a guess; so each difference
is given as many items as share its information, and none that one item carries has an error.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np

from judgebench.model.nouns import Estimate
from judgebench.model.reasons import RefusalCode
from judgebench.stats.arrays import TIE, FloatArray
from judgebench.stats.intervals import t_quantile

LEAST_CARRIED = 3
"""Items that a strength rests on, below which it has no error: as a paired difference."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Sandwich:
    """Errors of coefficients, clustered by item.

    Args:
        cover: Shape (P, P), covariances, times n ÷ (n − 1).
        carried: Shape (P, P), items that share the information on the difference of two
            coefficients, from 1 to n; of a coefficient itself on the diagonal.
        n: Items.
    """

    cover: FloatArray
    carried: FloatArray
    n: int

    def with_reference(self, k: int, reference: int) -> "Sandwich":
        """Of the first k coefficients and one more, which is 0 and stands at `reference`."""
        cover, carried = self.cover[:k, :k], self.carried[:k, :k]
        own = np.insert(np.diag(carried), reference, 1.0)
        for axis in (0, 1):
            cover = np.insert(cover, reference, 0.0, axis=axis)
            carried = np.insert(carried, reference, 0.0, axis=axis)
        # Beside what is 0 a difference is the coefficient itself.
        carried[reference], carried[:, reference] = own, own
        return Sandwich(cover=cover, carried=carried, n=self.n)

    def error(self, a: int, b: int | None = None) -> tuple[float, float] | None:
        """Standard error and degrees of freedom of a coefficient, or of the difference of two.

        Returns:
            None where fewer than `LEAST_CARRIED` items carry it; an error of 0 where all
            items tell the same.
        """
        items = float(self.carried[a, a if b is None else b])
        if items < LEAST_CARRIED - TIE:
            return None
        variance = float(self.cover[a, a])
        if b is not None:
            variance += float(self.cover[b, b] - 2 * self.cover[a, b])
        # The sandwich has n ÷ (n − 1), which is of n items that carry alike.
        variance *= items / (items - 1) * (self.n - 1) / self.n
        return (sqrt(variance) if variance > TIE else 0.0), items - 1

    def estimate(self, value: float, a: int, *, level: float) -> Estimate | None:
        """A coefficient with Student's t; without an interval where too few items carry it.

        Returns:
            None where no item moves it.
        """
        known = self.error(a)
        if known is None:
            few = RefusalCode.TOO_FEW_ITEMS.value
            return Estimate(value=value, n=self.n, no_interval=few)
        se, df = known
        if not se:
            return None
        half = t_quantile((1 + level) / 2, df) * se
        return Estimate(
            value=value, n=self.n, low=value - half, high=value + half, level=level,
            kind="sandwich",
        )  # fmt: skip


def sandwich(sums: FloatArray, information: FloatArray, parts: Iterator[FloatArray]) -> Sandwich:
    """Errors of the coefficients of a fit.

    Args:
        sums: Shape (n, P), score of each item at the fit.
        information: Shape (P, P), of all items.
        parts: Information of some items at a time, shapes (·, P, P), n in all.

    Returns:
        As `Sandwich`. The items that carry a difference are (Σv)² ÷ Σv², v being the part of
        each in the variance that the model gives it: n where all carry alike.

    Source:
        Liang & Zeger (1986); the degrees of freedom are Satterthwaite's (1946) for parts v.
    """
    inverse = np.linalg.inv(information)
    n, p = sums.shape
    total, squares = np.zeros((p, p)), np.zeros((p, p))
    for some in parts:
        each = inverse @ some @ inverse
        own = np.diagonal(each, axis1=1, axis2=2)
        apart = own[:, :, None] + own[:, None, :] - 2 * each
        apart[:, np.arange(p), np.arange(p)] = own
        total += apart.sum(axis=0)
        squares += (apart * apart).sum(axis=0)
    carried = total * total / np.maximum(squares, np.finfo(np.float64).tiny)
    return Sandwich(
        cover=inverse @ (sums.T @ sums) @ inverse * n / (n - 1),
        carried=np.clip(carried, 0.0, n),
        n=n,
    )
