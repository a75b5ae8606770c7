"""Result → text for a terminal: 24 lines of 80 columns in the default view.

Every foreign text comes from `tables`, where control, bidi and other invisible
signs have been made visible; colour is put around own words only.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from judgebench.model.result import Result
from judgebench.namesakes import apart
from judgebench.reports import extended, next_step, tables
from judgebench.reports.cells import cut, width, wrap
from judgebench.reports.digits import DASH, plural, points, usd
from judgebench.reports.layout import Column, Grid, grid, names_column
from judgebench.reports.terminal_blocks import block_lines
from judgebench.reports.terminal_page import WARNINGS, Page

LINES = 24
LEAST_ROWS = 3
"""Head, one row, and how many more there are."""
VIEWS = ("default", "criteria", "context", "why", "arms", "extended")


def render(  # noqa: PLR0913 - a page, and each thing beside it that its user typed or lacks
    result: Result,
    *,
    width: int = 80,
    color: bool = False,
    view: str = "default",
    run: str = "",
    given: Mapping[str, str] = next_step.NOTHING,
    rest: str = "",
    lead: str = "",
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
        lead: What stands before all else; a command for it on a line of its own.

    Raises:
        ValueError: `view` is none of `VIEWS`.
    """
    page = Page(
        result, columns=max(width, 40), color=color, run=run, given=given, rest=rest, lead=lead
    )
    if view not in _VIEWS:
        raise ValueError(f"view must be one of {', '.join(VIEWS)}, got {view!r}")
    return "\n".join(line.rstrip() for line in _VIEWS[view](page)) + "\n"


def _default(page: Page) -> list[str]:
    """At most 24 lines: the answer, the top rows, what to doubt and do next."""
    top, said, warned, closing = page.head(), page.said(), page.warned(), page.closing()
    legend = page.legend(page.table(page.rows))
    fixed = len(top) + len(said) + len(closing) + len(legend)
    wanted = 1 + 2 * len(page.rows) if page.shape.quotes else LEAST_ROWS
    if LINES - fixed - len(warned) < wanted:
        warned = _fewer(page, LINES - fixed - wanted)
    if warned and LINES - fixed - len(warned) < LEAST_ROWS:
        warned = page.warned(most=1, shown=1)
    if page.unstarred() and len(warned) > 1 and LINES - fixed - len(warned) < LEAST_ROWS:
        warned = page.warned(shown=0)
    if LINES - fixed - len(warned) < LEAST_ROWS:
        fixed -= len(top)
        top = page.head(most=1)
        fixed += len(top)
    if LINES - fixed - len(warned) < LEAST_ROWS:
        fixed -= len(legend)
        legend = page.legend(page.table(page.rows), short=True)
        fixed += len(legend)
    room = LINES - fixed - len(warned)
    # Blank lines are worth less than rows and than the quotes below them.
    taken = wanted if page.shape.quotes and wanted <= room else 1 + len(page.rows)
    blanks = min(3, max(0, room - taken))
    body = _body(page, room - blanks) if tables.has_rows(page.result) else _unscored(page, room)
    gap = [[""] if blanks > place else [] for place in range(3)]
    bold = [page.paint(line, "bold") for line in said] if _own_answer(page) else said
    return [*top, *gap[0], *bold, *gap[1], *body, *legend, *gap[2], *warned, *closing]


def _fewer(page: Page, room: int) -> list[str]:
    """Fewer flags, each whole; where not even one is, all of them cut to a line."""
    for shown in range(WARNINGS - 1, 0, -1):
        lines = page.warned(shown=shown)
        if len(lines) <= room:
            return lines
    return page.warned(most=1)


def _own_answer(page: Page) -> bool:
    return tables.answer(page.result) == tables.one_item(page.result)


def _body(page: Page, room: int) -> list[str]:
    """Head and rows in at most `room` lines; one item has quotes below its rows."""
    rows = page.rows
    if page.shape.quotes and 1 + 2 * len(rows) <= room:
        table = page.table(rows)
        return [table.head, *_quoted(page, table)]
    shown = _fitting(rows, room)
    table = page.table(shown)
    more = len(rows) - len(shown)
    tail = [cut(_more(page, more), page.columns)] if more else []
    return [table.head, *_inline_quotes(page, table, shown), *tail]


def _fitting(rows: Sequence[tables.Row], room: int) -> Sequence[tables.Row]:
    """The rows that find room below their head; where not all do, a line says how many more."""
    return rows if len(rows) + 1 <= room else rows[: max(1, room - 2)]


def _quoted(page: Page, table: Grid) -> list[str]:
    """Every row, with its quote on a line below."""
    lines = []
    for line, row in zip(table.lines, page.rows, strict=True):
        lines.append(line)
        if page.shape.quotes and row.quote:
            lines.append(cut(f"    {row.quote}", page.columns))
    return lines


