"""Slopes beside arm and item effects: the right slope, the right error, or none."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from judgebench.stats.arrays import FloatArray
from judgebench.stats.effects import Rows, regressor_spread, slopes

NAN = np.nan


def rows(seed: int = 3, items: int = 12, arms: int = 4) -> Rows:
    """A grid with arm and item effects, two regressors and one hole."""
    rng = np.random.default_rng(seed)
    shape = (items, arms)
    x = rng.normal(size=(2, *shape))
    y = 0.5 * x[0] - 0.2 * x[1] + rng.normal(size=arms) + rng.normal(size=(items, 1))
    y += rng.normal(0, 0.3, size=shape)
    y[2, 1] = NAN
    return Rows(y=y, x=x, arm=np.broadcast_to(np.arange(arms), shape))


def test_the_slope_is_that_of_a_model_with_dummies() -> None:
    """Centring within items changes nothing (statsmodels, with every effect as a column)."""
    data = rows()
    there = data.there
    item = np.broadcast_to(np.arange(12)[:, None], data.y.shape)[there]
    columns = [
        data.x[0][there],
        data.x[1][there],
        *(1.0 * (item == i) for i in range(12)),
        *(1.0 * (data.arm[there] == a) for a in range(1, 4)),
    ]
    fit = sm.OLS(data.y[there], np.column_stack(columns)).fit()
    found = slopes(data)
    assert found is not None
    assert [one.effect.value for one in found] == pytest.approx(fit.params[:2].tolist(), rel=1e-9)
    assert [one.effect.n for one in found] == [12, 12]


def centred(data: Rows, i: int) -> FloatArray:
    """Regressors and arms of one item, less their means over it."""
    part = np.column_stack(
        [data.x[0][i], data.x[1][i], *(1.0 * (data.arm[i] == a) for a in range(1, 4))]
    )[data.there[i]]
    return np.asarray(part - part.mean(axis=0), dtype=np.float64)


def test_the_error_is_cr2_of_the_centred_model() -> None:
    """By hand: residuals of each item times (I − H)^(−1/2), one item at a time."""
    data = rows()
    z, y, cluster = [], [], []
    for i in range(12):
        there = data.there[i]
        z.append(centred(data, i))
        y.append(data.y[i][there] - data.y[i][there].mean())
        cluster += [i] * int(there.sum())
    zz = np.vstack(z)
    bread = np.linalg.inv(zz.T @ zz)
    beta = bread @ zz.T @ np.concatenate(y)
    meat = np.zeros_like(bread)
    for part, values in zip(z, y, strict=True):
        w, v = np.linalg.eigh(np.eye(len(part)) - part @ bread @ part.T)
        root = v @ np.diag(np.where(w > 1e-9, 1 / np.sqrt(np.maximum(w, 1e-9)), 0)) @ v.T
        score = part.T @ root @ (values - part @ beta)
        meat += np.outer(score, score)
    se = np.sqrt(np.diag(bread @ meat @ bread))[:2]
    found = slopes(data)
    assert found is not None
    assert [one.se for one in found] == pytest.approx(se.tolist(), rel=1e-9)


def test_the_degrees_of_freedom_are_those_of_the_whole_matrix() -> None:
    """Satterthwaite by brute force: every item's weights through I − H of all marks at once."""
    data = rows()
    z, cluster = [], []
    for i in range(12):
        there = data.there[i]
        z.append(centred(data, i))
        cluster += [i] * int(there.sum())
    zz, of = np.vstack(z), np.array(cluster)
    bread = np.linalg.inv(zz.T @ zz)
    rest = np.eye(len(zz)) - zz @ bread @ zz.T
    dummies = 1.0 * (of[:, None] == np.arange(12))
    rest = rest - dummies @ np.linalg.inv(dummies.T @ dummies) @ dummies.T
    found = slopes(data)
    assert found is not None
    for at, one in enumerate(found):
        g = []
        for i in range(12):
            part = zz[of == i]
            w, v = np.linalg.eigh(np.eye(len(part)) - part @ bread @ part.T)
            root = v @ np.diag(np.where(w > 1e-9, 1 / np.sqrt(np.maximum(w, 1e-9)), 0)) @ v.T
            g.append(rest[:, of == i] @ root @ part @ bread[:, at])
        b = np.stack(g) @ np.stack(g).T
        df = float(np.trace(b)) ** 2 / float((b**2).sum())
        assert df < 11
        assert one.effect.low is not None
        assert one.effect.high is not None
        half = (one.effect.high - one.effect.low) / 2
        assert half == pytest.approx(stats.t.ppf(0.975, df) * one.se, rel=1e-9)


def test_a_regressor_that_is_the_arm_has_no_slope() -> None:
    """Nothing is left of it beside the arm effects."""
    data = rows()
    same = Rows(y=data.y, x=np.asarray(data.arm, dtype=np.float64)[None], arm=data.arm)
    assert regressor_spread(same)[0] == pytest.approx(0, abs=1e-9)
    assert slopes(same) is None


def test_no_error_is_no_certainty() -> None:
    """Marks that follow the regressor exactly give no interval of width 0."""
    data = rows()
    assert slopes(Rows(y=2 * data.x[0], x=data.x[:1], arm=data.arm)) is None


def test_items_with_one_mark_tell_nothing() -> None:
    """They are left out; with nothing left there is nothing to say."""
    y = np.full((3, 2), NAN)
    y[:, 0] = 1.0
    data = Rows(y=y, x=np.ones((1, 3, 2)), arm=np.zeros((3, 2), dtype=np.int64))
    assert slopes(data) is None
    assert regressor_spread(data).tolist() == [0.0]


def test_unequal_shapes_are_a_mistake_of_the_caller() -> None:
    """Not of the user."""
    with pytest.raises(ValueError, match="shape"):
        Rows(y=np.ones((3, 2)), x=np.ones((1, 2, 2)), arm=np.zeros((3, 2), dtype=np.int64))
