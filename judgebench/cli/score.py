"""`judge score`: the main job."""

from pathlib import Path
from typing import Any

import click

from judgebench.cli import options
from judgebench.cli.jury import judge_and_print


@click.command("score")
@options.run
@options.rubric
@options.overlay
@options.judges
@options.asking
@options.taking
@options.sending
@click.option(
    "--empty-as",
    type=click.Choice(["blocked", "minimum"]),
    default="blocked",
    show_default=True,
    help="The model's own empty answers.",
)
@click.option("--accept-cut", is_flag=True, help="Take outputs that look cut as whole.")
@click.option("--block-cut", is_flag=True, help="Block outputs that look cut.")
@click.option("--require-quotes", is_flag=True, help="Block marks whose quotes are not found.")
@options.probe_blindness
@options.failures
@click.option(
    "--fail-under",
    type=float,
    metavar="POINTS",
    help="Exit 1 where an arm's rating is below this, or is refused.",
)
@options.require_controls
@options.no_html
@options.as_json
@options.quiet
@options.verbose
@click.pass_context
def command(ctx: click.Context, /, run: Path, **given: Any) -> None:  # noqa: ANN401 - click's values
    """Check RUN, judge it blind, store every judgment, print the table, write the report.

    Resumes by itself: what was answered is never asked again. Several --judge are a
    jury: a pass each, then the table of all of them, each with equal weight.
    """  # fmt: skip
    ctx.exit(judge_and_print(run, given))
