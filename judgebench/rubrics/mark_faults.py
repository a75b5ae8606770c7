"""Rules that join several values of a rubric of marks, as faults at their keys."""

import re
from collections.abc import Iterator
from fractions import Fraction

from judgebench.formats.located import Key
from judgebench.rubrics.faults import Fault, tier_faults, unknown
from judgebench.rubrics.schema import RubricFile

MAX_MARKS = 1_001
MAX_POINT = 1e6
_MARK = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)\Z")


def mark_faults(file: RubricFile) -> Iterator[Fault]:
    """All that is wrong between the values of a rubric of marks."""
    scale_faults = list(_scale_faults(file))
    yield from scale_faults
    yield from _criteria_faults(file)
    # On a broken scale every anchor and cap would be a fault of its own.
    if not scale_faults:
        yield from _anchor_faults(file)
        yield from _rule_faults(file)
        yield from _tier_faults(file)


def _scale_faults(file: RubricFile) -> Iterator[Fault]:
    scale = file.scale
    for name, value in (("min", scale.min), ("max", scale.max)):
        if abs(value) > MAX_POINT:
            yield Fault(
                key=("scale", name),
                problem=f"is {value:.15g}",
                fix=f"stay between -{MAX_POINT:.0f} and {MAX_POINT:.0f}",
            )
            return
    if scale.min >= scale.max:
        yield Fault(
            key=("scale",),
            problem=f"runs from {scale.min:g} to {scale.max:g}",
            fix="write a min below max",
        )
        return
    steps = (_exact(scale.max) - _exact(scale.min)) / _exact(scale.step)
    if steps.denominator != 1:
        yield Fault(
            key=("scale", "step"),
            problem=f"is {scale.step:g}, which does not lead from {scale.min:g} to {scale.max:g}",
            fix="write a step that divides the range",
        )
    elif steps >= MAX_MARKS:
        yield Fault(
            key=("scale", "step"),
            problem=f"is {scale.step:g}, which makes {steps.numerator + 1} marks",
            fix=f"write a step that makes at most {MAX_MARKS}",
        )


def _exact(value: float) -> Fraction:
    """The number as it is written: 0.1 is a tenth, not the nearest double."""
    return Fraction(repr(value))


def _criteria_faults(file: RubricFile) -> Iterator[Fault]:
    seen: dict[str, str] = {}
    for i, criterion in enumerate(file.criteria):
        folded = criterion.id.lower()
        if folded in seen:
            alike = "" if seen[folded] == criterion.id else f", too much like {seen[folded]}"
            yield Fault(
                key=("criteria", i, "id"),
                problem=f"is {criterion.id}{alike}, which stands above already",
                fix="give every criterion an id of its own",
            )
        seen.setdefault(folded, criterion.id)
    if not any(criterion.weight > 0 for criterion in file.criteria):
        yield Fault(
            key=("criteria",),
            problem="have no weight above 0",
            fix="give at least one criterion a weight",
        )


def _anchor_faults(file: RubricFile) -> Iterator[Fault]:
    for i, criterion in enumerate(file.criteria):
        seen: set[float] = set()
        for written in criterion.anchors:
            key: Key = ("criteria", i, "anchors", written)
            mark = float(written) if _MARK.match(written) else None
            problem = _off_scale(mark, file)
            if problem:
                yield Fault(key=key, problem=problem, fix=_marks_of(file))
            elif mark in seen:
                yield Fault(
                    key=key,
                    problem="is a mark that has an anchor already",
                    fix="keep one of the two",
                )
            if mark is not None:
                seen.add(mark)


def _off_scale(mark: float | None, file: RubricFile) -> str:
    scale = file.scale
    if mark is None:
        return "is not a mark"
    if not scale.min <= mark <= scale.max:
        return f"is outside the scale from {scale.min:g} to {scale.max:g}"
    steps = (_exact(mark) - _exact(scale.min)) / _exact(scale.step)
    return (
        "" if steps.denominator == 1 else f"is between two marks of the scale, step {scale.step:g}"
    )


def _marks_of(file: RubricFile) -> str:
    scale = file.scale
    second = scale.min + scale.step
    return f"use one of its marks: {scale.min:g}, {second:g} … {scale.max:g}"


def _rule_faults(file: RubricFile) -> Iterator[Fault]:
    for i, gate in enumerate(file.gates):
        yield from _names_criterion(file, ("gates", i, "criterion"), gate.criterion)
        yield from _lies_on_scale(file, ("gates", i, "below"), gate.below)
        yield from _lies_on_scale(file, ("gates", i, "cap"), gate.cap)
    for i, cap in enumerate(file.caps):
        yield from _names_criterion(file, ("caps", i, "criterion"), cap.criterion)
        yield from _names_criterion(file, ("caps", i, "target"), cap.target)
        yield from _lies_on_scale(file, ("caps", i, "below"), cap.below)
        yield from _lies_on_scale(file, ("caps", i, "cap"), cap.cap)


def _names_criterion(file: RubricFile, key: Key, name: str) -> Iterator[Fault]:
    ids = [criterion.id for criterion in file.criteria]
    if name not in ids:
        yield unknown(key, name, ids, "criterion")


def _lies_on_scale(file: RubricFile, key: Key, value: float) -> Iterator[Fault]:
    scale = file.scale
    if not scale.min <= value <= scale.max:
        yield Fault(
            key=key,
            problem=f"is {value:g}",
            fix=f"stay on the scale from {scale.min:g} to {scale.max:g}",
        )


def _tier_faults(file: RubricFile) -> Iterator[Fault]:
    for i, tier in enumerate(file.tiers):
        yield from _lies_on_scale(file, ("tiers", i, "at_least"), tier.at_least)
    yield from tier_faults("tiers", "at_least", [(t.name, t.at_least) for t in file.tiers])
