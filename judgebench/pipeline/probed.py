"""What came of a blindness probe, kept beside its answers for every later report.

`judgments/blindness/<pass>.json`, written by the probe; a report reads it and asks nothing.
"""

from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from judgebench.errors import StoreError
from judgebench.model.blindness import Blindness
from judgebench.store.store import Store
from judgebench.text import sha256_text

FOLDER = "blindness"
_FORM = TypeAdapter(Blindness)


def keep(judgments: Path, found: Blindness) -> None:
    """Keep what came of the probe of a pass, unless a start that asked nothing says it again.

    Raises:
        StoreError: It cannot be written.
    """
    path = judgments / FOLDER / f"{found.pass_id}.json"
    if not found.calls and path.is_file():
        return
    half = path.with_name(f"{path.name}.half")
    try:
        half.parent.mkdir(parents=True, exist_ok=True)
        half.write_bytes(_FORM.dump_json(found, indent=1) + b"\n")
        half.replace(path)
    except OSError as exc:
        raise StoreError(f"{path}: cannot be written ({exc.strerror})") from None


def kept(store: Store, pass_id: str) -> Blindness | None:
    """What came of the probe of a pass; None where none was made, or its file cannot be read."""
    text = _text(store, pass_id)
    try:
        return _FORM.validate_json(text) if text else None
    except ValidationError:
        return None


def stamp(store: Store, pass_id: str) -> str:
    """A hash that changes with what came of the probe; empty without one."""
    text = _text(store, pass_id)
    return sha256_text(text) if text else ""


def _text(store: Store, pass_id: str) -> str:
    try:
        return (store.path.parent / FOLDER / f"{pass_id}.json").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
