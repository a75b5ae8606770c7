"""Plots → SVG by Lets-Plot, in the colours of the page.

The library is given a sign of its own for each colour of the page (``svg.COLOURS``);
what it draws then follows the page in light, dark and print.

As a program it draws what it is sent, for ``pictures``.
"""

import json
import math
import pickle
import sys
from collections.abc import Iterable, Sequence
from itertools import pairwise, product
from typing import Any

import lets_plot as gg
from markupsafe import Markup

from judgebench.reports.digits import usd
from judgebench.reports.drawing_grids import grid
from judgebench.reports.drawing_parts import (
    ACCENT,
    BEST,
    INK,
    LINE,
    MUTED,
    NORMAL,
    PAPER,
    SMALL,
    Columns,
    Spec,
    layer,
    length,
    look,
    unit,
)
from judgebench.reports.plot_rows import MARGIN
from judgebench.reports.plot_shapes import (
    BarPlot,
    GridPlot,
    IntervalPlot,
    Plot,
    ScatterPlot,
    Whisker,
)
from judgebench.reports.svg import as_text, picture

_WIDTH = 1000
_ROW, _LEAST = 30, 60
"""Height of a row, and of all of them at least."""
_FOOT, _NOTE = 70, 24
"""Height below the rows for the axis and its title, and above them for a note."""
_FEW = 10
"""Bars that have room for their counts."""
_MANY = 20
"""Arms whose names can be moved apart."""
_LINE, _PALE = {"width": 0.33, "size": 0.9}, {"size": 1.2, "alpha": 0.4}
_CENT = 0.01
_CIRCLE, _SQUARE, _DIAMOND, _TRIANGLE = 21, 22, 23, 24


def draw(plot: Plot) -> Markup:
    """One plot as an SVG with its title and description."""
    match plot:
        case IntervalPlot():
            rows = max(_ROW * len(plot.rows), _LEAST)
            height = rows + _FOOT + (_NOTE if plot.note else 0)
            return _finished(plot, _intervals(plot), _WIDTH, height)
        case ScatterPlot():
            return _finished(plot, _scatter(plot), _WIDTH, 340)
        case BarPlot():
            return _finished(plot, _bars(plot), 320, 200)
        case GridPlot():
            return _finished(plot, *grid(plot), kind="plot grid")


def _finished(plot: Plot, spec: Spec, width: int, height: int, kind: str = "plot") -> Markup:
    drawn: str = (spec + gg.ggsize(width, height)).to_svg()
    return picture(
        drawn, key=plot.key, title=plot.title, desc=plot.desc, width=width, height=height, kind=kind
    )


# intervals


def _intervals(plot: IntervalPlot) -> Spec:
    ends, count = (plot.low, plot.high), len(plot.rows)
    spec = (
        gg.ggplot()
        + look(
            axis_title_y="blank",
            axis_text_y=gg.element_text(color=INK, size=NORMAL),
            plot_margin=[4, 30 + max((length(row.words) for row in plot.rows), default=0), 8, 0],
            plot_title=gg.element_text(color=MUTED, size=NORMAL, margin=[0, 0, 6, 0]),
        )
        + gg.scale_x_continuous(name=as_text(plot.axis), limits=ends, expand=[MARGIN, 0])
        # By number, as two arms can have names that are cut to the same words.
        + gg.scale_y_continuous(
            breaks=[-at for at in range(count)],
            labels=[as_text(row.name) for row in plot.rows],
            limits=[0.5 - count, 0.5],
            expand=[0, 0],
        )
    )
    if plot.note:
        spec += gg.ggtitle(as_text(plot.note))
    if plot.zero:
        spec += gg.geom_vline(xintercept=0, color=INK, size=0.7)
    placed = list(enumerate(plot.rows))
    for best in (False, True):
        spec += _ranges(
            gg.geom_linerange if plot.faint else gg.geom_errorbar,
            ("y", "xmin", "xmax"),
            [(-at, row) for at, row in placed if row.best == best],
            ends,
            color=_colour(best),
            **(_PALE if plot.faint else _LINE),
        )
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
    return spec + _points(raw, shape=_SQUARE, color=INK, fill=PAPER) + _figures(plot)


def _figures(plot: IntervalPlot) -> Spec:
    """What is said of each row, in the margin at its right."""
    return layer(
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
        size=unit(NORMAL),
        color=INK,
    )


def _ranges(
    make: Spec,
    names: tuple[str, str, str],
    found: Iterable[tuple[float, Whisker]],
    ends: tuple[float, float],
    **looks: Any,  # noqa: ANN401 - as the library takes them
) -> Spec:
    """Intervals as lines, each at its place on the other axis; `names` are place, low and high."""
    known = [
        (place, _within(one.low, ends), _within(one.high, ends))
        for place, one in found
        if one.low is not None and one.high is not None
    ]
    data: Columns = {name: [row[at] for row in known] for at, name in enumerate(names)}
    return layer(make, data, gg.aes(**{name: name for name in names}), **looks)


def _within(value: float, ends: tuple[float, float]) -> float:
    return min(max(value, ends[0]), ends[1])


def _colour(best: bool) -> str:  # noqa: FBT001 - the only thing that it depends on
    return BEST if best else ACCENT


