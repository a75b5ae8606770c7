"""`judge import`: a run folder from another tool's file."""

from pathlib import Path

import click

from judgebench.cli import options
from judgebench.runs import importers
from judgebench.text import printable


@click.command("import")
@click.argument("kind", metavar="KIND")
@click.argument("source", type=click.Path(path_type=Path))
@click.option(
    "--to",
    "dest",
    type=click.Path(path_type=Path),
    help="The new run folder; default: runs/<name of the file>.",
)
@click.option(
    "--repeat",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Which repeat of a cell is taken, where the tool has several.",
)
@options.columns
def command(
    kind: str, source: Path, *, dest: Path | None, repeat: int, columns: str | None
) -> None:
    """Take SOURCE in as a run folder, all of it or nothing.

    KIND is generic (CSV or JSONL with one output a line; --map names the columns) or
    promptfoo (results JSON).
    """  # fmt: skip
    target = dest or Path("runs") / source.stem
    run = importers.import_run(
        kind, source, dest=target, columns=options.pairs(columns), repeat=repeat
    )
    click.echo(
        printable(f"{target}: {len(run.arms)} arms, {len(run.items)} items; judge check {target}")
    )
