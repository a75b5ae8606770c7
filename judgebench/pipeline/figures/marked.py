"""Every mark of a pass as one array, and the totals that code makes of it.

Axes: arms A, items I, criteria K, repeats R; scale points, NaN where there is no mark.
"""

from collections.abc import Sequence
from dataclasses import field, replace
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm

import numpy as np

from judgebench.model.rubric import Rubric
from judgebench.pipeline.audits.told import Audits
from judgebench.pipeline.figures.compared import Compared
from judgebench.pipeline.figures.repeated import Repeated
from judgebench.records import dataclass
from judgebench.rubrics.total import decide, hold, totals
from judgebench.stats.arrays import (
    BoolArray,
    FloatArray,
    IntArray,
    cell_medians,
    counts,
    nan_mean,
)
from judgebench.stats.sensitivity import weighted_means


@dataclass(frozen=True, kw_only=True)
class Marks:
    """Every mark of a pass that counts, and what code makes of it.

    Axes: arms A, items I, criteria K, repeats R. NaN is no mark.
    """

    marks: FloatArray = field(repr=False)
    """Shape (A, I, K, R)."""
    rubric: Rubric
    applies: BoolArray = field(repr=False)
    """Shape (I, K): the criterion applies to the item."""
    minimum: BoolArray = field(repr=False)
    """Shape (A, I): an empty answer that counts as the scale's minimum, by rule."""

    decided: bool = False
    """Each judging is of two outputs and has a winner or a tie: totals are 1, 0 or ½."""
    compared: Compared | None = field(default=None, repr=False)
    """The comparisons behind it; None where outputs were marked."""

    @cached_property
    def verdicts(self) -> tuple[FloatArray, BoolArray]:
        """Totals and whether a gate or cap fired, each of shape (A, I, R)."""
        value, fired, _ = self._made
        return value, fired

    @cached_property
    def _made(self) -> tuple[FloatArray, BoolArray, FloatArray]:
        """Totals, whether a gate or cap fired, and totals before any did."""
        arms, items, criteria, repeats = self.marks.shape
        flat = np.moveaxis(self.marks, 2, 3).reshape(-1, criteria)
        applies = np.broadcast_to(
            self.applies[None, :, None, :], (arms, items, repeats, criteria)
        ).reshape(-1, criteria)
        asked = ~np.isnan(flat).all(axis=1)
        value = np.full(asked.size, np.nan)
        fired = np.zeros(asked.size, dtype=bool)
        bare = value
        if asked.any():
            # Where nothing is left out nothing is copied.
            taken = slice(None) if asked.all() else asked
            made = totals(self.rubric, flat[taken], applies[taken])
            value[asked], fired[asked] = made.value, made.fired
            if fired.any():
                bare = np.full(asked.size, np.nan)
                bare[asked] = made.uncapped
        if self.decided:
            value = decide(value)
        shape = (arms, items, repeats)
        return value.reshape(shape), fired.reshape(shape), bare.reshape(shape)

    @cached_property
    def cells(self) -> FloatArray:
        """Mean total of each arm and item, shape (A, I), scale points."""
        return self._cells_of(self.verdicts[0])

    @cached_property
    def medians(self) -> FloatArray:
        """Median total of each cell, shape (A, I); NaN where it has too few judgments for one."""
        return self.medians_of(self.verdicts[0])

    def medians_of(self, judgments: FloatArray) -> FloatArray:
        """Medians of the cells with a total, of values of shape (A, I, R).

        Comparisons of an arm with others are no repeats of one judgment: they have none.
        """
        if self.compared is not None:
            return np.full(judgments.shape[:2], np.nan)
        scored = np.isfinite(self.cells) & ~self.minimum
        return np.where(scored, cell_medians(judgments), np.nan)

    @cached_property
    def uncapped(self) -> FloatArray:
        """The same cells as they would be without gates and caps, shape (A, I)."""
        return self._cells_of(self._bare) if self.verdicts[1].any() else self.cells

    def weighed(self, weights: FloatArray) -> FloatArray:
        """Cells as they would be under other weights of the criteria, shape (A, I).

        Gates look at totals, so they are applied anew; without any, a total is linear in
        its marks, and the means of a cell serve.
        """
        if self.rubric.gates:
            pairs = zip(self.rubric.criteria, weights.tolist(), strict=True)
            criteria = tuple(replace(one, weight=weight) for one, weight in pairs)
            return replace(self, rubric=replace(self.rubric, criteria=criteria)).cells
        found = weighted_means(self._held, weights, self.applies)
        return np.where(self.minimum, self.rubric.scale.low, found)

    @cached_property
    def _held(self) -> FloatArray:
        """Mean marks of the judgings that have a total, held down by caps, shape (A, I, K)."""
        total = np.isfinite(self.verdicts[0])
        given, criteria = np.count_nonzero(np.isfinite(self.marks)), self.marks.shape[2]
        if not self.rubric.caps and given == np.count_nonzero(total) * criteria:
            return self.criteria
        whole = total[:, :, None, :]
        marks = hold(self.rubric, np.moveaxis(self.marks, 2, 3))
        return self._by_criterion(np.where(whole, np.moveaxis(marks, 3, 2), np.nan))

    @property
    def _bare(self) -> FloatArray:
        return self._made[2]

    def _cells_of(self, single: FloatArray) -> FloatArray:
        found = self._by_criterion(single[:, :, None, :])[:, :, 0]
        return np.where(self.minimum, self.rubric.scale.low, found)

    @cached_property
    def _repeated(self) -> Repeated | None:
        arms, items = self.marks.shape[:2]
        return None if self.compared is None else self.compared.repeated(arms, items)

    def _by_criterion(self, values: FloatArray) -> FloatArray:
        """Means over judgings of values of shape (A, I, K, R), repeats of a comparison first."""
        again = self._repeated
        if again is None:
            return nan_mean(values, axis=3)
        return np.stack([again.mean(one) for one in np.moveaxis(values, 2, 0)], axis=2)

    @cached_property
    def repeats(self) -> IntArray:
        """Judgings averaged in each cell, shape (A, I), at least 1."""
        return np.maximum(counts(self.verdicts[0][:, :, None, :]), 1)

    def total_step(self, step: float) -> float:
        """Lattice that totals rest on, where marks rest on `step`.

        Roundings of several marks partly cancel in their weighted mean.
        """
        return total_step(self.rubric, step)

    def finest(self, step: float) -> float:
        """Step between the totals that are possible at all, where marks rest on `step`."""
        if self.decided:
            return 0.5
        used = [Fraction(one.weight).limit_denominator(1000) for one in self.rubric.criteria]
        common = lcm(*(one.denominator for one in used))
        whole = [int(one * common) for one in used]
        return step * gcd(*whole) / sum(whole) if any(whole) else 0.0

    def with_marks(self, marks: FloatArray) -> "Marks":
        """Other marks on the same criteria, such as people's, with totals of their own."""
        return replace(self, marks=marks)

    @cached_property
    def criteria(self) -> FloatArray:
        """Mean mark of each arm, item and criterion, shape (A, I, K)."""
        means = self._by_criterion(self.marks)
        low = np.where(self.applies[None, :, :], self.rubric.scale.low, np.nan)
        return np.where(self.minimum[:, :, None], low, means)