def _more(page: Page, more: int) -> str:
    return f"… {more:,} more ({tables.arms_hint(page.result, page.run)})"


def _inline_quotes(page: Page, table: Grid, rows: Sequence[tables.Row]) -> list[str]:
    """Quotes behind the rows, where there is no line for them but room beside."""
    used = max(map(width, table.lines), default=0) + 2
    if not page.shape.quotes or page.columns - used < 16:  # noqa: PLR2004 - a few words
        return list(table.lines)
    return [
        line + " " * (used - width(line)) + cut(row.quote, page.columns - used)
        for line, row in zip(table.lines, rows, strict=True)
    ]


def _unscored(page: Page, room: int) -> list[str]:
    """Nothing has a mark: arms with what became of their answers."""
    shown = _fitting(page.rows, room)
    columns = [
        names_column("arm", [row.arm for row in shown], [row.arm for row in page.rows]),
        Column(head="answered", cells=tuple(row.answered for row in shown), right=True),
        Column(
            head="blocked",
            cells=tuple(row.blocked or "0" for row in shown),
            narrow=tuple(row.blocked_narrow or "0" for row in shown),
            least=10,
        ),
    ]
    table = grid(columns, page.columns)
    more = len(page.rows) - len(shown)
    return [table.head, *table.lines, *([_more(page, more)] if more else [])]


def _arms(page: Page) -> list[str]:
    """Every arm, however many there are."""
    table = page.table(page.rows)
    return [
        *page.head(),
        "",
        table.head,
        *_quoted(page, table),
        *page.legend(table),
        *page.key(table),
    ]


def _criteria(page: Page) -> list[str]:
    """All criteria, in as many blocks as the width asks for."""
    lines, first, many = page.head(), 0, len(page.result.criteria)
    # An arm reads the same in every block.
    names = apart([row.arm for row in page.rows], page.columns // 3, cut=cut)
    while first < many:
        columns = [Column(head="arm", cells=tuple(names[row.arm] for row in page.rows))]
        columns += [
            replace(one, short="", whole=True)
            for one in page.criteria_columns(page.rows, first, full=True)
        ]
        table = grid(columns, page.columns)
        lines += ["", table.head, *table.lines]
        first += max(1, many - first - table.dropped)
    return lines


def _context(page: Page) -> list[str]:
    """Time, tokens, cost and reasoning: reported, never scored."""
    facts = [arm.context for arm in page.result.arms]
    columns = [
        names_column("arm", [row.arm for row in page.rows]),
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
    table = grid(columns, page.columns)
    note = (
        "Medians an answer; cost is the sum; reasoning is reasoning tokens ÷ other completion "
        f"tokens; known counts answers with a record; {DASH} is unknown. Never scored."
    )
    return [*page.head(), "", table.head, *table.lines, "", *wrap(note, page.columns)]


def _extended(page: Page) -> list[str]:
    """Whether the answer would change, and every further figure of this pass."""
    lines = [*page.head(), "", *page.said(), ""]
    told = tables.sensitivity(page.result)
    if not told and page.result.extended is None and page.result.strengths is None:
        told = (
            ("There is nothing to vary: one criterion and fewer than two arms with marks.", ()),
        )
    for head, figures in told:
        lines += wrap(head, page.columns, indent="  ")
        for text in figures:
            lines += wrap(f"  {text}", page.columns, indent="    ")
    for one in extended.sections(page.result):
        lines += ["", *(page.paint(line, "bold") for line in wrap(one.title, page.columns))]
        for block in one.blocks:
            lines += block_lines(block, page.columns)
    return lines


_ALL_PRINTED = (
    "Every figure of the table and of report.md that this level of data has is printed; what "
    "--extended adds says in its own place where a figure is not."
)


def _why(page: Page) -> list[str]:
    """Each figure that is not printed, with its reason and what it would need."""
    found, single = tables.why(page.result), tables.why_arms(page.result)
    lines = [*page.head(), ""]
    if not found and not single:
        return [*lines, *wrap(_ALL_PRINTED, page.columns)]
    # As the table counts them: one that two reasons refuse is one.
    names = tables.refused(page.result)
    heads = (f"{plural(len(names), 'figure')} not printed:", "of single arms:")
    for head, named in zip(heads, (found, single), strict=True):
        lines += [head] if named else []
        reasons: dict[str, list[str]] = {}
        for name, reason in named:
            reasons.setdefault(name, []).append(reason)
        for name, why in reasons.items():
            lines += wrap(f"{name}: {'; '.join(why)}", page.columns, indent="  ")
    return lines


_VIEWS: dict[str, Callable[[Page], list[str]]] = {
    "default": _default,
    "criteria": _criteria,
    "context": _context,
    "why": _why,
    "arms": _arms,
    "extended": _extended,
}
