"""`judge biases`: what goes with a judge's marks beside the answers' worth."""

from pathlib import Path

import click

from judgebench.cli import machine, options
from judgebench.cli.choosing import chosen_pass
from judgebench.pipeline.habits.biases import biases_of
from judgebench.reports import biases as biases_report
from judgebench.reports import json as json_report


@click.command("biases")
@options.run
@options.pass_id
@options.of_judge
@options.as_json
def command(run: Path, pass_id: str | None, judge: str | None, *, as_json: bool) -> None:
    """Probe the judge of RUN for leanings. Sends nothing.

    Order, length, style, its own family, leniency, compression, halo: each with its
    interval and the smallest effect that would have been seen. Observations, no causes.
    """  # fmt: skip
    pass_id = chosen_pass(run, pass_id, judge, panel=False)
    made, _ = biases_of(run, Path.cwd(), pass_id=pass_id)
    if as_json:
        machine.write(json_report.document(made))
        return
    click.echo(biases_report.render(made), nl=False)
