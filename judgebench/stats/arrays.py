"""From columns of codes to arrays with the axes arms A, items I, criteria K, repeats R.

NaN is "no mark". It lives inside `stats` and its callers' arrays only.
"""

import numpy as np
from numpy.typing import NDArray

from judgebench.stats.intervals import FloatArray

CodeArray = NDArray[np.integer]


def scatter(values: FloatArray, codes: tuple[CodeArray, ...], shape: tuple[int, ...]) -> FloatArray:
    """Put values at integer places of an array that is NaN elsewhere.

    Args:
        values: Shape (V,).
        codes: One array of shape (V,) an axis, from 0.
        shape: Shape of the result.

    Raises:
        ValueError: a place is named twice, or lies outside the shape.
    """
    flat = np.ravel_multi_index(tuple(np.asarray(c, dtype=np.int64) for c in codes), shape)
    if np.unique(flat).size != flat.size:
        raise ValueError("two values for one place")
    out = np.full(shape, np.nan)
    out.reshape(-1)[flat] = values
    return out


def nan_mean(x: FloatArray, axis: int | tuple[int, ...]) -> FloatArray:
    """Mean over what is known; NaN where nothing is."""
    counts = np.sum(~np.isnan(x), axis=axis)
    sums = np.nansum(x, axis=axis)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean: FloatArray = np.where(counts > 0, sums / counts, np.nan)
    return mean


def nan_counts(x: FloatArray, axis: int | tuple[int, ...]) -> FloatArray:
    """How much is known, as floats."""
    return np.asarray(np.sum(~np.isnan(x), axis=axis), dtype=np.float64)
