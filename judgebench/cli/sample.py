"""`judge sample`: items, or single answers, for people to mark, drawn at random."""

import shlex
from pathlib import Path

import click

from judgebench.cli import machine, options
from judgebench.cli.run_score import world
from judgebench.pipeline.people.packets import draw_packets
from judgebench.pipeline.people.sample import SampleChoices, draw_sample
from judgebench.reports import json as json_report
from judgebench.reports import sample as sample_report

ITEMS = 30


@click.command("sample")
@options.run
@click.option(
    "--items",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many items to draw (default 30, or all).",
)
@click.option(
    "--width",
    type=options.Number(min=0, min_open=True),
    metavar="POINTS",
    help="As many items as give a corrected difference of ± POINTS.",
)
@click.option(
    "--for",
    "purpose",
    type=click.Choice(["differences", "means"]),
    default="differences",
    show_default=True,
    help="Items with all arms on each, or single answers for the mean of each arm.",
)
@click.option(
    "--answers",
    type=click.IntRange(min=1),
    metavar="N",
    help="With --for means: how many answers in all (default 30 an arm).",
)
@options.arms
@click.option(
    "--seed", type=click.IntRange(0, 2**48 - 1), help="Another draw; default: of the run."
)
@options.pass_id
@options.as_json
def command(  # noqa: PLR0913 - click's values
    run: Path, *, items: int | None, width: float | None, purpose: str, answers: int | None,
    arms: str | None, seed: int | None, pass_id: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Draw items of RUN for people to mark, all arms on each. Sends nothing.

    The draw is kept: judge calibrate knows by it that the marks are a random
    sample, and corrects the judge's figures with them. More items of the same
    seed go on from the same draw.
    """  # fmt: skip
    means = purpose == "means"
    if means and items is not None:
        raise click.UsageError("--for means draws answers, not items: --answers N")
    if width is not None and (means or items is not None):
        raise click.UsageError(
            "--width draws items by their number: neither --items nor --for means"
        )
    if not means and answers is not None:
        raise click.UsageError("--answers needs --for means")
    wanted = SampleChoices(
        items=answers if means else items or ITEMS, usual=not means and items is None,
        width=width, arms=options.names(arms), seed=seed, pass_id=pass_id,
    )  # fmt: skip
    typed = [] if pass_id is None else [f"--pass {shlex.quote(pass_id)}"]
    if means:
        packets = draw_packets(run, wanted, world())
        text = sample_report.render_packets(packets, run=str(run), typed=typed)
        document = json_report.document(packets)
    else:
        found = draw_sample(run, wanted, world())
        text = sample_report.render(found, run=str(run), typed=typed)
        document = json_report.document(found)
    if as_json:
        machine.write(document)
        return
    click.echo(text, nl=False)
