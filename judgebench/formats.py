"""Strict YAML, TOML and JSON for files that people write, with places for faults.

A text becomes plain values plus the line of every key. What lenient readers
pass in silence is refused here: double keys, aliases, tags, second documents,
numbers that overflow, words that YAML 1.1 would turn into booleans or dates.
Nothing here opens a file.
"""

import difflib
import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from judgebench.errors import FileFault
from judgebench.text import one_line

Key = tuple[str | int, ...]
M = TypeVar("M", bound=BaseModel)

MAX_BYTES = 4 * 1024 * 1024
MAX_NODES = 200_000
MAX_DEPTH = 40


@dataclass(frozen=True, kw_only=True)
class Located:
    """Plain values of a file with the line of each key (counted from 1)."""

    path: Path
    """The file as the user named it."""
    data: Any
    """Mappings, lists, str, int, float, bool and None only."""
    lines: Mapping[Key, int] = field(default_factory=dict)
    """Line of each value, by its path of keys and list positions."""

    def line(self, key: Key) -> int:
        """Line of `key`, or of the nearest parent that has one."""
        for length in range(len(key), -1, -1):
            if key[:length] in self.lines:
                return self.lines[key[:length]]
        return 0


def decode(raw: bytes, path: Path, fault: type[FileFault]) -> str:
    """Decode a hand-written file: UTF-8, with or without a byte order mark."""
    if len(raw) > MAX_BYTES:
        raise fault(path, f"is {len(raw):,} bytes long", f"keep it under {MAX_BYTES:,} bytes")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        line = raw[: exc.start].count(b"\n") + 1
        raise fault(
            path,
            f"has a byte 0x{raw[exc.start]:02x} that is not UTF-8",
            "save it as UTF-8",
            line=line,
        ) from None


def parse_yaml(text: str, path: Path, fault: type[FileFault]) -> Located:
    """Read one YAML document strictly.

    Raises:
        FileFault: of the class `fault`, with line and key.
    """
    try:
        documents = list(_compose_all(text))
    except yaml.MarkedYAMLError as exc:
        mark = exc.problem_mark or exc.context_mark
        line = mark.line + 1 if mark else 0
        what = one_line(exc.problem or exc.context or "cannot be read", 120)
        raise fault(path, f"is not valid YAML: {what}", "mend this line", line=line) from None
    except yaml.YAMLError as exc:
        raise fault(path, f"is not valid YAML: {one_line(str(exc), 120)}", "mend it") from None
    except RecursionError:
        raise fault(path, "is nested too deeply", f"use at most {MAX_DEPTH} levels") from None
    if not documents or documents[0] is None:
        raise fault(path, "is empty", "write its keys (docs/formats.md shows them)")
    if len(documents) > 1:
        line = documents[1].start_mark.line + 1 if documents[1] is not None else 0
        raise fault(path, "holds two YAML documents", "keep one document a file", line=line)
    reader = _YamlReader(path, fault)
    data = reader.value(documents[0], ())
    return Located(path=path, data=data, lines=reader.lines)


def _compose_all(text: str) -> Any:  # noqa: ANN401 - a generator of nodes or None
    loader = yaml.SafeLoader(text)
    try:
        while loader.check_node():
            yield loader.get_node()
    finally:
        loader.dispose()


_INT = re.compile(r"[-+]?(0|[1-9][0-9]*)\Z")
_FLOAT = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?\Z")


class _YamlReader:
    """Turns composed nodes into plain values by the YAML 1.2 core rules."""

    def __init__(self, path: Path, fault: type[FileFault]) -> None:
        self.path, self.fault = path, fault
        self.lines: dict[Key, int] = {}
        self.seen: set[int] = set()
        self.count = 0

    def stop(self, node: yaml.Node, key: Key, problem: str, fix: str) -> NoReturn:
        raise self.fault(self.path, problem, fix, line=node.start_mark.line + 1, key=dotted(key))

    def value(self, node: yaml.Node, key: Key) -> Any:  # noqa: ANN401 - plain values
        self.count += 1
        if id(node) in self.seen:
            self.stop(node, key, "repeats another part by an alias (*)", "write it out")
        self.seen.add(id(node))
        if self.count > MAX_NODES or len(key) > MAX_DEPTH:
            self.stop(node, key, "is too large or nested too deeply", "make the file smaller")
        self.lines[key] = node.start_mark.line + 1
        if isinstance(node, yaml.MappingNode):
            self._only_core(node, key)
            return self._mapping(node, key)
        if isinstance(node, yaml.SequenceNode):
            self._only_core(node, key)
            return [self.value(child, (*key, i)) for i, child in enumerate(node.value)]
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node, key)
        return self.stop(node, key, "cannot be read", "write plain YAML")

    def _only_core(self, node: yaml.Node, key: Key) -> None:
        if not node.tag.startswith("tag:yaml.org,2002:") or node.tag.startswith(
            "tag:yaml.org,2002:python"
        ):
            self.stop(node, key, f"carries the tag {one_line(node.tag, 60)}", "leave tags out")

    def _mapping(self, node: yaml.MappingNode, key: Key) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self.stop(key_node, key, "has a key that is not a word", "write a plain word")
            name = key_node.value
            if key_node.tag == "tag:yaml.org,2002:merge":
                self.stop(key_node, key, "uses a merge key (<<)", "write the keys out")
            if name in out:
                self.stop(key_node, (*key, name), "stands twice", "keep one of the two")
            out[name] = self.value(value_node, (*key, name))
            self.lines[(*key, name)] = key_node.start_mark.line + 1
        return out

    def _scalar(self, node: yaml.ScalarNode, key: Key) -> Any:  # noqa: ANN401 - plain values
        self._only_core(node, key)
        text: str = node.value
        if node.style is not None or node.tag == "tag:yaml.org,2002:str":
            return text
        if text in {"", "~", "null", "Null", "NULL"}:
            return None
        if text.lower() in {"true", "false"}:
            return text.lower() == "true"
        if _INT.match(text):
            if len(text) > 18:  # noqa: PLR2004 - a 64-bit integer has 19 digits
                self.stop(node, key, f"is {one_line(text, 30)}", "write a smaller number")
            return int(text)
        if _FLOAT.match(text):
            number = float(text)
            if not math.isfinite(number):
                self.stop(node, key, f"is {one_line(text, 30)}", "write a finite number")
            # 01 or 1_000 would be read differently by another reader.
            if re.match(r"[-+]?0[0-9]", text):
                self.stop(
                    node,
                    key,
                    f"is {text}, which readers take differently",
                    f'write "{text}" in quotes or a plain number',
                )
            return number
        word = one_line(text, 40)
        return self.stop(
            node,
            key,
            f"is {word}, which YAML readers do not take as text",
            f'write "{word}" in quotes, or another value',
        )


