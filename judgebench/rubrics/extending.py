"""One rubric laid over another: plain values are joined, lines stay those of the upper file."""

from collections.abc import Sequence
from typing import Any

from judgebench.formats.located import Key, Located

_BY_ID = ("criteria", "deductions", "checks")
_WHOLE = ("default",)
"""Keys whose mapping is replaced, not joined."""


def join(base: Located, upper: Located) -> Located:
    """The values of `base` with those of `upper` laid over them.

    Criteria, entries and checks are matched by id: the keys that the upper file writes
    replace those of the base, new ones are appended. Everything else that the
    upper file writes replaces what the base has.

    Returns:
        Values of both with the lines of `upper`; a value that came from the base
        has the line of the nearest part that `upper` writes.
    """
    joined = _Joined(upper)
    data = joined.lay(base.data, upper.data, (), ())
    return Located(path=upper.path, data=data, lines=joined.lines)


def without(located: Located, dropped: Sequence[str]) -> Located:
    """The same without the criteria, entries and checks of these ids."""
    data, gone = located.data, set(dropped)
    lines = dict(located.lines)
    criteria, lines = _keep(data.get("criteria"), gone, ("criteria",), lines)
    if isinstance(criteria, list):
        for i, criterion in enumerate(criteria):
            if isinstance(criterion, dict) and "deductions" in criterion:
                key = ("criteria", i, "deductions")
                kept, lines = _keep(criterion["deductions"], gone, key, lines)
                criteria[i] = {**criterion, "deductions": kept}
    data = {**data, "criteria": criteria}
    if "checks" in data:
        data["checks"], lines = _keep(data["checks"], gone, ("checks",), lines)
    return Located(path=located.path, data=data, lines=lines)


def ids(data: Any) -> set[str]:  # noqa: ANN401 - plain values
    """Ids of all criteria, entries and checks."""
    found: set[str] = set()
    for criterion in _list(data, "criteria"):
        found.update(_id(criterion))
        for entry in _list(criterion, "deductions"):
            found.update(_id(entry))
    for check in _list(data, "checks"):
        found.update(_id(check))
    return found


def _list(data: Any, key: str) -> list[Any]:  # noqa: ANN401 - plain values
    value = data.get(key) if isinstance(data, dict) else None
    return value if isinstance(value, list) else []


def _id(part: Any) -> tuple[str, ...]:  # noqa: ANN401 - plain values
    value = part.get("id") if isinstance(part, dict) else None
    return (str(value),) if isinstance(value, str) else ()


def _keep(
    parts: Any,  # noqa: ANN401 - plain values
    gone: set[str],
    key: Key,
    lines: dict[Key, int],
) -> tuple[Any, dict[Key, int]]:
    if not isinstance(parts, list):
        return parts, lines
    places = [i for i, part in enumerate(parts) if not gone.intersection(_id(part))]
    moved = {old: new for new, old in enumerate(places)}
    depth, kept = len(key), {}
    for place, line in lines.items():
        if place[:depth] != key or len(place) == depth:
            kept[place] = line
        elif (new := moved.get(int(place[depth]))) is not None:
            kept[(*key, new, *place[depth + 1 :])] = line
    return [parts[i] for i in places], kept


class _Joined:
    def __init__(self, upper: Located) -> None:
        self.upper = upper
        self.lines: dict[Key, int] = {}

    def lay(self, base: Any, upper: Any, at_upper: Key, at: Key) -> Any:  # noqa: ANN401 - plain values
        if at_upper in self.upper.lines:
            self.lines[at] = self.upper.lines[at_upper]
        last = at[-1] if at else ""
        if isinstance(base, dict) and isinstance(upper, dict) and last not in _WHOLE:
            laid = {
                name: self.lay(base.get(name), value, (*at_upper, name), (*at, name))
                for name, value in upper.items()
            }
            return {**base, **laid}
        if isinstance(base, list) and isinstance(upper, list) and last in _BY_ID:
            return self._by_id(base, upper, at_upper, at)
        self._copy_lines(at_upper, at)
        return upper

    def _by_id(self, base: list[Any], upper: list[Any], at_upper: Key, at: Key) -> list[Any]:
        joined = list(base)
        places = {_id(part): i for i, part in enumerate(base)}
        for j, part in enumerate(upper):
            # A second part of the same id is appended, so that it is reported as double.
            i = places.pop(_id(part), None) if _id(part) else None
            key = (*at, len(joined) if i is None else i)
            laid = self.lay(None if i is None else base[i], part, (*at_upper, j), key)
            if i is None:
                joined.append(laid)
            else:
                joined[i] = laid
        return joined

    def _copy_lines(self, at_upper: Key, at: Key) -> None:
        depth = len(at_upper)
        for place, line in self.upper.lines.items():
            if place[:depth] == at_upper:
                self.lines[(*at, *place[depth:])] = line
