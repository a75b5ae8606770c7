"""A full disk under the commands that write: one line, exit 2, and the same command goes on."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.marks.space import COLUMNS, Space
from tests.people.runs import sheet

MARKS = ("--mark", "mark")


@contextmanager
def room(size: int) -> Iterator[None]:
    """No file may grow beyond so many bytes, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize(
    "words",
    [
        ("calibrate", "runs/r", "--human", "people.csv"),
        ("sample", "runs/r", "--items", "20"),
        ("rubric", "tune", "runs/r", "--tune", "0.4"),
        ("import", "marks", "people.csv", *COLUMNS, *MARKS, "--scale", "1-10", "--to", "runs/new"),
    ],
    ids=lambda words: words[0],
)
def test_a_full_disk_is_one_line_and_the_command_goes_on_later(
    run: Space, words: tuple[str, ...]
) -> None:
    """Whichever step meets it, a statement, a commit or the checkpoint."""
    sheet(run, [f"q{n}" for n in range(30)])
    if words[0] == "rubric":
        assert run.judge("calibrate", "runs/r", "--human", "people.csv").code == 0
    with room(0):
        full = run.judge(*words)
    assert full.code == 2
    assert full.err.strip().splitlines()[-1].startswith("judge: ")
    assert "the disk is full; make room" in full.err
    again = run.judge(*words)
    assert again.code == 0, again.err
