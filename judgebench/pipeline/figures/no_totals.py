"""Why no answer has a total although marks were given: one cause of all that is missing then."""

from collections.abc import Sequence

import numpy as np

from judgebench.model.nouns import Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.pipeline.figures.marked import Marks, OverallMarks, PanelMarks
from judgebench.rubrics.total import needed_for_total
from judgebench.stats.arrays import BoolArray, nan_mean

_NAMED = 3


def no_totals(marks: Marks) -> tuple[Refusal, ...]:
    """The cause, or nothing where an answer has a total or no mark was given."""
    if marks.compared is not None or np.isfinite(marks.cells).any():
        return ()
    if isinstance(marks, PanelMarks):
        return _of_panel(marks)
    if isinstance(marks, OverallMarks):
        have, need = len(marks.marked), len(marks.rubric.criteria)
        code = RefusalCode.NOT_IDENTIFIED
        if have < need:
            return (Refusal(statistic="totals", code=code.value, have=have, need=need),)
    return _of_criteria(marks)


def _of_panel(marks: PanelMarks) -> tuple[Refusal, ...]:
    """Judges with totals that never meet."""
    scored = sum(bool(np.isfinite(one.cells).any()) for one in marks.judges)
    if not scored:
        marked = [int(np.isfinite(one.marks).any(axis=(0, 1, 3)).sum()) for one in marks.judges]
        if not any(marked):
            return ()
        return (
            Refusal(
                statistic="totals", code=RefusalCode.CRITERION_UNMARKED.value, have=max(marked),
                need=len(marks.rubric.criteria), how="no judge marked all of them",
            ),
        )  # fmt: skip
    code = RefusalCode.NO_COMMON_ANSWER.value
    return (Refusal(statistic="panel", code=code, have=0, need=1),)


def _of_criteria(marks: Marks) -> tuple[Refusal, ...]:
    """Marks on some criteria, and on all that a total needs of no answer."""
    there = np.asarray(np.isfinite(marks.marks).any(axis=(0, 1, 3)))
    needed = set(needed_for_total(marks.rubric))
    asked = np.asarray(marks.applies.any(axis=0))
    without = [
        one.id
        for one, marked, applies in zip(
            marks.rubric.criteria, there.tolist(), asked.tolist(), strict=True
        )
        if one.id in needed and applies and not marked
    ]
    if not there.any():
        return ()
    return (
        Refusal(
            statistic="totals", code=RefusalCode.CRITERION_UNMARKED.value,
            have=int(there.sum()), need=len(marks.rubric.criteria), how=_unmarked(without),
        ),
    )  # fmt: skip


def _unmarked(names: Sequence[str]) -> str:
    if not names:
        return "each answer lacks a mark on another one"
    if len(names) == 1:
        return f"criterion {names[0]} is unmarked"
    return f"criteria {_listed(names)} are unmarked"


def _lacking(marks: Marks, there: BoolArray) -> str:
    """Which criteria no answer of an arm is marked on."""
    needed = set(needed_for_total(marks.rubric))
    ids = [one.id for one in marks.rubric.criteria]
    lacks = [name for name, marked in zip(ids, there.tolist(), strict=True) if not marked]
    named = [name for name in lacks if name in needed]
    if not named:
        return "some criterion"
    return _listed(named)


def _listed(names: Sequence[str]) -> str:
    """Some names in a row, and how many more there are."""
    shown = [*names[:_NAMED], *([f"{len(names) - _NAMED} more"] if len(names) > _NAMED else [])]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def without_total(
    marks: Marks, at: int, *, marks_only: bool, blocked: bool, judge_blocked: bool
) -> str:
    """Why no answer of one arm has a total, in a few words.

    Args:
        marks: Marks of the pass.
        at: The arm.
        marks_only: Its marks were given elsewhere.
        blocked: Outputs of it are blocked.
        judge_blocked: Judgments of it are.
    """
    if isinstance(marks, PanelMarks):
        return "none of its answers was scored by every judge"
    there = np.isfinite(nan_mean(marks.criteria[at], axis=0))
    if there.any() and marks.compared is None:
        return f"its answers lack a mark on {_lacking(marks, there)}"
    if judge_blocked:
        return "marks are blank" if marks_only else "judge explain blocked"
    if marks_only:
        return "no marks here"
    return "judge check says why" if blocked else "not judged yet"
