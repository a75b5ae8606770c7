"""Tools with which a judge reads more of a project than it was shown: list, read, search.

They see the project as it was read once and masked, and nothing else: no disk, no path
that is not a key of it, no file that was left out. What they give is bounded, numbered and
framed as the packet is. A call that cannot be answered gets words that say why, as any
other answer; it is never an error of the conversation.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from judgebench import strict
from judgebench.judges.findings import glob_of, matches
from judgebench.model.projects import Project, ProjectFile
from judgebench.model.turns import MOST_TURNS, Place, ToolAnswer, ToolCall
from judgebench.records import dataclass
from judgebench.text import digest, one_line, plural

MOST_CALLS = 8
"""Tool calls of one reply that are answered."""
MOST_LINES = 400
"""Lines of one answer of `read_file`."""
MOST_FOUND = 60
"""Lines of one answer of `search`, and files of one answer of `list_files` times five."""
MOST_CHARS = 16_000
"""Characters of one answer."""
MOST_CHARS_IN_ALL = 240_000
"""Characters of all answers of one conversation; then the report is due."""
CHARS_A_TOKEN = 4
_MOST_LISTED = 5 * MOST_FOUND
_HIT = 300
_PATTERN = 200
_PATH = 400
_MAX_LINE = 10_000_000
_ARGUMENTS = 20_000
_STRICT = ConfigDict(extra="forbid", strict=True, frozen=True)


class ListFiles(BaseModel):
    """Files of the project: path, number of lines, how many of them you were shown."""

    model_config = _STRICT

    glob: str = Field(
        default="",
        max_length=_PATH,
        description="Only paths that fit: * and ? for letters of a name, ** for any folders.",
    )


class ReadFile(BaseModel):
    """Lines of one file, numbered."""

    model_config = _STRICT

    path: str = Field(max_length=_PATH, description="As it stands in the list of files.")
    first: int = Field(default=1, ge=1, le=_MAX_LINE, description="First line, from 1.")
    last: int = Field(default=_MAX_LINE, ge=1, le=_MAX_LINE, description="Last line.")


class Search(BaseModel):
    """Lines of the whole project in which a text stands, shown to you or not."""

    model_config = _STRICT

    pattern: str = Field(
        min_length=2,
        max_length=_PATTERN,
        description="The text; letter case means nothing, and no signs have a special meaning.",
    )
    glob: str = Field(default="", max_length=_PATH, description="Only in files of such paths.")


_TOOLS: dict[str, type[BaseModel]] = {
    "list_files": ListFiles,
    "read_file": ReadFile,
    "search": Search,
}
NAMES = frozenset(_TOOLS)


def _schema(model: type[BaseModel]) -> dict[str, Any]:
    made = model.model_json_schema()
    properties = {
        name: {key: value for key, value in one.items() if key not in {"title", "default"}}
        for name, one in made["properties"].items()
    }
    return {
        "type": "object",
        "properties": properties,
        "required": made.get("required", []),
        "additionalProperties": False,
    }


DEFINITIONS: tuple[dict[str, Any], ...] = tuple(
    {
        "type": "function",
        "function": {
            "name": name,
            "description": (model.__doc__ or "").strip(),
            "parameters": _schema(model),
        },
    }
    for name, model in _TOOLS.items()
)
"""The tools as they are offered with each request but the last."""


def toolset_sha256() -> str:
    """What all conversations have in common: tools, and their bounds."""
    bounds = [MOST_TURNS, MOST_CALLS, MOST_LINES, MOST_FOUND, MOST_CHARS, MOST_CHARS_IN_ALL, _HIT]
    return digest({"tools": list(DEFINITIONS), "bounds": bounds})


@dataclass(frozen=True, kw_only=True, slots=True)
class _Given:
    """What a tool gives, before it is framed."""

    lines: tuple[str, ...]
    said: str
    read: tuple[Place, ...] = ()


class _Refused(Exception):  # noqa: N818 - it names what was found
    """A call that cannot be answered; the message says why."""


@dataclass(frozen=True)
class Toolbox:
    """The tools over one project.

    Args:
        project: As it is sent, masked; what is not shown is masked too.
        frame: The unguessable word of the request's frames.
    """

    project: Project = field(repr=False)
    frame: str

    def answer(self, call: ToolCall, *, room: int) -> ToolAnswer:
        """Answer one call.

        Args:
            call: As the judge wrote it.
            room: Characters that the conversation has left.
        """
        try:
            given = self._run(call, min(room, MOST_CHARS))
        except _Refused as why:
            words = str(why)
            return ToolAnswer(call=call, text=f"error: {words}", said=words, fault=True)
        body = "\n".join(given.lines)
        return ToolAnswer(
            call=call,
            text=f"<<<{self.frame}:tool\n{body}\n{self.frame}:tool>>>",
            said=given.said,
            read=given.read,
        )

    def _run(self, call: ToolCall, room: int) -> _Given:
        model = _TOOLS.get(call.name)
        if model is None:
            raise _Refused(f"there is no such tool; there are {', '.join(_TOOLS)}")
        asked = _arguments(call, model)
        if room <= 0:
            raise _Refused("no more is given in this audit; report what you found")
        tools: dict[str, Callable[[Any, int], _Given]] = {
            "list_files": self._list,
            "read_file": self._read,
            "search": self._search,
        }
        return tools[call.name](asked, room)

    # --- the tools ---

    def _list(self, asked: ListFiles, room: int) -> _Given:
        globs = [glob_of(asked.glob)] if asked.glob.strip() else []
        found = [
            (file.path, f"{file.path}: {_how_much(file)}")
            for file in self.project.files
            if not globs or matches(file.path, globs)
        ]
        lines = _fitting([line for _, line in found[:_MOST_LISTED]], room)
        more = len(found) - len(lines)
        said = f"{plural(len(lines), 'file')} of {len(found):,}"
        tail = [f"and {more:,} more; name a narrower glob"] if more else []
        return _Given(lines=(*(lines or ["no file fits"]), *tail), said=said)

    def _read(self, asked: ReadFile, room: int) -> _Given:
        file = self._file(asked.path)
        count = len(file.lines)
        if not count:
            return _Given(lines=(f"{file.path} is empty",), said=f"{file.path}, empty")
        first, last = sorted((asked.first, asked.last))
        if first > count:
            raise _Refused(f"the file has {plural(count, 'line')}; none from {first} on")
        last = min(last, count, first + MOST_LINES - 1)
        lines = _fitting(list(_numbered(file, first, last)), room)
        last = first + len(lines) - 1
        head = f"===== {file.path} (lines {first}-{last} of {count}) ====="
        if not lines:
            raise _Refused("no more is given in this audit; report what you found")
        said = f"{file.path}, lines {first}-{last} of {count}"
        return _Given(lines=(head, *lines), said=said, read=((file.path, first, last),))

    def _search(self, asked: Search, room: int) -> _Given:
        wanted = " ".join(asked.pattern.casefold().split())
        if not wanted:
            raise _Refused("pattern is blank; name a text")
        globs = [glob_of(asked.glob)] if asked.glob.strip() else []
        found = list(self._hits(wanted, globs))
        texts = [
            f"{file.path}:{number}| {_cut(file.lines[number - 1], wanted)}"
            for file, number in found[:MOST_FOUND]
        ]
        lines = _fitting(texts, room)
        files = len({file.path for file, _ in found})
        said = f"{plural(len(found), 'line')} in {plural(files, 'file')}"
        more = len(found) - len(lines)
        tail = [f"and {more:,} more; name a longer text or a narrower glob"] if more else []
        read = tuple(
            (file.path, number, number)
            for file, number in found[: len(lines)]
            if len(file.lines[number - 1]) <= _HIT
        )
        return _Given(lines=(f"{said}:", *lines, *tail), said=said, read=read)

    def _hits(
        self, wanted: str, globs: Sequence[tuple[str, ...]]
    ) -> Iterator[tuple[ProjectFile, int]]:
        word = wanted.partition(" ")[0]
        for file in self.project.files:
            if globs and not matches(file.path, globs):
                continue
            for number, line in enumerate(file.lines, 1):
                folded = line.casefold()
                if word in folded and wanted in " ".join(folded.split()):
                    yield file, number

    def _file(self, path: str) -> ProjectFile:
        """The file of exactly this path; nothing is resolved, so nothing leads out."""
        plain = path.strip().removeprefix("./")
        file = self.project.file(plain)
        if file is None:
            raise _Refused("the project has no file of this path; list_files names all")
        return file


def _arguments(call: ToolCall, model: type[BaseModel]) -> BaseModel:
    if len(call.arguments) > _ARGUMENTS:
        raise _Refused("the arguments are too long")
    try:
        given = strict.loads(call.arguments or "{}")
        return model.model_validate(given, strict=True)
    except strict.StrictFault as fault:
        raise _Refused(f"the arguments cannot be read: {one_line(str(fault), 120)}") from None
    except RecursionError:
        raise _Refused("the arguments are nested too deeply") from None
    except ValidationError as exc:
        first = exc.errors(include_url=False, include_context=False)[0]
        where = one_line(".".join(str(part) for part in first["loc"]), 40)
        what = one_line(first["msg"], 100)
        raise _Refused(f"the arguments are wrong: {where}: {what}" if where else what) from None


def _fitting(lines: Sequence[str], room: int) -> list[str]:
    """The first lines that fit."""
    out: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        out.append(line)
    return out


def _numbered(file: ProjectFile, first: int, last: int) -> Iterator[str]:
    width = len(str(len(file.lines)))
    return (f"{n:>{width}}| {file.lines[n - 1]}" for n in range(first, last + 1))


def _cut(line: str, wanted: str) -> str:
    """A line, or of a long one the part around what was found."""
    if len(line) <= _HIT:
        return line
    start = max(0, line.casefold().find(wanted.partition(" ")[0]) - _HIT // 3)
    return f"{'…' if start else ''}{line[start : start + _HIT]}…"


def _how_much(file: ProjectFile) -> str:
    n = len(file.lines)
    words = plural(n, "line") if n else "empty"
    if file.whole or not n:
        return words
    return f"{words}, 1-{file.shown} shown" if file.shown else f"{words}, not shown"
