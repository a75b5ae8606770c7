"""Text in columns: how wide a text is drawn, and how it is cut, padded and broken.

Widths are terminal columns: East Asian wide characters take two, combining marks
none. Every function takes text that has been through `text.printable`.
"""

import unicodedata

_EMOJI_STYLE = "\ufe0f"
_STUCK = "\x00"


def width(text: str) -> int:
    """Columns that `text` takes."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(ch: str) -> int:
    # The emoji selector makes the sign before it wide: counted here, never too little.
    if ch == _EMOJI_STYLE:
        return 1
    if unicodedata.category(ch) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(ch) in {"W", "F"} else 1


def cut(text: str, columns: int) -> str:
    """Make `text` at most `columns` wide, the last sign an ellipsis where it was cut."""
    if width(text) <= columns:
        return text
    return _head(text, columns - 1) + "…" if columns > 0 else ""


def _head(text: str, columns: int) -> str:
    used = 0
    for place, ch in enumerate(text):
        used += _columns(ch)
        if used > columns:
            return text[:place]
    return text


def pad(text: str, columns: int, *, right: bool = False) -> str:
    """Cut or fill `text` to exactly `columns`; `right` puts it at the right edge."""
    text = cut(text, columns)
    blanks = " " * (columns - width(text))
    return blanks + text if right else text + blanks


def wrap(text: str, columns: int, *, most: int = 0, indent: str = "") -> list[str]:
    """Break `text` at blanks into lines of at most `columns`.

    Args:
        text: One paragraph.
        columns: Width of a line, indent included.
        most: Lines at most, the last one cut; 0 for as many as it takes.
        indent: Stands before every line but the first.
    """
    lines: list[str] = []
    # A number and its per cent sign stay together.
    rest = text.replace(" %", f"{_STUCK}%")
    while rest:
        room = columns - (width(indent) if lines else 0)
        line, rest = _break(rest, room)
        lines.append((indent if lines else "") + line)
        if rest and len(lines) == most:
            lines[-1] = ended(lines[-1], columns)
            break
    return [line.replace(_STUCK, " ") for line in lines]


def command_lines(text: str, columns: int) -> list[str]:
    """A command broken at blanks as a shell takes it: one that was cut would be another one."""
    lines = [""]
    for word in text.split(" "):
        room = columns - 2  # for the sign that it goes on
        if lines[-1] and width(f"{lines[-1]} {word}") > room:
            lines[-1] += " \\"
            lines.append(f"  {word}")
        else:
            lines[-1] += f" {word}" if lines[-1] else word
    return lines


def ended(line: str, columns: int) -> str:
    """A last line with a sign that there was more, cut between words where it can be."""
    while width(line) + 2 > columns and " " in line.strip():
        line = line[: line.rindex(" ")]
    return cut(f"{line} …", columns)


def _break(text: str, columns: int) -> tuple[str, str]:
    if width(text) <= columns:
        return text, ""
    head = _head(text, max(columns, 2))
    blank = head.rfind(" ")
    # A word that ends right at the edge is whole.
    if text[len(head) : len(head) + 1] == " ":
        blank = len(head)
    if blank <= 0:
        return head, text[len(head) :]
    return head[:blank].rstrip(), text[blank:].lstrip()
