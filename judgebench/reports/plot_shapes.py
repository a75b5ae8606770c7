"""What plots are made of: rows with intervals, points and bars, in the units of their data.

Where each stands on the page is the plotting library's work (``drawing``).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from judgebench.model.nouns import Estimate

NAME = 24
"""Characters of an arm's name that stand beside its row."""


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


@dataclass(frozen=True, kw_only=True, slots=True)
class Spot:
    """One arm in a scatter plot."""

    name: str
    x: float
    y: float
    low: float | None
    high: float | None
    best: bool


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


@dataclass(frozen=True, kw_only=True, slots=True)
class Bar:
    """How often one mark, or one span of marks, was given."""

    label: str
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class BarPlot:
    """Marks of one judge on one criterion."""

    key: str
    title: str
    desc: str
    bars: tuple[Bar, ...]


Plot = IntervalPlot | ScatterPlot | BarPlot


def reach(found: Sequence[Estimate], *, low: float, high: float) -> tuple[float, float]:
    """Ends of an axis that holds all intervals, and never more than the scale can."""
    ends = [one for est in found for one in (est.value, est.low, est.high) if one is not None]
    kept = [min(max(one, low), high) for one in ends if math.isfinite(one)] or [low, high]
    first, last = min(kept), max(kept)
    # A hair's breadth of data must not look like a gulf.
    least = 0.1 * (high - low)
    if last - first < least:
        middle = min(max((first + last) / 2, low + least / 2), high - least / 2)
        first, last = middle - least / 2, middle + least / 2
    return first, last


def stacked(
    rows: Sequence[Whisker],
    ends: tuple[float, float],
    *,
    key: str,
    title: str,
    axis: str,
    zero: bool = False,
) -> IntervalPlot:
    """Rows one below the other along one axis, with all that they say in words."""
    words = "; ".join(f"{row.name}: {row.words}" for row in rows)
    return IntervalPlot(
        key=key,
        title=title,
        desc=f"{words}. The exact figures stand in the table below.",
        rows=tuple(rows),
        axis=axis,
        low=ends[0],
        high=ends[1],
        zero=zero,
        marked=_marked(rows),
    )


def _marked(rows: Sequence[Whisker]) -> str:
    signs = (
        (any(row.best for row in rows), "A diamond is an arm that may be best."),
        (any(row.open for row in rows), "A hollow sign has no interval."),
        (any(row.raw is not None for row in rows), "A square is the judge's own figure."),
    )
    return " ".join(words for shown, words in signs if shown)