def _signs(
    places: Sequence[tuple[float, float]], *, best: bool, hollow: bool, unplaced: bool = False
) -> Spec:
    """Points of arms: a diamond may be best, a triangle is not placed, hollow has no interval."""
    colour = _colour(best)
    usual = _TRIANGLE if unplaced else _CIRCLE
    return _points(
        places,
        shape=_DIAMOND if best else usual,
        color=colour,
        fill=PAPER if hollow else colour,
    )


def _points(places: Sequence[tuple[float, float]], **looks: Any) -> Spec:  # noqa: ANN401 - as the library takes them
    data = {"x": [x for x, _ in places], "y": [y for _, y in places]}
    return layer(gg.geom_point, data, gg.aes("x", "y"), size=4, stroke=0.9, **looks)


# scatter plots and bars


def _scatter(plot: ScatterPlot) -> Spec:
    ends = (plot.low, plot.high)
    most = max(spot.x for spot in plot.spots) or 1.0
    spec = (
        gg.ggplot()
        + look(
            panel_grid_major_y=gg.element_line(color=LINE, size=1, linetype="dashed"),
            axis_line_y=gg.element_line(color=MUTED, size=1),
            axis_text_y=gg.element_text(color=MUTED, size=SMALL),
            plot_margin=[8, 20, 0, 6],
        )
        + gg.scale_x_continuous(
            name=as_text(plot.x_axis), limits=[0, most], expand=[0.03, 0], **_money(plot)
        )
        + gg.scale_y_continuous(name=as_text(plot.y_axis), limits=ends, expand=[0.04, 0])
    )
    for best in (False, True):
        for hollow, unplaced in product((False, True), repeat=2):
            looks = (best, hollow, unplaced)
            spec += _signs(
                [
                    (spot.x, _within(spot.y, ends))
                    for spot in plot.spots
                    if (spot.best, spot.open, spot.unplaced) == looks
                ],
                best=best,
                hollow=hollow,
                unplaced=unplaced,
            )
    names: Columns = {
        "x": [spot.x for spot in plot.spots],
        "y": [_within(spot.y, ends) for spot in plot.spots],
        "name": [as_text(spot.name) for spot in plot.spots],
    }
    return spec + _names(names)


def _money(plot: ScatterPlot) -> dict[str, Any]:
    """Steps of an axis in US dollars, written as amounts are everywhere: to the cent."""
    most = max(spot.x for spot in plot.spots)
    if not plot.money or most < _CENT:
        return {}
    rough = most / 5
    size = 10.0 ** math.floor(math.log10(rough))
    step = max(next(one * size for one in (1, 2, 5, 10) if one * size >= rough), _CENT)
    places = [at * step for at in range(int(most / step * (1 + 1e-9)) + 1)]
    return {"breaks": places, "labels": [usd(place) for place in places]}


def _names(names: Columns) -> Spec:
    """Names beside their points: moved apart, or of many those that have room."""
    count = len(names["name"])
    where = gg.aes("x", "y", label="name")
    if count > _MANY:
        return layer(
            gg.geom_text, names, where, check_overlap=True, hjust="inward", vjust=0,
            nudge_y=6, nudge_unit="px", size=unit(NORMAL), color=INK,
        )  # fmt: skip
    return layer(
        gg.geom_text_repel,
        names,
        where,
        seed=1,
        # By steps and never by the clock: equal input gives equal bytes.
        max_iter=min(500, 15_000 // count**2),
        max_time=-1,
        max_overlaps=-1,
        size=unit(NORMAL),
        color=INK,
        segment_color=LINE,
        point_padding=5,
    )


def _bars(plot: BarPlot) -> Spec:
    count, top = len(plot.bars), 100 * plot.most
    every = -(-count // 8)
    shown = range(0, count, every)
    given = [(at, 100 * bar.count / plot.total) for at, bar in enumerate(plot.bars) if bar.count]
    # A width is taken as a share of the least distance between two bars that are drawn.
    least = min((after - at for (at, _), (after, _) in pairwise(given)), default=1)
    data: Columns = {
        "x": [at for at, _ in given],
        "n": [n for _, n in given],
        "words": [f"{n:.0f}" if n >= 1 else "<1" for _, n in given],
    }
    spec = (
        gg.ggplot()
        + look(
            panel_grid_major_x="blank",
            panel_grid_major_y=gg.element_line(color=LINE, size=1, linetype="dashed"),
            axis_text_y=gg.element_text(color=MUTED, size=SMALL),
            plot_margin=[6, 4, 8, 4],
        )
        + gg.scale_x_continuous(
            name=as_text(plot.axis),
            breaks=list(shown),
            labels=[as_text(plot.bars[at].label) for at in shown],
            limits=[-0.5, count - 0.5],
            expand=[0, 0],
        )
        + gg.scale_y_continuous(name="%", limits=[0, top * 1.2], expand=[0, 0])
        + layer(
            gg.geom_bar,
            data,
            gg.aes("x", "n"),
            stat="identity",
            width=0.8 / least,
            fill=ACCENT,
            size=0,
        )
    )
    if count <= _FEW:
        spec += layer(
            gg.geom_text, data, gg.aes("x", "n", label="words"), vjust=0,
            nudge_y=4, nudge_unit="px", size=unit(SMALL), color=MUTED,
        )  # fmt: skip
    return spec


if __name__ == "__main__":
    sent = pickle.load(sys.stdin.buffer)  # noqa: S301 - by our own process
    json.dump([draw(plot) for plot in sent], sys.stdout)
