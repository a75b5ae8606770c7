"""Columns → lines of a fixed width: which columns fit, and how wide each is.

The heads of the criteria give way first, then the reasons and the arm's name down to what
tells it apart, then criteria drop out from the right, and the caller is told how many.
"""

from collections.abc import Sequence
from dataclasses import replace

from judgebench.namesakes import apart
from judgebench.records import dataclass
from judgebench.reports.cells import cut, pad, width


@dataclass(frozen=True, kw_only=True, slots=True)
class Column:
    """One column: head, cells, and how it may give way."""

    head: str
    cells: tuple[str, ...]
    right: bool = False
    least: int = 0
    """Columns that it may shrink to; 0 where it may not."""
    wanted: int = 0
    """Columns that it keeps as long as a criterion can drop out for it."""
    criterion: bool = False
    """May have its head cut, and may drop out."""
    short: str = ""
    """Head where room is scarce."""
    narrow: tuple[str, ...] = ()
    """Cells for where it has shrunk; none where the same are cut."""
    beside: tuple[str, ...] = ()
    """All names that its cells are some of, where it holds names."""
    whole: bool = False
    """Its head is never cut: a further table takes what finds no room."""

    @property
    def natural(self) -> int:
        """Columns that nothing is cut at."""
        return max(map(width, (self.head, *self.cells)), default=0)


@dataclass(frozen=True, kw_only=True, slots=True)
class Grid:
    """Lines of a table, head first, and the number of criteria that found no room."""

    head: str
    lines: tuple[str, ...]
    dropped: int
    names: tuple[tuple[str, str], ...] = ()
    """Each name that was cut: as it is shown, and whole."""


def names_column(head: str, names: Sequence[str], every: Sequence[str] = ()) -> Column:
    """A column of names, wide enough that they are read apart by their beginnings.

    Args:
        head: Its head.
        names: The names, a row each.
        every: All names, where only some of them have a row: they are cut as on any other page.
    """
    different = {*names, *every}
    clear = (at for at in _NAMES if len({cut(name, at) for name in different}) == len(different))
    # Where their ends are not enough, as wide as what tells them apart is.
    least = max(map(width, apart((*names, *every), _NAMES[-1], cut=cut).values()), default=0)
    wanted = next(clear, max(_NAMES[0], least))
    beside = tuple(every) or tuple(names)
    return Column(head=head, cells=tuple(names), least=_NAMES[0], wanted=wanted, beside=beside)


_NAMES = range(10, 23)
"""Columns for names."""


def grid(columns: Sequence[Column], columns_wide: int) -> Grid:
    """Lay out `columns` in at most `columns_wide` terminal columns."""
    kept = [column for column in columns if column.natural]
    criteria = sum(column.criterion for column in kept)
    trials = [_cut_heads(kept, head) for head in (0, 9, 7, 6, 5, 4)]
    # Heads give way before names and reasons do.
    for need in (_natural, _wanted):
        for trial in trials:
            if trial is not None and need(trial) <= columns_wide:
                return _draw(trial, columns_wide, dropped=0)
    # Fewer criteria with heads that tell them apart, rather than more that do not.
    shrunk = next((trial for trial in trials[4:1:-1] if trial is not None), kept)
    while _wanted(shrunk) > columns_wide and any(column.criterion for column in shrunk):
        last = max(place for place, column in enumerate(shrunk) if column.criterion)
        shrunk = [*shrunk[:last], *shrunk[last + 1 :]]
    return _draw(shrunk, columns_wide, dropped=criteria - sum(c.criterion for c in shrunk))


def _cut_heads(columns: list[Column], head: int) -> list[Column] | None:
    """Cut the heads of criteria; None where two of them would then read alike."""
    if not head:
        return columns
    short = [replace(c, head=c.short or c.head) for c in columns]
    out = [
        replace(c, head=_start(c.head, head)) if c.criterion and not c.whole else c for c in short
    ]
    heads = [column.head for column in out if column.criterion]
    return out if len(set(heads)) == len(heads) else None


def _start(text: str, columns: int) -> str:
    """The first signs of a head; an ellipsis would take a letter's place."""
    while width(text) > columns:
        text = text[:-1]
    return text


def _natural(columns: list[Column]) -> int:
    return sum(column.natural for column in columns) + len(columns) - 1


def _wanted(columns: list[Column]) -> int:
    used = sum(min(max(c.least, c.wanted), c.natural) if c.least else c.natural for c in columns)
    return used + len(columns) - 1


def _draw(columns: list[Column], columns_wide: int, *, dropped: int) -> Grid:
    widths = _widths(columns, columns_wide)
    cells = [_cells(c, at) for c, at in zip(columns, widths, strict=True)]
    # What names lose may be more than they had to give.
    widths = [
        max(map(width, (c.head, *one))) if c.least else at
        for c, at, one in zip(columns, widths, cells, strict=True)
    ]
    spare = columns_wide - sum(widths) - (len(columns) - 1)
    gap = "  " if spare >= len(columns) - 1 else " "
    texts = [(c.head, *one) for c, one in zip(columns, cells, strict=True)]
    lines = [
        gap.join(
            pad(text, columns_at, right=column.right)
            for column, columns_at, text in zip(columns, widths, row, strict=True)
        ).rstrip()
        for row in zip(*texts, strict=True)
    ]
    lines = [cut(line, columns_wide) for line in lines]
    names = tuple(
        pair
        for column, one in zip(columns, cells, strict=True)
        if column.beside
        for pair in zip(one, column.cells, strict=True)
        if pair[0] != pair[1]
    )
    return Grid(head=lines[0], lines=tuple(lines[1:]), dropped=dropped, names=names)


def _cells(column: Column, columns_at: int) -> tuple[str, ...]:
    """The cells as they fit: two that differ never look the same."""
    if column.natural <= columns_at:
        return column.cells
    cells = column.narrow or column.cells
    shown = apart((*cells, *column.beside), columns_at, cut=cut)
    return tuple(shown[cell] for cell in cells)


def _widths(columns: list[Column], columns_wide: int) -> list[int]:
    widths = [column.natural for column in columns]
    over = sum(widths) + len(columns) - 1 - columns_wide
    # From the right: reasons give way before the arm's name does.
    for place in range(len(columns) - 1, -1, -1):
        least = columns[place].least
        if over > 0 and least:
            given = min(over, max(0, widths[place] - least))
            widths[place] -= given
            over -= given
    return widths
