"""A workspace that cannot be written: what costs nothing works there all the same."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.acceptance.desk import HARBOUR, MEADOW, Desk, Said, always
from tests.clock import HANG_S
from tests.stub import StubServer

Serve = Callable[..., StubServer]
ITEMS = ("m1", "m2", "m3", "m4")
MAIN = "from judgebench.cli.main import main; main()"
_DROP, _OVERRIDE = 24, 1
RUN = "runs/bulletin"


def _obey() -> None:
    """Make root mind permissions too, from the program on that starts next."""
    ctypes.CDLL(None).prctl(_DROP, _OVERRIDE, 0, 0, 0)


def judge(root: Path, *words: str) -> Said:
    """`judge` as a process that minds permissions."""
    done = subprocess.run(
        [sys.executable, "-c", MAIN, *words], cwd=root, capture_output=True, text=True,
        timeout=4 * HANG_S, check=False, preexec_fn=_obey, env={**os.environ, "COLUMNS": "400"},
    )  # fmt: skip
    return Said(done.returncode, done.stdout, done.stderr)


@contextmanager
def read_only(root: Path) -> Iterator[None]:
    """Take every right to write below a folder away, and give it back."""
    every = [root, *root.rglob("*")]
    modes = {path: path.stat().st_mode for path in every}
    for path, mode in modes.items():
        path.chmod(mode & ~0o222)
    try:
        yield
    finally:
        for path, mode in modes.items():
            path.chmod(mode)


@pytest.fixture
def judged(desk: Desk, serve: Serve) -> Desk:
    """Two arms, four items, a judge and two people."""
    desk.make(
        {
            "north": {item: f"{HARBOUR} {item}" for item in ITEMS},
            "south": {item: f"{MEADOW} {item}" for item in ITEMS},
        }
    )
    serve(always(verdict={"score": 5, "quotes": "real"}))
    assert desk.score("--no-html").code == 0
    rows = [
        f"{item},{arm},{who},tone,{mark}"
        for item in ITEMS for arm in ("north", "south") for who, mark in (("ana", 2), ("ben", 3))
    ]  # fmt: skip
    text = "item,arm,rater,criterion,score\n" + "\n".join(rows)
    (desk.root / "people.csv").write_text(text, encoding="utf-8")
    assert desk.judge("calibrate", RUN, "--human", "people.csv").code == 0
    return desk


def test_what_spends_nothing_works_where_nothing_can_be_written(judged: Desk) -> None:
    """It answers as elsewhere, says what is not kept, and leaves every file as it was."""
    before = judged.database.read_bytes()
    with read_only(judged.root):
        for words in (["check", RUN], ["compare", RUN, "--dry-run"], ["score", RUN, "--dry-run"]):
            said = judge(judged.root, *words)
            assert said.code == 0, said.err
            assert "cannot be written" not in said.err
        for words, lost in (
            (["sample", RUN, "--items", "2"], "this draw is not kept"),
            (["sample", RUN, "--for", "means", "--answers", "4"], "this draw is not kept"),
            (["calibrate", RUN], "shown is not noted"),
            (["rubric", "tune", RUN, "--tune", "0.4"], "were shown are not noted"),
        ):
            said = judge(judged.root, *words)
            assert said.code == 0, said.err
            told = " ".join(said.err.split())
            assert "judgments.duckdb cannot be written: " in told
            assert lost in told
    assert judged.database.read_bytes() == before
    assert judged.rows("SELECT count(*) FROM draws") == [(0,)]


def test_marks_are_not_taken_in_where_they_cannot_be_kept(judged: Desk) -> None:
    """What would be lost is refused in one line."""
    with read_only(judged.root):
        said = judge(judged.root, "calibrate", RUN, "--human", "people.csv")
    assert said.code == 2
    assert said.err.count("\n") == 1
    assert "cannot be written; give write permission" in said.err
