"""What a scale whose ends were read off the marks cannot carry.

Marks that were brought in without `--scale` lie on the scale that they span: its true ends
are not known. A bounded mean and a worst case rest on nothing else, so both are refused.
"""

from dataclasses import replace

from judgebench.model.extended import Extended
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.model.result import ArmResult, Result
from judgebench.pipeline.figures.possible import seen

USUAL = ((0, 1), (1, 5), (1, 7), (1, 10), (0, 10), (0, 100))
"""Scales that are often used; the first that holds all marks is offered, never taken."""


def without_ends(result: Result) -> Result:
    """A result in which no figure rests on the ends of a scale that nobody named."""
    low, high = result.scale_low, result.scale_high
    refused = _refused(low, high)
    return replace(
        result,
        scale_taken=True,
        detectable=seen(result.detectable, high - low, taken=True),
        arms=tuple(_arm(arm, refused, low, high) for arm in result.arms),
        extended=None
        if result.extended is None
        else _extended(result.extended, refused, low, high),
    )


def _refused(low: float, high: float) -> Refusal:
    usual = next(((a, b) for a, b in USUAL if a <= low and high <= b), None)
    such = "" if usual is None else f", such as --scale {usual[0]}-{usual[1]}"
    return Refusal(
        statistic="total", code=RefusalCode.SCALE_NOT_NAMED.value, have=0, need=1,
        how=f"name the scale at the import: --scale LOW-HIGH{such}",
    )  # fmt: skip


def _mean(
    found: Estimate | Refusal, refused: Refusal, low: float, high: float
) -> Estimate | Refusal:
    if isinstance(found, Refusal) or found.low is None or found.high is None:
        return found
    # An interval that was cut at an end rests on it too.
    rests = found.kind == "bounded" or found.low <= low or found.high >= high
    return refused if rests else found


def _arm(arm: ArmResult, refused: Refusal, low: float, high: float) -> ArmResult:
    missing = arm.answered < arm.planned
    return replace(
        arm,
        total=_mean(arm.total, refused, low, high),
        worst_low=None if missing else arm.worst_low,
        worst_high=None if missing else arm.worst_high,
    )


def _extended(found: Extended, refused: Refusal, low: float, high: float) -> Extended:
    return replace(
        found,
        pairs=tuple(
            one if one.worst_low == one.worst_high
            else replace(one, worst_low=None, worst_high=None)
            for one in found.pairs
        ),
        criteria=tuple(
            replace(
                one,
                rows=tuple(
                    replace(row, mean=_mean(row.mean, refused, low, high)) for row in one.rows
                ),
            )
            for one in found.criteria
        ),
    )  # fmt: skip
