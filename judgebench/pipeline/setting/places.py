"""Where a run and its rubric stand; apart from the scene, so that a table loads no run."""

import shlex
from pathlib import Path

from judgebench.errors import RubricError, RunError, StoreError
from judgebench.rubrics.load import find_rubric
from judgebench.runs.workspace import RESERVED, Workspace, find_workspace
from judgebench.text import one_line

RUNS_NAMED = 3


def run_key(path: Path, workspace: Workspace) -> str:
    """Name of a run in the store and in reports: its path below runs/, the same on any machine."""
    path, root = path.resolve(), workspace.root.resolve()
    if path.suffix and path.is_file():
        path = path.with_suffix("")
    if path.is_relative_to(root) and path != root:
        parts = path.relative_to(root).parts
        return "/".join(parts[1:] if parts[0] == "runs" and len(parts) > 1 else parts)
    return path.name


def named_run(run: Path, cwd: Path) -> Path:
    """A run as it was typed; the folder in runs/ where that is its name in reports alone."""
    if run.is_absolute() or ".." in run.parts or (cwd / run).exists():
        return run
    inside = find_workspace(run, cwd=cwd).root / "runs" / run
    if not inside.exists():
        return run
    return inside.relative_to(cwd) if inside.is_relative_to(cwd) else inside


def never_judged(run: Path, *, there: bool = True) -> RunError:
    """That nothing judged a run yet, with the command that does.

    Args:
        run: As the user typed it.
        there: Something is at this place.
    """
    if not there:
        return RunError(run, "does not exist", "name a run folder or a table of outputs")
    does = f"judge score {shlex.quote(str(run))} does it"
    return RunError(run, "was never judged here", does)


def no_answers(run: Path, *, to: str = "judge") -> RunError:
    """That a run is nothing but marks given elsewhere, for a command that has answers judged."""
    return RunError(
        run, f"holds marks alone: there are no answers to {to}",
        "judge table, judge agree and judge power read them",
    )  # fmt: skip


def nothing_stored(database: Path, key: str) -> StoreError:
    """As `never_judged`, where no more is known than the run's name in the store."""
    inside = Path("runs") / key
    word = str(inside) if (database.parent.parent / inside).exists() else key
    return StoreError(
        f"nothing is stored of {one_line(key, 80)}; judge score {shlex.quote(word)} judges it first"
    )


def no_workspace(root: Path) -> str:
    """That there was no workspace, and where its folders are made."""
    return f"no workspace here: judgments/ and reports/ are made in {root}"


def rubric_at_hand(name: str, run: Path, cwd: Path) -> bool:
    """Whether a rubric is found by its name alone; one that was given as a file may not be."""
    folder = find_workspace(run if run.is_absolute() else cwd / run, cwd=cwd).rubrics
    try:
        find_rubric(name, folders=[folder] if folder else [])
    except RubricError:
        return False
    return True


def runs_here(cwd: Path) -> str:
    """What the user may have meant: run folders of the workspace where they stand."""
    found = sorted(
        one.name for one in (cwd / "runs").glob("*") if one.is_dir() and one.name not in RESERVED
    )
    if not found:
        return "name a run folder"
    names = ", ".join(one_line(f"runs/{name}", 40) for name in found[:RUNS_NAMED])
    return f"name a run folder: {names}{' …' if len(found) > RUNS_NAMED else ''}"
