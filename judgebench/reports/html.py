"""Result and exhibits → report.html: one page that loads nothing and runs nothing.

Every text goes through `printable` and then through autoescape, whichever place of a
template it stands in; the page's policy lets nothing act but its own style sheet.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from judgebench.model.exhibits import Exhibits
from judgebench.model.people import Calibration
from judgebench.model.result import Result
from judgebench.namesakes import apart
from judgebench.records import dataclass
from judgebench.reports import elsewhere, grids, people_plots, plots, wording
from judgebench.reports.answers import MOST_BYTES, render_answers
from judgebench.reports.blocks import Block, Bullets, Paragraph, Section, Table
from judgebench.reports.digits import DASH, plural
from judgebench.reports.naming import whole_names
from judgebench.reports.overview import overview
from judgebench.reports.pictures import Drawer, drawing
from judgebench.reports.plot_shapes import (
    BarPlot,
    GridCell,
    GridPlot,
    IntervalPlot,
    Plot,
    ScatterPlot,
)
from judgebench.reports.rating_sections import is_total
from judgebench.reports.sections import sections
from judgebench.reports.tables import UNPLACED
from judgebench.reports.templating import policy, style, template
from judgebench.text import one_line

MOST_NAMED = 2_000
_FIGURE = re.compile(r"[-+$]?[0-9]|ref$|under |over ")
_AUDITED = (
    "Each project as the judge was sent it, with the passages of faults that hold marked in "
    "place, the marks and the raw reply. What is missing has no place; it stands above with "
    "what was searched. First come projects on which judgings disagree most, then the others "
    "at random."
)
_HEAD_FIRST = ("said", "warnings")


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """One section of the page: its words and what is drawn in it."""

    key: str
    title: str
    blocks: tuple[dict[str, Any], ...] = ()
    intervals: tuple[IntervalPlot, ...] = ()
    scatters: tuple[ScatterPlot, ...] = ()
    bars: tuple[BarPlot, ...] = ()
    of_bars: str = ""
    """What all of its bars have in common."""
    grid: GridPlot | None = None
    heat: tuple[tuple[str, ...], ...] | None = None
    matrix: "Matrix | None" = None

    @property
    def plots(self) -> Sequence[Plot]:
        """All that is drawn in it."""
        grid = () if self.grid is None else (self.grid,)
        return (*self.intervals, *self.scatters, *self.bars, *grid)


@dataclass(frozen=True, kw_only=True, slots=True)
class MatrixCell:
    """One arm on one item: what is written, how it looks, which answer it leads to."""

    cell: GridCell
    place: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class MatrixRow:
    """One item."""

    item: str
    cells: tuple[MatrixCell, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Matrix:
    """Items down, arms across."""

    words: str
    """What it holds."""
    arms: tuple[str, ...]
    rows: tuple[MatrixRow, ...]


def render(
    result: Result,
    exhibits: Exhibits,
    *,
    run: str = "",
    most_bytes: int = MOST_BYTES,
    drawer: Drawer | None = None,
) -> bytes:
    """Write the whole page in UTF-8; equal input gives equal bytes.

    Args:
        result: What is known of one pass.
        exhibits: Cells, marks and answers; the answers are gone through once.
        run: The run as it can be typed, for the commands that are named.
        most_bytes: Room for the answers; those that do not fit are named.
        drawer: Who draws, where one has been started already.
    """
    with whole_names():
        return _page(result, exhibits, run, most_bytes, drawer)


def _page(
    result: Result, exhibits: Exhibits, run: str, most_bytes: int, drawer: Drawer | None
) -> bytes:
    """The page, its names as long as they are."""
    first, *others = sections(result)
    parts = _parts(result, exhibits, others)
    matrix = grids.items(result, exhibits.cells, exhibits.items)
    drawn = [plot for part in parts for plot in part.plots]
    with drawing([*drawn, *filter(None, [matrix])], drawer) as pictures:
        answers, places = render_answers(result, exhibits.answers, most_bytes=most_bytes)
        rest = [pair for pair in exhibits.order if pair not in places]
        css = style()
        written = template("report.html.j2").generate(
            title=one_line(first.title, 120),
            style=css,
            policy=policy(css),
            first=_blocks(first),
            parts=_placed(parts, _cell_parts(result, exhibits, places, matrix)),
            draw=pictures.of,
            exhibits=answers,
            rest=_commands(result, rest, run),
            more=_more(exhibits, len(places)),
        )
        # Piece by piece: a page of 20 MB is never held as text beside its bytes.
        return b"".join(piece.encode() for piece in written)


# sections


def _parts(result: Result, exhibits: Exhibits, found: Sequence[Section]) -> list[Part]:
    known = {section.key: section for section in found}
    start = [_part(result, exhibits, known.pop(key)) for key in _HEAD_FIRST if key in known]
    drawn = [_part(result, exhibits, section) for section in known.values()]
    return _linked([*start, _arms(result), *drawn])


def _placed(parts: Sequence[Part], of_cells: Sequence[Part]) -> list[Part]:
    """What is drawn of single cells stands before the fine print, the answers after all."""
    fine_print = ("settings", "passes", "record")
    fine = next((at for at, part in enumerate(parts) if part.key in fine_print), len(parts))
    drawn = [part for part in of_cells if part.grid]
    return [*parts[:fine], *drawn, *parts[fine:], *(one for one in of_cells if not one.grid)]


def _part(result: Result, exhibits: Exhibits, section: Section) -> Part:
    shaded = section.key == "criteria" and not is_total(result)
    bars = plots.marks(result, exhibits.marks) if section.key == "judge" else ()
    return Part(
        key=section.key,
        title=section.title,
        blocks=(*_blocks(section), *_undrawn(result, section.key)),
        intervals=_intervals(result, section.key),
        scatters=plots.context(result) if section.key == "context" else (),
        bars=bars,
        of_bars=plots.of_marks(bars),
        grid=grids.criteria(result) if shaded else None,
        heat=grids.heat(result) if shaded else None,
    )


def _undrawn(result: Result, key: str) -> tuple[dict[str, Any], ...]:
    """Why a plot is not there that others have."""
    words = plots.undrawn(result) if key == "context" else ""
    return (_block(Paragraph(words)),) if words else ()


def _intervals(result: Result, key: str) -> tuple[IntervalPlot, ...]:
    """What is drawn above the tables of a section."""
    if isinstance(result.people, Calibration):
        drawn = people_plots.drawn(result.people, key)
        if drawn:
            return drawn
    make = {"totals": plots.totals, "differences": plots.differences}.get(key)
    plot = make(result) if make else None
    return (plot,) if plot else ()


def _blocks(section: Section) -> tuple[dict[str, Any], ...]:
    return tuple(map(_block, section.blocks))


def _block(block: Block) -> dict[str, Any]:
    match block:
        case Paragraph(text):
            return {"kind": "paragraph", "text": text}
        case Bullets(lines):
            return {"kind": "bullets", "lines": [[(line, "")] for line in lines]}
        case Table():
            return {
                "kind": "table",
                "heads": block.heads,
                "rows": block.rows,
                "right": [
                    at >= block.right and _figures(block, at) for at in range(len(block.heads))
                ],
                "caption": block.caption,
            }


def _linked(parts: Sequence[Part]) -> list[Part]:
    """Lines that send to report.md lead to the section of this page that holds the same."""
    titles = {part.key: part.title for part in parts}
    return [replace(part, blocks=tuple(_led(one, titles) for one in part.blocks)) for part in parts]


def _led(block: dict[str, Any], titles: Mapping[str, str]) -> dict[str, Any]:
    if block["kind"] != "bullets":
        return block
    return block | {"lines": [_pieces(text, titles) for ((text, _),) in block["lines"]]}


def _pieces(text: str, titles: Mapping[str, str]) -> list[tuple[str, str]]:
    """A line as pieces with the section that each leads to; empty where it leads nowhere."""
    before, key, after = elsewhere.meant(text, titles)
    return [(before, ""), (titles[key], key), (after, "")] if key else [(text, "")]


def _figures(table: Table, column: int) -> bool:
    """Whether a column holds figures, which stand at the right edge."""
    cells = [row[column] for row in table.rows if row[column] not in {DASH, UNPLACED}]
    return all(_FIGURE.match(cell) for cell in cells)


def _arms(result: Result) -> Part:
    found = overview(result)
    return Part(key=found.key, title=found.title, blocks=_blocks(found))


def _cell_parts(
    result: Result,
    exhibits: Exhibits,
    places: dict[tuple[str, str], int],
    grid: GridPlot | None,
) -> list[Part]:
    parts = []
    if grid:
        matrix = _matrix(result, exhibits, places)
        parts.append(Part(key="matrix", title="Every item and arm", grid=grid, matrix=matrix))
    if exhibits.judged:
        title = "Answers and what the judge said of them"
        if result.judging.marks_only:
            title = "Marks of each answer"
        blocks = (_block(Paragraph(_exhibits_words(result))),)
        parts.append(Part(key="exhibits", title=title, blocks=blocks))
    return parts


def _exhibits_words(result: Result) -> str:
    """What stands on the cards of the answers."""
    if result.audit is not None:
        return _AUDITED
    if result.judging.marks_only:
        return (
            "Marks alone were imported: there are no texts and no replies. First those on which "
            "marks disagree most, then at random."
        )
    return (
        "Each answer as the judge was sent it, with the words that the judge cites marked "
        "in place, the marks and the raw reply. First those on which judgings disagree "
        "most, then those with unsupported marks, then at random."
    )


def _link_words(result: Result) -> str:
    what = "marks of each answer" if result.judging.marks_only else "answers"
    return f", with links to the {what}"


def _matrix(result: Result, exhibits: Exhibits, places: dict[tuple[str, str], int]) -> Matrix:
    arms = [arm.arm.id for arm in result.arms]
    items = grids.by_item(exhibits.cells)
    named = apart(arms, 40)
    rows = apart(items, 60)
    count = plural(exhibits.items, "item")
    if len(items) < exhibits.items:
        count = f"the first {len(items):,} of {count}"
    medians = ", in brackets the median of three judgments or more"
    both = medians if any(one.median is not None for one in exhibits.cells) else ""
    return Matrix(
        words=f"As a table: {count}{both}" + (_link_words(result) if places else ""),
        arms=tuple(named[arm] for arm in arms),
        rows=tuple(
            MatrixRow(
                item=rows[item],
                cells=tuple(
                    MatrixCell(
                        cell=grids.with_median(result, found.get(arm)),
                        place=places.get((arm, item)),
                    )
                    for arm in arms
                ),
            )
            for item, found in items.items()
        ),
    )


def _commands(result: Result, rest: Sequence[tuple[str, str]], run: str) -> list[str]:
    """The command that shows each answer for which there was no room."""
    return [wording.show_answer(result, arm, item, run) for arm, item in rest[:MOST_NAMED]]


def _more(exhibits: Exhibits, shown: int) -> str:
    rest = exhibits.judged - shown
    named = min(max(len(exhibits.order) - shown, 0), MOST_NAMED)
    words = f"{plural(rest, 'more answer')}, each shown by its command"
    return words if named >= rest else f"{words}; the first {named:,} of them"
