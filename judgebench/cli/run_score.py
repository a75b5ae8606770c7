"""From the options of `judge score` to what stands on the screen."""

import os
import shlex
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from judgebench.cli import machine, options
from judgebench.cli.progress import Line
from judgebench.errors import ExitCode, GateError, StoreError
from judgebench.model import Blinding, Estimate, ItemTotals, Mode, Result
from judgebench.pipeline.choices import Choices, Reading, Where
from judgebench.pipeline.estimate import Estimated
from judgebench.pipeline.scene import World
from judgebench.pipeline.score import Outcome, score
from judgebench.reports import json as json_report
from judgebench.reports import terminal
from judgebench.runs.workspace import Workspace
from judgebench.text import printable

WRITTEN = ("report.md", "ratings.csv", "ratings.parquet", "result.json")


def world(*, quiet: bool = False) -> World:
    """Clock, environment and ears of this process."""

    def say(words: str) -> None:
        if not quiet:
            click.echo(printable(words), err=True)

    return World(env=os.environ, cwd=Path.cwd(), now=lambda: datetime.now(UTC), say=say)


def choices_of(run: Path, given: Mapping[str, Any]) -> Choices:
    """The user's options as choices."""
    return Choices(
        where=where_of(run, given),
        rubric=given["rubric"],
        judge=given["judge"],
        mode=Mode(given["mode"]) if given["mode"] else None,
        repeats=given["repeats"],
        seed=given["seed"],
        blinding=Blinding(given["blind"]),
        split_criteria=given["split_criteria"],
        controls=given["controls"],
        reading=Reading(
            empty_as_minimum=given["empty_as"] == "minimum",
            accept_cut=given["accept_cut"],
            block_cut=given["block_cut"],
            require_quotes=given["require_quotes"],
        ),
        retry_blocked=given["retry_blocked"],
        concurrency=given["concurrency"],
        timeout_s=given["timeout_s"],
        budget_usd=given["budget_usd"],
        max_requests=given["max_requests"],
        max_judge_failures=given["max_judge_failures"],
        fail_under=given["fail_under"],
        require_controls=given["require_controls"],
        dry_run=given["dry_run"],
    )


def where_of(run: Path, given: Mapping[str, Any]) -> Where:
    """Which run, and how its folder is to be read."""
    return Where(
        run=run,
        arms=options.names(given["arms"]),
        prompt=given["prompt"],
        no_prompt=given["no_prompt"],
        columns=options.pairs(given["columns"]),
    )


def score_and_print(run: Path, given: Mapping[str, Any]) -> ExitCode:
    """Score, print, write the reports; the error that ended the pass is raised last."""
    quiet = given["quiet"]
    choices = choices_of(run, given)
    with Line(quiet=quiet) as line:
        outcome = score(choices, world(quiet=quiet), line.show, recall)
    if outcome.result is None:
        _print_plan(outcome)
        return ExitCode.DONE
    show(outcome.result, as_json=given["as_json"], run=run)
    wanted = WRITTEN if given["no_html"] else (*WRITTEN, "report.html")
    unchanged = outcome.recalled and all((outcome.reports / name).is_file() for name in wanted)
    if not unchanged:
        page = None if given["no_html"] else page_of(outcome.result, outcome)
        write_files(outcome.result, outcome.reports, page=page)
    if not quiet:
        doubt = outcome.result.counts.calls_in_doubt
        if doubt:
            click.echo(
                f"calls in doubt: {doubt} (sent and cut off by a kill or a lost connection,"
                " asked again where no answer is stored, perhaps paid twice)",
                err=True,
            )
        click.echo(printable(f"report: {shown_path(outcome.reports / WRITTEN[0])}"), err=True)
    if outcome.sent and outcome.sent.interrupted:
        click.echo(f"judge: {printable(outcome.sent.stopped or 'interrupted')}", err=True)
        return ExitCode.INTERRUPTED
    if outcome.error:
        raise outcome.error
    check_gate(outcome.result, choices.fail_under)
    if choices.require_controls:
        check_controls(outcome.result)
    return ExitCode.DONE


def show(result: Result, *, as_json: bool, run: Path, view: str = "default") -> None:
    """Print a result: the table, or with --json the whole of it."""
    if as_json:
        machine.write(json_report.render(result))
        return
    color = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    width = max(40, min(80, _columns())) if sys.stdout.isatty() else 80
    text = terminal.render(result, width=width, color=color, view=view, run=shlex.quote(str(run)))
    click.echo(text, nl=False)


