"""Ranks of the OECD's 37 countries in mathematics, PISA 2018: the example of csranks.

Scores and standard errors are those of the OECD; what must come out is what the vignette
"Inference for Ranks" of csranks 1.2.2 (Mogstad, Romano, Shaikh, Wilhelm 2024) prints or
says. csranks draws its critical values under normality and prints single intervals for
one country only; its simultaneous ones are a plot, so these are held by what is said of them.
"""

from functools import cache

import numpy as np

from judgebench.stats.arrays import FloatArray
from judgebench.stats.pairs import all_pairs
from judgebench.stats.ranks import RankInterval, possible_best, rank_intervals

# Country, score, standard error, rank as csranks prints it.
PISA = """
Australia 491.3600 1.9398 24
Austria 498.9423 2.9710 18
Belgium 508.0703 2.2627 10
Canada 512.0169 2.3575 7
Chile 417.4066 2.4159 35
Colombia 390.9323 2.9896 37
Czech_Republic 499.4677 2.4607 17
Denmark 509.3984 1.7350 8
Estonia 523.4146 1.7436 3
Finland 507.3014 1.9679 11
France 495.4076 2.3202 20
Germany 500.0438 2.6471 15
Greece 451.3703 3.0912 34
Hungary 481.0826 2.3196 30
Iceland 495.1874 1.9531 21
Ireland 499.6329 2.1986 16
Israel 463.0345 3.4986 32
Italy 486.5899 2.7800 25
Japan 526.9733 2.4715 1
Korea 525.9330 3.1214 2
Latvia 496.1263 1.9628 19
Lithuania 481.1912 1.9533 29
Luxembourg 483.4215 1.0976 27
Mexico 408.8015 2.4932 36
Netherlands 519.2310 2.6323 4
New_Zealand 494.4897 1.7059 22
Norway 500.9638 2.2190 14
Poland 515.6479 2.6021 5
Portugal 492.4874 2.6846 23
Slovak_Republic 486.1649 2.5556 26
Slovenia 508.8975 1.3639 9
Spain 481.3926 1.4625 28
Sweden 502.3877 2.6543 12
Switzerland 515.3147 2.9080 6
Turkey 453.5078 2.2604 33
United_Kingdom 501.7699 2.5644 13
United_States 478.2447 3.2354 31
"""
TOP_FIVE = {
    "Belgium", "Canada", "Denmark", "Estonia", "Finland", "Japan", "Korea", "Netherlands",
    "Poland", "Slovenia", "Sweden", "Switzerland",
}  # fmt: skip
"""Countries that may be among the best five with 95 %, as printed."""
_ROWS = [line.split() for line in PISA.split("\n") if line]
NAMES = [row[0] for row in _ROWS]
SCORES, ERRORS = (np.array([float(row[at]) for row in _ROWS]) for at in (1, 2))
ITEMS = 2_000
"""So many that Student's t is the normal distribution that csranks takes."""


def cells() -> FloatArray:
    """Independent countries whose means and standard errors are the published ones."""
    drawn = np.random.default_rng(2018).normal(size=(ITEMS, len(NAMES)))
    apart, _ = np.linalg.qr(drawn - drawn.mean(axis=0))
    units = apart.T * np.sqrt(ITEMS * (ITEMS - 1))
    return np.asarray(SCORES[:, None] + ERRORS[:, None] * units, dtype=np.float64)


@cache
def intervals(alpha: float = 0.05) -> dict[str, RankInterval]:
    """Simultaneous rank intervals by Holm's rule."""
    x = cells()
    ones = np.ones(x.shape, dtype=np.int64)
    rng = np.random.default_rng(1)
    table = all_pairs(x, ones, step=0.0, rng=rng, flips=False, alpha=alpha)
    found = {}
    for name, one in zip(NAMES, rank_intervals(table, n_arms=len(NAMES)), strict=True):
        assert isinstance(one, RankInterval)
        found[name] = one
    return found


def test_cells_carry_the_published_means_and_errors() -> None:
    """What the other tests rest on."""
    x = cells()
    assert np.allclose(x.mean(axis=1), SCORES)
    assert np.allclose(np.cov(x) / ITEMS, np.diag(ERRORS**2))


def test_the_last_three_overlap_with_nobody_else() -> None:
    """Said of Chile, Mexico and Colombia."""
    found = intervals()
    last = {name for name, one in found.items() if one.low >= 35}
    assert last == {"Chile", "Mexico", "Colombia"}
    assert all(one.high <= 34 for name, one in found.items() if name not in last)


def test_germany_and_korea_may_both_be_seventh() -> None:
    """Said of the simultaneous sets at 95 %."""
    for name in ("Germany", "Korea"):
        assert intervals()[name].low <= 7 <= intervals()[name].high, name


def test_countries_that_may_be_among_the_best_five_are_the_printed_ones() -> None:
    """Twelve with 95 %; with 90 % Sweden is the one that leaves."""
    assert {name for name, one in intervals().items() if one.low <= 5} == TOP_FIVE
    less = {name for name, one in intervals(0.1).items() if one.low <= 5}
    assert less == TOP_FIVE - {"Sweden"}


def test_the_simultaneous_interval_holds_the_printed_marginal_one() -> None:
    """The United Kingdom alone: 8 to 23."""
    one = intervals()["United_Kingdom"]
    assert (one.low <= 8, one.high >= 23) == (True, True)


def test_arms_that_may_be_best_are_among_the_best_five() -> None:
    """The set of the best is part of the set of the best five, and holds the first three."""
    x = cells()
    best = possible_best(x, np.ones(x.shape, dtype=np.int64), step=0.0)
    assert isinstance(best, tuple)
    names = {NAMES[at] for at in best}
    assert {"Japan", "Korea", "Estonia"} <= names <= TOP_FIVE
