"""Circles of verdicts, and how many chance would make."""

import numpy as np
import pytest

from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats.circles import circular_expected, circular_share
from judgebench.stats.pairwise import Strengths, bradley_terry
from tests.stats.compared import drawn, made


def test_circular_share_counts_circles_among_decided_triads() -> None:
    """Thirty items of three arms, every third in a circle, one with a tie."""
    rows: list[tuple[int, int, int, float]] = []
    for item in range(30):
        rows += [(item, 0, 1, 1.0), (item, 1, 2, 1.0), (item, 2, 0, float(item % 3 == 0))]
    rows[-1] = (29, 2, 0, 0.5)
    found = circular_share(made(rows, 3))
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(10 / 29)
    assert found.n == 29


def test_circular_share_refuses_nineteen_triads() -> None:
    """Nineteen items of three arms."""
    rows = [(i, a, b, 1.0) for i in range(19) for a, b in ((0, 1), (1, 2), (0, 2))]
    found = circular_share(made(rows, 3))
    assert isinstance(found, Refusal)
    assert (found.code, found.have, found.need) == ("too_few_items", 19, 20)


def test_circular_expected_is_a_quarter_where_all_are_alike() -> None:
    """Equal strengths are coins: one triad in four goes round."""
    data = drawn(3, 60, [0.0] * 4, 0.0, -30.0)
    nothing = Estimate(value=0.0, n=60)
    alike = Strengths(arms=(nothing,) * 4, order=None, ties=None, model_se=(0.0,) * 4)
    found = circular_expected(data, alike, rng=np.random.default_rng(5))
    assert found == pytest.approx(0.25, abs=0.01)


def test_circular_expected_meets_what_the_model_itself_draws() -> None:
    """Strengths fitted to draws of the model expect about as many circles as were drawn."""
    data = drawn(11, 200, [1.5, 0.8, 0.4, 0.0], 0.4, -1.0)
    fitted, seen = bradley_terry(data), circular_share(data)
    assert isinstance(fitted, Strengths)
    assert isinstance(seen, Estimate)
    found = circular_expected(data, fitted, rng=np.random.default_rng(5), draws=60)
    assert found == pytest.approx(seen.value, abs=0.02)


def test_circular_expected_is_unknown_without_a_triad() -> None:
    """Two arms cannot go round."""
    data = drawn(2, 8, [0.5, 0.0], 0.0, -1.0)
    fitted = bradley_terry(data)
    assert isinstance(fitted, Strengths)
    assert circular_expected(data, fitted, rng=np.random.default_rng(1)) is None
