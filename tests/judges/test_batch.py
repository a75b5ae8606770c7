"""Plans and replies in the OpenAI batch format, and a provider's batch endpoint."""

import json
from pathlib import Path
from typing import Any

import pytest

from judgebench.errors import ImportFileError, JudgeSetupError
from judgebench.judges import wire
from judgebench.judges.transports import batch
from judgebench.judges.transports.base import run
from judgebench.judges.transports.batch_endpoint import BatchEndpoint, BatchState
from judgebench.judges.validate import read_reply
from judgebench.model.nouns import RawReply
from tests.judges import made, sending
from tests.judges.sending import FORM, VERDICT, replies
from tests.stub import StubServer

JUDGE = sending.judge("http://127.0.0.1:9/v1")
SETTLED = wire.first(JUDGE)


def export(path: Path, n: int = 3) -> batch.Exported:
    """A plan of `n` requests as a file."""
    plan = [(sending.request(f"Answer {k} says so.", f"key-{k}"), FORM) for k in range(n)]
    return batch.export(plan, path, judge=JUDGE, settled=SETTLED)


def line(key: str, body: Any = None, status: int = 200, **changes: Any) -> str:  # noqa: ANN401
    """One reply of an output file."""
    body = made.body({"content": json.dumps(made.verdict())}) if body is None else body
    response = {"status_code": status, "request_id": "r", "body": body}
    return json.dumps({"id": "b", "custom_id": key, "response": response, "error": None} | changes)


def write(path: Path, *lines: str) -> Path:
    """A file of lines."""
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_request_line_is_what_would_be_sent_live(tmp_path: Path) -> None:
    """The format's four fields, and the very body of the live call."""
    exported = export(tmp_path / "plan.jsonl")
    rows = [json.loads(one) for one in exported.paths[0].read_text().splitlines()]
    assert [row["custom_id"] for row in rows] == ["key-0", "key-1", "key-2"]
    assert {(row["method"], row["url"]) for row in rows} == {("POST", "/v1/chat/completions")}
    asked = sending.request("Answer 1 says so.", "key-1")
    assert rows[1]["body"] == wire.body(asked, FORM, judge=JUDGE, settled=SETTLED)
    assert exported.request_sha256["key-1"] == asked.request_sha256


