"""Open the database file: lock, foreign files, damage, migrations.

A new file is built under another name and put in place whole, so that a kill
never leaves half a schema. Nothing here deletes what it did not make itself.
"""

import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path, PurePath
from typing import Any

import duckdb

from judgebench.errors import StoreError
from judgebench.store import recovery, sql
from judgebench.text import one_line

# Nothing is ever fetched from the network, whatever a file claims to be.
PLAIN: dict[str, Any] = {
    "threads": 1,
    "memory_limit": "64MB",
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}
"""Of every connection."""
# Fewer checkpoints: each packs all rows since the last, and leaves holes in the file.
_CONFIG: dict[str, Any] = {**PLAIN, "checkpoint_threshold": "8MB"}
_HOLDER = re.compile(r"Conflicting lock is held in (.+?) \(PID (\d+)\)")
_POLL_S = 0.1
# What a disk, a lock or the memory does, which no caller could have avoided. DuckDB names
# a full disk differently by the step that meets it: statement, commit or checkpoint.
_BROKEN = (duckdb.OperationalError, duckdb.FatalException, duckdb.InternalException)
NO_MEMORY = (
    "the memory is too small for the long texts in it; what was stored is kept: make memory"
    " free, then start again"
)
_MAGIC_AT, _MAGIC = 8, b"DUCK"


class Held(StoreError):  # noqa: N818 - it names what happened
    """Another process holds the file."""


class Unreadable(StoreError):  # noqa: N818 - it names what happened
    """The file, or its journal, cannot be read as a database."""


class Unwritable(StoreError):  # noqa: N818 - it names what happened
    """The file may be read and not written."""


def connect(path: Path, *, read_only: bool = False) -> duckdb.DuckDBPyConnection:
    """Connect to one file; DuckDB's errors become `StoreError`."""
    try:
        with interruptible():
            return _connect(path, read_only=read_only)
    except duckdb.Error as exc:
        raise explain(path, exc) from exc


def _connect(path: Path, *, read_only: bool) -> duckdb.DuckDBPyConnection:
    try:
        return quiet(duckdb.connect(str(path), read_only=read_only, config=_CONFIG))
    except duckdb.Error as exc:
        if not lacks_memory(exc):
            raise
        # A journal of long texts is held whole: with DuckDB's own limit once.
        config = {name: value for name, value in _CONFIG.items() if name != "memory_limit"}
        return quiet(duckdb.connect(str(path), read_only=read_only, config=config))


def lacks_memory(exc: duckdb.Error) -> bool:
    """Whether the limit of the memory was reached, at a statement or at a checkpoint."""
    return isinstance(exc, duckdb.OutOfMemoryException) or "memory limit" in str(exc)


def journal_of(path: Path) -> Path:
    """Where DuckDB keeps what the file proper has not taken in yet."""
    return path.with_name(path.name + ".wal")


