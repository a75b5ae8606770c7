"""What code knows of a project beyond what the judge is shown of it.

Both are asked for every project: facts before the judge, claims after it.
"""

from collections.abc import Sequence

from judgebench.model import Item, Rubric
from judgebench.model.findings import Checked
from judgebench.model.projects import Project


def facts_of(project: Project, item: Item, rubric: Rubric) -> Sequence[str]:
    """What was found out about a project as it is sent, a line each."""
    del project, item, rubric
    return ()


def check_claim(checked: Checked, rubric: Rubric) -> Checked:
    """A find whose place was checked, once more where it claims something about a library."""
    del rubric
    return checked
