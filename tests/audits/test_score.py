"""`judge score` over project folders: counted, stored, shown, resumed, replayed."""

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from judgebench.errors import ExitCode
from tests.acceptance.desk import Desk
from tests.audits.conftest import Judging
from tests.audits.space import (
    DEBUG,
    FILES,
    INVENTED,
    NO_CONTAINER,
    NORTH,
    PLAN,
    SOUTH,
    SWALLOWED,
    UNHANDLED,
    plan,
    report,
    write_run,
)

RUN = "runs/code"
RUBRIC = ("--rubric", "service")


def score(desk: Desk, *more: str) -> dict[str, Any]:
    """Judge the run and give its result."""
    said = desk.judge("score", RUN, *RUBRIC, "--json", *more)
    assert said.code == ExitCode.DONE, said.err
    return said.json


def project(result: dict[str, Any], arm: str) -> dict[str, Any]:
    """What a result says of one project."""
    found: dict[str, Any] = next(p for p in result["audit"]["projects"] if p["arm"] == arm)
    return found


def fault(result: dict[str, Any], arm: str, entry: str) -> dict[str, Any]:
    """One entry of the catalogue in one project."""
    faults = project(result, arm)["faults"]
    found: dict[str, Any] = next(one for one in faults if one["entry"] == entry)
    return found


def warned(result: dict[str, Any]) -> dict[str, Any]:
    """Warnings of finds that cost nothing, with their facts."""
    return {
        one["code"]: one["facts"]
        for one in result["warnings"]
        if one["code"].startswith(("finds_", "claims_"))
    }


def totals(result: dict[str, Any], arm: str) -> list[float | None]:
    """Totals of the judgings of one project."""
    return [one["total"] for one in project(result, arm)["judgings"]]


def test_each_project_is_judged_three_times_and_code_counts(desk: Desk, judging: Judging) -> None:
    """Points once, an entry that gives way, a cap, sums and tiers come out of the finds."""
    stub = judging()
    result = score(desk)
    assert len(stub.log) == 6
    assert totals(result, "north") == [95, 95, 95]
    # parts 40 - 10, held at 25 by the cap; errors 40 - 20; running 20 - 5, or 20.
    assert sorted(totals(result, "south"), key=str) == [60, 60, 65]
    debug = fault(result, "south", "debug")
    assert (len(debug["judgings"]), debug["points"]) == (2, pytest.approx(10 / 3))
    (find,) = fault(result, "north", "swallowed")["finds"]
    assert (find["path"], find["first"], find["last"]) == ("app.py", 7, 8)
    assert find["judgings"] == [1, 2, 3]


def test_the_page_says_first_what_tiers_are_of(desk: Desk, judging: Judging) -> None:
    """The first line names projects and a brief; there is no rank, and a find its count."""
    judging()
    said = desk.judge("score", RUN, *RUBRIC)
    first, *rest = said.out.splitlines()
    assert first == "code · 2 projects from one brief: tiers are of these, not of the arms"
    assert len(said.out.splitlines()) <= 24
    assert all(len(line) <= 80 for line in said.out.splitlines())
    assert "rank and winner" in said.out
    assert any(line.split()[:3] == ["south", "61.7", "(60-65)"] for line in rest)
    assert "-20 unhandled (3 of 3)" in said.out


def test_a_total_that_straddles_a_bar_names_both_tiers(desk: Desk, judging: Judging) -> None:
    """Judgings on two sides of a bar give `A or B`; two bars apart, `A to C`."""
    worse = report(errors=[UNHANDLED], running=[DEBUG], parts=[NO_CONTAINER])
    fine = report()
    judging(plan(south=[fine, report(errors=[UNHANDLED]), fine], north=[NORTH]))
    said = desk.judge("score", RUN, *RUBRIC)
    assert "A or B" in said.out
    shutil.rmtree(desk.root / "judgments")
    deep = {**worse, "verdict": {**worse["verdict"]}}
    rubric = desk.root / "rubrics" / "service.yaml"
    rubric.write_text(rubric.read_text().replace("at_least: 60", "at_least: 70"))
    judging(plan(south=[fine, deep, fine], north=[NORTH]))
    assert "A to C" in desk.judge("score", RUN, *RUBRIC).out


