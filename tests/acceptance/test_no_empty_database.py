"""A command that refuses, or only reads, makes no database."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.acceptance.desk import THREE, Desk, always
from tests.stub import StubServer

READING = (
    "table RUN", "table RUN --passes", "table RUN --panel", "report RUN", "agree RUN",
    "show RUN", "verify RUN", "biases RUN", "power RUN", "calibrate RUN", "sample RUN",
    "label RUN", "rejudge RUN --judge openai/m", "batch record RUN --out replies.jsonl",
    "drift RUN --baseline 4d7a", "rubric tune RUN --rubric bulletin", "card stub/any",
)  # fmt: skip


@pytest.mark.parametrize("words", READING)
def test_what_reads_says_that_nothing_was_judged(desk: Desk, words: str) -> None:
    """Each names what to do and leaves the workspace as it was."""
    desk.make({name: {"m1": text} for name, text in THREE.items()})
    before = _all(desk)
    said = desk.judge(*words.replace("RUN", "runs/bulletin").split())
    assert said.code == 2
    assert "judged here" in said.err
    assert "judge score" in said.err
    assert _all(desk) == before


def test_what_is_refused_with_the_plan_made_leaves_nothing(
    desk: Desk, serve: Callable[..., StubServer]
) -> None:
    """No call is allowed, the replies are of another workspace, tools do not fit."""
    desk.make({name: {"m1": text} for name, text in THREE.items()})
    stub = serve(always(text="{}"))
    foreign = desk.root / "replies.jsonl"
    foreign.write_text(
        '{"custom_id": "none-of-ours", "response": {"status_code": 200, "body": {}}}\n',
        encoding="utf-8",
    )
    before = _all(desk)
    for words, code in (
        (("score", "runs/bulletin", "--judge", "stub", "--max-requests", "0"), 5),
        (("score", "runs/bulletin", "--judge", "stub", "--tools", "auto"), 2),
        (("batch", "import", "runs/bulletin", "replies.jsonl"), 2),
    ):
        said = desk.judge(*words)
        assert said.code == code, said.all
        assert _all(desk) == before, words
    assert not stub.log


def _all(desk: Desk) -> set[Path]:
    return set(desk.root.rglob("*"))
