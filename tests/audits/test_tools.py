"""`judge score --tools auto`: a judge that reads the rest of a large project with tools."""

import json
import time
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml

from judgebench.errors import ExitCode
from tests.acceptance.desk import Desk, Said, finish
from tests.audits.conftest import Judging
from tests.audits.space import FILES, NORTH, PLAN, report, write_run
from tests.clock import HANG_S

JSON = dict[str, Any]
RUN = "runs/code"
ASKED = ("--rubric", "service", "--tools", "auto", "--concurrency", "1")
LINES = 300
DEEP = {
    "fault": "swallowed",
    "file": "lib/deep.py",
    "first_line": 250,
    "last_line": 250,
    "excerpt": "except: pass  # 250",
    "names": [],
    "why": "Nobody learns of it.",
}
NO_LOG = {
    "fault": "other",
    "patterns": ["logger.error"],
    "paths": ["lib/deep.py"],
    "why": "Nothing is logged.",
}
FOUND = report(errors=[DEEP, NO_LOG])


def large() -> dict[str, dict[str, str]]:
    """The two projects; one of them has a file that its budget does not show whole."""
    deep = "".join(
        "except: pass  # 250\n" if n == 250 else f"value_{n} = compute({n})  # step {n}\n"
        for n in range(1, LINES + 1)
    )
    return {**FILES, "south": {**FILES["south"], "lib/deep.py": deep}}


@pytest.fixture
def run(desk: Desk) -> Path:
    """A run in which the project `south` does not fit the budget."""
    folder = write_run(desk.root, large())
    facts = yaml.safe_load((folder / "run.yaml").read_text(encoding="utf-8"))
    facts["project_tokens"] = 1000
    (folder / "run.yaml").write_text(yaml.safe_dump(facts), encoding="utf-8")
    return folder


def calling(*calls: tuple[str, Any], **more: Any) -> JSON:  # noqa: ANN401 - keys of a reply
    """A reply that calls tools."""
    return {"tool_calls": [list(one) for one in calls], **more}


def talk(*replies: JSON) -> JSON:
    """A plan: `north` is judged at once, `south` turn by turn."""
    return {
        "rules": [
            {"when_body_has": "asks for one town", "replies": [NORTH]},
            {"replies": list(replies), "by_turn": True},
        ]
    }


def read(path: str, first: int, last: int) -> tuple[str, JSON]:
    """A call of `read_file`."""
    return "read_file", {"path": path, "first": first, "last": last}


WHOLE = calling(read("lib/deep.py", 1, LINES))


def score(desk: Desk, *more: str) -> Said:
    """Judge the run with tools."""
    return desk.judge("score", RUN, *ASKED, *more)


def result(desk: Desk, *more: str) -> JSON:
    """The same, done, as JSON."""
    said = score(desk, "--json", *more)
    assert said.code == ExitCode.DONE, said.err
    return said.json


def finds(result: JSON, arm: str = "south") -> dict[str, JSON]:
    """Finds of one project by the entry that they are of."""
    project = next(one for one in result["audit"]["projects"] if one["arm"] == arm)
    return {fault["entry"]: fault["finds"][0] for fault in project["faults"]}


def given(body: JSON) -> list[str]:
    """What tools gave, as it stands in a request."""
    return [one["content"] for one in body["messages"] if one["role"] == "tool"]


def south(bodies: list[JSON]) -> list[JSON]:
    """The requests about the large project."""
    return [one for one in bodies if "DEBUG = True" in json.dumps(one)]


def test_the_judge_reads_and_the_finds_count(desk: Desk, judging: Judging, run: Path) -> None:
    """A passage that was never shown is found, and what was read is no unread part."""
    del run
    stub = judging(talk(WHOLE, FOUND))
    found = finds(result(desk))
    assert found["swallowed"]["standing"] == "supported"
    assert found["swallowed"]["note"] == "lib/deep.py, lines 250-250"
    assert found["other"]["standing"] == "supported"
    first, second = south(stub.bodies)[:2]
    assert [one["function"]["name"] for one in first["tools"]] == [
        "list_files", "read_file", "search", "findings",
    ]  # fmt: skip
    assert first["tool_choice"] == "auto"
    assert len(second["messages"]) == 4
    (text,) = given(second)
    frame = text.partition("\n")[0].removeprefix("<<<").removesuffix(":tool")
    assert f"The frames of this message carry the word {frame}." in first["messages"][1]["content"]
    assert "250| except: pass  # 250" in text
    assert text.endswith("Replies left: 11, the last of them the report.")


