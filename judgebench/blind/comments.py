"""Where the comments and the documentation of a source file stand.

Code itself is never altered, so what is not surely a comment counts as code: a quote
that stays open ends the looking for comments on its line, and texts over several lines
(triple quotes, template strings, here-documents) hold none. A triple-quoted text that
is a statement by itself is documentation.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from judgebench.blind.languages import Signs, signs_of
from judgebench.records import dataclass

_HEREDOC = re.compile(r"<<[-~]?(['\"]?)([A-Za-z_]\w*)\1(?!\w)")
_PROSE = frozenset({"adoc", "asciidoc", "md", "mdx", "markdown", "org", "rst", "txt"})
_PROSE_NAMES = frozenset(
    {
        "authors", "changelog", "changes", "contributors", "copying", "credits", "history",
        "install", "licence", "license", "maintainers", "news", "notice", "readme", "thanks",
        "todo",
    }
)  # fmt: skip
# A line that ends like this goes on: a text that opens the next one belongs to it.
_GOES_ON = re.compile(r"(?:[(\[{,=+\\%]|(?<!\w)(?:return|yield|in|and|or|not|if|else))\s*\Z")
_FREE_AFTER = {"//": ";{}", ";": ")]}", "--": ";)", "%": ".,;}"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Words:
    """A stretch of one line that is written for readers."""

    at: int
    """The line, from 0."""
    first: int
    last: int
    doc: bool = False
    """Documentation, which a program may read; else a comment, which it cannot."""


def is_prose(path: str) -> bool:
    """Whether a file is written for readers only, such as a README."""
    name = PurePosixPath(path).name.lower()
    if "." in name:
        stem, _, ending = name.rpartition(".")
        return ending in _PROSE and not (stem.startswith("requirements") or stem == "cmakelists")
    return name in _PROSE_NAMES


def words_of(path: str, lines: Sequence[str]) -> Iterator[Words]:
    """Every comment and text of documentation of a file, line by line.

    Args:
        path: Its name says the language; where that is not known, there are none.
        lines: The file.
    """
    signs = signs_of(path, lines[0] if lines else "")
    if signs is not None:
        yield from _Looking(signs).words(lines)


class _Looking:
    """One file, read from its first line on."""

    def __init__(self, signs: Signs) -> None:
        self.signs = signs
        self._until = ""
        """What ends the block or the long text that is open."""
        self._edge = ""
        """The word that ends the block that is open, on a line of its own."""
        self._kept = False
        """Whether readers are meant by what is open."""
        self._doc = False
        self._heredoc = ""
        self._goes_on = False

    def words(self, lines: Sequence[str]) -> Iterator[Words]:
        for at, line in enumerate(lines):
            if self._heredoc:
                if line.strip() == self._heredoc:
                    self._heredoc = ""
                continue
            if self._edge or self._opens_edge(line):
                yield Words(at=at, first=0, last=len(line))
                self._edge = "" if line.split()[:1] == [self._edge] else self._edge
                continue
            before = bool(self._until)
            for first, last, doc in self._line(line):
                if last > first:
                    yield Words(at=at, first=first, last=last, doc=doc)
            self._note_end(line, quiet=before or bool(self._until))

    def _opens_edge(self, line: str) -> bool:
        if self._until:
            return False
        word = (line.split(maxsplit=1) or [""])[0]
        self._edge = next((end for begin, end in self.signs.edges if word == begin), "")
        return bool(self._edge)

    def _note_end(self, line: str, *, quiet: bool) -> None:
        """What the end of a line says of the next one."""
        if line.strip():
            self._goes_on = _GOES_ON.search(line) is not None
        if quiet or not self.signs.heredocs:
            return
        found = _HEREDOC.search(line)
        if found and not line.lstrip().startswith(self.signs.line):
            self._heredoc = found[2]

    def _line(self, line: str) -> Iterator[tuple[int, int, bool]]:
        place, quote = 0, ""
        if not self._until and (start := self._leading(line)):
            yield start, len(line), False
            return
        while place < len(line):
            if self._until:
                end = line.find(self._until, place)
                stop = len(line) if end < 0 else end
                if self._kept:
                    yield place, stop, self._doc
                if end < 0:
                    return
                place = end + len(self._until)
                self._until = ""
            elif quote:
                quote, place = self._inside(line, place, quote)
            elif self._opens(line, place):
                place = self._after
            elif sign := self._comment(line, place):
                yield place + len(sign), len(line), False
                return
            else:
                quote, place = self._outside(line, place)

    def _leading(self, line: str) -> int:
        """Where the comment of a line begins that opens with a sign; 0 where none does."""
        bare = line.lstrip()
        for sign in self.signs.column:
            if f"{line} ".lower().startswith(sign):
                return len(sign)
        for sign in self.signs.leading:
            if bare and f"{bare} ".lower().startswith(sign):
                return len(line) - len(bare) + len(sign)
        return 0

    def _inside(self, line: str, place: int, quote: str) -> tuple[str, int]:
        if line[place] == "\\":
            return quote, place + 2
        return ("" if line[place] == quote else quote), place + 1

    def _comment(self, line: str, place: int) -> str:
        """The sign of a comment to the line's end that stands here, or nothing."""
        for sign in self.signs.line:
            if not line.startswith(sign, place):
                continue
            # `#` inside a word and `//` of an address begin nothing.
            if place == 0 or line[place - 1].isspace():
                return sign
            if line[place - 1] in _FREE_AFTER.get(sign, ""):
                return sign
        return ""

    def _opens(self, line: str, place: int) -> bool:
        """Go into a block or a long text where one begins here."""
        for begin, end in self.signs.blocks:
            if line.startswith(begin, place):
                self._until, self._kept, self._doc = end, True, False
                self._after = place + len(begin)
                return True
        for begin, end in self.signs.long_quotes:
            if line.startswith(begin, place):
                docs = self.signs.docs
                self._kept = self._doc = (
                    docs is not None and not self._goes_on and bool(docs.match(line[:place]))
                )
                self._until, self._after = end, place + len(begin)
                return True
        return False

    def _outside(self, line: str, place: int) -> tuple[str, int]:
        """Step over one sign of code, into a text where one begins."""
        return (line[place] if line[place] in self.signs.quotes else ""), place + 1
