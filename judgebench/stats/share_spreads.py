"""How widely the difference of two arms' shares of comparisons may spread, where nobody knows yet.

Of one comparison in both orders an arm wins 0, ½ or all: ½ is a tie, or a verdict that turned
with the order. An item's share is the mean over its arms − 1 opponents, and of arms that are
alike a comparison has variance (1 − ties)/4. What two arms win differs by their own
comparison, which counts for both, and by those against the K − 2 others. Independent of each
other, these give (1 − ties)·K/(2·(K − 1)²). Where every comparison of an item follows from one
order of its K answers, shares are ranks over K − 1, and two ranks of K differ with variance
K·(K + 1)/6. Arms of unlike worth spread less.
"""

from math import sqrt

TIES = (0.5, 0.25, 0.0)
"""Shares of comparisons that nobody wins: of judges that tie often, and of one that decides."""
_FEWEST = 2


def share_spreads(arms: int) -> tuple[float, ...]:
    """Spreads to assume for the difference of two arms' shares on one item.

    Args:
        arms: Arms that are compared all with all on every item, ≥ 2.

    Returns:
        From small to large: at each of `TIES` with comparisons independent, and decided
        without ties by one order of the item's answers; of two arms the last two are one.

    Raises:
        ValueError: Fewer than two arms are compared.

    Source:
        Variances of sums of independent comparisons, and of uniform ranks; held against
        published comparisons, docs/statistics.md.

    >>> [round(one, 2) for one in share_spreads(6)]
    [0.24, 0.3, 0.35, 0.53]
    >>> [round(one, 2) for one in share_spreads(2)]
    [0.71, 0.87, 1.0]
    """
    if arms < _FEWEST:
        raise ValueError(f"two arms or more are compared, got {arms}")
    found = [sqrt((1 - ties) * arms / 2) / (arms - 1) for ties in TIES]
    if arms > _FEWEST:
        found.append(sqrt(arms * (arms + 1) / 6) / (arms - 1))
    return tuple(found)
