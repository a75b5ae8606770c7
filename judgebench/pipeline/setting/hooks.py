"""What code knows of a project beyond what the judge is shown of it.

Both are asked for every project: facts before the judge, claims after it.
"""

from dataclasses import replace
from functools import lru_cache

from judgebench.errors import RunError
from judgebench.judges import claims
from judgebench.judges.scan import scan
from judgebench.model.facts import Fact, Source
from judgebench.model.findings import Checked, Standing
from judgebench.model.libraries import Library, LibraryPlace
from judgebench.model.projects import Project
from judgebench.model.rubric import Rubric
from judgebench.runs.library import read_library
from judgebench.text import one_line

_ANSWER = {True: "Yes", False: "No", None: "This cannot be said"}


def facts_of(project: Project, rubric: Rubric) -> tuple[str, ...]:
    """What was found out about a project as it is sent, a line each.

    Nothing of the machine goes into it: the same project gives the same lines anywhere.
    """
    checks = rubric.deductions.checks if rubric.deductions else ()
    return tuple(map(_line, (*scan(project, checks), *project.brought)))


def _line(fact: Fact) -> str:
    if fact.source is Source.HARNESS:
        return f"{fact.check}, run by the harness: {fact.text}: {fact.says}"
    return f"{fact.check}: {fact.text} {_ANSWER[fact.holds]}: {fact.says}"


def check_claim(checked: Checked, rubric: Rubric) -> Checked:
    """A find whose place was checked, once more where it claims something about a library."""
    rules = rubric.deductions
    if rules is None or checked.finding.entry not in rules.about_library:
        return checked
    if rules.library is None or checked.standing is not Standing.SUPPORTED:
        return claims.check_claim(checked, None)
    folder = rules.library.folder
    # Made absolute here: one name may mean another folder elsewhere.
    found = _library(replace(rules.library, folder=folder and folder.absolute()))
    if isinstance(found, Library):
        return claims.check_claim(checked, found)
    return replace(checked, standing=Standing.UNVERIFIED, note=f"{checked.note}; {found}")


@lru_cache(maxsize=4)
def _library(place: LibraryPlace) -> Library | str:
    """A library, read once; or why there is none."""
    try:
        return read_library(folder=place.folder, package=place.package)
    except RunError as exc:
        name = place.folder.name if place.folder else place.package
        return one_line(f"the source of {name} {str(exc).partition(': ')[2]}", 200)
