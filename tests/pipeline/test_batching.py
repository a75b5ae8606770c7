"""The plan through files: exported, answered elsewhere, read back, recorded, replayed."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from judgebench.errors import ImportFileError, RecordingError
from judgebench.model.nouns import Mode
from judgebench.pipeline.figures.stored_pass import choose
from judgebench.pipeline.scoring import batching
from judgebench.pipeline.scoring.score import open_store
from judgebench.pipeline.setting.choices import Choices, Where
from judgebench.pipeline.setting.scene import open_scene
from tests.pipeline.made import judge, make_run, make_workspace, world
from tests.stub import StubServer

HASHED = {"rules": [{"replies": [{"verdict": {"score": "hash", "quotes": "real"}}]}]}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run in a workspace whose judge cannot be reached: nothing may be sent."""
    return make_run(make_workspace(tmp_path, "http://127.0.0.1:9/v1"))


def choices(run: Path, **changes: object) -> Choices:
    """The choices of an export."""
    made = Choices(where=Where(run=run), rubric="answer", repeats=1, controls=0)
    return replace(made, **changes)  # type: ignore[arg-type]  # a test's shorthand


def answered(path: Path, out: Path) -> Path:
    """Every request of a batch file answered by a stub, in reverse order."""

    async def ask(body: dict[str, object], base_url: str) -> dict[str, object]:
        import aiohttp  # noqa: PLC0415 - only here

        async with (
            aiohttp.ClientSession() as session,
            session.post(f"{base_url}/chat/completions", json=body) as reply,
        ):
            found: dict[str, object] = await reply.json()
            return found

    rows = [json.loads(line) for line in path.read_text().splitlines()]
    with StubServer(HASHED) as stub, out.open("w") as handle:
        for row in reversed(rows):
            body = asyncio.run(ask(row["body"], stub.base_url))
            response = {"status_code": 200, "request_id": "r", "body": body}
            handle.write(json.dumps({"custom_id": row["custom_id"], "response": response}) + "\n")
    return out


@pytest.mark.parametrize("mode", [Mode.POINTWISE, Mode.LISTWISE])
def test_a_batch_goes_out_and_comes_back(run: Path, mode: Mode) -> None:
    """All requests answered: the pass is complete, in any order, and no noise was added."""
    home = run.parents[1]
    done = batching.export(choices(run, mode=mode), world(home), home / "out.jsonl")
    assert done.requests == (6 if mode is Mode.POINTWISE else 3)
    replies = answered(home / "out.jsonl", home / "back.jsonl")
    outcome = batching.take_replies(
        choices(run, repeats=None), world(home), (replies,), lambda _found: None
    )
    assert outcome.result is not None
    assert outcome.result.judging.complete
    assert outcome.result.counts.judgments_scored == 6


def test_a_recording_replays_to_the_same_table(run: Path, tmp_path: Path) -> None:
    """What was recorded is replayed without a call, under the same keys."""
    home = run.parents[1]
    batching.export(choices(run), world(home), home / "out.jsonl")
    replies = answered(home / "out.jsonl", home / "back.jsonl")
    first = batching.take_replies(choices(run), world(home), (replies,), lambda _found: None)
    scene = open_scene(Where(run=run), "answer", world(home))
    with open_store(scene) as store:
        row = choose(store.find_passes(scene.run_key), None)
        count = batching.record(
            store, scene, row, home / "rec.jsonl", conditions="by a stub", world=world(home)
        )
    assert count == 6
    (tmp_path / "other").mkdir()
    other = make_run(make_workspace(tmp_path / "other", "http://127.0.0.1:9/v1"))
    again = judge(other, judge=f"replay:{home / 'rec.jsonl'}")
    assert first.result is not None
    assert again.result is not None
    assert again.result.judging.route == "replay"
    assert again.result.arms == first.result.arms


def test_a_stale_recording_is_one_error(run: Path) -> None:
    """Another prompt version or rubric: refused with both named, nothing sent."""
    home = run.parents[1]
    batching.export(choices(run), world(home), home / "out.jsonl")
    replies = answered(home / "out.jsonl", home / "back.jsonl")
    batching.take_replies(choices(run), world(home), (replies,), lambda _found: None)
    scene = open_scene(Where(run=run), "answer", world(home))
    with open_store(scene) as store:
        row = choose(store.find_passes(scene.run_key), None)
        batching.record(store, scene, row, home / "rec.jsonl", conditions="", world=world(home))
    header = json.loads((home / "rec.json").read_text())
    (home / "rec.json").write_text(json.dumps(header | {"prompt_version": "old"}))
    with pytest.raises(RecordingError, match=r"version old, now it is"):
        judge(run, judge=f"replay:{home / 'rec.jsonl'}")
    (home / "rec.json").write_text(json.dumps(header))
    with pytest.raises(RecordingError, match="another rubric"):
        judge(run, judge=f"replay:{home / 'rec.jsonl'}", rubric="usecase")


def test_replies_to_nothing_and_double_replies_are_refused(run: Path) -> None:
    """A foreign file and a file with two replies to one request: nothing is read."""
    home = run.parents[1]
    batching.export(choices(run), world(home), home / "out.jsonl")
    back = answered(home / "out.jsonl", home / "back.jsonl")
    line = back.read_text().splitlines()[0]
    foreign = home / "foreign.jsonl"
    foreign.write_text(json.dumps(json.loads(line) | {"custom_id": "nobody"}) + "\n")
    double = home / "double.jsonl"
    changed = json.loads(line)
    changed["response"]["body"]["choices"][0]["message"]["content"] = "{}"
    double.write_text(f"{line}\n{json.dumps(changed)}\n")
    for path, words in ((foreign, "answers no request"), (double, "two replies")):
        with pytest.raises(ImportFileError, match=words):
            batching.take_replies(choices(run), world(home), (path,), lambda _found: None)