def quiet(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """The connection, which draws no bar into what is piped on; each connection is told so."""
    con.execute(sql.statement("quiet"))
    return con


def explain(path: Path, exc: duckdb.Error) -> StoreError:
    """Say in one line what DuckDB's error means for the user."""
    text = str(exc)
    holder = _HOLDER.search(text)
    if holder:
        program = one_line(PurePath(holder[1]).name, 60)
        return Held(
            f"{path}: held by {program} (process {holder[2]}); nothing was sent; wait for it or"
            " close it, then start again"
        )
    if "Could not set lock" in text:
        return Held(f"{path}: held by another process; close it, then start again")
    if (short := _short_of(exc)) is not None:
        return StoreError(f"{path}: {short}")
    if "Permission denied" in text or "read-only" in text.lower():
        return Unwritable(f"{path}: cannot be written; give write permission to file and folder")
    if "can only read" in text or "newer version" in text or "storage version" in text:
        return StoreError(
            f"{path}: was written by a newer DuckDB than {duckdb.__version__}; upgrade duckdb"
        )
    return Unreadable(
        f"{path}: cannot be read ({one_line(text, 120)}); it is kept as it is: put a copy"
        " of it back, or move it elsewhere"
    )


def _short_of(exc: duckdb.Error) -> str | None:
    """What there is too little of, in words."""
    if is_full(str(exc)):
        return "the disk is full; make room, then start again"
    return NO_MEMORY if lacks_memory(exc) else None


@contextmanager
def interruptible() -> Iterator[None]:
    """A signal that meets DuckDB at work stops the command as it does anywhere else.

    DuckDB says by an error of its own that a signal's handler raised one.
    """
    try:
        yield
    except (RuntimeError, duckdb.InterruptException) as exc:
        if isinstance(exc, duckdb.InterruptException) or "interrupted" in str(exc).lower():
            raise KeyboardInterrupt from exc
        raise


@contextmanager
def guarded(path: Path) -> Iterator[None]:
    """What disk or memory refuse, at whatever step, becomes one line for the user."""
    try:
        with interruptible():
            yield
    except duckdb.Error as exc:
        if is_broken(exc):
            raise explain(path, exc) from exc
        raise


def is_broken(exc: duckdb.Error) -> bool:
    """Whether the file or the machine failed, and not the statement."""
    return isinstance(exc, _BROKEN) or is_full(str(exc))


def is_full(text: str) -> bool:
    """Whether an error's text says that nothing more can be written."""
    return any(
        sign in text
        for sign in ("No space left", "File too large", "Disk quota", "disk full", "Out of disk")
    )


def open_file(
    path: Path, *, create: bool, read_only: bool, wait_s: float
) -> tuple[duckdb.DuckDBPyConnection, tuple[str, ...]]:
    """Open and migrate `path`; also notes for the user about what was found."""
    if path.is_dir():
        raise StoreError(f"{path}: is a folder; name a file for the database")
    if not path.exists() or path.stat().st_size == 0:
        if not create:
            raise StoreError(f"{path}: there is no database yet; `judge score RUN` makes it")
        _make(path)
    _check_magic(path)
    con, notes = _connect_waiting(path, read_only=read_only, wait_s=wait_s)
    try:
        with guarded(path):
            behind = _is_behind(con, path)
        if behind and read_only:
            con.close()
            con, more = _connect_waiting(path, read_only=False, wait_s=wait_s)
            notes += more
        with guarded(path):
            _migrate(con, path)
    except BaseException:
        con.close()
        raise
    return con, notes


def copy_file(path: Path, to: Path, *, wait_s: float) -> None:
    """Copy a database with its journal, whole: nobody writes while it is held open here.

    Raises:
        StoreError: It cannot be read, or there is no room for the copy.
    """
    _check_magic(path)
    con, _ = _connect_waiting(path, read_only=True, wait_s=wait_s)
    try:
        shutil.copyfile(path, to)
        journal = journal_of(path)
        if journal.exists():
            shutil.copyfile(journal, journal_of(to))
    except OSError as exc:
        raise StoreError(f"{path}: cannot be copied ({exc.strerror}); check the space") from exc
    finally:
        con.close()


def _connect_waiting(
    path: Path, *, read_only: bool, wait_s: float
) -> tuple[duckdb.DuckDBPyConnection, tuple[str, ...]]:
    until = time.monotonic() + wait_s
    while True:
        try:
            return connect(path, read_only=read_only), ()
        except Held:
            if time.monotonic() >= until:
                raise
            time.sleep(_POLL_S)
        except Unreadable:
            note = _set_journal_aside(path)
            if note is None:
                raise
            return connect(path, read_only=read_only), (note,)


def _set_journal_aside(path: Path) -> str | None:
    try:
        return recovery.set_journal_aside(path, connect)
    except OSError as exc:
        raise Unwritable(
            f"{path}: the journal is damaged and cannot be saved beside it ({exc.strerror}); "
            "give write permission and room"
        ) from exc


def _check_magic(path: Path) -> None:
    try:
        with path.open("rb") as file:
            head = file.read(_MAGIC_AT + len(_MAGIC))
    except OSError as exc:
        raise StoreError(f"{path}: cannot be read ({exc.strerror}); check its permissions") from exc
    if head[_MAGIC_AT:] != _MAGIC:
        raise Unreadable(
            f"{path}: is not a DuckDB database; it is kept as it is:"
            " name another file, or move this one elsewhere"
        )


def _make(path: Path) -> None:
    """Build a new file beside `path` and put it in place whole."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _sweep(path)
        con = connect(fresh)
        try:
            with transaction(con, path):
                con.execute(sql.schema())
                for name in sql.migrations():
                    _record(con, name)
        finally:
            con.close()
        _put_in_place(fresh, path)
    except OSError as exc:
        reason = exc.strerror or type(exc).__name__
        raise StoreError(f"{path}: cannot be made ({reason}); check folder and space") from exc
    finally:
        for rest in (fresh, journal_of(fresh)):
            if rest.exists():
                rest.unlink()


def _put_in_place(fresh: Path, path: Path) -> None:
    if path.exists() and path.stat().st_size == 0:
        fresh.replace(path)
        return
    try:
        # A link, unlike a rename, never covers what another process made meanwhile.
        os.link(fresh, path)
    except FileExistsError:
        return
    except OSError:
        fresh.replace(path)


def take_away(made: Path) -> None:
    """Remove a file that was made here, or its folder where nothing else is in it."""
    try:
        made.rmdir() if made.is_dir() else made.unlink()
    except OSError:
        # Held by the system, or no longer empty: it is worth nothing, and does no harm.
        return


def _sweep(path: Path) -> None:
    """Remove what a killed start of ours left while it built a new file."""
    for rest in path.parent.glob(f".{path.name}.*.new*"):
        number = rest.name.removeprefix(f".{path.name}.").split(".")[0]
        if number.isdigit() and not _alive(int(number)):
            rest.unlink(missing_ok=True)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _seen(con: duckdb.DuckDBPyConnection, path: Path) -> list[str]:
    tables = dict(con.execute(sql.query("tables")).fetchall())
    if tables.get("schema_version") == len(("name", "applied_at")):
        return [name for (name,) in con.execute(sql.query("migrations")).fetchall()]
    if tables:
        raise Unreadable(
            f"{path}: is a database of another program (it holds {one_line(min(tables), 40)});"
            " it is kept as it is: name another file"
        )
    return []


def _is_behind(con: duckdb.DuckDBPyConnection, path: Path) -> bool:
    return bool(set(sql.migrations()) - set(_seen(con, path)))


def _migrate(con: duckdb.DuckDBPyConnection, path: Path) -> None:
    known = sql.migrations()
    seen = _seen(con, path)
    newer = sorted(set(seen) - set(known))
    if newer:
        raise StoreError(
            f"{path}: has schema {_number(newer[-1])}, this judgebench knows schema"
            f" {_number(max(known))}; upgrade judgebench"
        )
    for name, text in known.items():
        if name not in seen:
            with transaction(con, path):
                con.execute(text)
                _record(con, name)


def _number(name: str) -> int:
    digits = name.partition("_")[0]
    return int(digits) if digits.isdigit() else 0


def _record(con: duckdb.DuckDBPyConnection, name: str) -> None:
    now = datetime.now(tz=UTC).isoformat(timespec="seconds")
    con.execute(sql.statement("record_migration"), {"name": name, "applied_at": now})


@contextmanager
def transaction(con: duckdb.DuckDBPyConnection, path: Path) -> Iterator[None]:
    """All or nothing; a failing disk becomes a `StoreError`."""
    with guarded(path):
        try:
            con.execute("BEGIN")
            yield
            con.execute("COMMIT")
        except BaseException:
            _roll_back(con)
            raise


def _roll_back(con: duckdb.DuckDBPyConnection) -> None:
    try:
        with interruptible():
            con.execute("ROLLBACK")
    except duckdb.Error:
        # After a failed write the connection is dead: there is nothing left to undo.
        return
