"""`judge score`: the main job."""

from pathlib import Path
from typing import Any

import click

from judgebench.cli import options
from judgebench.cli.run_score import score_and_print


@click.command("score")
@options.run
@options.rubric
@options.judge
@options.repeats
@options.mode
@options.seed
@options.blind
@options.split_criteria
@options.controls
@options.arms
@options.prompt
@options.no_prompt
@options.columns
@click.option(
    "--concurrency",
    type=click.IntRange(1, 1024),
    default=16,
    show_default=True,
    help="Requests in flight at most.",
)
@click.option(
    "--timeout",
    "timeout_s",
    type=click.FloatRange(min=0.1),
    metavar="SECONDS",
    help="Clock over one whole call to the judge (default 120, or judges.toml).",
)
@click.option("--budget-usd", type=click.FloatRange(min=0), help="Stop before this is exceeded.")
@click.option("--max-requests", type=click.IntRange(min=0), help="Calls to the judge at most.")
@click.option("--dry-run", is_flag=True, help="Check, plan and price; send nothing.")
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
@click.option("--retry-blocked", is_flag=True, help="Ask blocked judgments again.")
@click.option(
    "--max-judge-failures",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="More blocked judgments than this: exit 3.",
)
@click.option(
    "--fail-under",
    type=float,
    metavar="POINTS",
    help="Exit 1 where an arm's rating is below this, or is refused.",
)
@click.option(
    "--require-controls",
    is_flag=True,
    help="Exit 1 where the judge fails a kind of control, or no control is decided.",
)
@options.no_html
@options.as_json
@options.quiet
@click.pass_context
def command(ctx: click.Context, /, run: Path, **given: Any) -> None:  # noqa: ANN401 - click's values
    """Check RUN, judge it blind, store every judgment, print the table, write the report.

    Resumes by itself: what was answered is never asked again.
    """  # fmt: skip
    ctx.exit(score_and_print(run, given))
