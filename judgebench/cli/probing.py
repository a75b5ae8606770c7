"""`--probe-blindness` of `judge score`: ask, say what came of it, keep it beside the report."""

from typing import TYPE_CHECKING

import click

from judgebench.pipeline.choices import Choices
from judgebench.pipeline.scene import Scene, World
from judgebench.reports import blindness
from judgebench.reports import json as json_report
from judgebench.reports.write import write_files

if TYPE_CHECKING:
    from judgebench.pipeline.score import Outcome


def check(choices: Choices, scene: Scene, world: World) -> None:
    """Refuse a probe that cannot be made, before anything is sent."""
    from judgebench.pipeline.probing import check_askable  # noqa: PLC0415 - rarely wanted

    check_askable(choices, scene, world)


def probe(choices: Choices, world: World, outcome: "Outcome") -> None:
    """Make the probe; its words go to stderr, its figures into the report folder."""
    from judgebench.pipeline.probing import probe_blindness  # noqa: PLC0415 - as above

    found = probe_blindness(choices, world, outcome)
    write_files({blindness.FILE: json_report.document(found).encode()}, outcome.reports)
    click.echo(blindness.render(found), nl=False, err=True)
