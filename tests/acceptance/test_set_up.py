"""What a newcomer is told while a run is set up, before anything is paid and after."""

import json
import re
from collections.abc import Callable
from pathlib import Path

from tests.acceptance.desk import HARBOUR, MEADOW, THREE, WHOLE, Desk, always, plan, write
from tests.stub import StubServer

Serve = Callable[..., StubServer]
PAIR = {arm: {f"m{place}": f"{THREE[arm]} {place}\n" for place in (1, 2)} for arm in THREE}


def plain(text: str) -> str:
    """The words without the breaks of lines."""
    return " ".join(text.split())


def use_case(desk: Desk, **keys: str) -> None:
    """Write another use case into run.yaml."""
    path = desk.run / "run.yaml"
    declared = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps(declared | {"use_case": {"key": "tram", **keys}}), "utf-8")


def test_a_job_in_run_yaml_is_said_to_change_the_rubric(desk: Desk, serve: Serve) -> None:
    """Which rubric and why, what cannot be asked, and that all is judged anew: unpaid."""
    desk.make(PAIR)
    use_case(desk)
    server = serve(plan("fours"))
    assert desk.judge("score", desk.run).code == 0
    paid = len(server.log)
    use_case(desk, job="Say it.")
    checked = plain(desk.judge("check", desk.run).out)
    assert "rubric usecase, as run.yaml names a job" in checked
    assert "2 criteria of 4 will not be asked" in checked
    assert "no item: grounding, assumptions (need evidence" in checked
    assert "was judged under rubric answer and will be judged anew under usecase" in checked
    dry = desk.judge("score", desk.run, "--dry-run")
    assert len(server.log) == paid
    for words in ("as run.yaml names a job", "will not be asked", "judged anew under"):
        assert words in plain(dry.err)
    done = desk.judge("score", desk.run)
    assert " 2 of 4 criteria marked " in done.out
    again = desk.judge("score", desk.run)
    assert "will not be asked" not in plain(again.err)


def test_nothing_is_said_of_a_rubric_that_asks_all(desk: Desk, serve: Serve) -> None:
    """A rubric that was named, and whose criteria all apply, needs no word."""
    desk.make(PAIR)
    serve(plan("fours"))
    found = desk.judge("check", desk.run, "--rubric", "bulletin", "--json").json
    assert found["rubric_notes"] == []


def test_a_table_says_in_its_first_lines_that_a_newer_pass_is_there(
    desk: Desk, serve: Serve
) -> None:
    """The first complete pass stays the one shown; --pass shows the other, without the words."""
    desk.make(PAIR)
    serve(plan("fours"))
    assert desk.score().code == 0
    assert desk.judge("table", desk.run).out.startswith("bulletin · ")
    newer = desk.judge("score", desk.run, "--rubric", "answer", "--json").json["judging"]["id"]
    for view in ((), ("--criteria",), ("--arms",)):
        lines = desk.judge("table", "runs/bulletin", *view).out.splitlines()
        assert lines[0].startswith("Shown is the first complete pass; there is a newer one")
        assert f"--pass {newer}" in "".join(lines[1:4])
    assert desk.judge("table", desk.run, "--pass", newer).out.startswith("bulletin · ")
    assert desk.table().json["judging"]["rubric_name"] == "bulletin"


def test_the_next_step_of_a_failed_pass_is_of_that_pass(desk: Desk, serve: Serve) -> None:
    """What asks again names its mode, and counts replies, not both judgments of each."""
    desk.make(PAIR)
    serve(plan("fours"))
    assert desk.score("--repeats", "1").code == 0
    serve(always(verdict={"prefer": "worth", "extra_fields": {"overall": "x"}}))
    words = ("--rubric", "bulletin", "--mode", "pairwise", "--repeats", "1")
    failed = desk.judge("score", "runs/bulletin", *words)
    assert failed.code == 3
    step = plain(failed.out[failed.out.index("Next: ") :].replace("\\\n", ""))
    assert "--mode pairwise --repeats 1 --retry-blocked (asks again: 12 requests" in step


def test_init_names_the_folder_to_go_to(desk: Desk, tmp_path: Path) -> None:
    """The sample's path holds inside of the workspace alone."""
    said = desk.judge("init", "new place")
    assert said.out.splitlines()[-1] == "Next: cd 'new place' && judge score runs/single-item"
    here = tmp_path / "here"
    here.mkdir()
    assert desk.judge("init", cwd=here).out.endswith("\nNext: judge score runs/single-item\n")


