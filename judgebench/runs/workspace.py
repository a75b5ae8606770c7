"""Find the folder that holds judgments, reports and rubrics for a run.

The workspace is where `judges.toml` or `judgments/judgments.duckdb` stands,
from above the run upward, then from the current folder upward. Folder names
alone never make one. A run folder's own `judges.toml` is not looked at unless
the user stands in that folder and no workspace is above it: a run that came from
elsewhere must not choose the endpoint that a key is sent to.
"""

import os
from pathlib import Path

from judgebench.errors import RunError
from judgebench.records import dataclass
from judgebench.text import one_line

RESERVED = frozenset({"items", "recorded", "evidence", "judgments", "reports", "rubrics"})
"""Folder names inside a run that are never arms."""
MARKS = ("judges.toml", "judgments/judgments.duckdb")


@dataclass(frozen=True, kw_only=True, slots=True)
class Workspace:
    """Where things of one project lie; none of it needs to exist yet."""

    root: Path
    judgments: Path
    reports: Path
    rubrics: Path | None
    """None where there is no such folder: rubrics come from the package."""
    made: bool
    """True where there was none, so folders would be made beside the run."""
    database: Path
    judges_toml: Path | None


def find_workspace(run_path: Path, *, cwd: Path) -> Workspace:
    """Find the workspace of a run; nothing is created.

    Args:
        run_path: A run folder or a table, absolute or from `cwd`.
        cwd: The current folder.

    Raises:
        RunError: A workspace is there by a link that leads nowhere.
    """
    run = Path(os.path.abspath(cwd / run_path))  # noqa: PTH100 - links stay as they are
    beside = run.parent
    for start in (beside, cwd.absolute()):
        for folder in (start, *start.parents):
            _refuse_broken(folder, cwd)
            if any((folder / mark).is_file() for mark in MARKS):
                return _at(folder, made=False)
    return _at(beside, made=True)


def _refuse_broken(folder: Path, cwd: Path) -> None:
    """A database whose disk is away is not a place without one."""
    for mark in MARKS:
        for place in ((folder / mark), (folder / mark).parent):
            if place.is_symlink() and not place.exists():
                near = place.relative_to(cwd) if place.is_relative_to(cwd) else place
                raise RunError(
                    near,
                    f"is a link to {one_line(str(place.readlink()), 80)}, which is not there",
                    "bring that back, or remove the link",
                )


def _at(root: Path, *, made: bool) -> Workspace:
    rubrics, judges = root / "rubrics", root / "judges.toml"
    return Workspace(
        root=root,
        judgments=root / "judgments",
        reports=root / "reports",
        rubrics=rubrics if rubrics.is_dir() else None,
        made=made,
        database=root / "judgments" / "judgments.duckdb",
        judges_toml=judges if judges.is_file() else None,
    )
