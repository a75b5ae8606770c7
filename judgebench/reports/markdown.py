"""Result → report.md: everything that is known of one pass, in the order of the figures.

All text passes through `markup`, so judged words are only ever words.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from judgebench.model.result import Result
from judgebench.reports import elsewhere, markup
from judgebench.reports.blocks import Block, Bullets, Paragraph, Section
from judgebench.reports.naming import whole_names
from judgebench.reports.overview import overview
from judgebench.reports.sections import sections


def render(result: Result) -> str:
    """Write the whole report; equal results give equal bytes."""
    with whole_names():
        return page(_named(_with_table(result, sections(result))))


def _with_table(result: Result, found: Sequence[Section]) -> list[Section]:
    """The sections, and behind what is said and warned of the table that all else explains."""
    at = max((at + 1 for at, one in enumerate(found) if one.key in _BEFORE), default=1)
    return [*found[:at], overview(result), *found[at:]]


_BEFORE = ("measured", "said", "warnings")
_OWN_WORDS = {"warnings", "not_carried"}
"""Sections whose lines are our own sentences, some of which send to this page."""


def _named(parts: Sequence[Section]) -> list[Section]:
    """Lines that send to report.md name the section of it that they mean."""
    titles = {part.key: part.title for part in parts}
    return [
        replace(part, blocks=tuple(_told(block, titles) for block in part.blocks))
        if part.key in _OWN_WORDS
        else part
        for part in parts
    ]


def _told(block: Block, titles: Mapping[str, str]) -> Block:
    if not isinstance(block, Bullets):
        return block
    return replace(block, lines=tuple(elsewhere.named(line, titles) for line in block.lines))


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
