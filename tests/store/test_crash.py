"""Kills, full disks and damaged journals: what was said to be stored is there."""

import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from judgebench.store.store import Store
from tests.store import build

ROOT = Path(__file__).parents[2]


def start(path: Path, count: int, *more: int) -> "subprocess.Popen[str]":
    """Start a process that writes judgments."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.store.child", str(path), str(count), *map(str, more)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )


def keys_in(path: Path) -> list[str]:
    """Keys of the stored judgments, after a fresh opening."""
    with Store.open(path, wait_s=5.0) as store:
        return [row[0] for row in store.cursor().execute("SELECT key FROM judgments").fetchall()]


def killed(path: Path, *, lines: int, seconds: float) -> list[str]:
    """Kill a writing process some time after its first lines; the keys that it said."""
    process = start(path, 2_000)
    assert process.stdout is not None
    said = [process.stdout.readline().strip() for _ in range(lines)]
    time.sleep(seconds)
    process.kill()
    rest, _ = process.communicate()
    return said + rest.split("\n")[:-1]


def test_ten_kills_lose_nothing_that_was_acknowledged(path: Path) -> None:
    """Killed at any moment, also while the file is made: it opens, and all is there once."""
    chance = random.Random(7)  # noqa: S311 - no secret
    acknowledged: set[str] = set()
    for n in range(10):
        lines, seconds = (0, chance.uniform(0.1, 0.9)) if n % 2 else (n + 1, chance.uniform(0, 0.2))
        acknowledged.update(killed(path, lines=lines, seconds=seconds))
        stored = keys_in(path)
        assert acknowledged <= set(stored)
        assert len(stored) == len(set(stored))
    assert len(acknowledged) >= 25


def test_a_full_disk_ends_the_writing_and_loses_nothing(path: Path) -> None:
    """One line says so and counts; with room again the rest is asked for, none twice."""
    process = start(path, 150, 600_000)
    said, _ = process.communicate(timeout=60)
    *acknowledged, last = said.splitlines()
    assert acknowledged
    assert last.startswith("! ")
    assert "the disk is full; make room" in last
    assert f"(of this start {len(acknowledged)} judgment" in last
    stored = keys_in(path)
    assert set(acknowledged) <= set(stored)
    assert len(stored) == len(set(stored))
    process = start(path, 150)
    said, _ = process.communicate(timeout=60)
    assert not set(said.splitlines()) & set(stored)
    assert len(keys_in(path)) == 150


@pytest.fixture(scope="module")
def left_behind(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A database with a journal, as a kill leaves it, and what was acknowledged."""
    path = tmp_path_factory.mktemp("left") / "judgments.duckdb"
    acknowledged: list[str] = []
    process = start(path, 300)
    assert process.stdout is not None
    while len(acknowledged) < 60:
        acknowledged.append(process.stdout.readline().strip())
    process.kill()
    process.communicate()
    return path, acknowledged


def damaged(left: Path, folder: Path, journal: bytes) -> Path:
    """A copy of the database with another journal."""
    path = folder / left.name
    shutil.copy(left, path)
    path.with_name(path.name + ".wal").write_bytes(journal)
    return path


def test_a_flipped_byte_in_the_journal_is_told_and_kept(
    left_behind: tuple[Path, list[str]], tmp_path: Path
) -> None:
    """What came before the damage is there; the damaged journal keeps its bytes."""
    left, acknowledged = left_behind
    raw = left.with_name(left.name + ".wal").read_bytes()
    middle = len(raw) // 2
    bad = raw[:middle] + bytes([raw[middle] ^ 255]) + raw[middle + 1 :]
    path = damaged(left, tmp_path, bad)
    with Store.open(path) as store:
        (note,) = store.notes
        n = build.judgment_count(store)
    assert "journal is damaged" in note
    assert "kept as judgments.duckdb.wal.damaged-1" in note
    assert (tmp_path / "judgments.duckdb.wal.damaged-1").read_bytes() == bad
    assert 0 < n < len(acknowledged)
    assert len(keys_in(path)) == n
    assert not list(tmp_path.glob(".trial-*"))


@pytest.mark.parametrize("change", ["cut", "zeros", "empty"])
def test_a_torn_journal_opens(
    left_behind: tuple[Path, list[str]], tmp_path: Path, change: str
) -> None:
    """DuckDB drops an unfinished end by itself; the file opens and the plan is whole."""
    left, _ = left_behind
    raw = left.with_name(left.name + ".wal").read_bytes()
    journal = {"cut": raw[:-7], "zeros": raw + bytes(512), "empty": b""}[change]
    with Store.open(damaged(left, tmp_path, journal)) as store:
        assert store.notes == ()
        store.put_pass(build.pass_row())
        assert store.set_plan(build.PID, build.requests(100)).open <= 100
