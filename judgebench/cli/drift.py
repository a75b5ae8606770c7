"""`judge drift`: does the judge still mark as it did?"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from judgebench.cli import machine, options
from judgebench.cli.printing import shown_path
from judgebench.cli.progress import Line
from judgebench.cli.run_score import choices_of, world
from judgebench.errors import ExitCode, GateError
from judgebench.model.drifting import Drift
from judgebench.pipeline.setting.choices import Choices
from judgebench.reports import json as json_report
from judgebench.text import plural, printable

if TYPE_CHECKING:
    from judgebench.pipeline.sending.sent import SendReport

_Found = TypeVar("_Found")


class _PassId(click.types.StringParamType):
    """The id of a pass; who gives none is told where it stands."""

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:
        """Name the page that lists passes."""
        del param, ctx
        return "judge table RUN --passes lists the passes"


@click.command("drift")
@options.run
@click.option(
    "--baseline",
    required=True,
    is_flag=False,
    flag_value="",
    type=_PassId(),
    metavar="PASS",
    help="The pass that it is held against (judge table RUN --passes lists all).",
)
@click.option(
    "--anchors",
    type=click.IntRange(1),
    metavar="N",
    help="Answers judged again (default: a tenth, 12 to 60).",
)
@click.option(
    "--bridge",
    is_flag=True,
    help="Hold another --judge or --rubric against the pass: offsets, and arms that turn.",
)
@click.option("--fresh", is_flag=True, help="A further bridge, where these two have one already.")
@options.judge
@options.rubric_of_bridge
@options.taking
@click.option(
    "--concurrency", type=click.IntRange(1, 1024), default=16, show_default=True,
    help="Requests in flight at most.",
)  # fmt: skip
@click.option("--timeout", "timeout_s", type=options.Number(min=0.1), metavar="SECONDS",
              help="Clock over one whole call to the judge.")  # fmt: skip
@click.option("--budget-usd", type=options.Number(min=0), help="Stop before this is exceeded.")
@click.option("--max-requests", type=click.IntRange(min=0), help="Calls to the judge at most.")
@click.option("--dry-run", is_flag=True, help="Plan; send nothing.")
@click.option(
    "--require-no-drift",
    is_flag=True,
    help="Exit 1 where the judge has drifted, is a new one or fails controls that it passed, or it "
    "cannot be decided.",
)
@options.as_json
@options.quiet
@click.pass_context
def command(ctx: click.Context, /, run: Path, **given: Any) -> None:  # noqa: ANN401 - click's values
    """Judge anchors of a finished pass again, blind, and say whether the judge has moved.

    The anchors of a pass are always the same answers; its planted controls, where it has
    any, are judged again too. Their later marks count towards no
    rating. A changed model string or fingerprint is a new judge. With --bridge another
    judge or rubric is measured on them: nothing is shifted or merged.
    """  # fmt: skip
    _check_words(given)
    choices = choices_of(run, given)
    if given["bridge"]:
        _bridge(ctx, choices, given)
    else:
        _drift(ctx, choices, given)


def _check_words(given: dict[str, Any]) -> None:
    """Refuse options that the other kind of check has no use for."""
    for name, option in (("rubric", "--rubric"), ("fresh", "--fresh")):
        if given[name] and not given["bridge"]:
            raise click.UsageError(f"{option} goes with --bridge: drift is under the same rubric")
    if given["bridge"] and given["require_no_drift"]:
        raise click.UsageError("--require-no-drift does not go with --bridge, which is no drift")


def _drift(ctx: click.Context, choices: Choices, given: dict[str, Any]) -> None:
    # Imported here: a wrong word does not wait for the database.
    from judgebench.pipeline.drift.drifting import check_drift  # noqa: PLC0415 - as said
    from judgebench.reports import drifting as drift_report  # noqa: PLC0415 - as said

    found = _judged_again(check_drift, choices, given)
    if found.drift is not None and given["as_json"]:
        machine.write(json_report.document(found.drift))
    elif found.drift is not None:
        click.echo(drift_report.render(found.drift), nl=False)
    _ended(ctx, found.sent, found.open, dry=choices.dry_run)
    if given["require_no_drift"] and not choices.dry_run:
        check_drifted(found.drift)


def _bridge(ctx: click.Context, choices: Choices, given: dict[str, Any]) -> None:
    # As above.
    from judgebench.pipeline.drift.bridging import build_bridge  # noqa: PLC0415
    from judgebench.reports import bridging  # noqa: PLC0415

    found = _judged_again(build_bridge, choices, given)
    if found.bridge is not None and found.reports is not None:
        if given["as_json"]:
            machine.write(json_report.document(found.bridge))
        else:
            click.echo(bridging.render(found.bridge), nl=False)
        path = bridging.write_bridge(found.bridge, found.reports)
        if not given["quiet"]:
            click.echo(printable(f"bridge: {shown_path(path)}"), err=True)
    _ended(ctx, found.sent, found.open, dry=choices.dry_run)


def _judged_again(check: Callable[..., _Found], choices: Choices, given: dict[str, Any]) -> _Found:
    quiet = given["quiet"]
    with Line(quiet=quiet) as line:
        return check(
            choices, world(quiet=quiet), line.show,
            baseline=given["baseline"], anchors=given["anchors"],
        )  # fmt: skip


def _ended(ctx: click.Context, sent: "SendReport | None", left: int, *, dry: bool) -> None:
    """What a dry run would send; what stopped the sending."""
    if dry:
        click.echo(f"{plural(left, 'request')} to send (nothing was sent)")
    if sent and sent.interrupted:
        click.echo(f"judge: {printable(sent.stopped or 'interrupted')}", err=True)
        ctx.exit(ExitCode.INTERRUPTED)
    if sent and sent.error:
        raise sent.error


def check_drifted(found: Drift | None) -> None:
    """Hold a check against --require-no-drift.

    Raises:
        GateError: The judge has drifted, is a new one or fails a kind of control that it
            passed in the pass, or it cannot be decided.
    """
    if found is None or found.verdict == "undecided":
        raise GateError(
            "--require-no-drift cannot be decided: too few anchors for an interval (--anchors N)"
        )
    if found.verdict != "no_drift":
        from judgebench.reports.drifting import verdict  # noqa: PLC0415 - as above

        raise GateError(f"--require-no-drift: {verdict(found)}")
    controls = found.controls
    if controls is None:
        return
    if controls.failed:
        from judgebench.reports.drifting import unlearned  # noqa: PLC0415 - as above

        raise GateError(f"--require-no-drift: {unlearned(controls)}")
    if controls.then.decided and not controls.now.decided:
        raise GateError(
            "--require-no-drift cannot be decided: no planted control is decided in this check"
        )
