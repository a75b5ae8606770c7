r"""Result ⇄ result.json: stable order of keys, ``null`` with a code for what is refused.

A generic codec over the frozen classes of `judgebench.model`. Not-a-number and
infinity never leave: an estimate that is not finite becomes a refusal, any other
such value ``null``. Signs that act on a terminal are written as ``\u`` escapes.
"""

import dataclasses
import json
import math
import re
import types
import typing
from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import Any, ClassVar, Protocol

from judgebench.errors import StoreError
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.model.result import Result

SCHEMA = 1

# C0 is escaped by the encoder; these are the others that text.printable replaces.
_UNSAFE = re.compile(
    "[\x7f-\x9f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\ud800-\uf8ff\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff"
    "\U000f0000-\U0010ffff]"
)


class Written(Protocol):
    """Any frozen class of the model: a page that is not written loads nothing of it."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


def document(value: Written) -> str:
    """Write any value of the model as one JSON document."""
    found = {"schema": SCHEMA, **_encode(value)}
    text = json.dumps(found, ensure_ascii=False, allow_nan=False, indent=1)
    return _UNSAFE.sub(lambda found: json.dumps(found.group())[1:-1], text) + "\n"


def render(result: Result) -> str:
    """Write a result as JSON; equal results give equal bytes."""
    return document(result)


def load_result(text: str) -> Result:
    """Read a result back, equal to the one that was written.

    Raises:
        StoreError: It is not JSON, of another schema, or not a result.
    """
    again = "run `judge report` to make it again"
    try:
        document = json.loads(text)
    except ValueError:
        raise StoreError(f"result.json is not JSON; {again}") from None
    found = document.pop("schema", None) if isinstance(document, dict) else None
    if found != SCHEMA:
        raise StoreError(f"result.json has schema {found!r}, this version reads {SCHEMA}; {again}")
    try:
        loaded = _decode(document, Result)
    except (TypeError, ValueError, KeyError, AttributeError):
        raise StoreError(f"result.json does not hold a whole result; {again}") from None
    if not isinstance(loaded, Result):
        raise StoreError(f"result.json does not hold a result; {again}")
    return loaded


def _encode(value: Any) -> Any:  # noqa: ANN401 - any value of the model
    if isinstance(value, Estimate) and not math.isfinite(value.value):
        value = Refusal(
            statistic=value.kind or "estimate", code=RefusalCode.NOT_FINITE.value, have=0, need=0
        )
    if isinstance(value, Refusal):
        return {"value": None, **_fields(value)}
    if dataclasses.is_dataclass(value):
        return _fields(value)
    return _encode_plain(value)


def _encode_plain(value: Any) -> Any:  # noqa: ANN401 - any value of the model
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _encode(value[key]) for key in sorted(value, key=str)}
    if isinstance(value, list | tuple):
        return [_encode(one) for one in value]
    return value


def _fields(value: Any) -> dict[str, Any]:  # noqa: ANN401 - an instance of a dataclass
    return {
        one.name: _encode(found)
        for one in dataclasses.fields(value)
        if (found := getattr(value, one.name)) is not None or "spare" not in one.metadata
    }


@cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _decode(value: Any, kind: Any) -> Any:  # noqa: ANN401 - a JSON value and a type
    if kind is Any:
        return value
    origin = typing.get_origin(kind)
    if origin in {types.UnionType, typing.Union}:
        return _decode_union(value, typing.get_args(kind))
    if origin is tuple:
        return _decode_tuple(value, typing.get_args(kind))
    if origin is dict:
        _, inner = typing.get_args(kind)
        return {key: _decode(one, inner) for key, one in _checked(value, dict).items()}
    if dataclasses.is_dataclass(kind):
        return _decode_class(value, kind)
    return _decode_plain(value, kind)


def _decode_plain(value: Any, kind: Any) -> Any:  # noqa: ANN401 - a JSON value and a type
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(value)
    # A whole number in place of a float stays as it is: equal, and equal bytes again.
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, bool) and kind is not bool:
        raise TypeError(f"expected {kind}, found a truth value")
    return _checked(value, kind)


def _decode_class(value: Any, kind: Any) -> Any:  # noqa: ANN401 - a JSON value and a type
    found = dict(_checked(value, dict))
    if kind is Refusal and found.pop("value") is not None:
        raise ValueError("a refusal has no value")
    hints = _hints(kind)
    return kind(**{key: _decode(one, hints[key]) for key, one in found.items()})


def _decode_union(value: Any, kinds: tuple[Any, ...]) -> Any:  # noqa: ANN401 - as above
    if value is None and type(None) in kinds:
        return None
    if Refusal in kinds and isinstance(value, dict) and "code" in value:
        return _decode(value, Refusal)
    rest = [kind for kind in kinds if kind not in {Refusal, type(None)}]
    if len(rest) == 1:
        return _decode(value, rest[0])
    # A union of plain kinds (facts of a flag): the value is already of one of them.
    return _checked(value, tuple(rest))


def _decode_tuple(value: Any, kinds: tuple[Any, ...]) -> tuple[Any, ...]:  # noqa: ANN401
    values = _checked(value, list)
    if len(kinds) == 2 and kinds[1] is Ellipsis:  # noqa: PLR2004 - tuple[X, ...]
        return tuple(_decode(one, kinds[0]) for one in values)
    return tuple(_decode(one, kind) for one, kind in zip(values, kinds, strict=True))


def _checked(value: Any, kind: Any) -> Any:  # noqa: ANN401 - a JSON value and a type
    if not isinstance(value, kind):
        raise TypeError(f"expected {kind}, found {type(value)}")
    return value
