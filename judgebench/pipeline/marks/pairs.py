"""Which two arms a row of marks is about, and which of them was shown first.

A row may name a pair either way round. Both ways are one thing where the order is not known;
where it is, what was shown first tells two things apart, not what is named first.
"""

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

import numpy as np

from judgebench.errors import ImportFileError
from judgebench.pipeline.marks.values import Coded
from judgebench.records import dataclass
from judgebench.stats.arrays import BoolArray, FloatArray, IntArray
from judgebench.text import one_line


@dataclass(frozen=True, kw_only=True, slots=True)
class Arms:
    """The arms of every row; of single marks the second is 0."""

    names: tuple[str, ...]
    first: IntArray = field(repr=False)
    """Of a pair, the arm that was shown first, or the one before the other by name."""
    second: IntArray = field(repr=False)
    ordered: BoolArray = field(repr=False)
    """It is known which was shown first."""
    turned: BoolArray = field(repr=False)
    """The row names the second before the first: its mark speaks of the second."""

    def of_first(self, given: FloatArray, ends: tuple[float, float]) -> FloatArray:
        """Marks of the rows as they speak of the first, on a scale with these ends."""
        return np.where(self.turned, sum(ends) - given, given)

    @property
    def pair(self) -> tuple[IntArray, IntArray, IntArray]:
        """The two arms by name, and which was shown first: 1 or 2 of them, 0 unknown."""
        low, high = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        return low, high, np.where(self.ordered, 1 + (self.first > self.second), 0)


def read_arms(columns: Mapping[str, Coded], n: int, path: Path) -> Arms:
    """Read the arms of every row.

    Raises:
        ImportFileError: A row compares an arm with itself.
    """
    none = np.zeros(n, dtype=np.bool_)
    if "arm" in columns:
        found = columns["arm"]
        zeros = np.zeros(n, dtype=np.int64)
        return Arms(
            names=found.values, first=found.codes, second=zeros, ordered=none, turned=none
        )  # fmt: skip
    names, a, b = _named(columns, path)
    shown = np.zeros(n, dtype=np.int64)
    if (order := columns.get("order")) is not None:
        shown = np.array(order.values, dtype=np.int64)[order.codes]
    turned = np.where(shown > 0, shown == 2, a > b)  # noqa: PLR2004 - the second one
    return Arms(
        names=names,
        first=np.where(turned, b, a),
        second=np.where(turned, a, b),
        ordered=shown > 0,
        turned=turned,
    )


def _named(columns: Mapping[str, Coded], path: Path) -> tuple[tuple[str, ...], IntArray, IntArray]:
    """Names of the arms, and the codes of the two of every row as it names them."""
    if "pair" in columns:
        found = columns["pair"]
        first = [pair[0] for pair in found.values]
        second = [pair[1] for pair in found.values]
        codes = found.codes, found.codes
    else:
        first, second = list(columns["arm_a"].values), list(columns["arm_b"].values)
        codes = columns["arm_a"].codes, columns["arm_b"].codes
    names = tuple(sorted({*first, *second}))
    place = {name: at for at, name in enumerate(names)}
    a = np.array([place[name] for name in first], dtype=np.int64)[codes[0]]
    b = np.array([place[name] for name in second], dtype=np.int64)[codes[1]]
    if (a == b).any():
        name = one_line(names[int(a[a == b][0])], 40)
        raise ImportFileError(path, f"compares {name} with itself", "name two arms")
    return names, a, b
