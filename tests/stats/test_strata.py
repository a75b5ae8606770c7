"""Means from answers that were drawn by strata: exact where they must be, honest elsewhere."""

import numpy as np
import pytest

from benchmarks.coverage.people import stratified_coverage
from judgebench.model.nouns import Refusal
from judgebench.model.people import Corrected
from judgebench.stats.arrays import FloatArray
from judgebench.stats.corrected import corrected_mean
from judgebench.stats.strata import Stratum, stratified_mean, weighted_mean


def world(rng: np.random.Generator, n: int = 300) -> tuple[FloatArray, FloatArray]:
    """People and a compressed judge who is 0.8 too kind, over n answers."""
    people = rng.normal(6, 1.5, n)
    return people, 0.6 * people + 3.2 + rng.normal(0, 0.8, n)


def drawn(
    rng: np.random.Generator, y: FloatArray, f: FloatArray, each: tuple[int, ...]
) -> list[Stratum]:
    """Thirds of the judge's marks, so many labels in each."""
    out = []
    for members, n in zip(np.array_split(np.argsort(f), 3), each, strict=True):
        mine = rng.permutation(members)
        out.append(Stratum(y=y[mine[:n]], f=f[mine[:n]], u=f[mine[n:]]))
    return out


def test_one_stratum_is_the_plain_corrected_mean() -> None:
    """Nothing is added where there is nothing between strata."""
    rng = np.random.default_rng(1)
    y, f = world(rng)
    one = Stratum(y=y[:40], f=f[:40], u=f[40:])
    assert stratified_mean([one]) == corrected_mean(y[:40], f[:40], f[40:])


def test_unequal_chances_are_weighted() -> None:
    """Most labels in the lowest third: the plain mean is wrong, the weighted one is not."""
    rng = np.random.default_rng(2)
    plain, weighted, covered, runs = 0.0, 0.0, 0, 300
    for _ in range(runs):
        y, f = world(rng)
        strata = drawn(rng, y, f, (60, 12, 12))
        plain += float(np.concatenate([s.y for s in strata]).mean() - y.mean())
        weighted += (weighted_mean(strata) or 0.0) - float(y.mean())
        found = stratified_mean(strata)
        assert isinstance(found, Corrected)
        low, high = found.estimate.low, found.estimate.high
        assert low is not None
        assert high is not None
        covered += low < 6 < high
    assert plain / runs < -0.4
    assert abs(weighted / runs) < 0.05
    assert covered / runs > 0.9


def test_a_thin_stratum_is_refused_by_code() -> None:
    """Nine labels in one of three."""
    rng = np.random.default_rng(3)
    found = stratified_mean(drawn(rng, *world(rng), (20, 9, 20)))
    assert found == Refusal(
        statistic="corrected", code="too_few_items", have=9, need=10,
        how="labelled answers in each stratum of the draw",
    )  # fmt: skip


def test_no_label_and_no_spread_give_no_number() -> None:
    """An empty stratum has no weighted mean; constant marks have no interval."""
    empty = np.array([])
    flat = np.full(12, 5.0)
    assert weighted_mean([Stratum(y=empty, f=empty, u=flat)]) is None
    assert weighted_mean([]) is None
    found = stratified_mean([Stratum(y=flat, f=flat, u=flat)] * 2)
    assert isinstance(found, Refusal)
    assert found.code == "zero_spread"
    floored = stratified_mean([Stratum(y=flat, f=flat, u=flat)] * 2, floor=1 / 12)
    assert isinstance(floored, Corrected)
    assert floored.estimate.value == pytest.approx(5.0)


@pytest.mark.parametrize("each", [(10, 10, 10), (40, 10, 10)])
def test_means_by_strata_hold_the_truth(each: tuple[int, ...]) -> None:
    """Corrected intervals cover; the judge alone does not, nor unequal labels without weights."""
    found = stratified_coverage(each, answers=300, runs=400)
    assert found.corrected > 0.92
    assert found.judge_only < 0.05
    assert found.width < 1
    assert (found.unweighted < 0.3) == (each[0] == 40)
