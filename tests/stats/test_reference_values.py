"""Printed figures of classical examples that no other test holds, to the digits printed."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import ndtri

from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats.agreement import Weights, alpha, cohen_kappa, fleiss_kappa, quadratic_kappa
from judgebench.stats.alt_test import benjamini_yekutieli
from judgebench.stats.arrays import FloatArray
from judgebench.stats.checks import spearman
from judgebench.stats.corrected import ppi
from judgebench.stats.icc import Icc, icc
from judgebench.stats.intervals import clopper_pearson
from judgebench.stats.ordering import kendall_w, tau_b
from judgebench.stats.pairs import paired_difference
from judgebench.stats.pairwise import Comparisons, Strengths, bradley_terry
from tests.stats import vectors
from tests.stats.test_corrected import JUDGE, REST, TRUTH

Z = float(ndtri(0.975))
TWO = vectors.table("20 5 / 10 15")
FLEISS_1981 = vectors.table("75 1 4 / 5 4 1 / 0 0 10")
ABSTRACTORS = vectors.table("13 0 0 / 0 20 7 / 0 4 56")
SEXUAL_FUN = vectors.table("7 7 2 3 / 2 8 3 7 / 1 5 4 9 / 2 8 9 14")
SAS = vectors.table("0 4 1 / 0 8 0 / 0 1 5")
DIAGNOSIS = vectors.table("40 4 4 17 / 6 25 2 13 / 4 1 21 12 / 15 5 9 45")
FIFTEEN = np.array(
    [.0001, .0004, .0019, .0095, .0201, .0278, .0298, .0344, .0459, .3240, .4262, .5719, .6528,
     .7590, 1]
)  # fmt: skip
"""Benjamini & Hochberg (1995): fifteen p-values."""


def ends(found: object) -> tuple[float, float, float]:
    """Value and limits of an estimate that has an interval."""
    assert isinstance(found, Estimate), found
    assert found.low is not None
    assert found.high is not None
    return found.value, found.low, found.high


def value(found: object) -> float:
    """Value of an estimate."""
    assert isinstance(found, Estimate), found
    return found.value


def test_ratio_alpha_of_the_three_coders() -> None:
    """0.808944 over the twelve units that two coders or more marked: three drop out."""
    found = alpha(vectors.CODERS, metric="ratio")
    assert value(found) == pytest.approx(0.808944, abs=1e-6)
    assert isinstance(found, Estimate)
    assert found.n == 12


def test_nominal_alpha_of_the_abstractors() -> None:
    """0.79726, where Scott's π without the correction for few units is 0.79624."""
    marks = np.stack(vectors.raters(ABSTRACTORS), axis=1)
    assert value(alpha(marks, metric="nominal")) == pytest.approx(0.79726, abs=5e-6)


@pytest.mark.parametrize(
    ("counts", "weights", "expected", "se", "digits"),
    [
        pytest.param(TWO, "none", 0.4, 0.126996, 1e-6, id="two-plain"),
        pytest.param(TWO, "linear", 0.4, 0.126996, 1e-6, id="two-linear"),
        pytest.param(TWO, "quadratic", 0.4, 0.126996, 1e-6, id="two-quadratic"),
        pytest.param(ABSTRACTORS, "none", 0.7964094, 0.05891072, 5e-8, id="gwet-plain"),
        pytest.param(ABSTRACTORS, "linear", 0.842903, 0.047872, 1e-6, id="gwet-linear"),
        pytest.param(ABSTRACTORS, "quadratic", 0.892157, 0.035352, 1e-6, id="gwet-quadratic"),
        pytest.param(SEXUAL_FUN, "quadratic", 0.332046, 0.097298, 1e-6, id="vcd-quadratic"),
        pytest.param(DIAGNOSIS, "none", 0.43150, 0.04597, 5e-6, id="diagnosis-plain"),
        pytest.param(DIAGNOSIS, "linear", 0.40681, 0.05339, 5e-6, id="diagnosis-linear"),
        pytest.param(DIAGNOSIS, "quadratic", 0.38319, 0.06579, 5e-6, id="diagnosis-quadratic"),
    ],
)
def test_cohen_kappa_of_further_tables(
    counts: FloatArray, weights: Weights, expected: float, se: float, digits: float
) -> None:
    """Value and standard error; quadratic weights are also the concordance of the pairs."""
    a, b = vectors.raters(counts)
    found, low, _ = ends(
        cohen_kappa(a, b, categories=np.arange(1.0, counts.shape[0] + 1), weights=weights)
    )
    assert found == pytest.approx(expected, abs=digits)
    assert (found - low) / Z == pytest.approx(se, abs=digits)
    if weights == "quadratic":
        assert value(quadratic_kappa(a, b)) == pytest.approx(found, abs=1e-12)


