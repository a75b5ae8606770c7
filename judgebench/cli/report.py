"""`judge report`: the report files from the store."""

from pathlib import Path

import click

from judgebench.cli import options
from judgebench.cli.run_score import shown_path, write_files
from judgebench.pipeline.stored import stored_result
from judgebench.text import printable


@click.command("report")
@options.run
@options.pass_id
def command(run: Path, pass_id: str | None) -> None:
    """Write report.md, result.json, ratings.csv and ratings.parquet of RUN. Sends nothing."""
    folder, result = stored_result(run, Path.cwd(), pass_id=pass_id, extended=True)
    for path in write_files(result, folder):
        click.echo(printable(shown_path(path)))
