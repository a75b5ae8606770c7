"""The one thread that writes while a pass runs: what is waiting becomes one commit.

A caller hands in an operation and gets a future that is done once it is on disk.
While a commit runs the next operations gather, so that a fast judge costs few
commits and a slow one waits for none. After any database error nothing further
is accepted: what is on disk is certain, and a new start goes on from there.
"""

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import field
from typing import Self

import duckdb

from judgebench.errors import StoreError
from judgebench.model.nouns import Intent, Judgment, RawReply
from judgebench.model.rubric import Total
from judgebench.model.turns import Turn
from judgebench.records import dataclass
from judgebench.store import batches, contrasts, findings, opening, sql, turns
from judgebench.store.batches import Row
from judgebench.store.contrasts import ContrastAnswer
from judgebench.store.judgments import NO_TOTAL, judgment_row, mark_rows, quote_rows, reply_row
from judgebench.store.store import Store
from judgebench.text import plural

MAX_BATCH = 1_000
# A commit costs DuckDB the same for one row as for many. While operations keep coming the
# next one is put off, for some times as long as the last one took: the waiting is short
# beside a judge's answer, and most of the work of a commit is saved.
_LINGER_S = 0.003
_LINGER_FACTOR = 4
_LINGER_MOST_S = 0.1
_PLENTY = 256

Clock = Callable[[], float]


@dataclass(frozen=True, kw_only=True, slots=True)
class Op:
    """Rows by table that are written together or not at all."""

    tables: dict[str, list[Row]]
    judgments: int = 0


@dataclass(slots=True)
class _Waiting:
    """An operation with whom to tell when it is on disk."""

    op: Op
    future: "Future[None] | asyncio.Future[None]"


@dataclass(slots=True)
class _Batch:
    """Rows of many operations by table; of one key the last one stands."""

    tables: dict[str, dict[Row, Row] | list[Row]] = field(default_factory=dict)

    def add(self, op: Op) -> None:
        """Take in one operation."""
        judged = {row[:2] for row in op.tables.get("judgments", ())}
        if judged:
            self._forget(judged)
        for table, added in op.tables.items():
            kept = self.tables.setdefault(table, {} if table in _KEYED else [])
            if isinstance(kept, dict):
                kept.update((row[:3], row) for row in added)
            else:
                kept.extend(added)

    def _forget(self, judged: set[Row]) -> None:
        """Drop marks of requests that are judged again in the same batch."""
        known = self.tables.get("judgments", {})
        if isinstance(known, list) or not any(key[:2] in judged for key in known):
            return
        self.tables["judgments"] = {k: row for k, row in known.items() if k[:2] not in judged}
        for table in _UNKEYED:
            self.tables[table] = [r for r in self.tables.get(table, ()) if r[:2] not in judged]

    def rows_of(self, table: str) -> list[Row]:
        """Rows of one table."""
        kept = self.tables.get(table, ())
        return list(kept.values()) if isinstance(kept, dict) else list(kept)


# The first three columns are the key of these; the others belong to a judgment.
_KEYED = ("sends", "replies", "turns", "judgments", "contrast_answers")
_UNKEYED = ("mark_rows", "quote_rows", "finding_rows")


