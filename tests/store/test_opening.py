"""Opening the file: locks, foreign files, versions, places."""

import os
import re
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Timer

import duckdb
import pytest

from judgebench.errors import StoreError
from judgebench.model.nouns import Intent
from judgebench.store import opening, sql
from judgebench.store.store import Store
from judgebench.store.writer import Writer
from tests.clock import HANG_S
from tests.store import build

HOLD = """
import duckdb, sys, time
con = duckdb.connect(sys.argv[1], read_only=sys.argv[3] == "read")
print("holding", flush=True)
time.sleep(float(sys.argv[2]))
"""


def hold(path: Path, seconds: float, how: str = "write") -> "subprocess.Popen[str]":
    """Another process that keeps the file open."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path), str(seconds), how],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "holding\n"
    return process


def refusal(path: Path, *, create: bool = True, read_only: bool = False) -> str:
    """The one line that opening `path` ends with."""
    with pytest.raises(StoreError) as caught:
        Store.open(path, create=create, read_only=read_only)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(f"{path}: ")
    assert not re.search(r"\b(delete|remove)\b", message)
    return message


@pytest.mark.parametrize("how", ["write", "read"])
def test_a_held_file_names_its_holder(path: Path, how: str) -> None:
    """Program and process number, and what to do; for reading as for writing."""
    Store.open(path).close()
    process = hold(path, 30, how)
    try:
        message = refusal(path)
    finally:
        process.kill()
        process.communicate()
    assert f"(process {process.pid})" in message
    assert "python" in message
    assert "start again" in message


def test_a_held_file_is_waited_for(path: Path) -> None:
    """With a time to wait, the second comer gets in when the first lets go."""
    Store.open(path).close()
    process = hold(path, 0.4)
    with Store.open(path, wait_s=20) as store:
        assert build.judgment_count(store) == 0
    process.communicate()


def test_readers_share_the_file(path: Path) -> None:
    """Two tables can be printed at once."""
    Store.open(path).close()
    process = hold(path, 30, "read")
    try:
        with Store.open(path, create=False, read_only=True) as store:
            assert build.judgment_count(store) == 0
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize(
    "content", [b"hello, world\n" * 400, b"SQLite format 3\x00" + bytes(4096), b"x"]
)
def test_a_foreign_file_is_kept(
    tmp_path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is named, nothing is fetched to read it, and its bytes stay."""

    def no_network(*_: object) -> None:
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", no_network)
    path = tmp_path / "notes.db"
    path.write_bytes(content)
    assert "not a DuckDB database" in refusal(path)
    assert path.read_bytes() == content


def test_a_damaged_file_is_kept(path: Path) -> None:
    """A broken header is told in one line; the file stays for whoever can mend it."""
    Store.open(path).close()
    raw = bytearray(path.read_bytes())
    raw[4096:12288] = bytes(8192)
    path.write_bytes(raw)
    assert "kept as it is" in refusal(path)
    assert path.read_bytes() == bytes(raw)


@pytest.mark.parametrize("kept", [0.05, 0.3, 0.6])
def test_a_file_that_lost_its_end_is_told_in_one_line(path: Path, kept: float) -> None:
    """Headers alone are whole: what is missing shows at the first read."""
    Store.open(path).close()
    raw = path.read_bytes()
    raw = raw[: int(len(raw) * kept)]
    path.write_bytes(raw)
    assert "kept as it is" in refusal(path)
    assert path.read_bytes() == raw


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    """Tables that are not ours are never migrated."""
    path = tmp_path / "sales.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute("CREATE TABLE sales (a INTEGER)")
    assert "another program (it holds sales)" in refusal(path)


def test_a_newer_schema_names_both_numbers(path: Path) -> None:
    """An old program does not touch what it does not know."""
    with Store.open(path) as store:
        store.cursor().execute("INSERT INTO schema_version VALUES ('0042_more', 'then')")
    message = refusal(path)
    known = int(max(sql.migrations()).partition("_")[0])
    assert f"has schema 42, this judgebench knows schema {known};" in message
    assert "upgrade judgebench" in message


def test_a_missing_file_is_told_to_readers(path: Path) -> None:
    """A table of a run that was never judged says how to judge."""
    assert "no database yet" in refusal(path, create=False)
    assert not path.parent.exists()


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    """A folder in the file's place is named as such."""
    assert "is a folder" in refusal(tmp_path)


def test_an_empty_file_is_taken_as_new(path: Path) -> None:
    """What an early kill of another program left does not stop a start."""
    path.parent.mkdir()
    path.touch()
    with Store.open(path) as store:
        assert build.judgment_count(store) == 0


def test_half_built_files_of_dead_processes_are_swept(path: Path) -> None:
    """Ours alone, and only of processes that are gone."""
    path.parent.mkdir()
    ended = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"],
        capture_output=True,
        text=True,
        check=True,
    )
    dead = path.with_name(f".{path.name}.{ended.stdout.strip()}.new")
    alive = path.with_name(f".{path.name}.{os.getppid()}.new")
    for rest in (dead, alive):
        rest.touch()
    Store.open(path).close()
    assert not dead.exists()
    assert alive.exists()


