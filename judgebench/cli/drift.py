"""`judge drift`: does the judge still mark as it did?"""

from pathlib import Path
from typing import Any

import click

from judgebench.cli import machine, options
from judgebench.cli.progress import Line
from judgebench.cli.run_score import where_of, world
from judgebench.errors import ExitCode
from judgebench.pipeline.choices import Choices
from judgebench.reports import json as json_report
from judgebench.text import printable


@click.command("drift")
@options.run
@click.option("--baseline", required=True, metavar="PASS", help="The pass that it is held against.")
@click.option(
    "--anchors",
    type=click.IntRange(1),
    metavar="N",
    help="Answers judged again (default: a tenth, 12 to 60).",
)
@options.judge
@options.arms
@options.prompt
@options.no_prompt
@options.columns
@click.option(
    "--concurrency", type=click.IntRange(1, 1024), default=16, show_default=True,
    help="Requests in flight at most.",
)  # fmt: skip
@click.option("--timeout", "timeout_s", type=click.FloatRange(min=0.1), metavar="SECONDS",
              help="Clock over one whole call to the judge.")  # fmt: skip
@click.option("--budget-usd", type=click.FloatRange(min=0), help="Stop before this is exceeded.")
@click.option("--max-requests", type=click.IntRange(min=0), help="Calls to the judge at most.")
@click.option("--dry-run", is_flag=True, help="Plan; send nothing.")
@options.as_json
@options.quiet
@click.pass_context
def command(ctx: click.Context, /, run: Path, **given: Any) -> None:  # noqa: ANN401 - click's values
    """Judge anchors of a finished pass again, blind, and say whether the judge has moved.

    The anchors of a pass are always the same answers. Their later marks count towards no
    rating. A changed model string or fingerprint is a new judge.
    """  # fmt: skip
    # Imported here: a wrong word does not wait for the database.
    from judgebench.pipeline.drifting import check_drift  # noqa: PLC0415 - as said
    from judgebench.reports import drifting as drift_report  # noqa: PLC0415 - as said

    choices = Choices(
        where=where_of(run, given),
        judge=given["judge"],
        concurrency=given["concurrency"],
        timeout_s=given["timeout_s"],
        budget_usd=given["budget_usd"],
        max_requests=given["max_requests"],
        dry_run=given["dry_run"],
    )
    quiet = given["quiet"]
    with Line(quiet=quiet) as line:
        found = check_drift(
            choices, world(quiet=quiet), line.show,
            baseline=given["baseline"], anchors=given["anchors"],
        )  # fmt: skip
    if found.drift is not None and given["as_json"]:
        machine.write(json_report.document(found.drift))
    elif found.drift is not None:
        click.echo(drift_report.render(found.drift), nl=False)
    elif given["dry_run"]:
        click.echo(f"{found.open} requests to send (nothing was sent)")
    if found.sent and found.sent.interrupted:
        click.echo(f"judge: {printable(found.sent.stopped or 'interrupted')}", err=True)
        ctx.exit(ExitCode.INTERRUPTED)
    if found.sent and found.sent.error:
        raise found.sent.error
