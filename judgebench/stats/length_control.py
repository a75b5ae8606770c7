"""Strengths out of comparisons, with the length of the two answers held equal in the fit.

Print them beside the strengths without: what is controlled is association. A longer
answer may have won for its length, or be longer because there was more to say.
"""

from dataclasses import replace

import numpy as np

from judgebench.model.nouns import Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.stats.arrays import FloatArray, IntArray
from judgebench.stats.bias import LEAST_SPREAD
from judgebench.stats.pairwise import Comparisons, Strengths, bradley_terry

_NAME = "length_control"


def length_controlled(
    data: Comparisons,
    lengths: FloatArray,
    *,
    reference: int = 0,
    order: bool = True,
    level: float = 0.95,
    clusters: IntArray | None = None,
) -> Strengths | Refusal:
    """Bradley–Terry strengths at equal length, and log odds for a doubling of the length.

    The covariate is log2 of the characters of the answer seen first minus that of the other.

    Args:
        data: The comparisons; items are the second axis of `lengths`.
        lengths: Shape (A, I), characters, NaN where unknown.
        reference: Arm with strength 0.
        order: Fit the term for the first place.
        level: Confidence.
        clusters: Shape (I,), the cluster of each item; None where items are independent.

    Returns:
        Strengths; the only covariate is log odds a doubling. `Refusal` with
        ``not_identified`` where the length of a compared answer is unknown or, beside the
        arms, lengths hardly differ between items: then length is another name for the arm;
        ``too_few_items`` or ``too_few_clusters`` below ten, and else as `pairwise.bradley_terry`.

    Raises:
        ValueError: As `pairwise.bradley_terry`, or an item or arm lies off `lengths`.

    Source:
        Dubois et al. (2024), arXiv 2404.04475, for the question; the model is Bradley &
        Terry (1952) with Davidson's (1970) ties.
    """
    arms, items = lengths.shape
    if data.n_arms != arms or (
        data.item.size and not 0 <= data.item.min() <= data.item.max() < items
    ):
        raise ValueError(f"lengths of shape {lengths.shape} for {data.n_arms} arms")
    logs = np.log2(np.where(lengths >= 1, lengths, np.nan))
    gap = logs[data.first, data.item] - logs[data.second, data.item]
    if (known := int(np.isfinite(gap).sum())) < gap.size:
        return Refusal(
            statistic=_NAME, code=RefusalCode.NOT_IDENTIFIED.value, have=known, need=gap.size,
            how="the length of the answers is not on record",
        )  # fmt: skip
    made = bradley_terry(
        data,
        reference=reference,
        order=order,
        covariates=gap[:, None],
        level=level,
        clusters=clusters,
    )
    # Whether length can be told from the arms is asked of those that are linked at all.
    spread = _spread(data, gap)
    if spread < LEAST_SPREAD and not (isinstance(made, Refusal) and made.code in _FIRST):
        return Refusal(
            statistic=_NAME, code=RefusalCode.NOT_IDENTIFIED.value,
            have=round(spread, 9), need=LEAST_SPREAD,
            how="beside the arms, lengths hardly differ between items",
        )  # fmt: skip
    if isinstance(made, Refusal):
        return replace(made, statistic=_NAME)
    length = made.covariates[0]
    if isinstance(length, Refusal):
        return replace(made, covariates=(replace(length, statistic=_NAME),))
    return made


_FIRST = {
    RefusalCode.TOO_FEW_ARMS.value,
    RefusalCode.TOO_FEW_ITEMS.value,
    RefusalCode.TOO_FEW_CLUSTERS.value,
    RefusalCode.DISCONNECTED.value,
    RefusalCode.ORDER_NOT_RECORDED.value,
}
"""What is wanting whatever the lengths are."""


def _spread(data: Comparisons, gap: FloatArray) -> float:
    """Standard deviation of the differences in log2 length beside those of the arms."""
    if not gap.size:
        return 0.0
    eye = np.eye(data.n_arms)
    x = eye[data.first] - eye[data.second]
    fitted = x @ np.linalg.lstsq(x, gap, rcond=None)[0]
    return float(np.sqrt(np.mean((gap - fitted) ** 2)))