def test_a_place_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """A file where the folder should be."""
    (tmp_path / "judgments").touch()
    message = refusal(tmp_path / "judgments" / "judgments.duckdb")
    assert "cannot be" in message


def test_a_new_file_never_covers_another(path: Path, tmp_path: Path) -> None:
    """Of two that make the file at once, the later takes the earlier one's."""
    with Store.open(path) as store:
        store.put_pass(build.pass_row())
    fresh = tmp_path / "fresh"
    fresh.write_bytes(b"new")
    opening._put_in_place(fresh, path)  # noqa: SLF001 - the race itself cannot be timed
    with Store.open(path) as store:
        assert len(store.find_passes(build.RUN)) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("IO Error: Could not set lock on file", "held by another process"),
        ("Could not write: No space left on device", "the disk is full"),
        ("Cannot open file: Permission denied", "cannot be written"),
        ("version number 99, but we can only read version 64", "newer DuckDB"),
        ("Checksum\nmismatch \x1b[31m", "cannot be read (Checksum mismatch <U+001B>[31m)"),
    ],
)
def test_errors_of_the_driver_become_one_line(text: str, said: str) -> None:
    """Each says what to do, in printable characters."""
    message = str(opening.explain(Path("j.duckdb"), duckdb.IOException(text)))
    assert said in message
    assert "\n" not in message


def test_a_refusal_takes_the_file_that_it_made_away(tmp_path: Path) -> None:
    """File and folder are gone, as nothing was asked; what was there before stays."""
    path = tmp_path / "judgments" / "judgments.duckdb"
    with pytest.raises(StoreError, match="no"), Store.for_work(path):
        raise StoreError("no")
    assert not path.parent.exists()
    path.parent.mkdir()
    (path.parent / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(StoreError, match="no"), Store.for_work(path):
        raise StoreError("no")
    assert [one.name for one in path.parent.iterdir()] == ["notes.txt"]


def test_a_refusal_leaves_a_file_that_holds_work(tmp_path: Path) -> None:
    """What was asked is paid for; a file that was there, and one after a kill, stays."""
    path = tmp_path / "judgments.duckdb"
    with pytest.raises(KeyboardInterrupt), Store.for_work(path):
        raise KeyboardInterrupt
    assert path.exists()
    with pytest.raises(StoreError, match="no"), Store.for_work(path):
        raise StoreError("no")
    assert path.exists()
    path.unlink()
    with pytest.raises(StoreError, match="no"), Store.for_work(path) as store:
        _ask(store)
    assert path.exists()
    assert not list(tmp_path.glob("*.wal"))


def _ask(store: Store) -> None:
    """A request went out before the rest is refused."""
    call = Intent(
        key=build.request(0).key, attempt=1, sent_at=100.0, request_sha256="r",
        system_sha256="s", user_text="judge this",
    )  # fmt: skip
    with Writer(store) as writer:
        writer.put(writer.intend_op(build.PID, call)).result()
    raise StoreError("no")


def test_a_start_that_waits_for_a_refused_one_makes_its_own_file(path: Path) -> None:
    """The file is taken away while it is held, so that nobody writes into one that goes."""
    Store.open(path).close()
    process = hold(path, 30)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(Store.open, path, wait_s=HANG_S)
        try:
            with pytest.raises(TimeoutError):
                waiting.result(timeout=0.5)
            opening.take_away(path)
        finally:
            process.kill()
            process.communicate()
        with waiting.result(timeout=HANG_S) as store:
            assert store.find_passes(None) == []
    assert path.exists()


@pytest.mark.parametrize("after_s", [0.0, 0.05, 0.2])
def test_an_interrupt_during_a_statement_is_an_interrupt(tmp_path: Path, after_s: float) -> None:
    """Whatever DuckDB calls a signal that meets it at work, the command sees the signal."""
    path = tmp_path / "judgments.duckdb"
    with Store.open(path):
        pass
    # A process that a shell put into the background ignores the signal from its start.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            _busy(path, Timer(after_s, os.kill, (os.getpid(), signal.SIGINT)))
    finally:
        signal.signal(signal.SIGINT, before)


def _busy(path: Path, killer: Timer) -> None:
    """A statement that takes far longer than the killer waits."""
    con = opening.connect(path)
    with opening.guarded(path):
        killer.start()
        con.execute("SELECT count(*) FROM range(100000) a, range(100000) b").fetchall()


@pytest.mark.parametrize(
    "raised", [RuntimeError("Query interrupted"), duckdb.InterruptException("INTERRUPT Error")]
)
def test_both_words_of_duckdb_for_an_interrupt_are_known(raised: Exception) -> None:
    """An error of the statement or of Python's own is left as it is."""
    with pytest.raises(KeyboardInterrupt), opening.interruptible():
        raise raised
    with pytest.raises(RuntimeError, match="another"), opening.interruptible():
        raise RuntimeError("another")
