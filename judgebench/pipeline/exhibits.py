"""What a page shows beside the figures, from the store alone: cells, marks, answers.

Answers with their replies are read some at a time, so that a page of a run of any
size is made in little memory.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from judgebench.model import Mode, Pass, Quote, Rubric
from judgebench.model.exhibits import (
    CellFact,
    Exhibit,
    ExhibitMark,
    Exhibits,
    Judging,
    MarkCount,
)
from judgebench.pipeline.analysing import LOCK_WAIT_S, choose
from judgebench.pipeline.choices import Reading
from judgebench.pipeline.gather import Marks, lacking, read_marks
from judgebench.pipeline.showing import framed
from judgebench.pipeline.standing import reading_of
from judgebench.rubrics.load import parse_rubric
from judgebench.store.rows import PassRow
from judgebench.store.store import Store

MOST_ITEMS = 200
"""Items whose cells are given; a page with more has nothing that an eye could find."""
MOST_NAMED = 2_500
_CHUNK = 50

Record = dict[str, Any]


@contextmanager
def open_exhibits(database: Path, run_key: str, *, pass_id: str) -> Iterator[Exhibits]:
    """What the store knows of one pass beside its figures, as long as it is open.

    Args:
        database: The workspace's database.
        run_key: Name of the run in it.
        pass_id: The pass that the result is of.

    Raises:
        StoreError: There is no such pass, or another process holds the file.
    """
    with Store.open(database, create=False, read_only=True, wait_s=LOCK_WAIT_S) as store:
        row = choose(store.find_passes(run_key), pass_id, store)
        yield exhibits(store, row, reading_of(row))


def exhibits(store: Store, row: PassRow, reading: Reading) -> Exhibits:
    """Cells, counts of marks and judged answers of one pass."""
    run, pass_id = row.judging.run, row.judging.id
    ((_, source),) = store.rows("rubric", ask=row.judging.ask_sha256, sum=row.sum_sha256)
    rubric = parse_rubric(source, Path(f"{row.judging.rubric_name}.yaml"))
    arms = [arm for (arm,) in store.rows("arms", run=run)]
    marks = read_marks(store, judging=row.judging, rubric=rubric, arms=len(arms), reading=reading)
    found = store.rows("exhibit_order", pass_id=pass_id, seed=row.judging.seed, n=MOST_NAMED)
    order = tuple((arm, item) for arm, item, _ in found)
    return Exhibits(
        items=marks.marks.shape[1],
        cells=tuple(_cells(store, row, marks, arms, lacking(row.judging, rubric, reading))),
        marks=tuple(_mark_counts(marks, rubric, row.judging.judge_name)),
        judged=found[0][2] if found else 0,
        order=order,
        answers=_answers(store, pass_id, order, chunk=_chunk(row.judging, len(arms))),
    )


def _cells(
    store: Store, row: PassRow, marks: Marks, arms: Sequence[str], without: Mapping[str, Any]
) -> Iterator[CellFact]:
    run = row.judging.run
    items = [item for (item,) in store.stream("items", run=run)][:MOST_ITEMS]
    states = {
        (arm, item): (blocked, bool(suspect))
        for arm, item, blocked, suspect in store.rows(
            "cell_states", run=run, pass_id=row.judging.id, n=MOST_ITEMS, **without
        )
    }
    judged = ~np.isnan(marks.verdicts[0])
    for place, item in enumerate(items):
        for at, arm in enumerate(arms):
            total = float(marks.cells[at, place])
            blocked, suspect = states.get((at, place), (None, False))
            scored = bool(np.isfinite(total))
            yield CellFact(
                arm=arm,
                item=item,
                total=total if scored else None,
                judgings=int(judged[at, place].sum()),
                blocked=None if scored else blocked,
                suspect=suspect,
            )


def _mark_counts(marks: Marks, rubric: Rubric, judge: str) -> Iterator[MarkCount]:
    for place, criterion in enumerate(rubric.criteria):
        own = marks.marks[:, :, place, :]
        values, numbers = np.unique(own[~np.isnan(own)], return_counts=True)
        for mark, count in zip(values.tolist(), numbers.tolist(), strict=True):
            yield MarkCount(judge=judge, criterion=criterion.id, mark=mark, count=count)


def _chunk(judging: Pass, arms: int) -> int:
    """Answers whose requests and replies are held together; a compared one has many of each."""
    if judging.mode is not Mode.PAIRWISE:
        return _CHUNK
    return max(1, _CHUNK // max(1, 2 * (arms - 1) * judging.repeats))


def _answers(
    store: Store, pass_id: str, order: Sequence[tuple[str, str]], *, chunk: int
) -> Iterator[Exhibit]:
    for start in range(0, len(order), chunk):
        pairs = order[start : start + chunk]
        wanted = {
            "pass_id": pass_id,
            "arms": [arm for arm, _ in pairs],
            "items": [item for _, item in pairs],
        }
        marks = _by_cell(store.records("exhibit_marks", **wanted))
        judgments = _by_cell(store.records("exhibit_judgments", **wanted))
        for pair in pairs:
            yield _exhibit(*pair, judgments.get(pair, []), marks.get(pair, []))


def _by_cell(records: list[Record]) -> dict[tuple[str, str], list[Record]]:
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
                repeat=one["repeat"],
                purpose=one["purpose"],
                criterion=one["criterion"],
                status=one["status"],
                reason=one["reason"],
                message=one["message"],
                total=one["total"],
                marks=tuple(_marks([mark for mark in marks if mark["key"] == one["key"]])),
                reply=one["body"] or "",
                against=one["other_arm"],
                shown_first=None if one["place"] is None else one["place"] == 0,
            )
            for one in judgments
        ),
    )


def _marks(records: list[Record]) -> Iterator[ExhibitMark]:
    for criterion, group in groupby(records, key=lambda record: str(record["criterion"])):
        own = list(group)
        head = own[0]
        yield ExhibitMark(
            criterion=criterion,
            mark=head["mark"],
            reason=head["reason"],
            rationale=head["rationale"],
            unsupported=head["unsupported"],
            quotes=tuple(
                Quote(
                    text=one["text"],
                    source=one["source"],
                    start=one["start_offset"],
                    end=one["end_offset"],
                )
                for one in own
                if one["text"] is not None
            ),
        )
