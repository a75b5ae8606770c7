"""Plots as numbers: ends of axes, shades, bars, and when there is nothing to draw."""

import dataclasses
import math

import pytest

from judgebench.model.exhibits import MarkCount
from judgebench.model.nouns import Estimate
from judgebench.model.result import Result
from judgebench.reports import plots
from judgebench.reports.plot_rows import part
from tests.reports import make, make_audit
from tests.reports.test_gold import partly_blocked


def test_shades_follow_the_scale() -> None:
    """Seven steps from the lowest to the highest mark, none without a value."""
    assert [plots.shade(mark, 1, 10) for mark in (1, 5.5, 10, 99)] == ["h0", "h3", "h6", "h6"]
    assert plots.shade(None, 1, 10) == ""
    assert plots.shade(math.nan, 1, 10) == ""
    assert plots.shade(3, 3, 3) == ""


def test_totals_stand_in_the_order_of_the_table() -> None:
    """One row an arm, points inside their intervals, the possible best marked."""
    result = partly_blocked()
    plot = plots.totals(result)
    assert plot
    assert [row.name for row in plot.rows] == [arm.arm.id for arm in result.arms]
    for row in plot.rows:
        assert row.value is not None
        assert row.low is not None
        assert row.high is not None
        assert plot.low <= row.low < row.value < row.high <= plot.high
    assert [row.best for row in plot.rows] == [True, True, False, False, False]
    assert [row.words for row in plot.rows][:3] == [
        "may be best, 8.50",
        "may be best, 8.35",
        "not placed, 8.20",
    ]
    assert "diamond" in plot.marked
    assert "north: may be best, 8.50" in plot.desc


def test_a_mean_without_an_interval_is_a_hollow_sign() -> None:
    """Two items give a mean: it is on the axis, hollow, and the legend says what that means."""
    whole = make.result(items=5)
    *others, last = whole.arms
    thin = dataclasses.replace(last, mean=1.5, answered=2, total=make.refused("total", have=2))
    plot = plots.totals(dataclasses.replace(whole, arms=(*others, thin)))
    assert plot
    row = plot.rows[-1]
    assert row.open
    assert row.value == 1.5
    assert (row.low, row.high) == (None, None)
    assert plot.low <= 1.5
    assert "hollow" in plot.marked
    assert not any(one.open for one in plot.rows[:-1])


def test_an_arm_without_an_interval_keeps_its_row() -> None:
    """No point and no line stand where there is no interval, but the reason."""
    whole = make.result(items=5)
    north, *others = whole.arms
    lost = dataclasses.replace(
        make.blocked_arm("lost"), difference=make.refused("difference", code="unequal_items")
    )
    result = dataclasses.replace(whole, arms=(north, lost, *others))
    plot = plots.totals(result)
    assert plot
    assert (plot.rows[1].value, plot.rows[1].low, plot.rows[1].words) == (None, None, "no marks")
    gaps = plots.differences(result)
    assert gaps
    assert gaps.rows[1].words == "no marks"
    alone = dataclasses.replace(others[0], difference=make.refused("difference"))
    gaps = plots.differences(dataclasses.replace(whole, arms=(north, alone, *others[1:])))
    assert gaps
    assert (gaps.rows[1].value, gaps.rows[1].words) == (None, "may be best, no interval")


@pytest.mark.parametrize("items", [1, 2])
def test_nothing_is_drawn_that_the_data_cannot_carry(items: int) -> None:
    """One or two items have no intervals and no differences."""
    result = make.result(items=items)
    assert plots.totals(result) is None
    assert plots.differences(result) is None


def test_differences_stand_around_zero() -> None:
    """The reference stands on the zero line, without a width, and is marked as the others are."""
    plot = plots.differences(make.result(items=5))
    assert plot
    (own,) = (row for row in plot.rows if row.name == "north")
    assert (own.value, own.low, own.high, own.best) == (0.0, 0.0, 0.0, True)
    assert own.words == "may be best, reference"
    assert plot.zero
    assert "to compare arms by" in plot.reading
    assert plot.low < 0 < plot.high


