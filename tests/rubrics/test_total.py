"""The arithmetic of a total: caps, weighted mean, gates, tier, what drops out."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgebench.model.collected import Ambiguity, Evidence, Item, Run, Settings, UseCase
from judgebench.model.deductions import Tier
from judgebench.model.nouns import Mark
from judgebench.model.reasons import Reason
from judgebench.model.rubric import Applies, Cap, Criterion, Gate, Rubric, Scale
from judgebench.rubrics.total import applicable, decide, tier, total, totals, won

IDS = ("a", "b", "c")


def rubric(
    weights: tuple[float, ...] = (2, 1, 1),
    *,
    gates: tuple[Gate, ...] = (),
    caps: tuple[Cap, ...] = (),
    tiers: tuple[Tier, ...] = (),
) -> Rubric:
    """Three criteria on 1 to 10."""
    return Rubric(
        name="r",
        version="1",
        scale=Scale(low=1, high=10),
        criteria=tuple(
            Criterion(id=i, text="?", weight=w) for i, w in zip(IDS, weights, strict=True)
        ),
        gates=gates,
        caps=caps,
        tiers=tiers,
    )


def given_marks(*marks: float | None) -> dict[str, Mark]:
    """Marks of the three criteria; None is blocked."""
    return {
        i: Mark(criterion=i, mark=m, blocked=Reason.JUDGE_REFUSED if m is None else None)
        for i, m in zip(IDS, marks, strict=True)
    }


def test_the_total_is_the_weighted_mean_on_the_scale() -> None:
    """(2·8 + 6 + 4) ÷ 4 = 6.5."""
    got = total(rubric(), given_marks(8, 6, 4), applicable=IDS)
    assert got.value == pytest.approx(6.5)
    assert got.uncapped == pytest.approx(6.5)
    assert (got.fired, got.tier, got.reweighted) == ((), None, False)


def test_caps_come_before_the_mean_and_gates_after() -> None:
    """The cap makes 8 to 5, the mean 4.25, the gate on the capped mark 4."""
    rules = rubric(
        caps=(Cap(criterion="b", below=4, target="a", cap=5),),
        gates=(Gate(criterion="a", below=6, cap=4),),
        tiers=(Tier(name="good", at_least=6), Tier(name="poor", at_least=1)),
    )
    got = total(rules, given_marks(8, 3, 4), applicable=IDS)
    assert got.value == 4
    assert got.uncapped == pytest.approx(5.75)
    assert got.fired == ("b below 4 holds a at 5", "a below 6 holds the total at 4")
    assert got.tier == "poor"


def test_a_gate_that_holds_nothing_down_has_not_fired() -> None:
    """A total that lies under the cap anyway is not called held."""
    rules = rubric(gates=(Gate(criterion="b", below=5, cap=7),))
    got = total(rules, given_marks(6, 4, 6), applicable=IDS)
    assert got.value == pytest.approx(5.5)
    assert got.fired == ()


def test_below_is_strict() -> None:
    """A mark at the border of a gate passes it."""
    rules = rubric(gates=(Gate(criterion="b", below=5, cap=2),))
    assert total(rules, given_marks(9, 5, 9), applicable=IDS).value == pytest.approx(8)
    assert total(rules, given_marks(9, 4, 9), applicable=IDS).value == 2


def test_of_two_gates_and_two_caps_the_lower_holds() -> None:
    """Order in the file means nothing; both are named."""
    gates = (Gate(criterion="b", below=5, cap=3), Gate(criterion="b", below=5, cap=4))
    caps = (
        Cap(criterion="b", below=5, target="a", cap=2),
        Cap(criterion="b", below=5, target="a", cap=7),
    )
    one = total(rubric(gates=gates, caps=caps), given_marks(9, 4, 10), applicable=IDS)
    other = total(rubric(gates=gates[::-1], caps=caps[::-1]), given_marks(9, 4, 10), applicable=IDS)
    assert one.value == other.value == 3
    assert len(one.fired) == 4
    assert sorted(one.fired) == sorted(other.fired)


def test_caps_look_at_marks_as_given() -> None:
    """A mark that a cap held down does not set off the next cap."""
    chain = (
        Cap(criterion="a", below=3, target="b", cap=2),
        Cap(criterion="b", below=3, target="c", cap=2),
    )
    got = total(rubric(caps=chain), given_marks(2, 9, 9), applicable=IDS)
    assert got.value == pytest.approx((4 + 2 + 9) / 4)


def test_a_blocked_mark_with_weight_leaves_no_total() -> None:
    """Its weight is not spread over the others."""
    got = total(rubric(), given_marks(8, None, 4), applicable=IDS)
    assert (got.value, got.uncapped, got.fired, got.tier) == (None, None, (), None)
    assert total(rubric(), {"a": given_marks(8, 1, 1)["a"]}, applicable=IDS).value is None


def test_a_blocked_mark_that_carries_a_number_is_still_blocked() -> None:
    """A number beside a reason is not used."""
    marks = given_marks(8, 6, 4)
    marks["b"] = Mark(criterion="b", mark=6, blocked=Reason.JUDGE_INVALID)
    assert total(rubric(), marks, applicable=IDS).value is None


def test_a_blocked_mark_without_weight_counts_only_for_rules() -> None:
    """Weight 0 is not missed in the mean, but a gate on it cannot be decided."""
    plain = rubric((1, 1, 0))
    gated = rubric((1, 1, 0), gates=(Gate(criterion="c", below=5, cap=3),))
    assert total(plain, given_marks(8, 6, None), applicable=IDS).value == pytest.approx(7)
    assert total(gated, given_marks(8, 6, None), applicable=IDS).value is None


def test_an_inapplicable_criterion_drops_out_and_the_total_says_so() -> None:
    """The others share its weight; its mark and its gate mean nothing."""
    rules = rubric(gates=(Gate(criterion="a", below=5, cap=2),))
    got = total(rules, given_marks(1, 6, 4), applicable=("b", "c"))
    assert got.value == pytest.approx(5)
    assert got.reweighted
    assert got.fired == ()


def test_nothing_that_counts_leaves_no_total() -> None:
    """With no criterion left, or only weightless ones, there is no number."""
    assert total(rubric(), given_marks(8, 6, 4), applicable=()).value is None
    assert total(rubric((1, 1, 0)), given_marks(8, 6, 4), applicable=("c",)).value is None


def test_a_weightless_criterion_that_drops_out_reweights_nothing() -> None:
    """Nothing was shared out, so nothing is said."""
    got = total(rubric((1, 1, 0)), given_marks(8, 6, 4), applicable=("a", "b"))
    assert not got.reweighted


def test_extreme_weights_neither_vanish_nor_overflow() -> None:
    """Weights near the ends of a double still make a mean."""
    huge = total(rubric((1e308, 1e308, 1e308)), given_marks(8, 6, 4), applicable=IDS)
    tiny = total(rubric((1e-308, 1e-308, 0)), given_marks(8, 6, 4), applicable=IDS)
    mixed = total(rubric((1e308, 1e-300, 1e-300)), given_marks(8, 6, 4), applicable=("b", "c"))
    assert huge.value == pytest.approx(6)
    assert tiny.value == pytest.approx(7)
    assert mixed.value == pytest.approx(5)


def test_tier_takes_the_highest_that_is_reached() -> None:
    """Rounding in the last bits does not cost a tier; under the lowest there is none."""
    rules = rubric(tiers=(Tier(name="good", at_least=7), Tier(name="fair", at_least=4)))
    assert tier(rules, 7.0) == "good"
    assert tier(rules, 7 - 1e-12) == "good"
    assert tier(rules, 6.99) == "fair"
    assert tier(rules, 3.0) is None
    assert tier(rules, None) is None
    assert tier(rubric(), 7.0) is None


def test_totals_refuses_arrays_that_do_not_fit() -> None:
    """A wrong shape is a programming fault."""
    with pytest.raises(ValueError, match=r"shape \(V, 3\)"):
        totals(rubric(), np.ones((2, 2)), np.ones((2, 2), dtype=np.bool_))
    with pytest.raises(ValueError, match=r"got \(3,\)"):
        totals(rubric(), np.ones(3), np.ones(3, dtype=np.bool_))


def test_totals_of_nothing_is_nothing() -> None:
    """No judgments give empty arrays, not an error."""
    got = totals(rubric(), np.ones((0, 3)), np.ones((0, 3), dtype=np.bool_))
    assert (got.value.shape, got.uncapped.shape, got.fired.shape) == ((0,), (0,), (0,))


points = st.one_of(st.none(), st.integers(1, 10))
rows = st.lists(st.tuples(points, points, points), min_size=1, max_size=6)
names = st.sampled_from(IDS)
gate = st.builds(Gate, criterion=names, below=st.integers(1, 10), cap=st.integers(1, 10))
cap = st.builds(
    Cap, criterion=names, below=st.integers(1, 10), target=names, cap=st.integers(1, 10)
)
weights = st.tuples(*[st.integers(0, 5)] * 3).filter(any)


@settings(max_examples=60, deadline=None)
@given(
    rows=rows,
    weights=weights,
    gates=st.lists(gate, max_size=2),
    caps=st.lists(cap, max_size=2),
    applies=st.sets(names),
)
def test_one_judgment_and_many_agree(
    rows: list[tuple[int | None, ...]],
    weights: tuple[int, ...],
    gates: list[Gate],
    caps: list[Cap],
    applies: set[str],
) -> None:
    """Both forms give the same totals, and they lie on the scale and below the uncapped."""
    rules = rubric(weights, gates=tuple(gates), caps=tuple(caps))
    marks = np.array([[np.nan if m is None else m for m in row] for row in rows])
    mask = np.tile([i in applies for i in IDS], (len(rows), 1))
    many = totals(rules, marks, mask)
    for v, row in enumerate(rows):
        one = total(rules, given_marks(*row), applicable=sorted(applies))
        assert (one.value is None) == np.isnan(many.value[v]) == np.isnan(many.uncapped[v])
        assert bool(one.fired) == many.fired[v]
        if one.value is not None and one.uncapped is not None:
            assert one.value == many.value[v]
            assert one.uncapped == many.uncapped[v]
            assert 1 <= one.value <= one.uncapped + 1e-9 <= 10 + 1e-9


@settings(max_examples=60, deadline=None)
@given(
    row=st.tuples(*[st.integers(1, 10)] * 3),
    weights=weights,
    factor=st.sampled_from([1e-6, 0.1, 3, 1e9]),
)
def test_only_the_proportion_of_weights_counts(
    row: tuple[int, ...], weights: tuple[int, ...], factor: float
) -> None:
    """Weights in per cent or in ounces make the same total."""
    one = total(rubric(weights), given_marks(*row), applicable=IDS)
    other = total(rubric(tuple(w * factor for w in weights)), given_marks(*row), applicable=IDS)
    assert other.value == pytest.approx(one.value)


def _run(*ambiguities: Ambiguity) -> Run:
    return Run(
        name="r",
        path=Path("r"),
        use_case=UseCase(key="k"),
        settings=Settings(),
        arms=(),
        items=("one", "two"),
        ambiguities=ambiguities,
    )


def test_applicable_is_settled_by_item_and_run() -> None:
    """Evidence, reference and declared ambiguity decide; the output is never asked."""
    rules = Rubric(
        name="r",
        version="1",
        scale=Scale(low=1, high=10),
        criteria=tuple(Criterion(id=a.value, text="?", applies=a) for a in Applies),
    )
    bare = Item(id="one", prompt="p")
    full = Item(id="two", prompt="p", evidence=(Evidence(name="e", text=""),), reference="")
    everywhere = Ambiguity(what="D1 to D9 are not defined")
    only_two = Ambiguity(what="D1 to D9 are not defined", items=("two",))
    assert applicable(rules, bare, _run()) == ("always",)
    assert applicable(rules, bare, _run(only_two)) == ("always",)
    assert applicable(rules, bare, _run(only_two, everywhere)) == ("always", "ambiguity")
    assert applicable(rules, full, _run(only_two)) == (
        "always",
        "evidence",
        "reference",
        "ambiguity",
    )


@pytest.mark.parametrize(
    ("shares", "value"),
    [
        ((1, 0, 0), 0.5),
        ((1, 0.5, 0), 1.0),
        ((0, 1, 1), 0.5),
        ((0, 1, 0.5), 0.0),
        ((0.5, 0.5, 0.5), 0.5),
        ((1, 1, 1), 1.0),
    ],
)
def test_a_comparison_is_decided_by_the_weight_won(shares: tuple[float, ...], value: float) -> None:
    """Weights 2, 1, 1: more than half of the weight wins, half of it is a tie."""
    marks = {
        name: Mark(criterion=name, mark=share) for name, share in zip(IDS, shares, strict=True)
    }
    found = won(rubric(), marks, applicable=IDS)
    assert found.value == value
    assert found.uncapped == pytest.approx(np.average(shares, weights=(2, 1, 1)))


def test_gates_caps_and_tiers_are_not_for_comparisons() -> None:
    """They speak of marks on the scale, and a share won is none."""
    strict = rubric(
        gates=(Gate(criterion="a", below=5, cap=2),),
        caps=(Cap(criterion="a", below=5, target="b", cap=3),),
        tiers=(Tier(name="good", at_least=1),),
    )
    marks = {name: Mark(criterion=name, mark=1.0) for name in IDS}
    found = won(strict, marks, applicable=IDS)
    assert (found.value, found.fired, found.tier) == (1.0, (), None)


def test_a_blocked_verdict_leaves_no_winner() -> None:
    """No other criterion takes its weight."""
    marks = {
        "a": Mark(criterion="a", mark=None, blocked=Reason.CANNOT_JUDGE),
        "b": Mark(criterion="b", mark=1.0),
        "c": Mark(criterion="c", mark=1.0),
    }
    assert won(rubric(), marks, applicable=IDS).value is None
    assert won(rubric(), marks, applicable=("b", "c")).value == 1.0


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=3, max_size=3))
@settings(max_examples=27)
def test_both_sides_of_a_comparison_say_the_same(shares: list[float]) -> None:
    """What one answer won the other lost, whatever the weights round to."""
    odd = rubric((0.1, 0.2, 0.3))
    one, other = (
        won(
            odd,
            {name: Mark(criterion=name, mark=s) for name, s in zip(IDS, side, strict=True)},
            applicable=IDS,
        ).value
        for side in (shares, [1 - share for share in shares])
    )
    assert one is not None
    assert other is not None
    assert one + other == 1


def test_decide_keeps_what_has_no_verdict() -> None:
    """NaN stays NaN; what is even but for rounding is a tie."""
    found = decide(np.array([np.nan, 0.5 + 1e-12, 0.51, 0.49]))
    assert np.isnan(found[0])
    assert found[1:].tolist() == [0.5, 1.0, 0.0]
