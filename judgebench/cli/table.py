"""`judge table`: the rating table from the store."""

import shlex
from pathlib import Path

import click

from judgebench.cli import options
from judgebench.cli.choosing import chosen_pass
from judgebench.cli.printing import show, show_items, show_passes, unwritten
from judgebench.pipeline.pages.stored import stored_items, stored_passes, stored_result
from judgebench.reports.newer import newer


@click.command("table", cls=options.Pages)
@options.run
@options.pass_id
@options.of_judge
@options.view("criteria", "All criteria.")
@options.view("context", "Time, tokens, cost of the answers.")
@options.view("why", "Why figures are missing, what would help.")
@options.view("arms", "All arms, however many.")
@options.view("passes", "Every pass on this run.")
@options.view("items", "Totals of every item and arm.")
@options.view("extended", "Other weights, other tests, each criterion, the judge again.")
@options.panel
@click.option("--accept-cut", is_flag=True, help="Take outputs that look cut as whole.")
@options.as_json
def command(
    run: Path,
    pass_id: str | None,
    judge: str | None,
    *,
    panel: bool,
    accept_cut: bool,
    as_json: bool,
    **views: bool,
) -> None:
    """Print the rating table of RUN from the store. Sends nothing.

    Shows the first complete pass, else the fullest, or the one that --pass or --judge names.
    With --panel the mean of all judges, each with equal weight.

    --panel does not go with --accept-cut.
    """  # fmt: skip
    view = options.view_of(views)
    pass_id = chosen_pass(run, pass_id, judge, panel=panel)
    if view == "passes":
        show_passes(stored_passes(run, Path.cwd()), as_json=as_json)
        return
    if panel:
        # Agreement between judges is code that no other page needs.
        from judgebench.pipeline.jury.panel import stored_panel, stored_panel_items  # noqa: PLC0415

        if accept_cut:
            raise click.UsageError("--panel does not go with --accept-cut")
        passes = options.passes_named(pass_id)
        if view == "items":
            show_items(stored_panel_items(run, Path.cwd(), passes=passes), as_json=as_json)
            return
        folder, result = stored_panel(run, Path.cwd(), passes=passes, varied=view == "extended")
        words = f" --panel{_of_pass(pass_id)}"
        rest = unwritten(result, folder, run=run, words=words)
        show(result, as_json=as_json, run=run, view=view or "default", rest=rest)
        return
    if view == "items":
        show_items(stored_items(run, Path.cwd(), pass_id=pass_id), as_json=as_json)
        return
    folder, result = stored_result(
        run, Path.cwd(), pass_id=pass_id, accept_cut=accept_cut, extended=view == "extended"
    )
    rest = unwritten(result, folder, run=run, words=_of_pass(pass_id))
    lead = "" if pass_id else newer(result, str(run))
    show(result, as_json=as_json, run=run, view=view or "default", rest=rest, lead=lead)


def _of_pass(pass_id: str | None) -> str:
    """The pass as it was typed, behind a blank."""
    return "" if pass_id is None else f" --pass {shlex.quote(pass_id)}"
