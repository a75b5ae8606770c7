"""κ of two raters, and of raters who change from unit to unit."""

from functools import cache, lru_cache
from math import sqrt
from typing import Literal

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.stats.agreement.shared import no_variation, ones, whole
from judgebench.stats.arrays import TIE, FloatArray, IntArray
from judgebench.stats.levels import too_few_items
from judgebench.stats.special import ndtri

Weights = Literal["none", "linear", "quadratic"]

_Z = float(ndtri(0.975))


def quadratic_kappa(a: FloatArray, b: FloatArray) -> Estimate | Refusal:
    """Quadratic-weighted κ of two raters, which is Lin's concordance coefficient.

    Fractional marks need no bins, and the full scale is used by construction.

    Args:
        a: Shape (U,), scale points; NaN where the rater gave none.
        b: Shape (U,).

    Returns:
        κ in [−1, 1] over shared units. `Refusal` with ``too_few_items`` below
        five, ``no_variation`` where neither rater varies.

    Raises:
        ValueError: Shapes differ.

    Source:
        Cohen (1968); Lin (1989).
    """
    x, y = _both(a, b)
    refused = too_few_items("quadratic_kappa", x.size)
    if refused is not None:
        return refused
    if np.ptp(x) <= TIE and np.ptp(y) <= TIE:
        return no_variation("quadratic_kappa")
    spread = x.var() + y.var() + (x.mean() - y.mean()) ** 2
    return Estimate(value=float(1 - np.mean((x - y) ** 2) / spread), n=int(x.size))


def _both(a: FloatArray, b: FloatArray) -> FloatArray:
    """Marks of the units that both raters marked, shape (2, U)."""
    marks = _together(a, b)
    return marks[:, np.isfinite(marks).all(axis=0)]


def _together(a: FloatArray, b: FloatArray) -> FloatArray:
    if a.ndim != 1 or a.shape != b.shape:
        raise ValueError("both raters must have one shape (U,)")
    return np.array((a, b), dtype=np.float64)


def cohen_kappa(
    a: FloatArray, b: FloatArray, *, categories: FloatArray, weights: Weights = "none"
) -> Estimate | Refusal:
    """Cohen's κ of two raters over the full scale, with its large-sample interval.

    Args:
        a: Shape (U,), NaN where the rater gave none.
        b: Shape (U,).
        categories: All C marks that the scale allows, ascending; a level that
            nobody used still counts in the weights.
        weights: ``none``, ``linear`` or ``quadratic`` in the places of the categories.

    Returns:
        κ in [−1, 1], ``kind`` "normal". `Refusal` with ``too_few_items`` below
        five shared units, ``no_variation`` where both use one and the same category.

    Raises:
        ValueError: Shapes differ, or a mark is no category.

    Source:
        Cohen (1960, 1968); Fleiss, Cohen, Everitt (1969).
    """
    x, c = _together(a, b), categories.size
    places = _whole_places(categories, x)
    if places is None:
        x = x[:, np.isfinite(x).all(axis=0)]
    n = x.shape[1]
    refused = too_few_items("cohen_kappa", n)
    if refused is not None:
        return refused
    if places is None:
        places = _places(categories, x)
    if c * c > n:
        return _kappa_of_units(places.astype(np.int64), c, weights)
    pairs = np.array((c, 1.0)).dot(places).astype(np.int64)
    return _kappa(np.bincount(pairs, minlength=c * c).reshape(c, c) / n, weights, n)


def _whole_places(categories: FloatArray, x: FloatArray) -> FloatArray | None:
    """Which category each mark is, without a search; None where one is none to the last digit."""
    c = categories.size
    lowest = _lowest(np.asarray(categories, dtype=np.float64).tobytes())
    if not x.size or lowest is None:
        return None
    places = x - lowest
    # What is missing compares with nothing.
    on_scale = places.min() >= 0 and places.max() <= c - 1
    return places if on_scale and whole(places) else None


@lru_cache(maxsize=16)
def _lowest(categories: bytes) -> float | None:
    """The first of categories that are one apart; None where they are not."""
    levels = np.frombuffer(categories).tolist()
    one_apart = bool(levels) and levels == [levels[0] + place for place in range(len(levels))]
    return levels[0] if one_apart else None


