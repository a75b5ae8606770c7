"""The store of a run, opened for a command that reads what was judged there."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from judgebench.errors import RunError, StoreError
from judgebench.model.passes import shown_first
from judgebench.pipeline.setting.places import never_judged, run_key, runs_here
from judgebench.runs.workspace import Workspace, find_workspace
from judgebench.store.passes import PassRow
from judgebench.store.store import Store
from judgebench.text import one_line

LOCK_WAIT_S = 3.0


@contextmanager
def stored_run(run: Path, cwd: Path) -> Iterator[tuple[Store, str, Workspace]]:
    """The store of a run, open for reading, with the run's name in it.

    Raises:
        RunError: There is no database.
    """
    workspace, key = stored_place(run, cwd)
    with Store.open(workspace.database, create=False, read_only=True, wait_s=LOCK_WAIT_S) as store:
        must_be_known(store, key, run, cwd)
        yield store, key, workspace


def must_be_known(store: Store, key: str, run: Path, cwd: Path) -> None:
    """Refuse a run that is neither stored nor a folder: no command can judge it first.

    Raises:
        RunError: It is neither.
    """
    there = (run if run.is_absolute() else cwd / run).exists()
    if not there and not store.rows("run", run=key):
        raise RunError(run, "is not there, and nothing is stored of it", runs_here(cwd))


def stored_place(run: Path, cwd: Path) -> tuple[Workspace, str]:
    """The workspace of a run that was judged, and the run's name in its store.

    Raises:
        RunError: There is no database.
    """
    path = run if run.is_absolute() else cwd / run
    workspace = find_workspace(path, cwd=cwd)
    if not workspace.database.is_file():
        raise never_judged(run, there=path.exists())
    return workspace, run_key(path, workspace)


def pass_of_judge(run: Path, cwd: Path, judge: str) -> str:
    """Id of the first complete pass by a judge; of its fullest where none is complete.

    Raises:
        RunError: There is no database.
        StoreError: No pass on this run is by that judge; those that there are are named.
    """
    with stored_run(run, cwd) as (store, key, _):
        passes = store.find_passes(key)
        own = [row for row in passes if row.judging.judge_name == judge]
        if not own:
            names = ", ".join(sorted({row.judging.judge_name for row in passes})) or "none"
            said = (
                f"no pass on {one_line(key, 60)} is by {one_line(judge, 60)}"
                if judge.strip()
                else "--judge names nobody"
            )
            raise StoreError(f"{said}; judges there: {one_line(names, 200)}")
        return shown_first([row.facts() for row in own]).id


def imported_alone(passes: Sequence[PassRow]) -> bool:
    """Whether all that is stored of a run are marks given elsewhere: it has no answers."""
    return bool(passes) and all(row.facts().marks_only for row in passes)


def marks_alone(path: Path, cwd: Path) -> bool:
    """Whether a run without a folder is stored, as marks that were given elsewhere."""
    workspace = find_workspace(path, cwd=cwd)
    if not workspace.database.is_file():
        return False
    with Store.open(workspace.database, create=False, read_only=True, wait_s=LOCK_WAIT_S) as store:
        return imported_alone(store.find_passes(run_key(path, workspace)))
