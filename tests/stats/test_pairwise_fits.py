"""Strengths, their errors and clustered means beside other packages' ways to the same figures."""

import evalica
import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from judgebench.model.nouns import Estimate
from judgebench.stats.clusters import clustered_mean
from judgebench.stats.pairwise import Comparisons, Strengths, bradley_terry
from tests.stats.compared import drawn

CLOSE = 1e-9


def half(one: Estimate) -> float:
    """Half width of an interval."""
    assert one.high is not None
    return one.high - one.value


def strengths(found: object) -> Strengths:
    """Strengths, not a refusal."""
    assert isinstance(found, Strengths)
    return found


def test_ties_and_order_are_those_of_a_log_linear_model() -> None:
    """Davidson with an order term: Poisson counts of three outcomes of each ordered pair."""
    theta = [0.0, 0.8, -0.5, 0.3]
    data = drawn(3, 40, theta, 0.4, -0.5)
    arms = len(theta)
    cells = sorted(set(zip(data.first.tolist(), data.second.tolist(), strict=True)))
    counts, rows = [], []
    for at, (a, b) in enumerate(cells):
        here = (data.first == a) & (data.second == b)
        for outcome in (1.0, 0.0, 0.5):
            counts.append(int((data.outcome[here] == outcome).sum()))
            cell, arm = np.eye(len(cells))[at], np.eye(arms)
            share = {1.0: arm[a], 0.0: arm[b]}.get(outcome, (arm[a] + arm[b]) / 2)
            rows.append([*cell, *share[1:], outcome == 1, outcome == 0.5])
    poisson = sm.GLM(np.array(counts), np.array(rows, dtype=np.float64), sm.families.Poisson())
    expected = poisson.fit(tol=1e-13, maxiter=200).params[len(cells) :]
    found = strengths(bradley_terry(data))
    assert isinstance(found.order, Estimate)
    assert isinstance(found.ties, Estimate)
    fitted = [*(one.value for one in found.arms[1:]), found.order.value, found.ties.value]
    assert fitted == pytest.approx(expected, abs=CLOSE)


def test_strengths_are_those_of_evalica() -> None:
    """Decided comparisons without an order term, in a library of rankings."""
    data = drawn(5, 60, [0.0, 0.9, -0.6, 0.2], 0.0, -9.0)
    decided = data.outcome != 0.5
    first, second, won = data.first[decided], data.second[decided], data.outcome[decided]
    kept = Comparisons(item=data.item[decided], first=first, second=second, outcome=won, n_arms=4)
    winners = [evalica.Winner.X if one else evalica.Winner.Y for one in won.tolist()]
    names = [f"arm {at}" for at in range(4)]
    other = evalica.bradley_terry(
        [names[at] for at in first], [names[at] for at in second], winners,
        tolerance=1e-14, limit=100_000,
    )  # fmt: skip
    scores = np.log([other.scores[name] for name in names])
    found = strengths(bradley_terry(kept, order=False))
    assert [one.value for one in found.arms] == pytest.approx(scores - scores[0], abs=CLOSE)


def test_errors_are_those_of_a_logit_clustered_by_item() -> None:
    """Sandwich without other corrections than n ÷ (n − 1), t on items − 1; with an order term."""
    data = drawn(8, 30, [0.0, 0.7, -0.4], 0.3, -9.0)
    decided = data.outcome != 0.5
    item, first, second = data.item[decided], data.first[decided], data.second[decided]
    won = data.outcome[decided]
    data = Comparisons(item=item, first=first, second=second, outcome=won, n_arms=3)
    arm = np.eye(3)[:, 1:]
    x = np.column_stack([arm[first] - arm[second], np.ones(item.size)])
    fit = sm.Logit(won, x).fit(
        disp=0, method="newton", tol=1e-14, maxiter=100,
        cov_type="cluster", cov_kwds={"groups": item, "use_correction": False},
    )  # fmt: skip
    n = np.unique(item).size
    found = strengths(bradley_terry(data))
    assert isinstance(found.order, Estimate)
    coefficients = [*found.arms[1:], found.order]
    assert [one.value for one in coefficients] == pytest.approx(fit.params, abs=CLOSE)
    wide = stats.t.ppf(0.975, n - 1) * fit.bse * np.sqrt(n / (n - 1))
    assert [half(one) for one in coefficients] == pytest.approx(wide, abs=CLOSE)


@pytest.mark.parametrize("sizes", [(1, 2, 3, 5, 9), (12, 2, 2, 2, 2), (1, 1, 6), (4, 7, 1, 3)])
def test_clustered_mean_of_unequal_clusters_is_cr2_in_matrices(sizes: tuple[int, ...]) -> None:
    """Residuals by the root of the cluster's own part of the hat's rest; Satterthwaite."""
    clusters = np.repeat(np.arange(len(sizes)), sizes)
    n = clusters.size
    d = np.random.default_rng(n).normal(0.4, 1, n) + clusters / 5
    x = np.ones((n, 1))
    bread = np.linalg.inv(x.T @ x)
    rest = np.eye(n) - x @ bread @ x.T
    made_of = []
    for cluster in range(len(sizes)):
        mine = clusters == cluster
        values, vectors_ = np.linalg.eigh(rest[np.ix_(mine, mine)])
        root = (vectors_ / np.sqrt(values)) @ vectors_.T
        # What the cluster adds to the variance is the square of this row times d.
        made_of.append((bread @ x[mine].T @ root @ rest[mine])[0])
    rows = np.array(made_of)
    variance = float(((rows @ d) ** 2).sum())
    between = rows @ rows.T
    degrees = np.trace(between) ** 2 / (between**2).sum()
    found = clustered_mean(d, clusters)
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(d.mean(), abs=CLOSE)
    expected = stats.t.ppf(0.975, degrees) * np.sqrt(variance)
    assert half(found) == pytest.approx(expected, abs=CLOSE)
