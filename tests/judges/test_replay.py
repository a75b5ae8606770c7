"""Recordings: what they give, and what they refuse."""

import json
from pathlib import Path
from typing import Any

import pytest

from judgebench.errors import RecordingError
from judgebench.judges import wire
from judgebench.judges.ask import ask
from judgebench.judges.budget import Limits
from judgebench.judges.transports import batch, replay
from judgebench.judges.transports.base import offline, run
from judgebench.judges.transports.replay import ImportedTransport, RecordingHeader, ReplayTransport
from judgebench.model.nouns import Mode, RawReply
from judgebench.model.reasons import Reason
from tests.judges import made, sending
from tests.judges.sending import FORM, MemoryJournal


def header(**changes: Any) -> RecordingHeader:  # noqa: ANN401 - fields of a header
    """A header that holds two requests."""
    fields: dict[str, Any] = {
        "judge": "J1",
        "model": "stub-1",
        "judge_sha256": "j" * 64,
        "recorded_at": "2026-11-29",
        "run": "notice",
        "ask_sha256": "a" * 64,
        "prompt_version": "v1",
        "mode": Mode.POINTWISE,
        "repeats": 1,
        "seed": 7,
        "wire_mode": "json_schema",
        "requests": {key: sending.request(key=key).request_sha256 for key in ("key-1", "key-2")},
    }
    return RecordingHeader(**(fields | changes))


def record(path: Path, *, score: object = 4, **changes: Any) -> Path:  # noqa: ANN401
    """A recording with a reply to the first of its requests."""
    body = json.dumps(made.body({"content": json.dumps(made.verdict(score))}))
    raw = RawReply(key="key-1", attempt=2, status=200, body=body, outcome="received")
    lost = RawReply(key="key-2", attempt=1, status=None, body="", outcome="unknown")
    assert replay.write(path, header(**changes), [raw, lost]) == 1
    return path


def test_a_recording_gives_marks_without_a_call(tmp_path: Path) -> None:
    """The stored reply is read as if it had just come, under the recorded judge's name."""
    recording = replay.load(record(tmp_path / "r.jsonl"))
    transport = ReplayTransport(recording, prompt_version="v1")
    one = sending.request()
    assert offline(transport) is transport
    assert transport.holds("key-1", one.request_sha256)
    answer = run(
        ask(
            "key-1",
            one,
            FORM,
            transport=transport,
            judge=recording.judge(),
            settled=recording.header.settled,
            journal=MemoryJournal(),
            limits=Limits(concurrency=1),
        )
    )
    assert answer.reading.status == "ok"
    assert (recording.judge().name, recording.judge().sha256) == ("J1", "j" * 64)


def test_a_recorded_bad_reply_is_not_asked_again(tmp_path: Path) -> None:
    """There is nobody to ask: blocked after the one reply."""
    recording = replay.load(record(tmp_path / "r.jsonl", score=99))
    answer = run(
        ask(
            "key-1",
            sending.request(),
            FORM,
            transport=ReplayTransport(recording, prompt_version="v1"),
            judge=recording.judge(),
            settled=recording.header.settled,
            journal=MemoryJournal(),
            limits=Limits(concurrency=1, max_requests=0),
        )
    )
    assert (answer.calls, answer.reading.reason) == (1, Reason.JUDGE_INVALID)


def test_a_batch_file_of_other_tools_is_what_a_recording_is(tmp_path: Path) -> None:
    """The replies' file is a plain batch output file."""
    found = batch.read_replies([record(tmp_path / "r.jsonl")])
    assert list(found.keys()) == ["key-1"]


def test_what_is_not_recorded_is_not_held(tmp_path: Path) -> None:
    """Unknown requests, and those without a reply, stay open."""
    transport = ReplayTransport(replay.load(record(tmp_path / "r.jsonl")), prompt_version="v1")
    assert not transport.holds("key-2", "")
    assert not transport.holds("key-3", "")


