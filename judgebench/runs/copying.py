"""Copy a project folder: its regular files, within bounds, and nothing that leads out.

Links, pipes, sockets and devices are passed over; so are vendored folders and
caches, which no judge is shown. Each folder and file is opened without following
links, so a file exchanged for one while we look at it cannot lead out.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from judgebench.errors import ImportFileError
from judgebench.runs.pack import VENDORED
from judgebench.text import one_line

MAX_FILES = 20_000
MAX_TOTAL_BYTES = 512 * 1024 * 1024
MAX_DEPTH = 40
_CHUNK = 1024 * 1024
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def copy_project(source: Path, target: Path) -> None:
    """Copy what can be judged of `source` to the new folder `target`.

    Raises:
        ImportFileError: it is too large, too deep, or cannot be read.
    """
    target.mkdir()
    copier = _Copier(source)
    try:
        root = os.open(source, _FOLDER)
    except OSError as exc:
        raise copier.fault(exc) from None
    try:
        copier.folder(root, target, 0)
    finally:
        os.close(root)


class _Copier:
    def __init__(self, source: Path) -> None:
        self.source = source
        self.files, self.bytes = 0, 0

    def fault(self, exc: OSError) -> ImportFileError:
        why = one_line(exc.strerror or "unknown fault", 80)
        return ImportFileError(self.source, f"cannot be read: {why}", "give yourself the rights")

    def too_much(self, what: str) -> ImportFileError:
        return ImportFileError(self.source, what, "take generated parts out of it")

    def folder(self, fd: int, target: Path, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise self.too_much(f"has folders more than {MAX_DEPTH} deep")
        for name, mode in self._entries(fd):
            if stat.S_ISDIR(mode) and name.lower() not in VENDORED:
                self._inner(fd, name, target / name, depth + 1)
            elif stat.S_ISREG(mode):
                self._file(fd, name, target / name)

    def _entries(self, fd: int) -> Iterator[tuple[str, int]]:
        for name in sorted(os.listdir(fd)):
            try:
                yield name, os.stat(name, dir_fd=fd, follow_symlinks=False).st_mode
            except OSError as exc:
                raise self.fault(exc) from None

    def _inner(self, parent: int, name: str, target: Path, depth: int) -> None:
        try:
            fd = os.open(name, _FOLDER, dir_fd=parent)
        except OSError as exc:
            raise self.fault(exc) from None
        try:
            target.mkdir()
            self.folder(fd, target, depth)
        finally:
            os.close(fd)

    def _file(self, parent: int, name: str, target: Path) -> None:
        self.files += 1
        if self.files > MAX_FILES:
            raise self.too_much(f"holds more than {MAX_FILES:,} files")
        try:
            fd = os.open(name, _FILE, dir_fd=parent)
            with os.fdopen(fd, "rb") as inside, target.open("xb") as outside:
                while part := inside.read(_CHUNK):
                    self.bytes += len(part)
                    if self.bytes > MAX_TOTAL_BYTES:
                        raise self.too_much(f"is larger than {MAX_TOTAL_BYTES:,} bytes")
                    outside.write(part)
        except OSError as exc:
            raise self.fault(exc) from None
