"""`judge rubric`: list, lint and compare rubrics, and tune one by marks of people."""

from pathlib import Path

import click

from judgebench.cli import machine, options, tune
from judgebench.cli.printing import shown_path, terminal_width
from judgebench.errors import ExitCode, RubricError
from judgebench.model.versions import short_hash
from judgebench.pipeline.tuning.versions import diff_versions, find_version, kept_versions
from judgebench.reports import json as json_report
from judgebench.reports import rubric_diff as diff_report
from judgebench.reports import rubric_list as list_report
from judgebench.reports.rubric_list import Listed, Stored
from judgebench.rubrics import lint as rules
from judgebench.rubrics import load
from judgebench.runs.workspace import Workspace, find_workspace
from judgebench.text import printable

_WIDEST = 100
"""Columns of a list of files on a wide terminal."""


def _workspace() -> Workspace:
    return find_workspace(Path(), cwd=Path.cwd())


def _folders() -> list[Path]:
    found = _workspace().rubrics
    return [found] if found else []


@click.group("rubric")
def command() -> None:
    """List, lint, compare and tune rubrics."""


@command.command("list")
@click.option("--stored", is_flag=True, help="The versions that were scored with, by their hash.")
def list_(*, stored: bool) -> None:
    """Say which rubrics there are and where they stand."""
    if stored:
        _list_stored()
        return
    listed, faults = [], []
    for name, path in load.list_rubrics(_folders()).items():
        try:
            listed.append(_listed(name, path))
        except RubricError as exc:
            faults.append(exc)
            listed.append(
                Listed(
                    name=name, version="-", form="-", criteria=(), file=_file(path),
                    fault="cannot be used",
                )
            )  # fmt: skip
    click.echo(list_report.render(listed, width=terminal_width(_WIDEST)), nl=False)
    if faults:
        raise faults[0]


def _listed(name: str, path: Path) -> Listed:
    rubric = load.load_rubric(path)
    return Listed(
        name=name, version=rubric.version, form="faults" if rubric.deductions else "marks",
        criteria=tuple(criterion.id for criterion in rubric.criteria), file=_file(path),
    )  # fmt: skip


def _file(path: Path) -> str:
    return "(packaged)" if path.is_relative_to(load.packaged_rubrics()) else shown_path(path)


def _list_stored() -> None:
    kept = [
        Stored(
            name=one.name, version=one.version, passes=one.passes,
            hashes=short_hash(one.ask_sha256, one.sum_sha256),
        )
        for one in kept_versions(_workspace())
    ]  # fmt: skip
    click.echo(list_report.render_stored(kept, width=terminal_width(_WIDEST)), nl=False)


@command.command("show")
@click.argument("named", metavar="NAME|FILE|HASH")
def show(named: str) -> None:
    """Print a rubric whole, also a version that only the database keeps."""
    click.echo(printable(find_version(named, _workspace()).source, keep_newlines=True), nl=False)


@command.command("diff")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@options.as_json
def diff(old: str, new: str, *, as_json: bool) -> None:
    """Say what changed from OLD to NEW, and which stored marks stay comparable.

    Either is a name, a file, or the beginning of a hash (judge rubric list --stored).
    """
    found = diff_versions(old, new, _workspace())
    if as_json:
        machine.write(json_report.document(found))
        return
    click.echo(diff_report.render(found), nl=False)


@command.command("lint")
@click.argument("names", nargs=-1, required=True, metavar="NAME|FILE...")
@options.overlay
@click.pass_context
def lint(ctx: click.Context, names: tuple[str, ...], overlay: Path | None) -> None:
    """Check rubrics: faults end with exit 2, unwise choices are listed and end with exit 1."""
    unwise = 0
    for name in names:
        rubric = load.load_rubric(load.find_rubric(name, folders=_folders()), overlay=overlay)
        hints = rules.lint(rubric)
        unwise += len(hints)
        state = "good" if not hints else f"legal, {len(hints)} to look at"
        click.echo(printable(f"{name}: {state}"))
        for hint in hints:
            click.echo(printable(f"  {hint}"))
    ctx.exit(ExitCode.GATE if unwise else ExitCode.DONE)


command.add_command(tune.command)
