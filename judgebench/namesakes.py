"""Names that are shown side by side, each cut short and still unlike every other."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, reduce
from itertools import pairwise
from types import MappingProxyType

from judgebench.text import printable, shorten

_JOINT = re.compile(r"([-_/: ]+|(?<!\d)\.+|\.+(?!\d))")
"""What parts the words of a name; the point of a number is no such sign."""
_DEPTHS = range(4)
"""How many words of what names do not share make a family of names."""
_MOST_WORDS = 60
"""A text of more words is no name: it is cut by its signs alone."""


def apart(
    names: Iterable[str], limit: int, *, cut: Callable[[str, int], str] = shorten
) -> Mapping[str, str]:
    """Names that are shown together, each safe, on one line, cut, and unlike every other.

    A name is cut at its end, as `one_line` does, unless another one would then read the
    same: all names then lose the words that they share, so that a name which was made short
    reads the same whatever it may measure. Numbers are the last resort.

    Args:
        names: All names that a reader sees side by side; repeats do not matter.
        limit: What a name may measure.
        cut: Makes a text at most so long; another one may measure columns.

    Returns:
        Name → what is shown, in the order in which the names came; that order changes no text.
    """
    given = tuple(dict.fromkeys(names))
    shown = _apart(tuple(sorted(given)), limit, cut)
    return {name: shown[name] for name in given}


def among(name: str, names: Iterable[str], limit: int) -> str:
    """One of the names that are shown together, as `apart` writes it."""
    return apart((*names, name), limit)[name]


@lru_cache(maxsize=256)
def _apart(names: tuple[str, ...], limit: int, cut: Callable[[str, int], str]) -> Mapping[str, str]:
    whole = {name: " ".join(printable(name).split()) for name in names}
    shown = {name: cut(whole[name], limit) for name in names}
    if len(set(shown.values())) == len(names):
        return MappingProxyType(shown)
    bare: Mapping[str, str] = whole
    for depth in _DEPTHS:
        bare = _without_shared(whole, depth)
        shown = {name: cut(bare[name], limit) for name in names}
        if len(set(shown.values())) == len(names):
            return MappingProxyType(shown)
    return MappingProxyType(_by_signs(bare, shown, limit, cut))


def _without_shared(whole: Mapping[str, str], depth: int) -> dict[str, str]:
    """Names without the words that all share, and then without those that a family shares.

    A family is the names whose words that are left begin with the same `depth` words; these
    it keeps. A name of which no word would be left stays whole.
    """
    parts = {name: _JOINT.split(text) for name, text in whole.items()}
    if any(len(one) > 2 * _MOST_WORDS for one in parts.values()):
        return dict(whole)
    words = {name: one[::2] for name, one in parts.items()}
    left = {name: tuple(range(len(one))) for name, one in words.items()}
    left |= _unshared(words, left, 0)
    families: dict[tuple[str, ...], list[str]] = {}
    for name, places in left.items():
        families.setdefault(tuple(words[name][at] for at in places[:depth]), []).append(name)
    for family in families.values() if depth else ():
        left |= _unshared(words, {name: left[name] for name in family}, depth)
    out = dict(whole)
    for name, places in left.items():
        if any(words[name][at] for at in places):
            out[name] = _written(parts[name], places)
    return out


def _unshared(
    words: Mapping[str, list[str]], left: Mapping[str, tuple[int, ...]], keep: int
) -> dict[str, tuple[int, ...]]:
    """Places of the words that not all of these names have, and of the first `keep` of each."""
    if len(left) == 1:
        return dict(left)
    own_words = ([words[name][at] for at in places[keep:]] for name, places in left.items())
    shared, out = reduce(_common, own_words), {}
    for name, places in left.items():
        own, kept = list(shared), list(places[:keep])
        for at in places[keep:]:
            if own and words[name][at] == own[0]:
                own.pop(0)
            else:
                kept.append(at)
        out[name] = tuple(kept)
    return out


def _common(first: list[str], second: list[str]) -> list[str]:
    """A longest list of words that both lists hold in this order."""
    best: list[list[str]] = [[] for _ in range(len(second) + 1)]
    for word in first:
        row: list[list[str]] = [[]]
        for at, other in enumerate(second):
            longer = [*best[at], word] if word == other else []
            row.append(max(longer, row[at], best[at + 1], key=len))
        best = row
    return best[-1]


def _written(parts: list[str], places: tuple[int, ...]) -> str:
    """Words of a name with what stood between them, an ellipsis where words were left out."""
    out, last = "", -1
    for at in places:
        joint = "…" if at - last > 1 else parts[2 * at - 1] if at else ""
        out, last = f"{out}{joint}{parts[2 * at]}", at
    return out if last == len(parts) // 2 else f"{out}…"


def _by_signs(
    bare: Mapping[str, str],
    shown: dict[str, str],
    limit: int,
    cut: Callable[[str, int], str],
) -> dict[str, str]:
    """Names whose words do not tell them apart in this room: by their signs, or by numbers."""
    alike: dict[str, list[str]] = {}
    for name, text in shown.items():
        alike.setdefault(text, []).append(name)
    taken = {text for text, group in alike.items() if len(group) == 1}
    for group in alike.values():
        if len(group) == 1:
            continue
        for tried in _ways([bare[name] for name in group], limit, cut):
            if len(set(tried)) == len(group) and taken.isdisjoint(tried):
                break
        shown |= zip(group, tried, strict=True)
        taken.update(tried)
    return shown


def _ways(
    texts: list[str], limit: int, cut: Callable[[str, int], str]
) -> Iterator[tuple[str, ...]]:
    """Ways to write texts that begin alike: their ends, where they part, or numbers."""
    head = max(1, (limit - 1) // 3)
    room = max(1, limit - 1 - head)
    # In order, a text shares most with one of its neighbours.
    ranked = sorted(texts)
    same = _alike(ranked[0], ranked[-1])
    shared = [_alike(*pair) for pair in pairwise(ranked)]
    parts = dict(zip(ranked, map(max, [0, *shared], [*shared, 0]), strict=True))

    def written(text: str, start: int) -> str:
        return cut(f"{text[:head]}…{text[max(start, head) :]}", limit)

    yield tuple(written(text, len(text) - room) for text in texts)
    for before in (room // 2, room // 4, 0):
        yield tuple(written(text, same - before) for text in texts)
        yield tuple(written(text, parts[text] - before) for text in texts)
    many = len(str(len(texts)))
    for start in range(1, 10**6, len(texts)):
        marks = [f" ({place})" for place in range(start, start + len(texts))]
        yield tuple(
            cut(text, limit - max(many, len(mark))) + mark
            for text, mark in zip(texts, marks, strict=True)
        )


def _alike(first: str, second: str) -> int:
    """How many signs two texts have in common from their beginning."""
    pairs = enumerate(zip(first, second, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(first), len(second)))
