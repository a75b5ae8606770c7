"""Declared checks of a rubric: what each kind needs, and patterns that cannot hang.

A pattern is held against files of strangers, so it may hold nothing that takes time
without end: a repeat within a repeat, alternatives within a repeat, a reference back.
"""

import re
from collections.abc import Iterator

from judgebench.formats.located import Key
from judgebench.rubrics.deduction_schema import CheckFile

MAX_REPEATS = 3
"""Unbounded repeats of one pattern."""
_NEEDS = {"files": "paths", "pattern": "patterns", "dependency": "names"}
_OWN = {"patterns": "pattern", "names": "dependency"}
_REPEAT = re.compile(r"[*+]|\{\d*,\}|\{\d{3,}(,\d*)?\}|\{\d*,\d{3,}\}")

_COUNTED = re.compile(r"\{\d")


def check_faults(check: CheckFile) -> Iterator[tuple[Key, str, str]]:
    """What is wrong with a check: key within it, problem, remedy."""
    needed = _NEEDS.get(check.kind)
    if needed and not getattr(check, needed):
        yield (needed,), "is missing", f"a check of {check.kind} needs it"
    for name, kind in _OWN.items():
        if getattr(check, name) and check.kind != kind:
            yield (name,), f"is for checks of {kind}", "take it out"
    for n, pattern in enumerate(check.patterns):
        if problem := pattern_fault(pattern):
            yield ("patterns", n), problem, "write a simpler pattern; each is held against one line"


def pattern_fault(pattern: str) -> str:
    """Why a regular expression cannot be used; empty where it can."""
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as exc:
        return f"is no regular expression: {str(exc)[:80]}"
    if re.search(r"\\[1-9]|\(\?P=|\(\?\(", pattern):
        return "refers back to a group"
    return _nested(pattern)


def _nested(pattern: str) -> str:
    """Whether a repeated group holds a repeat or alternatives, or repeats are too many."""
    # Of each open group: whether a repeat or an alternative stands in it.
    groups = [False]
    at = repeats = 0
    closed = False
    while at < len(pattern):
        sign = pattern[at]
        repeat = _REPEAT.match(pattern, at)
        if closed and (repeat or _COUNTED.match(pattern, at)):
            return "repeats a group that holds a repeat or alternatives"
        if repeat:
            repeats += 1
            groups[-1] = True
            at = repeat.end()
            closed = False
            continue
        closed = False
        if sign == "\\":
            at += 2
            continue
        if sign == "[":
            at = _behind_class(pattern, at)
            continue
        if sign == "(":
            groups.append(False)
        elif sign == ")" and len(groups) > 1:
            closed = groups.pop()
            groups[-1] = groups[-1] or closed
        elif sign == "|":
            groups[-1] = True
        at += 1
    return f"holds more than {MAX_REPEATS} endless repeats" if repeats > MAX_REPEATS else ""


def _behind_class(pattern: str, at: int) -> int:
    """The place behind a class of signs, in which nothing repeats."""
    at += 2 if pattern[at + 1 : at + 2] == "^" else 1
    at += 1 if pattern[at : at + 1] == "]" else 0
    while at < len(pattern) and pattern[at] != "]":
        at += 2 if pattern[at] == "\\" else 1
    return at + 1
