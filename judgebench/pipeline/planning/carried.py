"""Which old cells a pass judges again when arms or items have been added to it.

Marks of two dates stand in one table then; a tenth of the old ones, judged again
blind in the same queue as the new ones, shows whether the judge still marks alike.
"""

from collections.abc import Iterable, Mapping

from judgebench.blind import order
from judgebench.model.drifting import CHECK_REPEATS, DRIFT_REPEATS
from judgebench.model.nouns import Mode, Pass
from judgebench.store.store import Store

OWN = 1
"""A control's judging in the pass itself; those of checks have the number of the check."""


def drift_cells(
    store: Store, judging: Pass, *, may_begin: bool
) -> Mapping[tuple[str, str], tuple[int, ...]]:
    """(item, arm) → numbers of the judgings that were or are now planned for drift.

    Args:
        store: Holds the pass with its plan so far, and the run as it is now.
        judging: The pass.
        may_begin: False in a replay: nothing new can be asked of a recording.
    """
    found: dict[tuple[str, str], tuple[int, ...]] = {}
    for item, arm, repeat in store.rows("drift_planned", pass_id=judging.id):
        found[item, arm] = (*found.get((item, arm), ()), repeat)
    # Verdicts of pairs have no level that could move.
    may_begin = may_begin and judging.mode is not Mode.PAIRWISE
    if may_begin and _is_extended(store, judging):
        number = following((n for numbers in found.values() for n in numbers), checks=False)
        for cell in _drawn(store, judging, number):
            found[cell] = (*found.get(cell, ()), number)
    return found


def controls_again(store: Store, pass_id: str) -> dict[str, tuple[int, ...]]:
    """Ids of planted controls → numbers of the checks that judge them once more."""
    found: dict[str, tuple[int, ...]] = {}
    for control, repeat in store.rows("control_again", pass_id=pass_id):
        found[control] = (*found.get(control, ()), repeat)
    return found


def following(numbers: Iterable[int], *, checks: bool) -> int:
    """The next number, of a check or of an extension, after those that a plan holds."""
    mine = [number for number in numbers if (number > CHECK_REPEATS) is checks]
    return max([*mine, CHECK_REPEATS if checks else DRIFT_REPEATS]) + 1


def _is_extended(store: Store, judging: Pass) -> bool:
    """Whether the run holds an arm or item that this pass has never planned to judge."""
    ((added,),) = store.rows("added_cells", pass_id=judging.id, run=judging.run)
    return bool(added)


def _drawn(store: Store, judging: Pass, number: int) -> frozenset[tuple[str, str]]:
    """The old cells that are judged again; in listwise mode all of an item's together."""
    listwise = judging.mode is Mode.LISTWISE
    old = [
        (item, arm)
        for item, arm in store.rows(
            "judged_cells", pass_id=judging.id, run=judging.run, whole=listwise
        )
    ]
    if not listwise:
        return order.drift_cells(judging.seed, old, number)
    items = order.drift_items(judging.seed, {item for item, _ in old}, len(old), number)
    return frozenset(cell for cell in old if cell[0] in items)
