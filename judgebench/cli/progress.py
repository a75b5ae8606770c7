"""One line on a terminal that says how far a pass is; nothing where nobody looks."""

import sys
from typing import Self

from judgebench.pipeline.sending.sent import Progress
from judgebench.text import plural

_MINUTE_S, _HOUR_S = 60, 3_600


class Line:
    """A line that is drawn over; a context manager that clears it.

    Args:
        quiet: Draw nothing.
    """

    def __init__(self, *, quiet: bool) -> None:
        self._on = not quiet and sys.stderr.isatty()
        self._drawn = False

    def __enter__(self) -> Self:
        """Use the line."""
        return self

    def __exit__(self, *_: object) -> None:
        """Clear the line."""
        if self._drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def show(self, found: Progress) -> None:
        """Draw how far it is: answered, rate, cost so far, time left."""
        if not self._on:
            return
        rate = found.sent / found.elapsed_s if found.elapsed_s > 0 else 0.0
        cost = "" if found.cost_usd is None else f" · {found.cost_usd:.3f} USD so far"
        failed = f" · {found.blocked} blocked" if found.blocked else ""
        sys.stderr.write(
            f"\r\x1b[K{found.sent:,}{_of(found)} answered{failed} · "
            f"{plural(found.calls, 'call')} · {rate:.1f}/s · "
            f"{found.in_flight} in flight{cost}{_left(found)}"
        )
        sys.stderr.flush()
        self._drawn = True


def _of(found: Progress) -> str:
    return "" if found.wanted is None else f" of {found.wanted:,}"


def _left(found: Progress) -> str:
    """Time left, if it goes on at this rate."""
    if found.wanted is None or not 0 < found.sent < found.wanted:
        return ""
    seconds = found.elapsed_s * (found.wanted - found.sent) / found.sent
    if seconds < _MINUTE_S:
        return f" · about {seconds:.0f} s left"
    if seconds < _HOUR_S:
        return f" · about {seconds / _MINUTE_S:.0f} min left"
    return f" · about {seconds / _HOUR_S:.1f} h left"
