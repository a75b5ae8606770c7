"""`judge rubric`: list and lint rubrics."""

from pathlib import Path

import click

from judgebench.cli import options
from judgebench.errors import ExitCode
from judgebench.rubrics import lint as rules
from judgebench.rubrics import load
from judgebench.runs.workspace import find_workspace
from judgebench.text import printable


def _folders() -> list[Path]:
    found = find_workspace(Path(), cwd=Path.cwd()).rubrics
    return [found] if found else []


@click.group("rubric")
def command() -> None:
    """List and lint rubrics."""


@command.command("list")
def list_() -> None:
    """Say which rubrics there are and where they stand."""
    for name, path in load.list_rubrics(_folders()).items():
        rubric = load.load_rubric(path)
        heads = ", ".join(criterion.id for criterion in rubric.criteria)
        kind = " counts faults:" if rubric.deductions else ""
        click.echo(printable(f"{name:<12} version {rubric.version:<8}{kind} {heads}  ({path})"))


@command.command("lint")
@click.argument("names", nargs=-1, required=True, metavar="NAME|FILE...")
@options.overlay
@click.pass_context
def lint(ctx: click.Context, names: tuple[str, ...], overlay: Path | None) -> None:
    """Check rubrics: faults end with exit 2, unwise choices are listed and end with exit 1."""
    unwise = 0
    for name in names:
        rubric = load.load_rubric(load.find_rubric(name, folders=_folders()), overlay=overlay)
        hints = rules.lint(rubric)
        unwise += len(hints)
        state = "good" if not hints else f"legal, {len(hints)} to look at"
        click.echo(printable(f"{name}: {state}"))
        for hint in hints:
            click.echo(printable(f"  {hint}"))
    ctx.exit(ExitCode.GATE if unwise else ExitCode.DONE)
