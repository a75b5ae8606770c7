"""What all plots are drawn with: the colours of the page, sizes, a theme and layers."""

from typing import Any

import lets_plot as gg

from judgebench.reports.cells import width
from judgebench.reports.svg import COLOURS

INK, MUTED, LINE = COLOURS["ink"], COLOURS["muted"], COLOURS["line"]
PAPER, ACCENT, BEST = COLOURS["paper"], COLOURS["accent"], COLOURS["best"]
SMALL, NORMAL = 12, 13
LETTER = 0.58
"""Width of a letter or digit in the size of its text."""
_BROAD = frozenset("MWmw@%")

Spec = Any
"""A plot, or a part of one, of a library without types."""
Columns = dict[str, list[Any]]


def unit(pixels: float) -> float:
    """The size of a text inside of the plot: the library measures it in two pixels."""
    return pixels / 2


def length(words: str) -> float:
    """About how long words of the normal size are drawn."""
    broad = sum(sign in _BROAD for sign in words)
    return (width(words) + 0.7 * broad) * LETTER * NORMAL


def look(**more: Any) -> Spec:  # noqa: ANN401 - parts of a theme
    """A theme of few lines in the colours of the page."""
    small = gg.element_text(color=MUTED, size=SMALL)
    settings = {
        "text": gg.element_text(color=INK),
        "plot_background": "blank",
        "panel_background": "blank",
        "panel_grid_minor": "blank",
        "panel_grid_major_x": gg.element_line(color=LINE, size=1, linetype="dashed"),
        "panel_grid_major_y": "blank",
        "axis_ticks": "blank",
        "axis_line_x": gg.element_line(color=MUTED, size=1),
        "axis_line_y": "blank",
        "axis_text_x": gg.element_text(color=MUTED, size=SMALL, margin=[3, 0, 0, 0]),
        "axis_title": small,
        "legend_position": "none",
        "plot_margin": [4, 4, 0, 0],
    }
    return gg.theme_none() + gg.theme(**(settings | more))


def layer(make: Spec, data: Columns, mapping: Spec, **looks: Any) -> Spec:  # noqa: ANN401 - as the library takes them
    """A layer; nothing where it would hold nothing."""
    if not any(data.values()):
        return gg.geom_blank()
    return make(mapping, data=data, tooltips="none", inherit_aes=False, **looks)
