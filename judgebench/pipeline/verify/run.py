"""A stored run, recomputed from what lies lowest: files, requests, replies, marks.

Each layer is held against the one below it: hashes against files, requests against
their texts, marks against the raw replies, totals against marks, printed figures
against totals. Reads everything, writes and sends nothing.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from judgebench.errors import RubricError
from judgebench.judges import wire
from judgebench.judges.finding_reply import AnyForm, FindingForm
from judgebench.judges.prompts import said_sha256
from judgebench.judges.reply import ReplyForm
from judgebench.judges.validate import Reading, read_reply
from judgebench.model.findings import JUDGE, Checked
from judgebench.model.nouns import RawReply, Rendered
from judgebench.model.result import Result
from judgebench.model.rubric import Rubric
from judgebench.model.verified import Difference, Part, Verified
from judgebench.pipeline.figures.stored_pass import analyse, choose
from judgebench.pipeline.people.noted import reported
from judgebench.pipeline.setting.facts import read_facts
from judgebench.pipeline.setting.places import nothing_stored
from judgebench.pipeline.setting.stored_run import stored_run
from judgebench.pipeline.verify.files import compare_files
from judgebench.pipeline.verify.finds import Said, read_counted, recount, reread
from judgebench.pipeline.verify.ledger import Ledger
from judgebench.pipeline.verify.totals import ADDED_UP, compare_totals
from judgebench.pipeline.verify.turns import StoredTalk, last_hashes, read_talks
from judgebench.records import dataclass
from judgebench.rubrics.load import parse_rubric
from judgebench.rubrics.total import applying
from judgebench.runs.workspace import Workspace
from judgebench.store.passes import PassRow
from judgebench.store.store import Store
from judgebench.text import one_line, sha256_text

FINDS = "find"
"""Counts finds that were read again from replies, beside the parts."""

Printed = Callable[..., Iterator[Difference | str]]
"""Compares report files (by name) with the result that a function makes; a text is a note."""
MAX_REPORT_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, kw_only=True, slots=True)
class Ways:
    """What this room cannot do by itself."""

    printed: Printed


def verify_run(run: Path, cwd: Path, ways: Ways, *, pass_id: str | None = None) -> Verified:
    """Recompute everything that is stored of a run and compare.

    Args:
        run: The run folder as the user named it.
        cwd: Where the user stands.
        ways: How report files are compared.
        pass_id: Only this pass; None for all.

    Raises:
        RunError: There is no database.
        StoreError: Nothing is stored of this run.
    """
    ledger = Ledger()
    with stored_run(run, cwd) as (store, key, workspace):
        found = store.rows("run", run=key)
        passes = store.find_passes(key)
        if not found or not passes:
            raise nothing_stored(store.path, key)
        facts = read_facts(json.loads(found[0][2]))
        compare_files(run if run.is_absolute() else cwd / run, store, key, facts, ledger)
        chosen = passes if pass_id is None else [choose(passes, pass_id)]
        for row in chosen:
            _pass(store, row, workspace, ledger, ways)
    return Verified(
        run_name=key,
        passes=tuple(row.judging.id for row in chosen),
        checked=dict(ledger.checked),
        differences=tuple(ledger.differences),
        left_out=ledger.left_out,
        notes=tuple(dict.fromkeys(ledger.notes)),
    )


def _pass(store: Store, row: PassRow, workspace: Workspace, ledger: Ledger, ways: Ways) -> None:
    rubric = _rubric(store, row, ledger)
    if rubric is None:
        return
    if row.facts().by_people and not _as_imported(store, row):
        # Labels are kept one by one; what an answer has from them is made where it is shown.
        ledger.take(f"people's marks in pass {row.judging.id} are not compared: no totals are kept")
    elif rubric.deductions is None:
        compare_totals(store, row, rubric, ledger)
    elif not row.facts().marks_only:  # marks that were given were counted from nothing
        _finds(store, row, rubric, ledger)
    if row.judging.route not in ADDED_UP:
        _replies(store, row, rubric, ledger)
    folder = workspace.reports / row.judging.run / row.judging.id
    if folder.is_dir():
        _printed(store, row, folder, ledger, ways.printed)
    elif row.state == "complete":
        ledger.take(f"pass {row.judging.id} has no report files to compare")


def _as_imported(store: Store, row: PassRow) -> bool:
    """Whether people's marks are those of one file, of whose content the pass has a hash."""
    return bool(row.content_sha256) and not store.records("human_files", run=row.judging.run)


