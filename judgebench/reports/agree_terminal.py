"""Agreement → text for a terminal: 24 lines of 80 columns, and two longer views.

Foreign text comes from `agree_words`, where it has been made safe to show.
"""

from collections.abc import Sequence

from judgebench.model.agreement import Agreement, AgreementRow
from judgebench.model.passes import DataLevel
from judgebench.reports import (
    agree_columns,
    agree_figures,
    agree_names,
    agree_sections,
    agree_sets,
    agree_words,
)
from judgebench.reports.blocks import Block, Bullets, Paragraph
from judgebench.reports.cells import command_lines, cut, width, wrap
from judgebench.reports.digits import plural
from judgebench.reports.layout import Column, grid
from judgebench.text import printable

LINES = 24
VIEWS = ("default", "split", "extended")
MOST_RATERS = 4
MOST_FAILING = 2
"""Judges with failed controls that are named before the answer; --extended has all."""
SHOWN_SPLITS = 10


def render(
    found: Agreement, *, width: int = 80, view: str = "default", run: str = "", typed: str = ""
) -> str:
    """Render one view of an agreement.

    Args:
        found: What is known of the passes.
        width: Terminal columns that no line of the default view exceeds; at least 60.
        view: One of `VIEWS`; only ``default`` is held to 24 lines.
        run: The run as the user typed it, for commands; else its name.
        typed: Other options as the user typed them, for commands that show more of the same.

    Raises:
        ValueError: `view` is none of `VIEWS`.
    """
    page = _Page(found, columns=max(width, 60), run=run or found.run_name, typed=typed)
    views = {"default": page.default, "split": page.split, "extended": page.extended}
    if view not in views:
        raise ValueError(f"view must be one of {', '.join(VIEWS)}, got {view!r}")
    return "\n".join(line.rstrip() for line in views[view]()) + "\n"