def test_an_arms_own_interval_says_that_it_is_not_for_comparing() -> None:
    """Drawn pale, with a note; a worst-case bound is named as one, and the plot that compares."""
    whole = partly_blocked()
    plot = plots.totals(whole)
    assert plot
    assert plot.faint
    assert "do not mean" in plot.note
    assert "not for comparing arms" in plot.reading
    assert "Differences" in plot.reading
    kinds = [
        dataclasses.replace(
            whole,
            arms=tuple(
                dataclasses.replace(arm, total=dataclasses.replace(arm.total, kind=kind))
                for arm in whole.arms
                if isinstance(arm.total, Estimate)
            ),
        )
        for kind in ("t", "bounded")
    ]
    readings = [made.reading for made in map(plots.totals, kinds) if made]
    assert ["a worst-case bound" in one for one in readings] == [False, True]
    one = dataclasses.replace(whole, arms=whole.arms[:1])
    alone = plots.totals(one)
    assert alone
    assert not alone.note


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ((1, 10), ""),
        ((4.5, 10), "; the axis does not begin at 1"),
        ((1, 9), "; the axis does not end at 10"),
        ((4.5, 9), "; the axis does not begin at 1 or end at 10"),
        # Drawn on by a margin, both ends are there.
        ((1.1, 9.9), ""),
    ],
)
def test_an_axis_of_a_part_of_the_scale_says_so(ends: tuple[float, float], said: str) -> None:
    """In words of the scale's own marks."""
    assert part(ends, (1, 10)) == said


def test_a_hair_of_data_does_not_fill_the_axis() -> None:
    """Intervals of no width span at most a tenth of the scale's range around them."""
    whole = make.result(items=5)
    tight = tuple(
        dataclasses.replace(
            arm, mean=9.999, total=Estimate(value=9.999, n=5, low=9.999, high=9.999)
        )
        for arm in whole.arms
    )
    plot = plots.totals(dataclasses.replace(whole, arms=tight))
    assert plot
    assert plot.high - plot.low == pytest.approx(0.9)
    assert plot.high <= 10


def spread(whole: Result, *, cost: float = 0.05) -> Result:
    """The same where each arm took more than the one before it."""
    return dataclasses.replace(
        whole,
        arms=tuple(
            dataclasses.replace(
                arm,
                context=dataclasses.replace(
                    arm.context, cost_usd=cost * at, wall_s=5.0 * at, chars=100.0 * at
                ),
            )
            for at, arm in enumerate(whole.arms, start=1)
        ),
    )


def test_cost_and_seconds_need_two_arms_that_know_them() -> None:
    """Unknown cost leaves the plot of seconds alone; without both there is none."""
    whole = spread(make.result(items=5))
    free = tuple(
        dataclasses.replace(arm, context=dataclasses.replace(arm.context, cost_usd=None))
        for arm in whole.arms
    )
    only = plots.context(dataclasses.replace(whole, arms=free))
    assert [plot.key for plot in only] == ["seconds", "characters"]
    assert plots.context(make.all_blocked()) == ()


def test_what_is_the_same_for_all_arms_is_said_and_not_drawn() -> None:
    """Also where it differs by less than amounts are written with."""
    whole = make.result(items=5)
    assert [plot.key for plot in plots.context(whole)] == ["seconds"]
    said = plots.undrawn(whole)
    assert "as it is $0.03 for every arm with a mean: cost of all its answers (USD)." in said
    assert "as it is 2960 for every arm with a mean: characters an answer (median)." in said
    tiny = spread(whole, cost=0.001)
    assert [plot.key for plot in plots.context(tiny)] == ["seconds", "characters"]
    assert "under $0.01 for every arm" in plots.undrawn(tiny)
    assert plots.undrawn(spread(whole)) == ""
    assert plots.undrawn(dataclasses.replace(whole, arms=whole.arms[:1])) == ""


def test_signs_mean_the_same_under_every_plot() -> None:
    """What is not placed, or has no interval, is in the legend of a scatter plot as of rows."""
    *others, last = partly_blocked().arms
    thin = dataclasses.replace(last, mean=1.5, answered=2, total=make.refused("total", have=2))
    result = spread(dataclasses.replace(partly_blocked(), arms=(*others, thin)))
    rows = plots.totals(result)
    assert rows
    drawn = plots.context(result)
    assert [plot.money for plot in drawn] == [True, False, False]
    for plot in drawn:
        assert plot.marked == rows.marked
        assert "No intervals are drawn here" in plot.reading
        assert [spot.unplaced for spot in plot.spots] == [row.unplaced for row in rows.rows]
        assert [spot.open for spot in plot.spots] == [row.open for row in rows.rows]


