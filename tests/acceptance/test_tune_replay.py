"""`judge rubric tune` where the judge of the pass cannot be called: files out, answers in."""

import asyncio
import json
from pathlib import Path

import aiohttp
import pytest

from tests.acceptance.desk import Desk, Said
from tests.acceptance.marked import ITEMS, PLAN, Serve, anew, make_marked, take, tune
from tests.stub import StubServer

DEAD = "http://127.0.0.1:9/v1"
RUN = "runs/bulletin"


@pytest.fixture
def replayed(desk: Desk, serve: Serve) -> Desk:
    """A run of which only a recording is left, with marks of two people."""
    make_marked(desk, serve, ITEMS[:13])
    made = desk.judge("batch", "record", RUN, "--rubric", "bulletin", "--out", "kept.jsonl")
    assert made.code == 0, made.err
    desk.database.unlink()
    desk.toml(DEAD)
    said = desk.score("--no-html", "--judge", "replay:kept.jsonl")
    assert said.code == 0, said.err
    take(desk)
    assert tune(desk, "--tune", "0.8").code == 0
    return desk


def answer(desk: Desk, name: str, *, most: int | None = None) -> Path:
    """Answer a batch file as another machine would."""

    async def ask(rows: list[dict[str, object]], base_url: str) -> list[object]:
        async with aiohttp.ClientSession() as session:
            found = []
            for row in rows:
                async with session.post(f"{base_url}/chat/completions", json=row["body"]) as reply:
                    found.append(await reply.json())
            return found

    rows = [json.loads(line) for line in (desk.root / name).read_text("utf-8").splitlines()][:most]
    with StubServer(PLAN) as stub:
        bodies = asyncio.run(ask(rows, stub.base_url))
    out = desk.root / "ANSWERED.jsonl"
    lines = [
        json.dumps({"custom_id": row["custom_id"], "response": {"status_code": 200, "body": body}})
        for row, body in zip(rows, bodies, strict=True)
    ]
    out.write_text("\n".join(lines), encoding="utf-8")
    return out


def commands(said: Said) -> list[list[str]]:
    """The commands that a page names, as words after `judge`."""
    lines = [line.strip().removeprefix("Next: ") for line in said.out.splitlines()]
    lines = [line.removeprefix("and then ") for line in lines]
    return [line.split()[1:] for line in lines if line.startswith("judge ")]


def passes(desk: Desk) -> list[str]:
    """Passes of judges."""
    found = desk.rows("SELECT pass_id FROM passes WHERE route <> 'people' ORDER BY ordinal")
    return [name for (name,) in found]


def test_the_first_page_says_what_a_replay_cannot_answer(replayed: Desk) -> None:
    """It names the file to edit and commands that run as they are printed."""
    said = tune(replayed)
    assert said.code == 0, said.err
    assert "This pass is a replay: stub must answer other questions" in said.out
    assert 'Next: edit rubrics/bulletin.yaml, raise its version (now "1"), then' in said.out
    named = commands(said)
    assert [words[:2] for words in named] == [
        ["rubric", "tune"], ["batch", "import"], ["rubric", "tune"], ["score", RUN],
    ]  # fmt: skip
    anew(replayed)
    refused = replayed.judge(*named[2])
    assert refused.code == 2
    assert "knows no other questions; judge batch import" in refused.err
    assert len(passes(replayed)) == 1, "a refusal leaves no pass behind"


def test_a_version_goes_out_as_a_file_and_its_answers_come_back(replayed: Desk) -> None:
    """Items for tuning first, then the report split, into one pass; nothing is asked twice."""
    commanded = commands(tune(replayed))
    anew(replayed)
    out = replayed.judge(*commanded[0])
    assert out.code == 0, out.err
    tune_items = replayed.rows("SELECT item FROM label_splits WHERE split = 'tune'")
    assert 10 <= len(tune_items) < 13
    requests = (replayed.root / "open.jsonl").read_text("utf-8").splitlines()
    assert out.out.startswith(f"{len(requests)} requests of pass ")
    assert len(requests) >= 2 * len(tune_items)
    first = commands(out)
    answer(replayed, "open.jsonl", most=3)
    part = replayed.judge(*first[0])
    assert part.code == 3
    assert "judge rubric tune runs/bulletin --rubric bulletin --export open.jsonl" in part.err
    left = replayed.judge(*commanded[0])
    assert left.code == 0, left.err
    answer(replayed, "open.jsonl")
    whole = replayed.judge(*first[0])
    assert whole.code == 0, whole.err
    compared = replayed.judge(*first[1], "--json")
    assert compared.code == 0, compared.err
    rows = {row["criterion"]: row for row in compared.json["rows"]}
    assert rows["tone"]["change"]["high"] < 0
    judged = replayed.rows(
        "SELECT DISTINCT item FROM judgments WHERE pass_id = ? AND purpose <> 'control'",
        compared.json["version"]["pass_id"],
    )
    assert sorted(judged) == sorted(tune_items)
    again = replayed.judge(*commanded[0])
    assert "nothing is open" in again.out
    # The report split goes the same way.
    report = replayed.judge(*commanded[0], "--report")
    assert report.code == 0, report.err
    answer(replayed, "open.jsonl")
    assert replayed.judge(*commands(report)[0]).code == 0
    looked = replayed.judge(*commands(report)[1])
    assert looked.code == 0, looked.err
    assert "First look at the report split" in looked.out
    assert len(passes(replayed)) == 2


def test_weights_are_compared_at_once_on_a_replay(replayed: Desk) -> None:
    """Nothing has to be answered where the judge is asked the same."""
    named = commands(tune(replayed))[0]
    path = replayed.root / "rubrics" / "bulletin.yaml"
    path.write_text(path.read_text("utf-8").replace('"1"', '"1b"'), "utf-8")
    said = replayed.judge(*named)
    assert said.code == 0, said.err
    assert "nothing was judged" in " ".join(said.out.split())


def test_who_may_answer_and_what_does_not_go_together(replayed: Desk) -> None:
    """The same name under other settings is another judge; usage is one line."""
    assert "name the changed rubric" in tune(replayed, "--export", "o.jsonl").err
    both = tune(replayed, "--rubric", "bulletin", "--export", "o.jsonl", "--dry-run")
    assert both.code == 2
    assert "leave one of them out" in both.err
    plan = tune(replayed, "--rubric", "bulletin", "--export", "o.jsonl")
    assert "was judged with this very rubric" in plan.err
    anew(replayed)
    said = tune(replayed, "--rubric", "bulletin", "--judge", "stub")
    assert said.code == 2
    assert "another model, endpoint, mode or parameters would judge" in said.err
