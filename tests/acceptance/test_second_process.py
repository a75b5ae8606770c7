"""Two processes and one database."""

import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from judgebench.pipeline.scoring import score
from judgebench.pipeline.setting import stored_run
from tests.acceptance.desk import THREE, Desk, always, finish, plan
from tests.clock import HANG_S
from tests.stub import StubServer

Serve = Callable[..., StubServer]
HOLD = (
    "import sys, time, duckdb\n"
    "c = duckdb.connect(sys.argv[1], read_only=sys.argv[2] == 'reader')\n"
    "print('held', flush=True)\n"
    "time.sleep(60)\n"
)


def held(desk: Desk, how: str) -> subprocess.Popen[str]:
    """Another process that has the database open."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(desk.database), how], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    return holder


def test_a_held_database_costs_no_request(
    desk: Desk, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Writer or viewer: within seconds one line with file, holder and advice; nothing is sent."""
    for module in (score, stored_run):
        monkeypatch.setattr(module, "LOCK_WAIT_S", 0.3)
    desk.make(THREE)
    stub = serve(plan("fours"))
    desk.score()
    desk.make(THREE, name="later")
    for how in ("writer", "reader"):
        holder = held(desk, how)
        try:
            begun = time.monotonic()
            first = desk.score(run=desk.root / "runs" / "later")
            shown = desk.judge("table", desk.run)
        finally:
            holder.kill()
            holder.communicate()
        assert time.monotonic() - begun < HANG_S
        assert first.code == 2
        assert "judgments.duckdb" in first.err
        assert str(holder.pid) in first.err
        assert "delete" not in first.err
        assert len(stub.log) == 3
        if how == "writer":
            assert shown.code == 2
            assert "judgments.duckdb" in shown.err
        else:
            assert shown.code == 0
    assert desk.score(run=desk.root / "runs" / "later").code == 0
    assert len(stub.log) == 6


def test_a_table_beside_a_running_pass(desk: Desk, serve: Serve) -> None:
    """The reader gets a table or one clear line; the pass ends with every verdict."""
    desk.make({f"arm{n}": text for n, text in enumerate(THREE.values())})
    stub = serve(always(verdict={"score": 4, "quotes": "real"}, delay=0.7))
    judging = desk.spawn("score", desk.run, "--rubric", "bulletin", "--concurrency", "1")
    while not stub.script.count:
        time.sleep(0.02)
    table = desk.judge("table", desk.run)
    assert table.code in {0, 2}
    assert "judgments.duckdb" in table.all or "arm0" in table.out
    assert finish(judging).code == 0
    assert len(stub.log) == 3
    assert desk.marks() == {"arm0": {4}, "arm1": {4}, "arm2": {4}}


def test_two_passes_at_once(desk: Desk, serve: Serve) -> None:
    """Both end with all their verdicts, or one is refused before its first request."""
    desk.make(THREE)
    desk.make(THREE, name="second")
    stub = serve(always(verdict={"score": 4, "quotes": "real"}, delay=0.3))
    both = [
        desk.spawn("score", desk.root / "runs" / name, "--rubric", "bulletin")
        for name in ("bulletin", "second")
    ]
    codes = sorted(finish(one).code for one in both)
    assert codes in ([0, 0], [0, 2])
    done = codes.count(0)
    assert len(stub.log) == 3 * done
    assert desk.rows("SELECT count(*) FROM marks WHERE mark = 4") == [(9 * done,)]
