"""An open database file: questions to it, and statements that write.

What the questions and statements are about is `Store`'s. Bulk data goes in and comes
out as columns, never row by row through Python.
"""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import islice
from pathlib import Path
from typing import Any, Self, TypeVar

import duckdb
from numpy.typing import NDArray

from judgebench.errors import JudgebenchError, StoreError
from judgebench.store import batches, opening, sql
from judgebench.store.batches import Row
from judgebench.store.room import Room

T = TypeVar("T")

_BATCH = 2_000
CHUNK = 2_000


class Database:
    """An open database file; a context manager that closes it."""

    def __init__(
        self, path: Path, connection: duckdb.DuckDBPyConnection, *, notes: tuple[str, ...] = ()
    ) -> None:
        self.path = path
        self.notes = notes
        """What the user must be told about the file, such as a damaged journal."""
        self._con = connection
        self.room = Room()
        """The memory that DuckDB may take."""
        self._together = False

    @classmethod
    def open(
        cls, path: Path, *, create: bool = True, read_only: bool = False, wait_s: float = 0.0
    ) -> Self:
        """Open a database file, bringing an older one up to date.

        Args:
            path: The file.
            create: Make it where there is none.
            read_only: Only read, beside other readers; an older file is still migrated.
            wait_s: Seconds to wait for another process to let go of the file.

        Raises:
            StoreError: Held by another process, foreign, newer, damaged, or not there.
        """
        con, notes = opening.open_file(path, create=create, read_only=read_only, wait_s=wait_s)
        store = cls(path, con, notes=notes)
        if not read_only and opening.journal_of(path).exists():
            with opening.guarded(path):
                store.room.measure(con)
        return store

    @classmethod
    @contextmanager
    def for_work(cls, path: Path, *, wait_s: float = 0.0) -> Iterator[Self]:
        """Open a file to write in; one that is made here is gone again after a refusal.

        A refusal is a `JudgebenchError` before anything was asked or marked.

        Args:
            path: The file.
            wait_s: Seconds to wait for another process to let go of the file.
        """
        made = [one for one in (path, path.parent) if not one.exists()]
        with cls.open(path, wait_s=wait_s) as store:
            try:
                yield store
            except JudgebenchError:
                if path in made and not store.rows("has_work")[0][0]:
                    # While it is held: another start that waits for it makes its own.
                    opening.take_away(path)
                raise
            finally:
                store.close()
                if path.parent in made and not path.exists():
                    opening.take_away(path.parent)

    @classmethod
    @contextmanager
    def copied(cls, path: Path, *, wait_s: float = 0.0) -> Iterator[Self]:
        """Work on a copy that is thrown away: nothing that stays is written.

        Args:
            path: The file; where there is none, the copy is an empty one.
            wait_s: Seconds to wait for another process to let go of the file.
        """
        with tempfile.TemporaryDirectory(prefix="judge-copy-") as folder:
            copy = Path(folder) / path.name
            if path.exists():
                opening.copy_file(path, copy, wait_s=wait_s)
            with cls.open(copy) as store:
                yield store

    def __enter__(self) -> Self:
        """Use the open store."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Close the file; what was committed stays, whatever happens here."""
        try:
            with opening.interruptible():
                self._con.close()
        except duckdb.Error:
            # A full disk may refuse the last checkpoint; the journal holds it all.
            return

    def pack(self) -> None:
        """Move what was written into the file proper, and hold none of it in memory."""
        try:
            with opening.interruptible():
                self._con.execute(sql.statement("pack"))
                self.room.little(self._con)
        except duckdb.Error:
            # As in `close`: the journal holds it all.
            return

    def spare(self) -> None:
        """Take little memory from here on; a question that needs more is asked again."""
        with opening.guarded(self.path):
            self.room.little(self._con)

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """A connection of its own, for one other thread."""
        with opening.guarded(self.path):
            return opening.quiet(self._con.cursor())

    @contextmanager
    def together(self) -> Iterator[None]:
        """All that is written inside is one commit, or nothing."""
        with opening.transaction(self._con, self.path):
            self._together = True
            try:
                yield
            finally:
                self._together = False

    def beside(self) -> Self:
        """The open file once more, with a connection of its own for one other thread."""
        other = type(self)(self.path, self.cursor())
        other.room = self.room
        return other

    # questions

    def columns(self, query: str, **params: object) -> dict[str, NDArray[Any]]:
        """Answer of ``queries/<query>.sql`` as one array a column; NULLs are masked."""
        return self._ask(query, params, duckdb.DuckDBPyConnection.fetchnumpy)

    def rows(self, query: str, **params: object) -> list[Row]:
        """Answer of ``queries/<query>.sql`` as tuples, for few rows."""
        return self._ask(query, params, duckdb.DuckDBPyConnection.fetchall)

    def stream(self, query: str, **params: object) -> Iterator[Row]:
        """Answer of ``queries/<query>.sql`` as tuples, few at a time; writes may go on."""
        given = 0
        chunks: Iterator[list[Row]] = self._chunks(query, params)
        while True:
            with opening.guarded(self.path):
                try:
                    chunk = next(chunks, [])
                except duckdb.OutOfMemoryException:
                    self._more()
                    chunks = islice(self._chunks(query, params), given, None)
                    continue
            if not chunk:
                return
            given += 1
            yield from chunk

    def _chunks(self, query: str, params: Mapping[str, object]) -> Iterator[list[Row]]:
        cursor = self.cursor()
        try:
            cursor.execute(sql.query(query), params or None)
            while chunk := cursor.fetchmany(CHUNK):
                yield chunk
        finally:
            cursor.close()

    def records(self, query: str, **params: object) -> list[dict[str, Any]]:
        """Answer of ``queries/<query>.sql`` as mappings by column, for few rows."""
        return self._ask(query, params, _named)

    def _ask(
        self,
        query: str,
        params: Mapping[str, object],
        fetch: Callable[[duckdb.DuckDBPyConnection], T],
    ) -> T:
        while True:
            with opening.guarded(self.path):
                try:
                    return fetch(self._con.execute(sql.query(query), params or None))
                except duckdb.OutOfMemoryException:
                    self._more()

    def _more(self) -> None:
        """Raise the limit for a question: some texts are whole projects."""
        if not self.room.more(self._con):
            raise StoreError(f"{self.path}: {opening.NO_MEMORY}")

    # machinery

    def _transaction(self) -> AbstractContextManager[None]:
        if self._together:
            return nullcontext()
        return opening.transaction(self._con, self.path)

    def _do(self, statement: str, **params: object) -> None:
        with opening.guarded(self.path):
            self._con.execute(sql.statement(statement), params or None).fetchall()

    def _fill(self, table: str, values: Iterable[Row]) -> None:
        for batch in in_batches(values):
            self._with_batch(table, batch, f"insert_{table}")

    def _with_batch(
        self, table: str, batch: Sequence[Row], statement: str, **params: object
    ) -> None:
        made = batches.columns(table, batch)
        with opening.guarded(self.path):
            self.room.take(self._con, table, made)
            batches.execute_with(self._con, sql.statement(statement), made, **params)


def _named(answer: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    names = [column[0] for column in answer.description or ()]
    return [dict(zip(names, row, strict=True)) for row in answer.fetchall()]


def in_batches(values: Iterable[T]) -> Iterator[list[T]]:
    """The values, as many at a time as one statement takes."""
    iterator = iter(values)
    while batch := list(islice(iterator, _BATCH)):
        yield batch