def _finds(store: Store, row: PassRow, rubric: Rubric, ledger: Ledger) -> None:
    """Marks, totals and tiers of projects, counted again from their stored finds."""
    for counted in read_counted(store, row.judging.id):
        ledger.checked[Part.TOTAL.value] += 1
        for one in recount(rubric, counted):
            ledger.take(one)


def _printed(store: Store, row: PassRow, folder: Path, ledger: Ledger, printed: Printed) -> None:
    judging = row.judging
    contents = {
        path.name: path.read_bytes()
        for path in sorted(folder.iterdir())
        if path.is_file() and path.stat().st_size <= MAX_REPORT_BYTES
    }

    def made(further: frozenset[str]) -> Result:
        run, extended = judging.run, "extended" in further
        if "people" in further:
            return reported(store, run, pass_id=judging.id, extended=extended)
        return analyse(store, run, pass_id=judging.id, varied=True, extended=extended)

    for one in printed(contents, made, place=f"reports/{judging.run}/{judging.id}"):
        ledger.take(one)
    ledger.checked[Part.REPORT.value] += 1


def _rubric(store: Store, row: PassRow, ledger: Ledger) -> Rubric | None:
    """The rubric of a pass, read from its text, whose hashes must be those that it is kept by."""
    judging = row.judging
    place = f"{judging.id} {one_line(judging.rubric_name, 40)}"
    kept = store.rows("rubric", ask=judging.ask_sha256, sum=row.sum_sha256)
    if not kept:
        ledger.differ(Part.RUBRIC, place, stored="nothing", found="the text that was judged by")
        return None
    try:
        rubric = parse_rubric(kept[0][1], Path(f"{judging.rubric_name}.yaml"))
    except RubricError as exc:
        ledger.differ(Part.RUBRIC, place, stored=exc, found="a rubric")
        return None
    # Several passes may have one rubric, which has two hashes.
    thing = f"{judging.ask_sha256} {row.sum_sha256}"
    for what, stored, found in (
        ("what is asked", judging.ask_sha256, rubric.ask_sha256),
        ("how it is summed", row.sum_sha256, rubric.sum_sha256),
    ):
        ledger.hold(Part.RUBRIC, f"{place}, {what}", stored=stored, found=found, thing=thing)
    return rubric


# ---- marks against replies, requests against their texts


def _replies(store: Store, row: PassRow, rubric: Rubric, ledger: Ledger) -> None:
    applies = {
        item: applying(rubric, evidence=evidence, reference=reference, ambiguity=ambiguous)
        for item, _, evidence, reference, ambiguous in store.rows(
            "verify_items", run=row.judging.run
        )
    }
    finds = store.findings_of(row.judging.id) if rubric.deductions else {}
    talks = read_talks(store, row.judging.id) if row.judging.turns is not None else {}
    reader = _Replies(row, rubric, applies, ledger, finds=finds, talks=talks)
    marks = groupby(store.stream("verify_marks", pass_id=row.judging.id), key=lambda one: one[0])
    at = next(marks, None)
    for reply in store.stream("verify_replies", pass_id=row.judging.id):
        while at is not None and at[0] < reply[0]:
            reader.unheard(list(at[1]))
            at = next(marks, None)
        if at is not None and at[0] == reply[0]:
            reader.read(reply, list(at[1]))
            at = next(marks, None)
        else:
            reader.unmarked(reply)
    while at is not None:
        reader.unheard(list(at[1]))
        at = next(marks, None)


