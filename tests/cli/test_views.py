"""Flags that ask for a page of their own, and options that cannot be guessed."""

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
