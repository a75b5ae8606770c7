"""Report files on disk: whole or absent, and untouched where nothing changed."""

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import pytest

from judgebench.errors import StoreError
from judgebench.reports.write import write_reports
from tests.reports import make


def test_reports_and_extra_files_are_written_result_last(tmp_path: Path) -> None:
    """All files stand in a folder that is made, nothing else beside them."""
    folder = tmp_path / "2026-09-05" / "p-4be1"
    paths = write_reports(make.result(), folder, {"ratings.parquet": b"PAR1"})
    names = ["report.md", "ratings.csv", "ratings.parquet", "result.json"]
    assert [path.name for path in paths] == names
    assert sorted(path.name for path in folder.iterdir()) == sorted(names)
    assert (folder / "ratings.parquet").read_bytes() == b"PAR1"


def test_unchanged_files_are_not_rewritten(tmp_path: Path) -> None:
    """The same result leaves times alone; another result rewrites what differs."""
    paths = write_reports(make.result(), tmp_path, {})
    for path in paths:
        os.utime(path, (1, 1))
    write_reports(make.result(), tmp_path, {})
    assert {path.stat().st_mtime for path in paths} == {1.0}
    write_reports(dataclasses.replace(make.result(), collector="other"), tmp_path, {})
    changed = {path.name for path in paths if path.stat().st_mtime != 1.0}
    assert changed == {"report.md", "result.json"}


def test_halves_of_killed_writers_go_and_those_of_living_ones_stay(tmp_path: Path) -> None:
    """A process that has ended leaves nothing; one at work is not disturbed."""
    ended = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    for pid in (ended, "99999999999999999999", os.getpid(), os.getppid(), 1):
        (tmp_path / f".report.md.{pid}.half").write_text("half")
    write_reports(make.result(), tmp_path, {})
    left = sorted(path.name for path in tmp_path.glob(".*.half"))
    assert left == sorted({f".report.md.{os.getppid()}.half", ".report.md.1.half"})


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    """The message names the place and says that judgments are safe."""
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(StoreError, match=r"taken.*judgments are safe"):
        write_reports(make.result(), tmp_path / "taken", {})


def test_a_file_that_cannot_be_replaced_leaves_no_half(tmp_path: Path) -> None:
    """Where the name is held by a folder, nothing half written stays behind."""
    (tmp_path / "report.md").mkdir()
    with pytest.raises(StoreError, match=r"report\.md"):
        write_reports(make.result(), tmp_path, {})
    assert [path.name for path in tmp_path.iterdir()] == ["report.md"]


def test_an_interrupt_leaves_no_half(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As little as a full disk does."""

    def interrupted(_file: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_reports(make.result(), tmp_path, {})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["../up.txt", "a/b", "", ".hidden"])
def test_extra_files_stay_in_the_folder(tmp_path: Path, name: str) -> None:
    """A name that leads elsewhere is our own fault, found before anything is written."""
    with pytest.raises(ValueError, match="plain file names"):
        write_reports(make.result(), tmp_path / "new", {name: b""})
    assert not (tmp_path / "new").exists()


def test_files_of_an_earlier_report_go_with_it(tmp_path: Path) -> None:
    """What only an extended report has; no page, which is left as it is, and nothing else."""
    for name in ("pairs.csv", "criteria.csv", "findings.csv", "notes.csv"):
        (tmp_path / name).write_text("old\n", encoding="utf-8")
    write_reports(make.result(), tmp_path, {"report.html": b"page", "criteria.csv": b"new\n"})
    assert not (tmp_path / "pairs.csv").exists()
    assert not (tmp_path / "findings.csv").exists()
    assert (tmp_path / "criteria.csv").read_bytes() == b"new\n"
    assert (tmp_path / "notes.csv").read_text(encoding="utf-8") == "old\n"
    write_reports(make.result(), tmp_path, {})
    assert (tmp_path / "report.html").read_bytes() == b"page"
    assert not (tmp_path / "criteria.csv").exists()


def test_what_cannot_be_removed_is_told(tmp_path: Path) -> None:
    """A folder in the place of such a file is left alone, and said."""
    (tmp_path / "pairs.csv").mkdir()
    with pytest.raises(StoreError, match=r"pairs\.csv: .*judgments are safe"):
        write_reports(make.result(), tmp_path, {})
