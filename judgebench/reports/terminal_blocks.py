"""A block of a report as lines of a terminal."""

from collections.abc import Sequence

from judgebench.namesakes import apart
from judgebench.reports.blocks import Block, Bullets, Paragraph, Table
from judgebench.reports.cells import wrap
from judgebench.reports.digits import DASH
from judgebench.reports.layout import Column, grid
from judgebench.text import one_line


def block_lines(block: Block, columns: int) -> list[str]:
    """A block of the report in the width of the terminal; foreign text made safe."""
    if isinstance(block, Paragraph):
        return wrap(one_line(block.text, 2000), columns, indent="  ")
    if isinstance(block, Bullets):
        return [
            part
            for line in block.lines
            for part in wrap(f"- {one_line(line, 2000)}", columns, indent="  ")
        ]
    return _table(block, columns)


def _table(block: Table, columns_wide: int) -> list[str]:
    """A table, or where it is too wide one paragraph a row: no figure is cut away."""
    heads = block.short or block.heads
    # What names a row is cut; a figure or a verdict is not.
    cells = [apart((row[at] for row in block.rows), 200 if at else 60) for at in range(len(heads))]
    rows = [[shown[cell] for shown, cell in zip(cells, row, strict=False)] for row in block.rows]
    columns = [
        Column(head=head, cells=tuple(row[at] for row in rows), right=at > 0)
        for at, head in enumerate(heads)
    ]
    if sum(one.natural + 2 for one in columns) <= columns_wide:
        table = grid(columns, columns_wide)
        return [table.head, *table.lines]
    return [
        part for row in rows for part in wrap(_in_words(heads, row), columns_wide, indent="    ")
    ]


def _in_words(heads: Sequence[str], row: Sequence[str]) -> str:
    """A row as a sentence: what names it, then each figure behind its head."""
    figures = (
        # A verdict is a sentence of its own: a head before it would read as its subject.
        f"{'' if head == 'shown' else head} {cell}".strip()
        for head, cell in zip(heads[1:], row[1:], strict=True)
        if cell != DASH
    )
    return f"  {row[0]}: {'; '.join(figures)}"
