"""A result that is already made: known by a hash over all that would go into it."""

import platform
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path

from judgebench.model.result import Result
from judgebench.pipeline.figures import probed
from judgebench.pipeline.setting.choices import Reading
from judgebench.store.passes import PassRow
from judgebench.store.store import Store
from judgebench.text import digest

Recall = Callable[[Path], Result | None]
"""Report folder → the result that it keeps, if there is a whole one."""


@cache
def versions() -> Mapping[str, str]:
    """What the figures were computed with."""
    names = ("judgebench", "duckdb", "instructor", "numpy", "openai", "pydantic", "scipy")
    return {"python": platform.python_version(), **{name: version(name) for name in names}}


def source_of(store: Store, shown: PassRow, *, facts: str, reading: Reading) -> str:
    """Hash over all that goes into the result of a pass.

    Args:
        store: Its stamp changes with every judgment, pass and content of the run.
        shown: The pass.
        facts: The run as it was declared, canonical JSON.
        reading: How stored judgments are read.
    """
    ((stamp,),) = store.rows("stamp", run=shown.judging.run)
    ((asked, said),) = store.rows("contrast_stamp", run=shown.judging.run)
    probe = probed.stamp(store, shown.judging.id)
    ((found, standings),) = store.rows("findings_stamp", pass_id=shown.judging.id)
    return digest(
        [
            *([standings] if found else []),
            *([["probe", probe]] if probe else []),
            [stamp, said] if asked else stamp,
            shown.judging.id,
            shown.sum_sha256,
            facts,
            reading.as_dict(),
            dict(versions()),
        ]
    )


def recalled(recall: Recall | None, folder: Path | None, source: str) -> Result | None:
    """The kept result, if it was made from the very same."""
    kept = recall(folder) if recall and folder else None
    return kept if kept is not None and kept.generated_from == source else None