@dataclass(frozen=True, kw_only=True)
class PanelMarks(Marks):
    """The marks of several judges: averaged within a judge, then over judges with equal weight.

    The repeats of the judges stand side by side on the last axis. A cell counts where
    every judge scored it: with one voice less it would be of another panel.
    """

    judges: tuple[Marks, ...] = field(repr=False)

    @cached_property
    def verdicts(self) -> tuple[FloatArray, BoolArray]:
        """Totals of all judges side by side, each as its own judgings came out."""
        most = self.marks.shape[3] // len(self.judges)
        value, fired = zip(*(one.verdicts for one in self.judges), strict=True)
        room = [((0, 0), (0, 0), (0, most - one.shape[2])) for one in value]
        return (
            np.concatenate(
                [np.pad(v, r, constant_values=np.nan) for v, r in zip(value, room, strict=True)],
                axis=2,
            ),
            np.concatenate([np.pad(f, r) for f, r in zip(fired, room, strict=True)], axis=2),
        )

    def total_step(self, step: float) -> float:
        """That of each of its judges."""
        return self.judges[0].total_step(step)

    def finest(self, step: float) -> float:
        """That of each of its judges."""
        return self.judges[0].finest(step)

    @cached_property
    def cells(self) -> FloatArray:
        """Mean total of each arm and item, shape (A, I), scale points."""
        return np.asarray(np.stack([one.cells for one in self.judges]).mean(axis=0))

    def weighed(self, weights: FloatArray) -> FloatArray:
        """The same under other weights."""
        return np.asarray(np.stack([one.weighed(weights) for one in self.judges]).mean(axis=0))

    @cached_property
    def uncapped(self) -> FloatArray:
        """The same without gates and caps."""
        return np.asarray(np.stack([one.uncapped for one in self.judges]).mean(axis=0))

    @cached_property
    def repeats(self) -> IntArray:
        """Judgings averaged in each cell, all judges together, shape (A, I)."""
        return np.asarray(np.stack([one.repeats for one in self.judges]).sum(axis=0))

    @cached_property
    def criteria(self) -> FloatArray:
        """Mean mark of each arm, item and criterion, shape (A, I, K)."""
        return np.asarray(np.stack([one.criteria for one in self.judges]).mean(axis=0))


