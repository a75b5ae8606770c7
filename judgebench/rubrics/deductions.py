"""A rubric of deductions becomes a `Rubric`, or one line that says what is wrong where.

The file is joined with the rubric that it extends, checked where lines are still
known, and filled from the overlay. What comes out says everything by itself: its
`source` can be read again without the other files.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from judgebench.errors import RubricError
from judgebench.formats.check import validate
from judgebench.formats.located import Key, Located
from judgebench.formats.yaml_text import parse_yaml
from judgebench.model.rubric import Rubric
from judgebench.rubrics.deduction_faults import deduction_faults
from judgebench.rubrics.deduction_rubric import rubric_of, rules_of, written
from judgebench.rubrics.deduction_schema import DeductionFile
from judgebench.rubrics.extending import ids, join, without
from judgebench.rubrics.faults import error, refuse, unknown
from judgebench.rubrics.kinds import is_deductions
from judgebench.rubrics.overlay import Overlay, check_overlay, filled, library
from judgebench.rubrics.schema import ID_PATTERN
from judgebench.text import one_line

MAX_DEPTH = 4
"""Rubrics that may stand under one another."""

Find = Callable[[str], tuple[str, Path]]
"""The text and the path of a rubric of this name."""


def build(located: Located, text: str, *, find: Find, overlay: Overlay | None = None) -> Rubric:
    """Turn a located rubric of deductions into a `Rubric`.

    Args:
        located: Its values and lines.
        text: The file's text, kept as the source where nothing was joined or filled.
        find: Gives the rubric that is extended.
        overlay: What the use case fills in.

    Raises:
        RubricError: with line and dotted key of the first fault.
    """
    joined, bases = _joined(located, find, ())
    file = _checked(joined)
    if overlay:
        check_overlay(overlay, file, bases)
    whole = filled(file, overlay)
    source = written(whole) if bases or overlay else text
    rules = replace(
        rules_of(whole),
        extends=tuple(bases),
        overlay=str(overlay.located.path) if overlay else "",
        library=library(overlay) if overlay else None,
    )
    return rubric_of(whole, rules, source=source, path=str(located.path))


def _joined(located: Located, find: Find, above: tuple[Path, ...]) -> tuple[Located, list[str]]:
    extends = located.data.get("extends")
    if extends is None:
        return located, []
    if not isinstance(extends, str) or not re.fullmatch(ID_PATTERN, extends):
        what = f'is "{one_line(str(extends), 40)}", which is no name'
        raise error(located, ("extends",), what, "write the name of a rubric, such as code-8d")
    text, path = _found(located, extends, find)
    above = (*above, located.path)
    if path in above or len(above) > MAX_DEPTH:
        what = "leads back to this file" if path in above else f"goes over {MAX_DEPTH} files"
        raise error(located, ("extends",), what, "name a rubric that stands by itself")
    base = parse_yaml(text, path, RubricError, keep_words=True)
    if not is_deductions(base):
        what = f'is "{one_line(extends, 40)}", a rubric of marks'
        raise error(located, ("extends",), what, "name a rubric of deductions")
    under, bases = _joined(base, find, above)
    _checked(under)
    whole = join(under, located)
    dropped, known = _texts(located.data.get("drop")), sorted(ids(under.data))
    for n, one in enumerate(dropped):
        if one not in known:
            refuse(located, [unknown(("drop", n), one, known, f"criterion or entry of {extends}")])
    return without(whole, dropped), [extends, *bases]


def _found(located: Located, name: str, find: Find) -> tuple[str, Path]:
    try:
        return find(name)
    except RubricError as exc:
        where = one_line(name, 80)
        if str(exc.path) != where:
            raise
        problem, _, fix = str(exc).removeprefix(f"{where}: ").partition("; ")
        key: Key = ("extends",)
        raise error(located, key, f'is "{where}", which {problem}', fix) from None


def _texts(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _checked(located: Located) -> DeductionFile:
    file = validate(DeductionFile, located, RubricError)
    refuse(located, deduction_faults(file))
    return file
