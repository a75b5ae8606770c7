"""How much memory DuckDB may take: little, and more where rows or long texts need it.

A checkpoint packs the last rows of a table again, and holds the texts of 2,048 of them
at once; the keys of all rows are held from one checkpoint to the next. One that finds no
room for them ends the whole database, so the limit rises before such rows go in. It is a
limit, not a reservation: but what is there DuckDB takes, for blocks that it may read again.
"""

import threading
from collections import deque
from dataclasses import dataclass, field

import duckdb

from judgebench.store import sql
from judgebench.store.batches import Columns

USUAL = 64_000_000
"""Bytes that DuckDB may take as long as nothing needs more."""
LITTLE = 32_000_000
"""Bytes that do while calls run beside it, and while few answers are read."""
# Where texts are short: rows of two commits, a checkpoint, the next requests.
_SHORT = 28_000_000
# A key was seen to take 92 bytes.
_A_KEY = 96
_CHECKPOINT = 8_000_000
# Rows that DuckDB packs and unpacks together, and the bytes of them that the usual limit holds.
_TOGETHER = 2_048
_EASY = 8_000_000
_LONG_TEXTS = 40_000_000
# A checkpoint was seen to need 1.2 times the texts; the rows of two commits wait beside it.
_NEED = 1.5
# Each checkpoint packs all of these texts: the more there are, the fewer it may be.
_A_CHECKPOINT = 4
_CHECKPOINT_MOST = 256_000_000
# Beyond what is needed, so that not every commit has to ask.
_AT_ONCE = 2_000_000
_STEPS = (USUAL, 256_000_000, 1_000_000_000, 4_000_000_000, 16_000_000_000)
LONG = (
    "sends",
    "replies",
    "turns",
    "judgments",
    "mark_rows",
    "quote_rows",
    "finding_rows",
    "controls",
    "contrast_answers",
)
"""Tables with texts that a judge was sent or gave."""
KEYED = ("sends", "replies", "turns", "judgments", "contrast_answers")
"""Those of them with a key."""
PLANNED = ("new_outputs", "new_requests")
"""What goes into tables with a key all at once."""


@dataclass(slots=True)
class _Window:
    """Bytes of the last rows of a table, which a checkpoint will hold together."""

    parts: deque[tuple[int, int]] = field(default_factory=deque)
    rows: int = 0
    size: int = 0

    def add(self, rows: int, size: int) -> None:
        """Take in rows; those that can no longer stand beside the newest are let go."""
        self.parts.append((rows, size))
        self.rows += rows
        self.size += size
        while self.rows - self.parts[0][0] >= _TOGETHER:
            gone, bytes_gone = self.parts.popleft()
            self.rows -= gone
            self.size -= bytes_gone


class Room:
    """The limit of one open database; any thread may ask for more, by its own connection."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._windows: dict[str, _Window] = {}
        self._keys: int | None = None
        self._planned = dict.fromkeys(PLANNED, 0)
        self._limit = USUAL
        self._checkpoint = _CHECKPOINT

    def take(self, con: duckdb.DuckDBPyConnection, table: str, batch: Columns) -> None:
        """Make room for rows that are about to go in."""
        if table in PLANNED:
            with self._lock:
                self._planned[table] += len(next(iter(batch.values())))
                self._fit(con, 0, self._planned[table])
        if table not in LONG:
            return
        texts = [values for values in batch.values() if values.dtype == object]
        with self._lock:
            window = self._window(con, table)
            rows = len(texts[0])
            window.add(rows, sum(_bytes(text) for values in texts for text in values))
            self._fit(con, window.size, self._count(con, rows if table in KEYED else 0))

    def measure(self, con: duckdb.DuckDBPyConnection) -> None:
        """Make room for all that is stored, where a journal waits for its checkpoint."""
        with self._lock:
            keys = self._count(con, 0)
            for table in LONG:
                self._fit(con, self._window(con, table).size, keys)

    def at_least(self, con: duckdb.DuckDBPyConnection, limit: int = _STEPS[1]) -> None:
        """Raise the limit to so many bytes, unless it is there already."""
        with self._lock:
            if limit > self._limit:
                self._set(con, limit)

    def more(self, con: duckdb.DuckDBPyConnection) -> bool:
        """Raise the limit by a step; False where there is none left."""
        with self._lock:
            above = next((step for step in _STEPS if step > self._limit), None)
            if above is not None:
                self._set(con, above)
            return above is not None

    def little(self, con: duckdb.DuckDBPyConnection) -> None:
        """Let go of what was packed, and begin again with little."""
        with self._lock:
            con.execute(sql.statement("let_go"))
            self._planned = dict.fromkeys(PLANNED, 0)
            self._checkpoint = _CHECKPOINT
            self._set(con, LITTLE)

    def _window(self, con: duckdb.DuckDBPyConnection, table: str) -> _Window:
        if table not in self._windows:
            self._windows[table] = window = _Window()
            found = con.execute(sql.query("text_sizes"), {"table": table, "n": _TOGETHER})
            ((rows, size),) = found.fetchall()
            window.add(rows, size)
        return self._windows[table]

    def _count(self, con: duckdb.DuckDBPyConnection, more: int) -> int:
        """Keys that are stored, with those of rows that are about to go in."""
        if self._keys is None:
            found = con.execute(sql.query("keys_stored"), {"tables": list(KEYED)})
            ((self._keys,),) = found.fetchall()
        self._keys += more
        return self._keys

    def _fit(self, con: duckdb.DuckDBPyConnection, size: int, keys: int) -> None:
        need = needed(size, keys)
        if need <= self._limit:
            return
        wanted = min(size // _A_CHECKPOINT, _CHECKPOINT_MOST)
        self._checkpoint = max(self._checkpoint, wanted)
        self._set(con, need + _AT_ONCE)

    def _set(self, con: duckdb.DuckDBPyConnection, limit: int) -> None:
        con.execute(sql.statement("set_limit"), {"value": f"{limit}B"})
        con.execute(sql.statement("set_checkpoint"), {"value": f"{self._checkpoint}B"})
        self._limit = limit


def needed(size: int, keys: int) -> int:
    """Bytes that DuckDB must be allowed to take while rows go in.

    Args:
        size: Bytes of the texts that a checkpoint holds together.
        keys: Rows of all tables that are looked up by a key.
    """
    texts = _SHORT if size <= _EASY else _LONG_TEXTS + int(_NEED * size)
    return texts + keys * _A_KEY


def _bytes(text: str | None) -> int:
    """Bytes of a text as UTF-8, at most, for nearly all texts."""
    if text is None:
        return 0
    return len(text) if text.isascii() else 3 * len(text)
