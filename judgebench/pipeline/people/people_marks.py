"""People's marks of a run that was judged, read as arrays.

All people of a run are one pass, in which a person is a repeat.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field

import numpy as np

from judgebench.blind import order
from judgebench.pipeline.figures.stored_pass import people_pass
from judgebench.records import dataclass
from judgebench.runs.importers.human_sheet import OVERALL, PREFERENCE, GivenMark, GivenPreference
from judgebench.stats.arrays import FloatArray
from judgebench.store.store import Store

_PAIRED = (" a", " b", " first", " second")


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """One person's, or a judge's, choice between two arms; indices of the run."""

    item: int
    first: int
    second: int
    rater: str
    share: float
    """1 the first is better, 0 the second, 0.5 a tie; the first is the earlier arm."""


@dataclass(frozen=True, kw_only=True)
class PeopleMarks:
    """All that people gave on a run."""

    raters: tuple[str, ...]
    criteria: tuple[str, ...]
    """Ids of the rubric, then `OVERALL`."""
    marks: FloatArray = field(repr=False)
    """Shape (A, I, K, P), scale points, NaN where there is none."""
    comparisons: tuple[Comparison, ...] = field(default=(), repr=False)


def given_by(store: Store, run: str) -> tuple[GivenMark, ...]:
    """Every mark of people on single answers of a run; NaN where they could not judge."""
    row = people_pass(store, run)
    if row is None:
        return ()
    return tuple(one for one in stored_marks(store, row.judging.id) if isinstance(one, GivenMark))


def arm_labels(run: str, item: str, arms: Iterable[str]) -> dict[str, str]:
    """Arm → the neutral name under which people see its answer to an item.

    Args:
        run: Name of the run.
        item: The item.
        arms: All arms of the run, so that a name stays when fewer are shown.
    """
    return order.labels(order.derive_seed(run, "label"), item, sorted(arms), 1)


def stored_marks(store: Store, pass_id: str) -> list[GivenMark | GivenPreference]:
    """Every mark and preference of a pass of people; NaN where they could not judge."""
    out: list[GivenMark | GivenPreference] = []
    firsts: dict[str, tuple[str, str, float]] = {}
    for item, arm, criterion, label, _, mark, key, _ in store.rows("people_marks", pass_id=pass_id):
        if criterion != PREFERENCE:
            value = math.nan if mark is None else mark
            out.append(GivenMark(item=item, arm=arm, criterion=criterion, rater=label, mark=value))
        elif label.endswith(" a"):
            firsts[key] = arm, label[:-2], mark
        elif key in firsts:
            first, rater, share = firsts[key]
            out.append(
                GivenPreference(item=item, first=first, second=arm, rater=rater, share=share)
            )
    return out


def read_people(
    store: Store, pass_id: str, *, arms: Sequence[str], items: Sequence[str],
    criteria: Sequence[str], left_out: frozenset[str] = frozenset(),
    wanted: Callable[[str], bool] = lambda _: True,
) -> PeopleMarks:  # fmt: skip
    """Every mark of a pass of people, as an array and as comparisons.

    Args:
        store: The open store.
        pass_id: A pass of people.
        arms: Of the run.
        items: Of the run.
        criteria: Ids of the rubric.
        left_out: Items whose marks are not looked at.
        wanted: Whose marks are looked at.
    """
    names = (*criteria, OVERALL)
    places = [{name: at for at, name in enumerate(known)} for known in (arms, items, names)]
    single, comparisons = _sorted_rows(store, pass_id, places, left_out)
    single = [row for row in single if wanted(row[3])]
    comparisons = [one for one in comparisons if wanted(one.rater)]
    raters = sorted({row[3] for row in single} | {one.rater for one in comparisons})
    shape = (len(arms), len(items), len(names), len(raters))
    total, n = np.zeros(shape), np.zeros(shape)
    at = {name: place for place, name in enumerate(raters)}
    for arm, item, criterion, rater, mark in single:
        place = (arm, item, criterion, at[rater])
        # A person who marked one cell twice counts once, with the mean.
        total[place] += mark
        n[place] += 1
    marks = np.where(n > 0, total / np.maximum(n, 1), np.nan)
    return PeopleMarks(
        raters=tuple(raters), criteria=names, marks=marks, comparisons=tuple(comparisons)
    )


def _sorted_rows(
    store: Store, pass_id: str, places: Sequence[dict[str, int]], left_out: frozenset[str]
) -> tuple[list[tuple[int, int, int, str, float]], list[Comparison]]:
    """Marks of one output each, and those of which two arms share one judging."""
    judgings: dict[str, list[tuple[int, int, str, str, float]]] = {}
    for item, arm, criterion, label, _, mark, key, _ in store.rows("people_marks", pass_id=pass_id):
        if mark is not None and item not in left_out and item in places[1] and arm in places[0]:
            row = (places[0][arm], places[1][item], criterion, label, mark)
            judgings.setdefault(key, []).append(row)
    single: list[tuple[int, int, int, str, float]] = []
    comparisons: list[Comparison] = []
    for rows in judgings.values():
        if len({row[0] for row in rows}) == 2 and all(row[3].endswith(_PAIRED) for row in rows):  # noqa: PLR2004 - a pair
            comparisons += _compared(rows)
            continue
        single += [
            (arm, item, places[2][criterion], label, mark)
            for arm, item, criterion, label, mark in rows
            if criterion in places[2]
        ]
    return single, comparisons


def _compared(rows: list[tuple[int, int, str, str, float]]) -> Iterator[Comparison]:
    """One comparison a criterion, as the share that the earlier arm won."""
    first, second = sorted({row[0] for row in rows})
    for arm, item, _, label, mark in rows:
        if arm == first:
            yield Comparison(
                item=item, first=first, second=second, rater=label.rsplit(" ", 1)[0], share=mark
            )
