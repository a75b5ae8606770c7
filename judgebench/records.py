"""Frozen dataclasses whose classes are made in a quarter of the time.

Python compiles six functions for each frozen dataclass, one by one: 0.8 ms a class on
Python 3.11, and a report has 370 of them, which was a fifth of its start. Here one is
compiled, `__init__`; the others are shared and read the fields by name. All that is not
frozen and of keywords only is left to the standard decorator, and `fields`, `replace` and
`asdict` of the standard library work on both.
"""

from __future__ import annotations

import dataclasses
from operator import attrgetter
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, /, **options: bool) -> Any:  # noqa: ANN401 - as dataclasses.dataclass
        """As `dataclasses.dataclass`, whose types it has."""
        if cls is not None:
            return dataclasses.dataclass(cls)
        if set(options) <= {"frozen", "kw_only", "slots"} and {"frozen", "kw_only"} <= set(options):
            return _frozen if options.get("slots") else _frozen_with_dict
        return dataclasses.dataclass(**options)


def _frozen(cls: type) -> Any:  # noqa: ANN401 - as dataclasses.dataclass
    return _filled(cls, slots=True)


def _frozen_with_dict(cls: type) -> Any:  # noqa: ANN401 - as dataclasses.dataclass
    return _filled(cls, slots=False)


def _filled(cls: type, *, slots: bool) -> Any:  # noqa: ANN401 - as dataclasses.dataclass
    """The class with its fields, and with every method that it does not define itself."""
    own = set(cls.__dict__)
    made: Any = dataclasses.dataclass(
        init=False, repr=False, eq=False, match_args=False, kw_only=True, slots=slots
    )(cls)
    fields = dataclasses.fields(made)
    compared = tuple(one.name for one in fields if one.compare)
    methods: dict[str, object] = {
        "__init__": _init(made, fields, slots=slots),
        "__repr__": _repr,
        "__eq__": _eq,
        "__hash__": _hash,
        "__setattr__": _set,
        "__delattr__": _delete,
        "__getstate__": _state,
        "__setstate__": _restore,
    }
    for name, method in methods.items():
        if name not in own or (name == "__hash__" and cls.__dict__[name] is None):
            setattr(made, name, method)
    # One name twice is a tuple too, which compares by identity first, as the standard ones do.
    made.__compared__ = attrgetter(*compared, compared[0]) if compared else _nothing
    return made


def _init(
    made: type, fields: tuple[dataclasses.Field[Any], ...], *, slots: bool
) -> Callable[..., None]:
    """The only method that is compiled: it sets each field past `__setattr__`."""
    known: dict[str, Any] = {"_missing": dataclasses.MISSING, "_set": object.__setattr__}
    taken, lines = [], []
    for place, one in enumerate(fields):
        name = one.name
        made_by = one.default_factory is not dataclasses.MISSING
        if made_by:
            known[f"_made_{place}"] = one.default_factory
        elif one.default is not dataclasses.MISSING:
            known[f"_default_{place}"] = one.default
        if one.init and made_by:
            taken.append(f"{name}=_missing")
            value = f"_made_{place}() if {name} is _missing else {name}"
        elif one.init:
            taken.append(f"{name}=_default_{place}" if f"_default_{place}" in known else name)
            value = name
        elif made_by:
            value = f"_made_{place}()"
        elif f"_default_{place}" in known:
            value = f"_default_{place}"
        else:
            continue
        if slots:
            known[f"_set_{place}"] = getattr(made, name).__set__
            lines.append(f"  _set_{place}(_self, {value})")
        else:
            lines.append(f"  _set(_self, {name!r}, {value})")
    if hasattr(made, "__post_init__"):
        lines.append("  _self.__post_init__()")
    given = ", ".join(["_self", "*", *taken] if taken else ["_self"])
    exec(f"def __init__({given}):\n" + ("\n".join(lines) or "  pass"), known)  # noqa: S102 - names of fields
    init: Callable[..., None] = known["__init__"]
    init.__qualname__ = f"{made.__qualname__}.__init__"
    return init


def _nothing(_: object) -> tuple[()]:
    return ()


def _repr(self: Any) -> str:  # noqa: ANN401 - any record
    shown = (
        f"{one.name}={getattr(self, one.name)!r}" for one in dataclasses.fields(self) if one.repr
    )
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _eq(self: Any, other: Any) -> Any:  # noqa: ANN401 - any record
    if other.__class__ is not self.__class__:
        return NotImplemented
    compared: Callable[[object], object] = self.__class__.__compared__
    return bool(compared(self) == compared(other))


def _hash(self: Any) -> int:  # noqa: ANN401 - any record
    return hash(self.__class__.__compared__(self))


def _set(_: object, name: str, __: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(_: object, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:  # noqa: ANN401 - any record
    return [getattr(self, one.name) for one in dataclasses.fields(self)]


def _restore(self: Any, state: list[Any]) -> None:  # noqa: ANN401 - any record
    for one, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)
