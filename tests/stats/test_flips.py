"""Sign flips: of one difference against scipy, of a family against plain enumeration."""

from itertools import islice

import numpy as np
import pytest
from scipy import stats

from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats.arrays import FloatArray
from judgebench.stats.flips import max_t, sign_blocks, sign_flip


def rng() -> np.random.Generator:
    """Make a generator with a fixed seed."""
    return np.random.default_rng(11)


def test_sign_flip_refuses_five_items() -> None:
    """The smallest p at five is 0.0625: it can decide nothing."""
    found = sign_flip(np.array([1.0, 2, 3, 4, 5, np.nan]), rng())
    assert isinstance(found, Refusal)
    assert (found.code, found.have, found.need) == ("too_few_items", 5, 6)


@pytest.mark.parametrize("n", [6, 9, 12])
def test_sign_flip_equals_scipy_s_exact_test(n: int) -> None:
    """All 2^N flips."""
    d = np.round(np.random.default_rng(n).normal(0.4, 1, n), 2)
    found = sign_flip(d, rng())

    def statistic(x: FloatArray, axis: int) -> FloatArray:
        return np.asarray(x.mean(axis=axis))

    expected = stats.permutation_test(
        (d,), statistic, permutation_type="samples", n_resamples=2**n, vectorized=True
    )
    assert isinstance(found, Estimate)
    assert found.p == pytest.approx(expected.pvalue, abs=1e-12)


def test_sign_flip_of_equal_tenths_counts_all_flips_that_tie() -> None:
    """0.1 six times: only the two flips without a turn reach the sum, p = 2/64."""
    found = sign_flip(np.full(6, 0.1), rng())
    assert isinstance(found, Estimate)
    assert found.p == 2 / 64
    nothing = sign_flip(np.zeros(6), rng())
    assert isinstance(nothing, Estimate)
    assert nothing.p == 1


def test_sign_flip_draws_above_sixteen_items_and_never_says_zero() -> None:
    """Twenty equal gaps: exact p is 2^−19, the draws give at least 1/20001."""
    found = sign_flip(np.ones(20), rng())
    assert isinstance(found, Estimate)
    assert found.p is not None
    assert 1 / 20001 <= found.p < 0.001


def test_max_t_equals_a_plain_enumeration() -> None:
    """Three pairs, seven items with a gap: all 128 flips, step-down by hand."""
    d = np.random.default_rng(5).normal([[0.9], [0.2], [-0.6]], 1, (3, 7))
    d[1, 2] = np.nan
    floors = np.full(3, 1 / 6)
    found = max_t(d, floors, rng())
    assert not isinstance(found, Refusal)

    def t_of(x: FloatArray) -> FloatArray:
        out = []
        for row, floor in zip(x, floors, strict=True):
            v = row[np.isfinite(row)]
            out.append(abs(v.mean()) / (max(v.var(ddof=1), floor) / v.size) ** 0.5)
        return np.array(out)

    observed = t_of(d)
    flips = np.array([[1 - 2 * ((c >> i) & 1) for i in range(7)] for c in range(128)])
    null = np.array([t_of(d * e) for e in flips])
    order = np.argsort(-observed)
    expected, last = np.empty(3), 0.0
    for i, h in enumerate(order):
        p = np.mean(null[:, order[i:]].max(axis=1) >= observed[h] - 1e-9)
        last = expected[h] = max(last, p)
    assert found == pytest.approx(expected, abs=1e-12)


def test_max_t_of_one_pair_on_many_items_is_close_to_student() -> None:
    """Forty items, normal differences: drawn p within Monte-Carlo error of the t test."""
    d = np.random.default_rng(8).normal(0.3, 1, (1, 40))
    found = max_t(d, np.zeros(1), rng())
    assert not isinstance(found, Refusal)
    assert found[0] == pytest.approx(stats.ttest_1samp(d[0], 0).pvalue, abs=0.01)


@pytest.mark.parametrize("n", [17, 40, 1001, 70_000])
def test_drawn_signs_are_fair_coins_that_know_nothing_of_each_other(n: int) -> None:
    """As many of each sign, in every column and between neighbours, within Monte-Carlo error."""
    blocks = list(islice(sign_blocks(n, rng()), 4))
    assert all(set(np.unique(one)) == {-1.0, 1.0} for one in blocks)
    signs = np.concatenate(blocks)
    assert signs.shape[1] == n
    assert abs(signs.mean()) < 5 / signs.size**0.5
    assert abs((signs[:, 1:] * signs[:, :-1]).mean()) < 5 / signs.size**0.5
    assert abs((signs[1:] * signs[:-1]).mean()) < 5 / signs.size**0.5
    assert np.abs(signs.mean(axis=0)).max() < 6 / len(signs) ** 0.5


@pytest.mark.parametrize(
    ("d", "code"),
    [
        (np.zeros((0, 8)), "too_few_arms"),
        (np.array([[1.0, 2, 3, 4, 5, np.nan]]), "too_few_items"),
        (np.ones((1, 6)) * 0.1, "zero_spread"),
    ],
)
def test_max_t_refuses(d: FloatArray, code: str) -> None:
    """No pair; five items; equal differences without a floor."""
    found = max_t(d, np.zeros(d.shape[0]), rng())
    assert isinstance(found, Refusal)
    assert found.code == code
