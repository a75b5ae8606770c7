"""Result → text for a terminal: 24 lines of 80 columns in the default view.

Every foreign text comes from `tables`, where control, bidi and other invisible
signs have been made visible; colour is put around own words only.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from judgebench.model.result import Result
from judgebench.namesakes import apart
from judgebench.reports import extended, next_step, tables
from judgebench.reports.blocks import Block, Bullets, Paragraph, Table
from judgebench.reports.cells import command_lines, cut, ended, width, wrap
from judgebench.reports.digits import DASH, plural, points, usd
from judgebench.reports.layout import Column, Grid, grid
from judgebench.text import one_line

LINES = 24
WARNINGS = 3
OF_STARTS = ("calls_in_doubt",)
"""Flags that tell of starts and not of marks: the table is the same after any kill."""
_NOTE = 20
"""Columns of a warning's line that a command at its end leaves."""
LEAST_ROWS = 3
"""Head, one row, and how many more there are."""
VIEWS = ("default", "criteria", "context", "why", "arms", "extended")

_CODES = {"bold": "1", "dim": "2", "warn": "33"}


def render(
    result: Result,
    *,
    width: int = 80,
    color: bool = False,
    view: str = "default",
    run: str = "",
    given: Mapping[str, str] = next_step.NOTHING,
    rest: str = "",
) -> str:
    """Render one view of a result.

    Args:
        result: What is known of one pass or panel.
        width: Terminal columns that no line exceeds; at least 40 are used.
        color: Whether to put colour codes around own words.
        view: One of `VIEWS`; only ``default`` is held to 24 lines.
        run: The run as the user typed it, for commands; else its name.
        given: Options of judging as the user typed them, for the next command.
        rest: The command that writes the other warnings down; none where report.md has them.

    Raises:
        ValueError: `view` is none of `VIEWS`.
    """
    page = _Page(result, columns=max(width, 40), color=color, run=run, given=given, rest=rest)
    views = {
        "default": page.default,
        "criteria": page.criteria,
        "context": page.context,
        "why": page.why,
        "arms": page.arms,
        "extended": page.extended,
    }
    if view not in views:
        raise ValueError(f"view must be one of {', '.join(VIEWS)}, got {view!r}")
    return "\n".join(line.rstrip() for line in views[view]()) + "\n"


