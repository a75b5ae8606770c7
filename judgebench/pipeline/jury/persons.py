"""A pass of people as the persons behind it: each is a rater with marks of their own.

In the store a person is a repeat. Axes: arms A, items I, criteria K, repeats R.
"""

import numpy as np

from judgebench.pipeline.figures.marked import Marks
from judgebench.pipeline.figures.stored_pass import read_analysis
from judgebench.pipeline.jury.raters import Seat
from judgebench.stats.arrays import BoolArray, IntArray
from judgebench.store.passes import PassRow
from judgebench.store.store import Store


def person_seats(store: Store, run: str, row: PassRow) -> tuple[Seat, ...]:
    """The arrays of every person of a pass, in the order of their names."""
    whole = read_analysis(store, run, pass_id=row.judging.id)
    arms, items, _, repeats = whole.marks.marks.shape
    found = store.columns("mark_people", pass_id=row.judging.id, run=run)
    person = np.asarray(found["person"], dtype=np.int64)
    who = np.full((arms, items, repeats), -1)
    arm, item, repeat = (
        np.asarray(found[name], dtype=np.int64) for name in ("arm", "item", "repeat")
    )
    who[arm, item, repeat - 1] = person
    names = dict(zip(person.tolist(), map(str, found["name"]), strict=True))
    out = []
    for at in sorted(names):
        mine = own(whole.marks, who == at)
        one = read_analysis(store, run, pass_id=row.judging.id, marks=mine)
        out.append(Seat(analysis=one, every=mine, name=names[at], judge=at, person=True))
    return tuple(out)


def own(every: Marks, mine: BoolArray) -> Marks:
    """The marks of one person alone: their scorings of a cell in their order, from the first.

    Args:
        every: Marks of all.
        mine: Shape (A, I, R): scorings that are this person's.
    """
    most = max(1, int(mine.sum(axis=2).max(initial=0)))
    first: IntArray = np.argsort(~mine, axis=2, kind="stable")[:, :, :most]
    there = np.take_along_axis(mine, first, axis=2)[:, :, None, :]
    taken = np.take_along_axis(every.marks, first[:, :, None, :], axis=3)
    return every.with_marks(np.where(there, taken, np.nan))
