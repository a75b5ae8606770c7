"""`judge power`: items, repeats and judges for a wished-for difference."""

from pathlib import Path

import click

from judgebench.cli import machine, options
from judgebench.cli.choosing import chosen_pass
from judgebench.pipeline.pages.power import PowerChoices, power_of
from judgebench.reports import json as json_report
from judgebench.reports import power as power_report


@click.command("power")
@options.run
@options.pass_id
@options.of_judge
@click.option(
    "--delta",
    type=options.Number(min=0, min_open=True),
    metavar="POINTS",
    help="The difference that is to be found; default: 1 and 0.5 on a scale of ten.",
)
@options.arms
@click.option("--judges", type=click.IntRange(1, 1000), help="Plan with so many judges.")
@click.option("--repeats", type=click.IntRange(1, 1000), help="Plan with so many scorings each.")
@options.as_json
def command(  # noqa: PLR0913 - each is an option of its own
    run: Path,
    pass_id: str | None,
    judge: str | None,
    *,
    delta: float | None,
    arms: str | None,
    judges: int | None,
    repeats: int | None,
    as_json: bool,
) -> None:
    """Say how many items a wished-for difference would take. Sends nothing.

    From the spread of RUN; where it has too few items, over assumed spreads.
    """  # fmt: skip
    pass_id = chosen_pass(run, pass_id, judge, panel=False)
    found = power_of(
        run,
        Path.cwd(),
        PowerChoices(
            pass_id=pass_id, delta=delta, arms=options.names(arms), judges=judges, repeats=repeats
        ),
    )
    if as_json:
        machine.write(json_report.document(found))
        return
    click.echo(power_report.render(found), nl=False)