def _places(categories: FloatArray, x: FloatArray) -> FloatArray:
    """Which category each mark is.

    Raises:
        ValueError: A mark is none.
    """
    c = categories.size
    place = np.searchsorted(categories, x - TIE)
    if np.any(place >= c) or np.any(np.abs(categories[np.minimum(place, c - 1)] - x) > TIE):
        raise ValueError("a mark is no category")
    return np.asarray(place, dtype=np.float64)


def _kappa(p: FloatArray, weights: Weights, n: int) -> Estimate | Refusal:
    w, each = _weights(p.shape[0], weights), ones(p.shape[0])
    # On tables as small as these `dot` takes half of the time of `@`.
    rows, columns = p.dot(each), each.dot(p)
    toward = w.dot(columns)
    observed, expected = float(np.vdot(w, p)), float(rows.dot(toward))
    if expected >= 1 - TIE:
        return no_variation("cohen_kappa")
    kappa = (observed - expected) / (1 - expected)
    apart = w - (toward[:, None] + rows.dot(w)) * (1 - kappa)
    return _with_interval(kappa, expected, float(np.vdot(p, apart * apart)), n)


def _kappa_of_units(places: IntArray, c: int, weights: Weights) -> Estimate | Refusal:
    """The same without a table of all pairs of categories, of which most would be empty."""
    w, n = _weights(c, weights), places.shape[1]
    rows, columns = (np.bincount(of, minlength=c) / n for of in places)
    # Each two are alike in both directions.
    toward, back = (
        (rows, columns)
        if weights == "none"
        else np.einsum("ij,kj->ki", w, np.stack((rows, columns)))
    )
    expected = float((columns * toward).sum())
    if expected >= 1 - TIE:
        return no_variation("cohen_kappa")
    alike = (
        (places[0] == places[1]).astype(np.float64)
        if weights == "none"
        else w[places[0], places[1]]
    )
    kappa = (float(alike.mean()) - expected) / (1 - expected)
    apart = alike - (back[places[0]] + toward[places[1]]) * (1 - kappa)
    return _with_interval(kappa, expected, float((apart * apart).mean()), n)


def _with_interval(kappa: float, expected: float, square: float, n: int) -> Estimate:
    variance = square - (kappa - expected * (1 - kappa)) ** 2
    se = sqrt(max(variance, 0.0) / n) / (1 - expected)
    if se <= TIE:
        return Estimate(value=kappa, n=n, no_interval=RefusalCode.ZERO_SPREAD.value)
    half = _Z * se
    low, high = max(-1.0, kappa - half), min(1.0, kappa + half)
    return Estimate(value=kappa, n=n, low=low, high=high, kind="normal")


@cache
def _weights(c: int, weights: Weights) -> FloatArray:
    """Agreement of each two of `c` categories, from 0 to 1."""
    if weights == "none":
        return np.eye(c)
    apart = np.abs(np.arange(c)[:, None] - np.arange(c)[None, :]) / max(c - 1, 1)
    return np.asarray(1 - (apart if weights == "linear" else apart**2), dtype=np.float64)


def fleiss_kappa(counts: FloatArray) -> Estimate | Refusal:
    """Fleiss' κ of several raters who need not be the same persons in each unit.

    Args:
        counts: Shape (U, C), raters who chose each of C categories; every unit
            has the same number of raters, at least two.

    Returns:
        κ ≤ 1. `Refusal` with ``too_few_items`` below five units, ``no_variation``
        where one category was chosen throughout.

    Raises:
        ValueError: Units with other numbers of raters.

    Source:
        Fleiss (1971).
    """
    m = counts.sum(axis=1)
    if counts.ndim != 2 or not m.size or m.min() < 2 or m.min() != m.max():  # noqa: PLR2004
        raise ValueError("every unit must have the same number of raters, at least two")
    refused = too_few_items("fleiss_kappa", m.size)
    if refused is not None:
        return refused
    shares = counts.sum(axis=0) / counts.sum()
    expected = float((shares**2).sum())
    if expected >= 1 - TIE:
        return no_variation("fleiss_kappa")
    r = float(m[0])
    observed = float(np.mean(((counts**2).sum(axis=1) - r) / (r * (r - 1))))
    return Estimate(value=(observed - expected) / (1 - expected), n=int(m.size))
