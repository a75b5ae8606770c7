"""α and its interval beside the definition: of every two marks, without each item in turn."""

from math import exp, log, sqrt

import numpy as np
import pytest
from scipy.special import stdtrit

from judgebench.model.nouns import Estimate
from judgebench.stats.agreement import Metric, alpha
from judgebench.stats.agreement.rows import given, rows
from judgebench.stats.agreement.spans import Order, Table
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray

METRICS: tuple[Metric, ...] = ("nominal", "ordinal", "interval", "ratio")


def squares(x: FloatArray, metric: Metric) -> FloatArray:
    """δ² of every two marks, by the definition."""
    low, high = np.minimum(x[:, None], x), np.maximum(x[:, None], x)
    if metric == "nominal":
        return np.asarray(low != high, dtype=np.float64)
    if metric == "interval":
        return np.asarray((high - low) ** 2, dtype=np.float64)
    if metric == "ratio":
        sums = np.where(low + high > 0, low + high, 1)
        return np.asarray(((high - low) / sums) ** 2, dtype=np.float64)
    # All marks from the one to the other, less half of those on either.
    at_most = (x[None, :] <= x[:, None]).sum(axis=1)
    equal = (x[None, :] == x[:, None]).sum(axis=1)
    middle = at_most - equal / 2
    return np.asarray((middle[:, None] - middle) ** 2, dtype=np.float64)


def by_pairs(x: FloatArray, unit: IntArray, metric: Metric) -> float:
    """α of marks in a row, two or more of each unit."""
    delta, m = squares(x, metric), np.bincount(unit)[unit]
    same: BoolArray = unit[:, None] == unit
    observed = float((delta * same / (m[:, None] - 1)).sum()) / x.size
    return 1 - observed / (float(delta.sum()) / (x.size * (x.size - 1)))


def by_definition(x: FloatArray, items: IntArray, metric: Metric) -> tuple[float, float, float]:
    """α, and the ends of its jackknife interval over items."""
    paired = np.isfinite(x).sum(axis=1) > 1
    x, items = x[paired], items[paired]
    there = np.isfinite(x)
    unit, marks = np.nonzero(there)[0], x[there]
    whole, z = by_pairs(marks, unit, metric), []
    for item in np.unique(items):
        left = items[unit] != item
        z.append(-log(1 - by_pairs(marks[left], unit[left], metric)))
    n, spread = len(z), np.array(z) - np.mean(z)
    half = float(stdtrit(n - 1, 0.975)) * sqrt((n - 1) / n * float(spread @ spread))
    centre = -log(1 - whole)
    return whole, 1 - exp(-(centre - half)), 1 - exp(-(centre + half))


def marks(units: int, raters: int, *, step: float, gaps: float) -> FloatArray:
    """Marks of 0 to 100 on so wide a step, 0 for none, by raters who agree in part."""
    rng = np.random.default_rng([units, raters])
    x = rng.normal(50, 20, (units, 1)) + rng.normal(0, 15, (units, raters))
    x = np.clip(np.rint(x / step) * step if step else x, 0, 100)
    x[rng.random(x.shape) < gaps] = np.nan
    return np.asarray(x, dtype=np.float64)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("items", ["each its own", "families", "one large"])
@pytest.mark.parametrize(
    ("units", "raters", "step", "gaps"),
    [
        pytest.param(60, 3, 1.0, 0.0, id="0-100"),
        pytest.param(60, 5, 1.0, 0.3, id="0-100-gaps"),
        pytest.param(50, 3, 10.0, 0.2, id="ties"),
        pytest.param(50, 4, 2.5, 0.2, id="fractions"),
        pytest.param(110, 3, 0.0, 0.0, id="continuous"),
        pytest.param(110, 4, 0.0, 0.3, id="continuous-gaps"),
        pytest.param(24, 14, 1.0, 0.3, id="fourteen-raters"),
    ],
)
def test_alpha_and_its_interval_are_those_of_the_definition(
    units: int, raters: int, step: float, gaps: float, items: str, metric: Metric
) -> None:
    """Of every two marks, without each item: levels few or many, gaps, ties, large items."""
    x = marks(units, raters, step=step, gaps=gaps)
    codes = {
        "families": np.random.default_rng(3).permutation(units) % 22,
        "one large": np.maximum(np.arange(units) - units // 8, 0),
    }.get(items, np.arange(units))
    found = alpha(x, metric=metric, items=None if items == "each its own" else codes)
    assert isinstance(found, Estimate)
    expected = by_definition(x, codes, metric)
    assert (found.value, found.low, found.high) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("step", [5.0, 0.0])
def test_spans_in_order_weigh_what_they_do_in_a_table(step: float) -> None:
    """Each two levels, and what is none, whether marks are often equal or never."""
    read = given(marks(40, 4, step=step, gaps=0.3))
    assert read is not None
    found = rows(read)
    ranks = np.append(np.arange(found.values.size) ** 1.5, 0.0)
    table, order = Table(found, ranks), Order(found, ranks)
    assert order.twice == pytest.approx(table.twice, abs=1e-9)
    assert order.pull == pytest.approx(table.pull, abs=1e-9)
    assert np.abs(order.pull).max() > 0
    lower, upper = np.triu_indices(found.values.size + 1)
    assert order.both(lower, upper) == pytest.approx(table.both(lower, upper), abs=1e-9)
    assert table.both(lower, upper).max() > 0


def test_alpha_of_thousands_of_different_marks_needs_no_pairs_of_levels() -> None:
    """12,000 levels in items of four units: a table of their pairs would fill 1 GB."""
    rng = np.random.default_rng(8)
    x = np.asarray(rng.normal(0, 2, (4_000, 1)) + rng.normal(0, 1, (4_000, 3)), dtype=np.float64)
    found = alpha(x, metric="ordinal", items=np.arange(4_000) // 4)
    ranks = np.argsort(np.argsort(x, axis=None)).reshape(x.shape).astype(np.float64)
    expected = alpha(ranks, metric="interval")
    assert isinstance(found, Estimate)
    assert isinstance(expected, Estimate)
    assert found.value == pytest.approx(expected.value, abs=1e-12)
    assert found.low is not None
    assert found.low < found.value


def test_levels_are_found_where_they_span_as_many_points_as_they_are() -> None:
    """1, 1.5 and 3 are three levels over two points, yet no whole numbers in a row."""
    x = np.random.default_rng(4).choice([1.0, 1.5, 3.0], (30, 3))
    found = alpha(x, metric="ordinal", items=np.arange(30))
    assert isinstance(found, Estimate)
    expected = by_definition(x, np.arange(30), "ordinal")
    assert (found.value, found.low, found.high) == pytest.approx(expected, abs=1e-9)


def test_alpha_of_many_levels_on_a_ratio_scale_needs_marks_from_nothing_upward() -> None:
    """As that of few."""
    x = np.random.default_rng(9).normal(0, 1, (30, 3))
    with pytest.raises(ValueError, match="from 0"):
        alpha(x, metric="ratio")
