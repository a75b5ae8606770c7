"""A project folder as it is shown to a judge: files, lines, and what was left out."""

import re
from dataclasses import dataclass, field

from judgebench.model.facts import Fact

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

    @property
    def whole(self) -> bool:
        """Whether a judge sees all of it."""
        return self.shown == len(self.lines)


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
