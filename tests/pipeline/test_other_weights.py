"""Other weights move the totals that are shown: with gates, caps and what applies to an item."""

from collections.abc import Sequence

import numpy as np
import pytest

from judgebench.model.nouns import Refusal
from judgebench.model.rubric import Cap, Criterion, Gate, Rubric, Scale
from judgebench.model.sensitivity import WeightSurvival
from judgebench.pipeline.figures import sensitive
from judgebench.pipeline.figures.marked import Marks, panel_of
from judgebench.stats.arrays import BoolArray, FloatArray

ITEMS = 12


def rubric(weights: Sequence[float] = (1, 1), **rules: tuple[Gate | Cap, ...]) -> Rubric:
    """A rubric on 1 to 10."""
    return Rubric(
        name="r", version="1", scale=Scale(low=1, high=10),
        criteria=tuple(Criterion(id=f"c{n}", text="?", weight=w) for n, w in enumerate(weights)),
        **rules,  # type: ignore[arg-type] # gates or caps, each of its own kind
    )  # fmt: skip


def drawn(criteria: int = 2, seed: int = 1) -> FloatArray:
    """Marks of two arms, two scorings each; the first a little better."""
    rng = np.random.default_rng(seed)
    found = rng.integers(3, 9, (2, ITEMS, criteria, 2)).astype(np.float64)
    found[0] += 1
    return np.asarray(found, dtype=np.float64)


def marks(given: FloatArray, of: Rubric, applies: BoolArray | None = None) -> Marks:
    """Marks under a rubric, every criterion on every item unless said."""
    every = np.ones((ITEMS, given.shape[2]), dtype=bool)
    return Marks(
        marks=given, rubric=of, applies=every if applies is None else applies,
        minimum=np.zeros((2, ITEMS), dtype=bool),
    )  # fmt: skip


def survival(found: Marks, placed: Sequence[bool] = (True, True)) -> WeightSurvival | Refusal:
    """The check of these marks."""
    out = sensitive.other_weights(
        found, ids=("north", "south"), placed=placed, step=1,
        firm=lambda _: np.ones((2, 2), dtype=np.bool_),
    )  # fmt: skip
    assert out is not None
    return out


GATE = (Gate(criterion="c0", below=6, cap=3),)
CAP = (Cap(criterion="c0", below=6, target="c1", cap=4),)


@pytest.mark.parametrize(
    "rules", [{}, {"gates": GATE}, {"caps": CAP}, {"gates": GATE, "caps": CAP}]
)
def test_the_weights_of_the_rubric_give_the_totals_that_are_shown(
    rules: dict[str, tuple[Gate | Cap, ...]],
) -> None:
    """Criteria that apply to some items alone, a mark missing in one scoring, a panel."""
    applies = np.ones((ITEMS, 2), dtype=bool)
    applies[:5, 1] = False
    given = drawn()
    given[:, :5, 1] = np.nan
    given[0, 7, 0, 1] = np.nan
    one = marks(given, rubric((2, 1), **rules), applies)
    other = marks(drawn(seed=2), rubric((2, 1), **rules), np.ones((ITEMS, 2), dtype=bool))
    for found in (one, other, panel_of([one, other])):
        assert found.weighed(np.array([2.0, 1.0])) == pytest.approx(found.cells, abs=1e-12)
        moved = found.weighed(np.array([1.6, 1.2]))
        assert moved != pytest.approx(found.cells, abs=1e-3)
        assert np.isfinite(moved).all()


def test_items_that_lack_a_criterion_stay_in_the_check() -> None:
    """No item has the second criterion, which does not apply: the check is of the first alone."""
    applies = np.ones((ITEMS, 3), dtype=bool)
    applies[:, 1] = False
    given = drawn(3)
    given[:, :, 1] = np.nan
    found = survival(marks(given, rubric((1, 1, 1)), applies))
    assert isinstance(found, WeightSurvival)
    assert (found.trials, found.together) == (8, True)


def test_a_gate_holds_under_every_weight() -> None:
    """South leads by marks, and a gate holds its totals down: it is best under no weights."""
    given = drawn()
    given[0, :, 0], given[0, :, 1] = 7, 6
    given[1, :, 0], given[1, :, 1] = 5, 9.5
    given += np.random.default_rng(3).choice([0.0, 0.5], given.shape)
    free, held = (survival(marks(given, rubric(gates=one))) for one in ((), GATE))
    assert isinstance(free, WeightSurvival)
    assert isinstance(held, WeightSurvival)
    assert "south" in free.ever
    assert (held.same, held.ever) == (held.trials, ("north",))


def test_more_criteria_than_go_together_move_one_at_a_time() -> None:
    """Eleven weights, down and up."""
    found = survival(marks(drawn(11), rubric([1] * 11)))
    assert isinstance(found, WeightSurvival)
    assert (found.trials, found.together) == (22, False)


def test_an_arm_without_a_place_is_named_under_no_weights() -> None:
    """It is in no set that is shown either."""
    found = survival(marks(drawn(), rubric()), placed=(False, True))
    assert isinstance(found, WeightSurvival)
    assert "north" not in found.ever


@pytest.mark.parametrize(
    ("weights", "finest"),
    [((1, 1), 0.5), ((2, 1), 1 / 3), ((1, 0), 1.0), ((0.3, 0.2, 0.1), 1 / 6), ((1.5, 1), 0.2)],
)
def test_totals_rest_on_the_lattice_that_their_weights_make(
    weights: tuple[float, ...], finest: float
) -> None:
    """No two totals of whole marks are nearer to each other, and some are as near."""
    of = rubric(weights)
    found = marks(np.ones((2, ITEMS, len(weights), 1)), of).finest(1.0)
    assert found == pytest.approx(finest)
    grid = np.stack(np.meshgrid(*[np.arange(1.0, 11)] * len(weights)), axis=-1)
    totals = np.unique(np.round(grid.reshape(-1, len(weights)) @ weights / sum(weights), 9))
    assert np.diff(totals).min() == pytest.approx(finest)
