"""The one writer of report files: temporary name first, then renamed.

A file whose content would not change is left alone, so its time stays. A write that
was killed leaves a temporary name behind, which the next one removes.
"""

import os
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from judgebench.errors import StoreError
from judgebench.model.agreement import Agreement
from judgebench.model.result import Result
from judgebench.reports import agree_markdown, csv, json, markdown
from judgebench.text import one_line

FILES: dict[str, Callable[[Result], str]] = {
    "report.md": markdown.render,
    "ratings.csv": csv.render,
    "result.json": json.render,
}
"""File name → reporter; what else is written comes as bytes."""
SOMETIMES = ("pairs.csv", "criteria.csv", "findings.csv")
"""Files that not every report has: without them those of an earlier one are removed."""

_HALF = re.compile(r"\.(?P<name>.+)\.(?P<pid>[0-9]+)\.half\Z")


def write_reports(result: Result, folder: Path, extra: Mapping[str, bytes]) -> list[Path]:
    """Write every report of `result` into `folder`, made where it does not exist.

    Args:
        result: What is known of one pass or panel.
        folder: Where the files go.
        extra: Further files by name, such as ``ratings.parquet``.

    Returns:
        The paths of all report files, rewritten or unchanged. ``result.json`` is
        written last: where it is new, the others are too.

    Raises:
        StoreError: A file or the folder cannot be written.
        ValueError: A name of `extra` is no plain file name.
    """
    contents = {name: render(result).encode() for name, render in FILES.items()}
    for name in extra:
        if not name or name != Path(name).name or name.startswith("."):
            raise ValueError(f"extra must hold plain file names, got {name!r}")
    last = contents.pop("result.json")
    contents = {**contents, **extra, "result.json": last}
    written = write_files(contents, folder)
    _remove_older(SOMETIMES, contents, folder)
    return written


def _remove_older(names: Sequence[str], kept: Collection[str], folder: Path) -> None:
    """Remove files of an earlier report that would stand beside figures that are not theirs."""
    try:
        for name in names:
            if name not in kept:
                (folder / name).unlink(missing_ok=True)
    except OSError as exc:
        raise _unwritten(exc, folder) from None


def write_files(contents: Mapping[str, bytes], folder: Path) -> list[Path]:
    """Write files by name into `folder`, made where it does not exist.

    Raises:
        StoreError: A file or the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _remove_halves(folder)
        return [_write(folder / name, content) for name, content in contents.items()]
    except OSError as exc:
        raise _unwritten(exc, folder) from None


def _unwritten(exc: OSError, folder: Path) -> StoreError:
    where = one_line(str(exc.filename or folder), 120)
    why = one_line(exc.strerror or "cannot be written", 80)
    return StoreError(
        f"{where}: {why}; judgments are safe in the store, "
        "make room or rights and run `judge report`"
    )


def write_agreement(found: Agreement, folder: Path) -> Path:
    """Write agreement.md and agreement.json into `folder`; gives the page's path.

    Raises:
        StoreError: A file or the folder cannot be written.
    """
    contents = {
        "agreement.json": json.document(found).encode(),
        "agreement.md": agree_markdown.render(found).encode(),
    }
    return write_files(contents, folder)[-1]


def _write(path: Path, content: bytes) -> Path:
    if path.is_file() and path.read_bytes() == content:
        return path
    half = path.with_name(f".{path.name}.{os.getpid()}.half")
    try:
        with half.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        half.replace(path)
    except BaseException:  # an interrupt too leaves no half
        with suppress(OSError):
            half.unlink(missing_ok=True)
        raise
    return path


def _remove_halves(folder: Path) -> None:
    """Remove what killed writers left, but nothing of a writer that is still at work."""
    for half in folder.iterdir():
        found = _HALF.match(half.name)
        if found and not _alive(int(found["pid"])):
            half.unlink(missing_ok=True)


def _alive(pid: int) -> bool:
    if pid == os.getpid():
        return False
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True
