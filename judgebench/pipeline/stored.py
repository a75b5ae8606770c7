"""Results from the store alone: no run folder is read, nothing is sent."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from judgebench.errors import RunError, StoreError
from judgebench.model import ItemTotals, Passes, Result, shown_first
from judgebench.pipeline.places import never_judged, nothing_stored, run_key, runs_here
from judgebench.pipeline.stored_pass import LOCK_WAIT_S, analyse, read_analysis
from judgebench.runs.workspace import Workspace, find_workspace
from judgebench.store.store import Store
from judgebench.text import one_line


def stored_result(
    run: Path,
    cwd: Path,
    *,
    pass_id: str | None = None,
    accept_cut: bool = False,
    varied: bool = False,
    extended: bool = False,
) -> tuple[Path, Result]:
    """Analyse what is stored of a run.

    Args:
        run: The run folder as the user named it.
        cwd: Where the user stands.
        pass_id: Which pass; None for the one of `shown_first`.
        accept_cut: Take outputs that look cut as whole, in this table only.
        varied: Also whether other weights, or one item less, would change it.
        extended: That, and every further figure of the extended report.

    Returns:
        The report folder of the pass, and its result.

    Raises:
        RunError: There is no database.
        StoreError: Nothing is stored of this run.
    """
    with stored_run(run, cwd) as (store, key, workspace):
        result = analyse(
            store, key, pass_id=pass_id, accept_cut=accept_cut, varied=varied, extended=extended
        )
    return workspace.reports / key / result.judging.id, result


def stored_items(run: Path, cwd: Path, *, pass_id: str | None = None) -> ItemTotals:
    """Totals of every item and arm of one stored pass.

    Raises:
        RunError: There is no database.
        StoreError: Nothing is stored of this run.
    """
    with stored_run(run, cwd) as (store, key, _):
        return read_analysis(store, key, pass_id=pass_id).item_totals()


def stored_passes(run: Path, cwd: Path) -> Passes:
    """Every pass on a run, the unfinished and unused too.

    Raises:
        RunError: There is no database.
        StoreError: Nothing is stored of this run.
    """
    with stored_run(run, cwd) as (store, key, _):
        found = tuple(row.facts() for row in store.find_passes(key))
        given: dict[str, int] = dict(store.rows("mark_counts", run=key))
    if not found:
        raise nothing_stored(store.path, key)
    return Passes(run_name=key, passes=found, marks=tuple(given.get(one.id) for one in found))


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
            raise StoreError(
                f"no pass on {one_line(key, 60)} is by {one_line(judge, 60)}; "
                f"judges there: {one_line(names, 200)}"
            )
        return shown_first([row.facts() for row in own]).id
