"""`judge compare`: in what do the outputs differ in kind, and which is to be taken?"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from judgebench.cli import machine, options
from judgebench.cli.printing import shown_path
from judgebench.cli.progress import Line
from judgebench.cli.run_score import choices_of, world
from judgebench.errors import ExitCode, StoreError
from judgebench.model.result import Result
from judgebench.model.tradeoff import Comparison
from judgebench.pipeline.pages.stored import stored_result
from judgebench.reports import json as json_report
from judgebench.text import plural, printable

if TYPE_CHECKING:
    from judgebench.pipeline.contrasting.judge_contrasts import Compared


@click.command("compare")
@options.run
@options.judge
@click.option(
    "--items",
    type=click.IntRange(1),
    metavar="N",
    help="Items at most, drawn by the seed (default 60).",
)
@options.pass_id
@options.seed
@options.taking
@options.sending
@options.failures
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the replies as FILE.jsonl, for --judge replay:FILE.jsonl.",
)
@click.option(
    "--export",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the open requests in the batch format instead of sending them.",
)
@options.as_json
@options.quiet
@click.pass_context
def command(ctx: click.Context, /, run: Path, **given: Any) -> None:  # noqa: ANN401 - click's values
    """Ask the judge, blind and per item, in what the outputs differ in kind.

    Quotes are checked and names put back by code; the recommendation rests on the ratings
    of a pass (--pass, else the one that a table shows), time and cost. Marks nothing. Started
    again it resumes.
    """  # fmt: skip
    # Imported here: a wrong word does not wait for the database.
    from judgebench.pipeline.contrasting.judge_contrasts import compare  # noqa: PLC0415 - as said

    choices = choices_of(run, given)
    here = world(quiet=given["quiet"])
    with Line(quiet=given["quiet"]) as line:
        done = compare(choices, here, line.show, items=given["items"], export=given["export"])
    _show(done, run, given)
    if done.sent and done.sent.interrupted:
        click.echo(f"judge: {printable(done.sent.stopped or 'interrupted')}", err=True)
        ctx.exit(ExitCode.INTERRUPTED)
    if given["record"] and done.contrasts is not None:
        _record(done, given["record"])
    if done.error:
        raise done.error


def _show(done: "Compared", run: Path, given: dict[str, Any]) -> None:
    from judgebench.reports import contrasts as report  # noqa: PLC0415 - not for a wrong word

    if done.written:
        names = ", ".join(map(shown_path, done.written))
        click.echo(printable(f"{plural(done.open, 'request')}: {names} (nothing was sent)"))
        return
    if done.contrasts is None:
        cost = "price unknown" if done.cost_usd is None else f"about {done.cost_usd:.2f} USD"
        click.echo(
            f"{plural(done.open, 'request')} to send: about {done.prompt_tokens:,} prompt and "
            f"{done.completion_tokens:,} reply tokens, {cost} (estimated; nothing was sent)"
        )
        return
    result = _rated(run, given["pass_id"])
    if not given["as_json"]:
        click.echo(report.render(done.contrasts, result, run=str(run)), nl=False)
        return
    machine.write(
        json_report.document(
            Comparison(
                contrasts=done.contrasts,
                tradeoff=result.tradeoff if result else None,
                recommendation=report.advice(result, str(run)) if result else "",
            )
        )
    )


def _rated(run: Path, pass_id: str | None) -> Result | None:
    """The ratings of a pass; None where there are none."""
    try:
        return stored_result(run, Path.cwd(), pass_id=pass_id)[1]
    except StoreError:
        if pass_id is not None:
            raise
        return None


def _record(done: "Compared", out: Path) -> None:
    from judgebench.pipeline.contrasting.recording import record_contrasts  # noqa: PLC0415 - rare

    if done.contrasts is None:
        return
    count = record_contrasts(done.scene, done.contrasts, out, conditions="", world=world())
    click.echo(printable(f"{plural(count, 'reply', 'replies')}: {shown_path(out)}"), err=True)