@pytest.mark.parametrize(
    ("counts", "weights", "low", "high"),
    [
        (SAS, "none", 0.2137, 0.7547),
        (SAS, "linear", 0.1845, 0.7558),
        (ABSTRACTORS, "none", 0.6809, 0.9119),
    ],
)
def test_cohen_kappa_has_the_printed_limits(
    counts: FloatArray, weights: Weights, low: float, high: float
) -> None:
    """95 % limits as SAS prints them, and those of statsmodels: both take the normal quantile."""
    a, b = vectors.raters(counts)
    found = ends(cohen_kappa(a, b, categories=np.arange(1.0, counts.shape[0] + 1), weights=weights))
    assert found[1:] == pytest.approx((low, high), abs=5.1e-5)


@pytest.mark.parametrize(
    ("pair", "levels", "weights", "expected"),
    [
        ((1, 2), (1, 2, 3, 4, 5, 6), "none", -0.006289308),
        ((1, 2), (1, 2, 3, 4, 6), "linear", 0.1459075),
        ((1, 2), (1, 2, 3, 4, 6), "quadratic", 0.2520325),
        ((0, 1), (1, 2, 3, 4, 5, 6), "none", 0.119497),
        ((0, 1), (1, 2, 3, 4, 5, 6), "linear", 0.189189),
        ((0, 1), (1, 2, 3, 4, 5, 6), "quadratic", 0.296765),
    ],
)
def test_cohen_kappa_of_the_anxiety_data(
    pair: tuple[int, int], levels: tuple[float, ...], weights: Weights, expected: float
) -> None:
    """Without the level 5 that raters 2 and 3 never use, the figures that R prints."""
    a, b = vectors.ANXIETY[:, pair[0]].copy(), vectors.ANXIETY[:, pair[1]].copy()
    if len(levels) == 5:
        # Levels that stand in a row: the sixth takes the place of the fifth, as in R.
        a[a == 6], b[b == 6] = 5, 5
        levels = (1, 2, 3, 4, 5)
    found = cohen_kappa(a, b, categories=np.array(levels, dtype=np.float64), weights=weights)
    assert value(found) == pytest.approx(expected, abs=5e-7)


def test_fleiss_kappa_of_the_anxiety_data() -> None:
    """−0.041076: below zero and not cut off there."""
    counts = np.array([[np.sum(row == c) for c in range(1, 7)] for row in vectors.ANXIETY])
    assert value(fleiss_kappa(counts.astype(np.float64))) == pytest.approx(-0.041076, abs=1e-6)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ("7 1 / 3 5", 0.161905),
        ("6 1 0 / 0 7 0", 0.708333),
        ("6.99 0.01 / 6.99 0.01", -0.166667),
    ],
)
def test_fleiss_kappa_meets_randolph_s_calculator(counts: str, expected: float) -> None:
    """Two units, written three times over so that there are enough: κ stays what it is."""
    found = fleiss_kappa(np.tile(vectors.table(counts), (3, 1)))
    assert value(found) == pytest.approx(expected, abs=1e-6)


def test_fleiss_kappa_of_one_class_is_refused() -> None:
    """7 0 / 7 0 is 0/0, neither 0 nor 1."""
    found = fleiss_kappa(np.tile(vectors.table("7 0 / 7 0"), (3, 1)))
    assert isinstance(found, Refusal)
    assert found.code == "no_variation"


def test_icc_rests_on_the_mean_squares_of_shrout_and_fleiss() -> None:
    """F of 11.027248 and 1.794678, from the forms that they make."""
    found = icc(vectors.SHROUT_FLEISS)
    assert isinstance(found, Icc)
    consistency, one = value(found.consistency_mean), value(found.one_mean)
    assert 1 / (1 - consistency) == pytest.approx(11.027248, abs=1e-6)
    assert 1 / (1 - one) == pytest.approx(1.794678, abs=1e-6)


def test_icc_of_the_anxiety_data_has_the_limits_that_r_prints() -> None:
    """Absolute agreement of one rater 0.198, from −0.04 to 0.49."""
    found = icc(vectors.ANXIETY)
    assert isinstance(found, Icc)
    assert ends(found.absolute) == pytest.approx((0.198, -0.04, 0.49), abs=5e-3)


@pytest.mark.parametrize(("counts", "expected"), [(FLEISS_1981, 0.702242), (SEXUAL_FUN, 0.266127)])
def test_tau_b_of_two_tables(counts: FloatArray, expected: float) -> None:
    """Categories as ranks of paired marks."""
    assert tau_b(*vectors.raters(counts)) == pytest.approx(expected, abs=1e-6)


def test_rank_correlations_of_the_encyclopedia_s_example() -> None:
    """Ten people, IQ and hours of television: Spearman −29/165, τ −0.111111."""
    iq = np.array([106.0, 100, 86, 101, 99, 103, 97, 113, 112, 110])
    hours = np.array([7.0, 27, 2, 50, 28, 29, 20, 12, 6, 17])
    assert spearman(iq, hours) == pytest.approx(-29 / 165, abs=1e-12)
    assert tau_b(iq, hours) == pytest.approx(-0.111111, abs=1e-6)


def test_kendall_w_has_the_printed_chi_squares() -> None:
    """30.760442 on 19 for three raters of 20, 17.740741 on 5 for four judges of six."""
    for marks, printed in ((vectors.ANXIETY, 30.760442), (vectors.SHROUT_FLEISS, 17.740741)):
        n, raters = marks.shape
        found = value(kendall_w(marks.T))
        assert raters * (n - 1) * found == pytest.approx(printed, abs=1e-6)


