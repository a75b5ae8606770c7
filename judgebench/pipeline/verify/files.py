"""Files of a run against the hashes that were taken when it was judged."""

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from judgebench.errors import JudgebenchError, RunError
from judgebench.model.collected import Locator, Run
from judgebench.model.verified import Part
from judgebench.pipeline.setting.facts import MARKS, RunFacts
from judgebench.runs import load
from judgebench.store.store import Store
from judgebench.text import one_line


class Ears(Protocol):
    """Who listens to what was compared."""

    def hold(self, part: Part, place: str, *, stored: object, found: object) -> None:
        """Compare one value."""
        ...

    def take(self, one: str) -> None:
        """Take a note."""
        ...


def compare_files(path: Path, store: Store, key: str, facts: RunFacts, ears: Ears) -> None:
    """Hold items and outputs of the run folder against their stored hashes.

    What cannot be compared, such as a run that is gone, is a note and no difference.
    """
    if facts.form == MARKS:
        ears.take("marks only: there are no outputs to compare")
        return
    try:
        run = load.load_run(
            path, arms=[arm.id for arm in facts.arms], no_prompt=not facts.has_prompt
        )
    except (JudgebenchError, OSError) as exc:
        ears.take(f"outputs were not compared: {one_line(str(exc), 200)}")
        return
    for part, place, stored, found in _hashes(store, key, run):
        ears.hold(part, place, stored=stored, found=found)


def _hashes(store: Store, key: str, run: Run) -> Iterator[tuple[Part, str, object, object]]:
    for item, sha256, *_ in store.rows("verify_items", run=key):
        found = load.load_item(run, item).sha256 if item in run.items else "is gone"
        yield Part.ITEM, item, sha256, found
    arms = {arm.id for arm in run.arms}
    for (arm, item), row in store.known_outputs(key).items():
        if item not in run.items or arm not in arms:
            yield Part.OUTPUT, f"{arm} on {item}", row.sha256, "is gone"
            continue
        try:
            locator = Locator(path=row.path, offset=row.byte_offset)
            output = load.read_output(run, arm=arm, item=item, locator=locator)
        except RunError as exc:
            yield Part.OUTPUT, f"{arm} on {item}", row.sha256, one_line(str(exc), 120)
            continue
        yield Part.OUTPUT, f"{arm} on {item}", row.sha256, output.sha256
