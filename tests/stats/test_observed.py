"""Observed ranks: those of scipy, in the order of the table, refused on few items."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from judgebench.model.nouns import ObservedRank, Refusal
from judgebench.stats.arrays import FloatArray
from judgebench.stats.observed import observed_ranks
from judgebench.stats.ranks import table_order

nan = np.nan
any_cells = hnp.arrays(
    np.float64, (5, 6), elements=st.sampled_from([6.7, 7.1, 8.2, 9.4, 1 / 3, nan])
)


def ranked(cells: FloatArray, *, digits: int = 2) -> list[str]:
    """Each arm's rank as it is written, or its code."""
    found = observed_ranks(cells, table_order(cells), digits=digits)
    return [
        one.code if isinstance(one, Refusal) else f"{one.value}{'=' if one.tied else ''}"
        for one in found
    ]


def test_observed_ranks_are_competition_ranks_of_scipy() -> None:
    """Complete cells, ties among them: 1, 2, 2, 4 and so on."""
    rng = np.random.default_rng(3)
    for _ in range(40):
        cells = rng.integers(6, 9, (7, 5)).astype(np.float64)
        means = np.round(cells.mean(axis=1), 9)
        found = observed_ranks(cells, table_order(cells), digits=1)
        expected = stats.rankdata(-means, method="min")
        assert [one.value for one in found if isinstance(one, ObservedRank)] == expected.tolist()


def test_arms_within_the_shown_digits_share_a_rank() -> None:
    """8.004 and 8.00 are one total on the page, 8.01 is another; halves go up as pages round."""
    cells = np.array([[8.004] * 3, [8.0] * 3, [7.9] * 3, [8.005] * 3])
    assert ranked(cells) == ["2=", "2=", "4", "1"]
    assert ranked(cells, digits=1) == ["1=", "1=", "4", "1="]


def test_a_sum_of_tenths_is_no_other_total_than_its_decimal() -> None:
    """0.1 + 0.2 is not 0.3 in binary, and 2.675 lies below its decimal."""
    assert ranked(np.array([[0.1 + 0.2] * 3, [0.3] * 3])) == ["1=", "1="]
    assert ranked(np.array([[2.675] * 3, [2.68] * 3])) == ["1=", "1="]


def test_missing_items_are_taken_by_the_paired_difference() -> None:
    """The second has only the easy items: a higher mean, and yet a lower row and rank."""
    cells = np.array([[9.0, 9, 9, 5, 5, 5], [8.0, 8, 8, nan, nan, nan], [4.0] * 6])
    assert table_order(cells).order == (0, 1, 2)
    assert np.nanmean(cells[1]) > np.nanmean(cells[0])
    assert ranked(cells) == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("cells", "codes"),
    [
        ([[8.0, 7], [6, 5]], ["too_few_items"] * 2),
        ([[8.0, 7, 6]], ["too_few_arms"]),
        ([[8.0, 7, 6], [nan] * 3], ["too_few_arms", "nothing_scored"]),
        ([[nan] * 3, [nan] * 3], ["nothing_scored"] * 2),
        ([[8.0, 7, 6, nan], [nan, nan, nan, 9]], ["too_few_items"] * 2),
    ],
)
def test_observed_ranks_refuse(cells: list[list[float]], codes: list[str]) -> None:
    """Two items, one arm, nothing scored, nothing shared: no rank."""
    assert ranked(np.array(cells)) == codes


def test_an_arm_that_shares_two_items_has_no_rank_and_takes_its_place() -> None:
    """It stands between two others on the page: the lower one is third."""
    cells = np.array([[8.0] * 5, [7.0, 7, nan, nan, nan], [6.0] * 5])
    assert ranked(cells) == ["1", "too_few_items", "3"]


def test_three_items_of_two_clusters_are_two() -> None:
    """The cluster is the unit: no rank of two, as there is no interval of it; one of three."""
    cells = np.array([[8.0, 7, 6, 5], [6.0, 5, 4, 3]])
    order = table_order(cells)
    few = observed_ranks(cells, order, digits=2, clusters=np.array([0, 0, 1, 1]))
    assert [(one.code, one.have) for one in few if isinstance(one, Refusal)] == [
        ("too_few_clusters", 2)
    ] * 2
    three = observed_ranks(cells, order, digits=2, clusters=np.array([0, 0, 1, 2]))
    assert [one.value for one in three if isinstance(one, ObservedRank)] == [1, 2]


@given(any_cells)
def test_observed_ranks_never_turn_two_rows(cells: FloatArray) -> None:
    """Down the table a rank is the one above or a later one, and equal ranks say so."""
    order = table_order(cells)
    found = observed_ranks(cells, order, digits=2)
    shown = [one for at in order.order if isinstance(one := found[at], ObservedRank)]
    values = [one.value for one in shown]
    assert values == sorted(values)
    assert all(one.tied for one in shown if values.count(one.value) > 1)


def test_wrong_shapes_are_faults() -> None:
    """One axis, and fewer digits than none."""
    order = table_order(np.ones((2, 3)))
    with pytest.raises(ValueError, match="shape"):
        observed_ranks(np.ones(3), order, digits=2)
    with pytest.raises(ValueError, match="digits"):
        observed_ranks(np.ones((2, 3)), order, digits=-1)
