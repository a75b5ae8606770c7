"""What the measured shares must keep, each with the cell that comes nearest to breaking it."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from benchmarks.coverage.clustered import ClusterRow
from benchmarks.coverage.decide import Decisions
from benchmarks.coverage.measure import Shares
from benchmarks.coverage.power import Powers

Z_BAND = 2.576
"""Half-width of the 99 % Monte-Carlo band, standard errors."""
ZERO_INFLATED, ERRATIC = "zero-inflated", "one arm erratic"
_MANY, _FEW = 30, 5


@dataclass(frozen=True, kw_only=True)
class Goal:
    """One goal and how it went."""

    what: str
    worst: str
    """The cell that comes nearest to breaking it."""
    missed: tuple[str, ...]
    """Cells on the wrong side of their bar, each with its share."""
    cells: int
    """How many were looked at."""

    @property
    def met(self) -> bool:
        """Whether every cell keeps it."""
        return not self.missed


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One share beside its bar; `above` says on which side of it is right."""

    name: str
    share: float
    runs: int
    bar: float
    above: bool

    @property
    def room(self) -> float:
        """How far on the right side of the bar, with the Monte-Carlo band allowed."""
        band = Z_BAND * sqrt(self.bar * (1 - self.bar) / max(self.runs, 1))
        apart = self.share - self.bar if self.above else self.bar - self.share
        return apart + band

    def __str__(self) -> str:
        """The cell with its share."""
        return f"{self.name}: {100 * self.share:.1f} of {self.runs:,}"


def goal(what: str, found: Sequence[Cell]) -> Goal:
    """A goal that all its cells must keep."""
    if not found:
        return Goal(what=what, worst="–", missed=(), cells=0)
    worst = min(found, key=lambda cell: cell.room)
    missed = tuple(f"{cell.name}: {100 * cell.share:.1f}" for cell in found if cell.room < 0)
    return Goal(what=what, worst=str(worst), missed=missed, cells=len(found))


def goals(
    pairs: Sequence[Shares],
    means: Sequence[Shares],
    tail: Sequence[Shares],
    decided: Sequence[Decisions],
    powers: Sequence[Powers],
    clusters: Sequence[ClusterRow],
) -> list[Goal]:
    """All goals, in the order of the tables."""
    wide = [one for one in pairs if one.n >= _MANY and one.scenario != ZERO_INFLATED]
    return [
        goal("differences hold ≥ 94 %", [_share(one, one.ours, 0.94) for one in pairs]),
        goal(
            "differences hold ≤ 96.5 % from 30 items, but for zero-inflated",
            [_share(one, one.ours, 0.965, above=False) for one in wide],
        ),
        goal("means hold ≥ 94 %", [_share(one, one.ours, 0.94) for one in means]),
        goal(
            "skewed means of 300 and 301 items hold ≥ 94 %",
            [_share(one, one.ours, 0.94) for one in tail],
        ),
        goal(
            "false “above” ≤ 5 % (≤ 6.5 % with one erratic arm at ≤ 5 items)",
            [_share(one, one.false_above, _bar(one), above=False) for one in decided],
        ),
        goal(
            "the best in its set ≥ 95 %",
            [_share(one, kept, 0.95) for one in decided if (kept := one.best_kept) is not None],
        ),
        goal("power 78–82 % at the detectable difference", _within(powers, 0.78, 0.82)),
        *_of_clusters(clusters),
    ]


def _of_clusters(rows: Sequence[ClusterRow]) -> list[Goal]:
    said = [(one, one.power) for one in rows if one.power is not None]
    power = [
        _share(one, share, bar, above=bar == 0.78) for one, share in said for bar in (0.78, 0.82)
    ]
    means = [_share(one, one.mean, 0.94) for one in rows if one.mean is not None]
    above = [_share(one, one.false_above, 0.05, above=False) for one in rows]
    return [
        goal("by clusters: differences hold ≥ 94 %", [_share(one, one.ours, 0.94) for one in rows]),
        goal("by clusters: means hold ≥ 94 %", means),
        goal("by clusters: false “above” ≤ 5 %", above),
        goal("by clusters: the best in its set ≥ 95 %",
             [_share(one, one.best_kept, 0.95) for one in rows]),
        goal("by clusters: power 78–82 % at the detectable difference", power),
    ]  # fmt: skip


def _within(powers: Sequence[Powers], low: float, high: float) -> list[Cell]:
    return [
        _share(one, share, bar, above=above)
        for one in powers
        for share in (one.one, one.ten)
        if share is not None
        for bar, above in ((low, True), (high, False))
    ]


def usual(
    pairs: Sequence[Shares],
    means: Sequence[Shares],
    decided: Sequence[Decisions],
    clusters: Sequence[ClusterRow],
) -> list[Goal]:
    """What peers usually print, held against the bars of ours."""
    rows = []
    for what, found in (("differences", pairs), ("means", means)):
        ways = (
            ("normal intervals", [_share(one, one.z, 0.94) for one in found]),
            ("percentile bootstrap", [_share(one, one.bootstrap, 0.94) for one in found]),
            ("rows as independent", [_share(one, one.rows, 0.94) for one in found]),
        )
        rows += [goal(f"{name}, {what} hold ≥ 94 %", cells) for name, cells in ways]
    false = [_share(one, one.uncorrected, _bar(one), above=False) for one in decided]
    return [
        *rows,
        goal("uncorrected pairs, false “above” ≤ 5 %", false),
        goal("items of clusters as independent, differences hold ≥ 94 %",
             [_share(one, one.items, 0.94) for one in clusters]),
        goal("items of clusters as independent, false “above” ≤ 5 %",
             [_share(one, one.items_above, 0.05, above=False) for one in clusters]),
    ]  # fmt: skip


def _bar(one: Decisions) -> float:
    return 0.065 if one.scenario == ERRATIC and one.n <= _FEW else 0.05


def _share(
    one: Shares | Decisions | Powers | ClusterRow, share: float, bar: float, *, above: bool = True
) -> Cell:
    return Cell(name=f"{one.scenario}, {one.n}", share=share, runs=one.runs, bar=bar, above=above)