JOURNALS = ("Biometrika", "CommStat", "JASA", "JRSS-B")
CITED = ((0, 1, 730, 33), (0, 2, 498, 320), (0, 3, 221, 284), (1, 2, 68, 813), (1, 3, 17, 276),
         (2, 3, 142, 325))  # fmt: skip


def test_bradley_terry_of_the_statistics_journals() -> None:
    """Log strengths and standard errors, Biometrika 0: −2.9491, −0.4796, 0.2690."""
    first = np.concatenate([np.full(won + lost, a) for a, _, won, lost in CITED])
    second = np.concatenate([np.full(won + lost, b) for _, b, won, lost in CITED])
    outcome = np.concatenate([np.repeat([1.0, 0.0], [won, lost]) for _, _, won, lost in CITED])
    games = Comparisons(
        item=np.arange(first.size), first=first, second=second, outcome=outcome, n_arms=4
    )
    found = bradley_terry(games, reference=0, order=False)
    assert isinstance(found, Strengths)
    values = [one.value for one in found.arms]
    assert values == pytest.approx([0, -2.94907, -0.47957, 0.26895], abs=1e-5)
    assert found.model_se == pytest.approx([0, 0.10255, 0.06059, 0.07083], abs=1e-5)


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [(0, 10, 0, 0.308497), (1, 10, 0.002529, 0.445016), (5, 10, 0.187086, 0.812914),
     (81, 263, 0.252737, 0.367622)],
)  # fmt: skip
def test_shares_have_the_exact_limits(k: int, n: int, low: float, high: float) -> None:
    """Clopper and Pearson's interval, to the six digits that are printed."""
    assert ends(clopper_pearson(k, n)) == pytest.approx((k / n, low, high), abs=1e-6)


@pytest.mark.parametrize(
    ("n", "p", "expected"),
    [(17, 0.5, 0.9510), (40, 0.5, 0.9615), (30, 0.2, 0.9800), (98, 0.2, 0.9690),
     (10, 0.5, 0.9785), (10, 0.9, 0.9872), (20, 0.95, 0.9841)],
)  # fmt: skip
def test_exact_limits_cover_as_enumerated(n: int, p: float, expected: float) -> None:
    """Coverage over all outcomes, where Wald's falls to 64 %: never below 95 %."""
    held = [bool(ends(clopper_pearson(k, n))[1] <= p <= ends(clopper_pearson(k, n))[2])
            for k in range(n + 1)]  # fmt: skip
    covered = float(stats.binom.pmf(np.arange(n + 1), n, p)[held].sum())
    assert covered == pytest.approx(expected, abs=5.1e-5)
    assert covered >= 0.95


def test_paired_t_of_the_printed_example() -> None:
    """0.5 with SD 0.527046: p 0.014956, from 0.122974 to 0.877026."""
    a = np.array([4.0, 3, 5, 2, 4, 4, 5, 3, 4, 2])
    b = np.array([3.0, 3, 4, 2, 4, 3, 4, 3, 3, 2])
    once = np.ones(10, dtype=np.int64)
    found = paired_difference(a, b, once, once, step=0.1)
    assert ends(found) == pytest.approx((0.5, 0.122974, 0.877026), abs=1e-6)


def test_benjamini_yekutieli_of_the_published_family() -> None:
    """0.004977, 0.009955, 0.031523, 0.118212: three are rejected."""
    found = benjamini_yekutieli(FIFTEEN)
    assert found[:4] == pytest.approx([0.004977, 0.009955, 0.031523, 0.118212], abs=1e-6)
    assert np.count_nonzero(found <= 0.05) == 3


def test_corrected_mean_meets_ppi_python_at_its_tuned_weight() -> None:
    """3.321546, from 2.821808 to 3.821284, with its weight, its divisor and its quantile.

    It takes the judge's variance over all thirty items for the weight; ours takes that
    of the labelled ones, to which the covariance belongs.
    """
    n, others = TRUTH.size, REST.size
    cov = float(np.cov(TRUTH, JUDGE, ddof=0)[0, 1])
    weight = cov / ((1 + n / others) * float(np.concatenate([JUDGE, REST]).var(ddof=1)))
    found, _ = ppi(TRUTH, JUDGE, REST, weight)
    rest = TRUTH - weight * JUDGE
    half = Z * float(rest.var() / n + weight**2 * REST.var() / others) ** 0.5
    assert (found, found - half, found + half) == pytest.approx(
        (3.321546, 2.821808, 3.821284), abs=1e-6
    )


def test_people_alone_meet_ppi_python_at_weight_zero() -> None:
    """3.3, from 2.513568 to 4.086432, with divisor n and the normal quantile."""
    found, variance = ppi(TRUTH, JUDGE, REST, 0.0)
    half = Z * (variance * (TRUTH.size - 1) / TRUTH.size) ** 0.5
    assert (found, found - half, found + half) == pytest.approx((3.3, 2.513568, 4.086432), abs=1e-6)
