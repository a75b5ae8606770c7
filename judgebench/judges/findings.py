"""Is a find really there: its file, lines and wording, or the absence that it claims.

A present fault must be shown by a passage that stands in the project, letter for
letter but for white space. An absent one must name what would show the thing;
code searches for it, in the whole project. Nothing is dropped: what does not hold
is flagged and costs nothing.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from judgebench.model.deductions import Deductions, Entry, Evidence
from judgebench.model.findings import Checked, Finding, Standing
from judgebench.model.projects import CUT, LeftOut, Project, ProjectFile, is_inert
from judgebench.text import one_line

MIN_VISIBLE = 3
"""Passages and patterns with fewer visible characters show nothing."""
MAX_SEARCHES = 12
"""Patterns and paths of one find that are looked at, each."""
_UNSHOWN = "in a part that was not shown"
_NUMBER = re.compile(r"\s*\d+\| ?")

_Glob = tuple[str, ...]
"""A pattern of paths, step by step, in folded letter case."""


def check_all(
    findings: Iterable[Finding], project: Project, rules: Deductions
) -> tuple[Checked, ...]:
    """Check every find, in its order.

    Args:
        findings: As the judge reported them.
        project: What the judge was shown, and all that code can read.
        rules: The catalogue, whose own patterns are searched for too.
    """
    entries = {entry.id: entry for c in rules.criteria for entry in c.entries}
    return tuple(check(one, project, entries.get(one.entry)) for one in findings)


def check(finding: Finding, project: Project, entry: Entry | None = None) -> Checked:
    """Check one find.

    Args:
        finding: As the judge reported it.
        project: What the judge was shown, and all that code can read.
        entry: Its entry in the catalogue; None for a fault outside it.
    """
    if finding.evidence is Evidence.PRESENT:
        if entry and entry.evidence is Evidence.ABSENT:
            note = "a passage cannot show that something stands nowhere"
            return _result(finding, Standing.UNSUPPORTED, note)
        return _check_present(finding, project)
    return _check_absent(finding, project, entry)


def _result(finding: Finding, standing: Standing, note: str) -> Checked:
    return Checked(finding=finding, standing=standing, note=one_line(note, 300))


# -- present ---------------------------------------------------------------------------


def _check_present(finding: Finding, project: Project) -> Checked:
    wanted = _folded_excerpt(finding.excerpt)
    if _visible(wanted) < MIN_VISIBLE:
        return _result(finding, Standing.UNSUPPORTED, "quotes no passage")
    file = _named_file(finding.path, project)
    if file is None:
        return _no_file(finding, wanted, project)
    places = list(_places(wanted, file))
    if not places:
        note = f"the passage does not stand in {file.path}"
        return _result(finding, Standing.UNSUPPORTED, note + _elsewhere(wanted, project))
    return _placed(finding, file, places)


def _placed(finding: Finding, file: ProjectFile, places: Sequence[tuple[int, int]]) -> Checked:
    said = _said(finding)
    first, last = min(places, key=lambda place: _distance(place, said))
    moved = said is not None and _distance((first, last), said) > 0
    placed = Checked(
        finding=finding,
        standing=Standing.SUPPORTED,
        path=file.path,
        first=first,
        last=last,
        moved=moved,
    )
    return _noted(placed, shown=file.saw(first, last))


def _noted(placed: Checked, *, shown: bool) -> Checked:
    finding = placed.finding
    said = _said(finding)
    notes = [f"{placed.path}, lines {placed.first}-{placed.last}"]
    if placed.moved and said:
        notes.append(f"said to be in lines {said[0]}-{said[1]}")
    if placed.path != finding.path:
        notes.append(f"said to be in {finding.path}")
    if not shown:
        notes.append(_UNSHOWN)
    return replace(placed, standing=Standing.SUPPORTED, note=one_line("; ".join(notes), 300))


def as_placed(stored: Checked) -> Checked:
    """A find whose passage was found, as it was before anything more was asked of it."""
    return _noted(stored, shown=_UNSHOWN not in stored.note)


def _said(finding: Finding) -> tuple[int, int] | None:
    if finding.first is None:
        return None
    last = finding.first if finding.last is None else finding.last
    return min(finding.first, last), max(finding.first, last)


def _distance(place: tuple[int, int], said: tuple[int, int] | None) -> int:
    """Lines between two ranges; 0 where they touch, or where no range was said."""
    return 0 if said is None else max(0, place[0] - said[1], said[0] - place[1])


def _no_file(finding: Finding, wanted: str, project: Project) -> Checked:
    path = _plain(finding.path)
    out = _covering(path, project.left_out)
    if out:
        note = f"{path} was left out: {out.reason}"
        return _result(finding, Standing.UNVERIFIED, note)
    note = f"the project has no file {path or 'of that name'}"
    return _result(finding, Standing.UNSUPPORTED, note + _elsewhere(wanted, project))


def _covering(path: str, left_out: Sequence[LeftOut]) -> LeftOut | None:
    """What was left out that is the path, or a folder above it."""
    return next(
        (
            one
            for one in left_out
            if path == one.path.rstrip("/")
            or (one.path.endswith("/") and path.startswith(one.path))
        ),
        None,
    )


def _plain(path: str) -> str:
    steps = [step for step in path.strip().replace("\\", "/").split("/") if step not in {"", "."}]
    return "/".join(steps)


def _named_file(path: str, project: Project) -> ProjectFile | None:
    """The file of this path, or the only one that ends like it or that it ends like."""
    plain = _plain(path)
    if not plain or ".." in plain.split("/"):
        return None
    exact = project.file(plain)
    if exact:
        return exact
    near = [
        file
        for file in project.files
        if file.path.endswith(f"/{plain}") or plain.endswith(f"/{file.path}")
    ]
    return near[0] if len(near) == 1 else None


def _elsewhere(wanted: str, project: Project) -> str:
    for file in project.files:
        place = next(_places(wanted, file), None)
        if place:
            return f"; it stands in {file.path}, line {place[0]}"
    return ""


def _folded_excerpt(excerpt: str) -> str:
    """The passage without white space runs, and without the line numbers of the packing."""
    lines = [line for line in excerpt.splitlines() if line.strip()]
    if lines and all(_NUMBER.match(line) for line in lines):
        lines = [_NUMBER.sub("", line, count=1) for line in lines]
    return " ".join(" ".join(lines).split())


def _visible(text: str) -> int:
    return sum(not char.isspace() for char in text)


def _places(wanted: str, file: ProjectFile) -> Iterator[tuple[int, int]]:
    """First and last line of each place where a folded passage stands."""
    longest = max(wanted.split(), key=len)
    if not any(longest in line for line in file.lines):
        return
    folded = [(n, " ".join(line.split())) for n, line in enumerate(file.lines, 1)]
    folded = [(n, line) for n, line in folded if line]
    text = " ".join(line for _, line in folded)
    starts = [0, *accumulate(len(line) + 1 for _, line in folded)]
    place = text.find(wanted)
    while place >= 0:
        first = bisect_right(starts, place) - 1
        last = bisect_right(starts, place + len(wanted) - 1) - 1
        yield folded[first][0], folded[last][0]
        place = text.find(wanted, place + 1)


# -- absent ----------------------------------------------------------------------------


def _check_absent(finding: Finding, project: Project, entry: Entry | None) -> Checked:
    searches = [(finding.patterns, finding.paths)]
    if entry and entry.evidence is Evidence.ABSENT:
        searches.append((entry.patterns, entry.paths))
    searches = [(_usable(patterns), _usable(paths)) for patterns, paths in searches]
    searches = [(patterns, paths) for patterns, paths in searches if patterns or paths]
    if not searches:
        note = "names nothing that would show the thing"
        return _result(finding, Standing.UNSUPPORTED, note)
    for patterns, paths in searches:
        found = _search(patterns, paths, project)
        if found:
            return _result(finding, Standing.UNSUPPORTED, found)
    hidden = next(filter(None, (_unread(p, paths, project) for p, paths in searches)), "")
    searched = "; ".join(_words(patterns, paths) for patterns, paths in searches)
    if hidden:
        note = f"{searched}: not found, but {hidden}"
        return _result(finding, Standing.UNVERIFIED, note)
    note = f"{searched}: found nowhere in {len(project.files):,} files"
    return _result(finding, Standing.SUPPORTED, note)


def _usable(texts: Sequence[str]) -> tuple[str, ...]:
    plain = (text.strip() for text in texts)
    return tuple(text for text in plain if _visible(text) >= MIN_VISIBLE)[:MAX_SEARCHES]


def _words(patterns: Sequence[str], paths: Sequence[str]) -> str:
    what = " or ".join(f'"{one_line(text, 40)}"' for text in patterns)
    where = " or ".join(one_line(path, 60) for path in paths)
    return f"{what} in {where}" if what and where else what or where


def _search(patterns: Sequence[str], paths: Sequence[str], project: Project) -> str:
    """Where the thing stands, in words; empty where it stands nowhere.

    Patterns are searched for in the files of the paths, or in all; without
    patterns, a path that exists is enough.
    """
    globs = [glob_of(path) for path in paths]
    if not patterns:
        there = [file.path for file in project.files]
        there += [one.path for one in project.left_out]
        found = next((path for path in there if matches(path, globs)), None)
        return f"{found} is there" if found else ""
    wanted = [" ".join(text.casefold().split()) for text in patterns]
    for file in project.files:
        if globs and not matches(file.path, globs):
            continue
        for number, line in enumerate(file.lines, 1):
            folded = " ".join(line.casefold().split())
            hit = next((one for one in wanted if one in folded), None)
            if hit:
                return f'"{one_line(hit, 60)}" stands in {file.path}, line {number}'
    return ""


def _unread(patterns: Sequence[str], paths: Sequence[str], project: Project) -> str:
    """What the judge or code did not read and that could hold the thing, in words."""
    globs = [glob_of(path) for path in paths]
    unread = next(
        (one for one in project.left_out if may_hold(one, globs, text=bool(patterns))), None
    )
    if unread:
        return f"{unread.path} was not read: {unread.reason}"
    if not patterns:
        return ""
    partly = (file for file in project.files if not (file.whole or is_inert(file.path)))
    part = next((file for file in partly if _reaches(file.path, globs)), None)
    return f"the judge was not shown all of {part.path}" if part else ""


def may_hold(one: LeftOut, globs: Sequence[_Glob], *, text: bool) -> bool:
    """Whether what is looked for could stand in a part that was not read.

    Args:
        one: The part.
        globs: Where it is looked for; anywhere, without any.
        text: Whether it is text in a file; else a file, whose name is known unless it lies
            in a folder that was not opened.
    """
    if not one.could_hold:
        return False
    if not one.is_open:
        return text and _reaches(one.path, globs)
    # A walk that was cut left out other folders too.
    if one.path.endswith(CUT) or not globs:
        return True
    steps = _steps(one.path)
    return any(_leads(steps, glob) for glob in globs)


def _reaches(path: str, globs: Sequence[_Glob]) -> bool:
    return not globs or matches(path, globs)


def matches(path: str, globs: Sequence[_Glob]) -> bool:
    """Whether a path fits one of these patterns."""
    steps = _steps(path)
    return any(_fits(steps, glob) for glob in globs)


def _steps(path: str) -> tuple[str, ...]:
    return tuple(_plain(path).casefold().split("/"))


def glob_of(pattern: str) -> _Glob:
    """A pattern of paths: `**` any folders, `*` and `?` within a name; any letter case.

    A pattern without `/` is a name at any depth; one that names a folder covers
    what stands in it.
    """
    steps = _steps(pattern)
    return steps if len(steps) > 1 else ("**", *steps)


def _fits(steps: Sequence[str], glob: _Glob) -> bool:
    return any(len(glob) in here for here in _places_in(steps, glob))


def _leads(steps: Sequence[str], glob: _Glob) -> bool:
    """Whether a path below this folder could fit, or the folder itself does."""
    here: set[int] = set()
    for here in _places_in(steps, glob):
        if len(glob) in here:
            return True
    return bool(here)


def _places_in(steps: Sequence[str], glob: _Glob) -> Iterator[set[int]]:
    """How far a pattern has come before the first step of a path, and after each."""
    # A judge's pattern may be hostile: a table of places, unlike a regular expression,
    # takes no longer than steps times patterns.
    here = {0}
    for n in range(len(steps) + 1):
        for place in sorted(here):
            while place < len(glob) and glob[place] == "**":
                place += 1  # noqa: PLW2901 - it may stand for no folder at all
                here.add(place)
        yield here
        if n < len(steps):
            here = {
                place + (glob[place] != "**")
                for place in here
                if glob[place] == "**" or _wild(steps[n], glob[place])
            }


def _wild(name: str, pattern: str) -> bool:
    """Whether `*` and `?` of a pattern can stand for a name; never exponential."""
    n = p = 0
    star, back = -1, 0
    while n < len(name):
        if p < len(pattern) and pattern[p] == "*":
            star, back, p = p, n, p + 1
        elif p < len(pattern) and pattern[p] in {name[n], "?"}:
            n, p = n + 1, p + 1
        elif star >= 0:
            back, n, p = back + 1, back + 1, star + 1
        else:
            return False
    return not pattern[p:].strip("*")
