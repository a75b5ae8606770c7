"""The fit behind strengths: Davidson's model of wins and ties, by Newton's method."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from judgebench.stats.arrays import TIE, FloatArray, IntArray

_STEPS = 100
_CELLS = 2_000_000
"""Information held at once."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Fit:
    """A multinomial logit of M comparisons with P coefficients."""

    beta: FloatArray
    scores: FloatArray
    """Shape (M, P), weighted."""
    information: FloatArray
    shares: FloatArray
    """Shape (M, C), probability of each outcome times the weight of the comparison."""
    apart: FloatArray
    """Shape (M, C, P), utilities of each outcome about their mean."""

    def by_unit(self, places: IntArray) -> Iterator[FloatArray]:
        """Information of some units at a time, shapes (·, P, P).

        Args:
            places: Shape (M,), the unit of each comparison, from 0 without gaps.
        """
        order = np.argsort(places, kind="stable")
        ends = np.cumsum(np.bincount(places))
        rows, start, unit = max(1, _CELLS // self.beta.size**2), 0, 0
        while start < order.size:
            last = max(unit + 1, int(np.searchsorted(ends, start + rows, side="right")))
            stop = int(ends[last - 1])
            at = order[start:stop]
            each = np.einsum("rc,rcp,rcq->rpq", self.shares[at], self.apart[at], self.apart[at])
            begun = np.concatenate([[0], ends[unit : last - 1] - start])
            yield np.add.reduceat(each, begun, axis=0)
            start, unit = stop, last


def design(
    one: IntArray,
    other: IntArray,
    outcome: FloatArray,
    n_arms: int,
    reference: int,
    covariates: FloatArray,
    *,
    order: bool,
) -> tuple[FloatArray, bool]:
    """Utilities of each outcome, shape (M, 3, P): first wins, second wins and, where any, a tie.

    Args:
        one: Shape (M,), arm seen first.
        other: Shape (M,), arm seen second.
        outcome: Shape (M,), as in `pairwise.Comparisons`.
        n_arms: A.
        reference: Arm with strength 0.
        covariates: Shape (M, C), first minus second.
        order: With a term for the first place.

    Returns:
        Also whether anything tied.
    """
    ties = bool(np.any(outcome == 0.5))  # noqa: PLR2004 - the code of a tie
    m, a, c = one.size, n_arms, covariates.shape[1]
    arms = np.delete(np.eye(a), reference, axis=1)
    first, second = arms[one], arms[other]
    x = np.zeros((m, 3 if ties else 2, a - 1 + order + c + ties))
    x[:, 0, : a - 1], x[:, 1, : a - 1] = first, second
    x[:, 0, a - 1 + order : a - 1 + order + c] = covariates
    if order:
        x[:, 0, a - 1] = 1
    if ties:
        x[:, 2, : a - 1] = (first + second) / 2
        x[:, 2, a - 1 + order : a - 1 + order + c] = covariates / 2
        x[:, 2, -1] = 1
    return x, ties


def fit(x: FloatArray, outcome: FloatArray, weights: FloatArray) -> Fit | None:
    """Fit by maximum likelihood.

    Args:
        x: As `design` makes it.
        outcome: Shape (M,), as in `pairwise.Comparisons`.
        weights: Shape (M,), above 0.

    Returns:
        None where it diverges.
    """
    beta = np.zeros(x.shape[2])
    chosen = np.select([outcome == 1, outcome == 0], [0, 1], 2)
    taken = x[np.arange(x.shape[0]), chosen]
    for _ in range(_STEPS):
        u = x @ beta
        p = np.exp(u - u.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        mean = np.einsum("mc,mcp->mp", p, x)
        scores = (taken - mean) * weights[:, None]
        apart = x - mean[:, None, :]
        p *= weights[:, None]
        information = np.einsum("mc,mcp,mcq->pq", p, apart, apart)
        if np.linalg.cond(information) > 1 / TIE**1.3:
            return None
        step = np.linalg.solve(information, scores.sum(axis=0))
        size = float(np.abs(step).max())
        if size < TIE:
            return Fit(beta=beta, scores=scores, information=information, shares=p, apart=apart)
        beta = beta + step * min(1.0, 2.0 / size)
    return None
