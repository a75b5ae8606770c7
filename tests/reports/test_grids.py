"""Grids as numbers: what is written in each cell, and what of a large run is drawn."""

import dataclasses
import math

from judgebench.model.exhibits import CellFact
from judgebench.model.result import Result
from judgebench.reports import grids, plots, tables
from judgebench.reports.digits import decimals, points
from judgebench.reports.plot_shapes import GridPlot
from judgebench.reports.svg import SHADES
from tests.reports import make
from tests.reports.make_exhibits import exhibits
from tests.reports.test_gold import partly_blocked


def drawn(found: GridPlot | None) -> GridPlot:
    """A grid that there must be."""
    assert found is not None
    return found


def armed(count: int) -> Result:
    """A result of so many arms."""
    return make.result(items=3, names=tuple(f"arm-{n}" for n in range(count)))


def cells(result: Result, items: int, step: float = 0.0) -> list[CellFact]:
    """Totals that lie further apart from item to item by a step."""
    return [
        CellFact(arm=arm.arm.id, item=f"item-{n}", total=5 + (step * n if at == 0 else 0))
        for n in range(items)
        for at, arm in enumerate(result.arms)
    ]


def test_each_cell_of_an_item_says_its_total_or_its_reason() -> None:
    """Totals in the digits of the scale, looks of the table, ``?`` where the output looks cut."""
    result = partly_blocked()
    facts = exhibits(result).cells
    plot = drawn(grids.items(result, facts))
    assert plot.rows == tuple(dict.fromkeys(one.item for one in facts))
    assert plot.columns == tuple(arm.arm.id for arm in result.arms)
    digits = decimals(result.scale_low, result.scale_high)
    for fact in facts:
        cell = plot.cells[plot.rows.index(fact.item)][plot.columns.index(fact.arm)]
        if fact.blocked:
            assert (cell.words, cell.look) == (fact.blocked, "blocked")
        else:
            assert cell.words == points(fact.total, digits) + "?" * fact.suspect
            assert cell.look in {f"h{n}" for n in range(7)}
    assert "(length 4): they are no low mark" in plot.marked
    assert "? looks cut" in plot.marked
    assert "Drawn are" not in plot.marked


def test_what_is_not_known_is_a_dash_without_a_shade() -> None:
    """No judgment yet, and what is no number, are told apart from a low mark."""
    result = make.result(items=3, names=("north", "harbour"))
    facts = [
        CellFact(arm="north", item="a", total=math.nan),
        CellFact(arm="harbour", item="a"),
        CellFact(arm="north", item="b", total=10.0),
    ]
    plot = drawn(grids.items(result, facts))
    known = [(one.words, one.look) for row in plot.cells for one in row]
    assert known == [("-", ""), ("-", ""), ("10.00", "h6"), ("-", "")]
    assert plot.marked.endswith("- has no mark.")
    assert grids.items(result, ()) is None


def test_of_many_items_those_are_drawn_on_which_arms_lie_furthest_apart() -> None:
    """They stand in the order of the run, and the caption says which they are."""
    result = armed(13)
    plot = drawn(grids.items(result, cells(result, 90, step=0.01)))
    assert plot.rows == tuple(f"item-{n}" for n in range(50, 90))
    assert plot.columns == tuple(arm.arm.id for arm in result.arms[:12])
    assert plot.marked.endswith(
        "Drawn are the 40 items of 90 on which arms lie furthest apart and the first 12 of 13 "
        "arms; the table below holds all."
    )


def test_of_more_items_than_are_held_the_caption_counts_all_of_the_run() -> None:
    """What is held is no number of items of the run."""
    result = armed(2)
    plot = drawn(grids.items(result, cells(result, 90, step=0.01), 1200))
    assert plot.marked.endswith(
        "Drawn are the 40 items of the first 90 (of 1,200) on which arms lie furthest apart; "
        "the table below holds the first 90 of 1,200 items."
    )