class _Replies:
    """Reads every reply again and holds its marks against the stored ones."""

    def __init__(
        self,
        row: PassRow,
        rubric: Rubric,
        applies: Mapping[str, tuple[str, ...]],
        ledger: Ledger,
        *,
        finds: Mapping[tuple[str, str], Sequence[Checked]],
        talks: Mapping[str, StoredTalk],
    ) -> None:
        self.row, self.rubric, self.applies, self.ledger = row, rubric, applies, ledger
        self.finds, self.talks = finds, talks

    def place(self, rows: Sequence[tuple[Any, ...]]) -> str:
        _, _, arm, item, *_ = rows[0]
        return f"{self.row.judging.id} {arm} on {item}"

    def unheard(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Marks for which no reply is kept."""
        self.ledger.differ(
            Part.REPLY, self.place(rows), stored="marks", found="no reply that they were read from"
        )

    def unmarked(self, reply: tuple[Any, ...]) -> None:
        """A reply whose judgment was scored and of which no mark is kept."""
        place = f"{self.row.judging.id} request {reply[0][:12]} on {reply[1]}"
        self.ledger.differ(Part.REPLY, place, stored="no mark", found="a reply with marks")

    def read(self, reply: tuple[Any, ...], rows: Sequence[tuple[Any, ...]]) -> None:
        """Read one reply again."""
        key, item, criterion, labels, _, asked, system_sha, system, user, body = reply
        place = self.place(rows)
        form = self._form(item, criterion, tuple(labels))
        self._asked(place, asked, form, key=key, system=system, system_sha=system_sha, user=user)
        raw = RawReply(key=key, attempt=1, status=200, body=body, outcome="received")
        reading = read_reply(raw, form, wire_mode="json_schema", asked_model="")
        if self.rubric.deductions and reading.status == "ok":
            self._found(place, reading, rows)
        else:
            self._marks(place, reading, rows)

    def _form(self, item: str, criterion: str | None, labels: tuple[str, ...]) -> AnyForm:
        criteria = tuple(c for c in self.applies.get(item, ()) if criterion in {None, c})
        if self.rubric.deductions:
            return FindingForm(self.rubric, criteria, labels)
        return ReplyForm(
            rubric=self.rubric, criteria=criteria, labels=labels, mode=self.row.judging.mode
        )

    def _found(self, place: str, reading: Reading, rows: Sequence[tuple[Any, ...]]) -> None:
        """Finds, and what the judge said that it read, as the reply has them."""
        key, label, *_ = rows[0]
        said = {row[4]: Said(reading=row[6], cannot_judge=bool(row[7])) for row in rows}
        stored = self.finds.get((key, label), ())
        self.ledger.checked[FINDS] += sum(one.finding.by == JUDGE for one in stored)
        for one in reread(place, reading.reported, finds=stored, said=said):
            self.ledger.take(one)

    def _asked(
        self, place: str, asked: str, form: AnyForm, *, key: str, system: str | None,
        system_sha: str, user: str,
    ) -> None:  # fmt: skip
        if system is None:
            self.ledger.differ(Part.PROMPT, place, stored="nothing", found="the system prompt")
            return
        found = sha256_text(system)
        self.ledger.hold(Part.PROMPT, place, stored=system_sha, found=found, thing=system_sha)
        talk = self.talks.get(key)
        user = talk.first_text if talk else user
        plain = said_sha256(found, user, form.schema_sha256)
        rendered = Rendered(key=key, system=system, user=user, request_sha256=plain)
        hashes = [wire.request_sha256(rendered, form, one) for one in _WAYS]
        if self.row.judging.turns is not None:
            whole = talk or StoredTalk(first_text=user, steps=())
            hashes += last_hashes(whole, hashes, form.name)
        self.ledger.hold(
            Part.REQUEST, place, stored=asked, found=asked if asked in hashes else plain
        )

    def _marks(self, place: str, reading: Reading, rows: Sequence[tuple[Any, ...]]) -> None:
        if reading.status != "ok":
            said = one_line(reading.message, 100) or "no judgment"
            self.ledger.differ(Part.REPLY, place, stored="marks", found=said)
            return
        read = {
            (label, mark.criterion): mark
            for label, marks in reading.marks.items()
            for mark in marks
        }
        for _, label, arm, item, criterion, mark, rationale, reason, *_ in rows:
            found = read.pop((label, criterion), None)
            where = f"{self.row.judging.id} {arm} on {item}, {criterion}"
            blocked = found.blocked.value if found and found.blocked else None
            self.ledger.hold(
                Part.REPLY, where, stored=_said(mark, reason),
                found=_said(found.mark if found else None, blocked),
            )  # fmt: skip
            if found is not None and found.rationale != rationale:
                self.ledger.differ(
                    Part.REPLY, f"{where}, rationale", stored=rationale, found=found.rationale
                )
        for _, criterion in read:
            self.ledger.differ(
                Part.REPLY, f"{place}, {criterion}", stored="no mark", found="a mark in the reply"
            )


def _said(mark: float | None, reason: str | None) -> str:
    return reason or ("nothing" if mark is None else f"{mark:.12g}")


_WAYS = (
    wire.Settled(mode="json_schema"),
    *(
        wire.Settled(mode=mode, schema=schema)
        for mode in ("json", "md_json")
        for schema in ("full", "plain")
    ),
)
"""How a request may have been sent: where a mode cannot carry the schema, it is in the words."""
