"""`judge report`: the report files from the store."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import click

from judgebench.cli import options, table
from judgebench.cli.choosing import chosen_pass
from judgebench.cli.printing import Page, render_page, shown_path, write_files
from judgebench.errors import PlotError
from judgebench.model.result import Result
from judgebench.pipeline.setting.stored_run import stored_place
from judgebench.records import dataclass
from judgebench.reports.pictures import drawer
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

    --panel does not go with --extended. With one of --criteria, --arms, --items and --json
    what judge table prints under it comes too, and the names of the files stand on stderr.
    """  # fmt: skip
    view = options.view_of(flags)
    no_html, extended, as_json = (flags[name] for name in ("no_html", "extended", "as_json"))
    printed = view is not None or as_json
    pass_id = chosen_pass(run, pass_id, judge, panel=panel)
    if panel and extended:
        raise click.UsageError("--panel does not go with --extended: a panel has no such files")
    if panel:
        made = _of_panel(run, options.passes_named(pass_id), no_html=no_html)
    else:
        made = _of_pass(run, pass_id, extended=extended, no_html=no_html)
    for path in write_files(made.result, made.folder, page=made.page):
        click.echo(printable(shown_path(path)), err=printed)
    if printed:
        page_of_table = {f"view_{name}": name == view for name in ("criteria", "arms", "items")}
        ctx.invoke(
            table.command, run=run, pass_id=pass_id, judge=None, panel=panel, accept_cut=False,
            as_json=as_json, **page_of_table,
        )  # fmt: skip
    if made.fault is not None:
        raise made.fault


@dataclass(frozen=True, kw_only=True)
class _Made:
    folder: Path
    result: Result
    page: bytes | None = None
    fault: PlotError | None = None
    """Why there is no page although one was asked for."""


def _of_panel(run: Path, passes: Sequence[str], *, no_html: bool) -> _Made:
    # Agreement between judges is code that no other page needs.
    from judgebench.pipeline.jury.panel import stored_panel  # noqa: PLC0415

    folder, result = stored_panel(run, Path.cwd(), passes=passes, varied=True)
    if no_html:
        return _Made(folder=folder, result=result)
    workspace, key = stored_place(run, Path.cwd())
    try:
        page = render_page(result, Page(workspace=workspace, run_key=key))
    except PlotError as exc:
        return _Made(folder=folder, result=result, fault=exc)
    return _Made(folder=folder, result=result, page=page)


def _of_pass(run: Path, pass_id: str | None, *, extended: bool, no_html: bool) -> _Made:
    page, fault, by = None, None, None
    with ExitStack() as stack:
        try:
            # First of all: the library that draws loads while the store is read.
            by = None if no_html else stack.enter_context(drawer())
        except PlotError as exc:
            fault = exc
        # All statistics, which load meanwhile.
        from judgebench.pipeline.pages.stored_report import stored_report  # noqa: PLC0415 - as said

        found = stack.enter_context(
            stored_report(run, Path.cwd(), pass_id=pass_id, extended=extended, page=by is not None)
        )
        if by is not None:
            from judgebench.reports import html  # noqa: PLC0415 - templates, as `render_page`

            typed = Page(workspace=found.workspace, run_key=found.run_key).typed
            try:
                page = html.render(found.result, found.exhibits(), run=typed, drawer=by)
            except PlotError as exc:
                fault = exc
        return _Made(folder=found.folder, result=found.result, page=page, fault=fault)
