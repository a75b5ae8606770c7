"""`judge rejudge`: a fresh blind pass, then whether the answer holds."""

from pathlib import Path
from typing import Any

import click

from judgebench.cli import options
from judgebench.cli.agree import show_agreement
from judgebench.cli.jury import Passes
from judgebench.cli.printing import shown_path
from judgebench.cli.run_score import choices_of
from judgebench.errors import ExitCode
from judgebench.model.agreement import Agreement
from judgebench.pipeline.jury.rejudge import again, compare
from judgebench.pipeline.scoring.score import Outcome
from judgebench.reports.write import write_agreement
from judgebench.text import printable


@click.command("rejudge")
@options.run
@options.judges
@options.pass_id
@click.option("--fresh", is_flag=True, help="A further pass, where this judge has one already.")
@options.repeats
@options.mode
@options.seed
@options.controls
@options.taking
@options.sending
@options.failures
@options.require_controls
@options.view("split", "The cells they split on most.")
@options.view("extended", "Everything that is known.")
@options.no_html
@options.as_json
@options.quiet
@options.verbose
@click.pass_context
def command(ctx: click.Context, /, run: Path, **given: Any) -> None:  # noqa: ANN401 - click's values
    """Judge RUN again, blind and in a new order, and say whether the answer holds.

    Asks what the pass before was asked (--pass, else the one that a table shows); nothing
    of its answers is in reach. Started again it resumes, or only compares.
    """  # fmt: skip
    given["view"] = options.view_of(given)
    if not given["judges"]:
        raise click.UsageError("name who is to judge again: --judge PROVIDER/MODEL")
    ctx.exit(_rejudge(run, given))


def _rejudge(run: Path, given: dict[str, Any]) -> ExitCode:
    base, choices = again(choices_of(run, given), Path.cwd(), pass_id=given["pass_id"])
    passes = Passes(
        choices, given["judges"], no_html=given["no_html"], quiet=given["quiet"],
        verbose=given["verbose"],
    )  # fmt: skip
    done = list(passes.run())
    if passes.interrupted:
        return ExitCode.INTERRUPTED
    if choices.dry_run:
        return ExitCode.DONE
    ids = [outcome.standing.row.judging.id for outcome in done]
    found = compare(run, Path.cwd(), (base, *ids))
    show_agreement(found, run=run, view=given["view"] or "default", as_json=given["as_json"])
    _write(found, done[-1], quiet=given["quiet"])
    if passes.failures is not None:
        raise passes.failures
    passes.check_controls()
    return ExitCode.DONE


def _write(found: Agreement, outcome: Outcome, *, quiet: bool) -> None:
    """Put the whole comparison beside the reports of the new pass."""
    path = write_agreement(found, outcome.reports)
    if not quiet:
        click.echo(printable(f"agreement: {shown_path(path)}"), err=True)
