"""Agreement between raters who marked the same units.

Input is one array of shape (U, J): a row a unit (a cell, or a cell and
criterion), a column a rater, marks in scale points, NaN where a rater gave none.
α answers "can the raters tell these answers apart", the exact share answers "do
they give the same mark"; neither stands alone, so both are here.
"""

from judgebench.stats.agreement.close import closeness
from judgebench.stats.agreement.judges import effective_judges
from judgebench.stats.agreement.kappa import Weights, cohen_kappa, fleiss_kappa, quadratic_kappa
from judgebench.stats.agreement.krippendorff import ORDINAL_SPAN, alpha, metric_of
from judgebench.stats.agreement.leaving import Metric
from judgebench.stats.agreement.limits import Limits, limits_of_agreement

__all__ = [
    "ORDINAL_SPAN",
    "Limits",
    "Metric",
    "Weights",
    "alpha",
    "closeness",
    "cohen_kappa",
    "effective_judges",
    "fleiss_kappa",
    "limits_of_agreement",
    "metric_of",
    "quadratic_kappa",
]
