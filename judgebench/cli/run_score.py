"""From the options of `judge score` to what stands on the screen."""

import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from judgebench.cli import options
from judgebench.cli.printing import WRITTEN, Page, render_page, shown_path, write_files
from judgebench.cli.progress import Line
from judgebench.errors import GateError, PlotError, StoreError
from judgebench.model.nouns import Blinding, Estimate, Mode
from judgebench.model.result import Result
from judgebench.namesakes import apart
from judgebench.pipeline.setting.choices import Choices, Reading, Where
from judgebench.pipeline.setting.scene import World, open_scene
from judgebench.reports import controls
from judgebench.reports import json as json_report
from judgebench.reports.check import from_replies, to_send
from judgebench.reports.digits import fixed
from judgebench.text import folded, one_line, printable

if TYPE_CHECKING:
    from judgebench.model.checked import Estimated
    from judgebench.pipeline.scoring.score import Outcome


def world(*, quiet: bool = False, verbose: bool = False) -> World:
    """Clock, environment and ears of this process."""

    def say(words: str) -> None:
        if not quiet:
            click.echo(folded(printable(words)), err=True)

    def detail(words: str) -> None:
        click.echo(printable(words), err=True)

    return World(
        env=os.environ, cwd=Path.cwd(), now=lambda: datetime.now(UTC), say=say,
        detail=detail if verbose else None,
    )  # fmt: skip


_AS_GIVEN = (
    "rubric", "judge", "repeats", "seed", "split_criteria", "controls", "retry_blocked",
    "concurrency", "timeout_s", "budget_usd", "max_requests", "max_judge_failures", "fail_under",
    "require_controls", "probe_blindness", "dry_run", "fresh",
)  # fmt: skip
"""Choices that are named as their option's value is."""


def choices_of(run: Path, given: Mapping[str, Any]) -> Choices:
    """The options of a command as choices; those that it does not have keep their default."""
    made: dict[str, Any] = {name: given[name] for name in _AS_GIVEN if name in given}
    if given.get("mode"):
        made["mode"] = Mode(given["mode"])
    if given.get("blind"):
        made["blinding"] = Blinding(given["blind"])
    made["tools"] = given.get("tools", "off") == "auto"
    if "empty_as" in given:
        made["reading"] = Reading(
            empty_as_minimum=given["empty_as"] == "minimum",
            accept_cut=given["accept_cut"],
            block_cut=given["block_cut"],
            require_quotes=given["require_quotes"],
        )
    return Choices(where=where_of(run, given), **made)


def where_of(run: Path, given: Mapping[str, Any]) -> Where:
    """Which run, and how its folder is to be read."""
    return Where(
        run=run,
        arms=options.names(given["arms"]),
        prompt=given["prompt"],
        no_prompt=given["no_prompt"],
        columns=options.pairs(given["columns"]),
        overlay=given.get("overlay"),
    )


def run_pass(choices: Choices, *, quiet: bool, verbose: bool = False) -> "Outcome":
    """Judge as far as it goes, with a line of progress or a line a request."""
    here = world(quiet=quiet, verbose=verbose)
    scene = open_scene(choices.where, choices.rubric, here)
    # Imported here: a run or a rubric that is refused does not wait for the database.
    from judgebench.pipeline.scoring.score import score  # noqa: PLC0415 - as said

    with Line(quiet=quiet or verbose) as line:
        return score(choices, here, line.show, recall, scene=scene)


def finish(outcome: "Outcome", result: Result, *, no_html: bool, quiet: bool) -> None:
    """Write the reports of a pass where something has changed, and say where they are."""
    wanted = WRITTEN if no_html else (*WRITTEN, "report.html")
    unchanged = outcome.recalled and all((outcome.reports / name).is_file() for name in wanted)
    if not unchanged:
        page = None if no_html else page_of(result, outcome)
        write_files(result, outcome.reports, page=page, quiet=quiet)
    if quiet:
        return
    doubt = result.counts.calls_in_doubt
    if doubt:
        words = (
            f"calls in doubt: {doubt} (sent and cut off by a kill, a time limit or a lost"
            " connection, asked again where no answer is stored, perhaps paid twice)"
        )
        click.echo(folded(words), err=True)
    html = outcome.reports / "report.html"
    # The page is named by itself only where this start has made it or found it unchanged.
    also = "" if no_html or not html.is_file() else f" and {html.name}"
    first = shown_path(outcome.reports / WRITTEN[0])
    click.echo(printable(f"report: {first}{also}"), err=True)


def interrupted(outcome: "Outcome") -> bool:
    """Whether the user stopped the pass, which is then said."""
    if not (outcome.sent and outcome.sent.interrupted):
        return False
    click.echo(f"judge: {printable(outcome.sent.stopped or 'interrupted')}", err=True)
    return True


def recall(folder: Path) -> Result | None:
    """The result that a report folder keeps; None where there is none that can be read."""
    try:
        return json_report.load_result((folder / "result.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, StoreError):
        return None


def page_of(result: Result, outcome: "Outcome") -> bytes | None:
    """The page of what was just judged; where it cannot be made by now, say so and go on."""
    scene = outcome.scene
    try:
        return render_page(result, Page(workspace=scene.workspace, run_key=scene.run_key))
    except PlotError as exc:
        click.echo(printable(str(exc)), err=True)
        return None
    except StoreError as exc:
        click.echo(printable(f"report.html is not written: {exc}; judge report does it"), err=True)
        return None


def print_plan(outcome: "Outcome") -> None:
    """Say what is left to send, and for how much."""
    if outcome.estimated is None:
        return
    if outcome.standing.row.judging.route == "replay":
        click.echo(f"{from_replies(outcome.estimated)} (nothing was judged)")
        return
    print_requests(outcome.estimated)


def print_requests(found: "Estimated | None") -> None:
    """Say what would be sent, and for how much."""
    click.echo(to_send(found))


def check_gate(result: Result, fail_under: float | None) -> None:
    """Hold the ratings against --fail-under.

    Raises:
        GateError: Ratings are below it, or refused; every arm of them is named.
    """
    if fail_under is None:
        return
    below, refused = [], []
    names = apart((arm.arm.id for arm in result.arms), 40)
    for arm in result.arms:
        name, total = names[arm.arm.id], arm.total
        if not isinstance(total, Estimate):
            refused.append(f"{name} ({total.code}: has {total.have:g}, needs {total.need:g})")
        elif total.value < fail_under:
            below.append(f"{name} ({fixed(total.value, 2)})")
    parts = []
    if below:
        parts.append(f"rated below --fail-under {fail_under:g}: {', '.join(below)}")
    if refused:
        parts.append(
            f"--fail-under {fail_under:g} cannot be decided without a rating: {', '.join(refused)}"
        )
    if parts:
        raise GateError("; ".join(parts))


def check_controls(results: Sequence[Result]) -> None:
    """Hold every judge against --require-controls.

    Args:
        results: One of each judge.

    Raises:
        GateError: One fails a kind of control, or none of its controls is decided.
    """
    several = len(results) > 1
    for result in results:
        name = f" {one_line(result.judging.judge_name, 40)}" if several else ""
        found = result.controls
        if found is None or not found.decided:
            whose = f" of the judge{name}" if several else ""
            raise GateError(
                f"--require-controls cannot be decided: no planted control{whose} is decided"
            )
        failed = [
            f"{controls.words(one.kind)} ({one.counts})" for one in found.classes if one.failed
        ]
        if failed:
            raise GateError(f"the judge{name} fails planted controls: {', '.join(failed)}")