def test_without_tools_the_same_is_unverified(desk: Desk, judging: Judging, run: Path) -> None:
    """What stands in a part that was neither shown nor read costs nothing where it is absent."""
    del run
    stub = judging(talk(FOUND))
    said = desk.judge("score", RUN, "--rubric", "service", "--json")
    found = finds(said.json)
    assert found["other"]["standing"] == "unverified"
    assert "in a part that was not shown" in found["swallowed"]["note"]
    assert all(not body.get("tools") for body in stub.bodies)


def test_a_project_that_is_shown_whole_is_asked_once(
    desk: Desk, judging: Judging, run: Path
) -> None:
    """In the same pass the small project is one request a judging, the report forced."""
    del run
    stub = judging(talk(WHOLE, FOUND))
    result(desk)
    small = [one for one in stub.bodies if "asks for one town" in json.dumps(one)]
    assert len(small) == 3
    assert all([t["function"]["name"] for t in one["tools"]] == ["findings"] for one in small)
    assert all("Reading more" not in one["messages"][0]["content"] for one in small)


def test_where_all_is_shown_auto_is_off(desk: Desk, judging: Judging) -> None:
    """Without a project beyond the budget it is the pass without tools, and that is said."""
    judging()
    plain = desk.judge("score", RUN, "--rubric", "service", "--json").json
    again = score(desk, "--json")
    assert "there is nothing to read with tools" in again.err
    assert again.json["judging"]["id"] == plain["judging"]["id"]


ODD = calling(
    ("read_file", '{"path": "app.py", '),
    ("read_file", {"path": "../../etc/passwd"}),
    ("read_file", {"path": "/etc/passwd"}),
    ("read_file", {"path": "notes/CLAUDE.md"}),
    ("run_shell", {"command": "ls"}),
    ("read_file", {"path": "app.py", "first": "1"}),
    ("search", {"pattern": "step 250", "glob": "../**"}),
    ("read_file", {"path": "lib/deep.py", "first": 9_999}),
    ("list_files", {}),
)


def test_calls_that_cannot_be_answered_get_words(desk: Desk, judging: Judging, run: Path) -> None:
    """Broken arguments, an unknown tool, paths that lead out, one call too many: no error."""
    del run
    stub = judging(talk(ODD, FOUND))
    found = finds(result(desk))
    assert found["swallowed"]["standing"] == "supported"
    _, second = south(stub.bodies)[:2]
    texts = given(second)
    assert len(texts) == 9
    said = [text.partition("\n")[0] for text in texts]
    assert said[0].startswith("error: the arguments cannot be read")
    assert said[1] == said[2] == said[3]
    assert said[3] == "error: the project has no file of this path; list_files names all"
    assert said[4].startswith("error: there is no such tool")
    assert said[5].startswith("error: the arguments are wrong: first:")
    assert "0 lines in 0 files" in texts[6]
    assert said[7] == "error: the file has 300 lines; none from 9999 on"
    assert said[8] == "error: not done: 8 calls a reply at most"
    assert "root:" not in json.dumps(second)
    echoed = second["messages"][2]["tool_calls"]
    assert echoed[0]["function"]["arguments"] == "{}"
    assert [one["id"] for one in echoed] == [
        one["tool_call_id"] for one in second["messages"] if one["role"] == "tool"
    ]