class Writer:
    """Writes intentions, replies and judgments behind the caller's back, in order.

    Args:
        store: The open store; the writer uses a connection of its own.
        clock: Seconds since 1970, for the times that are stored.
    """

    def __init__(self, store: Store, *, clock: Clock = time.time) -> None:
        self._path = store.path
        self._con = store.cursor()
        self._room = store.room
        self._clock = clock
        self._queue: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._closed = False
        self._error: StoreError | None = None
        self.stored = 0
        """Judgments that this writer has put on disk."""
        self.commits = 0
        self._patience_s = 0.0
        self._thread = threading.Thread(target=self._work, name="store-writer", daemon=True)
        self._thread.start()

    @property
    def error(self) -> StoreError | None:
        """Why nothing further is accepted; None while all is well."""
        return self._error

    def __enter__(self) -> Self:
        """Use the running writer."""
        return self

    def __exit__(self, *_: object) -> None:
        """Write what is waiting, then stop."""
        self.close()

    def close(self) -> None:
        """Write what is waiting, then stop; a second call does nothing."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    # operations

    @staticmethod
    def intend_op(pass_id: str, call: Intent) -> Op:
        """A call is about to go out; it is sent once this is on disk."""
        row = (
            pass_id,
            call.key,
            call.attempt,
            call.sent_at,
            call.request_sha256,
            call.system_sha256,
            call.user_text,
        )
        return Op(tables={"sends": [row]})

    def reply_op(self, pass_id: str, raw: RawReply) -> Op:
        """What came back for a call; it is read once this is on disk."""
        return Op(tables={"replies": [reply_row(pass_id, raw, self._clock())]})

    @staticmethod
    def turn_op(pass_id: str, key: str, turn: Turn) -> Op:
        """What a reply asked of tools, and got."""
        return Op(tables={"turns": [turns.turn_row(pass_id, key, turn)]})

    def judged_op(
        self,
        pass_id: str,
        judgments: Sequence[Judgment],
        *,
        totals: Sequence[Total | None] = (),
        cost_usd: float | None = None,
        criterion: str | None = None,
    ) -> Op:
        """All judgments of one request, with marks and quotes, in one transaction.

        Args:
            pass_id: The pass.
            judgments: One for each output of the request, all under the same key.
            totals: One for each judgment, in their order; None where there is none.
            cost_usd: Of the whole request.
            criterion: The one criterion asked for, with --split-criteria.
        """
        now = self._clock()
        sums = totals or [None] * len(judgments)
        made: dict[str, list[Row]] = {"judgments": [], **{name: [] for name in _UNKEYED}}
        for judgment, total in zip(judgments, sums, strict=True):
            made["judgments"].append(
                judgment_row(
                    pass_id,
                    judgment,
                    total or NO_TOTAL,
                    criterion=criterion,
                    cost_usd=cost_usd,
                    judged_at=now,
                )
            )
            made["mark_rows"].extend(mark_rows(pass_id, judgment))
            made["quote_rows"].extend(quote_rows(pass_id, judgment))
            made["finding_rows"].extend(findings.finding_rows(pass_id, judgment))
        return Op(tables=made, judgments=len(judgments))

    def contrasted_op(self, pass_id: str, answer: ContrastAnswer) -> Op:
        """The answer to one question in what outputs differ in kind."""
        row = contrasts.answer_row(pass_id, answer, judged_at=self._clock())
        return Op(tables={"contrast_answers": [row]}, judgments=1)

    def put(self, op: Op) -> "Future[None]":
        """Hand in an operation; the future is done once it is on disk."""
        future: Future[None] = Future()
        refused = self._accept(_Waiting(op, future))
        if refused:
            future.set_exception(refused)
        return future

    def put_soon(self, op: Op) -> "asyncio.Future[None]":
        """Hand in an operation from an event loop; the future is done once it is on disk.

        The loop is woken once a commit, not once an operation.
        """
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        refused = self._accept(_Waiting(op, future))
        if refused:
            _fail(future, refused)
        return future

    def _accept(self, waiting: _Waiting) -> StoreError | None:
        with self._lock:
            if self._closed or self._error:
                return self._error or StoreError(f"{self._path}: the writer is closed")
            self._queue.put(waiting)
            return None

    # the thread

    def _work(self) -> None:
        while (batch := self._gather()) is not None:
            if self._error is None:
                began = time.monotonic()
                self._error = self._write(batch)
                took = time.monotonic() - began
                self._patience_s = min(_LINGER_FACTOR * took, _LINGER_MOST_S)
            _tell(batch, self._error)
        try:
            self._con.close()
        except duckdb.Error:
            # A dead connection cannot be closed; what it committed is on disk.
            return

    def _gather(self) -> list[_Waiting] | None:
        """Everything that waits, at least one; None once the end is reached."""
        first = self._queue.get()
        if first is None:
            return None
        batch = [first]
        until = time.monotonic() + self._patience_s
        more = self._take(batch)
        while more and len(batch) < _PLENTY:
            before = len(batch)
            time.sleep(_LINGER_S)
            more = self._take(batch)
            if len(batch) == before or time.monotonic() >= until:
                break
        return batch

    def _take(self, batch: list[_Waiting]) -> bool:
        """Take what waits already; False once the end is reached."""
        while len(batch) < MAX_BATCH:
            try:
                more = self._queue.get_nowait()
            except queue.Empty:
                return True
            if more is None:
                self._queue.put(None)
                return False
            batch.append(more)
        return True

    def _write(self, waiting: Iterable[_Waiting]) -> StoreError | None:
        batch = _Batch()
        judged = 0
        for one in waiting:
            batch.add(one.op)
            judged += one.op.judgments
        try:
            try:
                self._commit(batch, clear=False)
            except duckdb.ConstraintException:
                # Something is written again: the rare case pays for the common one.
                self._commit(batch, clear=True)
        except duckdb.Error as exc:
            return self._failed(exc)
        except StoreError as exc:
            return self._failed(exc)
        self.stored += judged
        self.commits += 1
        return None

    def _commit(self, batch: _Batch, *, clear: bool) -> None:
        with opening.transaction(self._con, self._path):
            if clear:
                self._clear(batch)
            for table in (*_KEYED, *_UNKEYED):
                self._run(f"insert_{table}", table, batch.rows_of(table))

    def _clear(self, batch: _Batch) -> None:
        for table in ("sends", "replies", "turns"):
            self._run(f"clear_{table}", table, batch.rows_of(table))
        judged = batch.rows_of("judgments")
        cleared = (f"clear_{table}" for table in (*_UNKEYED, "judgments"))
        for name in ("archive_judgments", *cleared):
            self._run(name, "judgments", judged)

    def _run(self, statement: str, table: str, values: Sequence[Row]) -> None:
        if not values:
            return
        batch = batches.columns(table, values)
        if statement.startswith("insert_"):
            self._room.take(self._con, table, batch)
        batches.execute_with(self._con, sql.statement(statement), batch)

    def _failed(self, exc: duckdb.Error | StoreError) -> StoreError:
        why = exc if isinstance(exc, StoreError) else opening.explain(self._path, exc)
        return StoreError(f"{why} (of this start {plural(self.stored, 'judgment')} stored)")


def _tell(batch: Sequence[_Waiting], error: StoreError | None) -> None:
    loops: dict[asyncio.AbstractEventLoop, list[asyncio.Future[None]]] = {}
    for one in batch:
        if isinstance(one.future, asyncio.Future):
            loops.setdefault(one.future.get_loop(), []).append(one.future)
        elif error:
            one.future.set_exception(error)
        else:
            one.future.set_result(None)
    for loop, futures in loops.items():
        if not loop.is_closed():
            loop.call_soon_threadsafe(_tell_loop, futures, error)


def _tell_loop(futures: Sequence["asyncio.Future[None]"], error: StoreError | None) -> None:
    for future in futures:
        if future.done():
            continue
        if error:
            _fail(future, error)
        else:
            future.set_result(None)


def _fail(future: "asyncio.Future[None]", error: StoreError) -> None:
    future.set_exception(error)
    # A worker that ends first never looks; the error is kept and told by `error`.
    future.exception()
