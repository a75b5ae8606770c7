"""What was measured, as Markdown."""

from collections.abc import Sequence

from benchmarks.card.judges import NOTHING
from benchmarks.card.measure import GOAL, SIZES, Row

BEGIN, END = "<!-- card:begin -->", "<!-- card:end -->"


def _cell(row: Row | None) -> str:
    if row is None or row.share is None or row.band is None:
        return "–"
    shown = f"{100 * row.share:.1f} ({100 * row.band[0]:.0f}–{100 * row.band[1]:.0f})"
    return shown if row.enough else f"**{shown}**"


def markdown(found: Sequence[Row], form: str) -> str:
    """A table a judge: truth, then the share of intervals that hold it at each size.

    Args:
        found: All rows.
        form: How it was measured.
    """
    runs = max(row.runs for row in found)
    goal = [row for row in found if row.counts and row.given]
    missed = [row for row in goal if not row.met]
    kept = f"{len(goal) - len(missed)} of {len(goal)} cells keep it within the 99 % band"
    how = f"`python -m benchmarks.card --{form}`, {runs} simulated runs a cell, seeds in the code"
    lines = [
        f"Measured by {how}; **bold** is below the goal.",
        "",
        f"**Goal: at least {100 * GOAL:.0f} % of the intervals hold the truth.** {kept}"
        + (", these do not:" if missed else "."),
        "",
        *(f"- {row.judge}, {row.figure}: {_cell(row)} at {row.items} items" for row in missed),
        *([""] if missed else []),
        *_false_alarms(found),
    ]
    for judge in dict.fromkeys(row.judge for row in found):
        lines += _table(judge, [row for row in found if row.judge == judge])
    return "\n".join(lines).rstrip()


def _false_alarms(found: Sequence[Row]) -> list[str]:
    """How often a leaning is told of a judge that has none."""
    names = ("place in the list", "shown first", "length", "headings", "own family")
    told = []
    for name in names:
        of = [row for row in found if row.judge == NOTHING.name and row.figure == name]
        given, held = sum(row.given for row in of), sum(row.held for row in of)
        if given:
            told.append(f"{name} {100 * (1 - held / given):.1f} %")
    text = "; ".join(told)
    return [f"False alarms where nothing was planted, before the correction by Holm: {text}.", ""]


def _table(judge: str, found: Sequence[Row]) -> list[str]:
    sizes = [size for size in SIZES if any(row.items == size for row in found)]
    head = " | ".join(f"{size} items" for size in sizes)
    out = [f"**{judge}**", "", f"| figure | truth | {head} |", "| --- " * (2 + len(sizes)) + "|"]
    for name, truth in dict.fromkeys((row.figure, row.truth) for row in found):
        cells = [
            next(
                (row for row in found if (row.items, row.figure, row.truth) == (size, name, truth)),
                None,
            )
            for size in sizes
        ]
        out.append(f"| {name} | {truth:.3f} | {' | '.join(map(_cell, cells))} |")
    return [*out, ""]


def put(page: str, text: str) -> str:
    """Replace what stands between the two marks of a page."""
    before, rest = page.split(BEGIN)
    return f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}"
