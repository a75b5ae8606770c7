"""`judge explain`: every page of the documentation is at hand without a clone."""

from pathlib import Path

from click.testing import CliRunner

from judgebench.cli.explain import command

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_every_page_is_listed_and_printed() -> None:
    """Names with titles; a page letter for letter; an unknown name is told the nearest."""
    runner = CliRunner()
    listed = runner.invoke(command, [])
    assert listed.exit_code == 0
    names = [line.split()[0] for line in listed.output.splitlines()]
    assert names == sorted(page.stem for page in DOCS.glob("*.md"))
    shown = runner.invoke(command, ["blocked"])
    assert shown.output == (DOCS / "blocked.md").read_text("utf-8")
    wrong = runner.invoke(command, ["bloked"])
    assert wrong.exit_code == 2
    assert "did you mean blocked?" in wrong.output