def test_an_unsupported_find_is_shown_flagged_and_free(desk: Desk, judging: Judging) -> None:
    """A passage that stands nowhere costs nothing and stands in every page with its check."""
    judging(plan(north=[report(parts=[NO_CONTAINER])], south=[report(running=[INVENTED])]))
    result = score(desk)
    assert totals(result, "south") == [100, 100, 100]
    found = fault(result, "south", "debug")
    assert (found["points"], found["judgings"]) == (0, [])
    (find,) = found["finds"]
    assert find["standing"] == "unsupported"
    assert "does not stand in app.py" in find["note"]
    assert warned(result) == {
        "finds_unsupported": {"finds": 3, "of": 6},
        "finds_not_absent": {"finds": 3, "of": 6},
    }
    page = page_of(desk, "report.md")
    assert "Reported, and not borne out by the check; at no cost:" in page
    assert "the passage does not stand in app.py" in page
    rows = list(csv.DictReader(page_of(desk, "findings.csv").splitlines()))
    (row,) = [row for row in rows if row["arm"] == "south"]
    assert (row["standing"], row["costs_mean"], row["found_in"]) == ("unsupported", "0.0", "3")
    assert "unsupported" in page_of(desk, "report.html")


def page_of(desk: Desk, name: str) -> str:
    """A page of the one pass."""
    (path,) = (desk.root / "reports").glob(f"code/*/{name}")
    return path.read_text(encoding="utf-8")


def test_every_find_is_stored_with_its_check(desk: Desk, judging: Judging) -> None:
    """The public view holds all finds of all judgings, those that cost nothing too."""
    judging(plan(south=[report(running=[DEBUG, INVENTED])]))
    score(desk)
    rows = desk.rows(
        "SELECT arm, repeat, entry, standing, path, first_line FROM findings ORDER BY ALL"
    )
    assert [row for row in rows if row[0] == "south"] == [
        ("south", n, "debug", standing, path, line)
        for n in (1, 2, 3)
        for standing, path, line in (("supported", "app.py", 8), ("unsupported", "", None))
    ]
    marks = desk.rows(
        "SELECT criterion, mark FROM marks WHERE arm = 'south' AND repeat = 1 ORDER BY criterion"
    )
    assert marks == [("errors", 40.0), ("parts", 40.0), ("running", 15.0)]


def test_a_second_start_asks_nothing_and_a_new_price_recounts(desk: Desk, judging: Judging) -> None:
    """Prices are no part of the question: totals, marks and tiers are counted anew for free."""
    stub = judging()
    score(desk)
    rubric = desk.root / "rubrics" / "service.yaml"
    rubric.write_text(rubric.read_text().replace("points: 20", "points: 30"))
    result = score(desk)
    assert len(stub.log) == 6
    # errors 40 - 30; parts held at 25; running 15 or 20.
    assert sorted(totals(result, "south"), key=str) == [50, 50, 55]
    stored = desk.rows("SELECT total, tier FROM judgments WHERE arm = 'south' ORDER BY total")
    assert stored == [(50.0, "C"), (50.0, "C"), (55.0, "C")]
    marks = desk.rows(
        "SELECT DISTINCT mark FROM marks WHERE arm = 'south' AND criterion = 'errors'"
    )
    assert marks == [(10.0,)]


def test_a_changed_project_is_judged_anew_and_the_other_is_not(
    desk: Desk, judging: Judging
) -> None:
    """Three requests more, and the old judgments are kept and left out."""
    stub = judging()
    score(desk)
    app = desk.root / RUN / "south" / "app" / "project" / "app.py"
    app.write_text(app.read_text().replace("\n\nDEBUG", "\nDEBUG"))
    result = score(desk)
    assert len(stub.log) == 9
    assert fault(result, "south", "debug")["finds"][0]["first"] == 7
    assert desk.rows("SELECT count(*) FROM judgments WHERE NOT current") == [(3,)]


