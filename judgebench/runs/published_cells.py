"""Numbers of published tables: read whole, or refused with their line; never cut short.

A cell may carry a sign of rank or of a rough figure before its number, and a footnote
or a note in brackets behind it. Anything else beside the digits would change what
they mean.
"""

import re
from collections.abc import Iterable

from judgebench.runs.published_words import NOTHING
from judgebench.text import one_line

TOO_LARGE = 1e15
"""Numbers from here on are no marks."""
MAX_CELL = 20_000
_BEFORE = re.compile(r"[#=~≈]?\s*(?:T(?=\d))?")
_NOTE = re.compile(
    r"(?:\s*(?:[*†‡§¹²³⁰-⁹]+|\[\^?\w{1,8}\]|\((?![^()]*%)[^()]{0,200}\)|points?\b|pts?\b\.?))*\s*\Z"
)
_PLAIN = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,4})?", re.ASCII)
_GROUPED = re.compile(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])", re.ASCII)
_ONE_GROUP = re.compile(r"[-+]?[1-9]\d{0,2},\d{3}\Z", re.ASCII)
_COMMA = re.compile(r"[-+]?\d+,\d+(?![\d.,])", re.ASCII)
_OUT_OF = re.compile(r"\s*/\s*(\d+(?:\.\d+)?)", re.ASCII)
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b|\.\Z")
_NO_NUMBER = re.compile(r"[-+]?(?:nan|inf|infinity)\Z", re.IGNORECASE)


class CellFault(ValueError):  # noqa: N818 - it names what was found
    """A cell that is neither a number nor nothing; its message holds what and what to do."""


def number(
    value: str | None, *, comma_decimals: bool = False, top: float | None = None,
    ordinal: bool = False,
) -> float | None:  # fmt: skip
    """The number of a cell; None where it holds none.

    Args:
        value: The cell.
        comma_decimals: Whether a comma inside of a number is a decimal comma.
        top: The maximum of its column, which may stand behind a slash.
        ordinal: Whether ``1st`` and ``1.`` are numbers too.

    Raises:
        CellFault: It holds digits that are no number as they stand.
    """
    text = (value or "")[:MAX_CELL].strip()
    if text.casefold() in NOTHING and not _NO_NUMBER.match(text):
        return None
    bare = text[_BEFORE.match(text).end() :].replace("−", "-")  # type: ignore[union-attr] # it matches nothing too
    if _NO_NUMBER.match(bare):
        raise CellFault(f"is {one_line(text, 40)}; write a number, or a dash where there is none")
    digits, rest = _digits(bare, comma_decimals=comma_decimals)
    if digits is None:
        if re.search(r"\d", text):
            raise _unread(text)
        return None
    if ordinal and (behind := _ORDINAL.match(rest)):
        rest = rest[behind.end() :]
    if (out_of := _OUT_OF.match(rest)) and top is not None and float(out_of[1]) == top:
        rest = rest[out_of.end() :]
    if not _NOTE.match(rest):
        raise _unread(text)
    found = float(digits)
    if abs(found) >= TOO_LARGE:
        raise CellFault(f"is {one_line(text, 40)}, too large for a mark; mend it")
    return found


def _digits(text: str, *, comma_decimals: bool) -> tuple[str | None, str]:
    """The number that a text begins with, as Python writes it, and what stands behind it."""
    if (found := _GROUPED.match(text)) is not None:
        if comma_decimals and _ONE_GROUP.match(found.group()):
            raise CellFault(
                f"is {found.group()}, which could be either of two numbers; "
                f"write {found.group().replace(',', '')} or {found.group().replace(',', '.')}"
            )
        return found.group().replace(",", ""), text[found.end() :]
    if (found := _COMMA.match(text)) is not None:
        if not comma_decimals:
            raise CellFault(
                f"is {found.group()}, in a file that separates with commas; "
                f"write {found.group().replace(',', '.')}, or separate with semicolons"
            )
        return found.group().replace(",", "."), text[found.end() :]
    found = _PLAIN.match(text)
    return (None, text) if found is None else (found.group(), text[found.end() :])


def _unread(text: str) -> CellFault:
    return CellFault(f"is {one_line(text, 40)}, which is no plain number; write the number alone")


def has_comma_decimals(cells: Iterable[str | None]) -> bool:
    """Whether a cell holds a comma in a number that cannot stand between thousands."""
    return any(
        re.match(r"[-+]?\d+,\d+\Z", cell or "") and not _GROUPED.match(cell or "") for cell in cells
    )
