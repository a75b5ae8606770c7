"""A project folder becomes one bounded text: a list of its files, then their numbered lines.

The same folder always gives the same text. Nothing outside the folder is read:
links are named and not followed. What is left out is named too, with the reason.
"""

import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, replace
from pathlib import Path, PurePosixPath

from judgebench.errors import RunError
from judgebench.model.projects import CUT, LeftOut, Project, ProjectFile, is_inert
from judgebench.records import dataclass
from judgebench.runs.decode import Undecodable, decode_text
from judgebench.runs.packed import MAKER, chars_in, header, numbered, text_of
from judgebench.runs.tree import PathFault, Tree
from judgebench.secrets import find_secrets
from judgebench.text import digest, has_visible, one_line, printable

CHARS_A_TOKEN = 4
MAX_CHARS = 100_000 * CHARS_A_TOKEN
"""Characters of a packed project, where run.yaml does not say how many tokens."""
MAX_FILE_BYTES = 256 * 1024
MAX_FILES = 5_000
MAX_FOLDERS = 2_000
MAX_DEPTH = 60
DEEPEST = 200
"""Below `MAX_DEPTH` folders files are named and not read; below these not even named."""
MAX_LINE = 2_000
"""Longer lines were written by a program; a file with them is left out."""
_WORTH_CUTTING = 20
"""A file is shown in part only where at least so many of its lines fit."""

VENDORED = frozenset(
    {
        ".bundle", ".cache", ".git", ".gradle", ".hg", ".idea", ".mypy_cache", ".next", ".nuxt",
        ".pytest_cache", ".ruff_cache", ".svn", ".terraform", ".tox", ".venv", ".vscode",
        "__pycache__", "bower_components", "coverage", "deps", "dist", "log", "logs",
        "node_modules", "out", "site-packages", "target", "tmp", "vendor", "venv",
    }
)  # fmt: skip
_MAKERS = frozenset(
    {
        ".aider.chat.history.md", ".aider.conf.yml", ".aider.input.history", ".aider.tags.cache.v4",
        ".aiderignore", ".amp", ".antigravity", ".augment", ".augment-guidelines", ".claude",
        ".claude.json", ".claudeignore", ".cline", ".clineignore", ".clinerules", ".codeium",
        ".codex", ".codexignore", ".continue", ".crush", ".crushignore", ".cursor",
        ".cursorignore", ".cursorindexingignore", ".cursorrules", ".gemini", ".geminiignore",
        ".goose", ".goosehints", ".grok", ".junie", ".kilocode", ".kilocodemodes", ".kimi",
        ".kiro", ".opencode", ".openhands", ".qwen", ".qwenignore", ".replit", ".roo",
        ".rooignore", ".roomodes", ".rovodev", ".trae", ".windsurf", ".windsurfrules", "agent.md",
        "agents.md", "agents.override.md", "claude.local.md", "claude.md", "codex.md",
        "copilot-instructions.md", "copilot-setup-steps.yml", "crush.json", "crush.md",
        "gemini.md", "grok.md", "kimi.md", "opencode.json", "opencode.jsonc", "qwen.md",
        "replit.md", "warp.md",
    }
)  # fmt: skip
_GENERATED = re.compile(
    r"(.*[-.]lock|.*\.lock\.\w+|package-lock\.json|pnpm-lock\.yaml|npm-shrinkwrap\.json|go\.sum"
    r"|.*\.min\.(js|css)|.*\.(map|pyc|pyo|class|o|so|dll|exe|log))\Z",
    re.IGNORECASE,
)
_BINARY = re.compile(
    r".*\.(png|jpe?g|gif|webp|avif|ico|bmp|tiff?|pdf|zip|gz|tgz|bz2|xz|7z|rar|jar|war|woff2?|ttf|otf"
    r"|eot|mp[34]|m4a|wav|ogg|webm|mov|avi|db|sqlite3?|parquet|bin|wasm|docx|xlsx|pptx)\Z",
    re.IGNORECASE,
)
_SECRET = re.compile(
    r"(\.env(\.(?!(example|sample|template|dist)\Z).*)?|.*\.(pem|key|p12|pfx|jks)|id_(rsa|ed25519)"
    r"|credentials\.yml\.enc|\.netrc|\.npmrc|\.pypirc)\Z",
    re.IGNORECASE,
)
MASKED = "[secret masked]"
_KEY_BLOCK = re.compile(r"-----(BEGIN|END) [A-Z0-9 ]*PRIVATE KEY-----")
_FIRST = re.compile(
    r"((readme|self_review|notes)[^/]*|[^/]*compose[^/]*\.ya?ml|(docker|container)file[^/]*"
    r"|gemfile|rakefile|makefile|package\.json|pyproject\.toml|requirements[^/]*\.txt|setup\.cfg"
    r"|go\.mod|cargo\.toml|pom\.xml|build\.gradle[^/]*|composer\.json|mix\.exs|[^/]*\.csproj)\Z",
    re.IGNORECASE,
)
_LATE = re.compile(r"(.*\.(svg|csv|tsv|json|xml|sql|txt)|.*/?(locales|fixtures|public)/.*)\Z")


