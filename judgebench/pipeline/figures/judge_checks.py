"""What is known of the judge itself: its marks, quotes and length, its family, its drift."""

from collections.abc import Sequence
from typing import Any

from judgebench.blind.names import are_kin, model_name
from judgebench.judges.envelope import same_model
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.model.result import JudgeChecks, ModalMark
from judgebench.pipeline.figures.gather import Again, read_again, read_lengths
from judgebench.pipeline.figures.marked import Marks
from judgebench.pipeline.setting.facts import MARKS, RunFacts
from judgebench.records import dataclass
from judgebench.stats import checks, drift
from judgebench.store.passes import PassRow
from judgebench.store.store import Store


@dataclass(frozen=True, kw_only=True)
class Checking:
    """One pass, or a panel of them, on its way to the checks of its judges.

    Args:
        store: The open store.
        facts: The run as it was declared.
        rows: The pass; several are a panel.
        marks: Marks that count.
        step: Lattice of the marks.
    """

    store: Store
    facts: RunFacts
    rows: Sequence[PassRow]
    marks: Marks
    step: float

    def checks(self) -> JudgeChecks:
        """All of them."""
        found = [self.store.records("checks", pass_id=row.judging.id)[0] for row in self.rows]
        counted = self.marks.rubric.deductions is not None
        plain = len(found) == 1 and not self.marks.compared and not counted
        alone = found[0] if plain else {}
        cells = self.marks.cells
        lengths = read_lengths(self.store, self.rows[0].judging.run, cells.shape)
        others = [
            model
            for row, checked in zip(self.rows, found, strict=True)
            for model in checked["answered_by"] or []
            if model and not same_model(row.judging.judge_model, model)
        ]
        again = (
            None
            if len(self.rows) > 1
            else read_again(self.store, self.rows[0].judging, shape=self.marks.cells.shape)
        )
        # Of a comparison both sides have a row: counts are of verdicts, and a most frequent
        # mark says nothing, for each win is another's loss.
        sides = 2 if self.marks.compared else 1
        bare = self.facts.form == MARKS
        modal = (alone.get("modal_mark"), alone.get("modal_share"))
        return JudgeChecks(
            marks=sum(one["marks"] for one in found) // sides,
            modal_mark=_no_modal(found) if modal[0] is None else modal[0],
            modal_share=_no_modal(found) if modal[1] is None else modal[1],
            length_baseline=_no_outputs() if bare else checks.length_baseline(cells, lengths),
            quotes=None if bare else sum(one["quotes"] for one in found) // sides,
            quotes_found=None if bare else sum(one["quotes_found"] for one in found) // sides,
            marks_unsupported=None if bare else sum(one["unsupported"] for one in found) // sides,
            wrong_model=", ".join(others) or None,
            same_family=same_family(self.rows, self.facts),
            drift=self._shift(again),
            drift_points=drift.points(again.first, again.again) if again else None,
            drift_cells=again.cells if again else 0,
            modal_marks=self._modal_marks(found),
        )

    def _modal_marks(self, found: Sequence[dict[str, Any]]) -> tuple[ModalMark, ...]:
        """Of each judge: in a panel the marks of one that tells nothing hide among the others."""
        if len(self.rows) == 1 or self.marks.compared is not None:
            return ()
        return tuple(
            ModalMark(
                judge=row.judging.judge_name,
                mark=one["modal_mark"],
                share=one["modal_share"],
                marks=one["marks"],
            )
            for row, one in zip(self.rows, found, strict=True)
            if one["marks"]
        )

    def _shift(self, again: Again | None) -> Estimate | Refusal | None:
        if again is None:
            return None
        return drift.shift(again.first, again.again, again.reps, step=self.step)


def _no_modal(found: Sequence[dict[str, Any]]) -> Refusal:
    """Why no one mark is the most frequent: none was given, or not by one judge in points."""
    given = sum(one["marks"] for one in found)
    code = RefusalCode.NOT_IDENTIFIED if given else RefusalCode.NOTHING_SCORED
    return Refusal(statistic="modal_mark", code=code.value, have=0, need=1)


def _no_outputs() -> Refusal:
    """Of marks alone there is no answer to look at."""
    return Refusal(
        statistic="length_baseline", code=RefusalCode.NO_OUTPUTS.value, have=0, need=1
    )  # fmt: skip


def same_family(rows: Sequence[PassRow], facts: RunFacts) -> tuple[str, ...]:
    """Arms whose model is of the family of a judge."""
    judges = [row.judging.judge_model for row in rows]
    alone = any(row.facts().marks_only for row in rows)
    return tuple(
        arm.id
        for arm in facts.arms
        if any(are_kin(judge, model_name(arm, alone=alone), arm.provider) for judge in judges)
    )
