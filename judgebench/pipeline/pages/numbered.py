"""Which judging of an answer each is, and whether the answer was shown first there."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from judgebench.model.drifting import DRIFT_REPEATS


def shown_first(place: int | None, label: str) -> bool | None:
    """Whether an answer was shown first; None where that is not on record.

    Args:
        place: In its request, from 0; None where no request was made here.
        label: Of an imported comparison it ends with its place, where that was given.
    """
    if place is not None:
        return place == 0
    return {"first": True, "second": False}.get(label.rpartition(" ")[2])


def numbers(judgments: Sequence[Mapping[str, Any]]) -> list[int]:
    """Which judging each is: of comparisons, which with this opponent in this order."""
    seen: Counter[tuple[object, ...]] = Counter()
    out = []
    for one in judgments:
        if one["other_arm"] is None or one["repeat"] > DRIFT_REPEATS:
            out.append(one["repeat"])
            continue
        first = shown_first(one["place"], one["label"])
        seen[key := (one["other_arm"], first, one["criterion"], one["purpose"])] += 1
        out.append(seen[key])
    return out
