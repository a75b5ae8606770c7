"""Report files as they lie against the figures that the store gives today.

Where a report was made of the very same, each of its files must be equal to the letter.
Where more is stored since, or another version made it, its figures are compared
and the words are not.
"""

import json
import math
import shlex
from collections.abc import Callable, Iterator, Mapping
from itertools import zip_longest
from typing import Any

from judgebench.model.result import Result
from judgebench.model.verified import Difference, Part
from judgebench.reports.json import render as as_json
from judgebench.reports.write import FILES
from judgebench.text import one_line, printable

RESULT = "result.json"
FURTHER = ("extended", "people")
"""Parts of a result that a report holds only where they were asked for."""
NEAR = 1e-9
_MOST = 50
"""Differences of one file that are told."""
_OF_ARM = frozenset({"mean", "median", "criteria", "answered", "tier"})
"""What a report says of an arm in figures of its own pass, whatever came later."""


def compare(
    contents: Mapping[str, bytes],
    result_of: Callable[[frozenset[str]], Result],
    *,
    place: str,
    run: str,
) -> Iterator[Difference | str]:
    """Hold report files against a result made anew.

    Args:
        contents: The files by name.
        result_of: Makes the result, with further parts by their names in it, of `FURTHER`.
        place: The folder, for messages.
        run: The run folder as the user named it, for messages.

    Yields:
        Differences, and notes in words.
    """
    if RESULT not in contents:
        yield f"{place} holds no {RESULT}: its figures were not compared"
        return
    try:
        told = json.loads(contents[RESULT])
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        yield Difference(
            part=Part.REPORT, place=f"{place}/{RESULT}", stored="no JSON", found="a result"
        )
        return
    further = _further(told)
    result = result_of(further)
    found = json.loads(as_json(result))
    if told.get("generated_from") != found["generated_from"]:
        again = f"judge report {shlex.quote(printable(run))} --pass {result.judging.id}"
        again += " --extended" if "extended" in further else ""
        yield (
            f"{place} was not made of all that is stored now ({_since(told, found)}): its figures "
            f"only were compared; {again} makes it anew"
        )
        yield from _figures(told, found, place)
        return
    yield from _whole(contents, result, place)
    yield from _bounded(_json(told, found, ""), f"{place}/{RESULT}")


def _further(told: Mapping[str, Any]) -> frozenset[str]:
    """What a report has beyond every report; one of pairs is extended by strengths alone."""
    extended = ["extended"] if told.get("strengths") is not None else []
    return frozenset([*extended, *(name for name in FURTHER if told.get(name) is not None)])


def _since(told: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    """What changed since a report was made, as far as it says what it was made with."""
    old, new = told.get("versions"), found["versions"]
    if not isinstance(old, dict):
        return "something was stored or taken back since, or another version made it"
    other = [name for name in sorted(old.keys() | new) if old.get(name) != new.get(name)]
    if not other:
        return "something was stored or taken back since"
    each = [f"{name} {old.get(name, 'none')}, now {new.get(name, 'none')}" for name in other]
    return f"another version made it: {one_line('; '.join(each), 200)}"


def _whole(contents: Mapping[str, bytes], result: Result, place: str) -> Iterator[Difference]:
    for name, render in FILES.items():
        if name == RESULT or name not in contents:
            continue
        there, wanted = contents[name].decode("utf-8", "replace"), render(result)
        yield from _bounded(_lines(there, wanted), f"{place}/{name}")


def _figures(told: Mapping[str, Any], found: Mapping[str, Any], place: str) -> Iterator[Difference]:
    """Only what a growing run leaves as it is: arms are matched by name."""
    old, new = dict(_by_arm(told)), dict(_by_arm(found))
    for arm in old.keys() & new.keys():
        kept = {k: v for k, v in old[arm].items() if k in _OF_ARM}
        made = {k: v for k, v in new[arm].items() if k in kept}
        yield from _bounded(_json(kept, made, arm), f"{place}/{RESULT}")


def _by_arm(document: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    arms = document.get("arms")
    for one in arms if isinstance(arms, list) else ():
        if isinstance(one, dict) and isinstance(one.get("arm"), dict):
            yield str(one["arm"].get("id")), one


def _bounded(found: Iterator[tuple[str, str, str]], place: str) -> Iterator[Difference]:
    for at, (where, stored, wanted) in enumerate(found):
        if at == _MOST:
            yield Difference(
                part=Part.REPORT, place=place, stored="more that differs", found="not listed"
            )
            return
        yield Difference(
            part=Part.REPORT,
            place=f"{place}:{where}" if where else place,
            stored=one_line(stored, 160),
            found=one_line(wanted, 160),
        )


def _lines(there: str, wanted: str) -> Iterator[tuple[str, str, str]]:
    pairs = zip_longest(there.split("\n"), wanted.split("\n"))
    for number, (one, other) in enumerate(pairs, 1):
        if one != other:
            yield (
                str(number),
                "nothing" if one is None else one,
                "nothing" if other is None else other,
            )


def _there(line: str | None) -> str:
    return "no line" if line is None else line


def _json(told: Any, found: Any, where: str) -> Iterator[tuple[str, str, str]]:  # noqa: ANN401 - JSON
    if isinstance(told, dict) and isinstance(found, dict):
        for key in sorted(told.keys() | found.keys()):
            here = f"{where}.{key}" if where else key
            yield from _json(told.get(key), found.get(key), here)
    elif isinstance(told, list) and isinstance(found, list):
        for at, (one, other) in enumerate(zip_longest(told, found), 1):
            yield from _json(one, other, f"{where}.{at}")
    elif not _equal(told, found):
        yield where, json.dumps(told), json.dumps(found)


def _equal(one: object, other: object) -> bool:
    if isinstance(one, float | int) and isinstance(other, float | int):
        same_kind = isinstance(one, bool) == isinstance(other, bool)
        return same_kind and math.isclose(one, other, rel_tol=NEAR, abs_tol=NEAR)
    return one == other
