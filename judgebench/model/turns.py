"""A conversation with a judge that reads a project with tools, turn by turn."""

from dataclasses import field

from judgebench.records import dataclass

MOST_TURNS = 12
"""Replies of one conversation; the last one must be the report."""
Place = tuple[str, int, int]
"""Path, first and last line."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolCall:
    """What a judge asks of a tool."""

    id: str
    """By which its answer is told from others."""
    name: str
    arguments: str
    """As they came: JSON, or what was meant to be."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolAnswer:
    """What code gives back."""

    call: ToolCall
    text: str = field(repr=False)
    said: str
    """What came of it in a few words, for the record."""
    read: tuple[Place, ...] = ()
    """Lines that are in `text` whole."""
    fault: bool = False
    """The call could not be answered; `text` says why."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """One reply that asked for something, with what it got."""

    number: int
    """From 1."""
    attempt: int
    """Which call of the request brought the reply."""
    answers: tuple[ToolAnswer, ...]

    @property
    def read(self) -> tuple[Place, ...]:
        """All lines that it gave."""
        return tuple(place for one in self.answers for place in one.read)
