"""What the data can carry: one table, which every printer asks.

E0 one item judged once · E1 one item, repeats or several judges · E2 two items ·
E3 three to five · E4 six to 29 · E5 30 or more. The item is the unit, or the cluster
where items come in clusters: repeats and judges never lift the level above E1.
"""

from types import MappingProxyType

from judgebench.model.nouns import Refusal
from judgebench.model.passes import DataLevel
from judgebench.model.reasons import RefusalCode

_LEVELS = (
    (DataLevel.E5, 30),
    (DataLevel.E4, 6),
    (DataLevel.E3, 3),
    (DataLevel.E2, 2),
)

LEAST_ITEMS = MappingProxyType(
    {
        # always: arithmetic on what was judged
        "marks": 1,
        "totals": 1,
        "exact_differences": 1,
        "quotes": 1,
        "tier_of_total": 1,
        "answered_rate": 1,
        # two items: side by side, nothing about others
        "items_side_by_side": 2,
        # three items
        "total": 3,
        "difference": 3,
        "rank": 3,
        "observed_rank": 3,
        "best": 3,
        "detectable": 3,
        "items_needed": 3,
        "tier": 3,
        "win_rate": 3,
        "first_share": 3,
        "bias": 3,
        "clustered_mean": 3,
        # five
        "exact_agreement": 5,
        "alpha": 5,
        "quadratic_kappa": 5,
        "cohen_kappa": 5,
        "fleiss_kappa": 5,
        "tau_b": 5,
        "kendall_w": 5,
        "icc": 5,
        "length_baseline": 5,
        "components": 5,
        # six
        "sign_flip": 6,
        "share_difference": 6,
        "best_share": 6,
        "median": 6,
        "bradley_terry": 6,
        "plackett_luce": 6,
        # later
        "bias_probe": 10,
        "limits_of_agreement": 10,
        "alpha_interval": 20,
        "mean_t_interval": 30,
    }
)
"""Items that a statistic needs, by its name; names are those of `Refusal.statistic`."""


def data_level(n_items: int, n_repeats: int, n_judges: int) -> DataLevel:
    """Level of the data behind a comparison.

    Args:
        n_items: Items scored for the arms that are compared, or their clusters.
        n_repeats: Judgings by one judge of one cell, at most.
        n_judges: Judges that gave marks.

    Returns:
        E0 … E5; E0 where nothing was scored.

    Raises:
        ValueError: A count is negative.

    >>> data_level(1, 3, 1).name, data_level(5, 1, 1).name, data_level(30, 1, 2).name
    ('E1', 'E3', 'E5')
    """
    if min(n_items, n_repeats, n_judges) < 0:
        raise ValueError("counts cannot be negative")
    for level, least in _LEVELS:
        if n_items >= least:
            return level
    repeated = n_items == 1 and (n_repeats > 1 or n_judges > 1)
    return DataLevel.E1 if repeated else DataLevel.E0


def too_few_items(statistic: str, have: int, *, clustered: bool = False) -> Refusal | None:
    """Refusal of a statistic for want of items, or None where there are enough.

    Args:
        statistic: A key of `LEAST_ITEMS`.
        have: Items that it would rest on, or clusters of them.
        clustered: Items come in clusters, which are the units then.

    Returns:
        ``too_few_items`` with the number needed, or ``too_few_clusters``, or None.

    Raises:
        ValueError: The statistic is not in the table.

    >>> too_few_items("rank", 2) is None, too_few_items("rank", 3) is None
    (False, True)
    """
    if statistic not in LEAST_ITEMS:
        raise ValueError(f"unknown statistic {statistic!r}")
    need = LEAST_ITEMS[statistic]
    if have >= need:
        return None
    code = RefusalCode.TOO_FEW_CLUSTERS if clustered else RefusalCode.TOO_FEW_ITEMS
    return Refusal(
        statistic=statistic,
        code=code.value,
        have=have,
        need=need,
        how="add clusters, not items of these" if clustered else "add items, not repeats",
    )
