"""Whole printed studies: ties (Davidson), generalizability (Brennan), imperfect tests (Lang)."""

from math import exp

import numpy as np
import pytest

from judgebench.model.agreement import VarianceParts
from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats.components import d_study, mean_squares, variance_components
from judgebench.stats.gates import corrected_share, rogan_gladen
from judgebench.stats.pairwise import Comparisons, Strengths, bradley_terry
from tests.stats import vectors

PUDDINGS = vectors.table(
    "1 2 19 22 16 / 1 3 16 19 12 / 2 3 19 19 10 / 1 4 18 23 13 / 2 4 23 19 9 /"
    "3 4 19 20 15 / 1 5 13 19 18 / 2 5 16 20 12 / 3 5 16 15 17 / 4 5 17 14 16 /"
    "1 6 18 21 12 / 2 6 22 20 12 / 3 6 13 18 10 / 4 6 14 19 18 / 5 6 11 21 12"
).astype(np.int64)
"""Davidson (1970), example 2: i, j, i won, j won, tied of six brands. As in R's PlackettLuce."""

OCCASIONS = vectors.table(
    "2 4 5 5 4 4 2 3 0 6 / 6 5 5 9 3 4 6 4 5 8 / 7 6 4 8 5 4 6 4 4 7 / 5 7 6 6 6 7 5 5 5 6 /"
    "2 6 5 5 4 6 2 6 5 6 / 5 7 4 7 5 4 7 6 5 8 / 5 5 5 7 6 7 7 6 5 8 / 5 7 5 6 4 8 5 4 3 6"
).reshape(2, 4, 10)
"""Brennan (2001), synthetic data set 3: 2 occasions, 4 items, 10 persons. As in GeneralizIT."""


def puddings() -> Strengths:
    """Davidson's model without a term for the first place; every comparison its own item."""
    first, second, outcome = [], [], []
    for i, j, won, lost, tied in PUDDINGS.tolist():
        times = won + lost + tied
        first += [i - 1] * times
        second += [j - 1] * times
        outcome += [1.0] * won + [0.0] * lost + [0.5] * tied
    found = bradley_terry(
        Comparisons(
            item=np.arange(len(first)), first=np.array(first), second=np.array(second),
            outcome=np.array(outcome), n_arms=6,
        ),
        order=False,
    )  # fmt: skip
    assert isinstance(found, Strengths)
    return found


def test_davidson_s_puddings_have_the_printed_worths_and_tie_parameter() -> None:
    """PlackettLuce stops at seven steps, to print Davidson's worths: so within 3 in 100,000.

    0.1388005 0.1729985 0.1617420 0.1653930 0.1586805 0.2023855, ties 0.7468147.
    """
    found = puddings()
    assert isinstance(found.ties, Estimate)
    assert found.order is None
    worth = np.exp([one.value for one in found.arms])
    printed = [0.1388005, 0.1729985, 0.1617420, 0.1653930, 0.1586805, 0.2023855]
    assert worth / worth.sum() == pytest.approx(printed, abs=3e-5)
    assert exp(found.ties.value) == pytest.approx(0.7468147, abs=3e-5)
    assert found.ties.value == pytest.approx(-0.2919, abs=5.1e-5)


def test_davidson_s_puddings_have_the_printed_errors() -> None:
    """Of log worths beside the first brand: 0.1872 0.1935 0.1882 0.1927 0.1924 (PlackettLuce)."""
    errors = (0.0, 0.1872168, 0.1935181, 0.1882110, 0.1927043, 0.1924059)
    assert puddings().model_se == pytest.approx(errors, abs=1e-6)


def test_worths_are_where_davidson_s_score_equations_hold() -> None:
    """Wins plus half the ties are as expected of each brand, and so are the ties in all."""
    found = puddings()
    assert isinstance(found.ties, Estimate)
    worth, nu = np.exp([one.value for one in found.arms]), exp(found.ties.value)
    score, ties = np.zeros(6), 0.0
    for i, j, won, lost, tied in PUDDINGS.tolist():
        a, b = worth[i - 1], worth[j - 1]
        shares = np.array([a, b, nu * (a * b) ** 0.5])
        mean = (won + lost + tied) * shares / shares.sum()
        score[i - 1] += won + tied / 2 - mean[0] - mean[2] / 2
        score[j - 1] += lost + tied / 2 - mean[1] - mean[2] / 2
        ties += tied - mean[2]
    assert [*score, ties] == pytest.approx([0] * 7, abs=1e-6)