def test_a_killed_pass_goes_on_where_it_stood(desk: Desk, judging: Judging) -> None:
    """A budget ends a pass; the next start asks the rest only."""
    stub = judging()
    said = desk.judge("score", RUN, *RUBRIC, "--max-requests", "2", "--concurrency", "1")
    assert said.code == ExitCode.BUDGET
    assert len(stub.log) == 2
    result = score(desk)
    assert len(stub.log) == 6
    assert result["counts"]["judgments_scored"] == 6


def test_keys_are_masked_counted_and_hold_the_total(desk: Desk, judging: Judging) -> None:
    """A key never leaves the machine; code finds it, and the gate holds the total."""
    key = "sk-" + "a1B2c3D4e5F6g7H8i9J0"
    files = {**FILES, "north": {**FILES["north"], "config.py": f'KEY = "{key}"\n'}}
    write_run(desk.root, files)
    stub = judging()
    result = score(desk)
    assert all(key not in json.dumps(body) for body in stub.script.bodies)
    assert totals(result, "north") == [75, 75, 75]
    secret = fault(result, "north", "secret")
    assert (secret["points"], len(secret["judgings"])) == (10, 3)
    assert secret["finds"][0]["by"] == "code"
    assert key not in page_of(desk, "report.md")
    assert "config.py:1" in page_of(desk, "report.md")


def test_an_audit_is_exported_answered_elsewhere_and_replayed(desk: Desk, judging: Judging) -> None:
    """Batch files carry blind requests; replies come back, are recorded, and replay alike."""
    judging()
    said = desk.judge("batch", "export", RUN, *RUBRIC, "--judge", "stub", "--out", "open.jsonl")
    assert said.code == ExitCode.DONE, said.err
    lines = [json.loads(line) for line in (desk.root / "open.jsonl").read_text().splitlines()]
    assert len(lines) == 6
    assert not any(arm in json.dumps(line) for line in lines for arm in ("north", "south"))
    replies = []
    for line in lines:
        text = json.dumps(line)
        reply = SOUTH if "DEBUG = True" in text else NORTH
        content = _verdict(reply["verdict"]["findings"])
        choice = {"finish_reason": "stop", "message": {"content": content}}
        body = {"model": "stub-judge", "choices": [choice]}
        replies.append(
            {"custom_id": line["custom_id"], "response": {"status_code": 200, "body": body}}
        )
    out = "\n".join(map(json.dumps, replies))
    (desk.root / "replies.jsonl").write_text(out, encoding="utf-8")
    said = desk.judge("batch", "import", RUN, "replies.jsonl", *RUBRIC, "--json")
    assert said.code == ExitCode.DONE, said.err
    assert totals(said.json, "south") == [60, 60, 60]
    said = desk.judge("batch", "record", RUN, *RUBRIC, "--out", "recorded.jsonl")
    assert said.code == ExitCode.DONE, said.err
    (desk.root / "judgments" / "judgments.duckdb").unlink()
    again = score(desk, "--judge", "replay:recorded.jsonl")
    assert totals(again, "south") == [60, 60, 60]
    assert again["judging"]["route"] == "replay"


def _verdict(findings: dict[str, Any]) -> str:
    whole = {
        name: {"reading": "", "present": [], "absent": [], "cannot_judge": False}
        | findings.get(name, {})
        for name in ("parts", "errors", "running")
    }
    return json.dumps(whole)


def test_check_prices_the_plan_and_keeps_nothing(desk: Desk, judging: Judging) -> None:
    """Three requests a project are planned; no request goes out and no database is made."""
    stub = judging()
    said = desk.judge("check", RUN, *RUBRIC)
    assert said.code == ExitCode.DONE, said.err
    assert "6 requests" in said.out
    assert "south app: 100 % of 9 lines in 2 files, 1 left out" in said.out
    assert not stub.log
    assert not desk.database.exists()


def test_a_rubric_of_marks_reads_a_packed_project(desk: Desk, judging: Judging) -> None:
    """Projects are outputs like others: a rubric of marks judges their packed text."""
    judging({"rules": [{"replies": [{"verdict": {"score": 4, "quotes": "real"}}]}]})
    said = desk.judge("score", RUN, "--rubric", "answer", "--json")
    assert said.code == ExitCode.DONE, said.err
    assert said.json["counts"]["judgments_scored"] == 2
    assert said.json["audit"] is None


