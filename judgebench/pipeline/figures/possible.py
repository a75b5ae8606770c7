"""What a scale leaves possible: no interval and no gap that is printed goes beyond it.

Done once, on the values that every page and file takes.
"""

from dataclasses import replace
from typing import TypeVar

from judgebench.model.agreement import Agreement, AgreementRow, Gaps, Noise
from judgebench.model.comparing import Comparing
from judgebench.model.extended import Extended
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.model.result import Result

Figure = TypeVar("Figure", bound=Estimate | Refusal | None)
Gap = TypeVar("Gap", bound=Gaps | Refusal | None)


def possible(result: Result) -> Result:
    """A result whose intervals end where the scale does."""
    low, high = result.scale_low, result.scale_high
    span = high - low
    return replace(
        result,
        arms=tuple(
            replace(
                arm,
                total=clipped(arm.total, low, high),
                difference=clipped(arm.difference, -span, span),
            )
            for arm in result.arms
        ),
        pairs=tuple(
            replace(pair, difference=clipped(pair.difference, -span, span)) for pair in result.pairs
        ),
        detectable=seen(result.detectable, span),
        comparing=None if result.comparing is None else _comparing(result.comparing),
        extended=None if result.extended is None else _extended(result.extended, low, high),
    )


def agreement(found: Agreement) -> Agreement:
    """A comparison of passes in which no gap is wider than the scale."""
    span = found.scale_high - found.scale_low
    return replace(
        found,
        rows=tuple(_row(one, span) for one in found.rows),
        by_arm=tuple(_row(one, span) for one in found.by_arm),
        raters=tuple(replace(one, noise=_noise(one.noise, span)) for one in found.raters),
        pairs=found.pairs
        if isinstance(found.pairs, Refusal)
        else tuple(replace(one, shift=_gaps(one.shift, span)) for one in found.pairs),
        sampled=(
            found.sampled
            if isinstance(found.sampled, Refusal)
            else tuple(replace(one, difference=gap(one.difference, span)) for one in found.sampled)
        ),
        designs=(
            found.designs
            if isinstance(found.designs, Refusal)
            else replace(
                found.designs,
                grid=tuple(
                    replace(one, detectable=reached(one.detectable, span))
                    for one in found.designs.grid
                ),
            )
        ),
    )


def _row(found: AgreementRow, span: float) -> AgreementRow:
    return replace(found, shift=_gaps(found.shift, span), noise=_noise(found.noise, span))


def _noise(found: Noise | Refusal, span: float) -> Noise | Refusal:
    if isinstance(found, Refusal):
        return found
    return replace(found, limit=min(found.limit, span))


def _gaps(found: Gap, span: float) -> Gap:
    if not isinstance(found, Gaps):
        return found
    return replace(
        found,
        bias=gap(found.bias, span),
        low=None if found.low is None else max(found.low, -span),
        high=None if found.high is None else min(found.high, span),
    )


def gap(found: Figure, span: float) -> Figure:
    """A difference of two means whose interval holds only what the scale does."""
    return clipped(found, -span, span)


def reached(found: float | None, span: float) -> float | None:
    """A detectable gap; None where no gap on the scale is as wide."""
    return None if found is None or found > span else found


def _comparing(found: Comparing) -> Comparing:
    arms = (
        replace(arm, against_reference=clipped(arm.against_reference, 0.0, 1.0))
        for arm in found.arms
    )
    return replace(found, arms=tuple(arms), first_share=clipped(found.first_share, 0.0, 1.0))


def _extended(found: Extended, low: float, high: float) -> Extended:
    span = high - low
    return replace(
        found,
        arms=tuple(
            replace(arm, least_squares=clipped(arm.least_squares, low, high)) for arm in found.arms
        ),
        criteria=tuple(
            replace(
                one,
                rows=tuple(
                    replace(
                        row,
                        mean=clipped(row.mean, low, high),
                        difference=clipped(row.difference, -span, span),
                    )
                    for row in one.rows
                ),
            )
            for one in found.criteria
        ),
    )


def clipped(found: Figure, low: float, high: float) -> Figure:
    """An estimate whose interval holds only what is possible; its value stays."""
    if not isinstance(found, Estimate) or found.low is None or found.high is None:
        return found
    return replace(
        found,
        low=min(max(found.low, low), found.value),
        high=max(min(found.high, high), found.value),
    )


def seen(found: Estimate | Refusal, span: float, *, taken: bool = False) -> Estimate | Refusal:
    """A detectable gap, refused where no gap on the scale is as wide.

    Args:
        found: The gap.
        span: How far the ends of the scale are apart.
        taken: Those ends were read off the marks: the true scale may be wider, and what is
            refused is a gap that no two of these marks show.
    """
    if isinstance(found, Refusal) or found.value <= span:
        return found
    return Refusal(
        statistic="detectable",
        code=(RefusalCode.BEYOND_MARKS if taken else RefusalCode.BEYOND_SCALE).value,
        have=found.value,
        need=span,
    )
