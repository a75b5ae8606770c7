"""What plots are made of: rows with intervals, points, bars and cells, in the units of their data.

Where each stands on the page is the plotting library's work (``drawing``), in a process
of its own that loads this module and no more of the product than it needs.
"""

from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Whisker:
    """One arm's row: a point with its interval."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    best: bool
    words: str
    """What stands at the right: the figure and its flags."""
    raw: float | None = None
    """The judge's own figure, beside what is corrected."""
    unplaced: bool = False
    """Blocked answers could change its place: another sign."""

    @property
    def open(self) -> bool:
        """A figure without an interval: its point is hollow."""
        return self.value is not None and self.low is None


@dataclass(frozen=True, kw_only=True, slots=True)
class IntervalPlot:
    """Arms one below the other along one axis."""

    key: str
    title: str
    desc: str
    rows: tuple[Whisker, ...]
    axis: str
    low: float
    high: float
    zero: bool
    """Whether a line marks no difference."""
    marked: str
    """What the signs mean."""
    reading: str = ""
    """What its intervals are and what they are not for."""
    note: str = ""
    """What stands in the picture itself, above the rows."""
    faint: bool = False
    """Intervals that are not for comparing rows are drawn as thin pale lines."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Spot:
    """One arm in a scatter plot."""

    name: str
    x: float
    y: float
    best: bool
    unplaced: bool = False
    open: bool = False
    """A figure without an interval, as of rows."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ScatterPlot:
    """Rating against something that an answer took."""

    key: str
    title: str
    desc: str
    spots: tuple[Spot, ...]
    x_axis: str
    y_axis: str
    low: float
    high: float
    marked: str
    """What the signs mean."""
    reading: str = ""
    """Where it is said how sure the means are."""
    money: bool = False
    """Whether `x` is in US dollars."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Bar:
    """How often one mark, or one span of marks, was given."""

    label: str
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class BarPlot:
    """Marks of one judge on one criterion, as shares of all of them."""

    key: str
    title: str
    desc: str
    bars: tuple[Bar, ...]
    axis: str
    """What stands below the bars."""
    most: float
    """The greatest share of any plot beside it: all have one scale."""

    @property
    def total(self) -> int:
        """All marks of the plot."""
        return sum(bar.count for bar in self.bars)


@dataclass(frozen=True, kw_only=True, slots=True)
class GridCell:
    """What is written at one row and column, and how its ground looks."""

    words: str
    look: str = ""
    """A shade, ``h0`` to ``h6``, or ``blocked``; empty for the paper's own."""
    short: str = ""
    """A word for a narrow column; empty where `words` must stand as they are."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GridPlot:
    """A table as a picture: a shade in each cell, its figure written in it."""

    key: str
    title: str
    desc: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[GridCell, ...], ...]
    """Row by row, each as long as `columns`."""
    marked: str
    """What shades and signs mean, and what is not drawn."""


Plot = IntervalPlot | ScatterPlot | BarPlot | GridPlot