def study() -> VarianceParts:
    """Items as arms, persons as items, occasions as judges.

    The study has one mark a cell. Each twice over leaves no residual: what
    Brennan prints for person × item × occasion stands in the three-way part.
    """
    found = variance_components(np.repeat(OCCASIONS.transpose(1, 2, 0)[..., None], 2, axis=3))
    assert isinstance(found, VarianceParts)
    assert found.negative == ()
    assert found.residual == 0
    return found


def test_mean_squares_are_those_that_brennan_prints() -> None:
    """6.9111, 12.4833, 3.2000, 2.0852, 1.3389, 2.5000 and 0.9352; twice over, so halved."""
    doubled = np.repeat(OCCASIONS.transpose(1, 2, 0)[..., None], 2, axis=3)
    found = {name: value / 2 for name, value in mean_squares(doubled).items()}
    printed = {"i": 6.9111, "a": 12.4833, "j": 3.2, "ai": 2.0852, "ij": 1.3389, "aj": 2.5,
               "aij": 0.9352}  # fmt: skip
    assert {name: found[name] for name in printed} == pytest.approx(printed, abs=5.1e-5)


def test_variance_components_are_those_that_brennan_prints() -> None:
    """Person 0.5528, item 0.4417, occasion 0.0074, and the four interactions."""
    found = study()
    assert (found.item, found.arm, found.judge) == pytest.approx((0.5528, 0.4417, 0.0074), abs=6e-5)
    mixed = (found.item_arm, found.item_judge, found.arm_judge, found.item_arm_judge)
    assert mixed == pytest.approx((0.5750, 0.1009, 0.1565, 0.9352), abs=6e-5)


def test_d_study_gives_the_printed_coefficients() -> None:
    """Persons ranked over four items and two occasions: Eρ² 0.64, Φ 0.55."""
    found = study()
    persons = VarianceParts(
        arm=found.item, item=found.arm, judge=found.judge, item_arm=found.item_arm,
        arm_judge=found.item_judge, item_judge=found.arm_judge,
        item_arm_judge=found.item_arm_judge, residual=0.0, negative=(),
        n_arms=10, n_items=4, n_judges=2, n_repeats=1,
    )  # fmt: skip
    (design,) = d_study(persons, items=[4], judges=[2], repeats=[1])
    relative = design.sd**2
    shared = persons.item / 4 + persons.judge / 2 + persons.item_judge / 8
    assert persons.arm / (persons.arm + relative) == pytest.approx(0.64, abs=5e-3)
    assert persons.arm / (persons.arm + relative + shared) == pytest.approx(0.55, abs=5e-3)


@pytest.mark.parametrize(
    ("passed", "sensitivity", "specificity", "low", "high", "digits"),
    [
        ((4060, 11284), (178, 179), (358, 359), 0.349, 0.372, 3),
        ((51, 2971), (32, 33), (20, 20), 0.0, 0.053, 3),
        ((712, 11862), (8, 10), (12, 12), 0.0, 0.147, 3),
        ((259, 509), (84, 127), (96, 109), 0.58, 0.87, 2),
        ((51, 509), (23, 41), (187, 195), 0.037, 0.195, 3),
    ],
)
def test_corrected_shares_have_the_limits_of_lang_and_reiczigel(
    passed: tuple[int, int],
    sensitivity: tuple[int, int],
    specificity: tuple[int, int],
    low: float,
    high: float,
    digits: int,
) -> None:
    """Lang & Reiczigel (2014), examples 1 to 4, as the R package asht quotes them."""
    found = corrected_share(
        passed=passed[0], judged=passed[1], both_passed=sensitivity[0],
        people_passed=sensitivity[1], both_failed=specificity[0], people_failed=specificity[1],
    )  # fmt: skip
    assert not isinstance(found, Refusal)
    assert found.share.low is not None
    assert found.share.high is not None
    assert (round(found.share.low, digits), round(found.share.high, digits)) == (low, high)


def test_rogan_and_gladen_s_estimate_is_the_printed_one() -> None:
    """20 of 120 positive, Se 0.9, Sp 0.99: 0.17603 (R package RSurveillance, tp)."""
    assert rogan_gladen(20 / 120, 0.9, 0.99) == pytest.approx(0.17603, abs=5e-6)