class _Page:
    """One agreement at one width."""

    def __init__(self, found: Agreement, *, columns: int, run: str, typed: str) -> None:
        self.found, self.columns, self.run, self.typed = found, columns, run, typed
        self.digits = agree_names.digits(found)

    def default(self) -> list[str]:
        """The answer first, then the sets, a row a criterion, and what to do next."""
        top = [
            *self._head(), *self._raters(), *self._failing(), "", *self._answer(), "",
            *self._sets(),
        ]  # fmt: skip
        closing = [*self._basis(), *self._refused(), *self._others(), *self._next()]
        room = LINES - len(top) - len(closing)
        table = self._table(room)
        if len(table) < room and len(self.found.raters) >= agree_words.BOTH:
            table.append(f"alpha: {agree_words.alpha_scale(self.found)}")
        return [*top, *table, *closing]

    def split(self) -> list[str]:
        """The cells that the passes split on most, with commands that show their texts if any."""
        shown = self.found.splits[:SHOWN_SPLITS]
        lines = [*self._head(), *self._raters(), ""]
        if not shown:
            return [*lines, "No cell has marks that differ."]
        lines += wrap(agree_words.split_head(self.found), self.columns)
        for one in shown:
            lines.append(cut(agree_words.split(one, self.found), self.columns))
            if agree_words.marks_alone(self.found):
                continue
            # A command is never cut: it is to be copied.
            # The people of one pass are shown by one command.
            lines += dict.fromkeys(
                f"  {agree_words.show_command(one, self.run, who.facts)}"
                for who in self.found.raters
            )
        more = self.found.cells_split - len(shown)
        kept = len(self.found.splits)
        every = kept >= self.found.cells_split
        where = " in --json" if every else f"; --json has the widest {kept}"
        return [*lines, *([f"… {plural(more, 'more cell')}{where}"] if more > 0 else [])]

    def extended(self) -> list[str]:
        """Everything that is known."""
        lines: list[str] = []
        for section in agree_sections.sections(self.found):
            lines += ["", *wrap(section.title, self.columns)] if lines else [section.title]
            for block in section.blocks:
                lines += self._block(block)
        return lines

    def _block(self, block: Block) -> list[str]:
        match block:
            case Paragraph(text):
                return wrap(printable(text), self.columns)
            case Bullets(entries):
                return [
                    line
                    for one in entries
                    for line in wrap(f"- {printable(one)}", self.columns, indent="  ")
                ]
            case _:
                columns = [
                    Column(
                        head=head,
                        cells=tuple(printable(row[at]) for row in block.rows),
                        right=at >= block.right,
                        least=10 if at < block.right else 0,
                    )
                    for at, head in enumerate(block.heads)
                ]
                table = grid(columns, self.columns)
                return [f" {line}" for line in (table.head, *table.lines)]

    def _head(self) -> list[str]:
        return wrap(agree_words.headline(self.found), self.columns, most=2, indent="  ")

    def _raters(self) -> list[str]:
        shown = self.found.raters[:MOST_RATERS]
        names = [f"{at}  {agree_names.rater(one, self.found)}" for at, one in enumerate(shown, 1)]
        columns = [
            Column(head="", cells=tuple(names)),
            Column(
                head="",
                cells=tuple(agree_words.route(one.facts, self.found) for one in shown),
                least=10,
            ),
        ]
        more = len(self.found.raters) - len(shown)
        words = (
            ("more person", "more people") if self.found.persons else ("more pass", "more passes")
        )
        tail = [f"… {plural(more, *words)}: --extended"] if more > 0 else []
        return [*grid(columns, self.columns).lines, *tail]

    def _failing(self) -> list[str]:
        """Judges whose answer is worth less than it looks come before the answer."""
        out: list[str] = []
        for said, command in agree_words.failing(self.found, self.run)[:MOST_FAILING]:
            out += wrap(said, self.columns, most=2, indent="  ")
            out += [f"  {line}" for line in command_lines(command, self.columns - 2)]
        return out

    def _answer(self) -> list[str]:
        lines = wrap(agree_words.answer(self.found), self.columns, most=3)
        note = agree_words.one_judge(self.found)
        return [*lines, *(wrap(note, self.columns, most=2) if note else [])]

    def _sets(self) -> list[str]:
        """The sets side by side; with fewer items than a set needs, the orders."""
        if agree_names.places(self.found):
            return []
        few = self.found.level <= DataLevel.E2
        word = "totals here" if self.found.projects else "order here" if few else "may be best"
        lines: list[str] = []
        shown = self.found.raters[:MOST_RATERS]
        # Of more raters the page has a line for each.
        most = 2 if len(shown) <= agree_words.BOTH else 1
        for at, one in enumerate(shown, 1):
            head = f"{word if at == 1 else '':<{len(word)}}  {at}: "
            lines += agree_sets.lines(
                head, one, self.found, columns=self.columns, most=most, ordered=few
            )
        left = len(self.found.raters) - MOST_RATERS
        lines += [f"… {left:,} more: --extended"] if left > 0 else []
        if len(self.found.raters) > 1 and not self.found.projects:
            lines += wrap(agree_words.turned(self.found), self.columns, most=2, indent="  ")
        return lines

    def _table(self, room: int) -> list[str]:
        """A blank, a head and as many criteria as there is room for, the total last."""
        if len(self.found.raters) < agree_words.BOTH:
            return self._alone()
        rows = self.found.rows
        fit = max(1, room - 2)
        if len(rows) > fit:
            # The total is worth more than the last criterion; one line says what is left out.
            rows = (*rows[: max(0, fit - 2)], rows[-1])
        table = grid(self._columns(rows), self.columns)
        more = len(self.found.rows) - len(rows)
        tail = [f"… {plural(more, 'more criterion', 'more criteria')}: --extended"] if more else []
        return ["", table.head, *table.lines, *tail]

    def _columns(self, rows: Sequence[AgreementRow]) -> list[Column]:
        """On 0–100 few marks are the same: the exact share gives way to the near ones."""
        for exact in (True, False):
            made = agree_columns.columns_of(self.found, rows, exact=exact)
            columns = [
                Column(head=head, cells=cells, right=at > 0, least=0 if at else 8)
                for at, (head, cells) in enumerate(made)
            ]
            wide = sum(one.natural for one in columns) + len(columns) - 1
            if wide <= self.columns or self.found.wide_points is None:
                break
        return columns

    def _alone(self) -> list[str]:
        if self.found.raters[0].facts.by_people:
            return []
        words = agree_figures.noise(self.found.raters[0].noise, self.found)
        return ["", *wrap(f"The judge against itself: {words}", self.columns, most=3)]

    def _basis(self) -> list[str]:
        text = agree_words.basis(self.found)
        return wrap(text, self.columns, most=2, indent="  ") if text else []

    def _refused(self) -> list[str]:
        found = agree_words.refused(self.found)
        if not found or len(self.found.raters) < agree_words.BOTH:
            return []
        text = "; ".join(f"{name} ({why})" for name, why in found)
        return wrap(f"Not printed: {text}", self.columns, most=2, indent="  ")

    def _others(self) -> list[str]:
        said = (agree_words.not_compared(self.found), agree_words.clustered(self.found))
        return [
            line for text in said if text for line in wrap(text, self.columns, most=2, indent="  ")
        ]

    def _next(self) -> list[str]:
        step = agree_words.next_step(self.found, self.run, self.typed)
        whole = f"Next: {step}"
        if not step or width(whole) <= self.columns:
            return [whole] if step else []
        command, _, cost = whole.partition("  (")
        lines = command_lines(command, self.columns)
        # A command of two lines needs the room of its price.
        return [*lines, cut(f"  ({cost}", self.columns)] if cost and len(lines) == 1 else lines
