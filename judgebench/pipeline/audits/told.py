"""Stored finds to what a report says of each project."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from judgebench.model.audits import (
    Anchor,
    Audit,
    Counted,
    Fault,
    Find,
    ProjectAudit,
    ProjectMark,
    ReadProject,
    ReadWithTools,
    RunProject,
    mean_of_judges,
)
from judgebench.model.deductions import OTHER, Evidence
from judgebench.model.findings import Checked, Standing
from judgebench.model.projects import lines_read
from judgebench.model.rubric import Rubric
from judgebench.model.turns import Turn
from judgebench.pipeline.audits.auditing import total_of
from judgebench.pipeline.audits.tallies import Judging
from judgebench.rubrics.counting import anchored_tier
from judgebench.rubrics.total import tier
from judgebench.stats.arrays import FloatArray
from judgebench.store.turns import TurnRow


class Audits:
    """The judgings of one pass that count, by arm and item.

    Args:
        rubric: One of deductions.
        judgings: Counted from stored finds.
        rows: What was read and shown of each project.
        facts: What the judge was told that code knows, by arm and item.
        judges: Those of a panel, whose judgings are numbered through.
        turns: What judges read with tools.
    """

    def __init__(
        self,
        rubric: Rubric,
        judgings: Iterable[Judging],
        rows: Iterable[RunProject],
        facts: Mapping[tuple[str, str], tuple[str, ...]],
        *,
        judges: tuple[str, ...] = (),
        turns: Iterable[TurnRow] = (),
    ) -> None:
        self.rubric = rubric
        self.judges = judges
        self.facts = facts
        self.rows = tuple(rows)
        self.read = {(row.arm, row.item): row for row in self.rows}
        self.turns = tuple(row for row in turns if row.purpose == "main")
        self.cells: dict[tuple[int, int], list[Judging]] = {}
        for one in judgings:
            if one.purpose == "main":
                self.cells.setdefault((one.arm, one.item), []).append(one)

    @cached_property
    def _talks(self) -> dict[tuple[str, str, int], list[Turn]]:
        """The turns of each judging."""
        out: dict[tuple[str, str, int], list[Turn]] = {}
        for row in self.turns:
            out.setdefault((row.arm, row.item, row.repeat), []).append(row.turn)
        return out

    @cached_property
    def repeats(self) -> int:
        """The highest number of a judging."""
        return max((one.repeat for cell in self.cells.values() for one in cell), default=1)

    def marks(self, arms: int, items: int) -> FloatArray:
        """Marks of shape (A, I, K, R); NaN where there is none."""
        out = np.full((arms, items, len(self.rubric.criteria), self.repeats), np.nan)
        for (arm, item), cell in self.cells.items():
            for one in cell:
                for place, mark in enumerate(one.tally.marks):
                    out[arm, item, place, one.repeat - 1] = _number(mark.mark)
        return out

    def totals(self, arms: int, items: int) -> tuple[FloatArray, NDArray[np.bool_]]:
        """Totals, and whether a cap or gate held something down, each of shape (A, I, R)."""
        out = np.full((arms, items, self.repeats), np.nan)
        fired = np.zeros(out.shape, dtype=bool)
        for (arm, item), cell in self.cells.items():
            for one in cell:
                out[arm, item, one.repeat - 1] = _number(one.tally.total)
                fired[arm, item, one.repeat - 1] = bool(one.tally.fired)
        return out, fired

    def uncapped(self, arms: int, items: int) -> FloatArray:
        """Sums of what was counted, before caps and gates; shape (A, I, R)."""
        out = np.full((arms, items, self.repeats), np.nan)
        for (arm, item), cell in self.cells.items():
            for one in cell:
                out[arm, item, one.repeat - 1] = _number(total_of(one.tally).uncapped)
        return out

    def anchor(self, arms: Sequence[str], items: Sequence[str], named: str | None) -> Anchor | None:
        """The arm from which tiers are measured; None where bars stand by themselves."""
        if not (self.rubric.deductions and self.rubric.deductions.anchored):
            return None
        if named not in arms:
            return Anchor(arm=None)
        at = arms.index(str(named))
        means = (self._mean(at, item) for item in range(len(items)))
        voices = tuple(
            (judge, name, self._mean(at, item, judge))
            for judge in self.judges
            for item, name in enumerate(items)
        )
        return Anchor(arm=named, totals=tuple(zip(items, means, strict=True)), voices=voices)

    def _mean(self, arm: int, item: int, judge: str = "") -> float | None:
        cell = self.cells.get((arm, item), [])
        found = [(one.judge, one.tally.total) for one in cell if judge in {"", one.judge}]
        return mean_of_judges(found, (judge,) if judge else self.judges)

    def tier(
        self, total: float | None, item: str, anchor: Anchor | None, judge: str = ""
    ) -> str | None:
        """Tier of a total on a brief, by bars of its own or by the anchor's total there.

        Args:
            total: Of a project, or of one judging of it.
            item: The brief.
            anchor: What tiers are measured from, if from an arm.
            judge: Whose judging it is in a panel: it is held against the same judge's.
        """
        if anchor is None:
            return tier(self.rubric, total)
        return anchored_tier(self.rubric, total, anchor.total(item, judge))

    def audit(
        self,
        order: Sequence[int],
        arms: Sequence[str],
        items: Sequence[str],
        *,
        planned: int,
        anchor: Anchor | None = None,
    ) -> Audit:
        """What there is to say of every project, arms in the order of the table."""
        rules = self.rubric.deductions
        tiers = rules.anchored if rules and anchor else self.rubric.tiers
        return Audit(
            maximum=rules.maximum if rules else 0.0,
            tiers=tuple((tier.name, tier.at_least) for tier in tiers),
            judgings=planned,
            projects=tuple(
                self._project(
                    self.cells.get((arm, item), []), arms[arm], name, planned=planned, anchor=anchor
                )
                for arm in order
                for item, name in enumerate(items)
            ),
            anchor=anchor,
            judges=self.judges,
        )

    def _project(
        self, cell: Sequence[Judging], arm: str, item: str, *, planned: int, anchor: Anchor | None
    ) -> ProjectAudit:
        row = self.read.get((arm, item))
        return ProjectAudit(
            arm=arm,
            item=item,
            judgings=tuple(
                Counted(
                    repeat=one.repeat,
                    total=one.tally.total,
                    tier=self.tier(one.tally.total, item, anchor, one.judge),
                    fired=one.tally.fired,
                    judge=one.judge,
                )
                for one in cell
            ),
            marks=self._marks(cell),
            faults=tuple(self._faults(cell)),
            facts=self.facts.get((arm, item), ()),
            read=None if row is None else read_of(row),
            blocked=max(0, planned - len(cell)),
            judges=self.judges,
            tools=() if row is None else tuple(self._tools(cell, row)),
        )

    def _tools(self, cell: Sequence[Judging], row: RunProject) -> Iterator[ReadWithTools]:
        for one in cell:
            turns = self._talks.get((row.arm, row.item, one.repeat))
            if turns:
                places = [place for turn in turns for place in turn.read]
                yield ReadWithTools(
                    repeat=one.repeat,
                    judge=one.judge,
                    turns=len(turns),
                    calls=sum(len(turn.answers) for turn in turns),
                    lines=lines_read(places, row.partly),
                )

    def _marks(self, cell: Sequence[Judging]) -> tuple[ProjectMark, ...]:
        out = []
        for place, criterion in enumerate(self.rubric.criteria):
            marks = [(one.judge, one.tally.marks[place].mark) for one in cell]
            given = [mark for _, mark in marks if mark is not None]
            out.append(
                ProjectMark(
                    criterion=criterion.id,
                    maximum=criterion.weight,
                    mean=mean_of_judges(marks, self.judges),
                    low=min(given, default=None),
                    high=max(given, default=None),
                    blocked=len(marks) - len(given),
                )
            )
        return tuple(out)

    def _faults(self, cell: Sequence[Judging]) -> list[Fault]:
        """Entries in the order of the rubric; those that cost most come first in a criterion."""
        groups: dict[tuple[str, str], list[tuple[int, Checked]]] = {}
        for one in cell:
            for checked in one.tally.finds:
                key = (checked.finding.criterion, checked.finding.entry)
                groups.setdefault(key, []).append((one.repeat, checked))
        rules = self.rubric.deductions
        whens = {
            (c.id, entry.id): entry.when for c in (rules.criteria if rules else ()) for entry in
            c.entries
        }  # fmt: skip
        costs = _costs(cell)
        made = [
            Fault(
                criterion=key[0],
                entry=key[1],
                when=" ".join(whens.get(key, "").split()),
                points=costs.get(key, 0.0),
                judgings=tuple(sorted({n for n, c in found if c.standing is Standing.SUPPORTED})),
                finds=same_finds(found),
            )
            for key, found in groups.items()
        ]
        places = {c.id: at for at, c in enumerate(self.rubric.criteria)}
        return sorted(
            made, key=lambda f: (places[f.criterion], -f.points, not f.supported, f.entry)
        )


def _number(value: float | None) -> float:
    return np.nan if value is None else value


def panel_of_audits(found: Sequence[tuple[str, int, Audits]]) -> Audits:
    """The audits of several judges as those of a panel.

    Args:
        found: Name of each judge, how many judgings of a project it was to make, and its own.
    """
    first = found[0][2]
    judgings: list[Judging] = []
    turns: list[TurnRow] = []
    before = 0
    for judge, planned, own in found:
        judgings += [
            replace(one, judge=judge, repeat=before + one.repeat)
            for cell in own.cells.values()
            for one in cell
        ]
        turns += [replace(row, repeat=before + row.repeat) for row in own.turns]
        before += max(planned, own.repeats)
    names = tuple(judge for judge, _, _ in found)
    return Audits(first.rubric, judgings, first.rows, first.facts, judges=names, turns=turns)


def _costs(cell: Sequence[Judging]) -> dict[tuple[str, str], float]:
    """Mean points that each entry cost over the judgings, those of each judge weighing alike."""
    own = Counter(one.judge for one in cell)
    out: dict[tuple[str, str], float] = {}
    for one in cell:
        weight = 1 / (own[one.judge] * len(own))
        for mark in one.tally.marks:
            for charge in mark.charges:
                key = (mark.criterion, charge.entry)
                out[key] = out.get(key, 0.0) + charge.points * weight
    return out


def same_finds(found: Sequence[tuple[int, Checked]]) -> tuple[Find, ...]:
    """Finds of one entry, those of one place and standing as one."""
    groups: list[list[tuple[int, Checked]]] = []
    for one in found:
        same = next((group for group in groups if _is_same(group, one[1])), None)
        if same is None:
            groups.append([one])
        else:
            same.append(one)
    made = [_find(group) for group in groups]
    rank = list(Standing)
    return tuple(sorted(made, key=lambda f: (rank.index(f.standing), -len(f.judgings))))


def _is_same(group: Sequence[tuple[int, Checked]], other: Checked) -> bool:
    """Whether a find is of the place that others are of."""
    first = group[0][1]
    if first.standing is not other.standing:
        return False
    if first.finding.evidence is not other.finding.evidence:
        return False
    if first.finding.evidence is Evidence.ABSENT:
        # What is missing is missing everywhere; outside the catalogue it may be anything.
        return first.finding.entry != OTHER or _searched(first) == _searched(other)
    return any(_meet(one, other) for _, one in group)


def _searched(one: Checked) -> frozenset[str]:
    return frozenset(text.casefold() for text in (*one.finding.patterns, *one.finding.paths))


def _meet(one: Checked, other: Checked) -> bool:
    if one.first is None or other.first is None:
        mine, its = one.finding, other.finding
        return (mine.path, mine.first, mine.excerpt) == (its.path, its.first, its.excerpt)
    if one.path != other.path:
        return False
    return one.first <= (other.last or other.first) and other.first <= (one.last or one.first)


def _find(group: Sequence[tuple[int, Checked]]) -> Find:
    first = group[0][1]
    said = first.finding
    placed = first.first is not None
    return Find(
        evidence=said.evidence,
        standing=first.standing,
        judgings=tuple(sorted({n for n, _ in group})),
        path=first.path or said.path,
        first=first.first if placed else said.first,
        last=first.last if placed else said.last,
        excerpt=said.excerpt,
        why=said.why,
        note=first.note,
        patterns=said.patterns,
        paths=said.paths,
        by=said.by,
        placed=placed,
    )


def read_of(row: RunProject) -> ReadProject:
    """What was read and shown of a project, as it is stored."""
    return ReadProject(**{one.name: getattr(row, one.name) for one in fields(ReadProject)})
