"""What one turn of tuning shows: answers on which judge and people differ, or two versions.

Only items of one split are looked at, and each look is noted.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from judgebench.model.nouns import Quote
from judgebench.model.people import TOTAL
from judgebench.model.rubric import Rubric
from judgebench.model.tuning import (
    LabelSplit,
    TuneGroup,
    TuneMark,
    Tuning,
    VersionFacts,
    VersionRow,
)
from judgebench.pipeline.figures.analysis import Analysis
from judgebench.pipeline.figures.marked import people_totals
from judgebench.pipeline.figures.stored_pass import people_pass, read_analysis
from judgebench.pipeline.people.people_marks import PeopleMarks, arm_labels, read_people
from judgebench.pipeline.people.splitting import REPORT, TUNE, looks_at, note_look
from judgebench.pipeline.setting.scene import World
from judgebench.records import dataclass
from judgebench.rubrics.diff import renamed
from judgebench.runs.importers.human_sheet import OVERALL
from judgebench.stats import human, versions
from judgebench.stats.arrays import TIE, FloatArray
from judgebench.store.passes import PassRow
from judgebench.store.people import TuneLookRow
from judgebench.store.store import Store


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """What of it the user wants to see."""

    top: int
    """Answers in each group."""
    reveal: bool
    """Names of the arms too."""
    report: bool
    """The report split, instead of the items for tuning."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Base:
    """The pass that versions are held against, as it stands before anything is sent."""

    key: str
    row: PassRow
    split: LabelSplit | None
    """None in a dry run."""
    tune: frozenset[str]


