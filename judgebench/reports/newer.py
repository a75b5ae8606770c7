"""That a newer pass than the one in a table is there, where nobody chose which to show."""

import shlex

from judgebench.model.result import Result
from judgebench.text import one_line, printable


def newer(result: Result, run: str) -> str:
    """Say that a later complete pass is not shown, and how it is; empty where there is none.

    Args:
        result: The one that is shown where no pass is named.
        run: The run as it was typed.

    Returns:
        The words, and the command on a line of its own.
    """
    ids = [one.id for one in result.passes]
    if result.judging.id not in ids:
        return ""
    later = result.passes[ids.index(result.judging.id) + 1 :]
    whole = [one for one in later if one.complete and not one.marks_only]
    if not whole:
        return ""
    last = whole[-1]
    facts = f"judge {one_line(last.judge_name, 32)}, rubric {one_line(last.rubric_name, 24)}"
    if last.mode != result.judging.mode:
        facts += f", {one_line(last.mode, 12)}"
    return (
        f"Shown is the first complete pass; there is a newer one ({facts}):\n"
        f"judge table {shlex.quote(printable(run))} --pass {one_line(last.id, 12)}"
    )
