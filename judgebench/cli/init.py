"""`judge init`: a workspace with a small sample, or run.yaml over answers as they lie."""

from pathlib import Path

import click

from judgebench.pipeline.samples import make_workspace
from judgebench.runs.write import init_run
from judgebench.text import printable


@click.command("init")
@click.argument("folder", type=click.Path(path_type=Path), default=Path())
@click.option(
    "--from",
    "sources",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="PATHS",
    help="Answers as they lie; repeatable. Writes FOLDER/run.yaml.",
)
@click.option("--prompt", type=click.Path(path_type=Path), help="The prompt's file in FOLDER.")
@click.option("--job", default="", help="What an answer must do, in words.")
def command(folder: Path, *, sources: tuple[Path, ...], prompt: Path | None, job: str) -> None:
    """Make FOLDER a workspace with rubrics and a small sample run.

    With --from, write run.yaml over files or folders of answers; nothing is renamed.
    """  # fmt: skip
    if sources:
        path = init_run(sources, folder, prompt=prompt, job=job)
        click.echo(printable(f"{path}; next: judge check {folder}"))
        return
    for path in make_workspace(folder):
        click.echo(printable(str(path)))
    click.echo("Next: judge score runs/single-item")
