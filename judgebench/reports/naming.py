"""Names on the page that is being written: whole where it has room, else cut and unlike.

A sentence is worded once for a terminal and for the pages of a report. A report wraps
names of any length, so it asks for them whole; plots keep cut labels of their own.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from judgebench import namesakes
from judgebench.text import one_line

_LONGEST = 200
"""What even a report cuts: no name of an arm or a judge is as long."""
_WHOLE: ContextVar[bool] = ContextVar("whole names", default=False)


@contextmanager
def whole_names() -> Iterator[None]:
    """Every name that is worded inside is written whole."""
    token = _WHOLE.set(True)
    try:
        yield
    finally:
        _WHOLE.reset(token)


def apart(names: Iterable[str], limit: int) -> Mapping[str, str]:
    """Names that are shown together, as `namesakes.apart`, or whole where the page has room."""
    return namesakes.apart(names, _LONGEST if _WHOLE.get() else limit)


def alone(name: str, limit: int) -> str:
    """A name where those beside it are not known: cut in the middle, for names differ at ends."""
    line, room = one_line(name, _LONGEST), _LONGEST if _WHOLE.get() else limit
    if len(line) <= room:
        return line
    tail = room // 2
    return f"{line[: room - tail - 1]}…{line[-tail:]}"


def among(name: str, names: Iterable[str], limit: int) -> str:
    """One of the names that are shown together, as `apart` writes it."""
    return apart((*names, name), limit)[name]
