"""What came of a blindness probe, kept beside its answers for every later report.

`judgments/blindness/<pass>.json`, written by the probe; a report reads it and asks nothing.
"""

from dataclasses import replace
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from judgebench.errors import StoreError
from judgebench.model.blindness import Blindness
from judgebench.store.passes import PassRow
from judgebench.store.store import Store
from judgebench.text import sha256_text

FOLDER = "blindness"


@cache
def _form() -> TypeAdapter[Blindness]:
    """Built when a probe is read or kept: most runs have none."""
    return TypeAdapter(Blindness)


def keep(judgments: Path, found: Blindness) -> None:
    """Keep what came of the probe, unless a start that asked nothing says the same again.

    Raises:
        StoreError: It cannot be written.
    """
    path = judgments / FOLDER / f"{found.pass_id}.json"
    if (
        not found.calls
        and (before := _read(path))
        and before.content_sha256 == found.content_sha256
    ):
        return
    half = path.with_name(f"{path.name}.half")
    try:
        half.parent.mkdir(parents=True, exist_ok=True)
        half.write_bytes(_form().dump_json(found, indent=1) + b"\n")
        half.replace(path)
    except OSError as exc:
        raise StoreError(f"{path}: cannot be written ({exc.strerror})") from None


def kept(store: Store, row: PassRow) -> Blindness | None:
    """What came of the probe of a pass; None where none was made, or its file cannot be read."""
    found = _read(_path(store, row.judging.id))
    return found and replace(found, stale=found.content_sha256 != (row.content_sha256 or ""))


def unread(store: Store, row: PassRow) -> str | None:
    """The file of a probe that cannot be read, as it stands in the workspace; else None."""
    path = _path(store, row.judging.id)
    if not path.exists() or _read(path) is not None:
        return None
    return "/".join(path.parts[-3:])


def stamp(store: Store, pass_id: str) -> str:
    """A hash that changes with what came of the probe; empty without one."""
    path = _path(store, pass_id)
    text = _text(path) or ("unread" if path.exists() else "")
    return sha256_text(text) if text else ""


def _path(store: Store, pass_id: str) -> Path:
    return store.path.parent / FOLDER / f"{pass_id}.json"


def _read(path: Path) -> Blindness | None:
    text = _text(path)
    try:
        return _form().validate_json(text) if text else None
    except ValidationError:
        return None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
