"""Where the comments of a source file stand: words beside the code, which may be masked.

Code itself is never altered, so what is not surely a comment counts as code: a quote
that stays open ends the looking for comments on its line, and texts over several lines
(triple quotes, template strings, here-documents) hold none.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

Span = tuple[int, int, int]
"""Place of the line from 0, first and last character of a comment in it."""

_HASH = frozenset(
    {
        "bash", "cfg", "conf", "ex", "exs", "gemspec", "mk", "pl", "py", "pyi", "r", "rake", "rb",
        "ru", "sh", "toml", "yaml", "yml", "zsh",
    }
)  # fmt: skip
_SLASH = frozenset(
    {
        "c", "cc", "cjs", "cpp", "cs", "dart", "go", "gradle", "h", "hpp", "java", "js", "jsx",
        "kt", "less", "mjs", "php", "rs", "scala", "scss", "swift", "ts", "tsx", "vue", "svelte",
    }
)  # fmt: skip
_STARS = frozenset({"css"})
_DASHES = frozenset({"sql", "lua", "hs"})
_MARKUP = frozenset({"erb", "htm", "html", "md", "svg", "vue", "svelte", "xml"})
_PROSE = frozenset({"adoc", "md", "markdown", "rst", "txt"})
_HASH_NAMES = frozenset(
    {
        ".dockerignore", ".gitattributes", ".gitignore", "brewfile", "containerfile", "dockerfile",
        "gemfile", "justfile", "makefile", "procfile", "rakefile",
    }
)  # fmt: skip
_HEREDOC = re.compile(r"<<[-~]?(['\"]?)([A-Za-z_]\w*)\1(?!\w)")
_TRIPLE = ("'''", '"""')


@dataclass(frozen=True, kw_only=True, slots=True)
class _Signs:
    """What begins a comment in one language."""

    line: str = ""
    """To the end of the line."""
    blocks: tuple[tuple[str, str], ...] = ()
    """Beginning and end."""
    quotes: str = ""
    long_quotes: tuple[str, ...] = ()
    """Of texts that go over line ends."""
    heredocs: bool = False


def is_prose(path: str) -> bool:
    """Whether a file is written for readers only, such as a README."""
    name = PurePosixPath(path).name.lower()
    return name.rpartition(".")[2] in _PROSE or name in {"readme", "license", "authors"}


def comment_spans(path: str, lines: Sequence[str]) -> Iterator[Span]:
    """Every comment of a file, line by line; none where its language is not known."""
    signs = _signs(path)
    if signs is not None:
        yield from _Looking(signs).spans(lines)


def _signs(path: str) -> _Signs | None:
    name = PurePosixPath(path).name.lower()
    ending = name.rpartition(".")[2] if "." in name else ""
    if name in _HASH_NAMES or name.startswith(("dockerfile.", ".env.")):
        return _Signs(line="#", quotes="'\"")
    markup = (("<!--", "-->"), ("<%#", "%>")) if ending in _MARKUP else ()
    if ending in _HASH:
        triple = _TRIPLE if ending.startswith("py") else ()
        return _Signs(line="#", quotes="'\"`", long_quotes=triple, heredocs=not triple)
    if ending in _SLASH:
        blocks = (*markup, ("/*", "*/"))
        return _Signs(line="//", blocks=blocks, quotes="'\"", long_quotes=("`",))
    if ending in _STARS:
        return _Signs(blocks=(("/*", "*/"),), quotes="'\"")
    if ending in _DASHES:
        return _Signs(line="--", quotes="'\"")
    return _Signs(blocks=markup) if markup else None


class _Looking:
    """One file, read from its first line on."""

    def __init__(self, signs: _Signs) -> None:
        self.signs = signs
        self._until = ""
        """What ends the block or the long text that is open."""
        self._in_comment = False
        self._heredoc = ""

    def spans(self, lines: Sequence[str]) -> Iterator[Span]:
        for at, line in enumerate(lines):
            if self._heredoc:
                if line.strip() == self._heredoc:
                    self._heredoc = ""
                continue
            for first, last in self._line(line):
                if last > first:
                    yield at, first, last
            found = _HEREDOC.search(line) if self.signs.heredocs and not self._until else None
            if found and not line.lstrip().startswith(self.signs.line):
                self._heredoc = found[2]

    def _line(self, line: str) -> Iterator[tuple[int, int]]:
        place, quote = 0, ""
        while place < len(line):
            if self._until:
                end = line.find(self._until, place)
                stop = len(line) if end < 0 else end
                if self._in_comment:
                    yield place, stop
                if end < 0:
                    return
                place = end + len(self._until)
                self._until, self._in_comment = "", False
            elif quote:
                quote, place = self._inside(line, place, quote)
            elif self._starts_comment(line, place):
                yield place + len(self.signs.line), len(line)
                return
            else:
                quote, place = self._outside(line, place)

    def _inside(self, line: str, place: int, quote: str) -> tuple[str, int]:
        if line[place] == "\\":
            return quote, place + 2
        return ("" if line[place] == quote else quote), place + 1

    def _starts_comment(self, line: str, place: int) -> bool:
        sign = self.signs.line
        if not sign or not line.startswith(sign, place):
            return False
        # `#` inside a word and `//` of an address begin nothing.
        return (
            place == 0 or line[place - 1].isspace() or (sign == "//" and line[place - 1] in ";{}")
        )

    def _outside(self, line: str, place: int) -> tuple[str, int]:
        """Step over one sign of code, into a block or a text where one begins."""
        for begin, end in self.signs.blocks:
            if line.startswith(begin, place):
                self._until, self._in_comment = end, True
                return "", place + len(begin)
        for long in self.signs.long_quotes:
            if line.startswith(long, place):
                self._until = long
                return "", place + len(long)
        return (line[place] if line[place] in self.signs.quotes else ""), place + 1
