"""Names of arms that are drawn alike and are different to a program."""

import unicodedata
from collections.abc import Iterator, Sequence

from judgebench.blind.fold import fold
from judgebench.text import one_line


def look_alike(names: Sequence[str]) -> Iterator[str]:
    """Say of each two names that look alike what tells them apart; case alone is seen.

    Args:
        names: Names of arms.

    Yields:
        A line for each name that looks like an earlier one, with the first sign that differs.
    """
    seen: dict[str, str] = {}
    for name in sorted(names):
        # Letters of other scripts and dashes are folded; a capital is seen, so it stays apart.
        drawn = _drawn(name)
        first = seen.setdefault(drawn, name)
        if first != name:
            one, other = _differing(first, name)
            yield (
                f"arms {one_line(first, 40)} and {one_line(name, 40)} look alike and are two arms: "
                f"{one} in one, {other} in the other"
            )


def _drawn(name: str) -> str:
    """A name as it is drawn; ASCII is what it is."""
    return "".join(sign if sign.isascii() else _plain(sign) for sign in name)


def _plain(sign: str) -> str:
    # An accent, a stroke and a ligature are seen: é is not taken for e.
    if (
        unicodedata.name(sign, "").startswith("LATIN")
        or len(unicodedata.normalize("NFD", sign)) > 1
    ):
        return sign
    plain = fold(sign).text
    return plain.upper() if sign.isupper() else plain


def _differing(one: str, other: str) -> tuple[str, str]:
    """Code points where two names part; nothing where one of them has ended."""
    at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    at = min(len(one), len(other)) if at is None else at
    return _code(one[at : at + 1]), _code(other[at : at + 1])


def _code(sign: str) -> str:
    return f"U+{ord(sign):04X}" if sign else "nothing"
