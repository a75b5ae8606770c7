"""Clusters above items: sums of a cluster, and what they say of the variance of a mean.

An item's value may hang together with those of its cluster (one document, one family of
prompts), so that clusters are the independent units and not items. All functions take
many rows at once, a row one mean.
"""

from dataclasses import dataclass

import numpy as np

from judgebench.stats.arrays import BoolArray, FloatArray, IntArray

_CLOSE = 1e-9


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Summed:
    """Rows of values, summed over each cluster.

    Args:
        sums: Shape (P, G), sum over the items that a row has.
        sizes: Shape (P, G), how many these are; 0 where a row has none.
    """

    sums: FloatArray
    sizes: FloatArray

    @property
    def n(self) -> FloatArray:
        """Shape (P,), items."""
        return np.asarray(self.sizes.sum(axis=1), dtype=np.float64)

    @property
    def units(self) -> IntArray:
        """Shape (P,), clusters with an item."""
        return np.asarray((self.sizes > 0).sum(axis=1), dtype=np.int64)

    @property
    def weights(self) -> FloatArray:
        """Shape (P, G), 1 ÷ (1 − m/N): CR2's adjustment of a cluster's square; 1 where m = N."""
        rest = 1 - self.sizes / np.maximum(self.n, 1)[:, None]
        return np.asarray(1 / np.where(rest > 0, rest, 1.0), dtype=np.float64)

    @property
    def alike(self) -> FloatArray:
        """Shape (P,), Σm² ÷ N: by how much a noise that a whole cluster shares outweighs one."""
        return np.asarray((self.sizes**2).sum(axis=1) / np.maximum(self.n, 1), dtype=np.float64)

    @property
    def apart(self) -> FloatArray:
        """Shape (P, G), what each cluster's sum lies from the sum that the mean foretells."""
        mean = self.sums.sum(axis=1) / np.maximum(self.n, 1)
        away = self.sums - self.sizes * mean[:, None]
        # Sums of tenths leave 1e-16 where all values are equal.
        flat = np.abs(away) <= _CLOSE * (self.sizes + np.abs(self.sums))
        return np.asarray(np.where(flat.all(axis=1)[:, None], 0.0, away), dtype=np.float64)


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Groups:
    """Items in the order of their clusters.

    Args:
        order: Shape (I,), items, those of a cluster side by side.
        starts: Shape (G,), where each cluster begins.
    """

    order: IntArray
    starts: IntArray

    def summed(self, values: FloatArray, there: BoolArray) -> Summed:
        """Rows summed over clusters.

        Args:
            values: Shape (P, I), finite; 0 where a row lacks the item.
            there: Shape (P, I), the items that a row has.
        """
        one, two = (
            np.add.reduceat(x[:, self.order].astype(np.float64), self.starts, axis=1)
            for x in (values, there)
        )
        return Summed(sums=one, sizes=two)


def groups(clusters: IntArray) -> Groups:
    """Sort items by their clusters.

    Args:
        clusters: Shape (I,), integer codes, at least one item.
    """
    order = np.argsort(clusters, kind="stable")
    starts = np.flatnonzero(np.diff(clusters[order], prepend=clusters[order[0]] - 1))
    return Groups(order=order, starts=starts)


def cr2_variance(found: Summed) -> FloatArray:
    """Variance of the mean of each row, bias-reduced (CR2).

    Returns:
        Shape (P,), ≥ 0; of a single cluster 0, for it says nothing of others.

    Source:
        Bell & McCaffrey (2002). For a mean the adjustment of a cluster of m items is
        (1 − m/N)^(−1/2) on its sum.
    """
    squares = (found.weights * found.apart**2).sum(axis=1) / np.maximum(found.n, 1) ** 2
    return np.asarray(np.where(found.units > 1, squares, 0.0), dtype=np.float64)


def satterthwaite(found: Summed) -> FloatArray:
    """Degrees of freedom of that variance where items are equally noisy.

    Returns:
        Shape (P,); G − 1 for clusters of equal size, less for others, 0 for one cluster.

    Source:
        Pustejovsky & Tipton (2018), working independence: the variance is Σ g² with g
        linear in the data, whose covariance is c c' (m δ − m m'/N), c = (1 − m/N)^(−1/2).
    """
    n = np.maximum(found.n, 1)
    squares = found.sizes**2
    q = found.weights * squares
    cross = (q.sum(axis=1) ** 2 - (q**2).sum(axis=1)) / n**2
    df = n**2 / np.maximum(squares.sum(axis=1) + cross, 1)
    return np.asarray(np.where(found.units > 1, df, 0.0), dtype=np.float64)
