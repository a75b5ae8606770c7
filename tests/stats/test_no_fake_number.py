"""Degenerate runs through every figure of the default report: no number that is none."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np
import pytest

from judgebench.model import Estimate, Refusal, RefusalCode
from judgebench.stats import (
    agreement,
    checks,
    components,
    icc,
    intervals,
    ordering,
    pairs,
    planning,
    ranks,
    repeatability,
    sensitivity,
)
from judgebench.stats.arrays import FloatArray, cells, counts, lattice_step

CODES = {code.value for code in RefusalCode}
DOCS = Path(__file__).parents[2] / "docs" / "statistics.md"


def degenerate(rng: np.random.Generator) -> FloatArray:
    """Totals (A, I, J, R) of one kind of bad luck: few, constant, blocked, tenths, strangers."""
    shape = tuple(int(v) for v in rng.integers([1, 1, 1, 1], [6, 9, 4, 4]))
    levels = [[8.0], [0.1 + 0.2, 0.3], [1.0, 10.0], [6.7, 7.1, 8.2, 9.4]][rng.integers(4)]
    totals = rng.choice(levels, shape)
    totals[rng.random(shape) < rng.choice([0, 0.2, 0.7, 1.0])] = np.nan
    if rng.random() < 0.2:
        arms, items = np.indices(shape[:2])
        totals[(arms + items) % 2 == 0] = np.nan
    return np.asarray(totals, dtype=np.float64)


def figures(totals: FloatArray, rng: np.random.Generator) -> Iterator[object]:
    """All figures that a default or extended report takes from totals."""
    x, r = cells(totals), counts(totals)
    step = lattice_step(totals, scale_step=0.1)
    table = pairs.all_pairs(x, r, step=step, rng=rng)
    best = ranks.possible_best(x, r, step=step)
    units = totals[:, :, :, 0].reshape(-1, totals.shape[2])
    yield table
    yield best
    yield ranks.rank_intervals(table, n_arms=len(x), best=best)
    yield ranks.table_order(x)
    yield ranks.placement(x, low=0, high=10)
    yield planning.detectable(x, r, step=step)
    for arm in x:
        yield intervals.mean_interval(arm, low=0, high=10, rng=rng)
        yield intervals.median_interval(arm)
        yield ranks.worst_case_bounds(arm, low=0, high=10)
        yield pairs.sign_flip(arm - 5, rng)
        yield sensitivity.leave_one_out(arm, x[0])
        yield agreement.quadratic_kappa(arm, x[0])
        yield agreement.limits_of_agreement(arm, x[0])
    yield checks.modal_share(totals)
    yield checks.length_baseline(x, np.round(x * 7))
    yield repeatability.rescoring_sd(totals, step=step)
    yield repeatability.swap_share(totals)
    yield agreement.alpha(units, metric="ordinal")
    yield agreement.alpha(units, metric="interval")
    yield agreement.alpha(units, metric="nominal")
    yield agreement.closeness(units)
    yield icc.icc(units)
    yield ordering.kendall_w(x)
    yield ordering.tau_within_items(x, x[::-1])
    yield ordering.ordering_accuracy(x, x[::-1])
    yield components.variance_components(totals)
    yield sensitivity.least_squares_means(x)


def parts(found: object) -> Iterator[object]:
    """A figure and everything inside of it."""
    yield found
    if isinstance(found, tuple):
        for one in found:
            yield from parts(one)
    elif is_dataclass(found):
        for field in fields(found):
            yield from parts(getattr(found, field.name))


def check(part: object) -> None:
    """No NaN or infinity, no interval without a width, no code of its own."""
    if isinstance(part, float):
        assert np.isfinite(part)
    if isinstance(part, Refusal):
        assert part.code in CODES
        assert part.have < part.need or part.code != "too_few_items"
    if isinstance(part, Estimate):
        assert (part.low is None) == (part.high is None)
        assert part.p is None or 0 < part.p <= 1
        if part.low is not None and part.high is not None:
            assert part.high - part.low > 1e-9
            assert part.low <= part.value + 1e-9
            assert part.value <= part.high + 1e-9


@pytest.mark.parametrize("seed", range(3))
def test_no_figure_of_a_degenerate_run_is_fake(seed: int) -> None:
    """150 runs a seed: one item, one judge, constant marks, all blocked, strangers."""
    rng = np.random.default_rng(seed)
    refusals = 0
    for _ in range(150):
        for found in figures(degenerate(rng), rng):
            for part in parts(found):
                check(part)
                refusals += isinstance(part, Refusal)
    assert refusals > 750


def test_docs_name_every_refusal_code() -> None:
    """A code in a file must be found in the manual."""
    text = DOCS.read_text(encoding="utf-8")
    assert [code for code in sorted(CODES) if f"`{code}`" not in text] == []
