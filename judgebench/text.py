"""Small pure functions over text, for every room.

Judged text, rationales, names and provider messages are hostile input: what is
shown to a person goes through `printable`, what is compared goes through `fold`.
"""

import hashlib
import json
import textwrap
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
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


def apart(
    names: Iterable[str], limit: int, *, cut: Callable[[str, int], str] = shorten
) -> Mapping[str, str]:
    """Names that are shown together, each safe, on one line, cut, and unlike every other.

    A name is cut at its end, as `one_line` does, unless another one would then read the
    same: such names keep their beginning and what tells them apart.

    Args:
        names: All names that a reader sees side by side; repeats do not matter.
        limit: What a name may measure.
        cut: Makes a text at most so long; another one may measure columns.

    Returns:
        Name → what is shown, in the order in which the names came; that order changes no text.
    """
    given = tuple(dict.fromkeys(names))
    shown = _apart(tuple(sorted(given)), limit, cut)
    return {name: shown[name] for name in given}


def among(name: str, names: Iterable[str], limit: int) -> str:
    """One of the names that are shown together, as `apart` writes it."""
    return apart((*names, name), limit)[name]


@lru_cache(maxsize=256)
def _apart(names: tuple[str, ...], limit: int, cut: Callable[[str, int], str]) -> Mapping[str, str]:
    whole = {name: " ".join(printable(name).split()) for name in names}
    shown = {name: cut(whole[name], limit) for name in names}
    alike: dict[str, list[str]] = {}
    for name in names:
        alike.setdefault(shown[name], []).append(name)
    taken = {text for text, group in alike.items() if len(group) == 1}
    for group in alike.values():
        if len(group) == 1:
            continue
        for tried in _ways([whole[name] for name in group], limit, cut):
            if len(set(tried)) == len(group) and taken.isdisjoint(tried):
                break
        shown |= zip(group, tried, strict=True)
        taken.update(tried)
    return MappingProxyType(shown)


def _ways(
    texts: list[str], limit: int, cut: Callable[[str, int], str]
) -> Iterator[tuple[str, ...]]:
    """Ways to write texts that begin alike: their ends, where they part, or numbers."""
    head = max(1, (limit - 1) // 3)
    room = max(1, limit - 1 - head)
    # In order, a text shares most with one of its neighbours.
    ranked = sorted(texts)
    same = _alike(ranked[0], ranked[-1])
    shared = [_alike(*pair) for pair in pairwise(ranked)]
    parts = dict(zip(ranked, map(max, [0, *shared], [*shared, 0]), strict=True))

    def written(text: str, start: int) -> str:
        return cut(f"{text[:head]}…{text[max(start, head) :]}", limit)

    yield tuple(written(text, len(text) - room) for text in texts)
    for before in (room // 2, room // 4, 0):
        yield tuple(written(text, same - before) for text in texts)
        yield tuple(written(text, parts[text] - before) for text in texts)
    many = len(str(len(texts)))
    for start in range(1, 10**6, len(texts)):
        marks = [f" ({place})" for place in range(start, start + len(texts))]
        yield tuple(
            cut(text, limit - max(many, len(mark))) + mark
            for text, mark in zip(texts, marks, strict=True)
        )


def _alike(first: str, second: str) -> int:
    """How many signs two texts have in common from their beginning."""
    pairs = enumerate(zip(first, second, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(first), len(second)))


def folded(text: str, columns: int = 80) -> str:
    """A sentence in lines of so many columns; a path or a name is never broken."""
    return textwrap.fill(
        text, columns, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def same_reading(name: str) -> str:
    """One spelling of all names that a reader takes for one: case, accents composed or not."""
    return unicodedata.normalize("NFKC", name).casefold()


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
