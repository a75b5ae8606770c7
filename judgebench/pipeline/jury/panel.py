"""The table of a jury: every judge one voice of equal weight, disagreement beside it."""

from collections.abc import Sequence
from pathlib import Path

from judgebench.errors import StoreError
from judgebench.model.item_totals import ItemTotals
from judgebench.model.result import Result
from judgebench.pipeline.figures.result import result_of
from judgebench.pipeline.figures.stored_pass import read_analysis
from judgebench.pipeline.jury.agree import agreement_of
from judgebench.pipeline.jury.raters import Chosen, choose_passes, one_each
from judgebench.pipeline.setting.stored_run import stored_run
from judgebench.store.passes import PassRow
from judgebench.text import digest

LEAST = 2


def stored_panel(
    run: Path, cwd: Path, *, passes: Sequence[str] = (), varied: bool = False
) -> tuple[Path, Result]:
    """Average several judges' passes on a run, each judge with equal weight.

    Args:
        run: The run folder as the user named it.
        cwd: Where the user stands.
        passes: Beginnings of pass ids; empty for the first complete pass of every
            judge that was asked the same.
        varied: Also whether other weights, or one item less, would change it.

    Returns:
        The report folder of the panel, and its result.

    Raises:
        RunError: There is no database.
        StoreError: There are fewer than two judges, or they were asked different things.
    """
    with stored_run(run, cwd) as (store, key, workspace):
        chosen = choose_passes(store, key, tuple(passes))
        rows = _one_voice_each(chosen, passes)
        others = tuple(
            row.facts()
            for row in store.find_passes(key)
            if row.judging.id not in {one.judging.id for one in rows}
        )
        found = agreement_of(store, Chosen(rows=rows, others=others))
        made = read_analysis(store, key, pass_id=rows[0].judging.id, panel=rows)
        result = result_of(made, varied=varied, agreement=found)
    name = digest(sorted(row.judging.id for row in rows))[:8]
    return workspace.reports / key / f"panel-{name}", result


def stored_panel_items(run: Path, cwd: Path, *, passes: Sequence[str] = ()) -> ItemTotals:
    """Totals of every item and arm by the panel; none where one of its judges has none.

    Args:
        run: The run folder as the user named it.
        cwd: Where the user stands.
        passes: As for `stored_panel`.

    Raises:
        RunError: There is no database.
        StoreError: As `stored_panel`.
    """
    with stored_run(run, cwd) as (store, key, _):
        rows = _one_voice_each(choose_passes(store, key, tuple(passes)), passes)
        return read_analysis(store, key, pass_id=rows[0].judging.id, panel=rows).item_totals()


def _one_voice_each(chosen: Chosen, named: Sequence[str]) -> tuple[PassRow, ...]:
    rows = one_each(chosen.rows)
    if len(named) > 1 and len(rows) < len(chosen.rows):
        raise StoreError("--pass names two passes of one judge; in a panel a judge has one voice")
    open_ones = [row.judging.id for row in rows if row.state != "complete"]
    if open_ones:
        raise StoreError(
            f"pass {open_ones[0]} is unfinished; judge score or judge rejudge goes on with it"
        )
    if len(rows) < LEAST:
        facts = rows[0].facts()
        if facts.by_people:
            raise StoreError(
                "a panel needs 2 judges, and people are none; judge agree compares them"
            )
        fix = "judge rejudge RUN --judge OTHER adds one"
        if facts.marks_only:
            fix = "judge import marks takes a file that has the marks of both"
        raise StoreError(f"a panel needs 2 judges, there is 1 ({facts.judge_name}); {fix}")
    return rows
