"""Facts before opinions: a rubric's declared checks over a project, by code.

Reads what `runs.pack` read and executes nothing of it. A check that would need a
part that was not read says that it cannot be decided, never that a thing is missing.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import PurePosixPath

from judgebench.judges.containers import compose_fault, dockerfile_fault
from judgebench.judges.findings import glob_of, matches, may_hold
from judgebench.judges.manifests import MANIFESTS, Unparsed, dependencies
from judgebench.model.facts import Check, CheckKind, Fact, Place, Source
from judgebench.model.projects import Project, ProjectFile
from judgebench.text import one_line, plural

MAX_LINE = 500
"""Characters of a line that patterns are held against."""
SHOWN = 8
"""Places of a fact that are named; the rest are counted."""
_PATHS: dict[CheckKind, tuple[str, ...]] = {
    CheckKind.DEPENDENCY: MANIFESTS,
    CheckKind.DOCKERFILE: ("Dockerfile", "Dockerfile.*", "*.dockerfile", "Containerfile"),
    CheckKind.COMPOSE: ("compose.y*ml", "docker-compose*.y*ml", "compose.*.y*ml"),
    CheckKind.TESTS: (
        "test/**", "tests/**", "spec/**", "**/test/**", "**/tests/**", "**/spec/**",
        "**/__tests__/**", "test_*", "*_test.*", "*_spec.*", "*.test.*", "*.spec.*", "*Test.*",
        "*Tests.*", "*.rs",
    ),
}  # fmt: skip
_TESTS: dict[str, re.Pattern[str]] = {
    "py": re.compile(r"\s*(?:async\s+)?def\s+test\w*\s*\("),
    "rb": re.compile(r"""\s*(?:def\s+test_\w+|(?:test|it|specify|scenario)[\s(]+["'])"""),
    "js": re.compile(r"""\s*(?:it|test)(?:\.\w{1,20})?\s*\(\s*["'`]"""),
    "go": re.compile(r"func\s+Test\w*\s*\("),
    "rs": re.compile(r"\s*#\[(?:\w{1,40}::)?test\b"),
    "java": re.compile(r"\s*@(?:Parameterized)?Test\b"),
    "cs": re.compile(r"\s*\[(?:Fact|Theory|Test|TestMethod)\b"),
    "ex": re.compile(r"""\s*test\s+["']"""),
    "php": re.compile(r"\s*(?:public\s+)?function\s+test\w*\s*\("),
}
_LANGUAGES = {
    "jsx": "js", "ts": "js", "tsx": "js", "mjs": "js", "cjs": "js", "vue": "js", "svelte": "js",
    "kt": "java", "kts": "java", "scala": "java", "exs": "ex",
}  # fmt: skip


def scan(project: Project, checks: Sequence[Check]) -> tuple[Fact, ...]:
    """Run every declared check over a project.

    Args:
        project: All that code can read of it.
        checks: As the rubric declares them.

    Returns:
        One fact a check, in the rubric's order.
    """
    return tuple(_LOOKS[check.kind](project, check) for check in checks)


def _paths(check: Check) -> tuple[str, ...]:
    return check.paths or _PATHS.get(check.kind, ())


def _files(project: Project, check: Check) -> Iterator[ProjectFile]:
    globs = [glob_of(path) for path in _paths(check)]
    return (file for file in project.files if not globs or matches(file.path, globs))


def _there(check: Check, says: str, places: Sequence[Place], *, count: int | None = None) -> Fact:
    return Fact(
        check=check.id,
        text=check.text,
        holds=True,
        says=one_line(says, 300),
        source=Source.SCAN,
        places=tuple(places[:SHOWN]),
        count=len(places) if count is None else count,
    )


def _not_there(project: Project, check: Check, says: str, *, in_text: bool = True) -> Fact:
    """What was found nowhere; undecided where a part that code did not read could hold it."""
    globs = [glob_of(path) for path in _paths(check)]
    hidden = next(
        (
            f"{one.path} was not read: {one.reason}"
            for one in project.left_out
            if may_hold(one, globs, text=in_text)
        ),
        "",
    )
    words = f"{says}, but {hidden}" if hidden else says
    return Fact(
        check=check.id,
        text=check.text,
        holds=None if hidden else False,
        says=one_line(words, 300),
        source=Source.SCAN,
    )


def _fault(check: Check, says: str, place: Place) -> Fact:
    return Fact(
        check=check.id, text=check.text, holds=False, says=one_line(says, 300),
        source=Source.SCAN, places=(place,), count=1,
    )  # fmt: skip


def _look_files(project: Project, check: Check) -> Fact:
    globs = [glob_of(path) for path in check.paths]
    names = [file.path for file in project.files if matches(file.path, globs)]
    names += [one.path for one in project.left_out if matches(one.path, globs)]
    if names:
        says = f"{plural(len(names), 'file')}: {', '.join(names[:SHOWN])}"
        return _there(check, says, [Place(path=name) for name in sorted(names)])
    return _not_there(project, check, f"no file fits {' or '.join(check.paths)}", in_text=False)


def _look_pattern(project: Project, check: Check) -> Fact:
    wanted = [re.compile(pattern) for pattern in check.patterns]
    places: list[Place] = []
    for file in _files(project, check):
        for number, line in enumerate(file.lines, 1):
            if any(one.search(line[:MAX_LINE]) for one in wanted):
                places.append(Place(path=file.path, line=number))
    if places:
        first = places[0]
        says = f"{plural(len(places), 'line')}, the first in {first.path}, line {first.line}"
        return _there(check, says, places)
    where = f" in {' or '.join(check.paths)}" if check.paths else ""
    return _not_there(project, check, f"no line fits {' or '.join(check.patterns)}{where}")


def _look_dependency(project: Project, check: Check) -> Fact:
    wanted = {_package(name): name for name in check.names}
    places: list[Place] = []
    found: list[str] = []
    odd: list[str] = []
    read = 0
    for file in _files(project, check):
        try:
            names = dependencies(file.path, file.lines)
        except Unparsed as exc:
            odd.append(f"{file.path} {exc}")
            continue
        read += 1
        for name, line in names.items():
            if _package(name) in wanted:
                found.append(name)
                places.append(Place(path=file.path, line=line))
    if places:
        at = places[0]
        says = f"{', '.join(dict.fromkeys(found))}, first in {at.path}, line {at.line}"
        return _there(check, says, places)
    says = f"{' or '.join(check.names)}: named by none of {plural(read, 'manifest')}"
    fact = _not_there(project, check, says + (f"; {'; '.join(odd)}" if odd else ""))
    return fact if not odd else _undecided(fact)


def _undecided(fact: Fact) -> Fact:
    return Fact(check=fact.check, text=fact.text, holds=None, says=fact.says, source=fact.source)


def _package(name: str) -> str:
    """One spelling of a package's name: case and the marks between its words mean nothing."""
    return re.sub(r"[-_.]+", "-", name.strip().casefold())


def _look_tests(project: Project, check: Check) -> Fact:
    places: list[Place] = []
    files: list[str] = []
    for file in _files(project, check):
        suffix = PurePosixPath(file.path).suffix.lstrip(".").casefold()
        form = _TESTS.get(_LANGUAGES.get(suffix, suffix))
        if form is None:
            continue
        lines = [n for n, line in enumerate(file.lines, 1) if form.match(line[:MAX_LINE])]
        if lines:
            files.append(file.path)
            places.extend(Place(path=file.path, line=line) for line in lines)
    if places:
        says = f"{plural(len(places), 'test')} in {plural(len(files), 'file')}: "
        return _there(check, says + ", ".join(files[:SHOWN]), places)
    return _not_there(project, check, "no test of a known form")


def _look_dockerfile(project: Project, check: Check) -> Fact:
    good: list[Place] = []
    for file in _files(project, check):
        if fault := dockerfile_fault(file.lines):
            return _fault(check, f"{file.path} {fault[0]}", Place(path=file.path, line=fault[1]))
        good.append(Place(path=file.path))
    if good:
        return _there(check, f"{', '.join(p.path for p in good[:SHOWN])} can be read", good)
    return _not_there(project, check, "no Dockerfile")


def _look_compose(project: Project, check: Check) -> Fact:
    good: list[Place] = []
    for file in islice(_files(project, check), SHOWN):
        if fault := compose_fault("\n".join(file.lines)):
            return _fault(check, f"{file.path} {fault[0]}", Place(path=file.path, line=fault[1]))
        good.append(Place(path=file.path))
    if good:
        return _there(check, f"{', '.join(p.path for p in good)} can be read", good)
    return _not_there(project, check, "no compose file")


_LOOKS = {
    CheckKind.FILES: _look_files,
    CheckKind.PATTERN: _look_pattern,
    CheckKind.DEPENDENCY: _look_dependency,
    CheckKind.TESTS: _look_tests,
    CheckKind.DOCKERFILE: _look_dockerfile,
    CheckKind.COMPOSE: _look_compose,
}