def laid_out(desk: Desk) -> Path:
    """A run of two arms and two items as the formats page has it, without run.yaml."""
    run = desk.root / "runs" / "mine"
    for item in ("t1", "t2"):
        write(run / "items" / item / "prompt.md", f"Say it: {item}.\n")
        for arm, text in (("north", HARBOUR), ("south", MEADOW)):
            write(run / arm / item / "output.md", text)
    return run


def test_init_over_a_laid_out_run_declares_it_in_place(desk: Desk) -> None:
    """run.yaml lists the arms, items stay where they are, and the next command works."""
    run = laid_out(desk)
    said = desk.judge("init", "--from", "runs/mine")
    assert said.out == "runs/mine/run.yaml; next: judge check runs/mine\n"
    written = (run / "run.yaml").read_text("utf-8")
    assert "- id: north\n- id: south\n" in written
    # Nobody said so yet: from here on tables say that no arm is of a CLI.
    assert "# An arm counts as one bare call (kind: api). Write kind: cli" in written
    assert not (desk.root / "run.yaml").exists()
    found = desk.judge("check", "runs/mine", "--json").json
    assert (found["items"], found["declared"]) == (2, True)
    assert "exists already" in desk.judge("init", "--from", "runs/mine").err


def test_init_over_a_single_item_or_a_table_declares_it_too(desk: Desk) -> None:
    """Arms beside a prompt, and a table of outputs, are runs as they lie."""
    single, table = desk.root / "runs" / "one", desk.root / "runs" / "sheet"
    write(single / "prompt.md", "Say it.\n")
    write(single / "north" / "output.md", HARBOUR)
    row = {"item": "a", "arm": "south", "prompt": "Say it.", "output": MEADOW}
    write(table / "outputs.jsonl", json.dumps(row) + "\n")
    for run, arm in ((single, "north"), (table, "south")):
        assert desk.judge("init", "--from", run).code == 0
        assert f"- id: {arm}\n" in (run / "run.yaml").read_text("utf-8")
        assert desk.judge("check", run).code == 0


def test_init_refuses_arms_as_answers_and_a_run_as_an_arm(desk: Desk) -> None:
    """Items would be lost without a word."""
    run = laid_out(desk)
    for names in (("north", "south"), ("south",)):
        words = [word for name in names for word in ("--from", name)]
        said = desk.judge("init", *words, cwd=run)
        assert said.code == 2
        assert "is an arm with answers to items (t1, t2)" in said.err
        assert "judge init --from ." in said.err
    (desk.root / "other").mkdir()
    assert "is laid out as a run" in desk.judge("init", "other", "--from", "runs/mine").err
    said = desk.judge("init", "--from", "runs/mine", "--prompt", "p.md")
    assert "has its prompts; omit --prompt" in said.err
    assert not (run / "run.yaml").exists()


def test_init_over_answers_without_a_prompt_says_what_check_needs(desk: Desk) -> None:
    """The next command would fail without one."""
    write(desk.root / "loose" / "a.md", HARBOUR)
    said = desk.judge("init", "loose", "--from", "loose/a.md")
    assert said.out.endswith("; next: write prompt.md beside it, then judge check loose\n")


def test_check_says_flags_in_words_with_their_names(desk: Desk) -> None:
    """A key that nobody reads is named; an empty answer of the model says what decides it."""
    records = {"north": WHOLE | {"latency": 3}, "south": WHOLE, "east": WHOLE}
    desk.make({**THREE, "east": " \n"}, records=records)
    found = desk.judge("check", desk.run)
    assert "flagged: 1 output with keys in meta.json that are not read: latency" in found.out
    assert "flagged: 1 output empty by the model itself" in found.out
    read = desk.judge("check", desk.run, "--json").json
    assert read["keys_not_read"] == ["latency"]


def test_a_broken_record_is_named_with_its_place(desk: Desk) -> None:
    """The reason does not speak of the answer alone."""
    desk.make(THREE, records={"north": b'{"finish_reason": "stop",\n"wall_s": 1,}'})
    said = plain(desk.judge("check", desk.run).out)
    assert "or its meta.json is broken (north/m1/meta.json is not valid JSON" in said
    assert "line 2 column" in said


