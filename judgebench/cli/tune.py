"""`judge rubric tune`: a rubric made better by marks of people, and judged on others."""

from pathlib import Path
from typing import Any

import click

from judgebench.cli import machine, options
from judgebench.cli.progress import Line
from judgebench.cli.run_score import choices_of, print_requests, world
from judgebench.errors import ExitCode
from judgebench.reports import json as json_report
from judgebench.text import printable


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
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="SHARE",
    help="Share of the items that is set apart for tuning, once (default 0.4).",
)
@click.option("--report", is_flag=True, help="Judge the report split too, and compare there.")
@click.option(
    "--top", type=click.IntRange(1, 1_000), default=3, show_default=True, metavar="N",
    help="Answers shown a criterion and direction.",
)  # fmt: skip
@click.option("--reveal", is_flag=True, help="Name the arms.")
@options.judge
@options.pass_id
@options.controls
@options.arms
@options.prompt
@options.no_prompt
@options.columns
@options.sending
@options.failures
@options.as_json
@options.quiet
@click.pass_context
def command(ctx: click.Context, /, run: Path, **given: Any) -> None:  # noqa: ANN401 - click's values
    """Tune the rubric of RUN by marks of people; versions are compared, never pooled.

    Without --rubric nothing is sent: the answers on which judge and people differ most
    stand side by side. With it, the items for tuning are judged anew and both versions
    are held against people. Started again it resumes.
    """  # fmt: skip
    if given["rubric"] is None and (given["report"] or given["dry_run"]):
        raise click.UsageError("name the changed rubric: --rubric NAME|FILE|HASH")
    # Imported here: a wrong word does not wait for the database.
    from judgebench.pipeline.tuning import TuneChoices, tune  # noqa: PLC0415 - as said
    from judgebench.reports import tuning as tuning_report  # noqa: PLC0415 - as said

    choices = TuneChoices(
        judging=choices_of(run, given),
        pass_id=given["pass_id"],
        share=given["share"],
        top=given["top"],
        reveal=given["reveal"],
        report=given["report"],
    )
    with Line(quiet=given["quiet"]) as line:
        done = tune(choices, world(quiet=given["quiet"]), line.show)
    if done.tuning is None:
        print_requests(done.estimated)
        return
    if done.sent is not None and done.sent.interrupted:
        click.echo(f"judge: {printable(done.sent.stopped or 'interrupted')}", err=True)
        ctx.exit(ExitCode.INTERRUPTED)
    if given["as_json"]:
        machine.write(json_report.document(done.tuning))
    else:
        click.echo(tuning_report.render(done.tuning, run=str(run)), nl=False)
    if done.error is not None:
        raise done.error
