"""A project folder as it is shown to a judge: files, lines, and what was left out."""

import re
from collections.abc import Iterable
from dataclasses import field, replace

from judgebench.model.facts import Fact
from judgebench.model.turns import Place
from judgebench.records import dataclass

_INERT = re.compile(
    r".*\.(?:[ct]sv|psv|jsonl|ndjson|geojson|parquet|arrow|avro|npy|npz|pkl|pickle|h5|hdf5|dump|log"
    r"|bin|dat|db|sqlite3?|mdb|png|jpe?g|gif|webp|avif|heic|ico|bmp|tiff?|svg|psd|ai|eps|pdf|ps"
    r"|mp[34]|m4[av]|wav|ogg|oga|opus|flac|aac|webm|mkv|mov|avi|woff2?|ttf|otf|eot|ttc|zip|tar|t?gz"
    r"|bz2|xz|zst|7z|rar|jar|war|whl|gem|apk|iso|dmg|exe|dll|so|dylib|o|a|lib|class|pyc|wasm|map"
    r"|lock|lockb|docx?|xlsx?|pptx?|onnx|pt|pth|gguf|safetensors)\Z",
    re.IGNORECASE,
)


def is_inert(path: str) -> bool:
    """Whether a file of this name holds data or media, in which nobody writes a program."""
    return _INERT.match(path) is not None


CUT = "…"
"""Ends the path from which on nothing was looked at, there or in any folder after it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ProjectFile:
    """A file whose text was read; a judge sees all of its lines, the first ones, or none."""

    path: str
    """Relative to the project, with `/`."""
    lines: tuple[str, ...] = field(repr=False)
    shown: int
    """How many lines, from the first, a judge sees."""
    read: tuple[tuple[int, int], ...] = ()
    """First and last line of each further part that a judge read with tools, in order and apart."""

    @property
    def whole(self) -> bool:
        """Whether a judge sees all of it."""
        return self.seen == len(self.lines)

    @property
    def seen(self) -> int:
        """How many lines a judge sees, shown or read."""
        return self.shown + sum(last - first + 1 for first, last in self.read)

    def saw(self, first: int, last: int) -> bool:
        """Whether a judge sees all of these lines."""
        at = first
        for start, end in ((1, self.shown), *self.read):
            if start <= at <= end:
                at = end + 1
        return at > last


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOut:
    """A file or folder of which nothing was read."""

    path: str
    """Relative to the project; a folder ends with `/`."""
    reason: str
    could_hold: bool
    """Whether the project's own text could stand in it: True for a file that is too
    large or closed, False for pictures, tables of data, generated and vendored parts."""

    @property
    def is_open(self) -> bool:
        """Whether names below it are unknown: an unread folder, or where a walk was cut."""
        return self.path.endswith(("/", CUT))


@dataclass(frozen=True, kw_only=True, slots=True)
class Project:
    """A project, read once: what a judge is shown and what code searches."""

    files: tuple[ProjectFile, ...]
    """All whose text was read, in the order of their paths."""
    left_out: tuple[LeftOut, ...] = ()
    secrets: tuple[tuple[str, int], ...] = ()
    """File and line of each key that was masked in `files` and `text`."""
    text: str = field(default="", repr=False)
    """What a judge is shown."""
    brought: tuple[Fact, ...] = ()
    """What the harness found out by running it."""

    def file(self, path: str) -> ProjectFile | None:
        """The file of this path, where its text was read."""
        return next((file for file in self.files if file.path == path), None)

    @property
    def coverage(self) -> float:
        """Share of the lines read that a judge is shown; 1 where there are none."""
        lines = sum(len(file.lines) for file in self.files)
        return sum(file.shown for file in self.files) / lines if lines else 1.0


def with_read(project: Project, places: Iterable[Place]) -> Project:
    """The same project with what a judge read of it with tools.

    Args:
        project: As it was shown.
        places: Lines that were read, in any order; lines that were shown count once.
    """
    by_path: dict[str, list[tuple[int, int]]] = {}
    for path, first, last in places:
        by_path.setdefault(path, []).append((first, last))
    if not by_path:
        return project
    return replace(
        project,
        files=tuple(
            replace(file, read=_apart(by_path[file.path], file)) if file.path in by_path else file
            for file in project.files
        ),
    )


def lines_read(places: Iterable[Place], partly: Iterable[tuple[str, int, int]]) -> int:
    """How many lines of some parts had not been shown.

    Args:
        places: What was read with tools, in any order.
        partly: Files that are not shown whole: path, lines shown, lines.
    """
    files = tuple(
        ProjectFile(path=path, lines=("",) * whole, shown=shown) for path, shown, whole in partly
    )
    found = with_read(Project(files=files), places)
    return sum(file.seen - file.shown for file in found.files)


def _apart(parts: Iterable[tuple[int, int]], file: ProjectFile) -> tuple[tuple[int, int], ...]:
    """Parts in order, none within another or within what is shown."""
    out: list[tuple[int, int]] = []
    at = file.shown
    for first, last in sorted(parts):
        start, end = max(first, at + 1), min(last, len(file.lines))
        if start > end:
            continue
        if out and start == out[-1][1] + 1:
            start = out.pop()[0]
        out.append((start, end))
        at = end
    return tuple(out)
