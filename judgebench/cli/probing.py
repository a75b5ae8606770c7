"""`--probe-blindness` of `judge score`: ask, say what came of it, keep it beside the report."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from judgebench.cli import printing
from judgebench.cli.run_score import page_of, world
from judgebench.model.blindness import Blindness
from judgebench.pipeline.setting.choices import Choices
from judgebench.pipeline.setting.scene import open_scene
from judgebench.reports import blindness
from judgebench.reports import json as json_report
from judgebench.reports.write import write_files

if TYPE_CHECKING:
    from judgebench.pipeline.scoring.score import Outcome


def check_probes(choices: Choices, judges: Sequence[str | None], *, wanted: bool) -> None:
    """Refuse a probe that cannot be made, before anything is sent."""
    if not wanted:
        return
    from judgebench.pipeline.scoring.probing import check_askable  # noqa: PLC0415 - rarely wanted

    here = world()
    scene = open_scene(choices.where, choices.rubric, here)
    for name in judges:
        check_askable(replace(choices, judge=name), scene, here)


def probe_pass(choices: Choices, outcome: "Outcome", *, no_html: bool) -> Blindness:
    """Make the probe of one pass; its words go to stderr, its figures into the report."""
    from judgebench.pipeline.scoring.probing import probe_blindness  # noqa: PLC0415 - as above

    found, result = probe_blindness(choices, world(), outcome)
    write_files({blindness.FILE: json_report.document(found).encode()}, outcome.reports)
    if result != outcome.result:
        page = None if no_html else page_of(result, outcome)
        printing.write_files(result, outcome.reports, page=page)
    click.echo(blindness.render(found), nl=False, err=True)
    return found
