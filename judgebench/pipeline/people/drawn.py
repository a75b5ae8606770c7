"""Which labels stand for all: items drawn at random, or single answers drawn by strata."""

from collections.abc import Sequence
from dataclasses import field

import numpy as np

from judgebench.records import dataclass
from judgebench.stats.arrays import BoolArray, FloatArray
from judgebench.stats.strata import Stratum
from judgebench.store.store import Store

PACKETS, UNKNOWN = "packets", "unknown"


@dataclass(frozen=True, kw_only=True, slots=True)
class Drawn:
    """The labels that belong to a random sample."""

    items: BoolArray
    """Shape (I,): items of the sample, or with an answer of it."""
    how: str
    """``all``, ``draw``, ``packets``, ``said``, or ``unknown``."""
    members: tuple[tuple[BoolArray, ...], ...] = ()
    """Of each arm its strata, shape (I,): all answers that could have been drawn."""
    used: BoolArray = field(default_factory=lambda: np.zeros((0, 0), dtype=bool))
    """Shape (A, I): labelled answers of the sample."""

    def strata_of(self, arm: int, people: FloatArray, judge: FloatArray) -> list[Stratum]:
        """What people and judge say in each stratum of an arm, on one criterion.

        Args:
            arm: Place of the arm.
            people: Shape (I,).
            judge: Shape (I,).
        """
        known = np.isfinite(people) & self.used[arm]
        judged = np.isfinite(judge)
        return [
            Stratum(
                y=people[inside & known & judged],
                f=judge[inside & known & judged],
                u=judge[inside & judged & ~known],
            )
            for inside in self.members[arm]
        ]


def drawn_labels(
    store: Store, run: str, *, items: Sequence[str], arms: Sequence[str], marked: BoolArray,
    judge: FloatArray, said: bool,
) -> Drawn:  # fmt: skip
    """Find the sample that most labels belong to.

    Args:
        store: Holds the draws.
        run: Name of the run.
        items: Its items.
        arms: Its arms.
        marked: Shape (A, I): people marked the answer.
        judge: Shape (A, I): NaN where the judge did not, or where it is not looked at.
        said: The user says that the items are a random sample.
    """
    labelled = np.asarray(marked.any(axis=0), dtype=bool)
    judged = np.asarray(np.isfinite(judge).any(axis=0), dtype=bool)
    cells = np.isfinite(judge)
    packets = _packets(store, run, items, arms, marked, cells)
    # Single answers may touch all items and leave most answers unmarked.
    open_ = judged & ~labelled if packets is None else cells & ~marked
    if labelled.any() and not open_.any():
        return Drawn(items=labelled, how="all")
    if said:
        return Drawn(items=labelled, how="said")
    best = _items(store, run, items, labelled, judged)
    if packets is not None and packets.used.sum() > (marked & best[None, :]).sum():
        return packets
    return Drawn(items=best, how="draw" if best.any() else UNKNOWN)


def _items(
    store: Store, run: str, items: Sequence[str], labelled: BoolArray, judged: BoolArray
) -> BoolArray:
    """Labelled items of the draw that holds most of them."""
    best = np.zeros(labelled.size, dtype=bool)
    place = {name: at for at, name in enumerate(items)}
    draws: dict[str, list[int]] = {}
    for row in store.records("draws", run=run):
        if row["item"] in place:
            draws.setdefault(row["draw"], []).append(place[row["item"]])
    for order in draws.values():
        used = _prefix(order, labelled, judged)
        if used.sum() > best.sum():
            best = used
    return best


def _prefix(order: Sequence[int], labelled: BoolArray, judged: BoolArray) -> BoolArray:
    """Those of a draw up to the first that could have been marked and was not."""
    out = np.zeros(labelled.size, dtype=bool)
    for at in order:
        if labelled[at]:
            out[at] = True
        elif judged[at]:
            break
    return out


def _packets(
    store: Store, run: str, items: Sequence[str], arms: Sequence[str], marked: BoolArray,
    cells: BoolArray,
) -> Drawn | None:  # fmt: skip
    """The draw of single answers with most labels, up to the first gap in each stratum."""
    places = [{name: at for at, name in enumerate(names)} for names in (arms, items)]
    draws: dict[str, list[tuple[int, int, int, bool]]] = {}
    for row in store.records("packet_draws", run=run):
        if row["arm"] in places[0] and row["item"] in places[1]:
            one = (places[0][row["arm"]], places[1][row["item"]], row["stratum"], row["chosen"])
            draws.setdefault(row["draw"], []).append(one)
    best: Drawn | None = None
    for rows in draws.values():
        found = _of_draw(rows, marked, cells)
        if found.used.any() and (best is None or found.used.sum() > best.used.sum()):
            best = found
    return best


def _of_draw(
    rows: Sequence[tuple[int, int, int, bool]], marked: BoolArray, cells: BoolArray
) -> Drawn:
    strata: dict[tuple[int, int], list[tuple[int, bool]]] = {}
    for arm, item, stratum, chosen in rows:
        strata.setdefault((arm, stratum), []).append((item, chosen))
    used = np.zeros(marked.shape, dtype=bool)
    members: list[list[BoolArray]] = [[] for _ in range(marked.shape[0])]
    for (arm, _), inside in sorted(strata.items()):
        there = np.zeros(marked.shape[1], dtype=bool)
        there[[item for item, _ in inside]] = True
        members[arm].append(there)
        order = [item for item, chosen in inside if chosen]
        used[arm] |= _prefix(order, marked[arm], cells[arm])
    return Drawn(
        items=np.asarray(used.any(axis=0), dtype=bool), how=PACKETS,
        members=tuple(tuple(one) for one in members), used=used,
    )  # fmt: skip
