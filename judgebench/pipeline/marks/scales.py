"""Which scale the marks of a file lie on, and what refuses a scale that they do not lie on."""

import math
from pathlib import Path

import numpy as np

from judgebench.errors import ImportFileError
from judgebench.pipeline.marks.values import Coded
from judgebench.text import one_line, plural

LEAST_SPAN = 0.1
"""Marks that lie less far apart cannot be told apart by the decimals that are shown."""
OUTCOMES = (-1.0, 1.0)
"""What a comparison is marked with where nobody says: lost and won by the first."""
_SHOWN = 4


def scale_of(
    marks: Coded, *, scale: tuple[float, float] | None, paired: bool, path: Path
) -> tuple[float, float]:
    """The ends of the scale, in the points of the file.

    Args:
        marks: The column of marks; None where there is none.
        scale: The user's scale; None for what the marks span (-1 to 1 for pairs).
        paired: They are outcomes of comparisons: of a scale of those only the two ends
            and the middle mean something.
        path: The file, for messages.

    Raises:
        ImportFileError: The marks do not lie on it, or lie too close together.
    """
    if paired:
        if scale is None:
            _refuse_two_readings(marks, path)
        low, high = scale or OUTCOMES
        _refuse_other_outcomes(marks, (low, high), path)
    else:
        low, high = scale or _span(marks, path)
        _refuse_mostly_off(marks, (low, high), path)
    _refuse_narrow(low, high, marks, path)
    return low, high


def outcomes(low: float, high: float) -> tuple[float, float, float]:
    """The marks of a comparison that the second won, of a tie, and of one that the first won."""
    return low, (low + high) / 2, high


def _counts(marks: Coded) -> dict[float, int]:
    """Each mark of the file and how many rows give it, from low to high."""
    rows = np.bincount(marks.codes, minlength=len(marks.values)).tolist()
    found = {
        mark: count for mark, count in zip(marks.values, rows, strict=True) if mark is not None
    }
    return {mark: found[mark] for mark in sorted(found) if found[mark]}


def _listed(found: list[float]) -> str:
    shown = [f"{mark:.15g}" for mark in found[:_SHOWN]]
    return ", ".join(shown) + (f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else "")


def _refuse_two_readings(marks: Coded, path: Path) -> None:
    """0 beside nothing but 1 is a loss to some and a tie to others: the user says which."""
    found = set(_counts(marks))
    if 0.0 in found and found <= {0.0, 1.0}:
        raise ImportFileError(
            path,
            "has no outcome but 0 and 1" if len(found) > 1 else "has no outcome but 0",
            "name --scale 0-1 where 0 is lost, --scale -1..1 where it is a tie",
        )


def _refuse_other_outcomes(marks: Coded, ends: tuple[float, float], path: Path) -> None:
    """An outcome has no size: a value that is no win, tie or loss shows a wrong scale."""
    counts = _counts(marks)
    meant = outcomes(*ends)
    other = [mark for mark in counts if mark not in meant]
    if not other:
        return
    lost, tie, won = (f"{mark:.15g}" for mark in meant)
    rows = plural(sum(counts[mark] for mark in other), "comparison")
    problem = (
        f"marks {rows} with {one_line(_listed(other), 60)}, where {won} says that the first won, "
        f"{tie} a tie, {lost} that the second won"
    )
    low, high = min(counts), max(counts)
    if ends != OUTCOMES and set(counts) <= set(outcomes(*OUTCOMES)):
        fix = "leave --scale out: 1 is then a win of the first, 0 a tie, -1 a win of the second"
    elif low < high and set(counts) <= set(outcomes(low, high)):
        fix = f"take --scale {low:.15g}..{high:.15g} where {high:.15g} says that the first won"
    else:
        fix = "write 1 where the first won, 0 for a tie, -1 where the second won"
    raise ImportFileError(path, problem, fix)


def _refuse_mostly_off(marks: Coded, ends: tuple[float, float], path: Path) -> None:
    """What leaves out more than it keeps is no scale of these marks."""
    counts = _counts(marks)
    off = sum(count for mark, count in counts.items() if not ends[0] <= mark <= ends[1])
    given = sum(counts.values())
    if 2 * off <= given:
        return
    low, high = f"{min(counts):.15g}", f"{max(counts):.15g}"
    raise ImportFileError(
        path,
        f"has {off:,} of {plural(given, 'mark')} off --scale {ends[0]:.15g}..{ends[1]:.15g}: they "
        f"lie from {low} to {high}",
        "name the scale that they were given on, or leave --scale out",
    )


def _span(marks: Coded, path: Path) -> tuple[float, float]:
    given = [mark for mark in marks.values if mark is not None]
    if not given or min(given) == max(given):
        raise ImportFileError(
            path, "holds no two different marks to take a scale from", "name it with --scale 1-5"
        )
    # Outwards to three decimals: long fractions make no scale.
    return math.floor(min(given) * 1_000) / 1_000, math.ceil(max(given) * 1_000) / 1_000


def _refuse_narrow(low: float, high: float, marks: Coded, path: Path) -> None:
    """Two decimals are shown: what spans less than ten of their steps would all look alike."""
    given = [mark for mark in marks.values if mark is not None and low <= mark <= high]
    span = max(given, default=high) - min(given, default=low)
    if 0 < span < LEAST_SPAN or high - low < LEAST_SPAN:
        raise ImportFileError(
            path,
            f"holds marks that lie {span:.3g} apart at most, and two decimals are shown",
            f"write them on a wider scale: at least {LEAST_SPAN:g}",
        )
