"""Plain values of a file that a person wrote, with the line of every key."""

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from judgebench.errors import FileFault
from judgebench.records import dataclass
from judgebench.text import one_line

Key = tuple[str | int, ...]
MAX_BYTES = 4 * 1024 * 1024


class Word(str):
    """An unquoted word that YAML readers take differently, kept letter for letter.

    ``no``, ``01`` and ``2026-11-29`` are text to one reader and false, 1 and a
    date to another. As running text they are harmless; where a word is an id,
    `refuse_word` asks for quotes.
    """

    __slots__ = ()


def refuse_word(value: object) -> object:
    """Validator for ids and names: an unquoted ambiguous word is a fault.

    Raises:
        ValueError: for pydantic, with the hint to quote.
    """
    if isinstance(value, Word):
        raise ValueError(ambiguous(value))  # noqa: TRY004 - pydantic wants a ValueError
    return value


def ambiguous(word: str) -> str:
    """What is wrong with an unquoted word, and after a semicolon what to write."""
    shown = one_line(word, 40)
    return f'is {shown}, which YAML readers do not take as text; write "{shown}" in quotes'


@dataclass(frozen=True, kw_only=True)
class Located:
    """Plain values of a file with the line of each key (counted from 1)."""

    path: Path
    """The file as the user named it."""
    data: Any
    """Mappings, lists, str, int, float, bool and None only."""
    lines: Mapping[Key, int] = field(default_factory=dict)
    """Line of each value, by its path of keys and list positions."""

    def line(self, key: Key) -> int:
        """Line of `key`, or of the nearest parent that has one."""
        for length in range(len(key), -1, -1):
            if key[:length] in self.lines:
                return self.lines[key[:length]]
        return 0


def dotted(key: Key) -> str:
    """Write a path of keys as people do: ``criteria.2.weight``, lists from 1."""
    return ".".join(str(part + 1) if isinstance(part, int) else one_line(part, 60) for part in key)


def decode(raw: bytes, path: Path, fault: type[FileFault]) -> str:
    """Decode a hand-written file: UTF-8, with or without a byte order mark."""
    if len(raw) > MAX_BYTES:
        raise fault(path, f"is {len(raw):,} bytes long", f"keep it under {MAX_BYTES:,} bytes")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as exc:
        line = raw[: exc.start].count(b"\n") + 1
        raise fault(
            path,
            f"has a byte 0x{raw[exc.start]:02x} that is not UTF-8",
            "save it as UTF-8",
            line=line,
        ) from None
