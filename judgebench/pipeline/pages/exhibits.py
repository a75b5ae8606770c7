"""What a page shows beside the figures, from the store alone: cells, marks, answers.

Answers with their replies are read some at a time, so that a page of a run of any
size is made in little memory.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from pathlib import Path
from typing import Any

import numpy as np

from judgebench.judges.frames import framed
from judgebench.model.exhibits import CellFact, Exhibit, ExhibitMark, Exhibits, Judging, MarkCount
from judgebench.model.nouns import Mode, Pass
from judgebench.model.rubric import Rubric
from judgebench.pipeline.audits.fault_places import with_faults
from judgebench.pipeline.figures.compared import Compared
from judgebench.pipeline.figures.gather import lacking, read_marks
from judgebench.pipeline.figures.marked import Marks, panel_of
from judgebench.pipeline.figures.stored_marks import marks_of
from judgebench.pipeline.figures.stored_pass import choose
from judgebench.pipeline.pages.numbered import numbers, shown_first
from judgebench.pipeline.setting.choices import Reading
from judgebench.pipeline.setting.reading import reading_of
from judgebench.pipeline.setting.stored_run import LOCK_WAIT_S
from judgebench.records import dataclass
from judgebench.rubrics.load import parse_rubric
from judgebench.store.batches import Row
from judgebench.store.passes import PassRow
from judgebench.store.store import Store

MOST_ITEMS = 200
"""Items whose cells are given; a page with more has nothing that an eye could find."""
MOST_NAMED = 2_500
_CHUNK = 100
_BARE_CHUNK = 500
"""Answers of imported marks that are read together: there are no texts to be held."""
ELSEWHERE = "answer, as it was sent to this judge"
"""Source of a quote whose place is in a text that is not the one shown."""

Record = dict[str, Any]
ByCell = tuple[dict[tuple[str, str], list[Record]], ...]


@contextmanager
def open_exhibits(
    database: Path,
    run_key: str,
    *,
    passes: Sequence[str],
    first: Sequence[tuple[str, str]] = (),
) -> Iterator[Exhibits]:
    """What the store knows of the passes of a page beside its figures, as long as it is open.

    Args:
        database: The workspace's database.
        run_key: Name of the run in it.
        passes: The pass that the result is of; several are a panel.
        first: Arm and item of answers that stand before all others in a panel.

    Raises:
        StoreError: There is no such pass, or another process holds the file.
    """
    with Store.open(database, create=False, read_only=True, wait_s=LOCK_WAIT_S) as store:
        # The page is often made by a process that has just sent and analysed.
        store.spare()
        known = store.find_passes(run_key)
        rows = [choose(known, one) for one in passes]
        if len(rows) == 1:
            yield exhibits(store, rows[0], reading_of(rows[0]))
        else:
            yield panel_exhibits(store, rows, first=first)


@dataclass(frozen=True, kw_only=True, slots=True)
class Ahead:
    """What of a page takes longest to read of imported marks."""

    listed: list[Row] = field(repr=False)
    """Answers in their order."""
    first: ByCell = field(repr=False)
    """Marks and judgments of the first of them."""


def read_ahead(store: Store, row: PassRow) -> Ahead:
    """Read it beside all else; of imported marks alone, as there are no texts to be held."""
    with store.beside() as own:
        listed = _listed(own, row)
        first = _order(listed)[:_BARE_CHUNK]
        return Ahead(listed=listed, first=_by_cell(own, row.judging.id, first))


def exhibits(
    store: Store,
    row: PassRow,
    reading: Reading,
    *,
    marks: Marks | None = None,
    ahead: Ahead | None = None,
) -> Exhibits:
    """Cells, counts of marks and judged answers of one pass.

    Args:
        store: The open store.
        row: The pass.
        reading: How its judgments are read.
        marks: Its marks, where they have been read already.
        ahead: What `read_ahead` returned, where that has been asked.
    """
    run, pass_id = row.judging.run, row.judging.id
    ((_, source),) = store.rows("rubric", ask=row.judging.ask_sha256, sum=row.sum_sha256)
    rubric = parse_rubric(source, Path(f"{row.judging.rubric_name}.yaml"))
    arms = [arm for (arm,) in store.rows("arms", run=run)]
    marks = marks or read_marks(
        store, judging=row.judging, rubric=rubric, arms=len(arms), reading=reading
    )
    found = ahead.listed if ahead else _listed(store, row)
    order = _order(found)
    return Exhibits(
        items=marks.marks.shape[1],
        cells=tuple(_cells(store, [row], marks, arms, lacking(row.judging, rubric, reading))),
        marks=tuple(_mark_counts(marks, rubric, row.judging.judge_name)),
        judged=found[0][2] if found else 0,
        order=order,
        answers=_answers(
            store,
            pass_id,
            order,
            chunk=_chunk(row.judging, len(arms)),
            audits=rubric.deductions is not None,
            first=ahead.first if ahead else None,
        ),
    )


def _listed(store: Store, row: PassRow) -> list[Row]:
    judging = row.judging
    return store.rows("exhibit_order", pass_id=judging.id, seed=judging.seed, n=MOST_NAMED)


def _order(listed: Sequence[Row]) -> tuple[tuple[str, str], ...]:
    return tuple((arm, item) for arm, item, _ in listed)


def panel_exhibits(
    store: Store, rows: Sequence[PassRow], *, first: Sequence[tuple[str, str]] = ()
) -> Exhibits:
    """The same of a panel: its own cells, and of each answer what every judge said.

    Args:
        store: The open store.
        rows: The passes of its judges, the first one names sums and reading.
        first: Arm and item of answers that stand before all others.
    """
    base = rows[0]
    run = base.judging.run
    ((_, source),) = store.rows("rubric", ask=base.judging.ask_sha256, sum=base.sum_sha256)
    rubric = parse_rubric(source, Path(f"{base.judging.rubric_name}.yaml"))
    arms = [arm for (arm,) in store.rows("arms", run=run)]
    each = [
        read_marks(
            store, judging=row.judging, rubric=rubric, arms=len(arms), reading=reading_of(base)
        )
        for row in rows
    ]
    marks = panel_of(each)
    listed = [
        store.rows("exhibit_order", pass_id=row.judging.id, seed=base.judging.seed, n=MOST_NAMED)
        for row in rows
    ]
    known = {(arm, item) for found in listed for arm, item, _ in found}
    ranked = [pair for pair in first if pair in known]
    ranked += [(arm, item) for found in listed for arm, item, _ in found]
    order = tuple(dict.fromkeys(ranked))[:MOST_NAMED]
    return Exhibits(
        items=marks.marks.shape[1],
        cells=tuple(
            _cells(store, rows, marks, arms, lacking(base.judging, rubric, reading_of(base)))
        ),
        marks=tuple(
            count
            for row, found in zip(rows, each, strict=True)
            for count in _mark_counts(found, rubric, row.judging.judge_name)
        ),
        judged=max([len(known), *(found[0][2] for found in listed if found)]),
        order=order,
        answers=_panel_answers(
            store,
            rows,
            order,
            chunk=max(1, _CHUNK // len(rows)),
            audits=rubric.deductions is not None,
        ),
    )


def _panel_answers(
    store: Store,
    rows: Sequence[PassRow],
    order: Sequence[tuple[str, str]],
    *,
    chunk: int,
    audits: bool,
) -> Iterator[Exhibit]:
    """Each answer once, with the judgings of all judges."""
    each = [_answers(store, row.judging.id, order, chunk=chunk, audits=audits) for row in rows]
    for same in zip(*each, strict=True):
        text = next((one.text for one in same if one.text), "")
        yield Exhibit(
            arm=same[0].arm,
            item=same[0].item,
            text=text,
            judgings=tuple(
                replace(
                    judging,
                    judge=row.judging.judge_name,
                    marks=judging.marks if one.text == text else _elsewhere(judging.marks),
                )
                for row, one in zip(rows, same, strict=True)
                for judging in one.judgings
            ),
        )


def _elsewhere(marks: tuple[ExhibitMark, ...]) -> tuple[ExhibitMark, ...]:
    """Marks on a text that was masked otherwise: its places are none of the text shown."""
    return tuple(
        replace(
            mark,
            quotes=tuple(
                replace(quote, source=ELSEWHERE) if quote.source == "answer" else quote
                for quote in mark.quotes
            ),
        )
        for mark in marks
    )


def _cells(
    store: Store,
    rows: Sequence[PassRow],
    marks: Marks,
    arms: Sequence[str],
    without: Mapping[str, Any],
) -> Iterator[CellFact]:
    run = rows[0].judging.run
    items = [item for (item,) in store.stream("items", run=run)][:MOST_ITEMS]
    states: dict[tuple[int, int], tuple[str | None, bool]] = {}
    for row in rows:
        for arm, item, blocked, suspect in store.rows(
            "cell_states", run=run, pass_id=row.judging.id, n=MOST_ITEMS, **without
        ):
            # Of a panel the first judge that blocks it says why there is no total.
            before, cut = states.get((arm, item), (None, False))
            states[arm, item] = (before or blocked, cut or bool(suspect))
    judged = ~np.isnan(marks.verdicts[0])
    for place, item in enumerate(items):
        for at, arm in enumerate(arms):
            total, median = float(marks.cells[at, place]), float(marks.medians[at, place])
            blocked, suspect = states.get((at, place), (None, False))
            scored = bool(np.isfinite(total))
            yield CellFact(
                arm=arm,
                item=item,
                total=total if scored else None,
                median=median if np.isfinite(median) else None,
                judgings=int(judged[at, place].sum()),
                blocked=None if scored else blocked,
                suspect=suspect,
            )


_BY_PLACE = {1.0: "first better", 0.5: "tie", 0.0: "second better"}
_BY_EITHER = {1.0: "one better", 0.5: "tie", 0.0: "one better"}
"""Where it is not on record which was shown first."""


def _mark_counts(marks: Marks, rubric: Rubric, judge: str) -> Iterator[MarkCount]:
    if marks.compared is not None:
        yield from _verdict_counts(marks.compared, rubric, judge)
        return
    for place, criterion in enumerate(rubric.criteria):
        own = marks.marks[:, :, place, :]
        values, numbers = np.unique(own[~np.isnan(own)], return_counts=True)
        for mark, count in zip(values.tolist(), numbers.tolist(), strict=True):
            yield MarkCount(judge=judge, criterion=criterion.id, mark=mark, count=count)


def _verdict_counts(found: Compared, rubric: Rubric, judge: str) -> Iterator[MarkCount]:
    """Each verdict once: as marks of two outputs it would be two that mirror each other."""
    said = _BY_PLACE if found.ordered.all() else _BY_EITHER
    for place, criterion in enumerate(rubric.criteria):
        own = found.marks[:, place]
        for mark, verdict in said.items():
            count = int((own == mark).sum())
            yield MarkCount(
                judge=judge, criterion=criterion.id, mark=mark, count=count, verdict=verdict
            )


def _chunk(judging: Pass, arms: int) -> int:
    """Answers whose requests and replies are held together; a compared one has many of each."""
    if judging.route == "marks":
        return _BARE_CHUNK
    if judging.mode is not Mode.PAIRWISE:
        return _CHUNK
    return max(1, _CHUNK // max(1, 2 * (arms - 1) * judging.repeats))


def _answers(
    store: Store,
    pass_id: str,
    order: Sequence[tuple[str, str]],
    *,
    chunk: int,
    audits: bool,
    first: ByCell | None = None,
) -> Iterator[Exhibit]:
    faults = store.findings_of(pass_id) if audits else {}
    for start in range(0, len(order), chunk):
        pairs = order[start : start + chunk]
        marks, judgments = first or _by_cell(store, pass_id, pairs)
        first = None
        for pair in pairs:
            made = _exhibit(*pair, judgments.get(pair, []), marks.get(pair, []))
            own = [faults.get((one["key"], one["label"]), []) for one in judgments.get(pair, [])]
            yield with_faults(made, own) if audits else made


def _by_cell(store: Store, pass_id: str, pairs: Sequence[tuple[str, str]]) -> ByCell:
    """Marks and judgments of some answers."""
    wanted = {
        "pass_id": pass_id,
        "arms": [arm for arm, _ in pairs],
        "items": [item for _, item in pairs],
    }
    return tuple(
        _grouped(store.records(query, **wanted)) for query in ("exhibit_marks", "exhibit_judgments")
    )


def _grouped(records: list[Record]) -> dict[tuple[str, str], list[Record]]:
    out: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        out.setdefault((record["arm"], record["item"]), []).append(record)
    return out


def _exhibit(arm: str, item: str, judgments: list[Record], marks: list[Record]) -> Exhibit:
    texts = (framed(one["user_text"] or "", one["label"], projects=True) for one in judgments)
    return Exhibit(
        arm=arm,
        item=item,
        # A cell is one current text: every judging of it was sent the same.
        text=next(filter(None, texts), ""),
        judgings=tuple(
            Judging(
                repeat=number,
                purpose=one["purpose"],
                criterion=one["criterion"],
                status=one["status"],
                reason=one["reason"],
                message=one["message"],
                total=one["total"],
                marks=tuple(
                    marks_of([mark for mark in marks if mark["key"] == one["key"]], ExhibitMark)
                ),
                reply=one["body"] or "",
                against=one["other_arm"],
                shown_first=shown_first(one["place"], one["label"]) if one["other_arm"] else None,
            )
            for number, one in zip(numbers(judgments), judgments, strict=True)
        ),
    )
