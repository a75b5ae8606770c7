"""`judge calibrate`: may the judge stand in for people, and what would they have said?"""

import shlex
from pathlib import Path
from typing import Any

import click

from judgebench.cli import machine, options
from judgebench.cli.run_score import world
from judgebench.pipeline.people.against_people import AgainstChoices
from judgebench.pipeline.people.calibrate import CalibrateChoices, calibrate
from judgebench.pipeline.people.giving import TakenIn
from judgebench.pipeline.people.mark_files import Withdrawn
from judgebench.reports import json as json_report
from judgebench.reports import people as people_report
from judgebench.reports.people_page import write_people
from judgebench.runs.importers.human_sheet import NOBODY, Blind, SheetChoices
from judgebench.text import one_line, plural, printable


@click.command("calibrate")
@options.run
@click.option(
    "--human",
    "file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Marks by people: CSV, TSV, XLSX or JSONL. Without it: those that are stored.",
)
@click.option(
    "--map",
    "columns",
    metavar="item=COL,arm=COL",
    help="Columns: item, arm, rater, criterion, mark, arm_a, arm_b, preference.",
)
@click.option("--raters", metavar="COL,COL", help="Columns that hold one person's marks each.")
@click.option(
    "--scale",
    metavar="LOW-HIGH",
    help="The scale of people, where it is not the rubric's, as in 1-5.",
)
@click.option(
    "--blind",
    type=click.Choice([one.value for one in Blind]),
    default=Blind.UNKNOWN.value,
    show_default=True,
    help="Did people not see which arm an answer came from?",
)
@click.option("--pseudonyms", is_flag=True, help="Keep people under other names than their own.")
@click.option("--slots", is_flag=True, help="Raters are places in the file, not persons.")
@click.option("--skip-unmatched", is_flag=True, help="Leave out rows that match nothing.")
@click.option(
    "--labels",
    "sampling",
    type=click.Choice(["random", "unknown"]),
    default="unknown",
    show_default=True,
    help="Were the marked items drawn at random, other than by judge sample?",
)
@click.option(
    "--epsilon",
    type=options.Number(0, 1, max_open=True),
    default=0.15,
    show_default=True,
    help="What a judge's lower cost makes up for: 0.2 for experts, 0.1 for a crowd.",
)
@click.option("--people", metavar="NAME,NAME", help="Only these people; * stands for any signs.")
@click.option("--items", metavar="NAME,NAME", help="Only these items; * stands for any signs.")
@click.option(
    "--independent",
    is_flag=True,
    help="Take marks on one item as independent, as the test's authors do.",
)
@click.option(
    "--tune",
    type=options.Number(0, 1, min_open=True, max_open=True),
    metavar="SHARE",
    help="Set this share of the items apart for tuning the rubric; once.",
)
@click.option(
    "--replaces",
    metavar="FILE",
    help="The file of marks whose place --human takes, by its name or hash.",
)
@click.option(
    "--withdraw",
    metavar="FILE",
    help="Take the marks of this file back; they are kept and count nowhere.",
)
@options.pass_id
@options.as_json
def command(run: Path, *, as_json: bool, **given: Any) -> None:  # noqa: ANN401
    """Hold the judge of RUN against people. Sends nothing.

    People alone come first, then the judge beside them, then what people would
    have said of all items. A file is taken in whole or not at all.
    """  # fmt: skip
    if given["replaces"] is not None and given["file"] is None:
        raise click.UsageError("--replaces needs --human FILE, which takes its place")
    done = calibrate(
        run,
        CalibrateChoices(
            pass_id=given["pass_id"],
            file=given["file"],
            sheet=SheetChoices(
                columns=options.pairs(given["columns"]),
                raters=options.names(given["raters"]),
                scale=given["scale"],
                pseudonyms=given["pseudonyms"],
                slots=given["slots"],
                skip_unmatched=given["skip_unmatched"],
            ),
            blind=Blind(given["blind"]),
            against=AgainstChoices(
                epsilon=given["epsilon"],
                random=given["sampling"] == "random",
                people=options.names(given["people"]),
                items=options.names(given["items"]),
                independent=given["independent"],
                slots=given["slots"],
            ),
            tune=given["tune"],
            replaces=given["replaces"],
            withdraw=given["withdraw"],
        ),
        world(),
    )
    if done.withdrawn is not None:
        _say_withdrawn(done.withdrawn)
    if done.taken is not None:
        _say(done.taken)
    if done.folder is not None:
        write_people(done.made, done.folder, run=str(run))
    if as_json:
        machine.write(json_report.document(done.made))
        return
    named = given["pass_id"]
    typed = [] if named is None else [f"--pass {shlex.quote(named)}"]
    click.echo(people_report.render(done.made, run=str(run), typed=typed), nl=False)


def _say_withdrawn(gone: Withdrawn) -> None:
    """What was taken back, on stderr."""
    words = f"{plural(gone.marks, 'mark')} of {one_line(gone.name, 60)} taken back"
    if gone.stay:
        words += f"; {gone.stay:,} of them stand in another file too and stay"
    click.echo(printable(words), err=True)


def _say(taken: TakenIn) -> None:
    """What was taken in, on stderr."""
    file = taken.file
    name = one_line(file.name, 60)
    if taken.known:
        changed = "nothing changed" if taken.told is None else f"now noted: blind {taken.told}"
        click.echo(printable(f"{name} was taken in before: {changed}"), err=True)
        return
    if taken.replaced is not None:
        _say_withdrawn(taken.replaced)
    words = [f"{plural(taken.added, 'mark')} taken in from {name}"]
    if file.raters == (NOBODY,):
        words.append(f"no column names anybody: all are of one person, {NOBODY}")
    words += [f"{plural(file.blanks, 'cell')} without a mark"] * bool(file.blanks)
    words += [f"{plural(file.doubles, 'row')} that say the same twice"] * bool(file.doubles)
    words += [
        f"{plural(len(file.skipped), 'row that matches', 'rows that match')} nothing left out"
    ] * bool(file.skipped)
    if file.ignored:
        words.append(f"columns not read: {one_line(', '.join(file.ignored), 60)}")
    click.echo(printable("; ".join((*words, *file.notes))), err=True)