@pytest.mark.parametrize(
    ("option", "words"),
    [(("--mode", "listwise"), "--mode listwise"), (("--split-criteria",), "--split-criteria")],
)
def test_what_finds_cannot_be_asked_with_is_refused(
    desk: Desk, judging: Judging, option: tuple[str, ...], words: str
) -> None:
    """Modes that put outputs side by side, or criteria apart, end with one line."""
    judging()
    said = desk.judge("score", RUN, *RUBRIC, *option)
    assert said.code == ExitCode.USAGE
    assert words in said.err
    assert "rubrics of marks" in said.err


@pytest.mark.parametrize("option", [("--mode", "listwise"), ("--split-criteria",)])
def test_beside_a_recording_the_same_is_refused(desk: Desk, option: tuple[str, ...]) -> None:
    """A recording does not hide that its pass was asked for in another way."""
    runs = Path(__file__).parents[2] / "runs"
    shutil.copytree(runs / "code-sample", desk.root / "runs" / "code-sample")
    said = desk.judge("score", "runs/code-sample", "--rubric", "code-8d", *option)
    assert said.code == ExitCode.USAGE
    assert option[0] in said.err
    assert "rubrics of marks" in said.err


def test_tools_beside_a_recording_without_them_are_refused(desk: Desk) -> None:
    """What a recorded judge never had is not passed over in silence."""
    runs = Path(__file__).parents[2] / "runs"
    shutil.copytree(runs / "code-sample", desk.root / "runs" / "code-sample")
    said = desk.judge("score", "runs/code-sample", "--rubric", "code-8d", "--tools", "auto")
    assert said.code == ExitCode.USAGE
    assert "the recording was made without tools" in said.err


def test_an_answer_that_is_one_text_is_a_project_of_one_file(desk: Desk, judging: Judging) -> None:
    """Finds name the output's own file."""
    run = desk.root / RUN
    shutil.rmtree(run / "south" / "app" / "project")
    (run / "south" / "app" / "output.md").write_text("import weather\nDEBUG = True\n")
    debug = {**DEBUG, "file": "output.md", "first_line": 2, "last_line": 2}
    judging(plan(south=[report(running=[debug])]))
    result = score(desk)
    assert totals(result, "south") == [95, 95, 95]
    assert project(result, "south")["read"] is None


def test_a_criterion_that_cannot_be_judged_leaves_no_total(desk: Desk, judging: Judging) -> None:
    """A missing mark is neither full nor nothing."""
    blind = report(errors=[SWALLOWED])
    blind["verdict"]["boolean"] = True
    judging(plan(north=[blind]))
    said = desk.judge("score", RUN, *RUBRIC, "--json")
    assert totals(said.json, "north") == [None, None, None]
    assert project(said.json, "north")["marks"][0]["blocked"] == 3


def test_show_gives_each_find_with_its_check(desk: Desk, judging: Judging) -> None:
    """One judging names its finds, their places, checks and passages."""
    judging()
    score(desk)
    said = desk.judge("show", RUN, "north", "app")
    assert "- swallowed, supported app.py:7-8" in said.out
    assert "check: app.py, lines 7-8" in said.out
    assert "| " in said.out