def parse_toml(text: str, path: Path, fault: type[FileFault]) -> Located:
    """Read a TOML text; lines are those of tables and of keys at line starts."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as exc:
        found = re.search(r"line (\d+)", str(exc))
        line = int(found.group(1)) if found else 0
        what = one_line(re.sub(r"\s*\(at .*\)$", "", str(exc)), 120)
        raise fault(path, f"is not valid TOML: {what}", "mend this line", line=line) from None
    lines: dict[Key, int] = {(): 1}
    table: Key = ()
    for number, row in enumerate(text.splitlines(), 1):
        if found := re.match(r"\s*\[([^\[\]]+)\]", row):
            table = tuple(part.strip().strip("\"'") for part in _split_dots(found.group(1)))
            lines.setdefault(table, number)
        elif found := re.match(r"\s*([A-Za-z0-9_.\"'-]+)\s*=", row):
            key = tuple(part.strip().strip("\"'") for part in _split_dots(found.group(1)))
            lines.setdefault((*table, *key), number)
    return Located(path=path, data=data, lines=lines)


def _split_dots(name: str) -> list[str]:
    return re.findall(r"\"[^\"]*\"|'[^']*'|[^.]+", name)


def dotted(key: Key) -> str:
    """Write a path of keys as people do: ``criteria.2.weight``, lists from 1."""
    return ".".join(str(part + 1) if isinstance(part, int) else one_line(part, 60) for part in key)


def validate(model: type[M], located: Located, fault: type[FileFault]) -> M:
    """Check plain values against a pydantic model; the first fault in line order is raised.

    Raises:
        FileFault: of the class `fault`, with line, key and what to write.
    """
    try:
        return model.model_validate(located.data)
    except ValidationError as exc:
        errors = sorted(
            exc.errors(include_url=False),
            key=lambda e: (located.line(_plain_key(e["loc"], located.data)), len(e["loc"])),
        )
        error = errors[0]
        key = _plain_key(error["loc"], located.data)
        problem, fix = _explain(dict(error), model)
        raise fault(located.path, problem, fix, line=located.line(key), key=dotted(key)) from None


def _plain_key(loc: tuple[int | str, ...], data: Any) -> Key:  # noqa: ANN401 - plain values
    """Drop what pydantic adds to a location (names of union members, validators)."""
    key: list[str | int] = []
    here = data
    for position, part in enumerate(loc):
        in_list = isinstance(part, int) and isinstance(here, list) and part < len(here)
        in_mapping = isinstance(part, str) and isinstance(here, dict) and part in here
        if in_list or in_mapping:
            key.append(part)
            here = here[part]
        elif position == len(loc) - 1 and isinstance(here, dict) and isinstance(part, str):
            key.append(part)
    return tuple(key)


def _explain(error: dict[str, Any], model: type[BaseModel]) -> tuple[str, str]:
    kind, found = str(error["type"]), error.get("input")
    if kind == "extra_forbidden":
        name = str(error["loc"][-1])
        near = difflib.get_close_matches(name, sorted(all_keys(model)), n=1, cutoff=0.6)
        fix = f"did you mean {near[0]}?" if near else "take it out (docs/formats.md lists the keys)"
        return "is not a known key", fix
    if kind == "missing":
        return "is missing", "write it"
    shown = one_line(repr(found), 60)
    message = str(error["msg"])
    if kind == "value_error":
        text = message.removeprefix("Value error, ")
        problem, _, fix = text.partition("; ")
        return problem, fix or "mend it"
    wanted = message[0].lower() + message[1:]
    wanted = wanted.removeprefix("input should be ")
    return f"is {shown}", f"write {wanted}"


def all_keys(model: type[BaseModel]) -> set[str]:
    """Every key that a file of this model may hold, at any depth."""
    names: set[str] = set()
    for part in (model.model_json_schema(), *model.model_json_schema().get("$defs", {}).values()):
        names.update(part.get("properties", {}))
    return names
