"""Marks as one array: codes, cells, counts and the lattice of the marks."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from judgebench.stats.arrays import (
    FloatArray,
    cell_medians,
    cells,
    counts,
    from_codes,
    lattice_step,
    nan_mean,
)

any_totals = hnp.arrays(
    np.float64, (2, 3, 2, 3), elements=st.sampled_from([1.0, 4.5, 8.0, 10.0, np.nan])
)


def test_from_codes_refuses_two_marks_for_one_place() -> None:
    """A mark that replaces another would go unnoticed."""
    with pytest.raises(ValueError, match="same place"):
        from_codes((2, 2), ([0, 0], [1, 1]), [3.0, 4.0])


@pytest.mark.parametrize("code", [-1, 2])
def test_from_codes_refuses_a_code_off_its_axis(code: int) -> None:
    """A negative code would count from the end, as numpy does."""
    with pytest.raises(ValueError, match="outside"):
        from_codes((2,), ([code],), [3.0])


def test_from_codes_refuses_columns_of_unequal_length() -> None:
    """One code for each value."""
    with pytest.raises(ValueError, match="one column"):
        from_codes((2, 2), ([0, 1], [0]), [3.0, 4.0])


def test_from_codes_of_nothing_is_all_missing() -> None:
    """No rows: no marks, and no error."""
    assert np.isnan(from_codes((2, 1), ([], []), [])).all()


def test_from_codes_takes_infinite_for_missing() -> None:
    """No mark is infinite."""
    assert np.isnan(from_codes((1,), ([0],), [np.inf])).all()


def test_cells_weigh_judges_equally_however_often_they_scored() -> None:
    """Three scorings at 4 by one judge and one at 10 by another make 7, not 5.5."""
    totals = np.array([[[[4.0, 4, 4], [10, np.nan, np.nan]]]])
    assert cells(totals)[0, 0] == 7
    assert counts(totals)[0, 0] == 4


def test_cells_need_four_axes() -> None:
    """Criteria are summed to totals first."""
    with pytest.raises(ValueError, match="shape"):
        cells(np.zeros((2, 2)))


@settings(max_examples=40)
@given(any_totals)
def test_cells_stay_within_their_scores(totals: FloatArray) -> None:
    """A cell lies between its lowest and highest score, or is missing with a count of 0."""
    found, n = cells(totals), counts(totals)
    assert np.array_equal(np.isfinite(found), n > 0)
    for place in np.argwhere(n > 0):
        scores = totals[tuple(place)]
        assert np.nanmin(scores) - 1e-12 <= found[tuple(place)] <= np.nanmax(scores) + 1e-12


def test_nan_mean_of_nothing_is_missing_without_a_warning() -> None:
    """The mean of numpy warns, and a warning is an error here."""
    assert np.isnan(nan_mean(np.full((2, 3), np.nan), axis=1)).all()


def test_lattice_step_finds_the_fives_of_a_hundred() -> None:
    """A judge that only says multiples of five rounds to five."""
    marks = np.array([55.0, 60, 75, 90, 95, 85, 80, 75, 60, 55, np.nan])
    assert lattice_step(marks, scale_step=1) == 5


def test_lattice_step_of_few_marks_is_the_scale_s() -> None:
    """Two marks say nothing about a habit, and would give a floor far too high."""
    assert lattice_step(np.array([10.0, 90.0]), scale_step=1) == 1
    assert lattice_step(np.array([10.0, 90.0] * 9), scale_step=1) == 1


def test_lattice_step_reads_tenths_as_tenths() -> None:
    """0.1 + 0.2 is not 0.3 in binary; the lattice is 0.1 all the same."""
    marks = np.array([0.1, 0.2, 0.1 + 0.2, 0.7, 0.1, 0.2, 0.3, 0.7, 0.1, 0.2])
    assert lattice_step(marks, scale_step=0.1) == pytest.approx(0.1)


@pytest.mark.parametrize("step", [0.0, -1.0, np.nan, np.inf])
def test_lattice_step_needs_a_step_above_zero(step: float) -> None:
    """The rubric's step is the least that is known."""
    with pytest.raises(ValueError, match="above 0"):
        lattice_step(np.array([1.0]), scale_step=step)


@given(hnp.arrays(np.float64, (3, 4, 5), elements=st.sampled_from([1.0, 4.5, 8, 10, np.nan])))
def test_cell_medians_are_those_of_numpy_from_three_judgments(judgments: FloatArray) -> None:
    """The middle of what was scored; nothing of two, whose median is their mean once more."""
    found = cell_medians(judgments)
    for place in np.ndindex(3, 4):
        given_ = judgments[place][np.isfinite(judgments[place])]
        if given_.size < 3:
            assert np.isnan(found[place])
        else:
            assert found[place] == np.median(given_)


def test_cell_medians_of_two_repeats_are_none() -> None:
    """An axis that is too short gives none, and a further axis stays."""
    assert np.isnan(cell_medians(np.full((2, 3, 2), 8.0))).all()
    assert cell_medians(np.full((2, 3, 4, 3), 8.0)).tolist() == np.full((2, 3, 4), 8.0).tolist()
