"""What the data can carry: one function that every printer asks.

Knows counts only; it never sees a mark.
"""

from judgebench.model import DataLevel

_E5_ITEMS = 30
_E4_ITEMS = 6
_E3_ITEMS = 3

# statistic -> the lowest level at which it may be printed.
_FROM: dict[str, DataLevel] = {
    "score": DataLevel.E0,
    "quote": DataLevel.E0,
    "tier_of_total": DataLevel.E0,
    "rescoring": DataLevel.E1,
    "items_side_by_side": DataLevel.E2,
    "paired_difference": DataLevel.E3,
    "possible_best": DataLevel.E3,
    "rank_interval": DataLevel.E3,
    "observed_rank": DataLevel.E3,
    "arm_mean_interval": DataLevel.E3,
    "detectable": DataLevel.E3,
    "tier_of_arm": DataLevel.E3,
    "sign_flip": DataLevel.E4,
    "median_interval": DataLevel.E4,
    "mean_t": DataLevel.E5,
}


def data_level(*, items: int, repeats: int = 1, judges: int = 1) -> DataLevel:
    """Level of a run.

    Args:
        items: Items scored for the arms compared.
        repeats: Judgings of a cell by one judge.
        judges: Judges.

    Returns:
        E0 or E1 at one item or none, E2 at two, E3 at 3–5, E4 at 6–29, E5 from 30.
    """
    if items >= _E5_ITEMS:
        return DataLevel.E5
    if items >= _E4_ITEMS:
        return DataLevel.E4
    if items >= _E3_ITEMS:
        return DataLevel.E3
    if items > 1:
        return DataLevel.E2
    return DataLevel.E1 if repeats > 1 or judges > 1 else DataLevel.E0


def allows(level: DataLevel, statistic: str) -> bool:
    """Say whether a statistic may be printed at this level.

    Raises:
        KeyError: the statistic is not in the table.
    """
    return level >= _FROM[statistic]
