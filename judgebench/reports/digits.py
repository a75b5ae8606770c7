"""Rounding and units: values → text. What is unknown or not finite is a dash.

Digits follow the scale: two decimals where it spans 20 points or less, else one.
"""

import math

from judgebench.text import decimals, plural, rounded

__all__ = [
    "DASH",
    "decimals",
    "fixed",
    "listed",
    "ordinal",
    "plain",
    "plural",
    "points",
    "share",
    "signed",
    "usd",
]

DASH = "-"
_TRUE_END = 1e-9
_ORDINALS = {1: "first", 2: "second", 3: "third"}


def points(value: float | None, digits: int) -> str:
    """A value in scale points; a dash where there is none. Never ``-0.00``."""
    if value is None or not math.isfinite(value):
        return DASH
    return fixed(value, digits)


def fixed(value: float, digits: int) -> str:
    """A finite number with so many decimals: halves go away from zero, as people round.

    The one rule of every page: 5.25 is 5.3 in one column and 5.25 in the next, never 5.2. What
    is rounded is the decimal number that the value stands for, not its nearest binary one.

    >>> fixed(5.25, 1), fixed(2.675, 2), fixed(-0.004, 2)
    ('5.3', '2.68', '0.00')
    """
    return f"{rounded(value, digits):.{digits}f}"


def signed(value: float | None, digits: int) -> str:
    """A difference with its sign; what rounds to zero carries none."""
    if value is None or not math.isfinite(value):
        return DASH
    found = rounded(value, digits)
    return f"{found:+.{digits}f}" if found else f"{0:.{digits}f}"


def share(value: float | None) -> str:
    """A share in per cent; only a true 0 or 1 is shown as 0 % or 100 %."""
    if value is None or not math.isfinite(value):
        return DASH
    found = int(rounded(100 * value, 0))
    # A sum of rounded weights misses 0 or 1 by less than any count of cells could.
    if found <= 0 and value > _TRUE_END:
        return "under 1 %"
    if value < 1 - _TRUE_END and found >= 100:  # noqa: PLR2004 - per cent
        return "over 99 %"
    return f"{found} %"


def usd(value: float | None) -> str:
    """Money in US dollars."""
    if value is None or not math.isfinite(value):
        return DASH
    if 0 < value < 0.01:  # noqa: PLR2004 - a cent
        return "under $0.01"
    return f"${rounded(value, 2):,.2f}"


def plain(value: float | None) -> str:
    """A count or a threshold: whole numbers without decimals."""
    if value is None or not math.isfinite(value):
        return DASH
    return f"{value:,.0f}" if value == int(value) else f"{rounded(value, 2):,.2f}"


def listed(names: list[str], *, word: str = "and", most: int = 3) -> str:
    """Names in a sentence; a long list is cut and says how many more."""
    if len(names) > most + 1:
        names = [*names[:most], f"{len(names) - most} more"]
    return f" {word} ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def ordinal(number: int) -> str:
    """Which of several: ``second``, ``4th``."""
    return _ORDINALS.get(number, f"{number}th")