def test_of_many_items_that_are_alike_the_first_are_drawn() -> None:
    """Nothing is called furthest apart where nothing lies apart, or nothing is known."""
    result = armed(2)
    alike = cells(result, 41)
    blocked = [dataclasses.replace(one, total=None, blocked="length") for one in alike]
    for facts in (alike, blocked):
        plot = drawn(grids.items(result, facts))
        assert plot.rows == tuple(f"item-{n}" for n in range(40))
        assert "Drawn are the first 40 of 41 items; " in plot.marked


def test_criteria_have_the_figures_of_the_table() -> None:
    """A row an arm, a column a criterion; nothing is drawn where all is blocked."""
    result = partly_blocked()
    plot = drawn(grids.criteria(result))
    assert [[one.words for one in row] for row in plot.cells] == [
        list(tables.criteria(result, arm)) for arm in result.arms
    ]
    assert [[one.look for one in row] for row in plot.cells] == list(map(list, grids.heat(result)))
    assert plot.title == "Mean mark of each arm on each criterion"
    assert grids.criteria(make.all_blocked()) is None


def test_many_arms_and_criteria_are_drawn_in_part() -> None:
    """The first of each, in words."""
    whole = armed(41)
    names = tuple((f"criterion-{n}", "", 1.0) for n in range(13))
    arms = tuple(
        dataclasses.replace(
            arm,
            criteria=tuple(
                dataclasses.replace(arm.criteria[0], criterion=name) for name, _, _ in names
            ),
        )
        for arm in whole.arms
    )
    plot = drawn(grids.criteria(dataclasses.replace(whole, arms=arms, criteria=names)))
    assert (len(plot.rows), len(plot.columns)) == (40, 12)
    assert {len(row) for row in plot.cells} == {12}
    assert "Drawn are the first 40 of 41 arms and the first 12 of 13 criteria" in plot.marked


def test_shares_won_are_named_so() -> None:
    """Where outputs were compared no total is spoken of."""
    result = make.pairs()
    plot = drawn(grids.items(result, cells(result, 2)))
    assert plot.title == "Share won of each arm on each item"


def test_names_are_cut_by_the_room_that_they_take() -> None:
    """A sign as wide as two counts as two."""
    result = make.result(items=3, names=("n" * 300, "日" * 300))
    plot = drawn(grids.items(result, cells(result, 1)))
    assert plot.columns == ("n" * 23 + "…", "日" * 11 + "…")


def test_names_that_begin_alike_are_drawn_apart() -> None:
    """Arms whose names differ only at their end keep it, in grids and in plots of arms."""
    result = make.result(items=5, names=tuple("a-very-long-provider/model-of-" + n for n in "xyz"))
    columns = drawn(grids.items(result, cells(result, 1))).columns
    assert len(set(columns)) == 3
    totals = plots.totals(result)
    assert totals is not None
    assert {row.name for row in totals.rows} == set(columns)


def test_a_criterion_that_counts_nothing_is_shaded_on_its_own_range() -> None:
    """Parts of a published total: five of five is no low mark beside a total of a hundred."""
    result = make.result(items=3)
    (first, head, _), *rest = result.criteria
    small = tuple(
        dataclasses.replace(
            arm,
            criteria=tuple(
                dataclasses.replace(one, mean=one.mean and (one.mean / 2 + result.scale_low / 2))
                for one in arm.criteria
            ),
        )
        for arm in result.arms
    )
    names = [(first, head, 1.0), *((name, short, 0.0) for name, short, _ in rest)]
    beside = dataclasses.replace(result, arms=small, criteria=tuple(names))
    rows = grids.heat(beside)
    strongest = SHADES[-1]
    assert all(any(row[at] == strongest for row in rows) for at in range(1, len(names)))
    assert not any(row[0] == strongest for row in rows)
    assert "Criteria of weight 0 are shaded up to" in drawn(grids.criteria(beside)).marked
    assert "weight 0" not in drawn(grids.criteria(result)).marked
