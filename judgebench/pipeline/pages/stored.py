"""Results from the store alone: no run folder is read, nothing is sent."""

from pathlib import Path

from judgebench.model.item_totals import ItemTotals
from judgebench.model.passes import Passes
from judgebench.model.result import Result
from judgebench.pipeline.figures.stored_pass import analyse, read_analysis
from judgebench.pipeline.setting.places import nothing_stored
from judgebench.pipeline.setting.stored_run import stored_run


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
