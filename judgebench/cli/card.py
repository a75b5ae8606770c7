"""`judge card`: one page for one judge under one rubric, over all passes."""

from pathlib import Path

import click

from judgebench.cli import machine, options
from judgebench.cli.printing import shown_path
from judgebench.pipeline.habits.card import card_of
from judgebench.reports import card as card_report
from judgebench.reports import json as json_report
from judgebench.text import printable


@click.command("card")
@click.argument("judge", metavar="JUDGE|RUN")
@click.option("--rubric", metavar="NAME|HASH", help="Where it has judged under several rubrics.")
@options.pass_id
@options.as_json
def command(judge: str, rubric: str | None, pass_id: str | None, *, as_json: bool) -> None:
    """Write what the store tells of one judge under one rubric. Sends nothing.

    JUDGE is its name, model or hash; RUN stands for the judge of its pass. The page is
    written to reports/cards/, as Markdown and as JSON.
    """  # fmt: skip
    made, folder, name = card_of(judge, Path.cwd(), pass_id=pass_id, rubric=rubric)
    paths = card_report.write_card(made, folder, name)
    if as_json:
        machine.write(json_report.document(made))
        return
    click.echo(card_report.render(made), nl=False)
    click.echo(printable(f"card: {shown_path(paths[0])}"), err=True)
