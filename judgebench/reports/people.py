"""Calibration → text for a terminal: the verdict first, then people, then the judge beside them."""

import shlex
from collections.abc import Sequence

from judgebench.model.people import Calibration
from judgebench.reports.cells import command_lines, wrap
from judgebench.reports.digits import decimals
from judgebench.reports.people_notes import flags
from judgebench.reports.people_tables import alone, beside, corrected
from judgebench.reports.people_words import (
    head,
    may_tune,
    needs,
    next_command,
    preferences,
    verdict,
)
from judgebench.text import printable

_WRAP = 80
_ROWS = 12
LINES = 24
"""Lines of the page, where its sentences leave room for that."""
SPLITTABLE = 25
"""Marked items of which 0.4 for tuning, and the others for reporting, are ten or more."""


def render(
    made: Calibration, *, run: str = "RUN", typed: Sequence[str] = (), width: int = _WRAP
) -> str:  # fmt: skip
    """Write the verdict, people alone, the judge against them, and what is refused.

    Args:
        made: What was found.
        run: The run as the user named it, for the next command.
        typed: Options that name its pass, as they are typed again.
        width: Columns of the terminal.
    """
    lines: list[str] = []
    command = " ".join((next_command(made, shlex.quote(printable(run))), *typed))
    for most in range(_ROWS, 0, -1):
        lines = _lines(made, command, width, most)
        # First rows go, then blank lines: from the end, and never the one behind the verdict.
        spare = [at for at, line in enumerate(lines) if not line][:0:-1]
        if len(lines) - len(spare) <= LINES:
            drop = set(spare[: max(0, len(lines) - LINES)])
            lines = [line for at, line in enumerate(lines) if at not in drop]
            break
    return "\n".join(lines) + "\n"


def _lines(made: Calibration, command: str, width: int, most: int) -> list[str]:
    """The page with at most so many rows in each table."""
    digits = decimals(made.scale_low, made.scale_high)
    blocks = [
        [verdict(made)],
        head(made),
        alone(made, digits, width, most),
        beside(made, digits, width, most),
        corrected(made, digits, width, most),
        preferences(made),
        flags(made),
        needs(made, None),
        _next(command, width, few=may_tune(made) and not made.labels.splittable),
    ]
    lines = [
        line
        for place, block in enumerate(block for block in blocks if block)
        for line in (*([""] if place else []), *block)
    ]
    return [part for line in lines for part in _fit(line, width)]


def _next(command: str, width: int, *, few: bool) -> list[str]:
    line = f"Next: {command}"
    lines = [line] if len(line) <= width else ["Next:", *command_lines(f"  {command}", width)]
    if few:
        lines.append(
            f"  (too few marked items to tune the rubric: about {SPLITTABLE} can be split)"
        )
    return lines


def _fit(line: str, width: int) -> list[str]:
    # Tables are laid out already; sentences are wrapped.
    return [line] if line.startswith(" ") or len(line) <= width else wrap(line, width)
