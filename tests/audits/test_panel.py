"""Several judges on a rubric of deductions: each one's finds, totals and voice."""

import csv
import re
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from judgebench.errors import ExitCode
from judgebench.model.audits import mean_of_judges
from tests.acceptance.desk import Desk
from tests.audits.space import NO_CONTAINER, PLAN, SWALLOWED, plan, report, write_run
from tests.audits.test_anchored import write as write_anchored
from tests.audits.test_tools import ASKED, FOUND, WHOLE, calling, large, read, talk
from tests.stub import StubServer

RUN = "runs/code"
RUBRIC = ("--rubric", "service")
BOTH = ("--judge", "first", "--judge", "second")
MILD: dict[str, Any] = plan(
    north=[report(errors=[SWALLOWED])], south=[report(parts=[NO_CONTAINER])]
)
"""A judge that finds less in south."""
UNKNOWN = report(errors=[{**SWALLOWED, "fault": "no-such-entry"}])
SILENT: dict[str, Any] = plan(north=[report(errors=[SWALLOWED])], south=[UNKNOWN])
"""A judge whose replies on south are invalid."""


@pytest.fixture
def servers() -> Iterator[ExitStack]:
    """Holds the endpoints of a test."""
    with ExitStack() as stack:
        yield stack


def judges(
    desk: Desk,
    servers: ExitStack,
    second: dict[str, Any] = MILD,
    first: dict[str, Any] = PLAN,
) -> None:
    """Make two judges of the workspace."""
    lines = []
    for name, given_plan in (("first", first), ("second", second)):
        stub = servers.enter_context(StubServer(given_plan))
        lines.append(f'[judges.{name}]\nmodel = "stub/{name}"\nbase_url = "{stub.base_url}"\n')
    (desk.root / "judges.toml").write_text("\n".join(lines), encoding="utf-8")


def panel_page(desk: Desk, name: str) -> str:
    """A file of the panel's report."""
    (found,) = (desk.root / "reports" / "code").glob(f"panel-*/{name}")
    return found.read_text(encoding="utf-8")


def of_arm(audit: dict[str, Any], arm: str) -> dict[str, Any]:
    """One project."""
    found: dict[str, Any] = next(one for one in audit["projects"] if one["arm"] == arm)
    return found


def test_a_panel_of_audits_shows_finds_totals_and_tiers(desk: Desk, servers: ExitStack) -> None:
    """The total is the mean of the judges' means; a tier on which they split names both."""
    judges(desk, servers)
    said = desk.judge("score", RUN, *RUBRIC, *BOTH)
    assert said.code == ExitCode.DONE, said.err
    assert said.out.startswith("code · 2 projects from one brief: tiers are of these")
    assert "3 criteria · 2 judges · 3 judgings each" in said.out
    # First: 60, 65, 60; second: 90 three times.
    assert "75.8 (60-90)  A or B" in said.out
    assert "-10 no-container (6 of 6)" in said.out
    page = panel_page(desk, "report.md")
    assert "| south | 75.8 (60-90) | 61.7 (60-65) | 90 | A or B | 6 of 6 |" in page
    assert "first: 61.7 (60-65), tier B, in 3 judgings (6" in page
    assert "second: 90, tier A, in 3 judgings (90, 90, 90)." in page
    assert "6 of 6 (first 3 of 3, second 3 of 3)" in page
    assert "3 of 6 (first 3 of 3, second 0 of 3)" in page
    assert "unhandled holds parts at 25 (judgings: first 3 of 3 and second 0 of 3)" in page


def test_table_report_and_files_of_a_panel_are_one(desk: Desk, servers: ExitStack) -> None:
    """The stored panel is what was printed, with the judges of each find in findings.csv."""
    judges(desk, servers)
    first = desk.judge("score", RUN, *RUBRIC, *BOTH, "--json").json
    audit = desk.judge("table", RUN, "--panel", "--json").json["audit"]
    assert audit == first["audit"]
    assert audit["judges"] == ["first", "second"]
    south = of_arm(audit, "south")
    assert [(one["judge"], one["repeat"]) for one in south["judgings"]] == [
        ("first", 1), ("first", 2), ("first", 3), ("second", 4), ("second", 5), ("second", 6),
    ]  # fmt: skip
    # Replies come in any order: which of the three judgings found less is left to it.
    assert sorted(one["total"] for one in south["judgings"]) == [60, 60, 65, 90, 90, 90]
    assert desk.judge("report", RUN, "--panel").code == ExitCode.DONE
    rows = list(csv.DictReader(panel_page(desk, "findings.csv").splitlines()))
    by_fault = {(one["arm"], one["fault"]): one for one in rows}
    assert by_fault["south", "unhandled"]["found_by_judge"] == "first 3 of 3; second 0 of 3"
    assert by_fault["south", "no-container"]["found_in"] == "6"
    assert "Found in south" in panel_page(desk, "report.html")


def test_one_judge_alone_has_its_own_page(desk: Desk, servers: ExitStack) -> None:
    """Beside the panel each pass is shown as before, and names no other judge."""
    judges(desk, servers)
    desk.judge("score", RUN, *RUBRIC, *BOTH)
    audit = desk.judge("table", RUN, "--json").json["audit"]
    assert audit["judges"] == []
    assert sorted(one["total"] for one in of_arm(audit, "south")["judgings"]) == [60, 60, 65]


