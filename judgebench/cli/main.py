"""The group, and the one place where an error becomes a line and an exit code.

Commands are imported when they are called: `judge --version` and `judge --help`
load nothing but click.
"""

import errno
import gc
import importlib
import io
import os
import shutil
import sys
from typing import Any

import click

from judgebench.cli.start import version_line
from judgebench.errors import ExitCode, JudgebenchError
from judgebench.text import folded, printable

# name -> (section, module, one line of help); the order is the order shown.
COMMANDS: dict[str, tuple[str, str, str]] = {
    "check": ("Every day", "check", "What would be blocked and why, the plan, its price."),
    "score": ("Every day", "score", "Check, judge blind, store, print the table; resumes."),
    "table": ("Every day", "table", "The rating table from the store; no calls."),
    "report": ("Every day", "report", "Write the report files again from the store; no calls."),
    "rejudge": ("Every day", "rejudge", "A fresh blind pass by another judge: does it hold?"),
    "agree": ("Every day", "agree", "How far the passes on a run agree; no calls."),
    "compare": ("Every day", "compare", "How the outputs differ in kind, and which to take."),
    "show": ("Every day", "show", "One judgment: request, reply, marks, quotes in place."),
    "verify": ("Every day", "verify", "A stored run or published table recomputed; no calls."),
    "drift": ("The judge", "drift", "Does the judge of a pass still mark as it did?"),
    "card": ("The judge", "card", "One page for one judge under one rubric, all passes."),
    "biases": ("The judge", "biases", "What goes with its marks: order, length, style, family."),
    "calibrate": ("With people", "calibrate", "The judge against people; corrected figures."),
    "sample": ("With people", "sample", "Draw items for people to mark, and say what they buy."),
    "label": ("With people", "label", "A page on which people mark answers, blind."),
    "import": ("Bring in", "import_", "A run from another tool's file, or from marks."),
    "init": ("Bring in", "init", "A workspace, or run.yaml over files as they lie."),
    "power": ("The rest", "power", "How many items a wished-for difference would take."),
    "batch": ("The rest", "batch", "The same plan through files or a batch endpoint."),
    "rubric": ("The rest", "rubric", "List, lint, compare rubrics; tune one by marks of people."),
    "judges": ("The rest", "judges", "List judges and ask one for a sign of life."),
    "schema": ("The rest", "schema", "JSON Schemas of run.yaml, rubrics and judges.toml."),
    "explain": (
        "The rest",
        "explain",
        "A page of the documentation, as it came with this version.",
    ),
}

_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}

EXIT_CODES = """\
Exit codes: 0 done; 1 a gate failed or could not be decided; 2 usage or input;
3 more judge failures than allowed; 4 a hash or figure differs; 5 stopped by a
budget or the provider's window, resumable; 130 interrupted, resumable."""


ELSEWHERE = {
    "export": "batch export (requests), table --json (figures) or report (files)",
    "run": "score",
    "list": "table --passes, rubric list or judges",
}
"""Words that other tools have for a command."""


class Commands(click.Group):
    """A group that imports a command when it is called and reports errors in one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the help page."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command and return the command in it."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        return _loaded(f"judgebench.cli.{COMMANDS[cmd_name][1]}")

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by section without importing any."""
        del ctx
        sections: dict[str, list[tuple[str, str]]] = {}
        for name, (section, _, text) in COMMANDS.items():
            sections.setdefault(section, []).append((name, text))
        for section, rows in sections.items():
            with formatter.section(section):
                formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest command where one is misspelt."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as exc:
            import difflib  # noqa: PLC0415 - only on this path

            near = difflib.get_close_matches(args[0], list(COMMANDS), n=1)
            meant = ELSEWHERE.get(args[0]) or next(iter(near), "")
            if meant:
                raise click.UsageError(f"{exc.message} Did you mean {meant}?", ctx) from None
            raise


def _loaded(name: str) -> click.Command:
    """The command of a module. What loads stays, so nobody looks for garbage meanwhile."""
    collects = gc.isenabled()
    gc.disable()
    try:
        command: click.Command = importlib.import_module(name).command
    finally:
        if collects:
            gc.enable()
    return command


def _print_version(ctx: click.Context, _param: click.Parameter, value: Any) -> None:  # noqa: ANN401
    if value and not ctx.resilient_parsing:
        click.echo(version_line())
        ctx.exit()


@click.group(cls=Commands, epilog=EXIT_CODES, context_settings={"max_content_width": 96})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version,
    help="Show the version and leave.",
)  # fmt: skip
def cli() -> None:
    """Rate the answers of several models to one prompt, blind, and say how far to trust it."""


def main() -> None:
    """Run the command line; every error of the user's becomes one line on stderr."""
    # Before NumPy loads: several threads wait for each other longer than these products
    # take, and how many there are would show in the last digit.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _soften()
    try:
        code = cli.main(standalone_mode=False)
    except UnicodeEncodeError as exc:
        code = _say(
            f"this locale ({exc.encoding}) cannot name a file with {exc.object[exc.start]!a}; "
            "set PYTHONUTF8=1 or a UTF-8 locale",
            ExitCode.USAGE,
        )
    except JudgebenchError as exc:
        code = _say(str(exc), exc.exit_code)
    except click.exceptions.Abort:
        code = _say("interrupted; the same command goes on from here", ExitCode.INTERRUPTED)
    except click.exceptions.NoArgsIsHelpError as exc:
        # A group alone: its help as it stands, which is no fault to be folded into a line.
        click.echo(exc.format_message(), err=True)
        code = int(ExitCode.USAGE)
    except click.ClickException as exc:
        # Where there are choices, click puts each on a line of its own.
        code = _say(" ".join(exc.format_message().split()), ExitCode.USAGE)
    except BrokenPipeError:
        # The reader of a pipe has enough: not a fault, and nothing may be printed now.
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
        code = 0
    except OSError as exc:
        if exc.errno not in _NO_ROOM:
            raise
        where = f"{exc.filename}: " if exc.filename else ""
        code = _say(f"{where}{exc.strerror}; make room, then start again", ExitCode.USAGE)
    sys.exit(int(code) if isinstance(code, int) else 0)


def _soften() -> None:
    """Where a terminal knows fewer signs than a text has, it gets their numbers."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")


def _say(message: str, code: ExitCode) -> int:
    line = f"judge: {printable(message)}"
    if sys.stderr.isatty():
        # A reader gets whole words; a log keeps its one line.
        line = folded(line, shutil.get_terminal_size().columns)
    click.echo(line, err=True)
    return int(code)
