"""`judge agree`: how far the passes on a run agree, from the store."""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from judgebench.cli import machine, options
from judgebench.cli.printing import terminal_width
from judgebench.model.agreement import Agreement
from judgebench.pipeline.jury.agree import AgreeChoices, agree
from judgebench.reports import agree_markdown, agree_terminal
from judgebench.reports import json as json_report
from judgebench.text import printable


@click.command("agree")
@options.run
@options.passes
@options.delta
@click.option("--slots", is_flag=True, help="People are places in the file, not persons.")
@options.view("split", "The cells they split on most.")
@options.view("extended", "Everything that is known.")
@options.view("markdown", "The same as a Markdown page.")
@options.as_json
def command(
    run: Path,
    passes: str | None,
    *,
    delta: float | None,
    slots: bool,
    as_json: bool,
    **views: bool,
) -> None:
    """Say how far the passes on RUN agree: does the answer hold? Sends nothing.

    Compares all complete passes that were asked the same, or those that --pass names.
    Of imported marks of people alone (--pass people) it compares the people.
    Passes that compare pairs give no marks and are not compared here.
    """  # fmt: skip
    view = options.view_of(views)
    found = agree(
        run, Path.cwd(), AgreeChoices(passes=options.passes_named(passes), delta=delta, slots=slots)
    )
    typed = {"--pass": passes, "--delta": None if delta is None else f"{delta:g}"}
    words = [word for name, value in typed.items() if value for word in (name, value)]
    show_agreement(
        found, run=run, view=view or "default", as_json=as_json,
        typed=[*words, *(["--slots"] if slots else [])],
    )  # fmt: skip


def show_agreement(
    found: Agreement, *, run: Path, view: str, as_json: bool, typed: Sequence[str] = ()
) -> None:
    """Print an agreement: one view of it, or with --json the whole."""
    if as_json:
        machine.write(json_report.document(found))
    elif view == "markdown":
        sys.stdout.write(agree_markdown.render(found))
    else:
        width = terminal_width()
        text = agree_terminal.render(
            found, width=width, view=view, run=str(run), typed=shlex.join(map(printable, typed))
        )
        click.echo(text, nl=False)