@dataclass(frozen=True, kw_only=True)
class _Read:
    path: str
    lines: tuple[str, ...]
    chars: int
    """What its numbered lines take."""
    masked: tuple[int, ...]
    """Lines in which a key stood."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """When a file is shown, beside the usual order."""

    rank: int = 0
    """Lower ones come first; 0 is the usual order's."""
    lines: int | None = None
    """How many of its first lines are shown at most."""


def chars_of(tokens: int | None) -> int:
    """Characters of a packed project for so many tokens, or where none are set."""
    return MAX_CHARS if tokens is None else CHARS_A_TOKEN * tokens


def pack(root: Path, *, max_chars: int = MAX_CHARS, first: Sequence[str] = ()) -> Project:
    """Read a project folder.

    Args:
        root: The folder.
        max_chars: Length of the text at most. What does not fit is not shown, though
            it is read for searches.
        first: Paths that are shown before all others, in this order.

    Raises:
        RunError: there is no such folder, or the list of its files alone is too long.
    """
    if not root.is_dir():
        raise RunError(root, "is no folder", "name the folder of a project")
    read, left_out = _read_all(Tree(root))
    head_room = len(text_of(_unshown(read), left_out))
    if head_room > max_chars:
        what = f"needs {head_room:,} characters for the list of its files"
        raise RunError(root, what, f"allow more than {max_chars:,}, or take parts of it away")
    files = _choose(read, max_chars - head_room, tuple(first))
    secrets = [(one.path, line) for one in read for line in one.masked]
    return Project(
        files=files,
        left_out=left_out,
        secrets=tuple(sorted(secrets)),
        text=text_of(files, left_out),
    )


def arrange(project: Project, turn: Callable[[str], Turn], *, max_chars: int) -> Project:
    """The same project with its files shown in another order while there is room.

    Args:
        project: As it was read.
        turn: When the file of a path is shown.
        max_chars: Length of the text at most.
    """
    read = [
        _Read(path=one.path, lines=one.lines, chars=chars_in(one.lines), masked=())
        for one in project.files
    ]
    head_room = len(text_of(_unshown(read), project.left_out))
    turns = {one.path: turn(one.path) for one in read}
    files = _choose(read, max_chars - head_room, (), turns)
    return replace(project, files=files, text=text_of(files, project.left_out))


def pack_file(path: Path) -> Project:
    """Read one file as a project of its own, whose text is never shown."""
    found = _read(Tree(path.parent), path.name)
    if isinstance(found, _Read):
        shown = len(found.lines)
        return Project(files=(ProjectFile(path=found.path, lines=found.lines, shown=shown),))
    return Project(files=(), left_out=(LeftOut(path=path.name, reason=found[0], could_hold=True),))


def without_keys(text: str) -> str:
    """A text with keys of known forms masked."""
    return "\n".join(_mask(_lines(text))[0])


