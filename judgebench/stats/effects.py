"""Slopes beside arm and item effects, with errors clustered by item (CR2).

Item effects are taken out by centring within items, so that ten thousand items
cost no ten thousand columns; arm effects stay as columns.
"""

import numpy as np

from judgebench.model.nouns import Estimate
from judgebench.records import dataclass
from judgebench.stats.arrays import TIE, BoolArray, FloatArray, IntArray
from judgebench.stats.intervals import t_quantile
from judgebench.stats.special import stdtr


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Rows:
    """Marks with what may have moved them, one row of the grid an item.

    Args:
        y: Shape (I, M), scale points, NaN where there is nothing.
        x: Shape (P, I, M), one plane a regressor.
        arm: Shape (I, M), integer codes from 0.

    Raises:
        ValueError: Shapes differ.
    """

    y: FloatArray
    x: FloatArray
    arm: IntArray

    def __post_init__(self) -> None:
        """Check once what every function relies on."""
        if self.y.ndim != 2 or self.x.shape[1:] != self.y.shape or self.arm.shape != self.y.shape:  # noqa: PLR2004 - two axes
            raise ValueError("y and arm must have shape (I, M), x (P, I, M)")

    @property
    def there(self) -> BoolArray:
        """Shape (I, M): rows with a mark and every regressor, in items with two of them."""
        full = np.isfinite(self.y) & np.isfinite(self.x).all(axis=0)
        return np.asarray(full & (full.sum(axis=1) > 1)[:, None], dtype=bool)


@dataclass(frozen=True, kw_only=True, slots=True)
class Slope:
    """Slope of one regressor, with the standard error that its interval was made of."""

    effect: Estimate
    se: float


def regressor_spread(rows: Rows) -> FloatArray:
    """What is left of each regressor beside arm and item effects.

    Near 0 the regressor is only another name for the arm, and has no slope of its own.

    Args:
        rows: The rows of items.

    Returns:
        Shape (P,), its standard deviation in its own unit; 0 where nothing is there.
    """
    there = rows.there
    if not there.any():
        return np.zeros(rows.x.shape[0])
    arms = _centred(_arm_columns(rows, there), there)[there]
    out = np.zeros(rows.x.shape[0])
    for at, plane in enumerate(rows.x):
        values = _centred(plane[..., None], there)[there][:, 0]
        left = values - arms @ np.linalg.lstsq(arms, values, rcond=None)[0]
        out[at] = float(np.sqrt(np.mean(left**2)))
    return out


def slopes(rows: Rows, *, level: float = 0.95) -> tuple[Slope, ...] | None:
    """Slope of every regressor beside arm and item effects.

    Args:
        rows: The marks.
        level: Confidence.

    Returns:
        One `Slope` a regressor, points for one unit of it, ``kind`` "CR2" with
        Satterthwaite degrees of freedom, two-sided ``p``, ``n`` items. None where
        the data do not determine the slopes or leave no error to judge them by.

    Source:
        Bell & McCaffrey (2002); Pustejovsky & Tipton (2018) on absorbed effects and on
        the degrees of freedom.
    """
    there = rows.there
    used = there.any(axis=1)
    n = int(used.sum())
    if n < 2:  # noqa: PLR2004 - clusters
        return None
    there = there[used]
    cut = Rows(y=rows.y[used], x=rows.x[:, used], arm=rows.arm[used])
    y = _centred(cut.y[..., None], there)
    z = _centred(
        np.concatenate([np.moveaxis(cut.x, 0, 2), _arm_columns(cut, there)], axis=2), there
    )
    gram = np.einsum("imk,iml->kl", z, z)
    p = rows.x.shape[0]
    if np.linalg.matrix_rank(gram, tol=TIE * max(1.0, float(np.abs(gram).max()))) < len(gram):
        return None
    bread = np.linalg.inv(gram)
    beta = bread @ np.einsum("imk,im->k", z, y[..., 0])
    left = y[..., 0] - z @ beta
    turn = _adjustments(z, bread)
    # Row i is what item i adds to each coefficient; `parts` is how it weighs each mark.
    parts = np.einsum("imn,ink,kp->imp", turn, z, bread[:, :p])
    added = np.einsum("imp,im->ip", parts, left)
    variance = (added**2).sum(axis=0)
    if np.any(variance <= TIE**2 * (1 + beta[:p] ** 2)):
        return None
    df = _satterthwaite(z, bread, parts)
    return tuple(
        _slope(b, v**0.5, n, float(d), level)
        for b, v, d in zip(beta[:p], variance, df, strict=True)
    )


def _slope(value: float, se: float, n: int, df: float, level: float) -> Slope:
    half = t_quantile((1 + level) / 2, df) * se
    effect = Estimate(
        value=float(value),
        n=n,
        low=float(value - half),
        high=float(value + half),
        level=level,
        kind="CR2",
        p=float(min(1.0, 2 * stdtr(df, -abs(value) / se))),
    )
    return Slope(effect=effect, se=float(se))


def _satterthwaite(z: FloatArray, bread: FloatArray, parts: FloatArray) -> FloatArray:
    """Degrees of freedom of each CR2 variance where all marks are equally noisy, shape (P,).

    The variance is Σ g_i² with g_i linear in the marks; their covariance is
    B_ij = s_i δ_ij − u_i' M u_j, and the degrees are tr(B)² / tr(B²).
    """
    s = np.einsum("imp,imp->ip", parts, parts)
    u = np.einsum("imk,imp->ipk", z, parts)
    own = np.einsum("ipk,kl,ipl->ip", u, bread, u)
    moments = np.einsum("kl,ipl,ipm->pkm", bread, u, u)
    square = (s**2 - 2 * s * own).sum(axis=0) + np.einsum("pkl,plk->p", moments, moments)
    return np.asarray((s - own).sum(axis=0) ** 2 / square, dtype=np.float64)


def _arm_columns(rows: Rows, there: BoolArray) -> FloatArray:
    """Shape (I, M, A−1): which arm, the first of those present left out."""
    present = np.unique(rows.arm[there])
    return np.asarray(rows.arm[..., None] == present[1:], dtype=np.float64)


def _centred(values: FloatArray, there: BoolArray) -> FloatArray:
    """Values less their item's mean; 0 where there is nothing."""
    kept = np.where(there[..., None], np.nan_to_num(values), 0.0)
    means = kept.sum(axis=1, keepdims=True) / np.maximum(1, there.sum(axis=1))[:, None, None]
    return np.where(there[..., None], kept - means, 0.0)


def _adjustments(z: FloatArray, bread: FloatArray) -> FloatArray:
    """(I − H)^(−1/2) of each item, shape (I, M, M); directions without error are left out."""
    hat = np.einsum("imk,kl,inl->imn", z, bread, z)
    values, vectors = np.linalg.eigh(np.eye(hat.shape[1]) - hat)
    scale = np.where(values > TIE, 1 / np.sqrt(np.maximum(values, TIE)), 0.0)
    return np.asarray(np.einsum("imk,ik,ink->imn", vectors, scale, vectors), dtype=np.float64)
