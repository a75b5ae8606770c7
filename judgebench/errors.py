"""What the user is told when something is wrong, and with which exit code.

    JudgebenchError                2  (usage or input, unless a child says otherwise)
    ├── RunError                   2  run.yaml, an item, a run folder
    ├── RubricError                2  a rubric file
    ├── JudgeConfigError           2  judges.toml, a judge's name, a missing key
    ├── JudgeSetupError            2  the endpoint refuses model, key, mode or parameter
    ├── RecordingError             2  a recorded batch file is stale or does not fit
    ├── ImportFileError            2  a file that `judge import` cannot take in
    ├── StoreError                 2  the database is held, foreign, newer or damaged
    ├── PlotError                  2  the plots of a page cannot be drawn
    ├── GateError                  1  a gate that the user set failed or was not decidable
    ├── JudgeFailures              3  more judge failures than allowed
    ├── Unfinished                 3  requests that got no answer at all
    └── BudgetStop                 5  a budget, or the provider's window, ended the pass

A message says where, what is wrong and what to do, in one line. Only
`judgebench.cli.main` turns one into output.
"""

from enum import IntEnum
from pathlib import Path
from typing import ClassVar


class ExitCode(IntEnum):
    """Exit codes of every command, documented in docs/exit-codes.md."""

    DONE = 0
    GATE = 1
    USAGE = 2
    JUDGE_FAILURES = 3
    INTEGRITY = 4
    BUDGET = 5
    INTERRUPTED = 130


class JudgebenchError(Exception):
    """Anything that is the user's to mend: one line, no traceback."""

    exit_code: ExitCode = ExitCode.USAGE


class FileFault(JudgebenchError):  # noqa: N818 - it names what happened
    """A fault at one place of one file.

    Args:
        path: The file as the user named it.
        problem: What is wrong, quoting the value found.
        fix: What to write or do instead.
        line: Line counted from 1; 0 where the file as a whole is meant.
        key: Dotted key, such as ``criteria.2.weight``; empty where none.
    """

    page: ClassVar[str] = "formats"
    """What `judge explain` says of such files."""

    def __init__(
        self, path: Path | str, problem: str, fix: str, *, line: int = 0, key: str = ""
    ) -> None:
        self.path, self.line, self.key = path, line, key
        place = f"{path}:{line}" if line else f"{path}"
        subject = f"{key} {problem}" if key else problem
        super().__init__(f"{place}: {subject}; {fix}")


class RunError(FileFault):
    """A run folder, run.yaml or an item that cannot be used."""


class RubricError(FileFault):
    """A rubric file that cannot be scored with."""

    page = "rubrics"


class JudgeConfigError(FileFault):
    """judges.toml or the name of a judge."""

    page = "judges"


class ImportFileError(FileFault):
    """A file that cannot be taken in; nothing was written."""


class RecordingError(FileFault):
    """A recorded batch file that does not fit what would be asked now."""


class JudgeSetupError(JudgebenchError):
    """The endpoint refuses model, key, mode or a parameter: nothing was blocked."""


class StoreError(JudgebenchError):
    """The database is held by another process, foreign, newer or damaged."""


class PlotError(JudgebenchError):
    """The plots of report.html cannot be drawn; every other file can be written."""


class GateError(JudgebenchError):
    """A gate that the user set failed, or could not be decided."""

    exit_code = ExitCode.GATE


class JudgeFailures(JudgebenchError):  # noqa: N818 - it names what happened
    """The pass finished with more judge failures than the user allows."""

    exit_code = ExitCode.JUDGE_FAILURES


class Unfinished(JudgebenchError):  # noqa: N818 - it names what happened
    """The pass ended, and some of its requests have no answer; it resumes."""

    exit_code = ExitCode.JUDGE_FAILURES


class BudgetStop(JudgebenchError):  # noqa: N818 - it names what happened
    """A budget of the user or the provider's window ended the pass; it resumes."""

    exit_code = ExitCode.BUDGET
