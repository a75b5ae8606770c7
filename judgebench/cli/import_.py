"""`judge import`: a run folder from another tool's file, or marks given elsewhere."""

import shlex
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from judgebench.cli import options
from judgebench.text import one_line, plural, printable

if TYPE_CHECKING:
    from judgebench.model.clusters import Clusters
    from judgebench.pipeline.marks.kept import Taken

MARKS, SCORES = "marks", "scores"
_OF_SCORES = ("table", "criteria", "tiers", "rubric")
# Option → what the column holds.
_COLUMNS: dict[str, str] = {
    "item": "the item",
    "arm": "the arm",
    "arm-a": "the first arm of a pair (marks: 1 it is better, 0 tie, -1 the other)",
    "arm-b": "the second arm of a pair",
    "pair": "both arms of a pair, as A|B",
    "order": "which of a pair was shown first: AB or 12, BA or 21",
    "criterion": "the criterion",
    "rater": "the rater",
    "rater-kind": "the kind of rater: llm, or human or gold, which both count as people; "
    "or the word human: all raters are people",
    "scoring": "the number of a rater's repeat, where one marks a thing several times",
    "cluster": "the cluster of the item (its document or family), in which items hang together",
    "mark": "the mark; empty or null is blocked as no_verdict",
}
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def _of_marks(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options that belong to marks alone."""
    found: list[Decorator] = [
        click.option(f"--{name}", metavar="COL", help=f"marks: column with {text}.")
        for name, text in _COLUMNS.items()
    ]
    found += [
        click.option("--scale", metavar="LOW-HIGH", help="marks, scores: the scale; marks off "
                     "it are left out and reported, most of them off it are refused. Default: what "
                     "the marks span, of scores what their rules give. Of pairs: the marks of a "
                     "loss and of a win; default: -1..1."),
        click.option("--judge", "judges", metavar="RATER", multiple=True,
                     help="marks: this rater is a model, all others are people (repeatable)."),
        click.option("--keep", metavar="COL=VALUE", multiple=True,
                     help="marks: only rows with this value (repeatable)."),
    ]  # fmt: skip
    for decorate in reversed(found):
        function = decorate(function)
    return function


def _of_scores(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options that belong to published scores alone."""
    found: list[Decorator] = [
        click.option("--table", metavar="NAME", help="scores: which table of several."),
        click.option("--criteria", metavar="A,B", help="scores: columns that make the total."),
        click.option("--tiers", metavar="A=80,B=60", help="scores: the bars of its tiers."),
        click.option("--rubric", metavar="NAME", help="scores: the rubric of deductions followed."),
    ]
    for decorate in reversed(found):
        function = decorate(function)
    return function


@click.command("import")
@click.argument("kind", metavar="KIND")
@click.argument("source", metavar="SOURCE", required=False, type=click.Path(path_type=Path))
@click.option(
    "--to",
    "dest",
    type=click.Path(path_type=Path),
    help="The new run folder; default: runs/<name of SOURCE>.",
)
@click.option(
    "--repeat",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Which repeat of a cell is taken, where the tool has several.",
)
@options.columns
@_of_marks
@_of_scores
def command(kind: str, source: Path | None, *, dest: Path | None, **given: Any) -> None:  # noqa: ANN401
    """Take SOURCE in as a run, all of it or nothing.

    KIND is generic (CSV or JSONL with one output a line; --map names the columns),
    promptfoo (results JSON), llm-coding-benchmark (its folder of results), or marks
    (CSV, JSONL or Parquet with one mark a line) or scores (a published table of totals,
    as judge verify reads it): a run without outputs, for judge table and judge power.
    """  # fmt: skip
    if source is None:
        raise click.UsageError(_lacking(kind))
    target = dest or Path("runs") / source.stem
    of_scores = {name: given.pop(name) for name in _OF_SCORES}
    if kind == SCORES:
        _scores(source, target, of_scores, given)
        return
    if wrong := next((name for name in _OF_SCORES if of_scores[name]), None):
        raise click.UsageError(f"--{wrong} belongs to judge import scores")
    if kind == MARKS:
        _marks(source, target, given)
        return
    if wrong := next((name for name in _names() if given[name]), None):
        option = "judge" if wrong == "judges" else wrong.replace("_", "-")
        raise click.UsageError(f"--{option} belongs to judge import marks")
    from judgebench.runs import importers  # noqa: PLC0415 - not needed for marks

    run = importers.import_run(
        kind, source, dest=target, columns=options.pairs(given["columns"]), repeat=given["repeat"]
    )
    click.echo(
        printable(
            f"{target}: {plural(len(run.arms), 'arm')}, {plural(len(run.items), 'item')}; "
            f"judge check {shlex.quote(str(target))}"
        )
    )
    if not run.has_prompt:
        column = "map its column (--map prompt=COLUMN) or " if kind == "generic" else ""
        click.echo(
            f"no prompt in the file: {column}write items/ITEM/prompt.md; "
            "where there is none, add --no-prompt"
        )


def _lacking(word: str) -> str:
    """What is missing where one word was given."""
    if not Path(word).exists():
        return f"Missing argument 'SOURCE': judge import {one_line(word, 40)} FILE"
    kind = "promptfoo" if word.endswith(".json") else "generic"
    return (
        f"{one_line(word, 60)} has no kind before it: judge import {kind} {shlex.quote(word)} "
        "(judge import --help lists the kinds)"
    )


def _names() -> list[str]:
    return [*(name.replace("-", "_") for name in _COLUMNS), "scale", "judges", "keep"]


def _scores(
    source: Path, target: Path, choices: Mapping[str, Any], given: Mapping[str, Any]
) -> None:
    from judgebench.cli.run_score import world  # noqa: PLC0415 - not needed for outputs
    from judgebench.pipeline.marks.published import import_scores  # noqa: PLC0415 - as said
    from judgebench.pipeline.marks.published_table import TableChoices  # noqa: PLC0415 - as said

    others = [name for name in _names() if name != "scale"]
    if given["columns"] or given["repeat"] != 1 or any(given[name] for name in others):
        options_ = f"--{', --'.join(_OF_SCORES)}, --scale"
        raise click.UsageError(f"judge import scores takes --to, {options_} only")
    taken = import_scores(
        source,
        target,
        TableChoices(
            criteria=options.names(choices["criteria"]),
            tiers=choices["tiers"],
            rubric=choices["rubric"],
        ),
        world(),
        table=choices["table"],
        scale=given["scale"],
    )
    known = "; already there, nothing changed" if taken.known else ""
    sizes = f"{plural(taken.arms, 'arm')}, {_marks_and_scale(taken)}"
    click.echo(printable(f"{target}: {sizes}{known}"))
    if taken.off_scale:
        click.echo(_off_scale(taken))
    click.echo(printable(f"judge table {target} --items"))


def _columns(given: Mapping[str, Any]) -> dict[str, str]:
    """What is in which column of a file of marks."""
    found = {}
    for option in sorted(_COLUMNS):
        name = option.replace("-", "_")
        if given[name] == "":
            raise click.UsageError(f"--{option} names no column; leave it out")
        if given[name] is not None:
            found[name] = given[name]
    return found


def _marks(source: Path, target: Path, given: Mapping[str, Any]) -> None:
    from judgebench.cli.run_score import world  # noqa: PLC0415 - not needed for outputs
    from judgebench.pipeline.marks.taken import MarkChoices, import_marks  # noqa: PLC0415
    from judgebench.pipeline.setting.places import no_workspace  # noqa: PLC0415

    if given["columns"] or given["repeat"] != 1:
        raise click.UsageError("--map and --repeat do not go with judge import marks")
    columns = _columns(given)
    keep = tuple(part.partition("=") for part in given["keep"])
    if bad := next((name for name, sign, _ in keep if not sign or not name), None):
        raise click.UsageError(f"--keep takes COL=VALUE, not {bad!r}")
    kept = [name for name, _, _ in keep]
    if twice := next((name for name in kept if kept.count(name) > 1), None):
        raise click.UsageError(f"--keep asks two values of {twice!r}, and a row has one")
    taken = import_marks(
        source,
        target,
        MarkChoices(
            columns=columns,
            scale=given["scale"],
            judges=tuple(given["judges"]),
            keep=tuple((name, value) for name, _, value in keep),
        ),
        world(),
    )
    if taken.made_in is not None:
        click.echo(printable(no_workspace(taken.made_in)))
    if not (given["judges"] or given["rater_kind"]):
        click.echo("raters are judges; --rater-kind human where they are people")
    elif given["rater_kind"]:
        click.echo("raters of kind human, person or gold count as people, labels too")
    click.echo(
        printable(
            f"{target}: {plural(taken.arms, 'arm')}, {plural(taken.items, 'item')}"
            f"{_clusters(taken.clusters)}, "
            f"{_marks_and_scale(taken)}"
            + ("; already there, nothing changed" if taken.known else "")
        )
    )
    for line in _of_rows(taken):
        click.echo(printable(line))
    for pass_id, rater in taken.passes:
        click.echo(printable(f"  {pass_id}  {rater}"))
    click.echo(printable(f"judge table {target}" + _with_pass(taken.passes)))


def _of_rows(taken: "Taken") -> Iterator[str]:
    """What is to be known of the rows: as what they were read, and what was left out."""
    if not taken.item_named:
        yield _one_item(taken.unread)
    if taken.missing:
        yield f"no mark in {plural(taken.missing, 'row')}: blocked as no_verdict"
    if taken.doubles:
        rows = plural(taken.doubles, "row that adds", "rows that add")
        aside = f" (not read: {one_line(', '.join(taken.unread), 60)})" if taken.unread else ""
        yield f"counted once: {rows} no other mark{aside}"
    if taken.unordered:
        yield (
            f"no order in {plural(taken.unordered, 'row')}: who was shown first counts as unknown "
            "in all comparisons of their raters"
        )
    if taken.outcomes is not None:
        lost, tie, won = (f"{mark:.15g}" for mark in taken.outcomes)
        yield (
            f"read as: {won} the first of the pair won, {tie} a tie, {lost} the second won, "
            "whichever was shown first"
        )
    if taken.off_scale:
        yield _off_scale(taken)


def _off_scale(taken: "Taken") -> str:
    return f"off the scale: {plural(taken.off_scale, 'mark')}, left out"


def _marks_and_scale(taken: "Taken") -> str:
    """How many marks, on which scale; an outcome of a comparison lies on none."""
    if taken.outcomes is not None:
        return plural(taken.marks, "comparison")
    how = "" if taken.scale_named else " (taken from the marks; --scale names it)"
    return f"{plural(taken.marks, 'mark')}, scale {taken.low:.15g} to {taken.high:.15g}{how}"


def _one_item(unread: tuple[str, ...]) -> str:
    """What it means that no column was named as the item, with those that might be it."""
    if not unread:
        return "all rows are one item; --item COLUMN tells items apart"
    columns = one_line(", ".join(unread), 80)
    return f"not read: {columns}; all rows are one item, --item COLUMN tells items apart"


def _clusters(found: "Clusters | None") -> str:
    return "" if found is None else f" in {plural(found.count, 'cluster')}"


def _sizes(arms: int, items: int) -> str:
    return f"{plural(arms, 'arm')}, {plural(items, 'item')}"


def _with_pass(passes: tuple[tuple[str, str], ...]) -> str:
    """The option that names one of several raters: the first, as it is typed."""
    return f" --pass {shlex.quote(passes[0][1])}" if len(passes) > 1 else ""
