"""Strengths at equal length: those of statsmodels, and refused where length is another name."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats.arrays import FloatArray
from judgebench.stats.length_control import length_controlled
from judgebench.stats.pairwise import Comparisons, Strengths, bradley_terry
from tests.stats.compared import drawn, made

nan = np.nan


def judged(
    seed: int, n_items: int, theta: list[float], slope: float
) -> tuple[Comparisons, FloatArray]:
    """Both orders of every pair, won by worth and by the log of the length; no ties."""
    rng = np.random.default_rng(seed)
    # The better arm also writes more, and every arm now and then.
    logs = np.array(theta)[:, None] + rng.normal(8, 1, (len(theta), n_items))
    lengths = np.round(2**logs)
    rows = []
    for item in range(n_items):
        for a in range(len(theta)):
            for b in range(len(theta)):
                if a != b:
                    gap = theta[a] - theta[b]
                    gap += slope * np.log2(lengths[a, item] / lengths[b, item])
                    rows.append((item, a, b, float(rng.random() < 1 / (1 + np.exp(-gap)))))
    return made(rows, len(theta)), lengths


def fitted(found: Strengths | Refusal) -> Strengths:
    """Strengths that are there."""
    assert isinstance(found, Strengths)
    return found


def length(found: Strengths) -> Estimate:
    """What goes with twice the length."""
    one = found.covariates[0]
    assert isinstance(one, Estimate)
    return one


def test_it_is_the_logit_of_statsmodels_clustered_by_item() -> None:
    """Without ties the model is a logit: same coefficients, same sandwich."""
    data, lengths = judged(2, 30, [0.0, 0.6, 1.0], 0.5)
    found = fitted(length_controlled(data, lengths, order=True))
    eye = np.eye(3)
    gap = np.log2(lengths[data.first, data.item] / lengths[data.second, data.item])
    x = np.column_stack([(eye[data.first] - eye[data.second])[:, 1:], np.ones(gap.size), gap])
    other = sm.Logit(data.outcome, x).fit(
        disp=0, method="newton", maxiter=100, tol=1e-12, cov_type="cluster",
        cov_kwds={"groups": data.item, "use_correction": False, "df_correction": False},
    )  # fmt: skip
    assert isinstance(found.order, Estimate)
    mine = [*found.arms[1:], found.order, length(found)]
    assert [one.value for one in mine] == pytest.approx(other.params, abs=1e-9)
    # Each rests on the items that share its information, here of statsmodels' covariance.
    p = other.predict(x)
    rows = (p * (1 - p))[:, None, None] * x[:, :, None] * x[:, None, :]
    inverse = np.linalg.inv(rows.sum(axis=0))
    parts = np.array([
        np.diag(inverse @ rows[data.item == item].sum(axis=0) @ inverse) for item in range(30)
    ])  # fmt: skip
    n = parts.sum(axis=0) ** 2 / (parts**2).sum(axis=0)
    half = stats.t.ppf(0.975, n - 1) * other.bse * np.sqrt(n / (n - 1))
    assert [(one.high or 0) - one.value for one in mine] == pytest.approx(half, abs=1e-9)


def test_strengths_that_are_length_alone_become_nothing() -> None:
    """All is won by length, and longer arms look better: at equal length they do not."""
    rng = np.random.default_rng(7)
    data, lengths = judged(5, 400, [0.0, 0.0, 0.0], 0.8)
    lengths = lengths * 2 ** np.array([[0.0], [1.0], [2.0]])
    gap = 0.8 * np.log2(lengths[data.first, data.item] / lengths[data.second, data.item])
    outcome = (rng.random(gap.size) < 1 / (1 + np.exp(-gap))).astype(np.float64)
    data = Comparisons(
        item=data.item, first=data.first, second=data.second, outcome=outcome, n_arms=3
    )
    raw = fitted(bradley_terry(data, order=True))
    equal = fitted(length_controlled(data, lengths))
    assert raw.arms[2].value > 0.8
    assert (equal.arms[2].low or 0) < 0 < (equal.arms[2].high or 0)
    assert length(equal).value == pytest.approx(0.8, abs=0.1)


def test_a_unit_of_length_is_a_doubling() -> None:
    """Twice as long everywhere changes nothing: only ratios within an item count."""
    data, lengths = judged(3, 20, [0.0, 0.5], 0.3)
    one, other = (
        fitted(length_controlled(data, lengths)),
        fitted(length_controlled(data, 8 * lengths)),
    )
    assert length(one).value == pytest.approx(length(other).value, abs=1e-9)
    assert one.arms[1].value == pytest.approx(other.arms[1].value, abs=1e-9)


def test_ties_take_half_of_the_length() -> None:
    """With Davidson's ties it is the fit of `bradley_terry` with that covariate."""
    data = drawn(4, 15, [0.0, 0.7, 0.3], 0.2, -0.5)
    lengths = np.round(2 ** np.random.default_rng(4).normal(8, 1, (3, 15)))
    gap = np.log2(lengths[data.first, data.item] / lengths[data.second, data.item])
    found = fitted(length_controlled(data, lengths))
    other = fitted(bradley_terry(data, covariates=gap[:, None]))
    assert isinstance(found.ties, Estimate)
    assert isinstance(other.ties, Estimate)
    mine, theirs = ([*one.arms, length(one)] for one in (found, other))
    assert [one.value for one in mine] == pytest.approx([one.value for one in theirs], abs=1e-9)
    assert found.ties.value == pytest.approx(other.ties.value, abs=1e-9)


@pytest.mark.parametrize(
    ("items", "lengths", "code", "need"),
    [
        pytest.param(9, None, "too_few_items", 10, id="nine items"),
        pytest.param(12, [nan, 100, 100], "not_identified", 72, id="unknown"),
        pytest.param(12, [0, 0, 0], "not_identified", 72, id="no characters"),
        pytest.param(12, [100, 200, 300], "not_identified", 0.1, id="another name for the arm"),
    ],
)
def test_it_is_refused(items: int, lengths: list[float] | None, code: str, need: float) -> None:
    """Nine items, a length that is unknown, and lengths that are another name for the arm."""
    data, known = judged(6, items, [0.0, 0.4, 0.2], 0.2)
    if lengths:
        known = np.repeat(np.array(lengths, dtype=np.float64)[:, None], items, axis=1)
    found = length_controlled(data, known)
    assert isinstance(found, Refusal)
    assert (found.statistic, found.code, found.need) == ("length_control", code, need)


def test_arms_that_always_win_are_named_before_their_length() -> None:
    """Whatever the lengths are, no strength is finite."""
    rows = [(item, a, b, float(a < b)) for item in range(12) for a, b in ((0, 1), (1, 0))]
    found = length_controlled(made(rows, 2), np.full((2, 12), 100.0))
    assert isinstance(found, Refusal)
    assert found.code == "disconnected"


def test_shapes_that_do_not_fit_are_faults() -> None:
    """Another number of arms, or an item that has no column."""
    data, lengths = judged(6, 12, [0.0, 0.4, 0.2], 0.2)
    for wrong in (lengths[:2], lengths[:, :5]):
        with pytest.raises(ValueError, match="lengths of shape"):
            length_controlled(data, wrong)
