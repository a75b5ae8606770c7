"""The database of all judgments: open it, put nouns in, ask named questions.

One process writes at a time, and inside it one thread uses a `Store`; the
`Writer` has a connection of its own. Bulk data goes in and comes out as
columns, never row by row through Python.
"""

from collections.abc import Collection, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import asdict

from judgebench.model.controls import Control
from judgebench.model.drifting import CHECK_REPEATS
from judgebench.model.nouns import Request
from judgebench.model.reasons import Reason
from judgebench.model.rubric import Rubric
from judgebench.store import (
    batches,
    contrasts,
    findings,
    judgments,
    opening,
    passes,
    rows,
    sql,
    turns,
)
from judgebench.store.contrasts import ContrastPass
from judgebench.store.database import CHUNK, in_batches
from judgebench.store.findings import NewMark, NewStanding
from judgebench.store.judgments import Doubt, StoredReply, TotalRow
from judgebench.store.labels import LabelStore
from judgebench.store.marks import MarkBatch
from judgebench.store.passes import PassRow
from judgebench.store.rows import PlanChange
from judgebench.store.runs import RunStore
from judgebench.store.turns import EarlierReply, TurnRow


class Store(RunStore, LabelStore):
    """An open database file, in the nouns that it keeps."""

    # passes

    def find_passes(self, run: str | None) -> list[PassRow]:
        """Every pass on a run (None: in the file), in order, the unfinished and unused too."""
        return self._passes(run, bridges=False)

    def find_bridges(self, run: str) -> list[PassRow]:
        """Passes that hold the anchors of a bridge, which are no judgings of a run."""
        return self._passes(run, bridges=True)

    def _passes(self, run: str | None, *, bridges: bool) -> list[PassRow]:
        found = self.records(
            "passes", run=run, bridges=bridges, checks=CHECK_REPEATS, again=_again(())
        )
        return [passes.pass_of(values) for values in found]

    def put_pass(self, row: PassRow) -> None:
        """Keep a pass; for a known one only names, repeats and sums are written again."""
        self._do("put_pass", **passes.pass_values(row))

    def set_settled(self, pass_id: str, settled: str) -> None:
        """Keep mode and parameters that the endpoint took (canonical JSON)."""
        self._do("set_settled", pass_id=pass_id, settled=settled)

    def add_price_source(self, pass_id: str, price_source: str) -> None:
        """Note where the price of the calls to come is from, beside earlier sources."""
        self._do("set_price_source", pass_id=pass_id, price_source=price_source)

    def finish_pass(self, pass_id: str, *, finished_at: str, content_sha256: str) -> None:
        """Note that the plan is complete for this content of the run."""
        self._do(
            "finish_pass", pass_id=pass_id, finished_at=finished_at, content_sha256=content_sha256
        )

    def set_plan(
        self, pass_id: str, requests: Iterable[Request], *, retry: Collection[Reason] = ()
    ) -> PlanChange:
        """Take a plan whole: new requests are added, those that it lacks are superseded.

        Args:
            pass_id: The pass; all requests are of it.
            requests: The whole plan, read once and never held.
            retry: Reasons of blocked judgments that count as open.

        Returns:
            What has changed. Judgments of superseded requests are kept and left out.
        """
        with self._transaction():
            self._do("new_requests")
            self._do("new_parts")
            for batch in in_batches(requests):
                self._fill("new_requests", map(rows.request_row, batch))
                self._fill("new_parts", (part for one in batch for part in rows.part_rows(one)))
            new, kept, superseded, lost = self.rows("plan_change", pass_id=pass_id)[0]
            self._do("take_parts", pass_id=pass_id)
            for name in ("retire_requests", "revise_requests", "take_requests"):
                self._do(name, pass_id=pass_id)
            if kept or superseded:
                self._do("follow_judgments", pass_id=pass_id)
                self._do("follow_mark_rows", pass_id=pass_id)
            self._do("drop_new_plan")
            planned, answered = self.progress(pass_id, retry=retry)
            if answered < planned:
                self._do("reopen_pass", pass_id=pass_id)
        return PlanChange(
            new=new,
            kept=kept,
            superseded=superseded,
            superseded_answered=lost,
            answered=answered,
            open=planned - answered,
        )

    def put_controls(self, pass_id: str, controls: Iterable[Control]) -> None:
        """Keep planted outputs with their texts, inside the transaction of their plan."""
        self._fill("controls", (rows.control_row(pass_id, one) for one in controls))

    def progress(self, pass_id: str, *, retry: Collection[Reason] = ()) -> tuple[int, int]:
        """Requests in the plan, and those of them with a final judgment.

        Those of a `judge drift` count while they are open.
        """
        ((planned, answered),) = self.rows(
            "progress", pass_id=pass_id, again=_again(retry), checks=CHECK_REPEATS
        )
        return planned, answered

    def iter_open(self, pass_id: str, *, retry: Collection[Reason] = ()) -> Iterator[Request]:
        """Requests without a final judgment in the order of the queue, some at a time.

        A judgment that was blocked because no answer came counts as open; `retry`
        adds reasons. Judgments may be written while this is read.
        """
        position, key = -1, ""
        while True:
            chunk = self.rows(
                "open_requests",
                pass_id=pass_id,
                again=_again(retry),
                position=position,
                key=key,
                n=CHUNK,
            )
            for values in chunk:
                yield rows.request_of(pass_id, values)
            if len(chunk) < CHUNK:
                return
            key, position = chunk[-1][0], chunk[-1][1]

    def unread_replies(self, pass_id: str, *, retry: Collection[Reason] = ()) -> list[StoredReply]:
        """Replies that a kill left unread: to be read, never asked for again."""
        found = self.rows("unread_replies", pass_id=pass_id, again=_again(retry))
        return [judgments.stored_reply_of(values) for values in found]

    def earlier_replies(self, key: str) -> list[EarlierReply]:
        """Good replies to one request, of whichever start."""
        return [turns.earlier_of(key, values) for values in self.rows("stored_replies", key=key)]

    def turns(
        self, pass_id: str, *, arm: str | None = None, item: str | None = None
    ) -> list[TurnRow]:
        """What judges asked of tools in a pass, or in the requests of one output."""
        found = self.rows("turns", pass_id=pass_id, arm=arm, item=item)
        return [turns.turn_of(values) for values in found]

    def in_doubt(self, pass_id: str) -> list[Doubt]:
        """Calls that were meant to go out and of which nothing more is known."""
        return [
            Doubt(key=key, attempt=attempt, sent_at=sent_at)
            for key, attempt, sent_at in self.rows("in_doubt", pass_id=pass_id)
        ]

    def last_attempts(self, pass_id: str, *, retry: Collection[Reason] = ()) -> dict[str, int]:
        """How often open requests were sent already: the next attempt is one more."""
        return dict(self.rows("last_attempts", pass_id=pass_id, again=_again(retry)))

    def replace_totals(self, pass_id: str, totals: Iterable[TotalRow], *, rubric: Rubric) -> None:
        """Write totals made anew under changed sums; costs no request."""
        with self._transaction():
            for batch in in_batches(totals):
                self._with_batch(
                    "totals", list(map(judgments.total_row, batch)), "set_totals", pass_id=pass_id
                )
            self._do(
                "set_sum",
                pass_id=pass_id,
                sum_sha256=rubric.sum_sha256,
                rubric_name=rubric.name,
                rubric_version=rubric.version,
            )

    def recount(self, pass_id: str, marks: Iterable[NewMark]) -> None:
        """Write marks that were counted anew from stored findings."""
        with self._transaction():
            for batch in in_batches(marks):
                self._with_batch(
                    "new_marks",
                    list(map(findings.new_row, batch)),
                    "set_marks",
                    pass_id=pass_id,
                )

    def restand(self, pass_id: str, changed: Iterable[NewStanding]) -> None:
        """Write what the checks of stored findings came to when they were made again."""
        with self._transaction():
            for batch in in_batches(changed):
                made = list(map(findings.new_row, batch))
                self._with_batch("new_standings", made, "set_standings", pass_id=pass_id)

    def take_marks(self, batch: MarkBatch, *, judged_at: float) -> None:
        """Write marks that were given elsewhere, with a judgment for each judging of an output.

        Args:
            batch: Marks as columns of codes.
            judged_at: Seconds since 1970.
        """
        names = batch.names()
        with self._transaction():
            # Marks of a file are all taken or none, and there may be a million of them.
            self.room.at_least(self._con)
            for chunk in batch.chunks():
                with opening.guarded(self.path):
                    batches.execute_with(self._con, sql.statement("take_marks"), chunk, **names)
            self._do(
                "take_mark_judgments",
                passes=names["passes"],
                criteria=len(batch.criteria),
                judged_at=judged_at,
            )

    def replace_marks(self, pass_id: str, batch: MarkBatch, *, judged_at: float) -> None:
        """Write all marks of a pass anew: what people gave before and what is added now."""
        with nullcontext() if self._together else self.together():
            self._do("clear_marks", pass_id=pass_id)
            self._do("clear_mark_judgments", pass_id=pass_id)
            if len(batch.columns["mark"]):
                self.take_marks(batch, judged_at=judged_at)

    # differences in kind

    def put_contrast_pass(self, row: ContrastPass, requests: Iterable[Request]) -> None:
        """Keep a question with its plan, whole: what the plan lacks is out of it."""
        with self._transaction():
            self._do("put_contrast_pass", **asdict(row))
            self._do("retire_contrast_requests", pass_id=row.pass_id)
            self._fill("contrast_requests", map(contrasts.request_row, requests))

    def find_contrast_passes(self, run: str) -> list[ContrastPass]:
        """Every question about a run, the last started last."""
        return [ContrastPass(**one) for one in self.records("contrast_passes", run=run)]

    def set_contrast_settled(self, pass_id: str, settled: str) -> None:
        """Keep mode and parameters that the endpoint took (canonical JSON)."""
        self._do("set_contrast_settled", pass_id=pass_id, settled=settled)


def _again(retry: Collection[Reason]) -> list[str]:
    always = [reason for reason in Reason if reason.asked_again]
    return sorted({reason.value for reason in (*always, *retry)})
