"""The alternative annotator test: published toy vector, refusals, clusters."""

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from judgebench.model.nouns import Refusal
from judgebench.stats.alt_test import alt_test, benjamini_yekutieli
from judgebench.stats.arrays import FloatArray


def toy() -> tuple[FloatArray, FloatArray]:
    """Three people and a judge on 40 items, four labels."""
    i = np.arange(40)
    t = i % 4
    people = np.array(
        [t, np.where(i % 5 != 0, t, (t + 1) % 4), np.where(i % 3 != 0, t, (t + 2) % 4)]
    )
    return people.astype(float), np.where(i % 8 != 0, t, (t + 3) % 4).astype(float)


@pytest.mark.parametrize(
    ("epsilon", "omega", "p"),
    [
        (0.1, 1 / 3, (0.5, 0.020861, 0.000492)),
        (0.2, 1.0, (0.021992, 0.001011, 1.81858e-05)),
    ],
)
def test_toy_vector_is_reproduced(epsilon: float, omega: float, p: tuple[float, ...]) -> None:
    """Advantage probability, winning rate and p-values stand as in the reference values."""
    people, judge = toy()
    found = alt_test(people, judge, epsilon=epsilon, scoring="accuracy")
    assert not isinstance(found, Refusal)
    assert [round(row.judge_wins, 9) for row in found.people] == [0.9, 0.9, 0.925]
    assert [round(row.person_wins, 9) for row in found.people] == [1.0, 0.825, 0.7]
    assert [row.p for row in found.people] == pytest.approx(p, abs=5.1e-7)
    assert found.advantage == pytest.approx(0.908333, abs=1e-6)
    assert found.winning_rate == pytest.approx(omega)
    assert found.passes is (omega >= 0.5)


def test_the_smallest_p_of_the_toy_vector_is_met_to_its_last_digit() -> None:
    """1.81858e-05 at ε 0.2."""
    found = alt_test(*toy(), epsilon=0.2, scoring="accuracy")
    assert not isinstance(found, Refusal)
    assert found.people[2].p == pytest.approx(1.81858e-05, abs=5.1e-11)


@pytest.mark.parametrize("epsilon", [0.0, 0.05])
def test_a_small_epsilon_asks_for_more(epsilon: float) -> None:
    """At ε 0 and 0.05 one of three people is matched."""
    people, judge = toy()
    found = alt_test(people, judge, epsilon=epsilon, scoring="accuracy")
    assert not isinstance(found, Refusal)
    assert found.winning_rate == pytest.approx(1 / 3)


def test_benjamini_yekutieli_equals_statsmodels() -> None:
    """Adjusted p-values agree with an independent library."""
    p = np.random.default_rng(1).random(15)
    want = multipletests(p, method="fdr_by")[1]
    assert benjamini_yekutieli(p) == pytest.approx(want, abs=1e-12)


def test_copies_of_an_item_are_no_new_evidence() -> None:
    """Every item four times over gives the same p-values when items are named."""
    people, judge = toy()
    once = alt_test(people, judge, epsilon=0.2, scoring="accuracy")
    again = alt_test(
        np.tile(people, 4), np.tile(judge, 4), epsilon=0.2, scoring="accuracy",
        items=np.tile(np.arange(40), 4),
    )  # fmt: skip
    assert once == again


def test_a_closer_judge_wins_on_a_scale() -> None:
    """With −RMSE a judge at the centre of noisy people passes, one three points off does not."""
    rng = np.random.default_rng(3)
    truth = rng.uniform(3, 8, 60)
    people = truth + rng.normal(0, 1.5, (3, 60))
    near = alt_test(people, truth, epsilon=0.1)
    far = alt_test(people, truth + 3, epsilon=0.1)
    assert not isinstance(near, Refusal)
    assert not isinstance(far, Refusal)
    assert near.winning_rate == 1.0
    assert far.winning_rate == 0.0
    assert far.advantage < 0.3


def test_refusals_name_what_is_missing() -> None:
    """One person is no panel, and 29 items are too few."""
    people, judge = toy()
    one = alt_test(people[:1], judge, epsilon=0.1)
    few = alt_test(people[:, :29], judge[:29], epsilon=0.1)
    assert isinstance(one, Refusal)
    assert (one.code, one.have, one.need) == ("single_annotator", 1, 2)
    assert isinstance(few, Refusal)
    assert (few.code, few.have, few.need) == ("too_few_items", 29, 30)


def test_people_with_few_items_are_left_out_and_counted() -> None:
    """A third person with ten marks takes no part as the one left out."""
    people, judge = toy()
    people[2, 10:] = np.nan
    found = alt_test(people, judge, epsilon=0.2, scoring="accuracy")
    assert not isinstance(found, Refusal)
    assert found.left_out == 1
    assert [row.person for row in found.people] == ["1", "2"]


def test_equal_gaps_decide_without_dividing_by_zero() -> None:
    """A judge that always ties is not worse than any person by ε; at ε 0 it is not shown."""
    people = np.tile(np.arange(40.0) % 4, (2, 1))
    found = alt_test(people, people[0], epsilon=0.1, scoring="accuracy")
    at_zero = alt_test(people, people[0], epsilon=0.0, scoring="accuracy")
    assert not isinstance(found, Refusal)
    assert not isinstance(at_zero, Refusal)
    assert (found.winning_rate, at_zero.winning_rate) == (1.0, 0.0)


@pytest.mark.parametrize(("epsilon", "size"), [(1.0, 40), (-0.1, 40), (0.1, 39)])
def test_shapes_and_epsilon_are_checked(epsilon: float, size: int) -> None:
    """An ε outside of [0, 1) or other lengths are faults of the caller."""
    people, judge = toy()
    with pytest.raises(ValueError, match=r"epsilon|shape"):
        alt_test(people, judge[:size], epsilon=epsilon)
