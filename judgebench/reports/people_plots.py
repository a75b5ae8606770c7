"""Calibration → plots as numbers: bias, distance beside the ceiling, corrected beside raw."""

from collections.abc import Sequence

from judgebench.model.nouns import Estimate
from judgebench.model.people import Axis as Criterion
from judgebench.model.people import Beside, Calibration, Ceiling, Corrected
from judgebench.namesakes import apart
from judgebench.records import dataclass
from judgebench.reports.digits import decimals, points, signed
from judgebench.reports.plot_rows import NAME, reach, stacked
from judgebench.reports.plot_shapes import IntervalPlot, Whisker
from judgebench.text import one_line


@dataclass(frozen=True, kw_only=True, slots=True)
class _Row:
    name: str
    found: Estimate
    words: str
    raw: float | None = None


def drawn(made: Calibration, key: str) -> tuple[IntervalPlot, ...]:
    """The plots of one section of a report, by the section's key."""
    digits = decimals(made.scale_low, made.scale_high)
    if key == "people":
        return _bias(made, digits)
    if key == "people_ceiling":
        return _ceiling(made, digits)
    if key == "people_corrected":
        return _corrected(made, digits)
    return ()


def _bias(made: Calibration, digits: int) -> tuple[IntervalPlot, ...]:
    rows = [
        _Row(name=axis.id, found=axis.beside.bias, words=signed(axis.beside.bias.value, digits))
        for axis in made.axes
        if isinstance(axis.beside, Beside)
    ]
    return _gaps(
        made,
        rows,
        key="people-bias",
        title="Bias of the judge against people on each criterion with its 95 % interval",
        axis="judge minus people, scale points; right of the line the judge marks higher",
    )


def _ceiling(made: Calibration, digits: int) -> tuple[IntervalPlot, ...]:
    rows = [
        _Row(
            name=axis.id,
            found=axis.ceiling.further,
            words=f"{points(axis.ceiling.judge_mae, digits)} off, "
            f"a person {points(axis.ceiling.person_mae, digits)}",
        )
        for axis in made.axes
        if isinstance(axis.ceiling, Ceiling)
    ]
    return _gaps(
        made,
        rows,
        key="people-further",
        title="How much further from the other people the judge lies than one more person does, "
        "with its 95 % interval",
        axis="scale points; at or left of the line the judge is as close as a person",
    )


def _gaps(
    made: Calibration, rows: Sequence[_Row], *, key: str, title: str, axis: str
) -> tuple[IntervalPlot, ...]:
    """Rows along an axis that holds zero."""
    if not rows:
        return ()
    span = made.scale_high - made.scale_low
    nothing = Estimate(value=0.0, n=0)
    return (_plot(rows, [nothing], (-span, span), key=key, title=title, axis=axis, zero=True),)


def _corrected(made: Calibration, digits: int) -> tuple[IntervalPlot, ...]:
    return tuple(
        _arms(made, axis, place, digits)
        for place, axis in enumerate(made.axes)
        if any(isinstance(row.figure, Corrected) for row in axis.arms)
    )


def _arms(made: Calibration, axis: Criterion, place: int, digits: int) -> IntervalPlot:
    rows = [
        _Row(
            name=row.arm,
            found=row.figure.estimate,
            words=f"{points(row.figure.estimate.value, digits)}, "
            f"judge {points(row.figure.raw, digits)}",
            raw=row.figure.raw,
        )
        for row in axis.arms
        if isinstance(row.figure, Corrected)
    ]
    raw = [Estimate(value=row.raw, n=0) for row in rows if row.raw is not None]
    return _plot(
        rows,
        raw,
        (made.scale_low, made.scale_high),
        key=f"people-corrected-{place}",
        title=f"{one_line(axis.id, 40)}: each arm as people would mark it, with its 95 % "
        "interval, beside the judge's own mean",
        axis=f"mean mark, scale {made.scale_low:g} to {made.scale_high:g}",
    )


def _plot(
    rows: Sequence[_Row],
    others: Sequence[Estimate],
    scale: tuple[float, float],
    *,
    key: str,
    title: str,
    axis: str,
    zero: bool = False,
) -> IntervalPlot:
    found = [*(row.found for row in rows), *others]
    names = apart((row.name for row in rows), NAME)
    shown = [
        Whisker(
            name=names[row.name],
            value=row.found.value,
            low=row.found.low,
            high=row.found.high,
            best=False,
            words=one_line(row.words, 30),
            raw=row.raw,
        )
        for row in rows
    ]
    ends = reach(found, low=scale[0], high=scale[1])
    return stacked(shown, ends, key=key, title=title, axis=axis, zero=zero)
