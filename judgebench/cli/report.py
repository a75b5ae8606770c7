"""`judge report`: the report files from the store."""

from pathlib import Path

import click

from judgebench.cli import options, table
from judgebench.cli.choosing import chosen_pass
from judgebench.cli.printing import Page, render_page, shown_path, write_files
from judgebench.errors import PlotError
from judgebench.pipeline.stored import stored_place, stored_result
from judgebench.text import printable


@click.command("report", cls=options.Pages)
@options.run
@options.pass_id
@options.of_judge
@options.panel
@options.no_html
@click.option(
    "--extended",
    is_flag=True,
    help="Also pairs.csv, criteria.csv, and sections on them and the judge.",
)
@options.view("criteria", "Print this page of judge table too.")
@options.view("arms", "Print this page of judge table too.")
@options.view("items", "Print this page of judge table too.")
@options.as_json
@click.pass_context
def command(
    ctx: click.Context, /, run: Path, *, pass_id: str | None, judge: str | None, panel: bool,
    **flags: bool,
) -> None:  # fmt: skip
    """Write report.md, report.html, result.json, ratings.csv and .parquet of RUN. Sends nothing.

    --panel does not go with --extended. With --criteria, --arms, --items or --json what
    judge table prints under these comes too, and the names of the files stand on stderr.
    """  # fmt: skip
    view = options.view_of(flags)
    no_html, extended, as_json = (flags[name] for name in ("no_html", "extended", "as_json"))
    printed = view is not None or as_json
    pass_id = chosen_pass(run, pass_id, judge, panel=panel)
    if panel:
        # Agreement between judges is code that no other page needs.
        from judgebench.pipeline.panel import stored_panel  # noqa: PLC0415

        if extended:
            raise click.UsageError("--panel does not go with --extended: a panel has no such files")
        passes = options.names(pass_id)
        folder, result = stored_panel(run, Path.cwd(), passes=passes, varied=True)
    else:
        folder, result = stored_result(
            run, Path.cwd(), pass_id=pass_id, varied=True, extended=extended, people=True
        )
    workspace, key = stored_place(run, Path.cwd())
    page, fault = None, None
    if not no_html:
        try:
            page = render_page(result, Page(workspace=workspace, run_key=key))
        except PlotError as exc:
            fault = exc
    for path in write_files(result, folder, page=page):
        click.echo(printable(shown_path(path)), err=printed)
    if printed:
        page_of_table = {f"view_{name}": name == view for name in ("criteria", "arms", "items")}
        ctx.invoke(
            table.command, run=run, pass_id=pass_id, judge=None, panel=panel, accept_cut=False,
            as_json=as_json, **page_of_table,
        )  # fmt: skip
    if fault is not None:
        raise fault
