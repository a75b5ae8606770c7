"""Is a quote really there, and where: found in the text as it was sent, or not found.

White space and typographic variants are folded on both sides (curly and straight
quotation marks, dashes, ellipses, no-break and invisible characters, compatibility
forms), then letter case. An ellipsis inside a quote stands for words left out:
its parts must stand in the text in that order. Nothing else is forgiven.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from judgebench.model.nouns import Mark, Quote

MIN_VISIBLE = 3
"""A quote with fewer visible characters shows nothing."""

_VARIANTS = {
    **dict.fromkeys("‘’‚‛′‵ʼʹ`´", "'"),
    **dict.fromkeys("“”„‟″‶«»", '"'),
    **dict.fromkeys("‐‑‒–—―−⁃", "-"),
}
_DASHES = re.compile("-+")
_ELLIPSIS = re.compile(r"\[ ?\.{3,} ?\]|\( ?\.{3,} ?\)|\.{3,}")


class _Variants(dict[int, str]):
    """Code point → what it is compared as; filled as characters are met."""

    def __missing__(self, point: int) -> str:
        char = chr(point)
        folded = "".join(
            _VARIANTS.get(one, "" if unicodedata.category(one) == "Cf" else one)
            for one in unicodedata.normalize("NFKD", _VARIANTS.get(char, char))
        )
        self[point] = folded = " " if folded.isspace() else folded
        return folded


_FOLDS = _Variants()


def _bare(text: str) -> str:
    """The folded text in any letter case, without places: a tenth of the work of `_fold`."""
    folded = " ".join(text.translate(_FOLDS).casefold().split())
    return _DASHES.sub("-", folded) if "--" in folded else folded


@lru_cache(maxsize=64)
def _bare_source(text: str) -> str:
    return _bare(text)


@dataclass(frozen=True, slots=True)
class _Folded:
    """A text in its folded form, with the place of each character in the original."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]


def _fold(text: str, *, any_case: bool) -> _Folded:
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    last = ""
    for place, char in enumerate(text):
        folded = _FOLDS[ord(char)]
        for one in folded.casefold() if any_case else folded:
            # One blank stands for any run of white space, one dash for any run of dashes.
            if one == last and one in " -":
                ends[-1] = place + 1
                continue
            out.append(one)
            starts.append(place)
            ends.append(place + 1)
            last = one
    return _Folded("".join(out), tuple(starts), tuple(ends))


@lru_cache(maxsize=64)
def _fold_source(text: str, *, any_case: bool) -> _Folded:
    return _fold(text, any_case=any_case)


def find(quote: str, text: str) -> tuple[int, int] | None:
    """Where `quote` stands in `text` as (start, end), or None.

    The plain text first, then folded, then in any letter case, each as a whole
    before it is split at an ellipsis.
    """
    wanted = quote.strip()
    if _visible(wanted) < MIN_VISIBLE:
        return None
    place = text.find(wanted)
    if place >= 0:
        return place, place + len(wanted)
    # Most quotes that are not there verbatim are not there at all: that is seen here.
    bare, source = _bare(wanted), _bare_source(text)
    if not (_in_order([bare], source) or _in_order(_split(bare), source)):
        return None
    return _placed(wanted, text, any_case=False) or _placed(wanted, text, any_case=True)


def _visible(quote: str) -> int:
    bare = quote.replace("…", "...")
    if "..." in bare:
        bare = _ELLIPSIS.sub("", bare)
    if bare.isascii() and bare.isprintable():
        return len(bare) - bare.count(" ")
    return sum(not char.isspace() and unicodedata.category(char)[0] != "C" for char in bare)


def _split(folded: str) -> list[str]:
    return [part.strip() for part in _ELLIPSIS.split(folded) if part.strip()]


def _in_order(parts: list[str], source: str) -> tuple[int, int] | None:
    first, place = -1, 0
    for part in parts:
        found = source.find(part, place)
        if found < 0:
            return None
        first = found if first < 0 else first
        place = found + len(part)
    return (first, place) if first >= 0 else None


def _placed(wanted: str, text: str, *, any_case: bool) -> tuple[int, int] | None:
    source = _fold_source(text, any_case=any_case)
    folded = _fold(wanted, any_case=any_case).text.strip()
    found = _in_order([folded], source.text) or _in_order(_split(folded), source.text)
    return (source.starts[found[0]], source.ends[found[1] - 1]) if found else None


def check(mark: Mark, sources: Mapping[str, str], *, required: int) -> Mark:
    """Look for each quote of a mark in the text that it claims to come from.

    Args:
        mark: As the judge gave it.
        sources: ``answer``, ``prompt``, ``evidence``, ``reference`` → the text as sent;
            sources that the item does not have are left out.
        required: Different quotes that the criterion asks for.

    Returns:
        The mark with the place of every quote that was found. It is `unsupported`
        where fewer than `required` were found, or quotes were given and none was.
        A blocked mark supports nothing and is never flagged.
    """
    quotes = tuple(_place(quote, sources) for quote in mark.quotes)
    found = {(quote.source, quote.start, quote.end) for quote in quotes if quote.found}
    unsupported = len(found) < required or (bool(quotes) and not found)
    return Mark(
        criterion=mark.criterion,
        mark=mark.mark,
        rationale=mark.rationale,
        quotes=quotes,
        blocked=mark.blocked,
        unsupported=mark.mark is not None and unsupported,
    )


def _place(quote: Quote, sources: Mapping[str, str]) -> Quote:
    where = find(quote.text, sources.get(quote.source, ""))
    start, end = where or (None, None)
    return Quote(text=quote.text, source=quote.source, start=start, end=end)


def elsewhere(quote: Quote, sources: Mapping[str, str]) -> str | None:
    """The other source in which a quote that was not found does stand."""
    if quote.found:
        return None
    return next(
        (
            name
            for name, text in sources.items()
            if name != quote.source and find(quote.text, text) is not None
        ),
        None,
    )
