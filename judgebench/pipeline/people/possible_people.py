"""What a scale leaves possible beside people: no gap, width or leaning goes beyond it."""

from dataclasses import replace
from typing import TypeVar

from judgebench.model.biases import Biases, BiasRow
from judgebench.model.draws import PacketPrecision, Packets, Precision, Sample
from judgebench.model.nouns import Mode, Refusal
from judgebench.model.people import Axis, Beside, Calibration, Corrected
from judgebench.pipeline.figures.possible import clipped, gap, reached

Bought = TypeVar("Bought", Precision, PacketPrecision)

_HALF = 0.5
"""A share won lies no further from no order effect."""


def calibration(found: Calibration) -> Calibration:
    """A judge beside people in which no mean, gap or difference goes beyond the scale."""
    low, high = found.scale_low, found.scale_high
    preferences = found.preferences
    return replace(
        found,
        axes=tuple(_axis(one, low, high) for one in found.axes),
        preferences=None
        if preferences is None
        else replace(
            preferences,
            pairs=tuple(
                replace(
                    one,
                    share=clipped(one.share, 0.0, 1.0),
                    judge=clipped(one.judge, 0.0, 1.0),
                )
                for one in preferences.pairs
            ),
        ),
    )


def _axis(found: Axis, low: float, high: float) -> Axis:
    span = high - low
    leanings = found.leanings  # differences of two gaps: twice the scale is possible
    return replace(
        found,
        beside=_beside(found.beside, span),
        ceiling=found.ceiling
        if isinstance(found.ceiling, Refusal)
        else replace(found.ceiling, further=gap(found.ceiling.further, span)),
        leanings=leanings
        if isinstance(leanings, Refusal)
        else tuple(replace(one, gap=gap(one.gap, 2 * span)) for one in leanings),
        arms=tuple(replace(one, figure=_corrected(one.figure, low, high)) for one in found.arms),
        pairs=tuple(
            replace(
                one,
                alone=gap(one.alone, span),
                corrected=_corrected(one.corrected, -span, span),
            )
            for one in found.pairs
        ),
    )


def _beside(found: Beside | Refusal, span: float) -> Beside | Refusal:
    if isinstance(found, Refusal):
        return found
    return replace(
        found,
        bias=gap(found.bias, span),
        mae=clipped(found.mae, 0.0, span),
        limits_low=None if found.limits_low is None else max(found.limits_low, -span),
        limits_high=None if found.limits_high is None else min(found.limits_high, span),
    )


def _corrected(found: Corrected | Refusal, low: float, high: float) -> Corrected | Refusal:
    if isinstance(found, Refusal):
        return found
    return replace(found, estimate=clipped(found.estimate, low, high))


def sample(found: Sample) -> Sample:
    """A draw whose labels buy no half width beyond the scale."""
    span = found.scale_high - found.scale_low
    return replace(found, rows=tuple(_bought(one, span) for one in found.rows))


def packets(found: Packets) -> Packets:
    """The same of single answers."""
    span = found.scale_high - found.scale_low
    return replace(found, rows=tuple(_bought(one, span) for one in found.rows))


def _bought(found: Bought, span: float) -> Bought:
    return replace(
        found,
        half_width=min(found.half_width, span),
        people_half_width=min(found.people_half_width, span),
    )


def biases(found: Biases) -> Biases:
    """Probes in which no effect on marks goes beyond the scale, nor one on shares beyond all."""
    # Totals of comparisons are shares won, whatever the rubric's scale.
    span = 1.0 if found.mode is Mode.PAIRWISE else found.scale_high - found.scale_low
    flips = found.flips
    return replace(
        found,
        rows=tuple(_probe(one, span) for one in found.rows),
        flips=tuple(replace(one, share=clipped(one.share, 0.0, 1.0)) for one in flips)
        if isinstance(flips, tuple)
        else flips,
    )


def _probe(row: BiasRow, span: float) -> BiasRow:
    most = _most(row, span)
    if most is None:
        return row
    return replace(row, effect=gap(row.effect, most), detectable=reached(row.detectable, most))


def _most(row: BiasRow, span: float) -> float | None:
    """The largest effect that is possible; None for those that are no gap of marks."""
    if row.unit == "share":
        return _HALF
    if row.probe == "family":
        return 2 * span  # a difference of two gaps
    return span if row.unit.startswith("points") else None