def show_items(items: ItemTotals, *, as_json: bool) -> None:
    """Print totals item by item, or with --json as one document."""
    if as_json:
        machine.write(json_report.document(items))
        return
    width = max(40, _columns()) if sys.stdout.isatty() else 80
    click.echo(terminal.render_items(items, width=width), nl=False)


def _columns() -> int:
    import shutil  # noqa: PLC0415 - only on a terminal

    return shutil.get_terminal_size().columns


def recall(folder: Path) -> Result | None:
    """The result that a report folder keeps; None where there is none that can be read."""
    try:
        return json_report.load_result((folder / "result.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, StoreError):
        return None


@dataclass(frozen=True, kw_only=True)
class Page:
    """Where report.html takes cells and answers from."""

    workspace: Workspace
    run_key: str


def write_files(result: Result, folder: Path, *, page: bytes | None) -> list[Path]:
    """Write report.md, result.json, ratings.csv, ratings.parquet and, if given, report.html."""
    # Imported here: a second start writes nothing.
    from judgebench.reports import csv as csv_report  # noqa: PLC0415
    from judgebench.reports.write import write_reports  # noqa: PLC0415
    from judgebench.store.files import export_parquet  # noqa: PLC0415

    columns = csv_report.columns(result)
    extra = {} if page is None else {"report.html": page}
    with tempfile.TemporaryDirectory(prefix="judge-parquet-") as made:
        path = Path(made) / "ratings.parquet"
        export_parquet({one.name: one.values for one in columns}, path)
        return write_reports(result, folder, {**extra, "ratings.parquet": path.read_bytes()})


def page_of(result: Result, outcome: Outcome) -> bytes | None:
    """The page of what was just judged; where the store is held by now, say so and go on."""
    scene = outcome.scene
    try:
        return render_page(result, Page(workspace=scene.workspace, run_key=scene.run_key))
    except StoreError as exc:
        click.echo(printable(f"report.html is not written: {exc}; judge report does it"), err=True)
        return None


def render_page(result: Result, page: Page) -> bytes:
    """The page of one pass, with answers from the store."""
    # Templates take time to load, which --no-html and all other commands do not pay.
    from judgebench.pipeline.exhibits import open_exhibits  # noqa: PLC0415 - as said
    from judgebench.reports import html  # noqa: PLC0415

    database = page.workspace.database
    with open_exhibits(database, page.run_key, pass_id=result.judging.id) as found:
        return html.render(result, found, run=_typed(page)).encode()


def _typed(page: Page) -> str:
    """The run as it is typed where the workspace is: the same page on any machine."""
    inside = Path("runs") / page.run_key
    return str(inside) if (page.workspace.root / inside).exists() else page.run_key


def shown_path(path: Path) -> str:
    """A path as short as it can be from here."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def _print_plan(outcome: Outcome) -> None:
    found = outcome.estimated
    if found is None:
        return
    cost = "price unknown" if found.cost_usd is None else f"about {found.cost_usd:.2f} USD"
    click.echo(
        f"{found.requests} requests to send{controls_in(found)}: about "
        f"{found.prompt_tokens:,} prompt and {found.completion_tokens:,} reply tokens, {cost} "
        "(estimated; nothing was sent)"
    )


def controls_in(found: Estimated) -> str:
    """How many requests of a plan are of controls, in words."""
    return f" (controls in the plan: {found.controls})" if found.controls else ""


def check_gate(result: Result, fail_under: float | None) -> None:
    """Hold the ratings against --fail-under.

    Raises:
        GateError: Some arm's rating is below it, or is refused.
    """
    if fail_under is None:
        return
    for arm in result.arms:
        if not isinstance(arm.total, Estimate):
            raise GateError(
                f"--fail-under {fail_under:g} cannot be decided for {arm.arm.id}: its rating is "
                f"refused ({arm.total.code}: has {arm.total.have:g}, needs {arm.total.need:g})"
            )
        if arm.total.value < fail_under:
            raise GateError(
                f"{arm.arm.id} is rated {arm.total.value:.2f}, below --fail-under {fail_under:g}"
            )


def check_controls(result: Result) -> None:
    """Hold the judge against --require-controls.

    Raises:
        GateError: It fails a kind of control, or none is decided.
    """
    found = result.controls
    if found is None or not found.decided:
        raise GateError("--require-controls cannot be decided: no planted control is decided")
    failed = [f"{one.kind} ({one.passed} of {one.decided})" for one in found.classes if one.failed]
    if failed:
        raise GateError(f"the judge fails planted controls: {', '.join(failed)}")
