"""What a newcomer is told while a run is set up, before anything is paid and after."""

import json
from collections.abc import Callable
from pathlib import Path

from tests.acceptance.desk import HARBOUR, MEADOW, THREE, Desk, always, plan, write
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
    assert "rubric usecase is taken because run.yaml names a job" in checked
    assert "2 criteria of 4 will not be asked" in checked
    assert "no item: grounding, assumptions (need evidence" in checked
    assert "was judged under rubric answer and will be judged anew under usecase" in checked
    dry = desk.judge("score", desk.run, "--dry-run")
    assert len(server.log) == paid
    for words in ("because run.yaml names a job", "will not be asked", "judged anew under"):
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


def test_the_next_step_of_a_failed_pass_shows_that_pass(desk: Desk, serve: Serve) -> None:
    """A bare `judge show` would show the healthy pass beside it."""
    desk.make(PAIR)
    serve(plan("fours"))
    assert desk.score("--repeats", "1").code == 0
    serve(always(text="no verdict at all"))
    words = ("--rubric", "bulletin", "--mode", "pairwise", "--repeats", "1")
    failed = desk.judge("score", "runs/bulletin", *words)
    assert failed.code == 3
    passes = desk.judge("table", "runs/bulletin", "--passes", "--json").json["passes"]
    assert f"Next: judge show runs/bulletin --pass {passes[-1]['id']}" in failed.out


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
    assert "- id: north\n- id: south\n" in (run / "run.yaml").read_text("utf-8")
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
