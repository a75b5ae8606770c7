"""Result → report.md: everything that is known of one pass, in the order of the figures.

All text passes through `markup`, so judged words are only ever words.
"""

from collections.abc import Sequence

from judgebench.model.result import Result
from judgebench.reports import markup
from judgebench.reports.blocks import Block, Bullets, Paragraph, Section
from judgebench.reports.sections import sections


def render(result: Result) -> str:
    """Write the whole report; equal results give equal bytes."""
    return page(sections(result))


def page(parts: Sequence[Section]) -> str:
    """Write sections as one page; the first gives its title."""
    first, *rest = parts
    return (
        "\n\n".join(("\n".join(_section(first, "#")), *map("\n".join, map(_section, rest)))) + "\n"
    )


def _section(section: Section, level: str = "##") -> list[str]:
    lines = [f"{level} {markup.text(section.title)}"]
    for block in section.blocks:
        lines += ["", *_block(block)]
    return lines


def _block(block: Block) -> list[str]:
    match block:
        case Paragraph(text):
            return [markup.text(text)]
        case Bullets(lines):
            return markup.bullets(lines)
        case _:
            return markup.table(block.heads, block.rows, right=block.right)
