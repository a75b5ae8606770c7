"""What a page is made of before it is a page: sections of paragraphs, lists and tables.

The texts are as they are known: whoever makes a page of them escapes and lays out.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list, one entry a line."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table; columns from number `right` on hold figures, the first names the row."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: int = 1
    caption: str = ""
    """Where it says more than the title of its section."""


Block = Paragraph | Bullets | Table


@dataclass(frozen=True, kw_only=True, slots=True)
class Section:
    """A heading with what stands below it."""

    key: str
    title: str
    blocks: tuple[Block, ...]


def section(key: str, title: str, *blocks: Block | None) -> Section | None:
    """A section of what is there; None where nothing is."""
    kept = tuple(block for block in blocks if block is not None)
    return Section(key=key, title=title, blocks=kept) if kept else None
