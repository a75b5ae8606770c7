"""Arms that stand in a place and yet lie below one that does not.

What an arm without a place lacks may turn a pair, so its pairs are never called separated,
and the set of possible best keeps who lies below it. On the answers that both have such an
arm is told apart all the same: it is not to be named as the one that may be best.
"""

from collections.abc import Sequence

from judgebench.model.nouns import Estimate
from judgebench.stats.pairs import PairTable


def outshone(table: PairTable, placed: Sequence[bool], *, taken: bool) -> frozenset[int]:
    """Placed arms that the answers there are put below an arm without a place.

    Args:
        table: All pairs by the answers that both arms have, whatever blocked ones could turn.
        placed: By arm, whether it stands in a place.
        taken: The ends of the scale were read off the marks: no worst case says whether what
            an arm lacks could turn a pair. On a scale that was named it does, and an arm that
            it leaves open is named, unless it is the only one that is placed.
    """
    if not taken and sum(placed[arm] for arm in table.arms) > 1:
        return frozenset()
    below = set()
    for pair in table.pairs:
        if not pair.separated or not isinstance(pair.difference, Estimate):
            continue
        high, low = pair.first, pair.second
        if pair.difference.value < 0:
            high, low = low, high
        if placed[low] and not placed[high]:
            below.add(low)
    return frozenset(below)
