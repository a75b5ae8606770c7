"""What is wrong with the form of a JSON file: a key given twice, a value of a wrong kind."""

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from judgebench.errors import FileFault
from judgebench.text import one_line


def single_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these pairs, as `json.loads` wants it for its ``object_pairs_hook``.

    Raises:
        ValueError: A key is given twice; most readers keep the last in silence.
    """
    out = dict(pairs)
    if len(out) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {one_line(twice, 40)} stands twice")
    return out


def wrong_value(
    kind: type[FileFault], path: Path | str, exc: ValidationError, fix: str
) -> FileFault:
    """The first value of a file that does not fit its form, as a fault with its dotted key."""
    error = exc.errors(include_url=False)[0]
    key = ".".join(str(p + 1) if isinstance(p, int) else p for p in error["loc"])
    found = one_line(repr(error.get("input")), 40)
    problem = f"is {found}: {one_line(error['msg'], 80)}"
    return kind(path, problem, fix, key=one_line(key, 80))
