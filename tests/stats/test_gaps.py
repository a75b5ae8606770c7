"""Differences of all pairs at once are those of each pair, and no pair costs a walk over all."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from judgebench.stats import gaps, pairs, ranks
from judgebench.stats.arrays import FloatArray

some_cells = hnp.arrays(
    np.float64, (5, 7), elements=st.sampled_from([1.0, 7.0, 7.1, 8.3, 10.0, np.nan])
)


@given(cells=some_cells, step=st.sampled_from([0.0, 0.5]))
def test_every_gap_is_that_of_its_pair(cells: FloatArray, step: float) -> None:
    """Items, mean, spread and floor are those of the shared differences, computed one by one."""
    reps = np.arange(1, cells.size + 1).reshape(cells.shape) % 3 + 1
    found = gaps.every_gap(cells, reps, step=step)
    there = [at for at in range(5) if np.isfinite(cells[at]).any()]
    keys = list(combinations(there, 2))
    assert list(zip(found.first.tolist(), found.second.tolist(), strict=True)) == keys
    for at, (a, b) in enumerate(keys):
        both = np.isfinite(cells[a]) & np.isfinite(cells[b])
        d = (cells[a] - cells[b])[both]
        assert found.n[at] == d.size
        assert found.mean[at] == pytest.approx(d.mean() if d.size else 0.0)
        floor = step**2 / 12 * (1 / reps[a] + 1 / reps[b])[both].mean() if d.size else 0.0
        assert found.floor[at] == pytest.approx(floor)
        least = max(d.var(ddof=1), floor) ** 0.5 if d.size > 1 else 0.0
        assert found.sd[at] == pytest.approx(least, abs=1e-7)
        one = gaps.shared_differences(cells[a], cells[b], reps[a], reps[b], step=step)
        assert (one.n, one.d.tolist()) == (d.size, d.tolist())
        assert one.se == pytest.approx(found.se[at])


@given(cells=some_cells, step=st.sampled_from([0.0, 0.5]))
def test_quick_gaps_are_those_of_every_gap(cells: FloatArray, step: float) -> None:
    """With gaps, single items and equal rows: nine digits, or none where rows are too close."""
    reps = np.arange(1, cells.size + 1).reshape(cells.shape) % 3 + 1
    found, exact = gaps.quick_gaps(cells, reps, step=step), gaps.every_gap(cells, reps, step=step)
    if found is None:
        spread = np.nanstd(cells, axis=1)[np.stack([exact.first, exact.second])].max(axis=0)
        assert np.any((exact.n > 1) & ((exact.sd < 0.01 * (1 + spread)) | (exact.floor > 0)))
        return
    for name in ("first", "second", "n", "mean", "sd", "floor"):
        assert getattr(found, name) == pytest.approx(getattr(exact, name), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("apart", [0.0, 1e-7, 1e-5])
def test_who_may_be_best_is_decided_by_exact_gaps_where_arms_hardly_differ(apart: float) -> None:
    """Products of sums lose the small difference of two arms; the arm below it leaves the set."""
    cells = np.random.default_rng(2).normal(5, 1, (3, 40))
    cells[1] = cells[0] - apart * (1 + np.arange(40) % 2)
    reps = np.ones(cells.shape, dtype=np.int64)
    assert gaps.quick_gaps(cells, reps, step=0) is None
    best = ranks.possible_best(cells[:2], reps[:2], step=0)
    assert best == ((0, 1) if apart == 0 else (0,))


def test_no_arm_has_no_gap() -> None:
    """Without two arms that have a cell there is no pair, and nothing is computed."""
    cells = np.array([[np.nan, np.nan], [1.0, 2.0]])
    found = gaps.every_gap(cells, np.ones(cells.shape, dtype=np.int64), step=1)
    assert (found.n.size, found.se.size, found.floored.size) == (0, 0, 0)


class Walked(tuple[pairs.Pair, ...]):
    """Pairs that count how often somebody walks over all of them."""

    __slots__ = ()
    walks: list[int] = []  # noqa: RUF012 - a tuple has no place of its own for it

    def __iter__(self) -> Iterator[pairs.Pair]:
        """Count one walk."""
        self.walks.append(1)
        return super().__iter__()


def test_a_pair_is_found_without_a_walk_over_all_pairs() -> None:
    """Asking for every pair, either way round, walks over the table once."""
    cells = np.arange(40.0).reshape(10, 4) % 7
    table = pairs.all_pairs(
        cells, np.ones(cells.shape, dtype=np.int64), step=1, rng=np.random.default_rng(1)
    )
    walked = pairs.PairTable(
        pairs=Walked(table.pairs), arms=table.arms, rule=table.rule, alpha=table.alpha,
        comparisons=table.comparisons,
    )  # fmt: skip
    Walked.walks.clear()
    for a, b in combinations(range(10), 2):
        straight, turned = walked.between(a, b), walked.between(b, a)
        assert straight is not None
        assert turned is not None
        assert (straight.first, straight.second, turned.first) == (a, b, b)
    assert walked.between(3, 3) is None
    assert len(Walked.walks) == 1


def test_hundreds_of_arms_are_compared() -> None:
    """300 arms are 44,850 pairs: all are there, Holm's rule decides, and the set of the best."""
    rng = np.random.default_rng(8)
    cells = rng.integers(1, 11, (300, 8)).astype(np.float64)
    cells[0], cells[299] = 10.0, 1.0
    reps = np.ones(cells.shape, dtype=np.int64)
    table = pairs.all_pairs(cells, reps, step=1, rng=rng)
    assert (len(table.pairs), table.rule) == (300 * 299 // 2, "holm-t")
    assert all(pair.p_max_t is None for pair in table.pairs)
    apart = table.between(299, 0)
    assert apart is not None
    assert apart.sign == -1
    best = ranks.possible_best(cells, reps, step=1)
    assert isinstance(best, tuple)
    assert 0 in best
    assert 299 not in best
