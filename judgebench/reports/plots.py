"""Result → plots as numbers: what is drawn where, in the units of one SVG each."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from judgebench.model.exhibits import MarkCount
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.result import ArmResult, Context, Result
from judgebench.reports import tables
from judgebench.reports.digits import decimals, points, signed, usd
from judgebench.reports.plot_shapes import (
    LEFT,
    NAME,
    WIDTH,
    Axis,
    Bar,
    BarPlot,
    IntervalPlot,
    ScatterPlot,
    Spot,
    Whisker,
    axis_of,
    fitted,
    nice_ticks,
    stacked,
)
from judgebench.text import one_line

SHADES = 7
"""Steps of the heat map, ``h0`` to ``h6``."""
_MOST_BARS = 21


def shade(value: float | None, low: float, high: float) -> str:
    """Class of a coloured cell: its place on the scale in seven steps; empty without a value."""
    if value is None or not math.isfinite(value) or high <= low:
        return ""
    share = min(max((value - low) / (high - low), 0.0), 1.0)
    return f"h{min(int(share * SHADES), SHADES - 1)}"


def totals(result: Result) -> IntervalPlot | None:
    """Mean total of each arm with its interval; None where no arm has an interval."""
    digits = decimals(result.scale_low, result.scale_high)
    found = [arm.total for arm in result.arms if isinstance(arm.total, Estimate)]
    if not found:
        return None
    alone = [_mean(arm) for arm in result.arms if isinstance(arm.total, Refusal)]
    known = [*found, *(one for one in alone if one is not None)]
    where = axis_of(known, low=result.scale_low, high=result.scale_high)
    rows = [
        _whisker(arm, _mean(arm) or arm.total, _words(arm, points(arm.mean, digits)), where.to)
        for arm in result.arms
    ]
    return stacked(
        rows,
        where,
        key="totals",
        title=f"Mean {_noun(result)} of each arm with its 95 % interval",
        axis=f"{_noun(result)}, scale {result.scale_low:g} to {result.scale_high:g}",
    )


def _noun(result: Result) -> str:
    """What a total is: of marks, or a share of comparisons."""
    return "total" if result.comparing is None else "share won"


def _mean(arm: ArmResult) -> Estimate | None:
    """The total of an arm, without an interval where it has none."""
    if isinstance(arm.total, Estimate):
        return arm.total
    return None if arm.mean is None else Estimate(value=arm.mean, n=arm.answered)


def differences(result: Result) -> IntervalPlot | None:
    """Paired difference of each arm to the reference; None where there is none."""
    digits = decimals(result.scale_low, result.scale_high)
    others = [arm for arm in result.arms if arm.arm.id != result.reference]
    found = [arm.difference for arm in others if isinstance(arm.difference, Estimate)]
    if not found:
        return None
    unit = "scale points" if result.comparing is None else "the share won"
    reach = result.scale_high - result.scale_low
    where = axis_of([*found, Estimate(value=0.0, n=0)], low=-reach, high=reach)
    rows = [
        _whisker(arm, arm.difference, _words(arm, _gap(arm, digits)), where.to) for arm in others
    ]
    made = stacked(
        rows,
        where,
        key="differences",
        title=f"Paired difference to {one_line(result.reference or '', 40)} on shared items, "
        "all comparisons together 95 %",
        axis=f"difference in {unit}; left of the line is below the reference",
    )
    return replace(made, zero=where.to(0.0))


def _gap(arm: ArmResult, digits: int) -> str:
    found = arm.difference
    return signed(found.value, digits) if isinstance(found, Estimate) else "no interval"


def _words(arm: ArmResult, figure: str) -> str:
    """The figure of an arm after what must be known with it."""
    if not arm.answered:
        return "no marks"
    sign = tables.mark(arm)
    flag = {tables.MAY_BE_BEST: "may be best, ", tables.UNPLACED: "not placed, "}.get(sign, "")
    return f"{flag}{figure}"


def _whisker(
    arm: ArmResult, found: Estimate | Refusal, words: str, to: Callable[[float], float]
) -> Whisker:
    known = isinstance(found, Estimate) and math.isfinite(found.value)
    estimate = found if known and isinstance(found, Estimate) else None
    ends = (estimate.low, estimate.high) if estimate else (None, None)
    return Whisker(
        name=fitted(arm.arm.id, LEFT - 16),
        y=0.0,
        at=to(estimate.value) if estimate else None,
        low=None if ends[0] is None else to(ends[0]),
        high=None if ends[1] is None else to(ends[1]),
        best=bool(arm.may_be_best and arm.placed),
        words=one_line(words, 30),
        open=estimate is not None and ends[0] is None,
    )


def context(result: Result) -> tuple[ScatterPlot, ...]:
    """Rating against cost, seconds and length, each where two arms have both."""
    made = (
        _scatter(result, "cost", "cost of all its answers (USD)", lambda one: one.cost_usd, usd),
        _scatter(
            result,
            "seconds",
            "seconds an answer (median)",
            lambda one: one.wall_s,
            lambda value: points(value, 1),
        ),
        _scatter(
            result,
            "characters",
            "characters an answer (median)",
            lambda one: one.chars,
            lambda value: points(value, 0),
        ),
    )
    return tuple(plot for plot in made if plot is not None)


def _scatter(
    result: Result,
    key: str,
    words: str,
    took: Callable[[Context], float | None],
    write: Callable[[float], str],
) -> ScatterPlot | None:
    found = [
        (arm, float(value), arm.mean)
        for arm in result.arms
        if (value := took(arm.context)) is not None
        and arm.mean is not None
        and math.isfinite(value + arm.mean)
    ]
    if len(found) < 2:  # noqa: PLR2004 - one arm is compared with nothing
        return None
    left, right, top, bottom = 70.0, WIDTH - 30.0, 14.0, 286.0
    x_axis = Axis(
        ticks=nice_ticks(0.0, max(value for _, value, _ in found) or 1.0), start=left, end=right
    )
    shown = [
        arm.total if isinstance(arm.total, Estimate) else Estimate(value=mean, n=arm.answered)
        for arm, _, mean in found
    ]
    ticks = axis_of(shown, low=result.scale_low, high=result.scale_high).ticks
    y_axis = Axis(ticks=ticks, start=bottom, end=top)
    spots = [
        Spot(
            name=one_line(arm.arm.id, NAME),
            x=x_axis.to(value),
            y=y_axis.to(mean),
            low=None if est.low is None else y_axis.to(est.low),
            high=None if est.high is None else y_axis.to(est.high),
            best=bool(arm.may_be_best and arm.placed),
            label_x=0.0,
            label_y=0.0,
            anchor="start",
        )
        for (arm, value, mean), est in zip(found, shown, strict=True)
    ]
    digits = decimals(result.scale_low, result.scale_high)
    noun = _noun(result)
    desc = "; ".join(
        f"{one_line(arm.arm.id, NAME)}: {write(value)}, {noun} {points(mean, digits)}"
        for arm, value, mean in found
    )
    return ScatterPlot(
        key=key,
        title=f"Mean {_noun(result)} against {words}",
        desc=f"{desc}.",
        height=340.0,
        spots=_labelled(spots, right),
        x_ticks=x_axis.marks(),
        y_ticks=y_axis.marks(),
        x_axis=words,
        y_axis=f"mean {noun}",
        left=left,
        right=right,
        top=top,
        bottom=bottom,
    )


def _labelled(spots: Sequence[Spot], right: float) -> tuple[Spot, ...]:
    """Names beside their points, moved down where two would stand on each other."""
    taken: list[tuple[float, float, float]] = []
    out: list[Spot] = []
    for spot in spots:
        width = 7.2 * len(spot.name)
        start = spot.x + 9 + width <= right
        left = spot.x + 9 if start else spot.x - 9 - width
        y = spot.y + 4
        while any(a < left + width and left < b and abs(y - at) < 14 for a, b, at in taken):  # noqa: PLR2004 - a line's height
            y += 3
        taken.append((left, left + width, y))
        out.append(
            replace(
                spot,
                label_x=round(spot.x + (9 if start else -9), 1),
                label_y=round(y, 1),
                anchor="start" if start else "end",
            )
        )
    return tuple(out)


def marks(result: Result, found: Sequence[MarkCount]) -> tuple[BarPlot, ...]:
    """How often each mark was given, a plot for each judge and criterion."""
    groups: dict[tuple[str, str], dict[float, int]] = {}
    for one in found:
        if math.isfinite(one.mark):
            group = groups.setdefault((one.judge, one.criterion), {})
            group[one.mark] = group.get(one.mark, 0) + one.count
    judges = len({judge for judge, _ in groups})
    return tuple(
        _bars(
            place,
            f"{one_line(criterion, 40)}" + (f", {one_line(judge, 30)}" if judges > 1 else ""),
            counts,
            low=result.scale_low,
            high=result.scale_high,
        )
        for place, ((judge, criterion), counts) in enumerate(groups.items())
    )


def _bars(place: int, title: str, counts: dict[float, int], *, low: float, high: float) -> BarPlot:
    slots = _slots(counts, low=low, high=high)
    width, height, base, left = 240.0, 150.0, 120.0, 8.0
    step = (width - 2 * left) / len(slots)
    most = max(count for _, count in slots)
    bars = []
    every = -(-len(slots) // 8)
    for at, (label, count) in enumerate(slots):
        tall = round((base - 24) * count / most, 1)
        bars.append(
            Bar(
                x=round(left + at * step + 0.1 * step, 1),
                y=round(base - tall, 1),
                width=round(0.8 * step, 1),
                height=tall,
                label=label if at % every == 0 else "",
                count=f"{count:,}" if count and len(slots) <= 10 else "",  # noqa: PLR2004 - room
            )
        )
    words = ", ".join(f"{label}: {count:,}" for label, count in slots if count)
    return BarPlot(
        key=f"marks-{place}",
        title=f"Marks on {title}",
        desc=f"How often each mark was given. {words}.",
        width=width,
        height=height,
        base=base,
        bars=tuple(bars),
    )


def _slots(counts: dict[float, int], *, low: float, high: float) -> list[tuple[str, int]]:
    """Marks and how often each was given; many different marks are put together in spans."""
    whole = all(mark == int(mark) for mark in counts)
    if whole and high - low < _MOST_BARS:
        span = range(math.floor(low), math.ceil(high) + 1)
        return [(f"{mark}", counts.get(float(mark), 0)) for mark in span]
    if len(counts) <= _MOST_BARS and not whole:
        return [(f"{mark:g}", counts[mark]) for mark in sorted(counts)]
    step = (high - low) / 20 or 1.0
    slots = [0] * 20
    for mark, count in counts.items():
        slots[min(max(int((mark - low) / step), 0), 19)] += count
    return [(f"{low + place * step:g}", count) for place, count in enumerate(slots)]
