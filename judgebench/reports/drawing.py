"""Plots → SVG by Lets-Plot, in the colours of the page.

The library is given a sign of its own for each colour of the page (``svg.COLOURS``);
what it draws then follows the page in light, dark and print.

As a program it draws what it is sent, for ``pictures``.
"""

import json
import pickle
import sys
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

import lets_plot as gg
from markupsafe import Markup

from judgebench.reports.plot_shapes import BarPlot, IntervalPlot, Plot, ScatterPlot, Spot, Whisker
from judgebench.reports.svg import COLOURS, as_text, picture

_WIDTH = 760
_ROW = 30
_FEW = 10
"""Bars that have room for their counts."""
_MANY = 20
"""Arms whose names can be moved apart."""
_INK, _MUTED, _LINE = COLOURS["ink"], COLOURS["muted"], COLOURS["line"]
_PAPER, _ACCENT, _BEST = COLOURS["paper"], COLOURS["accent"], COLOURS["best"]
_CIRCLE, _SQUARE, _DIAMOND, _TRIANGLE = 21, 22, 23, 24
_SMALL, _NORMAL = 12, 13
# Text inside of the plot is measured in the library's own unit, two pixels.
_LABEL = _NORMAL / 2

_Spec = Any
"""A plot, or a part of one, of a library without types."""
_Columns = dict[str, list[Any]]


def draw(plot: Plot) -> Markup:
    """One plot as an SVG with its title and description."""
    match plot:
        case IntervalPlot():
            return _finished(plot, _intervals(plot), _WIDTH, _ROW * len(plot.rows) + 60)
        case ScatterPlot():
            return _finished(plot, _scatter(plot), _WIDTH, 340)
        case BarPlot():
            return _finished(plot, _bars(plot), 240, 150)


def _finished(plot: Plot, spec: _Spec, width: int, height: int) -> Markup:
    drawn: str = (spec + gg.ggsize(width, height)).to_svg()
    return picture(
        drawn, key=plot.key, title=plot.title, desc=plot.desc, width=width, height=height
    )


def _look(**more: Any) -> _Spec:  # noqa: ANN401 - parts of a theme
    """A theme of few lines in the colours of the page."""
    small = gg.element_text(color=_MUTED, size=_SMALL)
    settings = {
        "text": gg.element_text(color=_INK),
        "plot_background": "blank",
        "panel_background": "blank",
        "panel_grid_minor": "blank",
        "panel_grid_major_x": gg.element_line(color=_LINE, size=1, linetype="dashed"),
        "panel_grid_major_y": "blank",
        "axis_ticks": "blank",
        "axis_line_x": gg.element_line(color=_MUTED, size=1),
        "axis_line_y": "blank",
        "axis_text_x": gg.element_text(color=_MUTED, size=_SMALL, margin=[3, 0, 0, 0]),
        "axis_title": small,
        "legend_position": "none",
        "plot_margin": [4, 4, 0, 0],
    }
    return gg.theme_none() + gg.theme(**(settings | more))


# intervals


def _intervals(plot: IntervalPlot) -> _Spec:
    ends, count = (plot.low, plot.high), len(plot.rows)
    spec = (
        gg.ggplot()
        + _look(
            axis_title_y="blank",
            axis_text_y=gg.element_text(color=_INK, size=_NORMAL),
            plot_margin=[4, 190, 0, 0],
        )
        + gg.scale_x_continuous(name=plot.axis, limits=ends, expand=[0.02, 0])
        # By number, as two arms can have names that are cut to the same words.
        + gg.scale_y_continuous(
            breaks=[-at for at in range(count)],
            labels=[as_text(row.name) for row in plot.rows],
            limits=[0.5 - count, 0.5],
            expand=[0, 0],
        )
    )
    if plot.zero:
        spec += gg.geom_vline(xintercept=0, color=_INK, size=0.7)
    placed = list(enumerate(plot.rows))
    for best in (False, True):
        spec += _spans([one for one in placed if one[1].best == best], ends, _colour(best))
        for hollow, unplaced in product((False, True), repeat=2):
            looks = (best, hollow, unplaced)
            rows = [(-at, row) for at, row in placed if (row.best, row.open, row.unplaced) == looks]
            spec += _signs(
                [(_within(row.value, ends), at) for at, row in rows if row.value is not None],
                best=best,
                hollow=hollow,
                unplaced=unplaced,
            )
    raw = [(_within(row.raw, ends), -at) for at, row in placed if row.raw is not None]
    return spec + _points(raw, shape=_SQUARE, color=_INK, fill=_PAPER) + _figures(plot)


def _figures(plot: IntervalPlot) -> _Spec:
    """What is said of each row, in the margin at its right."""
    return _layer(
        gg.geom_text,
        {
            "x": [plot.high for _ in plot.rows],
            "y": [-at for at in range(len(plot.rows))],
            "words": [as_text(row.words) for row in plot.rows],
        },
        gg.aes("x", "y", label="words"),
        hjust=0,
        nudge_x=20,
        nudge_unit="px",
        size=_LABEL,
        color=_INK,
    )


def _spans(rows: Iterable[tuple[int, Whisker]], ends: tuple[float, float], colour: str) -> _Spec:
    known = [
        (-at, _within(row.low, ends), _within(row.high, ends))
        for at, row in rows
        if row.low is not None and row.high is not None
    ]
    return _layer(
        gg.geom_errorbar,
        {name: [one[at] for one in known] for at, name in enumerate(("y", "low", "high"))},
        gg.aes(y="y", xmin="low", xmax="high"),
        color=colour,
        width=0.33,
        size=0.9,
    )


