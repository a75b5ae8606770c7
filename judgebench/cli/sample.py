"""`judge sample`: items for people to mark, drawn at random."""

from pathlib import Path

import click

from judgebench.cli import machine, options
from judgebench.cli.run_score import world
from judgebench.pipeline.sample import SampleChoices, draw_sample
from judgebench.reports import json as json_report
from judgebench.reports import sample as sample_report


@click.command("sample")
@options.run
@click.option(
    "--items",
    type=click.IntRange(min=1),
    default=30,
    show_default=True,
    metavar="N",
    help="How many items to draw.",
)
@options.arms
@click.option(
    "--seed", type=click.IntRange(0, 2**48 - 1), help="Another draw; default: of the run."
)
@options.pass_id
@options.as_json
def command(
    run: Path, *, items: int, arms: str | None, seed: int | None, pass_id: str | None, as_json: bool
) -> None:  # fmt: skip
    """Draw items of RUN for people to mark, all arms on each. Sends nothing.

    The draw is kept: judge calibrate knows by it that the marks are a random
    sample, and corrects the judge's figures with them. More items of the same
    seed go on from the same draw.
    """  # fmt: skip
    found = draw_sample(
        run,
        SampleChoices(items=items, arms=options.names(arms), seed=seed, pass_id=pass_id),
        world(),
    )
    if as_json:
        machine.write(json_report.document(found))
        return
    click.echo(sample_report.render(found), nl=False)
