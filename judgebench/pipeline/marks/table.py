"""Coded columns → the table of marks: who gave which mark to which arm on which item.

Values were looked at before (`mark_values`); all here is arithmetic over columns.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from pathlib import Path

import numpy as np

from judgebench.errors import ImportFileError
from judgebench.pipeline.marks.pairs import Arms, read_arms
from judgebench.pipeline.marks.scales import OUTCOMES, outcomes, scale_of
from judgebench.pipeline.marks.values import Coded
from judgebench.records import dataclass
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray
from judgebench.text import one_line

PEOPLE = "people"
ONLY = "overall"
"""The criterion where none is named; "mark" would be a word of a judge's reply."""
MAX_CELLS = 20_000_000
"""Places of the array of marks: arms × items × criteria × repeats."""
FIELDS = (
    "item", "arm", "arm_a", "arm_b", "pair", "order", "criterion", "rater", "rater_kind", "scoring",
    "cluster",
)  # fmt: skip
_MOST_PLACES = 1_000_000


class SecondMarkError(ValueError):
    """A rater's second mark of one place, which nothing says is a repeat.

    Attributes:
        rows: The first such row and the row that it speaks against, from 0.
        more: Further such rows.
        what: What is marked, for the message.
        named: A column says who the rater is.
        turned: They name the arms of one pair the other way round, and no order is known.
    """

    def __init__(
        self, rows: tuple[int, int], *, more: int, what: str, named: bool, turned: bool = False
    ) -> None:
        self.rows, self.more, self.what, self.named = rows, more, what, named
        self.turned = turned
        super().__init__(what)


class TwoClustersError(ValueError):
    """An item that stands in two clusters.

    Attributes:
        rows: The first row that speaks against an earlier one, and that one, from 0.
        item: The item.
        names: The cluster of each row.
    """

    def __init__(self, rows: tuple[int, int], item: str, names: tuple[str, str]) -> None:
        self.rows, self.item, self.names = rows, item, names
        super().__init__(item)


class Side(StrEnum):
    """Which of a pair an entry is about."""

    ALONE = ""
    A = "a"
    B = "b"
    FIRST = "first"
    SECOND = "second"


SIDES = tuple(Side)


