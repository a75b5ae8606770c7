"""Read files inside one folder and nothing outside it, whatever links say.

A path is walked component by component from an open folder, each step with
O_NOFOLLOW, so the check and the read are one step: a file that is exchanged
for a link between the two cannot lead out. Links are followed by hand as long
as they stay inside; a hard link looks like any other file and is read.
"""

import errno
import os
import stat
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from judgebench.text import one_line

MAX_LINKS = 16
_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_ABSENT = {errno.ENOENT, errno.ENOTDIR}
# Linux and macOS say ELOOP for a link under O_NOFOLLOW, some BSDs EMLINK.
_IS_LINK = {errno.ELOOP, errno.EMLINK}


class PathFault(Exception):  # noqa: N818 - it names what happened
    """A path that cannot be read safely; the message says why, without the path's target."""


class Tree:
    """One folder as the user named it; every read starts from it anew."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def read(self, relative: str, *, limit: int) -> bytes | None:
        """Bytes of a regular file; None where there is none.

        Raises:
            PathFault: it leads out, is no regular file, is closed, or exceeds `limit`.
        """
        with self._opened(relative) as fd:
            if fd is None:
                return None
            info = os.fstat(fd)
            if not stat.S_ISREG(info.st_mode):
                raise PathFault(f"is {_kind_word(info.st_mode)}, not a file")
            if info.st_size > limit:
                raise PathFault(f"is {info.st_size:,} bytes long; at most {limit:,} are read")
            with os.fdopen(os.dup(fd), "rb") as file:
                raw = file.read(limit + 1)
        if len(raw) > limit:
            raise PathFault(f"grew past {limit:,} bytes while it was read")
        return raw

    def names(self, relative: str) -> list[str] | None:
        """Sorted names in a folder; None where there is no such folder.

        Raises:
            PathFault: as `read`.
        """
        with self._opened(relative) as fd:
            if fd is None or not stat.S_ISDIR(os.fstat(fd).st_mode):
                return None
            return sorted(os.listdir(fd))  # noqa: PTH208 - an open folder, not a path

    def kind(self, relative: str) -> str | None:
        """Say whether a path is a ``file``, a ``folder``, ``other``, or absent (None).

        Raises:
            PathFault: as `read`.
        """
        with self._opened(relative) as fd:
            if fd is None:
                return None
            mode = os.fstat(fd).st_mode
        if stat.S_ISREG(mode):
            return "file"
        return "folder" if stat.S_ISDIR(mode) else "other"

    @contextmanager
    def _opened(self, relative: str) -> Iterator[int | None]:
        stack: list[int] = []
        try:
            yield _walk(self.root, relative, stack)
        finally:
            for fd in stack:
                os.close(fd)


def _walk(root: Path, relative: str, stack: list[int]) -> int | None:
    """Open `relative` below `root`; every descriptor is left on `stack` for closing."""
    stack.append(os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
    # `depth` counts the folders on the way; what a link pops stays open until the end.
    way = [stack[0]]
    parts = deque(part for part in relative.split("/") if part not in {"", "."})
    links = 0
    while parts:
        part = parts.popleft()
        if part == "..":
            way.pop()
            if not way:
                raise PathFault("is a link that leaves the run folder")
            continue
        try:
            fd = os.open(part, _FLAGS, dir_fd=way[-1])
        except OSError as exc:
            if exc.errno not in _IS_LINK:
                if exc.errno in _ABSENT and not links:
                    return None
                raise PathFault(_fault_word(exc)) from None
            links += 1
            parts.extendleft(reversed(_target(part, way[-1], links)))
            continue
        stack.append(fd)
        way.append(fd)
    return way[-1]


def _target(part: str, folder: int, links: int) -> list[str]:
    if links > MAX_LINKS:
        raise PathFault("is a link that leads in a circle")
    try:
        target = os.readlink(part, dir_fd=folder)
    except OSError as exc:
        raise PathFault(_fault_word(exc)) from None
    if target.startswith("/"):
        raise PathFault("is a link to an absolute path, which may leave the run folder")
    return [step for step in target.split("/") if step not in {"", "."}]


def _fault_word(exc: OSError) -> str:
    if exc.errno in _ABSENT:
        return "is a link to nothing"
    if exc.errno in {errno.EACCES, errno.EPERM}:
        return "may not be read (its permissions)"
    if exc.errno in {errno.ENXIO, errno.ENODEV, errno.EOPNOTSUPP}:
        return "is a pipe, a socket or a device, not a file"
    return f"cannot be opened: {one_line(exc.strerror or 'unknown fault', 80)}"


def _kind_word(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a folder"
    if stat.S_ISFIFO(mode):
        return "a pipe"
    return "a device" if stat.S_ISCHR(mode) or stat.S_ISBLK(mode) else "a special file"
