"""From the options of `judge score` to one pass, or to a jury of several judges."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from judgebench.cli import options
from judgebench.cli.printing import Page, render_page, show, shown_path, write_files
from judgebench.cli.probing import check_probes, probe_pass
from judgebench.cli.run_score import (
    check_controls,
    check_gate,
    choices_of,
    finish,
    interrupted,
    print_plan,
    run_pass,
)
from judgebench.errors import ExitCode, JudgebenchError, JudgeFailures, PlotError
from judgebench.pipeline.setting.choices import Choices
from judgebench.text import one_line, printable

if TYPE_CHECKING:
    from judgebench.model.result import Result
    from judgebench.pipeline.scoring.score import Outcome


class Passes:
    """One pass a judge, in turn, under one budget.

    Args:
        choices: What the user chose, for any judge.
        judges: Names of judges; empty for the default one.
        no_html: Leave report.html as it is.
        quiet: Nothing on stderr but errors.
        verbose: One line a request.

    Raises:
        click.UsageError: One judge is named twice, or -q and -v are given.
    """

    def __init__(
        self,
        choices: Choices,
        judges: tuple[str, ...],
        *,
        no_html: bool,
        quiet: bool,
        verbose: bool = False,
    ) -> None:
        if quiet and verbose:
            raise click.UsageError("-q says less and -v says more: take one of them")
        twice = {name for name in judges if judges.count(name) > 1}
        if twice:
            name = one_line(min(twice), 40)
            raise click.UsageError(f"--judge {name} stands there twice; a judge has one voice")
        self.choices, self.no_html, self.quiet, self.verbose = choices, no_html, quiet, verbose
        self.judges: tuple[str | None, ...] = judges or (None,)
        self.outcomes: list[Outcome] = []
        self.interrupted = False
        self.failures: JudgeFailures | None = None
        self._calls, self._cost = 0, 0.0

    def run(self, *, shown: bool = False) -> Iterator["Outcome"]:
        """Judge with one judge after the other, write the reports of each.

        Args:
            shown: The caller prints each result before its report is written.

        Raises:
            JudgebenchError: What ended a pass, after its report was written; more judge
                failures than allowed are kept in `failures` and end nothing.
        """
        for name in self.judges:
            outcome = run_pass(self.left(name), quiet=self.quiet, verbose=self.verbose)
            self.outcomes.append(outcome)
            if outcome.result is None:
                if len(self.judges) > 1:
                    click.echo(printable(f"{one_line(name or '', 40)}: "), nl=False)
                print_plan(outcome)
                continue
            if shown:
                yield outcome
            finish(outcome, outcome.result, no_html=self.no_html, quiet=self.quiet)
            self._book(outcome)
            self.interrupted = interrupted(outcome)
            if self.interrupted:
                return
            self._raise(outcome.error)
            if not shown:
                yield outcome

    def left(self, name: str | None) -> Choices:
        """Choices for one judge, with what the ones before have left of the budget."""
        choices, most, budget = self.choices, self.choices.max_requests, self.choices.budget_usd
        return replace(
            choices,
            judge=name,
            max_requests=None if most is None else max(0, most - self._calls),
            budget_usd=None if budget is None else max(0.0, budget - self._cost),
        )

    def book(self, calls: int, cost_usd: float | None) -> None:
        """Take what was used from what is left of the budget."""
        self._calls += calls
        self._cost += cost_usd or 0.0

    def check_controls(self) -> None:
        """Hold each judge that has judged here against --require-controls, where it is set.

        Raises:
            GateError: A judge fails a kind of control, or none of its controls is decided.
        """
        if self.choices.require_controls:
            check_controls([one.result for one in self.outcomes if one.result is not None])

    def _book(self, outcome: "Outcome") -> None:
        if outcome.sent is not None:
            self.book(outcome.sent.calls, outcome.sent.cost_usd)

    def _raise(self, error: JudgebenchError | None) -> None:
        if isinstance(error, JudgeFailures):
            self.failures = self.failures or error
        elif error is not None:
            raise error


def judge_and_print(run: Path, given: Mapping[str, Any]) -> ExitCode:
    """Judge, print the table, write the reports; what ended a pass is raised last."""
    judges, choices = tuple(given["judges"]), choices_of(run, {**given, "judge": None})
    passes = Passes(
        choices, judges, no_html=given["no_html"], quiet=given["quiet"], verbose=given["verbose"]
    )
    jury = len(judges) > 1
    check_probes(choices, judges or (None,), wanted=given["probe_blindness"])
    for outcome in passes.run(shown=not jury):
        if not jury and outcome.result is not None:
            words = options.typed(given)
            show(outcome.result, as_json=given["as_json"], run=run, given=words)
    if passes.interrupted:
        return ExitCode.INTERRUPTED
    if choices.dry_run:
        return ExitCode.DONE
    result = passes.outcomes[-1].result
    ids = tuple(one.standing.row.judging.id for one in passes.outcomes)
    if jury:
        result = _panel(run, given, ids, shown=True)
    if passes.failures is not None:
        raise passes.failures
    if given["probe_blindness"]:
        _probe(passes)
        if jury:
            _panel(run, given, ids, shown=False)
    if result is not None:
        _check_gates(result, passes)
    return ExitCode.DONE


def _probe(passes: Passes) -> None:
    """Ask every judge who wrote the outputs, within what is left of the budgets."""
    for outcome in passes.outcomes:
        found = probe_pass(
            passes.left(outcome.standing.row.judging.judge_name), outcome, no_html=passes.no_html
        )
        passes.book(found.calls, found.cost_usd)


def _check_gates(result: "Result", passes: Passes) -> None:
    """Hold the table against --fail-under, and each judge of it against --require-controls."""
    check_gate(result, passes.choices.fail_under)
    passes.check_controls()


def _panel(run: Path, given: Mapping[str, Any], ids: tuple[str, ...], *, shown: bool) -> "Result":
    """Write the report of the jury that has just judged; its table is printed where `shown`."""
    # Statistics take a third of a second, which a refused file does not pay.
    from judgebench.pipeline.jury.panel import stored_panel  # noqa: PLC0415
    from judgebench.pipeline.setting.stored_run import stored_place  # noqa: PLC0415

    folder, result = stored_panel(run, Path.cwd(), passes=ids, varied=True)
    if shown:
        show(result, as_json=given["as_json"], run=run)
    workspace, key = stored_place(run, Path.cwd())
    page = None
    if not given["no_html"]:
        try:
            page = render_page(result, Page(workspace=workspace, run_key=key))
        except PlotError as exc:
            click.echo(printable(str(exc)), err=True)
    write_files(result, folder, page=page, quiet=given["quiet"])
    if shown and not given["quiet"]:
        click.echo(printable(f"report of the panel: {shown_path(folder / 'report.md')}"), err=True)
    return result