def test_show_adds_a_project_up(desk: Desk, judging: Judging) -> None:
    """Each find has its points, each mark its maximum and what held it, the total its sum."""
    again = {**SWALLOWED, "first_line": 8, "excerpt": "        return None"}
    lines = {5: "    try:", 6: "        return weather.ask(town)", 1: "import weather"}
    others = [
        {**SWALLOWED, "fault": "other", "first_line": at, "last_line": at, "excerpt": text}
        for at, text in lines.items()
    ]
    found = report(errors=[SWALLOWED, again, *others], running=[INVENTED])
    judging(plan(north=[found], south=[SOUTH]))
    score(desk)
    north = desk.judge("show", RUN, "north", "app").out
    assert "total 89.00: 40 + 29 + 20 = 89" in north
    assert "errors: 29 of 40" in north
    assert "- other, supported app.py:6-6, -3" in north
    beyond = "app.py:1-1, costs nothing, since all finds of other cost at most 6"
    assert beyond in " ".join(north.split())
    assert "- swallowed, supported app.py:7-8, -5" in north
    assert "- swallowed, supported app.py:8-8, counted with app.py:7-8" in north
    assert "- debug, unsupported app.py, costs nothing" in north
    south = desk.judge("show", RUN, "south", "app")
    assert "parts: 25 of 40 (30 held at 25 by unhandled)" in south.out
    told = json.loads(desk.judge("show", RUN, "south", "app", "--json").out)[0]
    assert (told["sum"], told["held"]) == (60, None)
    parts = next(one for one in told["marks"] if one["criterion"] == "parts")
    assert parts["cost"]["held"] == {"at": 25, "by": "unhandled"}
    assert [one["points"] for one in parts["costs"]] == [10]


def test_an_empty_project_is_blocked_before_anything_is_paid(desk: Desk, judging: Judging) -> None:
    """A folder without a visible line is an empty answer."""
    write_run(desk.root, {**FILES, "south": {"app.py": "\n"}})
    stub = judging()
    said = desk.judge("score", RUN, *RUBRIC, "--json")
    assert len(stub.log) == 3
    assert said.arm("south")["blocked"][0]["reason"] == "empty"


def test_several_briefs_are_compared_as_items(desk: Desk, judging: Judging) -> None:
    """With three briefs the pairs of projects give differences; tiers stay with projects."""
    run = desk.root / RUN
    facts = yaml.safe_load((run / "run.yaml").read_text())
    facts["items"] = ["app", "app2", "app3"]
    (run / "run.yaml").write_text(yaml.safe_dump(facts))
    for item in ("app2", "app3"):
        shutil.copytree(run / "items" / "app", run / "items" / item)
        for arm in ("north", "south"):
            shutil.copytree(run / arm / "app", run / arm / item)
    judging(PLAN)
    said = desk.judge("score", RUN, *RUBRIC)
    assert said.out.startswith("code · 6 projects from 3 briefs: tiers are of these")
    assert "difference" in said.out
    page = page_of(desk, "report.md")
    assert "## Found in south on app2" in page


def test_agent_files_and_names_in_comments_reach_no_judge(desk: Desk, judging: Judging) -> None:
    """Files of agents vanish by name too, comments are masked, code is sent as it is."""
    text = FILES["north"]["app.py"].replace(
        "# asks for one town", "# asks for one town\n# Generated with Claude Code"
    )
    files = {
        **FILES,
        "north": {**FILES["north"], "app.py": text + 'MODEL = "claude-sonnet-4"\n'},
    }
    write_run(desk.root, files)
    stub = judging()
    result = score(desk)
    sent = [json.dumps(body, ensure_ascii=False) for body in stub.script.bodies]
    assert not any("CLAUDE.md" in body or "with Claude" in body for body in sent)
    assert any("claude-sonnet-4" in body and "with ▢▢▢" in body for body in sent)
    assert project(result, "north")["read"]["identity_visible"] == 1
    assert {one["code"] for one in result["warnings"]} >= {"identity_visible"}


def test_no_signature_in_docs_and_author_fields_reaches_a_judge(
    desk: Desk, judging: Judging
) -> None:
    """Docstrings, author fields and signed guides are masked; what the program calls is not."""
    signed = {
        "README.md": "# Weather\n\nIt asks gpt-4o-mini. Written by Claude, in Cursor.\n",
        "pyproject.toml": '[project]\nauthors = [{name = "Claude"}]\ndependencies = ["openai"]\n',
        "app.py": '"""Made with Claude Code."""\nimport openai\n' + FILES["north"]["app.py"],
    }
    write_run(desk.root, {**FILES, "north": {**FILES["north"], **signed}})
    stub = judging()
    score(desk)
    sent = [json.dumps(body) for body in stub.script.bodies]
    assert not any("Claude" in body or "Cursor" in body for body in sent)
    assert any("gpt-4o-mini" in body and "import openai" in body for body in sent)


