"""Rubrics → text: those at hand, and the versions that were scored with."""

from collections.abc import Sequence

from judgebench.namesakes import apart
from judgebench.records import dataclass
from judgebench.reports.digits import plural
from judgebench.reports.layout import Column, grid
from judgebench.text import one_line


@dataclass(frozen=True, kw_only=True, slots=True)
class Listed:
    """One rubric at hand."""

    name: str
    version: str
    form: str
    """``marks`` or ``faults``: what the judge is asked for."""
    criteria: tuple[str, ...]
    file: str
    fault: str = ""
    """That it cannot be used; empty where it can."""


def render(rubrics: Sequence[Listed], *, width: int) -> str:
    """Write one rubric a line; files are whole, criteria give way.

    Args:
        rubrics: In the order shown.
        width: Columns of the terminal.
    """
    names = apart((one.name for one in rubrics), 40)
    columns = [
        Column(head="name", cells=tuple(names[one.name] for one in rubrics), least=12),
        Column(head="version", cells=tuple(one_line(one.version, 16) for one in rubrics), least=7),
        Column(head="gives", cells=tuple(one.form for one in rubrics)),
        Column(head="file", cells=tuple(one_line(one.file, 200) for one in rubrics), least=20),
        Column(head="criteria", cells=tuple(map(_criteria, rubrics)), least=12),
    ]
    return _lines(columns, width)


def _criteria(one: Listed) -> str:
    return one_line(one.fault or f"{len(one.criteria)}: {', '.join(one.criteria)}", 400)


@dataclass(frozen=True, kw_only=True, slots=True)
class Stored:
    """One version that the database keeps."""

    name: str
    version: str
    hashes: str
    passes: int


def render_stored(versions: Sequence[Stored], *, width: int) -> str:
    """Write one stored version a line; its hash, by which it is named, is never cut.

    Args:
        versions: In the order shown.
        width: Columns of the terminal.
    """
    if not versions:
        return "No rubric was scored with here yet.\n"
    names = apart((one.name for one in versions), 60)
    columns = [
        Column(head="name", cells=tuple(names[one.name] for one in versions), least=12),
        Column(head="version", cells=tuple(one_line(one.version, 20) for one in versions), least=7),
        Column(head="hash", cells=tuple(one.hashes for one in versions)),
        Column(
            head="used by",
            cells=tuple(plural(one.passes, "pass", "passes") for one in versions),
            right=True,
        ),
    ]
    return _lines(columns, width)


def _lines(columns: Sequence[Column], width: int) -> str:
    table = grid(columns, width)
    return "\n".join((table.head, *table.lines)) + "\n"