def test_a_judge_that_never_stops_is_made_to_report(
    desk: Desk, judging: Judging, run: Path
) -> None:
    """The twelfth request offers the report alone, and says so before."""
    del run
    again = calling(("search", {"pattern": "step"}), **FOUND)
    stub = judging(talk(again))
    found = finds(result(desk, "--repeats", "1"))
    assert found["swallowed"]["standing"] == "supported"
    asked = south(stub.bodies)
    assert len(asked) == 12
    assert [one["function"]["name"] for one in asked[-1]["tools"]] == ["findings"]
    assert asked[-1]["tool_choice"] == {"type": "function", "function": {"name": "findings"}}
    assert given(asked[-1])[-1].endswith("your next reply must be the report.")
    ((calls,),) = desk.rows("SELECT calls FROM judgments WHERE arm = 'south'")
    assert calls == 12


def test_calls_to_the_end_are_no_report(desk: Desk, judging: Judging, run: Path) -> None:
    """A judge that calls a tool where none is offered is blocked, as any reply without a report."""
    del run
    judging(talk(calling(("search", {"pattern": "step"}))))
    said = score(desk, "--repeats", "1")
    assert said.code == ExitCode.JUDGE_FAILURES
    reason, message = desk.blocked()["south"]
    assert reason == "judge_invalid"
    assert 'a function "search" was called' in message


def test_a_report_beside_calls_waits(desk: Desk, judging: Judging, run: Path) -> None:
    """A report given together with calls was made without what they give: it is not taken."""
    del run
    stub = judging(talk(calling(read("lib/deep.py", 1, 9), ("findings", {})), FOUND))
    found = finds(result(desk))
    assert found["swallowed"]["standing"] == "supported"
    assert given(south(stub.bodies)[1])[1].startswith("error: not taken: report alone")


def test_a_reply_cut_in_the_middle_is_blocked(desk: Desk, judging: Judging, run: Path) -> None:
    """A turn that reached the token limit gives no report; the next start goes on from it."""
    del run
    cut = calling(read("lib/deep.py", 1, 9), finish_reason="length")
    plan = talk(WHOLE, cut, FOUND)
    plan["rules"][1]["by_turn"] = False
    stub = judging(plan)
    assert score(desk, "--repeats", "1").code == ExitCode.JUDGE_FAILURES
    assert desk.blocked()["south"][0] == "judge_length"
    found = finds(result(desk, "--repeats", "1", "--retry-blocked"))
    assert found["swallowed"]["standing"] == "supported"
    assert [len(given(body)) for body in south(stub.bodies)] == [0, 1, 1]


def test_a_kill_pays_for_no_turn_twice(desk: Desk, judging: Judging, run: Path) -> None:
    """After a stop at any turn the next start walks the stored replies and asks the rest."""
    del run
    talked = talk(
        calling(("search", {"pattern": "step 17"})), WHOLE, calling(("list_files", {})), FOUND
    )
    judging(talked)
    whole = finds(result(desk, "--repeats", "1"))
    asked = desk.rows("SELECT body FROM replies")
    for most in range(1, len(asked)):
        (desk.root / "judgments" / "judgments.duckdb").unlink()
        stub = judging(talked)
        stopped = score(desk, "--repeats", "1", "--max-requests", str(most))
        assert stopped.code == ExitCode.BUDGET
        assert finds(result(desk, "--repeats", "1")) == whole
        assert len(stub.log) == len(asked)
        ((calls, tokens),) = desk.rows(
            "SELECT calls, prompt_tokens FROM judgments WHERE arm = 'south'"
        )
        assert (calls, tokens) == (4, 3600)
        assert desk.rows("SELECT number, count(*) FROM turns GROUP BY number ORDER BY number") == [
            (1, 1), (2, 1), (3, 1),
        ]  # fmt: skip


def test_a_process_that_is_killed_goes_on(desk: Desk, judging: Judging, run: Path) -> None:
    """A real kill between two turns leaves the first one answered for good."""
    del run
    plan = talk(WHOLE, {**FOUND, "delay": HANG_S}, FOUND)
    plan["rules"][1]["by_turn"] = False
    stub = judging(plan)
    process = desk.spawn("score", RUN, *ASKED, "--repeats", "1")
    until = time.monotonic() + HANG_S
    while len(south(stub.bodies)) < 2 and time.monotonic() < until:
        time.sleep(0.02)
    process.kill()
    finish(process)
    found = finds(result(desk, "--repeats", "1"))
    assert found["swallowed"]["standing"] == "supported"
    assert [len(given(body)) for body in south(stub.bodies)] == [0, 1, 1]


