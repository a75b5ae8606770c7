"""`judge rubric tune`: a rubric made better by marks of people, and judged on others."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from judgebench.cli import machine, options
from judgebench.cli.printing import shown_path, terminal_width
from judgebench.cli.progress import Line
from judgebench.cli.run_score import choices_of, print_requests, world
from judgebench.errors import ExitCode
from judgebench.reports import json as json_report
from judgebench.rubrics.load import list_rubrics
from judgebench.runs.workspace import find_workspace
from judgebench.text import folded, plural, printable

if TYPE_CHECKING:
    from judgebench.pipeline.scoring.batching import Export


@click.command("tune")
@options.run
@click.option(
    "--rubric",
    metavar="NAME|FILE|HASH",
    help="The changed rubric. Without it: where judge and people differ most.",
)
@click.option(
    "--tune",
    "share",
    type=options.Number(0, 1, min_open=True, max_open=True),
    metavar="SHARE",
    help="Share of the items that is set apart for tuning, once (default 0.4, or near it).",
)
@click.option(
    "--export",
    type=click.Path(path_type=Path),
    metavar="FILE.jsonl",
    help="Send nothing: write the open requests of the version in the batch format.",
)
@click.option("--report", is_flag=True, help="Judge the report split too, and compare there.")
@click.option(
    "--top", type=click.IntRange(1, 1_000), default=3, show_default=True, metavar="N",
    help="With --extended: answers shown a criterion and direction.",
)  # fmt: skip
@click.option(
    "--extended", is_flag=True, help="Every answer side by side; every criterion of two versions."
)
@click.option("--reveal", is_flag=True, help="Name the arms.")
@options.judge
@options.pass_id
@options.controls
@options.taking
@options.sending
@options.failures
@options.as_json
@options.quiet
@click.pass_context
def command(ctx: click.Context, /, run: Path, **given: Any) -> None:  # noqa: ANN401 - click's values
    """Tune the rubric of RUN by marks of people; versions are compared, never pooled.

    Without --rubric nothing is sent: the answers on which judge and people differ most
    stand side by side (--extended). With it, the items for tuning are judged anew and both versions
    are held against people. Started again it resumes.
    """  # fmt: skip
    if given["rubric"] is None and (given["report"] or given["dry_run"] or given["export"]):
        raise click.UsageError("name the changed rubric: --rubric NAME|FILE|HASH")
    if given["dry_run"] and given["export"]:
        raise click.UsageError("--dry-run writes nothing, --export does; leave one of them out")
    # Imported here: a wrong word does not wait for the database.
    from judgebench.pipeline.tuning.loop import TuneChoices, tune  # noqa: PLC0415 - as said
    from judgebench.reports import tuning as tuning_report  # noqa: PLC0415 - as said

    choices = TuneChoices(
        judging=choices_of(run, given),
        pass_id=given["pass_id"],
        share=given["share"],
        top=given["top"],
        reveal=given["reveal"],
        report=given["report"],
        export=given["export"],
    )
    with Line(quiet=given["quiet"]) as line:
        done = tune(choices, world(quiet=given["quiet"]), line.show)
    if done.exported is not None:
        _say_exported(done.exported, run, given)
        return
    if done.tuning is None:
        print_requests(done.estimated)
        return
    if done.sent is not None and done.sent.interrupted:
        click.echo(f"judge: {printable(done.sent.stopped or 'interrupted')}", err=True)
        ctx.exit(ExitCode.INTERRUPTED)
    if given["as_json"]:
        machine.write(json_report.document(done.tuning))
    else:
        file = _file_at_hand(done.tuning.base.rubric_name, run)
        typed = _typed(given) if given["rubric"] else _pass(given)
        text = tuning_report.render(
            done.tuning, run=str(run), typed=typed, file=file, width=terminal_width(),
            extended=given["extended"],
        )  # fmt: skip
        click.echo(text, nl=False)
    if done.error is not None:
        raise done.error


def _file_at_hand(name: str, run: Path) -> str:
    """The file of a rubric of this workspace, to be edited; FILE where there is none."""
    folder = find_workspace(run, cwd=Path.cwd()).rubrics
    path = list_rubrics([folder] if folder else []).get(name)
    return shown_path(path) if path is not None and path.parent == folder else "FILE"


_READ = ("rubric", "overlay", "arms", "prompt", "no_prompt", "columns")
"""Options that say how the run is read: the answers need them as the questions did."""


def _say_exported(done: "Export", run: Path, given: dict[str, Any]) -> None:
    """What was written, and how the answers come back."""
    if not done.requests:
        click.echo(f"nothing is open in pass {done.pass_id}: the file is empty")
        click.echo(f"Next: judge rubric tune {shlex.quote(str(run))} {_again(given)}")
        return
    names = ", ".join(shown_path(path) for path in (*done.paths, done.header))
    click.echo(printable(f"{plural(done.requests, 'request')} of pass {done.pass_id}: {names}"))
    click.echo(
        folded("Nothing was sent. The judge of the pass that is tuned must answer them, no other.")
    )
    quoted = shlex.quote(str(run))
    read = {name: given[name] for name in _READ if name in given}
    words = " ".join(options.typed(read).values())
    click.echo(f"Next: judge batch import {quoted} ANSWERED.jsonl {words}")
    click.echo(f"  and then judge rubric tune {quoted} {_again(given)}")


def _again(given: dict[str, Any]) -> str:
    words = [_typed(given), _pass(given), "--report" if given["report"] else ""]
    return " ".join(filter(None, words))


def _pass(given: dict[str, Any]) -> str:
    return f"--pass {shlex.quote(given['pass_id'])}" if given["pass_id"] else ""


def _typed(given: dict[str, Any]) -> str:
    """What says which version is judged and how, as it is typed again."""
    judge = given["judge"]
    named = [] if judge is None else [f"--judge {shlex.quote(judge)}"]
    return " ".join((*options.typed(given).values(), *named))
