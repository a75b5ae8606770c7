"""Read a text without the markup and the character references inside its words.

`Cl**aude**`, `Cla<b>ude</b>`, `Cla<!-- -->ude` and `&#67;laude` are shown to a reader as
one word, and so are the escapes of JSON, of programs and of addresses to whoever reads those.
Where a text has such places, a second reading of it is made, with the way back.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from html import unescape

from judgebench.blind.fold import Folded, fold
from judgebench.records import dataclass

_TAG = (
    r"</?(?:b|i|u|s|a|em|strong|span|code|sup|sub|mark|wbr|font|small|big)(?:\s[^<>\n]{0,80})?/?>"
)
_COMMENT = r"<!--[^<>]{0,80}-->"
# What TeX shows nothing for.
_NOTHING = r"\\-|\{\}"
_MARKS = rf"(?:[*`~]{{1,3}}|{_TAG}|{_COMMENT}|{_NOTHING})"
_REFERENCE = r"&(?:#(?:\d{2,6}|x[0-9a-f]{2,5})|shy|zwn?j|nbsp|[mn]dash|hyphen|dash|thinsp|ensp);"
# `\u0043`, `\u{43}`, `\x43` and `%43`: the last two of the printable signs of ASCII alone.
_ESCAPE = (
    r"\\(?:u(?:0000)?(?!d[89a-f])(?P<hex>[0-9a-f]{4})|u\{0{0,4}(?P<braced>[0-9a-f]{2,4})\}"
    r"|x(?P<byte>[2-7][0-9a-f]))|%(?P<octet>[2-7][0-9a-f])"
)
_CHANGED = re.compile(
    rf"(?P<marks>(?<=[a-z0-9]){_MARKS}{{1,3}}(?=[a-z0-9&\\%]|[-_. ]\d))"
    rf"|(?P<reference>{_REFERENCE})|(?P<escape>{_ESCAPE})"
)
_MARK = re.compile(_MARKS)
_ALONE = ("<!--", "\\", "{")
"""Beginnings of marks that open nothing."""
# a: a letter or digit, m: a mark that may stand inside a word, a blank: all else.
_CLASSES = bytes(
    97 if chr(code).isalnum() else 109 if chr(code) in "*`~<" else 32 for code in range(128)
)
_CLASSES += b" " * 128
_LETTERS = re.compile(r"[a-z]+")
_SIGNS = ("&", "<!--")
# Signs of programs' texts, with what makes them worth a look.
_RARE_SIGNS = ("\\", "%", "{}")
_RARE = re.compile(r"\\[ux][0-9a-f{]|%[2-7][0-9a-f]|[a-z0-9](?:\\-|\{\})[a-z0-9]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Bare:
    """A folded text without markup inside words, and where it was changed."""

    text: str
    firsts: tuple[int, ...]
    """Where each character begins in the folded text."""
    lasts: tuple[int, ...]
    """Where it ends."""
    marks: tuple[int, ...]
    """Places of this text before which marks are gone."""
    references: tuple[int, ...]
    """Places of this text that stand for a character reference, or before which one is gone."""

    def folded(self, original: Folded) -> Folded:
        """The same text, with places of the one before folding."""
        places = (original.back(first, first + 1)[0] for first in self.firsts)
        return Folded(text=self.text, places=tuple(places))

    def changed_in(self, start: int, end: int, *, around: int = 0) -> bool:
        """Whether a span is read so only because of what was changed in it.

        Args:
            start: Where it starts.
            end: Where it ends.
            around: How far before it a character reference counts as well.
        """
        at = bisect_left(self.references, start - around)
        if around and at < len(self.references) and self.references[at] < start:
            return True
        at = bisect_left(self.references, start)
        if at < len(self.references) and self.references[at] <= end:
            return True
        word = _LETTERS.match(self.text, start, end)
        inner = word.end() if word else end
        at = bisect_left(self.marks, start + 1)
        return at < len(self.marks) and self.marks[at] < inner

    def back(self, start: int, end: int, plain: str) -> tuple[int, int]:
        """Where a span stands in the folded text, with a mark that was opened in it closed."""
        first, last = self.firsts[start], self.lasts[end - 1]
        marks = (match.group() for match in _MARK.finditer(plain, first, last))
        inside = [mark for mark in marks if not mark.startswith(_ALONE)]
        if len(inside) % 2 == 0:
            return first, last
        after = _MARK.match(plain, last)
        if after is not None:
            return first, after.end()
        width = len(inside[0])
        before = plain[max(0, first - width) : first]
        return (first - width if before == inside[0] else first), last


def bare(plain: str, data: bytes) -> Bare | None:
    """The second reading of a folded text, or None where there is nothing to change.

    Args:
        plain: The folded text.
        data: The same in ASCII, other characters replaced.
    """
    if not (any(sign in plain for sign in _SIGNS) or _has_marks(data) or _has_escapes(plain)):
        return None
    changes = list(_changes(plain))
    if not changes:
        return None
    parts: list[str] = []
    firsts: list[int] = []
    lasts: list[int] = []
    marks: list[int] = []
    references: list[int] = []
    last = 0
    for start, end, instead in changes:
        parts.append(plain[last:start])
        firsts.extend(range(last, start))
        lasts.extend(range(last + 1, start + 1))
        (marks if instead is None else references).append(len(firsts))
        if instead:
            parts.append(instead)
            firsts.append(start)
            lasts.append(end)
        last = end
    parts.append(plain[last:])
    firsts.extend(range(last, len(plain)))
    lasts.extend(range(last + 1, len(plain) + 1))
    return Bare(
        text="".join(parts),
        firsts=tuple(firsts),
        lasts=tuple(lasts),
        marks=tuple(marks),
        references=tuple(references),
    )


def _has_escapes(plain: str) -> bool:
    return any(sign in plain for sign in _RARE_SIGNS) and _RARE.search(plain) is not None


def _has_marks(data: bytes) -> bool:
    classes = data.translate(_CLASSES)
    return any(between in classes for between in (b"ama", b"amma", b"ammma"))


def _changes(plain: str) -> Iterator[tuple[int, int, str | None]]:
    """Start, end and what is read instead: None for marks."""
    for match in _CHANGED.finditer(plain):
        if match["marks"]:
            yield match.start(), match.end(), None
            continue
        code = match["hex"] or match["braced"] or match["byte"] or match["octet"]
        sign = fold(chr(int(code, 16)) if code else unescape(match.group())).text
        # Signs are left as they are: what is written as `&lt;` opens nothing.
        if sign == "" or (len(sign) == 1 and (sign.isalnum() or sign in " -\xa0")):
            yield match.start(), match.end(), sign
