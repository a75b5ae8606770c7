"""`judge init`: a workspace with a small sample, or run.yaml over answers as they lie."""

import shlex
from pathlib import Path

import click

from judgebench.errors import RunError
from judgebench.pipeline.setting.samples import make_workspace
from judgebench.runs.declare import declare, is_laid_out, refuse_arms
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
    help="Answers as they lie; repeatable. Writes FOLDER/run.yaml, or that of a run folder "
    "(items/ID/prompt.md, ARM/ID/output.md) into it.",
)
@click.option("--prompt", type=click.Path(path_type=Path), help="The prompt's file in FOLDER.")
@click.option("--job", default="", help="What an answer must do, in words.")
def command(folder: Path, *, sources: tuple[Path, ...], prompt: Path | None, job: str) -> None:
    """Make FOLDER a workspace with rubrics and a small sample run.

    With --from, write run.yaml over files or folders of answers, or for a run that is laid
    out already; nothing is renamed.
    """  # fmt: skip
    if sources:
        click.echo(printable(_over(sources, folder, prompt=prompt, job=job)))
        return
    for path in make_workspace(folder):
        click.echo(printable(str(path)))
    inside = "" if folder.resolve() == Path.cwd() else f"cd {shlex.quote(str(folder))} && "
    click.echo(printable(f"Next: {inside}judge score runs/single-item"))


def _over(sources: tuple[Path, ...], folder: Path, *, prompt: Path | None, job: str) -> str:
    """Write run.yaml over what lies there, and say what to do next.

    Raises:
        RunError: It cannot be written over these.
    """
    if len(sources) == 1 and is_laid_out(sources[0]):
        run = sources[0]
        if folder.resolve() not in {Path.cwd(), run.resolve()}:
            raise RunError(run, "is laid out as a run", f"judge init --from {run} declares it")
        if prompt is not None:
            raise RunError(run, "is laid out as a run, which has its prompts", "omit --prompt")
        path = declare(run, job=job)
        return f"{path}; next: judge check {shlex.quote(str(run))}"
    refuse_arms(sources)
    path = init_run(sources, folder, prompt=prompt, job=job)
    first = "" if prompt or (folder / "prompt.md").is_file() else "write prompt.md beside it, then "
    return f"{path}; next: {first}judge check {shlex.quote(str(folder))}"
