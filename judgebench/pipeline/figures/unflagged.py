"""What a pass would say without the answers that were sent with names (--blind flag)."""

from collections.abc import Callable, Sequence

import numpy as np

from judgebench.model.blindness import ArmWithout, WithoutFlagged
from judgebench.model.nouns import Blinding, Refusal
from judgebench.stats.arrays import BoolArray, FloatArray
from judgebench.store.passes import PassRow
from judgebench.store.store import Store


def flagged_cells(
    store: Store, rows: Sequence[PassRow], *, shape: tuple[int, ...]
) -> BoolArray | None:
    """Cells whose answer was sent with names; None where no pass only flags them."""
    if not any(row.judging.blinding is Blinding.FLAG for row in rows):
        return None
    found = store.columns("named_cells", run=rows[0].judging.run)
    out = np.zeros(shape, dtype=bool)
    out[np.asarray(found["arm"], dtype=np.int64), np.asarray(found["item"], dtype=np.int64)] = True
    return out


Rated = tuple[tuple[str, ...] | Refusal, Sequence[bool]]
"""Who may be best by some cells, and which arms have a place by them."""


def without_flagged(
    cells: FloatArray,
    flagged: BoolArray,
    *,
    ids: Sequence[str],
    order: Sequence[int],
    best: tuple[str, ...] | Refusal,
    whole_items: bool,
    rated: Callable[[FloatArray], Rated],
) -> WithoutFlagged | None:
    """The ratings as they would be if every flagged answer had been blocked.

    Args:
        cells: Shape (A, I), NaN where an arm has no scored cell.
        flagged: Shape (A, I), the answers to leave out.
        ids: Arms by their position.
        order: These positions, in the order of the table.
        best: Who may be best with all of them.
        whole_items: An arm's cell is a share against the others: their items go whole.
        rated: Rates what is left as the table was rated.

    Returns:
        None where no scored cell is flagged.
    """
    there = flagged & np.isfinite(cells)
    if not there.any():
        return None
    gone = np.broadcast_to(there.any(axis=0), cells.shape) if whole_items else there
    left = np.where(gone, np.nan, cells)
    after, placed = rated(left)
    same = None
    if not isinstance(after, Refusal) and not isinstance(best, Refusal):
        same = set(after) == set(best)
    return WithoutFlagged(
        answers=int(there.sum()),
        items=int(there.any(axis=0).sum()) if whole_items else 0,
        best=after,
        same=same,
        arms=tuple(_arm(ids[at], left[at], placed=placed[at]) for at in order),
    )


def _arm(arm: str, cells: FloatArray, *, placed: bool) -> ArmWithout:
    known = cells[np.isfinite(cells)]
    mean = float(known.mean()) if known.size else None
    return ArmWithout(arm=arm, mean=mean, answered=int(known.size), placed=bool(placed))
