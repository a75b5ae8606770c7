"""A store for commands that spend nothing and only note that something was drawn or shown.

Where the workspace cannot be written they work all the same, on a copy that is
thrown away, and say what is not kept.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from judgebench.pipeline.setting.scene import World
from judgebench.pipeline.setting.stored_run import LOCK_WAIT_S
from judgebench.store.opening import Unwritable
from judgebench.store.store import Store


@contextmanager
def open_to_note(database: Path, world: World, *, lost: str) -> Iterator[tuple[Store, bool]]:
    """Open a database for writing, or a copy of one that cannot be written.

    Args:
        database: The file, which is there.
        world: Told what is not kept.
        lost: What that is, and what follows from it.

    Yields:
        The store, and whether what is written stays.
    """
    try:
        store = Store.open(database, create=False, wait_s=LOCK_WAIT_S)
    except Unwritable:
        world.say(f"{database} cannot be written: {lost}")
        with Store.copied(database, wait_s=LOCK_WAIT_S) as copy:
            yield copy, False
        return
    with store:
        yield store, True
