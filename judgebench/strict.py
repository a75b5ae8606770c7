"""Strict JSON: what lenient readers pass in silence is a fault here.

Keys given twice (most readers keep the last), NaN and infinities, numbers
beyond all bounds, bottomless nesting and texts past a size: each is a
`StrictFault` with words for a person, and no other error leaves this module.
"""

import json
import math
from collections.abc import Collection, Iterator
from typing import Any, NoReturn

from judgebench.text import one_line

MAX_CHARS = 4 * 1024 * 1024
_MAX_DIGITS = 300
_MAX_OBJECTS = 64
"""Opening braces that are tried in a text that is no JSON as a whole."""


class StrictFault(ValueError):  # noqa: N818 - it names what was found
    """A text that is not exactly one JSON value, with the reason as its message.

    Args:
        problem: What is wrong, in words.
        kind: ``duplicate_key``, ``number``, ``too_large`` or ``not_json``.
    """

    def __init__(self, problem: str, *, kind: str = "not_json") -> None:
        self.kind = kind
        super().__init__(problem)


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise StrictFault(f'the key "{one_line(twice, 40)}" is given twice', kind="duplicate_key")
    return found


def _constant(word: str) -> NoReturn:
    raise StrictFault(f"{word} is no JSON number", kind="number")


def _float(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise StrictFault(f"the number {one_line(digits, 40)} is too large", kind="number")
    return value


def _int(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise StrictFault("a number is too large", kind="number")
    return int(digits)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_float, parse_int=_int
)


def loads(text: str, *, max_chars: int = MAX_CHARS) -> Any:  # noqa: ANN401 - any JSON value
    """Read one JSON value that is all of `text`, but for white space around it.

    Raises:
        StrictFault: It is not that.
    """
    if len(text) > max_chars:
        raise StrictFault(
            f"it is {len(text):,} characters long; at most {max_chars:,} are read", kind="too_large"
        )
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as exc:
        raise StrictFault(f"it is not JSON at character {exc.pos}: {exc.msg}") from None
    except RecursionError:
        raise StrictFault("it is nested too deeply", kind="too_large") from None


_FOOLISH = object()
"""Stands for what a strict reader refuses."""


def _marked(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        found |= {key: _FOOLISH for key in found if keys.count(key) > 1}
    return found


def _finite(digits: str) -> object:
    value = float(digits)
    return value if math.isfinite(value) else _FOOLISH


_TOLERANT = json.JSONDecoder(
    object_pairs_hook=_marked,
    parse_constant=lambda _: _FOOLISH,
    parse_float=_finite,
    parse_int=lambda digits: _FOOLISH if len(digits) > _MAX_DIGITS else int(digits),
)


def loads_keys(text: str, keys: Collection[str]) -> Any:  # noqa: ANN401 - any JSON value
    """Read as `loads` does, strictly only what stands in an object under some of its keys.

    A number beyond all bounds, or a key given twice, that stands elsewhere is None.

    Raises:
        StrictFault: It is no JSON value, or not a strict one where that counts.
    """
    try:
        return loads(text)
    except StrictFault as fault:
        if fault.kind not in {"number", "duplicate_key"}:
            raise
        try:
            found = _TOLERANT.decode(text)
            if not isinstance(found, dict):
                raise
            json.dumps({key: found[key] for key in keys if key in found})
            return json.loads(json.dumps(found, default=lambda _: None))
        except (TypeError, ValueError, RecursionError):
            raise fault from None


def objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects that stand somewhere in `text`, one after the other, outermost only.

    Raises:
        StrictFault: There are too many braces to look behind each, or an object
            is one that a lenient reader would take and this one does not.
    """
    place, tried = text.find("{"), 0
    while place >= 0:
        tried += 1
        if tried > _MAX_OBJECTS:
            raise StrictFault("it holds too many braces to be read", kind="too_large")
        try:
            value, place = _DECODER.raw_decode(text, place)
        except json.JSONDecodeError:
            place += 1
        except RecursionError:
            raise StrictFault("it is nested too deeply", kind="too_large") from None
        else:
            yield value
        place = text.find("{", place)
