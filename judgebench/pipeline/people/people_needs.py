"""What to get next, of all that figures beside people lack."""

from collections.abc import Sequence

from judgebench.model.nouns import Refusal
from judgebench.model.people import Axis, Labels, Preferences
from judgebench.model.reasons import RefusalCode
from judgebench.stats import ceiling

_FIRST_NEEDS = (
    RefusalCode.NO_HUMAN_LABELS,
    RefusalCode.TUNED_ON_THESE_LABELS,
    RefusalCode.RATERS_NOT_IDENTIFIED,
    RefusalCode.SINGLE_ANNOTATOR,
    RefusalCode.TOO_FEW_ITEMS,
    RefusalCode.LABELS_NOT_RANDOM,
)


def first_need(
    labels: Labels, axes: Sequence[Axis], preferences: Preferences | None
) -> Refusal | None:
    """The first thing to get, of all that is refused."""
    if not labels.items:
        return Refusal(
            statistic="people", code=RefusalCode.NO_HUMAN_LABELS.value, have=0, need=1,
            how="judge sample draws items to mark",
        )  # fmt: skip
    found: list[Refusal] = []
    for axis in axes:
        figures = (axis.alt_test, axis.beside, *(arm.figure for arm in axis.arms))
        found += [figure for figure in figures if isinstance(figure, Refusal)]
    if preferences is not None and isinstance(preferences.alt_test, Refusal):
        found.append(preferences.alt_test)
    order: dict[str, float] = {code.value: place for place, code in enumerate(_FIRST_NEEDS)}
    if any(axis.counted.people >= ceiling.LEAST_PEOPLE for axis in axes):
        # A second person is there: what one criterion lacks is more items of theirs.
        order[RefusalCode.SINGLE_ANNOTATOR.value] = order[RefusalCode.TOO_FEW_ITEMS.value] + 0.5
    return min(found, key=lambda one: order.get(one.code, len(order)), default=None)
