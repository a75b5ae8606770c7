"""`judge check`: fairness, validity, plan and price; spends nothing."""

import dataclasses
import json
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from judgebench.cli import machine, options
from judgebench.cli.printing import terminal_width
from judgebench.cli.run_score import choices_of, world
from judgebench.errors import ExitCode
from judgebench.model.checked import Check
from judgebench.pipeline.setting.scene import open_scene
from judgebench.reports import check as check_report


@click.command("check")
@options.run
@options.rubric
@options.overlay
@options.judge
@options.asking
@options.probe_blindness
@options.taking
@options.as_json
@click.pass_context
def command(ctx: click.Context, /, run: Path, **given: Any) -> None:  # noqa: ANN401 - click's values
    """Say what would be blocked in RUN and why, the settings, the plan and its price.

    Sends nothing and keeps nothing. Exit 1 where no output could be judged.
    """
    choices = choices_of(run, given)
    here = world()
    scene = open_scene(choices.where, choices.rubric, here)
    # Imported here: a run or a rubric that is refused does not wait for the database.
    from judgebench.pipeline.scoring.check import check  # noqa: PLC0415 - as said

    found = check(choices, here, scene=scene)
    if given["as_json"]:
        fields = dataclasses.asdict(found)
        if found.clusters is None:
            del fields["clusters"]
        machine.write(json.dumps(fields, indent=2, ensure_ascii=False))
    else:
        text = check_report.render(
            found, run=str(run), typed=_typed(found, given), width=terminal_width()
        )
        click.echo(text, nl=False)
    judgeable = sum(arm.judgeable for arm in found.arms)
    ctx.exit(ExitCode.DONE if judgeable else ExitCode.GATE)


def _typed(found: Check, given: Mapping[str, Any]) -> str:
    """The options of this check as `judge score` is given them."""
    judge = given["judge"]
    if judge is None and found.judge == "not named" and not found.replay:
        judge = "PROVIDER/MODEL"
    words = [] if judge is None else [f"--judge {shlex.quote(judge)}"]
    words += options.typed(given).values()
    words += ["--probe-blindness"] if given["probe_blindness"] else []
    return "".join(f" {word}" for word in words)