class _Page:
    """One result at one width."""

    def __init__(
        self, result: Result, *, columns: int, color: bool, run: str, given: Mapping[str, str],
        rest: str,
    ) -> None:  # fmt: skip
        self.result, self.columns, self.color, self.run = result, columns, color, run
        self.given = given
        # A note is kept whole in its line: a command too long for it is named alone.
        self.rest = rest if width(rest) <= columns - _NOTE else rest and "judge report"
        self.rows = tables.rows(result)
        self.shape = tables.shape(result)

    def paint(self, text: str, style: str) -> str:
        """Colour own words; never called with foreign text inside."""
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self.color and text else text

    # parts ---------------------------------------------------------------

    def head(self, most: int = 2) -> list[str]:
        """Lines 1: what was measured, each statement in `most` lines."""
        return [
            line
            for text in tables.headline(self.result)
            for line in wrap(text, self.columns, most=most, indent="  ")
        ]

    def said(self) -> list[str]:
        """Lines 2: the answer."""
        return wrap(tables.answer(self.result), self.columns, most=4)

    def warned(self, most: int = 2, shown: int = WARNINGS) -> list[str]:
        """The `shown` most harmful flags in `most` lines each, and how many more there are."""
        sentences = tables.warnings(self.result, but=OF_STARTS, run=self.run)
        lines: list[str] = []
        if not shown and sentences:
            words = f" {plural(len(sentences), 'warning')}: {self.rest or 'report.md'}"
            return [self.paint("!", "warn") + words]
        for place, (sentence, command) in enumerate(sentences[:shown]):
            more = len(sentences) - shown
            last = place == shown - 1 and more > 0
            where = f": {self.rest}" if self.rest else " in report.md"
            note = f" (+{more} more{where})" if last else ""
            first, *rest = self._warning(f"! {sentence}", note, most)
            lines += [self.paint("!", "warn") + first[1:], *rest]
            if command:
                lines += [f"  {line}" for line in command_lines(command, self.columns - 2)]
        return lines

    def _warning(self, text: str, note: str, most: int) -> list[str]:
        """A flag in `most` lines, the last of which keeps the note whole."""
        lines = wrap(text + note, self.columns, indent="  ")
        if len(lines) <= most:
            return lines
        lines = wrap(text, self.columns, indent="  ")[:most]
        return [*lines[:-1], ended(lines[-1], self.columns - width(note)) + note]

    def closing(self) -> list[str]:
        """What is not printed, and the next command with its price."""
        lines = self._refused()
        command, cost = tables.next_step(self.result, self.run, self.given)
        whole = f"Next: {command}  ({cost})"
        if width(whole) <= self.columns:
            lines.append(whole)
        else:
            lines += command_lines(f"Next: {command}", self.columns)
            lines.append(cut(f"  ({cost})", self.columns))
        return lines

    def _refused(self) -> list[str]:
        """As many names as fit beside the command that gives the reasons."""
        names = tables.refused(self.result)
        hint = f" ({tables.why_hint(self.result, self.run)})"
        for kept in range(len(names), 0, -1):
            more = f" and {len(names) - kept} more" if kept < len(names) else ""
            line = f"Not printed: {', '.join(names[:kept])}{more}{hint}"
            if width(line) <= self.columns:
                return [line]
        return [cut(f"Not printed: {', '.join(names)}", self.columns)] if names else []

    def legend(self, table: Grid) -> list[str]:
        """What the signs mean, only for signs that are shown."""
        signs = (
            (table.dropped, f"{table.dropped} more criteria: --criteria"),
            (self.shape.ranks, "* may be best"),
            (self.shape.suspects, "? not placed"),
            (self.shape.differences, self._level()),
        )
        parts = [words for shown, words in signs if shown]
        lines = [self.paint(cut(" · ".join(parts), self.columns), "dim")] if parts else []
        lines += [cut(line, self.columns) for line in tables.compared(self.result)]
        if self._unstarred():
            # The two are two tests, and the first place is asked about more sharply.
            lines.append(
                cut(
                    "rank from 1 without *: the rank allows it, the test of the best does not",
                    self.columns,
                )
            )
        return lines

    def _unstarred(self) -> bool:
        """Whether a rank begins at 1 and the arm is not in the set of possible best."""
        return self.shape.ranks and any(
            arm.rank_low == 1 and not arm.may_be_best for arm in self.result.arms
        )

    def _level(self) -> str:
        if self.shape.pairs:
            return "rank, difference: 95 % jointly"
        return "rank and ±: 95 %, all comparisons together"

    def table(self, rows: Sequence[tables.Row]) -> Grid:
        """The rows in the columns that this result has something for."""
        return grid(self._columns(rows), self.columns)

    def _columns(self, rows: Sequence[tables.Row]) -> list[Column]:
        def column(head: str, cells: Sequence[str], *, right: bool = True) -> Column:
            return Column(head=head, cells=tuple(cells), right=right)

        columns = []
        if self.shape.ranks:
            columns.append(column("rank", [row.rank for row in rows]))
        if self.shape.ranks or self.shape.suspects:
            columns.insert(0, column("*", [row.mark for row in rows], right=False))
        columns.append(Column(head="arm", cells=tuple(r.arm for r in rows), least=10))
        if self.shape.differences:
            columns.append(column("difference", [row.difference for row in rows]))
        columns.append(
            column(
                self._total_head(),
                [row.total for row in rows],
            )
        )
        if any(row.tier for row in rows):
            columns.append(column("tier", [row.tier for row in rows], right=False))
        if self.shape.strengths:
            columns.append(column("strength", [row.strength for row in rows]))
        columns += self._criteria(rows, 0, full=self.shape.quotes)
        if any(row.shown for row in rows):
            columns.append(column("shown", [row.shown for row in rows]))
        else:
            cells = tuple(row.answered for row in rows)
            columns.append(Column(head="answered", short="answ.", cells=cells, right=True))
        if any(row.blocked for row in rows):
            cells = tuple(row.blocked or "0" for row in rows)
            columns.append(Column(head="blocked", cells=cells, least=9))
        return columns

    def _total_head(self) -> str:
        if self.shape.pairs:
            return tables.won_head(self.result)
        return "total" if any(row.tier for row in self.rows) else "total (n)"

    # views ---------------------------------------------------------------

    def default(self) -> list[str]:
        """At most 24 lines: the answer, the top rows, what to doubt and do next."""
        top, said, warned, closing = self.head(), self.said(), self.warned(), self.closing()
        legend = self.legend(self.table(self.rows))
        fixed = len(top) + len(said) + len(closing) + len(legend)
        wanted = 1 + 2 * len(self.rows) if self.shape.quotes else LEAST_ROWS
        if LINES - fixed - len(warned) < wanted:
            warned = self.warned(most=1)
        if warned and LINES - fixed - len(warned) < LEAST_ROWS:
            warned = self.warned(most=1, shown=1)
        if self._unstarred() and len(warned) > 1 and LINES - fixed - len(warned) < LEAST_ROWS:
            warned = self.warned(shown=0)
        if LINES - fixed - len(warned) < LEAST_ROWS:
            fixed -= len(top)
            top = self.head(most=1)
            fixed += len(top)
        room = LINES - fixed - len(warned)
        # Blank lines are worth less than rows and than the quotes below them.
        taken = wanted if self.shape.quotes and wanted <= room else 1 + len(self.rows)
        blanks = min(3, max(0, room - taken))
        body = self._body(room - blanks) if tables.has_rows(self.result) else self._unscored(room)
        gap = [[""] if blanks > place else [] for place in range(3)]
        bold = [self.paint(line, "bold") for line in said] if self._own_answer() else said
        return [*top, *gap[0], *bold, *gap[1], *body, *legend, *gap[2], *warned, *closing]

    def _own_answer(self) -> bool:
        return tables.answer(self.result) == tables.one_item(self.result)

    def _body(self, room: int) -> list[str]:
        """Head and rows in at most `room` lines; one item has quotes below its rows."""
        rows = self.rows
        if self.shape.quotes and 1 + 2 * len(rows) <= room:
            table = self.table(rows)
            quoted = [
                [line, *([cut(f"    {row.quote}", self.columns)] if row.quote else [])]
                for line, row in zip(table.lines, rows, strict=True)
            ]
            return [table.head, *(line for pair in quoted for line in pair)]
        shown = rows if len(rows) + 1 <= room else rows[: max(1, room - 2)]
        table = self.table(shown)
        more = len(rows) - len(shown)
        tail = [cut(self._more(more), self.columns)] if more else []
        return [table.head, *self._inline_quotes(table, shown), *tail]

    def _more(self, more: int) -> str:
        return f"… {more:,} more ({tables.arms_hint(self.result, self.run)})"

    def _inline_quotes(self, table: Grid, rows: Sequence[tables.Row]) -> list[str]:
        """Quotes behind the rows, where there is no line for them but room beside."""
        used = max(map(width, table.lines), default=0) + 2
        if not self.shape.quotes or self.columns - used < 16:  # noqa: PLR2004 - a few words
            return list(table.lines)
        return [
            line + " " * (used - width(line)) + cut(row.quote, self.columns - used)
            for line, row in zip(table.lines, rows, strict=True)
        ]

    def _unscored(self, room: int) -> list[str]:
        """Nothing has a mark: arms with what became of their answers."""
        shown = self.rows if len(self.rows) + 1 <= room else self.rows[: max(1, room - 2)]
        columns = [
            Column(head="arm", cells=tuple(row.arm for row in shown), least=10),
            Column(head="answered", cells=tuple(row.answered for row in shown), right=True),
            Column(head="blocked", cells=tuple(row.blocked or "0" for row in shown), least=9),
        ]
        table = grid(columns, self.columns)
        more = len(self.rows) - len(shown)
        return [table.head, *table.lines, *([self._more(more)] if more else [])]

    def arms(self) -> list[str]:
        """Every arm, however many there are."""
        table = self.table(self.rows)
        quotes = [
            f"    {row.quote}" if self.shape.quotes and row.quote else "" for row in self.rows
        ]
        lines = [
            text
            for line, quote in zip(table.lines, quotes, strict=True)
            for text in ([line, cut(quote, self.columns)] if quote else [line])
        ]
        return [*self.head(), "", table.head, *lines, *self.legend(table)]

    def criteria(self) -> list[str]:
        """All criteria, in as many blocks as the width asks for."""
        lines, first, many = self.head(), 0, len(self.result.criteria)
        while first < many:
            columns = [Column(head="arm", cells=tuple(r.arm for r in self.rows), least=10)]
            columns += [
                replace(one, short="", whole=True)
                for one in self._criteria(self.rows, first, full=True)
            ]
            table = grid(columns, self.columns)
            lines += ["", table.head, *table.lines]
            first += max(1, many - first - table.dropped)
        return lines

    def _criteria(
        self, rows: Sequence[tables.Row], first: int, *, full: bool
    ) -> list[Column]:  # fmt: skip
        """Columns of criteria under their short heads, or their ids where these have room."""
        made = []
        every = self.result.criteria
        heads = apart((head or criterion for criterion, head, _ in every), 9)
        names = apart((criterion for criterion, _, _ in every), 20)
        for place, (criterion, head, _) in enumerate(every[first:], first):
            short = heads[head or criterion]
            cells = tuple(row.criteria[place] for row in rows)
            name = names[criterion] if full else short
            made.append(Column(head=name, short=short, cells=cells, right=True, criterion=True))
        return made

    def context(self) -> list[str]:
        """Time, tokens, cost and reasoning: reported, never scored."""
        facts = [arm.context for arm in self.result.arms]
        columns = [
            Column(head="arm", cells=tuple(row.arm for row in self.rows), least=10),
            *(
                Column(head=head, cells=tuple(cells), right=True)
                for head, cells in (
                    ("seconds", [points(one.wall_s, 1) for one in facts]),
                    ("tokens", [points(one.completion_tokens, 0) for one in facts]),
                    ("characters", [points(one.chars, 0) for one in facts]),
                    ("cost", [usd(one.cost_usd) for one in facts]),
                    ("reasoning", [points(one.reasoning_ratio, 2) for one in facts]),
                    ("known", [f"{one.known:,}" for one in facts]),
                )
            ),
        ]
        table = grid(columns, self.columns)
        note = (
            "Medians an answer; cost is the sum; reasoning is reasoning tokens ÷ other completion "
            f"tokens; known counts answers with a record; {DASH} is unknown. Never scored."
        )
        return [*self.head(), "", table.head, *table.lines, "", *wrap(note, self.columns)]

    def extended(self) -> list[str]:
        """Whether the answer would change, and every further figure of this pass."""
        lines = [*self.head(), "", *self.said(), ""]
        told = tables.sensitivity(self.result)
        if not told and self.result.extended is None:
            told = ("There is nothing to vary: one criterion and fewer than two arms with marks.",)
        for text in told:
            lines += wrap(text, self.columns, indent="  ")
        for one in extended.sections(self.result):
            lines += ["", *(self.paint(line, "bold") for line in wrap(one.title, self.columns))]
            for block in one.blocks:
                lines += self._block(block)
        return lines

    def _block(self, block: Block) -> list[str]:
        """A block of the report in the width of the terminal; foreign text made safe."""
        if isinstance(block, Paragraph):
            return wrap(one_line(block.text, 2000), self.columns, indent="  ")
        if isinstance(block, Bullets):
            return [
                part
                for line in block.lines
                for part in wrap(f"- {one_line(line, 2000)}", self.columns, indent="  ")
            ]
        return self._rows(block)

    def _rows(self, block: Table) -> list[str]:
        """A table, or where it is too wide one paragraph a row: no figure is cut away."""
        heads = block.short or block.heads
        cells = [apart((row[at] for row in block.rows), 60) for at in range(len(heads))]
        rows = [
            [shown[cell] for shown, cell in zip(cells, row, strict=False)] for row in block.rows
        ]
        columns = [
            Column(head=head, cells=tuple(row[at] for row in rows), right=at > 0)
            for at, head in enumerate(heads)
        ]
        wide = [max(map(width, (one.head, *one.cells))) for one in columns]
        if sum(wide) + 2 * len(wide) <= self.columns:
            table = grid(columns, self.columns)
            return [table.head, *table.lines]
        return [
            part
            for row in rows
            for part in wrap(_in_words(heads, row), self.columns, indent="    ")
        ]

    def why(self) -> list[str]:
        """Each figure that is not printed, with its reason and what it would need."""
        found, single = tables.why(self.result), tables.why_arms(self.result)
        lines = [*self.head(), ""]
        if not found and not single:
            return [*lines, "Every figure of this level of data is printed."]
        if found:
            lines.append(f"{plural(len(found), 'figure')} not printed:")
        for name, reason in found:
            lines += wrap(f"{name}: {reason}", self.columns, indent="  ")
        if single:
            lines.append("of single arms:")
        for name, reason in single:
            lines += wrap(f"{name}: {reason}", self.columns, indent="  ")
        return lines


def _in_words(heads: Sequence[str], row: Sequence[str]) -> str:
    """A row as a sentence: what names it, then each figure behind its head."""
    figures = (
        f"{head} {cell}".strip()
        for head, cell in zip(heads[1:], row[1:], strict=True)
        if cell != DASH
    )
    return f"  {row[0]}: {'; '.join(figures)}"
