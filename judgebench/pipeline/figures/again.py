"""How far judgings of one answer differ: the judge against itself."""

from judgebench.model.extended import Again, RepeatExtra
from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.pipeline.figures.marked import Marks
from judgebench.stats import checks, repeatability
from judgebench.stats.arrays import FloatArray, item_codes


def again(marks: Marks, step: float) -> Again:
    """What every report says of it.

    Args:
        marks: With those that were judged for the noise only.
        step: Lattice of the marks.
    """
    return Again(total=total_again(marks, step), swap_share=swaps(marks))


def total_again(marks: Marks, step: float, *, by_people: bool = False) -> RepeatExtra:
    """How far totals of one answer differ, as `repeat_row`."""
    return repeat_row(None, marks.verdicts[0], marks.total_step(step), by_people=by_people)


def swaps(marks: Marks, *, by_people: bool = False) -> Estimate | Refusal:
    """Share of pairs of arms on one item that come out the other way when scored again."""
    if by_people:
        return _of_people("swap_share")
    return repeatability.swap_share(marks.verdicts[0][:, :, None, :])


def _of_people(statistic: str) -> Refusal:
    return Refusal(
        statistic=statistic, code=RefusalCode.NOT_IDENTIFIED.value, have=0, need=1,
        how="judge agree --extended tells it of each person",
    )  # fmt: skip


def repeat_row(
    criterion: str | None, scores: FloatArray, step: float, *, by_people: bool = False
) -> RepeatExtra:
    """How far judgings of one cell differ.

    Args:
        criterion: What was marked; None for totals.
        scores: Shape (A, I, R), scale points.
        step: Lattice of the marks.
        by_people: Each repeat of a cell is another person: nothing is refound.
    """
    found = (
        _of_people("repeatability")
        if by_people
        else repeatability.rescoring_sd(scores, step=step, items=item_codes(scores))
    )
    modal = None if criterion is None else checks.modal_share(scores)
    return RepeatExtra(
        criterion=criterion,
        sd=found if isinstance(found, Refusal) else found.sd,
        limit=None if isinstance(found, Refusal) else found.limit,
        exact_share=None if isinstance(found, Refusal) else found.exact_share,
        floored=not isinstance(found, Refusal) and found.floored,
        modal_mark=modal.mark if isinstance(modal, checks.Modal) else None,
        modal_share=modal.share if isinstance(modal, checks.Modal) else None,
    )
