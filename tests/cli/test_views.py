"""Flags that ask for a page of their own, and options that cannot be guessed."""

import contextlib
from pathlib import Path

import pytest
from click.testing import CliRunner

from judgebench.cli.main import cli

REJUDGE = ("rejudge", "--judge", "stub")


@pytest.mark.parametrize(
    ("words", "flags"),
    [
        (("table",), ("--criteria", "--context", "--arms")),
        (("agree",), ("--split", "--extended")),
        (REJUDGE, ("--split", "--extended")),
    ],
)
def test_one_page_is_asked_for_at_a_time(words: tuple[str, ...], flags: tuple[str, ...]) -> None:
    """None of several is dropped in silence."""
    said = CliRunner().invoke(cli, [*words, "RUN", *flags])
    assert said.exit_code == 2
    assert f"{', '.join(flags)} are pages of their own: ask for one at a time" in said.output


def test_a_missing_baseline_says_where_passes_are_listed() -> None:
    """The id of a pass is nothing that anybody knows by heart."""
    said = CliRunner().invoke(cli, ["drift", "RUN"])
    assert said.exit_code == 2
    assert "Missing option '--baseline'. judge table RUN --passes lists the passes" in said.output


def test_what_is_wrong_names_the_run_and_no_database(tmp_path: Path) -> None:
    """A run that was never judged comes with its command, a misspelt one is not there."""
    (tmp_path / "runs" / "my run").mkdir(parents=True)
    with contextlib.chdir(tmp_path):
        said = CliRunner().invoke(cli, ["table", "runs/my run"]).exception
        lost = CliRunner().invoke(cli, ["table", "runs/mine"]).exception
    assert str(said) == "runs/my run: was never judged here; judge score 'runs/my run' does it"
    assert str(lost).startswith("runs/mine: does not exist; name a run folder")


def test_judges_stand_in_columns(tmp_path: Path) -> None:
    """A long name of a judge or a model moves no column."""
    (tmp_path / "judges.toml").write_text(
        '[judges.near]\nmodel = "ollama/a"\n'
        '[judges.one-with-a-rather-long-name]\nmodel = "ollama/a-long-name-of-a-model"\n'
    )
    (tmp_path / "runs").mkdir()
    with contextlib.chdir(tmp_path):
        lines = CliRunner().invoke(cli, ["judges", "list"]).output.splitlines()[:2]
    assert len({line.rindex("ollama") for line in lines}) == 1, lines
    assert len({line.index("ollama/") for line in lines}) == 1, lines