def test_undeclared_arms_are_not_said_to_be_of_no_cli(desk: Desk, serve: Serve) -> None:
    """Unknown is not none: only run.yaml says what an arm is."""
    run = laid_out(desk)
    serve(plan("fours"))
    checked = desk.judge("check", "runs/mine")
    assert " · CLI arms unknown\n" in checked.out
    assert "judge init --from RUN writes one" in plain(checked.out)
    assert "CLI arms unknown" in plain(desk.judge("score", "runs/mine").out)
    desk.judge("init", "--from", run)
    # The arms that were listed have no kind yet: nobody has said what they are.
    assert " · CLI arms unknown\n" in desk.judge("check", "runs/mine").out
    assert "CLI arms unknown" in plain(desk.judge("score", "runs/mine").out)
    desk.judge("report", "runs/mine", "--no-html")
    (page,) = desk.root.glob("reports/mine/*/report.md")
    assert "Working folder of CLI arms: CLI arms unknown" in page.read_text("utf-8")
    assert "| api |" not in page.read_text("utf-8")
    path = desk.root / "runs" / "mine" / "run.yaml"
    text = re.sub(r"(?m)^( *)- id: (.+)$", r"\1- id: \2\n\1  kind: api", path.read_text("utf-8"))
    path.write_text(text, "utf-8")
    assert " · no CLI arms\n" in desk.judge("check", "runs/mine").out
    assert "no CLI arms" in plain(desk.judge("score", "runs/mine").out)


def test_comparisons_that_fail_are_counted_as_replies(desk: Desk, serve: Serve) -> None:
    """Two judgments hang on one reply, which failed once."""
    desk.make(PAIR)
    serve(always(verdict={"prefer": "worth", "extra_fields": {"overall": "x"}}))
    failed = desk.score("--mode", "pairwise", "--repeats", "1")
    assert "12 of 12 comparisons" in failed.err
    assert "(judge_invalid 12)" in failed.err


def test_report_prints_the_pages_of_the_table(desk: Desk, serve: Serve) -> None:
    """The same page as judge table has, with the files' names aside."""
    desk.make(PAIR)
    serve(plan("fours"))
    assert desk.score().code == 0
    for page in ("--arms", "--items", "--criteria", "--json"):
        said = desk.judge("report", desk.run, page, "--no-html")
        assert said.out == desk.judge("table", desk.run, page).out
        assert "report.md" in said.err
    assert "report.md" in desk.judge("report", desk.run, "--no-html").out


def test_a_name_behind_a_page_of_all_arms_is_explained(desk: Desk, serve: Serve) -> None:
    """--arms A,B chooses arms elsewhere; here it is a page."""
    desk.make(PAIR)
    serve(plan("fours"))
    assert desk.score().code == 0
    said = desk.judge("table", desk.run, "--arms", "north")
    assert said.code == 2
    assert "is a page of all of them here" in said.err
    assert "check, score and power choose arms by --arms A,B" in said.err
    assert "page" not in desk.judge("table", desk.run, "north").err
    assert "Did you mean batch export" in desk.judge("export").err


def test_an_exported_plan_is_no_warning_in_a_table(desk: Desk, serve: Serve) -> None:
    """It has no answer that a table could lack; the list of passes has it."""
    desk.make(PAIR)
    serve(plan("fours"))
    assert desk.score("--repeats", "1").code == 0
    words = ("--rubric", "bulletin", "--mode", "listwise", "--out", desk.root / "open.jsonl")
    exported = desk.judge("batch", "export", desk.run, *words)
    assert "stands in judge table --passes alone, and need not be ended" in exported.out
    assert "passes_unfinished" not in [one["code"] for one in desk.table().json["warnings"]]
    assert len(desk.judge("table", desk.run, "--passes", "--json").json["passes"]) == 2


def test_show_lists_criteria_in_the_order_of_the_rubric(desk: Desk, serve: Serve) -> None:
    """As the columns of the table stand."""
    desk.make(PAIR)
    serve(plan("fours"))
    assert desk.judge("score", desk.run, "--rubric", "answer").code == 0
    out = desk.judge("show", desk.run, "north", "m1").out
    places = [out.index(f"\n  {name}: ") for name in ("task", "correctness", "usefulness")]
    assert places == sorted(places)
