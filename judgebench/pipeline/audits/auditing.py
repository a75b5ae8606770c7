"""From what a judge reports of a project to marks: finds checked, then counted by code."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from judgebench.judges.findings import check_all
from judgebench.model.deductions import Deductions, Evidence
from judgebench.model.findings import CODE, Checked, Finding, Reported, Standing
from judgebench.model.nouns import Mark
from judgebench.model.projects import Project
from judgebench.model.reasons import Reason
from judgebench.model.rubric import Rubric, Total
from judgebench.records import dataclass
from judgebench.rubrics.counting import Tally, count

SECRETS = "secrets"
Claims = Callable[[Checked, Rubric], Checked]


@dataclass(frozen=True, kw_only=True, slots=True)
class Audited:
    """One judging of one project."""

    findings: tuple[Checked, ...]
    marks: tuple[Mark, ...]
    total: Total


def audit(
    rubric: Rubric, reported: Sequence[Reported], project: Project, *, claims: Claims
) -> Audited:
    """Check every find and count.

    Args:
        rubric: One of deductions.
        reported: What the judge says, criterion by criterion.
        project: As it was sent.
        claims: Looks once more at finds that claim something about a library.
    """
    rules = _rules(rubric)
    findings = (finding for one in reported for finding in one.findings)
    checked = [claims(one, rubric) for one in check_all(findings, project, rules)]
    checked += _by_code(rules, project)
    blocked = {one.criterion: Reason.CANNOT_JUDGE for one in reported if one.cannot_judge}
    tally = count(rubric, checked, blocked={name: why.value for name, why in blocked.items()})
    said = {one.criterion: one.reading for one in reported}
    return Audited(
        findings=tuple(checked),
        marks=tuple(
            Mark(
                criterion=one.criterion,
                mark=one.mark,
                rationale=said.get(one.criterion, ""),
                blocked=blocked.get(one.criterion),
            )
            for one in tally.marks
        ),
        total=total_of(tally),
    )


def total_of(tally: Tally) -> Total:
    """A counted total as every total is kept."""
    bare = [one.counted for one in tally.marks]
    return Total(
        value=tally.total,
        uncapped=None if None in bare else sum((one for one in bare if one is not None), 0.0),
        fired=tally.fired if tally.total is not None else (),
        tier=tally.tier,
    )


def recount(rubric: Rubric, findings: Sequence[Checked], blocked: Mapping[str, str]) -> Tally:
    """The same from stored finds; those of entries that the rubric lists no more are left out."""
    rules = _rules(rubric)
    known = {(c.id, entry.id) for c in rules.criteria for entry in c.entries}
    known |= {(c.id, "other") for c in rules.criteria}
    kept = [one for one in findings if (one.finding.criterion, one.finding.entry) in known]
    return count(rubric, kept, blocked=blocked)


def _rules(rubric: Rubric) -> Deductions:
    if rubric.deductions is None:
        raise ValueError(f"{rubric.name} is a rubric of marks")
    return rubric.deductions


def _by_code(rules: Deductions, project: Project) -> Iterator[Checked]:
    """Finds that need no judge: keys that were masked before anything was sent."""
    for criterion in rules.criteria:
        for entry in criterion.entries:
            if entry.detect != SECRETS:
                continue
            for path, first, last in _places(project.secrets):
                finding = Finding(
                    criterion=criterion.id,
                    entry=entry.id,
                    evidence=Evidence.PRESENT,
                    why="A key of a known form stands here; it was masked and not sent.",
                    path=path,
                    first=first,
                    last=last,
                    by=CODE,
                )
                yield Checked(
                    finding=finding,
                    standing=Standing.SUPPORTED,
                    note=f"{path}, lines {first}-{last}: found by code",
                    path=path,
                    first=first,
                    last=last,
                )


def _places(secrets: Iterable[tuple[str, int]]) -> Iterator[tuple[str, int, int]]:
    """Lines that follow one another as one place."""
    here: tuple[str, int, int] | None = None
    for path, line in secrets:
        if here and here[0] == path and line == here[2] + 1:
            here = (path, here[1], line)
            continue
        if here:
            yield here
        here = (path, line, line)
    if here:
        yield here
