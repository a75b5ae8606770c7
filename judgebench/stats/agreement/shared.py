"""What the figures of agreement have in common."""

from functools import cache

import numpy as np

from judgebench.model.nouns import Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.stats.arrays import BoolArray, FloatArray, settled
from judgebench.stats.levels import LEAST_ITEMS


def no_variation(statistic: str) -> Refusal:
    """Refuse where all marks are equal: that is no agreement, it is no evidence."""
    return Refusal(statistic=statistic, code=RefusalCode.NO_VARIATION.value, have=1, need=2)


def without_interval(items: int) -> str:
    """Code of why α of so many items has no interval: too few, perfect, or of a single item."""
    few = items < LEAST_ITEMS["alpha_interval"]
    return (RefusalCode.TOO_FEW_ITEMS if few else RefusalCode.ZERO_SPREAD).value


@cache
def ones(size: int) -> FloatArray:
    """As many ones, the same each time; a product with them adds counts exactly, and soonest."""
    found = np.ones(size)
    found.flags.writeable = False
    return found


def over_raters(values: FloatArray | BoolArray) -> FloatArray:
    """Sums along the first axis; a product with ones may wait for other processors."""
    return np.asarray(np.add.reduce(values, axis=0, dtype=np.float64), dtype=np.float64)


def whole(values: FloatArray) -> bool:
    """Whether every value is a whole number; what is missing is none."""
    return int(np.count_nonzero(np.rint(values) == values)) == values.size


def pairable(marks: FloatArray) -> FloatArray:
    """Units with two marks or more, on a lattice of 1e-9.

    Args:
        marks: Shape (U, J), scale points; NaN or infinite counts as no mark.

    Returns:
        Shape (U', J), NaN where there is no mark.

    Raises:
        ValueError: `marks` is not two-dimensional.
    """
    if marks.ndim != 2:  # noqa: PLR2004 - two axes
        raise ValueError(f"marks must have shape (U, J), got {marks.shape}")
    clean = settled(np.where(np.isfinite(marks), marks, np.nan))
    return np.asarray(clean[np.isfinite(clean).sum(axis=1) > 1], dtype=np.float64)