def counts(*marks: float, judge: str = "one") -> list[MarkCount]:
    """Marks on one criterion, the first once, the second twice."""
    return [
        MarkCount(judge=judge, criterion="clarity", mark=mark, count=n)
        for n, mark in enumerate(marks, start=1)
    ]


def test_whole_marks_have_a_bar_each() -> None:
    """Marks of the scale that were never given keep their place."""
    (plot,) = plots.marks(make.result(), counts(7, 8))
    assert [bar.label for bar in plot.bars] == [str(mark) for mark in range(1, 11)]
    assert [bar.count for bar in plot.bars if bar.count] == [1, 2]
    assert plot.desc.endswith("7: 1, 8: 2.")


def test_odd_and_many_marks_are_counted_all() -> None:
    """Half marks have bars of their own; hundreds of marks stand in twenty spans."""
    (halves,) = plots.marks(make.result(), counts(7.5, 8, math.inf))
    assert [bar.label for bar in halves.bars] == ["7.5", "8"]
    wide = make.result(scale_low=0, scale_high=100)
    (many,) = plots.marks(wide, [one for n in range(100) for one in counts(n + 0.5)])
    assert len(many.bars) == 20
    assert "0: 5, 5: 5" in many.desc


def test_marks_that_are_parts_of_a_total_end_at_their_own_maximum() -> None:
    """A criterion of 25 points in a total of 100: spans of whole marks up to 25."""
    whole = make_audit.audited()
    assert whole.scale_high == 100
    assert whole.audit is not None
    criterion = whole.audit.projects[0].marks[0].criterion
    given = [
        MarkCount(judge="one", criterion=criterion, mark=float(mark), count=1) for mark in range(26)
    ]
    (plot,) = plots.marks(whole, given)
    assert [bar.label for bar in plot.bars] == [str(mark) for mark in range(0, 26, 2)]
    assert [bar.count for bar in plot.bars] == [2] * 13


def test_each_judge_has_its_own_marks() -> None:
    """Two judges give two plots that name them."""
    found = plots.marks(make.result(), [*counts(7), *counts(8, judge="two")])
    assert [plot.title for plot in found] == [
        "Marks on clarity, one: 1 mark",
        "Marks on clarity, two: 1 mark",
    ]


def test_plots_of_marks_share_a_scale_and_say_what_they_hold() -> None:
    """The greatest share of all of them ends the axis of each; the lead names arms and unit."""
    found = plots.marks(make.result(), [*counts(7, 8, 9), *counts(8, judge="two")])
    assert [plot.most for plot in found] == [1.0, 1.0]
    assert [plot.total for plot in found] == [6, 1]
    assert plots.of_marks(found) == (
        "How often each mark was given, all arms together, in % of the marks of its plot; "
        "all plots have one scale."
    )
    assert plots.of_marks(()) == ""


def test_a_verdict_is_drawn_once_and_by_its_name() -> None:
    """Not as the two marks of the outputs compared, which mirror each other."""
    given = [
        MarkCount(judge="one", criterion="overall", mark=mark, count=count, verdict=verdict)
        for mark, count, verdict in (
            (1.0, 20, "first better"),
            (0.5, 6, "tie"),
            (0.0, 10, "second better"),
        )
    ]
    (plot,) = plots.marks(make.result(), given)
    assert [(bar.label, bar.count) for bar in plot.bars] == [
        ("first better", 20), ("tie", 6), ("second better", 10),
    ]  # fmt: skip
    assert plot.title == "Verdicts on overall: 36 verdicts"
    assert "each verdict counted once" in plots.of_marks([plot])
    sides = [dataclasses.replace(one, verdict="one better") for one in given if one.mark != 0.5]
    (either,) = plots.marks(make.result(), sides)
    assert [(bar.label, bar.count) for bar in either.bars] == [("one better", 30)]
