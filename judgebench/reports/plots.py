"""Result → plots as numbers: what is drawn, in the units of the data."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from judgebench.model.exhibits import MarkCount
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.result import ArmResult, Context, Result
from judgebench.namesakes import among
from judgebench.records import dataclass
from judgebench.reports import tables, wording
from judgebench.reports.digits import decimals, listed, plural, points, signed, usd
from judgebench.reports.plot_rows import marked, part, reach, stacked
from judgebench.reports.plot_shapes import Bar, BarPlot, IntervalPlot, ScatterPlot, Spot, Whisker
from judgebench.reports.svg import SHADES
from judgebench.reports.wording import arm_ids
from judgebench.text import one_line

_MOST_BARS = 21
_NAME = 24
_VERDICT = "verdict"
_NOT_FOR_COMPARING = (
    "Each line is of one arm by itself: lines that overlap do not mean that arms do not differ."
)


def label(arm: str, result: Result) -> str:
    """An arm's name beside what is drawn of it: cut on every page, and unlike any other."""
    return among(arm, arm_ids(result), _NAME)


def shade(value: float | None, low: float, high: float) -> str:
    """Class of a coloured cell: its place on the scale in seven steps; empty without a value."""
    if value is None or not math.isfinite(value) or high <= low:
        return ""
    share = min(max((value - low) / (high - low), 0.0), 1.0)
    return SHADES[min(int(share * len(SHADES)), len(SHADES) - 1)]


def totals(result: Result) -> IntervalPlot | None:
    """Mean total of each arm with its interval; None where no arm has an interval."""
    digits = decimals(result.scale_low, result.scale_high)
    found = [arm.total for arm in result.arms if isinstance(arm.total, Estimate)]
    if not found:
        return None
    alone = [_mean(arm) for arm in result.arms if isinstance(arm.total, Refusal)]
    known = [*found, *(one for one in alone if one is not None)]
    ends = reach(known, low=result.scale_low, high=result.scale_high)
    rows = [
        _whisker(result, arm, _mean(arm) or arm.total, _words(arm, points(arm.mean, digits)))
        for arm in result.arms
    ]
    whole = (result.scale_low, result.scale_high)
    plot = stacked(
        rows,
        ends,
        key="totals",
        title=f"Mean {_noun(result)} of each arm with its own 95 % interval",
        axis=f"{_noun(result)}, scale {whole[0]:g} to {whole[1]:g}{part(ends, whole)}",
    )
    note = _NOT_FOR_COMPARING if len(found) > 1 else ""
    return replace(plot, reading=_alone(result), note=note, faint=True)


def _alone(result: Result) -> str:
    """What an arm's own interval is, and why arms are not compared by it."""
    own = (
        "A pale line is of that arm by itself and holds how much easy and hard items differ, so it "
        "is not for comparing arms: two may overlap although one arm is above the other on nearly "
        "every item."
    )
    paired = wording.has_differences(result)
    said = (
        own,
        'Arms are compared under "Differences".' if paired else "",
        _bounds(result),
    )
    return " ".join(filter(None, said))


def _bounds(result: Result) -> str:
    """Which lines are worst-case bounds, and what that is; empty where none is."""
    found = {arm.arm.id: arm.total for arm in result.arms if isinstance(arm.total, Estimate)}
    bounded = [name for name, total in found.items() if total.kind == "bounded"]
    if not bounded:
        return ""
    if len(bounded) == len(found):
        return f"Each line is {wording.BOUND}."
    names = listed([label(name, result) for name in bounded])
    return f"The line of {names} is {wording.BOUND}; the others do trust them (Student's t)."


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
    span = result.scale_high - result.scale_low
    ends = reach([*found, Estimate(value=0.0, n=0)], low=-span, high=span)
    rows = [_row_of_difference(result, arm, digits) for arm in result.arms]
    name = label(result.reference or "", result)
    plot = stacked(
        rows,
        ends,
        key="differences",
        title=f"Paired difference to {name} on shared items, all comparisons together 95 %",
        axis=f"difference in {unit}; left of the line is below {name}",
        zero=True,
    )
    reading = (
        "This is the plot to compare arms by: each difference is taken item by item. Which arms "
        "are told apart is decided by the p in the table."
    )
    return replace(plot, reading=reading)


