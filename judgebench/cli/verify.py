"""`judge verify`: a published table, or a stored run, recomputed and compared."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from judgebench.cli import machine, options
from judgebench.cli.printing import terminal_width
from judgebench.cli.run_score import world
from judgebench.errors import ExitCode
from judgebench.reports import json as json_report
from judgebench.reports import verify as verify_report


@click.command("verify")
@click.argument("target", metavar="RUN|TABLE", type=click.Path(path_type=Path))
@click.option("--rubric", metavar="NAME", help="TABLE: the rubric of deductions that it follows.")
@click.option("--criteria", metavar="A,B", help="TABLE: its columns of marks that make the total.")
@click.option("--tiers", metavar="A=80,B=60", help="TABLE: the bars of its tiers.")
@click.option("--prices", is_flag=True, help="TABLE: what each finding costs in each project.")
@options.pass_id
@click.option("--all", "every", is_flag=True, help="Every line, however many.")
@options.as_json
@click.pass_context
def command(ctx: click.Context, /, target: Path, **given: Any) -> None:  # noqa: ANN401 - click's values
    """Recompute what is stored of RUN, or published in TABLE, and say what differs.

    TABLE is a CSV, TSV, XLSX, JSON, JSON lines or Markdown file of totals with their
    marks, tiers, ranks or deductions. Exit code 4 where something differs, 2 where
    nothing of TABLE can be checked. Sends and writes nothing.
    """  # fmt: skip
    # Pipes and files of other endings go there too, to be refused as what they are.
    if target.exists() and not target.is_dir():
        slipped = _table(target, given)
    else:
        slipped = _run(target, given)
    if slipped:
        ctx.exit(ExitCode.INTEGRITY)


def _table(target: Path, given: Mapping[str, Any]) -> bool:
    """Look over a published table."""
    from judgebench.pipeline.marks.published_table import TableChoices, verify_table  # noqa: PLC0415

    if given["pass_id"]:
        raise click.UsageError("--pass belongs to a stored run")
    choices = TableChoices(
        criteria=options.names(given["criteria"]), tiers=given["tiers"], rubric=given["rubric"]
    )
    found = verify_table(target, choices, world())
    if given["as_json"]:
        machine.write(json_report.document(found))
    else:
        render = verify_report.render_prices if given["prices"] else verify_report.render
        click.echo(render(found, every=given["every"], width=terminal_width()), nl=False)
    return bool(found.slips)


def _run(target: Path, given: Mapping[str, Any]) -> bool:
    """Recompute a stored run."""
    from judgebench.pipeline.verify.run import Ways, verify_run  # noqa: PLC0415 - heavy
    from judgebench.reports.printed import compare  # noqa: PLC0415 - as said

    if wrong := next(
        (name for name in ("rubric", "criteria", "tiers", "prices") if given[name]), ""
    ):
        raise click.UsageError(f"--{wrong} belongs to a published table")
    found = verify_run(
        target,
        Path.cwd(),
        Ways(printed=partial(compare, run=str(target))),
        pass_id=given["pass_id"],
    )
    if given["as_json"]:
        machine.write(json_report.document(found))
    else:
        text = verify_report.render_run(found, every=given["every"], width=terminal_width())
        click.echo(text, nl=False)
    return bool(found.differences)
