"""A message names all that it is about, and sends only to what is there."""

from pathlib import Path

import pytest

from tests.acceptance.desk import Desk
from tests.acceptance.test_sample_pages import RUN, replay, unjudged

ITEMS = sorted(one.name for one in (Path(__file__).parents[2] / RUN / "items").iterdir())


@pytest.fixture
def space(tmp_path: Path) -> Desk:
    """The sample run, judged by its recorded replies."""
    desk = unjudged(tmp_path)
    assert desk.judge("score", RUN, "-q", "--judge", replay(RUN, "pointwise")).code == 0
    return desk


def test_a_dry_run_of_a_replay_says_what_check_says(tmp_path: Path) -> None:
    """Recorded replies cost nothing and are not sent, in the words of `judge check`."""
    space = unjudged(tmp_path)
    judge = ("--judge", replay(RUN, "pointwise"))
    told = "from recorded replies: 86 requests (8 controls), no call"
    dry = space.judge("score", RUN, *judge, "--dry-run")
    assert dry.out == f"{told} (nothing was judged)\n"
    checked = space.judge("check", RUN, *judge).out
    assert told in " ".join(checked.split())
    assert "CLI folder empty but for 3 blocked answers" in " ".join(checked.split())


def test_a_gate_names_every_arm(space: Desk) -> None:
    """Those rated below it, and those without a rating; the report has the folder's words."""
    said = space.judge("score", RUN, "-q", "--judge", replay(RUN, "pointwise"), "--fail-under", "7")
    assert said.code == 1
    assert "rated below --fail-under 7: terse (6.89), no-evidence (3.35); " in said.err
    assert "cannot be decided without a rating: small-local (too_few_items" in said.err
    (page,) = (space.root / "reports").glob("*/*/report.md")
    report = page.read_text(encoding="utf-8")
    assert "Working folder of CLI arms: empty but for 3 blocked answers" in report
    assert "A rank interval runs over all arms with marks, those not placed too: what" in report


def test_a_name_that_is_none_is_told_both_ways(space: Desk) -> None:
    """An arm alone is no name: the list, and ARM ITEM, are."""
    said = space.judge("show", RUN, "plain").err
    assert f"judge show {RUN} lists them" in said
    assert f"judge show {RUN} ARM ITEM" in said


def test_the_plan_says_that_controls_are_left_out(space: Desk) -> None:
    """Requests for items, and no planted control among them."""
    assert "1 judge, 2 scorings each, no controls:" in space.judge("power", RUN).out


def test_max_t_names_the_arm_that_holds_it_back(space: Desk) -> None:
    """Ten items, and one arm with marks on two of them."""
    shown = " ".join(space.judge("table", RUN, "--extended").out.split())
    assert ". small-local has marks on 2 items of 10" in shown


def test_a_table_sends_to_a_report_that_says_it(space: Desk) -> None:
    """Once a pass has changed the warnings, report.md has to be made again."""
    assert "more in report.md)" in space.judge("table", RUN).out
    assert space.judge("rejudge", RUN, "-q", "--judge", replay(RUN, "listwise")).code == 0
    assert f"more: judge report {RUN})" in space.judge("table", RUN).out
    assert space.judge("report", RUN, "--no-html").code == 0
    assert "more in report.md)" in space.judge("table", RUN).out


def test_people_are_no_scorings_of_a_judge(space: Desk) -> None:
    """Their table sends to a report to be made and to their own plan, which counts people."""
    rows = [
        f"{item},{arm},{who},{6 + (at + place + turn) % 4}"
        for at, item in enumerate(ITEMS)
        for place, arm in enumerate(("plain", "terse"))
        for turn, who in enumerate(("first", "second"))
    ]
    (space.root / "people.csv").write_text("\n".join(["item,arm,rater,score", *rows]) + "\n")
    marks = ("--human", "people.csv", "--blind", "yes")
    assert space.judge("calibrate", RUN, *marks).code == 0
    shown = " ".join(space.judge("table", RUN, "--pass", "people").out.split())
    assert f"more: judge report {RUN} --pass people)" in shown
    assert f"Next: judge power {RUN} --pass " in shown
    power = space.judge("power", RUN, "--pass", "people").out
    assert "2 people an answer" in power
    assert "scoring" not in power


def test_an_import_without_prompts_asks_for_them_first(space: Desk) -> None:
    """`--no-prompt` is the second way."""
    (space.root / "bare.csv").write_text("item,arm,output\na,x,hello\na,y,hi\n")
    said = space.judge("import", "generic", "bare.csv").out
    assert said.index("--map prompt=COLUMN") < said.index("--no-prompt")
