"""Agreement of people among themselves, before any judge is held against them."""

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.records import dataclass
from judgebench.stats import agreement, ceiling, icc
from judgebench.stats.arrays import TIE, FloatArray
from judgebench.stats.levels import too_few_items


@dataclass(frozen=True, kw_only=True, slots=True)
class PeopleAgreement:
    """Agreement of people among themselves."""

    alpha: Estimate | Refusal
    one: Estimate | Refusal
    one_mean: Estimate | Refusal
    absolute: Estimate | Refusal


def people_agreement(people: FloatArray, *, identified: bool, span: float) -> PeopleAgreement:
    """α, ICC(1,1), ICC(1,k) and ICC(A,1), or why there is none.

    Args:
        people: Shape (A, I, P), scale points, NaN where a person gave none.
        identified: Each place along P is one person throughout.
        span: Points from the lowest mark of the scale to the highest.
    """
    persons = np.isfinite(people).any(axis=(0, 1))
    refused: Refusal | None = None
    if persons.sum() < ceiling.LEAST_PEOPLE:
        refused = Refusal(
            statistic="people", code=RefusalCode.SINGLE_ANNOTATOR.value, have=int(persons.sum()),
            need=ceiling.LEAST_PEOPLE,
        )  # fmt: skip
    elif np.ptp(people[np.isfinite(people)]) <= TIE:
        refused = Refusal(statistic="people", code=RefusalCode.NO_VARIATION.value, have=1, need=2)
    if refused is not None:
        return PeopleAgreement(alpha=refused, one=refused, one_mean=refused, absolute=refused)
    flat = people[:, :, persons].reshape(-1, int(persons.sum()))
    items = np.broadcast_to(np.arange(people.shape[1]), people.shape[:2]).ravel()
    # Cells of one item hang together: it is items that carry the figures, as in `judge agree`.
    marks = np.isfinite(flat).sum(axis=1)
    paired = int(np.unique(items[marks > 1]).size)
    whole = int(np.unique(items[marks == flat.shape[1]]).size)
    alpha = too_few_items("alpha", paired) or agreement.alpha(
        flat, metric=agreement.metric_of(span), items=items
    )
    found = too_few_items("icc", whole) or icc.icc(flat, identified=identified)
    if isinstance(found, Refusal):
        return PeopleAgreement(alpha=alpha, one=found, one_mean=found, absolute=found)
    return PeopleAgreement(
        alpha=alpha, one=found.one, one_mean=found.one_mean, absolute=found.absolute
    )  # fmt: skip
