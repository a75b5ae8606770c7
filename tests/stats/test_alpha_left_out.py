"""The jackknife of α in closed form is the one that leaves out each item in turn."""

from math import exp, log, sqrt

import numpy as np
import pytest
from scipy.special import stdtrit

from judgebench.model.nouns import Estimate
from judgebench.stats.agreement import Metric, alpha
from judgebench.stats.agreement.patterns import patterns
from judgebench.stats.arrays import FloatArray, IntArray

METRICS: tuple[Metric, ...] = ("nominal", "ordinal", "interval", "ratio")


def marks(units: int, *, raters: int, step: float, gaps: float) -> FloatArray:
    """Marks of 1 to 5 by raters who agree in part; some are missing."""
    rng = np.random.default_rng([units, raters])
    noisy = rng.normal(3, 1, (units, 1)) + rng.normal(0, 0.7, (units, raters))
    found = np.clip(np.rint(noisy / step) * step, 1, 5)
    found[rng.random(found.shape) < gaps] = np.nan
    return np.asarray(found, dtype=np.float64)


def one_by_one(x: FloatArray, items: IntArray, metric: Metric) -> tuple[float, float]:
    """Ends of the interval from α of what is left without each item."""
    usable = np.isfinite(x).sum(axis=1) > 1
    x, items = x[usable], items[usable]
    whole = alpha(x, metric=metric, items=items)
    assert isinstance(whole, Estimate)
    z = []
    for item in np.unique(items):
        left = alpha(x[items != item], metric=metric, items=items[items != item])
        assert isinstance(left, Estimate)
        z.append(-log(1 - left.value))
    n, spread = len(z), np.array(z) - np.mean(z)
    half = float(stdtrit(n - 1, 0.975)) * sqrt((n - 1) / n * float(spread @ spread))
    centre = -log(1 - whole.value)
    return 1 - exp(-(centre - half)), 1 - exp(-(centre + half))


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(
    ("raters", "step", "gaps"), [(3, 1.0, 0.0), (4, 1.0, 0.3), (3, 0.5, 0.2), (2, 1 / 30, 0.0)]
)
@pytest.mark.parametrize("grouping", ["each its own", "in another order", "families", "none named"])
def test_alpha_without_each_item_is_what_leaving_it_out_gives(
    metric: Metric, raters: int, step: float, gaps: float, grouping: str
) -> None:
    """With gaps, fractions, many levels, and items of one or several units in any order."""
    x = marks(60, raters=raters, step=step, gaps=gaps)
    order = np.random.default_rng(5).permutation(60)
    items = {"in another order": order, "families": order % 25}.get(grouping, np.arange(60))
    found = alpha(x, metric=metric, items=None if grouping == "none named" else items)
    assert isinstance(found, Estimate)
    assert (found.low, found.high) == pytest.approx(one_by_one(x, items, metric), abs=1e-9)


def test_patterns_forget_who_gave_which_mark() -> None:
    """Two orders of the same marks are one pattern; units with one mark are none."""
    found = patterns(np.array([[1.0, 2, 2], [2, 1, 2], [np.nan, 3, np.nan], [3, 3, np.nan]]))
    assert found is not None
    assert found.values.tolist() == [1, 2, 3]
    assert sorted(zip(found.held.tolist(), found.times.tolist(), strict=True)) == [
        ([0, 0, 2], 1),
        ([1, 2, 0], 2),
    ]


@pytest.mark.parametrize("levels", [9, 300])
def test_many_raters_or_levels_take_the_way_without_a_table(levels: int) -> None:
    """Keys beyond the table are sorted, levels beyond the patterns are taken one by one."""
    rng = np.random.default_rng(levels)
    x = np.asarray(rng.integers(0, levels, (40, 9)), dtype=np.float64)
    assert (patterns(x) is None) == (levels > 64)
    found, items = alpha(x, metric="ordinal"), alpha(x, metric="ordinal", items=np.arange(40))
    assert isinstance(found, Estimate)
    assert isinstance(items, Estimate)
    assert found.value == pytest.approx(items.value, abs=1e-12)
    assert (found.low, found.high) == pytest.approx((items.low, items.high), abs=1e-9)
