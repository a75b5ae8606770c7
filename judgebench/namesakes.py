"""Names that are shown side by side, each cut short and still unlike every other."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType

from judgebench.text import printable, shorten


def apart(
    names: Iterable[str], limit: int, *, cut: Callable[[str, int], str] = shorten
) -> Mapping[str, str]:
    """Names that are shown together, each safe, on one line, cut, and unlike every other.

    A name is cut at its end, as `one_line` does, unless another one would then read the
    same: such names keep their beginning and what tells them apart.

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
    alike: dict[str, list[str]] = {}
    for name in names:
        alike.setdefault(shown[name], []).append(name)
    taken = {text for text, group in alike.items() if len(group) == 1}
    for group in alike.values():
        if len(group) == 1:
            continue
        for tried in _ways([whole[name] for name in group], limit, cut):
            if len(set(tried)) == len(group) and taken.isdisjoint(tried):
                break
        shown |= zip(group, tried, strict=True)
        taken.update(tried)
    return MappingProxyType(shown)


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
