"""Plackett–Luce strengths from rankings."""

import choix
import numpy as np
import pytest

from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats import listwise
from judgebench.stats.arrays import FloatArray
from judgebench.stats.listwise import plackett_luce, unlinked_arms


def lists(seed: int, n: int, theta: list[float]) -> FloatArray:
    """Places drawn from the model: the order of utilities with Gumbel noise."""
    noise = np.random.default_rng(seed).gumbel(size=(n, len(theta)))
    return np.asarray((-(noise + theta)).argsort(axis=1).argsort(axis=1) + 1.0)


def values(found: tuple[Estimate, ...] | Refusal) -> list[float]:
    """Strengths."""
    assert isinstance(found, tuple)
    return [one.value for one in found]


def test_strengths_are_those_of_choix() -> None:
    """Whole lists without ties, where the other library goes on to the end."""
    places = lists(1, 40, [0.0, 0.5, 1.0, -0.4])
    found = values(plackett_luce(places, np.arange(40)))
    other = choix.ilsr_rankings(4, [tuple(row.argsort()) for row in places], tol=1e-14)
    assert found == pytest.approx(other - other[0], abs=1e-9)


def test_strengths_of_lists_with_other_arms_are_those_of_choix() -> None:
    """Each list leaves out one arm or none, in turn."""
    places = lists(2, 60, [0.0, 0.5, 1.0, -0.4])
    for at in range(4):
        places[at::5, at] = np.nan
    found = values(plackett_luce(places, np.arange(60)))
    ranked = [tuple(int(arm) for arm in row.argsort()[: np.isfinite(row).sum()]) for row in places]
    other = choix.ilsr_rankings(4, ranked, tol=1e-14)
    assert found == pytest.approx(other - other[0], abs=1e-9)


def test_a_list_of_two_is_a_comparison() -> None:
    """Seven wins of ten: the log odds."""
    places = np.array([[1.0, 2]] * 7 + [[2.0, 1]] * 3)
    assert values(plackett_luce(places, np.arange(10), reference=1)) == pytest.approx(
        [np.log(7 / 3), 0]
    )


def test_ties_draw_strengths_together_and_stay_blocks() -> None:
    """All tied: no difference, no error, so a refusal; some tied: nearer than without."""
    tied = plackett_luce(np.ones((8, 3)), np.arange(8))
    assert isinstance(tied, Refusal)
    assert tied.code == "zero_spread"
    places = lists(3, 40, [0.0, 1.0, 2.0])
    apart = values(plackett_luce(places, np.arange(40)))
    places[::2] = 1
    nearer = values(plackett_luce(places, np.arange(40)))
    assert 0 < nearer[2] < apart[2]


def test_arms_that_a_list_leaves_out_are_no_losers() -> None:
    """Arm 2 stands in every second list only, and keeps its strength."""
    places = lists(5, 600, [0.0, 0.5, 1.0])
    places[::2, 2] = np.nan
    found = values(plackett_luce(places, np.arange(600)))
    assert found[2] == pytest.approx(1.0, abs=0.25)


def test_errors_are_clustered_by_item() -> None:
    """Three copies of each list are no more items: the same interval, up to n / (n − 1)."""
    places, items = lists(2, 20, [0.0, 0.5, 1.0]), np.arange(20)
    once = plackett_luce(places, items)
    thrice = plackett_luce(np.repeat(places, 3, axis=0), np.repeat(items, 3))
    assert isinstance(once, tuple)
    assert isinstance(thrice, tuple)
    for one, other in zip(once[1:], thrice[1:], strict=True):
        assert one.low == pytest.approx(other.low)
        assert one.n == other.n == 20


@pytest.mark.parametrize(
    ("places", "code"),
    [
        (np.ones((9, 1)), "too_few_arms"),
        (np.array([[1.0, 2], [2, 1]] * 2), "too_few_items"),
        (np.array([[1.0, 2]] * 9), "disconnected"),
        (np.array([[1.0, 2, np.nan], [2, 1, np.nan]] * 4), "disconnected"),
        (np.array([[1.0, np.nan]] * 9), "too_few_items"),
    ],
)
def test_refused_with_its_code(places: FloatArray, code: str) -> None:
    """One arm, few items, an arm that never loses, an arm in no list, lists of one."""
    found = plackett_luce(places, np.arange(len(places)))
    if code == "too_few_arms":
        assert isinstance(found, Refusal)
        assert found.code in {code, "too_few_items"}
        return
    assert isinstance(found, Refusal)
    assert found.code == code


def test_wrong_shapes_are_the_callers_fault() -> None:
    """Items that do not fit, an arm that is none."""
    with pytest.raises(ValueError, match="places of shape"):
        plackett_luce(np.ones((3, 2)), np.arange(4))
    with pytest.raises(ValueError, match="no arm 5"):
        plackett_luce(np.ones((3, 2)), np.arange(3), reference=5)


def test_intervals_hold_the_strength_in_95_of_100() -> None:
    """Fifteen items of one list each: the t interval of the last arm."""
    hits = 0
    for seed in range(200):
        found = plackett_luce(lists(seed, 15, [0.0, 0.4, 0.8]), np.arange(15))
        if isinstance(found, tuple):
            last = found[2]
            assert last.low is not None
            assert last.high is not None
            hits += last.low <= 0.8 <= last.high
    assert hits >= 182


def test_many_lists_are_taken_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block of one list gives what one block of all gives."""
    places = lists(11, 30, [0.0, 0.4, 0.8])
    places[::3, 1] = np.nan
    whole = plackett_luce(places, np.arange(30))
    monkeypatch.setattr(listwise, "_CELLS", 9)
    assert values(plackett_luce(places, np.arange(30))) == pytest.approx(values(whole), abs=1e-12)


def test_unlinked_arms_are_the_groups_between_which_none_stood_both_ways() -> None:
    """Two that change places above one that is always last; a tie links."""
    places = np.array([[1.0, 2, 3], [2, 1, 3]])
    assert unlinked_arms(places) == ((0, 1), (2,))
    assert unlinked_arms(np.vstack([places, [1, 3, 3]])) == ((0, 1, 2),)
    refused = plackett_luce(np.tile(places, (4, 1)), np.arange(8))
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.have) == ("disconnected", 2)
