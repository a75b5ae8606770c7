"""`judge label`: people mark the answers of a run, blind, on a page of this machine."""

import shlex
import signal
import threading
import webbrowser
from pathlib import Path
from types import FrameType
from typing import Any

import click

from judgebench.cli import options
from judgebench.cli.run_score import world
from judgebench.pipeline.people.label_desk import LabelDesk, open_desk
from judgebench.pipeline.people.label_places import LabelChoices
from judgebench.pipeline.people.label_sheet import write_sheet
from judgebench.pipeline.setting.choices import Where
from judgebench.text import one_line, printable


@click.command("label")
@options.run
@click.option(
    "--items", type=click.IntRange(min=1), metavar="N",
    help="Draw N items; default: the newest draw of judge sample, or all items.",
)  # fmt: skip
@options.arms
@click.option("--rater", metavar="NAME", help="Who marks; default: the page asks.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, show_default=True,
    help="Port on 127.0.0.1; 0 for any that is free.",
)  # fmt: skip
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@click.option(
    "--csv", "sheet", type=click.Path(path_type=Path), metavar="FILE",
    help="Write a blind sheet instead; judge calibrate --human reads it back.",
)  # fmt: skip
@options.prompt
@options.no_prompt
@options.columns
@options.pass_id
def command(run: Path, *, rater: str | None, sheet: Path | None, **given: Any) -> None:  # noqa: ANN401
    """Mark answers of RUN by hand, blind. Sends nothing.

    Opens a page that only this machine reaches: one answer after the other,
    shuffled and masked, with the run's rubric. Every mark is stored at once, and
    the same command goes on where it ended. judge calibrate RUN uses the marks.
    """  # fmt: skip
    desk = open_desk(
        LabelChoices(
            where=Where(
                run=run,
                arms=options.names(given["arms"]),
                prompt=given["prompt"],
                no_prompt=given["no_prompt"],
                columns=options.pairs(given["columns"]),
            ),
            items=given["items"],
            pass_id=given["pass_id"],
        ),
        world(),
    )
    name = None if rater is None else desk.rater(rater)
    if rater is not None and name is None:
        raise click.BadParameter("is no name", param_hint="--rater")
    if sheet is not None:
        rows = write_sheet(desk, sheet, rater=name or "")
        click.echo(
            printable(
                f"{rows:,} answers written to {one_line(str(sheet), 200)}; filled in, "
                f"judge calibrate {shlex.quote(str(run))} --human {shlex.quote(str(sheet))} "
                "--blind yes takes it in"
            )
        )
        _left_out(desk, f"judge label {shlex.quote(printable(str(run)))} --csv FILE")
        return
    _left_out(desk, f"judge label {shlex.quote(printable(str(run)))}")
    _serve(desk, run, name, port=given["port"], browser=not given["no_browser"])


def _left_out(desk: LabelDesk, start: str) -> None:
    """Say which answers a draw that was made just now cannot reach."""
    if desk.made is None:
        return
    from judgebench.reports.sample import outside  # noqa: PLC0415 - a stored draw needs none

    made = desk.made
    for line in outside(made.outside, made.wider, items=made.wider_items, start=start):
        click.echo(line, err=True)


def _serve(desk: LabelDesk, run: Path, rater: str | None, *, port: int, browser: bool) -> None:
    from judgebench.web.server import LabelServer  # noqa: PLC0415 - a sheet needs no server

    title = f"Mark answers of {one_line(desk.scene.run_key, 60)}"
    try:
        server = LabelServer(desk, rater=rater, title=title, port=port)
    except OSError as exc:
        raise click.ClickException(
            f"port {port} is taken ({exc.strerror}); leave --port out"
        ) from exc
    with server:
        click.echo(server.url)
        click.echo("Open this address to mark; Ctrl-C ends it, every mark is stored.", err=True)
        if browser:
            webbrowser.open(server.url)
        _wait()
    for one in (rater,) if rater else desk.people():
        done = desk.progress(one)
        click.echo(
            printable(f"{one}: {done.answers:,} of {done.answers_all:,} answers marked"), err=True
        )
    click.echo(printable(f"judge calibrate {shlex.quote(str(run))} uses the marks"), err=True)


def _wait() -> None:
    """Until Ctrl-C, or a polite request to end."""
    asked = threading.Event()

    def stop(_number: int, _frame: FrameType | None) -> None:
        asked.set()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        # In short waits: a handler runs between them on any platform.
        while not asked.wait(0.2):
            pass
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