def test_a_request_with_other_words_is_stale(tmp_path: Path) -> None:
    """One error that names both prompt versions."""
    transport = ReplayTransport(replay.load(record(tmp_path / "r.jsonl")), prompt_version="v2")
    with pytest.raises(RecordingError, match="of prompt version v1, now it is v2"):
        transport.holds("key-1", "other")


def test_a_recording_is_checked_before_anything_is_planned(tmp_path: Path) -> None:
    """Other prompts or another rubric are refused as a whole."""
    recording = replay.load(record(tmp_path / "r.jsonl", rubric="notice", rubric_version="2"))
    recording.check(prompt_version="v1", ask_sha256="a" * 64)
    with pytest.raises(RecordingError, match="of prompt version v1, now it is v2"):
        recording.check(prompt_version="v2", ask_sha256="a" * 64)
    with pytest.raises(RecordingError, match=r"another rubric \(notice 2"):
        recording.check(prompt_version="v1", ask_sha256="b" * 64)
    # Another rubric may ask by other prompts too: the rubric is what is to be named.
    with pytest.raises(RecordingError, match=r"another rubric \(notice 2"):
        recording.check(prompt_version="v2", ask_sha256="b" * 64)


def test_header_and_replies_must_belong_together(tmp_path: Path) -> None:
    """A reply to a request that the header does not know is refused."""
    path = record(tmp_path / "r.jsonl")
    replay.header_path(path).write_text(header(requests={}).model_dump_json())
    with pytest.raises(RecordingError, match=r"unknown requests \(key-1, 1 in all"):
        replay.load(path)


def test_two_replies_to_one_request_are_refused(tmp_path: Path) -> None:
    """Which of the two is meant is not for us to choose."""
    path = record(tmp_path / "r.jsonl")
    first = path.read_text()
    path.write_text(first + first.replace("It says when.", "It says why."))
    with pytest.raises(RecordingError, match="two replies to one request"):
        replay.load(path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "r.json: is missing"),
        ("{", "Invalid JSON"),
        ('{"judge": "J1"}', "Field required"),
        (header().model_dump_json()[:-1] + ',"other":1}', "other Extra inputs"),
    ],
)
def test_a_damaged_header_is_one_line(tmp_path: Path, text: str | None, words: str) -> None:
    """File, key, and to record again."""
    path = record(tmp_path / "r.jsonl")
    if text is None:
        replay.header_path(path).unlink()
    else:
        replay.header_path(path).write_text(text)
    with pytest.raises(RecordingError, match=words):
        replay.load(path)


def test_the_header_is_not_taken_for_the_replies(tmp_path: Path) -> None:
    """Whoever names the header is told which file holds the replies."""
    path = record(tmp_path / "r.jsonl")
    with pytest.raises(RecordingError, match=r"is the header of a recording; name r\.jsonl"):
        replay.load(path.with_suffix(".json"))


def test_a_damaged_reply_is_one_line(tmp_path: Path) -> None:
    """No traceback for half a line."""
    path = record(tmp_path / "r.jsonl")
    path.write_text(path.read_text()[:50])
    with pytest.raises(RecordingError, match="is no JSON"):
        replay.load(path)


def test_imported_replies_answer_only_the_words_that_were_exported(tmp_path: Path) -> None:
    """A batch exported before the rubric changed is refused."""
    replies = batch.read_replies([record(tmp_path / "r.jsonl")])
    transport = ImportedTransport(replies, request_sha256={"key-1": "asked"})
    assert transport.holds("key-1", "asked")
    assert not transport.holds("key-2", "asked")
    with pytest.raises(RecordingError, match="is stale"):
        transport.holds("key-1", "other")
    raw = run(transport.send({}, key="key-1", attempt=3))
    assert (raw.attempt, raw.status) == (3, 200)


def test_settings_of_the_recording_are_those_of_the_replay(tmp_path: Path) -> None:
    """Mode, parameters and schema as they were sent."""
    path = record(tmp_path / "r.jsonl", wire_mode="json", params={"seed": 1}, wire_schema="plain")
    assert replay.load(path).header.settled == wire.Settled(
        mode="json", params={"seed": 1}, schema="plain"
    )
