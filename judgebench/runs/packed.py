"""The text that a packed project is: a list of its files, then their numbered lines."""

import re
from collections.abc import Iterator, Sequence

from judgebench.model.projects import LeftOut, ProjectFile
from judgebench.text import one_line

MAKER = "names its maker"
"""Why a file of an agent is left out; its name would tell the judge as much as its text."""
LISTED = 300
"""Files that are left out and named in the text one by one."""
_HEADER = re.compile(r"===== (.+) \(lines 1-\d+ of \d+\) =====")
_NUMBER = re.compile(r" *\d+\| ")


def text_of(files: Sequence[ProjectFile], left_out: Sequence[LeftOut]) -> str:
    """The text that a judge is shown of a project."""
    parts = ["FILES OF THE PROJECT", ""]
    parts.extend(f"{file.path}: {_how_much(file)}" for file in files)
    parts.extend(["", "LEFT OUT", ""])
    named = [one for one in left_out if one.reason != MAKER]
    parts.extend(f"{one_line(one.path, 200)}: {one.reason}" for one in named[:LISTED])
    if len(named) > LISTED:
        parts.append(f"and {len(named) - LISTED:,} more")
    elif not named:
        parts.append("nothing")
    for file in files:
        if file.shown:
            parts.extend(["", header(file.path, file.shown, len(file.lines))])
            parts.extend(numbered(file.lines, file.shown))
    return "\n".join(parts) + "\n"


def lines_in(text: str) -> dict[str, list[tuple[int, int]]]:
    """Where the lines of each file stand in the text of a project: start and end, in order.

    The number before a line is no part of it. No line of a file can pass for a header:
    every one of them starts with its number.
    """
    found: dict[str, list[tuple[int, int]]] = {}
    here: list[tuple[int, int]] = []
    start = 0
    for line in text.split("\n"):
        if head := _HEADER.fullmatch(line):
            here = found.setdefault(head[1], [])
        elif number := _NUMBER.match(line):
            here.append((start + number.end(), start + len(line)))
        start += len(line) + 1
    return found


def chars_in(lines: Sequence[str], n: int | None = None) -> int:
    """What the first `n` lines take with their numbers."""
    count = len(lines) if n is None else min(n, len(lines))
    return sum(len(line) for line in numbered(lines, count)) + count


def header(path: str, shown: int, lines: int) -> str:
    """The line over the lines of a file; no line of a file looks like it."""
    return f"===== {path} (lines 1-{shown} of {lines}) ====="


def numbered(lines: Sequence[str], n: int) -> Iterator[str]:
    """The first `n` lines, each behind its number."""
    width = len(str(len(lines)))
    return (f"{number:>{width}}| {line}" for number, line in enumerate(lines[:n], 1))


def _how_much(file: ProjectFile) -> str:
    n = len(file.lines)
    if n == 0:
        return "empty"
    words = f"{n} line" if n == 1 else f"{n} lines"
    if file.whole:
        return words
    return f"{words}, 1-{file.shown} shown" if file.shown else f"{words}, not shown"