@dataclass(frozen=True, kw_only=True)
class SummedMarks(Marks):
    """Marks on a rubric of deductions that were given, not counted: a total is their sum.

    Caps and gates hang on finds, of which there are none: a mark is taken as it was given.
    """

    @cached_property
    def verdicts(self) -> tuple[FloatArray, BoolArray]:
        """Sums where every criterion has a mark, and no gate or cap."""
        lacking = (np.isnan(self.marks) & self.applies[None, :, :, None]).any(axis=2)
        value = np.where(lacking, np.nan, np.nansum(self.marks, axis=2))
        return value, np.zeros(value.shape, dtype=bool)

    def total_step(self, step: float) -> float:
        """A sum rests where its parts do."""
        return step

    def finest(self, step: float) -> float:
        """A sum moves by as little as a part of it."""
        return step


@dataclass(frozen=True, kw_only=True)
class CountedMarks(Marks):
    """Marks that code counted from finds, with the totals that it counted too."""

    audits: Audits = field(repr=False)

    @cached_property
    def verdicts(self) -> tuple[FloatArray, BoolArray]:
        """Totals as counted: sums, held down by gates that may hang on a find."""
        arms, items = self.marks.shape[:2]
        return self.audits.totals(arms, items)

    @property
    def _bare(self) -> FloatArray:
        arms, items = self.marks.shape[:2]
        return self.audits.uncapped(arms, items)

    def total_step(self, step: float) -> float:
        """A sum of halves is whole or half."""
        return step

    def finest(self, step: float) -> float:
        """A sum moves by as little as a part of it."""
        return step

    def with_marks(self, marks: FloatArray) -> Marks:
        """Marks that nobody counted: their totals are sums, not those that were counted here."""
        return given_marks(marks, rubric=self.rubric, applies=self.applies, minimum=self.minimum)


@dataclass(frozen=True, kw_only=True)
class OverallMarks(Marks):
    """Marks of people of whom no answer has all criteria: a total is what they gave as one."""

    overall: FloatArray = field(repr=False)
    """Shape (A, I, R): marks for the answer as a whole."""

    @cached_property
    def verdicts(self) -> tuple[FloatArray, BoolArray]:
        """The overall marks, and no gate or cap."""
        return self.overall, np.zeros(self.overall.shape, dtype=bool)

    def total_step(self, step: float) -> float:
        """An overall mark is one mark."""
        return step

    def finest(self, step: float) -> float:
        """An overall mark is one mark."""
        return step

    @property
    def marked(self) -> tuple[int, ...]:
        """Criteria with marks."""
        return tuple(np.flatnonzero(np.isfinite(self.marks).any(axis=(0, 1, 3))).tolist())


def total_step(rubric: Rubric, step: float) -> float:
    """Lattice that totals of a rubric rest on, where marks rest on `step`.

    Roundings of several marks partly cancel in their weighted mean; a sum rests where
    its parts do.
    """
    if rubric.deductions:
        return step
    weights = np.array([criterion.weight for criterion in rubric.criteria])
    return step * float(np.sqrt((weights**2).sum()) / weights.sum())


def given_marks(
    marks: FloatArray, *, rubric: Rubric, applies: BoolArray, minimum: BoolArray
) -> Marks:
    """Marks that somebody gave, with the totals that they make under a rubric.

    Args:
        marks: Shape (A, I, K, R).
        rubric: Of marks, whose totals are means, or of deductions, whose totals are sums.
        applies: Shape (I, K): the criterion applies to the item.
        minimum: Shape (A, I): counts as the scale's minimum, by rule.
    """
    kind = SummedMarks if rubric.deductions else Marks
    return kind(marks=marks, rubric=rubric, applies=applies, minimum=minimum)


def or_overall(found: Marks, overall: FloatArray) -> Marks:
    """Marks of people, with overall marks as totals where no criteria make any."""
    nothing = not np.isfinite(found.marks).any() and not np.isfinite(overall).any()
    if nothing or np.isfinite(found.verdicts[0]).any():
        return found
    return OverallMarks(
        marks=found.marks, rubric=found.rubric, applies=found.applies, minimum=found.minimum,
        overall=overall,
    )  # fmt: skip


def panel_of(found: Sequence[Marks]) -> PanelMarks:
    """Several judges' marks of one run under one rubric as one."""
    first = found[0]
    most = max(one.marks.shape[3] for one in found)
    padded = [
        np.pad(
            one.marks,
            ((0, 0), (0, 0), (0, 0), (0, most - one.marks.shape[3])),
            constant_values=np.nan,
        )
        for one in found
    ]
    return PanelMarks(
        marks=np.concatenate(padded, axis=3),
        rubric=first.rubric,
        applies=first.applies,
        minimum=first.minimum,
        judges=tuple(found),
    )


def people_totals(judged: Marks, given: FloatArray) -> FloatArray:
    """Total of every person's marks, with the weights, gates and caps of a pass.

    Args:
        judged: Marks of a judge, whose rubric sums.
        given: People's marks by the criteria of that rubric, shape (A, I, K, P).

    Returns:
        Shape (A, I, P); NaN where a criterion that applies has no mark.
    """
    if not given.shape[3]:
        return given[:, :, 0]
    return judged.with_marks(given).verdicts[0]
