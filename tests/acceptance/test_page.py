"""report.html as the commands write it."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from judgebench.cli.run_score import page_of
from tests.acceptance.desk import HARBOUR, THREE, Desk, plan
from tests.pipeline.made import judge, make_run, make_workspace
from tests.stub import StubServer

Serve = Callable[..., StubServer]
HOSTILE = "<script>fetch('/')</script>\x1b[2J\u202e [l](javascript:alert(1))\n"


def test_score_and_report_write_the_same_page(desk: Desk, serve: Serve) -> None:
    """Both give equal bytes, with the judged text, its quotes and the raw reply in it."""
    desk.make({**THREE, "odd": HARBOUR + HOSTILE})
    serve(plan("fours"))
    assert desk.score().code == 0
    (path,) = desk.root.glob("reports/bulletin/*/report.html")
    page = path.read_text(encoding="utf-8")
    assert "<mark>" in page
    assert "&#34;choices&#34;" in page
    assert "&lt;script&gt;fetch(" in page
    assert "<script" not in page
    assert "\x1b" not in page
    path.unlink()
    assert str(path.relative_to(desk.root)) in desk.judge("report", desk.run).out
    assert path.read_text(encoding="utf-8") == page


def test_no_html_leaves_the_page_as_it_is(desk: Desk, serve: Serve) -> None:
    """Neither command makes or touches it; a start without the option makes what is missing."""
    desk.make(THREE)
    serve(plan("fours"))
    assert desk.score("--no-html").code == 0
    assert not list(desk.root.glob("reports/bulletin/*/report.html"))
    assert desk.judge("report", desk.run, "--no-html").code == 0
    assert not list(desk.root.glob("reports/bulletin/*/report.html"))
    assert desk.score().code == 0
    (path,) = desk.root.glob("reports/bulletin/*/report.html")
    path.write_text("mine", encoding="utf-8")
    assert desk.judge("report", desk.run, "--no-html").code == 0
    assert path.read_text(encoding="utf-8") == "mine"


def test_plots_that_cannot_be_drawn_cost_only_the_page(
    desk: Desk, serve: Serve, tmp_path: Path
) -> None:
    """One line and the table of a judging, every other file; a report so written ends with 2."""
    (tmp_path / "lets_plot.py").write_text("raise ImportError('no such part')\n", encoding="utf-8")
    desk.make(THREE)
    serve(plan("fours"))
    words = ("score", desk.run, "--rubric", "bulletin", "-q")
    for command in (words, ("report", desk.run)):
        done = desk.judge(*command, PYTHONPATH=str(tmp_path))
        assert done.code == (0 if command is words else 2)
        (line,) = done.err.splitlines()
        assert "report.html is not written: no plots (ImportError: no" in line
        assert line.count("report.html") == 1
        found = {path.name: path for path in desk.root.glob("reports/bulletin/*/*")}
        assert found.keys() == {"report.md", "ratings.csv", "ratings.parquet", "result.json"}
        if command is words:
            assert "north" in done.out
        for path in found.values():
            path.unlink()
    assert desk.judge("report", desk.run).code == 0
    assert list(desk.root.glob("reports/bulletin/*/report.html"))


def test_plots_of_a_jury_that_cannot_be_drawn_cost_only_the_pages(
    desk: Desk, serve: Serve, tmp_path: Path
) -> None:
    """Each pass and the panel say so in one line, and the panel's other files are written."""
    (tmp_path / "lets_plot.py").write_text("raise ImportError('no such part')\n", encoding="utf-8")
    desk.make(THREE)
    serve(plan("fours"), name="one")
    first = (desk.root / "judges.toml").read_text("utf-8")
    serve(plan("twos"), name="two")
    second = (desk.root / "judges.toml").read_text("utf-8").partition("\n")[2]
    (desk.root / "judges.toml").write_text(first + second, encoding="utf-8")
    done = desk.judge(
        "score", desk.run, "--rubric", "bulletin", "--judge", "one", "--judge", "two", "-q",
        PYTHONPATH=str(tmp_path),
    )  # fmt: skip
    assert done.code == 0, done.err
    assert [line[:27] for line in done.err.splitlines()] == ["report.html is not written:"] * 3
    assert len(list(desk.root.glob("reports/bulletin/panel-*/report.md"))) == 1


def test_a_store_that_is_held_by_now_costs_only_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """After a judging the page is left out with a line that says how to get it."""
    with StubServer(plan("fours")) as stub:
        outcome = judge(make_run(make_workspace(tmp_path, stub.base_url)))
    assert outcome.result is not None
    away = replace(outcome.scene.workspace, database=tmp_path / "away.duckdb")
    lost = replace(outcome, scene=replace(outcome.scene, workspace=away))
    assert page_of(outcome.result, outcome) is not None
    assert page_of(outcome.result, lost) is None
    said = capsys.readouterr().err
    assert said.startswith("report.html is not written: ")
    assert said.endswith("; judge report does it\n")


def test_a_thousand_judgments_show_five_hundred_cells_and_name_the_rest(
    desk: Desk, serve: Serve
) -> None:
    """The page stays readable at any size; what it does not show it names."""
    items = {f"m{n}": f"{HARBOUR}Number {n}.\n" for n in range(250)}
    desk.make(dict.fromkeys(("a", "b", "c", "d"), items))
    serve(plan("fours"))
    assert desk.score("--no-html", "-q", "--concurrency", "64").code == 0
    assert desk.judge("report", desk.run).code == 0
    (path,) = desk.root.glob("reports/bulletin/*/report.html")
    page = path.read_text(encoding="utf-8")
    assert page.count('<div id="c') == 500
    assert len(re.findall("judge show runs/bulletin ", page)) == 500