def _row_of_difference(result: Result, arm: ArmResult, digits: int) -> Whisker:
    """The row of an arm; of the reference its place on the line, which is not uncertain."""
    if arm.arm.id != result.reference:
        return _whisker(result, arm, arm.difference, _words(arm, _gap(arm, digits)))
    nothing = Estimate(value=0.0, n=arm.answered, low=0.0, high=0.0)
    return _whisker(result, arm, nothing, _words(arm, "reference"))


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


def _whisker(result: Result, arm: ArmResult, found: Estimate | Refusal, words: str) -> Whisker:
    known = isinstance(found, Estimate) and math.isfinite(found.value)
    estimate = found if known and isinstance(found, Estimate) else None
    return Whisker(
        name=label(arm.arm.id, result),
        value=estimate.value if estimate else None,
        low=estimate.low if estimate else None,
        high=estimate.high if estimate else None,
        best=bool(arm.may_be_best and arm.placed),
        words=one_line(words, 30),
        unplaced=bool(arm.answered and tables.mark(arm) == tables.UNPLACED),
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Took:
    """Something that an answer took."""

    key: str
    words: str
    of: Callable[[Context], float | None]
    write: Callable[[float], str]

    def known(self, result: Result) -> list[tuple[ArmResult, float, float]]:
        """Arms that have both it and a mean, with the two."""
        return [
            (arm, float(value), arm.mean)
            for arm in result.arms
            if (value := self.of(arm.context)) is not None
            and arm.mean is not None
            and math.isfinite(value + arm.mean)
        ]

    def alike(self, result: Result) -> str:
        """What it is for all arms, as it is written; empty where arms differ, or one is alone."""
        found = self.known(result)
        written = {self.write(value) for _, value, _ in found}
        return written.pop() if len(found) > 1 and len(written) == 1 else ""


_TOOK = (
    _Took(
        key="cost", words="cost of all its answers (USD)", of=lambda one: one.cost_usd, write=usd
    ),
    _Took(
        key="seconds",
        words="seconds an answer (median)",
        of=lambda one: one.wall_s,
        write=lambda value: points(value, 1),
    ),
    _Took(
        key="characters",
        words="characters an answer (median)",
        of=lambda one: one.chars,
        write=lambda value: points(value, 0),
    ),
)


def context(result: Result) -> tuple[ScatterPlot, ...]:
    """Rating against cost, seconds and length, each where two arms have both and differ."""
    made = (_scatter(result, took) for took in _TOOK)
    return tuple(plot for plot in made if plot is not None)


def undrawn(result: Result) -> str:
    """What is the same for all arms, where a plot would be points on one upright line."""
    alike = [(took.words, took.alike(result)) for took in _TOOK]
    return " ".join(
        f"Not drawn, as it is {value} for every arm with a mean: {words}."
        for words, value in alike
        if value
    )


def _scatter(result: Result, took: _Took) -> ScatterPlot | None:
    found = took.known(result)
    if len(found) < 2 or took.alike(result):  # noqa: PLR2004 - one arm is compared with nothing
        return None
    spots = [
        Spot(
            name=label(arm.arm.id, result),
            x=value,
            y=mean,
            best=bool(arm.may_be_best and arm.placed),
            unplaced=tables.mark(arm) == tables.UNPLACED,
            open=not isinstance(arm.total, Estimate) or arm.total.low is None,
        )
        for arm, value, mean in found
    ]
    means = [Estimate(value=spot.y, n=1) for spot in spots]
    low, high = reach(means, low=result.scale_low, high=result.scale_high)
    digits = decimals(result.scale_low, result.scale_high)
    noun = _noun(result)
    desc = "; ".join(
        f"{label(arm.arm.id, result)}: {took.write(value)}, {noun} {points(mean, digits)}"
        for arm, value, mean in found
    )
    return ScatterPlot(
        key=took.key,
        title=f"Mean {_noun(result)} against {took.words}",
        desc=f"{desc}.",
        spots=tuple(spots),
        x_axis=took.words,
        y_axis=f"mean {noun}",
        low=low,
        high=high,
        marked=marked(spots),
        reading=_sure(result),
        money=took.key == "cost",
    )


def _sure(result: Result) -> str:
    """Where intervals stand, which in a plot of two axes would be taken for differences."""
    alone = any(isinstance(arm.total, Estimate) for arm in result.arms)
    paired = wording.has_differences(result)
    places = (
        f'how sure a mean is stands under "{_noun(result).capitalize()} per arm"' if alone else "",
        'whether arms differ under "Differences"' if paired else "",
    )
    said = ", ".join(filter(None, places))
    return f"No intervals are drawn here: {said}." if said else ""


def marks(result: Result, found: Sequence[MarkCount]) -> tuple[BarPlot, ...]:
    """How often each mark was given, a plot for each judge and criterion."""
    groups: dict[tuple[str, str], list[MarkCount]] = {}
    for one in found:
        if math.isfinite(one.mark):
            groups.setdefault((one.judge, one.criterion), []).append(one)
    judges = len({judge for judge, _ in groups})
    most = _most(result)
    made = [
        _bars(
            place,
            f"{one_line(criterion, 40)}" + (f", {one_line(judge, 30)}" if judges > 1 else ""),
            group,
            low=result.scale_low,
            high=most.get(criterion, result.scale_high),
        )
        for place, ((judge, criterion), group) in enumerate(groups.items())
    ]
    made = [plot for plot in made if plot.total]
    largest = max((plot.most for plot in made), default=0.0)
    return tuple(replace(plot, most=largest) for plot in made)


def of_marks(found: Sequence[BarPlot]) -> str:
    """What all plots of marks have in common; empty where there are none."""
    if not found:
        return ""
    what = "verdict" if found[0].axis == _VERDICT else "mark"
    once = ", each verdict counted once" if what == "verdict" else ""
    alike = "; all plots have one scale" if len(found) > 1 else ""
    return (
        f"How often each {what} was given, all arms together{once}, in % of the {what}s of its "
        f"plot{alike}."
    )


def _most(result: Result) -> dict[str, float]:
    """The most that a criterion can give, where it is a part of the total."""
    projects = result.audit.projects if result.audit else ()
    return {mark.criterion: mark.maximum for project in projects for mark in project.marks}


def _bars(
    place: int, title: str, group: Sequence[MarkCount], *, low: float, high: float
) -> BarPlot:
    """One plot; its greatest share is its own."""
    compared = any(one.verdict for one in group)
    counts: dict[float, int] = {}
    said: dict[str, int] = {}
    for one in group:
        counts[one.mark] = counts.get(one.mark, 0) + one.count
        verdict = one_line(one.verdict, 20)
        said[verdict] = said.get(verdict, 0) + one.count
    slots = list(said.items()) if compared else _slots(counts, low=low, high=high)
    total = sum(count for _, count in slots)
    words = ", ".join(f"{label}: {count:,}" for label, count in slots if count)
    noun = "verdict" if compared else "mark"
    return BarPlot(
        key=f"marks-{place}",
        title=f"{noun.capitalize()}s on {title}: {plural(total, noun)}",
        desc=f"How often each {noun} was given, all arms together. {words}.",
        bars=tuple(Bar(label=label, count=count) for label, count in slots),
        axis=_VERDICT if compared else "mark",
        most=max((count for _, count in slots), default=0) / max(total, 1),
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
    if whole:
        step = math.ceil(step)
    slots = [0] * max(1, math.ceil((high - low) / step))
    for mark, count in counts.items():
        slots[min(max(int((mark - low) / step), 0), len(slots) - 1)] += count
    return [(f"{low + place * step:g}", count) for place, count in enumerate(slots)]