def test_the_reports_of_an_audit_equal_the_store_on_any_start(desk: Desk, judging: Judging) -> None:
    """`judge table --json` and the report's result.json are the same document."""
    judging()
    score(desk)
    stored = desk.judge("table", RUN, "--json").json
    kept = json.loads(page_of(desk, "result.json"))
    assert stored["audit"] == kept["audit"]


def test_a_part_that_was_not_read_is_named_and_the_share_is_never_whole(
    desk: Desk, judging: Judging
) -> None:
    """An unread file spares only what it could hold; a table of data holds nothing."""
    big = "x = 1\n" * 50_000
    south = {**FILES["south"], "lib/big.py": big, "towns.csv": big}
    write_run(desk.root, {**FILES, "south": south})
    judging()
    told = desk.judge("check", RUN, *RUBRIC)
    assert "south app: ≤90 % of 9 lines" in told.out, told.out
    assert "not read: lib/big.py" in told.out
    result = score(desk)
    read = project(result, "south")["read"]
    assert read["unread"] == ["lib/big.py"]
    assert {path for path, _ in read["left_out"]} >= {"lib/big.py", "towns.csv"}
    assert fault(result, "south", "no-container")["finds"][0]["standing"] == "supported"
    assert {
        "code": "not_all_read",
        "facts": {"arm": "south", "path": "lib/big.py", "parts": 1},
    } in [{key: one[key] for key in ("code", "facts")} for one in result["warnings"]]
    page = page_of(desk, "report.md")
    assert "how long the unread parts are: lib/big.py" in page
    assert project(result, "north")["read"]["unread"] == []


def test_paths_are_those_of_the_workspace(desk: Desk, judging: Judging) -> None:
    """A link out of a project is named and not followed."""
    outside = desk.root / "outside.txt"
    outside.write_text("nobody may read this\n")
    link = desk.root / RUN / "south" / "app" / "project" / "link.txt"
    link.symlink_to(outside)
    stub = judging()
    result = score(desk)
    assert all("nobody may read" not in json.dumps(body) for body in stub.script.bodies)
    assert ["link.txt", "a link"] in project(result, "south")["read"]["left_out"]


def test_the_folder_of_the_stub_is_left_alone(desk: Desk, judging: Judging) -> None:
    """Judging writes nothing into a project."""
    judging()
    before = sorted(Path(desk.root / RUN).rglob("*"))
    score(desk)
    assert sorted(Path(desk.root / RUN).rglob("*")) == before


def test_a_rubric_says_what_is_read_first(desk: Desk, judging: Judging) -> None:
    """Where room is short, the rubric's files are shown first; its cut is told and recorded."""
    stub = judging({"rules": [{"when_body_has": "weather library", "replies": [report()]}]})
    run_yaml = desk.root / RUN / "run.yaml"
    facts = yaml.safe_load(run_yaml.read_text(encoding="utf-8"))
    run_yaml.write_text(yaml.safe_dump({**facts, "project_tokens": 1_000}), encoding="utf-8")
    long = "".join(f"note {n} {'x' * 80}\n" for n in range(60))
    readme = desk.root / RUN / "north" / "app" / "project" / "README.md"
    readme.write_text(long, encoding="utf-8")
    score(desk, "--repeats", "1")
    rubric = desk.root / "rubrics" / "service.yaml"
    groups = 'reading:\n  - {paths: ["app.py"]}\n  - {paths: ["*.md"], place: last, lines: 2}\n'
    rubric.write_text(rubric.read_text(encoding="utf-8") + groups, encoding="utf-8")
    result = score(desk, "--repeats", "1")
    sent = [json.dumps(body, ensure_ascii=False) for body in stub.script.bodies]
    north = [body for body in sent if "README.md: 60 lines" in body]
    assert ["asks for one town" in body for body in north] == [False, True]
    assert "README.md: 60 lines, 1-2 shown" in north[1]
    assert ["README.md", 2, 60] in project(result, "north")["read"]["partly"]
