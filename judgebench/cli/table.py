"""`judge table`: the rating table from the store."""

from pathlib import Path

import click

from judgebench.cli import options
from judgebench.cli.printing import show, show_items, show_passes
from judgebench.pipeline.stored import stored_items, stored_passes, stored_result


@click.command("table")
@options.run
@options.pass_id
@click.option("--criteria", "view", flag_value="criteria", help="All criteria.")
@click.option("--context", "view", flag_value="context", help="Time, tokens, cost of the answers.")
@click.option("--why", "view", flag_value="why", help="Why figures are missing, what would help.")
@click.option("--arms", "view", flag_value="arms", help="All arms, however many.")
@click.option("--passes", "view", flag_value="passes", help="Every pass on this run.")
@click.option("--items", "view", flag_value="items", help="Totals of every item and arm.")
@click.option(
    "--extended",
    "view",
    flag_value="extended",
    help="Other weights, other tests, each criterion, the judge again.",
)
@options.panel
@click.option("--accept-cut", is_flag=True, help="Take outputs that look cut as whole.")
@options.as_json
def command(
    run: Path,
    pass_id: str | None,
    *,
    view: str | None,
    panel: bool,
    accept_cut: bool,
    as_json: bool,
) -> None:
    """Print the rating table of RUN from the store. Sends nothing.

    Shows the first complete pass, or the one that --pass names; with --panel the
    mean of all judges, each with equal weight. --panel does not go with --items or
    --accept-cut.
    """  # fmt: skip
    if view == "passes":
        show_passes(stored_passes(run, Path.cwd()), as_json=as_json)
        return
    if panel:
        # Agreement between judges is code that no other page needs.
        from judgebench.pipeline.panel import stored_panel  # noqa: PLC0415

        if view == "items" or accept_cut:
            raise click.UsageError("--panel does not go with --items or --accept-cut")
        passes = options.names(pass_id)
        _, result = stored_panel(run, Path.cwd(), passes=passes, varied=view == "extended")
        show(result, as_json=as_json, run=run, view=view or "default")
        return
    if view == "items":
        show_items(stored_items(run, Path.cwd(), pass_id=pass_id), as_json=as_json)
        return
    _, result = stored_result(
        run, Path.cwd(), pass_id=pass_id, accept_cut=accept_cut, extended=view == "extended"
    )
    show(result, as_json=as_json, run=run, view=view or "default")
