"""Pass shares corrected for a judge's misses."""

import numpy as np
import pytest

from benchmarks.coverage.people import gate_coverage
from judgebench.model.nouns import Refusal
from judgebench.stats.gates import corrected_share, rogan_gladen, share_at

COUNTS = {"passed": 120, "judged": 400, "both_passed": 27, "people_passed": 30,
          "both_failed": 24, "people_failed": 30}  # fmt: skip


def test_point_estimate_is_rogan_and_gladen() -> None:
    """(0.3 + 0.8 − 1) / (0.9 + 0.8 − 1)."""
    found = corrected_share(**COUNTS)
    assert not isinstance(found, Refusal)
    assert found.share.value == pytest.approx(0.1 / 0.7)
    assert found.share.value == pytest.approx(rogan_gladen(0.3, 0.9, 0.8))
    assert (found.raw, found.sensitivity, found.specificity) == (0.3, 0.9, 0.8)
    assert found.share.low is not None
    assert found.share.high is not None
    assert 0 <= found.share.low < 0.1 / 0.7 < found.share.high <= 1


def test_a_perfect_judge_is_no_certainty() -> None:
    """Without a miss among 30 and 30 the interval still has a width."""
    found = corrected_share(**{**COUNTS, "both_passed": 30, "both_failed": 30})
    assert not isinstance(found, Refusal)
    assert found.share.value == pytest.approx(0.3)
    assert found.share.high is not None
    assert found.share.high > 0.34


def test_refusals_name_what_is_missing() -> None:
    """Nine failed answers, and a judge at chance level, are refused."""
    few = corrected_share(**{**COUNTS, "people_failed": 9, "both_failed": 9})
    chance = corrected_share(**{**COUNTS, "both_passed": 15, "both_failed": 15})
    assert isinstance(few, Refusal)
    assert (few.code, few.have) == ("too_few_items", 9)
    assert isinstance(chance, Refusal)
    assert chance.code == "not_identified"


def test_counts_must_fit() -> None:
    """A part above its whole is a fault of the caller."""
    with pytest.raises(ValueError, match="larger"):
        corrected_share(**{**COUNTS, "both_passed": 31})


@pytest.mark.parametrize(
    ("share", "se", "sp"), [(0.3, 0.9, 0.8), (0.8, 0.95, 0.7), (0.5, 0.8, 0.8)]
)
def test_interval_covers(share: float, se: float, sp: float) -> None:
    """At least 94 % less the Monte-Carlo band, although Se and Sp are estimated from 30 each."""
    runs = 1500
    found = gate_coverage(share, sensitivity=se, specificity=sp, runs=runs)
    assert found >= 0.94 - 2.576 * (0.94 * 0.06 / runs) ** 0.5


def test_marks_pass_at_a_bar() -> None:
    """People's mean and the judge's mark are held against the same bar; blanks are no failures."""
    people = np.array([[6.0, 4.0]] * 12 + [[2.0, np.nan]] * 12 + [[np.nan, np.nan]] * 6)
    judge = np.array([5.0] * 11 + [4.0] * 12 + [np.nan] + [7.0] * 6)
    found = share_at(people, judge, 5.0)
    assert not isinstance(found, Refusal)
    assert found.raw == pytest.approx(17 / 29)
    assert (found.sensitivity, found.specificity) == (11 / 12, 1.0)
    with pytest.raises(ValueError, match="shape"):
        share_at(people, judge[:5], 5.0)