def test_rejudge_and_agree_compare_the_judges(desk: Desk, servers: ExitStack) -> None:
    """A second judge's pass is held against the first, by totals and criteria."""
    judges(desk, servers)
    desk.judge("score", RUN, *RUBRIC, "--judge", "first")
    said = desk.judge("rejudge", RUN, "--judge", "second")
    assert said.code == ExitCode.DONE, said.err
    assert re.search(r"^total( +-)+ +\+14\.2", said.out, re.MULTILINE)
    agreed = desk.judge("agree", RUN)
    assert agreed.code == ExitCode.DONE
    assert "+14.2" in agreed.out
    page = next((desk.root / "reports" / "code").glob("*/agreement.md")).read_text("utf-8")
    for text in (said.out, agreed.out, desk.judge("agree", RUN, "--extended").out, page):
        words = " ".join(text.replace("&gt;", ">").split())
        assert "they rank no arms" in words
        assert not any(one in words for one in (" > ", "may be best", "; order ", "order here"))
    assert "totals here  1: north 95.0, south 61.7" in agreed.out


def test_a_judge_without_a_total_leaves_the_panel_without(desk: Desk, servers: ExitStack) -> None:
    """With one voice less it would be the total of another panel."""
    judges(desk, servers, SILENT)
    said = desk.judge("score", RUN, *RUBRIC, *BOTH, "--max-judge-failures", "9", "--json")
    assert said.code == ExitCode.DONE, said.err
    table = desk.judge("table", RUN, "--panel")
    (line,) = [one for one in table.out.splitlines() if one.startswith("south")]
    assert "61.7" not in line
    page = panel_page(desk, "report.md")
    assert "second: -, tier -." in page
    assert "first: 61.7 (60-65), tier B" in page
    assert "| south | - | 61.7 (60-65) | - | - | 3 of 6 |" in page


def test_anchored_tiers_of_a_panel_hold_each_judge_against_itself(
    desk: Desk, servers: ExitStack
) -> None:
    """A mild judge's judging is measured from what the same judge gave the anchor."""
    judges(desk, servers)
    write_anchored(desk, "south")
    audit = desk.judge("score", RUN, *RUBRIC, *BOTH, "--json").json["audit"]
    # Second gave north 95 and south 90: level by its own, ahead by the panel's mean of 75.8.
    tiers = [(one["judge"], one["tier"]) for one in of_arm(audit, "north")["judgings"]]
    assert tiers == [("first", "ahead")] * 3 + [("second", "level")] * 3


def test_verify_recounts_the_passes_of_a_panel(desk: Desk, servers: ExitStack) -> None:
    """Every judging of every judge is recounted from stored finds."""
    judges(desk, servers)
    desk.judge("score", RUN, *RUBRIC, *BOTH)
    said = desk.judge("verify", RUN)
    assert said.code == ExitCode.DONE, said.all
    # Both passes have one rubric; first reports 3 + 8 finds, second 3 + 3.
    assert " ".join(said.out.split()).startswith(
        "code · 2 passes compared: 1 item, 2 outputs, 1 rubric, 12 totals, 1 prompt, 12 requests, "
        "17 finds against their replies, 2 reports"
    ), said.out


@given(st.dictionaries(st.sampled_from("abc"), st.lists(st.integers(0, 100), max_size=4)))
def test_every_judge_has_one_voice(given_totals: dict[str, list[int]]) -> None:
    """The number of a judge's judgings gives it no weight; a judge without one leaves none."""
    values = [(judge, float(one)) for judge, own in given_totals.items() for one in own]
    found = mean_of_judges(values, tuple(given_totals))
    twice = mean_of_judges([*values, *((j, v) for j, v in values if j == "a")], tuple(given_totals))
    if not given_totals or not all(given_totals.values()):
        assert found is None
        assert mean_of_judges([("a", None)]) is None
        return
    means = [sum(own) / len(own) for own in given_totals.values()]
    assert found == pytest.approx(sum(means) / len(means))
    assert twice == pytest.approx(found)


def test_a_panel_tells_what_each_judge_read_with_tools(desk: Desk, servers: ExitStack) -> None:
    """Turns are numbered through with their judgings, and say whose they are."""
    folder = write_run(desk.root, large())
    facts = yaml.safe_load((folder / "run.yaml").read_text(encoding="utf-8"))
    facts["project_tokens"] = 1000
    (folder / "run.yaml").write_text(yaml.safe_dump(facts), encoding="utf-8")
    more = talk(calling(read("README.md", 1, 2)), WHOLE, FOUND)
    judges(desk, servers, first=talk(WHOLE, FOUND), second=more)
    said = desk.judge("score", RUN, *ASKED, *BOTH, "--json")
    assert said.code == ExitCode.DONE, said.err
    tools = of_arm(said.json["audit"], "south")["tools"]
    assert [(one["judge"], one["repeat"], one["turns"]) for one in tools] == [
        ("first", 1, 1), ("first", 2, 1), ("first", 3, 1),
        ("second", 4, 2), ("second", 5, 2), ("second", 6, 2),
    ]  # fmt: skip
    assert len({one["lines"] for one in tools}) == 1
    page = panel_page(desk, "report.md")
    assert "Judging 1 (first) read" in page
    assert "Judging 6 (second) read" in page
    assert " + what it read of the rest with tools" in page
