"""Rows with intervals → one plot: the ends of its axis, and all that it says in words."""

import math
from collections.abc import Sequence

from judgebench.model.nouns import Estimate
from judgebench.reports.plot_shapes import IntervalPlot, Spot, Whisker

NAME = 24
"""Characters of an arm's name that stand beside its row."""
MARGIN = 0.02
"""Share of its length by which an axis is drawn on at both ends."""


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
        marked=marked(rows),
    )


def marked(found: Sequence[Whisker | Spot]) -> str:
    """What the signs mean that are there, in the same words under every plot."""
    signs = (
        (any(one.best for one in found), "A diamond is an arm that may be best."),
        (
            any(one.unplaced for one in found),
            "A triangle is an arm that is not placed: diamonds are among the others.",
        ),
        (any(one.open for one in found), "A hollow sign has no interval."),
        (any(_raw(one) for one in found), "A square is the judge's own figure."),
    )
    return " ".join(words for shown, words in signs if shown)


def _raw(one: Whisker | Spot) -> bool:
    return isinstance(one, Whisker) and one.raw is not None


def part(ends: tuple[float, float], whole: tuple[float, float]) -> str:
    """How an axis that does not show the whole scale says so; empty where it does."""
    margin = MARGIN * (ends[1] - ends[0])
    begins = "" if ends[0] - margin <= whole[0] else f"begin at {whole[0]:g}"
    stops = "" if ends[1] + margin >= whole[1] else f"end at {whole[1]:g}"
    said = " or ".join(filter(None, (begins, stops)))
    return f"; the axis does not {said}" if said else ""
