"""A file's plain values against a pydantic model: the first fault in one line, and its remedy."""

import difflib
from collections.abc import Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from judgebench.errors import FileFault
from judgebench.formats.located import Key, Located, dotted
from judgebench.text import one_line

M = TypeVar("M", bound=BaseModel)

_WANTED = {
    "string_type": "text",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "list_type": "a list, one entry a line after a dash",
    "tuple_type": "a list, one entry a line after a dash",
    "dict_type": "keys with values",
    "model_type": "keys with values",
    "model_attributes_type": "keys with values",
    "greater_than": "a number above {gt}",
    "greater_than_equal": "a number of {ge} or more",
    "less_than": "a number below {lt}",
    "less_than_equal": "a number of {le} or less",
    "string_too_short": "at least {min_length} characters",
    "string_too_long": "at most {max_length} characters",
    "too_short": "{min_length} or more entries",
    "too_long": "at most {max_length} entries",
    "literal_error": "{expected}",
    "enum": "{expected}",
}
"""What to write instead, by pydantic's kind of fault."""


def validate(model: type[M], located: Located, fault: type[FileFault]) -> M:
    """Check plain values against a pydantic model; the first fault in line order is raised.

    Raises:
        FileFault: of the class `fault`, with line, key and what to write.
    """
    try:
        return model.model_validate(located.data)
    except ValidationError as exc:
        errors = sorted(
            exc.errors(include_url=False),
            key=lambda e: (located.line(_plain_key(e["loc"], located.data)), len(e["loc"])),
        )
        error = _told_first(errors)
        key = _plain_key(error["loc"], located.data)
        missing = [
            str(one["loc"][-1])
            for one in errors
            if one["type"] == "missing" and one["loc"][:-1] == error["loc"][:-1]
        ]
        problem, fix = _explain(dict(error), model, missing=missing, page=fault.page)
        raise fault(
            located.path,
            one_line(problem),
            one_line(fix),
            line=located.line(key),
            key=dotted(key),
        ) from None


def _told_first(errors: Sequence[ErrorDetails]) -> ErrorDetails:
    """The first fault, or where a key is missing, the unknown one beside it: a slip of the pen."""
    first = errors[0]
    if first["type"] != "missing":
        return first
    beside = (
        error
        for error in errors
        if error["type"] == "extra_forbidden" and error["loc"][:-1] == first["loc"][:-1]
    )
    return next(beside, first)


def _plain_key(loc: tuple[int | str, ...], data: Any) -> Key:  # noqa: ANN401 - plain values
    """Drop what pydantic adds to a location (names of union members, validators)."""
    key: list[str | int] = []
    here = data
    for position, part in enumerate(loc):
        in_list = isinstance(part, int) and isinstance(here, list) and part < len(here)
        in_mapping = isinstance(part, str) and isinstance(here, dict) and part in here
        if in_list or in_mapping:
            key.append(part)
            here = here[part]
        elif position == len(loc) - 1 and isinstance(here, dict) and isinstance(part, str):
            key.append(part)
    return tuple(key)


def _explain(
    error: dict[str, Any], model: type[BaseModel], *, missing: Sequence[str], page: str
) -> tuple[str, str]:
    kind, found = str(error["type"]), error.get("input")
    message = str(error["msg"])
    if kind == "extra_forbidden":
        name = str(error["loc"][-1])
        known = sorted(all_keys(model) - {name})
        near = [
            close
            for names in (missing, known)
            for close in difflib.get_close_matches(name, names, n=1, cutoff=0.6)
        ]
        fix = (
            f"did you mean {near[0]}?"
            if near
            else f"take it out (judge explain {page} lists the keys)"
        )
        return "is not a known key", fix
    if kind == "missing":
        return "is missing", "write it"
    if kind == "value_error":
        problem, _, fix = message.removeprefix("Value error, ").partition("; ")
        return problem, fix or "mend it"
    if kind == "string_type" and isinstance(found, float):
        # 1.10 has become 1.1 here: the letters are lost, so none are proposed.
        return "is a number where text is wanted", "write it in quotes"
    if kind == "string_type" and isinstance(found, int):
        return f"is {_shown(found)}", f'write "{_shown(found)}" in quotes'
    if isinstance(found, str) and kind in {"too_long", "too_short"}:
        kind = f"string_{kind}"
    if kind in _WANTED:
        bounds = {k: _bound(v) for k, v in error.get("ctx", {}).items()}
        wanted = _WANTED[kind].format_map(bounds).replace("'", "")
        wanted = wanted.replace(" 1 characters", " 1 character")
    else:
        wanted = (message[0].lower() + message[1:]).removeprefix("input should be ")
    return _is(found, kind), f"write {wanted}"


def _bound(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _is(found: object, kind: str) -> str:
    if kind == "too_long" and isinstance(found, list | dict):
        return f"has {len(found)} entries"
    return f"is {_shown(found)}"


def _shown(found: object) -> str:
    """A value as its writer sees it in the file, not as Python spells it."""
    if found is None or found in ({}, []):
        return "empty"
    if isinstance(found, bool):
        return str(found).lower()
    if isinstance(found, dict):
        return "a group of keys"
    if isinstance(found, list):
        return "a list"
    if isinstance(found, str):
        return f'"{one_line(found, 60)}"'
    return one_line(str(found), 60)


def all_keys(model: type[BaseModel]) -> set[str]:
    """Every key that a file of this model may hold, at any depth."""
    schema = model.model_json_schema()
    names: set[str] = set()
    for part in (schema, *schema.get("$defs", {}).values()):
        names.update(part.get("properties", {}))
    return names
