"""The pairs of arms on every criterion as one family of tests."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats import pairs
from judgebench.stats.pairs import PairTable

ALPHA = 0.05


def holm_over(tables: Sequence[PairTable]) -> list[PairTable]:
    """The tables with Holm's rule over the pairs of all of them at once.

    Args:
        tables: The pairs of arms on each criterion.

    Source:
        Holm (1979); the intervals are Bonferroni's over as many.
    """
    found = [
        (at, place, pair.difference.p)
        for at, table in enumerate(tables)
        for place, pair in enumerate(table.pairs)
        if isinstance(pair.difference, Estimate) and pair.difference.p is not None
    ]
    family = sum(len(table.pairs) for table in tables)
    # A refused pair has no p and still counts in the family.
    p = np.ones(family)
    p[: len(found)] = [one for _, _, one in found]
    adjusted = {
        (at, place): float(value)
        for (at, place, _), value in zip(found, pairs.holm(p), strict=False)
    }
    return [
        replace(
            table,
            pairs=tuple(
                replace(
                    pair,
                    difference=_jointly(pair.difference, family),
                    p_holm=adjusted.get((at, place)),
                    separated=adjusted[at, place] <= ALPHA if (at, place) in adjusted else None,
                )
                for place, pair in enumerate(table.pairs)
            ),
        )
        for at, table in enumerate(tables)
    ]


def _jointly(found: Estimate | Refusal, family: int) -> Estimate | Refusal:
    """Its level and its p are those of all pairs on all criteria together."""
    every = pairs.jointly(found, family)
    return every if isinstance(every, Refusal) else replace(every, level=1 - ALPHA)
