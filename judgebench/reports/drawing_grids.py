"""A table as a picture: shaded tiles with their figures, blocked ones hatched."""

from collections.abc import Iterator

import lets_plot as gg

from judgebench.reports.cells import cut, width
from judgebench.reports.drawing_parts import (
    INK,
    LETTER,
    LINE,
    MUTED,
    NORMAL,
    PAPER,
    Columns,
    Spec,
    layer,
    length,
    look,
    unit,
)
from judgebench.reports.plot_shapes import GridCell, GridPlot
from judgebench.reports.svg import COLOURS, SHADES, as_text

_WIDTH, _ROW = 960, 24

"""Width at most; fewer columns make it narrower."""
_WIDEST = 112
_LEAST = 52
"""Height that the library gives to a plot at least."""
_REASON = 0.62
"""Width of a letter of a reason in the size of its text."""
_TINY = 11
_TURN = 45
_SIDE = 0.71
"""Side of a square to its diagonal: how far a turned name reaches."""

_Placed = list[tuple[int, int, GridCell]]
"""Cells with their column and row."""


def grid(plot: GridPlot) -> tuple[Spec, int, int]:
    """The picture, its width and its height."""
    across, down = len(plot.columns), len(plot.rows)
    names = 24 + max(map(length, plot.rows))
    long = [length(name) for name in plot.columns]
    column, over, head = min((_WIDTH - names) / across, _WIDEST), 4.0, 40.0
    turned = max(long) + 8 > column
    if turned:
        # Names lean out over the columns at their right, the last ones over the edge.
        reach = [(at + 0.5, _SIDE * one) for at, one in enumerate(long)]
        column = min(column, *((_WIDTH - names - lean) / at for at, lean in reach))
        over += max(0.0, *((at - across) * column + lean for at, lean in reach))
        head += _SIDE * max(long)
    placed = [(x, -y, cell) for y, row in enumerate(plot.cells) for x, cell in enumerate(row)]
    spec = gg.ggplot() + _axes(plot, over=over, turned=turned)
    for shade in ("", *SHADES):
        spec += _tiles([one for one in placed if one[2].look == shade], COLOURS.get(shade, PAPER))
    blocked = [one for one in placed if one[2].look == "blocked"]
    spec += _tiles(blocked, PAPER) + _hatch(blocked, max(round(column / _ROW), 1))
    # Over the ends of the hatching.
    spec += _tiles(blocked, "transparent")
    spec += _figures([one for one in placed if one[2].look != "blocked"], column)
    spec += _reasons(blocked, int((column - 2) / (_REASON * _TINY)))
    return spec, round(names + across * column + over), round(max(_ROW * down, _LEAST) + head)


def _axes(plot: GridPlot, *, over: float, turned: bool) -> Spec:
    """Names at the left and above; by number, as two can be cut to the same words."""
    turn = {"angle": _TURN, "hjust": 0, "vjust": 0} if turned else {}
    down = len(plot.rows)
    return (
        look(
            panel_grid_major_x="blank",
            axis_title="blank",
            axis_line_x="blank",
            axis_text_x=gg.element_text(color=MUTED, size=NORMAL, margin=[0, 0, 4, 0], **turn),
            axis_text_y=gg.element_text(color=INK, size=NORMAL),
            plot_margin=[12, over, 2, 10],
        )
        + gg.scale_x_continuous(
            breaks=list(range(len(plot.columns))),
            labels=[as_text(name) for name in plot.columns],
            limits=[-0.5, len(plot.columns) - 0.5],
            expand=[0, 0],
            position="top",
        )
        + gg.scale_y_continuous(
            breaks=[-at for at in range(down)],
            labels=[as_text(name) for name in plot.rows],
            limits=[0.5 - down, 0.5],
            expand=[0, 0],
        )
    )


def _tiles(cells: _Placed, fill: str) -> Spec:
    data: Columns = {
        "left": [x - 0.5 for x, _, _ in cells],
        "right": [x + 0.5 for x, _, _ in cells],
        "foot": [y - 0.5 for _, y, _ in cells],
        "top": [y + 0.5 for _, y, _ in cells],
    }
    return layer(
        gg.geom_rect, data, gg.aes(xmin="left", xmax="right", ymin="foot", ymax="top"),
        fill=fill, color=LINE, size=0.5,
    )  # fmt: skip


def _middles(cells: _Placed, words: list[str]) -> Columns:
    return {"x": [x for x, _, _ in cells], "y": [y for _, y, _ in cells], "words": words}


def _hatch(cells: _Placed, squares: int) -> Spec:
    """Lines at half a right angle: a cell is a row of squares, each with its diagonals."""
    lines = list(_lines(squares))
    ends = ("x", "y", "xend", "yend")
    data: Columns = {
        name: [(x, y)[at % 2] + line[at] for x, y, _ in cells for line in lines]
        for at, name in enumerate(ends)
    }
    return layer(
        gg.geom_segment, data, gg.aes(**{name: name for name in ends}),
        color=COLOURS["hatch"], size=0.9,
    )  # fmt: skip


def _lines(squares: int) -> Iterator[tuple[float, float, float, float]]:
    """Both ends of each line of a cell, from its middle; lines of neighbours meet."""
    side = 1 / squares
    yield -0.5, 0.0, side / 2 - 0.5, 0.5
    for place in range(2 * squares - 1):
        left = place * side / 2 - 0.5
        yield left, -0.5, left + side, 0.5
    yield 0.5 - side / 2, -0.5, 0.5, 0.0


def _figures(cells: _Placed, column: float) -> Spec:
    """Never cut: a figure that is too long for its column is written smaller."""
    words = [as_text(cell.words) for _, _, cell in cells]
    room = (column - 4) / (LETTER * max(map(len, words), default=1))
    return layer(
        gg.geom_text, _middles(cells, words), gg.aes("x", "y", label="words"),
        size=unit(min(NORMAL, room)), color=INK,
    )  # fmt: skip


def _reasons(cells: _Placed, letters: int) -> Spec:
    return layer(
        gg.geom_label,
        _middles(cells, [as_text(_fitting(cell, letters)) for _, _, cell in cells]),
        gg.aes("x", "y", label="words"),
        size=unit(_TINY), color=INK, fill=PAPER, label_size=0, label_padding=0.1, label_r=0,
    )  # fmt: skip


def _fitting(cell: GridCell, letters: int) -> str:
    words = cell.words if width(cell.words) <= letters else cell.short or cell.words
    return cut(words, letters)
