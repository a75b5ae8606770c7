"""What plots are made of: places in the units of one SVG, axes, rows with intervals.

The drawing itself is a template (``templates/plots.svg.j2``) in the page's own
environment: its text is escaped like all other text and its colours follow the page
in light, dark and print, which no plotting library's SVG does; nor does one load in
the time that the whole page is made in.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from judgebench.model.nouns import Estimate
from judgebench.text import one_line

WIDTH = 760
LEFT, RIGHT = 190, 180
_ROW = 30
_TOP, _BOTTOM = 12, 46
NAME = 24
"""Characters of an arm's name that stand beside its row."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Tick:
    """One place of an axis."""

    at: float
    label: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Whisker:
    """One arm's row: a point with its interval."""

    name: str
    y: float
    at: float | None
    low: float | None
    high: float | None
    best: bool
    words: str
    """What stands at the right: the figure and its flags."""
    open: bool = False
    """A figure without an interval: its point is hollow."""
    raw: float | None = None
    """Where the judge's own figure stands, beside what is corrected."""


@dataclass(frozen=True, kw_only=True, slots=True)
class IntervalPlot:
    """Arms one below the other along one axis."""

    key: str
    title: str
    desc: str
    height: float
    rows: tuple[Whisker, ...]
    ticks: tuple[Tick, ...]
    axis: str
    axis_y: float
    left: float
    right: float
    zero: float | None
    """Where no difference stands."""
    marked: str
    """What the signs mean."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Spot:
    """One arm in a scatter plot."""

    name: str
    x: float
    y: float
    low: float | None
    high: float | None
    best: bool
    label_x: float
    label_y: float
    anchor: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ScatterPlot:
    """Rating against something that an answer took."""

    key: str
    title: str
    desc: str
    height: float
    spots: tuple[Spot, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    x_axis: str
    y_axis: str
    left: float
    right: float
    top: float
    bottom: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Bar:
    """How often one mark, or one span of marks, was given."""

    x: float
    y: float
    width: float
    height: float
    label: str
    count: str


@dataclass(frozen=True, kw_only=True, slots=True)
class BarPlot:
    """Marks of one judge on one criterion."""

    key: str
    title: str
    desc: str
    width: float
    height: float
    base: float
    bars: tuple[Bar, ...]


def fitted(name: str, room: float) -> str:
    """A name cut to the room that it has, wide signs counted as wide."""
    shown = one_line(name, NAME)
    while len(shown) > 1 and sum(map(_wide, shown)) > room:
        shown = f"{shown[:-2]}…"
    return shown


def _wide(sign: str) -> float:
    """Width of a sign of 13 pixels, on the safe side of common fonts."""
    if ord(sign) > 0x2E7F:  # noqa: PLR2004 - East Asian and pictures
        return 15.0
    return (
        11.0
        if sign.isupper() or sign in "mw@%<>=+_&#~"
        else 7.6
        if sign not in " ilj.,:;'|!-"
        else 4.6
    )


def nice_ticks(low: float, high: float, *, about: int = 5) -> tuple[float, ...]:
    """Round values that enclose a range, the first at or below it, the last at or above."""
    span = high - low
    # Less than a billionth is rounding, and too little to have round values in it.
    if not math.isfinite(span) or span <= 1e-9 * max(1.0, abs(low), abs(high)):
        return (low - 0.5, low, low + 0.5)
    power = 10.0 ** math.floor(math.log10(span / about))
    step = next(one * power for one in (1, 2, 5, 10) if span / (one * power) <= about)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return tuple(round(place * step, 10) for place in range(first, last + 1))


@dataclass(frozen=True, kw_only=True, slots=True)
class Axis:
    """Round values along a line, and where each value stands on it."""

    ticks: tuple[float, ...]
    start: float
    end: float

    def to(self, value: float) -> float:
        """Place of a value."""
        first, last = self.ticks[0], self.ticks[-1]
        share = (min(max(value, first), last) - first) / (last - first)
        return round(self.start + share * (self.end - self.start), 1)

    def marks(self, write: Callable[[float], str] = "{:g}".format) -> tuple[Tick, ...]:
        """The ticks with their labels."""
        return tuple(Tick(at=self.to(one), label=write(one)) for one in self.ticks)


def axis_of(found: Sequence[Estimate], *, low: float, high: float) -> Axis:
    """An axis that holds all intervals, and never more than the scale can."""
    ends = [one for est in found for one in (est.value, est.low, est.high) if one is not None]
    kept = [min(max(one, low), high) for one in ends if math.isfinite(one)] or [low, high]
    first, last = min(kept), max(kept)
    # A hair's breadth of data must not look like a gulf.
    least = 0.1 * (high - low)
    if last - first < least:
        middle = min(max((first + last) / 2, low + least / 2), high - least / 2)
        first, last = middle - least / 2, middle + least / 2
    return Axis(ticks=nice_ticks(first, last, about=6), start=LEFT, end=WIDTH - RIGHT)


def stacked(
    rows: Sequence[Whisker], where: Axis, *, key: str, title: str, axis: str
) -> IntervalPlot:
    """Rows one below the other along one axis, with all that they say in words."""
    placed = tuple(replace(row, y=_TOP + _ROW * (place + 0.5)) for place, row in enumerate(rows))
    words = "; ".join(f"{row.name}: {row.words}" for row in placed)
    return IntervalPlot(
        key=key,
        title=title,
        desc=f"{words}. The exact figures stand in the table below.",
        height=_TOP + _ROW * len(placed) + _BOTTOM,
        rows=placed,
        ticks=where.marks(),
        axis=axis,
        axis_y=_TOP + _ROW * len(placed),
        left=LEFT,
        right=WIDTH - RIGHT,
        zero=None,
        marked=_marked(rows),
    )


def _marked(rows: Sequence[Whisker]) -> str:
    signs = (
        (any(row.best for row in rows), "A diamond is an arm that may be best."),
        (any(row.open for row in rows), "A hollow sign has no interval."),
        (any(row.raw is not None for row in rows), "A square is the judge's own figure."),
    )
    return " ".join(words for shown, words in signs if shown)
