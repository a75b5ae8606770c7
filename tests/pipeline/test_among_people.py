"""Agreement of people is of the metric that their scale asks for, as everywhere else."""

import numpy as np
import pytest

from judgebench.model.nouns import Estimate, Refusal
from judgebench.pipeline.jury import rater_cells
from judgebench.pipeline.jury.rater_cells import units_of
from judgebench.pipeline.people.among_people import people_agreement
from judgebench.stats import agreement, human, icc
from judgebench.stats.agreement import Metric
from judgebench.stats.arrays import FloatArray


@pytest.mark.parametrize(("span", "metric"), [(9, "ordinal"), (20, "ordinal"), (100, "interval")])
def test_alpha_of_people_is_ordinal_on_a_scale_of_ten_else_interval(
    span: float, metric: Metric
) -> None:
    """Of people among themselves and beside a judge: the α that `judge agree` prints too."""
    rng = np.random.default_rng(int(span))
    truth = rng.beta(0.6, 0.6, (2, 24, 1)) * span
    people = np.clip(np.rint(truth + rng.normal(0, span / 8, (2, 24, 3))), 0, span)
    units, items = units_of(np.moveaxis(people, 2, 0))
    expected = {
        name: agreement.alpha(units, metric=name, items=items) for name in ("ordinal", "interval")
    }
    found = people_agreement(people, identified=True, span=span)
    assert expected["ordinal"] != expected["interval"]
    assert found.alpha == expected[metric]
    held = human.beside(people, people[:, :, 0], span=span)
    assert not isinstance(held, Refusal)
    assert isinstance(held.alpha, Estimate)
    pair = np.stack([people[:, :, 0], people.mean(axis=2)], axis=-1).reshape(-1, 2)
    two = agreement.alpha(pair, metric=metric, items=items)
    assert isinstance(two, Estimate)
    assert held.alpha.value == pytest.approx(two.value, abs=1e-12)


def gappy() -> FloatArray:
    """Marks of three people, (A, I, P); each answer has two of them or more."""
    rng = np.random.default_rng(4)
    people = np.rint(rng.uniform(1, 10, (2, 24, 3)))
    people[0, :8, 2] = np.nan
    return people


def test_alpha_fills_no_gap_in_the_marks_that_other_figures_read() -> None:
    """Totals with gaps are the same after alpha was taken of them as before."""
    cells = np.ascontiguousarray(np.moveaxis(gappy(), 2, 0))
    before = cells.copy()
    assert isinstance(rater_cells.alpha(cells, None, metric="interval"), Estimate)
    np.testing.assert_array_equal(cells, before)


def test_icc_of_people_is_of_the_answers_that_all_marked() -> None:
    """The intraclass correlation beside alpha counts no mark that nobody gave."""
    people = gappy()
    found = people_agreement(people, identified=True, span=9)
    expected = icc.icc(np.ascontiguousarray(people.reshape(-1, 3)))
    assert isinstance(expected, icc.Icc)
    assert isinstance(found.one, Estimate)
    assert found.one.n == 40
    assert found.one == expected.one
