"""Marks that were given elsewhere: columns of codes, and the names behind them."""

from collections.abc import Iterator
from dataclasses import field
from typing import Any

from numpy.typing import NDArray

from judgebench.records import dataclass

Columns = dict[str, NDArray[Any]]
_CHUNK = 100_000


@dataclass(frozen=True, kw_only=True, slots=True)
class MarkBatch:
    """One row a mark; codes count from 0."""

    passes: tuple[str, ...]
    raters: tuple[str, ...]
    arms: tuple[str, ...]
    items: tuple[str, ...]
    criteria: tuple[str, ...]
    sides: tuple[str, ...]
    """Of a pair, which one a row is about; the first is none."""
    columns: Columns = field(repr=False)
    """``pass``, ``rater``, ``arm``, ``item``, ``criterion``, ``side`` (codes), ``repeat``,
    ``unit`` (rows of one judging share it), ``mark`` (masked where there is none), ``off_scale``.
    """

    def names(self) -> dict[str, list[str]]:
        """What the codes stand for, as parameters of the statement."""
        kinds = ("passes", "raters", "arms", "items", "criteria", "sides")
        return {kind: list(getattr(self, kind)) for kind in kinds}

    def chunks(self) -> Iterator[Columns]:
        """Some rows at a time."""
        for start in range(0, len(self.columns["mark"]), _CHUNK):
            yield {name: found[start : start + _CHUNK] for name, found in self.columns.items()}
