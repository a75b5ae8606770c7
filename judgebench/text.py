"""Small pure functions over text, for every room.

Judged text, rationales, names and provider messages are hostile input: what is
shown to a person goes through `printable`, what is compared goes through `fold`.
"""

import hashlib
import json
import textwrap
import unicodedata
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
# Letters and marks that are drawn as nothing although Unicode files them elsewhere.
_BLANK_LETTERS = set("\u3164\u115f\u1160\uffa0\u2800\u17b4\u17b5\u034f\u180b\u180c\u180d\u180f")
# Variation selectors change the sign before them and are nothing by themselves.
_BLANK_LETTERS |= {chr(code) for code in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))}


def has_visible(text: str) -> bool:
    """Say whether any character of `text` can be seen by a reader."""
    return any(
        not ch.isspace() and ch not in _BLANK_LETTERS and unicodedata.category(ch) not in _INVISIBLE
        for ch in text
    )


def printable(text: str, *, keep_newlines: bool = False) -> str:
    """Replace control, bidi and other invisible characters by visible stand-ins.

    A stand-in is ``<U+XXXX>``; line breaks become a blank unless they are kept.
    """
    if text.isprintable():
        return text
    if keep_newlines and "\n" in text:
        return "\n".join(map(printable, text.split("\n")))
    out: list[str] = []
    for ch in text:
        if ch in "\n\t":
            out.append(" ")
        elif unicodedata.category(ch) in _INVISIBLE:
            out.append(f"<U+{ord(ch):04X}>")
        else:
            out.append(ch)
    return "".join(out)


def shorten(text: str, limit: int) -> str:
    """Cut `text` to at most `limit` characters, the last one an ellipsis."""
    return text if len(text) <= limit else text[: max(0, limit - 1)] + "…"


def one_line(text: str, limit: int = 200) -> str:
    """Make a foreign text safe and short enough for one line of a message."""
    return shorten(" ".join(printable(text).split()), limit)


def folded(text: str, columns: int = 80) -> str:
    """A sentence in lines of so many columns; a path or a name is never broken."""
    return textwrap.fill(
        text, columns, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def same_reading(name: str) -> str:
    """One spelling of all names that a reader takes for one: case, accents composed or not."""
    return unicodedata.normalize("NFKC", name).casefold()


def composed(name: str) -> str:
    """A name with its accents composed, as most keyboards write them."""
    return unicodedata.normalize("NFC", name)


def plural(count: int, noun: str, nouns: str = "") -> str:
    """A count with its noun: ``1 item``, ``5 items``."""
    return f"{count:,} {noun if count == 1 else nouns or noun + 's'}"


def sha256_text(text: str) -> str:
    """Hash a text as UTF-8; lone surrogates are hashed by their code points."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def canonical_json(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """Write a JSON value in one spelling only: sorted keys, no blanks, no NaN."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def digest(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """SHA-256 of the canonical JSON of `value`, as 64 hexadecimal digits."""
    return sha256_text(canonical_json(value))


_TRUE_DECIMALS = 9
"""Beyond these a mean of marks holds only what binary numbers left."""


def decimals(low: float, high: float) -> int:
    """Decimals that totals on this scale are shown with: two where it spans 20 or less."""
    return 2 if high - low <= 20 else 1  # noqa: PLR2004 - as it says


def rounded(value: float, digits: int) -> Decimal:
    """A finite number with so many decimals, halves away from zero; never -0.

    What is rounded is the decimal number that the value stands for, not its nearest binary one.
    """
    found = Decimal(f"{value:.{_TRUE_DECIMALS}f}").quantize(
        Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP
    )
    return found or abs(found)
