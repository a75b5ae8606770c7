"""Intraclass correlations against Shrout & Fleiss and the closed forms."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats.arrays import FloatArray
from judgebench.stats.icc import Icc, icc
from tests.stats import vectors

FORMS = ("one", "absolute", "consistency", "one_mean", "absolute_mean", "consistency_mean")
PUBLISHED = {
    "one": (0.165742, -0.132932, 0.722560),
    "absolute": (0.289764, 0.018787, 0.761084),
    "consistency": (0.714841, 0.342465, 0.945858),
    "one_mean": (0.442797, -0.884442, 0.912415),
    "absolute_mean": (0.620051, 0.071137, 0.927232),
    "consistency_mean": (0.909316, 0.675675, 0.985892),
}


@pytest.mark.parametrize("form", FORMS)
def test_icc_equals_shrout_and_fleiss_1979(form: str) -> None:
    """Six targets, four judges: printed .17 .29 .71 .44 .62 .91, with McGraw & Wong's limits."""
    found = icc(vectors.SHROUT_FLEISS)
    assert isinstance(found, Icc)
    one = getattr(found, form)
    assert isinstance(one, Estimate)
    assert (one.value, one.low, one.high) == pytest.approx(PUBLISHED[form], abs=1e-6)


def test_icc_meets_the_anxiety_data() -> None:
    """Twenty subjects, three raters."""
    found = icc(vectors.ANXIETY)
    assert isinstance(found, Icc)
    values = [one.value for one in (getattr(found, form) for form in FORMS)]
    expected = [0.175022, 0.197998, 0.216049, 0.388926, 0.425499, 0.452586]
    assert values == pytest.approx(expected, abs=1e-6)


def test_icc_of_slots_that_are_no_persons_is_the_first_form_only() -> None:
    """Who was put in which column must not matter."""
    found = icc(vectors.ANXIETY, identified=False)
    assert isinstance(found, Icc)
    assert found.one.value == pytest.approx(0.175022, abs=1e-6)
    for form in ("absolute", "absolute_mean", "consistency", "consistency_mean"):
        refused = getattr(found, form)
        assert isinstance(refused, Refusal)
        assert refused.code == "raters_not_identified"


@pytest.mark.parametrize(
    ("marks", "code"),
    [
        pytest.param(np.ones((9, 1)), "too_few_judges", id="one-rater"),
        pytest.param(np.ones((4, 2)), "too_few_items", id="four-units"),
        pytest.param(np.tile([0.1, 0.3], (9, 1)), "no_variation", id="equal-units"),
        pytest.param(
            np.repeat(np.arange(9.0)[:, None], 2, axis=1), "zero_spread", id="equal-raters"
        ),
        pytest.param(np.arange(9.0)[:, None] + [0.1, 0.7], "zero_spread", id="shifted-rater"),
    ],
)
def test_icc_refuses(marks: FloatArray, code: str) -> None:
    """No 1.0 by default, and no F of infinity."""
    found = icc(marks)
    assert isinstance(found, Refusal)
    assert found.code == code


def test_icc_does_not_read_rounding_as_marks() -> None:
    """0.1 + 0.2 beside 0.3 is one mark: no variation, not a strange coefficient."""
    marks = np.random.default_rng(1).choice([0.1 + 0.2, 0.3], (12, 2))
    found = icc(marks)
    assert isinstance(found, Refusal)
    assert found.code == "no_variation"


def test_icc_of_a_mean_that_has_no_finite_value_is_refused() -> None:
    """Two raters who contradict each other on every unit."""
    first = np.array([1.0, 10.0] * 10)
    noise = np.random.default_rng(1).normal(0, 0.5, (20, 2))
    found = icc(np.column_stack([first, 11 - first]) + noise)
    assert isinstance(found, Icc)
    assert isinstance(found.absolute_mean, Refusal)
    assert found.absolute_mean.code == "not_finite"


def test_icc_needs_two_axes() -> None:
    """One column is one rater; one vector is nothing."""
    with pytest.raises(ValueError, match="shape"):
        icc(np.ones(5))


@settings(max_examples=60)
@given(hnp.arrays(np.float64, (7, 3), elements=st.sampled_from([1.0, 7.0, 8.0, 9.0])))
def test_icc_lets_no_number_out_that_is_none(marks: FloatArray) -> None:
    """Any block: refusals, or finite figures with the value inside its limits."""
    found = icc(marks)
    if isinstance(found, Refusal):
        return
    for form in FORMS:
        one = getattr(found, form)
        if isinstance(one, Estimate):
            assert np.isfinite(one.value)
            assert one.value <= 1 + 1e-12
            if one.low is not None and one.high is not None:
                assert one.low <= one.value + 1e-9
                assert one.value <= one.high + 1e-9


@pytest.mark.parametrize("mark", [0.3, 8.0, 0.1 + 0.2])
def test_one_constant_mark_is_no_reliability(mark: float) -> None:
    """Rounding in the means of equal marks is not taken for a spread."""
    found = icc(np.full((40, 2), mark))
    assert isinstance(found, Refusal)
    assert found.code == "no_variation"
