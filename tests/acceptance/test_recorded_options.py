"""`judge score` beside a recording: an option that the recording fixes otherwise is refused."""

import shutil
from pathlib import Path

import pytest

from tests.acceptance.desk import Desk
from tests.acceptance.test_sample_pages import replay

ROOT = Path(__file__).parents[2]
RUN = "runs/2026-09-05"
OTHER = [
    (("--mode", "pairwise"), "--mode pairwise: the recording", "is pointwise; leave --mode out"),
    (("--mode", "listwise"), "--mode listwise: the recording", "is pointwise; leave --mode out"),
    (("--repeats", "3"), "--repeats 3: the recording", "judges every cell 2 times"),
    (("--seed", "7"), "--seed 7: the recording", "has seed 114538273408828"),
    (("--split-criteria",), "--split-criteria: the recording", "asks all criteria in one request"),
    (("--blind", "strict"), "--blind strict: the recording", "is mask"),
]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """The sample run, judged once by its recording."""
    root = tmp_path_factory.mktemp("sample")
    for folder in ("runs", "rubrics"):
        shutil.copytree(ROOT / folder, root / folder)
    (root / "judges.toml").write_text("", encoding="utf-8")
    made = Desk(root)
    said = made.judge("score", RUN, "--no-html")
    assert said.code == 0, said.err
    return made


@pytest.mark.parametrize(("words", "option", "how"), OTHER)
@pytest.mark.parametrize("way", [(), ("--dry-run",), ("--judge", replay(RUN, "pointwise"))])
def test_what_a_recording_fixes_is_never_passed_over(
    desk: Desk, words: tuple[str, ...], option: str, how: str, way: tuple[str, ...]
) -> None:
    """A stored pass makes no difference: one line says what the recording is, and what to do."""
    said = desk.judge("score", RUN, "--no-html", *way, *words)
    assert said.code == 2
    assert option in said.err
    assert how in said.err
    assert "or name a live judge (--judge PROVIDER/MODEL)" in said.err
    assert said.out == ""


def test_what_a_recording_fixes_alike_is_taken(desk: Desk) -> None:
    """The same mode, repeats and seed say nothing new; other controls are said to be ignored."""
    said = desk.judge(
        "score", RUN, "--no-html", "--mode", "pointwise", "--repeats", "2",
        "--seed", "114538273408828", "--controls", "5",
    )  # fmt: skip
    assert said.code == 0, said.err
    assert "nothing to do" in said.err
    assert "--controls 5 changes nothing: the recording holds 8 planted controls" in said.err
    other = desk.judge("score", RUN, "--no-html", "--mode", "listwise", "--judge",
                       replay(RUN, "listwise"))  # fmt: skip
    assert other.code == 0, other.err
    assert "nothing to do" not in other.err


def test_a_stored_pass_of_what_is_asked_for_is_pointed_to(desk: Desk) -> None:
    """Once another recording of the run was judged, the command that shows it is named."""
    taken = desk.judge("score", RUN, "--no-html", "--judge", replay(RUN, "listwise"))
    assert taken.code == 0, taken.err
    ((stored,),) = desk.rows("SELECT pass_id FROM passes WHERE mode = 'listwise'")
    for command in ("score", "check"):
        said = desk.judge(command, RUN, "--mode", "listwise")
        assert (said.code, said.out) == (2, "")
        line = said.err.splitlines()[-1]
        assert f"is pointwise; judge table {RUN} --pass {stored} shows the pass that is" in line
        assert "a live judge (--judge PROVIDER/MODEL) makes another" in line
    assert desk.judge("table", RUN, "--pass", stored).code == 0


def test_a_live_judge_plans_the_mode_that_is_asked_for(desk: Desk) -> None:
    """Beside a recorded pass, pairs are a pass of their own."""
    said = desk.judge(
        "score", RUN, "--mode", "pairwise", "--judge", "openai/some-model", "--dry-run"
    )
    assert said.code == 0, said.err
    assert "nothing to do" not in said.err
    assert "open" in said.err


def test_next_steps_of_check_and_score_do_not_point_at_each_other(desk: Desk) -> None:
    """Score sends to check where answers are blocked; check to what gives more to judge."""
    assert f"Next: judge check {RUN}" in desk.judge("score", RUN, "--no-html").out
    done = desk.judge("check", RUN).out.splitlines()[-1]
    assert done == f"Next: collect the 11 blocked answers again, then judge score {RUN}"


@pytest.mark.parametrize(
    "command",
    [["check"], ["score", "--no-html"], ["table"], ["agree"], ["power"], ["show"], ["report"]],
)
def test_a_run_is_typed_by_its_name_in_reports(desk: Desk, command: list[str]) -> None:
    """Commands that report.md names work from the workspace, those too that read the folder."""
    word, *options = command
    by_path = desk.judge(word, RUN, *options)
    by_name = desk.judge(word, Path(RUN).name, *options)
    assert (by_name.code, by_name.err.count("is not there")) == (by_path.code, 0)
    assert by_name.out == by_path.out.replace(RUN, Path(RUN).name)


def test_a_check_of_what_is_judged_leads_to_its_table(tmp_path: Path) -> None:
    """Before it is judged, and once an answer has changed, it leads to judging."""
    shutil.copytree(ROOT / "runs" / "single-item", tmp_path / "runs" / "single-item")
    shutil.copytree(ROOT / "rubrics", tmp_path / "rubrics")
    (tmp_path / "judges.toml").write_text("", encoding="utf-8")
    desk, run = Desk(tmp_path), "runs/single-item"

    def last() -> str:
        return desk.judge("check", run).out.splitlines()[-1]

    assert last() == f"Next: judge score {run}"
    assert desk.judge("score", run, "--no-html").code == 0
    ((stored,),) = desk.rows("SELECT pass_id FROM passes")
    assert last() == f"Next: judge table {run} --pass {stored}"
    assert desk.judge("table", run, "--pass", stored).code == 0
    output = min((tmp_path / run / "plain").glob("**/*.md"))
    output.write_text(output.read_text(encoding="utf-8") + "\nOne line more.\n", encoding="utf-8")
    assert last() == f"Next: judge score {run}"