def test_the_pages_say_what_was_read(desk: Desk, judging: Judging, run: Path) -> None:
    """Table, report and `judge show` tell the packet from what was read with tools."""
    del run
    judging(talk(WHOLE, ODD, FOUND))
    said = score(desk)
    assert said.code == ExitCode.DONE
    (row,) = [line for line in said.out.splitlines() if line.startswith("south")]
    read = next(one for one in said.out.split() if one == "+")
    assert read in row
    text = next((desk.root / "reports").rglob("report.md")).read_text(encoding="utf-8")
    assert "more with tools, in 10 calls over 2 turns" in text
    assert "of projects that are not shown whole, in up to 12 replies" in text
    shown = desk.judge("show", RUN, "south", "app")
    assert "read with tools in 2 turns:" in shown.out
    assert "     lib/deep.py, lines 1-300 of 300" in shown.out
    assert "     not answered: there is no such tool" in shown.out
    page = next((desk.root / "reports").rglob("report.html")).read_text(encoding="utf-8")
    assert "FILES OF THE PROJECT" in page
    assert "--tools auto" in desk.judge("table", RUN).out.replace(" \\\n ", "")


def test_verify_follows_every_turn(desk: Desk, judging: Judging, run: Path) -> None:
    """Hashes are followed through the turns; a changed answer of a tool is found."""
    del run
    judging(talk(WHOLE, calling(("list_files", {})), FOUND))
    result(desk)
    assert desk.judge("verify", RUN).code == ExitCode.DONE
    with duckdb.connect(desk.database) as con:
        con.execute(
            "UPDATE sends SET user_text = replace(user_text, '# 250', '# 251')"
            " WHERE user_text LIKE '%tool_call_id%'"
        )
    changed = desk.judge("verify", RUN)
    assert changed.code == ExitCode.INTEGRITY
    assert "request" in changed.out


