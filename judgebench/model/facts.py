"""What code knows of a project before anybody has an opinion of it."""

from enum import StrEnum

from judgebench.records import dataclass


class CheckKind(StrEnum):
    """What a declared check looks at."""

    FILES = "files"
    """Files of these paths are there."""
    PATTERN = "pattern"
    """A line fits one of these patterns."""
    DEPENDENCY = "dependency"
    """A manifest names one of these packages."""
    TESTS = "tests"
    """How many tests are there."""
    DOCKERFILE = "dockerfile"
    """A Dockerfile is there and can be read as one."""
    COMPOSE = "compose"
    """A compose file is there and can be read as one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Check:
    """One thing that code looks for in every project of a rubric."""

    id: str
    text: str
    """What it asks, in words; reaches the judge beside the answer."""
    kind: CheckKind
    paths: tuple[str, ...] = ()
    """Where it looks; the kind's own places where left out."""
    patterns: tuple[str, ...] = ()
    """Regular expressions, each looked for within a line."""
    names: tuple[str, ...] = ()
    """Packages."""


class Source(StrEnum):
    """Who found out."""

    SCAN = "scan"
    """Code read the files; nothing was executed."""
    HARNESS = "harness"
    """The harness ran something and brought the result."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A file, and a line of it where one is meant."""

    path: str
    line: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Fact:
    """The answer of one check on one project."""

    check: str
    text: str
    """What was asked."""
    holds: bool | None
    """None where it cannot be said, such as where the part that was not read could hold it."""
    says: str
    """The answer in one line: what was found, or what was searched for."""
    source: Source
    places: tuple[Place, ...] = ()
    """The first places; `count` tells of more."""
    count: int = 0
    """How many places, packages or tests there are."""
