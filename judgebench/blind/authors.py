"""Where a project says by form who made it: author fields, maintainer labels, credit files.

A key such as ``author`` is a field in a manifest; in code it may be the sender of a
message. So keys count by the file that they stand in, and only dunder names and the
``<meta>`` tags of a page count anywhere.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

Span = tuple[int, int]
"""First and last character in the text of a file."""

_MANIFEST = re.compile(
    r"(?:(?:package|composer|bower|manifest|deno|jsr|app|info|plugin|extension|galaxy|module)\.json"
    r"|(?:pyproject|cargo|poetry|book|config|hugo|typst|fpm|project)\.toml|setup\.(?:cfg|py)|conf\.py"
    r"|(?:package|pubspec|chart|galaxy|snapcraft|action|antora|mkdocs|_config|metadata|shard|conda"
    r"|meta|fabric\.mod|plugin|site|config|environment|recipe)\.ya?ml|citation\.cff|.*\.gemspec"
    r"|.*\.podspec|pom\.xml|.*\.(?:cs|fs|vb)proj|.*\.(?:props|targets|nuspec|cabal|opam|spec|rockspec"
    r"|app\.src|info|plist|desktop|control|bib)|mix\.exs|rebar\.config|description|dune-project"
    r"|project\.clj|build\.(?:sbt|gradle|gradle\.kts|zig\.zon)|conanfile\.(?:py|txt)|pkgbuild|control"
    r"|(?:docker|container)file(?:\..*)?|dockerfile|style\.css|assemblyinfo\.\w+|gradle\.properties"
    r"|codemeta\.json|vcpkg\.json|nimble|.*\.nimble|flake\.nix|default\.nix)\Z"
)
_CREDITS = re.compile(
    r"(?:authors?|contributors?|maintainers?|credits|thanks|codeowners|owners|humans|\.mailmap)"
    r"(?:\.(?:md|txt|rst|adoc|ya?ml))?\Z"
)
_IGNORED = re.compile(
    r"\.(?:docker|git|npm|prettier|eslint|vscode|helm|gcloud)(?:ignore|attributes)\Z"
)
_KEY = re.compile(
    r"(?<![\w$])(?:authors?(?:[_-]?(?:email|name|url))?|maintainers?(?:[_-]?email)?|contributors?"
    r"|developers?|creators?|generator|publishers?|copyrights?|credits|company|owners?|packagers?"
    r"|email|homepage|repository|bugs|funding|vendor)[\"']?[^\S\n]{0,4}(?:=>|:=|[:=(]|[^\S\n](?=[\"'\[]))"
    r"[^\S\n]{0,8}"
)
_DUNDER = re.compile(
    r"(?<!\w)__(?:authors?|maintainers?|credits|copyright|email|contact|contributors)__"
    r"[^\S\n]{0,4}(?::[^\n=]{1,40})?=[^\S\n]{0,4}"
)
_META = re.compile(
    r"<(?:meta|link)\s[^<>]{0,200}[\"'](?:author|generator|creator|copyright|designer|publisher"
    r"|dc\.creator|article:author|twitter:creator)[\"'][^<>]{0,300}>"
)
_ELEMENT = re.compile(
    r"<(authors?|developers?|contributors?|maintainers?|owners|company|copyright|publisher"
    r"|dc:creator|dc:publisher|packager)(?:\s[^<>]{0,200})?>"
)
_LABEL = re.compile(
    r"^[^\S\n]{0,8}(?:maintainer[^\S\n]{1,4}|label[^\n]{0,200}?(?:maintainer|\.authors|\.vendor)"
    r"[\"']?[= ])",
    re.MULTILINE,
)
_CLOSED_BY = {"[": "]", "{": "}", "(": ")"}
_LONGEST = 4_000


def is_manifest(path: str) -> bool:
    """Whether a file describes the project itself, such as package.json."""
    return _MANIFEST.match(PurePosixPath(path).name.lower()) is not None


def is_credits(path: str) -> bool:
    """Whether a file says by its name that it lists who made the project."""
    return _CREDITS.match(PurePosixPath(path).name.lower()) is not None


def is_ignore_list(path: str) -> bool:
    """Whether a file lists what tools pass over, agents' folders among it."""
    return _IGNORED.match(PurePosixPath(path).name.lower()) is not None


def author_fields(path: str, text: str) -> Iterator[Span]:
    """Values of a file that are there to name who made it.

    Args:
        path: Its name says whether keys are fields.
        text: The file, folded.
    """
    if is_credits(path):
        yield 0, len(text)
        return
    for match in _META.finditer(text):
        yield match.start() + len("<meta"), match.end()
    yield from _values(_DUNDER, text)
    if not is_manifest(path):
        return
    yield from _values(_KEY, text)
    for match in _ELEMENT.finditer(text):
        end = text.find(f"</{match[1]}>", match.end(), match.end() + _LONGEST)
        yield match.end(), end if end >= 0 else match.end()
    for match in _LABEL.finditer(text):
        yield match.end(), _line_end(text, match.end())


def _values(key: re.Pattern[str], text: str) -> Iterator[Span]:
    """What stands behind each key; a key inside a value is a part of it."""
    last = 0
    for match in key.finditer(text):
        if match.end() > last:
            start, last = _value(text, match.end())
            yield start, last


def _value(text: str, start: int) -> Span:
    """A value from its first character on: a text, what a bracket holds, a list, a line."""
    opening = text[start : start + 1]
    if opening in _CLOSED_BY:
        return start, _closing(text, start)
    if opening and opening in "\"'":
        end = text.find(opening, start + 1, _line_end(text, start))
        return start, end + 1 if end >= 0 else _line_end(text, start)
    return start, _listed(text, start)


def _closing(text: str, start: int) -> int:
    """Where what a bracket opens is closed; the line's end where it never is."""
    open_, quote = [], ""
    for at in range(start, min(len(text), start + _LONGEST)):
        char = text[at]
        if quote:
            quote = "" if char in {quote, "\n"} else quote
        elif char in "\"'":
            quote = char
        elif char in _CLOSED_BY:
            open_.append(_CLOSED_BY[char])
        elif open_ and char == open_[-1]:
            open_.pop()
            if not open_:
                return at + 1
    return _line_end(text, start)


def _listed(text: str, start: int) -> int:
    """The end of a value without quotes: its line, and lines below that are further in."""
    end = _line_end(text, start)
    indent = _indent(text, text.rfind("\n", 0, start) + 1)
    while end < len(text) and end - start < _LONGEST:
        after = _line_end(text, end + 1)
        line = text[end + 1 : after]
        depth = _indent(text, end + 1)
        item = depth >= indent and line.lstrip().startswith("- ")
        if not line.strip() or not (depth > indent or item):
            break
        end = after
    return end


def _indent(text: str, start: int) -> int:
    end = start
    while end < len(text) and text[end] == " ":
        end += 1
    return end - start


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def within(spans: Sequence[Span], start: int, end: int) -> bool:
    """Whether a place lies in one of these, which are in order and do not meet."""
    at = bisect_right(spans, start, key=lambda span: span[0]) - 1
    return at >= 0 and end <= spans[at][1]