def pack_text(name: str, text: str) -> Project:
    """An output that is one text as a project of one file."""
    lines, masked = _mask(_lines(text))
    files = (ProjectFile(path=name, lines=lines, shown=len(lines)),)
    secrets = tuple((name, line) for line in masked)
    return Project(files=files, secrets=secrets, text=text_of(files, ()))


def project_sha256(project: Project) -> str:
    """Hash over all files that were read, shown or not, and over what was left out."""
    return digest(
        {
            "files": [[file.path, list(file.lines), file.shown] for file in project.files],
            "left_out": [[one.path, one.reason] for one in project.left_out],
            **({"brought": [astuple(one) for one in project.brought]} if project.brought else {}),
        }
    )


def is_bare(project: Project) -> bool:
    """Whether there is nothing in it to judge."""
    return not any(has_visible(line) for file in project.files for line in file.lines)


def _read_all(tree: Tree) -> tuple[list[_Read], tuple[LeftOut, ...]]:
    read: list[_Read] = []
    left_out: list[LeftOut] = []
    for path, kind in _walk(tree):
        reason, could_hold = kind
        if not reason:
            found = _read(tree, path)
            if isinstance(found, _Read):
                read.append(found)
                continue
            reason, could_hold = found
        left_out.append(LeftOut(path=path, reason=reason, could_hold=could_hold))
    return read, tuple(left_out)


_Kind = tuple[str, bool]
"""Why nothing is read, empty where it is, and whether text of the project could stand there."""


def _walk(tree: Tree) -> Iterator[tuple[str, _Kind]]:
    """Paths in order: files to be read, and all else with the reason against it."""
    todo, n_files, n_folders = [""], 0, 0
    while todo:
        here = todo.pop()
        n_folders += 1
        inner: list[str] = []
        for name in _names(tree, here):
            path = f"{here}{name}"
            kind, is_folder = _kind(tree, path, name)
            n_files += not is_folder
            if is_folder and not kind[0]:
                inner.append(f"{path}/")
                continue
            if n_files > MAX_FILES:
                yield f"{here}{CUT}", (f"more than {MAX_FILES:,} files", True)
                return
            yield f"{path}/" if is_folder else path, kind
        if here and not inner and not _names(tree, here):
            yield here, ("empty", False)
        if n_folders + len(todo) + len(inner) > MAX_FOLDERS:
            yield f"{here}{CUT}", (f"more than {MAX_FOLDERS:,} folders", True)
            return
        todo.extend(reversed(inner))


def _names(tree: Tree, folder: str) -> list[str]:
    try:
        return tree.names(folder) or []
    except PathFault:
        return []


def _kind(tree: Tree, path: str, name: str) -> tuple[_Kind, bool]:
    try:
        mode = (tree.root / path).lstat().st_mode
    except (OSError, ValueError):
        return ("cannot be looked at", True), False
    is_folder = stat.S_ISDIR(mode)
    if stat.S_ISLNK(mode):
        return ("a link", False), False
    if not is_folder and not stat.S_ISREG(mode):
        return ("a pipe, socket or device", False), False
    if not _is_text_name(name):
        return ("its name is no text", True), is_folder
    return (_folder_kind(tree, path, name) if is_folder else _file_kind(path, name)), is_folder


def _is_text_name(name: str) -> bool:
    return printable(name) == name and "\ufffd" not in name


def _folder_kind(tree: Tree, path: str, name: str) -> _Kind:
    if name.lower() in _MAKERS:
        return MAKER, False
    if name.lower() in VENDORED:
        return "generated, vendored or a cache", False
    if path.count("/") >= DEEPEST:
        return f"deeper than {DEEPEST} folders", True
    if not os.access(tree.root / path, os.R_OK | os.X_OK):
        return "may not be read (its permissions)", True
    return "", True


