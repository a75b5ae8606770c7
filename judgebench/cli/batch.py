"""`judge batch`: the same plan through files or a provider's batch endpoint."""

import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click

from judgebench.cli import options
from judgebench.cli.printing import show, shown_path, write_files
from judgebench.cli.progress import Line
from judgebench.cli.run_score import choices_of, page_of, where_of, world
from judgebench.errors import ExitCode
from judgebench.pipeline.figures.stored_pass import choose
from judgebench.pipeline.scoring import batching, submitting
from judgebench.pipeline.scoring.score import open_store
from judgebench.pipeline.setting.choices import Choices
from judgebench.pipeline.setting.places import never_judged
from judgebench.pipeline.setting.scene import open_scene
from judgebench.text import plural, printable

F = TypeVar("F", bound=Callable[..., Any])


def _planned(command: F) -> F:
    """Options that fix what a pass asks."""
    for option in reversed(
        (
            options.run, options.rubric, options.overlay, options.judge, options.repeats,
            options.mode, options.seed, options.blind, options.split_criteria, options.controls,
            options.arms, options.prompt, options.no_prompt, options.columns,
        )
    ):  # fmt: skip
        command = option(command)
    return command


def _read(command: F) -> F:
    """Options that say how the run is read: those of the export whose pass is meant."""
    for option in reversed(
        (
            options.run, options.rubric, options.overlay, options.arms, options.prompt,
            options.no_prompt, options.columns,
        )
    ):  # fmt: skip
        command = option(command)
    return command


@click.group("batch")
def command() -> None:
    """The plan of RUN through files: export, answer anywhere, import; or submit."""


@command.command("export")
@_planned
@click.option("--out", type=click.Path(path_type=Path), required=True, help="FILE.jsonl to write.")
def export(run: Path, out: Path, **given: Any) -> None:  # noqa: ANN401 - click's values
    """Write the open requests of RUN in the batch format. Sends nothing, needs no key."""
    done = batching.export(choices_of(run, given), world(), out)
    names = ", ".join(shown_path(path) for path in (*done.paths, done.header))
    click.echo(printable(f"{plural(done.requests, 'request')} of pass {done.pass_id}: {names}"))
    if done.requests:
        click.echo(printable(_then(run, rubric=given["rubric"])))
        click.echo(
            "until then the pass stands in judge table --passes alone, and need not be ended"
        )


def _then(run: Path, *, rubric: str | None) -> str:
    """What takes the replies in, once an endpoint has given them."""
    named = f" --rubric {shlex.quote(rubric)}" if rubric else ""
    return (
        "once they are answered, with the same options of the run: "
        f"judge batch import {shlex.quote(str(run))}{named} REPLIES.jsonl"
    )


@command.command("import")
@_read
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@options.as_json
@click.pass_context
def import_(
    ctx: click.Context,
    /,
    run: Path,
    files: tuple[Path, ...],
    *,
    rubric: str | None,
    as_json: bool,
    **given: Any,  # noqa: ANN401 - click's values
) -> None:
    """Read replies to an exported batch: output files, error files, in any order.

    The run is read as the export read it: give --rubric, --arms, --map and the prompt again.
    """
    choices = Choices(where=where_of(run, given), rubric=rubric)
    with Line(quiet=False) as line:
        outcome = batching.take_replies(choices, world(), files, line.show)
    if outcome.result is not None:
        show(outcome.result, as_json=as_json, run=run)
        write_files(outcome.result, outcome.reports, page=page_of(outcome.result, outcome))
    if outcome.error:
        raise outcome.error
    ctx.exit(ExitCode.DONE)


@command.command("submit")
@_planned
@click.option("--wait/--no-wait", default=True, help="Wait for the provider to finish.")
@click.option(
    "--every",
    "every_s",
    type=options.Number(min=0.1),
    default=30.0,
    show_default=True,
    help="Seconds between looks.",
)
@click.option("--budget-usd", type=options.Number(min=0), help="Refuse a dearer estimate.")
def submit(
    run: Path,
    *,
    wait: bool,
    every_s: float,
    budget_usd: float | None,
    **given: Any,  # noqa: ANN401 - click's values
) -> None:
    """Hand the open requests of RUN to the judge's batch endpoint, fetch and import replies.

    Submitted batches are noted in judgments/; the same command goes on from there.
    """  # fmt: skip
    choices = replace(choices_of(run, given), budget_usd=budget_usd)
    with Line(quiet=False) as line:
        outcome = submitting.submit(
            choices, world(), wait=wait, every_s=every_s, progress=line.show
        )
    if outcome is None:
        click.echo("submitted; the same command again fetches the replies")
        return
    if outcome.result is not None:
        show(outcome.result, as_json=False, run=run)
        write_files(outcome.result, outcome.reports, page=page_of(outcome.result, outcome))
    if outcome.error:
        raise outcome.error


@command.command("record")
@_read
@options.pass_id
@click.option("--out", type=click.Path(path_type=Path), required=True, help="FILE.jsonl to write.")
@click.option("--conditions", default="", help="How the replies came about, in words.")
def record(
    run: Path,
    out: Path,
    *,
    rubric: str | None,
    pass_id: str | None,
    conditions: str,
    **given: Any,  # noqa: ANN401 - click's values
) -> None:
    """Write the stored replies of a pass as a recording for --judge replay:FILE."""
    here = world()
    scene = open_scene(where_of(run, given), rubric, here)
    if not scene.workspace.database.is_file():
        raise never_judged(run)
    with open_store(scene) as store:
        row = choose(store.find_passes(scene.run_key), pass_id)
        count = batching.record(store, scene, row, out, conditions=conditions, world=here)
    click.echo(printable(f"{count} replies of pass {row.judging.id}: {shown_path(out)}"))
