"""The pairs of arms on every criterion as one family of tests."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from judgebench.model.nouns import Estimate, Refusal
from judgebench.stats import pairs
from judgebench.stats.pairs import Pair, PairTable

ALPHA = 0.05


def holm_over(tables: Sequence[PairTable]) -> list[PairTable]:
    """The tables with the rule of the total over the pairs of all of them at once.

    Args:
        tables: The pairs of arms on each criterion.

    Returns:
        Holm's p over all pairs of all tables, max-T's p of a table times their number.

    Source:
        Holm (1979); the intervals are Bonferroni's over as many, as are the p of max-T.
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
                _decided(pair, adjusted.get((at, place)), family, len(tables))
                for place, pair in enumerate(table.pairs)
            ),
        )
        for at, table in enumerate(tables)
    ]


def _decided(pair: Pair, p_holm: float | None, family: int, tables: int) -> Pair:
    flipped = pair.p_max_t
    made = replace(
        pair,
        difference=_jointly(pair.difference, family),
        p_holm=p_holm,
        p_max_t=None if flipped is None or p_holm is None else min(1.0, flipped * tables),
    )
    return replace(made, separated=None if p_holm is None else (made.p or 0.0) <= ALPHA)


def _jointly(found: Estimate | Refusal, family: int) -> Estimate | Refusal:
    """Its level and its p are those of all pairs on all criteria together."""
    every = pairs.jointly(found, family)
    return every if isinstance(every, Refusal) else replace(every, level=1 - ALPHA)
