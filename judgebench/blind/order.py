"""Order, labels and frame marks of a pass: all from its seed, the same for ever.

Nothing here holds a state. Every choice is a keyed hash of the seed and of what
is chosen, so a request's place does not depend on which others are planned, on
the platform or on the Python version, and a resumed pass draws what it drew.
"""

import hashlib
import heapq
from collections.abc import Collection, Iterable, Sequence

NOISE_SHARE = 10
"""One cell in this many is judged twice."""
NOISE_FEWEST = 12
NOISE_MOST = 60
NOISE_NONE_BELOW = 20
DRIFT_SHARE = 10
"""One old cell in this many is judged again when a pass is extended."""
DRIFT_FEWEST = 3
DRIFT_MOST = 60

# No vowels and no letters that name a vendor's series by themselves (o3, K2, R1).
_LETTERS = "BCDFHJMNPQSTVWXZ"
_DIGITS = "23456789"


def _hash(purpose: str, seed: int, *parts: str, size: int = 8) -> bytes:
    """Hash a choice; each part is written with its length, so that no two run together."""
    state = hashlib.blake2b(
        key=seed.to_bytes(16, "big", signed=True), person=purpose.encode(), digest_size=size
    )
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        state.update(len(data).to_bytes(8, "big"))
        state.update(data)
    return state.digest()


def _number(purpose: str, seed: int, *parts: str) -> int:
    return int.from_bytes(_hash(purpose, seed, *parts), "big")


def derive_seed(*parts: str) -> int:
    """A seed of 48 bits from what identifies a pass."""
    return int.from_bytes(_hash("seed", 0, *parts, size=6), "big")


def queue_rank(seed: int, item: str, arm: str, repeat: int, purpose: str) -> tuple[int, int]:
    """Sort key of a request in the queue of a pass.

    The arms of one item in one repeat stand together, in an order of their own,
    so that a pass that ends early leaves complete items; these blocks are shuffled.

    Args:
        seed: The pass's seed.
        item: Id of the item.
        arm: Id of the arm; empty where all arms share the request.
        repeat: Number of the judging.
        purpose: ``main``, ``noise`` or ``drift``: another judging has a block of its own.
    """
    block = (item, str(repeat), str(purpose))
    return _number("block", seed, *block), _number("arm", seed, *block, arm)


def labels(seed: int, item: str, arms: Sequence[str], repeat: int) -> dict[str, str]:
    """Neutral labels such as ``H7Q3``, drawn anew for every item and repeat.

    Returns:
        Arm → label, in the order of `arms`; no label twice.
    """
    taken: dict[str, str] = {}
    for arm in sorted(set(arms)):
        attempt = 0
        while (label := _label(seed, item, repeat, arm, attempt)) in taken.values():
            attempt += 1
        taken[arm] = label
    return {arm: taken[arm] for arm in arms}


def _label(seed: int, item: str, repeat: int, arm: str, attempt: int) -> str:
    number = _number("label", seed, item, str(repeat), arm, str(attempt))
    label = ""
    for signs in (_LETTERS, _DIGITS, _LETTERS, _DIGITS):
        number, at = divmod(number, len(signs))
        label += signs[at]
    return label


def positions(seed: int, item: str, arms: Sequence[str], repeat: int) -> list[str]:
    """The order in which one request shows the arms.

    A cyclic Latin square: over as many repeats as there are arms, each arm
    stands once at each position; for two arms that is both orders. Where the
    square starts is drawn for the item.
    """
    drawn = sorted(set(arms), key=lambda arm: (_number("position", seed, item, arm), arm))
    shift = repeat % len(drawn) if drawn else 0
    return drawn[shift:] + drawn[:shift]


def noise_count(n_cells: int) -> int:
    """How many of `n_cells` cells are judged a second time."""
    if n_cells < NOISE_NONE_BELOW:
        return 0
    return min(NOISE_MOST, max(NOISE_FEWEST, -(-n_cells // NOISE_SHARE)))


def noise_cells(
    seed: int,
    cells: Iterable[tuple[str, str]],
    n_cells: int,
    *,
    kept: Collection[tuple[str, str]] = (),
) -> frozenset[tuple[str, str]]:
    """Choose the cells that are judged twice: one in ten, 12 to 60, none of fewer than 20.

    Args:
        seed: The pass's seed.
        cells: (item, arm) of every cell; read once, at most 60 are held.
        n_cells: How many cells there are.
        kept: Cells that were drawn before, all among `cells`: they stay, whatever was added.
    """
    held = frozenset(kept)
    count = noise_count(n_cells) - len(held)
    if count <= 0:
        return held
    others = (cell for cell in cells if cell not in held)
    drawn = heapq.nsmallest(count, others, key=lambda cell: (_number("noise", seed, *cell), cell))
    return held.union(drawn)


def noise_items(
    seed: int,
    items: Iterable[str],
    n_items: int,
    n_cells: int,
    *,
    kept: Collection[str] = (),
) -> frozenset[str]:
    """Choose the items whose list is judged twice: as many as cover the cells of `noise_cells`.

    Args:
        seed: The pass's seed.
        items: Id of every item that has a cell.
        n_items: How many items there are.
        n_cells: How many cells they have together.
        kept: Items that were drawn before, all among `items`: they stay.
    """
    held = frozenset(kept)
    count = (-(-noise_count(n_cells) * n_items // n_cells) if n_cells else 0) - len(held)
    if count <= 0:
        return held
    others = (item for item in items if item not in held)
    drawn = heapq.nsmallest(count, others, key=lambda item: (_number("noise", seed, item), item))
    return held.union(drawn)


def drift_cells(
    seed: int, cells: Iterable[tuple[str, str]], extension: int
) -> frozenset[tuple[str, str]]:
    """Choose the old cells that an extended pass judges again: one in ten, 3 to 60.

    Args:
        seed: The pass's seed.
        cells: (item, arm) of every cell that was judged.
        extension: Number of the extension: each draws anew.
    """
    found = list(cells)
    return frozenset(
        heapq.nsmallest(
            _drift_count(len(found)),
            found,
            key=lambda cell: (_number("drift", seed, str(extension), *cell), cell),
        )
    )


def drift_items(seed: int, items: Iterable[str], n_cells: int, extension: int) -> frozenset[str]:
    """Choose the items whose list is judged again: as many as cover the cells of `drift_cells`.

    Args:
        seed: The pass's seed.
        items: Id of every item that was judged.
        n_cells: How many cells they have together.
        extension: Number of the extension.
    """
    found = list(items)
    count = -(-_drift_count(n_cells) * len(found) // n_cells) if n_cells else 0
    return frozenset(
        heapq.nsmallest(
            count, found, key=lambda item: (_number("drift", seed, str(extension), item), item)
        )
    )


def _drift_count(n_cells: int) -> int:
    return min(n_cells, DRIFT_MOST, max(DRIFT_FEWEST, -(-n_cells // DRIFT_SHARE)))


def control_number(seed: int, *parts: str) -> int:
    """A number of 64 bits for one choice about planted controls."""
    return _number("control", seed, *parts)


def frame(seed: int, key: str) -> str:
    """The mark around judged text: 128 bits in hexadecimal, another for every request."""
    return _hash("frame", seed, key, size=16).hex()