def test_a_plan_too_long_for_one_file_becomes_several(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two requests a file: the third stands in NAME.2.jsonl."""
    monkeypatch.setattr(batch, "MOST_REQUESTS", 2)
    exported = export(tmp_path / "plan.jsonl")
    assert [path.name for path in exported.paths] == ["plan.jsonl", "plan.2.jsonl"]
    assert [len(path.read_text().splitlines()) for path in exported.paths] == [2, 1]


def test_a_failed_export_leaves_nothing(tmp_path: Path) -> None:
    """Not half a plan, and no file under another name."""

    def plan() -> Any:  # noqa: ANN401 - a generator
        yield sending.request(), FORM
        raise ValueError("an output has changed")

    with pytest.raises(ValueError, match="has changed"):
        batch.export(plan(), tmp_path / "plan.jsonl", judge=JUDGE, settled=SETTLED)
    assert list(tmp_path.iterdir()) == []


def test_half_a_surrogate_is_exported_escaped(tmp_path: Path) -> None:
    """What JSON can write, a batch file holds."""
    plan = [(sending.request("half \ud83d of it"), FORM)]
    path = batch.export(plan, tmp_path / "p.jsonl", judge=JUDGE, settled=SETTLED).paths[0]
    assert "\\ud83d" in path.read_text(encoding="utf-8")


def test_replies_are_found_in_any_order_and_in_several_files(tmp_path: Path) -> None:
    """Output and error file together; the body reaches our reader as a live one would."""
    good = write(tmp_path / "out.jsonl", line("key-2"), "", line("key-0"))
    bad = write(tmp_path / "err.jsonl", line("key-1", {"error": {"message": "no"}}, 400))
    found = batch.read_replies([good, bad], known={"key-0", "key-1", "key-2"})
    assert len(found) == 3
    assert list(found.keys()) == ["key-2", "key-0", "key-1"]
    reading = read_reply(found.raw("key-0"), FORM, wire_mode="json_schema", asked_model="stub-1")
    assert reading.status == "ok"
    assert (found.raw("key-1").status, "no" in found.raw("key-1").body) == (400, True)


def test_unknown_double_and_failed_ids_are_reported(tmp_path: Path) -> None:
    """Nothing is taken twice or silently left out."""
    other = made.body({"content": json.dumps(made.verdict(1))})
    expired = line("key-2", response=None, error={"code": "batch_expired", "message": "too late"})
    path = write(
        tmp_path / "out.jsonl",
        line("key-0"), line("key-0"), line("key-1"), line("key-1", other), line("else"), expired,
    )  # fmt: skip
    found = batch.read_replies([path], known={"key-0", "key-1", "key-2"})
    assert found.unknown == ("else",)
    assert found.duplicates == ("key-1",)
    assert found.failed == {"key-2": "too late"}
    assert "key-2" not in found
    marks = json.loads(json.loads(found.raw("key-1").body)["choices"][0]["message"]["content"])
    assert marks["clarity"]["score"] == 4


def test_a_good_reply_is_preferred_to_a_failed_one(tmp_path: Path) -> None:
    """Whichever file is named first."""
    bad = write(tmp_path / "err.jsonl", line("key-0", {}, 500))
    good = write(tmp_path / "out.jsonl", line("key-0"))
    assert batch.read_replies([bad, good]).raw("key-0").status == 200
    assert batch.read_replies([good, bad]).raw("key-0").status == 200


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("no JSON", r"out.jsonl:2: is no JSON"),
        ('{"a": 1}', "has no custom_id"),
        ('{"custom_id": "k", "method": "POST", "url": "/", "body": {}}', "a request and no reply"),
        ('{"custom_id": "k", "response": {"body": {}}}', "status_code"),
        ('{"custom_id": "k", "response": 7}', "status_code"),
    ],
)
def test_a_line_that_is_no_reply_is_named(tmp_path: Path, text: str, words: str) -> None:
    """File, line, and what to give instead."""
    path = write(tmp_path / "out.jsonl", line("key-0"), text)
    with pytest.raises(ImportFileError, match=words):
        batch.read_replies([path])


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    """No traceback for a wrong path."""
    with pytest.raises(ImportFileError, match="cannot be read"):
        batch.read_replies([tmp_path / "none.jsonl"])


def test_a_line_without_end_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded by the longest reply."""
    monkeypatch.setattr(batch, "MAX_BODY_BYTES", 100)
    with pytest.raises(ImportFileError, match="has a line over"):
        batch.read_replies([write(tmp_path / "out.jsonl", "x" * 300)])


def test_a_stored_reply_written_as_a_line_is_read_back(tmp_path: Path) -> None:
    """JSON bodies and other texts alike."""
    raws = [
        RawReply(key="a", attempt=1, status=200, body='{"choices":[]}', outcome="received"),
        RawReply(key="b", attempt=2, status=200, body="<html>", outcome="received"),
    ]
    path = tmp_path / "out.jsonl"
    path.write_bytes(b"".join(batch.reply_line(raw) for raw in raws))
    found = batch.read_replies([path])
    assert json.loads(found.raw("a").body) == {"choices": []}
    assert found.raw("b").body == "<html>"


def submit(plan: dict[str, Any], tmp_path: Path) -> tuple[list[BatchState], tuple[Path, ...]]:
    """Hand in three requests, wait, fetch."""
    path = export(tmp_path / "plan.jsonl").paths[0]
    seen: list[BatchState] = []
    with StubServer(plan) as stub:

        async def main() -> tuple[Path, ...]:
            async with BatchEndpoint(sending.judge(stub.base_url), sending.KEY) as endpoint:
                state = await endpoint.submit(path)
                seen.append(state)
                end = await endpoint.wait(state.id, every_s=0.01, tell=seen.append)
                return await endpoint.download(end, tmp_path / "fetched")

        return seen, run(main())


def test_a_batch_is_handed_in_waited_for_and_fetched(tmp_path: Path) -> None:
    """Two good replies and one refusal come back in two files."""
    bad = {"status": 400, "json": {"error": {"message": "no", "code": "content_filter"}}}
    plan = {"rules": [{"when_body_has": "Answer 1 ", "replies": [bad]}, {"replies": [VERDICT]}]}
    seen, paths = submit(plan, tmp_path)
    assert [state.status for state in seen] == ["in_progress", "in_progress", "completed"]
    assert (seen[-1].total, seen[-1].completed, seen[-1].failed) == (3, 2, 1)
    assert [path.name for path in paths] == ["batch-0-output.jsonl", "batch-0-error.jsonl"]
    found = batch.read_replies(paths)
    assert sorted(found.keys()) == ["key-0", "key-1", "key-2"]
    assert found.raw("key-1").status == 400


def test_a_batch_that_fails_as_a_whole_says_why(tmp_path: Path) -> None:
    """The provider's words stand in the state; there is nothing to fetch."""
    errors = {"object": "list", "data": [{"code": "x", "message": "too many tokens\x1b[2J"}]}
    plan = replies(VERDICT) | {"batch": {"status": "failed", "errors": errors}}
    seen, paths = submit(plan, tmp_path)
    assert seen[-1].message == "too many tokens<U+001B>[2J"
    assert paths == ()


def test_an_endpoint_without_batches_is_one_line() -> None:
    """A refusal and an unreachable address name what to check."""
    with StubServer() as stub:

        async def ask(url: str) -> None:
            async with BatchEndpoint(sending.judge(url), sending.KEY) as endpoint:
                await endpoint.state("batch-9")

        with pytest.raises(JudgeSetupError, match=r"answered 404.*has batches"):
            run(ask(stub.base_url))


def test_an_unreachable_batch_endpoint_is_one_line(tmp_path: Path) -> None:
    """Nothing listens there."""

    async def main() -> None:
        async with BatchEndpoint(JUDGE, sending.KEY) as endpoint:
            await endpoint.submit(export(tmp_path / "plan.jsonl").paths[0])

    with pytest.raises(JudgeSetupError, match="cannot be reached"):
        run(main())