def _file_kind(path: str, name: str) -> _Kind:
    if name.lower() in _MAKERS:
        return MAKER, False
    if _SECRET.match(name):
        return "may hold secrets", False
    if _GENERATED.match(name):
        return "generated", False
    if _BINARY.match(name):
        return "binary", False
    if path.count("/") > MAX_DEPTH:
        return f"deeper than {MAX_DEPTH} folders", not is_inert(name)
    return "", True


def _read(tree: Tree, path: str) -> _Read | _Kind:
    written = not is_inert(path)
    try:
        raw = tree.read(path, limit=MAX_FILE_BYTES)
    except PathFault as exc:
        return str(exc), written
    except OSError as exc:
        return one_line(exc.strerror or "cannot be read", 80), written
    if raw is None:
        return "was taken away while the folder was read", written
    try:
        text = decode_text(raw)
    except Undecodable:
        # A NUL byte is no text in any encoding that people write code in.
        return ("binary", False) if b"\0" in raw else ("is not UTF-8", written)
    lines = _lines(text)
    if any(len(line) > MAX_LINE for line in lines):
        return "generated (very long lines)", False
    lines, masked = _mask(lines)
    return _Read(path=path, lines=lines, chars=chars_in(lines), masked=masked)


def _mask(lines: Sequence[str]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The lines without keys, and the numbers of those in which one stood.

    What is masked never leaves the machine; quotes are checked against the same text.
    """
    out: list[str] = []
    masked: list[int] = []
    inside = False
    for number, line in enumerate(lines, 1):
        edge = _KEY_BLOCK.search(line)
        kept = MASKED if edge or inside else line
        if edge:
            inside = edge.group(1) == "BEGIN" and "-----END" not in line
        for start, end in reversed(find_secrets(kept)):
            kept = kept[:start] + MASKED + kept[end:]
        if kept != line:
            masked.append(number)
        out.append(kept)
    return tuple(out), tuple(masked)


def _lines(text: str) -> tuple[str, ...]:
    # Only these end a line in an editor; form feeds and the like stay inside one.
    lines = re.split(r"\r\n|\n|\r", text)
    if lines[-1] == "":
        lines.pop()
    return tuple(printable(line.expandtabs(4), keep_newlines=False) for line in lines)


def _unshown(read: Sequence[_Read]) -> tuple[ProjectFile, ...]:
    return tuple(
        ProjectFile(path=one.path, lines=one.lines, shown=0)
        for one in sorted(read, key=lambda one: one.path)
    )


def _choose(
    read: Sequence[_Read],
    room: int,
    first: Sequence[str],
    turns: Mapping[str, Turn] | None = None,
) -> tuple[ProjectFile, ...]:
    shown: dict[str, int] = {}
    turn = {one.path: (turns or {}).get(one.path, Turn()) for one in read}
    for one in sorted(
        read, key=lambda one: (turn[one.path].rank, *_priority(one.path, first), one.path)
    ):
        # The list names how much is shown of each file: keep room for longer words.
        left = room - len(header(one.path, len(one.lines), len(one.lines))) - 40
        most = turn[one.path].lines
        wanted = len(one.lines) if most is None else min(most, len(one.lines))
        chars = one.chars if wanted == len(one.lines) else chars_in(one.lines, wanted)
        fits = wanted if chars <= left else _part(one, left)
        shown[one.path] = fits
        if fits:
            taken = chars if fits == wanted else left
            room = left - taken
    return tuple(
        ProjectFile(path=one.path, lines=one.lines, shown=shown[one.path])
        for one in sorted(read, key=lambda one: one.path)
    )


def _part(one: _Read, left: int) -> int:
    taken = n = 0
    for line in numbered(one.lines, len(one.lines)):
        taken += len(line) + 1
        if taken > left:
            break
        n += 1
    return n if n >= _WORTH_CUTTING else 0


def _priority(path: str, first: Sequence[str]) -> tuple[int, int, int]:
    if path in first:
        return 0, first.index(path), 0
    name = PurePosixPath(path).name
    depth = path.count("/")
    if _FIRST.match(name) and depth <= 1:
        return 1, 0, depth
    return (3 if _LATE.match(path) else 2), 0, 0