def _within(value: float, ends: tuple[float, float]) -> float:
    return min(max(value, ends[0]), ends[1])


def _colour(best: bool) -> str:  # noqa: FBT001 - the only thing that it depends on
    return _BEST if best else _ACCENT


def _signs(
    places: Sequence[tuple[float, float]], *, best: bool, hollow: bool, unplaced: bool = False
) -> _Spec:
    """Points of arms: a diamond may be best, a triangle is not placed, hollow has no interval."""
    colour = _colour(best)
    usual = _TRIANGLE if unplaced else _CIRCLE
    return _points(
        places,
        shape=_DIAMOND if best else usual,
        color=colour,
        fill=_PAPER if hollow else colour,
    )


def _points(places: Sequence[tuple[float, float]], **looks: Any) -> _Spec:  # noqa: ANN401 - as the library takes them
    data = {"x": [x for x, _ in places], "y": [y for _, y in places]}
    return _layer(gg.geom_point, data, gg.aes("x", "y"), size=4, stroke=0.9, **looks)


def _layer(make: _Spec, data: _Columns, mapping: _Spec, **looks: Any) -> _Spec:  # noqa: ANN401 - as the library takes them
    """A layer; nothing where it would hold nothing."""
    if not any(data.values()):
        return gg.geom_blank()
    return make(mapping, data=data, tooltips="none", inherit_aes=False, **looks)


# scatter plots and bars


def _scatter(plot: ScatterPlot) -> _Spec:
    ends = (plot.low, plot.high)
    most = max(spot.x for spot in plot.spots) or 1.0
    spec = (
        gg.ggplot()
        + _look(
            panel_grid_major_y=gg.element_line(color=_LINE, size=1, linetype="dashed"),
            axis_line_y=gg.element_line(color=_MUTED, size=1),
            axis_text_y=gg.element_text(color=_MUTED, size=_SMALL),
            plot_margin=[8, 20, 0, 6],
        )
        + gg.scale_x_continuous(name=plot.x_axis, limits=[0, most], expand=[0.03, 0])
        + gg.scale_y_continuous(name=plot.y_axis, limits=ends, expand=[0.04, 0])
    )
    for best in (False, True):
        spots = [spot for spot in plot.spots if spot.best == best]
        spec += _ranges(spots, ends, _colour(best))
        for hollow in (False, True):
            spec += _signs(
                [(spot.x, _within(spot.y, ends)) for spot in spots if (spot.low is None) == hollow],
                best=best,
                hollow=hollow,
            )
    names: _Columns = {
        "x": [spot.x for spot in plot.spots],
        "y": [_within(spot.y, ends) for spot in plot.spots],
        "name": [as_text(spot.name) for spot in plot.spots],
    }
    return spec + _names(names)


def _names(names: _Columns) -> _Spec:
    """Names beside their points: moved apart, or of many those that have room."""
    count = len(names["name"])
    where = gg.aes("x", "y", label="name")
    if count > _MANY:
        return _layer(
            gg.geom_text, names, where, check_overlap=True, hjust="inward", vjust=0,
            nudge_y=6, nudge_unit="px", size=_LABEL, color=_INK,
        )  # fmt: skip
    return _layer(
        gg.geom_text_repel,
        names,
        where,
        seed=1,
        # By steps and never by the clock: equal input gives equal bytes.
        max_iter=min(500, 15_000 // count**2),
        max_time=-1,
        max_overlaps=-1,
        size=_LABEL,
        color=_INK,
        segment_color=_LINE,
        point_padding=5,
    )


def _ranges(spots: Sequence[Spot], ends: tuple[float, float], colour: str) -> _Spec:
    known = [
        (spot.x, _within(spot.low, ends), _within(spot.high, ends))
        for spot in spots
        if spot.low is not None and spot.high is not None
    ]
    return _layer(
        gg.geom_linerange,
        {name: [one[at] for one in known] for at, name in enumerate(("x", "low", "high"))},
        gg.aes(x="x", ymin="low", ymax="high"),
        color=colour,
        size=0.6,
        alpha=0.7,
    )


def _bars(plot: BarPlot) -> _Spec:
    count, most = len(plot.bars), max(bar.count for bar in plot.bars)
    every = -(-count // 8)
    shown = range(0, count, every)
    given = [(at, bar.count) for at, bar in enumerate(plot.bars) if bar.count]
    data: _Columns = {
        "x": [at for at, _ in given],
        "n": [n for _, n in given],
        "words": [f"{n:,}" for _, n in given],
    }
    spec = (
        gg.ggplot()
        + _look(panel_grid_major_x="blank", axis_text_y="blank", axis_title="blank")
        + gg.scale_x_continuous(
            breaks=list(shown),
            labels=[plot.bars[at].label for at in shown],
            limits=[-0.5, count - 0.5],
            expand=[0, 0],
        )
        + gg.scale_y_continuous(limits=[0, most * 1.2], expand=[0, 0])
        + _layer(
            gg.geom_bar, data, gg.aes("x", "n"), stat="identity", width=0.8, fill=_ACCENT, size=0
        )
    )
    if count <= _FEW:
        spec += _layer(
            gg.geom_text, data, gg.aes("x", "n", label="words"), vjust=0,
            nudge_y=4, nudge_unit="px", size=_SMALL / 2, color=_MUTED,
        )  # fmt: skip
    return spec


if __name__ == "__main__":
    sent = pickle.load(sys.stdin.buffer)  # noqa: S301 - by our own process
    json.dump([draw(plot) for plot in sent], sys.stdout)