def test_a_recording_holds_all_turns(desk: Desk, judging: Judging, run: Path) -> None:
    """A recorded conversation is replayed turn by turn without a call, to the same finds."""
    del run
    stub = judging(talk(WHOLE, calling(("list_files", {})), FOUND))
    first = result(desk)
    recorded = desk.judge("batch", "record", RUN, "--rubric", "service", "--out", "rec.jsonl")
    assert recorded.code == ExitCode.DONE, recorded.err
    lines = (desk.root / "rec.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(stub.log) == 12
    desk.database.unlink()
    again = desk.judge("score", RUN, "--rubric", "service", "--judge", "replay:rec.jsonl", "--json")
    assert again.code == ExitCode.DONE, again.err
    assert again.json["judging"]["id"] == first["judging"]["id"]
    assert finds(again.json) == finds(first)
    assert len(stub.log) == 12
    out = desk.judge(
        "batch", "export", RUN, "--rubric", "service", "--judge", "replay:rec.jsonl",
        "--out", "open.jsonl",
    )  # fmt: skip
    assert out.code == ExitCode.USAGE
    assert "asks back, and a batch cannot" in out.err


REFUSED = {
    "error": {"message": "tools is not supported by this model", "param": "tools"},
}


@pytest.mark.parametrize(
    "reply",
    [{"status": 400, "json": REFUSED}, {"verdict": {}, "channel": "none", "before": "I shall."}],
)
def test_an_endpoint_without_tool_calls_is_refused(
    desk: Desk, judging: Judging, run: Path, reply: JSON
) -> None:
    """Whether it says so or drops the tools in silence: one line, and what to do instead."""
    del run
    judging({"rules": [{"when_body_has": "DEBUG = True", "replies": [reply]}, *PLAN["rules"]]})
    said = score(desk, "--seed", "1")
    assert said.code == ExitCode.USAGE
    assert "--tools off asks once, about what fits the budget" in " ".join(said.err.split())


@pytest.mark.parametrize(
    ("words", "more", "told"),
    [
        (("--blind", "strict"), "", "--blind strict cannot know what is read"),
        ((), 'mode = "json_schema"', "has no tool calls"),
    ],
)
def test_what_cannot_go_together_is_refused(
    desk: Desk, judging: Judging, run: Path, words: tuple[str, ...], more: str, told: str
) -> None:
    """A blinding that must know the text before, and a mode without calls, are refused first."""
    del run
    stub = judging(talk(WHOLE, FOUND))
    desk.toml(stub.base_url, more=more)
    said = score(desk, *words)
    assert said.code == ExitCode.USAGE
    assert told in " ".join(said.err.split())
    assert not stub.log


def test_a_dry_run_says_how_much_it_may_be(desk: Desk, judging: Judging, run: Path) -> None:
    """The estimate of conversations is an upper bound over all turns."""
    del run
    stub = judging(talk(WHOLE, FOUND))
    plain = desk.judge("score", RUN, "--rubric", "service", "--dry-run")
    said = score(desk, "--dry-run")
    assert not stub.log
    assert "3 of them conversations of at most 12 replies" in " ".join(said.out.split())
    assert "conversations" not in plain.out


def test_names_in_what_is_read_are_masked(desk: Desk, judging: Judging, run: Path) -> None:
    """A comment far down that names its maker reaches nobody, though it was never shown."""
    deep = run / "south" / "app" / "project" / "lib" / "deep.py"
    deep.write_text(deep.read_text(encoding="utf-8") + "# written by Claude\n", encoding="utf-8")
    stub = judging(talk(calling(read("lib/deep.py", 290, 400)), FOUND))
    result(desk)
    (text,) = given(south(stub.bodies)[1])
    assert "301| # written by " in text
    assert "Claude" not in json.dumps(stub.bodies)


def test_a_finished_pass_is_not_asked_again(desk: Desk, judging: Judging, run: Path) -> None:
    """The same command sends nothing more; without tools it is another pass, and says why."""
    del run
    stub = judging(talk(WHOLE, FOUND))
    first = result(desk)
    asked = len(stub.log)
    assert result(desk)["judging"]["id"] == first["judging"]["id"]
    assert len(stub.log) == asked
    plain = desk.judge("score", RUN, "--rubric", "service", "--json")
    assert plain.json["judging"]["id"] != first["judging"]["id"]
    assert "without tools to read more" in " ".join(plain.err.split())


def test_judging_again_reads_with_tools_too(desk: Desk, judging: Judging, run: Path) -> None:
    """`judge rejudge` asks what the first pass asked, tools included."""
    del run
    stub = judging(talk(WHOLE, FOUND))
    result(desk, "--repeats", "1")
    before = len(south(stub.bodies))
    assert desk.judge("rejudge", RUN, "--judge", "stub", "--concurrency", "1").code == 0
    assert any(given(body) for body in south(stub.bodies)[before:])


def test_a_rubric_of_marks_takes_no_tools(desk: Desk, judging: Judging, run: Path) -> None:
    """There is no project to read where answers are marked."""
    del run
    judging()
    said = desk.judge("score", RUN, "--rubric", "answer", "--tools", "auto")
    assert said.code == ExitCode.USAGE
    assert "--tools auto is for rubrics of deductions" in " ".join(said.err.split())


def test_show_prints_what_tools_gave_as_text(desk: Desk, judging: Judging, run: Path) -> None:
    """Later turns of a conversation stand line by line, as the judge was given them."""
    del run
    judging(talk(WHOLE, FOUND))
    result(desk)
    said = desk.judge("show", RUN, "south", "app", "--request")
    assert said.code == ExitCode.DONE, said.err
    assert "\n250| except: pass  # 250\n" in said.out
    assert "--- tool, for " in said.out
    assert '{"final":' not in said.out
