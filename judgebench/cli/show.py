"""`judge show`: one judgment whole, blind until --reveal."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import click

from judgebench.cli import options
from judgebench.cli.printing import terminal_width
from judgebench.errors import JudgebenchError
from judgebench.pipeline.contrasting.replies import contrast_replies
from judgebench.pipeline.pages.showing import list_judgments, show_output
from judgebench.reports import shown as shown_report
from judgebench.reports import shown_contrast


@click.command("show")
@options.run
@click.argument("what", nargs=-1, metavar="[ARM ITEM | NAME]")
@options.pass_id
@click.option("--reveal", is_flag=True, help="Name the arms.")
@click.option("--request", "whole", is_flag=True, help="Also the exact request and raw reply.")
@click.option("--all", "everything", is_flag=True, help="The whole list, or the whole answer.")
@options.as_json
def command(
    run: Path,
    what: tuple[str, ...],
    *,
    pass_id: str | None,
    reveal: bool,
    whole: bool,
    everything: bool,
    as_json: bool,
) -> None:
    """Show judgments of RUN: the list, or one of them with marks and quotes in place.

    Without ARM and ITEM the judgments are listed under blind names in the shuffled
    order; NAME is such a name, or that of a reply to judge compare. The arm is named only
    with --reveal.
    """  # fmt: skip
    if not what:
        pass_key, listed, asked = list_judgments(run, Path.cwd(), pass_id=pass_id)
        if as_json:
            hidden = {} if reveal else {"arm": None, "other_arm": None}
            _print_json([dataclasses.asdict(one) | hidden for one in listed])
            return
        text = shown_report.render_list(
            pass_key, listed, named=reveal, everything=everything, asked=asked
        )
        click.echo(text, nl=False)
        return
    if len(what) > 2:  # noqa: PLR2004 - an arm and an item
        raise click.UsageError("write ARM ITEM, or one NAME from the list")
    arm, item = what if len(what) == 2 else (None, None)  # noqa: PLR2004 - as above
    try:
        shown = show_output(
            run, Path.cwd(), arm=arm, item=item, blind=what[0] if arm is None else None,
            pass_id=pass_id,
        )  # fmt: skip
    except JudgebenchError:
        # A name may be of a question in what outputs differ, which gives no marks.
        if arm is None and _shows_contrast(run, what[0], whole=whole, as_json=as_json):
            return
        raise
    named = reveal or arm is not None
    if as_json:
        told = shown if named else map(shown_report.blinded, shown)
        _print_json([dataclasses.asdict(one) for one in told])
        return
    text = shown_report.render(
        shown, named=named, whole=whole, everything=everything, width=terminal_width()
    )
    click.echo(text, nl=False)


def _shows_contrast(run: Path, name: str, *, whole: bool, as_json: bool) -> bool:
    found = contrast_replies(run, Path.cwd(), name=name)
    if found and as_json:
        _print_json([dataclasses.asdict(one) for one in found])
    elif found:
        click.echo(shown_contrast.render(found, whole=whole), nl=False)
    return bool(found)


def _print_json(rows: list[dict[str, Any]]) -> None:
    click.echo(json.dumps(rows, indent=2, ensure_ascii=True))
