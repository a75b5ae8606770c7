"""Open what can be opened where the journal of a database is damaged.

DuckDB ignores a torn end of its journal, but refuses one with a wrong byte in
the middle, and with it all that came before. The longest part that can be read
is found by trial on a copy; the damaged journal is kept under another name.
"""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import duckdb

from judgebench.errors import StoreError

Connect = Callable[..., duckdb.DuckDBPyConnection]


def set_journal_aside(path: Path, connect: Connect) -> str | None:
    """Keep a damaged journal under another name and leave its readable part.

    Args:
        path: The database file.
        connect: Opens a database file or raises `StoreError`.

    Returns:
        A sentence for the user; None where the journal is not what is damaged.
    """
    journal = path.with_name(path.name + ".wal")
    if not journal.exists() or not _opens(path, b"", connect):
        return None
    raw = journal.read_bytes()
    good = _longest_good(path, raw, connect)
    kept = _free_name(journal)
    part = journal.with_name(journal.name + ".part")
    part.write_bytes(raw[:good])
    journal.rename(kept)
    part.replace(journal)
    return (
        f"{path}: the journal is damaged; {len(raw) - good:,} of its {len(raw):,} bytes cannot be"
        f" read and what was stored there is missing; the damaged journal is kept as {kept.name}"
    )


def _longest_good(path: Path, raw: bytes, connect: Connect) -> int:
    """Length of the longest beginning of the journal that can be replayed."""
    low, high = 0, len(raw)
    while low + 1 < high:
        middle = (low + high) // 2
        if _opens(path, raw[:middle], connect):
            low = middle
        else:
            high = middle
    return low


def _opens(path: Path, journal: bytes, connect: Connect) -> bool:
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".trial-") as folder:
        trial = Path(folder) / path.name
        try:
            os.link(path, trial)
        except OSError:
            shutil.copyfile(path, trial)
        if journal:
            trial.with_name(trial.name + ".wal").write_bytes(journal)
        try:
            # Read-only: a trial must never write into the file that it shares.
            connect(trial, read_only=True).close()
        except StoreError:
            return False
        return True


def _free_name(journal: Path) -> Path:
    number = 1
    while (kept := journal.with_name(f"{journal.name}.damaged-{number}")).exists():
        number += 1
    return kept
