"""Overlays: what a use case fills in, from the command line or from run.yaml."""

import json
import re

from judgebench.errors import ExitCode
from tests.acceptance.desk import Desk
from tests.audits.conftest import Judging

RUN = "runs/code"
OVERLAY = "rubric: service\nparameters:\n  library: the library weather 2\n"


def sent(stub: object) -> str:
    """All that a stub was sent."""
    return json.dumps(stub.script.bodies)  # type: ignore[attr-defined]  # a stub server


def test_an_overlay_fills_what_the_judge_is_told(desk: Desk, judging: Judging) -> None:
    """Its words reach the judge, and the next command names it."""
    (desk.root / "weather.yaml").write_text(OVERLAY)
    stub = judging()
    said = desk.judge(
        "score", RUN, "--rubric", "service", "--overlay", "weather.yaml", "--repeats", "1"
    )
    assert said.code == ExitCode.DONE, said.err
    assert "It must use the library weather 2." in sent(stub)
    assert "--overlay weather.yaml" in " ".join(said.out.replace("\\\n", "").split())


def test_run_yaml_names_the_overlay_of_its_brief(desk: Desk, judging: Judging) -> None:
    """It is used where it is written for the rubric, and left alone elsewhere."""
    run = desk.root / RUN
    (run / "overlay.yaml").write_text(OVERLAY)
    with (run / "run.yaml").open("a") as file:
        file.write("overlay: overlay.yaml\n")
    stub = judging()
    assert desk.judge("score", RUN, "--rubric", "service", "--repeats", "1").code == 0
    assert "It must use the library weather 2." in sent(stub)
    said = desk.judge("check", RUN, "--rubric", "code-8d")
    assert said.code == ExitCode.DONE, said.err
    said = desk.judge("check", RUN, "--rubric", "code-8d", "--overlay", "runs/code/overlay.yaml")
    assert said.code == ExitCode.USAGE
    assert "overlay.yaml:1: rubric" in said.err


def test_rubrics_of_deductions_are_listed_linted_and_described(
    desk: Desk, judging: Judging
) -> None:
    """`judge rubric` and `judge schema` know them and their overlays."""
    judging()
    listed = desk.judge("rubric", "list").out
    assert "code-8d" in listed
    assert re.search(r"^code-8d +1 +faults .*deliverables, api", listed, re.MULTILINE)
    assert desk.judge("rubric", "lint", "code-8d").code == ExitCode.DONE
    (desk.root / "bad.yaml").write_text("rubric: service\nparameters: {libary: x}\n")
    said = desk.judge("rubric", "lint", "service", "--overlay", "bad.yaml")
    assert said.code == ExitCode.USAGE
    assert "did you mean library?" in said.err
    assert desk.judge("schema", "overlay").json["title"] == "OverlayFile"
    assert desk.judge("schema", "deductions").json["title"] == "DeductionFile"


def test_an_overlay_that_is_not_there_is_one_line(desk: Desk, judging: Judging) -> None:
    """A file that run.yaml names and the run does not hold ends before anything else."""
    with (desk.root / RUN / "run.yaml").open("a") as file:
        file.write("overlay: gone.yaml\n")
    judging()
    said = desk.judge("score", RUN, "--rubric", "service")
    assert said.code == ExitCode.USAGE
    assert "gone.yaml: is not there" in said.err
