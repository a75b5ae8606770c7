"""One result at one width of a terminal: the parts that its views are made of."""

from collections.abc import Mapping, Sequence

from judgebench.model.result import Result
from judgebench.namesakes import apart
from judgebench.reports import beside_zero, claims, elsewhere, tables
from judgebench.reports.cells import command_lines, cut, ended, width, wrap
from judgebench.reports.digits import plural
from judgebench.reports.layout import Column, Grid, grid, names_column

WARNINGS = 3
OF_STARTS = ("calls_in_doubt",)
"""Flags that tell of starts and not of marks: the table is the same after any kill."""
_NOTE = 20
"""Columns of a warning's line that a command at its end leaves."""

_CODES = {"bold": "1", "dim": "2", "warn": "33"}


class Page:
    """One result at one width."""

    def __init__(
        self, result: Result, *, columns: int, color: bool, run: str, given: Mapping[str, str],
        rest: str, lead: str = "",
    ) -> None:  # fmt: skip
        self.lead = lead
        self.result, self.columns, self.color, self.run = result, columns, color, run
        self.given = given
        # A note is kept whole in its line: a command too long for it is named alone.
        self.rest = rest if width(rest) <= columns - _NOTE else rest and "judge report"
        self.rows = tables.rows(result)
        self.shape = tables.shape(result)

    def paint(self, text: str, style: str) -> str:
        """Colour own words; never called with foreign text inside."""
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self.color and text else text

    def head(self, most: int = 2) -> list[str]:
        """Lines 1: what was measured, each statement in `most` lines."""
        words, _, command = self.lead.partition("\n")
        before = [*wrap(words, self.columns, indent="  "), *_command(command, self.columns)]
        return (before if words else []) + [
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
            told = elsewhere.before_report(sentence, self.rest)
            more = len(sentences) - shown
            last = place == shown - 1 and more > 0
            where = f": {self.rest}" if self.rest else " in report.md"
            note = f" (+{more} more{where})" if last else ""
            first, *rest = self._warning(f"! {told}", note, most)
            lines += [self.paint("!", "warn") + first[1:], *rest]
            lines += _command(command, self.columns)
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

    def legend(self, table: Grid, *, short: bool = False) -> list[str]:
        """What the signs mean, only for signs that are shown.

        Args:
            table: What they stand in.
            short: A line each, cut: on a screen so narrow that rows would have no room.
        """
        signs = (
            (
                table.dropped,
                f"{plural(table.dropped, 'more criterion', 'more criteria')}: --criteria",
            ),
            (any(row.mark == tables.MAY_BE_BEST for row in self.rows), "* may be best"),
            (self.shape.suspects, "? not placed"),
            (self.shape.differences, self._level()),
            (any("…" in shown for shown, _ in table.names), "whole names: --arms"),
        )
        parts = [words for shown, words in signs if shown]
        lines = [self.paint(line, "dim") for line in _joined(parts, self.columns)]
        told = [*tables.compared(self.result), *([claims.UNSTARRED] if self.unstarred() else [])]
        told += beside_zero.told(self.result) if self.shape.differences else []
        if short:
            return [cut(line, self.columns) for line in (" · ".join(parts), *told) if line]
        # What explains the table is cut nowhere else.
        return [*lines, *(line for one in told for line in wrap(one, self.columns, indent="  "))]

    def key(self, table: Grid) -> list[str]:
        """Every name that was cut in a table, as it is shown there and whole."""
        lines = [f"{shown} is {whole}" for shown, whole in table.names]
        return (
            ["", *(line for one in lines for line in wrap(one, self.columns, indent="  "))]
            if lines
            else []
        )

    def unstarred(self) -> bool:
        """Whether a rank begins at 1 and the arm is not in the set of possible best."""
        return self.shape.ranks and claims.unstarred(self.result)

    def _level(self) -> str:
        by = "" if self.result.clusters is None else ", by cluster"
        rank = "rank, " if self.shape.ranks else ""
        if self.shape.pairs:
            alone = ", strength each alone" if self.shape.strengths else ""
            return f"{rank}difference (to ref): 95 % jointly{alone}{by}"
        return f"difference is to ref · {rank}±: 95 % jointly{by}"

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
        columns.append(
            names_column("arm", [row.arm for row in rows], [row.arm for row in self.rows])
        )
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
        columns += self.criteria_columns(rows, 0, full=self.shape.quotes)
        if any(row.shown for row in rows):
            columns.append(column("shown", [row.shown for row in rows]))
        else:
            cells = tuple(row.answered for row in rows)
            columns.append(Column(head="answered", short="answ.", cells=cells, right=True))
        if any(row.blocked for row in rows):
            cells = tuple(row.blocked or "0" for row in rows)
            narrow = tuple(row.blocked_narrow or "0" for row in rows)
            columns.append(Column(head="blocked", cells=cells, narrow=narrow, least=10))
        return columns

    def _total_head(self) -> str:
        if self.shape.pairs:
            return tables.won_head(self.result)
        return "total" if any(row.tier for row in self.rows) else "total (n)"

    def criteria_columns(
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


def _command(command: str, columns: int) -> list[str]:
    """A command below the words that say what it is for."""
    return [f"  {line}" for line in command_lines(command, columns - 2)] if command else []


def _joined(parts: Sequence[str], columns: int) -> list[str]:
    """Parts with dots between them, in as many lines as they need."""
    lines: list[str] = []
    for part in parts:
        longer = f"{lines[-1]} · {part}" if lines else part
        if lines and width(longer) <= columns:
            lines[-1] = longer
        else:
            lines += wrap(part, columns)
    return lines
