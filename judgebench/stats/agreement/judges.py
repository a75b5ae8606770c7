"""How many independent judges a panel is worth."""

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.model.reasons import RefusalCode
from judgebench.stats.agreement.shared import no_variation
from judgebench.stats.arrays import TIE, FloatArray

_MIN_LABELS = 30


def effective_judges(errors: FloatArray) -> Estimate | Refusal:
    """How many independent judges a panel is worth: J / (1 + (J − 1) ρ̄).

    Args:
        errors: Shape (U, J), each judge's mark minus the human mark of the unit, NaN
            where either lacks. Correlated *marks* say nothing: all judges see the same
            answers; only correlated errors make them one voice.

    Returns:
        Between 1 and J (``n`` counts the units that all judges marked). `Refusal` with
        ``no_human_labels`` below 30 such units, ``too_few_judges`` below two judges,
        ``no_variation`` where a judge's errors are all equal.

    Raises:
        ValueError: `errors` is not two-dimensional.

    Source:
        Kish (1965), the design effect, on errors of judges.
    """
    if errors.ndim != 2:  # noqa: PLR2004 - two axes
        raise ValueError(f"errors must have shape (U, J), got {errors.shape}")
    whole = errors[np.isfinite(errors).all(axis=1)]
    n, j = whole.shape
    for have, need, code in (
        (j, 2, RefusalCode.TOO_FEW_JUDGES),
        (n, _MIN_LABELS, RefusalCode.NO_HUMAN_LABELS),
    ):
        if have < need:
            return Refusal(statistic="effective_judges", code=code.value, have=have, need=need)
    if float(np.ptp(whole, axis=0).min()) <= TIE:
        return no_variation("effective_judges")
    rho = np.asarray(np.corrcoef(whole, rowvar=False))[np.triu_indices(j, 1)].mean()
    return Estimate(value=float(j / (1 + (j - 1) * max(0.0, float(rho)))), n=n)
