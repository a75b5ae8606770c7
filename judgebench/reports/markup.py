"""Plain text → Markdown that can only be text: no element, link, image or table break.

What Markdown or a renderer's extensions would act on is written as a character
reference or with a backslash; a reader sees the sign itself.
"""

import re
from collections.abc import Iterable, Sequence

from judgebench.text import printable

_SIGNS = str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        "|": "&#124;",
        "@": "&#64;",
        "`": "\\`",
        "*": "\\*",
        "[": "\\[",
        "]": "\\]",
        "!": "\\!",
        "~": "\\~",
        "$": "\\$",
        "\\": "\\\\",
    }
)
# Bare addresses become links in GitHub's Markdown even where nothing marks them.
_ADDRESS = re.compile(r":(?=//)|:(?=[^\s:]*&#64;)")
_WWW = re.compile(r"\b(www)\.", re.IGNORECASE)
# Within a word it marks nothing, and names are easier to read and to find without.
_UNDERLINE = re.compile(r"(?<![^\W_])_|_(?![^\W_])")
_LEADING = re.compile(r"^([-+=#:])")
_NUMBERED = re.compile(r"^(\d+)([.)])(?=\s|$)")


def text(plain: str) -> str:
    """Escape one piece of text for a paragraph or a list entry."""
    return _NUMBERED.sub(r"\1\\\2", _LEADING.sub(r"\\\1", cell(plain)))


def cell(plain: str) -> str:
    """Escape one piece of text for a table cell, where no block can begin."""
    line = " ".join(printable(plain).split()).translate(_SIGNS)
    line = line.replace("](", "]\\(")
    line = _UNDERLINE.sub(r"\\_", line)
    return _WWW.sub(r"\1&#46;", _ADDRESS.sub("&#58;", line))


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, right: int = 1) -> list[str]:
    """A table as lines; columns from number `right` on are set to the right edge."""
    marks = ["---" if place < right else "---:" for place in range(len(heads))]
    return [_row(map(cell, heads)), _row(marks), *(_row(map(cell, row)) for row in rows)]


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def bullets(lines: Iterable[str]) -> list[str]:
    """A list, one entry a line."""
    return [f"- {text(line)}" for line in lines]
