"""Results from the store alone: no run folder is read, nothing is sent."""

from pathlib import Path

from judgebench.errors import RunError
from judgebench.model import Result
from judgebench.pipeline.scene import run_key
from judgebench.pipeline.score import LOCK_WAIT_S, analyse
from judgebench.runs.workspace import Workspace, find_workspace
from judgebench.store.store import Store


def stored_result(
    run: Path, cwd: Path, *, pass_id: str | None = None, accept_cut: bool = False
) -> tuple[Path, Result]:
    """Analyse what is stored of a run.

    Args:
        run: The run folder as the user named it.
        cwd: Where the user stands.
        pass_id: Which pass; None for the first complete one.
        accept_cut: Take outputs that look cut as whole, in this table only.

    Returns:
        The report folder of the pass, and its result.

    Raises:
        RunError: There is no database.
        StoreError: Nothing is stored of this run.
    """
    workspace, key = stored_run(run, cwd)
    with Store.open(workspace.database, create=False, read_only=True, wait_s=LOCK_WAIT_S) as store:
        result = analyse(store, key, pass_id=pass_id, accept_cut=accept_cut)
    return workspace.reports / key / result.judging.id, result


def stored_run(run: Path, cwd: Path) -> tuple[Workspace, str]:
    """The workspace of a run that was judged, and the run's name in its store.

    Raises:
        RunError: There is no database.
    """
    path = run if run.is_absolute() else cwd / run
    workspace = find_workspace(path, cwd=cwd)
    if not workspace.database.is_file():
        raise RunError(run, "was never judged here", "judge score does it")
    return workspace, run_key(path, workspace)