@dataclass(frozen=True, kw_only=True, slots=True)
class MarkTable:
    """Marks as they are stored; every code counts from 0."""

    arms: tuple[str, ...]
    items: tuple[str, ...]
    criteria: tuple[str, ...]
    raters: tuple[str, ...]
    people: tuple[bool, ...]
    """For each rater: a person, or an objective label."""
    paired: bool
    low: float
    high: float
    outcomes: tuple[float, float, float] | None = None
    """Marks of the file for a comparison lost, tied and won by the first; None for single marks."""
    scale_named: bool
    """The user named the scale; else it is what the marks span."""
    rater: IntArray = field(repr=False)
    arm: IntArray = field(repr=False)
    item: IntArray = field(repr=False)
    criterion: IntArray = field(repr=False)
    repeat: IntArray = field(repr=False)
    """From 1; over raters where they are people."""
    unit: IntArray = field(repr=False)
    """Rows of one judging have one number."""
    side: IntArray = field(repr=False)
    """Code of `SIDES`."""
    mark: FloatArray = field(repr=False)
    """Scale points; NaN where there is none."""
    doubles: int = 0
    """Rows of the file that give a mark that was given, or none where one is: left out."""
    clusters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Items by the name of their cluster, where the file says it."""
    off_scale: BoolArray = field(repr=False)

    @property
    def given(self) -> int:
        """Marks in the file that can be used."""
        return int(np.isfinite(self.mark).sum()) // (2 if self.paired else 1)

    @property
    def missing(self) -> int:
        """Rows of the file without a mark."""
        empty = np.isnan(self.mark) & ~self.off_scale
        return int(empty.sum()) // (2 if self.paired else 1)

    @property
    def unordered(self) -> int:
        """Comparisons without an order, where others have one."""
        known = np.isin(self.side, (SIDES.index(Side.FIRST), SIDES.index(Side.SECOND)))
        return int((~known).sum()) // 2 if known.any() else 0

    @property
    def off(self) -> int:
        """Marks of the file outside of the scale."""
        return int(self.off_scale.sum()) // (2 if self.paired else 1)


def build(
    columns: Mapping[str, Coded],
    *,
    judges: Sequence[str] = (),
    scale: tuple[float, float] | None,
    path: Path,
) -> MarkTable:
    """Put coded columns together.

    Args:
        columns: ``mark`` and those of `FIELDS` that the file has.
        judges: Raters who are models; with none, the column of kinds says it, or all are.
        scale: The user's scale; None for what the marks span (−1 to 1 for pairs).
        path: The file, for messages.

    Raises:
        ImportFileError: Nothing is there, or it does not fit together.
        SecondMarkError: A rater marks one place twice, and otherwise.
        TwoClustersError: An item stands in two clusters.
    """
    clusters = _clusters(columns)
    rows = columns["mark"].codes.size
    if not rows:
        raise ImportFileError(path, "holds no marks", "check that it is the right file")
    paired = "arm" not in columns
    once = _once(columns, path, scale or OUTCOMES)
    if not once.all():
        columns = {
            name: Coded(values=one.values, codes=one.codes[once]) for name, one in columns.items()
        }
    del once
    marks = columns["mark"]
    n = marks.codes.size
    arms = read_arms(columns, n, path)
    items = _or_one(columns, "item", "item", n)
    criteria = _or_one(columns, "criterion", ONLY, n)
    raters = _or_one(columns, "rater", "rater", n)
    people = _people(columns, raters, judges, path)
    low, high = scale_of(marks, scale=scale, paired=paired, path=path)
    value = np.array([np.nan if m is None else m for m in marks.values])[marks.codes]
    off = (value < low) | (value > high)
    value[off] = np.nan
    low_arm, high_arm, shown = arms.pair
    scoring = _or_one(columns, "scoring", "1", n).codes
    unit = combine(
        combine(combine(raters.codes, combine(low_arm, high_arm)), combine(items.codes, shown)),
        scoring,
    )
    who = np.where(np.array(people)[raters.codes], len(raters.values), raters.codes)
    if paired:
        value = (arms.of_first(value, (low, high)) - low) / (high - low)
        sides = np.concatenate([np.where(arms.ordered, 3, 1), np.where(arms.ordered, 4, 2)])
        arm = np.concatenate([arms.first, arms.second])
        value = np.concatenate([value, 1 - value])
        take: IntArray | slice = np.tile(np.arange(n), 2)
    else:
        # All rows as they stand: a slice copies none of the columns.
        arm, sides, take = arms.first, np.zeros(n, dtype=np.int64), slice(None)
    repeat = 1 + rank_within(combine(combine(who[take], arm), items.codes[take]), unit[take])
    size = len(arms.names) * len(items.values) * len(criteria.values) * int(repeat.max())
    if size > MAX_CELLS:
        raise ImportFileError(
            path,
            f"spans {size:,} places, at most {MAX_CELLS:,} fit",
            "check the columns, or take a part with --keep",
        )
    return MarkTable(
        arms=arms.names,
        items=items.values,
        criteria=criteria.values,
        raters=raters.values,
        people=people,
        paired=paired,
        low=0.0 if paired else low,
        high=1.0 if paired else high,
        outcomes=outcomes(low, high) if paired else None,
        scale_named=scale is not None,
        rater=raters.codes[take],
        arm=arm,
        item=items.codes[take],
        criterion=criteria.codes[take],
        repeat=repeat,
        unit=unit[take],
        side=sides,
        mark=value,
        doubles=rows - n,
        clusters=clusters,
        off_scale=off[take],
    )


def _clusters(columns: Mapping[str, Coded]) -> dict[str, tuple[str, ...]]:
    """Items by their cluster; a row without a cluster leaves its item as it is."""
    found = columns.get("cluster")
    if found is None or not found.codes.size:
        return {}
    items = _or_one(columns, "item", "item", found.codes.size)
    rows = np.flatnonzero(np.array([bool(name) for name in found.values])[found.codes])
    item, cluster = items.codes[rows], found.codes[rows]
    first = np.full(len(items.values), -1)
    # Of several writes to one place the last one stays: the first row.
    first[item[::-1]] = np.arange(rows.size - 1, -1, -1)
    against = np.flatnonzero(cluster != cluster[first[item]])
    if against.size:
        at = int(against[0])
        before = int(first[item[at]])
        raise TwoClustersError(
            (int(rows[at]), int(rows[before])),
            items.values[int(item[at])],
            (found.values[int(cluster[at])], found.values[int(cluster[before])]),
        )
    out: dict[str, list[str]] = {}
    for place in np.flatnonzero(first >= 0).tolist():
        name = found.values[int(cluster[first[place]])]
        out.setdefault(name, []).append(items.values[place])
    return {name: tuple(members) for name, members in out.items()}


def _once(columns: Mapping[str, Coded], path: Path, ends: tuple[float, float]) -> BoolArray:
    """Rows that count: of those that mark one place alike the first, and no blank beside a mark."""
    marks = columns["mark"]
    n = marks.codes.size
    arms = read_arms(columns, n, path)
    given = np.array([np.nan if m is None else m for m in marks.values])[marks.codes]
    given = arms.of_first(given, ends)
    place = _places(columns, arms)
    there = np.isfinite(given)
    first = np.full(int(place.max()) + 1, -1)
    # Of several writes to one place the last one stays: the first row, one with a mark before all.
    for rows in (np.flatnonzero(~there), np.flatnonzero(there)):
        first[place[rows[::-1]]] = rows[::-1]
    mine = first[place]
    again = there & (mine != np.arange(n))
    named = bool({"rater", "scoring"} & columns.keys())
    against = again if not named else again & (given != given[mine])
    if against.any():
        at = int(np.flatnonzero(against)[0])
        before = int(mine[at])
        raise SecondMarkError(
            (at, before), more=int(against.sum()) - 1, what=_place(columns, at), named=named,
            turned=bool(arms.turned[at] != arms.turned[before] and not arms.ordered[at]),
        )  # fmt: skip
    return np.asarray(mine == np.arange(n), dtype=np.bool_)


def _places(columns: Mapping[str, Coded], arms: Arms) -> IntArray:
    """A code for what a row marks; a pair is one thing whichever arm the row names first."""
    place = combine(combine(arms.first, arms.second), arms.ordered.astype(np.int64))
    for name in ("item", "criterion", "rater", "scoring"):
        if name in columns:
            place = combine(place, columns[name].codes)
    return place


def _place(columns: Mapping[str, Coded], row: int) -> str:
    """What a row marks, in words."""
    found = []
    for name in ("item", "arm", "arm_a", "arm_b", "pair", "criterion", "rater", "scoring"):
        if name in columns:
            value = columns[name].values[int(columns[name].codes[row])]
            words = value if isinstance(value, str) else "|".join(value)
            found.append(f"{name.replace('_', ' ')} {one_line(words, 40)}")
    return ", ".join(found)


def _or_one(columns: Mapping[str, Coded], name: str, only: str, n: int) -> Coded:
    """A column, or one value for all rows where the file has none."""
    return columns.get(name) or Coded(values=(only,), codes=np.zeros(n, dtype=np.int64))


def _people(
    columns: Mapping[str, Coded], raters: Coded, judges: Sequence[str], path: Path
) -> tuple[bool, ...]:
    unknown = [name for name in judges if name not in raters.values]
    if unknown:
        have = one_line(", ".join(raters.values), 100)
        raise ImportFileError(
            path, f"has no rater {one_line(unknown[0], 40)} (it has: {have})", "name one of them"
        )
    if judges:
        return tuple(name not in judges for name in raters.values)
    if "rater_kind" not in columns:
        return (False,) * len(raters.values)
    kinds = columns["rater_kind"]
    person = np.array(kinds.values, dtype=bool)[kinds.codes]
    n = len(raters.values)
    some = np.bincount(raters.codes, weights=person, minlength=n) > 0
    every = np.bincount(raters.codes, weights=~person, minlength=n) == 0
    if (mixed := np.flatnonzero(some & ~every)).size:
        name = one_line(raters.values[int(mixed[0])], 40)
        raise ImportFileError(path, f"has rater {name} under two kinds", "give each rater one")
    return tuple(map(bool, some))


def combine(a: IntArray, b: IntArray) -> IntArray:
    """One code for each pair of codes, in their order, from 0 without gaps."""
    width = int(b.max()) + 1 if b.size else 1
    return _dense(a * width + b)[1]


def _dense(keys: IntArray) -> tuple[IntArray, IntArray]:
    """Different keys in their order, and the place of each row's key among them."""
    most = int(keys.max(initial=0)) + 1
    if most > _MOST_PLACES + 2 * keys.size:
        found, inverse = np.unique(keys, return_inverse=True)
        return found, np.asarray(inverse, dtype=np.int64).reshape(-1)
    # A table over all keys that there may be takes no sorting.
    there = np.zeros(most, dtype=np.bool_)
    there[keys] = True
    place = np.cumsum(there, dtype=np.int32) - 1
    return np.flatnonzero(there), place[keys].astype(np.int64)


def rank_within(group: IntArray, value: IntArray) -> IntArray:
    """Place of each row's value among the different values of its group, from 0."""
    width = int(value.max()) + 1 if value.size else 1
    keys, inverse = _dense(group * width + value)
    groups = keys // width
    starts = np.searchsorted(groups, groups)
    return np.asarray(np.arange(keys.size) - starts, dtype=np.int64)[inverse]
