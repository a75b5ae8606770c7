"""A recording whose header was changed is refused, never replayed as an empty table."""

import json
from pathlib import Path
from typing import Any

import pytest

from judgebench.errors import RecordingError
from judgebench.pipeline.scoring.batching import record
from judgebench.pipeline.setting.choices import Where
from judgebench.pipeline.setting.scene import open_scene
from judgebench.store.store import Store
from tests.pipeline.made import judge, make_run, make_workspace, world
from tests.stub import StubServer

CHANGES: dict[str, Any] = {
    "seed": 7,
    "blinding": "strict",
    "judge_sha256": "zz",
    "split_criteria": True,
}
OFF_BOUNDS: dict[str, Any] = {"seed": 2**70, "repeats": 10**9}
CASES = [*CHANGES.items(), *OFF_BOUNDS.items()]


@pytest.fixture
def recorded(tmp_path: Path) -> tuple[Path, Path]:
    """A run and its recording."""
    with StubServer({"rules": [{"replies": [{"verdict": {"score": "hash"}}]}]}) as stub:
        home = make_workspace(tmp_path, stub.base_url)
        run = make_run(home)
        judge(run)
    scene = open_scene(Where(run=run), "answer", world(home))
    path = home / "said.jsonl"
    with Store.open(home / "judgments" / "judgments.duckdb", create=False) as store:
        (row,) = store.find_passes(scene.run_key)
        assert record(store, scene, row, path, conditions="", world=world(home)) == 6
    (home / "judgments" / "judgments.duckdb").unlink()
    return run, path


def test_an_unchanged_recording_gives_every_mark(recorded: tuple[Path, Path]) -> None:
    """The pass is the recorded one, in a database that never saw it."""
    run, path = recorded
    outcome = judge(run, judge=f"replay:{path}")
    assert outcome.result is not None
    assert outcome.result.counts.judgments_scored == 6


@pytest.mark.parametrize(("key", "value"), CASES, ids=[f"{k}-{v}" for k, v in CASES])
def test_a_changed_header_is_an_error(recorded: tuple[Path, Path], key: str, value: object) -> None:
    """What makes the pass another one leaves no reply to match: exit 2 and not an empty table."""
    run, path = recorded
    header = json.loads(path.with_suffix(".json").read_text())
    header[key] = value
    path.with_suffix(".json").write_text(json.dumps(header))
    words = (
        key if value == OFF_BOUNDS.get(key) else "replay it with the run that it was recorded from"
    )
    with pytest.raises(RecordingError, match=words):
        judge(run, judge=f"replay:{path}")
