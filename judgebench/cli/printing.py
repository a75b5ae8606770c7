"""A result on the screen and in files; nothing here judges."""

import json
import os
import shlex
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import click

from judgebench.cli import machine
from judgebench.model.item_totals import ItemTotals
from judgebench.model.passes import Passes
from judgebench.model.result import Result
from judgebench.pipeline.setting.places import rubric_at_hand
from judgebench.records import dataclass
from judgebench.reports import json as json_report
from judgebench.reports import lists, terminal
from judgebench.runs.workspace import Workspace

NOTHING: Mapping[str, str] = MappingProxyType({})
RUBRIC = "--rubric"
WRITTEN = ("report.md", "ratings.csv", "ratings.parquet", "result.json")


def show(
    result: Result,
    *,
    as_json: bool,
    run: Path,
    view: str = "default",
    given: Mapping[str, str] = NOTHING,
    rest: str = "",
    lead: str = "",
) -> None:
    """Print a result: the table, or with --json the whole of it.

    Args:
        result: What is known.
        as_json: The whole of it instead of a table.
        run: The run as it was typed.
        view: Which table.
        given: Options as `options.typed` makes them, for the next command.
        rest: The command that writes down what the table has no room for, as `unwritten` has it.
        lead: What stands before the table, as `terminal.render` has it.
    """
    if as_json:
        machine.write(json_report.render(result))
        return
    color = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    width = terminal_width()
    rubric = result.judging.rubric_name
    if RUBRIC not in given and not rubric_at_hand(rubric, run, Path.cwd()):
        given = {**given, RUBRIC: f"{RUBRIC} FILE"}
    text = terminal.render(
        result, width=width, color=color, view=view, run=str(run), given=given, rest=rest,
        lead=lead,
    )  # fmt: skip
    click.echo(text, nl=False)


def unwritten(result: Result, folder: Path, *, run: Path, words: str = "") -> str:
    """The command that writes report.md; empty where one stands that has these warnings.

    Args:
        result: What is shown.
        folder: Where its reports are.
        run: The run as it was typed.
        words: Options that name the pass, as they were typed, each behind a blank.
    """
    command = f"judge report {shlex.quote(str(run))}{words}"
    if not (folder / WRITTEN[0]).is_file():
        return command
    try:
        kept = json.loads((folder / "result.json").read_text(encoding="utf-8"))["warnings"]
        told = [(one["code"], one["facts"]) for one in kept]
    except (OSError, ValueError, KeyError, TypeError):
        return command
    return "" if all((one.code, one.facts) in told for one in result.warnings) else command


def show_items(items: ItemTotals, *, as_json: bool) -> None:
    """Print totals item by item, or with --json as one document."""
    if as_json:
        machine.write(json_report.document(items))
        return
    width = max(40, _columns()) if sys.stdout.isatty() else 80
    click.echo(lists.render_items(items, width=width), nl=False)


def show_passes(passes: Passes, *, as_json: bool) -> None:
    """Print every pass on a run, or with --json as one document."""
    if as_json:
        machine.write(json_report.document(passes))
        return
    click.echo(lists.render_passes(passes, width=terminal_width()), nl=False)


def terminal_width(most: int = 80) -> int:
    """Columns of a page that is to be read: `most`, or fewer on a narrow terminal."""
    return max(40, min(most, _columns())) if sys.stdout.isatty() else most


def _columns() -> int:
    import shutil  # noqa: PLC0415 - only on a terminal

    return shutil.get_terminal_size().columns


@dataclass(frozen=True, kw_only=True)
class Page:
    """Where report.html takes cells and answers from."""

    workspace: Workspace
    run_key: str

    @property
    def typed(self) -> str:
        """The run as it is typed where the workspace is: the same page on any machine."""
        inside = Path("runs") / self.run_key
        return str(inside) if (self.workspace.root / inside).exists() else self.run_key


def write_files(
    result: Result, folder: Path, *, page: bytes | None, quiet: bool = False
) -> list[Path]:
    """Write report.md, result.json, ratings.csv, ratings.parquet and, if given, report.html.

    Files of an earlier extended report do not fit the new figures: they go, which is said.
    """
    # Imported here: a second start writes nothing.
    from judgebench.reports import csv as csv_report  # noqa: PLC0415
    from judgebench.reports.write import SOMETIMES, write_reports  # noqa: PLC0415
    from judgebench.store.files import export_parquet  # noqa: PLC0415

    columns = csv_report.columns(result)
    extra = {} if page is None else {"report.html": page}
    if result.extended is not None:
        extra["pairs.csv"] = csv_report.render_pairs(result).encode()
        if result.comparing is None:
            extra["criteria.csv"] = csv_report.render_criteria(result).encode()
    if result.audit is not None:
        extra["findings.csv"] = csv_report.render_findings(result).encode()
    with tempfile.TemporaryDirectory(prefix="judge-parquet-") as made:
        path = Path(made) / "ratings.parquet"
        export_parquet({one.name: one.values for one in columns}, path)
        before = [name for name in SOMETIMES if (folder / name).is_file()]
        written = write_reports(result, folder, {**extra, "ratings.parquet": path.read_bytes()})
    gone = [name for name in before if not (folder / name).exists()]
    if gone and not quiet:
        extended = result.extended is None and "findings.csv" not in gone
        again = "; --extended writes such files" if extended else ""
        click.echo(f"{' and '.join(gone)} of an earlier report removed{again}", err=True)
    return written


def render_page(result: Result, page: Page) -> bytes:
    """The page of one pass or of a panel, with answers from the store."""
    # Templates take time to load, which --no-html and all other commands do not pay.
    from judgebench.pipeline.pages.exhibits import open_exhibits  # noqa: PLC0415 - as said
    from judgebench.reports import html  # noqa: PLC0415

    database = page.workspace.database
    passes = [one.id for one in result.panel or (result.judging,)]
    # In a panel those on which its judges split are to be read first.
    splits = result.agreement.splits if result.agreement else ()
    first = [(one.arm, one.item) for one in splits]
    with open_exhibits(database, page.run_key, passes=passes, first=first) as found:
        return html.render(result, found, run=page.typed)


def shown_path(path: Path) -> str:
    """A path as short as it can be from here."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
