"""Which stored pass a page shows."""

from pathlib import Path

import click

from judgebench.pipeline.setting.stored_run import pass_of_judge


def chosen_pass(run: Path, pass_id: str | None, judge: str | None, *, panel: bool) -> str | None:
    """The pass that a page shows, named by its id or by its judge.

    Raises:
        UsageError: Both are named, or one judge of a panel.
    """
    if judge is None:
        return pass_id
    if pass_id is not None or panel:
        raise click.UsageError("--judge names one pass: it does not go with --pass or --panel")
    return pass_of_judge(run, Path.cwd(), judge)
