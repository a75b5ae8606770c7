"""The product over a small real model: grammar, cut replies, context, usage, and honest tables."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from judgebench.model.result import Result
from tests.pipeline.made import answer, judge, make_run, make_workspace, rows

SLOW_S = 1800.0
"""A busy machine is no fault of the judge: only the model itself may end a reply."""
SERVE = Path(__file__).with_name("serve.py")
pytestmark = [pytest.mark.localmodel, pytest.mark.slow]


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """The base URL of a running server."""
    python = os.environ.get("JUDGEBENCH_LOCALMODEL", "")
    if not python:
        pytest.skip("JUDGEBENCH_LOCALMODEL names no interpreter (.ci/localmodel makes one)")
    env = os.environ | {"OMP_WAIT_POLICY": "passive"}
    with subprocess.Popen(
        [python, SERVE], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env
    ) as server:
        try:
            assert server.stdout is not None
            # The engine writes lines of its own before.
            for line in server.stdout:
                if line.startswith("ready "):
                    break
            else:
                pytest.fail("the server ended before it was ready")
            yield line.split()[1] + "/v1"
        finally:
            server.terminate()


def judged(home: Path) -> Result:
    """Judge a run of two items and two arms by the model."""
    run = make_run(home, items=("i1", "i2"))
    outcome = judge(run, concurrency=2, max_judge_failures=99)
    assert outcome.result is not None
    return outcome.result


def test_a_real_model_is_judged_by_what_it_gives(endpoint: str, tmp_path: Path) -> None:
    """Every judgment has a mark on the scale or a reason; usage is the server's own."""
    home = make_workspace(tmp_path, endpoint, model="local-judge", timeout_s=SLOW_S, max_tokens=900)
    result = judged(home)
    counts = result.counts
    assert counts.judgments_scored + counts.judgments_blocked <= 4
    ((silent,),) = rows(
        home,
        "SELECT count(*) FROM judgments AS j WHERE j.reason IS NULL AND NOT EXISTS ("
        " SELECT 1 FROM mark_rows AS m WHERE m.key = j.key"
        " AND (m.mark IS NOT NULL OR m.reason IS NOT NULL))",
    )
    assert rows(home, "SELECT count(*) FROM judgments") == [(4,)]
    assert silent == 0
    marks = [mark for (mark,) in rows(home, "SELECT mark FROM marks WHERE mark IS NOT NULL")]
    assert all(1 <= mark <= 10 and mark == int(mark) for mark in marks)
    assert result.money.prompt_tokens is not None
    assert result.money.prompt_tokens > 1000
    reasons = {reason for (reason,) in rows(home, "SELECT DISTINCT reason FROM judgments")}
    assert reasons <= {None, "judge_length", "judge_invalid"}


def test_quotes_of_a_small_model_are_not_believed(endpoint: str, tmp_path: Path) -> None:
    """A quote counts as found only where its words stand in the text it names."""
    home = make_workspace(tmp_path, endpoint, model="local-judge", timeout_s=SLOW_S, max_tokens=900)
    judged(home)
    texts = {answer(arm, item) for arm in ("north", "south") for item in ("i1", "i2")}
    found = rows(home, "SELECT text FROM quote_rows WHERE start_offset IS NOT NULL "
                       "AND source = 'answer'")  # fmt: skip
    lowered = " ".join(" ".join(text.split()).lower() for text in texts)
    for (quote,) in found:
        first = " ".join(quote.split()).lower().split("…")[0].split("...")[0]
        assert first.strip(" \"'“”") in lowered


def test_a_reply_that_is_cut_is_the_judges_own_limit(endpoint: str, tmp_path: Path) -> None:
    """Twelve tokens are no judgment: judge_length, one call each, no mark."""
    home = make_workspace(tmp_path, endpoint, model="local-judge", timeout_s=SLOW_S, max_tokens=12)
    result = judged(home)
    assert result.counts.judgments_scored == 0
    reasons = rows(home, "SELECT reason, calls FROM judgments")
    assert reasons == [("judge_length", 1)] * 4


def test_an_answer_beyond_the_context_is_named_so(endpoint: str, tmp_path: Path) -> None:
    """The server refuses by its own error; the output keeps its place among the unblocked."""
    home = make_workspace(tmp_path, endpoint, model="local-judge", timeout_s=SLOW_S, max_tokens=60)
    run = make_run(home, items=("i1",), texts={("north", "i1"): "word " * 20_000})
    outcome = judge(run, concurrency=1, max_judge_failures=99)
    assert outcome.result is not None
    found = dict(rows(home, "SELECT arm, reason FROM judgments"))
    assert found["north"] == "judge_context"
