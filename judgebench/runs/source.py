"""What every form of a run offers to the loader: items, outputs, their hash.

`LoadedRun` is a `Run` that remembers where its texts stand. A source holds
paths and offsets, never texts.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import field
from pathlib import Path
from typing import Protocol

from judgebench.errors import RunError
from judgebench.model.collected import Evidence, Item, Locator, Output, Record, Run
from judgebench.model.reasons import Reason
from judgebench.records import dataclass
from judgebench.runs.decode import Undecodable, decode_text
from judgebench.runs.records import NO_RECORD
from judgebench.runs.tree import PathFault, Tree
from judgebench.text import digest

MAX_OUTPUT_BYTES = 4 * 1024 * 1024
"""Longest output, prompt, evidence file or table cell that is read."""
MAX_META_BYTES = 1024 * 1024
NOTHING_SHA256 = hashlib.sha256(b"").hexdigest()
SINGLE_ITEM = "item"
"""Id of the one item of a folder that does not name it."""


class Source(Protocol):
    """Where a run's texts stand."""

    def outputs(self, run: Run) -> Iterator[Output]:
        """Every arm × item of the run, item by item."""
        ...

    def output(self, run: Run, *, arm: str, item: str, locator: Locator) -> Output:
        """One output again."""
        ...

    def item(self, run: Run, item_id: str) -> Item:
        """One item's prompt, evidence and reference."""
        ...

    def content(self, run: Run) -> Iterator[tuple[str, int, str]]:
        """(relative path, size, SHA-256) of all that counts, in a fixed order."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class LoadedRun(Run):
    """A run with its source; made by `load.load_run` only."""

    source: Source = field(repr=False, compare=False)


def make_item(
    item_id: str, prompt: str, *, evidence: tuple[Evidence, ...] = (), reference: str | None = None
) -> Item:
    """Build an item with its hash."""
    sha = digest(
        {
            "prompt": prompt,
            "evidence": [[piece.name, piece.text] for piece in evidence],
            "reference": reference,
        }
    )
    return Item(id=item_id, prompt=prompt, evidence=evidence, reference=reference, sha256=sha)


def faulty(  # noqa: PLR0913 - the fields of an output that has no text
    arm: str,
    item: str,
    *,
    locator: Locator,
    detail: str,
    record: Record = NO_RECORD,
    reason: Reason = Reason.UNREADABLE,
    text: str | None = None,
    sha256: str = NOTHING_SHA256,
) -> Output:
    """Build an output that blocks with the loader's own reason."""
    return Output(
        arm=arm,
        item=item,
        text=text,
        sha256=sha256,
        record=record,
        locator=locator,
        fault=reason,
        fault_detail=detail,
    )


def read_hand_text(tree: Tree, relative: str) -> str | None:
    """Text of a prompt, a reference or a piece of evidence; None where there is none.

    Raises:
        RunError: it cannot be read. These files belong to the run, not to one output.
    """
    path = tree.root / relative
    try:
        raw = tree.read(relative, limit=MAX_OUTPUT_BYTES)
        return None if raw is None else decode_text(raw)
    except PathFault as exc:
        raise RunError(path, str(exc), "put a plain file in its place") from None
    except Undecodable as exc:
        raise RunError(path, f"is not text: {exc}", "save it as UTF-8") from None


def outside_prompt(path: Path) -> str:
    """Text of a prompt file that the user named, wherever it stands.

    Raises:
        RunError: it is missing or no text.
    """
    text = read_hand_text(Tree(path.absolute().parent), path.name) if path.parent.is_dir() else None
    if text is None:
        raise RunError(path, "is not there", "name a file that holds the prompt")
    return text
