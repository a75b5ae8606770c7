"""A judge that fails planted controls is named wherever its marks stand beside another's."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.acceptance.desk import Desk
from tests.acceptance.test_controls import ARMS, BAD, GOOD, ITEMS, TEXTS
from tests.pipeline.made import make_run
from tests.stub import StubServer

FAILS = "fails planted controls: padded 0 of 1"
GIVEN = ("--rubric", "answer", "--no-html", "--controls", "6")


@pytest.fixture(autouse=True)
def _controls(_no_controls: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The product's own default."""
    monkeypatch.delenv("JUDGE_CONTROLS")


@contextmanager
def two_judges(folder: Path) -> Iterator[tuple[Desk, Path]]:
    """A workspace whose judge `fair` treats every control rightly; `fooled` is fooled by filler."""
    with ExitStack() as stack:
        text = ""
        for name, rules in (("fair", GOOD), ("fooled", BAD["padded"])):
            verdict = {"score": {"rules": rules}, "quotes": "real"}
            stub = stack.enter_context(StubServer({"rules": [{"replies": [{"verdict": verdict}]}]}))
            text += (
                f'[judges.{name}]\nmodel = "model-{name}"\nbase_url = "{stub.base_url}"\n'
                'mode = "json_schema"\n'
            )
        (folder / "judges.toml").write_text(text)
        yield Desk(folder), make_run(folder, items=ITEMS, arms=ARMS, texts=TEXTS)


def joined(text: str) -> str:
    """A page without its line breaks."""
    return " ".join(text.split())


def test_a_panel_names_the_judge_that_fails(tmp_path: Path) -> None:
    """Both counts stand in the first lines, the failing judge by name, and the gate is shut."""
    with two_judges(tmp_path) as (desk, run):
        both = ("--judge", "fair", "--judge", "fooled")
        said = desk.judge("score", run, *GIVEN, *both, "--require-controls")
        table = desk.judge("table", run, "--panel")
        found = desk.judge("table", run, "--panel", "--json").json
        # The failing judge is the second one: its judgments are found by their names alone.
        (failed,) = found["agreement"]["raters"][1]["controls"]["failures"]
        shown = desk.judge("show", run, failed["key"][:8])
    assert said.code == 1
    assert "the judge fooled fails planted controls: padded (0 of 1)" in said.err
    head = "\n".join(table.out.splitlines()[:5])
    assert "JUDGES FAIL CONTROLS: fooled (padded 0 of 1)" in joined(head)
    assert "controls passed: fair 6 of 6 and fooled 5 of 6" in joined(head)
    assert f"! the judge fooled {FAILS}" in table.out
    assert "planted, padded: " in shown.out
    assert "the judge fair fails" not in table.out
    flags = {one["code"]: one["facts"] for one in found["warnings"]}
    assert flags["controls_failed_by"]["judge"] == "fooled"
    raters = {one["name"]: one["controls"] for one in found["agreement"]["raters"]}
    assert (raters["fair"]["passed"], raters["fooled"]["passed"]) == (6, 5)
    (page,) = (tmp_path / "reports" / "made").glob("panel-*/report.md")
    report = page.read_text(encoding="utf-8")
    assert "## Planted controls, judge by judge" in report
    assert "| fooled | padded | 1 | 1 | 0 |" in report


@pytest.mark.parametrize(
    ("first", "second", "code"), [("fair", "fooled", 1), ("fooled", "fair", 0)]
)
def test_a_second_opinion_names_the_judge_that_fails(
    tmp_path: Path, first: str, second: str, code: int
) -> None:
    """Old or new, it stands before the answer; the gate of rejudge is about the new one."""
    with two_judges(tmp_path) as (desk, run):
        assert desk.judge("score", run, *GIVEN, "--judge", first).code == 0
        said = desk.judge(
            "rejudge", run, "--judge", second, *GIVEN[2:], "--require-controls"
        )  # fmt: skip
        agree = desk.judge("agree", run)
    assert said.code == code, said.err
    for text in (said.out, agree.out):
        lines = text.splitlines()
        (at,) = [at for at, line in enumerate(lines) if f"! the judge fooled {FAILS}" in line]
        assert at < next(at for at, line in enumerate(lines) if "HOLD" in line)
        assert len(lines) <= 24
        # The path of the run is as long as it is: a command is never cut.
        assert max(len(line) for line in lines if run.name not in line) <= 80
    pages = "".join(
        path.read_text(encoding="utf-8")
        for path in (tmp_path / "reports" / "made").glob("*/agreement.md")
    )
    assert "## Planted controls, judge by judge" in pages
    assert "fooled: Failed: padded on" in pages


def test_without_controls_the_gate_of_a_second_opinion_is_not_decided(tmp_path: Path) -> None:
    """`--controls 0` with --require-controls ends with 1, and the panel says who had none."""
    with two_judges(tmp_path) as (desk, run):
        desk.judge("score", run, *GIVEN, "--judge", "fair")
        said = desk.judge(
            "rejudge", run, "--judge", "fooled", "--no-html", "--controls", "0",
            "--require-controls",
        )  # fmt: skip
        table = desk.judge("table", run, "--panel")
    assert said.code == 1
    assert "no planted control is decided" in said.err
    assert "controls passed: fair 6 of 6 and fooled off" in joined(table.out)
