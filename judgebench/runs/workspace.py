"""Find the folder that holds judgments, reports and rubrics for a run.

The workspace is where `judges.toml` or `judgments/judgments.duckdb` stands,
from above the run upward, then from the current folder upward. Folder names
alone never make one. A run folder's own `judges.toml` is not looked at unless
the user stands in that folder and no workspace is above it: a run that came from
elsewhere must not choose the endpoint that a key is sent to.
"""

import os
from dataclasses import dataclass
from pathlib import Path

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
    """
    run = Path(os.path.abspath(cwd / run_path))  # noqa: PTH100 - links stay as they are
    beside = run.parent
    for start in (beside, cwd.absolute()):
        for folder in (start, *start.parents):
            if any((folder / mark).is_file() for mark in MARKS):
                return _at(folder, made=False)
    return _at(beside, made=True)


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
