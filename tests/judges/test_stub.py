"""The stub itself: what the other tests rely on."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from judgebench.judges import wire
from judgebench.judges.validate import read_reply
from judgebench.model.nouns import RawReply
from tests.judges import sending
from tests.judges.sending import FORM, replies
from tests.stub import StubServer

ROOT = Path(__file__).parents[2]


def post(url: str, body: dict[str, Any]) -> dict[str, Any]:
    """One request by the plainest of clients."""
    sent = Request(  # noqa: S310 - loopback
        f"{url}/chat/completions",
        json.dumps(body).encode(),
        {"content-type": "application/json"},
    )
    with urlopen(sent, timeout=10) as answer:  # noqa: S310 - loopback
        found: dict[str, Any] = json.load(answer)
    return found


def body(text: str, mode: wire.WireMode = "json_schema") -> dict[str, Any]:
    """What our judge would be sent about a text."""
    judge = sending.judge("http://127.0.0.1:9/v1")
    settled = wire.Settled(mode=mode)
    return wire.body(sending.request(text), FORM, judge=judge, settled=settled)


def test_marks_drawn_from_the_text_are_the_same_each_time_and_differ_between_texts() -> None:
    """A run judged twice gives one table, and not a constant one."""
    with StubServer(replies({"verdict": {"score": "hash", "quotes": "real"}})) as stub:
        made = [
            post(stub.base_url, body(f"Text {n} is like this."))["choices"][0]["message"]["content"]
            for n in (*range(8), *range(8))
        ]
    assert made[:8] == made[8:]
    scores = {mark["score"] for text in made for mark in json.loads(text).values()}
    assert len(scores) > 2
    assert scores <= {1, 2, 3, 4, 5}


def test_real_quotes_are_words_of_the_judged_text() -> None:
    """In each mode the reply is one that our reader takes."""
    for mode in ("json_schema", "tools", "json", "md_json"):
        with StubServer() as stub:
            found = post(stub.base_url, body("The pool closes.\nAt 15:00 sharp.", mode))
        raw = RawReply(key="k", attempt=1, status=200, body=json.dumps(found), outcome="received")
        reading = read_reply(raw, FORM, wire_mode=mode, asked_model="stub-1")
        assert reading.status == "ok", reading.message
        assert all(
            quote.text in "The pool closes.\nAt 15:00 sharp."
            for mark in reading.marks["A"]
            for quote in mark.quotes
        )


def test_the_command_serves_a_file_and_logs_each_request_at_once(tmp_path: Path) -> None:
    """First line: the address; one line of log a request; counts under /stats."""
    plan, log = tmp_path / "replies.json", tmp_path / "log.jsonl"
    plan.write_text(json.dumps(replies(sending.VERDICT)))
    command = [sys.executable, "-m", "tests.stub", str(plan), "--log", str(log)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            url = server.stdout.readline().strip()
            post(url, body("The pool closes."))
            with urlopen(f"{url}/stats", timeout=10) as answer:  # noqa: S310 - loopback
                stats = json.load(answer)
            rows = [json.loads(line) for line in log.read_text().splitlines()]
        finally:
            server.terminate()
    assert stats["count"] == stats["complete"] == 1
    assert rows[0]["complete"] is True
    assert rows[0]["params"] == ["model", "response_format"]
