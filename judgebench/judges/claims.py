"""Claims about a library, "this method does not exist", checked against its source.

A claim is proven only by a search that finds nothing: no definition, no mention, no
hook that could answer to any name, and no part of the source that was not read. What
is found contradicts it; what is not proven is unverified and costs nothing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from judgebench.model.findings import Checked, Standing
from judgebench.model.libraries import Library
from judgebench.model.projects import ProjectFile
from judgebench.records import dataclass
from judgebench.text import one_line, plural

MAX_SYMBOLS = 6
"""Names of one claim that are looked for."""
MAX_NAME = 80
_WORD = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]{0,79}[?!]?")
_DEFINES = (
    r"\b(?:def|class|module|function|fn|func|fun|trait|interface|struct|enum|type|const|let|var|val"
    r"|public|private|protected|static|async|export|defmodule|defmacro|defdelegate|alias)\b"
    r"[^\n({{=;]{{0,60}}(?<![\w$]){name}(?![\w$])"
    r"|(?:attr_(?:reader|writer|accessor)|define_method|alias_method|delegate|def_delegators?"
    r"|class_attribute|mattr_accessor|cattr_accessor|scope|setattr)\b[^\n]{{0,120}}[:\"']{name}(?![\w$])"
    r"|^\s*[\"']?{name}[\"']?\s*[:=](?!=)"
    r"|^\s*(?:async\s+|static\s+|get\s+|set\s+|\*\s*)?{name}\s*\([^\n]{{0,200}}\)\s*\{{"
)
_ANY_NAME = re.compile(
    r"\bmethod_missing\b|\brespond_to_missing\?|\bdef\s+__getattr(?:ibute)?__\b|\bnew\s+Proxy\("
    r"|\bdefine_method\b[^\n]{0,40}#\{|\bclass_eval\b|\b__call(?:Static)?\b"
)
_OF_EVERYTHING = frozenset(
    {
        "__call__", "__init__", "append", "apply", "bind", "blank?", "call", "catch",
        "class", "clone", "constructor", "default", "dup", "each", "equals", "filter",
        "finally", "forEach", "format", "freeze", "from", "get", "getClass",
        "hasOwnProperty", "hashCode", "inspect", "into", "is_a?", "items", "join", "keys",
        "length", "map", "new", "nil?", "pop", "presence", "present?", "push", "puts",
        "raise", "reduce", "respond_to?", "self", "send", "set", "size", "split", "strip",
        "super", "tap", "then", "toString", "to_a", "to_h", "to_json", "to_s", "try",
        "unwrap", "values",
    }
)  # fmt: skip
_COMPILED = frozenset(
    {".so", ".pyd", ".dll", ".dylib", ".node", ".jar", ".class", ".wasm", ".beam"}
)

_BUILT = frozenset({"dist", "vendor", "deps", "out", "target"})
"""Folders that are passed over in a project and that hold the code of a library."""
_SCRIPTS = frozenset({".js", ".mjs", ".cjs", ".ts"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Sighting:
    """Where a name stands in a library."""

    defined: int = 0
    """Lines that define it."""
    mentioned: int = 0
    """Lines that hold it at all."""
    first: str = ""
    """The first definition, or else the first mention: file and line."""
    hook: str = ""
    """A place that could answer to any name, where the owner is defined."""


def check_claim(checked: Checked, library: Library | None) -> Checked:
    """Check what a supported find says of a library.

    Args:
        checked: A find whose passage was looked for; its `patterns` are the names that
            the library is said not to have, such as ``Chat#ask_twice``.
        library: The library's source; None where the use case gives none.

    Returns:
        The same find: supported where the source proves it, unsupported where the
        source contradicts it, else unverified; the note says what was searched, where,
        and how often it was found.
    """
    if checked.standing is not Standing.SUPPORTED:
        return checked
    if library is None:
        return _unverified(checked, "no source of the library is given")
    symbols = [one for text in checked.finding.patterns if (one := _parts(text))][:MAX_SYMBOLS]
    if not symbols:
        return _unverified(checked, "names nothing that the library is said not to have")
    stray = next((parts for parts in symbols if not _stands(parts[-1], checked)), None)
    if stray is not None:
        note = f"{stray[-1]} does not stand in the passage"
        return _settled(checked, Standing.UNSUPPORTED, note)
    seen = [(parts, look_up(parts, library)) for parts in symbols]
    for parts, sighting in seen:
        if sighting.defined:
            note = (
                f"{library.words} defines {parts[-1]} {_times(sighting.defined)}: {sighting.first}"
            )
            return _settled(checked, Standing.UNSUPPORTED, note)
    return _proven(checked, library, seen)


def _proven(
    checked: Checked, library: Library, seen: Sequence[tuple[tuple[str, ...], Sighting]]
) -> Checked:
    searched = ", ".join(parts[-1] for parts, _ in seen)
    where = f"{plural(len(library.source.files), 'file')} of {library.words}"
    for parts, sighting in seen:
        name = parts[-1]
        if name in _OF_EVERYTHING:
            return _unverified(checked, f"{name} is a name that any object may have")
        if sighting.mentioned:
            note = f"{name} is not defined in {where}, and mentioned {_times(sighting.mentioned)}"
            return _unverified(checked, f"{note}: {sighting.first}")
        if sighting.hook:
            note = f"{name} stands nowhere in {where}, but {sighting.hook} may answer to any name"
            return _unverified(checked, note)
    if hidden := _hidden(library):
        return _unverified(checked, f"{searched} not found in {where}, but {hidden}")
    if not library.source.files:
        return _unverified(checked, f"no file of {library.words} could be read")
    return _settled(checked, Standing.SUPPORTED, f"{searched}: found 0 times in {where}")


def look_up(parts: Sequence[str], library: Library) -> Sighting:
    """Look for the last of these names in a library's source.

    Args:
        parts: Owner and name, such as ``("RubyLLM", "Chat", "ask")``, or the name alone.
        library: The source.
    """
    name = parts[-1]
    bare = name.rstrip("?!")
    form = re.compile(_DEFINES.format(name=re.escape(name)), re.MULTILINE)
    word = re.compile(rf"(?<![\w$]){re.escape(bare)}(?![\w$])")
    definitions: list[str] = []
    mentions: list[str] = []
    for file in library.source.files:
        for number, line in enumerate(file.lines, 1):
            if bare not in line or not word.search(line):
                continue
            place = f"{file.path}, line {number}"
            mentions.append(place)
            if form.search(line[:500]):
                definitions.append(place)
    return Sighting(
        defined=len(definitions),
        mentioned=len(mentions),
        first=next(iter([*definitions[:1], *mentions[:1]]), ""),
        hook=next(_hooks(parts[-2] if len(parts) > 1 else "", library), ""),
    )


def _hooks(owner: str, library: Library) -> Iterator[str]:
    """Places that answer to any name, in files that define the owner; in all without one."""
    owns = re.compile(_DEFINES.format(name=re.escape(owner))) if owner else None
    for file in library.source.files:
        if owns is not None and not _defines(owns, owner, file):
            continue
        for number, line in enumerate(file.lines, 1):
            if _ANY_NAME.search(line):
                yield f"{file.path}, line {number},"


def _defines(owns: re.Pattern[str], owner: str, file: ProjectFile) -> bool:
    return any(owner in line and owns.search(line[:500]) for line in file.lines)


def _parts(symbol: str) -> tuple[str, ...]:
    """``RubyLLM::Chat#ask_twice(x)`` → its names; what stands in brackets is no part of it."""
    head = symbol[:300].split("(", maxsplit=1)[0]
    return tuple(word for word in _WORD.findall(head) if len(word) <= MAX_NAME)


def _stands(name: str, checked: Checked) -> bool:
    word = rf"(?<![\w$]){re.escape(name.rstrip('?!'))}(?![\w$])"
    return re.search(word, checked.finding.excerpt) is not None


def _hidden(library: Library) -> str:
    for one in library.source.left_out:
        path = PurePosixPath(one.path)
        may_define = (
            path.name.casefold() in _BUILT
            or path.suffix.casefold() in _COMPILED
            or (path.suffix.casefold() in _SCRIPTS and one.reason.startswith("generated"))
        )
        if one.could_hold or may_define:
            return f"{one.path} was not read: {one.reason}"
    return ""


def _times(n: int) -> str:
    return "once" if n == 1 else f"{n:,} times"


def _unverified(checked: Checked, note: str) -> Checked:
    return _settled(checked, Standing.UNVERIFIED, note)


def _settled(checked: Checked, standing: Standing, note: str) -> Checked:
    whole = f"{checked.note}; {note}" if checked.note else note
    return replace(checked, standing=standing, note=one_line(whole, 400))
