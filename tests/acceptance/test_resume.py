"""Signals and second starts: what is done is kept, and only what is needed is asked."""

import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.rig import CELLS, ITEMS, RUBRIC, Rig, outputs, stub
from tests.clock import HANG_S

VERDICT = {"score": "hash", "quotes": "real"}
Rows = list[dict[str, Any]]


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[Rig]:
    """A workspace whose judge answers at once."""
    with stub(tmp_path, [{"verdict": VERDICT}]) as (base_url, log):
        yield Rig(tmp_path / "work", base_url, log)


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[Rig]:
    """A workspace whose judge takes 0.4 s an answer."""
    with stub(tmp_path, [{"verdict": VERDICT, "delay": 0.4}]) as (base_url, log):
        yield Rig(tmp_path / "work", base_url, log)


@pytest.fixture
def endless(tmp_path: Path) -> Iterator[Rig]:
    """A workspace whose judge gives two answers and then none within a minute."""
    replies = [{"verdict": VERDICT, "repeat": 2}, {"verdict": VERDICT, "delay": 60}]
    with stub(tmp_path, replies) as (base_url, log):
        yield Rig(tmp_path / "work", base_url, log)


def wait_for(rig: Rig, answers: int) -> None:
    """Wait until the stub has given so many answers."""
    until = time.monotonic() + 60
    while len(rig.log()) < answers:
        assert time.monotonic() < until, "the judge was never asked"
        time.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_one_signal_ends_in_order_and_the_next_start_goes_on(
    slow: Rig, number: signal.Signals
) -> None:
    """What is in flight is waited for and kept, the way on is named, nothing is asked twice."""
    process = slow.start()
    wait_for(slow, 4)
    process.send_signal(number)
    done = slow.finish(process)
    assert done.code == 130, done.err
    assert done.seconds < HANG_S
    assert "run the same command again" in done.err
    kept = len(slow.log())
    assert 4 <= kept < CELLS
    again = slow.score()
    assert again.code == 0, again.err
    assert f"{CELLS - kept} of {CELLS} requests open" in again.err
    assert len({row["body_sha"] for row in slow.log()}) == len(slow.log()) == CELLS
    assert slow.result()["counts"]["calls_in_doubt"] == 0


def test_one_interrupt_waits_no_longer_than_five_seconds(endless: Rig) -> None:
    """A judge that never answers holds nobody: its calls are let go and reported."""
    process = endless.start(concurrency=2)
    wait_for(endless, 2)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    done = endless.finish(process)
    assert done.code == 130, done.err
    assert done.seconds < HANG_S
    assert "run the same command again" in done.err
    judged, _ = endless.stored(endless.folder / "copy")
    assert len(judged) == 2


def test_a_second_interrupt_ends_at_once(endless: Rig) -> None:
    """Who asks twice is not kept waiting; what was answered stays."""
    process = endless.start(concurrency=2)
    wait_for(endless, 2)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    done = endless.finish(process)
    assert done.code == 130, done.err
    assert done.seconds < HANG_S
    judged, _ = endless.stored(endless.folder / "copy")
    assert len(judged) == 2


def test_a_second_start_asks_nothing_prints_the_same_and_writes_nothing(quick: Rig) -> None:
    """The table is the same byte for byte, and no report file is touched."""
    first = quick.score()
    assert first.code == 0, first.err
    assert len(quick.log()) == CELLS
    times = {file.name: file.stat().st_mtime_ns for file in quick.report().iterdir()}
    again = quick.score()
    assert again.code == 0, again.err
    assert "nothing to do" in again.err
    assert again.out == first.out
    assert len(quick.log()) == CELLS
    assert {file.name: file.stat().st_mtime_ns for file in quick.report().iterdir()} == times


@pytest.mark.parametrize("name", ["report.md", "ratings.csv", "ratings.parquet", "result.json"])
def test_a_report_file_that_is_gone_is_written_again(quick: Rig, name: str) -> None:
    """A second start asks nothing and makes the folder whole."""
    quick.score()
    path = quick.report() / name
    before = path.read_bytes()
    path.unlink()
    again = quick.score()
    assert again.code == 0, again.err
    assert path.read_bytes() == before
    assert len(quick.log()) == CELLS


def test_a_kept_result_that_cannot_be_read_is_made_again(quick: Rig) -> None:
    """A half file of another program is no reason to fail, nor to show it."""
    first = quick.score()
    path = quick.report() / "result.json"
    before = path.read_bytes()
    path.write_bytes(before[:200])
    again = quick.score()
    assert again.out == first.out
    assert path.read_bytes() == before


DRIFT = 3
"""A tenth of 20 cells, at least three."""


def added_arm() -> Rows:
    """A third arm on every item."""
    return outputs(arms=("north", "south", "east"))


def added_item() -> Rows:
    """One more item for both arms."""
    return outputs(items=ITEMS + 1)


def changed_output() -> Rows:
    """One word of one output is another."""
    rows = outputs()
    rows[3]["output"] = rows[3]["output"].replace("sorry", "very sorry")
    return rows


def removed_output() -> Rows:
    """One output is gone."""
    return outputs()[:-1]


@pytest.mark.parametrize(
    ("change", "asked", "cells"),
    [
        (added_arm, ITEMS + DRIFT, CELLS + ITEMS),
        (added_item, 2 + DRIFT, CELLS + 2),
        (changed_output, 1, CELLS),
        (removed_output, 0, CELLS - 1),
    ],
)
def test_a_changed_run_costs_exactly_what_has_changed(
    quick: Rig, change: Callable[[], Rows], asked: int, cells: int
) -> None:
    """Old answers serve again, but for the few that are judged again to see whether they would."""
    quick.score()
    before = {row["body_sha"] for row in quick.log()}
    quick.write(change())
    done = quick.score()
    assert done.code in {0, 3}, done.err
    now = quick.log()
    assert len(now) - CELLS == asked
    assert not before & {row["body_sha"] for row in now[CELLS:]}
    assert quick.result()["counts"]["judgments_scored"] == cells


@pytest.mark.parametrize(
    ("rubric", "asked"),
    [
        (RUBRIC.replace("5: At once", "5: Right away"), CELLS),
        (RUBRIC.replace("head: Tone\n", "head: Tone\n    weight: 3\n"), 0),
        (RUBRIC + "# a remark\n", 0),
    ],
)
def test_only_what_the_judge_is_shown_costs_requests(quick: Rig, rubric: str, asked: int) -> None:
    """A changed anchor is asked again in a pass of its own; weights and remarks are not."""
    quick.score()
    (quick.folder / "rubric.yaml").write_text(rubric, encoding="utf-8")
    done = quick.score()
    assert done.code == 0, done.err
    assert len(quick.log()) - CELLS == asked
    folders = list((quick.folder / "reports" / "notice").iterdir())
    assert len(folders) == (2 if asked else 1)


def test_another_judge_has_a_pass_of_its_own_and_the_old_one_stays(quick: Rig) -> None:
    """Another temperature is another judge: asked again, stored beside, named in the table."""
    first = quick.score()
    path = quick.folder / "judges.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text + "params = { temperature = 0.7 }\n", encoding="utf-8")
    done = quick.score()
    assert done.code == 0, done.err
    assert len(quick.log()) == 2 * CELLS
    assert len(list((quick.folder / "reports" / "notice").iterdir())) == 2
    path.write_text(text, encoding="utf-8")
    back = quick.score()
    assert len(quick.log()) == 2 * CELLS
    assert back.out.splitlines()[:3] == first.out.splitlines()[:3]
