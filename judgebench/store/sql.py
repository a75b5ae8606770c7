"""The door to the SQL files: text by name, read once."""

from functools import cache
from importlib.resources import files

_ROOM = files("judgebench.store")


@cache
def query(name: str) -> str:
    """Text of ``queries/<name>.sql``: reads, changes nothing."""
    return _ROOM.joinpath("queries", f"{name}.sql").read_text("utf-8")


@cache
def statement(name: str) -> str:
    """Text of ``statements/<name>.sql``: writes."""
    return _ROOM.joinpath("statements", f"{name}.sql").read_text("utf-8")


def schema() -> str:
    """Text of ``schema.sql``: all that a new file holds."""
    return _ROOM.joinpath("schema.sql").read_text("utf-8")


def migrations() -> dict[str, str]:
    """Migrations by name, in the order in which they are applied."""
    found = sorted(
        (entry for entry in _ROOM.joinpath("migrations").iterdir() if entry.name.endswith(".sql")),
        key=lambda entry: entry.name,
    )
    return {entry.name.removesuffix(".sql"): entry.read_text("utf-8") for entry in found}
