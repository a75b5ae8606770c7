"""Every command on a pass over projects: right, or one line that says what to do instead."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from judgebench.cli.main import COMMANDS
from judgebench.errors import ExitCode
from tests.acceptance.desk import Desk
from tests.audits.space import PLAN, RUBRIC, write_run
from tests.stub import StubServer

RUN = "runs/code"
ITEMS = ("app", "second", "third")
PEOPLE = "people.csv"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """Two arms with three projects each, audited, and marks of two people on all of them."""
    root: Path = tmp_path_factory.mktemp("audits") / "space"
    (root / "rubrics").mkdir(parents=True)
    (root / "rubrics" / "service.yaml").write_text(RUBRIC, encoding="utf-8")
    run = write_run(root)
    for item in ITEMS[1:]:
        shutil.copytree(run / "items" / "app", run / "items" / item)
        for arm in ("north", "south"):
            shutil.copytree(run / arm / "app", run / arm / item)
    facts = yaml.safe_load((run / "run.yaml").read_text(encoding="utf-8"))
    (run / "run.yaml").write_text(yaml.safe_dump({**facts, "items": list(ITEMS)}), "utf-8")
    lines = ["item,arm,rater,parts,errors,running"]
    for item in ITEMS:
        for rater in ("ann", "bob"):
            lines += [f"{item},north,{rater},40,35,20", f"{item},south,{rater},30,22,20"]
    (root / PEOPLE).write_text("\n".join(lines), encoding="utf-8")
    space = Desk(root)
    with StubServer(PLAN) as stub, pytest.MonkeyPatch.context() as patch:
        for name in ("JUDGE_MODEL", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
            patch.delenv(name, raising=False)
        space.toml(stub.base_url)
        said = space.judge("score", RUN, "--rubric", "service")
        assert said.code == ExitCode.DONE, said.err
        space.judge("calibrate", RUN, "--human", PEOPLE)
        yield space


DONE = [
    ("check", ("--rubric", "service"), "projects, and how much of them a judge is shown"),
    ("score", ("--rubric", "service"), "tiers are of these, not of the arms"),
    ("table", (), "tiers are of these, not of the arms"),
    ("table", ("--why",), "not printed"),
    ("table", ("--items",), "north"),
    ("report", ("--extended",), "findings.csv"),
    ("show", (), "18 judgments"),
    ("show", ("south", "app"), "- unhandled, supported app.py:4-5"),
    ("agree", (), "One pass alone"),
    ("agree", ("--split",), "1  stub"),
    ("calibrate", (), "south    72.0      3"),
    ("biases", (), "Reference: people (ann and bob)."),
    ("card", (), "Judge stub under service, 1 pass"),
    ("power", (), "Spread of an item's paired difference"),
    ("sample", ("--items", "2"), "2 items of 3, drawn at random"),
    ("verify", (), "Nothing differs"),
    ("compare", ("--dry-run",), "3 requests"),
    ("batch", ("export", "--rubric", "service", "--out", "open.jsonl"), "0 requests of pass"),
]
REFUSED = [
    ("label", (), ("counts faults in projects", "judge calibrate runs/code --human FILE")),
    ("label", ("--csv", "sheet.csv"), ("counts faults", "--human FILE")),
    ("label", ("--items", "2"), ("counts faults", "--human FILE")),
    ("drift", ("--baseline", "PASS"), ("gives no marks", "judge rejudge")),
    ("drift", ("--baseline", "PASS", "--bridge"), ("gives no marks", "judge rejudge")),
    ("score", ("--rubric", "service", "--mode", "listwise"), ("--mode", "rubrics of marks")),
    ("score", ("--rubric", "service", "--split-criteria"), ("--split-criteria", "of marks")),
    (
        "rubric",
        ("tune", "--rubric", "service", "--tune", "0.4"),
        ("this very rubric", "edit the file first"),
    ),
    ("table", ("--panel",), ("a panel needs 2 judges", "judge rejudge RUN --judge OTHER")),
    ("rejudge", (), ("--judge PROVIDER/MODEL",)),
]
ELSEWHERE = {"explain", "import", "init", "judges", "schema"}
"""They read no pass."""


def command(desk: Desk, name: str, options: tuple[str, ...]) -> tuple[str, ...]:
    """A command as it is typed; PASS stands for the audit's pass."""
    given = options
    if "PASS" in options:
        audit = desk.judge("table", RUN, "--json").json["judging"]["id"]
        given = tuple(audit if word == "PASS" else word for word in options)
    group = 1 if name in {"batch", "rubric"} else 0
    return (name, *given[:group], RUN, *given[group:])


@pytest.mark.parametrize(("name", "options", "words"), DONE)
def test_a_command_takes_an_audit(
    desk: Desk, name: str, options: tuple[str, ...], words: str
) -> None:
    """What makes sense on an audit is done, with totals that are sums of points."""
    said = desk.judge(*command(desk, name, options))
    assert said.code == ExitCode.DONE, said.all
    assert words in " ".join(said.all.split()) or words in said.all, said.all


@pytest.mark.parametrize(("name", "options", "words"), REFUSED)
def test_a_command_refuses_an_audit_in_one_line(
    desk: Desk, name: str, options: tuple[str, ...], words: tuple[str, ...]
) -> None:
    """What does not is refused with the reason and another command."""
    said = desk.judge(*command(desk, name, options))
    assert said.code == ExitCode.USAGE, said.all
    assert said.out == ""
    (line,) = said.err.strip().splitlines()
    assert all(word in line for word in words), line


def test_every_command_is_looked_at() -> None:
    """A new command says what it does on an audit."""
    known = {name for name, *_ in (*DONE, *REFUSED)} | ELSEWHERE
    assert set(COMMANDS) == known


def test_people_are_held_against_the_audit_by_their_own_sums(desk: Desk) -> None:
    """A person's total is the sum of that person's marks, never the judge's total."""
    found = desk.judge("calibrate", RUN, "--json").json
    axis = next(one for one in found["axes"] if one["id"] == "total")
    people = {one["arm"]: one["people"] for one in axis["arms"]}
    assert people == {"north": 95.0, "south": 72.0}


def test_marks_of_people_are_no_judging_that_verify_could_recount(desk: Desk) -> None:
    """The pass of people has no finds, and what it lacks is no difference."""
    said = desk.judge("verify", RUN)
    assert said.code == ExitCode.DONE, said.all
    assert "code · 2 passes" in said.out
    assert "1 rubric, 18 totals" in said.out