class Turn:
    """One run's labels beside one pass, or two."""

    def __init__(self, store: Store, base: Base, wanted: Wanted, world: World) -> None:
        self.store, self.base, self.wanted, self.world = store, base, wanted, world
        self.analysis = read_analysis(store, base.key, pass_id=base.row.judging.id)
        self.items = [name for (name,) in store.rows("items", run=base.key)]
        self.looked_at = REPORT if wanted.report else TUNE
        report = frozenset(self.items) - base.tune
        self.outside = base.tune if self.looked_at == REPORT else report
        self.left = np.array([name in self.outside for name in self.items], dtype=bool)
        self.people = self._people()
        scale = self.analysis.rubric.scale
        self.span = scale.high - scale.low
        self.near = self.span / 9

    def _people(self) -> PeopleMarks:
        row = people_pass(self.store, self.base.key)
        if row is None:
            raise TypeError("people were there when the base was chosen")
        return read_people(
            self.store, row.judging.id, arms=self.analysis.ids, items=self.items,
            criteria=[criterion.id for criterion in self.analysis.rubric.criteria],
            left_out=self.outside,
        )  # fmt: skip

    def _of(self, marks: FloatArray) -> FloatArray:
        """A judge's marks on the items that are looked at, shape (A, I)."""
        return np.asarray(np.where(self.left[None, :], np.nan, marks))

    # ---- differences

    def differences(self) -> Tuning:
        """Where judge and people differ most, by criterion and direction."""
        criteria = self.analysis.rubric.criteria
        groups = [
            group
            for at, one in enumerate(criteria)
            for group in self._groups(at, one.id, one.text, self.analysis.marks.criteria[:, :, at])
        ]
        groups += self._groups(len(criteria), OVERALL, "", self.analysis.cells)
        self._note(self.base.row, "answers", None)
        return self._tuning(groups=tuple(groups))

    def _groups(self, at: int, name: str, text: str, marks: FloatArray) -> Iterator[TuneGroup]:
        """Both directions of one criterion, or of marks for the answer as a whole."""
        means, _ = human.people_cells(self.people.marks[:, :, at])
        judge = self._of(marks)
        gap = judge - means
        for higher in (True, False):
            far = gap >= self.near - TIE if higher else gap <= TIE - self.near
            places = [(int(a), int(i)) for a, i in zip(*np.nonzero(far), strict=True)]
            if not places:
                continue
            places.sort(key=lambda place: (-abs(float(gap[place])), self.items[place[1]], place[0]))
            shown = places[: self.wanted.top]
            words = self._words(shown, name, judge)
            yield TuneGroup(
                criterion=name,
                text=text,
                higher=higher,
                cells=len(places),
                of=int(np.isfinite(gap).sum()),
                mean_gap=float(gap[far].mean()),
                shown=tuple(
                    self._mark(place, at, words.get(place, {}), judge, means) for place in shown
                ),
            )

    def _mark(
        self, place: tuple[int, int], at: int, words: Mapping[str, Any], judge: FloatArray,
        means: FloatArray,
    ) -> TuneMark:  # fmt: skip
        arm, item = self.analysis.ids[place[0]], self.items[place[1]]
        given = self.people.marks[place[0], place[1], at]
        return TuneMark(
            item=item,
            arm=arm if self.wanted.reveal else None,
            label=arm_labels(self.base.key, item, self.analysis.ids)[arm],
            people=tuple(
                (who, float(mark))
                for who, mark in zip(self.people.raters, given.tolist(), strict=True)
                if np.isfinite(mark)
            ),
            people_mean=float(means[place]),
            judge=float(judge[place]),
            gap=float(judge[place] - means[place]),
            rationale=words.get("rationale", "") or "",
            unsupported=bool(words.get("unsupported", False)),
            quotes=tuple(words.get("quotes", ())),
        )

    def _words(
        self, places: Sequence[tuple[int, int]], criterion: str, judge: FloatArray
    ) -> dict[tuple[int, int], dict[str, Any]]:
        """Rationale and quotes of the judging that lies nearest to the cell's mark."""
        at = {
            (self.analysis.ids[arm], self.items[item]): (arm, item) for arm, item in places
        }  # fmt: skip
        found = self.store.records(
            "exhibit_marks", pass_id=self.base.row.judging.id, arms=[arm for arm, _ in at],
            items=[item for _, item in at],
        )  # fmt: skip
        rows = [row for row in found if row["criterion"] == criterion and row["mark"] is not None]
        out: dict[tuple[int, int], dict[str, Any]] = {}
        for cell, place in at.items():
            own = [row for row in rows if (row["arm"], row["item"]) == cell]
            if not own:
                continue
            wanted = float(judge[place])
            key = min(own, key=lambda row: abs(row["mark"] - wanted))["key"]
            said = [row for row in own if row["key"] == key]
            quotes = [
                Quote(text=row["text"], source=row["source"], start=row["start_offset"],
                      end=row["end_offset"])
                for row in said if row["text"] is not None
            ]  # fmt: skip
            out[place] = {**said[0], "quotes": quotes}
        return out

    # ---- versions

    def compared(self, pass_id: str, *, rubric: Rubric | None = None) -> Tuning:
        """The version beside the base, criterion by criterion.

        Args:
            pass_id: Pass of the version; the base's own where only sums differ.
            rubric: The version, where no pass has its sums.
        """
        after = read_analysis(self.store, self.base.key, pass_id=pass_id, rubric=rubric)
        rows = tuple(self._rows(after))
        self._note(after.shown, "versions", after)
        return self._tuning(rows=rows, after=after, sums_only=rubric is not None)

    def _rows(self, after: Analysis) -> Iterator[VersionRow]:
        old, new = self.analysis.rubric, after.rubric
        names = {b: a for a, b in renamed(old, new)}
        known = {criterion.id: at for at, criterion in enumerate(old.criteria)}
        for at, criterion in enumerate(new.criteria):
            was = names.get(criterion.id, criterion.id)
            if was in known and np.isfinite(self.people.marks[:, :, known[was]]).any():
                yield self._row(
                    criterion.id, was, self.people.marks[:, :, known[was]],
                    self._of(self.analysis.marks.criteria[:, :, known[was]]),
                    self._of(after.marks.criteria[:, :, at]),
                )  # fmt: skip
        yield from self._total(after, [names.get(one.id, one.id) for one in new.criteria], known)
        overall = self.people.marks[:, :, -1]
        if np.isfinite(overall).any():
            yield self._row(
                OVERALL, OVERALL, overall, self._of(self.analysis.cells), self._of(after.cells)
            )

    def _total(
        self, after: Analysis, was: Sequence[str], known: Mapping[str, int]
    ) -> Iterator[VersionRow]:
        """The weighted total: each version, with its own sums, against people's marks so summed."""
        given = self.people.marks[:, :, :-1]
        missing = np.full_like(given[:, :, 0], np.nan)
        again = [given[:, :, known[name]] if name in known else missing for name in was]
        before = people_totals(self.analysis.marks, given)
        if len(again) > 1 and np.isfinite(before).any():
            later = people_totals(after.marks, np.stack(again, axis=2))
            both = np.isfinite(before) & np.isfinite(later)
            yield self._row(
                TOTAL, TOTAL, np.where(both, before, np.nan), self._of(self.analysis.cells),
                self._of(after.cells), later=np.where(both, later, np.nan),
            )  # fmt: skip

    def _row(
        self, name: str, was: str, people: FloatArray, before: FloatArray, after: FloatArray,
        *, later: FloatArray | None = None,
    ) -> VersionRow:  # fmt: skip
        both = (np.isfinite(before) & np.isfinite(after))[:, :, None]
        shared = np.where(both, people, np.nan)
        shared_later = shared if later is None else np.where(both, later, np.nan)
        return VersionRow(
            criterion=name,
            was=was,
            before=versions.fit(shared, before, within=self.near, span=self.span),
            after=versions.fit(shared_later, after, within=self.near, span=self.span),
            change=versions.change(shared, before, after, later=shared_later),
            answers=int(np.isfinite(shared).any(axis=2).sum()),
        )

    # ---- what is noted

    def _labels(self) -> int:
        return int(np.isfinite(self.people.marks).sum())

    def _note(self, row: PassRow, what: str, after: Analysis | None) -> None:
        judging = row.judging
        with self.store.together():
            self.store.put_tune_look(
                TuneLookRow(
                    run=self.base.key,
                    what=REPORT if self.looked_at == REPORT else what,
                    split=self.looked_at,
                    base_pass=self.base.row.judging.id,
                    pass_id=None if after is None else judging.id,
                    rubric_name=judging.rubric_name,
                    ask_sha256=judging.ask_sha256,
                    sum_sha256=after.rubric.sum_sha256 if after else row.sum_sha256,
                    labels=self._labels(),
                    shown_at=self.world.now().isoformat(timespec="seconds"),
                )
            )
            for one in {one.judging.id: one for one in (self.base.row, row)}.values():
                note_look(
                    self.store, one, split=self.looked_at, labels=self._labels(), world=self.world
                )  # fmt: skip

    def _tuning(
        self, *, groups: tuple[TuneGroup, ...] = (), rows: tuple[VersionRow, ...] = (),
        after: Analysis | None = None, sums_only: bool = False,
    ) -> Tuning:  # fmt: skip
        if self.base.split is None:
            raise TypeError("a dry run shows nothing")
        scale = self.analysis.rubric.scale
        looks = looks_at(self.store, (after or self.analysis).shown)
        report = self.looked_at == REPORT
        tried = {
            (look["ask_sha256"], look["sum_sha256"])
            for look in self.store.records("tune_looks", run=self.base.key)
            if look["what"] == "versions"
        }
        return Tuning(
            run_name=self.base.key,
            split=self.base.split,
            looked_at=self.looked_at,
            base=_facts(self.analysis.shown, self.analysis.rubric),
            version=None if after is None else _facts(after.shown, after.rubric),
            groups=groups,
            rows=rows,
            tried=len(tried),
            look=1 + len(looks.earlier) if report else 0,
            earlier=looks.earlier if report else (),
            sums_only=sums_only,
            scale_low=scale.low,
            scale_high=scale.high,
        )


def _facts(row: PassRow, rubric: Rubric) -> VersionFacts:
    return VersionFacts(
        pass_id=row.judging.id, rubric_name=rubric.name, rubric_version=rubric.version,
        ask_sha256=rubric.ask_sha256, sum_sha256=rubric.sum_sha256,
        judge_name=row.judging.judge_name, replayed=row.judging.route == "replay",
        marks_only=row.facts().marks_only,
    )  # fmt: skip
