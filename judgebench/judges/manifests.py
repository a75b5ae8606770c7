"""Manifests of packages → the names that they ask for, each with its line.

Files are read as data: nothing of them is executed, which is why a Gemfile, a
`mix.exs` or a Gradle build is read by the form of its lines, and JSON and TOML by
their parsers. What cannot be parsed is a fault in words.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import PurePosixPath
from typing import Any

MANIFESTS = (
    "package.json", "composer.json", "pyproject.toml", "Pipfile", "Cargo.toml", "requirements*.txt",
    "Gemfile", "*.gemspec", "go.mod", "mix.exs", "pom.xml", "build.gradle*", "*.csproj",
)  # fmt: skip
"""Paths of what can be read here, as patterns."""
MAX_NAMES = 2_000
"""Packages of one manifest that are read."""
_TABLES = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies",
           "require", "require-dev")  # fmt: skip
_NAME = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]{0,120})")
_LINES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("gemfile", re.compile(r"""^\s*gem[\s(]+["']([\w.-]{1,120})["']""")),
    (".gemspec", re.compile(r"""add_(?:\w{1,20}_)?dependency[\s(]+["']([\w.-]{1,120})["']""")),
    ("mix.exs", re.compile(r"""\{\s*:(\w{1,120})\s*,""")),
    ("pom.xml", re.compile(r"""<artifactId>\s*([\w.-]{1,120})\s*</artifactId>""")),
    (".csproj", re.compile(r"""PackageReference\s+Include="([\w.-]{1,120})\"""")),
    ("build.gradle", re.compile(r"""["'][\w.-]{1,120}:([\w.-]{1,120})(?::[^"']{0,60})?["']""")),
)


class Unparsed(Exception):  # noqa: N818 - it names what happened
    """A manifest that is not of its own format."""


def dependencies(path: str, lines: tuple[str, ...]) -> Mapping[str, int]:
    """Names that a manifest asks for → the line of each, counted from 1.

    Raises:
        Unparsed: it is not of its own format.
    """
    name = PurePosixPath(path).name.casefold()
    text = "\n".join(lines)
    if name.endswith(".json"):
        return _located(_of_tables(_json(text)), lines)
    if name in _TOML:
        return _located(_TOML[name](_toml(text)), lines)
    if name.startswith("requirements"):
        return dict(_requirements(lines))
    if name == "go.mod":
        return dict(_go(lines))
    pattern = next((p for end, p in _LINES if name.startswith(end) or name.endswith(end)), None)
    return {} if pattern is None else dict(_by_line(pattern, lines))


def _json(text: str) -> Any:  # noqa: ANN401 - JSON
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise Unparsed("is not valid JSON") from None


def _toml(text: str) -> Any:  # noqa: ANN401 - TOML
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        raise Unparsed("is not valid TOML") from None


def _of_tables(data: Any) -> Iterator[str]:  # noqa: ANN401 - JSON
    if not isinstance(data, dict):
        raise Unparsed("is no JSON object")
    for table in _TABLES:
        yield from _keys(data.get(table))


def _keys(table: Any) -> Iterator[str]:  # noqa: ANN401 - any value
    if isinstance(table, dict):
        yield from (str(key) for key in table)


def _pyproject(data: Any) -> Iterator[str]:  # noqa: ANN401 - TOML
    project = data.get("project")
    if isinstance(project, dict):
        yield from _named(project.get("dependencies"))
        yield from _groups(project.get("optional-dependencies"))
    yield from _groups(data.get("dependency-groups"))
    tool = data.get("tool")
    poetry = tool.get("poetry") if isinstance(tool, dict) else None
    if isinstance(poetry, dict):
        yield from _keys(poetry.get("dependencies"))
        yield from _keys(poetry.get("dev-dependencies"))
        groups = poetry.get("group")
        for group in groups.values() if isinstance(groups, dict) else ():
            yield from _keys(group.get("dependencies") if isinstance(group, dict) else None)


def _groups(table: Any) -> Iterator[str]:  # noqa: ANN401 - TOML
    for listed in table.values() if isinstance(table, dict) else ():
        yield from _named(listed)


def _named(listed: Any) -> Iterator[str]:  # noqa: ANN401 - TOML
    for one in listed if isinstance(listed, list) else ():
        if isinstance(one, str) and (found := _NAME.match(one)):
            yield found.group(1)


def _pipfile(data: Any) -> Iterator[str]:  # noqa: ANN401 - TOML
    yield from _keys(data.get("packages"))
    yield from _keys(data.get("dev-packages"))


def _cargo(data: Any) -> Iterator[str]:  # noqa: ANN401 - TOML
    workspace = data.get("workspace")
    for table in (data, workspace if isinstance(workspace, dict) else {}):
        for name in ("dependencies", "dev-dependencies", "build-dependencies"):
            yield from _keys(table.get(name))


_TOML: Mapping[str, Callable[[Any], Iterator[str]]] = {
    "pyproject.toml": _pyproject,
    "pipfile": _pipfile,
    "cargo.toml": _cargo,
}


def _located(names: Iterable[str], lines: tuple[str, ...]) -> dict[str, int]:
    """Each name with the first line that it stands in; parsers give no lines."""
    found: dict[str, int] = {}
    for name in islice(names, MAX_NAMES):
        at = next((n for n, line in enumerate(lines, 1) if name in line), 1)
        found.setdefault(name, at)
    return found


def _requirements(lines: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    for number, line in enumerate(lines, 1):
        if not line.lstrip().startswith(("#", "-")) and (found := _NAME.match(line)):
            yield found.group(1), number


def _go(lines: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    inside = False
    for number, line in enumerate(lines, 1):
        words = line.split("//")[0].split()
        if words[:2] == ["require", "("]:
            inside = True
        elif words == [")"]:
            inside = False
        elif words and (inside or words[0] == "require") and words[-1] != words[0]:
            yield words[0] if inside else words[1], number


def _by_line(pattern: re.Pattern[str], lines: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    for number, line in enumerate(lines, 1):
        for found in pattern.finditer(line):
            yield found.group(1), number
