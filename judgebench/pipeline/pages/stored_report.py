"""A report of one stored pass: its result, and what its page shows, from one reading."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from judgebench.model.exhibits import Exhibits
from judgebench.model.result import Result
from judgebench.pipeline.figures.analysis import Analysis
from judgebench.pipeline.figures.stored_pass import stored_pass
from judgebench.pipeline.people.noted import reported_of
from judgebench.pipeline.setting.stored_run import stored_run
from judgebench.records import dataclass
from judgebench.runs.workspace import Workspace

if TYPE_CHECKING:
    from judgebench.pipeline.pages.exhibits import Ahead


@dataclass(frozen=True, kw_only=True)
class StoredReport:
    """What a report is written from, as long as the store is open."""

    workspace: Workspace
    run_key: str
    result: Result
    analysis: Analysis = field(repr=False)
    ahead: "Future[Ahead] | None" = field(repr=False)

    @property
    def folder(self) -> Path:
        """Where it is written."""
        return self.workspace.reports / self.run_key / self.result.judging.id

    def exhibits(self) -> Exhibits:
        """What the page shows beside the figures; marks are not read again."""
        # Without a page nothing of it is loaded.
        from judgebench.pipeline.pages.exhibits import exhibits  # noqa: PLC0415

        made, ahead = self.analysis, None if self.ahead is None else self.ahead.result()
        made.store.spare()
        return exhibits(made.store, made.shown, made.reading, marks=made.marks, ahead=ahead)


@contextmanager
def stored_report(
    run: Path,
    cwd: Path,
    *,
    pass_id: str | None = None,
    extended: bool = False,
    page: bool = False,
) -> Iterator[StoredReport]:
    """The report of one pass: varied, and with people's marks beside the judge.

    Args:
        run: The run folder as the user named it.
        cwd: Where the user stands.
        pass_id: Which pass; None for the one of `shown_first`.
        extended: Every further figure of the extended report.
        page: There will be one, so that what it shows is read while figures are made.

    Raises:
        RunError: There is no database.
        StoreError: Nothing is stored of this run.
    """
    # The store is closed after the other thread has left it.
    with stored_run(run, cwd) as (store, key, workspace), ThreadPoolExecutor(1) as other:
        analysis = stored_pass(store, key, pass_id=pass_id).analysis(store)
        ahead = None
        if page and analysis.shown.judging.route == "marks":
            from judgebench.pipeline.pages.exhibits import read_ahead  # noqa: PLC0415 - as above

            ahead = other.submit(read_ahead, store, analysis.shown)
        result = reported_of(store, analysis, extended=extended)
        yield StoredReport(
            workspace=workspace, run_key=key, result=result, analysis=analysis, ahead=ahead
        )
