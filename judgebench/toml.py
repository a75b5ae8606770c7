"""Strict TOML with the line of every key, by the same rules as YAML in `formats`."""

import math
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from judgebench.errors import FileFault
from judgebench.formats.located import Key, Located, dotted
from judgebench.formats.yaml_text import MAX_DEPTH, MAX_DIGITS
from judgebench.text import one_line


def parse_toml(text: str, path: Path, fault: type[FileFault]) -> Located:
    """Read a TOML text strictly; lines are those of tables and of keys at line starts.

    Raises:
        FileFault: of the class `fault`, with line and key.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as exc:
        found = re.search(r"line (\d+)", str(exc))
        line = int(found.group(1)) if found else text.count("\n") + 1
        what = one_line(re.sub(r"\s*\(at .*\)$", "", str(exc)), 120)
        what = what[:1].lower() + what[1:]
        raise fault(path, f"is not valid TOML: {what}", "mend this line", line=line) from None
    except RecursionError:
        raise fault(path, "is nested too deeply", f"use at most {MAX_DEPTH} levels") from None
    except ValueError:
        # Python refuses to read integers of more than 4,300 digits.
        raise fault(path, "holds a number of thousands of digits", "write a smaller one") from None
    located = Located(path=path, data=data, lines=_toml_lines(text, data))
    _plain_only(located, fault)
    return located


def _plain_only(located: Located, fault: type[FileFault]) -> None:
    todo: list[tuple[Key, Any]] = [((), located.data)]
    while todo:
        key, value = todo.pop()
        problem = _not_plain(value, depth=len(key))
        if problem:
            what, _, fix = problem.partition("; ")
            raise fault(
                located.path, what, fix, line=located.line(key), key=dotted(key[:MAX_DEPTH])
            )
        if isinstance(value, dict):
            todo.extend(((*key, name), child) for name, child in value.items())
        elif isinstance(value, list):
            todo.extend(((*key, i), child) for i, child in enumerate(value))


def _not_plain(value: object, *, depth: int) -> str:
    if depth > MAX_DEPTH:
        return f"is nested too deeply; use at most {MAX_DEPTH} levels"
    if isinstance(value, bool | str | dict | list):
        return ""
    if isinstance(value, int):
        too_long = abs(value) >= 10**MAX_DIGITS
        return "is too large a number; write a smaller one" if too_long else ""
    if isinstance(value, float):
        return "" if math.isfinite(value) else f"is {value}; write a finite number"
    return f'is a date or time; write "{value}" in quotes'


_TOML_TABLE = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?\Z")
_TOML_KEY = re.compile(r"\s*([A-Za-z0-9_.\"' -]+?)\s*=")


def _toml_lines(text: str, data: Mapping[str, Any]) -> dict[Key, int]:
    """Lines of tables and keys; only what resolves in `data` counts."""
    lines: dict[Key, int] = {(): 1}
    counts: dict[Key, int] = {}
    table: Key | None = ()
    for number, row in _toml_statements(text):
        if found := _TOML_TABLE.match(row):
            parts = _split_dots(found.group(2))
            if found.group(1) == "[[":
                _count_table(parts, data, counts)
            key = _resolve((), parts, data, counts)
            table = table if key is None else key
        elif found := _TOML_KEY.match(row):
            key = _resolve(table or (), _split_dots(found.group(1)), data, counts)
        else:
            continue
        if key is not None:
            lines.setdefault(key, number)
    return lines


_TOML_LONG_TEXT = re.compile(r"\"{3}|'{3}")
_TOML_SHORT_TEXT = re.compile(r"\"(\\.|[^\"\\])*\"|'[^']*'|#.*")


def _toml_statements(text: str) -> Iterator[tuple[int, str]]:
    """Rows that begin a statement: not those inside a long text or an open list."""
    in_text, depth = False, 0
    for number, row in enumerate(text.split("\n"), 1):
        if not in_text and depth == 0:
            yield number, row
        in_text ^= len(_TOML_LONG_TEXT.findall(row)) % 2 == 1
        if not in_text:
            bare = _TOML_SHORT_TEXT.sub("", row)
            depth = max(0, depth + bare.count("[") - bare.count("]"))


def _count_table(parts: list[str], data: Mapping[str, Any], counts: dict[Key, int]) -> None:
    parent = _resolve((), parts[:-1], data, counts)
    if parent is not None:
        key = (*parent, parts[-1])
        counts[key] = counts.get(key, -1) + 1


def _resolve(
    start: Key, parts: list[str], data: Mapping[str, Any], counts: Mapping[Key, int]
) -> Key | None:
    """The key that `parts` name below `start`; None where `data` has no such key."""
    here: Any = data
    for part in start:
        here = here[part]
    key = start
    for part in parts:
        if not isinstance(here, dict) or part not in here:
            return None
        key, here = (*key, part), here[part]
        if key in counts and isinstance(here, list) and counts[key] < len(here):
            here = here[counts[key]]
            key = (*key, counts[key])
    return key


def _split_dots(name: str) -> list[str]:
    return [part.strip().strip("\"'") for part in re.findall(r"\"[^\"]*\"|'[^']*'|[^.\"']+", name)]
